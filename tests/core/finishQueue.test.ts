import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginProbedSimulation, type ProbedSimulation } from './probes.js';

/** Reference implementation of the queue of job ends: a list sorted by time, then by job. */
class SortedFinishList {
  readonly #entries: [number, number][] = [];
  push(time: number, job: number): void {
    this.#entries.push([time, job]);
    this.#entries.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }
  pop(): number | undefined {
    return this.#entries.shift()?.[1];
  }
  get soonest(): number {
    return this.#entries[0]?.[0] ?? Number.POSITIVE_INFINITY;
  }
  get length(): number {
    return this.#entries.length;
  }
}

function runQueueOperations(script: readonly (number | 'pop')[], probedSimulation: ProbedSimulation): void {
  const { core, jobs, simulation } = probedSimulation;
  core.begin(simulation, jobs);
  const sortedFinishes = new SortedFinishList();
  let job = 0;
  for (const step of script) {
    if (step === 'pop') {
      if (sortedFinishes.length === 0) continue;
      expect(core.popFinish(simulation, jobs)).toBe(sortedFinishes.pop());
    } else {
      core.pushFinish(simulation, jobs, step, job);
      sortedFinishes.push(step, job++);
    }
    expect(core.soonestFinish(simulation, jobs)).toBe(sortedFinishes.soonest);
  }
}

test('leaves in the order of time, equal times by job, whatever the order of entering', () => {
  const probedSimulation = beginProbedSimulation(400, new Array(400).fill(1));
  const queueOperationArbitrary = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 12 }) },
    fc.constant('pop' as const),
  );
  fc.assert(
    fc.property(fc.array(queueOperationArbitrary, { maxLength: 300 }), (script) =>
      runQueueOperations(script, probedSimulation),
    ),
    { numRuns: 60 },
  );
});

test('changes between its two representations without losing or reordering anything', () => {
  const jobCount = 1500;
  const probedSimulation = beginProbedSimulation(jobCount, new Array(jobCount).fill(1));
  // The queue of job ends grows beyond the size at which it changes from an array to a heap, shrinks, and
  // grows again, with many equal times.
  const time = (i: number) => (i * 7919) % 97;
  const pushesWhileGrowing = Array.from({ length: 1300 }, (_, i) => time(i));
  const popOperations = new Array<'pop'>(1150).fill('pop');
  const mixedOperations = Array.from({ length: 200 }, (_, i) => (i % 3 === 2 ? ('pop' as const) : time(i)));
  runQueueOperations(
    [...pushesWhileGrowing, ...popOperations, ...mixedOperations, ...new Array<'pop'>(400).fill('pop')],
    probedSimulation,
  );
});
