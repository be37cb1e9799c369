/**
 * Finds Gantt blocks by time: blocks are sorted by start, and the latest end of each group of blocks is
 * stored.
 */
import type { Absence } from '../../../host/results/capacity.js';
import type { GanttBlockColumns } from '../protocol.js';

/** Number of blocks per group. */
const BLOCKS_PER_INDEX_GROUP = 128;
/** Number of groups visited between two pauses. */
const INDEX_GROUPS_PER_SLICE = 32;

/** Time index over the blocks of a run, or of some of its sites. */
export class GanttBlockIndex {
  readonly blocks: GanttBlockColumns;
  /** Processors absent because of outages. */
  readonly absences: readonly Absence[];
  readonly #latestEndByGroup: Float64Array;
  /**
   * Blocks by job: those of job `i` are `#blocksByJob` from `#firstBlockOfJob[i]` up to, without,
   * `#firstBlockOfJob[i + 1]`. Built on first use.
   */
  #firstBlockOfJob: Int32Array | undefined;
  #blocksByJob = new Int32Array(0);

  constructor(blocks: GanttBlockColumns, absences: readonly Absence[] = []) {
    this.blocks = blocks;
    this.absences = absences;
    const blockCount = blocks.start.length;
    this.#latestEndByGroup = new Float64Array(Math.ceil(blockCount / BLOCKS_PER_INDEX_GROUP)).fill(-Infinity);
    for (let block = 0; block < blockCount; block++) {
      const blockGroupIndex = Math.floor(block / BLOCKS_PER_INDEX_GROUP);
      this.#latestEndByGroup[blockGroupIndex] = Math.max(
        this.#latestEndByGroup[blockGroupIndex],
        blocks.end[block],
      );
    }
  }

  /** Returns an index of the blocks on the sites from `firstSite` to `lastSite`, both included. */
  makeIndexOfSites(firstSite: number, lastSite: number): GanttBlockIndex {
    const { blocks } = this;
    const blockIndices = Int32Array.from(blocks.site.keys()).filter(
      (block) => blocks.site[block] >= firstSite && blocks.site[block] <= lastSite,
    );
    const selectIntegers = (column: Int32Array) => blockIndices.map((block) => column[block]);
    const columns = {
      job: selectIntegers(blocks.job),
      site: selectIntegers(blocks.site),
      start: Float64Array.from(blockIndices, (block) => blocks.start[block]),
      end: Float64Array.from(blockIndices, (block) => blocks.end[block]),
      first: selectIntegers(blocks.first),
      after: selectIntegers(blocks.after),
      stopped: Uint8Array.from(blockIndices, (block) => blocks.stopped[block]),
    };
    const absences = this.absences.filter(({ site }) => site >= firstSite && site <= lastSite);
    return new GanttBlockIndex(columns, absences);
  }

  /** Visits all blocks that start before `to` and end after `from`, ordered by start. */
  visitBlocks(from: number, to: number, visitBlock: (block: number) => void): void {
    for (const _ of this.visitBlocksInParts(from, to, visitBlock));
  }

  /** Visits the same blocks as `visitBlocks` in parts; the caller may do other work between two parts. */
  *visitBlocksInParts(from: number, to: number, visit: (block: number) => void): Generator<undefined, void> {
    const { start, end } = this.blocks;
    for (const [groupNumber, firstBlock] of this.#groupsInRange(from, to).entries()) {
      if (groupNumber > 0 && groupNumber % INDEX_GROUPS_PER_SLICE === 0) yield;
      const endBlock = Math.min(firstBlock + BLOCKS_PER_INDEX_GROUP, start.length);
      for (let block = firstBlock; block < endBlock && start[block] < to; block++)
        if (end[block] > from) visit(block);
    }
  }

  /** Returns an upper bound of the number of blocks that `visitBlocks` examines. */
  maxExaminedBlockCount(from: number, to: number): number {
    return this.#groupsInRange(from, to).length * BLOCKS_PER_INDEX_GROUP;
  }

  /** Returns the first block of each group that has a block starting before `to` and ending after `from`. */
  #groupsInRange(from: number, to: number): number[] {
    const firstBlocksOfGroups: number[] = [];
    for (let blockGroupIndex = 0; blockGroupIndex < this.#latestEndByGroup.length; blockGroupIndex++) {
      if (this.blocks.start[blockGroupIndex * BLOCKS_PER_INDEX_GROUP] >= to) break;
      if (this.#latestEndByGroup[blockGroupIndex] > from)
        firstBlocksOfGroups.push(blockGroupIndex * BLOCKS_PER_INDEX_GROUP);
    }
    return firstBlocksOfGroups;
  }

  /**
   * Returns the block that holds a processor at a time, or the nearest block within `reach` seconds; -1 if
   * there is none.
   */
  blockAt(time: number, processor: number, reach: number): number {
    const { start, end, first: firstProcessors, after: endProcessors } = this.blocks;
    let nearestBlock = -1;
    let nearestTimeDistance = Infinity;
    this.visitBlocks(time - reach, time + reach, (block) => {
      if (processor < firstProcessors[block] || processor >= endProcessors[block]) return;
      const distanceInTime = Math.max(start[block] - time, time - end[block], 0);
      if (distanceInTime < nearestTimeDistance) [nearestBlock, nearestTimeDistance] = [block, distanceInTime];
    });
    return nearestBlock;
  }

  /** Returns the blocks of a job, ordered by start. */
  blocksOfJob(job: number): Int32Array {
    const jobs = this.blocks.job;
    if (this.#firstBlockOfJob === undefined) {
      const maxJob = jobs.reduce((largest, job) => Math.max(largest, job), -1);
      const firstPositionByJob = new Int32Array(maxJob + 2);
      for (const job of jobs) firstPositionByJob[job + 1]++;
      for (let i = 1; i < firstPositionByJob.length; i++) firstPositionByJob[i] += firstPositionByJob[i - 1];
      const nextPosition = firstPositionByJob.slice();
      this.#blocksByJob = new Int32Array(jobs.length);
      jobs.forEach((job, i) => {
        this.#blocksByJob[nextPosition[job]++] = i;
      });
      this.#firstBlockOfJob = firstPositionByJob;
    }
    return this.#blocksByJob.subarray(this.#firstBlockOfJob[job] ?? 0, this.#firstBlockOfJob[job + 1] ?? 0);
  }
}
