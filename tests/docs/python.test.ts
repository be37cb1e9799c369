import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { gridalloc } from '../runs/childProcess.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { blocksOf, readPage } from './examples.js';

/** The columns and metadata that programs in Python on the pages take are in the files that they read. */
test('docs/results.md', async () => {
  const folder = temporaryFolder();
  const [jobs, swept] = [join(folder, 'jobs'), join(folder, 'swept')];
  const model = 'lublin99[jobs=50,processors=64]';
  const common = ['--sites', '64', '--quiet', '--out'];
  await gridalloc(['simulate', model, ...common, jobs, '--parquet']);
  await gridalloc(['sweep', model, ...common, swept, '--vary', 'load=1,2', '--metric', 'meanWait']);
  const [program] = blocksOf(readPage('docs/results.md'), 'python');
  const columnsOf = async (file: string) => {
    const [row] = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
    return Object.keys(row);
  };
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(join(jobs, 'jobs.parquet')));
  const keys = metadata.key_value_metadata?.map(({ key }) => key) ?? [];
  const known = [
    ...(await columnsOf(join(jobs, 'jobs.parquet'))),
    ...(await columnsOf(join(swept, 'results.parquet'))),
    ...keys,
  ];
  const taken = [...program.matchAll(/(?:\[b?|groupby\(|index=|values=)'(\w+)'/g)].map(([, name]) => name);
  expect(taken.length).toBeGreaterThan(5);
  expect(taken.filter((name) => !known.includes(name))).toEqual([]);
  const units = metadata.key_value_metadata?.find(({ key }) => key === 'units')?.value ?? '{}';
  expect(JSON.parse(units)).toMatchObject({ waiting_time: 's' });
});
