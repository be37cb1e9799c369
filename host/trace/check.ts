/** All that is wrong with a log, in one pass that keeps none of its records. */
import { DamagedLog } from '../errors.js';
import { AnyReader, type FormatName } from './formats.js';
import { headerCount, parseHeader } from './header.js';
import { Names } from './names.js';
import { emptySentence } from './read.js';
import type { LogSink } from './rows.js';
import { RecordRules, WARNING_RULES, type WarningRule } from './rules.js';
import { describeProblem, SYNTAX_RULES, type SyntaxRule } from './syntax.js';
import { SWF_FIELDS, type TraceHeader } from './trace.js';

const FIELDS = SWF_FIELDS.length;
const SHOWN_LINES = 5;

const FILE_RULES = {
  'damaged-file': 'The file does not unpack to its end, so records are missing.',
  'no-records': 'There is nothing to simulate.',
} as const;

type CheckRule = SyntaxRule | WarningRule | keyof typeof FILE_RULES;

/** One rule that a log breaks. */
export interface TraceProblem {
  /** Its name, as docs/traces.md lists them. */
  readonly rule: CheckRule;
  /** `error`: readTrace refuses the log for it. `warning`: the log can be read all the same. */
  readonly severity: 'error' | 'warning';
  /** How often it is broken. */
  readonly count: number;
  /** The first few lines where it is broken, counted from 1; empty if it concerns the whole file. */
  readonly lines: readonly number[];
  /** What was found the first time. */
  readonly example: string;
  /** One sentence on what this means. */
  readonly meaning: string;
}

/** The outcome of a check. */
export interface TraceCheck {
  /** What the log is called. */
  readonly source: string;
  /** Whether readTrace, with the same `sort`, takes the log: no problem is an error. */
  readonly readable: boolean;
  /** Lines, comments and blank ones included. */
  readonly lines: number;
  /** Lines that are neither comments nor blank, readable or not. */
  readonly records: number;
  /** What the lines at the top say. */
  readonly header: TraceHeader;
  /** Errors first, each kind in order of appearance. */
  readonly problems: readonly TraceProblem[];
}

/** How a log is checked. */
export interface CheckOptions {
  /** The format; default: told by content. */
  readonly format?: FormatName | undefined;
  /** Descending submit times count as a warning, since they will be sorted. */
  readonly sort?: boolean | undefined;
}

/**
 * Finds all problems of a log that comes in chunks: everything that reading refuses, and what a simulation would trip
 * over.
 * @throws what the chunks throw, but for DamagedLog, which is a problem that is found.
 */
export async function checkChunks(
  source: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CheckOptions = {},
): Promise<TraceCheck> {
  const found = new Findings(options.sort === true);
  let header = parseHeader([]);
  let rules = new RecordRules(undefined, () => {});
  let placeOf: ((line: number) => string) | undefined;
  const add = (rule: WarningRule, line: number, text: string) => {
    if (placeOf === undefined) found.add(rule, text, line);
    else found.add(rule, `${placeOf(line)}: ${text}`);
  };
  const sink: LogSink = {
    header: (lines) => {
      header = parseHeader(lines);
      rules = new RecordRules(header.maxProcessors, add);
    },
    records: (rows, lines, called) => {
      placeOf = called;
      lines.forEach((line, i) => {
        rules.check(rows, i * FIELDS, line);
      });
    },
    problem: (problem) => found.add(problem.rule, describeProblem(problem), problem.line),
    leaveOut: ({ rule, line, place = '', example }) =>
      found.add(rule, line === undefined ? `${place}: ${example}` : example, line),
  };
  const reader = new AnyReader(sink, { format: options.format, names: new Names() });
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      reader.push(chunk);
      bytes += chunk.length;
      if (reader.isOver) break;
    }
  } catch (error) {
    if (!(error instanceof DamagedLog)) throw error;
    found.add('damaged-file', error.message);
  }
  reader.end();
  checkWhole(source, header, reader.records, bytes, found);
  const problems = found.list();
  const readable = problems.every(({ severity }) => severity === 'warning');
  return { source, readable, lines: reader.lines, records: reader.records, header, problems };
}

function checkWhole(
  source: string,
  header: TraceHeader,
  records: number,
  bytes: number,
  found: Findings,
): void {
  if (records === 0) found.add('no-records', emptySentence(source, bytes));
  if (records > 0 && header.maxProcessors === undefined) {
    found.add('missing-machine', 'neither MaxProcs nor MaxNodes is a positive whole number');
  }
  const maxJobs = headerCount(header.entries, 'MaxJobs') ?? records;
  const maxRecords = headerCount(header.entries, 'MaxRecords') ?? records;
  if (maxJobs !== records) found.add('max-jobs', `MaxJobs ${maxJobs}, but ${records} records`);
  if (maxRecords !== records) found.add('max-records', `MaxRecords ${maxRecords}, but ${records} records`);
}

/** Counts by rule. */
class Findings {
  readonly #sorted: boolean;
  readonly #found = new Map<CheckRule, { count: number; lines: number[]; example: string }>();

  constructor(sorted: boolean) {
    this.#sorted = sorted;
  }

  add(rule: CheckRule, example: string, line?: number): void {
    let finding = this.#found.get(rule);
    if (finding === undefined) {
      finding = { count: 0, lines: [], example };
      this.#found.set(rule, finding);
    }
    finding.count++;
    if (line === undefined || finding.lines.length === SHOWN_LINES || finding.lines.at(-1) === line) return;
    finding.lines.push(line);
  }

  list(): TraceProblem[] {
    const problems = [...this.#found].map(([rule, finding]) => this.#describe(rule, finding));
    const isError = ({ severity }: TraceProblem) => severity === 'error';
    return [...problems.filter(isError), ...problems.filter((problem) => !isError(problem))];
  }

  #describe(rule: CheckRule, finding: { count: number; lines: number[]; example: string }): TraceProblem {
    if (rule in WARNING_RULES) {
      return { rule, severity: 'warning', ...finding, meaning: WARNING_RULES[rule as WarningRule] };
    }
    if (rule in FILE_RULES) {
      return { rule, severity: 'error', ...finding, meaning: FILE_RULES[rule as keyof typeof FILE_RULES] };
    }
    const severity = rule === 'submit-order' && this.#sorted ? 'warning' : 'error';
    return { rule, severity, ...finding, meaning: SYNTAX_RULES[rule as SyntaxRule].meaning };
  }
}
