/**
 * Times scheduling disciplines, queues per home site, multi-site jobs and moldable jobs: nanoseconds per job
 * and the ratio to first come, first served.
 */
import {
  type Configuration,
  makeConfiguration,
  type SimulationOptions,
} from '../host/options/configuration.js';
import { Simulator } from '../host/simulate/simulator.js';
import { withEstimates } from '../host/workload/estimates.js';
import { hashOfSchedule, LOADS, loadBenchWorkload, SITES } from './runs.js';
import { formatBenchTable } from './table.js';
import { measureLeastTime, measureLeastTimes } from './timing.js';

const RUNS: readonly (readonly [name: string, options: SimulationOptions])[] = [
  ['fcfs', {}],
  ['njf', { discipline: 'njf' }],
  ['wjf', { discipline: 'wjf' }],
  ['sjf', { discipline: 'sjf' }],
  ['first-available', { discipline: 'first-available' }],
  ['fcfs, queue per home', { queue: 'per-home' }],
  ['njf, queue per home', { queue: 'per-home', discipline: 'njf' }],
  ['njf, reclaiming', { queue: 'per-home', discipline: 'njf', reclaim: true, minSpeedRatio: 1 }],
  ['fcfs, split adaptively', { multiSite: 'adaptive', multiSiteOverhead: 0.3 }],
  ['fcfs, scaled down', { moldable: 'down' }],
  ['fcfs, scaled down by prediction', { moldable: 'down', moldableThreshold: 1 }],
];

/**
 * Checks that the release build gives the bytes of the checked build for every run; unless `isCheckOnly`,
 * prints ns per job and the ratio to fcfs at the same load.
 */
export async function benchDisciplines(isCheckOnly: boolean): Promise<void> {
  const workload = withEstimates(await loadBenchWorkload(), { source: 'exact' });
  const releaseSimulator = new Simulator(workload);
  const checkedSimulator = new Simulator(workload, 'checked');
  const runOnRelease = (configuration: Configuration) => {
    releaseSimulator.begin(configuration);
    releaseSimulator.runUntil(Number.POSITIVE_INFINITY);
  };
  const headings = ['discipline', ...LOADS.flatMap((load) => [`ns per job, load ${load}`, 'to fcfs'])];
  const rows: (string | number)[][] = [];
  for (const [name, options] of RUNS) {
    const cells = LOADS.flatMap((load) => {
      const rules = { timeResolution: 'nearest', load } as const;
      const configuration = makeConfiguration(SITES, { ...rules, ...options });
      const hashes = [releaseSimulator, checkedSimulator].map((simulator) => {
        simulator.begin(configuration);
        simulator.run();
        return hashOfSchedule(simulator.schedule());
      });
      if (hashes[0] !== hashes[1]) throw new Error(`${name} at load ${load}: the two builds differ`);
      if (isCheckOnly) return [];
      const [run, fcfs] = measureLeastTimes(
        5,
        [configuration, makeConfiguration(SITES, rules)].map(
          (configuration) => () => measureLeastTime(2, () => runOnRelease(configuration)),
        ),
      );
      return [(run / workload.count).toFixed(1), (run / fcfs).toFixed(2)];
    });
    rows.push([name, ...cells]);
  }
  console.log(`disciplines: ${RUNS.length * LOADS.length} runs give the bytes of the checked build`);
  if (!isCheckOnly) console.log(formatBenchTable(headings, rows));
}
