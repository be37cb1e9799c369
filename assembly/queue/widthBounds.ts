import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import { NO_RANK } from './ranking';

/**
 * Smallest number of processors of a job in each block of 64 and of 4096 ranks, so that searches for a
 * narrow job skip blocks. Where only the first job of a queue can start, it is that of all jobs of the block,
 * waiting or not, computed once. Otherwise it is that of the waiting jobs (NO_RANK if none waits), and
 * changes with them.
 */

/** Sets the width bounds of all blocks to those of blocks without jobs. */
export function clearWidthBounds(simulation: Simulation): void {
  const jobCount = simulation.jobCount;
  for (let block = 0; block <= jobCount >> 6; block++) put<i32>(columns.minWidths64, block, NO_RANK);
  for (let block = 0; block <= jobCount >> 12; block++) put<i32>(columns.minWidths4096, block, NO_RANK);
  simulation.widthsBounded = 1;
}

/** Computes the smallest width of any job in each block of ranks. */
export function computeWidthBounds(simulation: Simulation): void {
  const jobCount = simulation.jobCount;
  clearWidthBounds(simulation);
  for (let rank = 0; rank < jobCount; rank++) {
    const processors = at<i32>(columns.processors, at<i32>(columns.jobAt, rank));
    put<i32>(columns.minWidths64, rank >> 6, min(at<i32>(columns.minWidths64, rank >> 6), processors));
  }
  for (let block = 0; block <= jobCount >> 6; block++) {
    const processors = at<i32>(columns.minWidths64, block);
    put<i32>(columns.minWidths4096, block >> 6, min(at<i32>(columns.minWidths4096, block >> 6), processors));
  }
}

/** Lowers the width bounds of a rank's blocks to `processors`. */
@inline
export function lowerWidthBounds(rank: i32, processors: i32): void {
  put<i32>(columns.minWidths64, rank >> 6, min(at<i32>(columns.minWidths64, rank >> 6), processors));
  put<i32>(columns.minWidths4096, rank >> 12, min(at<i32>(columns.minWidths4096, rank >> 12), processors));
}

/** Recomputes the smallest width in the blocks of a rank that has left. */
export function recomputeNarrowestWidths(rank: i32): void {
  const block = rank >> 6;
  const previousNarrowest = at<i32>(columns.minWidths64, block);
  const narrowestWidth = narrowestInBlock(block, previousNarrowest);
  if (narrowestWidth === previousNarrowest) return;
  put<i32>(columns.minWidths64, block, narrowestWidth);
  if (at<i32>(columns.minWidths4096, rank >> 12) === previousNarrowest) boundOf4096(rank >> 12);
}

/**
 * Smallest width of a waiting job in a block of 64 ranks; stops at `leastPossibleWidth`, the smallest
 * possible.
 */
@inline
export function narrowestInBlock(block: i32, leastPossibleWidth: i32): i32 {
  let narrowestWidth = NO_RANK;
  for (
    let bits = at<u64>(columns.waitingRanks0, block);
    bits !== 0 && narrowestWidth !== leastPossibleWidth;
    bits &= bits - 1
  ) {
    const job = at<i32>(columns.jobAt, (block << 6) + <i32>ctz(bits));
    narrowestWidth = min(narrowestWidth, at<i32>(columns.processors, job));
  }
  return narrowestWidth;
}

/** Recomputes the smallest width of a block of 4096 ranks from its blocks of 64. */
export function boundOf4096(block: i32): void {
  let narrowestWidth = NO_RANK;
  for (let bits = at<u64>(columns.waitingRanks1, block); bits !== 0; bits &= bits - 1) {
    narrowestWidth = min(narrowestWidth, at<i32>(columns.minWidths64, (block << 6) + <i32>ctz(bits)));
  }
  put<i32>(columns.minWidths4096, block, narrowestWidth);
}
