/**
 * Reader of the output of `sacct --json`: a document with a list of jobs, whose entries differ slightly
 * between versions of Slurm. A number may be an object with the flags `set` and `infinite`; a state may be a
 * list.
 */

import { AccountingJobCollector, JOB_STATE_NUMBERS, jobStateNumberOf } from './accountingJobs.js';
import type { LogFormat } from './logFormat.js';
import { JOB_PLACE_NAMES } from './places.js';
import { isJsonObject, JsonJobReader, type JsonLogFormat, type JsonObject } from './readers.js';
import type { ArrivalChoice, LogNames, LogReader, LogSink, RecordRowBuffer } from './records.js';
import { fillRecordFromSacctFields, type SacctFieldSource } from './sacctFields.js';

/**
 * Path of each field in an entry, for messages and look-up, except fields with a reader in
 * `SACCT_JSON_TEXT_READERS`.
 */
const SACCT_JSON_FIELD_PATHS: Readonly<Record<SacctFieldSource, string>> = {
  job: 'job_id',
  task: 'array.task_id',
  submit: 'time.submission',
  eligible: 'time.eligible',
  start: 'time.start',
  end: 'time.end',
  elapsed: 'time.elapsed',
  suspended: 'time.suspended',
  processors: 'tres.allocated',
  requestedProcessors: 'tres.requested',
  limit: 'time.limit',
  state: 'state.current',
  user: 'user',
  group: 'account',
  executable: 'name',
  queue: 'partition',
  partition: 'partition',
};

/** True if a document begins like the output of `sacct --json`. */
function isSacctJsonHead(documentStart: string): boolean {
  return documentStart.startsWith('{') && /"(?:slurm|association|job_id)"\s*:/i.test(documentStart);
}

/** The output of `sacct --json`. */
export const SACCT_JSON_FORMAT = {
  name: 'sacct-json',
  title: 'output of sacct --json',
  example: '{"meta":{"slurm":{}},"jobs":[{"job_id":7,"time":{"submission":1772000000}}]}',
  places: JOB_PLACE_NAMES,
  hasUnixTimes: true,
  isUnordered: true,
  uses: ['arrival'],
  isLike: ({ text: headText }) => isSacctJsonHead(headText),
  open: readSacctJsonLog,
} as const satisfies LogFormat;

/** Reads the output of `sacct --json`. Times are seconds since 1970. */
function readSacctJsonLog(sink: LogSink, logNames: LogNames, arrivalChoice: ArrivalChoice): LogReader {
  return new JsonJobReader(
    sink,
    (rowBuffer) => new SacctJsonReader({ sink, names: logNames, rows: rowBuffer }, arrivalChoice),
  );
}

class SacctJsonReader implements JsonLogFormat {
  readonly expected = 'a JSON document with jobs, as sacct --json prints it';
  readonly #sink: LogSink;
  readonly #names: LogNames;
  readonly #jobs: AccountingJobCollector;
  #hasClusters = false;
  #isStartEligible = false;

  constructor(
    target: { readonly sink: LogSink; readonly names: LogNames; readonly rows: RecordRowBuffer },
    arrivalChoice: ArrivalChoice,
  ) {
    this.#sink = target.sink;
    this.#names = target.names;
    this.#jobs = new AccountingJobCollector(target, arrivalChoice);
  }

  readHeader({ jobs, meta }: JsonObject): string[] {
    const jobList = Array.isArray(jobs) ? jobs : [];
    const clusters = new Set(
      jobList.map((job) => (isJsonObject(job) ? formatSacctJsonText(job.cluster) : '')),
    );
    clusters.delete('');
    this.#hasClusters = clusters.size > 1;
    // Slurm 21.08 writes the eligible time as the start too (data parser 0.0.37).
    this.#isStartEligible = /0\.0\.37$/.test(
      formatSacctJsonText(readValueAtPath({ meta }, 'meta.plugin.type')),
    );
    return [];
  }

  findMissingKey(): undefined {
    return undefined;
  }

  readJob(job: JsonObject, index: number): void {
    const fieldText = (fieldSource: SacctFieldSource): string => {
      if (fieldSource === 'partition' && this.#hasClusters) return formatSacctJsonText(job.cluster);
      if (fieldSource === 'start' && this.#isStartEligible) return computeStartTime(job);
      return (
        SACCT_JSON_TEXT_READERS[fieldSource]?.(job) ??
        formatSacctJsonText(readValueAtPath(job, SACCT_JSON_FIELD_PATHS[fieldSource]))
      );
    };
    const sacctFields = {
      textOf: fieldText,
      fieldNameOf: (fieldSource: SacctFieldSource) => SACCT_JSON_FIELD_PATHS[fieldSource],
      has: (fieldSource: SacctFieldSource) =>
        readValueAtPath(job, SACCT_JSON_FIELD_PATHS[fieldSource]) !== undefined,
      isLimitInMinutes: true,
      hasCluster: this.#hasClusters,
      number: index,
    };
    const problem = fillRecordFromSacctFields(sacctFields, this.#jobs.record, this.#names);
    if (problem === undefined) this.#jobs.takeRecord();
    else this.#sink.problem(problem);
  }

  finishLog(): void {
    this.#jobs.end();
  }
}

/** Readers of fields that need more than the value at their path; undefined if the value is enough. */
const SACCT_JSON_TEXT_READERS: Readonly<
  Partial<Record<SacctFieldSource, (job: JsonObject) => string | undefined>>
> = {
  task: (job) =>
    formatArrayTaskName(job, 'array.job_id', '_', 'array.task_id') ||
    formatArrayTaskName(job, 'het.job_id', '+', 'het.job_offset'),
  eligible: (job) => formatSacctJsonTime(readValueAtPath(job, SACCT_JSON_FIELD_PATHS.eligible)),
  start: (job) => formatSacctJsonTime(readValueAtPath(job, SACCT_JSON_FIELD_PATHS.start)),
  end: (job) => formatSacctJsonTime(readValueAtPath(job, SACCT_JSON_FIELD_PATHS.end)),
  processors: (job) => readProcessorCountText(readValueAtPath(job, SACCT_JSON_FIELD_PATHS.processors)),
  requestedProcessors: (job) =>
    readProcessorCountText(readValueAtPath(job, SACCT_JSON_FIELD_PATHS.requestedProcessors)) ||
    formatSacctJsonCount(readValueAtPath(job, 'required.CPUs')),
  state: (job) =>
    chooseJobState(
      [readValueAtPath(job, SACCT_JSON_FIELD_PATHS.state) ?? job.state].flat().map(String),
      formatSacctJsonTime(readValueAtPath(job, SACCT_JSON_FIELD_PATHS.end)),
    ),
  group: (job) => formatSacctJsonText(job.account) || formatSacctJsonText(job.group),
};

/**
 * Selects one state of a list that also contains flags: a requeued run has REQUEUED, possibly behind PENDING.
 */
function chooseJobState(stateNames: readonly string[], endText: string): string {
  const isEndedRun = (stateName: string) => /^(?:RESIZING|REQUEUED)/.test(stateName) && endText !== '';
  const isUnfinished = (stateName: string) => jobStateNumberOf(stateName) === JOB_STATE_NUMBERS.unfinished;
  return stateNames.find(isEndedRun) ?? stateNames.find(isUnfinished) ?? stateNames[0] ?? '';
}

/** Value at a path, such as `time.start`. */
function readValueAtPath(job: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), job);
}

/** Formats a text or number; empty if it is not set, `UNLIMITED` if it is infinite. */
function formatSacctJsonText(jsonValue: unknown): string {
  if (!isJsonObject(jsonValue))
    return jsonValue === undefined || jsonValue === null ? '' : String(jsonValue).trim();
  if (jsonValue.infinite === true) return 'UNLIMITED';
  return jsonValue.set === false ? '' : formatSacctJsonText(jsonValue.number);
}

/** Slurm's name of an array task or job component; empty for a whole job. */
function formatArrayTaskName(job: JsonObject, jobPath: string, separator: string, taskPath: string): string {
  const [jobNumberText, taskNumberText] = [
    formatSacctJsonTime(readValueAtPath(job, jobPath)),
    formatSacctJsonText(readValueAtPath(job, taskPath)),
  ];
  return jobNumberText === '' || taskNumberText === '' ? '' : `${jobNumberText}${separator}${taskNumberText}`;
}

/** Formats a time; 0 means that the event never happened. */
function formatSacctJsonTime(jsonValue: unknown): string {
  const timeText = formatSacctJsonText(jsonValue);
  return timeText === '0' ? '' : timeText;
}

/** Computes the start from the end and the durations in between; empty if the end is unknown. */
function computeStartTime(job: JsonObject): string {
  const [end, elapsed, suspended] = [
    SACCT_JSON_FIELD_PATHS.end,
    SACCT_JSON_FIELD_PATHS.elapsed,
    SACCT_JSON_FIELD_PATHS.suspended,
  ].map((path) => Number(formatSacctJsonText(readValueAtPath(job, path)))) as [number, number, number];
  return end > 0 ? String(end - elapsed - suspended) : '';
}

/** Formats a count; older versions write unset counts as negative numbers. */
function formatSacctJsonCount(jsonValue: unknown): string {
  const countText = formatSacctJsonText(jsonValue);
  return countText.startsWith('-') ? '' : countText;
}

/** Number of processors in a list of trackable resources (TRES). */
function readProcessorCountText(trackableResources: unknown): string {
  const cpuResource = Array.isArray(trackableResources)
    ? trackableResources.find(
        (trackableResource) => isJsonObject(trackableResource) && trackableResource.type === 'cpu',
      )
    : {};
  return formatSacctJsonCount((cpuResource as JsonObject | undefined)?.count);
}
