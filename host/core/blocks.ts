/** Where blocks stand in the memory of one core: one behind another, from an address on. */
import type { Core } from './instance.js';
import { NOBODY, Refusal } from './refusal.js';

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

/** The blocks of a memory. The last one can grow in place, others move behind it to grow. */
export class Blocks {
  readonly #core: Core;
  /** The first address that the blocks may not use. */
  readonly #limit: number;
  #last = 0;
  #end: number;

  /** @param first the address of the first block. */
  constructor(core: Core, first: number = aligned(core.firstAddress()), limit: number = LONGEST_MEMORY) {
    this.#core = core;
    this.#limit = limit;
    this.#end = first;
    this.#reserve(first);
  }

  /**
   * Enlarges the block at an address from so many bytes to more, or adds one that has none yet; returns where it
   * stands then.
   * @throws Refusal when there is no room for it.
   */
  enlarge(block: number, bytes: number, needed: number): number {
    if (needed <= bytes) return block;
    const place = bytes > 0 && block === this.#last ? block : aligned(this.#end);
    this.#reserve(place + needed);
    if (bytes > 0 && place !== block)
      new Uint8Array(this.#core.memory.buffer).copyWithin(place, block, block + bytes);
    this.#last = place;
    this.#end = place + needed;
    return place;
  }

  /** Grows the memory to hold all bytes below an address. */
  #reserve(end: number): void {
    const { memory } = this.#core;
    if (end > this.#limit) throw new Refusal(this.#core, this.#core.Status.MemoryMissing, NOBODY);
    const missing = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
    if (missing > 0) memory.grow(missing);
  }
}
