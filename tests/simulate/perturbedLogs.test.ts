import { describe, expect, test } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/simulate/simulate.js';
import { traceInfo } from '../../host/trace/info.js';
import { makeWorkload } from '../../host/workload/make.js';
import { parsePerturbation, perturbTrace } from '../../host/workload/perturb.js';
import { findTraceFilePath } from '../traces.js';

/** Perturbed real logs: properties that stay, and the mean wait under EASY. */

const KTH_LOG_FILE = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');
const SAN_DIEGO_LOG_FILE = findTraceFilePath('SDSC-SP2-1998-4.2-cln.swf.gz');

const SEEDS = Array.from({ length: 10 }, (_, i) => i + 1);

function countSubmitsByHourOfWeek(submit: Float64Array): number[] {
  const submitCountsByHourOfWeek = new Array(7 * 24).fill(0);
  for (const time of submit) submitCountsByHourOfWeek[Math.floor((time % 604_800) / 3600)]++;
  return submitCountsByHourOfWeek;
}

describe.each([
  ['KTH', KTH_LOG_FILE, 0.7011],
  ['San Diego', SAN_DIEGO_LOG_FILE, 0.8341],
])('%s', (_, file, load) => {
  test.skipIf(file === undefined)(
    'keeps its offered load, and recombined its hours of the week',
    async () => {
      const trace = await readTrace(file as string);
      expect(traceInfo(trace).offeredLoad).toBeCloseTo(load, 4);
      const usable = makeWorkload(trace, { siteCount: 1 });
      for (const seed of [1, 2, 3]) {
        const shakenTrace = perturbTrace(trace, parsePerturbation(`shake[seed=${seed}]`));
        expect(traceInfo(shakenTrace).offeredLoad).toBeCloseTo(load, 4);
        const resampledTrace = perturbTrace(trace, parsePerturbation(`resample[seed=${seed}]`));
        expect(traceInfo(resampledTrace).offeredLoad).toBeCloseTo(load, 4);
        const { submit } = makeWorkload(resampledTrace, { siteCount: 1 });
        expect(submit).not.toEqual(usable.submit);
        expect(countSubmitsByHourOfWeek(submit)).toEqual(countSubmitsByHourOfWeek(usable.submit));
      }
    },
  );
});

test.skipIf(KTH_LOG_FILE === undefined)('the mean wait of KTH under EASY', async () => {
  const trace = await readTrace(KTH_LOG_FILE as string);
  const grid = makeGrid({ capacities: [trace.header.maxProcessors as number] });
  const computeMeanWaitWith = (perturb?: string) => {
    const workload = makeWorkload(trace, {
      ...{ siteCount: 1, capacities: grid.capacities },
      perturb: perturb === undefined ? undefined : parsePerturbation(perturb),
    });
    return Math.round(simulate(workload, grid, { discipline: 'easy' }).summary.meanWait);
  };
  expect(computeMeanWaitWith()).toBe(6900);
  expect(SEEDS.map((seed) => computeMeanWaitWith(`shake[seed=${seed}]`))).toEqual([
    6861, 6822, 6746, 6926, 6917, 6923, 6775, 6717, 6892, 6831,
  ]);
  expect(SEEDS.map((seed) => computeMeanWaitWith(`resample[seed=${seed}]`))).toEqual([
    12408, 13872, 15783, 13034, 19328, 18686, 16934, 18011, 12622, 16910,
  ]);
});
