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
  const random = new SeededDraws(seed);
  const caseMenus = random.oneIn(4) ? regularValueChoices : mixedValueChoices;
  const sites = random.oneIn(8) ? random.between(13, 40) : random.pick([1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 8, 12]);
  const capacities = random.oneIn(4)
    ? random.times(sites, () => random.between(1, 20))
    : random.times(sites, random.from(random.pick(caseMenus.capacities)));
  const speeds = random.times(sites, random.from(random.pick(caseMenus.speeds)));
  const options: ReferenceOptions = {
    capacities,
    speeds,
    load: random.times(
      sites,
      random.from(random.oneIn(2) ? [random.pick(caseMenus.loads)] : caseMenus.loads),
    ),
    ...drawPolicyText(random, speeds),
    resolution: random.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: random.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: random.pick([0, 0, 0.5, 1, 1.5]),
  };
  drawPassOrders(seed, options);
  const jobCount = random.oneIn(25) ? 300 : random.between(1, 60);
  const jobs = narrowJobsToGrid(drawJobs(random, caseMenus, jobCount, capacities), options);
  return { jobs, options };
}

/**
 * Draws jobs in bursts, so that queues form, or in a trickle, so that the queue is often empty.
 * Sometimes each site is first filled by jobs that may end together.
 */
function drawJobs(
  random: SeededDraws,
  caseMenus: CaseValueChoices,
  jobCount: number,
  capacities: number[],
): ReferenceJob[] {
  const runtimes = random.pick(caseMenus.runtimes);
  const gaps = random.pick(caseMenus.gaps);
  const begin = random.pick([0, 0, 1000, LATE_SUBMIT_TIME_OFFSET]);
  const commonRuntime = random.pick(runtimes);
  const fillingJobs = (random.oneIn(3) ? capacities : []).map((processors, home) => {
    return { submit: begin, runtime: commonRuntime, estimate: commonRuntime, processors, home };
  });
  const bursts = random.oneIn(2) ? jobCount : random.between(1, Math.min(jobCount, 8));
  const submitTimes = [fillingJobs.length > 0 ? begin + random.pick(gaps) : begin];
  while (submitTimes.length < bursts) submitTimes.push(submitTimes.at(-1)! + random.pick(gaps));
  const otherEntries = random.times(jobCount, makeJobWidthSampler(random, capacities)).map((processors) => {
    const runtime = random.pick(runtimes);
    const estimate = runtime * random.pick([1, 1, 1.2, 3]);
    return {
      submit: random.pick(submitTimes),
      runtime,
      estimate,
      processors,
      home: random.below(capacities.length),
    };
  });
  return [...fillingJobs, ...otherEntries].sort((one, other) => one.submit - other.submit);
}

/**
 * Draws widths of jobs. A wide job that waits for sites to drain gives later jobs a real choice.
 */
function makeJobWidthSampler(random: SeededDraws, capacities: number[]): () => number {
  const maxWidth = Math.max(...capacities);
  const narrow = () => random.between(1, Math.min(maxWidth, 4));
  return random.pick([
    narrow,
    () => random.between(1, maxWidth),
    () => (random.oneIn(4) ? maxWidth : narrow()),
    () => (random.oneIn(3) ? random.pick(capacities) : narrow()),
    () => (random.oneIn(6) ? maxWidth : Math.min(2, maxWidth)),
    () => random.pick([1, 2, 4, 8, 16]),
    () => Math.max(1, Math.floor(random.pick(capacities) / random.pick([1, 2, 3]))),
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
  const slowest = speeds.indexOf(Math.min(...speeds));
  if (widestSiteFor(slowest) === 0) options.minSpeedRatio = 0;
  return jobs.map((job) => {
    const home = widestSiteFor(job.home) > 0 ? job.home : slowest;
    return { ...job, home, processors: Math.min(job.processors, widestSiteFor(home)) };
  });
}
