import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { maxWidthOfJob } from '../simulator/refusals.js';
import type { ReferenceOutage } from '../simulator/types.js';
import { randomAgingCase } from './aging.js';
import { randomCancellationCase } from './cancellations.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomLimitCase } from './limits.js';
import { randomNodePlanCase } from './passes.js';

/** Distance to the next seed of a kind. */
const DISTANT_SEED_OFFSET = 10_000_019;

/** A random case of another kind on sites with outages, after which all of their processors are back. */
export function randomOutageCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 7 + 5);
  let from = seed;
  let base = randomCancellationCase(from);
  while (base.options.planBy === 'node' || base.options.refresh) {
    from += DISTANT_SEED_OFFSET;
    base = randomCancellationCase(from);
  }
  const keepsCancelled = draws.oneIn(3);
  const jobs = keepsCancelled ? base.jobs : base.jobs.map(removePatience);
  return addRandomOutages({ jobs, options: base.options }, draws);
}

/** A random case with limits, or an order that changes with time or use, on sites with outages. */
export function randomAccountOutageCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 11 + 7);
  const draw = draws.pick([randomLimitCase, randomAgingCase]);
  let from = seed;
  let base = draw(from);
  while (!canCaseHaveOutages(base)) {
    from += DISTANT_SEED_OFFSET;
    base = draw(from);
  }
  return addRandomOutages(base, draws);
}

function canCaseHaveOutages({ options }: RandomCase): boolean {
  const { select = 'greedy', multiSite, multiSiteFactor, interval, planBy, refresh } = options;
  if (select !== 'greedy' || planBy === 'node' || refresh) return false;
  return [multiSite, multiSiteFactor, interval].every((option) => option === undefined);
}

/** A random case of plans by nodes, of which some go away. */
export function randomNodeOutageCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 13 + 9);
  const kinds = [
    randomNodePlanCase,
    randomNodePlanCase,
    randomLimitCase,
    randomAgingCase,
    randomCancellationCase,
  ];
  const draw = draws.pick(kinds);
  let from = seed;
  let base = draw(from);
  while (base.options.planBy !== 'node' || base.options.refresh) {
    from += DISTANT_SEED_OFFSET;
    base = draw(from);
  }
  return addRandomOutages({ ...base, jobs: base.jobs.slice(0, 40) }, draws);
}

/** A case with outages of its sites. */
function addRandomOutages(base: RandomCase, draws: SeededDraws): RandomCase {
  const outages = drawOutages(draws, base);
  const rule = draws.pick([undefined, 'drain', 'requeue', 'kill'] as const);
  const onOutage = outages.length > 0 ? rule : undefined;
  return { jobs: base.jobs, options: { ...base.options, outages, onOutage } };
}

function removePatience({ patience: _, ...job }: ReferenceJob): ReferenceJob {
  return job;
}

/** Outages of a few sites, some of them planned, that together never need more than a site has. */
function drawOutages(draws: SeededDraws, { jobs, options }: RandomCase): ReferenceOutage[] {
  const first = jobs[0]!.submit;
  const span = Math.max(...jobs.map(({ submit, runtime }) => submit + runtime)) - first;
  const moments = jobs.flatMap(({ submit, runtime }) => [submit, submit + runtime]);
  const moment = () => (draws.oneIn(2) ? draws.pick(moments) : first + (span * draws.below(200)) / 100);
  const outages: ReferenceOutage[] = [];
  for (let k = draws.between(1, 4); k > 0; k--) {
    const site = draws.below(options.capacities.length);
    const [one, other] = [moment(), moment()];
    const from = Math.min(one, other);
    const to =
      options.choose === undefined && draws.oneIn(6) ? Number.POSITIVE_INFINITY : Math.max(one, other);
    const beside = outages.filter((each) => each.site === site && each.from < to && each.to > from);
    const left = options.capacities[site]! - beside.reduce((sum, { processors }) => sum + processors, 0);
    if (!(to > from) || left < 1) continue;
    const isPlanned = draws.oneIn(2);
    const placed =
      options.planBy === 'node'
        ? drawOutageNodes(draws, options, site, beside)
        : { processors: draws.oneIn(2) ? left : draws.between(1, left) };
    if (placed === undefined) continue;
    const drawn = [...outages, { site, from, to, ...placed, isPlanned }];
    const canJobEverStart = (job: ReferenceJob) =>
      job.processors <= maxWidthOfJob(job, { ...options, outages: drawn });
    if (jobs.every(canJobEverStart)) outages.push(drawn.at(-1)!);
  }
  return outages;
}

/** Neighbouring nodes that no other outage of the time has; undefined if none are found. */
function drawOutageNodes(
  draws: SeededDraws,
  { capacities, processorsPerNode = 1 }: ReferenceOptions,
  site: number,
  beside: ReferenceOutage[],
): { first: number; processors: number } | undefined {
  const nodes = Math.ceil(capacities[site]! / processorsPerNode);
  const begin = draws.below(nodes);
  const end = draws.oneIn(2) ? begin + 1 : draws.between(begin + 1, nodes);
  const first = begin * processorsPerNode;
  const processors = Math.min(capacities[site]!, end * processorsPerNode) - first;
  const isBeside = (other: ReferenceOutage) =>
    other.first! < first + processors && other.first! + other.processors > first;
  return beside.some(isBeside) ? undefined : { first, processors };
}

/** True if no outage of a case preempts a job, because all are planned and jobs end at their estimates. */
export function areStartPromisesKept({ jobs, options }: RandomCase): boolean {
  const isPlanned = ({ discipline }: ReferenceOptions) =>
    discipline === 'easy' || discipline === 'conservative';
  if (!isPlanned(options) || options.recent !== undefined) return false;
  const endsInTime = jobs.every(({ runtime, estimate }) => runtime <= estimate && estimate > 0);
  return endsInTime && (options.outages ?? []).every((outage) => outage.isPlanned);
}
