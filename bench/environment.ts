/**
 * Decisions per second of the learning environment, with a trivial agent and an observation of 16 numbers.
 */
import { makeGrid } from '../host/grid/grid.js';
import { Environment, type EnvironmentOptions, EnvironmentVector } from '../host/learn/environment.js';
import { simulate } from '../host/simulate/simulate.js';
import { loadBenchWorkload, SITES } from './runs.js';

const REPEAT_COUNT = 15;
/** Number of environments in the vector. */
const ENVIRONMENT_COUNT = 8;
/**
 * Number of decisions between two readings of the clock, so few that a busy machine interrupts few of these
 * windows.
 */
const DECISIONS_PER_WINDOW = 1024;

/**
 * Returns nanoseconds per step of an action, from the shortest time of each window between two laps over all
 * repetitions.
 */
function measureLeastTimePerStep(steps: number, action: (endLap: () => void) => void): number {
  const leastTimes: number[] = [];
  for (let repeatIndex = 0; repeatIndex < REPEAT_COUNT; repeatIndex++) {
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
  const jobs = await loadBenchWorkload();
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
      if (++stepCount % DECISIONS_PER_WINDOW === 0) lap();
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
  const singleEnvironmentTime = measureLeastTimePerStep(stepCount, runEpisode);
  const environmentVector = new EnvironmentVector(ENVIRONMENT_COUNT, options);
  const actions = new Int32Array(ENVIRONMENT_COUNT);
  const environmentVectorTime = measureLeastTimePerStep(stepCount, (lap) => {
    environmentVector.reset();
    for (let step = 0; step < stepCount; step += ENVIRONMENT_COUNT) {
      for (let i = 0; i < ENVIRONMENT_COUNT; i++) actions[i] = environmentVector.environments[i].view.bestFit;
      environmentVector.step(actions);
      if (step % DECISIONS_PER_WINDOW === 0) lap();
    }
    lap();
  });
  const formatDecisionRate = (nanoseconds: number) =>
    `${(1000 / nanoseconds).toFixed(2)} million decisions per second`;
  console.log(
    `environment: ${description}; ${formatDecisionRate(singleEnvironmentTime)}, ${ENVIRONMENT_COUNT} environments in turn ${formatDecisionRate(environmentVectorTime)}`,
  );
}
