/**
 * Unpacking bzip2 block by block. The library's own stream keeps a block, which may unpack to 46 MB, in twenty times as
 * much memory; here it is kept as bytes.
 */
import bitIterator, { type ReadBits } from '@openpgp/unbzip2-stream/lib/bit_iterator.js';
import bzip2 from '@openpgp/unbzip2-stream/lib/bzip2.js';

const UNPACKED_CHUNK = 1 << 18;
/** Bytes of the smallest unit of block sizes. */
const BLOCK_UNIT = 100_000;
const LARGEST_BLOCK = 9 * BLOCK_UNIT;
/** A packed block is no longer than this beside its size. */
const BLOCK_HEAD = 25_000;
const NOTHING = new Uint8Array(0);

/** Unpacks bzip2 data of one or several streams; throws an Error where they are damaged or end early. */
export async function* unpackBzip2(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new PackedBytes();
  for await (const chunk of packed) {
    input.add(chunk);
    while (input.ahead >= LARGEST_BLOCK + BLOCK_HEAD) yield* input.unpackBlock();
  }
  while (input.ahead > 0) yield* input.unpackBlock();
  if (input.isInside) throw new Error('it ends early');
}

/** Packed bytes that have come in, and how far they are unpacked. */
class PackedBytes {
  readonly #chunks: Uint8Array[] = [];
  #bits: ReadBits | undefined;
  #bytes = 0;
  /** Of the stream that is being unpacked: the size of its blocks, 0 between two streams. */
  #blockSize = 0;
  #checksum = 0;
  /** Where blocks are unpacked, one after the other. */
  #buffer = new Int32Array(0);

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Bytes that are not begun. */
  get ahead(): number {
    return this.#bytes - (this.#bits?.bytesRead ?? 0);
  }

  /** Whether a stream has begun and not ended. */
  get isInside(): boolean {
    return this.#blockSize > 0;
  }

  /** Unpacks the head or the end of a stream, which give nothing, or a block. */
  unpackBlock(): Uint8Array[] {
    this.#bits ??= bitIterator(() => this.#next());
    if (this.#blockSize === 0) {
      this.#blockSize = bzip2.header(this.#bits) * BLOCK_UNIT;
      this.#checksum = 0;
      return [];
    }
    const out: Uint8Array[] = [];
    let chunk = NOTHING;
    let length = 0;
    const take = (byte: number) => {
      // The end of a stream, of which a file may have a million, gives nothing and takes no room.
      if (length === chunk.length) {
        if (length > 0) out.push(chunk);
        chunk = new Uint8Array(UNPACKED_CHUNK);
        length = 0;
      }
      chunk[length++] = byte;
    };
    if (this.#buffer.length < this.#blockSize) this.#buffer = new Int32Array(this.#blockSize);
    const checksum = bzip2.decompress(this.#bits, take, this.#buffer, this.#blockSize, this.#checksum);
    if (checksum === null) this.#blockSize = 0;
    else this.#checksum = checksum;
    if (length > 0) out.push(chunk.subarray(0, length));
    return out;
  }

  #next(): Uint8Array {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) throw new Error('it ends early');
    return chunk;
  }
}
