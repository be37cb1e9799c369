/** Simulations of every kind that use only the portable library, so that they run in any host. */
import type * as Portable from '../../host/portable.js';

type PortableLibrary = typeof Portable;

const LOG = [
  '; MaxProcs: 64',
  ...Array.from({ length: 400 }, (_, i) => {
    const runtime = 1 + ((i * 7919) % 997);
    const processors = 1 + ((i * 31) % 48);
    return `${i + 1} ${i * 37} -1 ${runtime} ${processors} -1 -1 ${processors} ${2 * runtime} -1 1 ${1 + (i % 7)} 1 -1 ${1 + (i % 3)} -1 -1 -1`;
  }),
].join('\n');

/** Metrics and schedule of each scenario, computed with a library. */
export function simulateAllScenarios(library: PortableLibrary): unknown[] {
  const { drawSpeeds, makeGrid, makeModelTrace, makeWorkload, parseTrace, simulate, traceInfo } = library;
  const capacities = [64, 48, 64];
  const grid = makeGrid({ capacities, speeds: [1, 0.7, 1.9] });
  const traceOfTestLog = parseTrace(LOG);
  const jobs = makeWorkload(traceOfTestLog, { siteCount: 3, capacities });
  const workloadOfModel = makeWorkload(makeModelTrace('lublin99[aarr=9,jobs=2000,seed=3]'), {
    siteCount: 3,
    capacities: [128, 128, 50],
  });
  const gridWithDrawnSpeeds = makeGrid({
    capacities: [128, 128, 50],
    speeds: drawSpeeds({ capacities: [128, 128, 50], heterogeneity: 0.12, seed: 1 }),
  });
  const options: readonly Portable.SimulationOptions[] = [
    { policy: 'best-fit', load: 2 },
    { policy: 'tai2', load: 2.5, timeResolution: 'nearest' },
    { policy: 'random[seed=4]', discipline: 'first-available', load: 2 },
    { discipline: 'easy', load: 2 },
    { discipline: 'conservative', multiSiteFactor: 1.2, load: 2 },
    {
      discipline: 'njf',
      queue: 'per-home',
      reclaim: true,
      minSpeedRatio: 1,
      policy: 'fastest-first',
      load: 2,
    },
    { multiSite: 'adaptive', multiSiteOverhead: 0.5, load: 2 },
    { moldable: 'down', speedup: { averageParallelism: 16, sigma: 1 }, load: 2 },
  ];
  const runs = options.map((option) => simulate(jobs, grid, option));
  runs.push(simulate(workloadOfModel, gridWithDrawnSpeeds, { policy: 'ai2' }));
  return [
    traceInfo(traceOfTestLog),
    ...runs.map(({ summary: simulationSummary, schedule }) => ({
      summary: simulationSummary,
      start: [...schedule.start],
    })),
  ];
}
