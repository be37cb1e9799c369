import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIGURES_FOLDER_NAME } from '../../host/results/resultFolder.js';
import { parseFilter } from '../../host/trace/filter.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Spellings of the same range; all must be read alike. */
const TIME_SPELLINGS = [
  ['0', '172800'],
  ['0e0', '1.728e5'],
  ['0s', '2d'],
  ['0', '1d24h'],
];
const SPELLINGS_OF_NUMBER_RANGE = [
  ['2', '1000'],
  ['0.2e1', '1e3'],
  ['2', '1E+3'],
];

const SEPARATORS = ['-', '..', ' - ', ' .. '];

test.each(['status', 'queue', 'partition', 'user', 'group', 'account', 'job', 'flurry'])(
  'the filter %s',
  (name) => {
    const optionPrefix = name === 'flurry' ? 'flurry=7:' : `${name}=`;
    for (const [from, to] of SPELLINGS_OF_NUMBER_RANGE) {
      for (const separator of SEPARATORS)
        expect(parseFilter(`${optionPrefix}${from}${separator}${to}`)).toEqual(
          parseFilter(`${optionPrefix}2-1000`),
        );
    }
  },
);

test('the filter time', () => {
  for (const [from, to] of TIME_SPELLINGS) {
    for (const separator of SEPARATORS)
      expect(parseFilter(`time=${from}${separator}${to}`)).toEqual({ rule: 'time', from: 0, to: 172_800 });
  }
  expect(parseFilter('time=1e-3-1e-2')).toEqual({ rule: 'time', from: 0.001, to: 0.01 });
});

const MODEL = 'lublin99[jobs=60]';
const SITES = ['--sites', '128'];
const folder = makeTemporaryFolder();

async function expectSuccess(commandWords: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runGridalloc([...commandWords, '--quiet']);
  expect(exitCode, stderr).toBe(0);
}

test('report --window', { timeout: 120_000 }, async () => {
  const out = join(folder, 'run');
  await expectSuccess(['simulate', MODEL, ...SITES, '--out', out]);
  const figures = new Set<string>();
  for (const [from, to] of TIME_SPELLINGS) {
    await expectSuccess(['report', out, '--window', `${from}..${to}`]);
    const figuresFolder = join(out, FIGURES_FOLDER_NAME);
    figures.add(
      readdirSync(figuresFolder)
        .map((name) => readFileSync(join(figuresFolder, name), 'utf8'))
        .join('\n'),
    );
  }
  expect(figures.size).toBe(1);
});

test.each([
  ['load', '0.5..1.5:0.5', ['50%..150%:50%', '5e-1..1.5e0:5e-1']],
  ['interval', '1800..5400:1800', ['30m..1h30m:30m', '1.8e3..5.4e3:1.8e3']],
  ['jobs', '50..100:50', ['5e1..1e2:5e1']],
])('sweep --vary %s', { timeout: 120_000 }, async (name, plain, rangesWithSameValues) => {
  const workloadText = name === 'jobs' ? 'lublin99[jobs={jobs}]' : MODEL;
  const runSweepOverRange = async (rangeText: string) => {
    const resultFolder = join(folder, `${name}-${rangeText}`.replaceAll('%', 'p'));
    const options = ['--discipline', 'easy', '--estimates', 'exact', '--threads', '1', '--out', resultFolder];
    await expectSuccess(['sweep', workloadText, ...SITES, ...options, '--vary', `${name}=${rangeText}`]);
    return readFileSync(join(resultFolder, 'results.csv'), 'utf8');
  };
  const expectedResults = await runSweepOverRange(plain);
  expect(expectedResults.trim().split('\n').length).toBeGreaterThan(2);
  for (const range of rangesWithSameValues) expect(await runSweepOverRange(range)).toBe(expectedResults);
});
