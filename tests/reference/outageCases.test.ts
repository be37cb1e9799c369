import { expect, test } from 'vitest';
import { keepsPromise, randomOutageCase } from './cases/outages.js';
import { simulateReference } from './simulator/reference.js';

test('planned outages preempt no job that ends in time, under easy and conservative', () => {
  let cases = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const drawn = randomOutageCase(seed);
    if (!keepsPromise(drawn)) continue;
    cases += 1;
    const { stoppedRuns, execution } = simulateReference(drawn.jobs, drawn.options);
    expect(stoppedRuns, `case ${seed}`).toEqual([]);
    const killed = drawn.jobs.filter(({ runtime }, i) => execution[i]! < runtime);
    if (drawn.options.onOutage === 'kill' && drawn.options.speeds.every((speed) => speed === 1))
      expect(
        killed.filter(({ patience }) => patience === undefined),
        `case ${seed}`,
      ).toEqual([]);
  }
  expect(cases).toBeGreaterThan(20);
});
