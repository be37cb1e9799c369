/** One simulation in one instance of the core: memory, options, stepping, and reading results. */
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import type { Workload } from '../workload/workload.js';
import { type Core, type CoreBuild, openCore } from './module.js';
import { type Policy, policyNumbers } from './policies.js';

/** Time resolution of executions: as computed, to the nearest second, or cut to whole seconds. */
export const TIME_RESOLUTIONS = { exact: 'Exact', nearest: 'Nearest', floor: 'Floor' } as const;
export type TimeResolution = keyof typeof TIME_RESOLUTIONS;

/** An allocation pass after every event, or one after all events of an instant. */
export const INSTANTS = { 'per-event': 'PerEvent', batched: 'Batched' } as const;
export type InstantRule = keyof typeof INSTANTS;

/** Everything that decides a simulation besides its jobs. */
export interface Configuration {
  readonly grid: Grid;
  readonly policy: Policy;
  /** One factor per home site. */
  readonly load: readonly number[];
  readonly timeResolution: TimeResolution;
  readonly instant: InstantRule;
  /** Sites slower than this times the home site's speed are no candidates; 0 admits all. */
  readonly minSpeedRatio: number;
  /** Whether to keep which processors each job holds. */
  readonly trackProcessors: boolean;
}

/** What became of each job, in job order. */
export interface Schedule {
  /** Seconds. */
  readonly start: Float64Array;
  /** Seconds of execution; the end is start + execution. */
  readonly execution: Float64Array;
  /** Site, numbered from 0. */
  readonly site: Int32Array;
}

/** Sets of processors as runs of neighbours, numbered through the grid from 0. */
export interface ProcessorSets {
  /** Job i's runs begin with pair `firstPair[i]` and go on until their widths add up to its processors. */
  readonly firstPair: Int32Array;
  /** First and last processor of each run. */
  readonly pairs: Int32Array;
}

const PAGE = 65536;
const ALIGNMENT = 16;
const LONGEST_MEMORY = 2 ** 32;
/** Runs of processors that the log holds at first, per job. */
const RUNS_PER_JOB = 4;

/**
 * A simulation of one workload. `begin` configures it, `runUntil` and `run` step it, the rest reads it; it can
 * be begun again with another configuration at little cost. Its whole mutable state is one block of memory.
 */
export class Simulator {
  readonly workload: Workload;
  readonly #core: Core;
  readonly #jobs: number;
  readonly #simulation: number;
  #layout = '';
  #configuration: Configuration | undefined;
  #finished = false;

  constructor(workload: Workload, build: CoreBuild = 'release') {
    this.workload = workload;
    this.#core = openCore(build);
    this.#jobs = aligned(this.#core.firstAddress());
    const bytes = this.#core.arrangeJobs(0, workload.count) >>> 0;
    this.#reserve(this.#jobs + bytes);
    this.#core.arrangeJobs(this.#jobs, workload.count);
    this.#simulation = aligned(this.#jobs + bytes);
    this.#loadJobs();
  }

  /** Bytes of the job table and of the simulation's state. */
  get memory(): { readonly jobs: number; readonly simulation: number } {
    return { jobs: this.#simulation - this.#jobs, simulation: this.#scalar('Bytes') };
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
   * Configures the simulation and puts it before its first event.
   * @throws InputError when the core refuses the configuration.
   */
  begin(configuration: Configuration): void {
    const { grid, policy } = configuration;
    const core = this.#core;
    this.#configuration = configuration;
    this.#finished = false;
    this.#arrange(configuration);
    new Int32Array(core.memory.buffer, this.#column('Capacity'), grid.capacities.length).set(grid.capacities);
    this.#doubles('Speed', grid.speeds.length).set(grid.speeds);
    this.#doubles('Load', grid.speeds.length).set(configuration.load);
    this.#option('Policy', policy.declaration.index);
    const parameters = policyNumbers(policy);
    for (let i = 0; i < 4; i++) {
      this.#option(`Parameter${i}` as keyof Core['Option'], parameters[i] ?? 0);
    }
    this.#option('Resolution', core.Resolution[TIME_RESOLUTIONS[configuration.timeResolution]]);
    this.#option('Instant', core.Instant[INSTANTS[configuration.instant]]);
    this.#option('MinSpeedRatio', configuration.minSpeedRatio);
    this.#accept(core.begin(this.#simulation, this.#jobs));
  }

  /** Handles all events up to and including a time in seconds; returns whether the simulation is finished. */
  runUntil(time: number): boolean {
    const { Status, runUntil } = this.#core;
    let status = runUntil(this.#simulation, this.#jobs, time);
    while (status === Status.LogFull) {
      this.#extendLog();
      status = runUntil(this.#simulation, this.#jobs, time);
    }
    this.#finished = status === Status.Finished;
    return this.#finished;
  }

  /** Runs to the end and computes all metrics. */
  run(): void {
    this.runUntil(Number.POSITIVE_INFINITY);
    this.#core.measure(this.#simulation, this.#jobs);
  }

  /** A metric of a finished simulation. */
  metric(name: keyof Core['Metric']): number {
    return this.#doubles('Metric', this.#core.Metric.COUNT)[this.#core.Metric[name]];
  }

  /** A column with one double per site, after `run`: a copy. */
  perSite(name: 'SiteBusy' | 'SiteJobs' | 'HomeResponse' | 'HomeJobs'): Float64Array {
    return this.#doubles(name, this.configuration.grid.capacities.length).slice();
  }

  /** SH of the grid (Shih et al. 2010, eq. 3). */
  get speedHeterogeneity(): number {
    return this.#scalar('SpeedHeterogeneity');
  }

  /** Start, execution and site of each job that has started: copies. */
  schedule(): Schedule {
    const { count } = this.workload;
    return {
      start: this.#doubles('Start', count).slice(),
      execution: this.#doubles('Execution', count).slice(),
      site: new Int32Array(this.#core.memory.buffer, this.#column('Site'), count).slice(),
    };
  }

  /** Which processors each job held: copies. Only if they were tracked. */
  processorSets(): ProcessorSets {
    if (!this.configuration.trackProcessors) throw new Error('processor sets were not tracked');
    const { buffer } = this.#core.memory;
    return {
      firstPair: new Int32Array(buffer, this.#column('LogIndex'), this.workload.count).slice(),
      pairs: new Int32Array(buffer, this.#column('Log'), 2 * this.#scalar('LogLength')).slice(),
    };
  }

  /** A copy of the whole mutable state; `restore` continues from it, here or in a simulator of the same workload. */
  snapshot(): Uint8Array {
    return new Uint8Array(this.#core.memory.buffer, this.#simulation, this.#scalar('Bytes')).slice();
  }

  /** Goes back to a snapshot that was taken under the configuration given. */
  restore(snapshot: Uint8Array, configuration: Configuration): void {
    this.#reserve(this.#simulation + snapshot.length);
    new Uint8Array(this.#core.memory.buffer).set(snapshot, this.#simulation);
    this.#configuration = configuration;
    this.#finished = false;
    this.#layout = '';
  }

  #loadJobs(): void {
    const { submit, runtime, processors, home, count } = this.workload;
    const core = this.#core;
    const { JobColumn } = core;
    const address = (which: number) => core.jobColumnAddress(this.#jobs, which);
    const { buffer } = core.memory;
    new Float64Array(buffer, address(JobColumn.Submit), count).set(submit);
    new Float64Array(buffer, address(JobColumn.Runtime), count).set(runtime);
    new Int32Array(buffer, address(JobColumn.Processors), count).set(processors);
    new Int32Array(buffer, address(JobColumn.Home), count).set(home);
    if (count === 0) throw new InputError(`${this.workload.name}: there is no job to simulate`);
    // The place of the simulation is still unused: the core names a refused job there.
    this.#reserve(this.#simulation + ALIGNMENT);
    const status = core.sealJobs(this.#jobs, this.#simulation);
    this.#accept(status, new DataView(core.memory.buffer).getInt32(this.#simulation, true));
  }

  /** Lays the state out anew where its geometry has changed. */
  #arrange({ grid, trackProcessors }: Configuration): void {
    const total = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
    const layout = `${grid.capacities.length} ${total} ${trackProcessors}`;
    if (layout === this.#layout) return;
    if (total > 0x7fffffff) throw new InputError(`sites: ${total} processors are more than a grid may have`);
    this.#reserve(this.#simulation + PAGE);
    const { count } = this.workload;
    const runs = trackProcessors ? RUNS_PER_JOB * count + total : 0;
    const sites = grid.capacities.length;
    const bytes = this.#core.arrange(this.#simulation, count, sites, total, runs) >>> 0;
    this.#reserve(this.#simulation + bytes);
    this.#layout = layout;
  }

  #extendLog(): void {
    const total = this.configuration.grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
    const runs = 2 * this.#scalar('LogLength') + total;
    const bytes = this.#core.extendLog(this.#simulation, runs) >>> 0;
    this.#reserve(this.#simulation + bytes);
  }

  /** Grows the memory to hold all bytes below an address. */
  #reserve(end: number): void {
    const { memory } = this.#core;
    if (end > LONGEST_MEMORY) {
      throw new InputError(
        `${this.workload.name}: ${this.workload.count} jobs do not fit into the core's 4 GiB; take fewer jobs`,
      );
    }
    const missing = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
    if (missing > 0) memory.grow(missing);
  }

  #column(name: keyof Core['Column']): number {
    return this.#core.columnAddress(this.#simulation, this.#core.Column[name]) >>> 0;
  }

  #doubles(name: keyof Core['Column'], count: number): Float64Array {
    return new Float64Array(this.#core.memory.buffer, this.#column(name), count);
  }

  #scalar(name: keyof Core['Scalar']): number {
    return this.#core.scalar(this.#simulation, this.#core.Scalar[name]);
  }

  #option(name: keyof Core['Option'], value: number): void {
    this.#core.setOption(this.#simulation, this.#core.Option[name], value);
  }

  /** Turns a refusal of the core into a sentence. */
  #accept(status: number, culprit?: number): void {
    const { Status } = this.#core;
    if (status < Status.JobsUnsorted) return;
    const index = culprit ?? this.#scalar('RefusedJob');
    const job = `${this.workload.name}, job ${this.workload.job[index]}`;
    const site = `site ${this.#scalar('RefusedSite') + 1}`;
    const sentences: { [status: number]: string } = {
      [Status.JobsUnsorted]: `${job}: submitted before the job above it; sort the jobs by submit time`,
      [Status.JobSubmitInvalid]: `${job}: the submit time must be a number of seconds from 0 on`,
      [Status.JobRuntimeInvalid]: `${this.workload.name}: a job's execution would take more than 1e15 seconds; lower the load or raise the speeds`,
      [Status.JobProcessorsInvalid]: `${job}: needs at least one processor`,
      [Status.JobHomeInvalid]: `${this.workload.name}: a job's home is not a site of the grid; give more sites or another home rule`,
      [Status.JobTooWide]: `${job}: needs ${this.workload.processors[index]} processors, more than any site that it may use has; drop or split such jobs, or give a larger site`,
      [Status.SiteCapacityInvalid]: `${site}: the capacity must be a whole number above 0`,
      [Status.SiteSpeedInvalid]: `${site}: the speed must be a number above 0`,
      [Status.SiteLoadInvalid]: `${site}: the load must be a number above 0`,
      [Status.PolicyUnknown]: 'the core does not know this policy',
      [Status.ParameterInvalid]: 'a parameter of the policy is not a finite number',
      [Status.OptionInvalid]: 'minimum speed ratio: expected a number from 0 on',
    };
    throw new InputError(sentences[status] ?? `the core refused with status ${status}`);
  }
}

function aligned(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}
