import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { coreFile } from '../../host/files/coreFile.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Tests `--core` with copies of the package's core whose bytes differ but whose code is the same.
 */

const folder = makeTemporaryFolder();
const core = join(folder, 'release.wasm');
/** A custom section without content, which WebAssembly ignores. */
const WASM_CUSTOM_SECTION = Uint8Array.of(0, 2, 1, 120);

beforeAll(() => {
  for (const build of ['release', 'shared', 'explaining'] as const) {
    const bytes = Buffer.concat([readFileSync(fileURLToPath(coreFile(build))), WASM_CUSTOM_SECTION]);
    writeFileSync(join(folder, `${build}.wasm`), bytes);
  }
});

const MODEL_AND_GRID_WORDS = ['lublin99[jobs=300]', '--sites', '64,32,128', '--speeds', '1,2,1.5'];

test('simulate, its rerun and explain take the core; one that has changed is refused', async () => {
  const resultFolder = join(folder, 'run');
  expect(
    (await runGridalloc(['simulate', ...MODEL_AND_GRID_WORDS, '--core', core, '--out', resultFolder]))
      .exitCode,
  ).toBe(0);
  const file = join(resultFolder, 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  const summaryOfBuiltInCore = JSON.parse(
    (await runGridalloc(['simulate', ...MODEL_AND_GRID_WORDS, '--json'])).stdout,
  );
  expect(JSON.parse(readFileSync(join(resultFolder, 'summary.json'), 'utf8')).meanWait).toBe(
    summaryOfBuiltInCore.meanWait,
  );
  expect(config.command.slice(3, 5)).toEqual(['--core', core]);
  const repetitionFolder = join(folder, 'again');
  expect(
    (await runGridalloc(['simulate', '--config', resultFolder, '--out', repetitionFolder])).exitCode,
  ).toBe(0);
  expect(JSON.parse(readFileSync(join(repetitionFolder, 'config.json'), 'utf8')).coreSha256).toBe(
    config.coreSha256,
  );
  expect((await runGridalloc(['explain', resultFolder, '--job', '200'])).exitCode).toBe(0);
  writeFileSync(file, readFileSync(file, 'utf8').replace(config.coreSha256, '0'.repeat(64)));
  const explanationResult = await runGridalloc(['explain', resultFolder, '--job', '200']);
  expect(explanationResult).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('it has changed; build it again'),
  });
  expect((await runGridalloc(['explain', resultFolder, '--job', '200', '--core', core])).exitCode).toBe(0);
});

test('comparisons over replications and sweeps take it, with threads', async () => {
  const methods = [
    ...MODEL_AND_GRID_WORDS,
    '--policy',
    'ai,best-fit',
    '--replications',
    '3',
    '--json',
    '--quiet',
  ];
  const comparisonResultWithOwnCore = await runGridalloc([
    'compare',
    ...methods,
    '--core',
    core,
    '--threads',
    '2',
  ]);
  expect(comparisonResultWithOwnCore).toEqual(await runGridalloc(['compare', ...methods]));
  const resultFolder = join(folder, 'sweep');
  const sweep = [
    'sweep',
    ...MODEL_AND_GRID_WORDS,
    '--core',
    core,
    '--vary',
    'policy=ai,best-fit',
    '--out',
    resultFolder,
    '--quiet',
  ];
  expect(await runGridalloc(sweep)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readFileSync(join(resultFolder, 'plan.json'), 'utf8')).toContain('--core');
});

test('files that are not cores are refused in one sentence', async () => {
  const textFile = join(folder, 'text.wasm');
  writeFileSync(textFile, 'no core');
  const missingFile = join(folder, 'nowhere.wasm');
  for (const [file, sentence] of [
    [
      textFile,
      /text\.wasm is not a core of gridalloc; npm run build in a clone writes one, build\/release\.wasm\n$/,
    ],
    [missingFile, /nowhere\.wasm does not exist; npm run build in a clone writes build\/release\.wasm\n$/],
  ] as const) {
    const { exitCode, stderr } = await runGridalloc(['policies', '--core', file]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(sentence) });
  }
  const separateCoreFile = join(folder, 'alone.wasm');
  copyFileSync(core, separateCoreFile);
  const sweep = [
    'sweep',
    'lublin99[jobs=50]',
    '--core',
    separateCoreFile,
    '--vary',
    'load=1,2',
    '--out',
    join(folder, 'no'),
  ];
  expect(await runGridalloc(sweep)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/alone\.shared\.wasm does not exist/),
  });
});
