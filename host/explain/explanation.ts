/**
 * Why a job waited and why it went where it went, as one document. Times are seconds on the clock of the log, sites
 * are numbered from 1, jobs have the names of jobs.csv.
 */
import type { Discipline } from '../options/configuration.js';
import type { NamedNumber } from '../trace/trace.js';

/** Processors on a site. */
export interface SiteShare {
  readonly site: number;
  readonly processors: number;
}

/** Everything about one job. */
export interface Explanation {
  /** Name of the job in jobs.csv. */
  readonly job: string;
  /** Processors requested. */
  readonly processors: number;
  /** Names of the user, group, queue and partition in the log; absent fields have numbers only. */
  readonly names?: Readonly<Partial<Record<NamedNumber, string>>>;
  /** Home site, numbered from 1. */
  readonly home: number;
  /** Seconds, as the times below. */
  readonly submit: number;
  /** After whose end it was submitted, by its number in the log, and when at the soonest, as the log says; absent: it depends on none. */
  readonly precedingJob?: { readonly job: string; readonly loggedSubmit: number };
  /** Start of the last run, in seconds. */
  readonly start: number;
  /** End of the last run, in seconds. */
  readonly end: number;
  /** start - submit. */
  readonly wait: number;
  /** True if it was ended at its requested time. */
  readonly killed: boolean;
  /** True if an outage ended it; absent: none did. */
  readonly endedByOutage?: true;
  /** State in which it was cancelled; absent: it was not. A job cancelled while waiting has no run, and no sites. */
  readonly cancelled?: 'waiting' | 'running';
  /** Sites of the last run, with the processors held on each. */
  readonly sites: readonly SiteShare[];
  /** Rules that set the order of the jobs and chose the site. */
  readonly rules: {
    readonly order: string;
    readonly discipline: Discipline;
    readonly queue: string;
    readonly method: string;
    /** Set if reservations hold until their jobs start. */
    readonly reservations?: 'kept';
    /**
     * Policy that had the order and method in force when the job started; absent: they are not a candidate's.
     */
    readonly chosenBy?: string;
  };
  /** One, and one more for each time that it was stopped. */
  readonly waits: readonly Wait[];
  /** Events during its wait that were too many to be kept; above 0, counts and lists are too low. */
  readonly lost: number;
}

/** One wait of a job: from its submission (or preemption) to its next start. Times in seconds. */
export interface Wait {
  readonly from: number;
  readonly until: number;
  /** The job that it was stopped for (absent: an outage), and since when it had run; absent for the first wait. */
  readonly stopped?: { readonly site: number; readonly start: number; readonly for?: string };
  /** Jobs before it in its queue at its submission; the head may have had room if it waited for a pass. */
  readonly queue: {
    readonly jobs: number;
    readonly processors: number;
    readonly head?: { readonly job: string; readonly processors: number; readonly lacks: number };
  };
  /**
   * Jobs of its queue that started meanwhile: those before it in the order of the queue, how many of them came later
   * than it, and those behind it.
   */
  readonly started: { readonly before: number; readonly cameLater: number; readonly behind: number };
  /** Jobs that started at the very instant of its start, before it. */
  readonly startedWith: readonly string[];
  /** Jobs that could not start while its queue stood behind them, itself among them. */
  readonly blocked: readonly BlockedJob[];
  /** Processors that outages took from sites, or gave back. */
  readonly capacity: readonly CapacityChange[];
  /** Time from which no job ahead blocked any more; only if the head blocks. */
  readonly headSince?: number;
  /** Seconds of the wait in which a site that it may use had room for it (several together, if it may be split). */
  readonly secondsWithRoom: number;
  /** Pass that started the job, where passes have times of their own. */
  readonly pass?: StartingPass;
  /** Reservations that its queue held: its own, and under EASY that of the first job without room. */
  readonly reservations: readonly Reservation[];
  /** Last planned start that was not kept. */
  readonly planned?: {
    readonly start: number;
    readonly end: number;
    readonly passes: number;
    /** First and last such pass. */
    readonly from: number;
    readonly until: number;
  };
  /** Periods in which a limit of its user or group held it back. */
  readonly held: readonly HeldPeriod[];
  /** Priorities under a multifactor order, at the submission and at the start. */
  readonly priorities?: readonly [submitted: ComparedPriority, started: ComparedPriority];
  /** Heads that it would have delayed, though it had room. */
  readonly delays: readonly Delay[];
  /** Passes in which it waited rather than shrink. */
  readonly deferred: readonly Deferral[];
  /** Sites of the run that followed, in the order in which processors were taken. */
  readonly sites: readonly SiteShare[];
  /** Releases of processors on its sites, since these were fullest while the job was next. */
  readonly freed: readonly FreedShare[];
  /** Releases at the very instant of its start, before it. */
  readonly trigger: readonly FreedShare[];
  /**
   * What released and what took processors, in order: on the sites that it got since it became the head, or where it did
   * not since they were fullest; and on all sites at the instants at which it became the head and started.
   */
  readonly changes: readonly SiteChange[];
  readonly decision: Decision;
  /** Free processors of each site from each time on. */
  readonly free: { readonly time: readonly number[]; readonly sites: readonly (readonly number[])[] };
}

/** Priority of a job under a multifactor order. */
export interface JobPriority {
  readonly job: string;
  /** Whole number; the largest goes first. */
  readonly total: number;
  /** Points of each factor with a weight. */
  readonly factors: readonly {
    readonly name: 'age' | 'fairshare' | 'size' | 'partition';
    readonly points: number;
  }[];
}

/** Priorities of a job and of the first job ahead of it that waits on. */
export interface ComparedPriority {
  readonly time: number;
  readonly own: JobPriority;
  /** Absent if no such job is ahead. */
  readonly ahead?: JobPriority;
}

/** Processors of a site that an outage took (negative), or gave back. */
export interface CapacityChange extends OrderedEvent {
  readonly time: number;
  readonly site: number;
  readonly processors: number;
}

/** Period in which a limit held a job back. */
export interface HeldPeriod extends OrderedEvent {
  readonly from: number;
  readonly until: number;
  readonly by: 'user' | 'group';
  readonly of: 'jobs' | 'processors';
  /** What the running jobs of the user or group held when the period began, and the limit. */
  readonly used: number;
  readonly most: number;
}

/** The pass that started a job. */
export interface StartingPass {
  /** After events and their delay (`main`), or at a multiple of an interval: one that backfills, or one of --interval. */
  readonly kind: 'main' | 'backfill' | 'interval';
  /**
   * Time from which the job had room without a break, if that is before the pass and no earlier pass of this kind came
   * since; of a main pass, if it is no longer before than delays and gaps last.
   */
  readonly roomSince?: number;
}

/** Position of an event within a wait, which orders events of one instant. */
interface OrderedEvent {
  readonly order: number;
}

/** A job without room. */
export interface BlockedJob extends OrderedEvent {
  readonly job: string;
  readonly isItself: boolean;
  readonly processors: number;
  /** Time from which the head waited: its first pass. */
  readonly from: number;
  readonly until: number;
  /** Processors that it lacked at the first pass on the site with the most free. */
  readonly lacked: number;
  readonly passes: number;
}

/** Sites kept for a job from a time on. */
export interface Reservation extends OrderedEvent {
  readonly job: string;
  readonly isItself: boolean;
  /** First and last pass that made it. */
  readonly from: number;
  readonly until: number;
  readonly start: number;
  /** Predicted. */
  readonly end: number;
  readonly sites: readonly SiteShare[];
  /** Against the one before of the same job: what had come otherwise than predicted since; then all is planned again. */
  readonly causes: readonly UnexpectedEnd[];
  /** True if the reservation has lost its place and uses what others leave; only with kept reservations. */
  readonly isMoved?: true;
  /**
   * Cause of the change: the job that ended, that started elsewhere than reserved, or that was cancelled, the site on which an
   * outage began or ended, or the policy of the job.
   */
  readonly by?:
    | { readonly end: string }
    | { readonly start: string }
    | { readonly cancellation: string }
    | { readonly capacity: number }
    | 'policy';
}

/** A job that did not end as predicted. */
export interface UnexpectedEnd {
  readonly job: string;
  readonly predictedEnd: number;
  /** Absent: it still ran. */
  readonly end?: number;
}

/** Reason why a job with enough free processors was not started before the head of its queue. */
export interface Delay extends OrderedEvent {
  /** Times of the first and of the last such pass. */
  readonly time: number;
  readonly until: number;
  readonly head: string;
  readonly passes: number;
  /**
   * In the last such pass: predicted end of the job, start of the head, and processors left beside the head then.
   */
  readonly end: number;
  readonly headStart: number;
  readonly beside: number;
}

/** Reason why a moldable job did not shrink. */
export interface Deferral extends OrderedEvent {
  readonly time: number;
  readonly site: number;
  readonly free: number;
  /** Turnaround on the free processors; after waiting; and the length of that wait, all predicted, from then on. */
  readonly shrunk: number;
  readonly whole: number;
  readonly wait: number;
}

/** Processors released. */
export interface FreedShare {
  readonly time: number;
  readonly job: string;
  readonly site: number;
  readonly processors: number;
  /** Free on the site after it. */
  readonly free: number;
  /** True if the job was stopped. */
  readonly isStopped: boolean;
  readonly predictedEnd?: number;
}

/** Processors released or taken on a site; `free` there afterwards. */
export interface SiteChange extends Omit<FreedShare, 'isStopped'>, OrderedEvent {
  readonly kind: 'end' | 'stop' | 'start';
}

/** A site at a decision. */
export interface SiteState {
  readonly site: number;
  readonly capacity: number;
  readonly speed: number;
  /** Before the job took its own. */
  readonly free: number;
  /** free less the processors that the job asks for. */
  readonly left: number;
  /** True if the job may use it at all. */
  readonly isCandidate: boolean;
  /** False if the partition of the job does not have the site. */
  readonly isInPartition: boolean;
  /** True if it had room for the whole job. */
  readonly fits: boolean;
  /** False where a policy could not choose it, since the job would have delayed a reservation. */
  readonly isSafe: boolean;
  /** Processors that the job got. */
  readonly taken: number;
}

/** A choice of sites with the time that the planner found for it. */
export interface PlannedChoice {
  readonly sites: readonly SiteShare[];
  /** null: not planned to the end, since it could not end before another. */
  readonly start: number | null;
  readonly end: number | null;
  readonly isChosen: boolean;
}

/** Rules that decide where a job goes; docs/explaining.md describes each. */
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
export type DecidingRule = (typeof DECIDING_RULES)[number];

/** Decision on where a job went, and the rule that settled it. */
export interface Decision {
  /** Time at which the sites were chosen: at the start, or at the pass that planned it. */
  readonly time: number;
  readonly rule: DecidingRule;
  readonly sites: readonly SiteState[];
  /**
   * With the methods of Shih et al. 2010: the sites of best-fit and of fastest-first, and the values compared.
   */
  readonly comparison?: Comparison;
  /** Ways to split it that were compared. */
  readonly splits?: readonly SplitChoice[];
  /** Missing processors on each site for a moldable job, or the turnarounds that were compared. */
  readonly distances?: readonly { readonly site: number; readonly distance: number }[];
  readonly turnarounds?: Omit<Deferral, 'time' | 'order'> & { readonly threshold: number };
  /** Free processors at home and those that stopping could free. */
  readonly reclaimable?: { readonly free: number; readonly fromOthers: number };
  /**
   * On one site under EASY: the head, the predicted end of the job, the start of the head, and the processors left
   * beside it.
   */
  readonly beside?: Omit<Delay, 'passes' | 'time' | 'until' | 'order'>;
  /** Choices that the planner weighed. */
  readonly candidates?: readonly PlannedChoice[];
  /** For a policy with candidates: the score of each. */
  readonly trial?: Trial;
}

/** The last trial of the candidates of a policy before a decision. */
export interface Trial {
  /** Time of the trial in seconds; null: none before. */
  readonly time: number | null;
  readonly candidates: readonly {
    readonly policy: string;
    /** Score after that trial, the lowest is the best; 1 before the first trial. */
    readonly score: number;
    /** Seconds of response to which the jobs that waited then would have come under it, all together (and in all futures). */
    readonly prospect: number;
    readonly isInForce: boolean;
  }[];
}

/** Values that the methods of Shih et al. 2010 compared; absent fields were not computed. */
export interface Comparison {
  readonly bestFit: number;
  readonly fastestFirst: number;
  readonly situation?: 'a' | 'b';
  /** SH against its threshold. */
  readonly heterogeneity?: { readonly value: number; readonly threshold: number };
  /** SL = waiting / free, against its threshold. */
  readonly loading?: {
    readonly waiting: number;
    readonly free: number;
    readonly value: number;
    readonly threshold: number;
  };
  /** TNoA of both what-ifs, and the score of eq. 11. */
  readonly jobs?: { readonly bestFit: number; readonly fastestFirst: number; readonly score: number };
  /** TCC of both what-ifs, and their products with the speeds of the sites. */
  readonly capacity?: {
    readonly bestFit: number;
    readonly fastestFirst: number;
    readonly bestFitProduct: number;
    readonly fastestFirstProduct: number;
  };
}

/** A way to split a job. */
export interface SplitChoice {
  readonly rule: string;
  readonly sites: readonly SiteShare[];
  readonly slowestSpeed: number;
  /** Waiting jobs behind it that could then start on single sites. */
  readonly jobsBehind: number;
}
