/** Metrics that a study keeps of each run. */
import { InputError } from '../errors.js';
import { checkKnownNames } from '../notation.js';
import { CLASS_METRIC_NAMES, findJobMetric, JOB_METRICS } from '../simulate/jobMetrics.js';
import { FinishedJobOutcomes } from '../simulate/jobOutcomes.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { METRICS_BY_SUMMARY_PART } from '../simulate/metrics.js';
import type { Simulator } from '../simulate/simulator.js';
import {
  makeUnknownMetricError,
  SCALAR_METRICS,
  SITE_METRICS,
  type Summary,
  summarize,
} from '../simulate/summary.js';
import type { Workload } from '../workload/workload.js';
import type { MeasureKeys, StudyKeys } from './schema.js';

type StudyKind = StudyKeys['kind'];

/**
 * Metric name for average response times of all jobs and by home site; a measure of it has the axis `home
 * site`.
 */
export const RESPONSE_TIME_BY_HOME_METRIC = 'averageResponseTimeByHome';

/** Default metric. */
export const DEFAULT_METRIC_NAME = 'averageResponseTime';

/** Position of each whole-run metric. */
const SCALAR_METRIC_POSITIONS = new Map(
  SCALAR_METRICS.map(({ name: metricName }, position) => [metricName, position]),
);

/** Number of metrics of a simulation on this number of sites. */
export function countMetricsOfSimulation(siteCount: number): number {
  return SCALAR_METRICS.length + SITE_METRICS.length * siteCount;
}

/** Metric names of a simulation on `siteCount` sites, in the order of `readMetricValuesOfSummary`. */
export function listMetricNamesOfSimulation(siteCount: number): string[] {
  const sites = Array.from({ length: siteCount }, (_, i) => i + 1);
  return [
    ...SCALAR_METRICS.map(({ name: metricName }) => metricName),
    ...SITE_METRICS.flatMap(({ nameOf }) => sites.map(nameOf)),
  ];
}

/** Names of the metrics that a study keeps, as for a run on one site. */
export function listMetricNamesKeptByStudy({
  kind,
  measures,
}: {
  readonly kind: StudyKind;
  readonly measures: readonly Pick<MeasureKeys, 'metric'>[];
}): readonly string[] {
  if (kind === 'workloads') return WORKLOAD_STATISTIC_NAMES;
  return [...listMetricNamesOfSimulation(1), ...selectJobMetrics(measures.map(({ metric }) => metric))];
}

/**
 * Selects the per-job metrics among the given names, which are computed on request; class metrics come last.
 */
export function selectJobMetrics(metricNames: readonly string[]): string[] {
  return [
    ...JOB_METRICS.flatMap(({ name: metricName }) => (metricNames.includes(metricName) ? [metricName] : [])),
    ...selectClassMetricsByName(metricNames),
  ];
}

/** Class metrics among the given names, in order. */
export function selectClassMetricsByName(metricNames: readonly string[]): string[] {
  return [
    ...new Set(
      metricNames.filter((metricName) => metricName.includes('[') && findJobMetric(metricName) !== undefined),
    ),
  ];
}

const valuePositionsCache = new Map<string, ReadonlyMap<string, number>>();

/**
 * Positions of a run's values by metric name. Per-job metrics follow whole-run and site metrics, then class
 * metrics.
 * @param classMetrics kept class metrics, from `selectClassMetricsByName`.
 */
export function valuePositionsByMetric(
  studyKind: StudyKind,
  siteCount: number,
  classMetrics: readonly string[] = [],
): ReadonlyMap<string, number> {
  const cacheKey = studyKind === 'workloads' ? studyKind : `${siteCount} ${classMetrics.join()}`;
  const cachedPositions = valuePositionsCache.get(cacheKey);
  if (cachedPositions !== undefined) return cachedPositions;
  const jobMetricNames = JOB_METRICS.map(({ name: metricName }) => metricName);
  const metricNames =
    studyKind === 'workloads'
      ? WORKLOAD_STATISTIC_NAMES
      : [...listMetricNamesOfSimulation(siteCount), ...jobMetricNames, ...classMetrics];
  const positions = new Map(metricNames.map((metricName, position) => [metricName, position] as const));
  valuePositionsCache.set(cacheKey, positions);
  return positions;
}

/** Number of values kept of a run on this number of sites, including requested per-job metrics. */
export function countKeptValuesOfRun(siteCount: number, metricNames: readonly string[]): number {
  const jobMetrics = selectJobMetrics(metricNames);
  return (
    countMetricsOfSimulation(siteCount) +
    (jobMetrics.length === 0 ? 0 : JOB_METRICS.length + selectClassMetricsByName(jobMetrics).length)
  );
}

/** Metrics of a simulation, in the order of `listMetricNamesOfSimulation`. */
export function readMetricValuesOfSummary(summary: Summary): number[] {
  return [
    ...SCALAR_METRICS.map(({ valueIn: valueOfRun }) => valueOfRun(summary)),
    ...SITE_METRICS.flatMap(({ valueIn }) => summary.sites.map((_, site) => valueIn(summary, site))),
  ];
}

/**
 * All values of a finished run: its metrics and, if any per-job metric is requested, all of those (NaN if
 * not requested).
 */
export function valuesOfFinishedRun(simulator: Simulator, jobMetrics: readonly string[]): number[] {
  const metricValues = readMetricValuesOfSummary(summarize(simulator));
  if (jobMetrics.length === 0) return metricValues;
  const outcomes = new FinishedJobOutcomes(simulator);
  return [
    ...metricValues,
    ...JOB_METRICS.map(({ name: metricName, computeFromJobs }) =>
      jobMetrics.includes(metricName) ? computeFromJobs(outcomes) : Number.NaN,
    ),
    ...selectClassMetricsByName(jobMetrics).map(
      (metricName) => findJobMetric(metricName)?.computeFromJobs(outcomes) ?? Number.NaN,
    ),
  ];
}

/** Metric of one site or home: its name, and the site number from 1. */
function parseSiteMetric(
  metricName: string,
): { readonly index: number; readonly number: number } | undefined {
  const [, digits] = /^[a-z]+([1-9]\d*)[A-Z]/.exec(metricName) ?? [];
  if (digits === undefined) return undefined;
  const siteNumber = Number(digits);
  const index = SITE_METRICS.findIndex(({ nameOf }) => nameOf(siteNumber) === metricName);
  return index < 0 ? undefined : { index, number: siteNumber };
}

/** Site number of a site metric, from 1; undefined for a whole-run metric. */
export function findSiteNumberOfMetric(metric: string): number | undefined {
  return SCALAR_METRIC_POSITIONS.has(metric) ? undefined : parseSiteMetric(metric)?.number;
}

/** Description of a simulation metric; undefined if unknown. */
export function findSimulationMetric(metricName: string): Metric | undefined {
  if (metricName === RESPONSE_TIME_BY_HOME_METRIC) return METRICS_BY_SUMMARY_PART.run.averageResponseTime;
  const position = SCALAR_METRIC_POSITIONS.get(metricName);
  if (position !== undefined) return SCALAR_METRICS[position];
  const jobMetric = findJobMetric(metricName);
  if (jobMetric !== undefined) return jobMetric;
  const siteMetric = parseSiteMetric(metricName);
  if (siteMetric === undefined) return undefined;
  const metric = SITE_METRICS[siteMetric.index]!;
  return { ...metric, label: `${metric.label}, site ${siteMetric.number}` };
}

/**
 * Statistics of workloads, in the order of `computeWorkloadStatistics`; times are seconds at speed 1, without load
 * factor.
 */
export const WORKLOAD_STATISTIC_NAMES = [
  'jobs',
  'longestRuntime',
  'meanRuntime',
  'widestJob',
  'meanProcessors',
  'meanGap',
  'processorSeconds',
] as const;

/**
 * Values of the statistics in `WORKLOAD_STATISTIC_NAMES`; the mean gap is the mean interarrival time in
 * seconds.
 */
export function computeWorkloadStatistics({
  count: jobCount,
  submit,
  runtime,
  processors,
}: Workload): number[] {
  let longest = 0;
  let totalRuntime = 0;
  let widestJobProcessorCount = 0;
  let totalProcessors = 0;
  let totalWork = 0;
  for (let job = 0; job < jobCount; job++) {
    longest = Math.max(longest, runtime[job]!);
    totalRuntime += runtime[job]!;
    widestJobProcessorCount = Math.max(widestJobProcessorCount, processors[job]!);
    totalProcessors += processors[job]!;
    totalWork += processors[job]! * runtime[job]!;
  }
  const meanInterarrivalTime = jobCount > 1 ? (submit[jobCount - 1]! - submit[0]!) / (jobCount - 1) : 0;
  return [
    jobCount,
    longest,
    totalRuntime / jobCount,
    widestJobProcessorCount,
    totalProcessors / jobCount,
    meanInterarrivalTime,
    totalWork,
  ];
}

/** Metric names for suggestions, with examples for users, groups and sites. */
const SUGGESTED_METRIC_NAMES: readonly string[] = [
  ...[...SCALAR_METRICS, ...JOB_METRICS].map(({ name: metricName }) => metricName),
  ...CLASS_METRIC_NAMES.map((metric) => `${metric}[user=1]`),
];

/**
 * Checks a metric name in a study.
 * @throws InputError if unknown.
 */
export function checkStudyMetricName(metricName: string, studyKind: StudyKind): void {
  if (studyKind === 'workloads') {
    checkKnownNames([metricName], WORKLOAD_STATISTIC_NAMES, 'metric');
    return;
  }
  if (findSimulationMetric(metricName) !== undefined) return;
  const metricNamesOfFirstSite = SITE_METRICS.map(({ nameOf }) => nameOf(1));
  throw makeUnknownMetricError(metricName, [
    ...SUGGESTED_METRIC_NAMES,
    RESPONSE_TIME_BY_HOME_METRIC,
    ...metricNamesOfFirstSite,
  ]);
}

/**
 * Run metric by name.
 * @throws InputError if unknown.
 */
export function findRunMetric(metricName: string): NamedMetric {
  const metric: NamedMetric | undefined =
    SCALAR_METRICS.find((candidate) => candidate.name === metricName) ?? findJobMetric(metricName);
  if (metric === undefined) throw makeUnknownMetricError(metricName, SUGGESTED_METRIC_NAMES);
  return metric;
}

/**
 * Metric for comparing methods.
 * @throws InputError if unknown or without a better direction.
 */
export function findComparisonMetric(metricName: string): NamedMetric {
  const metric = findRunMetric(metricName);
  if (metric.better !== undefined) return metric;
  throw new InputError(
    `metric '${metricName}' has no better or worse; choose another, see gridalloc metrics`,
  );
}
