/** Rules that every line of a log must satisfy to be readable, and the messages about violations. */
import { formatSourceAsShellWord, makePrintableSourceName } from '../format/text.js';
import { LINE_PLACE_NAMES, type RecordPlaceNames } from './places.js';
import { SWF_FIELDS, type SwfField } from './trace.js';

/**
 * Maximum length of a line in bytes, without its line feed; longer lines mean that the file is not a job log.
 */
export const MAX_LINE_BYTES = 65_536;
/**
 * Maximum size of comments before the first record in bytes. Archive headers have a few thousand, names of
 * array tasks more.
 */
export const MAX_LOG_HEADER_BYTES = 1 << 24;
/** Maximum number of consecutive lines that are blank or comments. */
export const MAX_CONSECUTIVE_EMPTY_LINES = 1_000_000;
/** Maximum size in bytes of a log that must be in memory as a whole to be read. */
export const MAX_JSON_LOG_BYTES = 1 << 28;

/**
 * True for fields that are numbers or counts, by position; their values must be whole. Times and memory may
 * have decimals.
 */
export const IS_WHOLE_NUMBER_FIELD: readonly boolean[] = SWF_FIELDS.map((field) =>
  (
    [
      'job',
      'processors',
      'requestedProcessors',
      'status',
      'user',
      'group',
      'executable',
      'queue',
      'partition',
      'precedingJob',
    ] as SwfField[]
  ).includes(field),
);

interface SyntaxRuleTexts {
  /** Expected content, unless a problem describes it more exactly. */
  readonly expected: string;
  /** Consequence of a violation for the log. */
  readonly meaning: string;
  /** True if only the record is affected, which can be dropped; otherwise the whole log is refused. */
  readonly isOfRecord: boolean;
}

/** All rules that a log must satisfy to be read. */
export const SYNTAX_RULES = {
  binary: {
    expected: 'text',
    meaning: 'The line holds bytes that do not print, so the file is not text or is damaged.',
    isOfRecord: true,
  },
  'long-line': {
    expected: `lines of at most ${MAX_LINE_BYTES} bytes`,
    meaning: `The line is longer than ${MAX_LINE_BYTES} bytes; no record is that long.`,
    isOfRecord: true,
  },
  'long-header': {
    expected: `at most ${MAX_LOG_HEADER_BYTES} bytes of comments before the first record`,
    meaning: 'The comments before the first record do not end, so the file is not a job log.',
    isOfRecord: false,
  },
  'empty-lines': {
    expected: 'a record',
    meaning: `More than ${MAX_CONSECUTIVE_EMPTY_LINES} lines in a row are blank or comments, so the file is not a job log.`,
    isOfRecord: false,
  },
  'field-count': {
    expected: `${SWF_FIELDS.length} numbers separated by blanks`,
    meaning: 'A record does not have the number of fields of its format; unknown ones must be there too.',
    isOfRecord: true,
  },
  number: {
    expected: 'a finite decimal number (-1 if unknown)',
    meaning: 'A field holds something other than a finite decimal number.',
    isOfRecord: true,
  },
  'whole-number': {
    expected: `a whole number up to ${Number.MAX_SAFE_INTEGER} (-1 if unknown)`,
    meaning: 'A field that numbers or counts things holds no whole number.',
    isOfRecord: true,
  },
  'negative-submit': {
    expected: 'a submit time of 0 or later',
    meaning: 'A record has no submit time, or one before the start of the log.',
    isOfRecord: true,
  },
  time: {
    expected: 'a date such as 2024-03-01T12:00:00, or seconds since 1970',
    meaning: 'A field holds no time in a known form.',
    isOfRecord: true,
  },
  job: {
    expected: 'the fields of a job',
    meaning: 'A job lacks what it must have, or has it in another form.',
    isOfRecord: true,
  },
  columns: {
    expected: 'a first line with the names of the fields',
    meaning:
      'The line with the names of the fields is missing, or lacks fields without which jobs cannot be read.',
    isOfRecord: false,
  },
  json: {
    expected: 'a JSON document with jobs and profiles',
    meaning: 'The document is not JSON, or holds something other than jobs and their profiles.',
    isOfRecord: false,
  },
  'long-document': {
    expected: `at most ${MAX_JSON_LOG_BYTES} bytes of JSON`,
    meaning: 'The document is too long to be read as a whole.',
    isOfRecord: false,
  },
  'submit-order': {
    expected: 'submit times that do not descend',
    meaning: 'A record was submitted before the one above it; with --sort the records are sorted when read.',
    isOfRecord: false,
  },
} as const satisfies Readonly<Record<string, SyntaxRuleTexts>>;

/** Name of a rule that a log must satisfy to be read. */
export type SyntaxRule = keyof typeof SYNTAX_RULES;

/** Violation of a rule: the place, and what was found. */
export interface SyntaxProblem {
  readonly rule: SyntaxRule;
  /**
   * Line number, counted from 1 with comments and blank lines, or the number of another place of the format;
   * undefined for the log as a whole.
   */
  readonly line: number | undefined;
  /** Number of the SWF field, from 1; undefined if the whole line is wrong. */
  readonly field: number | undefined;
  /** Content that was found, ready to print. */
  readonly found: string;
  /** Place within the line or document, in formats other than SWF. */
  readonly place?: string | undefined;
  /** Expected content; default: as stated by the rule. */
  readonly expected?: string | undefined;
  /** Advice to the user for a log of this name; default: the advice of the rule. */
  readonly describeRemedy?: ((source: string) => string) | undefined;
}

/**
 * Describes the place, what was found and what was expected, without the file name: `line 3, field 4
 * (runtime): found ...`.
 * @param placeNames names of places in the format.
 */
export function describeSyntaxProblem(
  { line, field, place, found, rule, expected }: SyntaxProblem,
  placeNames: RecordPlaceNames = LINE_PLACE_NAMES,
): string {
  const location = [
    ...(line === undefined ? [] : [placeNames.nameOf(line)]),
    ...(field === undefined ? [] : [`field ${field} (${SWF_FIELDS[field - 1]})`]),
    ...(place === undefined ? [] : [place]),
  ];
  return `${location.join(', ')}: found ${found}, expected ${expected ?? SYNTAX_RULES[rule].expected}`;
}

/** Complete error message with the file name and advice. */
export function makeSyntaxProblemSentence(
  logSource: string,
  problem: SyntaxProblem,
  placeNames?: RecordPlaceNames,
): string {
  return `${makePrintableSourceName(logSource)}, ${describeSyntaxProblem(problem, placeNames)}; ${problem.describeRemedy?.(logSource) ?? chooseSyntaxRemedy(logSource, problem.rule)}`;
}

/** Rules that files violate if they are not job logs at all. */
const NOT_A_LOG_RULES: readonly SyntaxRule[] = [
  'binary',
  'long-line',
  'long-header',
  'empty-lines',
  'json',
  'long-document',
];

/**
 * Recommended sacct command, which prints all fields used in a readable format; the documentation shows the
 * same one.
 */
export const RECOMMENDED_SACCT_COMMAND =
  'SLURM_TIME_FORMAT=%s sacct --allusers --allocations --duplicates --parsable2 --starttime 2026-01-01 --endtime 2026-02-01 ' +
  '--state CD,F,TO,CA,NF,OOM,PR,BF,DL,RQ,RS ' +
  '--format JobID,JobIDRaw,User,Account,Partition,Submit,Eligible,Start,End,ElapsedRaw,Suspended,TimelimitRaw,ReqCPUS,AllocCPUS,State,Flags';

function chooseSyntaxRemedy(logSource: string, rule: SyntaxRule): string {
  if (NOT_A_LOG_RULES.includes(rule))
    return 'give a job log in one of the formats that gridalloc trace formats lists';
  if (rule === 'columns')
    return `let sacct print them, for the time that you want: ${RECOMMENDED_SACCT_COMMAND}`;
  const checkHint = `run \`gridalloc trace check ${formatSourceAsShellWord(logSource)}\` to list all problems`;
  if (rule === 'submit-order') return `use --sort to sort the records, or ${checkHint}`;
  return `correct it, skip it with --skip-bad-lines, or ${checkHint}`;
}
