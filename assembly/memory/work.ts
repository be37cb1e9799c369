import { CHECKED } from './check';

/** How much planning does, counted in the checked build alone: by it tests know growth without a clock. */
export enum Work {
  /** Jobs, and blocks of them, that are looked at to find those that fit. */
  QueueLooks = 0,
  /** Searches of the plan for a start. */
  Searches = 1,
  /** Blocks of steps that they look at. */
  Blocks = 2,
}

let queueLooks: f64 = 0;
let searches: f64 = 0;
let blocks: f64 = 0;

/** So much has been done. */
@inline
export function count(work: Work, times: i32 = 1): void {
  if (!CHECKED) return;
  if (work === Work.QueueLooks) queueLooks += times;
  else if (work === Work.Searches) searches += times;
  else blocks += times;
}

/** How much has been done since the instance was made. */
export function workDone(work: Work): f64 {
  if (work === Work.QueueLooks) return queueLooks;
  return work === Work.Searches ? searches : blocks;
}
