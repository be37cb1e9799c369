import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { drawPolicyText, type RandomCase, SeededDraws } from './draws.js';

/**
 * A random case on 1 to 700 sites, determined by its seed, with a load of about 1 and many equal
 * sites, widths and times; it tests the index of sites, whose blocks hold at least 4 sites.
 */
export function randomManySitesCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed);
  const sites = draws.pick([1, 3, 4, 5, 8, 9, 17, 33, 64, 65, 100, 200, 257, 700]);
  const widest = draws.pick([1, 3, 8, 8, 100, 100, 5000, 200_000]);
  const capacity = draws.pick([
    () => widest,
    () => draws.between(1, widest),
    () => (draws.oneIn(10) ? widest : Math.min(widest, draws.between(1, 8))),
  ]);
  const speed = draws.from(draws.pick([[1], [1, 2], [0.5, 1, 1.5, 2], [0.3, 0.7, 1.1, 1.3, 1.7, 2.9]]));
  const capacities = draws.times(sites, capacity);
  const speeds = draws.times(sites, speed);
  const hasRigidJobs = draws.oneIn(2);
  const options: ReferenceOptions = {
    capacities,
    speeds,
    load: capacities.map(() => 1),
    ...drawPolicyText(draws, speeds),
    resolution: draws.pick(['exact', 'floor']),
    instant: draws.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: hasRigidJobs ? draws.pick([0, 0.5, 0.9, 1]) : 0,
    discipline: draws.pick(['fcfs', 'fcfs', 'njf', 'first-available']),
    ...(hasRigidJobs ? {} : drawSplitOptions(draws)),
  };
  const count = Math.min(600, draws.pick([2, 4, 8]) * sites + 10);
  const jobs = Array.from({ length: count }, () => drawJob(draws, options));
  return { jobs: jobs.sort((one, other) => one.submit - other.submit), options };
}

function drawSplitOptions(draws: SeededDraws): Partial<ReferenceOptions> {
  const multiSite = draws.pick([undefined, 'larger-first', 'faster-first', 'adaptive'] as const);
  return multiSite === undefined ? {} : { multiSite, multiSiteOverhead: 0.5 };
}

/** Draws a job that is never wider than the sites permitted for its home. */
function drawJob(draws: SeededDraws, { capacities, speeds, minSpeedRatio }: ReferenceOptions): ReferenceJob {
  const home = draws.below(capacities.length);
  const leastSpeed = minSpeedRatio * speeds[home]!;
  const widest = Math.max(...capacities.filter((_, site) => speeds[site]! >= leastSpeed));
  const processors = draws.oneIn(8)
    ? widest
    : draws.between(1, Math.max(1, draws.oneIn(2) ? widest >> 1 : widest >> 3));
  const runtime = draws.pick([5, 10, 10, 20, 35]);
  return { submit: draws.below(25), runtime, estimate: runtime, processors, home };
}
