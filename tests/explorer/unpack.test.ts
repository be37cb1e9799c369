/**
 * Compressed logs dropped onto the page: decompression bombs are refused while unpacking, logs are
 * accepted.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpackLog } from '../../host/files/unpack.js';
import { unpackFile } from '../../web/explorer/unpack.js';
import { sampleTestCases } from '../cases.js';
import { makeSwfRecord } from '../cli/runProgram.js';

const BYTES_PER_MEBIBYTE = 1 << 20;
const REFUSED_LOG_PATTERN =
  /^bomb\.swf\.gz unpacks to more than 200 times its size, as no job log does; if it is one, unpack it first$/;

/** Number of bytes that the browser's decompression has delivered. */
let unpackedByteCount = 0;
const RealDecompressionStream = globalThis.DecompressionStream;

class ByteCountingDecompression extends RealDecompressionStream {
  override readonly readable = super.readable.pipeThrough(
    new TransformStream({
      transform(chunk: Uint8Array, controller) {
        unpackedByteCount += chunk.length;
        controller.enqueue(chunk);
      },
    }),
  ) as never;
}

const unpackAsDroppedFile = (compressedBytes: Uint8Array<ArrayBuffer>, fileName = 'bomb.swf.gz') =>
  unpackFile(new File([compressedBytes], fileName));

/** Error message of the command line for the same bytes. */
async function readErrorOnCommandLine(compressedBytes: Uint8Array): Promise<string> {
  const yieldCompressedChunks = async function* () {
    yield compressedBytes;
  };
  try {
    for await (const _ of unpackLog('bomb.swf.gz', yieldCompressedChunks()));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a packed log in the page', () => {
  beforeAll(() => {
    globalThis.DecompressionStream = ByteCountingDecompression as never;
  });
  afterAll(() => {
    globalThis.DecompressionStream = RealDecompressionStream;
  });

  const separatorsByName = [
    ['blanks', ' '],
    ['line feeds', '\n'],
    ['blank lines', `${' '.repeat(79)}\n`],
    ['zeros', '\0'],
    ['comments', '; Note: nothing\n'],
    ['one record', `${makeSwfRecord(1, 0, 10, 3, 1)}\n`],
  ] as const;

  test.each(sampleTestCases(separatorsByName))(
    'of 200 MB of %s is refused before most of it is unpacked, as on the command line',
    async (_, piece) => {
      const gzipBombBytes = gzipSync(Buffer.alloc(2e8, piece));
      unpackedByteCount = 0;
      const message = await unpackAsDroppedFile(gzipBombBytes as Uint8Array<ArrayBuffer>).then(
        () => '',
        (error: Error) => error.message,
      );
      expect(message).toMatch(REFUSED_LOG_PATTERN);
      expect(unpackedByteCount).toBeLessThan(Math.max(80 * BYTES_PER_MEBIBYTE, 220 * gzipBombBytes.length));
      expect(await readErrorOnCommandLine(gzipBombBytes)).toBe(message);
    },
  );

  test('a long log is not refused', async () => {
    const lines = Array.from({ length: 60_000 }, (_, job) =>
      makeSwfRecord(job + 1, 10 * job, (job * 7919) % 9973, 1 + (job % 64), 1, (job * 104729) % 99991),
    );
    // Repeated text that lies further back than gzip's window, so that it compresses little.
    const bytesOfLongLog = Buffer.from(`${lines.join('\n')}\n`.repeat(20));
    expect(bytesOfLongLog.length).toBeGreaterThan(64 * BYTES_PER_MEBIBYTE);
    const compressedBytes = gzipSync(bytesOfLongLog, { level: 1 });
    const unpackedBytes = await unpackAsDroppedFile(
      compressedBytes as Uint8Array<ArrayBuffer>,
      'long.swf.gz',
    );
    expect(Buffer.from(unpackedBytes).equals(bytesOfLongLog)).toBe(true);
  });
});
