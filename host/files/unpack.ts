/** Decompresses data in chunks; the format is detected from the first bytes. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { pipeline, type TransformOptions } from 'node:stream';
import { createGunzip, type ZlibOptions } from 'node:zlib';
import { DamagedLogError, InputError } from '../errors.js';
import {
  decodeLatin1,
  escapeNonPrintingText,
  formatSourceAsShellWord,
  makePrintableSourceName,
} from '../format/text.js';
import type { LogInputKind } from '../trace/formats.js';
import {
  COMPRESSION_DETECTION_BYTE_COUNT,
  type CompressionFormat,
  checkUnpackedSize,
  detectCompressionFormat,
} from '../trace/packings.js';

/** True if bytes are the beginning of a Parquet file. */
const isParquetStart = (firstBytes: Uint8Array) => decodeLatin1(firstBytes).startsWith('PAR1');

type ByteChunks = AsyncGenerator<Uint8Array>;

const UNPACKED_CHUNK_BYTES = 1 << 16;
/** Number of bytes unpacked ahead of reading. */
const READ_AHEAD_BYTES = 1 << 19;

/** Number of bytes at the end of gzip data with the unpacked size modulo 2^32. */
const GZIP_SIZE_TRAILER_BYTES = 4;
/**
 * Maximum compression ratio of a log by gzip; a file that claims more, or less than 1, has several members.
 */
const MAX_GZIP_COMPRESSION_RATIO = 100;

/**
 * Unpacked size of a file in bytes, if it can be known in advance: for gzip and uncompressed data.
 * @param path path of a regular file.
 */
export function estimateUnpackedSize(path: string): number | undefined {
  const file = openSync(path, 'r');
  try {
    const { size: fileSize } = fstatSync(file);
    const firstBytes = Buffer.alloc(COMPRESSION_DETECTION_BYTE_COUNT);
    const packingFormat = detectCompressionFormat(
      path,
      firstBytes.subarray(0, readSync(file, firstBytes, 0, COMPRESSION_DETECTION_BYTE_COUNT, 0)),
    );
    if (packingFormat === undefined) return fileSize;
    if (packingFormat.name !== 'gzip' || fileSize < GZIP_SIZE_TRAILER_BYTES) return undefined;
    const end = Buffer.alloc(GZIP_SIZE_TRAILER_BYTES);
    readSync(file, end, 0, GZIP_SIZE_TRAILER_BYTES, fileSize - GZIP_SIZE_TRAILER_BYTES);
    const unpackedSize = end.readUInt32LE();
    return unpackedSize >= fileSize && unpackedSize <= MAX_GZIP_COMPRESSION_RATIO * fileSize
      ? unpackedSize
      : undefined;
  } catch {
    // Errors of this file are reported when the log is read.
    return undefined;
  } finally {
    closeSync(file);
  }
}

const UNPACK_FUNCTIONS: Readonly<
  Record<CompressionFormat['name'], (packed: ByteChunks, source: string) => AsyncIterable<Uint8Array>>
> = {
  gzip: unpackGzip,
  async *bzip2(packed) {
    yield* (await import('./decoders.js')).unpackBzip2(packed);
  },
  xz: unpackXz,
  async *zstd(packed, source) {
    yield* (await import('./decoders.js')).unpackZstd(packed, source);
  },
};

/**
 * Unpacks a log, or returns its bytes unchanged.
 * @param contentKind set before the first chunk.
 * @throws DamagedLogError for truncated or damaged data; InputError for data that are far larger than a log,
 * have an unsupported format, or contradict the file name.
 */
export async function* unpackLog(
  source: string,
  packed: ByteChunks,
  contentKind: LogInputKind = { isParquet: false },
): ByteChunks {
  const bytes = decompressLog(source, packed);
  const firstBytes = await readFirstBytes(bytes);
  const allPackedChunks = prependChunk(firstBytes, bytes);
  contentKind.isParquet = isParquetStart(firstBytes);
  if (contentKind.isParquet)
    yield* (await import('./parquetTable.js')).convertParquetTableToCsv(source, allPackedChunks);
  else yield* allPackedChunks;
}

async function* decompressLog(source: string, packed: ByteChunks): ByteChunks {
  let packedSize = 0;
  const firstBytes = await readFirstBytes(packed);
  const packingFormat = detectCompressionFormat(source, firstBytes);
  const countedChunks = passChunksReportingByteCount(prependChunk(firstBytes, packed), (bytes) => {
    packedSize += bytes;
  });
  if (packingFormat === undefined) {
    yield* countedChunks;
    return;
  }
  let unpackedSize = 0;
  for await (const chunk of unpackWithLibrary(packingFormat, source, countedChunks)) {
    unpackedSize += chunk.length;
    checkUnpackedSize(source, unpackedSize, packedSize);
    yield chunk;
  }
}

async function readFirstBytes(packed: ByteChunks): Promise<Uint8Array> {
  const firstBytes: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < COMPRESSION_DETECTION_BYTE_COUNT) {
    const nextChunk = await packed.next();
    if (nextChunk.done) break;
    // Pieces of a file are overwritten by later ones.
    firstBytes.push(
      nextChunk.value.length < COMPRESSION_DETECTION_BYTE_COUNT ? nextChunk.value.slice() : nextChunk.value,
    );
    bytes += nextChunk.value.length;
  }
  return firstBytes[0] !== undefined && firstBytes.length === 1 ? firstBytes[0] : Buffer.concat(firstBytes);
}

async function* prependChunk(firstBytes: Uint8Array, remainingChunks: ByteChunks): ByteChunks {
  if (firstBytes.length > 0) yield firstBytes;
  yield* remainingChunks;
}

async function* passChunksReportingByteCount(
  packed: ByteChunks,
  reportBytes: (bytes: number) => void,
): ByteChunks {
  for await (const chunk of packed) {
    reportBytes(chunk.length);
    yield chunk;
  }
}

/** Unpacks data of a format; distinguishes errors of unpacking from errors of reading. */
async function* unpackWithLibrary(
  { name, command }: CompressionFormat,
  source: string,
  packed: ByteChunks,
): ByteChunks {
  let errorWhileReading: { readonly error: unknown } | undefined;
  const copiedPackedChunks = (async function* () {
    try {
      // Copies, since decompressors keep several pieces while the reader overwrites them.
      for await (const chunkOfBytes of packed) yield chunkOfBytes.slice();
    } catch (error) {
      errorWhileReading = { error };
      throw error;
    }
  })();
  try {
    yield* UNPACK_FUNCTIONS[name](copiedPackedChunks, source);
  } catch (error) {
    if (errorWhileReading !== undefined) throw errorWhileReading.error;
    if (error instanceof InputError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const damageText =
      code === 'Z_BUF_ERROR'
        ? `ends before its ${name} data does`
        : `holds damaged or incomplete ${name} data (${escapeNonPrintingText(message)})`;
    // Libraries do not support every variant of these formats, and report others as damage.
    const unpackCommandAdvice =
      name === 'gzip' ? '' : `, or see what \`${command} ${formatSourceAsShellWord(source)}\` says`;
    throw new DamagedLogError(
      `${makePrintableSourceName(source)} ${damageText}; fetch or compress it again${unpackCommandAdvice}`,
    );
  }
}

async function* unpackGzip(packed: ByteChunks): ByteChunks {
  // Node's streams take it; the types of zlib do not say so.
  const options: ZlibOptions & TransformOptions = {
    chunkSize: UNPACKED_CHUNK_BYTES,
    readableHighWaterMark: READ_AHEAD_BYTES,
  };
  const stream = createGunzip(options);
  // An error of the packed side reaches the loop below through the stream.
  pipeline(packed, stream, () => {});
  for await (const chunk of stream) yield chunk as Uint8Array;
}

async function* unpackXz(packed: ByteChunks): ByteChunks {
  // CommonJS, which loaders turn into modules in different ways.
  const module: typeof import('xz-decompress') & { readonly default?: typeof import('xz-decompress') } =
    await import('xz-decompress');
  const { XzReadableStream } = module.default ?? module;
  yield* new XzReadableStream(toWebStream(packed));
}

/** Converts packed chunks to a web stream, as browser libraries expect. */
function toWebStream(packed: ByteChunks): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await packed.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await packed.return(undefined);
    },
  });
}
