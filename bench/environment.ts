/** Decisions per second of an environment for learning, with an agent that costs nothing and an observation of 16 numbers. */
import { makeGrid } from '../host/grid/grid.js';
import { Environment, type EnvironmentOptions } from '../host/simulate/environment.js';
import { EnvironmentVector } from '../host/simulate/environmentVector.js';
import { simulate } from '../host/simulate/simulate.js';
import { benchWorkload, SITES } from './runs.js';
import { least } from './timing.js';

const REPEATS = 15;
/** Environments of the vector. */
const SEVERAL = 8;

/** Checks that best-fit as an agent gives the schedule's response, in rewards too; then times it unless only that is asked for. */
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
  const episode = () => {
    environment.reset();
    steps = 0;
    total = 0;
    const { last, view } = environment;
    while (!last.terminated) {
      total += environment.step(view.bestFit).reward;
      steps++;
    }
  };
  episode();
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
  const one = least(REPEATS, episode) / steps;
  const vector = new EnvironmentVector(SEVERAL, options);
  const actions = new Int32Array(SEVERAL);
  vector.reset();
  const several =
    least(REPEATS, () => {
      for (let step = 0; step < steps; step += SEVERAL) {
        for (let i = 0; i < SEVERAL; i++) actions[i] = vector.environments[i].view.bestFit;
        vector.step(actions);
      }
    }) /
    (Math.ceil(steps / SEVERAL) * SEVERAL);
  const millions = (nanoseconds: number) => `${(1000 / nanoseconds).toFixed(2)} million decisions per second`;
  console.log(
    `environment: ${what}; ${millions(one)}, ${SEVERAL} environments by turns ${millions(several)}`,
  );
}
