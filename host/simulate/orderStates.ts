/** State of a simulation on which orders depend, reconstructed from the starts and ends of its jobs. */
import { raise2ToPower } from '../math/fdlibm.js';
import type { NumberColumns, ParsedExpression } from '../options/expression.js';
import { parseOrderExpression } from '../options/order.js';
import { toSecondsOfHalfLife } from '../options/shareOptions.js';
import {
  assignAccountNumbers,
  computeUsageLeadSeconds,
  type KeyedColumns,
  makeJobNameTest,
  makeOrderColumnsOfJobs,
  type OrderKeySettings,
} from './orderKeys.js';
import { AccountUsageByNumber, type RunTimesByJob, type UsageTimes } from './usageByNumber.js';

/** Evaluates orders during a simulation with a known schedule. Times must not decrease between calls. */
export class ScheduleOrderStates {
  readonly #jobs: KeyedColumns;
  readonly #columns: ReturnType<typeof makeOrderColumnsOfJobs>;
  readonly #runs: RunTimesByJob;
  readonly #accounts: { readonly [Kind in 'user' | 'group']: ReturnType<typeof assignAccountNumbers> };
  readonly #usages: { readonly [Kind in 'user' | 'group']: AccountUsage | AccountUsageByNumber };
  readonly #firstSubmit: number;
  /** Evaluation functions by expression. */
  readonly #valueFunctions = new Map<string, ParsedExpression['valueAt']>();

  constructor(jobColumns: KeyedColumns, keySettings: OrderKeySettings & UsageTimes, runTimes: RunTimesByJob) {
    this.#jobs = jobColumns;
    this.#columns = makeOrderColumnsOfJobs(jobColumns, keySettings);
    this.#runs = runTimes;
    this.#firstSubmit = jobColumns.submit[0]!;
    const { user, group } = this.#columns;
    this.#accounts = { user: assignAccountNumbers(user), group: assignAccountNumbers(group) };
    const makeAccountUsage = (ownerKind: 'user' | 'group') =>
      keySettings.usageCount === 'by-number'
        ? new AccountUsageByNumber(jobColumns, runTimes, this.#accounts[ownerKind], keySettings)
        : new AccountUsage(
            jobColumns.processors,
            runTimes,
            this.#accounts[ownerKind],
            this.#firstSubmit,
            keySettings,
          );
    this.#usages = { user: makeAccountUsage('user'), group: makeAccountUsage('group') };
  }

  /** Values of an expression for some jobs at the begin of a scheduling pass, before its starts. */
  computeValuesAt(expression: string, time: number, jobs: readonly number[]): number[] {
    const valueAt = this.#findValueFunction(expression);
    const columns = this.#columnsAt(time, jobs);
    return jobs.map((job) => valueAt(columns, job));
  }

  #findValueFunction(expression: string): ParsedExpression['valueAt'] {
    const cachedValueFunction = this.#valueFunctions.get(expression);
    if (cachedValueFunction !== undefined) return cachedValueFunction;
    const { valueAt } = parseOrderExpression(
      expression,
      'order',
      makeJobNameTest(this.#columns, this.#jobs.names),
    );
    this.#valueFunctions.set(expression, valueAt);
    return valueAt;
  }

  #columnsAt(time: number, jobs: readonly number[]): NumberColumns {
    const { count: jobCount, submit } = this.#jobs;
    const makeColumn = (valueOfJob: (job: number) => number) => {
      const column = new Float64Array(jobCount);
      for (const job of jobs) column[job] = valueOfJob(job);
      return column;
    };
    const userShares = this.#usages.user.computeSharesAt(time);
    const groupShares = this.#usages.group.computeSharesAt(time);
    const { user, group } = this.#accounts;
    const seenUsers = new Set<number>();
    for (let job = 0; job < jobCount && submit[job]! <= time; job++) seenUsers.add(user.accounts[job]!);
    const heldProcessors = this.#processorsHeldAt(time);
    return {
      ...this.#columns,
      wait: makeColumn((job) => time - submit[job]!),
      now: makeColumn(() => time - this.#firstSubmit),
      share: makeColumn(() => 1 / seenUsers.size),
      usage: makeColumn((job) => userShares[user.accounts[job]!]!),
      groupUsage: makeColumn((job) => groupShares[group.accounts[job]!]!),
      running: makeColumn((job) => heldProcessors[user.accounts[job]!]!),
    };
  }

  /** Processors held by the jobs of each user. */
  #processorsHeldAt(time: number): Float64Array {
    const { start, release } = this.#runs;
    const { accounts, count: accountCount } = this.#accounts.user;
    const heldProcessors = new Float64Array(accountCount);
    for (let job = 0; job < this.#jobs.count; job++)
      if (start[job]! < time && release[job]! > time)
        heldProcessors[accounts[job]!]! += this.#jobs.processors[job]!;
    return heldProcessors;
  }
}

/** Usage of accounts at the ends of usage steps. */
class AccountUsage {
  readonly #processors: ArrayLike<number>;
  readonly #runs: RunTimesByJob;
  readonly #accounts: Int32Array;
  readonly #usage: Float64Array;
  /** Begin of the first usage step in seconds. */
  readonly #first: number;
  readonly #usageTimes: UsageTimes;
  /** Jobs with a run, in ascending order of their starts. */
  readonly #byStart: readonly number[];
  /** Number of jobs in `#byStart` that have started. */
  #started = 0;
  #runningJobs: number[] = [];
  /** Number of steps that the usage includes. */
  #steps = 0;

  constructor(
    processors: ArrayLike<number>,
    runTimes: RunTimesByJob,
    { accounts, count: accountCount }: ReturnType<typeof assignAccountNumbers>,
    first: number,
    usageTimes: UsageTimes,
  ) {
    this.#processors = processors;
    this.#runs = runTimes;
    this.#accounts = accounts;
    this.#usage = new Float64Array(accountCount);
    this.#first = first - computeUsageLeadSeconds(usageTimes);
    this.#usageTimes = usageTimes;
    this.#byStart = Array.from(accounts.keys())
      .filter((job) => runTimes.start[job]! >= first)
      .sort((job, otherJob) => runTimes.start[job]! - runTimes.start[otherJob]!);
  }

  /** Share of each account in the total usage after the last complete step. */
  computeSharesAt(time: number): Float64Array {
    this.#advanceToStep(Math.floor((time - this.#first) / this.#usageTimes.usageStep));
    const totalUsage = this.#usage.reduce((sum, usage) => sum + usage, 0);
    return this.#usage.map((usage) => (totalUsage === 0 ? 0 : usage / totalUsage));
  }

  #advanceToStep(usageStepCount: number): void {
    if (usageStepCount <= this.#steps) return;
    const { start, release } = this.#runs;
    const [from, until] = [this.#timeAfterSteps(this.#steps), this.#timeAfterSteps(usageStepCount)];
    const decay = this.#decayOf(usageStepCount - this.#steps);
    for (let account = 0; account < this.#usage.length; account++) this.#usage[account]! *= decay;
    for (; this.#started < this.#byStart.length; this.#started++) {
      const job = this.#byStart[this.#started]!;
      if (start[job]! >= until) break;
      this.#runningJobs.push(job);
    }
    for (const job of this.#runningJobs) {
      const seconds = this.#decayedSeconds(
        Math.max(from, start[job]!) - this.#first,
        Math.min(until, release[job]!) - this.#first,
        usageStepCount,
      );
      this.#usage[this.#accounts[job]!]! += this.#processors[job]! * seconds;
    }
    this.#runningJobs = this.#runningJobs.filter((job) => release[job]! >= until);
    this.#steps = usageStepCount;
  }

  #timeAfterSteps(usageStepCount: number): number {
    return this.#first + usageStepCount * this.#usageTimes.usageStep;
  }

  /** Factor by which usage decays in a number of steps. */
  #decayOf(usageStepCount: number): number {
    const { usageStep, halfLife } = this.#usageTimes;
    return raise2ToPower(-(usageStepCount * usageStep) / toSecondsOfHalfLife(halfLife));
  }

  /**
   * Seconds of usage between two times (in seconds since the first usage step), each multiplied by its decay
   * until the end of step `stepCount`.
   */
  #decayedSeconds(from: number, until: number, stepCount: number): number {
    const { usageStep } = this.#usageTimes;
    if (!(until > from)) return 0;
    const firstStep = Math.floor(from / usageStep) + 1;
    const lastStep = Math.ceil(until / usageStep);
    if (firstStep >= lastStep) return (until - from) * this.#decayOf(stepCount - lastStep);
    const decayedSecondsInFirstStep = (firstStep * usageStep - from) * this.#decayOf(stepCount - firstStep);
    const decayedSecondsInLastStep =
      (until - (lastStep - 1) * usageStep) * this.#decayOf(stepCount - lastStep);
    return (
      decayedSecondsInFirstStep +
      decayedSecondsInLastStep +
      usageStep * this.#sumOfDecays(stepCount - lastStep + 1, stepCount - firstStep - 1)
    );
  }

  /** Sum of the decay factors for `minStepCount` to `maxStepCount` steps. */
  #sumOfDecays(minStepCount: number, maxStepCount: number): number {
    if (maxStepCount < minStepCount) return 0;
    const { usageStep, halfLife } = this.#usageTimes;
    // Computes 1 - 2^-x by expm1, which is accurate for small x (long half-lives) too.
    const computeDecayLoss = (stepCount: number) =>
      -Math.expm1((-Math.LN2 * stepCount * usageStep) / toSecondsOfHalfLife(halfLife));
    const termCount = maxStepCount - minStepCount + 1;
    const decayLossOfOneStep = computeDecayLoss(1);
    return (
      this.#decayOf(minStepCount) *
      (decayLossOfOneStep === 0 ? termCount : computeDecayLoss(termCount) / decayLossOfOneStep)
    );
  }
}
