import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { expect, test } from 'vitest';
import { writeLogFile } from '../cli/runProgram.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';

/** Every column that jobs.parquet can have, with its type and unit. */
const COLUMNS = `
  job_id text, workload_name text, profile double s, submission_time double s, requested_number_of_resources whole,
  requested_time double s, success whole, final_state text, starting_time double s, execution_time double s, finish_time double s,
  waiting_time double s, turnaround_time double s, stretch double, allocated_resources text, consumed_energy double, metadata text,
  home_site whole, execution_sites text, allocated_processors text, user whole, group whole, queue whole, status whole,
  recorded_wait double s, logged_submission_time double s, preceding_job whole, promised_start double s, estimate double s,
  queue_name text`;

test('columns of jobs.parquet', async () => {
  const folder = join(makeTemporaryFolder(), 'out');
  const commandWords = ['--discipline', 'conservative', '--dependencies', '--parquet', '--out', folder];
  const { exitCode, stderr } = await runGridalloc([
    'simulate',
    writeLogFile(LOG),
    ...commandWords,
    '--quiet',
  ]);
  expect(exitCode, stderr).toBe(0);
  const { schema, key_value_metadata: metadata = [] } = await parquetMetadataAsync(
    await asyncBufferFromFile(join(folder, 'jobs.parquet')),
  );
  const units = JSON.parse(metadata.find(({ key: entryKey }) => entryKey === 'units')?.value ?? '{}');
  const PARQUET_TYPE_BY_COLUMN: Readonly<Record<string, string>> = {
    DOUBLE: 'double',
    INT32: 'whole',
    INT64: 'whole',
    BYTE_ARRAY: 'text',
  };
  const actualParquetColumns = schema
    .slice(1)
    .map(({ name: elementName, type: elementType }) =>
      [elementName, PARQUET_TYPE_BY_COLUMN[elementType ?? ''] ?? elementType, units[elementName]]
        .filter(Boolean)
        .join(' '),
    );
  expect(actualParquetColumns).toEqual(COLUMNS.split(',').map((column) => column.trim()));
});
