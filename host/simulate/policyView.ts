/**
 * View of a pending decision for user-written policies: getters on objects that are reused for later
 * decisions.
 */

import type { CoreRun } from '../core/host.js';
import {
  type LookAheadCount,
  type PolicyFunction,
  type PolicyView,
  printPolicy,
  type SiteState,
  type WaitingJob,
} from '../core/policies.js';
import { describeReturnedValue, describeThrownValue, FunctionError, InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import { type NumberNames, nameOfLogNumber } from '../trace/trace.js';
import type { Workload } from '../workload/workload.js';
import { DecisionView } from './decisionView.js';

/** Sets the job shown by a job view; for use by the policy view only. */
let setJobOfView: (jobView: JobView, job: number) => void;

/** View of a job by its index. */
class JobView implements WaitingJob {
  readonly #decision: DecisionView;
  readonly #workload: Workload;
  #job: number;

  constructor(decisionView: DecisionView, workload: Workload, job: number) {
    this.#decision = decisionView;
    this.#workload = workload;
    this.#job = job;
    Object.freeze(this);
  }

  static {
    setJobOfView = (jobView, job) => {
      jobView.#job = job;
    };
  }

  get number(): number {
    return this.#workload.job[this.#job]!;
  }

  get processors(): number {
    return this.#workload.processors[this.#job]!;
  }

  get estimate(): number {
    return this.#decision.estimateOf(this.#job);
  }

  get submit(): number {
    return this.#decision.submitOf(this.#job);
  }

  get home(): number {
    return this.#workload.home[this.#job]! + 1;
  }

  get user(): number {
    return this.#workload.log?.user[this.#job] ?? -1;
  }
}

class SiteStateView implements SiteState {
  readonly number: number;
  readonly capacity: number;
  readonly speed: number;
  readonly #decision: DecisionView;

  constructor(decisionView: DecisionView, number: number) {
    this.number = number;
    this.capacity = decisionView.capacity(number);
    this.speed = decisionView.speed(number);
    this.#decision = decisionView;
    Object.freeze(this);
  }

  get free(): number {
    return this.#decision.free(this.number);
  }

  get isFeasible(): boolean {
    return this.#decision.isFeasible(this.number);
  }
}

/** Result of a look-ahead for a site. */
class LookAheadView implements LookAheadCount {
  readonly #decision: DecisionView;
  readonly #site: number;

  constructor(decisionView: DecisionView, site: number) {
    this.#decision = decisionView;
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

/** View of the pending decision that is passed to functions. */
export class FunctionView implements PolicyView {
  readonly job: WaitingJob;
  readonly speedHeterogeneity: number;
  readonly queue: Iterable<WaitingJob>;
  readonly #job: JobView;
  readonly #sites: readonly SiteState[];
  /** Site states visible to the jobs of each home site, if every site runs independently. */
  readonly #visibleSitesByHome: readonly (readonly SiteState[])[];
  readonly #lookAheads: readonly LookAheadView[];
  readonly #decision: DecisionView;

  constructor(coreRun: CoreRun, workload: Workload, configuration: Configuration) {
    const decisionView = new DecisionView(coreRun, workload, configuration);
    const siteIndices = configuration.grid.speeds.map((_, index) => index + 1);
    this.#decision = decisionView;
    this.#job = new JobView(decisionView, workload, 0);
    this.job = this.#job;
    this.#sites = Object.freeze(siteIndices.map((number) => new SiteStateView(decisionView, number)));
    this.#visibleSitesByHome = this.#sites.map((siteState) => Object.freeze([siteState]));
    this.#lookAheads = siteIndices.map((number) => new LookAheadView(decisionView, number));
    this.speedHeterogeneity = decisionView.speedHeterogeneity;
    rememberWorkloadOfView(this, workload);
    this.queue = Object.freeze({
      *[Symbol.iterator]() {
        for (let job = decisionView.nextInQueue(-1); job >= 0; job = decisionView.nextInQueue(job)) {
          yield new JobView(decisionView, workload, job);
        }
      },
    });
    Object.freeze(this);
  }

  /** Updates the view to the pending decision; returns the index of the job. */
  static show(view: FunctionView): number {
    const decisionView = view.#decision;
    decisionView.renew();
    setJobOfView(view.#job, decisionView.job);
    return decisionView.job;
  }

  get sites(): readonly SiteState[] {
    return this.#decision.isAlone ? this.#visibleSitesByHome[this.#decision.home - 1]! : this.#sites;
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
    const ahead = this.#lookAheads[site - 1];
    if (ahead === undefined || !this.#decision.isFeasible(site)) {
      throw new RangeError(`a look-ahead from site ${site}, on which the job cannot start now`);
    }
    return ahead;
  }
}

/** Names of a workload and its jobs in messages. */
interface WorkloadNames {
  readonly name: string;
  readonly names?: NumberNames | undefined;
}

const workloadNamesByView = new WeakMap<object, WorkloadNames>();

/** Records the workload of a view, for messages; returns the view. */
export function rememberWorkloadOfView<Shown extends object>(
  view: Shown,
  workloadNames: WorkloadNames,
): Shown {
  workloadNamesByView.set(view, workloadNames);
  return view;
}

/** Workload of the jobs in a view. */
export function getWorkloadNamesOfView(view: object): WorkloadNames {
  return workloadNamesByView.get(view) as WorkloadNames;
}

// Calls the policy function whenever the core pauses for a decision

/** Answers the decisions of a run by calling a user-written policy. */
export class CustomDecisions {
  readonly #run: CoreRun;
  readonly #workload: Workload;
  /** Configuration of the current view, and its policy. */
  #configuration: Configuration | undefined;
  #view!: FunctionView;
  #choose!: PolicyFunction;
  #name = '';

  constructor(coreRun: CoreRun, workload: Workload) {
    this.#run = coreRun;
    this.#workload = workload;
  }

  #configure(configuration: Configuration): void {
    const { policy } = configuration;
    this.#name = printPolicy(policy);
    if (policy.choose === undefined)
      throw new InputError(`no function was given for the policy ${this.#name}`);
    this.#choose = policy.choose;
    this.#view = new FunctionView(this.#run, this.#workload, configuration);
    this.#configuration = configuration;
  }

  /**
   * Answers the pending decision.
   * @throws InputError if the policy has no function; FunctionError if the function fails, or returns a site
   * on which the job cannot start now.
   */
  answer(configuration: Configuration): void {
    if (configuration !== this.#configuration) this.#configure(configuration);
    const view = this.#view;
    const { core, block, jobs } = this.#run;
    const job = FunctionView.show(view);
    const site = this.#callPolicy(view, job);
    // Other numbers would be rounded on the way to the core.
    const isSiteWholeNumber = typeof site === 'number' && (site | 0) === site;
    const isSiteFree = isSiteWholeNumber && core.decide(block, jobs.table, site - 1) === core.Status.Finished;
    if (!isSiteFree) throw this.#invalidSiteError(view, job, site);
  }

  #callPolicy(view: FunctionView, job: number): number {
    const chooseSiteByPolicy = this.#choose;
    try {
      return chooseSiteByPolicy(view);
    } catch (error) {
      throw new FunctionError(
        `${this.#describeDecision(view, job)} failed: ${describeThrownValue(error, this.#name)}`,
      );
    }
  }

  #describeDecision({ time }: FunctionView, job: number): string {
    const { name: workloadName, names: namesByKind, job: numbers } = this.#workload;
    return `${workloadName}, job ${nameOfLogNumber(namesByKind, 'job', numbers[job]!)} at time ${time}: the policy ${this.#name}`;
  }

  #invalidSiteError(view: FunctionView, job: number, site: unknown): FunctionError {
    const { processors, home } = this.#workload;
    const { sites } = view;
    const siteState = sites.find(({ number: siteNumber }) => siteNumber === site);
    const returnedText = describeReturnedValue(site);
    const decisionText = this.#describeDecision(view, job);
    if (siteState === undefined) {
      const { number: first } = firstElement(sites);
      const expectedForm =
        sites.length === 1
          ? `${first}, the number of its site,`
          : `the number of a site, 1 to ${sites.length},`;
      return new FunctionError(
        `${decisionText} returned ${returnedText}; expected ${expectedForm} or 0 for the job to wait`,
      );
    }
    const { grid, minSpeedRatio } = this.#configuration as Configuration;
    const isSpeedSufficient = siteState.speed >= minSpeedRatio * grid.speeds[home[job]!]!;
    const reason =
      siteState.free < processors[job]!
        ? `has ${siteState.free} processors free where the job needs ${processors[job]}`
        : isSpeedSufficient
          ? 'is not safe: a job with a reservation would start later'
          : 'the job may not use';
    return new FunctionError(`${decisionText} returned site ${returnedText}, which ${reason}`);
  }
}
