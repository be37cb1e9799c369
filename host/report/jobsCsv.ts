/**
 * What became of every job, as CSV with Batsim's columns, which evalys and other tools read, and three more.
 * Times are seconds, in the shortest form that reads back to the same number.
 */
import type { ProcessorSets, Schedule } from '../core/schedule.js';
import type { Simulation } from '../metrics/simulate.js';
import { jobNames } from '../workload/jobNames.js';

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

/** About so many characters are handed over at a time. */
const CHUNK = 1 << 16;

/** A field of a CSV line, in quotes where it must be. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Processor runs as an interval set, in rising order: `0-3 5 7-9`. */
function intervals({ firstPair, pairs }: ProcessorSets, job: number, processors: number): string {
  const runs: [first: number, last: number][] = [];
  for (let pair = firstPair[job], left = processors; left > 0; pair++) {
    const run: [number, number] = [pairs[2 * pair], pairs[2 * pair + 1]];
    runs.push(run);
    left -= run[1] - run[0] + 1;
  }
  // The parts of a split job stand in the order in which they were taken.
  if (runs.length > 1) runs.sort((a, b) => a[0] - b[0]);
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(' ');
}

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

/**
 * The lines of jobs.csv in job order, in chunks of text. Every job succeeds; its profile is a delay named by its
 * runtime at speed 1, its requested time is the estimate times the load, its stretch turnaround / execution (1 for an
 * execution of 0), its energy unknown (-1), its metadata empty. A split job has
 * several execution sites and their processors, parted by blanks; a restarted one the times of its last run. Sites are numbered from 1, processors through the grid
 * from 0.
 */
export function* jobsCsv({
  workload,
  configuration,
  schedule,
  processorSets,
}: Simulation): Generator<string> {
  if (processorSets === undefined) throw new Error('jobs.csv needs the processor sets of the simulation');
  const { submit, runtime, estimate, processors, home } = workload;
  const { held } = schedule;
  const name = csvField(workload.name);
  const names = jobNames(workload);
  let text = `${JOB_COLUMNS.join(',')}\n`;
  for (let i = 0; i < workload.count; i++) {
    const start = schedule.start[i];
    const execution = schedule.execution[i];
    const end = start + execution;
    const turnaround = end - submit[i];
    const { sites, shared } = shares(schedule, i);
    text +=
      `${names[i]},${name},${runtime[i]},${submit[i]},${processors[i]},` +
      `${estimate[i] * configuration.load[home[i]]},1,COMPLETED_SUCCESSFULLY,${start},${execution},${end},` +
      `${start - submit[i]},${turnaround},${execution > 0 ? turnaround / execution : 1},` +
      `${intervals(processorSets, i, held[i])},-1,,${home[i] + 1},${sites},${shared}\n`;
    if (text.length >= CHUNK) {
      yield text;
      text = '';
    }
  }
  yield text;
}
