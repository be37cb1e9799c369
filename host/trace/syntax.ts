/** What makes a line of a log unreadable, and the sentences that say so. */
import { sourceName, sourceWord } from './quote.js';
import { SWF_FIELDS, type SwfField } from './trace.js';

/** A longer line (in bytes, without its line feed) is taken for something else than a job log. */
export const LONGEST_LINE = 65_536;

/** Fields that number or count things, by position: they must be whole. Times and memory may carry decimals. */
export const WHOLE: readonly boolean[] = SWF_FIELDS.map((field) =>
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

/** Each rule a line must keep to be read: what is expected of it, and what a broken one means for the log. */
export const SYNTAX_RULES = {
  binary: {
    expected: 'text',
    meaning: 'The line holds bytes that do not print, so the file is no text or was damaged.',
  },
  'long-line': {
    expected: `lines of at most ${LONGEST_LINE} bytes`,
    meaning: `The line is longer than ${LONGEST_LINE} bytes, which no record of 18 numbers is.`,
  },
  'field-count': {
    expected: `${SWF_FIELDS.length} numbers separated by blanks`,
    meaning: `A record has exactly ${SWF_FIELDS.length} fields; -1 stands for an unknown one.`,
  },
  number: {
    expected: 'a finite decimal number (-1 if unknown)',
    meaning: 'A field holds something else than a finite decimal number.',
  },
  'whole-number': {
    expected: `a whole number up to ${Number.MAX_SAFE_INTEGER} (-1 if unknown)`,
    meaning: 'A field that numbers or counts things holds no whole number.',
  },
  'negative-submit': {
    expected: 'a submit time of 0 or later',
    meaning: 'A record has no submit time, or one before the start of the log.',
  },
  'submit-order': {
    expected: 'submit times that do not descend',
    meaning: 'A record was submitted before the one above it; with --sort the records are sorted when read.',
  },
} as const;

/** The name of a rule a line must keep to be read. */
export type SyntaxRule = keyof typeof SYNTAX_RULES;

/** A line that breaks a rule. */
export interface SyntaxProblem {
  readonly rule: SyntaxRule;
  /** Counted from 1, comments and blank lines included. */
  readonly line: number;
  /** Counted from 1; undefined when the line as a whole is at fault. */
  readonly field: number | undefined;
  /** What stands there, ready to print. */
  readonly found: string;
}

/** Where it is, what was found and what was expected, without the file: `line 3, field 4 (runtime): found ...`. */
export function describeProblem(problem: SyntaxProblem): string {
  const { line, field, found, rule } = problem;
  const where =
    field === undefined ? `line ${line}` : `line ${line}, field ${field} (${SWF_FIELDS[field - 1]})`;
  return `${where}: found ${found}, expected ${SYNTAX_RULES[rule].expected}`;
}

/** The whole sentence for a person, with the file and what to do. */
export function problemSentence(source: string, problem: SyntaxProblem): string {
  return `${sourceName(source)}, ${describeProblem(problem)}; ${remedy(source, problem.rule)}`;
}

function remedy(source: string, rule: SyntaxRule): string {
  if (rule === 'binary' || rule === 'long-line') {
    return 'give a job log in Standard Workload Format, plain or compressed with gzip';
  }
  const check = `run \`gridalloc trace check ${sourceWord(source)}\` to list all problems`;
  return rule === 'submit-order' ? `use --sort to sort the records, or ${check}` : `correct it, or ${check}`;
}
