import { chmodSync, existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { SWF_FIELDS, type SwfField } from '../../host/trace/trace.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';
import {
  columnsOf,
  inputErrorMessage,
  makeSwfLine,
  readLogText,
  readValuesOfExpectLines,
} from './helpers.js';

const folder = makeTemporaryFolder();
const spellingsLogPath = new URL('../../traces/spellings.swf', import.meta.url).pathname;

/** Message printed for a file of this name and content, without the folder. */
async function sentence(content: string | Uint8Array, fileName = 'log.swf'): Promise<string> {
  const path = join(folder, fileName);
  writeFileSync(path, content);
  return (await inputErrorMessage(readTrace(path))).replaceAll(`${folder}/`, '');
}

describe('readTrace', () => {
  it('reads every spelling, and the sums are those the log expects', async () => {
    const trace = await readTrace(spellingsLogPath);
    expect(trace.source).toBe(spellingsLogPath);
    expect(trace.count).toBe(4);
    const actualFieldSums = readValuesOfExpectLines(trace).map((text) => {
      const [field, sum] = text.split(' ');
      return [field, trace.columns[field as SwfField].reduce((a, b) => a + b), Number(sum)];
    });
    expect(actualFieldSums).toHaveLength(SWF_FIELDS.length);
    for (const [field, sum, expected] of actualFieldSums) expect([field, sum]).toEqual([field, expected]);
  });

  it('reads gzip by content, in one or several members, and standard input of both kinds', async () => {
    const logText = `; A: b\n${makeSwfLine({ job: 1 })}\n${makeSwfLine({ job: 2, averageCpuTime: 7.38 })}\n`;
    const plainTrace = await readLogText(logText);
    expect([...plainTrace.columns.averageCpuTime]).toEqual([-1, 7.38]);
    const compressedBytes = gzipSync(logText);
    const gzipOfTwoMembers = Buffer.concat([gzipSync(logText.slice(0, 30)), gzipSync(logText.slice(30))]);
    for (const [name, content] of Object.entries({
      'a.swf': compressedBytes,
      'a.swf.gz': compressedBytes,
      'b.gz': gzipOfTwoMembers,
    })) {
      writeFileSync(join(folder, name), content);
      const trace = await readTrace(join(folder, name));
      expect({ ...trace, columns: columnsOf(trace) }).toEqual({
        ...plainTrace,
        source: join(folder, name),
        columns: columnsOf(plainTrace),
      });
    }
    expect(columnsOf(await readLogText(compressedBytes))).toEqual(columnsOf(plainTrace));
    const byteByByteStream = Readable.from(Array.from(compressedBytes, (byte) => Buffer.from([byte])));
    expect(columnsOf(await readTrace('-', { input: byteByByteStream }))).toEqual(columnsOf(plainTrace));
  });

  it('keeps the columns of long logs whose values start to differ late', async () => {
    const recordCount = 100_000;
    const lines = Array.from({ length: recordCount }, (_, i) =>
      makeSwfLine({ job: i + 1, submit: i, user: i < 70_000 ? 3 : i, queue: 2 }),
    );
    const checkColumns = ({
      columns: swfColumns,
      count: records,
    }: Awaited<ReturnType<typeof readLogText>>) => {
      expect(records).toBe(recordCount);
      for (const field of SWF_FIELDS) expect(swfColumns[field]).toHaveLength(recordCount);
      expect(swfColumns.job.every((job, i) => job === i + 1)).toBe(true);
      expect(swfColumns.user.every((user, i) => user === (i < 70_000 ? 3 : i))).toBe(true);
      expect(swfColumns.queue.every((queue) => queue === 2)).toBe(true);
      expect(swfColumns.queue).toBe(swfColumns.queue);
      expect(swfColumns.partition).not.toBe(swfColumns.status);
    };
    checkColumns(await readLogText(lines.join('\n')));
    checkColumns(await readLogText(gzipSync(lines.join('\n'))));
    writeFileSync(join(folder, 'long.swf'), lines.join('\n'));
    checkColumns(await readTrace(join(folder, 'long.swf')));
  });

  it('parses the header', async () => {
    const header = [
      '; Computer: IBM SP2',
      ';   http://example.org/',
      '; Queue:  1  express  ',
      '; Queue: 2 high priority',
      '; Queue: 2 again',
      '; Note: a',
      '; Note: b',
      '; MaxNodes: 64',
    ];
    const { header: parsedHeader } = await readLogText(
      [...header, '; MaxProcs: 128', makeSwfLine()].join('\n'),
    );
    expect(parsedHeader.lines).toEqual([...header, '; MaxProcs: 128']);
    expect(Object.fromEntries(parsedHeader.entries)).toEqual({
      Computer: 'IBM SP2',
      Queue: '1  express',
      Note: 'a',
      MaxNodes: '64',
      MaxProcs: '128',
    });
    expect([...parsedHeader.names.queue]).toEqual([
      [1, 'express'],
      [2, 'high priority'],
    ]);
    expect(parsedHeader.maxProcessors).toBe(128);
    for (const [text, size] of [
      ['; MaxProcs: -1', 64],
      ['; Note: none', 64],
      ['; MaxProcs: 12.5', 64],
    ] as const) {
      expect((await readLogText([...header, text, makeSwfLine()].join('\n'))).header.maxProcessors).toBe(
        size,
      );
    }
    expect((await readLogText(`; MaxNodes: many\n${makeSwfLine()}`)).header.maxProcessors).toBeUndefined();
  });

  it('sorts by submit time only when asked, keeping the order of equal times', async () => {
    const submits = [5, 0, 5, 3, 0];
    const logText = submits.map((submit, i) => makeSwfLine({ job: i + 1, submit })).join('\n');
    expect(await inputErrorMessage(readLogText(logText))).toBe(
      'standard input, line 2, field 2 (submit): found 0 after 5 in line 1, expected submit times that do not ' +
        'descend; use --sort to sort the records, or run `gridalloc trace check FILE` to list all problems',
    );
    const sortedLog = await readLogText(logText, { sort: true });
    expect([...sortedLog.columns.job]).toEqual([2, 5, 4, 1, 3]);
    expect([...sortedLog.columns.submit]).toEqual([0, 0, 3, 5, 5]);
    await expect(readLogText(`${makeSwfLine({ submit: -1 })}\n${logText}`, { sort: true })).rejects.toThrow(
      'field 2 (submit)',
    );
  });

  it('reports its progress', async () => {
    const logText = Array.from({ length: 40_000 }, (_, i) => makeSwfLine({ job: i + 1 })).join('\n');
    for (const content of [Buffer.from(logText), gzipSync(logText)]) {
      const path = join(folder, 'progress');
      writeFileSync(path, content);
      const warnings: [number, number | undefined][] = [];
      await readTrace(path, { onProgress: (...progress) => warnings.push(progress) });
      expect(warnings.at(-1)).toEqual([content.length, content.length]);
      expect(warnings.every(([bytes], i) => bytes >= (warnings[i - 1]?.[0] ?? 1))).toBe(true);
    }
    const warnings: (number | undefined)[] = [];
    await readLogText(makeSwfLine(), { onProgress: (bytes, totalBytes) => warnings.push(bytes, totalBytes) });
    expect(warnings).toEqual([makeSwfLine().length, undefined]);
  });
});

describe('readTrace refuses', () => {
  const remedyPhrase =
    'correct it, skip it with --skip-bad-lines, or run `gridalloc trace check log.swf` to list all problems';
  const swf = 'give a job log in one of the formats that gridalloc trace formats lists';
  const cases: [string, string | Uint8Array, string][] = [
    [
      'a word',
      `; A\n\n${makeSwfLine({ runtime: 'ten' })}`,
      `log.swf, line 3, field 4 (runtime): found "ten", expected a finite decimal number (-1 if unknown); ${remedyPhrase}`,
    ],
    [
      'bytes that are no ASCII',
      makeSwfLine({ user: '\u00e9"\\' }),
      `log.swf, line 1, field 12 (user): found "\\xc3\\xa9\\"\\\\", expected a finite decimal number (-1 if unknown); ${remedyPhrase}`,
    ],
    [
      'a long word',
      makeSwfLine({ user: 'x'.repeat(50) }),
      `log.swf, line 1, field 12 (user): found "${'x'.repeat(40)}...", expected a finite decimal number (-1 if unknown); ${remedyPhrase}`,
    ],
    [
      'a broken count',
      makeSwfLine({ processors: '4.5' }),
      `log.swf, line 1, field 5 (processors): found "4.5", expected a whole number up to 9007199254740991 (-1 if unknown); ${remedyPhrase}`,
    ],
    [
      'too few fields',
      '1 2\t3\n',
      `log.swf, line 1: found 3 fields in "1 2\\t3", expected 18 numbers separated by blanks; ${remedyPhrase}`,
    ],
    [
      'too many fields',
      `${makeSwfLine()} 1`,
      `log.swf, line 1: found 19 fields in "1 0 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1...", expected 18 numbers separated by blanks; ${remedyPhrase}`,
    ],
    [
      'one field',
      'a',
      `log.swf, line 1: found 1 field in "a", expected 18 numbers separated by blanks; ${remedyPhrase}`,
    ],
    [
      'no submit time',
      makeSwfLine({ submit: -1 }),
      `log.swf, line 1, field 2 (submit): found -1, expected a submit time of 0 or later; ${remedyPhrase}`,
    ],
    [
      'binary rubbish',
      Buffer.from([0x7f, 0x45, 0, 1, 10, 7]),
      `log.swf, line 1: found "\\x7fE\\x00\\x01", expected text; ${swf}`,
    ],
    [
      'UTF-16',
      Buffer.from(`; A\n${makeSwfLine()}`, 'utf16le'),
      `log.swf, line 1: found ";\\x00 \\x00A\\x00", expected text; ${swf}`,
    ],
    [
      'endless lines',
      '1'.repeat(65_537),
      `log.swf, line 1: found more, starting with "${'1'.repeat(40)}...", expected lines of at most 65536 bytes; ${swf}`,
    ],
    ['an empty file', '', 'log.swf is empty; give a job log with jobs that have run'],
    ['an empty gzip file', gzipSync(''), 'log.swf is empty; give a job log with jobs that have run'],
    [
      'a file without records',
      '; MaxProcs: 4\n\n',
      'log.swf holds no records, only comments or blank lines; give a job log with jobs that have run',
    ],
    [
      'gzip that ends early',
      gzipSync(`${makeSwfLine()}\n`.repeat(1000)).subarray(0, -20),
      'log.swf ends before its gzip data does; fetch or compress it again',
    ],
    [
      'damaged gzip',
      damagedSnapshot(gzipSync(`${makeSwfLine()}\n`)),
      'log.swf holds damaged or incomplete gzip data (incorrect data check); fetch or compress it again',
    ],
  ];
  it.each(cases)('%s', async (_, content, expected) => {
    expect(await sentence(content)).toBe(expected);
  });

  it('a .gz name without gzip data', async () => {
    expect(await sentence(makeSwfLine(), 'plain.swf.gz')).toBe(
      'plain.swf.gz is named .gz but holds no gzip data; rename it if it is plain text, or fetch it again',
    );
  });

  it('paths that cannot be read', async () => {
    const readErrorMessage = async (path: string) =>
      (await inputErrorMessage(readTrace(path))).replaceAll(`${folder}/`, '');
    const missingFileMessage = 'does not exist; check the path of the job log';
    expect(await readErrorMessage(join(folder, 'none.swf'))).toBe(`none.swf ${missingFileMessage}`);
    expect(await readErrorMessage(join(folder, 'li\nne.swf'))).toBe(`li\\u{a}ne.swf ${missingFileMessage}`);
    writeFileSync(join(folder, 'file'), makeSwfLine());
    expect(await readErrorMessage(join(folder, 'file', 'log.swf'))).toBe(
      `file/log.swf ${missingFileMessage}`,
    );
    mkdirSync(join(folder, 'logs'));
    expect(await readErrorMessage(join(folder, 'logs'))).toBe(
      'logs is a folder; give the path of one job log in it',
    );
    expect(await inputErrorMessage(readLogText(''))).toBe(
      'standard input is empty; give a job log with jobs that have run',
    );
  });

  it.skipIf(process.getuid?.() === 0)('a file that may not be read', async () => {
    const path = join(folder, 'secret.swf');
    writeFileSync(path, makeSwfLine());
    chmodSync(path, 0);
    expect(await inputErrorMessage(readTrace(path))).toBe(
      `${path} may not be read by this user; change its permissions`,
    );
  });

  it('and names files so that the command can be copied', async () => {
    expect(await sentence(makeSwfLine({ job: 'x' }), "it's a log.swf")).toContain(
      `it's a log.swf, line 1, field 1 (job)`,
    );
    const path = join(folder, "it's.swf");
    writeFileSync(path, 'x');
    expect(await inputErrorMessage(readTrace(path))).toContain(`trace check '${folder}/it'\\''s.swf'\``);
  });
});

/** Flips one bit of the checksum. */
function damagedSnapshot(compressedBytes: Buffer): Buffer {
  compressedBytes[compressedBytes.length - 8] ^= 1;
  return compressedBytes;
}

describe.skipIf(!existsSync('/proc/self/fd'))('a reader that stops early', () => {
  it('leaves no file open', async () => {
    const logText = `${`${makeSwfLine()}\n`.repeat(50)}bad\n${`${makeSwfLine()}\n`.repeat(200_000)}`;
    writeFileSync(join(folder, 'bad.swf'), logText);
    writeFileSync(join(folder, 'bad.swf.gz'), gzipSync(logText));
    writeFileSync(join(folder, 'plain.gz'), logText);
    const fileNames = ['bad.swf', 'bad.swf.gz', 'plain.gz'].map((name) => join(folder, name));
    for (const fileName of fileNames) await inputErrorMessage(readTrace(fileName));
    const isOpen = () =>
      readdirSync('/proc/self/fd').some((fileDescriptor) => {
        try {
          return fileNames.includes(readlinkSync(`/proc/self/fd/${fileDescriptor}`));
        } catch {
          return false;
        }
      });
    await expect.poll(isOpen).toBe(false);
  });
});

describe('real logs', () => {
  it.for([
    ['sdsc-sp2-54041.swf.gz', 54_041, 128, 399_264, 400_141_011],
    ['sdsc-sp2-56490-reconstructed.swf.gz', 56_490, 128, 566_290, 309_632_615],
    ['SDSC-SP2-1998-4.2-cln.swf.gz', 59_715, 128, 566_129, 399_336_303],
    ['KTH-SP2-1996-2.1-cln.swf.gz', 28_476, 100, 599_850, 252_634_875],
  ] as const)('%s', async ([name, count, maxProcessors, firstSubmit, runtimes], { skip }) => {
    const path = findTraceFilePath(name);
    if (path === undefined) return skip();
    const { columns: swfColumns, header, ...trace } = await readTrace(path);
    expect(trace.count).toBe(count);
    expect(header.maxProcessors).toBe(maxProcessors);
    expect(swfColumns.submit[0]).toBe(firstSubmit);
    expect(swfColumns.runtime.reduce((sum, runtime) => sum + runtime, 0)).toBe(runtimes);
  });
});
