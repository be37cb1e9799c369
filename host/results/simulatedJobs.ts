/** The jobs of a simulation as columns of numbers, one by attribute: what tools for tables take as it is. */
import { checkGiven } from '../given.js';
import { quantityOf } from '../simulate/jobOutcomes.js';
import type { Simulation } from '../simulate/simulate.js';

/** What is known of every job as a number, all in one order; -1 where it is unknown. */
export interface JobColumns {
  /** In the log; the pieces of a job that was cut share it. */
  readonly number: Float64Array;
  /** Seconds on the clock of the log; of jobs that depend on others when they were submitted in the simulation. */
  readonly submit: Float64Array;
  /** Seconds on the clock of the log. */
  readonly start: Float64Array;
  /** Seconds on the clock of the log: start + runtime. */
  readonly end: Float64Array;
  /** Seconds: start - submit. */
  readonly wait: Float64Array;
  /** Seconds of execution. */
  readonly runtime: Float64Array;
  /** Seconds: end - submit. */
  readonly response: Float64Array;
  /** (wait + runtime) / runtime, where a runtime below 10 s counts as 10 s; never below 1. */
  readonly boundedSlowdown: Float64Array;
  /** Processors requested. */
  readonly processors: Int32Array;
  /** Processors that it ran on: as many unless jobs are moldable. */
  readonly held: Int32Array;
  /** Requested time in seconds, times the load. */
  readonly estimate: Float64Array;
  /** Home site, numbered from 0. */
  readonly home: Int32Array;
  /** Where it ran, numbered from 0; of a split job the first of its sites. */
  readonly site: Int32Array;
  /** Number in the log; `workload.names` has the names of numbers, as of the next three. */
  readonly user: Float64Array;
  /** Number in the log. */
  readonly group: Float64Array;
  /** Number in the log. */
  readonly queue: Float64Array;
  /** Number in the log. */
  readonly partition: Float64Array;
  /** In the log, as SWF numbers it. */
  readonly status: Float64Array;
}

/** An attribute of a job. */
export type ListColumn = keyof JobColumns;

/** The attributes of jobs, in the order of tables. */
export const LIST_COLUMNS = [
  'number',
  'submit',
  'start',
  'end',
  'wait',
  'runtime',
  'response',
  'boundedSlowdown',
  'processors',
  'held',
  'estimate',
  'home',
  'site',
  'user',
  'group',
  'queue',
  'partition',
  'status',
] as const satisfies readonly ListColumn[];

/** With what follows from submit, start and runtime: -1 for jobs for which these are not known. */
export function withQuantities<Columns extends Pick<JobColumns, 'submit' | 'start' | 'runtime' | 'wait'>>(
  columns: Columns,
): Columns & Pick<JobColumns, 'response' | 'boundedSlowdown'> {
  const { submit, start, runtime, wait } = columns;
  const of = (quantity: 'response' | 'boundedSlowdown') =>
    submit.map((time, i) =>
      wait[i]! >= 0 && runtime[i]! >= 0 ? quantityOf(quantity, time, start[i]!, runtime[i]!) : -1,
    );
  return { ...columns, response: of('response'), boundedSlowdown: of('boundedSlowdown') };
}

/**
 * The jobs of a simulation as typed arrays by attribute, in the order of `workload.job`. Each is a block of memory of its
 * own, without gaps, so that Arrow and libraries of data frames take it without a copy; what the simulation has as a column is that
 * column, not a copy of it. They have the names of the columns that `gridalloc jobs` prints, where sites are numbered from 1.
 * @example
 * const { wait, site } = jobColumns(simulate(workload, grid));
 * console.log(wait.length, Math.max(...site)); // 200 1
 */
export function jobColumns(simulation: Simulation): JobColumns {
  checkGiven(simulation, 'simulation', 'jobColumns');
  const { workload, configuration, schedule } = simulation;
  const { count, job, processors, home, estimate, log } = workload;
  const { submit, start, execution, held, site } = schedule;
  const { load } = configuration;
  const logged = (field: 'user' | 'group' | 'queue' | 'partition' | 'status') =>
    log?.[field] ?? new Float64Array(count).fill(-1);
  const columns = withQuantities({
    ...{ number: job, submit, start, runtime: execution, processors, held, home, site },
    end: start.map((time, i) => time + execution[i]!),
    wait: start.map((time, i) => time - submit[i]!),
    estimate: load.every((factor) => factor === 1)
      ? estimate
      : estimate.map((seconds, i) => seconds * load[home[i]!]!),
    ...{ user: logged('user'), group: logged('group'), queue: logged('queue') },
    ...{ partition: logged('partition'), status: logged('status') },
  });
  return Object.fromEntries(LIST_COLUMNS.map((name) => [name, columns[name]])) as unknown as JobColumns;
}
