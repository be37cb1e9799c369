import { expect } from 'vitest';
import type { ReferenceJob, ReferenceOptions, ReferenceResult } from './simulator/reference.js';

/**
 * Two jobs that hold one processor at the same time, larger index first; undefined if there are
 * none. If jobs are known to start in index order, a job of length 0 overlaps those that began
 * before it.
 */
export function findOverlap(
  { start, execution, processors }: ReferenceResult,
  startsInOrder = false,
): [number, number] | undefined {
  const isBefore = (jobA: number, jobB: number) => start[jobA]! + execution[jobA]! <= start[jobB]!;
  for (let later = 0; later < start.length; later++) {
    const heldProcessors = new Set(processors[later]);
    for (let earlier = 0; earlier < later; earlier++) {
      const areApart = isBefore(earlier, later) || (!startsInOrder && isBefore(later, earlier));
      if (!areApart && processors[earlier]!.some((processor) => heldProcessors.has(processor)))
        return [later, earlier];
    }
  }
  return undefined;
}

/**
 * Checks that every job begins at its submission or later, with its processors on the sites of its
 * parts, and that no processor is held twice.
 */
export function expectHeldApart(
  jobs: readonly ReferenceJob[],
  { capacities }: ReferenceOptions,
  referenceResult: ReferenceResult,
): void {
  const firstOf = capacities.map((_, j) => capacities.slice(0, j).reduce((a, b) => a + b, 0));
  jobs.forEach((job, i) => {
    expect(referenceResult.start[i]).toBeGreaterThanOrEqual(job.submit);
    const heldProcessors = [...referenceResult.processors[i]!];
    expect(heldProcessors).toHaveLength(job.processors);
    for (const { site, processors } of referenceResult.parts[i]!) {
      const processorsOfPart = heldProcessors.splice(0, processors);
      expect(processorsOfPart).toHaveLength(processors);
      expect(processorsOfPart[0]).toBeGreaterThanOrEqual(firstOf[site]!);
      expect(processorsOfPart.at(-1)).toBeLessThan(firstOf[site]! + capacities[site]!);
    }
  });
  expect(findOverlap(referenceResult)).toBeUndefined();
}
