/**
 * Decisions per second of the learning environment, with a trivial agent and an observation of 16 numbers.
 */
import { makeGrid } from '../host/grid/grid.js';
import { Environment, type EnvironmentOptions, EnvironmentVector } from '../host/learn/environment.js';
import { simulate } from '../host/simulate/simulate.js';
import { benchWorkload, SITES } from './runs.js';

const REPEATS = 15;
/** Number of environments in the vector. */
const ENVIRONMENTS = 8;
/**
 * Number of decisions between two readings of the clock, so few that a busy machine interrupts few of these
 * windows.
 */
const WINDOW = 1024;

/**
 * Returns nanoseconds per step of an action, from the shortest time of each window between two laps over all
 * repetitions.
 */
function leastOfWindows(steps: number, action: (lap: () => void) => void): number {
  const leastTimes: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    let windowIndex = 0;
    let startTime = process.hrtime.bigint();
    action(() => {
      const lapTime = process.hrtime.bigint();
      leastTimes[windowIndex] = Math.min(leastTimes[windowIndex] ?? Infinity, Number(lapTime - startTime));
      windowIndex++;
      startTime = lapTime;
    });
  }
  return leastTimes.reduce((sum, time) => sum + time, 0) / steps;
}

/**
 * Checks that an agent that chooses sites by best fit reaches the mean response time of a simulation with the
 * policy best-fit, and that its rewards add up to it. Then measures the time per decision, unless
 * `isCheckOnly`.
 */
export async function benchEnvironment(isCheckOnly: boolean): Promise<void> {
  const grid = makeGrid(SITES);
  const jobs = await benchWorkload();
  const simulationOptions = { timeResolution: 'nearest' } as const;
  const options: EnvironmentOptions = {
    jobs,
    grid,
    simulation: simulationOptions,
    observation: [
      ...(['processors', 'estimate', 'waited', 'queuedProcessors', 'freeProcessors', 'waiting'] as const),
      ...(['left', 'feasible'] as const),
    ],
  };
  const environment = new Environment(options);
  const numberCount = environment.last.observation.length;
  let stepCount = 0;
  let totalReward = 0;
  const runEpisode = (lap: () => void) => {
    environment.reset();
    stepCount = 0;
    totalReward = 0;
    const { last: lastStep, view: decisionView } = environment;
    while (!lastStep.terminated) {
      totalReward += environment.step(decisionView.bestFit).reward;
      if (++stepCount % WINDOW === 0) lap();
    }
    lap();
  };
  runEpisode(() => {});
  const { averageResponseTime, jobs: count } = simulate(jobs, grid, {
    ...simulationOptions,
    policy: 'best-fit',
  }).summary;
  if (
    -totalReward / count !== averageResponseTime ||
    environment.summary().averageResponseTime !== averageResponseTime
  ) {
    throw new Error('best-fit as an agent is not best-fit');
  }
  const description = `${stepCount} decisions on ${count} jobs with ${numberCount} numbers each`;
  if (isCheckOnly) {
    console.log(`environment: ${description}, rewards as the metric`);
    return;
  }
  const singleTime = leastOfWindows(stepCount, runEpisode);
  const vector = new EnvironmentVector(ENVIRONMENTS, options);
  const actions = new Int32Array(ENVIRONMENTS);
  const vectorTime = leastOfWindows(stepCount, (lap) => {
    vector.reset();
    for (let step = 0; step < stepCount; step += ENVIRONMENTS) {
      for (let i = 0; i < ENVIRONMENTS; i++) actions[i] = vector.environments[i].view.bestFit;
      vector.step(actions);
      if (step % WINDOW === 0) lap();
    }
    lap();
  });
  const millions = (nanoseconds: number) => `${(1000 / nanoseconds).toFixed(2)} million decisions per second`;
  console.log(
    `environment: ${description}; ${millions(singleTime)}, ${ENVIRONMENTS} environments in turn ${millions(vectorTime)}`,
  );
}
