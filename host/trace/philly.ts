/**
 * Reader of the jobs of Microsoft's Philly clusters (github.com/msr-fiddle/philly-traces, cluster_job_log): a
 * JSON list of jobs, each with its attempts on GPUs of one or several machines. Dates are local; dates
 * without a zone are taken as UTC.
 */
import { quoteLogText } from '../format/text.js';
import { AccountingJobCollector, JOB_STATE_NUMBERS, resetAccountingRecord } from './accountingJobs.js';
import type { LogFormat, TableReadingOptions } from './logFormat.js';
import { JOB_PLACE_NAMES } from './places.js';
import { isJsonObject, JsonJobReader, type JsonLogFormat, type JsonObject } from './readers.js';
import type { ArrivalChoice, LogNames, LogSink, RecordRowBuffer } from './records.js';
import { TableTimeReader } from './tableTimes.js';

/** Format of the Philly job log. */
export const PHILLY_FORMAT = {
  name: 'philly',
  title: 'jobs of the Philly clusters (cluster_job_log); processors are GPUs',
  example:
    '[{"status":"Pass","vc":"6214e9","jobid":"application_1","attempts":[{"start_time":"2017-10-07 01:06:06",' +
    '"end_time":"2017-10-07 02:06:06","detail":[{"ip":"m1","gpus":["gpu0","gpu1"]}]}],"submitted_time":"2017-10-07 01:05:36","user":"ce2a51"}]',
  places: JOB_PLACE_NAMES,
  hasUnixTimes: true,
  isUnordered: true,
  uses: ['timeZone'],
  isLike: ({ text: headText }) => headText.startsWith('['),
  open: (sink, logNames, arrivalChoice, tableReadingOptions) =>
    new JsonJobReader(
      sink,
      (rowBuffer) =>
        new PhillyJobReader({ sink, names: logNames, rows: rowBuffer }, arrivalChoice, tableReadingOptions),
    ),
} as const satisfies LogFormat;

const PHILLY_STATE_NUMBERS: Readonly<Record<string, number>> = {
  Pass: JOB_STATE_NUMBERS.completed,
  Failed: JOB_STATE_NUMBERS.failed,
  Killed: JOB_STATE_NUMBERS.cancelled,
};

/** Values of missing times. */
const PHILLY_MISSING_TIME_VALUES: readonly unknown[] = [null, undefined, '', 'None'];

class PhillyJobReader implements JsonLogFormat {
  readonly expected = 'a JSON list of jobs, as in cluster_job_log';
  readonly #sink: LogSink;
  readonly #names: LogNames;
  readonly #jobs: AccountingJobCollector;
  readonly #times: TableTimeReader;

  constructor(
    target: { readonly sink: LogSink; readonly names: LogNames; readonly rows: RecordRowBuffer },
    arrivalChoice: ArrivalChoice,
    { timeZone }: TableReadingOptions,
  ) {
    this.#sink = target.sink;
    this.#names = target.names;
    this.#jobs = new AccountingJobCollector(target, arrivalChoice);
    this.#times = new TableTimeReader(timeZone);
  }

  readHeader(): string[] {
    return [];
  }

  findMissingKey(): undefined {
    return undefined;
  }

  readJob(job: JsonObject, index: number): void {
    const { record: accountingRecord } = this.#jobs;
    resetAccountingRecord(accountingRecord);
    const jobAttempts = Array.isArray(job.attempts) ? job.attempts.filter(isJsonObject) : [];
    const submit = this.#timeOf(job.submitted_time);
    const spans = jobAttempts.map(
      ({ start_time: start, end_time: end }) => [this.#timeOf(start), this.#timeOf(end)] as const,
    );
    const isWrongTime = (time: number | undefined) => time === undefined;
    if (
      submit === undefined ||
      submit < 0 ||
      typeof job.jobid !== 'string' ||
      spans.flat().some(isWrongTime)
    ) {
      const jobText = quoteLogText(JSON.stringify(job));
      const expectedForm =
        'jobid, submitted_time and attempts with start_time and end_time, such as 2017-10-07 01:06:06';
      this.#sink.problem({
        rule: 'job',
        line: index,
        field: undefined,
        found: jobText,
        expected: expectedForm,
      });
      return;
    }
    const spansWithStart = spans.filter(([start = -1]) => start >= 0) as (readonly [number, number])[];
    const haveAllEnded = spansWithStart.every(([, end]) => end >= 0);
    Object.assign(accountingRecord, {
      number: index,
      job: this.#names.job(job.jobid),
      submit,
      start: spansWithStart[0]?.[0] ?? -1,
      end: spansWithStart.at(-1)?.[1] ?? submit,
      // A job waits between its attempts; a record of SWF has one runtime for all of them.
      elapsed: haveAllEnded
        ? spansWithStart.reduce((sum, [start, end]) => sum + Math.max(0, end - start), 0)
        : -1,
      processors: Math.max(-1, ...jobAttempts.map(countGpusOfAttempt)) || -1,
      state: haveAllEnded
        ? (PHILLY_STATE_NUMBERS[String(job.status)] ?? JOB_STATE_NUMBERS.unknown)
        : JOB_STATE_NUMBERS.unfinished,
      stateName: String(job.status),
      user: this.#names.number('user', String(job.user ?? '')),
      group: this.#names.number('group', String(job.vc ?? '')),
    });
    if (spansWithStart.length > 1)
      accountingRecord.suspended =
        (spansWithStart.at(-1)?.[1] ?? 0) - (spansWithStart[0]?.[0] ?? 0) - accountingRecord.elapsed;
    this.#jobs.takeRecord();
  }

  finishLog(): void {
    this.#jobs.end();
  }

  /** Parses a time as seconds since 1970; -1 for a missing time, undefined for an invalid one. */
  #timeOf(timeValue: unknown): number | undefined {
    if (PHILLY_MISSING_TIME_VALUES.includes(timeValue)) return -1;
    return typeof timeValue === 'string' ? this.#times.read(timeValue) : undefined;
  }
}

/** Number of GPUs of an attempt on all machines. */
function countGpusOfAttempt({ detail }: JsonObject): number {
  if (!Array.isArray(detail)) return 0;
  return detail.reduce(
    (sum: number, host) => sum + (isJsonObject(host) && Array.isArray(host.gpus) ? host.gpus.length : 0),
    0,
  );
}
