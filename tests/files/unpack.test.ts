import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { checkTrace, readTrace } from '../../host/files/traceFiles.js';
import { estimateUnpackedSize } from '../../host/files/unpack.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { columnsOf, inputErrorMessage, makeSwfLine } from '../trace/helpers.js';

/**
 * Tests compressed logs. The folder of `makePathOfPackedFile` has traces/queues.swf in each format, whole and in two
 * parts, and files that unpack to ten line feeds and 10^9 blanks.
 */

const folder = makeTemporaryFolder();
const makePathOfPackedFile = (fileName: string) =>
  fileURLToPath(new URL(`packed/${fileName}`, import.meta.url));
const plainLogPath = fileURLToPath(new URL('../../traces/queues.swf', import.meta.url));

/** Error message for reading a file with this name and content, without the folder. */
async function readFileForErrorMessage(content: Uint8Array, fileName = 'log'): Promise<string> {
  const path = join(folder, fileName);
  writeFileSync(path, content);
  return (await inputErrorMessage(readTrace(path))).replaceAll(`${folder}/`, '');
}

describe.each([
  ['bzip2', 'bz2'],
  ['xz', 'xz'],
  ['zstd', 'zst'],
])('%s', (compressionName, fileEnding) => {
  const bytesOfWholeFile = readFileSync(makePathOfPackedFile(`queues.swf.${fileEnding}`));

  it('is recognized by content, whole and in parts, from files and standard input', async () => {
    const expectedColumns = columnsOf(await readTrace(plainLogPath));
    const log = await readTrace(makePathOfPackedFile(`queues.swf.${fileEnding}`));
    expect(columnsOf(log)).toEqual(expectedColumns);
    expect(log.header.lines).toEqual((await readTrace(plainLogPath)).header.lines);
    expect(columnsOf(await readTrace(makePathOfPackedFile(`parts.${fileEnding}`)))).toEqual(expectedColumns);
    expect(columnsOf(await readTrace('-', { input: Readable.from([bytesOfWholeFile]) }))).toEqual(
      expectedColumns,
    );
    const byteByByteStream = Readable.from(Array.from(bytesOfWholeFile, (byte) => Buffer.from([byte])));
    expect(columnsOf(await readTrace('-', { input: byteByByteStream }))).toEqual(expectedColumns);
  });

  it('that is damaged or ends early anywhere is refused', async () => {
    const fault = new RegExp(
      `^log holds damaged or incomplete ${compressionName} data \\(.*\\); fetch or compress it again, or see what \`${fileEnding === 'bz2' ? 'bzip2' : compressionName} -dc log\` says$`,
    );
    for (const share of [0.2, 0.5, 0.9, 0.99]) {
      const damagedByte = Math.floor(share * bytesOfWholeFile.length);
      expect(await readFileForErrorMessage(bytesOfWholeFile.subarray(0, damagedByte))).toMatch(fault);
    }
    const flippedBytes = Buffer.from(bytesOfWholeFile);
    flippedBytes[bytesOfWholeFile.length >> 1] ^= 16;
    // The reader of the log may find the damage before the decompressor does.
    expect(await readFileForErrorMessage(flippedBytes)).toMatch(/^log(?:, line| holds)/);
    const logCheck = await checkTrace(join(folder, 'log'));
    expect(logCheck.problems.map(({ rule }) => rule)).toContain('damaged-file');
    expect(columnsOf(await readTrace(makePathOfPackedFile(`queues.swf.${fileEnding}`)))).toBeDefined();
  });

  it('a file of that name without such data is refused', async () => {
    expect(await readFileForErrorMessage(readFileSync(plainLogPath), `log.${fileEnding}`)).toBe(
      `log.${fileEnding} is named .${fileEnding} but holds no ${compressionName} data; rename it if it is plain text, or fetch it again`,
    );
  });
});

describe('zstd', () => {
  it('of unknown size is read', async () => {
    expect(columnsOf(await readTrace(makePathOfPackedFile('streamed.zst')))).toEqual(
      columnsOf(await readTrace(plainLogPath)),
    );
  });

  it('whose window is too large to be unpacked is refused for that reason, whatever its size', async () => {
    const makeFrame = (...frameHeader: number[]) =>
      Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, ...frameHeader, 1, 0, 0]);
    const large = /^log is packed with a window of \d+ MiB, as zstd --long=31 does, larger than the 2046 MiB/;
    // Window sizes given by exponent and eighths, and frames with a single segment, which give
    // their content size.
    for (let windowSizeExponent = 0; windowSizeExponent < 32; windowSizeExponent++) {
      const message = readFileForErrorMessage(makeFrame(0, windowSizeExponent << 3));
      if (windowSizeExponent < 20) expect(await message).not.toContain('window');
      else if (windowSizeExponent > 20) expect(await message).toMatch(large);
    }
    expect(await readFileForErrorMessage(makeFrame(0x20 | 0x80, 0, 0, 0, 0x80))).toMatch(large);
    expect(await readFileForErrorMessage(makeFrame(0x20 | 0xc0, 0, 0, 0, 0, 1, 0, 0, 0))).toMatch(large);
    expect(await readFileForErrorMessage(makeFrame(0x20 | 1, 5, 3))).not.toContain('window');
  });

  it('with a wrong checksum is refused', async () => {
    const bytesOfWholeFile = readFileSync(makePathOfPackedFile('queues.swf.zst'));
    bytesOfWholeFile[bytesOfWholeFile.length - 1] ^= 1;
    expect(await readFileForErrorMessage(bytesOfWholeFile)).toMatch(
      /^log holds damaged or incomplete zstd data \(wrong checksum\)/,
    );
  });
});

it.each([
  ['zip', [0x50, 0x4b, 3, 4], 'unzip -p'],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf], '7z x -so'],
  ['lz4', [4, 0x22, 0x4d, 0x18], 'lz4 -dc'],
  ['lzip', [0x4c, 0x5a, 0x49, 0x50], 'lzip -dc'],
  ['lzma', [0x5d, 0, 0], 'xz -dc'],
  ['compress', [0x1f, 0x9d], 'zcat'],
])(
  'a file packed by %s is named, with the program that unpacks it',
  async (archiveKind, magicNumber, command) => {
    expect(await readFileForErrorMessage(Uint8Array.from([...magicNumber, 0, 0, 0, 0]))).toBe(
      `log holds ${archiveKind} data, which gridalloc does not unpack; give what \`${command} log\` prints as standard input (-)`,
    );
  },
);

describe('limits', () => {
  const remedy = 'give a job log in one of the formats that gridalloc trace formats lists';

  it.each([
    [
      'comments',
      `; Note: ${'x'.repeat(91)}\n`,
      'long-header',
      167773,
      'found more, expected at most 16777216 bytes of comments before the first record',
    ],
    [
      'blank lines',
      '\n',
      'empty-lines',
      1000001,
      'found 1000000 lines in a row that are blank or comments, expected a record',
    ],
  ])('200 MB of %s in a small file are refused at once', async (_, piece, rule, at, foundText) => {
    const gzipBomb = gzipSync(Buffer.alloc(2e8, piece), { level: 1 });
    const start = process.cpuUsage();
    expect(await readFileForErrorMessage(gzipBomb)).toBe(`log, line ${at}: ${foundText}; ${remedy}`);
    const logCheck = await checkTrace(join(folder, 'log'));
    expect(logCheck.problems.map((problem) => [problem.rule, problem.lines])).toEqual([[rule, [at]]]);
    expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
  });

  it('a gigabyte of blanks in 700 bytes of bzip2 is refused in little memory', () => {
    const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
    const nodeWords = [
      '--max-old-space-size=100',
      program,
      'trace',
      'info',
      makePathOfPackedFile('spaces.bz2'),
    ];
    const { status, stderr } = spawnSync(process.execPath, nodeWords, { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain('line 11: found more, starting with');
  });

  it('what unpacks to more than 200 times its size is refused, from 64 MiB on', async () => {
    const record = `${makeSwfLine()}\n`;
    const largestRecordCount = Math.floor(2 ** 26 / record.length);
    writeFileSync(join(folder, 'many'), gzipSync(Buffer.alloc(largestRecordCount * record.length, record)));
    expect((await readTrace(join(folder, 'many'))).count).toBe(largestRecordCount);
    const bytesOfTooLargeFile = gzipSync(Buffer.alloc((largestRecordCount + 1) * record.length, record));
    expect(await readFileForErrorMessage(bytesOfTooLargeFile)).toBe(
      'log unpacks to more than 200 times its size, as no job log does; if it is one, unpack it first',
    );
  });
});

describe('bzip2', () => {
  it('of many streams takes no memory for each', async () => {
    const bytesOfEmptyFile = Uint8Array.from([
      0x42, 0x5a, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0,
    ]);
    const bytesOfWholeFile = readFileSync(makePathOfPackedFile('queues.swf.bz2'));
    const path = join(folder, 'many');
    writeFileSync(
      path,
      Buffer.concat([...new Array<Uint8Array>(2000).fill(bytesOfEmptyFile), bytesOfWholeFile]),
    );
    let bytes = 0;
    const countAllocatedBytes = <ByteView extends Int32ArrayConstructor | Uint8ArrayConstructor>(
      ByteView: ByteView,
    ): ByteView =>
      new Proxy(ByteView, {
        construct(target, constructorWords, newTarget) {
          const view = Reflect.construct(target, constructorWords, newTarget) as Uint8Array;
          if (typeof constructorWords[0] === 'number') bytes += view.byteLength;
          return view;
        },
      });
    vi.stubGlobal('Int32Array', countAllocatedBytes(Int32Array));
    vi.stubGlobal('Uint8Array', countAllocatedBytes(Uint8Array));
    try {
      expect(columnsOf(await readTrace(path))).toEqual(columnsOf(await readTrace(plainLogPath)));
    } finally {
      vi.unstubAllGlobals();
    }
    // A block that uses the format's predefined tables, and the text that it unpacks to.
    expect(bytes / 2000).toBeLessThan(50_000);
  });
});

describe('how many bytes a file has, unpacked,', () => {
  const content = readFileSync(plainLogPath);
  // Random bytes do not compress.
  const noise = randomBytes(500);
  it.each<[what: string, bytes: Uint8Array, expected: number | undefined]>([
    ['is its size where it is not packed', content, content.length],
    ['is at the end of gzip data', gzipSync(content), content.length],
    ['is not known of noise', gzipSync(noise), undefined],
    ['is not known where the end is no size', Buffer.concat([gzipSync(content), Buffer.alloc(4)]), undefined],
    ['is not known of other kinds', readFileSync(makePathOfPackedFile('queues.swf.bz2')), undefined],
    ['is not known of kinds that are not read', Buffer.from('PK\x03\x04 zip'), undefined],
    ['is not known of the beginning of gzip data', gzipSync(content).subarray(0, 3), undefined],
    ['is 0 of an empty file', Buffer.alloc(0), 0],
  ])('%s', (_, bytes, expected) => {
    const path = join(folder, 'sized');
    writeFileSync(path, bytes);
    expect(estimateUnpackedSize(path)).toBe(expected);
  });

  it('does not change what is read, although it is wrong for a file of several parts', async () => {
    const makeRecords = (recordCount: number) =>
      Buffer.from(
        Array.from({ length: recordCount }, (_, i) => `${makeSwfLine({ job: i + 1, submit: i })}\n`).join(''),
      );
    const path = join(folder, 'parts.gz');
    writeFileSync(
      path,
      Buffer.concat([gzipSync(makeRecords(20_000)), gzipSync(Buffer.alloc(900_000, '\n'))]),
    );
    const copiedLog = join(folder, 'whole.swf');
    writeFileSync(copiedLog, makeRecords(20_000));
    expect(columnsOf(await readTrace(path))).toEqual(columnsOf(await readTrace(copiedLog)));
    expect((await readTrace(path)).count).toBe(20_000);
  });

  it('of several files is given for each', async () => {
    const paths = ['a.swf', 'b.swf'].map((name) => join(folder, name));
    for (const [i, path] of paths.entries()) {
      const records = Array.from(
        { length: 9000 },
        (_, k) => `${makeSwfLine({ job: k + 1, submit: 20_000 * i + k })}\n`,
      );
      writeFileSync(path, records.join(''));
    }
    expect((await readTrace(`{${paths.join(',')}}`)).count).toBe(18_000);
  });
});
