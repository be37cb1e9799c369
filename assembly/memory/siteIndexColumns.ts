/** The columns of the index of sites (grid/siteIndex.ts), caches of a simulation; columns.ts says how. */
import { column } from './columnWalk';

export let siteFree: usize = 0;
export let free0: usize = 0;
export let free1: usize = 0;
export let free2: usize = 0;
export let free3: usize = 0;
export let slotTree: usize = 0;
export let siteTree: usize = 0;
export let firstSlotTree: usize = 0;

/** The columns for so many sites, whose levels have so many words. */
export function placeSiteIndex(sites: i32, words: i64): void {
  siteFree = column<i32>(sites);
  free0 = column<u64>(words + 2);
  free1 = column<u64>((words >> 6) + 2);
  free2 = column<u64>((words >> 12) + 2);
  free3 = column<u64>((words >> 18) + 2);
  // Leaves, of which there may be nearly twice as many as sites, and as many nodes above them.
  slotTree = column<u64>(4 * <i64>sites);
  siteTree = column<i32>(4 * <i64>sites);
  firstSlotTree = column<i32>(4 * <i64>sites);
}
