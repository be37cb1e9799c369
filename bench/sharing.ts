/**
 * Times policies that share a simulation, one simulation per policy, and native code that simulates them one
 * after the other: an exhaustive study of thresholds in one thread.
 */
import { makeCorePolicyParameters, parsePolicy } from '../host/core/policies.js';
import { type Configuration, makeConfiguration } from '../host/options/configuration.js';
import { runPolicies } from '../host/simulate/sharedHistories.js';
import { Simulator } from '../host/simulate/simulator.js';
import { type Summary, summarize } from '../host/simulate/summary.js';
import { NativeProgram } from './native.js';
import { type BenchRun, hashOfSchedule, loadBenchWorkload, SITES, writeJobsFile } from './runs.js';
import { formatBenchTable } from './table.js';
import { measureLeastTime } from './timing.js';

/** Thresholds of Shih et al. 2010, section 5.2. */
const SPEED_THRESHOLDS = [0.05, 0.1, 0.15, 0.2];
const LOAD_THRESHOLDS = [1, 1.5, 2, 2.5, 3];
const SPEED_VECTORS = [
  [1.1, 0.8, 1.3, 0.86, 1.13],
  [0.7, 1.3, 0.8, 1.1, 0.9],
  [1.244, 1.212, 1.393, 0.429, 0.875],
];
const LOADS = [1, 1.5, 2, 2.5, 3, 4];
const ROUND_COUNT = 3;

const THRESHOLD_POLICY_NAMES = ['ti', 'tai', 'tai2'].flatMap((method) =>
  SPEED_THRESHOLDS.flatMap((sht) => LOAD_THRESHOLDS.map((slt) => `${method}[sht=${sht},slt=${slt}]`)),
);
const POLICIES = ['best-fit', 'fastest-first', 'si', 'ai', 'ai2', ...THRESHOLD_POLICY_NAMES].map((name) =>
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

function runPoliciesSeparately(
  simulator: Simulator,
  configuration: Configuration,
  onRunDone: (simulator: Simulator) => void = () => {},
): Summary[] {
  return POLICIES.map((policy) => {
    simulator.begin({ ...configuration, policy });
    simulator.run();
    onRunDone(simulator);
    return summarize(simulator);
  });
}

function makeNativeRuns(load: number, speeds: readonly number[]): BenchRun[] {
  return POLICIES.map((policy) => ({
    policy: policy.declaration.name,
    index: policy.declaration.index,
    parameters: makeCorePolicyParameters(policy),
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
  const summaries = runPoliciesSeparately(simulator, configuration, (each) =>
    hashes.push(hashOfSchedule(each.schedule())),
  );
  const areSummariesEqual = JSON.stringify(sharedSummaries) === JSON.stringify(summaries);
  if (areSummariesEqual && native.every((nativeHashes) => nativeHashes.join() === hashes.join())) return;
  throw new Error(
    `${configuration.grid.speeds}: policies together or in native code have other results than by themselves`,
  );
}

/** Checks that all results are equal; unless `isCheckOnly`, times them alternately. */
export async function benchSharing(isCheckOnly: boolean): Promise<SharingTimes[]> {
  const workload = await loadBenchWorkload();
  // Two simulators, so that neither profits from data of the other in the processor's caches.
  const separateSimulator = new Simulator(workload);
  const sharedSimulator = new Simulator(workload);
  const nativePrograms = NativeProgram.compile(writeJobsFile(workload));
  const rows: SharingTimes[] = [];
  for (const load of isCheckOnly ? [1, 2.5] : LOADS) {
    for (const speeds of SPEED_VECTORS) {
      const grid = { capacities: SITES.capacities, speeds };
      const configuration = makeConfiguration(grid, { load, timeResolution: 'nearest' });
      const runs = makeNativeRuns(load, speeds);
      const { values: valuesByPolicy, sharing } = runPolicies(
        sharedSimulator,
        configuration,
        POLICIES,
        summarize,
      );
      const hashes = nativePrograms.map((native) => native.timeAllRuns(runs, 1).map(({ hash }) => hash));
      check(separateSimulator, configuration, valuesByPolicy, hashes);
      if (isCheckOnly) continue;
      let leastSeparateTime = Number.POSITIVE_INFINITY;
      let leastSharedTime = Number.POSITIVE_INFINITY;
      const nativeTimes = nativePrograms.map(() => runs.map(() => Number.POSITIVE_INFINITY));
      for (let round = 0; round < ROUND_COUNT; round++) {
        leastSeparateTime = Math.min(
          leastSeparateTime,
          measureLeastTime(1, () => runPoliciesSeparately(separateSimulator, configuration)),
        );
        leastSharedTime = Math.min(
          leastSharedTime,
          measureLeastTime(3, () => runPolicies(sharedSimulator, configuration, POLICIES, summarize)),
        );
        for (const [i, program] of nativePrograms.entries()) {
          for (const [runIndex, { nanoseconds }] of program.timeAllRuns(runs, 1).entries()) {
            nativeTimes[i][runIndex] = Math.min(nativeTimes[i][runIndex], nanoseconds);
          }
        }
      }
      const nativeMilliseconds = nativeTimes.map((times) => times.reduce((sum, time) => sum + time, 0) / 1e6);
      rows.push({
        load,
        speeds,
        millisecondsApart: leastSeparateTime / 1e6,
        millisecondsShared: leastSharedTime / 1e6,
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
  if (!isCheckOnly) printSharingTimes(rows);
  return rows;
}

function printSharingTimes(rows: readonly SharingTimes[]): void {
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
  console.log(formatBenchTable([...headings, 'histories', 'policies / histories', 'forks', 'joins'], cells));
}
