/** One simulation in one instance of the core: memory, options, stepping, and reading results. */
import { CoreRun, type KeysOfJob } from '../core/host.js';
import type { CoreJobs } from '../core/memory.js';
import type { Core, CoreBuild } from '../core/module.js';
import { type Choice, type Policy, policyParameterByName } from '../core/policies.js';
import { InputError } from '../errors.js';
import { makeGrid } from '../grid/grid.js';
import type { Configuration } from '../options/configuration.js';
import { nameOptionInLibrary } from '../options/options.js';
import { needsHostComputedKeys, type Order } from '../options/order.js';
import { orderOfWaitingJobs } from '../options/runOptions.js';
import type { Workload } from '../workload/workload.js';
import { checkEstimatesKnown } from './decisionView.js';
import {
  computeJobTableBytes,
  coreJobsOfTableOrInstance,
  coreRunSettings,
  type ErrorMessageReadings,
  type JobColumns,
  type JobTable,
  makeCoreInputColumns,
  maxPoliciesPerSharedHistory,
  readJobTable,
  type SiteSearch,
  translateCoreError,
} from './layout.js';
import { orderKeyAtSubmit } from './orderKeys.js';
import { CustomDecisions } from './policyView.js';
import {
  CarriedResults,
  carriedResultsByMemory,
  copySubmitTimes,
  knownSubmitTimesOfJobs,
  measuredSubmitWindow,
  type ProcessorSets,
  readProcessorSets,
  readScheduleOfRun,
  type Schedule,
} from './schedule.js';

/**
 * A simulation of one workload. `begin` configures it, `runUntil` and `run` step it, the rest reads it; it can
 * be begun again with another configuration at little cost. Its whole mutable state is one block of memory.
 * @example
 * const simulator = new Simulator(workload);
 * for (const policy of ['best-fit', 'fastest-first']) {
 *   simulator.begin(makeConfiguration(grid, { policy }));
 *   simulator.run();
 *   console.log(simulator.metric('AverageResponseTime')); // 4064.65, then 2880.1825
 * }
 */
export class Simulator {
  readonly workload: Workload;
  readonly #core: Core;
  readonly #jobs: CoreJobs;
  readonly #run: CoreRun;
  #configuration: Configuration | undefined;
  readonly #decisions: CustomDecisions;
  #results: CarriedResults;
  #finished = false;
  /** Functions that find the keys of jobs at their submission, under a configuration. */
  #keys?: {
    readonly configuration: Configuration;
    readonly key: ReturnType<typeof orderKeyAtSubmit> | undefined;
    readonly backfillKey: ReturnType<typeof orderKeyAtSubmit> | undefined;
  };

  /** @param place a build, to be instantiated; a table of the jobs; or a simulator, to be placed beside it. */
  constructor(workload: Workload, place: CoreBuild | JobTable | Simulator = 'release') {
    this.workload = workload;
    this.#jobs = place instanceof Simulator ? place.#jobs : coreJobsOfTableOrInstance(workload, place);
    this.#core = this.#jobs.core;
    this.#run = new CoreRun(this.#jobs);
    this.#run.keysOf = (run, job) => this.#keysOf(run.column('Estimate')[job]!, job);
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

  /** The configuration of the last `begin`. */
  get configuration(): Configuration {
    if (this.#configuration === undefined) throw new Error('the simulator has not begun');
    return this.#configuration;
  }

  /** Time of the last event handled and the state after it. */
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
   * Configures the simulation and puts it before its first event. How sites are searched (`search`) changes no schedule;
   * `policies` are those that `runTogether` runs.
   * @throws InputError when the core refuses the configuration, where estimates are missing that it decides by, or for an interval
   * that means passes without end.
   */
  begin(configuration: Configuration, search?: SiteSearch, policies: readonly Policy[] = []): void {
    checkEstimatesKnown(this.workload, configuration, nameOptionInLibrary);
    this.#configuration = configuration;
    this.#finished = false;
    this.#results = this.#results.overwrittenBy(new CarriedResults(this.#run));
    const settings = coreRunSettings(this.workload, configuration, search, policies.length);
    const sites = makeCoreInputColumns(configuration, policies, this.workload);
    this.#inWords(() => this.#run.begin({ ...settings, sites }));
  }

  /** Handles all events up to and including a time in seconds; returns whether the simulation is finished. */
  runUntil(time: number): boolean {
    const answer = () => this.#decisions.answer(this.configuration);
    this.#finished = this.#inWords(() => this.#run.runUntil(time, answer));
    return this.#finished;
  }

  /**
   * Continues to the next decision that is the host's, which the caller answers (docs/abi.md#decisions), or to the end;
   * returns whether it has reached it.
   */
  runToDecision(): boolean {
    const status = this.#inWords(() => this.#run.runToDecision(Number.POSITIVE_INFINITY));
    this.#finished = status === this.#core.Status.Finished;
    return this.#finished;
  }

  /** The keys of a job with an estimate that is found at its submit. */
  #keysOf(estimate: number, job: number): KeysOfJob {
    if (this.#keys?.configuration !== this.configuration) {
      const { backfillOrder } = this.configuration;
      const keyFinderFor = (order: Order) =>
        needsHostComputedKeys(order) ? orderKeyAtSubmit(order, this.workload, this.configuration) : undefined;
      const key = keyFinderFor(orderOfWaitingJobs(this.configuration));
      this.#keys = { configuration: this.configuration, key, backfillKey: keyFinderFor(backfillOrder) };
    }
    const { key, backfillKey } = this.#keys;
    return { Key: key?.(job, estimate), BackfillKey: backfillKey?.(job, estimate) };
  }

  /**
   * Runs to the end and computes all metrics.
   * @throws InputError where warm-up and cool-down exclude all jobs.
   */
  run(): void {
    this.runUntil(Number.POSITIVE_INFINITY);
    const window = measuredSubmitWindow(this.configuration, knownSubmitTimesOfJobs(this.#run, this.workload));
    if (window === undefined) {
      this.#inWords(() => this.#run.measure());
      return;
    }
    this.#results.complete();
    this.#inWords(() => this.#run.measure(window.from, window.until));
    if (Number.isNaN(this.#run.metric('MeanWait'))) {
      throw new InputError('--warm-up and --cool-down exclude all jobs; shorten them');
    }
  }

  /** True if a policy can be run together with others: those can that choose between best-fit and fastest-first. */
  mayRunTogether({ declaration }: Policy): boolean {
    return this.#core.sharesHistories(declaration.index) === 1;
  }

  /**
   * Runs to the end under each of several policies at once, whatever else the configuration says; `measurePolicy` then
   * gives the metrics of each. Not under all configurations, and at most 64 that may decide differently.
   */
  runTogether(
    configuration: Configuration,
    policies: readonly Policy[],
  ): Omit<Sharing, 'runs'> | 'unshared' | 'too many' {
    if (maxPoliciesPerSharedHistory(configuration, policies.length) === 0) return 'unshared';
    this.begin(configuration, undefined, policies);
    const { Status, runTogether } = this.#core;
    const status = runTogether(this.#run.block, this.#jobs.table);
    if (status === Status.PoliciesUnshared) return 'unshared';
    if (status === Status.PoliciesTooMany) return 'too many';
    this.#inWords(() => this.#run.check(status));
    return {
      forks: this.#run.scalar('Forks'),
      joins: this.#run.scalar('Joins'),
      jobs: this.#run.scalar('SharedJobs'),
    };
  }

  /**
   * Computes the metrics of one of the policies; false, very seldom, if the policy needs a run of its own.
   */
  measurePolicy(index: number, policy: Policy): boolean {
    this.#configuration = { ...this.configuration, policy };
    const status = this.#core.measureTogether(this.#run.block, this.#jobs.table, index);
    if (status === this.#core.Status.SumUnsettled) return false;
    this.#inWords(() => this.#run.check(status));
    return true;
  }

  /** A metric of a simulation that `run` has brought to its end. */
  metric(name: keyof Core['Metric']): number {
    this.#requireMetrics();
    return this.#run.metric(name);
  }

  #requireMetrics(): void {
    if (this.#run.isMeasured) return;
    throw new InputError('there are no metrics yet; run the simulation to its end first');
  }

  /** The jobs as the core has them: views that last until its memory grows. */
  jobColumns(): JobColumns {
    return readJobTable(this.#core, this.#jobs.table, this.workload.count);
  }

  /** Estimates of jobs, if the run itself has computed them; a copy. */
  estimates(): Float64Array | undefined {
    return this.workload.recent && this.#run.column('Estimate').slice();
  }

  /**
   * Promised starts of jobs, by the reservations made at their submission, if reservations are kept; a copy.
   */
  promises(): Float64Array | undefined {
    return this.configuration.reservations === 'kept' ? this.#run.column('PromisedStart').slice() : undefined;
  }

  /** Number of times that a job that ran too long has taken the place of a reservation. */
  get movedReservations(): number {
    return this.#run.scalar('MovedReservations');
  }

  /** A column with one double per site, after `run`: a copy. */
  perSite(name: 'SiteBusy' | 'SiteJobs' | 'HomeResponse' | 'HomeJobs'): Float64Array {
    this.#requireMetrics();
    return this.#run.column(name).slice();
  }

  /** Processor-seconds that outages had on each site, after `run`: a copy; undefined without outages. */
  outageSeconds(): Float64Array | undefined {
    this.#requireMetrics();
    return this.#run.room('Outages') === 0 ? undefined : this.#run.column('SiteOutage').slice();
  }

  /** SH of the grid (Shih et al. 2010, eq. 3). */
  get speedHeterogeneity(): number {
    return this.#run.scalar('SpeedHeterogeneity');
  }

  /** Number of times that candidates were tried and switched, and how many jobs started in trials, where a policy has candidates. */
  choosing(what: 'Trials' | 'Switches' | 'TriedJobs'): number {
    return this.#run.scalar(what);
  }

  /** After how many of the trials each candidate of the policy was in force. */
  timesChosen(): Float64Array {
    return this.#run.column('TimesChosen').slice();
  }

  /** The candidates that came into force, each with the index of the job after whose submit it did. */
  choices(): Choice[] {
    const decisionInterval = Number(policyParameterByName(this.configuration.policy, 'every'));
    const column = this.#run.column('Choice');
    const choices: Choice[] = [];
    column.subarray(0, Math.floor(this.workload.count / decisionInterval)).forEach((candidate, time) => {
      if (candidate !== (time === 0 ? 0 : column[time - 1]))
        choices.push([(time + 1) * decisionInterval - 1, candidate]);
    });
    return choices;
  }

  /**
   * Submit and start of each job, its execution, and the processors that it ran on, also of jobs that had started before
   * a fork: copies.
   */
  outcomes(): Pick<Schedule, 'submit' | 'start' | 'execution' | 'held'> {
    const { start, execution, held } = this.#results.read();
    const processors = this.configuration.moldable === 'none' ? this.workload.processors : held;
    return { submit: copySubmitTimes(this.#run, this.workload), start, execution, held: processors };
  }

  /** Start, execution and site of each job that has started, and every run that was stopped: copies. */
  schedule(): Schedule {
    return readScheduleOfRun(this.#run, this.workload, this.configuration);
  }

  /** Processors that each job held in its last run: copies. Only if they were tracked. */
  processorSets(): ProcessorSets {
    return readProcessorSets(this.#run, this.configuration);
  }

  /**
   * A copy of the whole mutable state, sealed; `restore` continues from it, here or in a simulator of the same workload, of
   * any process with the same build of gridalloc.
   */
  snapshot(): Uint8Array {
    const snapshot = this.#inWords(() => this.#run.snapshot());
    carriedResultsByMemory.set(snapshot, this.#results);
    return snapshot;
  }

  /**
   * Goes back to a snapshot that was taken under the configuration given.
   * @throws InputError for one that is damaged or comes from another build; the simulation then has to begin, or go back to
   * another.
   */
  restore(snapshot: Uint8Array, configuration: Configuration): void {
    const saved = carriedResultsByMemory.get(snapshot) ?? new CarriedResults(this.#run);
    this.#results = this.#results.overwrittenBy(saved.continueIn(this.#run, true));
    this.#configuration = configuration;
    this.#inWords(() => this.#run.restore(snapshot));
    this.#finished = false;
  }

  /**
   * A second simulation that continues from here, beside this one in memory; its schedule has all jobs. The whole state
   * is copied, which is megabytes; `forkInto` copies what the future depends on.
   */
  fork(): Simulator {
    const other = new Simulator(this.workload, this);
    other.#run.copyOf(this.#run);
    other.#results = this.#results.continueIn(other.#run, true);
    other.#configuration = this.configuration;
    other.#finished = this.#finished;
    return other;
  }

  /** Releases the memory of this simulation, for others beside it; it can begin again. */
  dispose(): void {
    this.#results.keep();
    this.#run.dispose();
    this.#configuration = undefined;
    this.#finished = false;
  }

  /**
   * Another simulation beside this one, which has begun with the same configuration but for the policy, continues
   * from here; decisions and metrics are those of a run in one go. Its schedule has the jobs that start from now on (where
   * runs may be stopped, that end); this one has the others. docs/internals/architecture.md says what that costs.
   * @throws InputError when the other cannot continue from here.
   */
  forkInto(other: Simulator): void {
    if (other.#core !== this.#core)
      throw new InputError('the two simulations must share one instance of the core');
    other.#results.keep();
    this.#inWords(() => this.#run.forkInto(other.#run));
    other.#results = this.#results.continueIn(other.#run, false);
    other.#finished = this.#finished;
  }

  /**
   * Continues with another policy, or with other parameters, from the next decision on: what if from here.
   * @throws InputError when the policy does not go with the configuration.
   */
  changePolicy(policy: Policy): void {
    const { declaration, values } = policy;
    const parameters = Object.fromEntries(declaration.parameters.map(({ name }, i) => [name, values[i]!]));
    this.#inWords(() => this.#run.changePolicy(declaration.name, parameters));
    this.#configuration = { ...this.configuration, policy };
  }

  /**
   * Sites have other speeds from now on, for jobs that start later; those that run keep their ends. Not under a policy
   * that chooses among candidates.
   * @throws InputError when the core refuses the speeds, and then nothing has changed.
   */
  changeSpeeds(speeds: readonly number[]): void {
    const { capacities } = this.configuration.grid;
    const grid = makeGrid({ capacities, speeds });
    this.#inWords(() => this.#run.changeSpeeds(speeds));
    this.#configuration = { ...this.configuration, grid };
  }

  /** Bytes that `forkInto` copies in its present state. */
  get liveBytes(): number {
    return this.#core.liveBytes(this.#run.block);
  }

  /**
   * Whether another simulation, into which this one could be forked, has the same future if both continue under the same
   * policy. May be false of equal states, never true of different ones.
   */
  hasSameState(other: Simulator): boolean {
    const isInSameCore = other.#core === this.#core;
    return isInSameCore && this.#core.sameState(this.#run.block, other.#run.block, this.#jobs.table) === 1;
  }

  /** Runs a function on the run; refusals of the core become sentences. */
  #inWords<T>(runAction: () => T): T {
    try {
      return runAction();
    } catch (error) {
      const { interval: every = 0, backfillInterval = 0, grid } = this.#configuration ?? {};
      const interval = every || backfillInterval;
      const processors = grid?.capacities.reduce((sum, capacity) => sum + capacity, 0) ?? 0;
      const scalar: ErrorMessageReadings['scalar'] = (name) => this.#run.scalar(name);
      throw translateCoreError(this.#core, this.workload, error, { scalar, interval, processors });
    }
  }
}

/** Shared work. */
export interface Sharing {
  /** Number of requested simulations. */
  readonly runs: number;
  /** Number of times that a simulation parted in two because decisions differed, and how often two became one again. */
  readonly forks: number;
  readonly joins: number;
  /** Jobs that were simulated; without sharing as many as the workload has for each run. */
  readonly jobs: number;
}

/** Counts of no runs. */
export const ZERO_SHARING: Sharing = { runs: 0, forks: 0, joins: 0, jobs: 0 };

/** Counts of the runs of both. */
export function addSharingCounts(one: Sharing, other: Sharing): Sharing {
  return {
    runs: one.runs + other.runs,
    forks: one.forks + other.forks,
    joins: one.joins + other.joins,
    jobs: one.jobs + other.jobs,
  };
}
