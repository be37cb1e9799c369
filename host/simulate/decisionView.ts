/**
 * Information available to a decision on the site of a job: the job without its runtime, the sites, the
 * queue, and other state of the run.
 */
import type { CoreRun } from '../core/host.js';
import type { Core } from '../core/module.js';
import {
  findPolicyParameterValue,
  isTrialPolicy,
  listCandidatePolicies,
  makeCandidatePolicyError,
  type Policy,
  printPolicy,
} from '../core/policies.js';
import { InputError } from '../errors.js';
import { doQueueRulesNeedEstimates, listQueueRulesOfCandidates } from '../options/candidateRules.js';
import { type Configuration, isBackfillingDiscipline } from '../options/configuration.js';
import { type Naming, nameOptionInLibrary } from '../options/options.js';
import { NO_PARTITION_SITES_NOTATION } from '../options/partitionSites.js';
import { doOptionsUseEstimates, refuseOptionsUsingEstimates } from '../options/rules.js';
import { isCodeFileName } from '../providedCode.js';
import { requireEstimates } from '../workload/estimates.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';
import { readKnownSubmitTimes } from './schedule.js';

/** Options that determine the runtime information available to a run. */
type RuntimeKnowledgeOptions = Omit<Parameters<typeof doOptionsUseEstimates>[0], 'kill' | 'policy'> & {
  readonly policy: Policy | string;
};

/** Description of runs in which no estimate is known. */
export const NO_ESTIMATES_PHRASE = 'no estimates';

/**
 * Describes the runtime information that a scheduling method uses, such as "estimates (log)".
 * @param estimatesText source of the estimates, as in `--estimates`.
 */
export function describeRuntimeKnowledgeOfRun(
  { policy, ...run }: RuntimeKnowledgeOptions,
  estimatesText: string,
): string {
  if (estimatesText === 'none') return isTrialPolicy(policy) ? 'runtimes of ended jobs' : NO_ESTIMATES_PHRASE;
  const estimatesPhrase = `estimates (${estimatesText})`;
  const isFunctionName =
    typeof policy === 'string' ? isCodeFileName(policy) : policy.declaration.name === 'own';
  if (isFunctionName) return `what its function reads, ${estimatesPhrase}`;
  return doOptionsUseEstimates({ ...run, policy }) ? estimatesPhrase : NO_ESTIMATES_PHRASE;
}

/** Describes the runtime information that a policy alone uses, regardless of order and discipline. */
export function describeRuntimeKnowledgeOfPolicy(policyText: string): string {
  return isTrialPolicy(policyText)
    ? 'estimates; with --estimates none runtimes of ended jobs'
    : NO_ESTIMATES_PHRASE;
}

/** Describes the source of estimates as in the option, without the seed of estimation errors. */
export function describeEstimateSource(estimateText: string | undefined): string {
  return estimateText === undefined ? 'trace' : estimateText.split(':').slice(0, 2).join(':');
}

// Checks that the estimates needed by a run are known

/** Error for a function that reads an estimate under `--estimates none`. */
export const ESTIMATE_REQUESTED_WITHOUT_ESTIMATES =
  'it asks for the estimate, and with --estimates none, runtimes are unknown';

/** Properties of a workload that tell the source of its estimates. */
export type JobsWithEstimateSource = Pick<Workload, 'name' | 'accounting'> & {
  readonly unestimated?: true | undefined;
  readonly recent?: RecentEstimates;
};

/**
 * Refuses runs that need estimates which are unknown or which no job has, runs that draw futures although
 * there are estimates, and runs that keep reservations although estimates change.
 * @param naming names of the options in errors.
 * @throws InputError with advice.
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
  if (Number(findPolicyParameterValue(configuration.policy, 'futures') ?? 1) > 1) {
    throw new InputError(
      `with estimates there is only one future; use more than one only with ${naming('estimates', 'none')}`,
    );
  }
  if (doOptionsUseEstimates(configuration)) requireEstimates(workload, adviseOnMissingEstimates(naming));
}

/** Refuses policies with candidates whose own order or discipline needs missing estimates. */
function refuseCandidatesWithoutEstimates(configuration: Configuration, naming: Naming): void {
  const candidateIndex =
    listQueueRulesOfCandidates(configuration)?.findIndex(doQueueRulesNeedEstimates) ?? -1;
  if (candidateIndex < 0) return;
  const policyName = printPolicy(listCandidatePolicies(configuration.policy)[candidateIndex]!);
  throw makeCandidatePolicyError(policyName, `with ${naming('estimates', 'none')} runtimes are unknown`);
}

function adviseOnMissingEstimates(naming: Naming): string {
  return naming === nameOptionInLibrary
    ? "withEstimates(workload, { source: 'exact' }) takes their runtimes"
    : `use ${naming('estimates', 'exact')}`;
}

// The view of a decision

/**
 * View of a simulation's pending decision. One object serves all decisions of a simulation: its getters read
 * the current state and allocate nothing. Sites are numbered from 1, like actions.
 */
export class DecisionView {
  /** Number of sites. */
  readonly siteCount: number;
  /** True if every site runs independently; the view then covers only the job's home site. */
  readonly isAlone: boolean;
  /** Speed heterogeneity SH of the grid (Shih et al. 2010, eq. 3). */
  readonly speedHeterogeneity: number;
  readonly #run: CoreRun;
  readonly #core: Core;
  readonly #workload: Workload;
  readonly #configuration: Configuration;
  /** True if a site with enough free processors may still be infeasible. */
  readonly #hasRestrictions: boolean;
  /** Address of the run when its columns were located; they are located again after it moves or grows. */
  #block = 0;
  #decision = new Float64Array(0);
  #slots = new Int32Array(0);
  /** Estimates of jobs, from the workload or from the core. */
  #estimate: ArrayLike<number> = [];
  #submit: Float64Array = new Float64Array(0);
  /** Indices of the values in the core's decision column, by name. */
  readonly #fieldIndexes: Core['Decision'];
  /** Index in the slot column of each site's number of free processors. */
  readonly #freeSlotIndexes: Int32Array;
  /** Cached index of the job whose site is being decided. */
  #job = 0;
  /** Cached number of processors requested by the job whose site is being decided. */
  #processors = 0;

  constructor(coreRun: CoreRun, workload: Workload, configuration: Configuration) {
    this.#run = coreRun;
    this.#core = coreRun.core;
    this.#fieldIndexes = coreRun.core.Decision;
    this.#workload = workload;
    this.#configuration = configuration;
    const { discipline, queue, minSpeedRatio, partitionSites } = configuration;
    this.isAlone = queue === 'independent';
    const isRestricted = minSpeedRatio > 0 || partitionSites !== NO_PARTITION_SITES_NOTATION;
    this.#hasRestrictions = isBackfillingDiscipline(discipline) || isRestricted || this.isAlone;
    this.siteCount = configuration.grid.capacities.length;
    this.speedHeterogeneity = this.isAlone ? 0 : coreRun.scalar('SpeedHeterogeneity');
    this.#freeSlotIndexes = coreRun.column('SlotOfSite').map((slot) => 2 * slot + 1);
    this.#locateColumns();
    this.renew();
  }

  /** Updates the view to the pending decision. */
  renew(): void {
    if (this.#run.block !== this.#block || this.#decision.length === 0) this.#locateColumns();
    this.#job = this.#decision[this.#fieldIndexes.Job]!;
    this.#processors = this.#workload.processors[this.#job]!;
  }

  #locateColumns(): void {
    const coreRun = this.#run;
    const { estimate, recent } = this.#workload;
    this.#block = coreRun.block;
    this.#submit = readKnownSubmitTimes(coreRun, this.#workload);
    this.#decision = coreRun.column('Decision');
    this.#slots = coreRun.column('Slot');
    this.#estimate = recent === undefined ? estimate : coreRun.column('Estimate');
  }

  /** Index of the job in the workload. */
  get job(): number {
    return this.#job;
  }

  /** Seconds on the clock of the log. */
  get time(): number {
    return this.#decision[this.#fieldIndexes.Time]!;
  }

  /** Submit time of the job in seconds on the clock of the log. */
  get submit(): number {
    return this.submitOf(this.#job);
  }

  /** Submit time of a submitted job by its index, in seconds on the clock of the log. */
  submitOf(job: number): number {
    return this.#submit[job]!;
  }

  /** Processors that the job requests. */
  get processors(): number {
    return this.#processors;
  }

  /** Estimated runtime of the job in seconds at speed 1, multiplied by the load factor of its home site. */
  get estimate(): number {
    return this.estimateOf(this.#job);
  }

  /** Estimated runtime of a submitted job by its index, in seconds as for `estimate`. */
  estimateOf(job: number): number {
    if (this.#workload.unestimated) throw new InputError(ESTIMATE_REQUESTED_WITHOUT_ESTIMATES);
    return this.#estimate[job]! * this.#configuration.load[this.#workload.home[job]!]!;
  }

  /** Number of the job's home site. */
  get home(): number {
    return this.#workload.home[this.#job]! + 1;
  }

  /** Number of the site chosen by best-fit, S_bf. */
  get bestFit(): number {
    return this.#decision[this.#fieldIndexes.BestFit]! + 1;
  }

  /** Number of the site chosen by fastest-first, S_ff. */
  get fastestFirst(): number {
    return this.#decision[this.#fieldIndexes.FastestFirst]! + 1;
  }

  /** True in situation (a): the job found its queue empty and is being submitted; false in situation (b). */
  get foundQueueEmpty(): boolean {
    return this.#decision[this.#fieldIndexes.FoundQueueEmpty] === 1;
  }

  /**
   * Total number of processors requested by the jobs of the queue, including this one: the numerator of SL
   * (eq. 4).
   */
  get queuedProcessors(): number {
    return this.#decision[this.#fieldIndexes.QueuedProcessors]!;
  }

  /** Number of free processors of all sites: the denominator of SL, which is at least 1. */
  get freeProcessors(): number {
    return this.#decision[this.#fieldIndexes.FreeProcessors]!;
  }

  /** Number of waiting jobs, including this one. */
  get waiting(): number {
    return this.#decision[this.#fieldIndexes.Waiting]!;
  }

  /** Number of running jobs. */
  get running(): number {
    return this.#decision[this.#fieldIndexes.Running]!;
  }

  /** Number of processors of a site. */
  capacity(site: number): number {
    return this.#configuration.grid.capacities[site - 1]!;
  }

  /** Speed of a site. */
  speed(site: number): number {
    return this.#configuration.grid.speeds[site - 1]!;
  }

  /**
   * Number of free processors of a site; 0 for all sites but the job's home if sites are
   * independent.
   */
  free(site: number): number {
    if (this.isAlone && site !== this.home) return 0;
    return this.#slots[this.#freeSlotIndexes[site - 1]!]!;
  }

  /** True if the job can start on a site now: it fits, may use the site, and delays no reservation. */
  isFeasible(site: number): boolean {
    if (!(this.free(site) >= this.#processors)) return false;
    if (!this.#hasRestrictions) return true;
    return this.#core.isFeasible(this.#block, this.#run.jobs.table, site - 1) === 1;
  }

  /**
   * Number of other waiting jobs that could start immediately if the job starts on a feasible site: TNoA
   * (Shih et al. 2010, eq. 8).
   */
  lookAheadJobs(site: number): number {
    return this.#core.lookAhead(this.#block, this.#run.jobs.table, site - 1, this.#core.LookAhead.Jobs);
  }

  /**
   * Computing capacity (sum of speed x processors) that the jobs counted by `lookAheadJobs` would take: TCC
   * (eq. 13).
   */
  lookAheadCapacity(site: number): number {
    return this.#core.lookAhead(this.#block, this.#run.jobs.table, site - 1, this.#core.LookAhead.Capacity);
  }

  /**
   * Index of the job after `job` in the queue of the pending decision; for -1, the first job. Returns -1 at
   * the end of the queue.
   */
  nextInQueue(job: number): number {
    return this.#core.nextInQueue(this.#block, this.#run.jobs.table, job);
  }
}
