/** All that is wrong with a log, and what a reader should know of one that is readable. */
import { DamagedLog } from '../errors.js';
import { AnyReader } from './formats.js';
import { emptySentence, type ReadingOptions, readingOf } from './readText.js';
import { type LogReader, type LogSink, Names, type NoJob } from './records.js';
import { describeProblem, SYNTAX_RULES, type SyntaxRule } from './syntax.js';
import { AT, FIELDS, headerCount, parseHeader, type TraceHeader } from './trace.js';
import { WholeChecks } from './wholeChecks.js';

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
export interface CheckOptions extends Omit<ReadingOptions, 'skipBadLines' | 'sort'> {
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
  const whole = new WholeChecks();
  let rules = new RecordRules(undefined, () => {}, whole);
  let placeOf: ((line: number) => string) | undefined;
  const add = (rule: WarningRule, line: number, text: string) => {
    if (placeOf === undefined) found.add(rule, text, line);
    else found.add(rule, `${placeOf(line)}: ${text}`);
  };
  const jobs = new JobCounts();
  const sink: LogSink = {
    header: (lines) => {
      header = parseHeader(lines);
      rules = new RecordRules(header.maxProcessors, add, whole);
    },
    records: (rows, lines, called) => {
      placeOf = called;
      whole.add(rows, lines);
      jobs.kept += lines.length;
      lines.forEach((line, i) => {
        rules.check(rows, i * FIELDS, line);
      });
    },
    problem: (problem) => found.add(problem.rule, describeProblem(problem), problem.line),
    leaveOut: (record) => {
      jobs.leaveOut(record);
      const { rule, line, place = '', example, count } = record;
      found.add(rule, line === undefined ? `${place}: ${example}` : example, line, count);
    },
    amend: ({ dropped }) => {
      jobs.kept -= dropped.length;
    },
    notes: (notes) => {
      for (const { rule, example, lines, count } of notes)
        found.addAll(rule, { count, lines: [...lines], example });
    },
  };
  const names = new Names();
  const reader = new AnyReader(sink, { ...readingOf(options), names });
  const bytes = await readAll(chunks, reader, found);
  if (names.clusters.size > 1) found.add('clusters', `${names.clusters.size} clusters`);
  for (const { rule, line, example } of whole.findings(header.maxProcessors)) add(rule, line, example);
  checkWhole(header, reader.records, found);
  if (reader.records === 0 || (jobs.kept === 0 && !found.hasErrors))
    found.add('no-records', emptySentence(source, bytes, jobs.leftOut()));
  const problems = found.list();
  const readable = problems.every(({ severity }) => severity === 'warning');
  return { source, readable, lines: reader.lines, records: reader.records, header, problems };
}

/** Reads chunks to their end, or until they are no log; returns how many bytes they were. */
async function readAll(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reader: LogReader,
  found: Findings,
): Promise<number> {
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
  return bytes;
}

/** How many records are jobs, and how many are not by which rule. */
class JobCounts {
  kept = 0;
  readonly #leftOut = new Map<NoJob['rule'], number>();

  leaveOut({ rule, count = 1 }: NoJob): void {
    this.#leftOut.set(rule, (this.#leftOut.get(rule) ?? 0) + count);
  }

  leftOut(): { readonly rule: NoJob['rule']; readonly count: number }[] {
    return [...this.#leftOut].map(([rule, count]) => ({ rule, count }));
  }
}

function checkWhole(header: TraceHeader, records: number, found: Findings): void {
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

  /** Adds all that is found of a rule. */
  addAll(rule: CheckRule, finding: { count: number; lines: number[]; example: string }): void {
    this.#found.set(rule, finding);
  }

  add(rule: CheckRule, example: string, line?: number, count = 1): void {
    let finding = this.#found.get(rule);
    if (finding === undefined) {
      finding = { count: 0, lines: [], example };
      this.#found.set(rule, finding);
    }
    finding.count += count;
    if (line === undefined || finding.lines.length === SHOWN_LINES || finding.lines.at(-1) === line) return;
    finding.lines.push(line);
  }

  /** Whether reading refuses the log for what was found. */
  get hasErrors(): boolean {
    return this.list().some(({ severity }) => severity === 'error');
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

/** What each warning means; none of them keeps a log from being read. */
export const WARNING_RULES = {
  'unknown-runtime': 'The run time (field 4) is unknown, zero or negative; simulations drop such records.',
  'long-runtime': 'The run time (field 4) is above 1e15 s, which no simulation takes.',
  'unknown-processors':
    'Neither field 5 nor field 8 gives a positive number of processors; simulations drop such records.',
  'too-wide': 'The job holds more processors than the header says the machine has.',
  'duplicate-job':
    'The job number (field 1) occurred before; the parts of a checkpointed or resized job share one, and so do the runs of a job that ran again.',
  'duplicate-record': 'The same record occurred before, as where outputs overlap; both are simulated.',
  'over-capacity': 'More processors were in use at once than the machine has, so a record cannot be right.',
  'overrun-request': 'The job ran longer than it requested (field 9).',
  'unknown-status': 'The status (field 11) is none of -1, 0, 1, 2, 3, 4, 5.',
  step: 'The record is a step of a job, and not a job; it is dropped.',
  unfinished: 'The job had not ended when the log was written; it is dropped.',
  component: 'The record is another component of a heterogeneous job; it is merged into the first.',
  profile: 'The job does not say how long it takes, since that depends on the machine; it is dropped.',
  'late-arrival':
    'The job could start only after its submit (held, a later begin, a dependency, a limited array); it arrives then, or with --arrival submit at its submit.',
  suspended: 'The job was suspended while it ran; it is simulated in one piece, without the suspension.',
  resized: 'The job was resized while it ran; it has a record for each size.',
  'clock-jump':
    'The times do not fit together (the end is not start + runtime + suspension, or before the start; or the start is before the submit or eligible time), as when summer time ends. Times in seconds avoid that; sacct prints them with SLURM_TIME_FORMAT=%s.',
  'unknown-state':
    'The word for how the job ended is not one that is known; its status becomes -1, which only filters look at.',
  requeued: 'The run ended in a state after which Slurm may run the job again; each run is a record.',
  'cancelled-waiting': 'The job was cancelled before it started; simulations drop it.',
  'no-limit': 'The job has no time limit; simulations take 365 days, or what --no-limit says.',
  clusters:
    'The log has jobs of several clusters, each with a queue of its own; choose one with --filter cluster=NAME.',
  'missing-machine': 'The header gives no size of the machine, neither MaxProcs nor MaxNodes.',
  'max-jobs': 'MaxJobs in the header is not the number of records, as in logs from which jobs were removed.',
  'max-records': 'MaxRecords in the header is not the number of records, so the file may be incomplete.',
} as const;

/** The name of a warning. */
export type WarningRule = keyof typeof WARNING_RULES;

/** Seconds that a job may run in a simulation. */
const LONGEST = 1e15;

/** Looks at one record after the other. */
class RecordRules {
  readonly #maxProcessors: number;
  readonly #whole: Pick<WholeChecks, 'repeat'>;
  readonly #jobs = new NumberSet();
  readonly #warn: (rule: WarningRule, line: number, example: string) => void;

  /** @param warn is called for every warning, with the line and its text. */
  constructor(
    maxProcessors: number | undefined,
    warn: (rule: WarningRule, line: number, example: string) => void,
    whole: Pick<WholeChecks, 'repeat'>,
  ) {
    this.#whole = whole;
    this.#maxProcessors = maxProcessors ?? Number.POSITIVE_INFINITY;
    this.#warn = warn;
  }

  /** Checks the record whose 18 numbers start at `offset`. */
  check(rows: Float64Array, offset: number, line: number): void {
    const job = rows[offset + AT.job]!;
    const runtime = rows[offset + AT.runtime]!;
    const allocated = rows[offset + AT.processors]!;
    const processors = allocated > 0 ? allocated : rows[offset + AT.requestedProcessors]!;
    const requestedTime = rows[offset + AT.requestedTime]!;
    const status = rows[offset + AT.status]!;
    if (runtime <= 0) this.#warn('unknown-runtime', line, `runtime ${runtime}`);
    if (runtime > LONGEST) this.#warn('long-runtime', line, `job ${job}, runtime ${runtime}`);
    if (processors <= 0) this.#warn('unknown-processors', line, `${allocated} and ${processors} processors`);
    if (processors > this.#maxProcessors) {
      this.#warn('too-wide', line, `${processors} processors on a machine of ${this.#maxProcessors}`);
    }
    if (job >= 0 && !this.#jobs.add(job)) {
      this.#warn('duplicate-job', line, `job ${job} again`);
      this.#whole.repeat(job);
    }
    if (requestedTime > 0 && runtime > requestedTime) {
      this.#warn('overrun-request', line, `runtime ${runtime}, requested ${requestedTime}`);
    }
    if (status < -1 || status > 5) this.#warn('unknown-status', line, `status ${status}`);
  }
}

const PAGE_BITS = 4096;

/** A set of whole numbers from 0, small where they lie close together. */
class NumberSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** Adds the number; false if it was there. */
  add(value: number): boolean {
    const pageNumber = Math.floor(value / PAGE_BITS);
    let page = this.#pages.get(pageNumber);
    if (page === undefined) {
      page = new Uint8Array(PAGE_BITS / 8);
      this.#pages.set(pageNumber, page);
    }
    const bit = value - pageNumber * PAGE_BITS;
    const mask = 1 << (bit & 7);
    const isNew = (page[bit >> 3]! & mask) === 0;
    page[bit >> 3]! |= mask;
    return isNew;
  }
}
