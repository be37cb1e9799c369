import { Option } from '../abi/abi';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import { Queue } from '../queue/priorityQueue';

/** Times of passes at intervals: per queue, its first submission + offset + k * interval. */

/** Seconds between passes at times of their own; 0: none. */
@inline
export function passInterval(): f64 {
  const interval = columns.optionOfRun(Option.Interval);
  return interval > 0 ? interval : columns.optionOfRun(Option.BackfillInterval);
}

/** Time of a queue's first pass. */
@inline
function firstPassTime(queue: Queue): f64 {
  return at<f64>(columns.submits, queue.firstJob) + columns.optionOfRun(Option.BackfillOffset);
}

/** Number of intervals from a queue's first pass to its next one at or after `from` (in seconds). */
export function passCountUntil(queue: Queue, from: f64): f64 {
  const interval = passInterval();
  const firstPass = firstPassTime(queue);
  // Corrects the quotient, which may be off by one; the products decide.
  let passCount = max<f64>(queue.passCount, floor<f64>((from - firstPass) / interval) - 1);
  while (firstPass + passCount * interval < from) passCount++;
  return passCount;
}

/** Time of a queue's pass that comes a number of intervals after its first one, in seconds. */
@inline
export function timeOfPass(queue: Queue, passes: f64): f64 {
  return firstPassTime(queue) + passes * passInterval();
}

/** Time of a queue's first pass at or after `from` that is not over; both in seconds. */
export function nextPassTimeFrom(queue: Queue, from: f64): f64 {
  return timeOfPass(queue, passCountUntil(queue, from));
}

/** True if an option delays passes or sets their interval, so that they do not follow events at once. */
export function hasPassTimes(): bool {
  if (columns.optionOfRun(Option.BackfillInterval) > 0 || columns.optionOfRun(Option.PassGap) > 0)
    return true;
  return columns.optionOfRun(Option.SubmitPassDelay) > 0 || columns.optionOfRun(Option.EndPassDelay) > 0;
}

/** The first option about the times of passes that is set. */
export function passOption(): Option {
  if (columns.optionOfRun(Option.BackfillInterval) > 0) return Option.BackfillInterval;
  if (columns.optionOfRun(Option.PassGap) > 0) return Option.PassGap;
  return columns.optionOfRun(Option.SubmitPassDelay) > 0 ? Option.SubmitPassDelay : Option.EndPassDelay;
}
