import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  collectSimulation,
  OPTIONS,
  rerunOf,
  Simulator,
  simulationFiles,
  writeResultFolder,
} from '../../host/index.js';
import { printOptionSettings, printRunOptions } from '../../host/options/document.js';
import { addParsedOptionTexts } from '../../host/options/options.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Reruns result folders through the library, without a command line. */

const MODEL = 'lublin99[jobs=200,seed=3]';

async function simulateToFolder(...commandWords: string[]): Promise<string> {
  const resultFolder = join(makeTemporaryFolder(), 'run');
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    MODEL,
    ...commandWords,
    '--out',
    resultFolder,
    '--quiet',
  ]);
  expect([exitCode, stderr]).toEqual([0, '']);
  return resultFolder;
}

/** Simulates the settings of a result folder again and returns the new folder. */
async function rerunResultFolder(folder: string, logFile?: string): Promise<string> {
  const { workload, configuration, trace } = await rerunOf(
    folder,
    logFile === undefined ? {} : { log: logFile },
  );
  const simulator = new Simulator(workload);
  simulator.begin(configuration);
  simulator.run();
  const resultFolder = join(makeTemporaryFolder(), 'again');
  await writeResultFolder(resultFolder, simulationFiles(collectSimulation(simulator), trace, {}));
  return resultFolder;
}

test.each([
  ['--sites 64,128,64 --speeds draw[sh=0.12,seed=4] --policy ai2 --load 1.5'],
  [
    '--sites 64,128 --heterogeneity 1,0.5 --discipline easy --estimates normal:0.3:4 --perturb shake --replication 3',
  ],
  ['--sites 64,128 --queue per-home --reclaim --filter first=150 --runtime-scale 1.5 --data-size 5'],
  [
    '--sites 128 --estimates exact --moldable down --moldable-threshold 1.5 --speedup downey[A=6,sigma=0.5] --rebase',
  ],
])('%s gives the same jobs.csv', async (options) => {
  const folder = await simulateToFolder(...options.split(' '));
  const resultFolder = await rerunResultFolder(folder);
  expect(readFileSync(join(resultFolder, 'jobs.csv'), 'utf8')).toBe(
    readFileSync(join(folder, 'jobs.csv'), 'utf8'),
  );
});

test('nothing reads the command of a folder, which is for people', async () => {
  const commandWords = ['--sites', '64,128', '--speeds', '1,2', '--load', '1.5', '--policy', 'ai2'];
  const folder = await simulateToFolder(...commandWords);
  const file = join(folder, 'config.json');
  const otherRun = await simulateToFolder(...commandWords, '--queue', 'per-home');
  const args = [
    ['simulate', '--config', folder, '--json'],
    ['explain', folder, '--job', '7'],
    ['report', folder, '--quiet'],
    ['diff', folder, otherRun],
  ];
  const outputsAfterRerun = async () => {
    const { configuration, settings } = await rerunOf(folder);
    const results = [];
    for (const arg of args) results.push(await runProgramInProcess(arg));
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    return {
      options: printRunOptions(configuration),
      jobs: printOptionSettings(settings),
      told: results,
      page,
    };
  };
  const outputsBeforeChange = await outputsAfterRerun();
  expect(outputsBeforeChange.told.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(
    args.map(() => [0, '']),
  );
  const { command, ...otherFields } = JSON.parse(readFileSync(file, 'utf8'));
  expect(command.slice(0, 2)).toEqual(['gridalloc', 'simulate']);
  writeFileSync(file, JSON.stringify(otherFields));
  expect(await outputsAfterRerun()).toEqual(outputsBeforeChange);
});

test('a folder of 0.1.0 is run again, with its starts and ends', async () => {
  const folder = join(makeTemporaryFolder(), 'simulation');
  cpSync(fileURLToPath(new URL('../upgrade/0.1.0/simulation', import.meta.url)), folder, { recursive: true });
  const readColumns = (path: string) => {
    const [headerLine, ...rows] = readFileSync(path, 'utf8').trim().split('\n');
    const columnIndices = ['job_id', 'starting_time', 'finish_time'].map((name) =>
      headerLine.split(',').indexOf(name),
    );
    return rows.map((row) =>
      columnIndices.map((columnIndex) => row.replaceAll(/"[^"]*"/g, '').split(',')[columnIndex]),
    );
  };
  expect(readColumns(join(await rerunResultFolder(folder), 'jobs.csv'))).toEqual(
    readColumns(join(folder, 'jobs.csv')),
  );
});

test('other jobs and other documents are refused in a sentence', async () => {
  const folder = await simulateToFolder('--sites', '64,128');
  await expect(rerunOf(folder, { log: 'lublin99[jobs=200,seed=4]' })).rejects.toThrow(
    `lublin99[jobs=200,seed=4] gives different jobs from those of ${folder}; give where it is now as the option log, or run the simulation again`,
  );
  const file = join(folder, 'config.json');
  const { request: _, ...otherFields } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...otherFields, command: ['gridalloc'] }));
  await expect(rerunOf(folder)).rejects.toThrow(`${file} does not say how to run a simulation again`);
});

test.each([
  ['filter', 'status=1;queue=1-5;user=7;time=0-86400;flurry=21:13717-16207;last=20'],
  ['preset', 'shih2010'],
  ['data-size', 'uniform[from=0,to=1000000,seed=7]'],
  ['data-size', 'exponential[mean=2.5e9,seed=1]'],
  ['data-size', '1e6'],
  ['speeds', 'draw[sh=0.12,seed=1]'],
  ['perturb', 'resample[by=user,block=604800,seed=2];speeds'],
  ['estimates', 'uniform:0.2:7'],
  ['dependencies', 'true'],
])('--%s %s is written as it is read', (name, text) => {
  const parsedOptions = addParsedOptionTexts({ workload: MODEL }, { [name]: text });
  const printedOptions = printOptionSettings(parsedOptions);
  expect(Object.keys(printedOptions)).toEqual([name]);
  expect(addParsedOptionTexts({ workload: MODEL }, printedOptions)).toEqual(parsedOptions);
  expect(OPTIONS[name].read(printedOptions[name], name)).toEqual(OPTIONS[name].read(text, name));
});
