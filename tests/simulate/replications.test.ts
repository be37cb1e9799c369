import { expect, test } from 'vitest';
import { parseOptionText, type Settings } from '../../host/options/options.js';
import { makeGridOfSettings, makeJobMaker, makeJobsOfSettings } from '../../host/simulate/experiment.js';
import { makeModelTrace } from '../../host/workload/models.js';
import type { Workload } from '../../host/workload/workload.js';
import { buildTrace } from '../workload/buildTrace.js';

/** Replication r must be the same alone, with a seed of its own, and among others. */

const LOG = buildTrace(
  Array.from({ length: 300 }, (_, i) => ({ submit: 3600 * i, runtime: 600, processors: 4, user: i % 7 })),
);
const SITES = [128, 64, 64];
const GRID = { capacities: SITES, speeds: [1, 1, 1] };

function settings(texts: Readonly<Record<string, string>>): Settings {
  const read = Object.entries(texts).map(([name, text]) => parseOptionText(name, text));
  return Object.assign({ workload: 'test.swf' }, ...read);
}

const columns = ({ submit, runtime, estimate, data }: Workload) => ({ submit, runtime, estimate, data });

test.each([
  ['shake[seed=3]', 'shake[seed=7]'],
  ['resample[block=86400]', 'resample[block=86400,seed=5]'],
])('replication 5 of %s is the first of %s', (perturb, moved) => {
  const alone = makeJobsOfSettings(settings({ perturb, replication: '5' }), LOG, GRID);
  expect(alone).toEqual(makeJobsOfSettings(settings({ perturb: moved }), LOG, GRID));
  expect(alone).toEqual(makeJobMaker(settings({ perturb }), LOG).jobs(GRID, 5).workload);
  expect(alone.submit).not.toEqual(makeJobsOfSettings(settings({ perturb }), LOG, GRID).submit);
});

test('a log is shaken by default, and unchanged where no replication is asked for', () => {
  const shaken = makeJobsOfSettings(settings({ perturb: 'shake', replication: '2' }), LOG, GRID);
  expect(makeJobsOfSettings(settings({ replication: '2' }), LOG, GRID)).toEqual(shaken);
  expect(makeJobsOfSettings(settings({}), LOG, GRID).submit).toEqual(LOG.columns.submit);
});

test('a model has another seed, and so have estimate errors and data sizes', () => {
  const made = (workload: string, more: Record<string, string>) =>
    makeJobsOfSettings(settings({ workload, ...more }), makeModelTrace('lublin99[jobs=50,seed=2]'), GRID);
  const drawn = { estimates: 'uniform:0.2:4', 'data-size': 'exponential[mean=9,seed=6]' };
  const third = made('lublin99[jobs=50,seed=2]', { ...drawn, replication: '3' });
  const same = { estimates: 'uniform:0.2:6', 'data-size': 'exponential[mean=9,seed=8]' };
  const trace = makeModelTrace('lublin99[jobs=50,seed=4]');
  expect(columns(third)).toEqual(columns(makeJobsOfSettings(settings(same), trace, GRID)));
  expect(third.name).toBe(trace.source);
  const shaken = made('lublin99[jobs=50,seed=2]', { ...drawn, perturb: 'shake', replication: '3' });
  expect(shaken.name).toMatch(/^lublin99\[.*seed=2/);
});

test('drawn speeds stay unless others are asked for', () => {
  const speeds = 'draw[sh=0.1,seed=4]';
  const of = (texts: Record<string, string>) => makeGridOfSettings(settings(texts), SITES).speeds;
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
  const last = settings({ perturb: `shake[seed=${Number.MAX_SAFE_INTEGER}]`, replication: '2' });
  expect(() => makeJobsOfSettings(last, LOG, GRID)).toThrow(
    'seed 9007199254740991 of replication 2 is above',
  );
  const none = settings({ filter: 'user=99', perturb: 'resample' });
  expect(() => makeJobsOfSettings(none, LOG, GRID)).toThrow(
    'test.swf: no job is left to simulate; records read: 300',
  );
});
