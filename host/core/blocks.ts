/** Where blocks stand in the memory of one core: one behind another, from an address on. */
import type { Core } from './instance.js';
import { check } from './refusal.js';

/** Bytes of a page of memory. */
export const PAGE = 65536;
/** Addresses of job tables and simulations are multiples of this. */
export const ALIGNMENT = 16;
/** Bytes that a core can address. */
export const LONGEST_MEMORY = 2 ** 32;

/** The first multiple of 16 at or above an address. */
export function aligned(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}

/** A block: its address and its size, both 0 until it has been given a place. */
export interface Block {
  address: number;
  bytes: number;
}

/** The blocks of a memory. The last one can grow in place, others move behind it to grow. */
export class Blocks {
  readonly #core: Core;
  /** The first address that the blocks may not use. */
  readonly #limit: number;
  #last: Block | undefined;
  #end: number;

  /** @param first the address of the first block. */
  constructor(core: Core, first: number = core.firstAddress(), limit: number = LONGEST_MEMORY) {
    this.#core = core;
    this.#limit = limit;
    this.#end = first;
  }

  /**
   * Gives a block so many bytes at least, at another address if need be.
   * @throws Refusal when there is no room for them.
   */
  enlarge(block: Block, bytes: number): void {
    if (bytes <= block.bytes) return;
    const core = this.#core;
    const address = block === this.#last ? block.address : aligned(this.#end);
    const end = address + bytes;
    if (end > this.#limit) check(core, core.Status.MemoryMissing, () => -1);
    const missing = Math.ceil(end / PAGE) - core.memory.buffer.byteLength / PAGE;
    if (missing > 0) core.memory.grow(missing);
    new Uint8Array(core.memory.buffer).copyWithin(address, block.address, block.address + block.bytes);
    Object.assign(block, { address, bytes });
    this.#last = block;
    this.#end = end;
  }
}
