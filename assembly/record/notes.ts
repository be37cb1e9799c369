/**
 * Kinds of entries of the record, and what their six numbers are. Jobs and sites are indices, times seconds;
 * -1 is none. This file imports nothing.
 */
export enum Note {
  /**
   * The watched job joins its queue: jobs before it, their processors, the head, what that lacks (as in
   * Blocked). Free entries follow.
   */
  Queued = 1,
  /** A site, its free processors. */
  Free = 2,
  /** A job starts on a site: job, site, processors. */
  Allocated = 3,
  /** A job gives a site back: job, site, processors, its predicted end (-1: nothing was predicted). */
  Released = 4,
  /** The job that has just given a site back was stopped: job, site, start of that run, job that needs it. */
  Stopped = 5,
  /**
   * A job found no room, for the first time at the time of the entry: job, processors that it lacked on the
   * site with the most free, last such pass, number of passes, processors that it lacked then.
   */
  Blocked = 6,
  /**
   * A reservation: job, start, predicted end, last pass that made it, number of passes, 1 if it is kept but
   * has lost its place. Shares follow, and what it was made by.
   */
  Reserved = 7,
  /** What is planned for the watched job and not kept: as Reserved; start and end as of the last pass. */
  Planned = 8,
  /** It would delay the head: head, own end, the head's start, processors left beside, last pass, passes. */
  Delays = 9,
  /** It waits rather than shrink: site, free, turnaround now, wait, turnaround after waiting. */
  Deferred = 10,
  /** The watched job starts: first site. Free entries, after it took its own, and the details follow. */
  Started = 11,
  /** A site and its share of what stands above. */
  Share = 12,

  /** The reservation above was made when a job ended: job. */
  ByEnd = 13,
  /** It was made when a job started on another site than it had reserved: job. */
  ByStart = 14,
  /** It has lost its place since the policy has the job wait. */
  ByPolicy = 15,

  /** From here on details of a decision. Sites of best-fit and fastest-first. */
  Nominated = 20,
  /** 1 in situation (a): it found the queue empty (Shih et al. 2010, Table 2). */
  Situation = 21,
  /** SH and its threshold (eqs. 3, 5). */
  Heterogeneity = 22,
  /** Numerator and denominator of SL, and its threshold (eqs. 4, 6). */
  Loading = 23,
  /** Speeds of S_bf and S_ff are compared (eq. 7). */
  Faster = 24,
  /** TNoA by best-fit and by fastest-first, the score, 1 if all that fit count (eqs. 8 to 12). */
  JobsPlaced = 25,
  /** TCC by best-fit and by fastest-first (eqs. 13 to 17). */
  CapacityPlaced = 26,
  /** A way to split: its MultiSite rule, its slowest speed, jobs behind that could start. Shares follow. */
  Split = 27,
  /** How far a site is from what a moldable job needs: site, distance. */
  Distance = 28,
  /** Turnarounds of a moldable job: as of Deferred, and the threshold. */
  Turnarounds = 29,
  /** What stopping could free: home, free, processors of jobs from elsewhere. */
  Reclaimable = 30,
  /**
   * It does not delay the head of its queue: head, own end, the head's start, processors left beside, and the
   * site where all this is.
   */
  Beside = 32,
  /** A site with room on which the job would delay a reservation: site. */
  Unsafe = 33,
  /** A candidate of the policy: place, 1 if in force, score, prospect, time of the last trial (-1: none). */
  Tried = 34,
  /** A candidate of the planner: start, predicted end (+infinity: not planned), its sites. Shares follow. */
  Candidate = 31,
}
