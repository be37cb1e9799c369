/** What the function of a policy sees of a pending decision: accessors alone, on objects that show one after the other. */
import type { CoreRun } from '../core/host.js';
import type { LookAheadCount, PolicyView, SiteState, WaitingJob } from '../core/ownPolicy.js';
import type { Configuration } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import { DecisionView } from './decisionView.js';

/** Makes a job show another; for the view alone. */
let showJob: (shown: Job, job: number) => void;

/** A job by its index. */
class Job implements WaitingJob {
  readonly #decision: DecisionView;
  readonly #workload: Workload;
  #job: number;

  constructor(decision: DecisionView, workload: Workload, job: number) {
    this.#decision = decision;
    this.#workload = workload;
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
    return this.#decision.estimateOf(this.#job);
  }

  get submit(): number {
    return this.#decision.submitOf(this.#job);
  }

  get home(): number {
    return this.#workload.home[this.#job] + 1;
  }

  get user(): number {
    return this.#workload.log?.user[this.#job] ?? -1;
  }
}

class Site implements SiteState {
  readonly number: number;
  readonly capacity: number;
  readonly speed: number;
  readonly #decision: DecisionView;

  constructor(decision: DecisionView, number: number) {
    this.number = number;
    this.capacity = decision.capacity(number);
    this.speed = decision.speed(number);
    this.#decision = decision;
    Object.freeze(this);
  }

  get free(): number {
    return this.#decision.free(this.number);
  }

  get isFeasible(): boolean {
    return this.#decision.isFeasible(this.number);
  }
}

/** What a look-ahead finds from a site. */
class Ahead implements LookAheadCount {
  readonly #decision: DecisionView;
  readonly #site: number;

  constructor(decision: DecisionView, site: number) {
    this.#decision = decision;
    this.#site = site;
    Object.freeze(this);
  }

  get jobs(): number {
    return this.#decision.lookAheadJobs(this.#site);
  }

  get capacity(): number {
    return this.#decision.lookAheadCapacity(this.#site);
  }
}

/** The decision that a simulation waits for, as functions may see it. */
export class FunctionView implements PolicyView {
  readonly job: WaitingJob;
  readonly speedHeterogeneity: number;
  readonly queue: Iterable<WaitingJob>;
  readonly #job: Job;
  readonly #sites: readonly SiteState[];
  /** Of each home what a job sees of it, where every site runs alone. */
  readonly #alone: readonly (readonly SiteState[])[];
  readonly #ahead: readonly Ahead[];
  readonly #decision: DecisionView;

  constructor(run: CoreRun, workload: Workload, configuration: Configuration) {
    const decision = new DecisionView(run, workload, configuration);
    const numbers = configuration.grid.speeds.map((_, index) => index + 1);
    this.#decision = decision;
    this.#job = new Job(decision, workload, 0);
    this.job = this.#job;
    this.#sites = Object.freeze(numbers.map((number) => new Site(decision, number)));
    this.#alone = this.#sites.map((site) => Object.freeze([site]));
    this.#ahead = numbers.map((number) => new Ahead(decision, number));
    this.speedHeterogeneity = decision.speedHeterogeneity;
    askedAbout(this, workload.name);
    this.queue = Object.freeze({
      *[Symbol.iterator]() {
        for (let job = decision.nextInQueue(-1); job >= 0; job = decision.nextInQueue(job)) {
          yield new Job(decision, workload, job);
        }
      },
    });
    Object.freeze(this);
  }

  /** Shows the decision that is pending now; returns the index of its job. */
  static show(view: FunctionView): number {
    const decision = view.#decision;
    decision.renew();
    showJob(view.#job, decision.job);
    return decision.job;
  }

  get sites(): readonly SiteState[] {
    return this.#decision.isAlone ? this.#alone[this.#decision.home - 1] : this.#sites;
  }

  get time(): number {
    return this.#decision.time;
  }

  get bestFit(): number {
    return this.#decision.bestFit;
  }

  get fastestFirst(): number {
    return this.#decision.fastestFirst;
  }

  get queuedProcessors(): number {
    return this.#decision.queuedProcessors;
  }

  get freeProcessors(): number {
    return this.#decision.freeProcessors;
  }

  get situation(): 'a' | 'b' {
    return this.#decision.foundQueueEmpty ? 'a' : 'b';
  }

  lookAhead(site: number): LookAheadCount {
    const ahead = this.#ahead[site - 1];
    if (ahead === undefined || !this.#decision.isFeasible(site)) {
      throw new RangeError(`a look-ahead from site ${site}, on which the job cannot start now`);
    }
    return ahead;
  }
}

const LOGS = new WeakMap<object, string>();

/** Notes of what a function is shown whose jobs it is about; returns it. */
export function askedAbout<Shown extends object>(shown: Shown, log: string): Shown {
  LOGS.set(shown, log);
  return shown;
}

/** The name of the workload whose jobs a function is shown. */
export function logShown(shown: object): string {
  return LOGS.get(shown) as string;
}
