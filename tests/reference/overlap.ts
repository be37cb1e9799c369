import { expect } from 'vitest';
import type { ReferenceJob, ReferenceOptions, ReferenceResult } from './simulator/reference.js';

/**
 * Two jobs that hold one processor at the same time, larger index first; undefined if there are
 * none. If jobs are known to start in index order, a job of length 0 overlaps those that began
 * before it.
 */
export function findOverlappingJobs(
  { start, execution, processors }: ReferenceResult,
  areStartsInOrder = false,
): [number, number] | undefined {
  const endsBeforeStart = (jobA: number, jobB: number) => start[jobA]! + execution[jobA]! <= start[jobB]!;
  for (let laterJob = 0; laterJob < start.length; laterJob++) {
    const heldProcessors = new Set(processors[laterJob]);
    for (let earlier = 0; earlier < laterJob; earlier++) {
      const areIntervalsDisjoint =
        endsBeforeStart(earlier, laterJob) || (!areStartsInOrder && endsBeforeStart(laterJob, earlier));
      if (!areIntervalsDisjoint && processors[earlier]!.some((processor) => heldProcessors.has(processor)))
        return [laterJob, earlier];
    }
  }
  return undefined;
}

/**
 * Checks that every job begins at its submission or later, with its processors on the sites of its
 * parts, and that no processor is held twice.
 */
export function expectProcessorsHeldApart(
  jobs: readonly ReferenceJob[],
  { capacities }: ReferenceOptions,
  referenceResult: ReferenceResult,
): void {
  const firstProcessorOfSite = capacities.map((_, j) => capacities.slice(0, j).reduce((a, b) => a + b, 0));
  jobs.forEach((job, i) => {
    expect(referenceResult.start[i]).toBeGreaterThanOrEqual(job.submit);
    const heldProcessors = [...referenceResult.processors[i]!];
    expect(heldProcessors).toHaveLength(job.processors);
    for (const { site, processors } of referenceResult.parts[i]!) {
      const processorNumbersOfPart = heldProcessors.splice(0, processors);
      expect(processorNumbersOfPart).toHaveLength(processors);
      expect(processorNumbersOfPart[0]).toBeGreaterThanOrEqual(firstProcessorOfSite[site]!);
      expect(processorNumbersOfPart.at(-1)).toBeLessThan(firstProcessorOfSite[site]! + capacities[site]!);
    }
  });
  expect(findOverlappingJobs(referenceResult)).toBeUndefined();
}
