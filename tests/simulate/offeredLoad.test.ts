import { expect, test } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { makeGrid } from '../../host/grid/grid.js';
import { parseOptionText, type Settings } from '../../host/options/options.js';
import { makeGridOfSettings, makeJobMaker } from '../../host/simulate/experiment.js';
import { computeOfferedLoad } from '../../host/simulate/offeredLoad.js';
import { simulate } from '../../host/simulate/simulate.js';
import { sumExactly } from '../reference/simulator/exactSum.js';
import { findTraceFilePath } from '../traces.js';
import { buildTrace } from '../workload/buildTrace.js';

const LOG = buildTrace(
  Array.from({ length: 200 }, (_, i) => ({
    ...{
      submit: 1000 + 61 * i,
      runtime: 10 + ((i * 37) % 500) / 7,
      processors: 1 + (i % 5),
      queue: 1 + (i % 2),
    },
  })),
);
const SITES = [8, 4];

function settings(optionTexts: Readonly<Record<string, string>>): Settings {
  const parsedOptions = Object.entries(optionTexts).map(([optionName, optionText]) =>
    parseOptionText(optionName, optionText),
  );
  return Object.assign({ workload: 'test.swf', sites: SITES }, ...parsedOptions);
}

test.each(['speed1', 'home'] as const)(
  'the summary has the offered load, runtimes being those of %s',
  (runtimeReference) => {
    const grid = makeGrid({ capacities: SITES, speeds: [1.5, 0.7] });
    const { workload } = makeJobMaker(settings({ estimates: 'exact' }), LOG).makeJobs(grid);
    const options = { discipline: 'easy', runtimeReference, load: [2, 0.3] } as const;
    const { offeredLoad: actualLoad } = simulate(workload, grid, options).summary;
    const terms = Array.from(workload.submit, (_, i) => {
      const home = workload.home[i];
      const workSeconds = workload.runtime[i] * options.load[home];
      return (
        workload.processors[i] * (runtimeReference === 'home' ? workSeconds * grid.speeds[home] : workSeconds)
      );
    });
    expect(actualLoad).toBe(sumExactly(terms) / ((8 * 1.5 + 4 * 0.7) * (61 * 199)));
  },
);

test('submit times are moved so that the load is the one asked for', () => {
  const grid = makeGridOfSettings(settings({}), SITES);
  const loads = ['0.3', '0.9', '1.7'].map((requestedLoadText) => {
    const jobMaker = makeJobMaker(settings({ 'offered-load': requestedLoadText }), LOG);
    const { workload } = jobMaker.makeJobs(grid);
    expect(workload.submit[0]).toBe(1000);
    expect(workload.submit.every(Number.isInteger)).toBe(true);
    return computeOfferedLoad(workload, { grid, load: [1, 1], runtimeReference: 'speed1' });
  });
  [0.3, 0.9, 1.7].forEach((requestedLoad, i) => {
    expect(Math.abs(loads[i] / requestedLoad - 1)).toBeLessThan(1e-3);
  });
});

test('the factor is that of the unchanged jobs, for every replication and all speeds', () => {
  const optionTexts = { 'offered-load': '0.5', perturb: 'shake[submit=5000]' };
  const jobMaker = makeJobMaker(settings(optionTexts), LOG);
  const grid = makeGridOfSettings(settings({}), SITES);
  const jobMakerWithoutOfferedLoad = makeJobMaker(settings({ perturb: optionTexts.perturb }), LOG);
  const unscaledOfferedLoad = computeOfferedLoad(makeJobMaker(settings({}), LOG).makeJobs(grid).workload, {
    ...{ grid, load: [1, 1], runtimeReference: 'speed1' },
  });
  for (const replication of [1, 2, 3]) {
    const unscaledSubmitTimes = jobMakerWithoutOfferedLoad.makeJobs(grid, replication).workload.submit;
    const { submit } = jobMaker.makeJobs(grid, replication).workload;
    const expectedSubmitTimes = unscaledSubmitTimes.map((time) =>
      Math.floor(
        unscaledSubmitTimes[0] + (time - unscaledSubmitTimes[0]) * (unscaledOfferedLoad / 0.5) + 0.5,
      ),
    );
    expect(submit).toEqual(expectedSubmitTimes);
  }
});

test('impossible loads are refused, and a load without end is reported', () => {
  const grid = makeGridOfSettings(settings({}), SITES);
  const makeJobMakerOfLoad = (requestedLoadText: string) =>
    makeJobMaker(settings({ 'offered-load': requestedLoadText }), LOG);
  expect(() => makeJobMakerOfLoad('0')).toThrow('offered-load: expected a number above 0');
  expect(makeJobMakerOfLoad('0.99').remarks).toEqual([]);
  expect(makeJobMakerOfLoad('1').remarks).toEqual([
    'an offered load of 1 saturates the grid: queues grow until the last submission',
  ]);
  const traceWithEqualSubmits = buildTrace([1, 2].map(() => ({ submit: 7, runtime: 5, processors: 1 })));
  expect(() =>
    makeJobMaker(settings({ 'offered-load': '0.5' }), traceWithEqualSubmits).makeJobs(grid),
  ).toThrow(
    'test.swf: all jobs are submitted at the same time, so --offered-load cannot be reached by scaling submit times; omit it',
  );
});

test.each([
  ['KTH-SP2-1996-2.1-cln.swf.gz', 0.7011],
  ['SDSC-SP2-1998-4.2-cln.swf.gz', 0.8341],
])('%s on its machine', async (name, load) => {
  const file = findTraceFilePath(name);
  if (file === undefined) return;
  const trace = await readTrace(file);
  const grid = makeGrid({ capacities: [trace.header.maxProcessors as number] });
  const { workload } = makeJobMaker({ workload: file, home: 'none', oversize: 'drop' }, trace).makeJobs(grid);
  expect(simulate(workload, grid).summary.offeredLoad).toBeCloseTo(load, 4);
});
