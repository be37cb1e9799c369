/**
 * Converts accounting records of batch systems into jobs of a log: decides when a job arrives and which
 * records are runs of one job, job steps, or no job at all. The readers of each format supply the fields.
 */
import { quoteLogText } from '../format/text.js';
import type {
  ArrivalChoice,
  LogNames,
  LogNote,
  LogSink,
  RecordRowBuffer,
  RecordWithoutJob,
} from './records.js';
import { NOTE_RULES, type NoteRule, SWF_FIELD_OFFSETS, type SwfField } from './trace.js';

/** Status numbers by kind of job state. Numbers from -1 on are the values of SWF field 11 (status). */
export const JOB_STATE_NUMBERS = {
  resizing: -3,
  unfinished: -2,
  unknown: -1,
  failed: 0,
  completed: 1,
  cancelled: 5,
} as const;

/** States of jobs that have not ended. */
const UNFINISHED_STATE_PATTERN =
  /^(?:PENDING|RUNNING|SUSPENDED|CONFIGURING|COMPLETING|STAGE_OUT|SIGNALING|STOPPED|RESV_DEL_HOLD)/;
/**
 * States of jobs that ended other than by completion or cancellation; sacct truncates long names, such as
 * OUT_OF_ME+.
 */
const FAILED_STATE_PATTERN =
  /^(?:FAILED|TIMEOUT|NODE_FAIL|OUT_OF_ME|BOOT_FAIL|DEADLINE|PREEMPTED|REQUEUE|REVOKED|LAUNCH_FAILED|SPECIAL_EXIT)/;
/** States of runs after which Slurm may requeue the job. */
const REPEATED_STATE_PATTERN = /^(?:REQUEUE|NODE_FAIL|PREEMPTED|BOOT_FAIL|SPECIAL_EXIT)/;

/** Returns the status number of a state such as `CANCELLED by 1001`. */
export function jobStateNumberOf(stateText: string): number {
  if (stateText === 'COMPLETED') return JOB_STATE_NUMBERS.completed;
  if (stateText.startsWith('CANCELLED')) return JOB_STATE_NUMBERS.cancelled;
  if (stateText.startsWith('RESIZING')) return JOB_STATE_NUMBERS.resizing;
  if (UNFINISHED_STATE_PATTERN.test(stateText)) return JOB_STATE_NUMBERS.unfinished;
  return FAILED_STATE_PATTERN.test(stateText) ? JOB_STATE_NUMBERS.failed : JOB_STATE_NUMBERS.unknown;
}

/** True if a state ends a run, but maybe not the job. */
export function isRepeatedState(stateText: string): boolean {
  return REPEATED_STATE_PATTERN.test(stateText);
}

/** Time limit, in minutes, that Slurm records for a job without one if the backfill scheduler started it. */
export const MINUTES_PER_YEAR = 525_600;

/** One accounting record. Times are seconds since 1970; -1 means unknown. */
export class AccountingRecord {
  /** Number of the job, unique in its cluster. */
  job = -1;
  /**
   * Number of the first component of a heterogeneous job, and the index of this component; -1 for other jobs.
   */
  hetJob = -1;
  component = -1;
  submit = -1;
  eligible = -1;
  /** True if the log records when jobs became eligible to start. */
  hasEligible = false;
  start = -1;
  end = -1;
  /** Runtime in seconds, without suspensions. */
  elapsed = -1;
  suspended = -1;
  processors = -1;
  requestedProcessors = -1;
  /**
   * Average processor time (seconds) and memory (kilobytes) per processor, preceding job, and think time
   * (seconds), as SWF defines them.
   */
  averageCpuTime = -1;
  usedMemory = -1;
  requestedMemory = -1;
  precedingJob = -1;
  thinkTime = -1;
  /** Time limit in seconds; -1: none. */
  limit = -1;
  /** True if the log records time limits, so a job without a value has no limit. */
  hasLimit = false;
  state: number = JOB_STATE_NUMBERS.unknown;
  /** Name of the job's state in the log, for messages; empty if the reader did not keep it. */
  stateName = '';
  isRepeated = false;
  user = -1;
  group = -1;
  executable = -1;
  queue = -1;
  partition = -1;
  /** True if the partition number stands for a cluster. */
  hasCluster = false;
  /** Line number, or position in a list. */
  number = 0;
}

const EMPTY_ACCOUNTING_RECORD = new AccountingRecord();

/** Resets all fields of a record to unknown. */
export function resetAccountingRecord(accountingRecord: AccountingRecord): void {
  Object.assign(accountingRecord, EMPTY_ACCOUNTING_RECORD);
}

/** Components of a heterogeneous job, the first of which has already been passed on. */
interface HetJobComponents {
  readonly row: number;
  readonly unfinishedJob: UnfinishedJob;
  firstComponent: number;
  changes: Partial<Record<SwfField, number>>;
  processors: number;
  requestedProcessors: number;
  runtime: number;
  limit: number;
  isUnfinished: boolean;
}

/** Details for the message about a job that has not ended. */
interface UnfinishedJob {
  readonly job: number;
  readonly stateName: string;
  readonly number: number;
}

/** Phases of a resized job found so far. */
interface ResizedJobPhases {
  readonly rows: number[];
  readonly unfinishedJob: UnfinishedJob;
  elapsed: number;
  resizeTime: number;
}

const MAX_REPORTED_RECORD_LINES = 5;

/**
 * Collects accounting records one by one: runs of jobs become records of the log, all others are reported to
 * the sink.
 */
export class AccountingJobCollector {
  /** Record of the current line; the reader fills it before each call of `takeRecord`. */
  readonly record = new AccountingRecord();
  readonly #sink: LogSink;
  readonly #names: LogNames;
  readonly #rows: RecordRowBuffer;
  readonly #usesSubmitAsArrival: boolean;
  readonly #notes = new Map<NoteRule, { count: number; seconds: number; lines: number[]; example: string }>();
  readonly #components = new Map<string, HetJobComponents>();
  readonly #phases = new Map<string, ResizedJobPhases>();
  readonly #dropped: number[] = [];
  readonly #changed = new Map<number, Partial<Record<SwfField, number>>>();
  #lastCluster = -1;

  constructor(
    {
      sink,
      names: logNames,
      rows: rowBuffer,
    }: { readonly sink: LogSink; readonly names: LogNames; readonly rows: RecordRowBuffer },
    arrivalChoice: ArrivalChoice,
  ) {
    this.#sink = sink;
    this.#names = logNames;
    this.#rows = rowBuffer;
    rowBuffer.isUnordered = true;
    this.#usesSubmitAsArrival = arrivalChoice === 'submit';
  }

  takeRecord(): void {
    const { record: accountingRecord } = this;
    if (accountingRecord.hasCluster && accountingRecord.partition !== this.#lastCluster) {
      this.#lastCluster = accountingRecord.partition;
      this.#names.clusters.add(accountingRecord.partition);
    }
    if (accountingRecord.hetJob >= 0) this.#takeComponent();
    else if (accountingRecord.state === JOB_STATE_NUMBERS.resizing || this.#phases.size > 0)
      this.#takePhase();
    else if (accountingRecord.state === JOB_STATE_NUMBERS.unfinished) this.#leaveUnfinished(accountingRecord);
    else this.#acceptJob();
  }

  /** Completes the current file. */
  end(): void {
    for (const hetJobComponents of this.#components.values()) this.#endComponents(hetJobComponents);
    for (const { rows, unfinishedJob } of this.#phases.values()) {
      this.#dropped.push(...rows);
      for (const _ of rows) this.#leaveUnfinished(unfinishedJob);
    }
    this.#rows.handOver();
    if (this.#dropped.length > 0 || this.#changed.size > 0) {
      this.#sink.amend?.({ dropped: this.#dropped, changed: this.#changed });
    }
    const logNotes = NOTE_RULES.flatMap((rule): LogNote[] => {
      const countsOfNoteRule = this.#notes.get(rule);
      return countsOfNoteRule === undefined ? [] : [{ rule, ...countsOfNoteRule }];
    });
    if (logNotes.length > 0) this.#sink.notes?.(logNotes);
  }

  /** Passes the record to the sink as a job of the log. */
  #acceptJob(): void {
    const { record: accountingRecord } = this;
    const { numbers: rowNumbers, offset } = this.#rows;
    const isCancelledBeforeStart = this.#isCancelledWaiting();
    const arrival = this.#arrivalOf(isCancelledBeforeStart);
    const { start } = accountingRecord;
    rowNumbers[offset + SWF_FIELD_OFFSETS.job] = accountingRecord.job;
    rowNumbers[offset + SWF_FIELD_OFFSETS.submit] = arrival;
    rowNumbers[offset + SWF_FIELD_OFFSETS.wait] = isCancelledBeforeStart
      ? accountingRecord.end - arrival
      : start >= arrival
        ? start - arrival
        : -1;
    rowNumbers[offset + SWF_FIELD_OFFSETS.runtime] = this.#runtimeOf(isCancelledBeforeStart);
    // Slurm repeats the request as the allocation of a job that never had one.
    rowNumbers[offset + SWF_FIELD_OFFSETS.processors] = isCancelledBeforeStart
      ? -1
      : accountingRecord.processors;
    rowNumbers[offset + SWF_FIELD_OFFSETS.averageCpuTime] = accountingRecord.averageCpuTime;
    rowNumbers[offset + SWF_FIELD_OFFSETS.usedMemory] = accountingRecord.usedMemory;
    rowNumbers[offset + SWF_FIELD_OFFSETS.requestedProcessors] = this.#requestOf(isCancelledBeforeStart);
    rowNumbers[offset + SWF_FIELD_OFFSETS.requestedTime] = accountingRecord.limit;
    rowNumbers[offset + SWF_FIELD_OFFSETS.requestedMemory] = accountingRecord.requestedMemory;
    rowNumbers[offset + SWF_FIELD_OFFSETS.status] = accountingRecord.state;
    rowNumbers[offset + SWF_FIELD_OFFSETS.user] = accountingRecord.user;
    rowNumbers[offset + SWF_FIELD_OFFSETS.group] = accountingRecord.group;
    rowNumbers[offset + SWF_FIELD_OFFSETS.executable] = accountingRecord.executable;
    rowNumbers[offset + SWF_FIELD_OFFSETS.queue] = accountingRecord.queue;
    rowNumbers[offset + SWF_FIELD_OFFSETS.partition] = accountingRecord.partition;
    rowNumbers[offset + SWF_FIELD_OFFSETS.precedingJob] = accountingRecord.precedingJob;
    rowNumbers[offset + SWF_FIELD_OFFSETS.thinkTime] = accountingRecord.thinkTime;
    if (arrival > accountingRecord.submit && !isCancelledBeforeStart)
      this.#note('late-arrival', arrival - accountingRecord.submit, 'arrives # s after its submit');
    if (isCancelledBeforeStart)
      this.#note('cancelled-waiting', accountingRecord.end - arrival, 'was cancelled after waiting # s');
    else this.#checkTimes();
    if (accountingRecord.hasLimit && accountingRecord.limit < 0)
      this.#note('no-limit', 0, 'has no time limit');
    if (accountingRecord.state === JOB_STATE_NUMBERS.unknown && accountingRecord.stateName !== '')
      this.#note('unknown-state', 0, `ended as ${quoteLogText(accountingRecord.stateName)}`);
    if (accountingRecord.isRepeated) this.#note('requeued', 0, 'ran, and was put back into the queue');
    this.#rows.acceptRecordAtOffset(accountingRecord.number);
  }

  /**
   * Time from which the job could start. A job cancelled before that time arrives and leaves at that time.
   */
  #arrivalOf(isCancelledBeforeStart: boolean): number {
    const { submit, eligible, end, hasEligible } = this.record;
    if (this.#usesSubmitAsArrival || !hasEligible) return submit;
    if (!isCancelledBeforeStart) return Math.max(submit, eligible);
    return eligible < 0 ? Math.max(submit, end) : Math.min(Math.max(submit, eligible), Math.max(submit, end));
  }

  #isCancelledWaiting(): boolean {
    const { state: recordState, elapsed, start, end } = this.record;
    return (
      recordState === JOB_STATE_NUMBERS.cancelled && elapsed <= 0 && end >= 0 && (start < 0 || start === end)
    );
  }

  #requestOf(isCancelledBeforeStart: boolean): number {
    const { processors, requestedProcessors } = this.record;
    return isCancelledBeforeStart && requestedProcessors < 0 ? processors : requestedProcessors;
  }

  #runtimeOf(isCancelledBeforeStart: boolean): number {
    const { elapsed, start, end } = this.record;
    if (isCancelledBeforeStart) return 0;
    if (elapsed >= 0) return elapsed;
    return start >= 0 && end >= start ? end - start : -1;
  }

  /** Reports suspensions and inconsistent times. */
  #checkTimes(): void {
    const { submit, eligible, start, end, elapsed, suspended } = this.record;
    if (suspended > 0) this.#note('suspended', suspended, 'was suspended for # s');
    if (start < 0) return;
    if (start < submit || start < eligible) {
      this.#note(
        'clock-jump',
        0,
        start < submit ? 'starts before its submit' : 'starts before it was eligible',
      );
    } else if (end >= 0 && end < start) {
      this.#note('clock-jump', 0, 'ends before its start');
    } else if (elapsed >= 0 && end >= 0) {
      const discrepancySeconds = end - start - elapsed - Math.max(0, suspended);
      if (discrepancySeconds >= 1 && suspended < 0)
        this.#note('suspended', discrepancySeconds, 'was suspended for # s');
      else if (Math.abs(discrepancySeconds) >= 1)
        this.#note('clock-jump', 0, 'has an End that is not Start + Elapsed + Suspended');
    }
  }

  /**
   * Counts the current record under a kind of remark.
   * @param example description of the job, with # in place of the seconds.
   */
  #note(rule: NoteRule, seconds: number, example: string): void {
    let countsOfNoteRule = this.#notes.get(rule);
    if (countsOfNoteRule === undefined) {
      const jobName = this.#names.jobName(this.record.job);
      countsOfNoteRule = {
        count: 0,
        seconds: 0,
        lines: [],
        example: `job ${jobName} ${example.replace('#', String(seconds))}`,
      };
      this.#notes.set(rule, countsOfNoteRule);
    }
    countsOfNoteRule.count++;
    countsOfNoteRule.seconds += seconds;
    if (countsOfNoteRule.lines.length < MAX_REPORTED_RECORD_LINES)
      countsOfNoteRule.lines.push(this.record.number);
  }

  #leaveUnfinished({ job, stateName, number }: UnfinishedJob): void {
    this.#leaveOut('unfinished', number, `job "${this.#names.jobName(job)}" is "${stateName}"`);
  }

  #leaveOut(rule: RecordWithoutJob['rule'], line: number, example: string): void {
    this.#sink.leaveOut({ rule, line, example });
  }

  // Heterogeneous jobs: the records of their components become one job

  #takeComponent(): void {
    const { record: accountingRecord } = this;
    const jobKey = `${accountingRecord.partition} ${accountingRecord.hetJob} ${accountingRecord.submit}`;
    const isUnfinished =
      accountingRecord.state === JOB_STATE_NUMBERS.unfinished ||
      accountingRecord.state === JOB_STATE_NUMBERS.resizing;
    const hetJobComponents = this.#components.get(jobKey);
    if (hetJobComponents === undefined) {
      this.#startComponents(jobKey, isUnfinished);
      return;
    }
    this.#leaveOut(
      'component',
      accountingRecord.number,
      `job ${accountingRecord.hetJob} has ${quoteLogText(`${accountingRecord.hetJob}+${accountingRecord.component}`)} as another component`,
    );
    const isCancelledBeforeStart = this.#isCancelledWaiting();
    hetJobComponents.isUnfinished ||= isUnfinished;
    if (!isCancelledBeforeStart)
      hetJobComponents.processors = addCountsUnlessUnknown(
        hetJobComponents.processors,
        accountingRecord.processors,
      );
    hetJobComponents.requestedProcessors = addCountsUnlessUnknown(
      hetJobComponents.requestedProcessors,
      this.#requestOf(isCancelledBeforeStart),
    );
    hetJobComponents.runtime = Math.max(hetJobComponents.runtime, this.#runtimeOf(isCancelledBeforeStart));
    hetJobComponents.limit =
      hetJobComponents.limit < 0 || accountingRecord.limit < 0
        ? -1
        : Math.max(hetJobComponents.limit, accountingRecord.limit);
    if (accountingRecord.component >= hetJobComponents.firstComponent) return;
    hetJobComponents.firstComponent = accountingRecord.component;
    const arrival = this.#arrivalOf(isCancelledBeforeStart);
    hetJobComponents.changes = {
      job: accountingRecord.job,
      submit: arrival,
      ...(accountingRecord.start >= arrival ? { wait: accountingRecord.start - arrival } : {}),
      queue: accountingRecord.queue,
    };
  }

  #startComponents(jobKey: string, isUnfinished: boolean): void {
    const { job, stateName, number: recordNumber, component, processors, limit } = this.record;
    const isCancelledBeforeStart = this.#isCancelledWaiting();
    this.#components.set(jobKey, {
      row: this.#rows.accepted,
      unfinishedJob: { job, stateName, number: recordNumber },
      firstComponent: component,
      changes: {},
      processors: isCancelledBeforeStart ? -1 : processors,
      requestedProcessors: this.#requestOf(isCancelledBeforeStart),
      runtime: this.#runtimeOf(isCancelledBeforeStart),
      limit,
      isUnfinished,
    });
    this.#acceptJob();
  }

  #endComponents({ row, unfinishedJob, changes, isUnfinished, ...sums }: HetJobComponents): void {
    if (isUnfinished) {
      this.#dropped.push(row);
      this.#leaveUnfinished(unfinishedJob);
      return;
    }
    this.#changed.set(row, {
      ...changes,
      processors: sums.processors,
      requestedProcessors: sums.requestedProcessors,
      runtime: sums.runtime,
      requestedTime: sums.limit,
    });
  }

  // Resized jobs: a record for each phase, as SWF has the parts of a job that share its number (status 2, then 3 or 4)

  #takePhase(): void {
    const { record: accountingRecord } = this;
    const jobKey = `${accountingRecord.partition} ${accountingRecord.job} ${accountingRecord.start}`;
    const earlierPhases = this.#phases.get(jobKey);
    const isResizedPhase = accountingRecord.state === JOB_STATE_NUMBERS.resizing;
    if (earlierPhases === undefined && !isResizedPhase) {
      if (accountingRecord.state === JOB_STATE_NUMBERS.unfinished) this.#leaveUnfinished(accountingRecord);
      else this.#acceptJob();
      return;
    }
    if (accountingRecord.state === JOB_STATE_NUMBERS.unfinished || accountingRecord.start < 0) {
      // The phases so far are of a job that has not ended.
      this.#leaveUnfinished(accountingRecord);
      return;
    }
    const row = this.#rows.accepted;
    const stateNumber = accountingRecord.state;
    accountingRecord.state = isResizedPhase
      ? SWF_STATUS_OF_JOB_PART.goesOn
      : stateNumber === JOB_STATE_NUMBERS.completed
        ? SWF_STATUS_OF_JOB_PART.completed
        : SWF_STATUS_OF_JOB_PART.failed;
    if (earlierPhases === undefined) {
      const { job, number: recordNumber, elapsed, end } = accountingRecord;
      this.#phases.set(jobKey, {
        rows: [row],
        unfinishedJob: { job, stateName: 'RESIZING', number: recordNumber },
        elapsed,
        resizeTime: end,
      });
      this.#acceptJob();
      return;
    }
    const totalElapsedSeconds = accountingRecord.elapsed;
    accountingRecord.submit = earlierPhases.resizeTime;
    accountingRecord.eligible = -1;
    accountingRecord.start = earlierPhases.resizeTime;
    accountingRecord.elapsed = Math.max(0, totalElapsedSeconds - earlierPhases.elapsed);
    if (accountingRecord.limit > 0)
      accountingRecord.limit = Math.max(1, accountingRecord.limit - earlierPhases.elapsed);
    if (earlierPhases.rows.length === 1) this.#note('resized', 0, 'was resized while it ran');
    this.#acceptJob();
    this.#changed.set(row, { precedingJob: accountingRecord.job, thinkTime: 0 });
    if (!isResizedPhase) this.#phases.delete(jobKey);
    else {
      earlierPhases.rows.push(row);
      earlierPhases.elapsed = totalElapsedSeconds;
      earlierPhases.resizeTime = accountingRecord.end;
    }
  }
}

/** SWF status of a partial execution of a job. */
const SWF_STATUS_OF_JOB_PART = { goesOn: 2, completed: 3, failed: 4 } as const;

/** Adds two counts, either of which may be unknown (-1). */
function addCountsUnlessUnknown(a: number, b: number): number {
  return a < 0 ? b : b < 0 ? a : a + b;
}
