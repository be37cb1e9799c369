/** The columns of what puts a queue in order (queue/sequence.ts), caches of a simulation. */
import { column } from './columnWalk';

export let sequence: usize = 0;
export let firstHalf: usize = 0;
export let sequenceKeys: usize = 0;

/** The columns for so many jobs. */
export function placeSequence(jobs: i32): void {
  sequence = column<i32>(jobs);
  firstHalf = column<i32>(jobs);
  sequenceKeys = column<f64>(jobs);
}
