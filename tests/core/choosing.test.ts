/** Policies that are chosen among candidates: replays of their choices, forks, and what is told of them. */
import { expect, test } from 'vitest';
import { parsePolicy, printPolicy } from '../../host/core/policies.js';
import { InputError } from '../../host/errors.js';
import { makeConfiguration } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize } from '../../host/simulate/summary.js';
import { expectSame } from '../expectSame.js';
import { randomDynamicCase } from '../reference/cases/dynamic.js';
import { configurationOf, workloadOf } from './simulateCore.js';

const CASES = Number(process.env.GRIDALLOC_CASES ?? 600);

function told(simulator: Simulator) {
  const { trials: _, ...summary } = summarize(simulator);
  const { start, execution, site } = simulator.schedule();
  return {
    summary: { ...summary, policy: '' },
    start: [...start],
    execution: [...execution],
    site: [...site],
  };
}

test('a run is its choices: given them, without a trial, it comes out again', () => {
  let switches = 0;
  for (let seed = 1; seed <= CASES; seed++) {
    const { jobs, options } = randomDynamicCase(seed + 700_000);
    const configuration = configurationOf(options, seed % 3 === 0);
    const simulator = new Simulator(
      workloadOf(jobs, 'case', options),
      seed % 2 === 0 ? 'release' : 'checked',
    );
    simulator.begin(configuration);
    simulator.run();
    const expected = told(simulator);
    const choices = simulator.choices();
    switches += choices.length;
    expect(simulator.choosing('Switches')).toBe(choices.length);
    simulator.begin({ ...configuration, policy: { ...configuration.policy, choices } });
    simulator.run();
    expect(simulator.choosing('TriedJobs')).toBe(0);
    expectSame(told(simulator), expected, `case ${seed}`);
  }
  expect(switches).toBeGreaterThan(CASES / 6);
});

test('forks go on as one run does', () => {
  for (let seed = 1; seed <= CASES / 10; seed++) {
    const { jobs, options } = randomDynamicCase(seed + 800_000);
    const configuration = configurationOf(options, seed % 3 === 0);
    const straight = new Simulator(workloadOf(jobs, 'case', options), 'checked');
    straight.begin(configuration);
    straight.run();
    const expected = told(straight);
    const { start } = straight.schedule();
    const time = jobs[Math.floor(jobs.length / 2)].submit;
    straight.begin(configuration);
    straight.runUntil(time);
    const other = new Simulator(straight.workload, straight);
    other.begin(configuration);
    straight.forkInto(other);
    expect(other.hasSameState(straight)).toBe(seed % 3 !== 0);
    other.run();
    expect(told(other).summary).toEqual(expected.summary);
    const after = other.schedule().start;
    expect([...after].every((each, i) => each === start[i] || start[i] <= time)).toBe(true);
  }
});

const grid = { capacities: [4, 4], speeds: [1, 2] };

test('its notation says what it is chosen among', () => {
  expect(printPolicy(parsePolicy('dynamic'))).toBe(
    'dynamic[every=10,candidates=tai2,futures=1,hysteresis=0,smooth=0,seed=1]',
  );
  const given = 'dynamic[candidates=bf+ti[slt=1]+tai2,every=5]';
  expect(printPolicy(parsePolicy(given))).toBe(
    'dynamic[every=5,candidates=best-fit+ti[sht=0.05,slt=1]+tai2,futures=1,hysteresis=0,smooth=0,seed=1]',
  );
  expect(parsePolicy(printPolicy(parsePolicy(given)))).toEqual(parsePolicy(given));
});

test.each([
  ['dynamic[candidates=random]', 'trials do not draw its numbers'],
  ['dynamic[candidates=best-fit+dynamic]', 'candidates of its own'],
  ['dynamic[every=0]', 'at least 1'],
  ['dynamic[hysteresis=1]', 'below 1'],
  ['dynamic[candidates=tai3]', "unknown policy 'tai3'"],
])('%s is refused', (policy, reason) => {
  expect(() => makeConfiguration(grid, { policy })).toThrow(InputError);
  expect(() => makeConfiguration(grid, { policy })).toThrow(reason);
});

test('several futures are for runs without estimates', () => {
  const { jobs } = randomDynamicCase(1);
  const configuration = makeConfiguration(grid, { policy: 'dynamic[futures=2]' });
  expect(() => new Simulator(workloadOf(jobs)).begin(configuration)).toThrow('--estimates none');
});
