/**
 * Times policies that share a simulation, one simulation per policy, and native code that simulates them one
 * after the other: an exhaustive study of thresholds in one thread.
 */
import { corePolicyParameters, parsePolicy } from '../host/core/policies.js';
import { type Configuration, makeConfiguration } from '../host/options/configuration.js';
import { runPolicies } from '../host/simulate/sharedHistories.js';
import { Simulator } from '../host/simulate/simulator.js';
import { type Summary, summarize } from '../host/simulate/summary.js';
import { NativeProgram } from './native.js';
import { type BenchRun, benchWorkload, hashOf, SITES, writeJobs } from './runs.js';
import { tableOf } from './table.js';
import { leastTime } from './timing.js';

/** Thresholds of Shih et al. 2010, section 5.2. */
const SPEED_THRESHOLDS = [0.05, 0.1, 0.15, 0.2];
const LOAD_THRESHOLDS = [1, 1.5, 2, 2.5, 3];
const SPEEDS = [
  [1.1, 0.8, 1.3, 0.86, 1.13],
  [0.7, 1.3, 0.8, 1.1, 0.9],
  [1.244, 1.212, 1.393, 0.429, 0.875],
];
const LOADS = [1, 1.5, 2, 2.5, 3, 4];
const ROUNDS = 3;

const METHODS = ['ti', 'tai', 'tai2'].flatMap((method) =>
  SPEED_THRESHOLDS.flatMap((sht) => LOAD_THRESHOLDS.map((slt) => `${method}[sht=${sht},slt=${slt}]`)),
);
const POLICIES = ['best-fit', 'fastest-first', 'si', 'ai', 'ai2', ...METHODS].map((name) =>
  parsePolicy(name),
);

/** Times of the sharing benchmark at one load and one vector of site speeds. */
export interface SharingTimes {
  readonly load: number;
  readonly speeds: readonly number[];
  /**
   * Milliseconds to simulate all policies with their metrics separately and together, and by native code
   * without metrics (undefined without a compiler).
   */
  readonly millisecondsApart: number;
  readonly millisecondsShared: number;
  readonly millisecondsNative: number | undefined;
  /** Average number of distinct histories, weighted by the jobs that start in them. */
  readonly histories: number;
  readonly forks: number;
  readonly joins: number;
}

function separately(
  simulator: Simulator,
  configuration: Configuration,
  onDone: (simulator: Simulator) => void = () => {},
): Summary[] {
  return POLICIES.map((policy) => {
    simulator.begin({ ...configuration, policy });
    simulator.run();
    onDone(simulator);
    return summarize(simulator);
  });
}

function nativeRuns(load: number, speeds: readonly number[]): BenchRun[] {
  return POLICIES.map((policy) => ({
    policy: policy.declaration.name,
    index: policy.declaration.index,
    parameters: corePolicyParameters(policy),
    load,
    capacities: SITES.capacities,
    speeds,
  }));
}

/**
 * Throws unless the policies have the same metrics together as separately, and native code the same
 * schedules.
 */
function check(
  simulator: Simulator,
  configuration: Configuration,
  sharedSummaries: readonly Summary[],
  native: readonly number[][],
) {
  const hashes: number[] = [];
  const summaries = separately(simulator, configuration, (each) => hashes.push(hashOf(each.schedule())));
  const areSame = JSON.stringify(sharedSummaries) === JSON.stringify(summaries);
  if (areSame && native.every((nativeHashes) => nativeHashes.join() === hashes.join())) return;
  throw new Error(
    `${configuration.grid.speeds}: policies together or in native code have other results than by themselves`,
  );
}

/** Checks that all results are equal; unless `isCheckOnly`, times them alternately. */
export async function benchSharing(isCheckOnly: boolean): Promise<SharingTimes[]> {
  const workload = await benchWorkload();
  // Two simulators, so that neither profits from data of the other in the processor's caches.
  const simulatorOfSingles = new Simulator(workload);
  const sharedSimulator = new Simulator(workload);
  const nativePrograms = NativeProgram.compile(writeJobs(workload));
  const rows: SharingTimes[] = [];
  for (const load of isCheckOnly ? [1, 2.5] : LOADS) {
    for (const speeds of SPEEDS) {
      const grid = { capacities: SITES.capacities, speeds };
      const configuration = makeConfiguration(grid, { load, timeResolution: 'nearest' });
      const runs = nativeRuns(load, speeds);
      const { values: valuesByPolicy, sharing } = runPolicies(
        sharedSimulator,
        configuration,
        POLICIES,
        summarize,
      );
      const hashes = nativePrograms.map((native) => native.timeAll(runs, 1).map(({ hash }) => hash));
      check(simulatorOfSingles, configuration, valuesByPolicy, hashes);
      if (isCheckOnly) continue;
      let leastSeparate = Number.POSITIVE_INFINITY;
      let leastTogether = Number.POSITIVE_INFINITY;
      const nativeTimes = nativePrograms.map(() => runs.map(() => Number.POSITIVE_INFINITY));
      for (let round = 0; round < ROUNDS; round++) {
        leastSeparate = Math.min(
          leastSeparate,
          leastTime(1, () => separately(simulatorOfSingles, configuration)),
        );
        leastTogether = Math.min(
          leastTogether,
          leastTime(3, () => runPolicies(sharedSimulator, configuration, POLICIES, summarize)),
        );
        for (const [i, program] of nativePrograms.entries()) {
          for (const [runIndex, { nanoseconds }] of program.timeAll(runs, 1).entries()) {
            nativeTimes[i][runIndex] = Math.min(nativeTimes[i][runIndex], nanoseconds);
          }
        }
      }
      const nativeMilliseconds = nativeTimes.map((times) => times.reduce((sum, time) => sum + time, 0) / 1e6);
      rows.push({
        load,
        speeds,
        millisecondsApart: leastSeparate / 1e6,
        millisecondsShared: leastTogether / 1e6,
        millisecondsNative: nativeMilliseconds.length > 0 ? Math.min(...nativeMilliseconds) : undefined,
        histories: sharing.jobs / workload.count,
        forks: sharing.forks,
        joins: sharing.joins,
      });
    }
  }
  const nativeNote = nativePrograms.length > 0 ? ', and native code has their schedules' : '';
  console.log(
    `sharing: ${POLICIES.length} policies have together the metrics that they have by themselves${nativeNote}`,
  );
  if (!isCheckOnly) print(rows);
  return rows;
}

function print(rows: readonly SharingTimes[]): void {
  const headings = ['load', 'speeds', 'one by one, ms', 'native, ms', 'together, ms', 'ratio', 'to native'];
  const cells = rows.map((row) => [
    row.load,
    row.speeds.join(' '),
    row.millisecondsApart.toFixed(1),
    row.millisecondsNative?.toFixed(1) ?? '',
    row.millisecondsShared.toFixed(1),
    (row.millisecondsApart / row.millisecondsShared).toFixed(1),
    row.millisecondsNative === undefined ? '' : (row.millisecondsNative / row.millisecondsShared).toFixed(1),
    row.histories.toFixed(1),
    (POLICIES.length / row.histories).toFixed(1),
    row.forks,
    row.joins,
  ]);
  console.log(tableOf([...headings, 'histories', 'policies / histories', 'forks', 'joins'], cells));
}
