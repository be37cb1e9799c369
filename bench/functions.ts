/** What a policy as a function costs beside the same policy of the core. */
import type { PolicyFunction } from '../host/core/ownPolicy.js';
import { makeGrid } from '../host/grid/grid.js';
import { simulate } from '../host/simulate/simulate.js';
import { benchWorkload, hashOf, LOADS, SITES } from './runs.js';
import { tableOf } from './table.js';
import { least } from './timing.js';

const ROUNDS = 5;

/** Policies of the core written as functions. */
const FUNCTIONS: readonly (readonly [name: string, choose: PolicyFunction])[] = [
  ['best-fit', (view) => view.bestFit],
  ['fastest-first', (view) => view.fastestFirst],
];

/**
 * Checks that functions give the schedules of the policies that they write down, then prints how many times as long whole
 * runs take with them, by turns, unless only the check is asked for.
 */
export async function benchFunctions(checkOnly: boolean): Promise<void> {
  const jobs = await benchWorkload();
  const grid = makeGrid(SITES);
  const rows: (string | number)[][] = [];
  for (const [name, choose] of FUNCTIONS) {
    const cells = LOADS.map((load) => {
      const run = (policy: string | PolicyFunction) =>
        simulate(jobs, grid, { timeResolution: 'nearest', load, policy });
      if (hashOf(run(name).schedule) !== hashOf(run(choose).schedule)) {
        throw new Error(`${name} as a function is not ${name}`);
      }
      if (checkOnly) return 0;
      const nanoseconds = [Infinity, Infinity];
      for (let round = 0; round < ROUNDS; round++) {
        for (const [i, policy] of [name, choose].entries()) {
          nanoseconds[i] = Math.min(
            nanoseconds[i],
            least(2, () => run(policy)),
          );
        }
      }
      return nanoseconds[1] / nanoseconds[0];
    });
    rows.push([name, ...cells.map((ratio) => ratio.toFixed(2))]);
  }
  if (checkOnly) console.log('functions: the schedules of the policies that they write down');
  else console.log(tableOf(['as a function, to plain runs', ...LOADS.map((load) => `load ${load}`)], rows));
}
