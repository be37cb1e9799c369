/**
 * What happened to every job, as CSV with Batsim's columns, which evalys and other tools read, and more behind them.
 * Times are seconds, in the shortest form that reads back to the same number.
 */
import { checkGiven } from '../given.js';
import type { Schedule } from '../simulate/schedule.js';
import type { Simulation } from '../simulate/simulate.js';
import type { SwfField } from '../trace/trace.js';
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
  'user',
  'group',
  'queue',
  'status',
  'recorded_wait',
  'estimate',
] as const;

/** Columns before the last where jobs depend on others; where reservations are kept `promised_start` follows. */
const DEPENDENCY_COLUMNS = ['logged_submission_time', 'preceding_job'] as const;

/** Columns behind the last with the names of users, groups, queues and partitions, each if the log has any of these names. */
const NAME_COLUMNS = {
  user: 'user_name',
  group: 'group_name',
  queue: 'queue_name',
  partition: 'partition_name',
} as const;
const NAMED = Object.keys(NAME_COLUMNS) as readonly (keyof typeof NAME_COLUMNS)[];

type JobColumn =
  | (typeof JOB_COLUMNS)[number]
  | (typeof DEPENDENCY_COLUMNS)[number]
  | 'promised_start'
  | (typeof NAME_COLUMNS)[keyof typeof NAME_COLUMNS];

/** What the values of a column are: seconds, whole numbers, or neither. */
export const JOB_COLUMN_TYPES: Readonly<Record<JobColumn, 'seconds' | 'count' | 'other'>> = {
  job_id: 'other',
  workload_name: 'other',
  profile: 'seconds',
  submission_time: 'seconds',
  requested_number_of_resources: 'count',
  requested_time: 'seconds',
  success: 'count',
  final_state: 'other',
  starting_time: 'seconds',
  execution_time: 'seconds',
  finish_time: 'seconds',
  waiting_time: 'seconds',
  turnaround_time: 'seconds',
  stretch: 'other',
  allocated_resources: 'other',
  consumed_energy: 'other',
  metadata: 'other',
  home_site: 'count',
  execution_sites: 'other',
  allocated_processors: 'other',
  user: 'count',
  group: 'count',
  queue: 'count',
  status: 'count',
  recorded_wait: 'seconds',
  estimate: 'seconds',
  logged_submission_time: 'seconds',
  preceding_job: 'count',
  promised_start: 'seconds',
  user_name: 'other',
  group_name: 'other',
  queue_name: 'other',
  partition_name: 'other',
};

/** Columns of jobs.csv of a simulation. */
export function csvColumns({
  workload,
  configuration,
}: Pick<Simulation, 'workload' | 'configuration'>): readonly JobColumn[] {
  return [
    ...JOB_COLUMNS.slice(0, -1),
    ...(workload.dependencies === undefined ? [] : DEPENDENCY_COLUMNS),
    ...(configuration.reservations === 'kept' ? (['promised_start'] as const) : []),
    'estimate',
    ...NAMED.filter((field) =>
      workload.log?.[field].some((number) => workload.names?.[field].has(number)),
    ).map((field) => NAME_COLUMNS[field]),
  ];
}

/** The names of the jobs, as fields. */
function csvNames(workload: Simulation['workload']): string[] {
  const names = jobNames(workload);
  return names.map((name) => (/[^\w#+[\]-]/.test(name) ? csvField(name) : name));
}

/** The sites of a job and its processors on each, in the order in which they were taken. */
function shares({ site, held, parts }: Schedule, job: number): { sites: string; shared: string } {
  const first = parts?.firstPart[job] ?? -1;
  if (parts === undefined || first < 0) return { sites: `${site[job]! + 1}`, shared: `${held[job]}` };
  const sites: number[] = [];
  const shared: number[] = [];
  for (let pair = first, left = held[job]!; left > 0; pair++) {
    sites.push(parts.pairs[2 * pair]! + 1);
    shared.push(parts.pairs[2 * pair + 1]!);
    left -= parts.pairs[2 * pair + 1]!;
  }
  return { sites: sites.join(' '), shared: shared.join(' ') };
}

/** The cells of each column of jobs.csv, by the index of the job. */
export function jobCells(
  simulation: Simulation,
): Readonly<Record<JobColumn, (job: number) => number | string>> {
  const { workload, configuration, schedule, processorSets } = simulation;
  if (processorSets === undefined) throw new Error('jobs.csv needs the processor sets of the simulation');
  const { name, runtime, estimate, processors, home, log, dependencies } = workload;
  const { submit, start, execution, held, promised, estimate: found = estimate } = schedule;
  const { firstPair, pairs } = processorSets;
  const names = csvNames(workload);
  const end = (i: number) => start[i]! + execution[i]!;
  const isKilled = (i: number) => workload.killed?.[i] === 1;
  const wait = (i: number) => start[i]! - submit[i]!;
  const logged = (field: SwfField) => {
    const column = log?.[field];
    return (i: number) => column?.[i] ?? -1;
  };
  const called = (field: (typeof NAMED)[number]) => {
    const number = logged(field);
    return (i: number) => csvField(workload.names?.[field].get(number(i)) ?? '');
  };
  return {
    job_id: (i) => names[i]!,
    workload_name: () => name,
    profile: (i) => runtime[i]!,
    submission_time: (i) => submit[i]!,
    requested_number_of_resources: (i) => processors[i]!,
    requested_time: (i) => estimate[i]! * configuration.load[home[i]!]!,
    success: (i) => Number(!isKilled(i)),
    final_state: (i) => (isKilled(i) ? 'COMPLETED_WALLTIME_REACHED' : 'COMPLETED_SUCCESSFULLY'),
    starting_time: (i) => start[i]!,
    execution_time: (i) => execution[i]!,
    finish_time: end,
    waiting_time: wait,
    turnaround_time: (i) => end(i) - submit[i]!,
    stretch: (i) => (execution[i]! > 0 ? (wait(i) + execution[i]!) / execution[i]! : 1),
    allocated_resources: (i) => intervals(pairs, firstPair[i]!, held[i]!),
    consumed_energy: () => -1,
    metadata: () => '',
    home_site: (i) => home[i]! + 1,
    execution_sites: (i) => shares(schedule, i).sites,
    allocated_processors: (i) => shares(schedule, i).shared,
    user: logged('user'),
    group: logged('group'),
    queue: logged('queue'),
    status: logged('status'),
    recorded_wait: logged('wait'),
    estimate: (i) => (workload.unestimated ? -1 : found[i]! * configuration.load[home[i]!]!),
    promised_start: (i) => promised?.[i] ?? -1,
    logged_submission_time: (i) => workload.submit[i]!,
    preceding_job: (i) => {
      const preceding = dependencies?.preceding[i] ?? -1;
      return preceding < 0 ? -1 : workload.job[preceding]!;
    },
    user_name: called('user'),
    group_name: called('group'),
    queue_name: called('queue'),
    partition_name: called('partition'),
  };
}

function* jobLines(simulation: Simulation): Generator<string> {
  const cells = jobCells(simulation);
  const workloadName = csvField(simulation.workload.name);
  const names = csvColumns(simulation);
  const [first = () => '', ...others] = names.map((column) =>
    column === 'workload_name' ? () => workloadName : cells[column]!,
  );
  yield `${names.join(',')}\n`;
  for (let job = 0; job < simulation.workload.count; job++) {
    let line = `${first(job)}`;
    for (const cell of others) line += `,${cell(job)}`;
    yield `${line}\n`;
  }
}

/**
 * The lines of jobs.csv in job order, in chunks of text. A job that was killed at its requested time does
 * not succeed, all others do; its profile is a delay named by its
 * runtime at speed 1, its requested time is the estimate times the load, its stretch (wait + execution) / execution (1
 * for an execution of 0), its energy unknown (-1), its metadata empty. A split job has several execution sites and their
 * processors, separated by blanks; a restarted one the times of its last run. Sites are numbered from 1, processors through
 * the grid from 0. Then follows what the log says of the job, -1 where it does not, and last the estimate that the job had, -1 where there is none. Needs a simulation with `processorSets: true`.
 * @example
 * const text = [...jobsCsv(simulate(workload, grid, { processorSets: true }))].join('');
 * console.log(text.split('\n')[1].slice(0, 8)); // 1,"lubli
 */
export function jobsCsv(simulation: Simulation): Generator<string> {
  checkGiven(simulation, 'simulation', 'jobsCsv');
  return chunksOf(jobLines(simulation));
}

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
  const names = csvNames(workload);
  yield `${STOP_COLUMNS.join(',')}\n`;
  for (let i = 0; i < stops.job.length; i++) {
    const job = stops.job[i]!;
    const [start, end, processors] = [stops.start[i]!, stops.end[i]!, workload.processors[job]!];
    const held = intervals(processorSets.pairs, stops.firstPair[i]!, processors);
    yield `${names[job]},${stops.site[i]! + 1},${start},${end},${end - start},${processors},${held}\n`;
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
  checkGiven(simulation, 'simulation', 'stopsCsv');
  return chunksOf(stopLines(simulation));
}
