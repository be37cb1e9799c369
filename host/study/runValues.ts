/** The numbers that a study keeps of each run, by name. */
import { InputError } from '../errors.js';
import { checkNames } from '../notation.js';
import { CLASS_METRICS, JOB_METRICS, jobMetric } from '../simulate/jobMetrics.js';
import { JobOutcomes } from '../simulate/jobOutcomes.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { METRICS } from '../simulate/metrics.js';
import type { Simulator } from '../simulate/simulator.js';
import { SCALAR_METRICS, SITE_METRICS, type Summary, summarize, unknownMetric } from '../simulate/summary.js';
import type { Workload } from '../workload/workload.js';
import type { MeasureKeys, StudyKeys } from './schema.js';

type StudyKind = StudyKeys['kind'];

/** The average response time of all jobs, and of those of each home site: a measure of it has the axis `home site`. */
export const HOME_METRIC = 'averageResponseTimeByHome';

/** The metric that counts where none is named. */
export const DEFAULT_METRIC = 'averageResponseTime';

/** Position of each metric of a whole run. */
const POSITIONS = new Map(SCALAR_METRICS.map(({ name }, position) => [name, position]));

/** Number of metrics of a simulation on this number of sites. */
export function metricCount(siteCount: number): number {
  return SCALAR_METRICS.length + SITE_METRICS.length * siteCount;
}

/** Names of the metrics of a simulation on this many sites, in the order of `metricValues`. */
export function metricNames(siteCount: number): string[] {
  const sites = Array.from({ length: siteCount }, (_, i) => i + 1);
  return [
    ...SCALAR_METRICS.map(({ name }) => name),
    ...SITE_METRICS.flatMap(({ nameOf }) => sites.map(nameOf)),
  ];
}

/** Metrics that a study keeps of each run, in order, named as for a run on one site. */
export function keptMetrics({
  kind,
  measures,
}: {
  readonly kind: StudyKind;
  readonly measures: readonly Pick<MeasureKeys, 'metric'>[];
}): readonly string[] {
  if (kind === 'workloads') return WORKLOAD_METRICS;
  return [...metricNames(1), ...jobMetricsIn(measures.map(({ metric }) => metric))];
}

/**
 * Metrics among those given that need every job of a run, and are computed on request; those of classes last.
 */
export function jobMetricsIn(names: readonly string[]): string[] {
  return [
    ...JOB_METRICS.flatMap(({ name }) => (names.includes(name) ? [name] : [])),
    ...classMetricsIn(names),
  ];
}

/** The given metrics that are of classes of jobs, in their order. */
export function classMetricsIn(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => name.includes('[') && jobMetric(name) !== undefined))];
}

const PLACES = new Map<string, ReadonlyMap<string, number>>();

/**
 * Places of the values of a run on this many sites, by the names of their metrics. Metrics of every job have the last places,
 * whether they are requested or not; after them come those of classes.
 * @param ofClasses those of classes of jobs that are kept, as `classMetricsIn` has them.
 */
export function valuePlaces(
  kind: StudyKind,
  siteCount: number,
  ofClasses: readonly string[] = [],
): ReadonlyMap<string, number> {
  const key = kind === 'workloads' ? kind : `${siteCount} ${ofClasses.join()}`;
  const known = PLACES.get(key);
  if (known !== undefined) return known;
  const ofJobs = JOB_METRICS.map(({ name }) => name);
  const names =
    kind === 'workloads' ? WORKLOAD_METRICS : [...metricNames(siteCount), ...ofJobs, ...ofClasses];
  const places = new Map(names.map((name, place) => [name, place] as const));
  PLACES.set(key, places);
  return places;
}

/** Number of values kept of a run on this number of sites, including metrics of every job if requested. */
export function valueCount(siteCount: number, names: readonly string[]): number {
  const ofJobs = jobMetricsIn(names);
  return (
    metricCount(siteCount) + (ofJobs.length === 0 ? 0 : JOB_METRICS.length + classMetricsIn(ofJobs).length)
  );
}

/** The metrics of a simulation, in the order of `metricNames`. */
export function metricValues(summary: Summary): number[] {
  return [
    ...SCALAR_METRICS.map(({ of }) => of(summary)),
    ...SITE_METRICS.flatMap(({ of }) => summary.sites.map((_, site) => of(summary, site))),
  ];
}

/** All values of a run that has ended: its metrics, and, if any metric of every job is requested, all of those, with NaN for the unrequested. */
export function runValues(simulator: Simulator, jobMetrics: readonly string[]): number[] {
  const values = metricValues(summarize(simulator));
  if (jobMetrics.length === 0) return values;
  const jobs = new JobOutcomes(simulator);
  return [
    ...values,
    ...JOB_METRICS.map(({ name, ofJobs }) => (jobMetrics.includes(name) ? ofJobs(jobs) : Number.NaN)),
    ...classMetricsIn(jobMetrics).map((name) => jobMetric(name)?.ofJobs(jobs) ?? Number.NaN),
  ];
}

/** The metric of a site or home with a name, and its number from 1. */
function siteMetric(name: string): { readonly index: number; readonly number: number } | undefined {
  const [, digits] = /^[a-z]+([1-9]\d*)[A-Z]/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  const index = SITE_METRICS.findIndex(({ nameOf }) => nameOf(number) === name);
  return index < 0 ? undefined : { index, number };
}

/** The number of the site that a metric is of; undefined for one of a whole run. */
export function siteOf(metric: string): number | undefined {
  return POSITIONS.has(metric) ? undefined : siteMetric(metric)?.number;
}

/** The description of a metric of simulations; undefined for an unknown name. */
export function metricOf(name: string): Metric | undefined {
  if (name === HOME_METRIC) return METRICS.run.averageResponseTime;
  const position = POSITIONS.get(name);
  if (position !== undefined) return SCALAR_METRICS[position];
  const ofJobs = jobMetric(name);
  if (ofJobs !== undefined) return ofJobs;
  const found = siteMetric(name);
  if (found === undefined) return undefined;
  const metric = SITE_METRICS[found.index]!;
  return { ...metric, label: `${metric.label}, site ${found.number}` };
}

/** Statistics of the jobs alone, in the order of `workloadValues`; times are seconds at speed 1, before the load. */
export const WORKLOAD_METRICS = [
  'jobs',
  'longestRuntime',
  'meanRuntime',
  'widestJob',
  'meanProcessors',
  'meanGap',
  'processorSeconds',
] as const;

/** Statistics of jobs; sums are taken in job order. `meanGap` is the mean time between submits. */
export function workloadValues({ count, submit, runtime, processors }: Workload): number[] {
  let longest = 0;
  let seconds = 0;
  let widest = 0;
  let width = 0;
  let work = 0;
  for (let job = 0; job < count; job++) {
    longest = Math.max(longest, runtime[job]!);
    seconds += runtime[job]!;
    widest = Math.max(widest, processors[job]!);
    width += processors[job]!;
    work += processors[job]! * runtime[job]!;
  }
  const gap = count > 1 ? (submit[count - 1]! - submit[0]!) / (count - 1) : 0;
  return [count, longest, seconds / count, widest, width / count, gap, work];
}

/** Existing names close to an unknown one; for users, groups and sites an example. */
const KNOWN: readonly string[] = [
  ...[...SCALAR_METRICS, ...JOB_METRICS].map(({ name }) => name),
  ...CLASS_METRICS.map((each) => `${each}[user=1]`),
];

/**
 * Checks the name of a metric of a study.
 * @throws InputError for an unknown name.
 */
export function checkMetric(name: string, kind: StudyKind): void {
  if (kind === 'workloads') {
    checkNames([name], WORKLOAD_METRICS, 'metric');
    return;
  }
  if (metricOf(name) !== undefined) return;
  const ofFirstSite = SITE_METRICS.map(({ nameOf }) => nameOf(1));
  throw unknownMetric(name, [...KNOWN, HOME_METRIC, ...ofFirstSite]);
}

/**
 * A metric of a run by its name.
 * @throws InputError for an unknown one.
 */
export function runMetric(name: string): NamedMetric {
  const metric: NamedMetric | undefined =
    SCALAR_METRICS.find((each) => each.name === name) ?? jobMetric(name);
  if (metric === undefined) throw unknownMetric(name, KNOWN);
  return metric;
}

/**
 * A metric by which methods are compared.
 * @throws InputError for an unknown metric, or one that is not better when it is less or more.
 */
export function comparedMetric(name: string): NamedMetric {
  const metric = runMetric(name);
  if (metric.better !== undefined) return metric;
  throw new InputError(`metric '${name}' has no better or worse; choose another, see gridalloc metrics`);
}
