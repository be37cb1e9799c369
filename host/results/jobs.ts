/**
 * What became of every job, as CSV with Batsim's columns, which evalys and other tools read, and three more.
 * Times are seconds, in the shortest form that reads back to the same number.
 */
import type { Schedule } from '../simulate/schedule.js';
import type { Simulation } from '../simulate/simulate.js';
import { jobNames } from '../workload/workload.js';
import { chunksOf, csvField, intervals } from './csv.js';

/** Columns of jobs.csv: the first 17 are Batsim's, in its order. */
export const JOB_COLUMNS = [
  'job_id',
  'workload_name',
  'profile',
  'submission_time',
  'requested_number_of_resources',
  'requested_time',
  'success',
  'final_state',
  'starting_time',
  'execution_time',
  'finish_time',
  'waiting_time',
  'turnaround_time',
  'stretch',
  'allocated_resources',
  'consumed_energy',
  'metadata',
  'home_site',
  'execution_sites',
  'allocated_processors',
] as const;

/** The sites of a job and its processors on each, in the order in which they were taken. */
function shares({ site, held, parts }: Schedule, job: number): { sites: string; shared: string } {
  const first = parts?.firstPart[job] ?? -1;
  if (parts === undefined || first < 0) return { sites: `${site[job] + 1}`, shared: `${held[job]}` };
  const sites: number[] = [];
  const shared: number[] = [];
  for (let pair = first, left = held[job]; left > 0; pair++) {
    sites.push(parts.pairs[2 * pair] + 1);
    shared.push(parts.pairs[2 * pair + 1]);
    left -= parts.pairs[2 * pair + 1];
  }
  return { sites: sites.join(' '), shared: shared.join(' ') };
}

function* jobLines({ workload, configuration, schedule, processorSets }: Simulation): Generator<string> {
  if (processorSets === undefined) throw new Error('jobs.csv needs the processor sets of the simulation');
  const { submit, runtime, estimate, processors, home } = workload;
  const { held } = schedule;
  const { firstPair, pairs } = processorSets;
  const workloadName = csvField(workload.name);
  yield `${JOB_COLUMNS.join(',')}\n`;
  for (const [i, name] of jobNames(workload).entries()) {
    const start = schedule.start[i];
    const execution = schedule.execution[i];
    const end = start + execution;
    const wait = start - submit[i];
    const { sites, shared } = shares(schedule, i);
    yield `${name},${workloadName},${runtime[i]},${submit[i]},${processors[i]},` +
      `${estimate[i] * configuration.load[home[i]]},1,COMPLETED_SUCCESSFULLY,${start},${execution},${end},` +
      `${wait},${end - submit[i]},${execution > 0 ? (wait + execution) / execution : 1},` +
      `${intervals(pairs, firstPair[i], held[i])},-1,,${home[i] + 1},${sites},${shared}\n`;
  }
}

/**
 * The lines of jobs.csv in job order, in chunks of text. Every job succeeds; its profile is a delay named by its
 * runtime at speed 1, its requested time is the estimate times the load, its stretch (wait + execution) / execution (1
 * for an execution of 0), its energy unknown (-1), its metadata empty. A split job has several execution sites and their
 * processors, parted by blanks; a restarted one the times of its last run. Sites are numbered from 1, processors through
 * the grid from 0. Needs a simulation with `processorSets: true`.
 * @example
 * const text = [...jobsCsv(simulate(workload, grid, { processorSets: true }))].join('');
 * console.log(text.split('\n')[1].slice(0, 8)); // 1,"lubli
 */
export function jobsCsv(simulation: Simulation): Generator<string> {
  return chunksOf(jobLines(simulation));
}
