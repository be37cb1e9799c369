/** A simulation in an instance of the core: memory, options, stepping and results. */
import { CoreRun, type KeysOfJob } from '../core/host.js';
import type { CoreJobs } from '../core/memory.js';
import type { Core, CoreBuild } from '../core/module.js';
import { type Choice, findPolicyParameterValue, type Policy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { makeGrid } from '../grid/grid.js';
import type { Configuration } from '../options/configuration.js';
import { nameOptionInLibrary } from '../options/options.js';
import { needsHostComputedKeys, type Order } from '../options/order.js';
import { findOrderOfWaitingJobs } from '../options/runOptions.js';
import type { Workload } from '../workload/workload.js';
import { checkEstimatesKnown } from './decisionView.js';
import { foldJobs, type JobFold, type JobsOfRun, type MeasuredRun } from './jobFolds.js';
import {
  computeJobTableBytes,
  computeMaxSharedPolicyCount,
  type ErrorMessageState,
  type JobColumns,
  type JobTable,
  makeCoreInputColumns,
  makeCoreRunSettings,
  openCoreJobs,
  readJobTable,
  type SiteSearch,
  translateCoreError,
} from './layout.js';
import { totalWork } from './offeredLoad.js';
import { computeOrderKeyAtSubmit } from './orderKeys.js';
import { CustomDecisions } from './policyView.js';
import {
  CarriedResults,
  carriedResultsByMemory,
  computeMeasuredSubmitWindow,
  copySubmitTimes,
  type ProcessorSets,
  readKnownSubmitTimes,
  readProcessorSets,
  readScheduleOfRun,
  type Schedule,
} from './schedule.js';
import { checkSomeJobLeft } from './unfinishedJobs.js';

/**
 * A simulation of one workload. `begin` configures it, `runUntil` and `run` advance it, other methods read
 * it. It can begin again with another configuration at little cost. Its entire mutable state is one block of
 * memory.
 * @example
 * const simulator = new Simulator(workload);
 * for (const policy of ['best-fit', 'fastest-first']) {
 *   simulator.begin(makeConfiguration(grid, { policy }));
 *   simulator.run();
 *   console.log(simulator.metric('AverageResponseTime')); // 4064.65, then 2880.1825
 * }
 */
export class Simulator implements MeasuredRun, JobsOfRun {
  readonly workload: Workload;
  readonly #core: Core;
  readonly #jobs: CoreJobs;
  readonly #run: CoreRun;
  #configuration: Configuration | undefined;
  readonly #decisions: CustomDecisions;
  #results: CarriedResults;
  #finished = false;
  /** Work of the jobs, by the parameters that determine it. */
  readonly #works = new Map<string, number>();
  /** Functions that compute the keys of jobs at their submission. */
  #keyFunctions?: {
    readonly configuration: Configuration;
    readonly computeOrderKey: ReturnType<typeof computeOrderKeyAtSubmit> | undefined;
    readonly computeBackfillKey: ReturnType<typeof computeOrderKeyAtSubmit> | undefined;
  };

  /**
   * @param coreSource build of the core to instantiate; a job table; or a simulator beside which this one is
   * placed in memory.
   */
  constructor(workload: Workload, coreSource: CoreBuild | JobTable | Simulator = 'release') {
    this.workload = workload;
    this.#jobs = coreSource instanceof Simulator ? coreSource.#jobs : openCoreJobs(workload, coreSource);
    this.#core = this.#jobs.core;
    this.#run = new CoreRun(this.#jobs);
    this.#run.keysOf = (coreRun, job) => this.#keysOf(coreRun.column('Estimate')[job]!, job);
    this.#results = new CarriedResults(this.#run);
    this.#decisions = new CustomDecisions(this.#run, workload);
  }

  /** The run in the core, whose columns can be read as the simulation runs. */
  get coreRun(): CoreRun {
    return this.#run;
  }

  /** Bytes of the job table and of the simulation's state. */
  get memory(): { readonly jobs: number; readonly simulation: number } {
    return { jobs: computeJobTableBytes(this.#core, this.workload), simulation: this.#run.scalar('Bytes') };
  }

  /** Configuration from the last `begin`. */
  get configuration(): Configuration {
    if (this.#configuration === undefined) throw new Error('the simulator has not begun');
    return this.#configuration;
  }

  /** Time of the last handled event in seconds, and the state after it. */
  get progress(): { now: number; submitted: number; waiting: number; running: number; finished: boolean } {
    return {
      now: this.#run.scalar('Now'),
      submitted: this.#run.scalar('Submitted'),
      waiting: this.#run.scalar('Waiting'),
      running: this.#run.scalar('Running'),
      finished: this.#finished,
    };
  }

  /**
   * Configures the simulation and resets it to before its first event. The method of searching sites
   * (`search`) does not affect schedules; `policies` are for `runTogether`.
   * @throws InputError if the core refuses the configuration, necessary estimates are missing, or an interval
   * causes endless passes.
   */
  begin(configuration: Configuration, search?: SiteSearch, policies: readonly Policy[] = []): void {
    checkEstimatesKnown(this.workload, configuration, nameOptionInLibrary);
    this.#configuration = configuration;
    this.#finished = false;
    this.#results = this.#results.replaceByLaterResults(new CarriedResults(this.#run));
    const runSettings = makeCoreRunSettings(this.workload, configuration, search, policies.length);
    const siteColumns = makeCoreInputColumns(configuration, policies, this.workload);
    this.#translateErrors(() => this.#run.begin({ ...runSettings, sites: siteColumns }));
  }

  /** Handles all events up to and including a time in seconds; returns whether the simulation is finished. */
  runUntil(time: number): boolean {
    const giveAnswer = () => this.#decisions.answer(this.configuration);
    this.#finished = this.#translateErrors(() => this.#run.runUntil(time, giveAnswer));
    return this.#finished;
  }

  /**
   * Continues to the next decision that the caller must answer (docs/abi.md#decisions), or to the end;
   * returns true at the end.
   */
  runToDecision(): boolean {
    const status = this.#translateErrors(() => this.#run.runToDecision(Number.POSITIVE_INFINITY));
    this.#finished = status === this.#core.Status.Finished;
    return this.#finished;
  }

  /** Computes the keys of a job at its submission from its estimate. */
  #keysOf(estimate: number, job: number): KeysOfJob {
    if (this.#keyFunctions?.configuration !== this.configuration) {
      const { backfillOrder } = this.configuration;
      const makeKeyFunction = (order: Order) =>
        needsHostComputedKeys(order)
          ? computeOrderKeyAtSubmit(order, this.workload, this.configuration)
          : undefined;
      this.#keyFunctions = {
        configuration: this.configuration,
        computeOrderKey: makeKeyFunction(findOrderOfWaitingJobs(this.configuration)),
        computeBackfillKey: makeKeyFunction(backfillOrder),
      };
    }
    const { computeOrderKey, computeBackfillKey } = this.#keyFunctions;
    return { Key: computeOrderKey?.(job, estimate), BackfillKey: computeBackfillKey?.(job, estimate) };
  }

  /**
   * Runs to the end and computes all metrics.
   * @throws InputError where warm-up and cool-down exclude all jobs, or all are cancelled.
   */
  run(): void {
    this.runUntil(Number.POSITIVE_INFINITY);
    const window = computeMeasuredSubmitWindow(this.configuration, this.submitTimes());
    if (window === undefined) {
      this.#translateErrors(() => this.#run.measure());
      checkSomeJobLeft(this.#run);
      return;
    }
    this.#results.mergeCarriedResults();
    this.#translateErrors(() => this.#run.measure(window.from, window.until));
    checkSomeJobLeft(this.#run);
    if (Number.isNaN(this.#run.metric('MeanWait'))) {
      throw new InputError('--warm-up and --cool-down exclude all jobs; shorten them');
    }
  }

  /**
   * True if a policy can be simulated together with others: it must choose between best-fit and
   * fastest-first.
   */
  mayRunTogether({ declaration }: Policy): boolean {
    return this.#core.sharesHistories(declaration.index) === 1;
  }

  /**
   * Runs to the end under several policies at once, replacing the policy of the configuration;
   * `measurePolicy` then computes the metrics of each. Not available for all configurations, and limited to
   * 64 policies that may decide differently.
   */
  runTogether(
    configuration: Configuration,
    policies: readonly Policy[],
  ): Omit<Sharing, 'runs'> | 'unshared' | 'too many' {
    if (computeMaxSharedPolicyCount(configuration, policies.length) === 0) return 'unshared';
    this.begin(configuration, undefined, policies);
    const { Status, runTogether } = this.#core;
    const status = runTogether(this.#run.block, this.#jobs.table);
    if (status === Status.PoliciesUnshared) return 'unshared';
    if (status === Status.PoliciesTooMany) return 'too many';
    this.#translateErrors(() => this.#run.check(status));
    return {
      forks: this.#run.scalar('Forks'),
      joins: this.#run.scalar('Joins'),
      jobs: this.#run.scalar('SharedJobs'),
    };
  }

  /**
   * Computes the metrics of one of the policies; returns false, very rarely, if the policy needs a separate
   * run.
   */
  measurePolicy(index: number, policy: Policy): boolean {
    this.#configuration = { ...this.configuration, policy };
    const status = this.#core.measureTogether(this.#run.block, this.#jobs.table, index);
    if (status === this.#core.Status.SumUnsettled) return false;
    this.#translateErrors(() => this.#run.check(status));
    return true;
  }

  /** Returns a metric after `run`. */
  metric(name: keyof Core['Metric']): number {
    this.#requireMetrics();
    return this.#run.metric(name);
  }

  #requireMetrics(): void {
    if (this.#run.isMeasured) return;
    throw new InputError('there are no metrics yet; run the simulation to its end first');
  }

  /** Job columns in the core: views that are valid until the memory grows. */
  jobColumns(): JobColumns {
    return readJobTable(this.#core, this.#jobs.table, this.workload.count);
  }

  /** Copies the runtime estimates of jobs in seconds; undefined if the run did not compute them. */
  estimates(): Float64Array | undefined {
    return this.workload.recent && this.#run.column('Estimate').slice();
  }

  /**
   * Copies the promised starts of jobs in seconds, made by reservations at submission; undefined unless
   * reservations are kept.
   */
  promises(): Float64Array | undefined {
    return this.configuration.reservations === 'kept' ? this.#run.column('PromisedStart').slice() : undefined;
  }

  /** Number of times that a reservation was moved because a job overran its estimate. */
  get movedReservations(): number {
    return this.#run.scalar('MovedReservations');
  }

  /** Copies a column with one value per site; valid after `run`. */
  perSite(name: 'SiteBusy' | 'SiteJobs' | 'HomeResponse' | 'HomeJobs'): Float64Array {
    this.#requireMetrics();
    return this.#run.column(name).slice();
  }

  /**
   * Copies the processor-seconds lost to outages on each site; valid after `run`. Undefined without outages.
   */
  outageSeconds(): Float64Array | undefined {
    this.#requireMetrics();
    return this.#run.room('Outages') === 0 ? undefined : this.#run.column('SiteOutage').slice();
  }

  /** Speed heterogeneity SH of the grid (Shih et al. 2010, eq. 3). */
  get speedHeterogeneity(): number {
    return this.#run.scalar('SpeedHeterogeneity');
  }

  /** Number of trials of candidates, of switches between them, or of jobs started in trials. */
  choosing(quantityName: 'Trials' | 'Switches' | 'TriedJobs'): number {
    return this.#run.scalar(quantityName);
  }

  /** Number of trials after which each candidate of the policy was in force. */
  timesChosen(): Float64Array {
    return this.#run.column('TimesChosen').slice();
  }

  /** Candidates that came into force, each with the index of the job whose submission caused the trial. */
  choices(): Choice[] {
    const jobsPerTrial = Number(findPolicyParameterValue(this.configuration.policy, 'every'));
    const column = this.#run.column('Choice');
    const choices: Choice[] = [];
    column.subarray(0, Math.floor(this.workload.count / jobsPerTrial)).forEach((candidate, trial) => {
      if (candidate !== (trial === 0 ? 0 : column[trial - 1]))
        choices.push([(trial + 1) * jobsPerTrial - 1, candidate]);
    });
    return choices;
  }

  /**
   * Copies submit time, start, execution (all in seconds) and processors of each job, including jobs started
   * before a fork.
   */
  outcomes(): Pick<Schedule, 'submit' | 'start' | 'execution' | 'held'> {
    const { start, execution, held: heldProcessors } = this.#results.read();
    const processors = this.configuration.moldable === 'none' ? this.workload.processors : heldProcessors;
    return { submit: copySubmitTimes(this.#run, this.workload), start, execution, held: processors };
  }

  /** Known submit times of the jobs; with dependencies a view that is valid until the memory grows. */
  submitTimes(): Float64Array {
    return readKnownSubmitTimes(this.#run, this.workload);
  }

  /** Value of a fold over all jobs. */
  fold(fold: JobFold): number {
    return foldJobs(fold, this);
  }

  /** Total work of the jobs (`totalWork`). */
  work(): number {
    const { load, runtimeReference, grid } = this.configuration;
    const cacheKey = JSON.stringify([load, runtimeReference === 'home' ? grid.speeds : []]);
    const { patience } = this.workload;
    const jobColumns = { ...this.jobColumns(), ...(patience && { patience }) };
    const work = this.#works.get(cacheKey) ?? totalWork(jobColumns, this.configuration);
    this.#works.set(cacheKey, work);
    return work;
  }

  /** Seconds from the first to the last submission in the log. */
  get submitSpan(): number {
    const { submit, count: jobCount } = this.jobColumns();
    return submit[jobCount - 1]! - submit[0]!;
  }

  /** Copies the indices of the jobs that outages have ended, in order of time. */
  endedByOutages(): Int32Array {
    return this.#run.room('Outages') > 0 ? this.#run.column('FailedJob').slice() : new Int32Array(0);
  }

  /** Copies start, execution (in seconds) and site of each started job, and all preempted runs. */
  schedule(): Schedule {
    return readScheduleOfRun(this.#run, this.workload, this.configuration);
  }

  /** Copies the processors that each job held in its last run. Requires processor tracking. */
  processorSets(): ProcessorSets {
    return readProcessorSets(this.#run, this.configuration);
  }

  /**
   * Copies the entire mutable state, with a checksum. `restore` continues from it in any simulator of the
   * same workload and the same build of gridalloc.
   */
  snapshot(): Uint8Array {
    const snapshot = this.#translateErrors(() => this.#run.snapshot());
    carriedResultsByMemory.set(snapshot, this.#results);
    return snapshot;
  }

  /**
   * Returns to a snapshot taken under the given configuration.
   * @throws InputError for a damaged snapshot or one of another build; the simulation must then begin again
   * or restore another snapshot.
   */
  restore(snapshot: Uint8Array, configuration: Configuration): void {
    const carriedResults = carriedResultsByMemory.get(snapshot) ?? new CarriedResults(this.#run);
    this.#results = this.#results.replaceByLaterResults(carriedResults.continueIn(this.#run, true));
    this.#configuration = configuration;
    this.#translateErrors(() => this.#run.restore(snapshot));
    this.#finished = false;
  }

  /**
   * Creates a second simulation that continues from here, in the same memory; its schedule has all jobs. It
   * copies the entire state (megabytes); `forkInto` copies only the state that affects the future.
   */
  fork(): Simulator {
    const forkedSimulator = new Simulator(this.workload, this);
    forkedSimulator.#run.copyOf(this.#run);
    forkedSimulator.#results = this.#results.continueIn(forkedSimulator.#run, true);
    forkedSimulator.#configuration = this.configuration;
    forkedSimulator.#finished = this.#finished;
    return forkedSimulator;
  }

  /** Releases the memory of this simulation; it can begin again. */
  dispose(): void {
    this.#results.keep();
    this.#run.dispose();
    this.#configuration = undefined;
    this.#finished = false;
  }

  /**
   * Lets another simulation in the same memory, begun with the same configuration except the policy, continue
   * from here; its decisions and metrics equal those of an uninterrupted run. Its schedule contains the jobs
   * that start from now on (or end, if preemption is possible); this simulation has the others.
   * docs/internals/architecture.md describes the cost.
   * @throws InputError if the other cannot continue from here.
   */
  forkInto(otherSimulator: Simulator): void {
    if (otherSimulator.#core !== this.#core)
      throw new InputError('the two simulations must share one instance of the core');
    otherSimulator.#results.keep();
    this.#translateErrors(() => this.#run.forkInto(otherSimulator.#run));
    otherSimulator.#results = this.#results.continueIn(otherSimulator.#run, false);
    otherSimulator.#finished = this.#finished;
  }

  /**
   * Changes the policy, or its parameters, from the next decision on, for what-if questions.
   * @throws InputError if the policy conflicts with the configuration.
   */
  changePolicy(policy: Policy): void {
    const { declaration, values: parameterValues } = policy;
    const parameters = Object.fromEntries(
      declaration.parameters.map(({ name: parameterName }, i) => [parameterName, parameterValues[i]!]),
    );
    this.#translateErrors(() => this.#run.changePolicy(declaration.name, parameters));
    this.#configuration = { ...this.configuration, policy };
  }

  /**
   * Changes the speeds of the sites for jobs that start later; running jobs keep their ends. Not available
   * for policies that choose among candidates.
   * @throws InputError if the core refuses the speeds; nothing has changed then.
   */
  changeSpeeds(speeds: readonly number[]): void {
    const { capacities } = this.configuration.grid;
    const grid = makeGrid({ capacities, speeds });
    this.#translateErrors(() => this.#run.changeSpeeds(speeds));
    this.#configuration = { ...this.configuration, grid };
  }

  /** Number of bytes that `forkInto` would copy now. */
  get liveBytes(): number {
    return this.#core.liveBytes(this.#run.block);
  }

  /**
   * True if another simulation, into which this one could be forked, has the same future under the same
   * policy. It may be false for equal states, but is never true for different ones.
   */
  hasSameState(otherSimulator: Simulator): boolean {
    const isInSameCore = otherSimulator.#core === this.#core;
    return (
      isInSameCore && this.#core.sameState(this.#run.block, otherSimulator.#run.block, this.#jobs.table) === 1
    );
  }

  /** Runs a function on the run, translating refusals of the core into messages. */
  #translateErrors<T>(runAction: () => T): T {
    try {
      return runAction();
    } catch (error) {
      const {
        interval: passInterval = 0,
        backfillInterval = 0,
        grid,
        outages = '',
      } = this.#configuration ?? {};
      const interval = passInterval || backfillInterval;
      const processors = grid?.capacities.reduce((sum, capacity) => sum + capacity, 0) ?? 0;
      const readScalar: ErrorMessageState['readScalar'] = (scalarName) => this.#run.scalar(scalarName);
      const hasOutages = outages.includes('..ever');
      const runState = { readScalar, interval, processors, hasOutages };
      throw translateCoreError(this.#core, this.workload, error, runState);
    }
  }
}

/** Amount of work shared between simulations. */
export interface Sharing {
  /** Number of requested simulations. */
  readonly runs: number;
  /**
   * Number of times that a simulation was forked because decisions differed, and number of times that two
   * were joined again.
   */
  readonly forks: number;
  readonly joins: number;
  /**
   * Number of simulated jobs; without sharing, the number of jobs in the workload times the number of runs.
   */
  readonly jobs: number;
}

/** Sharing counts before any run: all 0. */
export const ZERO_SHARING: Sharing = { runs: 0, forks: 0, joins: 0, jobs: 0 };

/** Adds the counts of two sets of runs. */
export function addSharingCounts(firstSharing: Sharing, secondSharing: Sharing): Sharing {
  return {
    runs: firstSharing.runs + secondSharing.runs,
    forks: firstSharing.forks + secondSharing.forks,
    joins: firstSharing.joins + secondSharing.joins,
    jobs: firstSharing.jobs + secondSharing.jobs,
  };
}
