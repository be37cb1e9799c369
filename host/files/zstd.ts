/** Unpacking zstd, and checking that it came out right: the library that unpacks does not look at the checksums. */
import { Decompress } from 'fzstd';
import xxhash from 'xxhash-wasm';

const SKIPPABLE = 0x184d2a50;
const FRAME_HEAD = 5;
const SKIPPED_HEAD = 8;
const BLOCK_HEAD = 3;
const CHECKSUM = 4;
const RUN_LENGTH_BLOCK = 1;

/** What stands next in the data (RFC 8878, section 3.1). */
type Part = 'frame' | 'skipped' | 'block' | 'checksum';

/** Unpacks zstd data of one or several frames; throws an Error where they are damaged or end early. */
export async function* unpackZstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { create64 } = await xxhash();
  let hash = create64();
  let out: Uint8Array[] = [];
  const decoder = new Decompress((chunk) => {
    if (chunk.length === 0) return;
    hash.update(chunk);
    out.push(chunk);
  });
  const frames = new FrameWalk();
  for await (const chunk of packed) {
    for (let from = 0; from < chunk.length; ) {
      const end = frames.walk(chunk, from);
      decoder.push(chunk.subarray(from, end));
      if (frames.isAtEnd) {
        const { checksum } = frames;
        if (checksum !== undefined && checksum !== Number(hash.digest() & 0xffffffffn)) {
          throw new Error('wrong checksum');
        }
        hash = create64();
      }
      from = end;
      yield* out;
      out = [];
    }
  }
  decoder.push(new Uint8Array(0), true);
  yield* out;
}

/** Finds where blocks and frames end, without looking at what is in them. */
class FrameWalk {
  #part: Part = 'frame';
  readonly #head: number[] = [];
  #headSize = FRAME_HEAD;
  /** Bytes of which nothing needs to be known. */
  #passing = 0;
  #hasChecksum = false;
  #isLastBlock = false;
  #isInBlock = false;
  /** Whether the bytes so far end with a frame, and the checksum of that, if it has one. */
  isAtEnd = false;
  checksum: number | undefined;

  /** Goes on to the end of a block, which unpacks to 128 KiB at most, of a frame, or of the bytes; returns where that is. */
  walk(bytes: Uint8Array, from: number): number {
    this.isAtEnd = false;
    let at = from;
    let isAtBlockEnd = false;
    while (at < bytes.length && !this.isAtEnd && !isAtBlockEnd) {
      if (this.#passing > 0) {
        const passed = Math.min(this.#passing, bytes.length - at);
        this.#passing -= passed;
        at += passed;
      } else {
        this.#head.push(bytes[at++]);
        if (this.#head.length === this.#headSize) this.#readHead();
      }
      isAtBlockEnd = this.#isInBlock && this.#passing === 0;
      if (isAtBlockEnd) this.#endBlock();
    }
    return at;
  }

  #readHead(): void {
    const head = this.#head.splice(0);
    switch (this.#part) {
      case 'frame':
        this.#readFrameHead(head);
        return;
      case 'skipped':
        this.#passing = little(head.slice(4));
        this.#expect('frame', FRAME_HEAD);
        return;
      case 'block': {
        const value = little(head);
        this.#isLastBlock = (value & 1) === 1;
        const isRun = ((value >> 1) & 3) === RUN_LENGTH_BLOCK;
        this.#passing = isRun ? 1 : value >> 3;
        this.#isInBlock = true;
        return;
      }
      case 'checksum':
        this.#endFrame(little(head));
    }
  }

  #readFrameHead(head: number[]): void {
    const magic = little(head.slice(0, 4));
    if (magic - (magic % 16) === SKIPPABLE) {
      this.#head.push(...head);
      this.#expect('skipped', SKIPPED_HEAD);
      return;
    }
    const descriptor = head[4];
    const isSingle = (descriptor & 0x20) !== 0;
    const dictionary = [0, 1, 2, 4][descriptor & 3];
    const contentSize = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6];
    this.#hasChecksum = (descriptor & 4) !== 0;
    this.#passing = (isSingle ? 0 : 1) + dictionary + contentSize;
    this.#expect('block', BLOCK_HEAD);
  }

  #endBlock(): void {
    this.#isInBlock = false;
    if (!this.#isLastBlock) return;
    if (this.#hasChecksum) this.#expect('checksum', CHECKSUM);
    else this.#endFrame(undefined);
  }

  #endFrame(checksum: number | undefined): void {
    this.checksum = checksum;
    this.isAtEnd = true;
    this.#expect('frame', FRAME_HEAD);
  }

  #expect(part: Part, headSize: number): void {
    this.#part = part;
    this.#headSize = headSize;
  }
}

/** The number that bytes stand for, least first. */
function little(bytes: readonly number[]): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}
