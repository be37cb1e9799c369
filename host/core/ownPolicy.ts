/** Policies of one's own: what a function may know where it is decided which site a job gets, and what it answers. */

/** A waiting job, as policies may know it: without its runtime. Times are seconds. */
export interface WaitingJob {
  /** In the log. */
  readonly number: number;
  /** That it asks for. */
  readonly processors: number;
  /** At speed 1, times the load of its home. */
  readonly estimate: number;
  /** On the clock of the log. */
  readonly submit: number;
  /** Number of its home site, from 1. */
  readonly home: number;
  /** Its user in the log; -1: unknown. */
  readonly user: number;
}

/** A site, as it is now. */
export interface SiteState {
  /** From 1, as answers name it. */
  readonly number: number;
  /** Processors that are free. */
  readonly free: number;
  /** Processors that it has. */
  readonly capacity: number;
  /** Its speed. */
  readonly speed: number;
  /** Whether the job can start there now: there is room, it may use the site, and no job with a reservation is delayed. */
  readonly isFeasible: boolean;
}

/** How far the waiting jobs come if the job goes to a site, those behind it by best-fit until the first that fits nowhere. */
export interface LookAheadCount {
  /** Jobs that start, this one too: TNoA (Shih et al. 2010, eq. 8). */
  readonly jobs: number;
  /** Speed x processors that they take: TCC (eq. 13). */
  readonly capacity: number;
}

/** What is decided about, and what it may go by. It is read while the function runs: afterwards it shows the next decision. */
export interface PolicyView {
  /** The job that is to get a site. */
  readonly job: WaitingJob;
  /** All sites, in the order of the grid; the home of the job alone where every site runs alone, as in all that follows. */
  readonly sites: readonly SiteState[];
  /** Seconds, on the clock of the log. */
  readonly time: number;
  /** Number of the site that best-fit would take: S_bf of Shih et al. 2010. */
  readonly bestFit: number;
  /** Number of the site that fastest-first would take: S_ff. */
  readonly fastestFirst: number;
  /** SH of the grid (eq. 3). */
  readonly speedHeterogeneity: number;
  /** Processors that all jobs of the queue ask for, this one too: the numerator of SL (eq. 4). */
  readonly queuedProcessors: number;
  /** Free processors of all sites: the denominator of SL, which is at least 1. */
  readonly freeProcessors: number;
  /** `a`: the job found its queue empty, and this is the pass of its submit; `b`: any other. */
  readonly situation: 'a' | 'b';
  /** What a look-ahead finds that gives the job to the site of this number, on which it can start now. */
  lookAhead(site: number): LookAheadCount;
  /** The jobs of the queue in their order, this one too, as they are gone through. */
  readonly queue: Iterable<WaitingJob>;
}

/**
 * Chooses the site for a job, asked where at least two have room for it: the number of one of them, or 0 for the job to
 * wait. What it answers is to follow from the view alone, so that a run can be repeated.
 */
export type PolicyFunction = (view: PolicyView) => number;

/** A function, and how it is asked. */
export interface OwnPolicy {
  /** The function. */
  readonly choose: PolicyFunction;
  /** Whether it is asked where a single site has room too, since the job may be told to wait; false where nothing is said. */
  readonly mayWait?: boolean;
  /** What results call it; where nothing is said as the function. */
  readonly name?: string;
}
