/** Checks of the records of a log, each alone and all together. */
import { ColumnBuilder, processorsOfLogRecord } from './columns.js';
import { findPeakProcessorUse } from './peakUse.js';
import type { RecordAmendments } from './records.js';
import { SWF_FIELDS, type SwfField } from './trace.js';

/** Facts about a log, besides its records, that the checks need. */
export interface CheckedLogFacts {
  /** Processors of the machine; undefined if the log does not give them. */
  readonly machine: number | undefined;
  /** Numbers of partitions that stand for clusters, each with its own queue. */
  readonly clusters: ReadonlySet<number>;
  readonly clusterNameOf: (partition: number) => string;
  readonly jobNameOf: (job: number) => string;
}

/** Name of a rule of these checks. */
export type RecordCheckRule =
  | 'unknown-runtime'
  | 'long-runtime'
  | 'unknown-processors'
  | 'too-wide'
  | 'duplicate-job'
  | 'duplicate-record'
  | 'over-capacity'
  | 'overrun-request'
  | 'unknown-status'
  | 'clusters'
  | 'no-jobs';

/**
 * Receives a finding.
 * @param line line or other place of the format; undefined for the log as a whole.
 * @param describeExample returns a text on this finding; called for the first finding of a rule.
 */
export type RecordFindingHandler = (
  rule: RecordCheckRule,
  line: number | undefined,
  describeExample: () => string,
) => void;

/** Maximum runtime or requested time of a simulated job in seconds. */
const MAX_RECORD_TIME = 1e15;
/** Shortest positive runtime, and latest submit time, both in seconds. */
const [MIN_TIME, MAX_SUBMIT] = [1e-250, 1e300];
/** Maximum number of processors of a simulated job. */
const MAX_RECORD_PROCESSOR_COUNT = 0x7fffffff;

/** Collects the records of a log, and checks them after the last one. */
export class CollectingRecordChecker {
  readonly #builder = new ColumnBuilder();
  readonly #lines: Float64Array[] = [];
  #amendments: RecordAmendments = { dropped: [], changed: new Map() };
  #added = 0;

  add(recordRows: Float64Array, lineNumbers: Float64Array): void {
    this.#builder.add(recordRows);
    this.#lines.push(lineNumbers.slice());
    this.#added += lineNumbers.length;
  }

  /** Applies changes caused by later lines. */
  amend(changes: RecordAmendments): void {
    this.#amendments = changes;
  }

  /** Number of records that are jobs. */
  get kept(): number {
    return this.#added - this.#amendments.dropped.length;
  }

  /** Checks all records. */
  run(logFacts: CheckedLogFacts, report: RecordFindingHandler): void {
    const { columns: swfColumns, count: recordCount } = this.#builder.finish();
    const { dropped, changed } = this.#amendments;
    for (const [record, fields] of changed)
      for (const field of Object.keys(fields) as SwfField[])
        swfColumns[field][record] = fields[field] as number;
    // A record that is no job uses no processors.
    for (const record of dropped) swfColumns.runtime[record] = -1;
    const ruleChecker = new RecordRuleChecker(swfColumns, logFacts, report);
    const droppedRecords = new Set(dropped);
    let record = 0;
    for (const lineNumbers of this.#lines)
      for (const line of lineNumbers) {
        if (!droppedRecords.has(record)) ruleChecker.check(record, line);
        record++;
      }
    if (recordCount > 0) this.#checkUse({ columns: swfColumns, count: recordCount }, logFacts, report);
    ruleChecker.checkWholeLog();
  }

  #checkUse(
    records: { readonly columns: Record<SwfField, Float64Array>; readonly count: number },
    { machine, jobNameOf }: CheckedLogFacts,
    report: RecordFindingHandler,
  ): void {
    const peakUse = machine === undefined ? undefined : findPeakProcessorUse(records);
    if (machine === undefined || peakUse === undefined || peakUse.processors <= machine) return;
    const { processors, time, record } = peakUse;
    report('over-capacity', this.#lineOf(record), () => {
      const jobName = jobNameOf(records.columns.job[record]!);
      return `${processors} processors in use in second ${time}, when job ${jobName} started, on a machine of ${machine}`;
    });
  }

  #lineOf(record: number): number | undefined {
    let remainingRecordIndex = record;
    for (const lineNumbers of this.#lines) {
      if (remainingRecordIndex < lineNumbers.length) return lineNumbers[remainingRecordIndex]!;
      remainingRecordIndex -= lineNumbers.length;
    }
    return undefined;
  }
}

/** Checks records one by one. */
class RecordRuleChecker {
  readonly #columns: Readonly<Record<SwfField, Float64Array>>;
  readonly #log: CheckedLogFacts;
  readonly #report: RecordFindingHandler;
  /** Job numbers that have occurred, by cluster, since each cluster numbers its jobs separately. */
  readonly #jobs = new Map<number, SparseNumberSet>();
  readonly #repeated: { readonly record: number; readonly line: number }[] = [];
  /** Clusters that have jobs with a runtime and processors. */
  readonly #used = new Set<number>();
  #runnable = 0;
  #jobCount = 0;

  constructor(
    columns: Readonly<Record<SwfField, Float64Array>>,
    logFacts: CheckedLogFacts,
    report: RecordFindingHandler,
  ) {
    this.#columns = columns;
    this.#log = logFacts;
    this.#report = report;
  }

  check(record: number, line: number): void {
    const columns = this.#columns;
    const job = columns.job[record]!;
    const runtime = columns.runtime[record]!;
    const processors = processorsOfLogRecord(columns, record);
    const requestedTime = columns.requestedTime[record]!;
    const status = columns.status[record]!;
    this.#jobCount++;
    if (runtime <= 0) this.#report('unknown-runtime', line, () => `${this.#name(job)}runtime ${runtime}`);
    if (processors <= 0)
      this.#report(
        'unknown-processors',
        line,
        () => `${this.#name(job)}${columns.processors[record]} and ${processors} processors`,
      );
    if (runtime > 0 && processors > 0) this.#checkRunnable(record, line, processors);
    if (job >= 0 && !this.#jobsOf(record).add(job)) {
      this.#report('duplicate-job', line, () => `job ${this.#log.jobNameOf(job)} again`);
      this.#repeated.push({ record, line });
    }
    if (requestedTime > 0 && runtime > requestedTime)
      this.#report(
        'overrun-request',
        line,
        () => `${this.#name(job)}runtime ${runtime}, requested ${requestedTime}`,
      );
    if (status < -1 || status > 5)
      this.#report('unknown-status', line, () => `${this.#name(job)}status ${status}`);
  }

  /** Reports findings about all records together. */
  checkWholeLog(): void {
    this.#checkRepeated();
    if (this.#used.size > 1) {
      const clusterNames = [...this.#used].map(this.#log.clusterNameOf).join(', ');
      this.#report('clusters', undefined, () => `jobs of ${this.#used.size} clusters: ${clusterNames}`);
    }
    if (this.#jobCount > 0 && this.#runnable === 0)
      this.#report('no-jobs', undefined, () => 'no record has a positive runtime and processors');
  }

  #checkRunnable(record: number, line: number, processors: number): void {
    const { machine = Infinity, clusters } = this.#log;
    const { job, submit, runtime, requestedTime, partition } = this.#columns;
    this.#runnable++;
    if (clusters.has(partition[record]!)) this.#used.add(partition[record]!);
    const jobNameOf = () => this.#name(job[record]!);
    if (runtime[record]! > MAX_RECORD_TIME || runtime[record]! < MIN_TIME)
      this.#report('long-runtime', line, () => `${jobNameOf()}runtime ${runtime[record]}`);
    else if (requestedTime[record]! > MAX_RECORD_TIME)
      this.#report('long-runtime', line, () => `${jobNameOf()}requested ${requestedTime[record]}`);
    else if (submit[record]! > MAX_SUBMIT)
      this.#report('long-runtime', line, () => `${jobNameOf()}submitted at ${submit[record]}`);
    if (processors > Math.min(machine, MAX_RECORD_PROCESSOR_COUNT)) {
      const machineText = processors > machine ? ` on a machine of ${machine}` : '';
      this.#report('too-wide', line, () => `${jobNameOf()}${processors} processors${machineText}`);
    }
  }

  /** Reports records that are equal to an earlier one. */
  #checkRepeated(): void {
    const columns = this.#columns;
    const repeatedJobNumbers = new Set(this.#repeated.map(({ record }) => columns.job[record]!));
    if (repeatedJobNumbers.size === 0) return;
    const lines = new Map(this.#repeated.map(({ record, line }) => [record, line]));
    const seen = new Set<string>();
    for (let record = 0; record < columns.job.length; record++) {
      const job = columns.job[record]!;
      if (!repeatedJobNumbers.has(job)) continue;
      const fieldValues = SWF_FIELDS.map((field) => columns[field][record]).join(' ');
      const line = lines.get(record);
      if (seen.has(fieldValues) && line !== undefined)
        this.#report('duplicate-record', line, () => `job ${this.#log.jobNameOf(job)} again`);
      seen.add(fieldValues);
    }
  }

  /** Text `job 7, ` if the job number is known, else empty. */
  #name(job: number): string {
    return job < 0 ? '' : `job ${this.#log.jobNameOf(job)}, `;
  }

  #jobsOf(record: number): SparseNumberSet {
    const partition = this.#columns.partition[record]!;
    const cluster = this.#log.clusters.has(partition) ? partition : -1;
    let jobNumbers = this.#jobs.get(cluster);
    if (jobNumbers === undefined) {
      jobNumbers = new SparseNumberSet();
      this.#jobs.set(cluster, jobNumbers);
    }
    return jobNumbers;
  }
}

const NUMBER_SET_PAGE_BITS = 4096;

/** A set of nonnegative whole numbers, compact for neighboring numbers. */
class SparseNumberSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** Adds the number; returns false if it was already in the set. */
  add(addedNumber: number): boolean {
    const pageIndex = Math.floor(addedNumber / NUMBER_SET_PAGE_BITS);
    let flagPage = this.#pages.get(pageIndex);
    if (flagPage === undefined) {
      flagPage = new Uint8Array(NUMBER_SET_PAGE_BITS / 8);
      this.#pages.set(pageIndex, flagPage);
    }
    const bitIndex = addedNumber - pageIndex * NUMBER_SET_PAGE_BITS;
    const mask = 1 << (bitIndex & 7);
    const isNewNumber = (flagPage[bitIndex >> 3]! & mask) === 0;
    flagPage[bitIndex >> 3]! |= mask;
    return isNewNumber;
  }
}
