import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ExplorerPageInput } from '../../host/explorer/site.js';
import { formatOptionsAsCommandLineWords } from '../../host/options/document.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const MODEL = 'lublin99[aarr=9,jobs=200,seed=2]';
const folder = makeTemporaryFolder();

/** Runs `runGridalloc explore` on a folder and returns the input of its page, with the messages. */
async function readExplorerPageInput(
  folderName: string,
  ...commandWords: string[]
): Promise<ExplorerPageInput & { err: string }> {
  const [resultFolder, site] = [join(folder, folderName), join(folder, `${folderName}-site`)];
  const resultOfFillingFolder = await runGridalloc([...commandWords, '--out', resultFolder]);
  expect(resultOfFillingFolder.exitCode, resultOfFillingFolder.stderr).toBe(0);
  const { exitCode, stderr: stderrText } = await runGridalloc(['explore', resultFolder, '--out', site]);
  expect(exitCode, stderrText).toBe(0);
  return { ...JSON.parse(readFileSync(join(site, 'given.json'), 'utf8')), err: stderrText };
}

/** Mean waits, in seconds, of the methods shown on an explorer page. */
function simulateMeanWaitsOfSetup({ options = {}, methods = [] }: ExplorerPageInput): Promise<number[]> {
  const { workload = '', ...otherOptions } = options;
  const meanWaitPromises = methods.map(async (method) => {
    const { stdout } = await runGridalloc([
      'simulate',
      workload,
      ...formatOptionsAsCommandLineWords({ ...otherOptions, ...method }),
      '--json',
    ]);
    return JSON.parse(stdout).meanWait as number;
  });
  return Promise.all(meanWaitPromises);
}

test('the explorer of a comparison has its methods, with the same results', async () => {
  const methods = ['--method', 'best-fit, order=wfp3', '--method', 'ai2'];
  const commandWords = ['compare', MODEL, ...methods, '--estimates', 'exact'];
  const pageInput = await readExplorerPageInput('compared', ...commandWords);
  expect(pageInput.methods?.map(({ policy, order }) => [policy, order])).toEqual([
    ['best-fit', expect.stringContaining('wfp3')],
    ['ai2', undefined],
  ]);
  const { runs } = JSON.parse((await runGridalloc([...commandWords, '--json'])).stdout) as {
    runs: { meanWait: number }[];
  };
  expect(await simulateMeanWaitsOfSetup(pageInput)).toEqual(runs.map(({ meanWait }) => meanWait));
});

test('the explorer of a sweep shows its first setting and names the omitted ones', async () => {
  const sites = ['--sites', '64,128', '--vary', 'load=2,1', '--vary', 'policy=best-fit,ai2'];
  const pageInput = await readExplorerPageInput('swept', 'sweep', MODEL, ...sites);
  expect(pageInput.options?.load).toBe('2,2');
  expect(pageInput.methods?.map(({ policy }) => policy)).toEqual(['best-fit', expect.stringMatching(/^ai2/)]);
  expect(pageInput.err).toContain('not shown: 2 more runs');
});

test('the explorer of simulations of several policies has them side by side', async () => {
  const pageInput = await readExplorerPageInput(
    'several',
    'simulate',
    MODEL,
    '--sites',
    '64,128',
    '--policy',
    'best-fit,ti',
  );
  expect(pageInput.methods?.map(({ policy }) => policy?.slice(0, 8))).toEqual(['best-fit', 'ti[sht=0']);
});

test('the explorer of a comparison of replications has the unchanged jobs, the methods without their defaults, and the report', async () => {
  const sites = ['--sites', '128', '--estimates', 'exact', '--replications', '3', '--threads', '1'];
  const pageInput = await readExplorerPageInput('replicated', 'compare', MODEL, ...sites);
  expect(pageInput.options).not.toHaveProperty('replication');
  expect(pageInput.err).toContain('shows the jobs as they are');
  expect(pageInput.methods).toEqual([
    { discipline: 'fcfs' },
    { discipline: 'first-available' },
    { discipline: 'sjf' },
    { discipline: 'easy' },
    { discipline: 'easy', 'backfill-order': 'shortest' },
    { discipline: 'conservative', reservations: 'kept' },
  ]);
  const report = JSON.parse(readFileSync(join(folder, 'replicated', 'report.json'), 'utf8'));
  expect(pageInput.results?.tables).toEqual(report.tables);
  const page = readFileSync(join(folder, 'replicated', 'report.html'));
  expect(readFileSync(join(folder, 'replicated-site', 'report.html'))).toEqual(page);
});

test('the explorer of a simulation has only that simulation', async () => {
  const pageInput = await readExplorerPageInput(
    'single',
    'simulate',
    MODEL,
    '--sites',
    '64,128',
    '--load',
    '1.5',
  );
  expect(pageInput.methods).toEqual([{}]);
  expect(pageInput.options).toMatchObject({ sites: '64,128', load: '1.5,1.5' });
  expect(pageInput.options).not.toHaveProperty('time-resolution');
});

test('simulations of several policies have a report in common', async () => {
  const resultFolder = join(folder, 'common');
  await runGridalloc([
    'simulate',
    MODEL,
    '--sites',
    '64,128',
    '--policy',
    'best-fit,ti',
    '--out',
    resultFolder,
  ]);
  const { exitCode, stderr } = await runGridalloc(['report', resultFolder]);
  expect(exitCode, stderr).toBe(0);
  const page = readFileSync(join(resultFolder, 'report.html'), 'utf8');
  for (const methodFolder of readdirSync(resultFolder).filter((each) => /^(?:best-fit|ti)/.test(each))) {
    const { meanWait } = JSON.parse(readFileSync(join(resultFolder, methodFolder, 'summary.json'), 'utf8'));
    expect(page).toContain(meanWait.toLocaleString('en', { maximumFractionDigits: 0 }));
    expect(page).toContain(`href="${methodFolder}/config.json"`);
  }
  const otherRun = await runGridalloc([
    'simulate',
    MODEL.replace('seed=2', 'seed=3'),
    '--sites',
    '64,128',
    '--out',
    join(resultFolder, 'x'),
  ]);
  expect(otherRun.exitCode).toBe(0);
  expect((await runGridalloc(['report', resultFolder])).stderr).toContain(
    'are simulations of different jobs',
  );
});
