/**
 * Times scheduling passes at intervals instead of at every event: each discipline with separate main and
 * backfill passes, delays and gaps, relative to the same discipline with a pass at every event.
 */

import { openCore } from '../host/core/module.js';
import { makeConfiguration, type SimulationOptions } from '../host/options/configuration.js';
import { putJobTableAtMemoryStart } from '../host/simulate/layout.js';
import { Simulator } from '../host/simulate/simulator.js';
import { makeWorkload } from '../host/workload/make.js';
import { makeModelTrace } from '../host/workload/models.js';
import type { Workload } from '../host/workload/workload.js';
import { readPreparedLog } from '../tests/preparedLog.js';
import { findTraceFilePath } from '../tests/traces.js';
import { hashOfSchedule } from './runs.js';
import { formatBenchTable } from './table.js';
import { measureLeastTime, measureLeastTimes } from './timing.js';

const ONE_SITE = { capacities: [100], speeds: [1] };
const FIVE_SITES = { capacities: [100, 40, 30, 20, 10], speeds: [0.5, 0.5, 0.6, 0.4, 0.5] };

const PASS_OPTIONS = {
  'at every event': {},
  'backfill every 30 s': { backfillInterval: 30 },
  'backfill every 300 s': { backfillInterval: 300 },
  '3 s after a submit': { passDelay: { submit: 3, end: 0 } },
  '2 s apart': { passGap: 2 },
} as const satisfies Record<string, SimulationOptions>;

/** The options of Slurm with its defaults (`--scheduler slurm`). */
const SLURM_OPTIONS: SimulationOptions = {
  discipline: 'conservative',
  planBy: 'node',
  passDelay: { submit: 1, end: 0.8 },
  passGap: 3,
  backfillInterval: 30,
  backfillOverlap: 'closed',
  backfillResolution: 60,
  backfillJobs: 500,
  backfillSegments: 500,
  backfillWindow: 86_400,
  endWindow: 30,
  releaseDelay: 0.2,
};

/** Disciplines, and the largest accepted ratio of their times with passes to those without. */
const BOUNDED_CASES: readonly {
  name: string;
  grid: typeof ONE_SITE;
  options: SimulationOptions;
  bound: number;
}[] = [
  { name: 'first-available', grid: ONE_SITE, options: { discipline: 'first-available' }, bound: 4.5 },
  { name: 'easy', grid: ONE_SITE, options: { discipline: 'easy' }, bound: 2.5 },
  { name: 'easy, depth 4', grid: ONE_SITE, options: { discipline: 'easy', reservationDepth: 4 }, bound: 1.5 },
  {
    name: 'replanned',
    grid: ONE_SITE,
    options: { discipline: 'conservative', reservations: 'replanned' },
    bound: 1.5,
  },
  { name: 'easy, 5 sites', grid: FIVE_SITES, options: { discipline: 'easy' }, bound: 1.5 },
  {
    name: 'easy, 5 sites, best-fit',
    grid: FIVE_SITES,
    options: { discipline: 'easy', policy: 'best-fit' },
    bound: 2.2,
  },
  {
    name: 'replanned, 5 sites',
    grid: FIVE_SITES,
    options: { discipline: 'conservative', reservations: 'replanned' },
    bound: 1.5,
  },
];

/** Longest accepted event loop of Slurm's defaults, in seconds of processor time. */
const MAX_SLURM_SECONDS = 0.5;

/** A simulation that is begun again for each run; its release and checked builds must agree. */
function makeTimedRun(workload: Workload, grid: typeof ONE_SITE, options: SimulationOptions): () => number {
  const configuration = makeConfiguration(grid, options);
  const hashes = (['release', 'checked'] as const).map((build) => {
    const simulator = new Simulator(workload, putJobTableAtMemoryStart(openCore(build), workload));
    simulator.begin(configuration);
    simulator.run();
    return hashOfSchedule(simulator.schedule());
  });
  if (hashes[0] !== hashes[1]) throw new Error(`${JSON.stringify(options)}: the builds differ`);
  const simulator = new Simulator(workload);
  return () => {
    simulator.begin(configuration);
    return measureLeastTime(1, () => simulator.runUntil(Number.POSITIVE_INFINITY));
  };
}

/** The KTH log if GRIDALLOC_TRACES has it, otherwise jobs of a model. */
async function loadPassWorkload(): Promise<Workload> {
  const file = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');
  if (file !== undefined) return readPreparedLog(file);
  return makeWorkload(makeModelTrace('lublin99[aarr=9,jobs=5000]'), {
    siteCount: 1,
    home: 'none',
    filters: [],
  });
}

/** Checks the results; unless `isCheckOnly`, times them, and fails if a ratio is above its bound. */
export async function benchPasses(isCheckOnly: boolean): Promise<void> {
  const workload = await loadPassWorkload();
  const exceededBoundMessages: string[] = [];
  const rows = BOUNDED_CASES.map(({ name, grid, options, bound }) => {
    const runs = Object.values(PASS_OPTIONS).map((passOptions) =>
      makeTimedRun(workload, grid, { ...options, ...passOptions }),
    );
    const [timeWithoutPasses = 0, ...timesWithPasses] = isCheckOnly ? [] : measureLeastTimes(10, runs);
    const ratios = timesWithPasses.map((time) => time / timeWithoutPasses);
    if (ratios.some((ratio) => ratio > bound))
      exceededBoundMessages.push(`${name}: ${ratios.map((ratio) => ratio.toFixed(2))}`);
    return [name, (timeWithoutPasses / 1e6).toFixed(1), ...ratios.map((ratio) => ratio.toFixed(2)), bound];
  });
  const timeSlurmRun = makeTimedRun(workload, ONE_SITE, SLURM_OPTIONS);
  console.log(`passes: ${workload.count} jobs give the schedules of the checked build`);
  if (isCheckOnly) return;
  const [, ...names] = Object.keys(PASS_OPTIONS);
  console.log(formatBenchTable(['discipline', 'ms', ...names, 'bound'], rows));
  const [seconds = 0] = measureLeastTimes(5, [timeSlurmRun]).map((time) => time / 1e9);
  console.log(`passes: Slurm's defaults take ${seconds.toFixed(3)} s (bound ${MAX_SLURM_SECONDS} s)`);
  if (seconds > MAX_SLURM_SECONDS) exceededBoundMessages.push(`Slurm's defaults: ${seconds} s`);
  if (exceededBoundMessages.length > 0)
    throw new Error(`passes take too long: ${exceededBoundMessages.join('; ')}`);
}
