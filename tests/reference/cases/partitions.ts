import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { maxWidthOfJob } from '../simulator/refusals.js';
import { randomAgingCase, removeIneffectiveOptions } from './aging.js';
import { randomAllocatorCase } from './allocators.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCancellationCase } from './cancellations.js';
import { randomDependencyCase } from './dependencies.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomKeptCase } from './keptReservations.js';
import { randomLimitCase } from './limits.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomNodeOutageCase, randomOutageCase } from './outages.js';
import { randomCustomPolicyCase, randomCustomPolicyPlanCase } from './ownPolicies.js';
import { randomNodePlanCase, randomPassCase } from './passes.js';
import { randomRecentCase } from './recent.js';
import { randomDepthCase } from './reservationDepth.js';
import { randomSafeCase } from './safeBackfilling.js';

const PARTITION_BASE_CASES = [
  randomAgingCase,
  randomAllocatorCase,
  randomAllocatorCase,
  randomBackfillingCase,
  randomCancellationCase,
  randomDependencyCase,
  randomDepthCase,
  randomKeptCase,
  randomKeptCase,
  randomLimitCase,
  randomLoadSharingCase,
  randomOutageCase,
  randomNodeOutageCase,
  randomNodePlanCase,
  randomCustomPolicyPlanCase,
  randomCustomPolicyCase,
  randomPassCase,
  randomRecentCase,
  randomSafeCase,
  randomSafeCase,
];

/** Distance to the next seed of a kind. */
const DISTANT_SEED_OFFSET = 10_000_019;

/** A random case of another kind, on several sites, whose jobs are of partitions that share some of the sites. */
export function randomPartitionCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 11 + 7);
  const draw = draws.pick(PARTITION_BASE_CASES);
  let from = seed;
  let base = removeIneffectiveOptions(draw(from));
  while (!canCaseHavePartitions(base.options)) {
    from += DISTANT_SEED_OFFSET;
    base = removeIneffectiveOptions(draw(from));
  }
  const sites = base.options.capacities.map((_, site) => site);
  const partitions = draws.times(draws.between(1, 4), () => {
    const some = sites.filter(() => draws.oneIn(2));
    return some.length > 0 ? some : [draws.pick(sites)];
  });
  const options = { ...base.options, partitions };
  const jobs = base.jobs.map((job) => {
    const partition = draws.below(partitions.length + 1);
    return partition > 0 && doesJobFitPartition({ ...job, partition }, options) ? { ...job, partition } : job;
  });
  return removeEmptyPartitions({ jobs, options });
}

/** The case without partitions of no job. */
function removeEmptyPartitions({ jobs, options }: RandomCase): RandomCase {
  const { partitions = [], ...others } = options;
  const usedPartitions = partitions
    .map((_, k) => k + 1)
    .filter((k) => jobs.some(({ partition }) => partition === k));
  if (usedPartitions.length === 0) return { jobs, options: others };
  const renumbered = jobs.map((job) =>
    job.partition === undefined ? job : { ...job, partition: usedPartitions.indexOf(job.partition) + 1 },
  );
  return {
    jobs: renumbered,
    options: { ...others, partitions: usedPartitions.map((k) => partitions[k - 1]!) },
  };
}

function canCaseHavePartitions(options: ReferenceOptions): boolean {
  const { capacities, queue, reclaim, select = 'greedy', moldable, dynamic } = options;
  const { multiSite, multiSiteFactor } = options;
  if (capacities.length < 2 || queue === 'independent' || reclaim || select !== 'greedy') return false;
  return (moldable ?? dynamic ?? multiSite ?? multiSiteFactor) === undefined;
}

function doesJobFitPartition(job: ReferenceJob, options: ReferenceOptions): boolean {
  return job.processors <= maxWidthOfJob(job, options);
}
