/** Every run that was stopped, as CSV: written, and read back. Times are seconds, as in jobs.csv. */
import type { Simulation } from '../simulate/simulate.js';
import { jobNames } from '../workload/jobNames.js';
import { chunksOf, intervals, parseField, parseIntervals, readRows } from './csv.js';
import type { FinishedJob, HeldProcessors } from './finishedJobs.js';

/** Columns of stops.csv. */
export const STOP_COLUMNS = [
  'job_id',
  'execution_site',
  'starting_time',
  'stopped_time',
  'lost_time',
  'processors',
  'allocated_resources',
] as const;

function* stopLines({ workload, schedule, processorSets }: Simulation): Generator<string> {
  const { stops } = schedule;
  if (stops === undefined || processorSets === undefined) {
    throw new Error('stops.csv needs a simulation that reclaims, and its processor sets');
  }
  const names = jobNames(workload);
  yield `${STOP_COLUMNS.join(',')}\n`;
  for (let i = 0; i < stops.job.length; i++) {
    const job = stops.job[i];
    const [start, end, processors] = [stops.start[i], stops.end[i], workload.processors[job]];
    const held = intervals(processorSets.pairs, stops.firstPair[i], processors);
    yield `${names[job]},${stops.site[i] + 1},${start},${end},${end - start},${processors},${held}\n`;
  }
}

/**
 * The lines of stops.csv in the order of the stops, in chunks of text. Jobs have their names of jobs.csv; sites are
 * numbered from 1, processors through the grid from 0.
 */
export function stopsCsv(simulation: Simulation): Generator<string> {
  return chunksOf(stopLines(simulation));
}

/** A run that was stopped; its job began again later. */
export interface StoppedRun extends HeldProcessors {
  readonly job: FinishedJob;
}

const COLUMNS = ['job_id', 'starting_time', 'stopped_time', 'allocated_resources'] as const;

/**
 * Reads stops.csv.
 * @param jobs all jobs of jobs.csv beside it.
 * @throws InputError when there is no such file, or naming the line that is not as `gridalloc simulate --out` writes it.
 */
export function readStoppedRuns(path: string, jobs: readonly FinishedJob[]): Promise<StoppedRun[]> {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const parse = ([name, from, to, held]: readonly string[]): StoppedRun | undefined => {
    const job = byName.get(name);
    const [start, end] = [from, to].map(parseField);
    const runs = parseIntervals(held);
    const processors = runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    const isWhole = end >= start && processors === job?.requested;
    return isWhole ? { job, start, end, processors, runs } : undefined;
  };
  return readRows(path, COLUMNS, parse, 'the times and processors of a stopped run of a job in jobs.csv');
}
