import { expect, test } from 'vitest';
import { openCore } from '../../host/core/module.js';
import { beginProbedSimulation, type ProbedSimulation } from './probes.js';

/** Checks that assertions of the core fail when memory is corrupted on purpose. */
function expectInvariantTrap({ core }: ProbedSimulation, invariantNumber: number, action: () => void): void {
  expect(core.brokenInvariant()).toBe(0);
  expect(action).toThrow(WebAssembly.RuntimeError);
  expect(core.brokenInvariant()).toBe(invariantNumber);
}

test('taking more processors than are free traps in the checked build', () => {
  const probedSimulation = beginProbedSimulation(4, [1]);
  expectInvariantTrap(probedSimulation, 1, () =>
    probedSimulation.core.moveProcessors(probedSimulation.simulation, probedSimulation.jobs, 0, 5),
  );
});

test('giving back more processors than the site has traps in the checked build', () => {
  const probedSimulation = beginProbedSimulation(4, [1]);
  expectInvariantTrap(probedSimulation, 2, () =>
    probedSimulation.core.moveProcessors(probedSimulation.simulation, probedSimulation.jobs, 0, -1),
  );
});

test('a finish queue that overflows traps in the checked build', () => {
  const probedSimulation = beginProbedSimulation(2, [1, 1, 1]);
  probedSimulation.core.pushFinish(probedSimulation.simulation, probedSimulation.jobs, 5, 0);
  probedSimulation.core.pushFinish(probedSimulation.simulation, probedSimulation.jobs, 5, 1);
  expectInvariantTrap(probedSimulation, 6, () =>
    probedSimulation.core.pushFinish(probedSimulation.simulation, probedSimulation.jobs, 5, 2),
  );
});

test('the release build has no probes', () => {
  expect(Object.keys(openCore('release'))).not.toContain('pushFinish');
});

test('only blocks of jobs that are too wide are skipped', () => {
  const jobCount = 10_000;
  const widths = Array.from({ length: jobCount }, (_, i) => (i % 4999 === 17 ? 2 : 5 + ((i * 31) % 20)));
  const { core, jobs, simulation } = beginProbedSimulation(100, widths);
  for (const [from, end, processors] of [
    [0, jobCount, 2],
    [18, jobCount, 2],
    [5017, jobCount, 2],
    [5017, jobCount, 4],
    [0, 17, 2],
    [3, 9000, 5],
    [64, 4096, 7],
    [0, jobCount, 0],
    [0, jobCount, 1],
  ]) {
    let expectedNextNotWider = from;
    while (expectedNextNotWider < end && widths[expectedNextNotWider] > processors) expectedNextNotWider++;
    expect(core.nextNotWider(simulation, jobs, from, end, processors)).toBe(expectedNextNotWider);
  }
});
