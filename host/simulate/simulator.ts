/** One simulation in one instance of the core: memory, options, stepping, and reading results. */
import { type Core, type CoreBuild, openCore } from '../core/module.js';
import type { Policy } from '../core/policies.js';
import { InputError } from '../errors.js';
import type { Configuration } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import { Blocks } from './blocks.js';
import { writeInputs } from './inputColumns.js';
import { checkInterval } from './interval.js';
import {
  aligned,
  type JobColumns,
  type JobTable,
  jobTableBytes,
  LONGEST_MEMORY,
  readJobTable,
  writeJobTable,
} from './jobTable.js';
import { layOut, longerLogs, policiesTogether, type SiteSearch } from './layout.js';
import { OwnDecisions } from './ownDecisions.js';
import { accept, culpritIn } from './refusal.js';
import {
  type ProcessorSets,
  type Reader,
  readProcessorSets,
  readSchedule,
  type Schedule,
} from './schedule.js';
import type { Sharing } from './sharing.js';

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
  readonly #jobs: number;
  readonly #blocks: Blocks;
  /** The block of the simulation, and the bytes that it has, none before it begins. */
  #simulation = 0;
  #bytes = 0;
  #configuration: Configuration | undefined;
  readonly #decisions: OwnDecisions;
  #finished = false;

  /** @param place a build, of which an instance is made; a table of the jobs; or a simulator, to stand beside it. */
  constructor(workload: Workload, place: CoreBuild | JobTable | Simulator = 'release') {
    this.workload = workload;
    if (place instanceof Simulator) {
      this.#core = place.#core;
      this.#jobs = place.#jobs;
      this.#blocks = place.#blocks;
    } else if (typeof place === 'object') {
      this.#core = place.core;
      this.#jobs = place.jobs;
      this.#blocks = new Blocks(place.core, workload, place.simulation, place.simulation + place.room);
    } else {
      this.#core = openCore(place);
      this.#jobs = aligned(this.#core.firstAddress());
      const bytes = jobTableBytes(this.#core, workload);
      this.#blocks = new Blocks(this.#core, workload, this.#jobs + bytes, LONGEST_MEMORY);
      writeJobTable(this.#core, this.#jobs, workload);
    }
    this.#decisions = new OwnDecisions(this.#core, this.#jobs, workload);
  }

  /** Bytes of the job table and of the simulation's state. */
  get memory(): { readonly jobs: number; readonly simulation: number } {
    return { jobs: jobTableBytes(this.#core, this.workload), simulation: this.#scalar('Bytes') };
  }

  /** The configuration of the last `begin`. */
  get configuration(): Configuration {
    if (this.#configuration === undefined) throw new Error('the simulator has not begun');
    return this.#configuration;
  }

  /** Time of the last event handled and the state after it. */
  get progress(): { now: number; submitted: number; waiting: number; running: number; finished: boolean } {
    return {
      now: this.#scalar('Now'),
      submitted: this.#scalar('Submitted'),
      waiting: this.#scalar('Waiting'),
      running: this.#scalar('Running'),
      finished: this.#finished,
    };
  }

  /**
   * Configures the simulation and puts it before its first event. How sites are searched (`search`) changes no schedule;
   * `policies` are those that `runTogether` runs.
   * @throws InputError when the core refuses the configuration, or for an interval that means passes without end.
   */
  begin(configuration: Configuration, search?: SiteSearch, policies: readonly Policy[] = []): void {
    checkInterval(this.workload, configuration);
    this.#configuration = configuration;
    this.#finished = false;
    this.#enlarge(this.#core.Limit.HeadBytes);
    this.#enlarge(
      layOut(this.#core, this.#simulation, this.workload, configuration, search, policies.length),
    );
    writeInputs(configuration, policies, this.workload, this.#reader.doubles, this.#reader.integers);
    this.#accept(this.#core.begin(this.#simulation, this.#jobs));
  }

  /** Handles all events up to and including a time in seconds; returns whether the simulation is finished. */
  runUntil(time: number): boolean {
    const { Status, runUntil } = this.#core;
    let status = runUntil(this.#simulation, this.#jobs, time);
    while (status === Status.LogFull || status === Status.Decision) {
      if (status === Status.LogFull) this.#extendLogs();
      else this.#decisions.answer(this.#simulation, this.configuration);
      status = runUntil(this.#simulation, this.#jobs, time);
    }
    this.#accept(status);
    this.#finished = status === Status.Finished;
    return this.#finished;
  }

  /** Runs to the end and computes all metrics. */
  run(): void {
    this.runUntil(Number.POSITIVE_INFINITY);
    this.#accept(this.#core.measure(this.#simulation, this.#jobs));
  }

  /** Whether a policy can be run together with others: those can that choose between best-fit and fastest-first. */
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
    if (policiesTogether(configuration, policies.length) === 0) return 'unshared';
    this.begin(configuration, undefined, policies);
    const { Status, runTogether } = this.#core;
    const status = runTogether(this.#simulation, this.#jobs);
    if (status === Status.PoliciesUnshared) return 'unshared';
    if (status === Status.PoliciesTooMany) return 'too many';
    this.#accept(status);
    return { forks: this.#scalar('Forks'), joins: this.#scalar('Joins'), jobs: this.#scalar('SharedJobs') };
  }

  /** Computes the metrics of a policy of them; false, very seldom, where that takes a run of it by itself. */
  measurePolicy(index: number, policy: Policy): boolean {
    this.#configuration = { ...this.configuration, policy };
    const status = this.#core.measureTogether(this.#simulation, this.#jobs, index);
    if (status === this.#core.Status.SumUnsettled) return false;
    this.#accept(status);
    return true;
  }

  /** A metric of a finished simulation. */
  metric(name: keyof Core['Metric']): number {
    return this.#doubles('Metric', this.#core.Metric.COUNT)[this.#core.Metric[name]];
  }

  /** The jobs as the core has them: views that last until its memory grows. */
  jobColumns(): JobColumns {
    return readJobTable(this.#core, this.#jobs, this.workload.count);
  }

  /** What jobs were estimated by, where the run itself has found it; a copy. */
  estimates(): Float64Array | undefined {
    return this.workload.recent && this.#doubles('Estimate', this.workload.count).slice();
  }

  /** A column with one double per site, after `run`: a copy. */
  perSite(name: 'SiteBusy' | 'SiteJobs' | 'HomeResponse' | 'HomeJobs'): Float64Array {
    return this.#doubles(name, this.configuration.grid.capacities.length).slice();
  }

  /** SH of the grid (Shih et al. 2010, eq. 3). */
  get speedHeterogeneity(): number {
    return this.#scalar('SpeedHeterogeneity');
  }

  /** Start, execution and site of each job that has started, and every run that was stopped: copies. */
  schedule(): Schedule {
    return readSchedule(this.#reader, this.workload, this.configuration);
  }

  /** Which processors each job held in its last run: copies. Only if they were tracked. */
  processorSets(): ProcessorSets {
    return readProcessorSets(this.#reader, this.workload, this.configuration);
  }

  readonly #reader: Reader = {
    integers: (name, count) => this.#integers(name, count),
    doubles: (name, count) => this.#doubles(name, count),
    scalar: (name) => this.#scalar(name),
  };

  /** A copy of the whole mutable state; `restore` continues from it, here or in a simulator of the same workload. */
  snapshot(): Uint8Array {
    return new Uint8Array(this.#core.memory.buffer, this.#simulation, this.#scalar('Bytes')).slice();
  }

  /** Goes back to a snapshot that was taken under the configuration given. */
  restore(snapshot: Uint8Array, configuration: Configuration): void {
    this.#enlarge(snapshot.length);
    new Uint8Array(this.#core.memory.buffer).set(snapshot, this.#simulation);
    this.#configuration = configuration;
    this.#finished = false;
  }

  /**
   * A second simulation that goes on from here, beside this one in memory; its schedule has all jobs. The whole state
   * is copied, which is megabytes; `forkInto` copies what the future depends on.
   */
  fork(): Simulator {
    const other = new Simulator(this.workload, this);
    other.restore(this.snapshot(), this.configuration);
    other.#finished = this.#finished;
    return other;
  }

  /**
   * Another simulation beside this one, which has begun with the same configuration but for the policy, goes on from
   * here; decisions and metrics are those of a run in one go. Its schedule has the jobs that start from now on (where
   * runs may be stopped, that end); this one has the others. docs/architecture.md says what that costs.
   * @throws InputError when the other cannot go on from here.
   */
  forkInto(other: Simulator): void {
    if (other.#core !== this.#core)
      throw new InputError('the simulations do not stand beside each other in memory');
    const fork = () => this.#core.fork(this.#simulation, other.#simulation, this.#jobs);
    let status = fork();
    if (status === this.#core.Status.RoomTooSmall) {
      other.#extendLogs(this);
      status = fork();
    }
    this.#accept(status);
    other.#finished = this.#finished;
  }

  /** Bytes that `forkInto` copies as the simulation stands. */
  get liveBytes(): number {
    return this.#core.liveBytes(this.#simulation);
  }

  /**
   * Whether another simulation, into which this one could be forked, has the same future if both go on under the same
   * policy. May be false of equal states, never true of different ones.
   */
  hasSameState(other: Simulator): boolean {
    const { sameState } = this.#core;
    return other.#core === this.#core && sameState(this.#simulation, other.#simulation, this.#jobs) === 1;
  }

  /** Makes the logs longer, for the entries that a simulation has in them. */
  #extendLogs(source: Simulator = this): void {
    const { runs, parts, stops, bytes } = longerLogs(this.#core, this.#simulation, source.#simulation);
    this.#enlarge(bytes);
    if (this.#core.extendLogs(this.#simulation, runs, parts, stops) === 0) {
      throw new Error('the logs of the simulation cannot grow');
    }
  }

  /** Gives the block of the simulation so many bytes, at another address if need be. */
  #enlarge(bytes: number): void {
    this.#simulation = this.#blocks.enlarge(this.#simulation, this.#bytes, bytes);
    this.#bytes = Math.max(this.#bytes, bytes);
  }

  #column(name: keyof Core['Column']): number {
    return this.#core.columnAddress(this.#simulation, this.#core.Column[name]) >>> 0;
  }

  #integers(name: keyof Core['Column'], count: number): Int32Array {
    return new Int32Array(this.#core.memory.buffer, this.#column(name), count);
  }

  #doubles(name: keyof Core['Column'], count: number): Float64Array {
    return new Float64Array(this.#core.memory.buffer, this.#column(name), count);
  }

  #scalar(name: keyof Core['Scalar']): number {
    return this.#core.scalar(this.#simulation, this.#core.Scalar[name]);
  }

  /** Throws a refusal of the core in words, or what it should never say to this host. */
  #accept(status: number): void {
    accept(this.#core, status, { workload: this.workload, ...culpritIn(this.#core, this.#simulation) });
  }
}
