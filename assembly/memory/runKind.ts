import { Instant, Option, Discipline, Order } from '../abi/abi';
import * as columns from './columns';
import { Simulation } from './state';

/**
 * Kinds of runs, a type parameter `R` of the event loop and the functions that it calls: one source, compiled
 * once per kind. A kind declares a field, which is never read, for each fact known about its runs. Conditions
 * on known facts are resolved at compile time; all others are tested at run time.
 */

/** Run with the fcfs queue. */
@final
@unmanaged
export class FcfsRunKind {}

/** Run with priority queues. */
@final
@unmanaged
export class PriorityRunKind {
  hasPriorityQueues: bool;
}

/**
 * Run of any kind, for kinds too rare to be compiled separately, such as those with host decisions or
 * dependencies.
 */
@final
@unmanaged
export class GeneralRunKind {
  isAnyRun: bool;
}

/** Trial of any run. */
@final
@unmanaged
export class GeneralTrialKind {
  isAnyTrial: bool;
}

/** Most common run, with only the fcfs queue; its speed matters most. */
@final
@unmanaged
export class PlainRunKind {
  needsQueuesAlone: bool;
}

/** Run with nothing but priority queues. */
@final
@unmanaged
export class PlainPriorityRunKind {
  needsQueuesAlone: bool;
  hasPriorityQueues: bool;
}

/** `PlainRunKind` (only the fcfs queue) of several policies at once. */
@final
@unmanaged
export class SharedRunKind {
  needsQueuesAlone: bool;
  servesPolicies: bool;
}

/** Trial of a `PlainRunKind`, with one candidate. */
@final
@unmanaged
export class PlainTrialKind {
  needsQueuesAlone: bool;
  triesCandidates: bool;
}

/** Trial of a `PlainRunKind`, with several candidates at once. */
@final
@unmanaged
export class SharedTrialKind {
  needsQueuesAlone: bool;
  triesCandidates: bool;
  servesPolicies: bool;
}

/** True for kinds of runs in which jobs wait in a constant order and are not preempted. */
@inline
export function isPlain<R>(): bool {
  return isDefined(changetype<R>(0).needsQueuesAlone);
}

/** True for runs that serve several policies at once, as long as these decide alike. */
@inline
export function isShared<R>(): bool {
  return isDefined(changetype<R>(0).servesPolicies);
}

/**
 * True for a trial, which starts from the state of another run, with a pass, and has no submissions
 * (engine/choosing.ts).
 */
@inline
export function isTrialKind<R>(): bool {
  return isDefined(changetype<R>(0).isAnyTrial) || isDefined(changetype<R>(0).triesCandidates);
}

/** True for kinds of runs in which a pass can pause until the host has decided, and then continue. */
@inline
export function recordsDecisions<R>(): bool {
  return isDefined(changetype<R>(0).isAnyRun);
}

/**
 * True if a simulation keeps waiting jobs in a priority queue; otherwise they are the next jobs by
 * submission.
 */
@inline
export function hasPriorityQueue<R>(simulation: Simulation): bool {
  if (isDefined(changetype<R>(0).isAnyRun)) return simulation.hasPriorityQueue !== 0;
  if (isDefined(changetype<R>(0).isAnyTrial)) return simulation.hasPriorityQueue !== 0;
  return isDefined(changetype<R>(0).hasPriorityQueues);
}

/** True if a simulation stores more about running jobs than the free processors of the sites. */
@inline
export function hasExtras<R>(simulation: Simulation): bool {
  return isPlain<R>() ? false : simulation.hasExtras !== 0;
}

/** True if a simulation searches sites by the site index (grid/siteIndex.ts) instead of a scan. */
@inline
export function usesSiteIndex<R>(simulation: Simulation): bool {
  return isPlain<R>() ? false : simulation.usesIndex !== 0;
}

/** True if a simulation makes its passes at the end of an instant or at intervals, not after every event. */
@inline
export function defersPasses<R>(simulation: Simulation): bool {
  if (isPlain<R>()) return false;
  // After a correction by the host (an end, a cancellation, an estimate), one pass follows all events of the
  // instant.
  const isCorrectedRun = isDefined(changetype<R>(0).isAnyRun) && simulation.passIsDue !== 0;
  return isCorrectedRun || mayDeferPasses(simulation);
}

/**
 * True if by its options a simulation starts every job on one site, chosen by the allocator, with all its
 * processors.
 */
@inline
export function hasRigidJobs<R>(simulation: Simulation): bool {
  return isPlain<R>() ? true : simulation.placement === 0;
}

/**
 * True if ends of jobs affect estimates or submissions of later jobs, or submissions affect the estimate or
 * the rank of the job itself.
 */
@inline
export function hasFeedback<R>(simulation: Simulation): bool {
  if (isPlain<R>() || isTrialKind<R>()) return false;
  if (!isDefined(changetype<R>(0).isAnyRun)) {
    return hasPriorityQueue<R>(simulation) && (simulation.recentJobs > 0 || simulation.hasLateRanks !== 0);
  }
  if (simulation.recentJobs > 0 || drawsRandomFutures(simulation)) return true;
  return simulation.hasLateRanks !== 0 || simulation.hasDependencies !== 0 || simulation.asksKeys !== 0;
}

/** True if a simulation counts the running jobs or the usage of users or groups. */
@inline
export function keepsAccounts<R>(simulation: Simulation): bool {
  return isPlain<R>() || isTrialKind<R>() ? false : (simulation.users | simulation.groups) !== 0;
}

/** True if a simulation limits the running jobs of users or groups. */
@inline
export function hasLimits<R>(simulation: Simulation): bool {
  return isPlain<R>() || isTrialKind<R>() ? false : simulation.limits !== 0;
}

/** True if a simulation submits some jobs only after others have ended. */
@inline
export function hasDependencies<R>(simulation: Simulation): bool {
  return isDefined(changetype<R>(0).isAnyRun) ? simulation.hasDependencies !== 0 : false;
}

/** True if a simulation lets jobs be cancelled. */
@inline
export function hasCancellations<R>(simulation: Simulation): bool {
  if (isPlain<R>() || isTrialKind<R>()) return false;
  return hasPriorityQueue<R>(simulation) && simulation.hasCancellations !== 0;
}

/** True if a simulation has outages, which take processors of sites. */
@inline
export function hasOutages<R>(simulation: Simulation): bool {
  if (isPlain<R>() || isTrialKind<R>()) return false;
  return hasPriorityQueue<R>(simulation) && simulation.outages !== 0;
}

/** True if a simulation restricts jobs to sets of sites. */
@inline
export function hasSiteSets<R>(simulation: Simulation): bool {
  return isPlain<R>() || isTrialKind<R>() ? false : simulation.siteSets !== 0;
}

/**
 * True if by its options a simulation makes passes at the end of an instant, at intervals, or at reserved
 * starts.
 */
@inline
export function mayDeferPasses(simulation: Simulation): bool {
  if (simulation.instant === Instant.Batched || columns.optionOfRun(Option.Interval) > 0) return true;
  if (simulation.timesPasses !== 0) return true;
  return simulation.keepsReservations !== 0;
}

/**
 * True if the trials of a simulation draw possible futures from its finished jobs, since it has no estimates.
 */
@inline
export function drawsRandomFutures(simulation: Simulation): bool {
  return simulation.choosesPolicies !== 0 && simulation.hasNoEstimates !== 0;
}

/** True if by its options a simulation can run as a plain run: it needs nothing but its queue. */
export function mayBePlainRun(simulation: Simulation): bool {
  if (simulation.hasExtras !== 0 || simulation.placement !== 0 || simulation.usesIndex !== 0) return false;
  if (mayDeferPasses(simulation) || simulation.asksHost !== 0 || simulation.decisionJob >= 0) return false;
  if (simulation.hasDependencies !== 0 || simulation.hasCancellations !== 0) return false;
  if ((simulation.users | simulation.groups | simulation.limits | simulation.outages) !== 0) return false;
  if (simulation.siteSets !== 0) return false;
  if (simulation.hasPriorityQueue === 0) return true;
  if (simulation.recentJobs > 0 || simulation.hasLateRanks !== 0 || mayAnotherJobBecomeNext(simulation))
    return false;
  return !plansAhead(simulation.discipline) && simulation.hasDeclined === 0;
}

/**
 * True if, after any event, a waiting job other than the new one may be the next to start: because passes
 * change the order of waiting jobs, or limits hold some of them for a time.
 */
@inline
export function mayAnotherJobBecomeNext(simulation: Simulation): bool {
  return simulation.limits !== 0 || mayPassesChangeOrder(simulation);
}

/** True if passes change the order of waiting jobs (queue/sequence.ts), or visit them in another one. */
@inline
export function mayPassesChangeOrder(simulation: Simulation): bool {
  if (simulation.changesKeys !== 0 || simulation.hasRules !== 0) return true;
  return simulation.backfillOrder !== 0 && simulation.hasBackfillRanks === 0;
}

/** Properties of disciplines and orders, so that no code depends on their numbers. */

/** True for disciplines that plan starts by predicted ends of jobs. */
@inline
export function plansAhead(discipline: Discipline): bool {
  return discipline === Discipline.Easy || discipline === Discipline.Conservative;
}

/** True for disciplines in which the first job that cannot start blocks the jobs behind it. */
@inline
export function blocksQueue(discipline: Discipline): bool {
  return discipline === Discipline.FirstComeFirstServed;
}

/** True for orders under which the sort key of a waiting job may change with time: `wfp3` and expressions. */
@inline
export function changesWithTime(order: Order): bool {
  return order === Order.Wfp3 || order === Order.Expression;
}
