import { expect, test } from 'vitest';
import { areStartPromisesKept, randomOutageCase } from './cases/outages.js';
import { simulateReference } from './simulator/reference.js';

test('planned outages preempt no job that ends in time, under easy and conservative', () => {
  let cases = 0;
  let uncut = 0;
  for (let seed = 1; seed <= 1000; seed++) {
    const drawnCase = randomOutageCase(seed);
    if (!areStartPromisesKept(drawnCase)) continue;
    cases += 1;
    const { jobs, options } = drawnCase;
    const { stoppedRuns, execution } = simulateReference(jobs, options);
    expect(stoppedRuns, `case ${seed}`).toEqual([]);
    // On sites of one speed a job that is not killed runs as long as without outages.
    if (options.onOutage !== 'kill' || options.speeds.some((speed) => speed !== options.speeds[0])) continue;
    const resultWithoutOutages = simulateReference(jobs, {
      ...options,
      outages: undefined,
      onOutage: undefined,
    });
    const hasNoPatience = (_: number, job: number) => jobs[job]!.patience === undefined;
    expect(execution.filter(hasNoPatience), `case ${seed}`).toEqual(
      resultWithoutOutages.execution.filter(hasNoPatience),
    );
    uncut += 1;
  }
  expect(cases).toBeGreaterThan(20);
  expect(uncut).toBeGreaterThan(2);
});
