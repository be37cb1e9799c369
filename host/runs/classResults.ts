/** Results by job class over replications, and the metrics that runs compute for them. */
import { firstElement } from '../lists.js';
import {
  CLASS_METRIC_NAMES,
  type ClassAttribute,
  findJobMetric,
  formatClassMetricName,
  type JobMetric,
  listJobClassNames,
  type ShownClasses,
} from '../simulate/jobMetrics.js';
import { estimateMean, INTERVAL_ERROR_PROBABILITY, type MeanEstimate } from '../statistics/interval.js';
import { type ClassLimits, chooseClassLimitsOfWorkload, type Workload } from '../workload/workload.js';
import { type ClassDifference, type ClassTestOptions, testClassDifference } from './classDifferences.js';

/** Requested classifications of jobs, and the classes to show. */
export interface RequestedJobClasses {
  readonly classings: readonly ClassAttribute[];
  readonly shown: ShownClasses;
}

/** Mean of a class metric, with an interval if it is over replications. */
export type ClassValue = Pick<MeanEstimate, 'mean'> & Partial<Pick<MeanEstimate, 'low' | 'high'>>;

/** Results of one class under each method. */
export interface ClassResult {
  readonly name: string;
  /** Number of jobs by method; over replications their mean. */
  readonly jobs: readonly number[];
  /**
   * Estimates by metric, then by method; null if the class has no jobs, or in fewer than two of several
   * replications.
   */
  readonly estimates: readonly (readonly (ClassValue | null)[])[];
  /**
   * Differences to the first method, by metric, then by method; null for the first method and where nothing
   * is tested.
   */
  readonly differences?: readonly (readonly (ClassDifference | null)[])[];
}

/** Returns the test options of a metric, except the error level that the classes share. */
export type MakeClassTestOptions = (metric: JobMetric) => Omit<ClassTestOptions, 'level'>;

/** All classes of one classification, in ascending order. */
export interface ClassResults {
  readonly by: ClassAttribute;
  readonly shown: ShownClasses[ClassAttribute];
  /** Limits that define short and narrow jobs. */
  readonly limits: ClassLimits;
  /** Metric names, such as `meanWait`. */
  readonly metrics: readonly string[];
  readonly classes: readonly ClassResult[];
}

/** Default metrics of job classes. */
const DEFAULT_CLASS_METRICS = ['meanWait', 'averageResponseTime', 'meanBoundedSlowdown'];

/** Metrics among those given that are available by class; the default ones if none is. */
export function selectClassMetrics(metricNames: readonly string[]): readonly string[] {
  const classMetrics = metricNames.filter((metricName) => CLASS_METRIC_NAMES.includes(metricName));
  return classMetrics.length === 0 ? DEFAULT_CLASS_METRICS : classMetrics;
}

/** Jobs of a workload in the form needed for classification. */
export const makeClassifiableJobs = (workload: Workload) => ({
  count: workload.count,
  jobs: workload,
  names: workload.names,
  limits: chooseClassLimitsOfWorkload(workload),
  readLogField: (field: keyof NonNullable<Workload['log']>) => workload.log?.[field],
});

/** Name of a metric restricted to one class. */
export const nameClassMetric = (metric: string, classAttribute: ClassAttribute, className: string) =>
  findJobMetric(formatClassMetricName(metric, classAttribute, className)) as JobMetric;

/** Names of all classes with jobs under some method. */
const findClassNames = (workloads: readonly Workload[], classAttribute: ClassAttribute) =>
  listJobClassNames([...new Set(workloads)].map(makeClassifiableJobs), classAttribute);

/**
 * Metrics of all classes, to be computed by runs.
 * @param workloads jobs of each method.
 */
export function makeClassMetrics(
  workloads: readonly Workload[],
  { classings }: RequestedJobClasses,
  metrics: readonly string[],
): JobMetric[] {
  return classings.flatMap((jobClassification) =>
    findClassNames(workloads, jobClassification).flatMap((className) =>
      ['jobs', ...metrics].map((metric) => nameClassMetric(metric, jobClassification, className)),
    ),
  );
}

/** Mean over the replications with jobs of a class; for one simulation, its value. */
function computeMeanClassValue(classValues: readonly number[]): ClassValue | null {
  const definedValues = classValues.filter((classValue) => !Number.isNaN(classValue));
  if (classValues.length === 1 && definedValues.length === 1) return { mean: firstElement(definedValues) };
  return definedValues.length < 2 ? null : estimateMean(definedValues);
}

/**
 * Results of the job classes.
 * @param workloads jobs of each method.
 * @param samplesOf values of a metric of `makeClassMetrics` under a method, by replication.
 * @param makeTestOptions test options for the differences to the first method; absent: no tests.
 */
export function computeClassResults(
  workloads: readonly Workload[],
  { classings, shown }: RequestedJobClasses,
  metrics: readonly string[],
  samplesOf: (metric: JobMetric, method: number) => readonly number[],
  makeTestOptions?: MakeClassTestOptions,
): ClassResults[] {
  const methodIndexes = workloads.map((_, method) => method);
  return classings.map((jobClassification) => {
    const classNames = findClassNames(workloads, jobClassification);
    const level = INTERVAL_ERROR_PROBABILITY / Math.max(1, classNames.length * (workloads.length - 1));
    const valuesOf = (metric: string, className: string) =>
      methodIndexes.map((method) => samplesOf(nameClassMetric(metric, jobClassification, className), method));
    const testClassDifferences = (
      metric: string,
      className: string,
      makeOptionsOfMetric: MakeClassTestOptions,
    ) => {
      const testOptions = {
        ...makeOptionsOfMetric(nameClassMetric(metric, jobClassification, className)),
        level,
      };
      const [first = [], ...others] = valuesOf(metric, className);
      return [null, ...others.map((values) => testClassDifference(first, values, testOptions))];
    };
    return {
      by: jobClassification,
      shown: shown[jobClassification],
      limits: chooseClassLimitsOfWorkload(firstElement(workloads)),
      metrics,
      classes: classNames.map((className) => {
        const [jobCounts = [], ...estimates] = ['jobs', ...metrics].map((metric) =>
          valuesOf(metric, className).map(computeMeanClassValue),
        );
        const differences =
          makeTestOptions &&
          metrics.map((metric) => testClassDifferences(metric, className, makeTestOptions));
        return {
          ...{ name: className, jobs: jobCounts.map((estimate) => estimate?.mean ?? 0), estimates },
          ...(differences?.flat().some((each) => each !== null) && { differences }),
        };
      }),
    };
  });
}
