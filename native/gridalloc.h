/* Written by npm run generate from the declarations of the core; docs/abi.md is the contract. */
#ifndef GRIDALLOC_H
#define GRIDALLOC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRIDALLOC_ABI_VERSION 5

/* What a call came to. Below 16 the call did what it should; from 16 up it refused. */
enum gridalloc_status {
  /* Done; for `runUntil`: no event is left. */
  GRIDALLOC_STATUS_FINISHED = 0,
  /* `runUntil` handled every event up to its time; more remain. */
  GRIDALLOC_STATUS_PAUSED = 1,
  /* Enlarge the logs and call again. */
  GRIDALLOC_STATUS_LOG_FULL = 2,
  /* The host is asked which site a job gets: answer with `decide` and call again. */
  GRIDALLOC_STATUS_DECISION = 3,
  /* The host is asked for the keys of the job that is submitted next, or whose estimate the next end
   * changes, the scalar `KeyedJob`, whose `Estimate` is known: answer with `giveKeys` and call again. */
  GRIDALLOC_STATUS_KEYS = 4,
  /* A job is submitted before the one above it (`sealJobs`). */
  GRIDALLOC_STATUS_JOBS_UNSORTED = 16,
  /* A submit time is not a number from 0 up to 1e300 (`sealJobs`). */
  GRIDALLOC_STATUS_JOB_SUBMIT_INVALID = 17,
  /* A runtime is not a finite number, 0 or from 1e-250 on (`sealJobs`); or the longest runtime or
   * estimate at the largest load on the slowest site would exceed 1e15 seconds, or the shortest
   * runtime above 0 at the least load on the fastest site fall below 1e-250 (`begin`). */
  GRIDALLOC_STATUS_JOB_RUNTIME_INVALID = 18,
  /* A job needs less than one processor (`sealJobs`). */
  GRIDALLOC_STATUS_JOB_PROCESSORS_INVALID = 19,
  /* A home is below 0 (`sealJobs`) or not a site of the grid (`begin`). */
  GRIDALLOC_STATUS_JOB_HOME_INVALID = 20,
  /* A job is wider than all that it may use; `RefusedJob` is its index (`begin`). */
  GRIDALLOC_STATUS_JOB_TOO_WIDE = 21,
  /* A capacity below 1 (`RefusedSite`), or the sum is not what `arrange` was told. */
  GRIDALLOC_STATUS_SITE_CAPACITY_INVALID = 22,
  /* A speed is not a number above 0 and up to 1e100; `RefusedSite` is the site. */
  GRIDALLOC_STATUS_SITE_SPEED_INVALID = 23,
  /* A load is not a finite number above 0; `RefusedSite` is the site. */
  GRIDALLOC_STATUS_SITE_LOAD_INVALID = 24,
  /* No policy has this number. */
  GRIDALLOC_STATUS_POLICY_UNKNOWN = 25,
  /* A parameter is not finite, or, of `ChoicesGiven`, no candidate is that; `RefusedOption` tells
   * which. */
  GRIDALLOC_STATUS_PARAMETER_INVALID = 26,
  /* An option has a value that it does not take; `RefusedOption` tells which. */
  GRIDALLOC_STATUS_OPTION_INVALID = 27,
  /* An estimate is not a finite number from 0 on (`sealJobs`). */
  GRIDALLOC_STATUS_JOB_ESTIMATE_INVALID = 28,
  /* Options exclude each other; `RefusedOption` is one of them. */
  GRIDALLOC_STATUS_OPTIONS_CONFLICT = 29,
  /* A number of bytes is not finite and from 0 on (`sealJobs`). */
  GRIDALLOC_STATUS_JOB_DATA_INVALID = 30,
  /* A bandwidth from the home `RefusedSite` to another site is not above 0, or a latency is not a
   * finite number from 0 on. */
  GRIDALLOC_STATUS_TRANSFER_INVALID = 31,
  /* With `RuntimeReference.Home`, a time factor is not a number above 0 and up to 1e100; `RefusedSite`
   * is the site. */
  GRIDALLOC_STATUS_TIME_FACTOR_INVALID = 32,
  /* There is no such option. */
  GRIDALLOC_STATUS_OPTION_UNKNOWN = 33,
  /* `until` is not a number. */
  GRIDALLOC_STATUS_TIME_INVALID = 34,
  /* There is no such room (`setRoom`). */
  GRIDALLOC_STATUS_ROOM_INVALID = 35,
  /* The options need more than the simulation was laid out for, `RefusedRoom` tells of what; or a fork
   * needs longer logs. */
  GRIDALLOC_STATUS_ROOM_TOO_SMALL = 36,
  /* Not all of the block is in memory, it is not on a multiple of 16 behind `firstAddress()`, or it
   * overlaps the job table. */
  GRIDALLOC_STATUS_MEMORY_MISSING = 37,
  /* No job table has been laid out there. */
  GRIDALLOC_STATUS_NO_JOB_TABLE = 38,
  /* No simulation has been prepared there, or it has not been laid out since its room was set. */
  GRIDALLOC_STATUS_NO_SIMULATION = 39,
  /* The job table has not been sealed. */
  GRIDALLOC_STATUS_JOBS_UNSEALED = 40,
  /* The job table is not the one that the simulation has begun with, or has not so many jobs as the
   * simulation was laid out for; or its columns have been written since it was sealed (`measure`, of a
   * run that has not gone on in one call). */
  GRIDALLOC_STATUS_JOBS_DIFFER = 41,
  /* `begin` has not been called, or has refused. */
  GRIDALLOC_STATUS_NOT_BEGUN = 42,
  /* Events are left (`measure`). */
  GRIDALLOC_STATUS_NOT_FINISHED = 43,
  /* The key of a job in the `Order` or `BackfillOrder` is not finite (`begin`, `giveKeys`);
   * `RefusedJob`. */
  GRIDALLOC_STATUS_JOB_KEY_INVALID = 44,
  /* The two simulations differ in more than their policies, or overlap (`fork`). */
  GRIDALLOC_STATUS_SIMULATIONS_DIFFER = 45,
  /* `decide` without a decision to be made, or `giveKeys` without keys to be given. */
  GRIDALLOC_STATUS_NO_DECISION = 46,
  /* The answer is no site on which the job can start now (`RefusedJob`, `RefusedSite`). */
  GRIDALLOC_STATUS_SITE_INFEASIBLE = 47,
  /* A job waits, told to by the host, while nothing runs and no submit is left (`RefusedJob`). */
  GRIDALLOC_STATUS_QUEUE_STUCK = 48,
  /* Policies that share no simulation, or that exist under options under which none is shared. */
  GRIDALLOC_STATUS_POLICIES_UNSHARED = 49,
  /* More than 64 policies that may decide differently. */
  GRIDALLOC_STATUS_POLICIES_TOO_MANY = 50,
  /* The last bit of a sum is open, which a run of the policy by itself settles. */
  GRIDALLOC_STATUS_SUM_UNSETTLED = 51,
  /* A user that is neither -1 nor less than the number of jobs. */
  GRIDALLOC_STATUS_JOB_USER_INVALID = 52,
  /* A preceding job or a first piece that does not stand before a job, or a think time that is not
   * from 0 up to 4e290. */
  GRIDALLOC_STATUS_JOB_DEPENDENCY_INVALID = 53,
  /* The `Interval` is so short that it would not move the clock late in the run, or means more than
   * `Limit.Passes` passes over the `Span` that the run is expected to take (`begin`), or took
   * (`runUntil`). */
  GRIDALLOC_STATUS_INTERVAL_TOO_SHORT = 54,
  /* A pass stands at a decision, which is to be answered first, and the run to go on (`changeSpeeds`). */
  GRIDALLOC_STATUS_DECISION_PENDING = 55,
  /* The bytes are not what `sealState` has sealed: damaged, cut off, or never sealed (`checkState`). */
  GRIDALLOC_STATUS_STATE_DAMAGED = 56,
  /* The state was sealed by another build of the core, which alone can go on from it (`checkState`). */
  GRIDALLOC_STATUS_BUILD_DIFFERS = 57,
  /* Since the run has begun an option has been set (`RefusedOption`), or a column written, by which it
   * does not go: `begin` takes it, `changePolicy` or `changeSpeeds` what they are for; or put back
   * what was there (`runUntil`, `runTogether`; `measure`, which looks at columns by job too). */
  GRIDALLOC_STATUS_SETTINGS_DIFFER = 58,
};

/* What execution times are rounded to. */
enum gridalloc_resolution {
  /* As computed. */
  GRIDALLOC_RESOLUTION_EXACT = 0,
  /* To the nearest second, floor(x + 0.5). */
  GRIDALLOC_RESOLUTION_NEAREST = 1,
  /* Down to whole seconds, floor(x). */
  GRIDALLOC_RESOLUTION_FLOOR = 2,
  /* How many there are. */
  GRIDALLOC_RESOLUTION_COUNT = 3,
};

/* When allocation passes follow events. */
enum gridalloc_instant {
  /* An allocation pass after every event. */
  GRIDALLOC_INSTANT_PER_EVENT = 0,
  /* One pass after all events of an instant. */
  GRIDALLOC_INSTANT_BATCHED = 1,
  /* How many there are. */
  GRIDALLOC_INSTANT_COUNT = 2,
};

/* The order in which the jobs of a queue stand, least key first, equal keys by submit and job index. */
enum gridalloc_order {
  /* The key is 0: jobs stand as they were submitted. */
  GRIDALLOC_ORDER_SUBMIT = 0,
  /* Processors. */
  GRIDALLOC_ORDER_NARROWEST = 1,
  /* -processors. */
  GRIDALLOC_ORDER_WIDEST = 2,
  /* Estimate × load of the home. */
  GRIDALLOC_ORDER_SHORTEST = 3,
  /* -(estimate × load). */
  GRIDALLOC_ORDER_LONGEST = 4,
  /* (estimate × load) × processors. */
  GRIDALLOC_ORDER_SMALLEST_AREA = 5,
  /* -((estimate × load) × processors). */
  GRIDALLOC_ORDER_LARGEST_AREA = 6,
  /* What the host writes into the column `Key`. */
  GRIDALLOC_ORDER_GIVEN = 7,
  /* -(((q × q) × q) × processors), q = wait / max(1, estimate × load): changes with time, so that
   * queues are put in order before every pass. Not with `Reclaim` and `Moldable`. */
  GRIDALLOC_ORDER_WFP3 = 8,
  /* How many there are. */
  GRIDALLOC_ORDER_COUNT = 9,
};

/* What happens when the first job in the order does not fit. `Easy` and `Conservative` go with
 * `Shared` and `Independent`, and not with `MultiSite`; which sites they choose says `Selection`. */
enum gridalloc_discipline {
  /* It blocks those behind it. */
  GRIDALLOC_DISCIPLINE_FIRST_COME_FIRST_SERVED = 0,
  /* It is passed over, and every job that fits starts. */
  GRIDALLOC_DISCIPLINE_FIRST_AVAILABLE = 1,
  /* It has a reservation; whoever does not delay it, by the estimates, starts before it. */
  GRIDALLOC_DISCIPLINE_EASY = 2,
  /* Every job that must wait has a reservation; whoever does not delay anyone before it, by the
   * estimates, starts. */
  GRIDALLOC_DISCIPLINE_CONSERVATIVE = 3,
  /* How many there are. */
  GRIDALLOC_DISCIPLINE_COUNT = 4,
};

/* Which jobs wait together, and where they may run. */
enum gridalloc_topology {
  /* One queue for the grid. */
  GRIDALLOC_TOPOLOGY_SHARED = 0,
  /* One queue per home site, swept in the order of the sites; not with `FirstAvailable`. */
  GRIDALLOC_TOPOLOGY_PER_HOME = 1,
  /* One queue per home site, whose jobs run nowhere else. */
  GRIDALLOC_TOPOLOGY_INDEPENDENT = 2,
  /* How many there are. */
  GRIDALLOC_TOPOLOGY_COUNT = 3,
};

/* How a job is split that no single site has room for. */
enum gridalloc_multisite {
  /* Not at all. */
  GRIDALLOC_MULTI_SITE_NONE = 0,
  /* Over the sites with the most free processors. */
  GRIDALLOC_MULTI_SITE_LARGER_FIRST = 1,
  /* Over the fastest sites. */
  GRIDALLOC_MULTI_SITE_FASTER_FIRST = 2,
  /* As the one of the two after which more waiting jobs could start. */
  GRIDALLOC_MULTI_SITE_ADAPTIVE = 3,
  /* How many there are. */
  GRIDALLOC_MULTI_SITE_COUNT = 4,
};

/* Whether a job may run on other than its processors (Huang et al. 2009). Only with
 * `FirstComeFirstServed` on one `Shared` queue, and neither with `MultiSite` nor with a
 * `MinSpeedRatio`; `Policy` then has no effect. */
enum gridalloc_moldable {
  /* No. */
  GRIDALLOC_MOLDABLE_NONE = 0,
  /* On fewer, rather than wait. */
  GRIDALLOC_MOLDABLE_DOWN = 1,
  /* Also on more, where nobody waits behind it; on one site only. */
  GRIDALLOC_MOLDABLE_UP_DOWN = 2,
  /* How many there are. */
  GRIDALLOC_MOLDABLE_COUNT = 3,
};

/* Which site a moldable job gets among those with room for all its processors. */
enum gridalloc_moldablefit {
  /* Whose free processors are nearest to what the job needs at the site's speed. */
  GRIDALLOC_MOLDABLE_FIT_DEMAND = 0,
  /* With the fewest free processors. */
  GRIDALLOC_MOLDABLE_FIT_PROCESSORS = 1,
  /* Whose free processors × speed are nearest to the job's processors × speed of its home. */
  GRIDALLOC_MOLDABLE_FIT_POWER = 2,
  /* How many there are. */
  GRIDALLOC_MOLDABLE_FIT_COUNT = 3,
};

/* Which sites a job gets, now or later, under `Easy` and `Conservative` (the first three: Zhang et al.
 * 2006, section 4). A `MinSpeedRatio` goes with `Allocator` alone, which on one `Shared` queue goes
 * with none of `MultiSiteFactor`, `Transfers` and `RuntimeReference.Home`. */
enum gridalloc_selection {
  /* On which it ends soonest, of all sets of sites (at most 16 sites with a `MultiSiteFactor`). */
  GRIDALLOC_SELECTION_OPTIMAL = 0,
  /* The same of single sites and sets of the fastest sites. */
  GRIDALLOC_SELECTION_GREEDY = 1,
  /* On which it can start now: its home, another site, several sites. */
  GRIDALLOC_SELECTION_NON_ADAPTIVE = 2,
  /* Now the one that `Policy` chooses where no reservation is delayed; else where it starts first. */
  GRIDALLOC_SELECTION_ALLOCATOR = 3,
  /* How many there are. */
  GRIDALLOC_SELECTION_COUNT = 4,
};

/* What becomes of the reservations of `Conservative`. */
enum gridalloc_reservations {
  /* Every pass makes them anew (Zhang et al. 2006). */
  GRIDALLOC_RESERVATIONS_REPLANNED = 0,
  /* They hold until their jobs start; when a job ends each may become earlier (Mu'alem, Feitelson
   * 2001). */
  GRIDALLOC_RESERVATIONS_KEPT = 1,
  /* How many there are. */
  GRIDALLOC_RESERVATIONS_COUNT = 2,
};

/* Limits that hosts must know. */
enum gridalloc_limit {
  /* Most sites of a grid with `Optimal` and a `MultiSiteFactor`. */
  GRIDALLOC_LIMIT_SITES_OF_SETS = 16,
  /* Bytes of a simulation that must be there for `prepare`. */
  GRIDALLOC_LIMIT_HEAD_BYTES = 2048,
  /* Most passes that an `Interval` may mean. */
  GRIDALLOC_LIMIT_PASSES = 10000000,
  /* Seconds as which shorter executions count in the bounded slowdown. */
  GRIDALLOC_LIMIT_BOUNDED_EXECUTION = 10,
};

/* What a look-ahead counts of the waiting jobs that could start at once (Shih et al. 2010). */
enum gridalloc_lookahead {
  /* The jobs, TNoA (eq. 8). */
  GRIDALLOC_LOOK_AHEAD_JOBS = 0,
  /* The capacity that they take, TCC: the sum of speed × processors (eq. 13). */
  GRIDALLOC_LOOK_AHEAD_CAPACITY = 1,
};

/* The machine to which runtimes refer. */
enum gridalloc_runtimereference {
  /* A machine of speed 1. */
  GRIDALLOC_RUNTIME_REFERENCE_SPEED1 = 0,
  /* The job's home site; with `Easy` and `Conservative` only. */
  GRIDALLOC_RUNTIME_REFERENCE_HOME = 1,
  /* How many there are. */
  GRIDALLOC_RUNTIME_REFERENCE_COUNT = 2,
};

/* Options of a simulation, each a double, set before `begin`. */
enum gridalloc_option {
  /* Number of the allocator. */
  GRIDALLOC_OPTION_POLICY = 0,
  /* Its first parameter. */
  GRIDALLOC_OPTION_PARAMETER0 = 1,
  /* Its second parameter. */
  GRIDALLOC_OPTION_PARAMETER1 = 2,
  /* Its third parameter. */
  GRIDALLOC_OPTION_PARAMETER2 = 3,
  /* Its fourth parameter. */
  GRIDALLOC_OPTION_PARAMETER3 = 4,
  /* A `Resolution`. */
  GRIDALLOC_OPTION_RESOLUTION = 5,
  /* An `Instant`. */
  GRIDALLOC_OPTION_INSTANT = 6,
  /* Sites slower than this times the speed of a job's home are no candidates. */
  GRIDALLOC_OPTION_MIN_SPEED_RATIO = 7,
  /* A `Discipline`. */
  GRIDALLOC_OPTION_DISCIPLINE = 8,
  /* A `Topology`. */
  GRIDALLOC_OPTION_TOPOLOGY = 9,
  /* 1: sites stop jobs from elsewhere to start their own; with `PerHome` only, and not with
   * `MultiSite`. */
  GRIDALLOC_OPTION_RECLAIM = 10,
  /* A `MultiSite`. */
  GRIDALLOC_OPTION_MULTI_SITE = 11,
  /* p: a split job runs 1 + p times as long. */
  GRIDALLOC_OPTION_MULTI_SITE_OVERHEAD = 12,
  /* A `Moldable`. */
  GRIDALLOC_OPTION_MOLDABLE = 13,
  /* x: a job is scaled down if Tsd <= x × To; 0: always. */
  GRIDALLOC_OPTION_MOLDABLE_THRESHOLD = 14,
  /* A `MoldableFit`. */
  GRIDALLOC_OPTION_MOLDABLE_FIT = 15,
  /* A of Downey's speed-up, at least 1; 0: linear. */
  GRIDALLOC_OPTION_SPEEDUP_A = 16,
  /* sigma of Downey's speed-up. */
  GRIDALLOC_OPTION_SPEEDUP_SIGMA = 17,
  /* A `Selection`; heeded by `Easy` and `Conservative`. */
  GRIDALLOC_OPTION_SELECTION = 18,
  /* p, at least 1: under `Easy` and `Conservative` a job may run on several sites, p times as long; 0:
   * on single sites only. */
  GRIDALLOC_OPTION_MULTI_SITE_FACTOR = 19,
  /* A `RuntimeReference`. */
  GRIDALLOC_OPTION_RUNTIME_REFERENCE = 20,
  /* Seconds between allocation passes under `Easy` and `Conservative`, from the first submit of each
   * queue on; 0: as `Instant` says. */
  GRIDALLOC_OPTION_INTERVAL = 21,
  /* 1: which processors each job holds is kept, in `LogIndex` and `Log`. */
  GRIDALLOC_OPTION_PROCESSOR_SETS = 22,
  /* 1: data move, by `Bandwidth` and `Latency`; with `Easy` and `Conservative` only. */
  GRIDALLOC_OPTION_TRANSFERS = 23,
  /* An `Order`. */
  GRIDALLOC_OPTION_ORDER = 24,
  /* n: a job is estimated, at its submit, by the mean of what the last n jobs of its user took that
   * have ended, and at most by `JobColumn.Estimate`; 0: by that. Not with a `MoldableThreshold`. */
  GRIDALLOC_OPTION_RECENT_JOBS = 25,
  /* 1 + an `Order`, of which `Given` is what the host writes into the column `BackfillKey`: under
   * `Easy` the jobs behind the one that has the reservation are tried in this order; 0: in that of the
   * queue. */
  GRIDALLOC_OPTION_BACKFILL_ORDER = 26,
  /* Its fifth parameter. */
  GRIDALLOC_OPTION_PARAMETER4 = 27,
  /* Its sixth parameter. */
  GRIDALLOC_OPTION_PARAMETER5 = 28,
  /* 1: nobody knows an estimate; not with what decides by one. */
  GRIDALLOC_OPTION_NO_ESTIMATES = 29,
  /* 1: the candidates that come to be in force are given, in `GivenChoice`, and none is tried. */
  GRIDALLOC_OPTION_CHOICES_GIVEN = 30,
  /* 1: jobs are submitted when those that they depend on have ended (`Extra.Dependencies`); not with
   * `Independent`. */
  GRIDALLOC_OPTION_DEPENDENCIES = 31,
  /* 1 + a `Discipline`: candidates have rules of their own, in the column `CandidateRules`, and no
   * discipline behind this one; 0: they are policies alone. */
  GRIDALLOC_OPTION_CANDIDATE_RULES = 32,
  /* 1: keys that the host writes (`Order.Given`) are made from estimates; not with `NoEstimates`. */
  GRIDALLOC_OPTION_KEYS_BY_ESTIMATE = 33,
  /* How many rows of `Policies` are the policies that `runTogether` runs. */
  GRIDALLOC_OPTION_SHARED_POLICIES = 34,
  /* 1: `runUntil` asks the host for the keys of `Given` orders when a job is submitted
   * (`Status.Keys`). */
  GRIDALLOC_OPTION_KEYS_AT_SUBMIT = 35,
  /* A `Reservations`; `Kept` with `Conservative` only, and neither with a `MultiSiteFactor` and an
   * `Interval` nor with a policy that is chosen among candidates. `Instant` then has no effect. */
  GRIDALLOC_OPTION_RESERVATIONS = 36,
  /* 1 + how many jobs of a pass `Easy` makes reservations for; 0: for one. */
  GRIDALLOC_OPTION_RESERVATION_DEPTH = 37,
  /* 1: with `RecentJobs` the estimates of waiting jobs are made anew when jobs end, and so are keys
   * that go by them; 0: they hold from the submit on. Not with `Kept`. */
  GRIDALLOC_OPTION_REFRESH_ESTIMATES = 38,
  /* How many there are. */
  GRIDALLOC_OPTION_COUNT = 39,
};

/* What a simulation is laid out for: whole numbers, each a double; `fitRoom` sets what the options
 * need. */
enum gridalloc_room {
  /* As many as the job table has. */
  GRIDALLOC_ROOM_JOBS = 0,
  /* Of the grid. */
  GRIDALLOC_ROOM_SITES = 1,
  /* Of all sites together. */
  GRIDALLOC_ROOM_PROCESSORS = 2,
  /* Pairs in the log of processor sets; with `ProcessorSets`. */
  GRIDALLOC_ROOM_RUNS = 3,
  /* Pairs in the log of parts of split jobs; with `MultiSite` or a `MultiSiteFactor`. */
  GRIDALLOC_ROOM_PARTS = 4,
  /* Runs in the log of stopped runs, 0: only the last of each; `fitRoom`: `Reclaim` and
   * `ProcessorSets`. */
  GRIDALLOC_ROOM_STOPS = 5,
  /* 1: queues in any order; 0: `Discipline` must be `FirstComeFirstServed`, `Order` `Submit`,
   * `Topology` `Shared`. */
  GRIDALLOC_ROOM_RANKS = 6,
  /* 1: what `Reclaim` needs. */
  GRIDALLOC_ROOM_GUESTS = 7,
  /* 1: what `Moldable` needs. */
  GRIDALLOC_ROOM_MOLDS = 8,
  /* 1: when running jobs are expected to end, for `Easy`, `Conservative` and a `MoldableThreshold`. */
  GRIDALLOC_ROOM_PREDICTIONS = 9,
  /* Shares of sites that waiting jobs can have reserved at once: 1 under `Easy`, one per job under
   * `Conservative`, and with a `MultiSiteFactor` so many times the number of sites. With
   * `KeptReservations` two per job. */
  GRIDALLOC_ROOM_RESERVATIONS = 10,
  /* 1: bandwidths and latencies between sites. */
  GRIDALLOC_ROOM_TRANSFERS = 11,
  /* 1: the host's keys, for the `Order` `Given`. */
  GRIDALLOC_ROOM_KEYS = 12,
  /* 1: allocators find sites by an index of what is free; 0: by a look at each. The schedule is the
   * same. `fitRoom` keeps one from 64 sites on. */
  GRIDALLOC_ROOM_INDEX = 13,
  /* Policies that share the simulation, or candidates. */
  GRIDALLOC_ROOM_POLICIES = 14,
  /* 1: estimates that the run itself makes, with `RecentJobs`. */
  GRIDALLOC_ROOM_ESTIMATES = 15,
  /* 1: ranks that jobs get at their submits, with `RecentJobs` and an order by estimate,
   * `Dependencies`, or `KeysAtSubmit`. */
  GRIDALLOC_ROOM_LATE_RANKS = 16,
  /* 1: waiting jobs are put in another order in passes. */
  GRIDALLOC_ROOM_SEQUENCES = 17,
  /* Times at which candidates are tried, and 1: every so many submits (with a policy that does). */
  GRIDALLOC_ROOM_TRIALS = 18,
  /* Jobs that have ended, by their widths (0 or 1). */
  GRIDALLOC_ROOM_ENDED_JOBS = 19,
  /* Choices that are given (as many as `Trials`, or 0). */
  GRIDALLOC_ROOM_CHOICES = 20,
  /* 1: the host's keys, for the `BackfillOrder` of `Given`. */
  GRIDALLOC_ROOM_BACKFILL_KEYS = 21,
  /* 1: submits that the run itself finds, with `Dependencies`. */
  GRIDALLOC_ROOM_DEPENDENCIES = 22,
  /* 1: keys that the host gives at the submit, with `KeysAtSubmit`; then `Keys`, `BackfillKeys` may be
   * 0. */
  GRIDALLOC_ROOM_KEYS_AT_SUBMIT = 23,
  /* 1: reservations that hold until their jobs start, with `Reservations` `Kept`. */
  GRIDALLOC_ROOM_KEPT_RESERVATIONS = 24,
  /* 1: ranks in the `BackfillOrder`, if its keys are known before the run; 2: by widths, with bounds. */
  GRIDALLOC_ROOM_BACKFILL_RANKS = 25,
  /* How many there are. */
  GRIDALLOC_ROOM_COUNT = 26,
};

/* Columns of a job table; all but `Demand` are written by the host before `sealJobs`. */
enum gridalloc_jobcolumn {
  /* f64 per job, one more. Seconds, not descending. `sealJobs` writes +infinity behind the last. */
  GRIDALLOC_JOB_COLUMN_SUBMIT = 0,
  /* f64 per job. Seconds at speed 1 and load 1. */
  GRIDALLOC_JOB_COLUMN_RUNTIME = 1,
  /* i32 per job. How many the job needs. */
  GRIDALLOC_JOB_COLUMN_PROCESSORS = 2,
  /* i32 per job. Home site, from 0. */
  GRIDALLOC_JOB_COLUMN_HOME = 3,
  /* f64 per job, one more. Processors of all earlier jobs together (written by `sealJobs`). */
  GRIDALLOC_JOB_COLUMN_DEMAND = 4,
  /* f64 per job. Estimated runtime, seconds at speed 1 and load 1. */
  GRIDALLOC_JOB_COLUMN_ESTIMATE = 5,
  /* f64 per job. Bytes that move with the job (with `Extra.Data` only). */
  GRIDALLOC_JOB_COLUMN_DATA = 6,
  /* i32 per job. Who submitted it, numbered from 0; -1: unknown (with `Extra.Users` only). */
  GRIDALLOC_JOB_COLUMN_USER = 7,
  /* i32 per job. The job at whose end it is submitted, -1: none; of several pieces the first (with
   * `Extra.Dependencies` only). */
  GRIDALLOC_JOB_COLUMN_PRECEDING = 8,
  /* f64 per job. Seconds between that end and its submit at least, from 0 on (with
   * `Extra.Dependencies` only). */
  GRIDALLOC_JOB_COLUMN_THINK_TIME = 9,
  /* i32 per job. Itself, or the first of the pieces of one job, which ends when the last of them does
   * (with `Extra.Dependencies` only). */
  GRIDALLOC_JOB_COLUMN_FIRST_PIECE = 10,
};

/* What a job table may have besides; `arrangeJobs` takes the sum. */
enum gridalloc_extra {
  /* `JobColumn.Data`. */
  GRIDALLOC_EXTRA_DATA = 1,
  /* `JobColumn.User`. */
  GRIDALLOC_EXTRA_USERS = 2,
  /* `JobColumn.Preceding`, `ThinkTime` and `FirstPiece`. */
  GRIDALLOC_EXTRA_DEPENDENCIES = 4,
};

/* Columns of a simulation. What the host writes, it writes before `begin`, which takes it. */
enum gridalloc_column {
  /* i32 per site. Processors; written by the host. */
  GRIDALLOC_COLUMN_CAPACITY = 0,
  /* f64 per site. Written by the host. */
  GRIDALLOC_COLUMN_SPEED = 1,
  /* f64 per site. Factor on the runtimes of the jobs at home there; written by the host. */
  GRIDALLOC_COLUMN_LOAD = 2,
  /* f64 per job. Seconds; 0 until the job has started. Of a stopped job its last start. */
  GRIDALLOC_COLUMN_START = 3,
  /* f64 per job. Seconds; the end is start + execution. */
  GRIDALLOC_COLUMN_EXECUTION = 4,
  /* i32 per job. The site it runs on, from 0; the first of a split job. */
  GRIDALLOC_COLUMN_SITE = 5,
  /* i32 per job. Its first pair in the log (with `ProcessorSets` only). */
  GRIDALLOC_COLUMN_LOG_INDEX = 6,
  /* pairs of i32. First and last of a run of neighbouring processors, numbered through the grid from
   * 0. A job's pairs go on until their widths add up to its processors, of a moldable job to `Held`. */
  GRIDALLOC_COLUMN_LOG = 7,
  /* f64 per site. Processor-seconds used (after `measure`). */
  GRIDALLOC_COLUMN_SITE_BUSY = 8,
  /* f64 per site. Jobs that ran there (after `measure`). */
  GRIDALLOC_COLUMN_SITE_JOBS = 9,
  /* f64 per site. Sum of the response times of the jobs at home there (after `measure`). */
  GRIDALLOC_COLUMN_HOME_RESPONSE = 10,
  /* f64 per site. Jobs at home there (after `measure`). */
  GRIDALLOC_COLUMN_HOME_JOBS = 11,
  /* f64 per `Metric`. The metrics (after `measure`; until then NaN). */
  GRIDALLOC_COLUMN_METRIC = 12,
  /* i32 per job. Its first pair in the log of parts; -1 if it was not split (where jobs may be split
   * only). */
  GRIDALLOC_COLUMN_PART_INDEX = 13,
  /* pairs of i32. Site and processors of each part of a split job, until they add up to its
   * processors. */
  GRIDALLOC_COLUMN_PARTS = 14,
  /* f64 per job. Seconds that it ran in vain before it was stopped (with `Reclaim` only). */
  GRIDALLOC_COLUMN_LOST_TIME = 15,
  /* i32 per job. The processors that it ran on (where jobs are moldable only). */
  GRIDALLOC_COLUMN_HELD = 16,
  /* f64 per site. h, how many times as long as at speed 1 a job runs: 1 / speed, or what it was given
   * as; written by the host, heeded with `RuntimeReference.Home`. */
  GRIDALLOC_COLUMN_TIME_FACTOR = 17,
  /* f64 per home site and site. Bytes per second, row by row; written by the host (with `Transfers`
   * only). The diagonal is not read. */
  GRIDALLOC_COLUMN_BANDWIDTH = 18,
  /* f64 per home site and site. Seconds, in the same way. */
  GRIDALLOC_COLUMN_LATENCY = 19,
  /* i32 per stopped run. Index of the job that was stopped, in the order of the stops (with room for
   * them only, as the next four). */
  GRIDALLOC_COLUMN_STOP_JOB = 20,
  /* i32 per stopped run. The site it ran on, from 0. */
  GRIDALLOC_COLUMN_STOP_SITE = 21,
  /* f64 per stopped run. When the run began, seconds. */
  GRIDALLOC_COLUMN_STOP_START = 22,
  /* f64 per stopped run. When it was stopped, seconds. */
  GRIDALLOC_COLUMN_STOP_END = 23,
  /* i32 per stopped run. Its first pair in the log (with `ProcessorSets` too). */
  GRIDALLOC_COLUMN_STOP_LOG_INDEX = 24,
  /* f64 per job. Key of the `Order` `Given`, the least first; written by the host. */
  GRIDALLOC_COLUMN_KEY = 25,
  /* f64 per `Decision`. What a pending decision is about. */
  GRIDALLOC_COLUMN_DECISION = 26,
  /* pairs of i32 per slot. Site and its free processors, from the fastest site to the slowest, equal
   * ones by index. */
  GRIDALLOC_COLUMN_SLOT = 27,
  /* i32 per site. Its slot. */
  GRIDALLOC_COLUMN_SLOT_OF_SITE = 28,
  /* five f64 per policy. Number and parameters of those that share the simulation, or of the
   * candidates among which one is chosen as it goes on; written by the host. */
  GRIDALLOC_COLUMN_POLICIES = 29,
  /* f64 per job. What it is estimated by, once it is submitted (with `RecentJobs` only). */
  GRIDALLOC_COLUMN_ESTIMATE = 30,
  /* i32 per time of trials. Which candidate is in force after it; where none was tried it is the one
   * before (with `Trials` only, as the next four). */
  GRIDALLOC_COLUMN_CHOICE = 31,
  /* i32 per given choice. What is given in its place; written by the host (with `Choices` only). */
  GRIDALLOC_COLUMN_GIVEN_CHOICE = 32,
  /* f64 per candidate. Its score after the last trials. */
  GRIDALLOC_COLUMN_SCORE = 33,
  /* f64 per candidate. Seconds of response of the waiting jobs together that it came to in them. */
  GRIDALLOC_COLUMN_PROSPECT = 34,
  /* f64 per candidate. After how many of the times it was in force. */
  GRIDALLOC_COLUMN_TIMES_CHOSEN = 35,
  /* f64 per job. Key of the `BackfillOrder` of `Given`, the least first; written by the host. */
  GRIDALLOC_COLUMN_BACKFILL_KEY = 36,
  /* f64 per job. When it was submitted; before that what the job table says (with `Dependencies`
   * only). */
  GRIDALLOC_COLUMN_SUBMIT = 37,
  /* three f64 per candidate. `Order`, `Discipline`, `BackfillOrder` (with `Trials`); written by the
   * host. */
  GRIDALLOC_COLUMN_CANDIDATE_RULES = 38,
  /* i32 per job. Jobs in the order in which results have come to stand for them, so many as the scalar
   * `Counted` (where options need `Ranks` only; else that is the order of the jobs). */
  GRIDALLOC_COLUMN_COUNTED = 39,
  /* f64 per job. When it was to start by the reservation of its submit (with `KeptReservations` only). */
  GRIDALLOC_COLUMN_PROMISED_START = 40,
};

/* What a pending decision is about, each a double (`Status.Decision`). */
enum gridalloc_decision {
  /* Index of the job. */
  GRIDALLOC_DECISION_JOB = 0,
  /* Seconds. */
  GRIDALLOC_DECISION_TIME = 1,
  /* S_bf, the site that best-fit would take, from 0. */
  GRIDALLOC_DECISION_BEST_FIT = 2,
  /* S_ff, the site that fastest-first would take, from 0. */
  GRIDALLOC_DECISION_FASTEST_FIRST = 3,
  /* 1: the job found its queue empty and this is the pass of its submit, situation (a). */
  GRIDALLOC_DECISION_FOUND_QUEUE_EMPTY = 4,
  /* Processors that the jobs of its queue request together, its own too: the numerator of SL. */
  GRIDALLOC_DECISION_QUEUED_PROCESSORS = 5,
  /* Free processors of all sites, with `Independent` of its own: the denominator of SL, where at least
   * 1. */
  GRIDALLOC_DECISION_FREE_PROCESSORS = 6,
  /* Jobs that wait, it too; with `Independent` on its own site. */
  GRIDALLOC_DECISION_WAITING = 7,
  /* Jobs that run; with `Independent` on its own site. */
  GRIDALLOC_DECISION_RUNNING = 8,
  /* How many there are. */
  GRIDALLOC_DECISION_COUNT = 9,
};

/* Scalars of a simulation's progress. */
enum gridalloc_scalar {
  /* Size of the block. */
  GRIDALLOC_SCALAR_BYTES = 0,
  /* Time of the last event handled; 0 before the first. */
  GRIDALLOC_SCALAR_NOW = 1,
  /* Jobs submitted so far. */
  GRIDALLOC_SCALAR_SUBMITTED = 2,
  /* Jobs in the queue. */
  GRIDALLOC_SCALAR_WAITING = 3,
  /* Jobs that run. */
  GRIDALLOC_SCALAR_RUNNING = 4,
  /* Of all sites together. */
  GRIDALLOC_SCALAR_FREE_PROCESSORS = 5,
  /* SH (Shih et al. 2010, eq. 3). */
  GRIDALLOC_SCALAR_SPEED_HETEROGENEITY = 6,
  /* Pairs in the log. */
  GRIDALLOC_SCALAR_LOG_LENGTH = 7,
  /* The job that `begin` refused with `JobTooWide`; -1 for none, as of the others. */
  GRIDALLOC_SCALAR_REFUSED_JOB = 8,
  /* The site that `begin` refused. */
  GRIDALLOC_SCALAR_REFUSED_SITE = 9,
  /* Pairs in the log of parts. */
  GRIDALLOC_SCALAR_PARTS_LENGTH = 10,
  /* Runs in the log of stopped runs. */
  GRIDALLOC_SCALAR_STOPS_LENGTH = 11,
  /* The option that `fitRoom` or `begin` refused. */
  GRIDALLOC_SCALAR_REFUSED_OPTION = 12,
  /* The room that `arrange` or `begin` refused. */
  GRIDALLOC_SCALAR_REFUSED_ROOM = 13,
  /* How often a simulation that policies share has parted. */
  GRIDALLOC_SCALAR_FORKS = 14,
  /* How often two of its parts became one again. */
  GRIDALLOC_SCALAR_JOINS = 15,
  /* Jobs that all its parts have started. */
  GRIDALLOC_SCALAR_SHARED_JOBS = 16,
  /* At how many submits candidates were tried, how often another came in force, jobs started in
   * trials. */
  GRIDALLOC_SCALAR_TRIALS = 17,
  GRIDALLOC_SCALAR_SWITCHES = 18,
  GRIDALLOC_SCALAR_TRIED_JOBS = 19,
  /* Seconds of the log that `begin` expects the run to take, by which an `Interval` is judged. */
  GRIDALLOC_SCALAR_SPAN = 20,
  /* Jobs that have results so far, which have started and cannot be stopped; the first of `Counted`. */
  GRIDALLOC_SCALAR_COUNTED = 21,
  /* The job whose keys the host is asked for (`Status.Keys`); -1: none. */
  GRIDALLOC_SCALAR_KEYED_JOB = 22,
  /* How often a job that ran too long has taken the place of a reservation (`Reservations` `Kept`). */
  GRIDALLOC_SCALAR_MOVED_RESERVATIONS = 23,
};

/* Results of `measure`, each a double; docs/results.md gives every formula. */
enum gridalloc_metric {
  GRIDALLOC_METRIC_JOBS = 0,
  GRIDALLOC_METRIC_AVERAGE_RESPONSE_TIME = 1,
  GRIDALLOC_METRIC_AVERAGE_QUEUE_LENGTH = 2,
  GRIDALLOC_METRIC_AVERAGE_QUEUE_LENGTH_OVER_TIME = 3,
  GRIDALLOC_METRIC_LARGEST_QUEUE = 4,
  GRIDALLOC_METRIC_MEAN_WAIT = 5,
  GRIDALLOC_METRIC_MAX_WAIT = 6,
  GRIDALLOC_METRIC_MEAN_SLOWDOWN = 7,
  GRIDALLOC_METRIC_MEAN_BOUNDED_SLOWDOWN = 8,
  GRIDALLOC_METRIC_AVERAGE_WEIGHTED_RESPONSE_TIME = 9,
  GRIDALLOC_METRIC_AVERAGE_WEIGHTED_WAIT_TIME = 10,
  GRIDALLOC_METRIC_MAKESPAN = 11,
  GRIDALLOC_METRIC_UTILIZATION = 12,
  GRIDALLOC_METRIC_CAPACITY_UTILIZATION = 13,
  GRIDALLOC_METRIC_MOVED_JOBS = 14,
  GRIDALLOC_METRIC_DECISIONS_AGREED = 15,
  GRIDALLOC_METRIC_DECISIONS_BEST_FIT = 16,
  GRIDALLOC_METRIC_DECISIONS_FASTEST_FIRST = 17,
  GRIDALLOC_METRIC_RESTARTS = 18,
  GRIDALLOC_METRIC_LOST_PROCESSOR_SECONDS = 19,
  GRIDALLOC_METRIC_SPLIT_JOBS = 20,
  GRIDALLOC_METRIC_SCALED_DOWN_JOBS = 21,
  GRIDALLOC_METRIC_SCALED_UP_JOBS = 22,
  /* How many there are. */
  GRIDALLOC_METRIC_COUNT = 23,
};

/* The allocators. A parameter that is a word is given as its place among the words. */
enum gridalloc_policy {
  /* the site that is left with the fewest free processors. */
  GRIDALLOC_POLICY_BEST_FIT = 0,
  /* the fastest site with room. */
  GRIDALLOC_POLICY_FASTEST_FIRST = 1,
  /* the first site with room, in the order of the grid. */
  GRIDALLOC_POLICY_FIRST_FIT = 2,
  /* the site that is left with the most free processors. */
  GRIDALLOC_POLICY_WORST_FIT = 3,
  /* any site with room, all alike likely (a baseline). Parameters: seed=1. */
  GRIDALLOC_POLICY_RANDOM = 4,
  /* fastest-first for a job that finds the queue empty, else best-fit (Shih et al. 2010, eq. 2). */
  GRIDALLOC_POLICY_SI = 5,
  /* into an empty queue fastest-first if SH > sht, else best-fit if SL > slt (Shih et al. 2010, eqs.
   * 5, 6). Parameters: sht=0.05, slt=2. */
  GRIDALLOC_POLICY_TI = 6,
  /* whichever lets more waiting jobs start, weighed by speed (Shih et al. 2010, eqs. 7 to 12).
   * Parameters: count=prefix. */
  GRIDALLOC_POLICY_AI = 7,
  /* whichever lets waiting jobs take more computing capacity, weighed by speed (Shih et al. 2010, eqs.
   * 7, 13 to 17). */
  GRIDALLOC_POLICY_AI2 = 8,
  /* fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai (Shih et al. 2010,
   * Table 3). Parameters: sht=0.05, slt=1.5, count=prefix. */
  GRIDALLOC_POLICY_TAI = 9,
  /* fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai2 (Shih et al.
   * 2010, Table 3). Parameters: sht=0.05, slt=1. */
  GRIDALLOC_POLICY_TAI2 = 10,
  /* the site that the host answers when it is asked. Parameters: mayWait=no. */
  GRIDALLOC_POLICY_OWN = 11,
  /* the candidate under which the waiting jobs would have ended soonest, tried every so many submits.
   * Parameters: every=10, candidates=tai2, futures=1, hysteresis=0, smooth=0, seed=1. */
  GRIDALLOC_POLICY_DYNAMIC = 12,
};

/* A core with a memory of its own. Cores are apart from each other; one belongs to one thread at a time. Threads may open and
 * close cores at the same time. No signal is handled. */
typedef struct gridalloc gridalloc;

/* A new core, or NULL where there is no memory or no 8 GiB of addresses for it; memory is taken as it grows. */
gridalloc *gridalloc_open(void);

/* Gives memory and addresses back. */
void gridalloc_close(gridalloc *core);

/* Makes the memory reach up to an address at least; 0, or -1 where it cannot: up to 4 GiB less 64 KiB. */
int gridalloc_reserve(gridalloc *core, uint64_t end);

/* What stands at an address, until the memory grows. */
void *gridalloc_at(gridalloc *core, uint32_t address);

/* The version of this contract. A host must refuse a binary whose version it does not know. */
int32_t gridalloc_abi_version(gridalloc *core);

/* The first address that the host may use. */
uint32_t gridalloc_first_address(gridalloc *core);

/* Lays a job table of `count` (1 or more) jobs out, with the columns besides that a sum of `Extra`
 * says; 0: none. Returns its size in bytes; with `table` 0 it does only that. A table that would reach
 * beyond 4 GiB is not laid out. */
double gridalloc_arrange_jobs(gridalloc *core, uint32_t table, int32_t count, int32_t extras);

/* Address of a `JobColumn`; 0 for one that it has not. Fill `Submit`, `Runtime`, `Estimate`,
 * `Processors`, `Home`, and `Data` if it is there. */
uint32_t gridalloc_job_column_address(gridalloc *core, uint32_t table, int32_t which);

/* Checks the columns, derives the rest. */
int32_t gridalloc_seal_jobs(gridalloc *core, uint32_t table);

/* The job that `sealJobs` has refused, -1 if none. */
int32_t gridalloc_refused_job(gridalloc *core, uint32_t table);

/* Makes the beginning of a block a simulation with all options and room 0. `Limit.HeadBytes` bytes
 * must be there. */
int32_t gridalloc_prepare(gridalloc *core, uint32_t block);

/* Sets an `Option`; takes effect with `begin`, a policy and its parameters also with `changePolicy`. A
 * run that has begun with another value does not go on before. 0 everywhere means best-fit, first come
 * first served on one queue, `Exact`, `PerEvent`, all sites, no sets of processors. */
int32_t gridalloc_set_option(gridalloc *core, uint32_t block, int32_t which, double value);

/* Sets the room to what the options need, with so many jobs, sites, and processors of all sites
 * together. */
int32_t gridalloc_fit_room(gridalloc *core, uint32_t block, int32_t jobs, int32_t sites, int32_t processors);

/* Sets one number of the room, if it is to be another. */
int32_t gridalloc_set_room(gridalloc *core, uint32_t block, int32_t which, double entries);

/* A number of the room; NaN for an unknown one. */
double gridalloc_room(gridalloc *core, uint32_t block, int32_t which);

/* Lays the simulation out for its room. Returns its size in bytes; provide them before the next call.
 * 0: `RefusedRoom` is no whole number in its range. A simulation that would reach beyond 4 GiB is not
 * laid out. */
double gridalloc_arrange(gridalloc *core, uint32_t block);

/* Address of a `Column`; 0 for one that it has not. Fill `Capacity`, `Speed`, `Load`, with
 * `RuntimeReference.Home` `TimeFactor`, with `Transfers` `Bandwidth` and `Latency`, and with
 * `Order.Given` `Key`. The capacities must add up to `processors`. */
uint32_t gridalloc_column_address(gridalloc *core, uint32_t block, int32_t which);

/* Address of the declaration of a policy, or 0 behind the last one. */
uint32_t gridalloc_policy_declaration(gridalloc *core, int32_t policy);

/* Takes options and columns (a run does not go on with what is written there later, `SettingsDiffer`),
 * clears everything else, and stands before the first event. May be called again at any time for
 * another run that finds enough room. */
int32_t gridalloc_begin(gridalloc *core, uint32_t block, uint32_t table);

/* Handles all events up to and including a time; +infinity runs to the end. `Finished`, `Paused`,
 * `LogFull`, `Decision`, or `Keys`. */
int32_t gridalloc_run_until(gridalloc *core, uint32_t block, uint32_t table, double until);

/* Answers the pending decision: a site, from 0, or -1 for the job to wait. Then call `runUntil` again.
 * `NoDecision`, `SiteInfeasible`. */
int32_t gridalloc_decide(gridalloc *core, uint32_t block, uint32_t table, int32_t site);

/* Gives the keys of the job `KeyedJob` in the `Order` and in the `BackfillOrder`; in an order that is
 * not `Given` any finite number does. Then call `runUntil` again. `NoDecision`, `JobKeyInvalid`. */
int32_t gridalloc_give_keys(gridalloc *core, uint32_t block, uint32_t table, double key, double backfillKey);

/* 1 if the job of the pending decision can start on the site now, else 0. */
int32_t gridalloc_is_feasible(gridalloc *core, uint32_t block, uint32_t table, int32_t site);

/* A `LookAhead` if the job of the pending decision goes to the site, NaN if it cannot. */
double gridalloc_look_ahead(gridalloc *core, uint32_t block, uint32_t table, int32_t site, int32_t what);

/* The job behind another in the queue of the job of the pending decision, the first for -1; -1 where
 * none is. */
int32_t gridalloc_next_in_queue(gridalloc *core, uint32_t block, uint32_t table, int32_t job);

/* For measuring: each of the jobs from `first` up to `end` starts, if a site has room, and ends at
 * once, without an event. Returns how many did; -1 unless the run has room for `Ranks` and none for
 * logs, `Molds`, `Guests` and `Predictions`. They must end before all that run, and the run does not
 * go on from there. */
int32_t gridalloc_rehearse(gridalloc *core, uint32_t block, uint32_t table, int32_t first, int32_t end);

/* Gives the logs room for so many pairs and stopped runs in all, not less than before, and 0 where
 * there was none; they stand last in the block. Provide 8 bytes per pair and 32 per stopped run behind
 * its present end first. Returns the new size, or 0 and changes nothing. Then call `runUntil` again. */
double gridalloc_extend_logs(gridalloc *core, uint32_t block, int32_t runs, int32_t parts, int32_t stops);

/* A run that has begun goes on by `Policy` and its parameters as they are set now, from the next
 * decision on; also in the middle of a run, and after a `fork`. What it refuses is set again as it
 * was. */
int32_t gridalloc_change_policy(gridalloc *core, uint32_t block, uint32_t table);

/* The sites of a run that has begun have from now on the speeds that stand in `Speed`, with
 * `RuntimeReference.Home` the time factors in `TimeFactor`, for jobs that start later; those that run
 * keep their ends. Refuses as `begin` does, and then changes nothing but that what holds stands there
 * again. */
int32_t gridalloc_change_speeds(gridalloc *core, uint32_t block, uint32_t table);

/* A `Scalar` of the progress; NaN for an unknown one. */
double gridalloc_scalar(gridalloc *core, uint32_t block, int32_t which);

/* Computes the metrics and the columns that say so, once the run is `Finished`. */
int32_t gridalloc_measure(gridalloc *core, uint32_t block, uint32_t table);

/* 1 if a policy is a choice between best-fit and fastest-first, which can share a simulation with
 * others. */
int32_t gridalloc_shares_histories(gridalloc *core, int32_t policy);

/* Runs to the end under each of the policies that stand in `Policies`. `PoliciesUnshared`,
 * `PoliciesTooMany`. */
int32_t gridalloc_run_together(gridalloc *core, uint32_t block, uint32_t table);

/* Computes the metrics and the columns by site of one of them, by its place in `Policies`.
 * `SumUnsettled`. */
int32_t gridalloc_measure_together(gridalloc *core, uint32_t block, uint32_t table, int32_t policy);

/* Bytes of the live part of a simulation that has begun, as it is; 0 of any other. */
double gridalloc_live_bytes(gridalloc *core, uint32_t block);

/* The simulation `other` goes on from where `block` stands. Both have begun with the same jobs, sites
 * and options, but for `Policy` and its parameters; else `SimulationsDiffer`. `RoomTooSmall`:
 * `extendLogs` of `other` first, to what `block` has in its logs. */
int32_t gridalloc_fork(gridalloc *core, uint32_t block, uint32_t other, uint32_t table);

/* 1 if two simulations that `fork` takes have the same future under the same policy: clock, queue,
 * random draws, and running jobs with sites and ends. 0 if not, or if that is not sure: of equal
 * states it may say 0, of different ones it never says 1. With `ProcessorSets` it always says 0. */
int32_t gridalloc_same_state(gridalloc *core, uint32_t block, uint32_t other, uint32_t table);

/* Writes a seal into a simulation, whose `Scalar.Bytes` bytes can then be kept elsewhere: the version
 * of this contract, the build, and a hash of all else. What changes the simulation later breaks the
 * seal. */
int32_t gridalloc_seal_state(gridalloc *core, uint32_t block);

/* Whether so many bytes that have been copied to an address, at which at least `Limit.HeadBytes` bytes
 * are there, are as `sealState` of this build has sealed them. Nobody may go on with what is refused:
 * `prepare` the block anew. `StateDamaged`, `BuildDiffers`. */
int32_t gridalloc_check_state(gridalloc *core, uint32_t block, double bytes);

/* Tells this binary from any other: 48 bits of the SHA-256 of it, with 7919.0001220703125 wherever the
 * number stands. */
double gridalloc_build_id(gridalloc *core);

/* In the checked build, which invariant (`assembly/memory/check.ts`) made the instance trap; 0
 * otherwise. */
int32_t gridalloc_broken_invariant(gridalloc *core);

#ifdef __cplusplus
}
#endif

#endif
