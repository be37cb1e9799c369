/** Finding blocks by time: they stand by their start, and for every few of them the latest end is known. */
import type { Blocks } from '../protocol.js';

/** Blocks of a group. */
const GROUP = 128;

/** An index of the blocks of a run. */
export class BlockIndex {
  readonly blocks: Blocks;
  readonly #latestEnd: Float64Array;

  constructor(blocks: Blocks) {
    this.blocks = blocks;
    const count = blocks.start.length;
    this.#latestEnd = new Float64Array(Math.ceil(count / GROUP)).fill(-Infinity);
    for (let i = 0; i < count; i++) {
      const group = Math.floor(i / GROUP);
      this.#latestEnd[group] = Math.max(this.#latestEnd[group], blocks.end[i]);
    }
  }

  /** Visits all blocks that have begun before `to` and end after `from`, by their start. */
  each(from: number, to: number, visit: (block: number) => void): void {
    const { start, end } = this.blocks;
    for (let group = 0; group < this.#latestEnd.length; group++) {
      const first = group * GROUP;
      if (start[first] >= to) return;
      if (this.#latestEnd[group] <= from) continue;
      const after = Math.min(first + GROUP, start.length);
      for (let i = first; i < after && start[i] < to; i++) if (end[i] > from) visit(i);
    }
  }

  /** The block that holds a processor at a time, or the nearest within `reach` seconds; -1: none. */
  at(time: number, processor: number, reach: number): number {
    const { start, end, first, after } = this.blocks;
    let best = -1;
    let distance = Infinity;
    this.each(time - reach, time + reach, (i) => {
      if (processor < first[i] || processor >= after[i]) return;
      const away = Math.max(start[i] - time, time - end[i], 0);
      if (away < distance) [best, distance] = [i, away];
    });
    return best;
  }

  /** The blocks of a job. */
  of(job: number): number[] {
    const found: number[] = [];
    this.blocks.job.forEach((each, i) => {
      if (each === job) found.push(i);
    });
    return found;
  }
}
