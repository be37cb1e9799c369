/** Offered load of a workload on a grid, and rescaling of arrivals to a target load. */
import { InputError } from '../errors.js';
import { makePrintableSourceName } from '../format/text.js';
import { isWorthCompilingLoops, type LoopWorkspace, withLoopWorkspace } from '../loops/workspace.js';
import { sumColumnExactly } from '../math/exactSum.js';
import type { Configuration } from '../options/configuration.js';
import { isCancelledJob } from '../workload/cancellations.js';
import type { Workload } from '../workload/workload.js';

/** Configuration that the offered load depends on. */
export type OfferedLoadConfiguration = Pick<Configuration, 'grid' | 'load' | 'runtimeReference'>;

/** Columns of jobs, in submit order, that determine the work; cancelled jobs contribute none. */
export type JobWorkColumns = Pick<
  Workload,
  'count' | 'submit' | 'runtime' | 'processors' | 'home' | 'patience'
>;

/** Total work of all jobs in processor-seconds, summed exactly; `computeWorksOfJobs` defines work. */
export function totalWork(jobColumns: JobWorkColumns, configuration: OfferedLoadConfiguration): number {
  return sumColumnExactly(computeWorksOfJobs(jobColumns, configuration));
}

/**
 * Work of each job in processor-seconds: processors × runtime × load of its home site, multiplied by the speed of that site if
 * runtimes refer to it; 0 for cancelled jobs.
 */
export function computeWorksOfJobs(
  jobColumns: JobWorkColumns,
  { grid, load, runtimeReference }: OfferedLoadConfiguration,
): Float64Array {
  const { count: jobCount, processors, home, patience } = jobColumns;
  const runtime =
    patience === undefined
      ? jobColumns.runtime
      : jobColumns.runtime.map((seconds, i) => (isCancelledJob(patience, i) ? 0 : seconds));
  const speeds = runtimeReference === 'home' ? grid.speeds : grid.speeds.map(() => 1);
  const layout = {
    ...{ processors, runtime, home },
    ...{ loads: Float64Array.from(load), speeds: Float64Array.from(speeds) },
    works: ['doubles', jobCount],
  } as const;
  const fill = ({ arrays, loops, keep }: LoopWorkspace<typeof layout>) => {
    const { works } = arrays;
    const loopArrays = [arrays.processors, arrays.runtime, arrays.home, arrays.loads, arrays.speeds] as const;
    loops.addWorkOfJobs(...loopArrays, jobCount, works);
    return keep(works);
  };
  return withLoopWorkspace(layout, fill, isWorthCompilingLoops(jobCount));
}

/**
 * Offered load: work / (processors × speed of the grid × time from the first to the last submission), as a
 * share of 1. 0 if all jobs are submitted at the same time.
 * @param work work of the jobs, if known.
 * @example
 * const load = offeredLoad(workload, { grid, load: [1, 1], runtimeReference: 'speed1' });
 * console.log(load > 0); // true
 */
export function computeOfferedLoad(
  jobColumns: JobWorkColumns,
  configuration: OfferedLoadConfiguration,
  work = totalWork(jobColumns, configuration),
): number {
  const { count: jobCount, submit } = jobColumns;
  return computeOfferedLoadOfWork(
    work,
    jobCount === 0 ? 0 : submit[jobCount - 1]! - submit[0]!,
    configuration,
  );
}

/**
 * Offered load of a total work.
 * @param time seconds from the first to the last submission.
 */
export function computeOfferedLoadOfWork(
  totalWork: number,
  time: number,
  { grid: { capacities, speeds } }: OfferedLoadConfiguration,
): number {
  const totalSpeed = capacities.reduce((sum, capacity, site) => sum + capacity * speeds[site]!, 0);
  return time > 0 ? totalWork / (totalSpeed * time) : 0;
}

/**
 * Factor by which submit times must be stretched for jobs to offer a given load.
 * @throws InputError if all jobs are submitted at the same time.
 */
export function computeArrivalStretchFactor(
  workload: Workload,
  configuration: OfferedLoadConfiguration,
  targetLoad: number,
): number {
  const currentOfferedLoad = computeOfferedLoad(workload, configuration);
  if (currentOfferedLoad > 0) return currentOfferedLoad / targetLoad;
  throw new InputError(
    `${makePrintableSourceName(workload.name)}: all jobs are submitted at the same time, so --offered-load cannot be reached by scaling submit times; omit it`,
  );
}

/**
 * Multiplies the times since the first submission by a factor; whole seconds stay whole.
 * @example
 * const rare = stretchArrivals(workload, 2);
 * console.log(rare.submit[9] - rare.submit[0] === 2 * (workload.submit[9] - workload.submit[0])); // true
 */
export function stretchArrivals(workload: Workload, scaleFactor: number): Workload {
  const { submit, unixStartTime: _, ...otherFields } = workload;
  const [first = 0] = submit;
  const areWhole = submit.every(Number.isInteger);
  const stretchedSubmitTimes = submit.map((time) => {
    const unroundedArrival = first + (time - first) * scaleFactor;
    return areWhole ? Math.floor(unroundedArrival + 0.5) : unroundedArrival;
  });
  return { ...otherFields, submit: stretchedSubmitTimes };
}

/** Remark for readers on a requested offered load. */
export function remarkOnOfferedLoad(targetLoad: number): string | undefined {
  if (targetLoad < 1) return undefined;
  return `an offered load of ${targetLoad} saturates the grid: queues grow until the last submission`;
}
