/** The jobs of a finished simulation, read back from jobs.csv. */
import { InputError } from '../errors.js';
import { parseField, parseIntervals, readRows } from './csv.js';

/** Processors that are held for a while. Times are seconds on the clock of the log. */
export interface HeldProcessors {
  readonly start: number;
  readonly end: number;
  /** How many. */
  readonly processors: number;
  /** Runs of neighbouring processors, numbered through the grid from 0: first and last of each. */
  readonly runs: readonly (readonly [first: number, last: number])[];
}

/** A job that has run, with what it held in its last run, which was not stopped. */
export interface FinishedJob extends HeldProcessors {
  /** Job number, with `#2`, `#3` for further pieces of a split job. */
  readonly name: string;
  readonly submit: number;
  /** That it asked for; a moldable job may have held others. */
  readonly requested: number;
  /** Home site, numbered from 0. */
  readonly home: number;
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

function parseJob([name, ...texts]: readonly string[]): FinishedJob | undefined {
  const [submit, start, end, , home, requested] = texts.map(parseField);
  const runs = parseIntervals(texts[3]);
  const processors = runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (![submit, start, end, home, processors].every(Number.isFinite) || processors === 0) return undefined;
  return { name, submit, start, end, processors, requested, home: home - 1, runs };
}

/**
 * Reads jobs.csv.
 * @throws InputError when there is no such file, or naming the line that is not as `gridalloc simulate --out` writes it.
 */
export async function readFinishedJobs(path: string): Promise<FinishedJob[]> {
  const jobs = await readRows(path, COLUMNS, parseJob, 'the times, processors and home site of a job');
  if (jobs.length === 0) throw new InputError(`${path} holds no job; run the simulation again`);
  return jobs;
}
