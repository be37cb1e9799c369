/** Policies that share a simulation beside a simulation of each: an exhaustive study of thresholds, in one thread. */
import { type Policy, parsePolicy } from '../host/core/policies.js';
import { type Configuration, makeConfiguration } from '../host/options/configuration.js';
import { runPolicies } from '../host/simulate/sharedHistories.js';
import { Simulator } from '../host/simulate/simulator.js';
import { type Summary, summarize } from '../host/simulate/summary.js';
import { benchWorkload, SITES } from './runs.js';
import { tableOf } from './table.js';
import { least } from './timing.js';

/** The thresholds of Shih et al. 2010, section 5.2. */
const SPEED_THRESHOLDS = [0.05, 0.1, 0.15, 0.2];
const LOAD_THRESHOLDS = [1, 1.5, 2, 2.5, 3];
const SPEEDS = [
  [1.1, 0.8, 1.3, 0.86, 1.13],
  [0.7, 1.3, 0.8, 1.1, 0.9],
  [1.244, 1.212, 1.393, 0.429, 0.875],
];
const LOADS = [1, 1.5, 2, 2.5, 3, 4];

const METHODS = ['ti', 'tai', 'tai2'].flatMap((method) =>
  SPEED_THRESHOLDS.flatMap((sht) => LOAD_THRESHOLDS.map((slt) => `${method}[sht=${sht},slt=${slt}]`)),
);
const POLICIES: readonly Policy[] = ['best-fit', 'fastest-first', 'si', 'ai', 'ai2', ...METHODS].map((name) =>
  parsePolicy(name),
);

function separately(simulator: Simulator, configuration: Configuration): Summary[] {
  return POLICIES.map((policy) => {
    simulator.begin({ ...configuration, policy });
    simulator.run();
    return summarize(simulator);
  });
}

/** Checks that both give the same, then times them by turns unless only the check is asked for. */
export async function benchSharing(checkOnly: boolean): Promise<void> {
  const workload = await benchWorkload();
  // In places of their own, so that neither finds what the other left.
  const alone = new Simulator(workload);
  const shared = new Simulator(workload);
  const rows: (string | number)[][] = [];
  for (const load of checkOnly ? [1, 2.5] : LOADS) {
    for (const speeds of SPEEDS) {
      const grid = { capacities: SITES.capacities, speeds };
      const configuration = makeConfiguration(grid, { load, timeResolution: 'nearest' });
      const { values, sharing } = runPolicies(shared, configuration, POLICIES, summarize);
      if (JSON.stringify(values) !== JSON.stringify(separately(alone, configuration))) {
        throw new Error(
          `at load ${load} on ${speeds}: policies together have other metrics than by themselves`,
        );
      }
      if (checkOnly) continue;
      let one = Number.POSITIVE_INFINITY;
      let all = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round++) {
        one = Math.min(
          one,
          least(1, () => separately(alone, configuration)),
        );
        all = Math.min(
          all,
          least(3, () => runPolicies(shared, configuration, POLICIES, summarize)),
        );
      }
      const living = sharing.jobs / workload.count;
      rows.push([
        load,
        speeds.join(' '),
        (one / 1e6).toFixed(1),
        (all / 1e6).toFixed(1),
        (one / all).toFixed(1),
        living.toFixed(1),
        (POLICIES.length / living).toFixed(1),
        sharing.forks,
        sharing.joins,
      ]);
    }
  }
  console.log(`sharing: ${POLICIES.length} policies have together the metrics that they have by themselves`);
  if (checkOnly) return;
  const head = [
    'load',
    'speeds',
    'one by one, ms',
    'together, ms',
    'ratio',
    'histories',
    'policies / histories',
  ];
  console.log(tableOf([...head, 'forks', 'joins'], rows));
}
