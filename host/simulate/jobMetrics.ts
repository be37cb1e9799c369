/**
 * Metrics that need every job of a run and are computed only on request: percentiles, fairness among users,
 * values recorded in the log; and the job classes to which they can be restricted.
 */
import { InputError } from '../errors.js';
import { capitalizeFirst } from '../format/numbers.js';
import { JOB_QUANTITIES, type JobQuantity } from '../jobs/quantities.js';
import { sumColumnExactly } from '../math/exactSum.js';
import { nameOfLogNumber, resolveFieldAlias, type SwfField } from '../trace/trace.js';
import type { ClassLimits, Workload } from '../workload/workload.js';
import {
  type FinishedJobOutcomes,
  type JobValues,
  REPORTED_PERCENTILES,
  selectPercentile,
} from './jobOutcomes.js';
import {
  type Metric,
  makeCountMetric,
  makeFactorMetric,
  makeSecondsMetric,
  TWO_DECIMAL_METRIC_FORMAT,
} from './metric.js';
import { METRICS_BY_SUMMARY_PART } from './metrics.js';

/**
 * Classifications of jobs: by a field of the log (accounts are the groups of Slurm), by home site, or by width and
 * runtime.
 */
export const CLASS_ATTRIBUTES = ['class', 'user', 'group', 'account', 'queue', 'partition', 'home'] as const;
export type ClassAttribute = (typeof CLASS_ATTRIBUTES)[number];

/**
 * Classes to show, by classification: all, or those with the given names. A classification that is
 * absent shows the classes with the longest waits.
 */
export type ShownClasses = Readonly<Partial<Record<ClassAttribute, 'all' | readonly string[]>>>;

const RUNTIME_WIDTH_CLASS_NAMES = ['short narrow', 'short wide', 'long narrow', 'long wide'];

/** Summary of the jobs of one class. Times are in seconds. */
export interface JobClass {
  /**
   * Name of the class: `short narrow`; the name of the user, group, queue or partition; or the number of the
   * home site. `unknown` if the log does not tell.
   */
  readonly name: string;
  readonly jobs: number;
  readonly meanWait: number;
  readonly p50Wait: number;
  readonly p95Wait: number;
  readonly maxWait: number;
  readonly averageResponseTime: number;
  readonly meanBoundedSlowdown: number;
}

/** Columns by which jobs are classified. */
interface ClassifiableJobs {
  readonly count: number;
  readonly jobs: {
    readonly home: ArrayLike<number>;
    readonly processors: ArrayLike<number>;
    readonly runtime: ArrayLike<number>;
  };
  readonly names: Workload['names'];
  /** Limits of short and narrow jobs. */
  readonly limits: ClassLimits;
  /** Returns a field of the log for each job; undefined if the jobs do not come from a log. */
  readonly readLogField: (field: SwfField) => Float64Array | undefined;
}

/**
 * Creates the classification of jobs by an attribute: functions that return the class number of a
 * job, and the name of a class number.
 */
function makeJobClassifier(
  jobs: ClassifiableJobs,
  classAttribute: ClassAttribute,
): { number: (job: number) => number; nameOfClass: (givenClassNumber: number) => string } {
  const { home, processors, runtime } = jobs.jobs;
  if (classAttribute === 'class') {
    const { shortRuntime, narrowWidth } = jobs.limits;
    return {
      number: (i) => 2 * Number(runtime[i]! > shortRuntime) + Number(processors[i]! > narrowWidth),
      nameOfClass: (classNumber) => RUNTIME_WIDTH_CLASS_NAMES[classNumber]!,
    };
  }
  if (classAttribute === 'home') return { number: (i) => home[i]! + 1, nameOfClass: String };
  const classField = resolveFieldAlias(classAttribute);
  const column = jobs.readLogField(classField);
  return {
    number: (i) => Math.max(-1, column?.[i] ?? -1),
    nameOfClass: (classNumber) =>
      classNumber < 0 ? 'unknown' : nameOfLogNumber(jobs.names, classField, classNumber),
  };
}

/**
 * Names of the classes that contain jobs of any given workload, each once, in the order of `getJobClassesOfRun`.
 */
export function listJobClassNames(
  workloads: readonly ClassifiableJobs[],
  classAttribute: ClassAttribute,
): string[] {
  const classNameByNumber = new Map<number, string>();
  for (const { number, name: className } of workloads.flatMap((jobs) =>
    groupJobsByClass(jobs, classAttribute),
  ))
    classNameByNumber.set(number, className);
  return [...classNameByNumber].sort(([a], [b]) => a - b).map(([, name]) => name);
}

/**
 * Groups jobs by class, in ascending order of class numbers, with short and narrow classes first.
 * @returns number and name of each class, and the indices of its jobs.
 */
export function groupJobsByClass(
  jobs: ClassifiableJobs,
  classAttribute: ClassAttribute,
): { readonly number: number; readonly name: string; readonly members: readonly number[] }[] {
  const { number, nameOfClass } = makeJobClassifier(jobs, classAttribute);
  const jobsByClass = new Map<number, number[]>();
  for (let i = 0; i < jobs.count; i++) {
    const classMembers = jobsByClass.get(number(i));
    if (classMembers === undefined) jobsByClass.set(number(i), [i]);
    else classMembers.push(i);
  }
  return [...jobsByClass]
    .sort(([a], [b]) => a - b)
    .map(([classNumber, members]) => ({ number: classNumber, name: nameOfClass(classNumber), members }));
}

const jobClassesCache = new WeakMap<FinishedJobOutcomes, Map<ClassAttribute, readonly JobClass[]>>();

/**
 * Summarizes the jobs of each class, in ascending order of class numbers, with short and narrow classes
 * first.
 */
export function getJobClassesOfRun(
  outcomes: FinishedJobOutcomes,
  classAttribute: ClassAttribute,
): readonly JobClass[] {
  const cachedClassesByAttribute =
    jobClassesCache.get(outcomes) ?? new Map<ClassAttribute, readonly JobClass[]>();
  jobClassesCache.set(outcomes, cachedClassesByAttribute);
  const classes = cachedClassesByAttribute.get(classAttribute) ?? computeJobClasses(outcomes, classAttribute);
  cachedClassesByAttribute.set(classAttribute, classes);
  return classes;
}

function computeJobClasses(outcomes: FinishedJobOutcomes, classAttribute: ClassAttribute): JobClass[] {
  return groupJobsByClass(outcomes, classAttribute).map(({ name: className, members }) => {
    const sorted = (quantity: JobQuantity) => {
      const valuesOfJobs = outcomes.values(quantity);
      return Float64Array.from(members, (i) => valuesOfJobs[i]!).sort();
    };
    const waits = sorted('wait');
    const [responses, slowdowns] = [sorted('response'), sorted('boundedSlowdown')];
    const computeMean = (valuesOfJobs: Float64Array) => sumColumnExactly(valuesOfJobs) / valuesOfJobs.length;
    return {
      name: className,
      jobs: members.length,
      meanWait: computeMean(waits),
      p50Wait: selectPercentile(waits, 50),
      p95Wait: selectPercentile(waits, 95),
      maxWait: selectPercentile(waits, 100),
      averageResponseTime: computeMean(responses),
      meanBoundedSlowdown: computeMean(slowdowns),
    };
  });
}

// Metrics of every job

/** A metric of every job. */
export interface JobMetric extends Metric {
  /** Name in studies and summaries. */
  readonly name: string;
  /**
   * Computes the metric.
   * @throws InputError if the log lacks the necessary data.
   */
  readonly computeFromJobs: (outcomes: FinishedJobOutcomes) => number;
}

/** A metric of every job that needs no classes of jobs. */
export interface JobValueMetric extends JobMetric {
  readonly computeFromJobs: (jobValues: JobValues) => number;
}

const JOB_QUANTITY_LABELS: Readonly<Record<JobQuantity, string>> = {
  wait: 'wait',
  response: 'response time',
  boundedSlowdown: 'bounded slowdown',
};
const JOB_QUANTITY_FORMULAS: Readonly<Record<JobQuantity, string>> = {
  ...JOB_QUANTITY_LABELS,
  response: 'response',
};

const chooseMetricMaker = (quantity: JobQuantity) =>
  quantity === 'boundedSlowdown' ? makeFactorMetric : makeSecondsMetric;
function makePercentileMetrics(quantity: JobQuantity): JobValueMetric[] {
  const percentileMetrics = REPORTED_PERCENTILES.map((p) => ({
    ...chooseMetricMaker(quantity)({
      noise: 'few',
      label: `${p}th percentile of ${JOB_QUANTITY_LABELS[quantity]}`,
      formula: `the ${JOB_QUANTITY_FORMULAS[quantity]} of rank ceil(${p} n / 100) in ascending order`,
    }),
    name: `p${p}${capitalizeFirst(quantity)}`,
    computeFromJobs: (jobValues: JobValues) => jobValues.percentile(quantity, p),
  }));
  // The longest wait is a metric of the core.
  if (quantity === 'wait') return percentileMetrics;
  const maximumMetric = {
    ...chooseMetricMaker(quantity)({
      noise: 'few',
      label: `maximum ${JOB_QUANTITY_LABELS[quantity]}`,
      formula: `the largest ${JOB_QUANTITY_FORMULAS[quantity]}`,
    }),
    name: `max${capitalizeFirst(quantity)}`,
    computeFromJobs: (jobValues: JobValues) => jobValues.percentile(quantity, 100),
  };
  return [...percentileMetrics, maximumMetric];
}

/** Mean of a quantity over the jobs of each user in the log, in ascending order. */
function computeMeanQuantityByUser(jobValues: JobValues, quantity: JobQuantity): Float64Array {
  const userMeans = jobValues.userMeans(quantity);
  if (userMeans.length > 0) return userMeans;
  throw new InputError('the log has no user numbers, so per-user metrics are unavailable');
}

/**
 * Jain's fairness index of u values, (sum x)^2 / (u sum x^2): 1 if all are equal, 1 / u if all but one are 0
 * (Jain, Chiu, Hawe 1984).
 */
export function computeJainFairnessIndex(userValues: Float64Array): number {
  const sum = sumColumnExactly(userValues);
  const sumOfSquares = sumColumnExactly(userValues.map((value) => value * value));
  return sumOfSquares > 0 ? (sum * sum) / (userValues.length * sumOfSquares) : 1;
}

function makeFairnessMetrics(quantity: JobQuantity): JobValueMetric[] {
  const noiseKindOfMeans = quantity === 'response' ? 'all' : 'waits';
  const makeUserMetric = (
    metricNameEnding: string,
    noise: Metric['noise'],
    metricLabel: string,
    formula: string,
    computeFromMeans: (means: Float64Array) => number,
    makeMetric: (description: Parameters<typeof makeSecondsMetric>[0]) => Metric = chooseMetricMaker(
      quantity,
    ),
  ): JobValueMetric => ({
    ...makeMetric({ noise, label: metricLabel, formula, edges: 'jobs of unknown user are excluded' }),
    name: `user${capitalizeFirst(quantity)}${metricNameEnding}`,
    computeFromJobs: (jobValues) => computeFromMeans(computeMeanQuantityByUser(jobValues, quantity)),
  });
  const meanLabel = `per-user mean ${JOB_QUANTITY_LABELS[quantity]}`;
  const meanFormula = `x, the mean ${JOB_QUANTITY_FORMULAS[quantity]} of each user's jobs`;
  return [
    makeUserMetric(
      'Least',
      'few',
      `minimum ${meanLabel}`,
      `the smallest ${meanFormula}`,
      (means) => means[0]!,
    ),
    makeUserMetric(
      'Median',
      noiseKindOfMeans,
      `median ${meanLabel}`,
      `the 50th percentile of ${meanFormula}`,
      (means) => selectPercentile(means, 50),
    ),
    makeUserMetric('Greatest', 'few', `maximum ${meanLabel}`, `the largest ${meanFormula}`, (means) =>
      selectPercentile(means, 100),
    ),
    makeUserMetric(
      'Jain',
      noiseKindOfMeans,
      `Jain's index of ${meanLabel}`,
      `(sum of x)<sup>2</sup> / (u × sum of x<sup>2</sup>) over u users (Jain, Chiu and Hawe 1984), of ${meanFormula}`,
      computeJainFairnessIndex,
      (description) => ({ ...description, format: { style: 'measure' }, better: 'more' }),
    ),
  ];
}

/** Mean of the waits recorded in the log. */
const RECORDED_WAIT_METRIC: JobValueMetric = {
  noise: 'waits',
  label: 'mean wait in the log',
  unit: 's',
  format: TWO_DECIMAL_METRIC_FORMAT,
  formula: 'sum of `recorded_wait` over the jobs that have one, over their number',
  name: 'recordedMeanWait',
  computeFromJobs: (jobValues) => {
    const mean = jobValues.meanRecordedWait();
    if (mean === undefined) throw new InputError('the log does not say how long its jobs waited (field 3)');
    return mean;
  },
};

/** All metrics that need every job, in the order of the documentation. */
export const JOB_METRICS: readonly JobValueMetric[] = [
  ...JOB_QUANTITIES.flatMap(makePercentileMetrics),
  ...JOB_QUANTITIES.flatMap(makeFairnessMetrics),
  RECORDED_WAIT_METRIC,
];

const JOB_METRICS_BY_NAME = new Map<string, JobMetric>(JOB_METRICS.map((metric) => [metric.name, metric]));

/**
 * Metrics available for job classes, by name: the field of `JobClass` with the value, and the metric of all
 * jobs with the label and format.
 */
const CLASS_METRICS_WITH_FIELDS: Readonly<Record<string, readonly [field: keyof JobClass & string, Metric]>> =
  {
    jobs: ['jobs', makeCountMetric({ noise: 'all', label: 'jobs', formula: 'number of jobs' })],
    ...Object.fromEntries(
      (['meanWait', 'maxWait', 'averageResponseTime', 'meanBoundedSlowdown'] as const).map((metricName) => [
        metricName,
        [metricName, METRICS_BY_SUMMARY_PART.run[metricName]] as const,
      ]),
    ),
    ...Object.fromEntries(
      (['p50Wait', 'p95Wait'] as const).map((metricName) => [
        metricName,
        [metricName, JOB_METRICS_BY_NAME.get(metricName) as Metric] as const,
      ]),
    ),
  };

/** Names of the metrics available for job classes. */
export const CLASS_METRIC_NAMES: readonly string[] = Object.keys(CLASS_METRICS_WITH_FIELDS);

/** Formats a class metric as text: `meanWait[user=ann]`. */
export function formatClassMetricName(
  metric: string,
  classAttribute: ClassAttribute,
  className: string,
): string {
  return `${metric}[${classAttribute}=${className}]`;
}

/**
 * Converts a metric name to letters, digits and dashes for tables, figures and files. Brackets of
 * class metrics are dropped, and other characters are replaced by their codes.
 * @example
 * metricAsFileName('p95Wait[class=short narrow]'); // 'p95Wait-class-short-narrow'
 */
export function metricAsFileName(metricName: string): string {
  const nameWithoutBrackets = metricName.replace(/\]$/, '').replace(/\[(\w+)=/, ' $1 ');
  return nameWithoutBrackets
    .replaceAll(/[^A-Za-z0-9 ]/g, (letter) => `-x${letter.codePointAt(0)?.toString(16)}`)
    .replaceAll(' ', '-');
}

/** Parses a class metric; its value is NaN in runs without a job of the class. Undefined for other texts. */
function parseClassMetric(classMetricText: string): JobMetric | undefined {
  const [, metric = '', by, className] = /^(\w+)\[(\w+)=(.+)\]$/s.exec(classMetricText) ?? [];
  const fieldAndMetric = Object.hasOwn(CLASS_METRICS_WITH_FIELDS, metric)
    ? CLASS_METRICS_WITH_FIELDS[metric]
    : undefined;
  const jobClassification = CLASS_ATTRIBUTES.find((knownClassAttribute) => knownClassAttribute === by);
  if (fieldAndMetric === undefined || jobClassification === undefined) return undefined;
  const [field, { noise, label, unit, format, better, formula }] = fieldAndMetric;
  return {
    ...{ name: classMetricText, noise, format, formula },
    label: `${label}, ${by === 'class' ? className : `${by} ${className}`}`,
    ...(unit === undefined ? {} : { unit }),
    ...(better === undefined ? {} : { better }),
    computeFromJobs: (outcomes) =>
      Number(getJobClassesOfRun(outcomes, jobClassification).find(({ name }) => name === className)?.[field]),
  };
}

/** Finds a metric that needs every job, by name; undefined if there is none. */
export function findJobMetric(metricName: string): JobMetric | undefined {
  return JOB_METRICS_BY_NAME.get(metricName) ?? parseClassMetric(metricName);
}

/** Values of metrics computed from every job, by metric name; metrics whose data the log lacks are absent. */
export type Distribution = Readonly<Record<string, number>>;

/** Computes all metrics that need every job. */
export function computeJobMetrics(jobValues: JobValues): Distribution {
  const metricValueEntries = JOB_METRICS.flatMap(({ name: metricName, computeFromJobs }) => {
    try {
      return [[metricName, computeFromJobs(jobValues)] as const];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  });
  return Object.fromEntries(metricValueEntries);
}
