/**
 * Invariants of the core, written `if (CHECKED) check(condition, invariant)`. In the checked build a violated
 * invariant traps, and `brokenInvariant` identifies it; in the release build the statement and its loads
 * vanish.
 */
export const IS_CHECKED_BUILD: bool = !ASC_NO_ASSERT;

export enum Invariant {
  None = 0,
  FreeProcessorsNegative = 1,
  FreeProcessorsAboveCapacity = 2,
  TimeReversed = 3,
  WaitingQueue = 4,
  FinishOrder = 5,
  FinishOverflow = 6,
  ProcessorSet = 8,
  LogOverflow = 9,
  ExecutionTime = 10,
  StuckQueue = 11,
  PlanNegative = 12,
  PlanOutdated = 13,
  WholeTimes = 14,
  Dependencies = 15,
  KeyBounds = 16,
}

let brokenInvariantNumber: i32 = Invariant.None;

/** In the checked build, the violated invariant (`assembly/memory/check.ts`) after a trap; 0 otherwise. */
export function brokenInvariant(): i32 {
  return brokenInvariantNumber;
}

export function check(doesHold: bool, invariantNumber: i32): void {
  if (doesHold) return;
  brokenInvariantNumber = invariantNumber;
  unreachable();
}

/** Operations counted in the checked build, so that tests can check growth rates without measuring time. */
export enum Work {
  /** Number of jobs, and blocks of jobs, examined in searches for jobs that fit. */
  QueueLooks = 0,
  /** Number of searches of the plan for a start. */
  Searches = 1,
  /** Number of blocks of plan steps examined by these searches. */
  Blocks = 2,
  /** Number of reservations moved earlier when jobs end. */
  Moves = 3,
}

let queueLookCount: f64 = 0;
let searchCount: f64 = 0;
let blockCount: f64 = 0;
let moveCount: f64 = 0;

/** Adds to the count of an operation. */
@inline
export function count(work: Work, times: i32 = 1): void {
  if (!IS_CHECKED_BUILD) return;
  if (work === Work.QueueLooks) queueLookCount += times;
  else if (work === Work.Searches) searchCount += times;
  else if (work === Work.Blocks) blockCount += times;
  else moveCount += times;
}

/** Number of operations since the instance was created. */
export function workDoneOfKind(work: Work): f64 {
  if (work === Work.QueueLooks) return queueLookCount;
  if (work === Work.Searches) return searchCount;
  return work === Work.Blocks ? blockCount : moveCount;
}
