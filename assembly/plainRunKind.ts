import { Simulation } from './state';

/** The kinds of runs (runKind.ts) that need nothing but their queues: those whose speed counts most. */

/** A run that needs nothing else. */
@unmanaged
class LeastRun {
  @inline
  hasExtras(simulation: Simulation): bool {
    return false;
  }

  @inline
  isIndexed(simulation: Simulation): bool {
    return false;
  }

  @inline
  defersPasses(simulation: Simulation): bool {
    return false;
  }

  @inline
  isRigid(simulation: Simulation): bool {
    return true;
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
  isPlain(): bool {
    return true;
  }

  @inline
  hasDependencies(simulation: Simulation): bool {
    return false;
  }
}

/** A run with the fcfs queue that needs nothing else. */
@unmanaged
class LeastFcfsRun extends LeastRun {
  @inline
  hasPriorityQueue(simulation: Simulation): bool {
    return false;
  }
}

/** The most usual run, whose speed counts most. */
@final
@unmanaged
export class PlainRun extends LeastFcfsRun {
  @inline
  isShared(): bool {
    return false;
  }

  @inline
  isTrial(): bool {
    return false;
  }
}

/** A trial of such a run. */
@unmanaged
class LeastTrial extends LeastFcfsRun {
  @inline
  isTrial(): bool {
    return true;
  }
}

/** That of one candidate. */
@final
@unmanaged
export class PlainTrial extends LeastTrial {
  @inline
  isShared(): bool {
    return false;
  }
}

/** That of several at once. */
@final
@unmanaged
export class SharedTrial extends LeastTrial {
  @inline
  isShared(): bool {
    return true;
  }
}

/** The same with priority queues. */
@final
@unmanaged
export class PlainPriorityRun extends LeastRun {
  @inline
  hasPriorityQueue(simulation: Simulation): bool {
    return true;
  }

  @inline
  isShared(): bool {
    return false;
  }

  @inline
  isTrial(): bool {
    return false;
  }
}

/** A `PlainRun` for several policies at once. */
@final
@unmanaged
export class SharedRun extends LeastFcfsRun {
  @inline
  isShared(): bool {
    return true;
  }

  @inline
  isTrial(): bool {
    return false;
  }
}
