/**
 * Decisions per second of the learning environment, with a trivial agent and an observation of 16 numbers.
 */
import { makeGrid } from '../host/grid/grid.js';
import { Environment, type EnvironmentOptions, EnvironmentVector } from '../host/learn/environment.js';
import { simulate } from '../host/simulate/simulate.js';
import { benchWorkload, SITES } from './runs.js';

const REPEATS = 15;
/** Number of environments in the vector. */
const SEVERAL = 8;
/**
 * Decisions between two readings of the clock, short enough that a busy machine does not interrupt most
 * windows.
 */
const WINDOW = 1024;

/**
 * Returns nanoseconds per step of a repeated piece of work: the shortest time of every window between two
 * laps.
 */
function leastOfWindows(steps: number, work: (lap: () => void) => void): number {
  const windows: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    let window = 0;
    let began = process.hrtime.bigint();
    work(() => {
      const now = process.hrtime.bigint();
      windows[window] = Math.min(windows[window] ?? Infinity, Number(now - began));
      window++;
      began = now;
    });
  }
  return windows.reduce((sum, window) => sum + window, 0) / steps;
}

/**
 * Checks that best-fit as an agent gives the schedule's response time, in its rewards too; unless
 * `checkOnly`, times it.
 */
export async function benchEnvironment(checkOnly: boolean): Promise<void> {
  const grid = makeGrid(SITES);
  const jobs = await benchWorkload();
  const simulation = { timeResolution: 'nearest' } as const;
  const options: EnvironmentOptions = {
    jobs,
    grid,
    simulation,
    observation: [
      ...(['processors', 'estimate', 'waited', 'queuedProcessors', 'freeProcessors', 'waiting'] as const),
      ...(['left', 'feasible'] as const),
    ],
  };
  const environment = new Environment(options);
  const numbers = environment.last.observation.length;
  let steps = 0;
  let total = 0;
  const episode = (lap: () => void) => {
    environment.reset();
    steps = 0;
    total = 0;
    const { last, view } = environment;
    while (!last.terminated) {
      total += environment.step(view.bestFit).reward;
      if (++steps % WINDOW === 0) lap();
    }
    lap();
  };
  episode(() => {});
  const { averageResponseTime, jobs: count } = simulate(jobs, grid, {
    ...simulation,
    policy: 'best-fit',
  }).summary;
  if (
    -total / count !== averageResponseTime ||
    environment.summary().averageResponseTime !== averageResponseTime
  ) {
    throw new Error('best-fit as an agent is not best-fit');
  }
  const what = `${steps} decisions on ${count} jobs with ${numbers} numbers each`;
  if (checkOnly) {
    console.log(`environment: ${what}, rewards as the metric`);
    return;
  }
  const one = leastOfWindows(steps, episode);
  const vector = new EnvironmentVector(SEVERAL, options);
  const actions = new Int32Array(SEVERAL);
  const several = leastOfWindows(steps, (lap) => {
    vector.reset();
    for (let step = 0; step < steps; step += SEVERAL) {
      for (let i = 0; i < SEVERAL; i++) actions[i] = vector.environments[i].view.bestFit;
      vector.step(actions);
      if (step % WINDOW === 0) lap();
    }
    lap();
  });
  const millions = (nanoseconds: number) => `${(1000 / nanoseconds).toFixed(2)} million decisions per second`;
  console.log(`environment: ${what}; ${millions(one)}, ${SEVERAL} environments in turn ${millions(several)}`);
}
