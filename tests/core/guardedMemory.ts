/** A core whose memory is watched: blocks are between bands that must not be written. */
import { type Core, type CoreBuild, openCore } from '../../host/core/module.js';
import type { Draws } from '../reference/cases/draws.js';

/** Bytes of the band before and behind every block. */
const BAND = 128;
const MARK = 0xa7;

interface Block {
  readonly address: number;
  readonly bytes: number;
}

/** Places for blocks in the memory of a core; whatever is between them, and below, is to stay as it is. */
export class GuardedMemory {
  readonly core: Core;
  readonly #first: number;
  readonly #own: Uint8Array;
  #end: number;
  #blocks: Block[] = [];

  constructor(build: CoreBuild, bytes: number) {
    this.core = openCore(build);
    this.#first = Math.ceil(this.core.firstAddress() / 16) * 16;
    this.core.memory.grow(Math.ceil(bytes / 65_536));
    this.#own = this.bytes({ address: 0, bytes: this.core.firstAddress() }).slice();
    this.#end = this.#first;
  }

  /** Views of bytes that are there. */
  bytes({ address, bytes }: Block): Uint8Array {
    return new Uint8Array(this.core.memory.buffer, address, bytes);
  }

  /** Address of the next block, in memory with leftovers of earlier ones. */
  next(draws: Draws): number {
    return this.#end + BAND + 16 * draws.below(4);
  }

  /** Takes a block of this many bytes there; false where they are not to be had. */
  take(address: number, bytes: number): boolean {
    if (address + bytes + 2 * BAND > this.core.memory.buffer.byteLength) return false;
    this.bytes({ address: address - BAND, bytes: BAND }).fill(MARK);
    this.bytes({ address: address + bytes, bytes: BAND }).fill(MARK);
    this.#blocks.push({ address, bytes });
    this.#end = Math.ceil((address + bytes) / 16) * 16 + BAND;
    return true;
  }

  /** The last block has grown in place. */
  grow(bytes: number): void {
    const { address } = this.#blocks.pop() as Block;
    this.take(address, bytes);
  }

  /** Number of blocks. */
  get count(): number {
    return this.#blocks.length;
  }

  /** Only this many blocks are left. */
  keep(count: number): void {
    this.#blocks = this.#blocks.slice(0, count);
    const last = this.#blocks.at(-1);
    this.#end = last ? Math.ceil((last.address + last.bytes) / 16) * 16 + BAND : this.#first;
  }

  /** Description of what has been written into the guard bands; undefined if they are unchanged. */
  offence(): string | undefined {
    for (const { address, bytes } of this.#blocks) {
      for (const band of [address - BAND, address + bytes]) {
        if (this.bytes({ address: band, bytes: BAND }).some((byte) => byte !== MARK))
          return `the band at ${band} of the block at ${address}`;
      }
    }
    return undefined;
  }

  /** True if what belongs to the core is as it was. */
  isCoreWhole(): boolean {
    return Buffer.compare(this.bytes({ address: 0, bytes: this.#own.length }), this.#own) === 0;
  }
}
