/**
 * What may be known where it is decided which site a job gets: the job without its runtime, the sites, the queue,
 * and what else a run decides by.
 */
import type { CoreRun } from '../core/host.js';
import type { Core } from '../core/module.js';
import {
  candidatePolicies,
  candidatePolicyError,
  isTrialPolicy,
  type Policy,
  policyParameterByName,
  printPolicy,
} from '../core/policies.js';
import { InputError } from '../errors.js';
import { type Configuration, isBackfilling } from '../options/configuration.js';
import { type Naming, nameOptionInLibrary } from '../options/options.js';
import { NO_PARTITION_SITES_NOTATION } from '../options/partitionSites.js';
import {
  doOptionsUseEstimates,
  queueRulesByCandidate,
  queueRulesNeedEstimates,
  refuseOptionsUsingEstimates,
} from '../options/rules.js';
import { isCodeFileName } from '../providedCode.js';
import { requireEstimates } from '../workload/estimates.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';
import { knownSubmitTimesOfJobs } from './schedule.js';

/** The part of a run that decides this. */
type RuntimeKnowledgeOptions = Omit<Parameters<typeof doOptionsUseEstimates>[0], 'kill' | 'policy'> & {
  readonly policy: Policy | string;
};

/** Description of runs in which no estimate is known. */
export const NO_ESTIMATES_PHRASE = 'no estimates';

/**
 * Describes in a few words how a scheduling method knows runtimes, such as "estimates (log)".
 * @param estimates where they are from, as `--estimates` says.
 */
export function describeRuntimeKnowledgeOfRun(
  { policy, ...run }: RuntimeKnowledgeOptions,
  estimates: string,
): string {
  if (estimates === 'none') return isTrialPolicy(policy) ? 'runtimes of ended jobs' : NO_ESTIMATES_PHRASE;
  const known = `estimates (${estimates})`;
  const isFunctionName =
    typeof policy === 'string' ? isCodeFileName(policy) : policy.declaration.name === 'own';
  if (isFunctionName) return `what its function reads, ${known}`;
  return doOptionsUseEstimates({ ...run, policy }) ? known : NO_ESTIMATES_PHRASE;
}

/** Describes what a policy alone knows of runtimes, whatever the order and discipline. */
export function describeRuntimeKnowledgeOfPolicy(policy: string): string {
  return isTrialPolicy(policy)
    ? 'estimates; with --estimates none runtimes of ended jobs'
    : NO_ESTIMATES_PHRASE;
}

/** Describes the source of estimates in the words of the option, without the seed of their errors. */
export function describeEstimateSource(text: string | undefined): string {
  return text === undefined ? 'trace' : text.split(':').slice(0, 2).join(':');
}

// True if a run has the estimates that it decides by.

/** The error of a function that asks for an estimate under `--estimates none`. */
export const ESTIMATE_REQUESTED_WITHOUT_ESTIMATES =
  'it asks for the estimate, and with --estimates none, runtimes are unknown';

/** The part of a workload that says what is known of its estimates. */
export type JobsWithEstimateSource = Pick<Workload, 'name' | 'accounting'> & {
  readonly unestimated?: true | undefined;
  readonly recent?: RecentEstimates;
};

/**
 * Refuses a run that decides by estimates which are unknown, or which no job of the workload has, one that draws
 * futures although there are estimates, and one that keeps reservations although estimates change.
 * @param naming how errors call the options.
 * @throws InputError with what to do.
 */
export function checkEstimatesKnown(
  workload: JobsWithEstimateSource,
  configuration: Configuration,
  naming: Naming,
): void {
  if (workload.unestimated) {
    refuseOptionsUsingEstimates(configuration, naming);
    refuseCandidatesWithoutEstimates(configuration, naming);
    return;
  }
  if (workload.recent?.refresh && configuration.reservations === 'kept') {
    throw new InputError(
      `reservations are not kept for jobs whose estimates change while they wait; take ${naming('reservations', 'replanned')}`,
    );
  }
  if (Number(policyParameterByName(configuration.policy, 'futures') ?? 1) > 1) {
    throw new InputError(
      `with estimates there is only one future; use more than one only with ${naming('estimates', 'none')}`,
    );
  }
  if (doOptionsUseEstimates(configuration)) requireEstimates(workload, adviceOnMissingEstimates(naming));
}

/** Candidates of a policy may have orders and disciplines of their own. */
function refuseCandidatesWithoutEstimates(configuration: Configuration, naming: Naming): void {
  const place = queueRulesByCandidate(configuration)?.findIndex(queueRulesNeedEstimates) ?? -1;
  if (place < 0) return;
  const name = printPolicy(candidatePolicies(configuration.policy)[place]!);
  throw candidatePolicyError(name, `with ${naming('estimates', 'none')} runtimes are unknown`);
}

function adviceOnMissingEstimates(naming: Naming): string {
  return naming === nameOptionInLibrary
    ? "withEstimates(workload, { source: 'exact' }) takes their runtimes"
    : `use ${naming('estimates', 'exact')}`;
}

// The view of a decision

/**
 * The decision that a simulation waits for. One object shows all decisions of a simulation, one after the other: what it
 * says is so now, and asking makes no other objects. Sites are numbered from 1, as actions are.
 */
export class DecisionView {
  /** Number of sites. */
  readonly siteCount: number;
  /** True if every site runs alone: the rest of what is seen is then of the home of the job. */
  readonly isAlone: boolean;
  /** SH of the grid (Shih et al. 2010, eq. 3). */
  readonly speedHeterogeneity: number;
  readonly #run: CoreRun;
  readonly #core: Core;
  readonly #workload: Workload;
  readonly #configuration: Configuration;
  /** True if a site with room may be none all the same. */
  readonly #hasRestrictions: boolean;
  /** Where the run stood when its columns were found; they are elsewhere when it has moved, or memory has grown. */
  #block = 0;
  #decision = new Float64Array(0);
  #slots = new Int32Array(0);
  /** Estimates of jobs, of the workload or of the core. */
  #estimate: ArrayLike<number> = [];
  #submit: Float64Array = new Float64Array(0);
  /** Where a number is in the first of them, and where the free processors of each site are in the second. */
  readonly #at: Core['Decision'];
  readonly #freeAt: Int32Array;
  /** The most used values. */
  #job = 0;
  #processors = 0;

  constructor(run: CoreRun, workload: Workload, configuration: Configuration) {
    this.#run = run;
    this.#core = run.core;
    this.#at = run.core.Decision;
    this.#workload = workload;
    this.#configuration = configuration;
    const { discipline, queue, minSpeedRatio, partitionSites } = configuration;
    this.isAlone = queue === 'independent';
    const isRestricted = minSpeedRatio > 0 || partitionSites !== NO_PARTITION_SITES_NOTATION;
    this.#hasRestrictions = isBackfilling(discipline) || isRestricted || this.isAlone;
    this.siteCount = configuration.grid.capacities.length;
    this.speedHeterogeneity = this.isAlone ? 0 : run.scalar('SpeedHeterogeneity');
    this.#freeAt = run.column('SlotOfSite').map((slot) => 2 * slot + 1);
    this.#find();
    this.renew();
  }

  /** Shows the decision that is pending now. */
  renew(): void {
    if (this.#run.block !== this.#block || this.#decision.length === 0) this.#find();
    this.#job = this.#decision[this.#at.Job]!;
    this.#processors = this.#workload.processors[this.#job]!;
  }

  #find(): void {
    const run = this.#run;
    const { estimate, recent } = this.#workload;
    this.#block = run.block;
    this.#submit = knownSubmitTimesOfJobs(run, this.#workload);
    this.#decision = run.column('Decision');
    this.#slots = run.column('Slot');
    this.#estimate = recent === undefined ? estimate : run.column('Estimate');
  }

  /** Index of the job in the workload. */
  get job(): number {
    return this.#job;
  }

  /** Seconds on the clock of the log. */
  get time(): number {
    return this.#decision[this.#at.Time]!;
  }

  /** When the job was submitted. */
  get submit(): number {
    return this.submitOf(this.#job);
  }

  /** The same of any job that has been submitted, by its index. */
  submitOf(job: number): number {
    return this.#submit[job]!;
  }

  /** Processors that the job requests. */
  get processors(): number {
    return this.#processors;
  }

  /** Estimated seconds of the job at speed 1, with the load factor of its home. */
  get estimate(): number {
    return this.estimateOf(this.#job);
  }

  /** The same of any job that has been submitted, by its index. */
  estimateOf(job: number): number {
    if (this.#workload.unestimated) throw new InputError(ESTIMATE_REQUESTED_WITHOUT_ESTIMATES);
    return this.#estimate[job]! * this.#configuration.load[this.#workload.home[job]!]!;
  }

  /** The home site of the job. */
  get home(): number {
    return this.#workload.home[this.#job]! + 1;
  }

  /** The site that best-fit would take, S_bf. */
  get bestFit(): number {
    return this.#decision[this.#at.BestFit]! + 1;
  }

  /** The site that fastest-first would take, S_ff. */
  get fastestFirst(): number {
    return this.#decision[this.#at.FastestFirst]! + 1;
  }

  /** Situation (a): the job found its queue empty when it was submitted, now. Else (b). */
  get foundQueueEmpty(): boolean {
    return this.#decision[this.#at.FoundQueueEmpty] === 1;
  }

  /** Processors that the jobs of the queue request together, this one too: the numerator of SL (eq. 4). */
  get queuedProcessors(): number {
    return this.#decision[this.#at.QueuedProcessors]!;
  }

  /** Free processors of all sites: the denominator of SL, where at least 1. */
  get freeProcessors(): number {
    return this.#decision[this.#at.FreeProcessors]!;
  }

  /** Jobs that wait, this one too. */
  get waiting(): number {
    return this.#decision[this.#at.Waiting]!;
  }

  /** Jobs that run. */
  get running(): number {
    return this.#decision[this.#at.Running]!;
  }

  /** Processors of a site. */
  capacity(site: number): number {
    return this.#configuration.grid.capacities[site - 1]!;
  }

  /** Speed of a site. */
  speed(site: number): number {
    return this.#configuration.grid.speeds[site - 1]!;
  }

  /** Free processors of a site; 0 for a site unknown to the home of the job. */
  free(site: number): number {
    if (this.isAlone && site !== this.home) return 0;
    return this.#slots[this.#freeAt[site - 1]!]!;
  }

  /** True if the job can start on a site now: there is room, it may use the site, and no reservation is delayed. */
  isFeasible(site: number): boolean {
    if (!(this.free(site) >= this.#processors)) return false;
    if (!this.#hasRestrictions) return true;
    return this.#core.isFeasible(this.#block, this.#run.jobs.table, site - 1) === 1;
  }

  /** How many waiting jobs could start at once if the job goes to a feasible site, TNoA (eq. 8). */
  lookAheadJobs(site: number): number {
    return this.#core.lookAhead(this.#block, this.#run.jobs.table, site - 1, this.#core.LookAhead.Jobs);
  }

  /** The capacity, speed x processors, that they would take, TCC (eq. 13). */
  lookAheadCapacity(site: number): number {
    return this.#core.lookAhead(this.#block, this.#run.jobs.table, site - 1, this.#core.LookAhead.Capacity);
  }

  /** The index of the job behind another in the queue that the decision is about, of the first for -1; -1: none. */
  nextInQueue(job: number): number {
    return this.#core.nextInQueue(this.#block, this.#run.jobs.table, job);
  }
}
