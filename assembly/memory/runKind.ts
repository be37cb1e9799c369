import { Instant, Option, Discipline, Order } from '../abi/abi';
import * as columns from './columns';
import { Simulation } from './state';

/**
 * What tells runs apart at every event, as a type parameter `R` of the event loop and of what it calls: one
 * text for all runs, compiled once for each kind. A kind has a field, which is never read, for everything
 * that is known of its runs; what follows from that folds away, and the rest is asked of the simulation.
 */

/** A run with the fcfs queue. */
@final
@unmanaged
export class FcfsRun {}

/** A run with priority queues. */
@final
@unmanaged
export class PriorityRun {
  hasPriorityQueues: bool;
}

/**
 * Any run, where it is too rare to be compiled by itself; so those in which the host is asked, or jobs
 * depend on others.
 */
@final
@unmanaged
export class OtherRun {
  isAnyRun: bool;
}

/** A trial of any run. */
@final
@unmanaged
export class OtherTrial {
  isAnyTrial: bool;
}

/** The most usual run, which needs nothing but the fcfs queue: its speed counts most. */
@final
@unmanaged
export class PlainRun {
  needsQueuesAlone: bool;
}

/** The same with priority queues. */
@final
@unmanaged
export class PlainPriorityRun {
  needsQueuesAlone: bool;
  hasPriorityQueues: bool;
}

/** A `PlainRun` for several policies at once. */
@final
@unmanaged
export class SharedRun {
  needsQueuesAlone: bool;
  servesPolicies: bool;
}

/** A trial of a `PlainRun`, of one candidate. */
@final
@unmanaged
export class PlainTrial {
  needsQueuesAlone: bool;
  triesCandidates: bool;
}

/** The same of several at once. */
@final
@unmanaged
export class SharedTrial {
  needsQueuesAlone: bool;
  triesCandidates: bool;
  servesPolicies: bool;
}

/** Whether jobs wait in the order in which they were sorted until they start, and nothing stops them. */
@inline
export function isPlain<R>(): bool {
  return isDefined(changetype<R>(0).needsQueuesAlone);
}

/** Whether policies share the simulation. */
@inline
export function isShared<R>(): bool {
  return isDefined(changetype<R>(0).servesPolicies);
}

/** Whether it goes on from where another is, with a pass, and without submits (engine/choosing.ts). */
@inline
export function isTrial<R>(): bool {
  return isDefined(changetype<R>(0).isAnyTrial) || isDefined(changetype<R>(0).triesCandidates);
}

/** Whether a pass can stop where the host is asked, or go on from there. */
@inline
export function hasDecisions<R>(): bool {
  return isDefined(changetype<R>(0).isAnyRun);
}

/** Whether jobs wait in a priority queue. */
@inline
export function hasPriorityQueue<R>(simulation: Simulation): bool {
  if (isDefined(changetype<R>(0).isAnyRun)) return simulation.hasPriorityQueue !== 0;
  if (isDefined(changetype<R>(0).isAnyTrial)) return simulation.hasPriorityQueue !== 0;
  return isDefined(changetype<R>(0).hasPriorityQueues);
}

/** Whether more is kept of running jobs than free counts. */
@inline
export function hasExtras<R>(simulation: Simulation): bool {
  return isPlain<R>() ? false : simulation.hasExtras !== 0;
}

/** Whether sites are searched by their index. */
@inline
export function isIndexed<R>(simulation: Simulation): bool {
  return isPlain<R>() ? false : simulation.indexed !== 0;
}

/** Whether passes come at the end of an instant or at intervals, not after every event. */
@inline
export function defersPasses<R>(simulation: Simulation): bool {
  return isPlain<R>() ? false : isDeferring(simulation);
}

/** Whether jobs start on one site with all their processors, as the allocator says, or not at all. */
@inline
export function isRigid<R>(simulation: Simulation): bool {
  return isPlain<R>() ? true : simulation.placement === 0;
}

/** Whether the ends of jobs say something of those that come later, or the submits of jobs of themselves. */
@inline
export function hasFeedback<R>(simulation: Simulation): bool {
  if (isPlain<R>() || isTrial<R>()) return false;
  if (!isDefined(changetype<R>(0).isAnyRun)) {
    return hasPriorityQueue<R>(simulation) && simulation.recentJobs > 0;
  }
  if (simulation.recentJobs > 0 || drawsFutures(simulation)) return true;
  return simulation.hasDependencies !== 0 || simulation.asksKeys !== 0;
}

/** Whether jobs are submitted when others have ended. */
@inline
export function hasDependencies<R>(simulation: Simulation): bool {
  return isDefined(changetype<R>(0).isAnyRun) ? simulation.hasDependencies !== 0 : false;
}

/** Whether passes come at the end of an instant, at intervals, or when reserved starts have come. */
@inline
export function isDeferring(simulation: Simulation): bool {
  if (simulation.instant === Instant.Batched || columns.taken(Option.Interval) > 0) return true;
  return simulation.keepsReservations !== 0;
}

/** Whether trials use futures that are drawn from the jobs that have ended. */
@inline
export function drawsFutures(simulation: Simulation): bool {
  return simulation.chooses !== 0 && simulation.hasNoEstimates !== 0;
}

/** Whether a simulation needs nothing but its queue. */
export function mayBePlain(simulation: Simulation): bool {
  if (simulation.hasExtras !== 0 || simulation.placement !== 0 || simulation.indexed !== 0) return false;
  if (isDeferring(simulation) || simulation.asks !== 0 || simulation.asked >= 0) return false;
  if (simulation.hasDependencies !== 0) return false;
  if (simulation.hasPriorityQueue === 0) return true;
  if (simulation.recentJobs > 0 || reorders(simulation)) return false;
  return !plansAhead(simulation.discipline) && simulation.declined === 0;
}

/** Whether waiting jobs are put in another order in passes (queue/sequence.ts), or taken in one. */
@inline
export function reorders(simulation: Simulation): bool {
  if (simulation.changesKeys !== 0 || simulation.hasRules !== 0) return true;
  return simulation.backfillOrder !== 0 && simulation.hasBackfillRanks === 0;
}

/** What disciplines do, and orders, so that nothing depends on their places in their lists. */

/** Whether jobs start at predicted times, by their estimates. */
@inline
export function plansAhead(discipline: Discipline): bool {
  return discipline === Discipline.Easy || discipline === Discipline.Conservative;
}

/** Whether the first job that cannot start keeps those behind it waiting, which are else tried too. */
@inline
export function blocks(discipline: Discipline): bool {
  return discipline === Discipline.FirstComeFirstServed;
}

/** Whether the keys of an order change with time. */
@inline
export function ages(order: Order): bool {
  return order === Order.Wfp3;
}
