/**
 * Decompresses zstd with verification of checksums, which the library ignores; and bzip2 block by block,
 * since the library's stream needs twenty times the memory of a block (up to 46 MB).
 */
import bitIterator, { type ReadBits } from '@openpgp/unbzip2-stream/lib/bit_iterator.js';
import bzip2 from '@openpgp/unbzip2-stream/lib/bzip2.js';
import { Decompress } from 'fzstd';
import xxhash from 'xxhash-wasm';
import { InputError } from '../errors.js';
import { formatSourceAsShellWord, makePrintableSourceName } from '../format/text.js';

const SKIPPABLE_FRAME_MAGIC_NUMBER = 0x184d2a50;
const ZSTD_FRAME_HEADER_BYTES = 5;
const SKIPPABLE_FRAME_HEADER_BYTES = 8;
const ZSTD_BLOCK_HEADER_BYTES = 3;
const ZSTD_CHECKSUM_BYTES = 4;
const ZSTD_RUN_LENGTH_BLOCK_TYPE = 1;
const BYTES_PER_MEBIBYTE = 1 << 20;
/** Maximum window size in bytes: the library stores a window in one array with a 32-bit length. */
const MAX_ZSTD_WINDOW_BYTES = 2046 * BYTES_PER_MEBIBYTE;

/** Kind of the next bytes of zstd data (RFC 8878, section 3.1). */
type ZstdFramePart = 'frame' | 'frame-rest' | 'skipped' | 'block' | 'checksum';

/**
 * Decompresses zstd data of one or several frames.
 * @throws Error for damaged or truncated data; InputError for a window larger than supported.
 */
export async function* unpackZstd(
  packedBytes: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<Uint8Array> {
  const { create64 } = await xxhash();
  let checksumHash = create64();
  let unpackedChunks: Uint8Array[] = [];
  const zstdDecoder = new Decompress((chunk) => {
    if (chunk.length === 0) return;
    checksumHash.update(chunk);
    unpackedChunks.push(chunk);
  });
  const frameScanner = new ZstdFrameScanner((window) => {
    if (window <= MAX_ZSTD_WINDOW_BYTES) return;
    throw new InputError(
      `${makePrintableSourceName(source)} is packed with a window of ${Math.ceil(window / BYTES_PER_MEBIBYTE)} MiB, as zstd --long=31 does, larger than the ${MAX_ZSTD_WINDOW_BYTES / BYTES_PER_MEBIBYTE} MiB that gridalloc unpacks; give what \`zstd -dc --long=31 ${formatSourceAsShellWord(source)}\` prints as standard input (-)`,
    );
  });
  for await (const chunk of packedBytes) {
    for (let from = 0; from < chunk.length; ) {
      const end = frameScanner.scanToBlockOrFrameEnd(chunk, from);
      zstdDecoder.push(chunk.subarray(from, end));
      if (frameScanner.isAtEnd) {
        const { checksum } = frameScanner;
        if (checksum !== undefined && checksum !== Number(checksumHash.digest() & 0xffffffffn)) {
          throw new Error('wrong checksum');
        }
        checksumHash = create64();
      }
      from = end;
      yield* unpackedChunks;
      unpackedChunks = [];
    }
  }
  zstdDecoder.push(new Uint8Array(0), true);
  yield* unpackedChunks;
}

/** Finds the ends of blocks and frames without decoding their content. */
class ZstdFrameScanner {
  #part: ZstdFramePart = 'frame';
  readonly #header: number[] = [];
  #headerSize = ZSTD_FRAME_HEADER_BYTES;
  /** Number of bytes to skip before the next header. */
  #remainingSkip = 0;
  #hasChecksum = false;
  #isLastBlock = false;
  #isInBlock = false;
  /** True if the bytes so far end with a complete frame, including its checksum, if any. */
  isAtEnd = false;
  checksum: number | undefined;
  readonly #checkWindow: (bytes: number) => void;

  /**
   * @param checkWindowSize called with the window size in bytes of each frame.
   */
  constructor(checkWindowSize: (bytes: number) => void) {
    this.#checkWindow = checkWindowSize;
  }

  /**
   * Continues to the end of a block (at most 128 KiB unpacked), of a frame, or of the bytes; returns the
   * position.
   */
  scanToBlockOrFrameEnd(bytes: Uint8Array, from: number): number {
    this.isAtEnd = false;
    let position = from;
    let isAtEndOfBlock = false;
    while (position < bytes.length && !this.isAtEnd && !isAtEndOfBlock) {
      if (this.#remainingSkip > 0) {
        const skippedByteCount = Math.min(this.#remainingSkip, bytes.length - position);
        this.#remainingSkip -= skippedByteCount;
        position += skippedByteCount;
      } else {
        this.#header.push(bytes[position++]!);
        if (this.#header.length === this.#headerSize) this.#readHead();
      }
      isAtEndOfBlock = this.#isInBlock && this.#remainingSkip === 0;
      if (isAtEndOfBlock) this.#endBlock();
    }
    return position;
  }

  #readHead(): void {
    const headerBytes = this.#header.splice(0);
    switch (this.#part) {
      case 'frame':
        this.#readFrameHead(headerBytes);
        return;
      case 'frame-rest':
        this.#checkWindow(computeZstdWindowSize(headerBytes));
        this.#expect('block', ZSTD_BLOCK_HEADER_BYTES);
        return;
      case 'skipped':
        this.#remainingSkip = decodeLittleEndian(headerBytes.slice(4));
        this.#expect('frame', ZSTD_FRAME_HEADER_BYTES);
        return;
      case 'block': {
        const blockHeader = decodeLittleEndian(headerBytes);
        this.#isLastBlock = (blockHeader & 1) === 1;
        const isRunLengthBlock = ((blockHeader >> 1) & 3) === ZSTD_RUN_LENGTH_BLOCK_TYPE;
        this.#remainingSkip = isRunLengthBlock ? 1 : blockHeader >> 3;
        this.#isInBlock = true;
        return;
      }
      case 'checksum':
        this.#endFrame(decodeLittleEndian(headerBytes));
    }
  }

  #readFrameHead(head: number[]): void {
    const magicNumber = decodeLittleEndian(head.slice(0, 4));
    if (magicNumber - (magicNumber % 16) === SKIPPABLE_FRAME_MAGIC_NUMBER) {
      this.#header.push(...head);
      this.#expect('skipped', SKIPPABLE_FRAME_HEADER_BYTES);
      return;
    }
    const { window, dictionary, contentSize } = readZstdHeaderFieldSizes(head[4]!);
    this.#hasChecksum = (head[4]! & 4) !== 0;
    this.#header.push(...head);
    this.#expect('frame-rest', ZSTD_FRAME_HEADER_BYTES + window + dictionary + contentSize);
  }

  #endBlock(): void {
    this.#isInBlock = false;
    if (!this.#isLastBlock) return;
    if (this.#hasChecksum) this.#expect('checksum', ZSTD_CHECKSUM_BYTES);
    else this.#endFrame(undefined);
  }

  #endFrame(checksum: number | undefined): void {
    this.checksum = checksum;
    this.isAtEnd = true;
    this.#expect('frame', ZSTD_FRAME_HEADER_BYTES);
  }

  #expect(expectedPart: ZstdFramePart, headSize: number): void {
    this.#part = expectedPart;
    this.#headerSize = headSize;
  }
}

/** Sizes in bytes of the optional header fields of a zstd frame, from the frame header descriptor. */
function readZstdHeaderFieldSizes(frameHeaderDescriptor: number): {
  window: number;
  dictionary: number;
  contentSize: number;
} {
  const isSingle = (frameHeaderDescriptor & 0x20) !== 0;
  return {
    window: isSingle ? 0 : 1,
    dictionary: [0, 1, 2, 4][frameHeaderDescriptor & 3]!,
    contentSize: [isSingle ? 1 : 0, 2, 4, 8][frameHeaderDescriptor >> 6]!,
  };
}

/** Window size of a frame in bytes: as in its header, or its whole content. */
function computeZstdWindowSize(head: readonly number[]): number {
  const { window, dictionary } = readZstdHeaderFieldSizes(head[4]!);
  if (window === 0) return decodeLittleEndian(head.slice(ZSTD_FRAME_HEADER_BYTES + dictionary));
  const windowBaseSize = 2 ** (10 + (head[ZSTD_FRAME_HEADER_BYTES]! >> 3));
  return windowBaseSize + (windowBaseSize / 8) * (head[ZSTD_FRAME_HEADER_BYTES]! & 7);
}

/** Decodes a little-endian number. */
function decodeLittleEndian(bytes: readonly number[]): number {
  return bytes.reduceRight((decodedNumber, byte) => decodedNumber * 256 + byte, 0);
}

// bzip2

const UNPACKED_CHUNK_BYTES = 1 << 18;
/** Unit of bzip2 block sizes in bytes. */
const BZIP2_BLOCK_UNIT_BYTES = 100_000;
const MAX_BZIP2_BLOCK_BYTES = 9 * BZIP2_BLOCK_UNIT_BYTES;
/** Maximum excess of a compressed block over its unpacked size, in bytes. */
const BZIP2_BLOCK_OVERHEAD_BYTES = 25_000;
const EMPTY_BYTE_ARRAY = new Uint8Array(0);

/**
 * Decompresses bzip2 data of one or several streams.
 * @throws Error for damaged or truncated data.
 */
export async function* unpackBzip2(packedBytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bzip2Input = new Bzip2Input();
  for await (const chunk of packedBytes) {
    bzip2Input.add(chunk);
    while (bzip2Input.undecodedBytes >= MAX_BZIP2_BLOCK_BYTES + BZIP2_BLOCK_OVERHEAD_BYTES)
      yield* bzip2Input.unpackBlock();
  }
  while (bzip2Input.undecodedBytes > 0) yield* bzip2Input.unpackBlock();
  if (bzip2Input.isInsideStream) throw new Error('it ends early');
}

/** Compressed bzip2 input, decoded block by block. */
class Bzip2Input {
  readonly #chunks: Uint8Array[] = [];
  #bits: ReadBits | undefined;
  #bytes = 0;
  /** Block size of the current stream in bytes; 0 between two streams. */
  #blockSize = 0;
  #checksum = 0;
  /** Buffer into which blocks are unpacked, one after the other. */
  #buffer = new Int32Array(0);

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Number of compressed bytes received but not yet decoded. */
  get undecodedBytes(): number {
    return this.#bytes - (this.#bits?.bytesRead ?? 0);
  }

  /** True inside a stream. */
  get isInsideStream(): boolean {
    return this.#blockSize > 0;
  }

  /** Decodes the head or end of a stream (no output), or one block. */
  unpackBlock(): Uint8Array[] {
    this.#bits ??= bitIterator(() => this.#next());
    if (this.#blockSize === 0) {
      this.#blockSize = bzip2.header(this.#bits) * BZIP2_BLOCK_UNIT_BYTES;
      this.#checksum = 0;
      return [];
    }
    const unpackedChunks: Uint8Array[] = [];
    let chunk = EMPTY_BYTE_ARRAY;
    let length = 0;
    const appendByte = (byte: number) => {
      // The end of a stream gives nothing and takes no room: a file may have a million streams.
      if (length === chunk.length) {
        if (length > 0) unpackedChunks.push(chunk);
        chunk = new Uint8Array(UNPACKED_CHUNK_BYTES);
        length = 0;
      }
      chunk[length++] = byte;
    };
    if (this.#buffer.length < this.#blockSize) this.#buffer = new Int32Array(this.#blockSize);
    const checksum = bzip2.decompress(this.#bits, appendByte, this.#buffer, this.#blockSize, this.#checksum);
    if (checksum === null) this.#blockSize = 0;
    else this.#checksum = checksum;
    if (length > 0) unpackedChunks.push(chunk.subarray(0, length));
    return unpackedChunks;
  }

  #next(): Uint8Array {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) throw new Error('it ends early');
    return chunk;
  }
}
