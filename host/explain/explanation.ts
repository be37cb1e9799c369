/**
 * Explanation of a job's wait and placement as a document. Times are in seconds on the clock of the log,
 * sites are numbered from 1, and jobs are named as in jobs.csv.
 */
import type { Discipline } from '../options/configuration.js';
import type { FieldWithNames } from '../trace/trace.js';

/** Number of processors on a site. */
export interface SiteShare {
  readonly site: number;
  readonly processors: number;
}

/** Complete explanation of one job. */
export interface Explanation {
  /** Name of the job as in jobs.csv. */
  readonly job: string;
  /** Number of requested processors. */
  readonly processors: number;
  /** Names of the user, group, queue and partition in the log; absent fields have numbers only. */
  readonly names?: Readonly<Partial<Record<FieldWithNames, string>>>;
  /** Home site, numbered from 1. */
  readonly home: number;
  /** True if jobs have different home sites. */
  readonly hasHomes: boolean;
  /** Submission in seconds. */
  readonly submit: number;
  /**
   * Preceding job, after whose end the job was submitted, and the earliest submit time according to the log;
   * absent if the job depends on none.
   */
  readonly precedingJob?: { readonly job: string; readonly loggedSubmit: number };
  /** Start of the last run, in seconds. */
  readonly start: number;
  /** End of the last run, in seconds. */
  readonly end: number;
  /** Wait in seconds, from the submission to the start of the last run. */
  readonly wait: number;
  /** True if the job was killed at its requested time. */
  readonly killed: boolean;
  /** True if an outage ended the job; otherwise absent. */
  readonly endedByOutage?: true;
  /**
   * State in which the job was cancelled; absent if it was not. A job cancelled while waiting has no run and
   * no sites.
   */
  readonly cancelled?: 'waiting' | 'running';
  /** Sites of the last run, with the processors held on each. */
  readonly sites: readonly SiteShare[];
  /** Rules that determine the queue order and the choice of site. */
  readonly rules: {
    readonly order: string;
    readonly discipline: Discipline;
    readonly queue: string;
    readonly method: string;
    /** Present if reservations are kept until their jobs start. */
    readonly reservations?: 'kept';
    /**
     * Policy that selected the order and method in force at the start; absent if no candidate has its own.
     */
    readonly chosenBy?: string;
  };
  /** Waits of the job: one, plus one per preemption. */
  readonly waits: readonly WaitPeriod[];
  /**
   * Number of events during the wait that exceeded the capacity of the record; above 0, counts and lists are
   * incomplete.
   */
  readonly lost: number;
}

/** One wait of a job: from its submission (or preemption) to its next start. Times in seconds. */
export interface WaitPeriod {
  readonly from: number;
  readonly until: number;
  /**
   * Preemption that began the wait: site, start of the preempted run, and the job that caused it (absent: an
   * outage). Absent for the first wait.
   */
  readonly stopped?: { readonly site: number; readonly start: number; readonly for?: string };
  /**
   * Jobs ahead in the queue at submission. The head of the queue may have had enough free processors if it
   * waited for a scheduling pass.
   */
  readonly queue: {
    readonly jobs: number;
    readonly processors: number;
    readonly head?: { readonly job: string; readonly processors: number; readonly lacks: number };
  };
  /**
   * Jobs of the queue that started during the wait: those ahead in the queue order (with the number submitted
   * later than this job), and those behind.
   */
  readonly started: { readonly before: number; readonly cameLater: number; readonly behind: number };
  /** Jobs that started at the same instant, before this one. */
  readonly startedWith: readonly string[];
  /**
   * Heads of the queue that could not start while this job waited behind them, including this job when it was
   * the head.
   */
  readonly blocked: readonly BlockedJob[];
  /** Processors that outages took from sites or returned. */
  readonly capacity: readonly CapacityChange[];
  /**
   * Time from which no job ahead blocked this one, in seconds; only for disciplines in which the head blocks.
   */
  readonly headSince?: number;
  /**
   * Seconds of the wait during which an allowed site had enough free processors for the job; for a
   * job that may be split, all sites together.
   */
  readonly secondsWithRoom: number;
  /** Scheduling pass that started the job; only if passes have their own times. */
  readonly pass?: StartingPass;
  /**
   * Reservations in the queue: the job's own and, under EASY, the reservation of the first job that did not
   * fit.
   */
  readonly reservations: readonly Reservation[];
  /** Last planned start that was not met. */
  readonly planned?: {
    readonly start: number;
    readonly end: number;
    readonly passes: number;
    /** First and last pass with this plan, in seconds. */
    readonly from: number;
    readonly until: number;
  };
  /** Periods in which a limit of the user or group held the job. */
  readonly held: readonly HeldPeriod[];
  /** Priorities under a multifactor order, at submission and at start. */
  readonly priorities?: readonly [submitted: ComparedPriority, started: ComparedPriority];
  /** Heads of the queue that the job would have delayed although enough processors were free. */
  readonly delays: readonly StartDelay[];
  /** Passes in which the moldable job waited instead of running on fewer processors. */
  readonly deferred: readonly Deferral[];
  /** Sites of the run that followed the wait, in the order of allocation. */
  readonly sites: readonly SiteShare[];
  /**
   * Releases of processors on the job's sites since these had the fewest free processors while the
   * job was next.
   */
  readonly freed: readonly FreedShare[];
  /** Releases of processors at the instant of the start, before it. */
  readonly trigger: readonly FreedShare[];
  /**
   * Releases and allocations of processors in chronological order: on the job's sites since it
   * became the head (or, if the head does not block, since these sites had the fewest free
   * processors), and on all sites at the instants when the job became the head and when it started.
   */
  readonly changes: readonly SiteChange[];
  readonly decision: StartDecision;
  /** Free processors per site over time: one list of all sites for each time. */
  readonly free: { readonly time: readonly number[]; readonly sites: readonly (readonly number[])[] };
}

/** Priority of a job under a multifactor order. */
export interface JobPriority {
  readonly job: string;
  /** Total priority, a whole number; larger values come first. */
  readonly total: number;
  /** Points of each weighted factor. */
  readonly factors: readonly {
    readonly name: 'age' | 'fairshare' | 'size' | 'partition';
    readonly points: number;
  }[];
}

/** Priority of a job, and of the first job ahead of it that keeps waiting. */
export interface ComparedPriority {
  readonly time: number;
  readonly own: JobPriority;
  /** Priority of the job ahead; absent if there is none. */
  readonly ahead?: JobPriority;
}

/** Processors of a site taken by an outage (negative), or returned. */
export interface CapacityChange extends OrderedEvent {
  readonly time: number;
  readonly site: number;
  readonly processors: number;
}

/** Period in which a limit held a job. */
export interface HeldPeriod extends OrderedEvent {
  readonly from: number;
  readonly until: number;
  readonly by: 'user' | 'group';
  readonly of: 'jobs' | 'processors';
  /** Usage by the running jobs of the user or group when the period began, and the limit. */
  readonly used: number;
  readonly most: number;
}

/** Scheduling pass that started a job. */
export interface StartingPass {
  /**
   * Kind of pass: `main` follows events after a delay; `backfill` and `interval` (option --interval) occur at
   * multiples of an interval.
   */
  readonly kind: 'main' | 'backfill' | 'interval';
  /**
   * Time in seconds from which the job had enough free processors without interruption; present if it is
   * before the pass and no earlier pass of this kind came since. For a main pass, only if it is longer ago
   * than delays and gaps explain.
   */
  readonly roomSince?: number;
}

/** Position of an event within a wait, which orders simultaneous events. */
interface OrderedEvent {
  readonly order: number;
}

/** A queue head that did not fit on any site. */
export interface BlockedJob extends OrderedEvent {
  readonly job: string;
  readonly isItself: boolean;
  readonly processors: number;
  /** Time of the job's first pass as head, in seconds. */
  readonly from: number;
  readonly until: number;
  /** Number of processors missing at the first pass on the site with the most free processors. */
  readonly lacked: number;
  readonly passes: number;
}

/** Reservation of sites for a job from a given time on. */
export interface Reservation extends OrderedEvent {
  readonly job: string;
  readonly isItself: boolean;
  /** First and last pass that made the reservation, in seconds. */
  readonly from: number;
  readonly until: number;
  readonly start: number;
  /** Predicted end in seconds. */
  readonly end: number;
  readonly sites: readonly SiteShare[];
  /**
   * Jobs that ended otherwise than predicted since the job's previous reservation; each of them causes new
   * planning.
   */
  readonly causes: readonly UnexpectedJobEnd[];
  /**
   * True if the reservation was moved behind others because its start could not be kept; only with kept
   * reservations.
   */
  readonly isMoved?: true;
  /**
   * Cause of the change: a job that ended, started elsewhere than reserved, or was cancelled; a site with a
   * begin or end of an outage; or the job's policy.
   */
  readonly by?:
    | { readonly end: string }
    | { readonly start: string }
    | { readonly cancellation: string }
    | { readonly capacity: number }
    | 'policy';
}

/** A job that did not end as predicted. */
export interface UnexpectedJobEnd {
  readonly job: string;
  readonly predictedEnd: number;
  /** Actual end in seconds; absent if the job still ran. */
  readonly end?: number;
}

/** Reason why a job with enough free processors could not start before the head of its queue. */
export interface StartDelay extends OrderedEvent {
  /** Times of the first and last pass with this reason, in seconds. */
  readonly time: number;
  readonly until: number;
  readonly head: string;
  readonly passes: number;
  /**
   * Values in the last such pass: predicted end of the job and start of the head (both in seconds), and the
   * processors left besides the head.
   */
  readonly end: number;
  readonly headStart: number;
  readonly beside: number;
}

/** Reason why a moldable job waited instead of running on fewer processors. */
export interface Deferral extends OrderedEvent {
  readonly time: number;
  readonly site: number;
  readonly free: number;
  /** Predicted turnaround times in seconds: on the free processors, after waiting; and the predicted wait. */
  readonly shrunk: number;
  readonly whole: number;
  readonly wait: number;
}

/** Release of processors on a site. */
export interface FreedShare {
  readonly time: number;
  readonly job: string;
  readonly site: number;
  readonly processors: number;
  /** Free processors of the site after the release. */
  readonly free: number;
  /** True if the job was preempted. */
  readonly isStopped: boolean;
  readonly predictedEnd?: number;
  /** End of the job in seconds; present if its processors were released only later (`releaseDelay`). */
  readonly end?: number;
}

/** Release or allocation of processors on a site; `free` is the number of free processors afterwards. */
export interface SiteChange extends Omit<FreedShare, 'isStopped'>, OrderedEvent {
  readonly kind: 'end' | 'stop' | 'start';
}

/** State of a site at a decision. */
export interface SiteState {
  readonly site: number;
  readonly capacity: number;
  readonly speed: number;
  /** Number of free processors before the allocation. */
  readonly free: number;
  /** Free processors minus the requested ones. */
  readonly left: number;
  /** True if partition, home site and minimum speed ratio allow the job on the site, whatever is free. */
  readonly isCandidate: boolean;
  /** False if the job's partition does not include the site. */
  readonly isInPartition: boolean;
  /** True if the free processors of the site were enough for the whole job. */
  readonly fits: boolean;
  /** False if a reservation would have been delayed, so that a policy could not choose the site. */
  readonly isSafe: boolean;
  /** Number of processors allocated to the job. */
  readonly taken: number;
}

/** Candidate set of sites with its planned start and end. */
export interface PlannedStartChoice {
  readonly sites: readonly SiteShare[];
  /**
   * Planned start in seconds; null if planning stopped early because the candidate could not end before
   * another.
   */
  readonly start: number | null;
  readonly end: number | null;
  readonly isChosen: boolean;
}

/** Rules that decide the site of a job; docs/explaining.md describes each. */
export const DECIDING_RULES = [
  'only-site',
  'policy',
  'agreed',
  'situation',
  'heterogeneity',
  'loading',
  'thresholds',
  'speeds',
  'jobs-placed',
  'capacity-placed',
  'split',
  'reclaimed',
  'moldable-fit',
  'scaled-down',
  'scaled-up',
  'room',
  'backfilled',
  'planned',
] as const;
/** Rule that decided the site of a job: a word of `DECIDING_RULES`. */
export type DecidingRule = (typeof DECIDING_RULES)[number];

/** Decision on the sites of a job, and the rule that settled it. */
export interface StartDecision {
  /** Time of the choice in seconds: the start, or the pass that planned it. */
  readonly time: number;
  readonly rule: DecidingRule;
  readonly sites: readonly SiteState[];
  /**
   * Values compared by the methods of Shih et al. 2010, with the sites of best-fit and fastest-first.
   */
  readonly comparison?: SiteComparison;
  /** Compared ways to split the job. */
  readonly splits?: readonly SplitChoice[];
  /** Missing processors per site for a moldable job, or the compared turnaround times. */
  readonly distances?: readonly { readonly site: number; readonly distance: number }[];
  readonly turnarounds?: Omit<Deferral, 'time' | 'order'> & { readonly threshold: number };
  /** Free processors at the home site, and those that preemption of remote jobs could free. */
  readonly reclaimable?: { readonly free: number; readonly fromOthers: number };
  /**
   * Backfilling on one site under EASY: the head of the queue, the predicted end of the job, the start of the head, and
   * the processors left besides the head.
   */
  readonly beside?: Omit<StartDelay, 'passes' | 'time' | 'until' | 'order'>;
  /** Candidates that the planner compared. */
  readonly candidates?: readonly PlannedStartChoice[];
  /** Scores of the policy candidates. */
  readonly trial?: CandidateTrial;
}

/** Last trial of a policy's candidates before a decision. */
export interface CandidateTrial {
  /** Time of the trial in seconds; null if there was none. */
  readonly time: number | null;
  readonly candidates: readonly {
    readonly policy: string;
    /** Score after the trial, lower is better; 1 before the first trial. */
    readonly score: number;
    /**
     * Total response time in seconds of the jobs waiting at the trial, under this candidate (summed over all
     * futures).
     */
    readonly prospect: number;
    readonly isInForce: boolean;
  }[];
}

/** Values compared by the methods of Shih et al. 2010; absent fields were not computed. */
export interface SiteComparison {
  readonly bestFit: number;
  readonly fastestFirst: number;
  readonly situation?: 'a' | 'b';
  /** Speed heterogeneity SH and its threshold. */
  readonly heterogeneity?: { readonly value: number; readonly threshold: number };
  /** System loading SL = waiting / free processors, and its threshold. */
  readonly loading?: {
    readonly waiting: number;
    readonly free: number;
    readonly value: number;
    readonly threshold: number;
  };
  /** TNoA (number of jobs that can start) after either choice, and the score of eq. 11. */
  readonly jobs?: { readonly bestFit: number; readonly fastestFirst: number; readonly score: number };
  /** TCC (computing capacity used) after either choice, and its product with the speed of the site. */
  readonly capacity?: {
    readonly bestFit: number;
    readonly fastestFirst: number;
    readonly bestFitProduct: number;
    readonly fastestFirstProduct: number;
  };
}

/** A way to split a job over sites. */
export interface SplitChoice {
  readonly rule: string;
  readonly sites: readonly SiteShare[];
  readonly slowestSpeed: number;
  /** Number of waiting jobs behind the split job that could then start on a single site. */
  readonly jobsBehind: number;
}
