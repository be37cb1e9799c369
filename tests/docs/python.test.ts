import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findCodeBlocksOfPage, readTextOfPage } from './examples.js';

/**
 * Columns and metadata used by the Python programs of the documentation must exist in the files
 * that they read.
 */
test('docs/results.md', async () => {
  const folder = makeTemporaryFolder();
  const [jobs, sweepFolder] = [join(folder, 'jobs'), join(folder, 'swept')];
  const model = 'lublin99[jobs=50,processors=64]';
  const commonWords = ['--sites', '64', '--quiet', '--out'];
  await runGridalloc(['simulate', model, ...commonWords, jobs, '--parquet']);
  await runGridalloc([
    'sweep',
    model,
    ...commonWords,
    sweepFolder,
    '--vary',
    'load=1,2',
    '--metric',
    'meanWait',
  ]);
  const [program] = findCodeBlocksOfPage(readTextOfPage('docs/results.md'), 'python');
  const readParquetColumns = async (file: string) => {
    const [row] = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
    return Object.keys(row);
  };
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(join(jobs, 'jobs.parquet')));
  const metadataKeys = metadata.key_value_metadata?.map(({ key: entryKey }) => entryKey) ?? [];
  const knownColumns = [
    ...(await readParquetColumns(join(jobs, 'jobs.parquet'))),
    ...(await readParquetColumns(join(sweepFolder, 'results.parquet'))),
    ...metadataKeys,
  ];
  const columnsUsedByProgram = [...program.matchAll(/(?:\[b?|groupby\(|index=|values=)'(\w+)'/g)].map(
    ([, name]) => name,
  );
  expect(columnsUsedByProgram.length).toBeGreaterThan(5);
  expect(columnsUsedByProgram.filter((name) => !knownColumns.includes(name))).toEqual([]);
  const unitsText =
    metadata.key_value_metadata?.find(({ key: entryKey }) => entryKey === 'units')?.value ?? '{}';
  expect(JSON.parse(unitsText)).toMatchObject({ waiting_time: 's' });
});

/** Python with the package wasmtime; GRIDALLOC_PYTHON names another interpreter. */
const PYTHON_COMMAND = process.env.GRIDALLOC_PYTHON ?? 'python3';
const hasWasmtime = spawnSync(PYTHON_COMMAND, ['-c', 'import wasmtime']).status === 0;

test.skipIf(!hasWasmtime)(
  `docs/abi.md: the core in Python${hasWasmtime ? '' : ' is skipped: there is no wasmtime'}`,
  () => {
    const folder = makeTemporaryFolder();
    const page = readTextOfPage('docs/abi.md');
    const [program] = findCodeBlocksOfPage(page, 'python');
    writeFileSync(join(folder, 'simulate.py'), program);
    const core = fileURLToPath(new URL('../../build/release.wasm', import.meta.url));
    const programWords = ['simulate.py', core];
    const { stdout, stderr } = spawnSync(PYTHON_COMMAND, programWords, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    const [, printedText] = /^\$ python3 simulate\.py .*\n(.*\n)```/m.exec(page) ?? [];
    expect(stdout).toBe(printedText);
  },
);

const hasPython = spawnSync('python3', ['-c', '']).status === 0;

test.skipIf(!hasPython && process.env.CI !== 'true')('docs/environment.md: a client without packages', () => {
  const folder = makeTemporaryFolder();
  const pathOfMainScript = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  writeFileSync(
    join(folder, 'gridalloc'),
    `#!/bin/sh\nexec '${process.execPath}' '${pathOfMainScript}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const page = readTextOfPage('docs/environment.md');
  const [program] = findCodeBlocksOfPage(page, 'python');
  const { stdout, stderr } = spawnSync('python3', ['-c', program], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  });
  expect(stderr).toBe('');
  const [, printedText] = /^```python\n[\s\S]*?^```\n\n```\n([\s\S]*?)^```/m.exec(page) ?? [];
  expect(stdout).toBe(printedText);
});
