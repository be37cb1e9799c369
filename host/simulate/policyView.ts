/** What the function of a policy sees of a pending decision: accessors alone, on columns of the core and of the workload. */
import type { Core } from '../core/module.js';
import type { LookAheadCount, PolicyView, SiteState, WaitingJob } from '../core/ownPolicy.js';
import type { Configuration } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';

/** Where a simulation stands in the memory of a core: its address, and that of its job table. */
export interface Place {
  readonly core: Core;
  readonly simulation: number;
  readonly jobs: number;
}

/** Makes a job show another; for the view alone. */
let showJob: (shown: Job, job: number) => void;

/** A job by its index. */
class Job implements WaitingJob {
  readonly #workload: Workload;
  readonly #load: readonly number[];
  #job: number;

  constructor(workload: Workload, load: readonly number[], job: number) {
    this.#workload = workload;
    this.#load = load;
    this.#job = job;
    Object.freeze(this);
  }

  static {
    showJob = (shown, job) => {
      shown.#job = job;
    };
  }

  get number(): number {
    return this.#workload.job[this.#job];
  }

  get processors(): number {
    return this.#workload.processors[this.#job];
  }

  get estimate(): number {
    const { estimate, home } = this.#workload;
    return estimate[this.#job] * this.#load[home[this.#job]];
  }

  get submit(): number {
    return this.#workload.submit[this.#job];
  }

  get home(): number {
    return this.#workload.home[this.#job] + 1;
  }

  get user(): number {
    return this.#workload.log?.user[this.#job] ?? -1;
  }
}

/** Columns of the core, and the addresses that calls take; all of it may change when memory grows. */
interface Columns {
  place: Place;
  decision: Float64Array;
  slots: Int32Array;
}

class Site implements SiteState {
  readonly number: number;
  readonly capacity: number;
  readonly speed: number;
  readonly #columns: Columns;
  readonly #free: number;

  constructor(columns: Columns, index: number, slot: number, { grid }: Configuration) {
    this.number = index + 1;
    this.capacity = grid.capacities[index];
    this.speed = grid.speeds[index];
    this.#columns = columns;
    this.#free = 2 * slot + 1;
    Object.freeze(this);
  }

  get free(): number {
    return this.#columns.slots[this.#free];
  }
}

/** What a look-ahead finds from a site. */
class Ahead implements LookAheadCount {
  readonly #columns: Columns;
  readonly #site: number;

  constructor(columns: Columns, site: number) {
    this.#columns = columns;
    this.#site = site;
    Object.freeze(this);
  }

  get jobs(): number {
    const { core, simulation, jobs } = this.#columns.place;
    return core.lookAhead(simulation, jobs, this.#site, core.LookAhead.Jobs);
  }

  get capacity(): number {
    const { core, simulation, jobs } = this.#columns.place;
    return core.lookAhead(simulation, jobs, this.#site, core.LookAhead.Capacity);
  }
}

/** The decision that a simulation waits for; one object shows one after the other. */
export class DecisionView implements PolicyView {
  readonly job: WaitingJob;
  readonly sites: readonly SiteState[];
  readonly speedHeterogeneity: number;
  readonly queue: Iterable<WaitingJob>;
  readonly #job: Job;
  readonly #ahead: readonly Ahead[];
  readonly #columns: Columns;
  readonly #at: Core['Decision'];

  constructor(place: Place, workload: Workload, configuration: Configuration) {
    const { core, simulation } = place;
    const { load, grid } = configuration;
    const columns = { place, decision: new Float64Array(0), slots: new Int32Array(0) };
    const slots = new Int32Array(
      core.memory.buffer,
      core.columnAddress(simulation, core.Column.SlotOfSite) >>> 0,
      grid.speeds.length,
    );
    this.#columns = columns;
    this.#at = core.Decision;
    this.#job = new Job(workload, load, 0);
    this.job = this.#job;
    this.sites = Object.freeze(
      Array.from(slots, (slot, site) => new Site(columns, site, slot, configuration)),
    );
    this.#ahead = grid.speeds.map((_, site) => new Ahead(columns, site));
    this.speedHeterogeneity = core.scalar(simulation, core.Scalar.SpeedHeterogeneity);
    this.queue = Object.freeze({
      *[Symbol.iterator]() {
        for (let job = nextOf(columns, -1); job >= 0; job = nextOf(columns, job)) {
          yield new Job(workload, load, job);
        }
      },
    });
    Object.freeze(this);
  }

  /** Shows the pending decision of a simulation at a place; returns the index of its job. */
  static show(view: DecisionView, place: Place): number {
    const columns = view.#columns;
    // Views of a memory that has grown are empty.
    if (columns.place !== place || columns.slots.length === 0) locate(columns, place, view.sites.length);
    const job = columns.decision[view.#at.Job];
    showJob(view.#job, job);
    return job;
  }

  get time(): number {
    return this.#columns.decision[this.#at.Time];
  }

  get bestFit(): number {
    return this.#columns.decision[this.#at.BestFit] + 1;
  }

  get fastestFirst(): number {
    return this.#columns.decision[this.#at.FastestFirst] + 1;
  }

  get queuedProcessors(): number {
    return this.#columns.decision[this.#at.QueuedProcessors];
  }

  get freeProcessors(): number {
    return this.#columns.decision[this.#at.FreeProcessors];
  }

  get situation(): 'a' | 'b' {
    return this.#columns.decision[this.#at.FoundQueueEmpty] === 1 ? 'a' : 'b';
  }

  lookAhead(site: number): LookAheadCount {
    const { core, simulation, jobs } = this.#columns.place;
    if (core.isFeasible(simulation, jobs, site - 1) === 0) {
      throw new RangeError(`a look-ahead from site ${site}, on which the job cannot start now`);
    }
    return this.#ahead[site - 1];
  }
}

function locate(columns: Columns, place: Place, sites: number): void {
  const { core, simulation } = place;
  const address = (column: 'Decision' | 'Slot') => core.columnAddress(simulation, core.Column[column]) >>> 0;
  columns.place = place;
  columns.decision = new Float64Array(core.memory.buffer, address('Decision'), core.Decision.COUNT);
  columns.slots = new Int32Array(core.memory.buffer, address('Slot'), 2 * sites);
}

/** The job behind another in the queue that the decision is about, the first for -1; -1 where none is. */
function nextOf({ place: { core, simulation, jobs } }: Columns, job: number): number {
  return core.nextInQueue(simulation, jobs, job);
}
