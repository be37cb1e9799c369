/** The jobs of a finished simulation, read back from jobs.csv. */
import { type FileHandle, open } from 'node:fs/promises';
import { InputError } from '../errors.js';

/** A job that has run. Times are seconds on the clock of the log. */
export interface FinishedJob {
  /** Job number, with `#2`, `#3` for further pieces of a split job. */
  readonly name: string;
  readonly submit: number;
  readonly start: number;
  readonly end: number;
  /** That it held. */
  readonly processors: number;
  /** That it asked for; a moldable job may have held others. */
  readonly requested: number;
  /** Home site, numbered from 0. */
  readonly home: number;
  /** Runs of neighbouring processors, numbered through the grid from 0: first and last of each. */
  readonly runs: readonly (readonly [first: number, last: number])[];
}

const COLUMNS = [
  'job_id',
  'submission_time',
  'starting_time',
  'finish_time',
  'allocated_resources',
  'home_site',
  'requested_number_of_resources',
] as const;

/** The fields of a line of CSV; a field in quotes may hold commas and doubled quotes. */
function splitLine(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

function parseRuns(text: string): [number, number][] {
  return text.split(' ').map((run) => {
    const [first, last = first] = run.split('-').map(Number);
    return [first, last];
  });
}

function parseJob(fields: readonly string[], places: readonly number[]): FinishedJob | undefined {
  const [name, ...texts] = places.map((place) => fields[place] ?? '');
  const [submit, start, end, , home, requested] = texts.map((text) =>
    text === '' ? Number.NaN : Number(text),
  );
  const runs = texts[3] === '' ? [] : parseRuns(texts[3]);
  const processors = runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (![submit, start, end, home, processors].every(Number.isFinite) || processors === 0) return undefined;
  return { name, submit, start, end, processors, requested, home: home - 1, runs };
}

function openJobs(path: string): Promise<FileHandle> {
  return open(path).catch((error: Error) => {
    throw new InputError(`${path} cannot be read: ${error.message}; run the simulation again`);
  });
}

/**
 * Reads jobs.csv.
 * @throws InputError when there is no such file, or naming the line that is not as `gridalloc simulate --out` writes it.
 */
export async function readFinishedJobs(path: string): Promise<FinishedJob[]> {
  const jobs: FinishedJob[] = [];
  let places: number[] | undefined;
  let number = 0;
  const file = await openJobs(path);
  for await (const line of file.readLines()) {
    number++;
    if (line === '') continue;
    const fields = splitLine(line);
    if (places === undefined) {
      places = COLUMNS.map((column) => fields.indexOf(column));
      const missing = COLUMNS.find((_, i) => places?.[i] === -1);
      if (missing !== undefined)
        throw new InputError(`${path}: the column ${missing} is missing; run the simulation again`);
      continue;
    }
    const job = parseJob(fields, places);
    if (job === undefined) {
      throw new InputError(
        `${path}, line ${number}: expected the times, processors and home site of a job; run the simulation again`,
      );
    }
    jobs.push(job);
  }
  if (jobs.length === 0) throw new InputError(`${path} holds no job; run the simulation again`);
  return jobs;
}
