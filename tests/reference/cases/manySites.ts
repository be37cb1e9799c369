import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { drawPolicyText, type RandomCase, SeededDraws } from './draws.js';

/**
 * A random case on 1 to 700 sites, determined by its seed, with a load of about 1 and many equal
 * sites, widths and times; it tests the index of sites, whose blocks hold at least 4 sites.
 */
export function randomManySitesCase(seed: number): RandomCase {
  const random = new SeededDraws(seed);
  const sites = random.pick([1, 3, 4, 5, 8, 9, 17, 33, 64, 65, 100, 200, 257, 700]);
  const maxWidth = random.pick([1, 3, 8, 8, 100, 100, 5000, 200_000]);
  const capacity = random.pick([
    () => maxWidth,
    () => random.between(1, maxWidth),
    () => (random.oneIn(10) ? maxWidth : Math.min(maxWidth, random.between(1, 8))),
  ]);
  const speed = random.from(random.pick([[1], [1, 2], [0.5, 1, 1.5, 2], [0.3, 0.7, 1.1, 1.3, 1.7, 2.9]]));
  const capacities = random.times(sites, capacity);
  const speeds = random.times(sites, speed);
  const hasRigidJobs = random.oneIn(2);
  const options: ReferenceOptions = {
    capacities,
    speeds,
    load: capacities.map(() => 1),
    ...drawPolicyText(random, speeds),
    resolution: random.pick(['exact', 'floor']),
    instant: random.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: hasRigidJobs ? random.pick([0, 0.5, 0.9, 1]) : 0,
    discipline: random.pick(['fcfs', 'fcfs', 'njf', 'first-available']),
    ...(hasRigidJobs ? {} : drawSplitOptions(random)),
  };
  const jobCount = Math.min(600, random.pick([2, 4, 8]) * sites + 10);
  const jobs = Array.from({ length: jobCount }, () => drawJob(random, options));
  return { jobs: jobs.sort((oneJob, otherJob) => oneJob.submit - otherJob.submit), options };
}

function drawSplitOptions(random: SeededDraws): Partial<ReferenceOptions> {
  const multiSite = random.pick([undefined, 'larger-first', 'faster-first', 'adaptive'] as const);
  return multiSite === undefined ? {} : { multiSite, multiSiteOverhead: 0.5 };
}

/** Draws a job that is never wider than the sites permitted for its home. */
function drawJob(random: SeededDraws, { capacities, speeds, minSpeedRatio }: ReferenceOptions): ReferenceJob {
  const home = random.below(capacities.length);
  const minSpeed = minSpeedRatio * speeds[home]!;
  const maxWidth = Math.max(...capacities.filter((_, site) => speeds[site]! >= minSpeed));
  const processors = random.oneIn(8)
    ? maxWidth
    : random.between(1, Math.max(1, random.oneIn(2) ? maxWidth >> 1 : maxWidth >> 3));
  const runtime = random.pick([5, 10, 10, 20, 35]);
  return { submit: random.below(25), runtime, estimate: runtime, processors, home };
}
