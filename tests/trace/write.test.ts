import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputError } from '../../host/errors.js';
import { readTrace, writeTrace } from '../../host/files/traceFiles.js';
import { encodeTrace } from '../../host/trace/swf.js';
import { parseHeader, SWF_FIELDS, type Trace } from '../../host/trace/trace.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';
import { columnsOf, inputErrorMessage, makeSwfLine, readLogText } from './helpers.js';

const folder = makeTemporaryFolder();
const INTEGER_SWF_FIELDS =
  'job processors requestedProcessors status user group executable queue partition precedingJob';

function buildTraceOfRecords(header: string[], logRecords: number[][]): Trace {
  const columns = SWF_FIELDS.map((field, fieldIndex) => [
    field,
    Float64Array.from(logRecords, (row) => row[fieldIndex]),
  ]);
  return {
    source: 'built',
    header: parseHeader(header),
    count: logRecords.length,
    columns: Object.fromEntries(columns),
  };
}

const headerLineArbitrary = fc
  .tuple(fc.constantFrom(';', '; ', '\t;', '; Queue: 1 '), fc.string({ unit: 'grapheme', maxLength: 20 }))
  .map(([start, text]) => start + text.replace(/[\p{Cc}\p{Cs}]/gu, '~'));
const finiteNumberArbitrary = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const recordArbitrary = fc.tuple(
  ...SWF_FIELDS.map((field) => {
    if (field === 'submit')
      return fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
    return INTEGER_SWF_FIELDS.split(' ').includes(field)
      ? fc.oneof(fc.integer({ min: -1, max: 99 }), fc.maxSafeInteger())
      : finiteNumberArbitrary;
  }),
);
const recordsArbitrary = fc
  .array(recordArbitrary, { minLength: 1, maxLength: 12 })
  .map((rows) => rows.sort((a, b) => a[1] - b[1]));

describe('writeTrace', () => {
  it('writes what reads back as the same numbers and header lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(headerLineArbitrary, { maxLength: 5 }),
        recordsArbitrary,
        async (header, rows) => {
          const trace = buildTraceOfRecords(header, rows);
          const parsedTrace = await readLogText([...encodeTrace(trace)].join(''));
          expect(parsedTrace.header).toEqual(trace.header);
          expect(columnsOf(parsedTrace)).toEqual(columnsOf(trace));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('writes files, plain and compressed, and gives the same file again', async () => {
    const logBytes = readFileSync(new URL('../../traces/spellings.swf', import.meta.url));
    const trace = await readLogText(logBytes);
    for (const fileName of ['a.swf', 'a.swf.gz']) {
      const path = join(folder, fileName);
      await writeTrace(trace, path);
      const traceReadBack = await readTrace(path);
      expect(traceReadBack.header).toEqual(trace.header);
      expect(columnsOf(traceReadBack)).toEqual(columnsOf(trace));
      const content = readFileSync(path);
      await writeTrace(traceReadBack, path);
      expect(readFileSync(path)).toEqual(content);
    }
    expect(gunzipSync(readFileSync(join(folder, 'a.swf.gz')))).toEqual(readFileSync(join(folder, 'a.swf')));
  });

  it('writes numbers in shortest form', async () => {
    const trace = await readLogText(
      makeSwfLine({ runtime: '007.50', averageCpuTime: '1e2', usedMemory: '-0', thinkTime: '0.1' }),
    );
    expect([...encodeTrace(trace)].join('')).toBe('1 0 -1 7.5 4 100 0 4 20 -1 1 1 1 1 1 1 -1 0.1\n');
  });

  it('writes to a stream, and leaves it open', async () => {
    const chunks: Buffer[] = [];
    const outputStream = new Writable({
      write(chunk, _, finish) {
        chunks.push(chunk);
        finish();
      },
    });
    await writeTrace(await readLogText(`; A\n${makeSwfLine()}`), '-', { output: outputStream });
    expect(Buffer.concat(chunks).toString()).toBe(`; A\n${makeSwfLine()}\n`);
    expect(outputStream.writableEnded).toBe(false);
  });

  it('keeps a link and replaces its target', async () => {
    writeFileSync(join(folder, 'target.swf'), 'old');
    symlinkSync('target.swf', join(folder, 'link.swf'));
    await writeTrace(await readLogText(makeSwfLine()), join(folder, 'link.swf'));
    expect(readFileSync(join(folder, 'target.swf'), 'utf8')).toBe(`${makeSwfLine()}\n`);
  });

  it('leaves nothing behind when it fails, and what was there stays', async () => {
    const folderOfFailedWrite = join(folder, 'failing');
    mkdirSync(folderOfFailedWrite);
    writeFileSync(join(folderOfFailedWrite, 'log.swf'), 'old');
    const rows = Array.from({ length: 5000 }, (_, i) => SWF_FIELDS.map(() => i));
    rows[4000][3] = Number.NaN;
    for (const fileName of ['log.swf', 'new.swf', 'new.swf.gz']) {
      expect(
        await inputErrorMessage(
          writeTrace(buildTraceOfRecords([], rows), join(folderOfFailedWrite, fileName)),
        ),
      ).toBe(
        'built: record 4001, field 4 (runtime) cannot be written: it is not a finite number; use -1 for what is unknown',
      );
    }
    expect(readdirSync(folderOfFailedWrite)).toEqual(['log.swf']);
    expect(readFileSync(join(folderOfFailedWrite, 'log.swf'), 'utf8')).toBe('old');
  });

  it('refuses header lines that would not read back', async () => {
    const row = SWF_FIELDS.map(() => 1);
    for (const text of ['no comment', '; two\n; lines', '; \0', '; end\r', '', '; \ud800', '; \x7f']) {
      const writeTrace = async () => [...encodeTrace(buildTraceOfRecords(['; fine', text], [row]))];
      expect(await inputErrorMessage(writeTrace())).toContain(
        'built: header line 2 cannot be written: found ',
      );
    }
  });

  it('says why a place cannot be written', async () => {
    const trace = await readLogText(makeSwfLine());
    const writeErrorMessage = async (path: string) =>
      (await inputErrorMessage(writeTrace(trace, path))).replaceAll(folder, 'F');
    writeFileSync(join(folder, 'file'), '');
    expect(await writeErrorMessage(folder)).toBe('F is a folder; give the path of a file');
    expect(await writeErrorMessage(join(folder, 'none', 'a.swf'))).toBe(
      'F/none/a.swf cannot be written: the folder F/none does not exist; create it first',
    );
    expect(await writeErrorMessage(join(folder, 'file', 'a.swf'))).toBe(
      'F/file/a.swf cannot be written: F/file is not a folder; give another path',
    );
  });

  it.skipIf(!existsSync('/dev/full'))(
    'says that the disk is full, which is no fault of the input',
    async () => {
      await expect(writeTrace(await readLogText(makeSwfLine()), '/dev/full')).rejects.toThrow(
        new OutputError(
          '/dev/full cannot be written: the disk is full; free some space or give another path',
        ),
      );
    },
  );

  it.skipIf(process.getuid?.() === 0)('says that a folder may not be written', async () => {
    const readOnlyFolder = join(folder, 'locked');
    mkdirSync(readOnlyFolder, { mode: 0o500 });
    expect(
      await inputErrorMessage(writeTrace(await readLogText(makeSwfLine()), join(readOnlyFolder, 'a.swf'))),
    ).toContain(`this user may not write to ${readOnlyFolder}; give another path`);
  });

  it('gives a real log back', async ({ skip }) => {
    const path = findTraceFilePath('sdsc-sp2-54041.swf.gz');
    if (path === undefined) return skip();
    const trace = await readTrace(path);
    await writeTrace(trace, join(folder, 'real.swf.gz'));
    const traceReadBack = await readTrace(join(folder, 'real.swf.gz'));
    expect(traceReadBack.header).toEqual(trace.header);
    expect(columnsOf(traceReadBack)).toEqual(columnsOf(trace));
  });
});
