/** Where blocks stand in the memory of a core, and what is free between them. */
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

/** A block: its address and its size, both 0 while it has no place. */
export interface Block {
  address: number;
  bytes: number;
}

/** A memory, or a part of it, in which blocks are given places, so that no two of them overlap. */
export class Blocks {
  /** Whoever asks for places in a whole memory asks the same owner, through whichever instance on that memory. */
  static readonly #owners = new WeakMap<WebAssembly.Memory, Blocks>();

  readonly #core: Core;
  /** What is free, in order; no two parts touch. Places are multiples of 16, and so are sizes. */
  readonly #free: { start: number; end: number }[];

  /**
   * A part of a memory, from an address up to another, which must belong to nobody else: a block of `Blocks.of`, or of
   * a memory that threads share the part of one thread.
   */
  constructor(core: Core, first: number, limit: number = LONGEST_MEMORY) {
    this.#core = core;
    this.#free = [{ start: aligned(first), end: limit - (limit % ALIGNMENT) }];
  }

  /** The owner of all of a core's memory, the same at each call. */
  static of(core: Core): Blocks {
    const known = Blocks.#owners.get(core.memory);
    if (known !== undefined) return known;
    const owner = new Blocks(core, core.firstAddress());
    Blocks.#owners.set(core.memory, owner);
    return owner;
  }

  /**
   * Gives a block so many bytes at least, at another address if need be; what stood in it moves along.
   * @throws Refusal when there is no room for them; the block is then as it was.
   */
  enlarge(block: Block, bytes: number): void {
    if (bytes <= block.bytes) return;
    const size = aligned(bytes);
    const behind = block.bytes === 0 ? -1 : this.#placeFrom(block.address + block.bytes);
    const missing = size - block.bytes;
    if (this.#startsAt(behind, block.address + block.bytes) && this.#sizeOf(behind) >= missing) {
      this.#take(behind, missing);
      block.bytes = size;
      return;
    }
    const place = this.#free.findIndex(({ start, end }) => end - start >= size);
    if (place < 0) this.#refuse();
    const address = this.#take(place, size);
    new Uint8Array(this.#core.memory.buffer).copyWithin(address, block.address, block.address + block.bytes);
    this.release(block);
    Object.assign(block, { address, bytes: size });
  }

  /** The numbers at an address: a view of the memory, which lasts until that grows. */
  doubles(address: number, count: number): Float64Array {
    return new Float64Array(this.#core.memory.buffer, address, count);
  }

  /** Takes the place of a block back, for others. */
  release(block: Block): void {
    const { address: start, bytes } = block;
    if (bytes === 0) return;
    Object.assign(block, { address: 0, bytes: 0 });
    const end = start + bytes;
    const free = this.#free;
    const next = this.#placeFrom(start);
    const joinsNext = this.#startsAt(next, end);
    if (next > 0 && free[next - 1]!.end === start) {
      free[next - 1]!.end = joinsNext ? free[next]!.end : end;
      if (joinsNext) free.splice(next, 1);
    } else if (joinsNext) free[next]!.start = start;
    else free.splice(next, 0, { start, end });
  }

  /** The first free part from an address on. */
  #placeFrom(address: number): number {
    let [low, high] = [0, this.#free.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#free[middle]!.start < address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #startsAt(place: number, address: number): boolean {
    return this.#free[place]?.start === address;
  }

  #sizeOf(place: number): number {
    return this.#free[place]!.end - this.#free[place]!.start;
  }

  /**
   * Takes the beginning of a free part, for which memory grows where need be.
   * @returns its address.
   * @throws Refusal when memory cannot grow; nothing is taken then.
   */
  #take(place: number, bytes: number): number {
    const part = this.#free[place]!;
    const { memory } = this.#core;
    const { start } = part;
    const missing = Math.ceil((start + bytes) / PAGE) - memory.buffer.byteLength / PAGE;
    if (missing > 0) this.#grow(missing);
    part.start += bytes;
    if (part.start === part.end) this.#free.splice(place, 1);
    return start;
  }

  #grow(pages: number): void {
    try {
      this.#core.memory.grow(pages);
    } catch {
      this.#refuse();
    }
  }

  #refuse(): never {
    check(this.#core, this.#core.Status.MemoryMissing, () => -1);
    throw new Error('no refusal has this status');
  }
}
