/** One simulation in the memory of a core: begins, advances, is read, copied and continued. */
import { COLUMNS } from './contract.js';
import {
  type Core,
  findNumberOfEnumMember,
  throwIfRefused,
  throwIfSimulationCallRefused,
} from './instance.js';
import type { CoreJobs } from './memory.js';
import type { ChangeableRules, Column, PolicyParameters, RunInput, RunSettings } from './runSettings.js';
import {
  findNumberOfOption,
  layOutSimulationBlock,
  makePolicyOptions,
  setCoreRunOptions,
} from './runSettings.js';

/** View of a column in the memory of the core. */
export type ColumnView<Name extends Column> = InstanceType<(typeof COLUMNS)[Name][0]>;

/** Keys of a job, by the column with the keys of all jobs; 0 if one is missing. */
export type KeysOfJob = { readonly [Name in 'Key' | 'BackfillKey']?: number | undefined };

/** Logs that grow during a run, each with the scalar that holds its length. */
const LOG_LENGTH_SCALARS = { Runs: 'LogLength', Parts: 'PartsLength', Stops: 'StopsLength' } as const;

const invertSpeeds = (speeds: ArrayLike<number>) => Array.from(speeds, (speed) => 1 / speed);

/**
 * A run of the core: it begins, advances to any time, and can be read, copied and continued. It can begin
 * again with other settings. Its columns are views of the memory, valid until the memory grows.
 */
export class CoreRun {
  readonly core: Core;
  readonly jobs: Omit<CoreJobs, 'dispose'>;
  /**
   * Answers a decision of the policy `own`: returns the site, from 0, of the job `Decision.Job`, or -1 to let
   * it wait.
   */
  decide: ((coreRun: CoreRun) => number) | undefined;
  /**
   * Returns the keys of a job at its submission, with the option `KeysAtSubmit`; keys of orders other than `Given`
   * may be missing.
   */
  keysOf: ((coreRun: CoreRun, job: number) => KeysOfJob) | undefined;
  readonly #allocation = { address: 0, bytes: 0 };

  constructor(coreJobs: Omit<CoreJobs, 'dispose'>, decide?: (coreRun: CoreRun) => number) {
    this.core = coreJobs.core;
    this.jobs = coreJobs;
    this.decide = decide;
  }

  /** Address of the simulation; 0 before it has begun. */
  get block(): number {
    return this.#allocation.address;
  }

  /**
   * Resets the run to before its first event.
   * @throws Refusal; RangeError for unknown names and columns of another length.
   */
  begin(runSettings: RunSettings): void {
    const { sites } = runSettings;
    this.#enlarge(this.core.Limit.HeadBytes);
    this.#enlarge(layOutSimulationBlock(this.core, this.block, this.jobs.count, runSettings));
    const { Load = Array.from(sites.Speed, () => 1), TimeFactor = invertSpeeds(sites.Speed) } = sites;
    this.#write({ ...sites, Load, TimeFactor });
    this.check(this.core.begin(this.block, this.jobs.table));
  }

  #write(columns: RunInput): void {
    for (const [columnName, columnValues] of Object.entries(columns)) {
      if (columnValues === undefined) continue;
      const column = this.column(columnName as Column);
      if (columnValues.length !== column.length) {
        throw new RangeError(`${columnName}: ${columnValues.length} numbers, expected ${column.length}`);
      }
      column.set(columnValues);
    }
  }

  /**
   * Starts the next job of the table on a site, from 0, at a time in seconds, before the first event; the run
   * thus begins in the middle of a schedule.
   * @param nodes nodes of the job, for plans by nodes.
   * @throws Refusal.
   */
  place(site: number, start: number, nodes: readonly number[] = []): void {
    const column = this.column('PlacedNodes').fill(0);
    for (const node of nodes) column[node] = 1;
    this.check(this.core.placeJob(this.block, this.jobs.table, site, start));
  }

  /**
   * Begins an open run from a state at a time in seconds, before the first event: jobs of the table that were
   * submitted up to then run on their `Site` since their `Start`, or wait if that is NaN.
   * @throws Refusal.
   */
  takeState(time: number): void {
    this.check(this.core.takeState(this.block, this.jobs.table, time));
  }

  /**
   * Gives a job that waits in that state its kept reservation: a site, from 0, and a start in seconds.
   * @throws Refusal.
   */
  reserve(job: number, site: number, start: number): void {
    this.check(this.core.reserveJob(this.block, this.jobs.table, job, site, start));
  }

  /**
   * Handles all events up to and including a time in seconds; returns true if no event is left.
   * @param answerDecision answers a pending decision.
   * @throws Refusal; errors of `answerDecision`.
   */
  runUntil(time: number, answerDecision: () => void = () => this.#answer()): boolean {
    return this.#runAnswering(() => this.runToDecision(time), answerDecision) === this.core.Status.Finished;
  }

  /**
   * Handles the events of the next `eventTimeCount` times at which something happens; returns true if no event
   * is left.
   * @throws Refusal; errors of `decide` and `keysOf`.
   */
  runEvents(eventTimeCount: number): boolean {
    const { core, block, jobs } = this;
    const run = () => this.#runToDecision(() => core.runEvents(block, jobs.table, 1));
    let status = core.Status.Paused as number;
    for (
      let remainingTimeCount = eventTimeCount;
      remainingTimeCount > 0 && status === core.Status.Paused;
      remainingTimeCount--
    ) {
      status = this.#runAnswering(run, () => this.#answer());
      if (core.nextEventTime(block, jobs.table) === Number.POSITIVE_INFINITY) break;
    }
    return status === core.Status.Finished;
  }

  #runAnswering(run: () => number, giveAnswer: () => void): number {
    let status = run();
    for (; status === this.core.Status.Decision; status = run()) giveAnswer();
    return status;
  }

  /**
   * Handles all events up to and including a time in seconds, or up to the next decision of the host; returns
   * the status `Finished`, `Paused` or `Decision`.
   * @throws Refusal; errors of `keysOf`.
   */
  runToDecision(time: number): number {
    return this.#runToDecision(() => this.core.runUntil(this.block, this.jobs.table, time));
  }

  #runToDecision(handleEvents: () => number): number {
    const { Status } = this.core;
    for (;;) {
      const status = handleEvents();
      this.check(status);
      if (status === Status.LogFull) this.#extendLogs(this);
      else if (status === Status.Keys) this.#giveKeys();
      else return status;
    }
  }

  #giveKeys(): void {
    if (this.keysOf === undefined)
      throw new RangeError('no function gives the keys that are asked for at submits');
    const { Key = 0, BackfillKey = 0 } = this.keysOf(this, this.scalar('KeyedJob'));
    this.check(this.core.giveKeys(this.block, this.jobs.table, Key, BackfillKey));
  }

  #answer(): void {
    const site = this.decide?.(this);
    if (site === undefined) throw new RangeError('no function has answered what the policy asks the host');
    // Other numbers would be rounded.
    const isWholeSiteNumber = (site | 0) === site;
    const { core, jobs } = this;
    this.check(isWholeSiteNumber ? core.decide(this.block, jobs.table, site) : core.Status.SiteInfeasible);
  }

  /**
   * Computes the metrics after the last event.
   * @param from start of the submission window, in seconds, over whose jobs means and maxima are taken.
   * @param until end of the window, inclusive; metrics are NaN if it contains no job. After a fork, `Start`,
   * `Execution` and `Held` of the jobs started before it must be written first.
   */
  measure(from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY): void {
    this.check(this.core.measureBetween(this.block, this.jobs.table, from, until));
  }

  /** Runs to the end and computes the metrics. */
  run(): void {
    this.runUntil(Number.POSITIVE_INFINITY);
    this.measure();
  }

  /** True if the metrics can be read: the run has ended and `measure` was called after its end. */
  get isMeasured(): boolean {
    return this.column('Metric')[this.core.Metric.Jobs]! > 0;
  }

  /**
   * Returns a metric of a measured run.
   * @throws Error for a run that has not been measured.
   */
  metric(metricName: keyof Core['Metric']): number {
    if (!this.isMeasured) throw new Error('there are no metrics yet; run to the end and measure first');
    return this.column('Metric')[findNumberOfEnumMember(this.core.Metric, metricName)]!;
  }

  /** Returns a scalar of the progress. */
  scalar(scalarName: keyof Core['Scalar']): number {
    return this.core.scalar(this.block, findNumberOfEnumMember(this.core.Scalar, scalarName));
  }

  /** Returns a field of the pending decision. */
  decision(fieldName: keyof Core['Decision']): number {
    return this.column('Decision')[findNumberOfEnumMember(this.core.Decision, fieldName)]!;
  }

  /** Returns a capacity for which the run is laid out. */
  room(roomName: keyof Core['Room']): number {
    return this.core.room(this.block, findNumberOfEnumMember(this.core.Room, roomName));
  }

  /** Returns a column as a view of the memory; empty if the run has no column of that name. */
  column<Name extends Column>(columnName: Name): ColumnView<Name> {
    const address =
      this.core.columnAddress(this.block, findNumberOfEnumMember(this.core.Column, columnName)) >>> 0;
    const [Numbers, count] = COLUMNS[columnName];
    return new Numbers(this.core.memory.buffer, address, address === 0 ? 0 : count(this)) as ColumnView<Name>;
  }

  /**
   * Copies the entire state, with a checksum; `restore` continues from it in any run of the same jobs and the
   * same build of the core.
   * @throws Refusal before the run has begun.
   */
  snapshot(): Uint8Array {
    this.check(this.core.sealState(this.block));
    return new Uint8Array(this.core.memory.buffer, this.block, this.scalar('Bytes')).slice();
  }

  /**
   * Returns to a snapshot.
   * @throws Refusal of a damaged snapshot or one of another build; the run must then begin again or restore
   * another snapshot.
   */
  restore(snapshot: Uint8Array): void {
    this.#enlarge(Math.max(snapshot.length, this.core.Limit.HeadBytes));
    new Uint8Array(this.core.memory.buffer).set(snapshot, this.block);
    const status = this.core.checkState(this.block, snapshot.length);
    if (status === this.core.Status.Finished) return;
    // Neither this snapshot nor the state before it can be used.
    this.core.prepare(this.block);
    throwIfRefused(this.core, status, () => -1);
  }

  /**
   * Creates a second run that continues from here, with all results; it copies the entire state (megabytes).
   */
  fork(): CoreRun {
    const forkedRun = new CoreRun(this.jobs, this.decide);
    forkedRun.keysOf = this.keysOf;
    forkedRun.copyOf(this);
    return forkedRun;
  }

  /** Copies the state of another run of the same jobs, with all its results, and continues from there. */
  copyOf(otherRun: CoreRun): void {
    const bytes = otherRun.scalar('Bytes');
    if (!(bytes > 0)) this.check(this.core.Status.NoSimulation);
    this.#enlarge(bytes);
    new Uint8Array(this.core.memory.buffer).copyWithin(this.block, otherRun.block, otherRun.block + bytes);
  }

  /** Releases the memory of the run for other runs and tables; the run can begin again. */
  dispose(): void {
    this.jobs.blocks.release(this.#allocation);
  }

  /**
   * Lets another run of the same jobs, begun with the same settings except the policy, continue from here.
   * Only kilobytes are copied; earlier results stay in this run (docs/abi.md#forks).
   * @throws Refusal.
   */
  forkInto(targetRun: CoreRun): void {
    const fork = () => this.core.fork(this.block, targetRun.block, this.jobs.table);
    let status = fork();
    if (status === this.core.Status.RoomTooSmall) {
      targetRun.#extendLogs(this);
      status = fork();
    }
    this.check(status);
  }

  /**
   * Changes the policy from the next decision on.
   * @throws Refusal; RangeError for unknown names.
   */
  changePolicy(policyName: string, parameters: PolicyParameters = {}): void {
    setCoreRunOptions(this.core, this.block, makePolicyOptions(this.core, policyName, parameters));
    this.check(this.core.changePolicy(this.block, this.jobs.table));
  }

  /**
   * Changes the discipline and the orders, by names of the core, of an open run with `CandidateRules`; what is
   * left out gets its default. A pass of the current time follows.
   * @throws Refusal; RangeError for unknown names.
   */
  changeRules({ Discipline = 0, Order = 0, BackfillOrder = 0 }: ChangeableRules): void {
    const ruleNumbers = Object.entries({ Discipline, Order, BackfillOrder }).map(([name, value]) =>
      findNumberOfOption(this.core, name, value),
    );
    const [discipline, order, backfillOrder] = ruleNumbers as [number, number, number];
    this.check(this.core.changeRules(this.block, this.jobs.table, discipline, order, backfillOrder));
  }

  /**
   * Changes the speeds of the sites for jobs that start later; time factors default to 1 / speed.
   * @throws Refusal; RangeError for another number of sites.
   */
  changeSpeeds(speeds: ArrayLike<number>, timeFactors: ArrayLike<number> = invertSpeeds(speeds)): void {
    this.#write({ Speed: speeds, TimeFactor: timeFactors });
    this.check(this.core.changeSpeeds(this.block, this.jobs.table));
  }

  /**
   * Enlarges the logs: twice the entries of a run, and space for one more event. One log may be full while
   * another is not, and none may shrink.
   */
  #extendLogs(sourceRun: CoreRun): void {
    const computeGrownLength = (logKind: keyof typeof LOG_LENGTH_SCALARS) => {
      const doubledLength = 2 * (sourceRun.scalar(LOG_LENGTH_SCALARS[logKind]) + this.room('Processors'));
      return this.room(logKind) === 0 ? 0 : Math.max(this.room(logKind), doubledLength);
    };
    const [runCount, partCount, stopCount] = [
      computeGrownLength('Runs'),
      computeGrownLength('Parts'),
      computeGrownLength('Stops'),
    ];
    this.#enlarge(this.scalar('Bytes') + 8 * (runCount + partCount) + 32 * stopCount);
    const bytes = this.core.extendLogs(this.block, runCount, partCount, stopCount);
    if (bytes === 0) throw new Error('the logs of the simulation cannot grow');
  }

  /** Resizes the simulation to this number of bytes, at another address if needed. */
  #enlarge(bytes: number): void {
    this.jobs.blocks.enlarge(this.#allocation, bytes);
  }

  /**
   * Checks the status of a call on the simulation.
   * @throws Refusal if the status is one.
   */
  check(status: number): void {
    throwIfSimulationCallRefused(this.core, this.block, status);
  }
}
