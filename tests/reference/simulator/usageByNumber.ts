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
  accountKind: 'user' | 'group',
  now: number,
): (job: JobRecord) => number {
  const { uses, options } = simulation;
  const usageStepSeconds = options.usageStep ?? DEFAULT_USAGE_STEP_SECONDS;
  const begin = beginOfUsageSteps(simulation);
  const endOfStep = (k: number) => begin + k * usageStepSeconds;
  const wholeEndOfStep = (k: number) => Math.floor(endOfStep(k));
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: the constant of Slurm
  const decayPerSecond = 1 - 0.693 / (options.halfLife ?? DEFAULT_HALF_LIFE_SECONDS);
  const decayOver = (seconds: number) => raiseToWholePower(decayPerSecond, seconds);
  const accountOf = (job: JobRecord) => job[accountKind] ?? -1;
  const runs = uses.jobs.flatMap(runsOfJob);
  uses.byNumber[accountKind] ??= { steps: 0, accounts: new Map(), walked: [], shares: new Map() };
  const usageOfKind = uses.byNumber[accountKind];
  const useOf = ({ job, start }: Run, from: number, until: number): Use => {
    const seconds = Math.floor(until) - Math.max(Math.floor(start), from);
    const amount = seconds > 0 ? job.processors * (seconds * decayOver(seconds)) : 0;
    return { account: accountOf(job), amount };
  };
  // Uses of jobs that ended since the last step, before a time.
  const endedUses = (time: number) =>
    runs
      .filter(({ end }) => end < time && (usageOfKind.steps === 0 || end >= endOfStep(usageOfKind.steps)))
      .map((run) => useOf(run, wholeEndOfStep(usageOfKind.steps), run.end));
  const usedBy = (account: AccountKey, uses: Use[]) =>
    sumExactly(
      uses.filter((use) => account === 'all' || use.account === account).map(({ amount }) => amount),
    );
  const decayed = (account: AccountKey) => {
    const { usage, since } = usageOfKind.accounts.get(account) ?? { usage: 0, since: 0 };
    return usage === 0 ? 0 : usage * decayOver(wholeEndOfStep(usageOfKind.steps) - since);
  };
  const takeShare = (account: number, uses: Use[]) => {
    if (usageOfKind.shares.has(account)) return;
    const totalUsage = decayed('all') + usedBy('all', uses);
    const usageOfAccount = decayed(account) + usedBy(account, uses);
    usageOfKind.shares.set(account, totalUsage === 0 ? 0 : Math.min(1, usageOfAccount / totalUsage));
  };
  for (; endOfStep(usageOfKind.steps + 1) <= now; ) {
    const until = endOfStep(usageOfKind.steps + 1);
    const from = wholeEndOfStep(usageOfKind.steps);
    const usesToAdd = [...usageOfKind.walked, ...endedUses(until)];
    for (const account of new Set<AccountKey>(['all', ...usesToAdd.map((use) => use.account)])) {
      const usedProcessorSeconds = usedBy(account, usesToAdd);
      if (usedProcessorSeconds === 0) continue;
      const usage = (decayed(account) + usedProcessorSeconds) * decayOver(Math.floor(until) - from);
      usageOfKind.accounts.set(account, { usage, since: Math.floor(until) });
    }
    usageOfKind.steps += 1;
    usageOfKind.walked = [];
    usageOfKind.shares = new Map();
    for (const job of uses.jobs) {
      const run = runsOfJob(job).find(({ start, end }) => start < until && end >= until);
      if (run !== undefined) usageOfKind.walked.push(useOf(run, from, until));
      else if (job.submit < until && !isOverBefore(job, until)) takeShare(accountOf(job), usageOfKind.walked);
    }
  }
  const waits = uses.jobs.flatMap((job) =>
    [job.submit, ...job.earlier.map(({ released }) => released)].map((time) => ({ job, time })),
  );
  for (const { job, time } of waits.sort((one, other) => one.time - other.time)) {
    if (time <= now && (usageOfKind.steps === 0 || time >= endOfStep(usageOfKind.steps)))
      takeShare(accountOf(job), [...usageOfKind.walked, ...endedUses(time)]);
  }
  return (job) => usageOfKind.shares.get(accountOf(job))!;
}

/** All runs of a job, preempted ones included. */
function runsOfJob(job: JobRecord): Run[] {
  const lastUse = job.start >= 0 ? [{ job, start: job.start, end: job.failed ?? endOfRunningJob(job) }] : [];
  return [...job.earlier.map(({ start, end }) => ({ job, start, end })), ...lastUse];
}

/** True if the last run of a job ended before a time. */
function isOverBefore(job: JobRecord, time: number): boolean {
  return job.start >= 0 && job.start < time && (job.failed ?? endOfRunningJob(job)) < time;
}
