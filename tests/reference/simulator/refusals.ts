import { doPassesHaveOwnTimes } from './events.js';
import { capacityAfterOutages } from './outages.js';
import { isInPartition, isSpeedSufficient } from './sites.js';
import type { ReferenceJob, ReferenceOptions } from './types.js';
import { doJobKeysChange } from './waitingQueue.js';

/** Throws an Error for combinations of options without a defined meaning. */
export function refuseCombinations(options: ReferenceOptions, jobs: ReferenceJob[] = []): void {
  const { discipline, queue, reclaim, multiSite } = options;
  if (reclaim && queue !== 'per-home') throw new Error('reclaiming needs per-home queues');
  if (reclaim && multiSite !== undefined) throw new Error('multi-site execution with reclaiming');
  if (queue === 'per-home' && discipline === 'first-available')
    throw new Error('per-home queues with first-available');
  if (!((options.multiSiteOverhead ?? 0) >= 0)) throw new Error('a negative overhead');
  if (options.dependencies && queue === 'independent')
    throw new Error('jobs that depend on those of sites of which theirs knows nothing');
  if (jobs.some(({ patience }) => patience !== undefined)) refuseWithCancellations(options);
  if (options.outages !== undefined) refuseWithOutages(options);
  if (options.partitions !== undefined) refuseWithPartitions(options);
  refuseWithOrder(options);
  if (options.reservations === 'kept') refuseWithKept(options);
  if (options.moldable !== undefined) refuseWithMoldable(options);
  if (options.limits !== undefined) refuseWithLimits(options);
  refuseWithPassTimes(options);
  if (isPlanningDiscipline(options)) refuseWithPlanner(options);
  else refusePlannerOptions(options);
}

/** Refuses outages of processors that a site does not have, and options without a meaning for outages. */
function refuseWithOutages(options: ReferenceOptions): void {
  const { reclaim, moldable, multiSite, multiSiteFactor, select = 'greedy', dynamic, interval } = options;
  if (reclaim || select !== 'greedy' || options.refresh)
    throw new Error('outages with an option that they do not go with');
  for (const option of [moldable, multiSite, multiSiteFactor, dynamic, interval])
    if (option !== undefined) throw new Error('outages with an option that they do not go with');
  for (const { site, from, to, processors, first } of options.outages!) {
    if (!(to > from)) throw new Error('an outage that ends before it begins');
    const atOnce = options.outages!.filter(
      (other) => other.site === site && other.from <= from && other.to > from,
    );
    const processorsInUse = atOnce.reduce((sum, other) => sum + other.processors, 0);
    if (!(processors > 0) || !(processorsInUse <= (options.capacities[site] ?? 0)))
      throw new Error('outages of more processors than the site has');
    if ((options.planBy === 'node') !== (first !== undefined))
      throw new Error('outages of particular processors without plans by nodes, or the other way round');
  }
}

/** Refuses partitions without sites, and options that have no meaning with partitions. */
function refuseWithPartitions(options: ReferenceOptions): void {
  const { reclaim, moldable, multiSite, multiSiteFactor, select = 'greedy', dynamic } = options;
  if (options.queue === 'independent' || reclaim || select !== 'greedy')
    throw new Error('partitions with an option that they do not go with');
  for (const option of [moldable, multiSite, multiSiteFactor, dynamic])
    if (option !== undefined) throw new Error('partitions with an option that they do not go with');
  const sites = options.capacities.length;
  for (const partition of options.partitions!) {
    if (partition.length === 0) throw new Error('a partition without sites');
    if (partition.some((site) => !(site >= 0 && site < sites)))
      throw new Error('a partition of unknown sites');
  }
}

/** Refuses options that cannot be combined with cancelled jobs. */
function refuseWithCancellations(options: ReferenceOptions): void {
  const { reclaim, moldable, multiSite, multiSiteFactor, select = 'greedy', dynamic, interval } = options;
  if (reclaim) throw new Error('cancelled jobs with reclaiming');
  if (select !== 'greedy') throw new Error('cancelled jobs with resource selection');
  for (const option of [moldable, multiSite, multiSiteFactor, dynamic, interval])
    if (option !== undefined) throw new Error('cancelled jobs with an option that they do not go with');
}

/** Disciplines with an order of their own, in which the head blocks. */
const DISCIPLINES_WITH_OWN_ORDER = ['njf', 'wjf', 'sjf', 'ljf'];

function refuseWithOrder(options: ReferenceOptions): void {
  const { discipline = 'fcfs', order = 'submit', backfillOrder } = options;
  if (options.reservationDepth !== undefined && discipline !== 'easy')
    throw new Error('a depth of reservations without easy');
  if (backfillOrder !== undefined && discipline !== 'easy')
    throw new Error('an order of backfilling without easy');
  const selectsSiteSets = (options.select ?? 'greedy') !== 'greedy';
  if (
    doOrdersDependOnUse(options) &&
    (selectsSiteSets || (options.multiSite ?? options.dependencies) !== undefined)
  )
    throw new Error(`jobs on several sites, a selection or dependencies in the order ${order}`);
  if (doOrdersDependOnUse(options) && options.queue === 'independent' && !isPassPerEvent(options))
    throw new Error(`independent sites with passes of their own in the order ${order}`);
  if (doJobKeysChange(options) && options.reclaim) throw new Error(`reclaiming in the order ${order}`);
  if (doJobKeysChange(options) && options.moldable !== undefined)
    throw new Error(`moldable jobs in the order ${order}`);
  if (options.refresh && options.reservations === 'kept')
    throw new Error('reservations kept by estimates that change');
  if (order !== 'submit' && DISCIPLINES_WITH_OWN_ORDER.includes(discipline))
    throw new Error(`${discipline} in the order ${order}`);
  if (options.usageCount === 'by-number' && options.halfLife! < 1)
    throw new Error('half-life below a second');
}

/** True if an order takes what users or groups use, or how many users there are. */
export function doOrdersDependOnUse({ order, backfillOrder }: ReferenceOptions): boolean {
  return /\b(usage|groupUsage|running|share)\b/.test(`${order} ${backfillOrder}`);
}

/** Refuses options that limits have no rule for. */
function refuseWithLimits({
  reclaim,
  moldable,
  multiSite,
  multiSiteFactor,
  select = 'greedy',
  dynamic,
  dependencies,
}: ReferenceOptions): void {
  if (select !== 'greedy') throw new Error(`limits with select ${select}`);
  for (const other of [moldable, multiSite, multiSiteFactor, dynamic, dependencies])
    if (other !== undefined && other !== false) throw new Error(`limits with ${JSON.stringify(other)}`);
  if (reclaim) throw new Error('limits with reclaiming');
}

/** True if a pass follows each event. */
export function isPassPerEvent(options: ReferenceOptions): boolean {
  const { instant, interval, reservations } = options;
  const isAtEvents = interval === undefined && reservations !== 'kept' && !doPassesHaveOwnTimes(options);
  return instant === 'per-event' && isAtEvents;
}

/** Refuses options that always plan again, together with kept reservations. */
function refuseWithKept({ discipline, select, multiSiteFactor, interval, dynamic }: ReferenceOptions): void {
  if (discipline !== 'conservative') throw new Error(`reservations kept with ${discipline}`);
  const isModelOfPapers = select !== undefined && select !== 'greedy';
  if (isModelOfPapers) throw new Error(`reservations kept with ${select}`);
  for (const option of [multiSiteFactor, interval, dynamic])
    if (option !== undefined) throw new Error('reservations kept with an option that plans anew');
}

/** Refuses options that cannot be combined with passes at times of their own. */
function refuseWithPassTimes(options: ReferenceOptions): void {
  const { discipline = 'fcfs', queue, reservations, passDelay, backfillInterval } = options;
  for (const option of ['passDelay', 'passGap', 'backfillInterval'] as const) {
    if (options[option] === undefined) continue;
    if (reservations === 'kept' && backfillInterval === undefined)
      throw new Error(`${option} with reservations kept, without backfillInterval`);
    if (options.interval !== undefined) throw new Error(`${option} with interval`);
    if (options.dynamic !== undefined) throw new Error(`${option} with dynamic`);
  }
  if (passDelay !== undefined && !(passDelay.submit >= 0 && passDelay.end >= 0))
    throw new Error('a negative passDelay');
  if (backfillInterval !== undefined) {
    if (['fcfs', ...DISCIPLINES_WITH_OWN_ORDER].includes(discipline))
      throw new Error(`backfillInterval with ${discipline}`);
    if (queue === 'per-home') throw new Error('backfillInterval with per-home queues');
    if (!(backfillInterval > 0)) throw new Error('a backfillInterval that is not above 0');
    if (!((options.backfillOffset ?? 0) >= 0)) throw new Error('a negative backfillOffset');
  }
  if (options.planBy === 'node') refuseWithNodePlanning(options);
  else refuseNodeOptions(options);
}

/** Refuses options that cannot be combined with planning by nodes. */
function refuseWithNodePlanning(options: ReferenceOptions): void {
  if (options.reservations === 'kept') throw new Error('planBy node with reservations kept');
  const { discipline = 'fcfs', select = 'greedy', capacities, queue, withPolicy } = options;
  if (options.backfillInterval === undefined) throw new Error('planBy node without backfillInterval');
  if (capacities.length > 1 && queue !== 'independent' && !withPolicy)
    throw new Error('planBy node without a policy that chooses among several sites');
  if (!isPlanningDiscipline(options)) throw new Error(`planBy node with ${discipline}`);
  if (select !== 'greedy') throw new Error(`planBy node with select ${select}`);
  for (const option of ['multiSiteFactor', 'choose', 'bandwidth'] as const)
    if (options[option] !== undefined) throw new Error(`planBy node with ${option}`);
}

/** Options of plans that backfill passes make, by nodes or by count. */
const PLAN_RULE_OPTIONS = ['endWindow', 'closedOverlap', 'backfillResolution'] as const;

/** Options that require planning by nodes. */
const NODE_PLANNING_OPTIONS = [
  'backfillJobs',
  'backfillSegments',
  'backfillWindow',
  'processorsPerNode',
  'releaseDelay',
] as const;

function refuseNodeOptions(options: ReferenceOptions): void {
  for (const option of NODE_PLANNING_OPTIONS)
    if (options[option] !== undefined) throw new Error(`${option} without planBy node`);
  for (const option of PLAN_RULE_OPTIONS)
    if (options[option] !== undefined && options.reservations === 'kept')
      throw new Error(`${option} with reservations kept`);
  if (options.backfillInterval !== undefined && isPlanningDiscipline(options)) return;
  for (const option of PLAN_RULE_OPTIONS)
    if (options[option] !== undefined) throw new Error(`${option} without plans of backfill passes`);
}

function isPlanningDiscipline({ discipline }: ReferenceOptions): boolean {
  return discipline === 'easy' || discipline === 'conservative';
}

function refuseWithPlanner(options: ReferenceOptions): void {
  const { discipline, queue, select, multiSiteFactor, interval, heterogeneity, bandwidth, latency } = options;
  const refuseCandidate = (what: string) => {
    throw new Error(`${discipline} backfilling with ${what}`);
  };
  if (queue === 'per-home') refuseCandidate('per-home queues');
  if (options.multiSite !== undefined) refuseCandidate('multi-site execution when no site has room');
  if (options.withPolicy) refuseWithPolicy(options, refuseCandidate);
  else if (options.policy !== 'best-fit') refuseCandidate('a policy that is not asked');
  else if (options.minSpeedRatio !== 0 && queue !== 'independent') refuseCandidate('a speed ratio');
  if (queue === 'independent' && select !== undefined)
    refuseCandidate('resource selection at independent sites');
  if (queue === 'independent' && multiSiteFactor !== undefined)
    refuseCandidate('several sites at independent sites');
  if (!((multiSiteFactor ?? 1) >= 1)) refuseCandidate('a multi-site factor below 1');
  if (!((interval ?? 1) > 0)) refuseCandidate('an interval that is not above 0');
  if (!(heterogeneity ?? []).every((scaleFactor) => scaleFactor > 0))
    refuseCandidate('a time factor that is not above 0');
  if (!(bandwidth ?? []).flat().every((rate) => rate > 0)) refuseCandidate('a bandwidth that is not above 0');
  if (!(latency ?? []).flat().every((seconds) => seconds >= 0)) refuseCandidate('a negative latency');
  if (latency !== undefined && bandwidth === undefined) refuseCandidate('a latency without a bandwidth');
  if (select === 'optimal' && multiSiteFactor !== undefined && options.capacities.length > 16)
    refuseCandidate(
      'optimal selection among the sets of more than 16 sites; greedy selection has no such limit',
    );
}

/** Refuses other rules that choose sites if the policy chooses among several sites. */
function refuseWithPolicy(options: ReferenceOptions, refuseCandidate: (what: string) => void): void {
  if (options.select !== undefined) refuseCandidate('a policy and a selection');
  if (options.queue === 'independent') return;
  if (options.multiSiteFactor !== undefined) refuseCandidate('a policy and several sites for a job');
  if (options.bandwidth !== undefined) refuseCandidate('a policy and transfers');
  if (options.runtimeReference === 'home') refuseCandidate('a policy and runtimes for the home site');
}

/** Refuses options that require a discipline with plans. */
function refusePlannerOptions(options: ReferenceOptions): void {
  const { select, multiSiteFactor, heterogeneity, bandwidth, latency, interval } = options;
  for (const option of [select, multiSiteFactor, heterogeneity, bandwidth, latency, interval])
    if (option !== undefined) throw new Error('an option of the planner without easy or conservative');
  if (options.runtimeReference === 'home')
    throw new Error('runtimes for the home site without easy or conservative');
}

function refuseWithMoldable(options: ReferenceOptions): void {
  const { moldable, discipline, queue, speedup } = options;
  const threshold = options.moldableThreshold ?? 1;
  if (!['fcfs', ...DISCIPLINES_WITH_OWN_ORDER].includes(discipline ?? 'fcfs'))
    throw new Error(`moldable jobs with ${discipline}`);
  if ((queue ?? 'shared') !== 'shared') throw new Error(`moldable jobs with ${queue} queues`);
  if (options.reclaim) throw new Error('moldable jobs with reclaiming');
  if (options.multiSite !== undefined) throw new Error('moldable jobs with multi-site execution');
  if (options.minSpeedRatio !== 0) throw new Error('moldable jobs with a speed ratio');
  if (options.policy !== 'best-fit') throw new Error('moldable jobs with an allocator');
  if (moldable === 'up-down' && options.capacities.length > 1)
    throw new Error('scaling up on a grid of several sites');
  if (options.moldableThreshold !== undefined && options.recent !== undefined)
    throw new Error('a threshold by estimates that may be exceeded');
  if (!(threshold > 0 && Number.isFinite(threshold))) throw new Error('a threshold that is not above 0');
  if (speedup === undefined) return;
  const { A, sigma } = speedup;
  if (!(A >= 1 && sigma >= 0 && Number.isFinite(A + sigma)))
    throw new Error('a speed-up with A below 1 or sigma below 0');
}

/**
 * Throws an Error for a job that is wider than all permitted sites and so could never start.
 * Moldable jobs always can.
 */
export function refuseTooWideJobs(jobs: ReferenceJob[], options: ReferenceOptions): void {
  if (options.moldable !== undefined) return;
  jobs.forEach((job, index) => {
    if (job.processors > maxWidthOfJob(job, options))
      throw new Error(`job ${index} (${job.processors} processors) fits no site it may use`);
  });
}

/** Maximum width of a job of this home and partition; 0 if it may use no site. */
export function maxWidthOfJob(
  { home, partition }: Pick<ReferenceJob, 'home' | 'partition'>,
  options: ReferenceOptions,
): number {
  const { speeds } = options;
  const capacities = options.capacities.map((_, site) => capacityAfterOutages(site, options));
  const hasIndependentQueues = options.queue === 'independent';
  const within = hasIndependentQueues ? [capacities[home]!] : capacities;
  // A split uses processors of any site, whatever its speed.
  if (options.multiSite !== undefined || options.multiSiteFactor !== undefined)
    return within.reduce((sum, capacity) => sum + capacity, 0);
  const usable = capacities.filter((_, site) => {
    // A reclaimed home is used whatever the speed ratio.
    if (site === home && options.reclaim) return true;
    if (!isInPartition({ ...(partition !== undefined && { partition }) }, site, options.partitions))
      return false;
    return (
      (site === home || !hasIndependentQueues) &&
      isSpeedSufficient(speeds[site]!, speeds[home]!, options.minSpeedRatio)
    );
  });
  return Math.max(0, ...usable);
}
