import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { isSpeedSufficient } from '../simulator/sites.js';
import {
  drawPassOrders,
  drawPolicyText,
  LATE_SUBMIT_TIME_OFFSET,
  type RandomCase,
  SeededDraws,
} from './draws.js';

/** Sets of values from which the numbers of a case are drawn. */
interface CaseValueChoices {
  capacities: readonly (readonly number[])[];
  speeds: readonly (readonly number[])[];
  loads: readonly number[];
  runtimes: readonly (readonly number[])[];
  gaps: readonly (readonly number[])[];
}

/** Values of every kind, which reach general code paths and the last bits of doubles. */
const mixedValueChoices: CaseValueChoices = {
  capacities: [[8], [4, 8], [1, 2, 3, 4], [4, 16, 16], [8, 128, 50], [31, 32, 33, 63, 64, 65, 130]],
  speeds: [
    [1],
    [1, 2],
    [1, 1.5, 2, 3],
    [0.5, 1, 2, 4],
    [0.1, 1 / 3, 1.7],
    [0.6, 0.7, 2.4, 9.5, 4.3],
    [0.1, 0.2, 0.3, 0.7, 1.1],
  ],
  loads: [1, 2, 0.5, 2.5, 1.3, 1 / 3, 0.1],
  runtimes: [[0, 1, 2, 3, 5, 10], [10], [0], [1, 2, 2.5, 0.1, 1 / 3], [0, 4, 8, 12, 100]],
  gaps: [[0, 1, 2], [1], [5, 10], [0.5, 0.1, 2.5], [20, 40]],
};

/**
 * Values for which sites fill and empty together: decisions with queued jobs among many sites,
 * loadings on a threshold.
 */
const regularValueChoices: CaseValueChoices = {
  capacities: [
    [2, 4],
    [2, 4, 6],
    [4, 8],
    [1, 2, 3],
  ],
  speeds: [[1], [1, 2]],
  loads: [1],
  runtimes: [[10], [10, 20]],
  gaps: [[1], [5], [5, 10]],
};

/**
 * A small random case with many ties, determined by its seed: few submit times, equal and zero
 * runtimes, equal sites, awkward speeds and loads, every single-site policy, thresholds exactly
 * met. Every job fits on some permitted site.
 */
export function randomAllocatorCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed);
  const caseMenus = draws.oneIn(4) ? regularValueChoices : mixedValueChoices;
  const sites = draws.oneIn(8) ? draws.between(13, 40) : draws.pick([1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 8, 12]);
  const capacities = draws.oneIn(4)
    ? draws.times(sites, () => draws.between(1, 20))
    : draws.times(sites, draws.from(draws.pick(caseMenus.capacities)));
  const speeds = draws.times(sites, draws.from(draws.pick(caseMenus.speeds)));
  const options: ReferenceOptions = {
    capacities,
    speeds,
    load: draws.times(sites, draws.from(draws.oneIn(2) ? [draws.pick(caseMenus.loads)] : caseMenus.loads)),
    ...drawPolicyText(draws, speeds),
    resolution: draws.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: draws.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: draws.pick([0, 0, 0.5, 1, 1.5]),
  };
  drawPassOrders(seed, options);
  const count = draws.oneIn(25) ? 300 : draws.between(1, 60);
  const jobs = narrowJobsToGrid(drawJobs(draws, caseMenus, count, capacities), options);
  return { jobs, options };
}

/**
 * Draws jobs in bursts, so that queues form, or in a trickle, so that the queue is often empty.
 * Sometimes each site is first filled by jobs that may end together.
 */
function drawJobs(
  draws: SeededDraws,
  caseMenus: CaseValueChoices,
  count: number,
  capacities: number[],
): ReferenceJob[] {
  const runtimes = draws.pick(caseMenus.runtimes);
  const gaps = draws.pick(caseMenus.gaps);
  const begin = draws.pick([0, 0, 1000, LATE_SUBMIT_TIME_OFFSET]);
  const commonRuntime = draws.pick(runtimes);
  const fillingJobs = (draws.oneIn(3) ? capacities : []).map((processors, home) => {
    return { submit: begin, runtime: commonRuntime, estimate: commonRuntime, processors, home };
  });
  const bursts = draws.oneIn(2) ? count : draws.between(1, Math.min(count, 8));
  const times = [fillingJobs.length > 0 ? begin + draws.pick(gaps) : begin];
  while (times.length < bursts) times.push(times.at(-1)! + draws.pick(gaps));
  const otherEntries = draws.times(count, makeJobWidthSampler(draws, capacities)).map((processors) => {
    const runtime = draws.pick(runtimes);
    const estimate = runtime * draws.pick([1, 1, 1.2, 3]);
    return { submit: draws.pick(times), runtime, estimate, processors, home: draws.below(capacities.length) };
  });
  return [...fillingJobs, ...otherEntries].sort((one, other) => one.submit - other.submit);
}

/**
 * Draws widths of jobs. A wide job that waits for sites to drain gives later jobs a real choice.
 */
function makeJobWidthSampler(draws: SeededDraws, capacities: number[]): () => number {
  const widest = Math.max(...capacities);
  const narrow = () => draws.between(1, Math.min(widest, 4));
  return draws.pick([
    narrow,
    () => draws.between(1, widest),
    () => (draws.oneIn(4) ? widest : narrow()),
    () => (draws.oneIn(3) ? draws.pick(capacities) : narrow()),
    () => (draws.oneIn(6) ? widest : Math.min(2, widest)),
    () => draws.pick([1, 2, 4, 8, 16]),
    () => Math.max(1, Math.floor(draws.pick(capacities) / draws.pick([1, 2, 3]))),
  ]);
}

/**
 * Narrows jobs that are wider than all permitted sites. A job without a permitted site (none is
 * fast enough relative to its home) gets the slowest site as home; if that does not help, the speed
 * ratio becomes 0.
 */
function narrowJobsToGrid(jobs: ReferenceJob[], options: ReferenceOptions): ReferenceJob[] {
  const { capacities, speeds } = options;
  const widestSiteFor = (home: number) =>
    Math.max(
      0,
      ...capacities.filter((_, j) => isSpeedSufficient(speeds[j]!, speeds[home]!, options.minSpeedRatio)),
    );
  const slowestSite = speeds.indexOf(Math.min(...speeds));
  if (widestSiteFor(slowestSite) === 0) options.minSpeedRatio = 0;
  return jobs.map((job) => {
    const home = widestSiteFor(job.home) > 0 ? job.home : slowestSite;
    return { ...job, home, processors: Math.min(job.processors, widestSiteFor(home)) };
  });
}
