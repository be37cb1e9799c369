import { Simulation } from '../memory/state';
import * as bitmap from '../memory/bitmap';
import * as columns from '../memory/columns';
import * as maximumTree from '../memory/maximumTree';
import { at, clearBytes, put } from '../memory/memory';

/**
 * Index of sites by free processors, for grids with too many sites to scan. It is a cache of the slots, in
 * three parts, each built on first use and then kept up to date.
 *
 * - Levels. Neighbouring sites form blocks. A set (bitmap.ts) contains the number free << blockBits | block
 * for each block and each count of free processors on a site of the block. The next number from p <<
 * blockBits on is the tightest fit for p processors in the first such block; a scan of the block finds the
 * site. A look-ahead moves sites between levels and moves them back at its end.
 * - Two trees of maxima, over the slots and over the sites in grid order. The first site with room is found
 * by climbing from the first leaf and descending again, which is fast if it is near the front. A node of the
 * second tree also has the first slot among its sites, which is constant, so that subtrees without a
 * candidate are skipped.
 */

enum IndexPart {
  Levels = 1,
  SlotTree = 2,
  SiteTree = 4,
}

/**
 * Binary logarithm of the smallest number of sites in a block of the index (4). Blocks are as small as the
 * memory allows, because 8 or 16 sites are slower.
 */
const MIN_BLOCK_SITES_LOG2: i32 = 2;

/** Size of the index in words of 8 bytes: enough for blocks of 4 sites with 4,000 processors each. */
export function indexWordCount(sites: i64): i64 {
  return min<i64>(32 * sites, 1 << 24);
}

/** Empties the index; returns true if the memory suffices for the numbers of these sites. */
export function reset(simulation: Simulation): bool {
  const sites = simulation.siteCount;
  let widest = 0;
  for (let site = 0; site < sites; site++) widest = max(widest, at<i32>(columns.capacities, site));
  const bitCapacity = simulation.indexWords << 6;
  let blockSitesLog2 = MIN_BLOCK_SITES_LOG2 - 1;
  let blockBits: i32;
  do {
    blockSitesLog2++;
    blockBits = bitsForCount(((sites - 1) >> blockSitesLog2) + 1);
  } while (blockBits > 0 && (<i64>widest + 1) << blockBits > bitCapacity);
  simulation.indexParts = 0;
  simulation.indexBlockSitesLog2 = blockSitesLog2;
  simulation.indexBlockBits = blockBits;
  simulation.indexWidest = widest;
  simulation.indexLeaves = 1 << bitsForCount(sites);
  return (<i64>widest + 1) << blockBits <= bitCapacity;
}

/** Number of bits that represent the numbers from 0 to `numberCount` - 1. */
@inline
function bitsForCount(numberCount: i32): i32 {
  return 32 - <i32>clz(numberCount - 1);
}

/** Updates the index after a change of a site's free processors. */
export function updateSite(simulation: Simulation, site: i32, freeProcessors: i32): void {
  const parts = simulation.indexParts;
  if ((parts & IndexPart.Levels) !== 0) moveSite(simulation, site, freeProcessors);
  if ((parts & IndexPart.SlotTree) !== 0) {
    const slot = at<i32>(columns.slotOfSite, site);
    maximumTree.setLeaf<u64>(
      columns.slotTree,
      simulation.indexLeaves,
      slot,
      indexKeyOfSite(site, freeProcessors),
    );
  }
  if ((parts & IndexPart.SiteTree) !== 0) {
    maximumTree.setLeaf<i32>(columns.siteTree, simulation.indexLeaves, site, freeProcessors);
  }
}

/**
 * Invalidates all parts of the index, which are rebuilt when used, because the slots belong to
 * another state now.
 */
export function invalidateSiteIndex(simulation: Simulation): void {
  simulation.indexParts = 0;
}

/**
 * Fastest candidate with at least this many free processors, the first among equals; -1 if none. Candidates
 * are the sites of the first `candidateCount` slots.
 */
export function fastestFittingSite(simulation: Simulation, processors: i32, candidateCount: i32): i32 {
  if ((simulation.indexParts & IndexPart.SlotTree) === 0) growSlotTree(simulation);
  const slot = maximumTree.firstLeafOfAtLeast<u64>(
    columns.slotTree,
    simulation.indexLeaves,
    (<u64>processors) << 32,
  );
  return slot >= 0 && slot < candidateCount ? siteInSlot(slot) : -1;
}

/**
 * First candidate in grid order with at least this many free processors; -1 if none. Candidates are the sites
 * of the first `candidateCount` slots.
 */
export function firstSiteWithRoom(simulation: Simulation, processors: i32, candidateCount: i32): i32 {
  if ((simulation.indexParts & IndexPart.SiteTree) === 0) growSiteTree(simulation);
  if (candidateCount !== simulation.siteCount)
    return firstCandidateSiteWithRoom(simulation, processors, candidateCount);
  return maximumTree.firstLeafOfAtLeast<i32>(columns.siteTree, simulation.indexLeaves, processors);
}

/**
 * Candidate with the fewest free processors among those with at least this many, the first among equals; -1
 * if none. Candidates are the sites of the first `candidateCount` slots.
 */
export function tightestSlot(simulation: Simulation, processors: i32, candidateCount: i32): i32 {
  if ((simulation.indexParts & IndexPart.Levels) === 0) buildIndexLevels(simulation);
  if (processors > simulation.indexWidest) return -1;
  const number = indexNumberFrom(simulation, processors << simulation.indexBlockBits);
  if (number < 0) return -1;
  if (candidateCount !== simulation.siteCount)
    return tightestSiteAmong(simulation, number, processors, candidateCount);
  return siteOfIndexNumber(simulation, number, simulation.siteCount);
}

/**
 * Candidate with the most free processors, the first among equals; -1 if these are fewer than `processors`.
 * Candidates are the sites of the first `candidateCount` slots.
 */
export function roomiest(simulation: Simulation, processors: i32, candidateCount: i32): i32 {
  if (candidateCount !== simulation.siteCount)
    return roomiestSiteAmong(simulation, processors, candidateCount);
  const mostFreeCount = mostFreeProcessorsOnASite(simulation);
  if (mostFreeCount < processors) return -1;
  const number = indexNumberFrom(simulation, mostFreeCount << simulation.indexBlockBits);
  return siteOfIndexNumber(simulation, number, simulation.siteCount);
}

/** Largest number of free processors on one site. */
export function mostFreeProcessorsOnASite(simulation: Simulation): i32 {
  if ((simulation.indexParts & IndexPart.Levels) === 0) buildIndexLevels(simulation);
  const end = endOfIndexNumbers(simulation);
  const greatestIndexNumber = bitmap.lastNumber(
    columns.freeLevels0,
    columns.freeLevels1,
    columns.freeLevels2,
    columns.freeLevels3,
    end,
  );
  return greatestIndexNumber >> simulation.indexBlockBits;
}

/** Begins a look-ahead. */
export function beginHypothesis(simulation: Simulation): void {
  if ((simulation.indexParts & IndexPart.Levels) === 0) buildIndexLevels(simulation);
  simulation.indexChanged = 0;
}

/** Takes processors of a site in the look-ahead. */
export function assume(simulation: Simulation, site: i32, processors: i32): void {
  const freeProcessors = at<i32>(columns.freeOfSite, site);
  // Lists each changed site once: before its first change it has all its free processors.
  if (freeProcessors === freeProcessorsOf(site))
    put<i32>(columns.hypotheticalSlots, simulation.indexChanged++, site);
  moveSite(simulation, site, freeProcessors - processors);
}

/** Ends a look-ahead and restores the free processors of all changed sites. */
export function endHypothesis(simulation: Simulation): void {
  for (let index = simulation.indexChanged - 1; index >= 0; index--) {
    const site = at<i32>(columns.hypotheticalSlots, index);
    moveSite(simulation, site, freeProcessorsOf(site));
  }
}

@inline
function freeProcessorsOf(site: i32): i32 {
  return <i32>(at<u64>(columns.slots, at<i32>(columns.slotOfSite, site)) >> 32);
}

@inline
function siteInSlot(slot: i32): i32 {
  return <i32>at<u64>(columns.slots, slot);
}

/** Moves a site from one level (count of free processors) to another. */
function moveSite(simulation: Simulation, site: i32, freeProcessors: i32): void {
  const block = site >> simulation.indexBlockSitesLog2;
  const number = (at<i32>(columns.freeOfSite, site) << simulation.indexBlockBits) | block;
  put<i32>(columns.freeOfSite, site, freeProcessors);
  if (siteOfIndexNumber(simulation, number, simulation.siteCount) < 0) {
    bitmap.removeNumber(
      columns.freeLevels0,
      columns.freeLevels1,
      columns.freeLevels2,
      columns.freeLevels3,
      number,
    );
  }
  enterSiteIntoLevel(simulation, block, freeProcessors);
}

@inline
function enterSiteIntoLevel(simulation: Simulation, block: i32, freeProcessors: i32): void {
  const number = (freeProcessors << simulation.indexBlockBits) | block;
  bitmap.insertNumber(
    columns.freeLevels0,
    columns.freeLevels1,
    columns.freeLevels2,
    columns.freeLevels3,
    number,
  );
}

@inline
function endOfIndexNumbers(simulation: Simulation): i32 {
  return (simulation.indexWidest + 1) << simulation.indexBlockBits;
}

/** Next number (count of free processors and block) in the set of levels; -1 if none. */
function indexNumberFrom(simulation: Simulation, number: i32): i32 {
  const end = endOfIndexNumbers(simulation);
  const nextIndexNumber = bitmap.nextNumberFrom(
    columns.freeLevels0,
    columns.freeLevels1,
    columns.freeLevels2,
    columns.freeLevels3,
    number,
    end,
  );
  return nextIndexNumber < end ? nextIndexNumber : -1;
}

/** First candidate of a block on a level; -1 if none. */
@inline
function siteOfIndexNumber(simulation: Simulation, number: i32, candidateCount: i32): i32 {
  const blockBits = simulation.indexBlockBits;
  const block = number & ((1 << blockBits) - 1);
  const freeProcessors = number >> blockBits;
  const isEverySiteCandidate = candidateCount === simulation.siteCount;
  const end = min((block + 1) << simulation.indexBlockSitesLog2, simulation.siteCount);
  for (let site = block << simulation.indexBlockSitesLog2; site < end; site++) {
    if (at<i32>(columns.freeOfSite, site) !== freeProcessors) continue;
    if (isEverySiteCandidate || at<i32>(columns.slotOfSite, site) < candidateCount) return site;
  }
  return -1;
}

/**
 * Tries levels in ascending order until one has a candidate site; after as many attempts as there
 * are candidates, scans the candidates instead.
 */
function tightestSiteAmong(simulation: Simulation, number: i32, processors: i32, candidateCount: i32): i32 {
  for (let tries = candidateCount >> simulation.indexBlockSitesLog2; tries > 0; tries--) {
    const site = siteOfIndexNumber(simulation, number, candidateCount);
    if (site >= 0) return site;
    number = indexNumberFrom(simulation, number + 1);
    if (number < 0) return -1;
  }
  let leastFreeAndSite: u64 = u64.MAX_VALUE;
  for (let slot = 0; slot < candidateCount; slot++) {
    const site = siteInSlot(slot);
    const freeProcessors = at<i32>(columns.freeOfSite, site);
    if (freeProcessors >= processors)
      leastFreeAndSite = min<u64>(leastFreeAndSite, ((<u64>freeProcessors) << 32) | <u64>site);
  }
  return <i32>leastFreeAndSite;
}

function buildIndexLevels(simulation: Simulation): void {
  const lastWord = endOfIndexNumbers(simulation) >> 6;
  clearBytes(columns.freeLevels0, (<usize>(lastWord + 2)) << 3);
  clearBytes(columns.freeLevels1, (<usize>((lastWord >> 6) + 2)) << 3);
  clearBytes(columns.freeLevels2, (<usize>((lastWord >> 12) + 2)) << 3);
  clearBytes(columns.freeLevels3, (<usize>((lastWord >> 18) + 2)) << 3);
  for (let site = 0; site < simulation.siteCount; site++) {
    put<i32>(columns.freeOfSite, site, freeProcessorsOf(site));
    enterSiteIntoLevel(simulation, site >> simulation.indexBlockSitesLog2, freeProcessorsOf(site));
  }
  simulation.indexParts |= IndexPart.Levels;
}

/**
 * Value of a site in the tree of slots: free processors, then the complement of the site index, so
 * that the first site wins ties.
 */
@inline
function indexKeyOfSite(site: i32, freeProcessors: i32): u64 {
  return ((<u64>freeProcessors) << 32) | <u64>~(<u32>site);
}

function growSlotTree(simulation: Simulation): void {
  const leafCount = simulation.indexLeaves;
  for (let slot = 0; slot < leafCount; slot++) {
    const slotKey =
      slot < simulation.siteCount ? indexKeyOfSite(siteInSlot(slot), freeProcessorsOf(siteInSlot(slot))) : 0;
    put<u64>(columns.slotTree, leafCount + slot, slotKey);
  }
  maximumTree.growMaximumTree<u64>(columns.slotTree, leafCount);
  simulation.indexParts |= IndexPart.SlotTree;
}

function growSiteTree(simulation: Simulation): void {
  const leafCount = simulation.indexLeaves;
  const firstSlots = columns.firstSlotTree;
  for (let site = 0; site < leafCount; site++) {
    const isRealSite = site < simulation.siteCount;
    put<i32>(columns.siteTree, leafCount + site, isRealSite ? freeProcessorsOf(site) : 0);
    put<i32>(firstSlots, leafCount + site, isRealSite ? at<i32>(columns.slotOfSite, site) : i32.MAX_VALUE);
  }
  maximumTree.growMaximumTree<i32>(columns.siteTree, leafCount);
  for (let node = leafCount - 1; node > 0; node--) {
    put<i32>(firstSlots, node, min(at<i32>(firstSlots, 2 * node), at<i32>(firstSlots, 2 * node + 1)));
  }
  simulation.indexParts |= IndexPart.SiteTree;
}

/** Visits sites from left to right, skipping nodes without room or without a candidate. */
function firstCandidateSiteWithRoom(simulation: Simulation, processors: i32, candidateCount: i32): i32 {
  const leafCount = simulation.indexLeaves;
  let node = 1;
  while (node !== 0) {
    if (
      at<i32>(columns.siteTree, node) >= processors &&
      at<i32>(columns.firstSlotTree, node) < candidateCount
    ) {
      if (node >= leafCount) return node - leafCount;
      node *= 2;
    } else {
      while ((node & 1) !== 0) node >>= 1;
      if (node !== 0) node++;
    }
  }
  return -1;
}

function roomiestSiteAmong(simulation: Simulation, processors: i32, candidateCount: i32): i32 {
  if ((simulation.indexParts & IndexPart.SlotTree) === 0) growSlotTree(simulation);
  const greatestKey = maximumTree.greatestOfFirstLeaves<u64>(
    columns.slotTree,
    simulation.indexLeaves,
    candidateCount,
  );
  return <i32>(greatestKey >> 32) >= processors ? <i32>~(<u32>greatestKey) : -1;
}
