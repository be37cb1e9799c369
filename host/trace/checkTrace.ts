/** Complete check of a log: all errors, and all remarks on logs that can be read. */
import { DamagedLogError } from '../errors.js';
import { AnyFormatLogReader, type LogInputKind } from './formats.js';
import { LINE_PLACE_NAMES, type RecordPlaceNames, type RecordPlaceUnit } from './places.js';
import { makeEmptyLogMessage, pickReadingOptions, type ReadingOptions } from './readText.js';
import { CollectingRecordChecker } from './recordChecks.js';
import { LogNames, type LogReader, type LogSink, type RecordWithoutJob } from './records.js';
import { describeSyntaxProblem, SYNTAX_RULES, type SyntaxRule } from './syntax.js';
import { parseHeader, parseHeaderCount, type TraceHeader } from './trace.js';

const MAX_REPORTED_PROBLEM_LINES = 5;

const FILE_CHECK_RULES = {
  'damaged-file': 'The file does not unpack to its end, so records are missing.',
  'no-records': 'There is nothing to simulate.',
} as const;

/** Rules that a log must satisfy to be simulated unchanged, with the consequence of a violation. */
export const SIMULATION_CHECK_RULES = {
  'no-jobs': 'No job has a runtime and processors, so nothing is left to simulate.',
  clusters:
    'The log has jobs of several clusters, each with a queue of its own; choose one with --filter cluster=NAME, or write each to a log of its own with gridalloc trace convert.',
  'too-wide':
    'The job has more processors than the header says the machine has; drop or split it with --oversize, or give --sites.',
  'long-runtime':
    'The run time (field 4) or the requested time (field 9) is above 1e15 s, or a time is beyond what a simulation can hold; correct it, or leave the record out with --filter.',
} as const;

type TraceCheckRule =
  | SyntaxRule
  | WarningRule
  | keyof typeof FILE_CHECK_RULES
  | keyof typeof SIMULATION_CHECK_RULES;

/** A rule that a log violates, with the places. */
export interface TraceProblem {
  /** Name of the rule, as listed in docs/traces.md. */
  readonly rule: TraceCheckRule;
  /** `error`: readTrace, or a simulation of all jobs, rejects the log. `warning`: both accept it. */
  readonly severity: 'error' | 'warning';
  /** Number of violations. */
  readonly count: number;
  /**
   * Numbers of the first few lines that violate the rule, counted from 1; empty if the rule concerns the
   * whole file or the format has no lines.
   */
  readonly lines: readonly number[];
  /**
   * First few places that violate the rule, such as `line 3`, `row 3` of a Parquet file or `jobs[3]` of a
   * JSON document.
   */
  readonly places: readonly string[];
  /** Details of the first violation. */
  readonly example: string;
  /** One sentence about the consequence. */
  readonly meaning: string;
}

/** Result of checking a log. */
export interface TraceCheck {
  /** Name of the log: its path, or `-` for standard input. */
  readonly source: string;
  /** True if readTrace accepts the log with the same `sort`. */
  readonly readable: boolean;
  /** True if the log can also be simulated unchanged: no problem is an error. */
  readonly usable: boolean;
  /** Unit in which places are counted: lines, rows of a Parquet file, or jobs of a JSON document. */
  readonly unit: RecordPlaceUnit;
  /** Number of lines, including comments and blank lines; 0 in formats without lines. */
  readonly lines: number;
  /** Number of records, readable or not: rows, jobs, or lines that are neither comments nor blank. */
  readonly records: number;
  /** Header of the log: the comment lines at its top and their entries. */
  readonly header: TraceHeader;
  /** Problems, errors first; within errors and warnings in order of appearance. */
  readonly problems: readonly TraceProblem[];
}

/** Options for checking a log. */
export interface CheckOptions extends Omit<ReadingOptions, 'skipBadLines' | 'sort'> {
  /** True if descending submit times are a warning instead of an error, since they will be sorted. */
  readonly sort?: boolean | undefined;
}

/**
 * Finds all problems of a log that arrives in chunks: all reasons to refuse reading or simulating it, and all
 * warnings.
 * @param inputKind kind of the log, set once its first chunk has arrived.
 * @throws All errors of the chunks except DamagedLogError, which becomes a problem of the log.
 */
export async function checkLogInChunks(
  source: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CheckOptions = {},
  inputKind?: LogInputKind,
): Promise<TraceCheck> {
  const logFindings = new LogFindings(options.sort === true);
  let header = parseHeader([]);
  const checks = new CollectingRecordChecker();
  const leftOut = new Map<RecordWithoutJob['rule'], number>();
  const sink: LogSink = {
    header: (lines) => {
      header = parseHeader(lines);
    },
    records: (recordRows, lineNumbers) => checks.add(recordRows, lineNumbers),
    problem: (problem) =>
      logFindings.add(problem.rule, () => describeSyntaxProblem(problem, logFindings.places), problem.line),
    leaveOut: ({ rule, line, example, count = 1 }) => {
      leftOut.set(rule, (leftOut.get(rule) ?? 0) + count);
      logFindings.add(rule, () => example, line, count);
    },
    amend: (changes) => checks.amend(changes),
    notes: (logNotes) => {
      for (const { rule, example, lines: logNoteLines, count: noteCount } of logNotes)
        logFindings.setFindingsOfRule(rule, { count: noteCount, lines: [...logNoteLines], example });
    },
  };
  const logNames = new LogNames();
  const onFormatKnown = ({ places }: { readonly places: RecordPlaceNames }) => {
    logFindings.places = places;
  };
  const reader = new AnyFormatLogReader(sink, {
    ...pickReadingOptions(options),
    names: logNames,
    input: inputKind,
    onFormat: onFormatKnown,
  });
  const bytes = await readChunksToEnd(chunks, reader, logFindings);
  const { kept } = checks;
  const isLogReadable = !logFindings.hasErrors;
  if (kept === 0 && isLogReadable) {
    const rules = [...leftOut].map(([rule, count]) => ({ rule, count }));
    logFindings.add('no-records', () => makeEmptyLogMessage(source, bytes, logFindings.places.unit, rules));
  }
  const jobNameOf = (job: number) => header.names.job.get(job) ?? logNames.jobName(job);
  const logFacts = { machine: header.maxProcessors, clusters: logNames.clusters, jobNameOf };
  const clusterNameOf = (partition: number) => logNames.nameOf('partition', partition);
  checks.run({ ...logFacts, clusterNameOf }, (rule, line, describeExample) => {
    if (rule !== 'no-jobs' || isLogReadable) logFindings.add(rule, describeExample, line);
  });
  checkWholeLog(header, reader.records, logFindings);
  return {
    source,
    ...logFindings.outcome(),
    lines: logFindings.places.unit === 'line' ? reader.lines : 0,
    records: reader.records,
    header,
  };
}

/** Reads chunks to the end, or until the data is recognized as no log; returns the number of bytes read. */
async function readChunksToEnd(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reader: LogReader,
  logFindings: LogFindings,
): Promise<number> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      reader.push(chunk);
      bytes += chunk.length;
      if (reader.isOver) break;
    }
  } catch (error) {
    if (!(error instanceof DamagedLogError)) throw error;
    logFindings.add('damaged-file', () => error.message);
  }
  reader.end();
  return bytes;
}

function checkWholeLog(header: TraceHeader, recordCount: number, logFindings: LogFindings): void {
  if (recordCount > 0 && header.maxProcessors === undefined) {
    logFindings.add('missing-machine', () => 'neither MaxProcs nor MaxNodes is a positive whole number');
  }
  const statedMaxJobs = parseHeaderCount(header.entries, 'MaxJobs') ?? recordCount;
  const statedMaxRecords = parseHeaderCount(header.entries, 'MaxRecords') ?? recordCount;
  if (statedMaxJobs !== recordCount)
    logFindings.add('max-jobs', () => `MaxJobs ${statedMaxJobs}, but ${recordCount} records`);
  if (statedMaxRecords !== recordCount)
    logFindings.add('max-records', () => `MaxRecords ${statedMaxRecords}, but ${recordCount} records`);
}

interface RuleFindings {
  count: number;
  lines: number[];
  example: string;
}

/** Findings of a check, counted by rule. */
class LogFindings {
  readonly #sorted: boolean;
  readonly #found = new Map<TraceCheckRule, RuleFindings>();
  /** Names of places in the format; until the format is known, names of lines. */
  places = LINE_PLACE_NAMES;

  constructor(sorted: boolean) {
    this.#sorted = sorted;
  }

  /** Adds several findings of one rule. */
  setFindingsOfRule(rule: TraceCheckRule, findingsOfRule: RuleFindings): void {
    this.#found.set(rule, findingsOfRule);
  }

  add(rule: TraceCheckRule, describeExample: () => string, line?: number, problemCount = 1): void {
    let findingsOfRule = this.#found.get(rule);
    if (findingsOfRule === undefined) {
      findingsOfRule = { count: 0, lines: [], example: describeExample() };
      this.#found.set(rule, findingsOfRule);
    }
    findingsOfRule.count += problemCount;
    if (
      line === undefined ||
      findingsOfRule.lines.length === MAX_REPORTED_PROBLEM_LINES ||
      findingsOfRule.lines.at(-1) === line
    )
      return;
    findingsOfRule.lines.push(line);
  }

  /** True if the log is rejected because of a finding. */
  get hasErrors(): boolean {
    return [...this.#found.keys()].some((rule) => this.#severityOf(rule) === 'error');
  }

  outcome(): Pick<TraceCheck, 'readable' | 'usable' | 'unit' | 'problems'> {
    const unsortedProblems = [...this.#found].map(([rule, finding]) => this.#describe(rule, finding));
    const isErrorProblem = ({ severity }: TraceProblem) => severity === 'error';
    const problems = [
      ...unsortedProblems.filter(isErrorProblem),
      ...unsortedProblems.filter((problem) => !isErrorProblem(problem)),
    ];
    const isUsable = !problems.some(isErrorProblem);
    const isReadable = !problems.some(
      (problem) => isErrorProblem(problem) && !(problem.rule in SIMULATION_CHECK_RULES),
    );
    return { readable: isReadable, usable: isUsable, unit: this.places.unit, problems };
  }

  #severityOf(rule: TraceCheckRule): TraceProblem['severity'] {
    return rule in WARNING_CHECK_RULES || (rule === 'submit-order' && this.#sorted) ? 'warning' : 'error';
  }

  #describe(rule: TraceCheckRule, { count, lines, example }: RuleFindings): TraceProblem {
    const recordPlaceTexts = lines.map(this.places.nameOf);
    const lineNumbers = this.places === LINE_PLACE_NAMES ? { lines } : { lines: [] };
    return {
      ...{ rule, severity: this.#severityOf(rule), count, ...lineNumbers, places: recordPlaceTexts, example },
      meaning: describeCheckRule(rule),
    };
  }
}

function describeCheckRule(rule: TraceCheckRule): string {
  const meaningByRule: Partial<Record<TraceCheckRule, string>> = {
    ...WARNING_CHECK_RULES,
    ...FILE_CHECK_RULES,
    ...SIMULATION_CHECK_RULES,
  };
  return meaningByRule[rule] ?? SYNTAX_RULES[rule as SyntaxRule].meaning;
}

/** Rules whose violation is a warning, with the consequence; the log can still be read. */
export const WARNING_CHECK_RULES = {
  'unknown-runtime': 'The run time (field 4) is unknown, zero or negative; simulations drop such records.',
  'unknown-processors':
    'Neither field 5 nor field 8 gives a positive number of processors; simulations drop such records.',
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
  'missing-machine': 'The header gives no size of the machine, neither MaxProcs nor MaxNodes.',
  'max-jobs': 'MaxJobs in the header is not the number of records, as in logs from which jobs were removed.',
  'max-records': 'MaxRecords in the header is not the number of records, so the file may be incomplete.',
} as const;

/** Name of a rule whose violation is a warning. */
export type WarningRule = keyof typeof WARNING_CHECK_RULES;
