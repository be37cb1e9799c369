import { expect, test } from 'vitest';
import { parseOptionText, type Settings } from '../../host/options/options.js';
import { makeGridOfSettings, makeJobMaker } from '../../host/simulate/experiment.js';
import { makeModelTrace } from '../../host/workload/models.js';
import type { Workload } from '../../host/workload/workload.js';
import { buildTrace } from '../workload/buildTrace.js';

/**
 * Tests replications: the jobs of one must be the same alone, under its own seed, and among other
 * replications.
 */

const LOG = buildTrace(
  Array.from({ length: 300 }, (_, i) => ({ submit: 3600 * i, runtime: 600, processors: 4, user: i % 7 })),
);
const SITES = [128, 64, 64];
const GRID_OPTIONS = { capacities: SITES, speeds: [1, 1, 1] };

function settings(optionTexts: Readonly<Record<string, string>>): Settings {
  const parsedOptions = Object.entries(optionTexts).map(([optionName, optionText]) =>
    parseOptionText(optionName, optionText),
  );
  return Object.assign({ workload: 'test.swf' }, ...parsedOptions);
}

const makeJobs = (jobSettings: Settings, trace = LOG) =>
  makeJobMaker(jobSettings, trace).makeJobs(GRID_OPTIONS).workload;

const columnsOf = ({ submit, runtime, estimate, data: inputBytes }: Workload) => ({
  submit,
  runtime,
  estimate,
  data: inputBytes,
});

test.each([
  ['shake[seed=3]', 'shake[seed=7]'],
  ['resample[block=86400]', 'resample[block=86400,seed=5]'],
])('replication 5 of %s is the first of %s', (perturb, perturbationWithMovedSeed) => {
  const workloadOfReplication = makeJobs(settings({ perturb, replication: '5' }));
  expect(workloadOfReplication).toEqual(makeJobs(settings({ perturb: perturbationWithMovedSeed })));
  expect(workloadOfReplication).toEqual(
    makeJobMaker(settings({ perturb }), LOG).makeJobs(GRID_OPTIONS, 5).workload,
  );
  expect(workloadOfReplication.submit).not.toEqual(makeJobs(settings({ perturb })).submit);
});

test('a log is shaken by default, and unchanged where no replication is asked for', () => {
  const shakenWorkload = makeJobs(settings({ perturb: 'shake', replication: '2' }));
  expect(makeJobs(settings({ replication: '2' }))).toEqual(shakenWorkload);
  expect(makeJobs(settings({})).submit).toEqual(LOG.columns.submit);
});

test('a model has another seed, and so have estimate errors and data sizes', () => {
  const makeModelJobs = (modelNotation: string, extraOptions: Record<string, string>) =>
    makeJobs(
      settings({ workload: modelNotation, ...extraOptions }),
      makeModelTrace('lublin99[jobs=50,seed=2]'),
    );
  const drawnOptions = { estimates: 'uniform:0.2:4', 'data-size': 'exponential[mean=9,seed=6]' };
  const thirdReplication = makeModelJobs('lublin99[jobs=50,seed=2]', { ...drawnOptions, replication: '3' });
  const optionsWithMovedSeeds = { estimates: 'uniform:0.2:6', 'data-size': 'exponential[mean=9,seed=8]' };
  const trace = makeModelTrace('lublin99[jobs=50,seed=4]');
  expect(columnsOf(thirdReplication)).toEqual(columnsOf(makeJobs(settings(optionsWithMovedSeeds), trace)));
  expect(thirdReplication.name).toBe(trace.source);
  const shakenWorkload = makeModelJobs('lublin99[jobs=50,seed=2]', {
    ...drawnOptions,
    perturb: 'shake',
    replication: '3',
  });
  expect(shakenWorkload.name).toMatch(/^lublin99\[.*seed=2/);
});

test('drawn speeds stay unless others are asked for', () => {
  const speeds = 'draw[sh=0.1,seed=4]';
  const of = (optionTexts: Record<string, string>) => makeGridOfSettings(settings(optionTexts), SITES).speeds;
  expect(of({ speeds, replication: '3' })).toEqual(of({ speeds }));
  expect(of({ speeds, perturb: 'shake;speeds', replication: '3' })).toEqual(
    of({ speeds: 'draw[sh=0.1,seed=6]' }),
  );
  expect(() => of({ speeds: '1,2,3', perturb: 'speeds' })).toThrow(
    '--perturb speeds is for speeds that are drawn; give --speeds draw[sh=0.12,seed=1], or omit it',
  );
});

test('what cannot be changed is refused', () => {
  expect(() => settings({ perturb: 'shake;resample' })).toThrow(
    'perturb: the jobs are changed in one way, found shake and resample; give one of them',
  );
  expect(() => settings({ replication: '0' })).toThrow('expected a whole number of at least 1');
  const largestSeedSettings = settings({
    perturb: `shake[seed=${Number.MAX_SAFE_INTEGER}]`,
    replication: '2',
  });
  expect(() => makeJobs(largestSeedSettings)).toThrow('seed 9007199254740991 of replication 2 is above');
  const settingsWithoutJobs = settings({ filter: 'user=99', perturb: 'resample' });
  expect(() => makeJobs(settingsWithoutJobs)).toThrow(
    'test.swf: no job is left to simulate; records read: 300',
  );
});
