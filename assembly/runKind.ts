import { Instant } from './abi';
import { ages, plansAhead } from './disciplineKind';
import { Simulation } from './state';

/**
 * What tells runs apart at every event, as a type parameter `R` of the event loop and of what it calls: one
 * text for all runs, compiled once for each of these kinds (and those of plainRunKind.ts), in which what is
 * known of the kind folds away. An answer in which kinds differ stands in each final class and not as a
 * default in their base: a method that is overridden somewhere is called through a stub that asks for the
 * class, so nothing of it would fold.
 */

/** What most kinds have to ask the simulation. */
@unmanaged
class AnyRun {
  /** Whether more is kept of running jobs than free counts. */
  @inline
  hasExtras(simulation: Simulation): bool {
    return simulation.hasExtras !== 0;
  }

  /** Whether sites are searched by their index. */
  @inline
  isIndexed(simulation: Simulation): bool {
    return simulation.indexed !== 0;
  }

  /** Whether passes come at the end of an instant or at intervals, not after every event. */
  @inline
  defersPasses(simulation: Simulation): bool {
    return defersPasses(simulation);
  }

  /** Whether jobs start on one site with all their processors, as the allocator says, or not at all. */
  @inline
  isRigid(simulation: Simulation): bool {
    return simulation.placement === 0;
  }

  /** Whether policies share the simulation. */
  @inline
  isShared(): bool {
    return false;
  }

  /** Whether jobs wait in the order in which they were sorted until they start, and nothing stops them. */
  @inline
  isPlain(): bool {
    return false;
  }
}

/** A run with the fcfs queue. */
@final
@unmanaged
export class FcfsRun extends AnyRun {
  /** Whether jobs wait in a priority queue. */
  @inline
  hasPriorityQueue(simulation: Simulation): bool {
    return false;
  }

  /** Whether a pass can stop where the host is asked, or go on from there. */
  @inline
  hasDecisions(): bool {
    return false;
  }

  /** Whether the ends of jobs say something of those that come later. */
  @inline
  hasFeedback(simulation: Simulation): bool {
    return false;
  }

  /** Whether jobs are submitted when others have ended. */
  @inline
  hasDependencies(simulation: Simulation): bool {
    return false;
  }

  /** Whether it goes on from where another stands, with a pass, and without submits (engine/trials.ts). */
  @inline
  isTrial(): bool {
    return false;
  }
}

/** A run with priority queues. */
@final
@unmanaged
export class PriorityRun extends AnyRun {
  @inline
  hasPriorityQueue(simulation: Simulation): bool {
    return true;
  }

  @inline
  hasDecisions(): bool {
    return false;
  }

  @inline
  hasFeedback(simulation: Simulation): bool {
    return simulation.recentJobs > 0;
  }

  @inline
  hasDependencies(simulation: Simulation): bool {
    return false;
  }

  @inline
  isTrial(): bool {
    return false;
  }
}

/**
 * Any run, where it is too rare to be compiled by itself; so those in which the host is asked, or jobs
 * depend on others.
 */
@final
@unmanaged
export class OtherRun extends AnyRun {
  @inline
  hasPriorityQueue(simulation: Simulation): bool {
    return simulation.hasPriorityQueue !== 0;
  }

  @inline
  hasDecisions(): bool {
    return true;
  }

  @inline
  hasFeedback(simulation: Simulation): bool {
    if (simulation.recentJobs > 0 || drawsFutures(simulation)) return true;
    return simulation.hasDependencies !== 0;
  }

  @inline
  hasDependencies(simulation: Simulation): bool {
    return simulation.hasDependencies !== 0;
  }

  @inline
  isTrial(): bool {
    return false;
  }
}

/** A trial of any run. */
@final
@unmanaged
export class OtherTrial extends AnyRun {
  @inline
  hasPriorityQueue(simulation: Simulation): bool {
    return simulation.hasPriorityQueue !== 0;
  }

  @inline
  hasDecisions(): bool {
    return false;
  }

  @inline
  hasFeedback(simulation: Simulation): bool {
    return false;
  }

  @inline
  hasDependencies(simulation: Simulation): bool {
    return false;
  }

  @inline
  isTrial(): bool {
    return true;
  }
}

/** Whether passes come at the end of an instant or at intervals. */
@inline
export function defersPasses(simulation: Simulation): bool {
  return simulation.instant === Instant.Batched || simulation.interval > 0;
}

/** Whether trials go by futures that are drawn from the jobs that have ended. */
@inline
export function drawsFutures(simulation: Simulation): bool {
  return simulation.chooses !== 0 && simulation.hasNoEstimates !== 0;
}

/** Whether a run needs nothing but its queue. */
export function isPlain(simulation: Simulation): bool {
  if (simulation.hasExtras !== 0 || simulation.placement !== 0 || simulation.indexed !== 0) return false;
  if (defersPasses(simulation) || simulation.asks !== 0 || simulation.asked >= 0) return false;
  if (simulation.hasDependencies !== 0) return false;
  if (simulation.hasPriorityQueue === 0) return true;
  if (simulation.recentJobs > 0 || reorders(simulation)) return false;
  return !plansAhead(simulation.discipline) && simulation.declined === 0;
}

/** Whether waiting jobs are put in another order in passes; queue/sequence.ts. */
@inline
export function reorders(simulation: Simulation): bool {
  return simulation.backfillOrder !== 0 || ages(simulation.order) || simulation.hasRules !== 0;
}
