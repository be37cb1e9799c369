import { sumExactly } from './exactSum.js';
import { evaluateExpression } from './orderKeys.js';
import { raise2ToPower, raiseToWholePower } from './powerOfTwo.js';
import type { JobRecord, Simulation } from './simulation.js';
import { type UsageByNumber, usageSharesByNumber } from './usageByNumber.js';
import { isAgingExpression } from './waitingQueue.js';

/** Seconds of a step, and in which use halves, if nothing is said. */
export const DEFAULT_USAGE_STEP_SECONDS = 300;
export const DEFAULT_HALF_LIFE_SECONDS = 604_800;

/** Begin of the first step, at or before the first submission. */
export function beginOfUsageSteps({ uses, options }: Simulation): number {
  const { usageStep: step = DEFAULT_USAGE_STEP_SECONDS, usageOffset = 0 } = options;
  const phase = usageOffset % step;
  return (uses.firstSubmit ?? uses.jobs[0]!.submit) - (phase === 0 ? 0 : step - phase);
}

/** Usage of an account after a number of steps, the last of them in which it ran, and the usage then. */
interface AccountUsage {
  steps: number;
  last: number;
  usage: number;
}

/** Processor usage known at a pass: of all sites, as far as they run side by side. */
export interface ProcessorUsage {
  /** First submission of the whole grid; absent: that of the first of `jobs`. */
  firstSubmit?: number | undefined;
  /** All jobs of all sites, of which some may run. */
  jobs: JobRecord[];
  accounts: Map<string, AccountUsage>;
  /** Usage shares of users and of groups after a number of steps. */
  shares: { user?: UsageShares; group?: UsageShares };
  byNumber: { user?: UsageByNumber; group?: UsageByNumber };
}

interface UsageShares {
  steps: number;
  ofAccounts: Map<number, number>;
}

/** Creates an empty processor usage for a grid with this first submission. */
export function makeEmptyProcessorUsage(firstSubmit?: number): ProcessorUsage {
  return { firstSubmit, jobs: [], accounts: new Map(), shares: {}, byNumber: {} };
}

/**
 * Computes the keys of all waiting jobs at the beginning of a pass, for orders that depend on time or on the
 * usage of others.
 */
export function computeAgingKeys(simulation: Simulation, now: number): void {
  const { options, queues, uses } = simulation;
  const { order, backfillOrder } = options;
  const isAgingOrder = isAgingExpression(order);
  const isAgingBackfillOrder = isAgingExpression(backfillOrder);
  if (!isAgingOrder && !isAgingBackfillOrder) return;
  const first = uses.firstSubmit ?? uses.jobs[0]!.submit;
  const takes = (column: string) => new RegExp(`\\b${column}\\b`).test(`${order} ${backfillOrder}`);
  const none = () => Number.NaN;
  const userShares = takes('usage') ? usageShareOfJobAccount(simulation, 'user', now) : none;
  const groupShares = takes('groupUsage') ? usageShareOfJobAccount(simulation, 'group', now) : none;
  const seen = new Set(uses.jobs.filter(({ submit }) => submit <= now).map(({ user }) => user ?? -1));
  for (const job of queues.flat()) {
    const columns = {
      submit: job.submit,
      firstSubmit: first,
      estimate: job.estimate * options.load[job.home]!,
      processors: job.processors,
      home: (job.homeInGrid ?? job.home) + 1,
      siteProcessors: options.capacities[job.home]!,
      user: job.user ?? -1,
      group: job.group ?? -1,
      number: (job.indexInGrid ?? job.index) + 1,
      usageStep: options.usageStep ?? DEFAULT_USAGE_STEP_SECONDS,
      usageOffset: options.usageOffset ?? 0,
      wait: now - job.submit,
      now: now - first,
      usage: userShares(job),
      groupUsage: groupShares(job),
      running: uses.jobs
        .filter((other) => (other.user ?? -1) === (job.user ?? -1) && holdsProcessors(other))
        .reduce((sum, { processors }) => sum + processors, 0),
      share: 1 / seen.size,
      pow2: raise2ToPower,
    };
    if (isAgingOrder) job.key = clampToFiniteKey(evaluateExpression(order!, columns));
    if (isAgingBackfillOrder) job.backfillKey = clampToFiniteKey(evaluateExpression(backfillOrder!, columns));
  }
}

function clampToFiniteKey(key: number): number {
  if (!Number.isFinite(key)) throw new Error(`the key ${key}`);
  return key;
}

/** True if the job holds its processors now. */
function holdsProcessors(job: JobRecord): boolean {
  return job.start >= 0 && job.released === undefined;
}

/** The share of each job's account in the usage of all. */
function usageShareOfJobAccount(
  simulation: Simulation,
  by: 'user' | 'group',
  now: number,
): (job: JobRecord) => number {
  const { uses, options } = simulation;
  if (options.usageCount === 'by-number') return usageSharesByNumber(simulation, by, now);
  const { usageStep: step = DEFAULT_USAGE_STEP_SECONDS, halfLife = DEFAULT_HALF_LIFE_SECONDS } = options;
  const decay = raise2ToPower(-(step / halfLife));
  const begin = beginOfUsageSteps(simulation);
  const end = (k: number) => begin + k * step;
  let steps = Math.max(0, Math.floor((now - begin) / step) - 2);
  while (end(steps + 1) <= now) steps += 1;
  const accountOf = (job: JobRecord) => job[by] ?? -1;
  const shareOf =
    ({ ofAccounts }: UsageShares) =>
    (job: JobRecord) =>
      ofAccounts.get(accountOf(job))!;
  const known = uses.shares[by];
  if (known?.steps === steps) return shareOf(known);
  const ids = [...new Set(uses.jobs.map(accountOf))];
  const usages = ids.map((id) => {
    const own = uses.jobs.filter((job) => accountOf(job) === id).flatMap(holdingPeriodsOfJob);
    const account = uses.accounts.get(`${by} ${id}`) ?? { steps: 0, last: 0, usage: 0 };
    uses.accounts.set(`${by} ${id}`, account);
    for (; account.steps < steps; account.steps += 1) {
      const used = processorSecondsBetween(own, end(account.steps), end(account.steps + 1));
      if (used === 0) continue;
      const before = account.usage * raiseToWholePower(decay, account.steps - account.last);
      account.usage = before * decay + used;
      account.last = account.steps + 1;
    }
    return account.usage * raiseToWholePower(decay, steps - account.last);
  });
  const total = sumExactly(usages);
  const ofAccounts = new Map(ids.map((id, i) => [id, total === 0 ? 0 : usages[i]! / total]));
  uses.shares[by] = { steps, ofAccounts };
  return shareOf(uses.shares[by]);
}

/** Time in which a job held its processors; without an end, it holds them now. */
interface ProcessorHoldingPeriod {
  start: number;
  released?: number | undefined;
  processors: number;
}

/** All runs of a job, preempted ones included. */
function holdingPeriodsOfJob({ start, released, processors, earlier }: JobRecord): ProcessorHoldingPeriod[] {
  const last = start >= 0 ? [{ start, released, processors }] : [];
  return [...earlier.map((run) => ({ ...run, processors })), ...last];
}

/** Processor-seconds of runs between two times, added over the spans in which the same runs hold processors. */
function processorSecondsBetween(jobs: ProcessorHoldingPeriod[], from: number, until: number): number {
  const near = jobs.filter(
    ({ start, released = Number.POSITIVE_INFINITY }) => start < until && released > from,
  );
  if (near.length === 0) return 0;
  const changes = jobs.flatMap(({ start, released }) =>
    released === undefined ? [start] : [start, released],
  );
  const times = [...new Set([from, ...changes.filter((time) => time > from && time < until), until])];
  times.sort((one, other) => one - other);
  const terms = times.slice(1).map((time, k) => {
    const begin = times[k]!;
    const held = near.filter(
      ({ start, released = Number.POSITIVE_INFINITY }) => start <= begin && released > begin,
    );
    return held.reduce((sum, { processors }) => sum + processors, 0) * (time - begin);
  });
  return terms.length === 1 ? terms[0]! : sumExactly(terms);
}
