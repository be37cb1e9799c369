/**
 * Reader of the accounting files of PBS Professional, OpenPBS and Torque: one event per line,
 * `date;type;id;key=value ...`; type `E` ends a run. The keys are those of the manuals; docs/real-logs.md
 * lists the keys that are used.
 */
import { quoteLogText } from '../format/text.js';
import { type AccountingRecord, JOB_STATE_NUMBERS } from './accountingJobs.js';
import {
  type AccountingLineResult,
  makeWrongDurationProblem,
  makeWrongNumberProblem,
  parseClockSeconds,
  readAccountingLog,
  UNREADABLE_TIME_LIMIT,
} from './accountingLines.js';
import type { LogFormat } from './logFormat.js';
import { LINE_PLACE_NAMES } from './places.js';
import type { PlainLineLayout, PlainLineReader } from './plainLines.js';
import type { LogNames } from './records.js';

const PBS_LINE_PATTERN = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d);(\w+);([^;]*);(.*)$/;

/** Format of PBS accounting files. */
export const PBS_FORMAT = {
  name: 'pbs',
  title: 'accounting file of PBS or Torque',
  example:
    '03/05/2026 10:01:05;E;7.srv;user=ann group=staff queue=workq ctime=1772704800 etime=1772704800 start=1772704805 Resource_List.ncpus=4 Resource_List.walltime=00:02:00 end=1772704865 Exit_status=0',
  places: LINE_PLACE_NAMES,
  hasUnixTimes: true,
  isUnordered: true,
  uses: ['arrival'],
  isLike: ({ line: firstLine }) => PBS_LINE_PATTERN.test(firstLine),
  open: (sink, logNames, arrivalChoice) => {
    const lineReader = new PbsLineReader(logNames);
    return readAccountingLog(sink, logNames, arrivalChoice, (accountingRecord) => ({
      readLineInto: (line) => lineReader.readLineInto(line, accountingRecord),
      layout: PBS_PLAIN_LAYOUT,
      readPlain: (plain, row) => lineReader.readPlain(plain, row, accountingRecord),
      finishLog: (_, take) => lineReader.end(accountingRecord, take),
    }));
  },
} as const satisfies LogFormat;

/** A queued job. Times are on the server's clock. */
interface QueuedPbsJob {
  readonly at: number;
  readonly queue: string;
  /** Event by which the job left the queue without running: line number, time, and user. */
  left?: { readonly line: number; readonly at: number; readonly user: string };
}

/**
 * Exit codes from this value on encode signals, in PBS and Torque; -11 and below are errors of the server.
 */
const PBS_SIGNAL_EXIT_BASE = 256;
const PBS_TERMINATED_EXIT_CODES = [PBS_SIGNAL_EXIT_BASE + 15, PBS_SIGNAL_EXIT_BASE + 9];

/** Largest accepted processor count; larger numbers are invalid. */
const MAX_PBS_PROCESSORS = 1e9;

/** Layout of plain lines: runs that give their processors as numbers. */
const PBS_PLAIN_LAYOUT: PlainLineLayout = {
  count: 3,
  separator: ';',
  fieldIndices: { clock: 0, type: 1, serverJob: 2 },
  keys: {
    ...{ ctime: 'submit', qtime: 'queued', etime: 'eligible', start: 'start', end: 'end' },
    ...{ Exit_status: 'exitStatus', 'resources_used.ncpus': 'processors' },
    ...{ 'Resource_List.ncpus': 'requestedProcessors', 'Resource_List.walltime': 'category' },
    ...{ user: 'user', group: 'group', account: 'account', jobname: 'executable', queue: 'queue' },
  },
  parseLimit: parsePbsTimeLimit,
};

/** Types of events that are used. */
const USED_PBS_RECORD_TYPES = ['Q', 'S', 'D', 'A', 'E', 'R'];

/** Granularity of time zone offsets in seconds. */
const SECONDS_PER_QUARTER_HOUR = 900;

class PbsLineReader {
  readonly #names: LogNames;
  readonly #queued = new Map<string, QueuedPbsJob>();
  /** Ids of jobs that were deleted by a user or administrator. */
  readonly #deleted = new Set<string>();
  /**
   * Offset of the server's clock from UTC in seconds, from records that contain both; undefined before the
   * first.
   */
  #ahead: number | undefined;

  constructor(logNames: LogNames) {
    this.#names = logNames;
  }

  readLineInto(line: string, accountingRecord: AccountingRecord): AccountingLineResult {
    if (line.startsWith('#')) return 'comment';
    const pbsLineMatch = PBS_LINE_PATTERN.exec(line);
    if (pbsLineMatch === null) {
      return {
        rule: 'field-count',
        found: quoteLogText(line),
        expected: 'MM/DD/YYYY hh:mm:ss;type;id;key=value ...',
      };
    }
    const [, month, day, year, hour, minute, second, type = '', id = '', pairsText = ''] = pbsLineMatch;
    const utcTime =
      Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) /
      1000;
    if (!USED_PBS_RECORD_TYPES.includes(type)) return 'comment';
    const valuesByKey = parsePbsKeyValues(pairsText);
    if (type === 'Q') this.#queued.set(id, { at: utcTime, queue: valuesByKey.get('queue') ?? '' });
    if (type === 'S') {
      const startText = valuesByKey.get('start');
      if (startText !== undefined && !/^\d{1,12}$/.test(startText))
        return makeWrongNumberProblem('start', startText);
      this.#queued.delete(id);
      this.#setClock(utcTime, startText);
    }
    if (type === 'D' || type === 'A') this.#leave(id, utcTime, accountingRecord.number, valuesByKey);
    const exitStatus = valuesByKey.get('Exit_status');
    if (type === 'E' && exitStatus !== undefined && !/^-?\d{1,12}$/.test(exitStatus))
      return makeWrongNumberProblem('Exit_status', exitStatus);
    const isRun = type === 'E' || (type === 'R' && valuesByKey.has('start'));
    if (!isRun) return 'comment';
    if (/\[\]/.test(id)) return { rule: 'step', example: `the array ${quoteLogText(id)} as a whole` };
    this.#queued.delete(id);
    return this.#readRun(id, utcTime, type === 'R', valuesByKey, accountingRecord);
  }

  /**
   * Completes the record of a plain line; false if its processors are not plain numbers or its limit is
   * invalid.
   */
  readPlain(lineReader: PlainLineReader, row: number, accountingRecord: AccountingRecord): boolean {
    if (accountingRecord.limit === UNREADABLE_TIME_LIMIT) return false;
    if (accountingRecord.processors < 0) accountingRecord.processors = accountingRecord.requestedProcessors;
    const { processors } = accountingRecord;
    if (processors < 0 || processors >= MAX_PBS_PROCESSORS) return false;
    const start = accountingRecord.start > 0 ? accountingRecord.start : -1;
    const end = accountingRecord.end > 0 ? accountingRecord.end : -1;
    accountingRecord.start = start;
    accountingRecord.end = end;
    accountingRecord.hasEligible = accountingRecord.eligible >= 0;
    accountingRecord.elapsed = start >= 0 && end >= start ? end - start : -1;
    accountingRecord.requestedProcessors = processors;
    if (start < 0) accountingRecord.processors = -1;
    accountingRecord.hasLimit = true;
    if (end > 0) this.#ahead = computeClockLeadSeconds(lineReader.value(row, 'clock'), end);
    if (this.#queued.size > 0) this.#queued.delete(lineReader.textOf(row, 'serverJob'));
    const exitStatus = lineReader.value(row, 'exitStatus');
    const id = this.#deleted.size > 0 ? lineReader.textOf(row, 'serverJob') : '';
    accountingRecord.state =
      exitStatus === 0
        ? JOB_STATE_NUMBERS.completed
        : this.#stateOf(id, Number.isNaN(exitStatus) ? undefined : exitStatus);
    return true;
  }

  /**
   * Determines the offset of the server's clock, in quarters of an hour, from a time that a record contains
   * twice.
   */
  #setClock(eventTime: number, startText: string | undefined): void {
    if (Number(startText) > 0) this.#ahead = computeClockLeadSeconds(eventTime, Number(startText));
  }

  #leave(id: string, eventTime: number, line: number, valuesByKey: ReadonlyMap<string, string>): void {
    this.#deleted.add(id);
    const queued = this.#queued.get(id);
    if (queued !== undefined)
      queued.left = { line, at: eventTime, user: (valuesByKey.get('requestor') ?? '').split('@')[0]! };
  }

  #readRun(
    id: string,
    eventTime: number,
    isRequeued: boolean,
    valuesByKey: ReadonlyMap<string, string>,
    accountingRecord: AccountingRecord,
  ): AccountingLineResult {
    const eventTimeByKey: Record<string, number> = {};
    for (const key of ['ctime', 'qtime', 'etime', 'start', 'end']) {
      const timeText = valuesByKey.get(key);
      if (timeText !== undefined && !/^\d{1,12}$/.test(timeText))
        return makeWrongNumberProblem(key, timeText);
      eventTimeByKey[key] = timeText === undefined ? -1 : Number(timeText);
    }
    const submit = eventTimeByKey.ctime! >= 0 ? eventTimeByKey.ctime! : eventTimeByKey.qtime!;
    if (submit < 0) return makeWrongNumberProblem('ctime', undefined);
    const start = eventTimeByKey.start! > 0 ? eventTimeByKey.start! : -1;
    // The record of a run that is put back is written when that ends.
    const end =
      eventTimeByKey.end! > 0
        ? eventTimeByKey.end!
        : isRequeued && this.#ahead !== undefined
          ? eventTime - this.#ahead
          : -1;
    this.#setClock(eventTime, valuesByKey.get('end'));
    const timeLimit = valuesByKey.get('Resource_List.walltime') ?? '';
    if (timeLimit !== '' && parsePbsTimeLimit(timeLimit) === UNREADABLE_TIME_LIMIT)
      return makeWrongDurationProblem('Resource_List.walltime', timeLimit);
    const processorsOrProblem = countProcessorsOfPbsRecord(valuesByKey);
    if (typeof processorsOrProblem !== 'number') return processorsOrProblem;
    Object.assign(accountingRecord, {
      job: parsePbsJobNumber(id, this.#names),
      submit,
      eligible: eventTimeByKey.etime! >= 0 ? eventTimeByKey.etime! : eventTimeByKey.qtime!,
      hasEligible: eventTimeByKey.etime! >= 0 || eventTimeByKey.qtime! >= 0,
      start,
      end,
      elapsed: start >= 0 && end >= start ? end - start : -1,
      processors: start >= 0 ? processorsOrProblem : -1,
      requestedProcessors: processorsOrProblem,
      limit: timeLimit === '' ? -1 : parsePbsTimeLimit(timeLimit),
      hasLimit: true,
      state: isRequeued
        ? JOB_STATE_NUMBERS.failed
        : this.#stateOf(id, parseExitCode(valuesByKey.get('Exit_status'))),
      isRepeated: isRequeued,
      user: this.#names.number('user', valuesByKey.get('user') ?? ''),
      group: this.#names.number('group', valuesByKey.get('account') ?? valuesByKey.get('group') ?? ''),
      executable: this.#names.number('executable', valuesByKey.get('jobname') ?? ''),
      queue: this.#names.number('queue', valuesByKey.get('queue') ?? ''),
    } satisfies Partial<AccountingRecord>);
    return 'job';
  }

  #stateOf(id: string, exitStatus: number | undefined): number {
    if (exitStatus === 0) return JOB_STATE_NUMBERS.completed;
    if (exitStatus === undefined) return JOB_STATE_NUMBERS.unknown;
    return this.#deleted.has(id) || PBS_TERMINATED_EXIT_CODES.includes(exitStatus)
      ? JOB_STATE_NUMBERS.cancelled
      : JOB_STATE_NUMBERS.failed;
  }

  /** Adds the jobs deleted while they waited, which only events on the server's clock report. */
  end(accountingRecord: AccountingRecord, take: () => void): void {
    for (const [id, { at, queue, left }] of this.#queued) {
      if (left === undefined || this.#ahead === undefined) continue;
      Object.assign(accountingRecord, {
        job: parsePbsJobNumber(id, this.#names),
        submit: at - this.#ahead,
        eligible: -1,
        hasEligible: false,
        start: -1,
        end: left.at - this.#ahead,
        elapsed: 0,
        suspended: -1,
        processors: -1,
        requestedProcessors: -1,
        limit: -1,
        hasLimit: false,
        state: JOB_STATE_NUMBERS.cancelled,
        isRepeated: false,
        user: this.#names.number('user', left.user),
        group: -1,
        executable: -1,
        queue: this.#names.number('queue', queue),
        number: left.line,
      } satisfies Partial<AccountingRecord>);
      take();
    }
  }
}

/** Difference between a local and a UTC time in seconds, rounded to quarters of an hour. */
function computeClockLeadSeconds(shownClock: number, time: number): number {
  return Math.round((shownClock - time) / SECONDS_PER_QUARTER_HOUR) * SECONDS_PER_QUARTER_HOUR;
}

/** Parses an exit status; a text that is not a whole number gives a value that no job has. */
function parseExitCode(exitCodeText: string | undefined): number | undefined {
  return exitCodeText === '0'
    ? 0
    : exitCodeText === undefined
      ? undefined
      : Number(exitCodeText) || Number.NaN;
}

/** Parses a time limit in seconds; UNREADABLE_TIME_LIMIT if it is not a duration. */
function parsePbsTimeLimit(pbsTimeLimitText: string): number {
  return parseClockSeconds(pbsTimeLimitText) ?? UNREADABLE_TIME_LIMIT;
}

/** Parses key-value pairs; a value with blanks is quoted. */
function parsePbsKeyValues(pbsKeyValuesText: string): Map<string, string> {
  const keyValueMatches = pbsKeyValuesText.matchAll(/([\w.]+)=("[^"]*"|\S*)/g);
  return new Map(
    [...keyValueMatches].map(([, key = '', valueText = '']) => [key, valueText.replace(/^"(.*)"$/, '$1')]),
  );
}

/** Number of a job: the leading number of its id. Ids such as `12[3].server` get a number by name. */
function parsePbsJobNumber(id: string, logNames: LogNames): number {
  const [name = ''] = id.split('.');
  return /^\d{1,12}$/.test(name) ? Number(name) : logNames.job(name);
}

const parseWholeNumberOrUndefined = (numberText: string) =>
  /^\d{1,9}$/.test(numberText) ? Number(numberText) : undefined;

/** Keys with the processors of a run, allocated ones first; the first that is present is used. */
const PBS_PROCESSOR_KEYS: readonly (readonly [key: string, read: (text: string) => number | undefined])[] = [
  ['resources_used.ncpus', parseWholeNumberOrUndefined],
  ['Resource_List.ncpus', parseWholeNumberOrUndefined],
  ['exec_host', countExecHostProcessors],
  ['exec_vnode', countVnodeProcessors],
  ['Resource_List.nodes', countNodeProcessors],
  ['Resource_List.nodect', parseWholeNumberOrUndefined],
];

/**
 * Number of processors that a run used or requested; -1 if unknown. Reports a problem if the value is
 * invalid.
 */
function countProcessorsOfPbsRecord(
  valuesByKey: ReadonlyMap<string, string>,
): number | Exclude<AccountingLineResult, string> {
  for (const [key, parseProcessors] of PBS_PROCESSOR_KEYS) {
    const countText = valuesByKey.get(key) ?? '';
    if (countText !== '') return parseProcessors(countText) ?? makeWrongNumberProblem(key, countText);
  }
  return -1;
}

/** Adds the processor counts of the parts of a request; undefined if one is invalid. */
function sumPartCounts(
  nodeParts: readonly string[],
  countInPart: (part: string) => number | undefined,
): number | undefined {
  let sum = 0;
  for (const part of nodeParts) {
    const processorCount = countInPart(part);
    if (processorCount === undefined) return undefined;
    sum += processorCount;
  }
  return sum;
}

/**
 * Counts processors in `n1/0*4+n2/1`: four and one. Torque writes each processor as `n1/0`, or ranges as
 * `n1/0-3,7`.
 */
function countExecHostProcessors(hostText: string): number | undefined {
  return sumPartCounts(hostText.split('+'), (host) => {
    const [, indicesText, countText] = /^[^/]+\/(\d[\d,-]*)(?:\*(\d+))?$/.exec(host) ?? [];
    if (indicesText === undefined) return undefined;
    const ranges = indicesText.split(',').map((rangeText) => rangeText.split('-').map(Number));
    const listed = ranges.reduce((total, [from = 0, to = from]) => total + to - from + 1, 0);
    return countText === undefined ? Math.max(1, listed) : Number(countText);
  });
}

/** Counts processors in `(n1:ncpus=4:mem=1gb+n2:ncpus=2)`. */
function countVnodeProcessors(vnodeText: string): number | undefined {
  if (!/^\(.*\)$/.test(vnodeText) || !vnodeText.includes('ncpus=')) return undefined;
  return sumPartCounts(vnodeText.replaceAll(/[()]/g, '').split('+'), (virtualNodeText) => {
    const [, countText = '0'] = /:ncpus=([^:]*)/.exec(virtualNodeText) ?? [];
    return parseWholeNumberOrUndefined(countText);
  });
}

/** Counts processors in `2:ppn=4+1:ppn=2`, or in a list of node names. */
function countNodeProcessors(nodeText: string): number | undefined {
  return sumPartCounts(nodeText.split('+'), (part) => {
    const nodeCount = Number(/^(\d+)(?::|$)/.exec(part)?.[1] ?? 1);
    const [, countText = '1'] = /:ppn=([^:]*)/.exec(part) ?? [];
    const processorsPerChunk = parseWholeNumberOrUndefined(countText);
    return processorsPerChunk === undefined ? undefined : nodeCount * processorsPerChunk;
  });
}
