import { beginOfUsageSteps, DEFAULT_HALF_LIFE_SECONDS, DEFAULT_USAGE_STEP_SECONDS } from './agingKeys.js';
import { sumExactly } from './exactSum.js';
import { raiseToWholePower } from './powerOfTwo.js';
import { endOfRunningJob, type JobRecord, type Simulation } from './simulation.js';

/** Usage counted by number, in whole seconds, as Slurm's multifactor plugin does. */

/** Usage of the accounts of one kind, after a number of steps. */
export interface UsageByNumber {
  steps: number;
  accounts: Map<AccountKey, DecayedUsage>;
  /** What running jobs used in the last step. */
  walked: Use[];
  /** Shares taken since the last step. */
  shares: Map<number, number>;
}

/** Number of a user or group, or `all`. */
type AccountKey = number | 'all';

/** Usage in processor-seconds that has decayed until a whole second. */
interface DecayedUsage {
  usage: number;
  since: number;
}

/** Processor-seconds, decayed, of a job of an account. */
interface Use {
  account: number;
  amount: number;
}

/** A run of a job; without an end in the past it still runs. */
interface Run {
  job: JobRecord;
  start: number;
  end: number;
}

/** Shares of the accounts in the usage of all, by job, for jobs that wait now. */
export function usageSharesByNumber(
  simulation: Simulation,
  by: 'user' | 'group',
  now: number,
): (job: JobRecord) => number {
  const { uses, options } = simulation;
  const step = options.usageStep ?? DEFAULT_USAGE_STEP_SECONDS;
  const begin = beginOfUsageSteps(simulation);
  const endOfUsageStep = (k: number) => begin + k * step;
  const wholeEndOfStep = (k: number) => Math.floor(endOfUsageStep(k));
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: the constant of Slurm
  const decayPerSecond = 1 - 0.693 / (options.halfLife ?? DEFAULT_HALF_LIFE_SECONDS);
  const decayFactorOver = (seconds: number) => raiseToWholePower(decayPerSecond, seconds);
  const accountOf = (job: JobRecord) => job[by] ?? -1;
  const runs = uses.jobs.flatMap(runsOfJob);
  uses.byNumber[by] ??= { steps: 0, accounts: new Map(), walked: [], shares: new Map() };
  const usageState = uses.byNumber[by];
  const useOf = ({ job, start }: Run, from: number, until: number): Use => {
    const seconds = Math.floor(until) - Math.max(Math.floor(start), from);
    const amount = seconds > 0 ? job.processors * (seconds * decayFactorOver(seconds)) : 0;
    return { account: accountOf(job), amount };
  };
  // Uses of jobs that ended since the last step, before a time.
  const endedUses = (time: number) =>
    runs
      .filter(({ end }) => end < time && (usageState.steps === 0 || end >= endOfUsageStep(usageState.steps)))
      .map((run) => useOf(run, wholeEndOfStep(usageState.steps), run.end));
  const usedBy = (account: AccountKey, list: Use[]) =>
    sumExactly(
      list.filter((use) => account === 'all' || use.account === account).map(({ amount }) => amount),
    );
  const decayed = (account: AccountKey) => {
    const { usage, since } = usageState.accounts.get(account) ?? { usage: 0, since: 0 };
    return usage === 0 ? 0 : usage * decayFactorOver(wholeEndOfStep(usageState.steps) - since);
  };
  const takeShare = (account: number, list: Use[]) => {
    if (usageState.shares.has(account)) return;
    const total = decayed('all') + usedBy('all', list);
    const own = decayed(account) + usedBy(account, list);
    usageState.shares.set(account, total === 0 ? 0 : Math.min(1, own / total));
  };
  for (; endOfUsageStep(usageState.steps + 1) <= now; ) {
    const until = endOfUsageStep(usageState.steps + 1);
    const from = wholeEndOfStep(usageState.steps);
    const list = [...usageState.walked, ...endedUses(until)];
    for (const account of new Set<AccountKey>(['all', ...list.map((use) => use.account)])) {
      const used = usedBy(account, list);
      if (used === 0) continue;
      const usage = (decayed(account) + used) * decayFactorOver(Math.floor(until) - from);
      usageState.accounts.set(account, { usage, since: Math.floor(until) });
    }
    usageState.steps += 1;
    usageState.walked = [];
    usageState.shares = new Map();
    for (const job of uses.jobs) {
      const run = runsOfJob(job).find(({ start, end }) => start < until && end >= until);
      if (run !== undefined) usageState.walked.push(useOf(run, from, until));
      else if (job.submit < until && !isOverBefore(job, until)) takeShare(accountOf(job), usageState.walked);
    }
  }
  const waits = uses.jobs.flatMap((job) =>
    [job.submit, ...job.earlier.map(({ released }) => released)].map((time) => ({ job, time })),
  );
  for (const { job, time } of waits.sort((one, other) => one.time - other.time)) {
    if (time <= now && (usageState.steps === 0 || time >= endOfUsageStep(usageState.steps)))
      takeShare(accountOf(job), [...usageState.walked, ...endedUses(time)]);
  }
  return (job) => usageState.shares.get(accountOf(job))!;
}

/** All runs of a job, preempted ones included. */
function runsOfJob(job: JobRecord): Run[] {
  const last = job.start >= 0 ? [{ job, start: job.start, end: job.failed ?? endOfRunningJob(job) }] : [];
  return [...job.earlier.map(({ start, end }) => ({ job, start, end })), ...last];
}

/** True if the last run of a job ended before a time. */
function isOverBefore(job: JobRecord, time: number): boolean {
  return job.start >= 0 && job.start < time && (job.failed ?? endOfRunningJob(job)) < time;
}
