/** Classes of jobs over replications: the metrics requested of runs, and results from them. */
import { firstOf } from '../lists.js';
import {
  CLASS_METRICS,
  type Classing,
  classNames,
  type JobMetric,
  jobMetric,
  printClassMetric,
  type ShownClasses,
} from '../simulate/jobMetrics.js';
import { ERROR_PROBABILITY, estimateMean, type MeanEstimate } from '../statistics/interval.js';
import { type ClassLimits, classLimitsOf, type Workload } from '../workload/workload.js';
import { type ClassDifference, type ClassJudging, classDifference } from './classDifferences.js';

/** Classifications of jobs, and the classes that are shown. */
export interface RequestedClasses {
  readonly classings: readonly Classing[];
  readonly shown: ShownClasses;
}

/** A mean of a class, with an interval where it is over replications. */
export type ClassValue = Pick<MeanEstimate, 'mean'> & Partial<Pick<MeanEstimate, 'low' | 'high'>>;

/** One class under each method. */
export interface ClassResult {
  readonly name: string;
  /** The number of its jobs by method: over replications, the mean. */
  readonly jobs: readonly number[];
  /**
   * Estimates by metric, then by method; null if the class has no jobs, or has jobs in fewer than two of several
   * replications.
   */
  readonly estimates: readonly (readonly (ClassValue | null)[])[];
  /** Differences to the first method by metric, then by method; null for the first, and where nothing is judged. */
  readonly differences?: readonly (readonly (ClassDifference | null)[])[];
}

/** How classes are judged by a metric, but for the level, which the classes share. */
export type JudgeClasses = (metric: JobMetric) => Omit<ClassJudging, 'level'>;

/** The classes of one kind, all of them, in ascending order of their numbers. */
export interface ClassResults {
  readonly by: Classing;
  readonly shown: ShownClasses[Classing];
  /** Limits of short and narrow jobs. */
  readonly limits: ClassLimits;
  /** Names of metrics, as `meanWait`. */
  readonly metrics: readonly string[];
  readonly classes: readonly ClassResult[];
}

/** Default metrics of job classes. */
const DEFAULT_CLASS_METRICS = ['meanWait', 'averageResponseTime', 'meanBoundedSlowdown'];

/** The metrics that classes have, of those given; the default ones if there is none. */
export function shownClassMetrics(names: readonly string[]): readonly string[] {
  const known = names.filter((name) => CLASS_METRICS.includes(name));
  return known.length === 0 ? DEFAULT_CLASS_METRICS : known;
}

/** The jobs of a workload as classes are made of them. */
export const classedJobs = (workload: Workload) => ({
  count: workload.count,
  jobs: workload,
  names: workload.names,
  limits: classLimitsOf(workload),
  logged: (field: keyof NonNullable<Workload['log']>) => workload.log?.[field],
});

/** A metric of all jobs for those of one class. */
export const metricOfClass = (metric: string, by: Classing, name: string) =>
  jobMetric(printClassMetric(metric, by, name)) as JobMetric;

/** The names of the classes that jobs of some methods are in. */
const namesOfClasses = (workloads: readonly Workload[], by: Classing) =>
  classNames([...new Set(workloads)].map(classedJobs), by);

/**
 * The metrics of all classes of the jobs, which are requested of runs.
 * @param workloads the jobs of each method.
 */
export function classMetricsOf(
  workloads: readonly Workload[],
  { classings }: RequestedClasses,
  metrics: readonly string[],
): JobMetric[] {
  return classings.flatMap((by) =>
    namesOfClasses(workloads, by).flatMap((name) =>
      ['jobs', ...metrics].map((metric) => metricOfClass(metric, by, name)),
    ),
  );
}

/** The mean over the replications in which a class has jobs; of one simulation the value. */
function estimateOf(values: readonly number[]): ClassValue | null {
  const known = values.filter((value) => !Number.isNaN(value));
  if (values.length === 1 && known.length === 1) return { mean: firstOf(known) };
  return known.length < 2 ? null : estimateMean(known);
}

/**
 * The classes of the jobs over replications, or in one simulation of each method.
 * @param workloads the jobs of each method.
 * @param samples the values of a metric of `classMetricsOf` under a method, by replication.
 * @param judge how to judge the differences to the first method; default: they are not judged.
 */
export function classResults(
  workloads: readonly Workload[],
  { classings, shown }: RequestedClasses,
  metrics: readonly string[],
  samples: (metric: JobMetric, method: number) => readonly number[],
  judge?: JudgeClasses,
): ClassResults[] {
  const places = workloads.map((_, method) => method);
  return classings.map((by) => {
    const names = namesOfClasses(workloads, by);
    const level = ERROR_PROBABILITY / Math.max(1, names.length * (workloads.length - 1));
    const valuesOf = (metric: string, name: string) =>
      places.map((method) => samples(metricOfClass(metric, by, name), method));
    const differencesOf = (metric: string, name: string, judgeBy: JudgeClasses) => {
      const judging = { ...judgeBy(metricOfClass(metric, by, name)), level };
      const [first = [], ...others] = valuesOf(metric, name);
      return [null, ...others.map((own) => classDifference(first, own, judging))];
    };
    return {
      by,
      shown: shown[by],
      limits: classLimitsOf(firstOf(workloads)),
      metrics,
      classes: names.map((name) => {
        const [jobs = [], ...estimates] = ['jobs', ...metrics].map((metric) =>
          valuesOf(metric, name).map(estimateOf),
        );
        const differences = judge && metrics.map((metric) => differencesOf(metric, name, judge));
        return {
          ...{ name, jobs: jobs.map((estimate) => estimate?.mean ?? 0), estimates },
          ...(differences?.flat().some((each) => each !== null) && { differences }),
        };
      }),
    };
  });
}
