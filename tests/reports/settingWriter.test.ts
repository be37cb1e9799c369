import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { type StudyResultTable, writeResultTableFiles } from '../../host/reports/resultTable.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

// Threads load the compiled modules.
const compiledModuleUrl = new URL('../../dist/reports/resultTable.js', import.meta.url).href;
const { ResultTableWriter }: typeof import('../../host/reports/resultTable.js') = await import(
  compiledModuleUrl
);

/** A table with this many settings on one or two sites, each with one run. */
function tableOf(rowCount: number): StudyResultTable {
  const studyResults = {
    values: new Float64Array(2 * rowCount),
    lengths: new Uint32Array(rowCount),
    width: 2,
  };
  for (let runIndex = 0; runIndex < rowCount; runIndex++) {
    const runValues = runIndex % 2 === 0 ? [runIndex / 3, runIndex] : [runIndex / 7];
    studyResults.values.set(runValues, 2 * runIndex);
    studyResults.lengths[runIndex] = runValues.length;
  }
  const runIndices = Uint32Array.from({ length: rowCount }, (_, runIndex) => runIndex);
  return {
    title: 'Settings',
    runs: runIndices,
    sites: runIndices.map((runIndex) => 2 - (runIndex % 2)),
    columns: [
      {
        name: 'policy',
        isCount: false,
        distinct: ['a, b', 'c'],
        valueIndexes: runIndices.map((runIndex) => runIndex % 2),
      },
    ],
    metrics: [
      { name: 'wait', unit: 's', label: undefined, isCount: false, positions: [-1, 0, 0] },
      { name: 'site 2', unit: undefined, label: undefined, isCount: true, positions: [-1, -1, 1] },
    ],
    results: studyResults,
  };
}

const NAMES = ['results.csv', 'results.parquet'];

test('a long table written by a thread is byte for byte the one written at once', async () => {
  const [folder, threaded] = [makeTemporaryFolder(), makeTemporaryFolder()];
  const resultTable = tableOf(5000);
  await writeResultTableFiles({ folder, table: resultTable });
  const writer = new ResultTableWriter();
  await writer.write({ folder: threaded, table: resultTable });
  await writer.end();
  await writer.close();
  for (const fileName of NAMES)
    expect(readFileSync(join(threaded, fileName))).toEqual(readFileSync(join(folder, fileName)));
  const lines = readFileSync(join(folder, 'results.csv'), 'utf8').split('\n');
  expect(lines.slice(0, 3)).toEqual(['policy,wait,site 2', '"a, b",0,0', 'c,0.14285714285714285,']);
  expect(lines.length).toBe(5002);
});

test.each([1, 5000])('where %i rows cannot be written a sentence says so', async (rowCount) => {
  const folder = join(makeTemporaryFolder(), 'file');
  writeFileSync(folder, '');
  const writer = new ResultTableWriter();
  const writeAndEndPromise = writer.write({ folder, table: tableOf(rowCount) }).then(() => writer.end());
  await expect(writeAndEndPromise).rejects.toMatchObject({
    name: InputError.name,
    message: /is not a folder/,
  });
  await writer.close();
});
