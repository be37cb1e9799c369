/** What may be known where it is decided which site a job gets: the job without its runtime, the sites, the queue. */
import type { CoreRun } from '../core/host.js';
import type { Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { type Configuration, isBackfilling } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import { NOBODY_KNOWS } from './knowledge.js';
import { submitsOf } from './schedule.js';

/**
 * The decision that a simulation waits for. One object shows all decisions of a simulation, one after the other: what it
 * says is so now, and asking makes no other objects. Sites are numbered from 1, as actions are.
 */
export class DecisionView {
  /** How many sites there are. */
  readonly siteCount: number;
  /** Whether every site runs alone: the rest of what is seen is then of the home of the job. */
  readonly isAlone: boolean;
  /** SH of the grid (Shih et al. 2010, eq. 3). */
  readonly speedHeterogeneity: number;
  readonly #run: CoreRun;
  readonly #core: Core;
  readonly #workload: Workload;
  readonly #configuration: Configuration;
  /** Whether a site with room may be none all the same. */
  readonly #hasRestrictions: boolean;
  /** Where the run stood when its columns were found; they stand elsewhere when it has moved, or memory has grown. */
  #block = 0;
  #decision = new Float64Array(0);
  #slots = new Int32Array(0);
  /** What jobs are estimated by, of the workload or of the core. */
  #estimate: ArrayLike<number> = [];
  #submit: Float64Array = new Float64Array(0);
  /** Where a number is in the first of them, and where the free processors of each site are in the second. */
  readonly #at: Core['Decision'];
  readonly #freeAt: Int32Array;
  /** What is asked most. */
  #job = 0;
  #processors = 0;

  constructor(run: CoreRun, workload: Workload, configuration: Configuration) {
    this.#run = run;
    this.#core = run.core;
    this.#at = run.core.Decision;
    this.#workload = workload;
    this.#configuration = configuration;
    const { discipline, queue, minSpeedRatio } = configuration;
    this.isAlone = queue === 'independent';
    this.#hasRestrictions = isBackfilling(discipline) || minSpeedRatio > 0 || this.isAlone;
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
    this.#submit = submitsOf(run, this.#workload);
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
    if (this.#workload.unestimated) throw new InputError(NOBODY_KNOWS);
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

  /** Free processors of a site; 0 of one of which the home of the job knows nothing. */
  free(site: number): number {
    if (this.isAlone && site !== this.home) return 0;
    return this.#slots[this.#freeAt[site - 1]!]!;
  }

  /** Whether the job can start on a site now: there is room, it may use the site, and no reservation is delayed. */
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
