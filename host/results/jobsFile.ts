/**
 * What happened to every job, as CSV with Batsim's columns, which evalys and other tools read, and more behind them.
 * Times are seconds, in the shortest form that reads back to the same number.
 */

import { checkArgument } from '../arguments.js';
import { formatCsvField, formatIntervalSet, joinLinesIntoChunks } from '../format/csv.js';
import { csvNameFieldsOfJobs, type JobsFileColumnCells, jobsFileColumnCells } from '../jobs/attributes.js';
import type { Simulation } from '../simulate/simulate.js';

/** Columns of jobs.csv with functions that return their cells. */
export function jobsFileColumnsToWrite(simulation: Simulation): readonly JobsFileColumnCells[] {
  if (simulation.processorSets === undefined)
    throw new Error('jobs.csv needs the processor sets of the simulation');
  return jobsFileColumnCells(simulation);
}

function* formatJobsFileLines(simulation: Simulation): Generator<string> {
  const columns = jobsFileColumnsToWrite(simulation);
  const quotedWorkloadName = formatCsvField(simulation.workload.name);
  const [first = () => '', ...others] = columns.map(({ name, cell }) =>
    name === 'workload_name' ? () => quotedWorkloadName : cell,
  );
  yield `${columns.map(({ name }) => name).join(',')}\n`;
  for (let job = 0; job < simulation.workload.count; job++) {
    let line = `${first(job)}`;
    for (const cell of others) line += `,${cell(job)}`;
    yield `${line}\n`;
  }
}

/**
 * The lines of jobs.csv in job order, in chunks of text. A job that was killed at its requested time or by an outage, or
 * cancelled, does not succeed, all others do; its profile is a delay named by its
 * runtime at speed 1, its requested time is the estimate times the load, its stretch (wait + execution) / execution (1
 * for an execution of 0), its energy unknown (-1), its metadata empty. A split job has several execution sites and their
 * processors, separated by blanks; a restarted one the times of its last run. Sites are numbered from 1, processors through
 * the grid from 0. Then follows what the log says of the job, -1 where it does not, and last the estimate that the job had, -1 if there is none. Needs a simulation with `processorSets: true`.
 * @example
 * const text = [...jobsCsv(simulate(workload, grid, { processorSets: true }))].join('');
 * console.log(text.split('\n')[1].slice(0, 8)); // 1,"lubli
 */
export function jobsCsv(simulation: Simulation): Generator<string> {
  checkArgument(simulation, 'simulation', 'jobsCsv');
  return joinLinesIntoChunks(formatJobsFileLines(simulation));
}

/** Column names of stops.csv. */
export const STOP_COLUMNS = [
  'job_id',
  'execution_site',
  'starting_time',
  'stopped_time',
  'lost_time',
  'processors',
  'allocated_resources',
] as const;

function* formatStopsFileLines({ workload, schedule, processorSets }: Simulation): Generator<string> {
  const { stops } = schedule;
  if (stops === undefined || processorSets === undefined) {
    throw new Error('stops.csv needs a simulation that reclaims, and its processor sets');
  }
  const names = csvNameFieldsOfJobs(workload);
  yield `${STOP_COLUMNS.join(',')}\n`;
  for (let i = 0; i < stops.job.length; i++) {
    const job = stops.job[i]!;
    const [start, end, processors] = [stops.start[i]!, stops.end[i]!, workload.processors[job]!];
    const held = formatIntervalSet(processorSets.pairs, stops.firstPair[i]!, processors);
    yield `${names[job]},${stops.site[i]! + 1},${start},${end},${end - start},${processors},${held}\n`;
  }
}

/**
 * The lines of stops.csv in the order of the stops, in chunks of text. Jobs have their names of jobs.csv; sites are
 * numbered from 1, processors through the grid from 0. Needs a simulation with `processorSets: true`.
 * @example
 * const stopping = simulate(workload, grid, { queue: 'per-home', reclaim: true, processorSets: true });
 * console.log([...stopsCsv(stopping)].length); // 1
 */
export function stopsCsv(simulation: Simulation): Generator<string> {
  checkArgument(simulation, 'simulation', 'stopsCsv');
  return joinLinesIntoChunks(formatStopsFileLines(simulation));
}
