/** Speed of reading a job log: megabytes of plain text per second, from a file in the system's cache. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readTrace } from '../host/files/traceFiles.js';

const RECORD_COUNT = 1_700_000;
const RECORDS_PER_PIECE = 10_000;
const REPETITION_COUNT = 3;

/** Sums that a reader of the log must find. */
interface ColumnSums {
  count: number;
  submit: number;
  runtime: number;
  processors: number;
}

/**
 * Generates records like those of real logs: growing submission times, most other fields small or unknown.
 */
function* makeLog(expectedSums: ColumnSums): Generator<string> {
  let randomState = 1;
  const draw = (bound: number) => {
    randomState = (Math.imul(randomState, 1_103_515_245) + 12_345) >>> 0;
    return (randomState >>> 8) % bound;
  };
  yield `; Version: 2.2\n; MaxProcs: 128\n; MaxRecords: ${RECORD_COUNT}\n`;
  let submit = 0;
  while (expectedSums.count < RECORD_COUNT) {
    let logText = '';
    for (let i = 0; i < RECORDS_PER_PIECE; i++) {
      submit += draw(60);
      const runtime = 1 + draw(64_800);
      const processors = 1 << draw(8);
      const requestFieldsText = `${processors} ${3600 * (1 + draw(18))}`;
      logText += `${expectedSums.count + 1} ${submit} -1 ${runtime} ${processors} -1 -1 ${requestFieldsText} -1 1 ${1 + draw(400)} 1 1 ${1 + draw(5)} 1 -1 -1\n`;
      expectedSums.count++;
      expectedSums.submit += submit;
      expectedSums.runtime += runtime;
      expectedSums.processors += processors;
    }
    yield logText;
  }
}

/**
 * Writes a log of about 100 MB to a temporary folder and reads it several times; the shortest time counts.
 * Checks the sums before it returns a speed.
 */
export async function benchSwf(): Promise<{ name: string; megabytesPerSecond: number; checked: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-bench-'));
  try {
    const path = join(folder, 'log.swf');
    const expectedSums: ColumnSums = { count: 0, submit: 0, runtime: 0, processors: 0 };
    await pipeline(Readable.from(makeLog(expectedSums)), createWriteStream(path));
    let leastSeconds = Number.POSITIVE_INFINITY;
    for (let repetition = 0; repetition < REPETITION_COUNT; repetition++) {
      const start = performance.now();
      const { count: recordCount, columns: swfColumns } = await readTrace(path);
      leastSeconds = Math.min(leastSeconds, (performance.now() - start) / 1000);
      const sumOfColumn = (column: Float64Array) => column.reduce((sum, value) => sum + value, 0);
      const { submit, runtime, processors } = swfColumns;
      const sumsAfterReading = {
        count: recordCount,
        submit: sumOfColumn(submit),
        runtime: sumOfColumn(runtime),
        processors: sumOfColumn(processors),
      };
      if (JSON.stringify(sumsAfterReading) !== JSON.stringify(expectedSums)) {
        throw new Error(
          `the log was read wrongly: ${JSON.stringify(sumsAfterReading)} instead of ${JSON.stringify(expectedSums)}`,
        );
      }
    }
    const { size: fileSize } = await stat(path);
    return { name: 'reading SWF', megabytesPerSecond: fileSize / 1e6 / leastSeconds, checked: true };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
