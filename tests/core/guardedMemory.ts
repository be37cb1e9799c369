/** A core whose blocks of memory lie between guard bands that must not be written. */
import { type Core, type CoreBuild, openCore } from '../../host/core/module.js';
import type { SeededDraws } from '../reference/cases/draws.js';

/** Bytes of the guard band before and behind each block. */
const GUARD_BAND_SIZE_IN_BYTES = 128;
const GUARD_BYTE_VALUE = 0xa7;

interface GuardedBlock {
  readonly address: number;
  readonly bytes: number;
}

/** Allocates blocks in the memory of a core and detects writes between or below them. */
export class GuardedMemory {
  readonly core: Core;
  readonly #first: number;
  readonly #own: Uint8Array;
  #end: number;
  #blocks: GuardedBlock[] = [];

  constructor(build: CoreBuild, bytes: number) {
    this.core = openCore(build);
    this.#first = Math.ceil(this.core.firstAddress() / 16) * 16;
    this.core.memory.grow(Math.ceil(bytes / 65_536));
    this.#own = this.bytes({ address: 0, bytes: this.core.firstAddress() }).slice();
    this.#end = this.#first;
  }

  /** View of the bytes of a block. */
  bytes({ address, bytes }: GuardedBlock): Uint8Array {
    return new Uint8Array(this.core.memory.buffer, address, bytes);
  }

  /** Address of the next block, on memory that earlier blocks may have used. */
  nextAddress(random: SeededDraws): number {
    return this.#end + GUARD_BAND_SIZE_IN_BYTES + 16 * random.below(4);
  }

  /** Reserves a block of this many bytes at an address; false if it does not fit into memory. */
  reserveBlockAt(address: number, bytes: number): boolean {
    if (address + bytes + 2 * GUARD_BAND_SIZE_IN_BYTES > this.core.memory.buffer.byteLength) return false;
    this.bytes({ address: address - GUARD_BAND_SIZE_IN_BYTES, bytes: GUARD_BAND_SIZE_IN_BYTES }).fill(
      GUARD_BYTE_VALUE,
    );
    this.bytes({ address: address + bytes, bytes: GUARD_BAND_SIZE_IN_BYTES }).fill(GUARD_BYTE_VALUE);
    this.#blocks.push({ address, bytes });
    this.#end = Math.ceil((address + bytes) / 16) * 16 + GUARD_BAND_SIZE_IN_BYTES;
    return true;
  }

  /** Enlarges the last block in place. */
  growMemoryBy(bytes: number): void {
    const { address } = this.#blocks.pop() as GuardedBlock;
    this.reserveBlockAt(address, bytes);
  }

  /** Number of blocks. */
  get count(): number {
    return this.#blocks.length;
  }

  /** Removes all memory blocks but the first `blockCount`. */
  keep(blockCount: number): void {
    this.#blocks = this.#blocks.slice(0, blockCount);
    const lastBlock = this.#blocks.at(-1);
    this.#end = lastBlock
      ? Math.ceil((lastBlock.address + lastBlock.bytes) / 16) * 16 + GUARD_BAND_SIZE_IN_BYTES
      : this.#first;
  }

  /** Description of what has been written into the guard bands; undefined if they are unchanged. */
  findOverwrittenGuardBand(): string | undefined {
    for (const { address, bytes } of this.#blocks) {
      for (const bandAddress of [address - GUARD_BAND_SIZE_IN_BYTES, address + bytes]) {
        if (
          this.bytes({ address: bandAddress, bytes: GUARD_BAND_SIZE_IN_BYTES }).some(
            (byte) => byte !== GUARD_BYTE_VALUE,
          )
        )
          return `the band at ${bandAddress} of the block at ${address}`;
      }
    }
    return undefined;
  }

  /** True if the bytes below the blocks, which belong to the core, are unchanged. */
  isCoreDataUnchanged(): boolean {
    return Buffer.compare(this.bytes({ address: 0, bytes: this.#own.length }), this.#own) === 0;
  }
}
