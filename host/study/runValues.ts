/** The numbers that a study keeps of each run, by name. */

import { nearest } from '../notation.js';
import type { Summary } from '../simulate/summary.js';
import type { Workload } from '../workload/workload.js';

/** Metrics of a summary that are one number, under their own names. */
const PLAIN = [
  'jobs',
  'averageResponseTime',
  'averageQueueLength',
  'averageQueueLengthOverTime',
  'largestQueue',
  'meanWait',
  'maxWait',
  'meanSlowdown',
  'meanBoundedSlowdown',
  'awrt',
  'awwt',
  'makespan',
  'utilization',
  'capacityUtilization',
  'speedHeterogeneity',
  'movedJobs',
  'restarts',
  'lostProcessorSeconds',
  'splitJobs',
] as const satisfies readonly (keyof Summary)[];

const DECISIONS = ['decisionsAgreed', 'decisionsBestFit', 'decisionsFastestFirst'];

/** Metrics of each site and each home, numbered from 1: `site1Utilization`, `home2Jobs`. */
const PER_SITE = [
  ['site', 'Utilization'],
  ['site', 'Jobs'],
  ['home', 'Jobs'],
  ['home', 'AverageResponseTime'],
] as const;

/** The average response time of all jobs, and of those of each home site: a measure of it has the axis `home site`. */
export const HOME_METRIC = 'averageResponseTimeByHome';

/** Names of the metrics of a simulation on so many sites, in the order of `metricValues`. */
export function metricNames(siteCount: number): string[] {
  const sites = Array.from({ length: siteCount }, (_, i) => i + 1);
  return [
    ...PLAIN,
    ...DECISIONS,
    ...PER_SITE.flatMap(([what, metric]) => sites.map((site) => `${what}${site}${metric}`)),
  ];
}

/** The metrics of a simulation, in the order of `metricNames`. */
export function metricValues(summary: Summary): number[] {
  const { decisions, sites, homes } = summary;
  return [
    ...PLAIN.map((name) => summary[name]),
    decisions.agreed,
    decisions.bestFit,
    decisions.fastestFirst,
    ...sites.map(({ utilization }) => utilization),
    ...sites.map(({ jobs }) => jobs),
    ...homes.map(({ jobs }) => jobs),
    ...homes.map(({ averageResponseTime }) => averageResponseTime),
  ];
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
    longest = Math.max(longest, runtime[job]);
    seconds += runtime[job];
    widest = Math.max(widest, processors[job]);
    width += processors[job];
    work += processors[job] * runtime[job];
  }
  const gap = count > 1 ? (submit[count - 1] - submit[0]) / (count - 1) : 0;
  return [count, longest, seconds / count, widest, width / count, gap, work];
}

const SITE_METRIC = /^(?:site[1-9]\d*(?:Utilization|Jobs)|home[1-9]\d*(?:Jobs|AverageResponseTime))$/;

/** What is wrong with the name of a metric, or undefined. */
export function metricFault(name: string, kind: 'simulations' | 'workloads'): string | undefined {
  const known = kind === 'workloads' ? [...WORKLOAD_METRICS] : [...PLAIN, ...DECISIONS, HOME_METRIC];
  if (known.includes(name) || (kind === 'simulations' && SITE_METRIC.test(name))) return undefined;
  const close = nearest(name, known);
  const hint = close === undefined ? '.' : `; did you mean '${close}'?`;
  const perSite =
    kind === 'simulations' ? ', and of each site site1Utilization, site1Jobs, home1Jobs, ...' : '';
  return `unknown metric '${name}'${hint} Known: ${known.join(', ')}${perSite}`;
}
