/**
 * Writes the results of every job as CSV with Batsim's columns, which evalys and other tools read, and
 * further columns behind them. Times are in seconds, in the shortest form that is read back as the same
 * number.
 */

import { checkArgument } from '../arguments.js';
import { formatCsvField, formatIntervalSet, joinLinesIntoChunks } from '../format/csv.js';
import { formatJobNamesForCsv, type JobsFileColumnCells, jobsFileColumnCells } from '../jobs/attributes.js';
import type { Simulation } from '../simulate/simulate.js';

/** Finished jobs, all of a simulation or consecutive ones. */
export type SimulationForJobsFile = Pick<
  Simulation,
  'workload' | 'configuration' | 'schedule' | 'processorSets'
>;

/**
 * Columns of jobs.csv, each with a function that returns the cell of a job; needs the processor
 * sets of the simulation.
 */
export function selectJobsFileColumns(simulation: SimulationForJobsFile): readonly JobsFileColumnCells[] {
  if (simulation.processorSets === undefined)
    throw new Error('jobs.csv needs the processor sets of the simulation');
  return jobsFileColumnCells(simulation);
}

/** Lines of jobs.csv; the first one, with the names of the columns, only if requested. */
export function* formatJobsFileLines(
  simulation: SimulationForJobsFile,
  isHeadingWritten = true,
): Generator<string> {
  const columns = selectJobsFileColumns(simulation);
  const quotedWorkloadName = formatCsvField(simulation.workload.name);
  const [formatFirst = () => '', ...others] = columns.map(({ name: columnName, formatCell }) =>
    columnName === 'workload_name' ? () => quotedWorkloadName : formatCell,
  );
  if (isHeadingWritten) yield `${columns.map(({ name: columnName }) => columnName).join(',')}\n`;
  for (let job = 0; job < simulation.workload.count; job++) {
    let line = `${formatFirst(job)}`;
    for (const formatCell of others) line += `,${formatCell(job)}`;
    yield `${line}\n`;
  }
}

/**
 * Yields jobs.csv in chunks of text, in job order. A job that was cancelled, or killed at its requested time
 * or by an outage, is not successful; all others are. The profile is a delay named by the runtime at speed 1;
 * the requested time is the estimate times the load; the stretch is (wait + execution) / execution (1 for an
 * execution of 0 s); the energy is unknown (-1); the metadata are empty. A split job has several execution
 * sites and their processors, separated by blanks; a restarted job has the times of its last run. Sites are
 * numbered from 1, processors across the grid from 0. Further columns contain the fields of the log (-1 if
 * unknown) and, last, the estimate at submission (-1 for none). Needs a simulation with `processorSets:
 * true`.
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
  const nameFieldsByJob = formatJobNamesForCsv(workload);
  yield `${STOP_COLUMNS.join(',')}\n`;
  for (let i = 0; i < stops.job.length; i++) {
    const job = stops.job[i]!;
    const [start, end, processors] = [stops.start[i]!, stops.end[i]!, workload.processors[job]!];
    const heldProcessors = formatIntervalSet(processorSets.pairs, stops.firstPair[i]!, processors);
    yield `${nameFieldsByJob[job]},${stops.site[i]! + 1},${start},${end},${end - start},${processors},${heldProcessors}\n`;
  }
}

/**
 * Yields stops.csv in chunks of text, in order of the preemptions. Jobs are named as in jobs.csv; sites are
 * numbered from 1, processors across the grid from 0. Needs a simulation with `processorSets: true`.
 * @example
 * const stopping = simulate(workload, grid, { queue: 'per-home', reclaim: true, processorSets: true });
 * console.log([...stopsCsv(stopping)].length); // 1
 */
export function stopsCsv(simulation: Simulation): Generator<string> {
  checkArgument(simulation, 'simulation', 'stopsCsv');
  return joinLinesIntoChunks(formatStopsFileLines(simulation));
}
