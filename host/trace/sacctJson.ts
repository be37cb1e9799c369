/**
 * The output of `sacct --json`: a document with a list of jobs, whose entries differ a little between versions of Slurm.
 * A number may be an object that says whether it is set, or infinite; a state may be a list.
 */
import { type Entries, isObject, type JsonFormat, JsonReader } from './jsonLog.js';
import type { LogReader, LogSink, Names, RecordRows } from './records.js';
import { isUnfinished, SacctJobs, type Source } from './sacctJob.js';

/** Where each field is, for messages and, but for those that `PLACES` finds otherwise, to look it up. */
const PATHS: Readonly<Record<Source, string>> = {
  job: 'job_id',
  task: 'array.task_id',
  submit: 'time.submission',
  start: 'time.start',
  end: 'time.end',
  elapsed: 'time.elapsed',
  processors: 'tres.allocated',
  requestedProcessors: 'tres.requested',
  limit: 'time.limit',
  state: 'state.current',
  user: 'user',
  group: 'account',
  executable: 'name',
  queue: 'partition',
  partition: 'cluster',
};

/** Whether a document begins as those of sacct do. */
export function isSacctJson(start: string): boolean {
  return start.startsWith('{') && /"(?:slurm|association|job_id)"\s*:/i.test(start);
}

/** Reads what `sacct --json` prints. Times are seconds since 1970. */
export function readSacctJson(sink: LogSink, names: Names): LogReader {
  return new JsonReader(sink, (rows) => new DocumentJobs(sink, names, rows));
}

class DocumentJobs implements JsonFormat {
  readonly expected = 'a JSON document with jobs, as sacct --json prints it';
  readonly #jobs: SacctJobs;

  constructor(sink: LogSink, names: Names, rows: RecordRows) {
    this.#jobs = new SacctJobs(sink, names, rows);
  }

  header(): string[] {
    return [];
  }

  missing(): undefined {
    return undefined;
  }

  readJob(job: Entries, index: number): void {
    const text = (source: Source) => TEXTS[source]?.(job) ?? textOf(at(job, PATHS[source]));
    const name = (source: Source) => PATHS[source];
    this.#jobs.take({ text, name, isLimitInMinutes: true, number: index, place: `jobs[${index}]` });
  }
}

/** Fields that are more than the text at their place; undefined leaves them to that. */
const TEXTS: Readonly<Partial<Record<Source, (job: Entries) => string | undefined>>> = {
  task: (job) =>
    partOf(job, 'array.job_id', '_', 'array.task_id') || partOf(job, 'het.job_id', '+', 'het.job_offset'),
  start: (job) => timeOf(at(job, PATHS.start)),
  end: (job) => timeOf(at(job, PATHS.end)),
  processors: (job) => cpusIn(at(job, PATHS.processors)),
  requestedProcessors: (job) =>
    cpusIn(at(job, PATHS.requestedProcessors)) || countOf(at(job, 'required.CPUs')),
  state: (job) => {
    const states = [at(job, PATHS.state)].flat().map(String);
    return states.find(isUnfinished) ?? states[0];
  },
  group: (job) => textOf(job.account) || textOf(job.group),
};

/** What stands at a path, such as `time.start`. */
function at(job: Entries, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), job);
}

/** A text or a number; empty for what is not set, and `UNLIMITED` for what is infinite. */
function textOf(value: unknown): string {
  if (!isObject(value)) return value === undefined || value === null ? '' : String(value).trim();
  if (value.infinite === true) return 'UNLIMITED';
  return value.set === false ? '' : textOf(value.number);
}

/** What Slurm calls a task of an array, or a part of a job; empty for a whole job. */
function partOf(job: Entries, whole: string, sign: string, part: string): string {
  const [number, place] = [timeOf(at(job, whole)), textOf(at(job, part))];
  return number === '' || place === '' ? '' : `${number}${sign}${place}`;
}

/** A time; what never was is 0. */
function timeOf(value: unknown): string {
  const text = textOf(value);
  return text === '0' ? '' : text;
}

/** A count; what is not set is below 0 in older versions. */
function countOf(value: unknown): string {
  const text = textOf(value);
  return text.startsWith('-') ? '' : text;
}

/** The processors in a list of resources. */
function cpusIn(resources: unknown): string {
  const cpus = Array.isArray(resources)
    ? resources.find((each) => isObject(each) && each.type === 'cpu')
    : {};
  return countOf((cpus as Entries | undefined)?.count);
}
