declare module '@openpgp/unbzip2-stream/lib/bzip2.js' {
  import type { ReadBits } from '@openpgp/unbzip2-stream/lib/bit_iterator.js';

  const bzip2: {
    /** Reads the head of a stream; returns the size of its blocks in 100,000 bytes. Throws where there is none. */
    header(bits: ReadBits): number;
    /**
     * Unpacks a block, byte by byte into `take`, with a buffer of `size` numbers.
     * @returns the checksum of the stream so far; null at its end. Throws for damaged data.
     */
    decompress(
      bits: ReadBits,
      take: (byte: number) => void,
      buffer: Int32Array,
      size: number,
      checksum: number,
    ): number | null;
  };
  export default bzip2;
}

declare module '@openpgp/unbzip2-stream/lib/bit_iterator.js' {
  /** Reads this many bits; with null, goes on to the next whole byte. */
  export interface ReadBits {
    (count: number | null): number;
    /** Bytes that were begun. */
    readonly bytesRead: number;
  }

  /** Reads bits of chunks, which are requested one by one. */
  export default function bitIterator(next: () => Uint8Array): ReadBits;
}
