/** Every run that was stopped, as CSV. Times are seconds, as in jobs.csv. */
import type { Simulation } from '../simulate/simulate.js';
import { jobNames } from '../workload/workload.js';
import { chunksOf, intervals } from './csv.js';

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
 * numbered from 1, processors through the grid from 0. Needs a simulation with `processorSets: true`.
 * @example
 * const options = { queue: 'per-home', reclaim: true, processorSets: true };
 * console.log([...stopsCsv(simulate(workload, grid, options))].length); // 1
 */
export function stopsCsv(simulation: Simulation): Generator<string> {
  return chunksOf(stopLines(simulation));
}
