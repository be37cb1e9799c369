import type { ReferenceResult } from './simulator/reference.js';

/**
 * Two jobs that hold one processor at the same time, if there are any, the one with the larger index first.
 * Where jobs are known to start in the order of their indices, one of no length overlaps those that began before it.
 */
export function findOverlap(
  { start, execution, processors }: ReferenceResult,
  startsInOrder = false,
): [number, number] | undefined {
  const isBefore = (one: number, other: number) => start[one]! + execution[one]! <= start[other]!;
  for (let later = 0; later < start.length; later++) {
    const held = new Set(processors[later]);
    for (let earlier = 0; earlier < later; earlier++) {
      const areApart = isBefore(earlier, later) || (!startsInOrder && isBefore(later, earlier));
      if (!areApart && processors[earlier]!.some((processor) => held.has(processor))) return [later, earlier];
    }
  }
  return undefined;
}
