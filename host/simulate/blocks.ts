/** Where simulations stand in the memory of one core: one behind another, behind the job table that they share. */

import type { Core } from '../core/module.js';
import { InputError } from '../errors.js';
import type { Workload } from '../workload/workload.js';
import { aligned, PAGE } from './jobTable.js';

/** The blocks of the simulations of a workload. The last one can grow in place, others move behind it to grow. */
export class Blocks {
  readonly #core: Core;
  readonly #workload: Workload;
  /** The first address that the blocks may not use. */
  readonly #limit: number;
  #last = 0;
  #end: number;

  /** @param first the address of the first block. */
  constructor(core: Core, workload: Workload, first: number, limit: number) {
    this.#core = core;
    this.#workload = workload;
    this.#limit = limit;
    this.#end = first;
    this.#reserve(first);
  }

  /**
   * Enlarges the block at an address from so many bytes to more, or adds one that has none yet; returns where it
   * stands then.
   * @throws InputError when there is no room for it.
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
    if (end > this.#limit) {
      const { name, count } = this.#workload;
      throw new InputError(`${name}: ${count} jobs do not fit into the core's 4 GiB; take fewer jobs`);
    }
    const missing = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
    if (missing > 0) memory.grow(missing);
  }
}
