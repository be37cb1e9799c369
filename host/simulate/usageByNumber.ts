/** Usage of accounts as Slurm's multifactor plugin keeps it, computed from the starts and ends of jobs. */
import type { Configuration } from '../options/configuration.js';
import { toSecondsOfHalfLife } from '../options/shareOptions.js';
import { type assignAccountNumbers, computeUsageLeadSeconds, type KeyedColumns } from './orderKeys.js';

/** Runs by job: start and end in seconds; NaN for jobs without a run. */
export interface RunTimesByJob {
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  /** Times in seconds from which the processors are free again. */
  readonly release: ArrayLike<number>;
}

/** Options for the times at which the columns `usage` and `groupUsage` are computed. */
export type UsageTimes = Pick<Configuration, 'usageStep' | 'usageOffset' | 'halfLife' | 'usageCount'>;

/**
 * Fair-share usage of accounts in processor-seconds, updated at usage steps and ends of jobs, with times cut
 * to whole seconds as in Slurm.
 */
export class AccountUsageByNumber {
  readonly #jobs: KeyedColumns;
  readonly #runs: RunTimesByJob;
  readonly #accounts: Int32Array;
  readonly #usageTimes: UsageTimes;
  /** Begin of the first usage step in seconds. */
  readonly #usageStart: number;
  readonly #decayPerSecond: number;
  /** Usage of each account in processor-seconds, and the sum of all. */
  readonly #usage: Float64Array;
  #total = 0;
  /** Share of each account in all usage, as of the current step; NaN until it is computed. */
  readonly #shares: Float64Array;
  /** Jobs with a run by ascending starts; of the first `#started`, those in `#running` are not over. */
  readonly #byStart: readonly number[];
  #started = 0;
  #running: number[] = [];
  /** Jobs among the first `#submitted` that had not started at the end of the last step, in order of their numbers. */
  #waiting: number[] = [];
  #submitted = 0;
  /** Number of jobs whose submissions have been looked at for shares. */
  #jobsWithShares = 0;
  #steps = 0;

  constructor(
    jobColumns: KeyedColumns,
    runTimes: RunTimesByJob,
    { accounts, count: accountCount }: ReturnType<typeof assignAccountNumbers>,
    usageTimes: UsageTimes,
  ) {
    this.#jobs = jobColumns;
    this.#runs = runTimes;
    this.#accounts = accounts;
    this.#usageTimes = usageTimes;
    this.#usageStart = jobColumns.submit[0]! - computeUsageLeadSeconds(usageTimes);
    // biome-ignore lint/suspicious/noApproximativeNumericConstant: the constant of Slurm
    this.#decayPerSecond = 1 - 0.693 / toSecondsOfHalfLife(usageTimes.halfLife);
    this.#usage = new Float64Array(accountCount);
    this.#shares = new Float64Array(accountCount).fill(Number.NaN);
    this.#byStart = Array.from(accounts.keys())
      .filter((job) => !Number.isNaN(runTimes.start[job]!))
      .sort((job, otherJob) => runTimes.start[job]! - runTimes.start[otherJob]! || job - otherJob);
  }

  /** Share of each account in all usage, for jobs that wait; 0 for accounts without any. */
  computeSharesAt(time: number): Float64Array {
    const { count: jobCount, submit } = this.#jobs;
    const usageStepCount = Math.max(0, Math.floor((time - this.#usageStart) / this.#usageTimes.usageStep));
    while (this.#steps < usageStepCount) {
      const nextStep =
        this.#running.length > 0 ? this.#steps + 1 : Math.min(usageStepCount, this.#stepOfNextStart());
      this.#advanceToStep(nextStep, nextStep === usageStepCount);
    }
    for (; this.#jobsWithShares < jobCount && submit[this.#jobsWithShares]! <= time; this.#jobsWithShares++) {
      const account = this.#accounts[this.#jobsWithShares]!;
      if (!Number.isNaN(this.#shares[account]!)) continue;
      this.#addEnded(submit[this.#jobsWithShares]!);
      this.#fixShare(account);
    }
    return this.#shares.map((share) => (Number.isNaN(share) ? 0 : share));
  }

  /** Number of steps that are over after the step in which the next job starts, at least one more than now. */
  #stepOfNextStart(): number {
    const job = this.#byStart[this.#started];
    if (job === undefined) return Number.POSITIVE_INFINITY;
    const usageStepCount =
      Math.floor((this.#runs.start[job]! - this.#usageStart) / this.#usageTimes.usageStep) + 1;
    return Math.max(this.#steps + 1, usageStepCount);
  }

  /** Advances to the end of step `targetStep`; jobs may have run only during the last of the passed steps. */
  #advanceToStep(targetStep: number, computesShares: boolean): void {
    const until = this.#timeAfter(targetStep);
    const { submit, count: jobCount } = this.#jobs;
    const from = this.#wholeTimeAfter(targetStep - 1);
    const decayOfPassedSteps = this.#decayFactor(from - this.#wholeTimeAfter(this.#steps));
    this.#decay(decayOfPassedSteps);
    this.#steps = targetStep - 1;
    this.#addEnded(until);
    this.#decay(this.#decayFactor(Math.floor(until) - from));
    this.#steps = targetStep;
    this.#shares.fill(Number.NaN);
    for (; this.#submitted < jobCount && submit[this.#submitted]! < until; this.#submitted++)
      this.#waiting.push(this.#submitted);
    this.#waiting = this.#waiting.filter((job) => this.#runs.start[job]! >= until);
    this.#addRunningUsage(from, until, computesShares ? this.#waiting : []);
  }

  /**
   * Adds the usage of running jobs in ascending order of job numbers. Before each job, fixes the shares of
   * accounts whose first waiting job has a lower number.
   */
  #addRunningUsage(from: number, until: number, waitingJobs: readonly number[]): void {
    let waitingIndex = 0;
    const takeSharesBefore = (end: number) => {
      for (; waitingIndex < waitingJobs.length && waitingJobs[waitingIndex]! < end; waitingIndex++) {
        const account = this.#accounts[waitingJobs[waitingIndex]!]!;
        if (Number.isNaN(this.#shares[account]!)) this.#fixShare(account);
      }
    };
    for (const job of this.#running.sort((jobA, jobB) => jobA - jobB)) {
      takeSharesBefore(job);
      this.#addUsage(job, from, until);
    }
    takeSharesBefore(this.#jobs.count);
  }

  /** Adds the usage, in the current step, of jobs that ended before a time. */
  #addEnded(time: number): void {
    const { start, end } = this.#runs;
    for (; this.#started < this.#byStart.length; this.#started++) {
      const job = this.#byStart[this.#started]!;
      if (!(start[job]! < time)) break;
      this.#running.push(job);
    }
    const from = this.#wholeTimeAfter(this.#steps);
    for (const job of this.#running) if (end[job]! < time) this.#addUsage(job, from, end[job]!);
    this.#running = this.#running.filter((job) => !(end[job]! < time));
  }

  #addUsage(job: number, from: number, until: number): void {
    const seconds = Math.floor(until) - Math.max(Math.floor(this.#runs.start[job]!), from);
    if (!(seconds > 0)) return;
    const usageAmount = this.#jobs.processors[job]! * seconds * this.#decayFactor(seconds);
    this.#usage[this.#accounts[job]!]! += usageAmount;
    this.#total += usageAmount;
  }

  #fixShare(account: number): void {
    this.#shares[account] = this.#total === 0 ? 0 : Math.min(1, this.#usage[account]! / this.#total);
  }

  #decay(decayFactor: number): void {
    for (let account = 0; account < this.#usage.length; account++) this.#usage[account]! *= decayFactor;
    this.#total *= decayFactor;
  }

  #decayFactor(seconds: number): number {
    return this.#decayPerSecond ** seconds;
  }

  #timeAfter(stepCount: number): number {
    return this.#usageStart + stepCount * this.#usageTimes.usageStep;
  }

  #wholeTimeAfter(stepCount: number): number {
    return Math.floor(this.#timeAfter(stepCount));
  }
}
