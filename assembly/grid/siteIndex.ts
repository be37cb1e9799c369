import { Simulation } from '../memory/state';
import * as bitmap from '../memory/bitmap';
import * as columns from '../memory/columns';
import * as maximumTree from '../memory/maximumTree';
import { at, clear, put } from '../memory/memory';

/**
 * Sites by what is free on them, where they are so many that a look at every one would cost more. The slots
 * say what is free; this is a cache of it, in three parts, each made when first asked for and then kept.
 *
 * - Levels. Neighbouring sites are in blocks; of every block it is marked which numbers of processors are
 *   free on some site of it, as a set of numbers free << blockBits | block (bitmap.ts). The next number from
 *   p << blockBits on is the tightest fit for p processors and has the first such block; a look at the block
 *   finds the site. A what-if moves sites among the levels, and moves them back when it is over.
 * - Two trees of maxima, over the slots and over the sites in the order of the grid: the first with room is
 *   found on the way up from the first leaf and down again, so that one that is early is found early. A
 *   node of the second also has the first slot of its sites, which never changes: what has no candidate is
 *   passed over.
 */

enum Part {
  Levels = 1,
  SlotTree = 2,
  SiteTree = 4,
}

/** A block has 1 << shift sites, as few as there is room for, but at least 4: with 8 or 16 it is slower. */
const LEAST_SHIFT: i32 = 2;

/** Words of 8 bytes for this many sites: enough for blocks of 4 sites with 4,000 processors each. */
export function wordsOf(sites: i64): i64 {
  return min<i64>(32 * sites, 1 << 24);
}

/** Begins with no part; returns whether there is room for the numbers of these sites. */
export function reset(simulation: Simulation): bool {
  const sites = simulation.siteCount;
  let widest = 0;
  for (let site = 0; site < sites; site++) widest = max(widest, at<i32>(columns.capacities, site));
  const room = simulation.indexWords << 6;
  let shift = LEAST_SHIFT - 1;
  let bits: i32;
  do {
    shift++;
    bits = bitsFor(((sites - 1) >> shift) + 1);
  } while (bits > 0 && (<i64>widest + 1) << bits > room);
  simulation.indexParts = 0;
  simulation.indexShift = shift;
  simulation.indexBlockBits = bits;
  simulation.indexWidest = widest;
  simulation.indexLeaves = 1 << bitsFor(sites);
  return (<i64>widest + 1) << bits <= room;
}

/** How many bits number this many things. */
@inline
function bitsFor(count: i32): i32 {
  return 32 - <i32>clz(count - 1);
}

/** What is free on a site has changed. */
export function change(simulation: Simulation, site: i32, free: i32): void {
  const parts = simulation.indexParts;
  if ((parts & Part.Levels) !== 0) move(simulation, site, free);
  if ((parts & Part.SlotTree) !== 0) {
    const slot = at<i32>(columns.slotOfSite, site);
    maximumTree.set<u64>(columns.slotTree, simulation.indexLeaves, slot, roomOf(site, free));
  }
  if ((parts & Part.SiteTree) !== 0) {
    maximumTree.set<i32>(columns.siteTree, simulation.indexLeaves, site, free);
  }
}

/** All parts are rebuilt when they are asked for: what is free has become another state's. */
export function forget(simulation: Simulation): void {
  simulation.indexParts = 0;
}

/** The fastest site with this many processors free, of equal ones the first, or -1. */
export function fastest(simulation: Simulation, processors: i32, candidates: i32): i32 {
  if ((simulation.indexParts & Part.SlotTree) === 0) growSlotTree(simulation);
  const slot = maximumTree.first<u64>(columns.slotTree, simulation.indexLeaves, (<u64>processors) << 32);
  return slot >= 0 && slot < candidates ? siteAt(slot) : -1;
}

/** Among the sites of the first slots, the first of the grid with this many processors free, or -1. */
export function first(simulation: Simulation, processors: i32, candidates: i32): i32 {
  if ((simulation.indexParts & Part.SiteTree) === 0) growSiteTree(simulation);
  if (candidates !== simulation.siteCount) return firstAmong(simulation, processors, candidates);
  return maximumTree.first<i32>(columns.siteTree, simulation.indexLeaves, processors);
}

/**
 * Among the sites of the first slots with at least this many free, the one with the fewest; of equal ones
 * the first; or -1.
 */
export function tightest(simulation: Simulation, processors: i32, candidates: i32): i32 {
  if ((simulation.indexParts & Part.Levels) === 0) makeLevels(simulation);
  if (processors > simulation.indexWidest) return -1;
  const number = numberFrom(simulation, processors << simulation.indexBlockBits);
  if (number < 0) return -1;
  if (candidates !== simulation.siteCount) return tightestAmong(simulation, number, processors, candidates);
  return siteOf(simulation, number, simulation.siteCount);
}

/**
 * Among the sites of the first slots, the one that has the most free, of equal ones the first; -1 where that
 * is less than this many.
 */
export function roomiest(simulation: Simulation, processors: i32, candidates: i32): i32 {
  if (candidates !== simulation.siteCount) return roomiestAmong(simulation, processors, candidates);
  const most = mostFree(simulation);
  if (most < processors) return -1;
  const number = numberFrom(simulation, most << simulation.indexBlockBits);
  return siteOf(simulation, number, simulation.siteCount);
}

/** The most processors that are free on one site. */
export function mostFree(simulation: Simulation): i32 {
  if ((simulation.indexParts & Part.Levels) === 0) makeLevels(simulation);
  const end = endOfNumbers(simulation);
  const greatest = bitmap.last(columns.free0, columns.free1, columns.free2, columns.free3, end);
  return greatest >> simulation.indexBlockBits;
}

/** A what-if begins. */
export function beginHypothesis(simulation: Simulation): void {
  if ((simulation.indexParts & Part.Levels) === 0) makeLevels(simulation);
  simulation.indexTouched = 0;
}

/** Takes processors of a site in the what-if. */
export function assume(simulation: Simulation, site: i32, processors: i32): void {
  const free = at<i32>(columns.siteFree, site);
  // Every site once: one that has been touched has less than there is.
  if (free === freeNow(site)) put<i32>(columns.hypotheticalSlots, simulation.indexTouched++, site);
  move(simulation, site, free - processors);
}

/** The what-if is over, and all sites have again what they have. */
export function endHypothesis(simulation: Simulation): void {
  for (let index = simulation.indexTouched - 1; index >= 0; index--) {
    const site = at<i32>(columns.hypotheticalSlots, index);
    move(simulation, site, freeNow(site));
  }
}

@inline
function freeNow(site: i32): i32 {
  return <i32>(at<u64>(columns.slots, at<i32>(columns.slotOfSite, site)) >> 32);
}

@inline
function siteAt(slot: i32): i32 {
  return <i32>at<u64>(columns.slots, slot);
}

/** A site goes to another level. */
function move(simulation: Simulation, site: i32, free: i32): void {
  const block = site >> simulation.indexShift;
  const number = (at<i32>(columns.siteFree, site) << simulation.indexBlockBits) | block;
  put<i32>(columns.siteFree, site, free);
  if (siteOf(simulation, number, simulation.siteCount) < 0) {
    bitmap.leave(columns.free0, columns.free1, columns.free2, columns.free3, number);
  }
  enter(simulation, block, free);
}

@inline
function enter(simulation: Simulation, block: i32, free: i32): void {
  const number = (free << simulation.indexBlockBits) | block;
  bitmap.enter(columns.free0, columns.free1, columns.free2, columns.free3, number);
}

@inline
function endOfNumbers(simulation: Simulation): i32 {
  return (simulation.indexWidest + 1) << simulation.indexBlockBits;
}

/** The next number of a level and a block that is marked, or -1. */
function numberFrom(simulation: Simulation, number: i32): i32 {
  const end = endOfNumbers(simulation);
  const found = bitmap.next(columns.free0, columns.free1, columns.free2, columns.free3, number, end);
  return found < end ? found : -1;
}

/** The first site of a block on a level, among those of the first slots, or -1. */
@inline
function siteOf(simulation: Simulation, number: i32, candidates: i32): i32 {
  const bits = simulation.indexBlockBits;
  const block = number & ((1 << bits) - 1);
  const free = number >> bits;
  const isAny = candidates === simulation.siteCount;
  const end = min((block + 1) << simulation.indexShift, simulation.siteCount);
  for (let site = block << simulation.indexShift; site < end; site++) {
    if (at<i32>(columns.siteFree, site) !== free) continue;
    if (isAny || at<i32>(columns.slotOfSite, site) < candidates) return site;
  }
  return -1;
}

/**
 * Tries one number after another for a site that is a candidate; after as many sites as there are candidates
 * these are looked at one by one.
 */
function tightestAmong(simulation: Simulation, number: i32, processors: i32, candidates: i32): i32 {
  for (let tries = candidates >> simulation.indexShift; tries > 0; tries--) {
    const site = siteOf(simulation, number, candidates);
    if (site >= 0) return site;
    number = numberFrom(simulation, number + 1);
    if (number < 0) return -1;
  }
  let least: u64 = u64.MAX_VALUE;
  for (let slot = 0; slot < candidates; slot++) {
    const site = siteAt(slot);
    const free = at<i32>(columns.siteFree, site);
    if (free >= processors) least = min<u64>(least, ((<u64>free) << 32) | <u64>site);
  }
  return <i32>least;
}

function makeLevels(simulation: Simulation): void {
  const last = endOfNumbers(simulation) >> 6;
  clear(columns.free0, (<usize>(last + 2)) << 3);
  clear(columns.free1, (<usize>((last >> 6) + 2)) << 3);
  clear(columns.free2, (<usize>((last >> 12) + 2)) << 3);
  clear(columns.free3, (<usize>((last >> 18) + 2)) << 3);
  for (let site = 0; site < simulation.siteCount; site++) {
    put<i32>(columns.siteFree, site, freeNow(site));
    enter(simulation, site >> simulation.indexShift, freeNow(site));
  }
  simulation.indexParts |= Part.Levels;
}

/** What the tree of slots has for a site: free processors, and of equal ones the first site has the most. */
@inline
function roomOf(site: i32, free: i32): u64 {
  return ((<u64>free) << 32) | <u64>~(<u32>site);
}

function growSlotTree(simulation: Simulation): void {
  const leaves = simulation.indexLeaves;
  for (let slot = 0; slot < leaves; slot++) {
    const room = slot < simulation.siteCount ? roomOf(siteAt(slot), freeNow(siteAt(slot))) : 0;
    put<u64>(columns.slotTree, leaves + slot, room);
  }
  maximumTree.grow<u64>(columns.slotTree, leaves);
  simulation.indexParts |= Part.SlotTree;
}

function growSiteTree(simulation: Simulation): void {
  const leaves = simulation.indexLeaves;
  const floors = columns.firstSlotTree;
  for (let site = 0; site < leaves; site++) {
    const isSite = site < simulation.siteCount;
    put<i32>(columns.siteTree, leaves + site, isSite ? freeNow(site) : 0);
    put<i32>(floors, leaves + site, isSite ? at<i32>(columns.slotOfSite, site) : i32.MAX_VALUE);
  }
  maximumTree.grow<i32>(columns.siteTree, leaves);
  for (let node = leaves - 1; node > 0; node--) {
    put<i32>(floors, node, min(at<i32>(floors, 2 * node), at<i32>(floors, 2 * node + 1)));
  }
  simulation.indexParts |= Part.SiteTree;
}

/** From left to right through the sites, past every node without room or without a candidate. */
function firstAmong(simulation: Simulation, processors: i32, candidates: i32): i32 {
  const leaves = simulation.indexLeaves;
  let node = 1;
  while (node !== 0) {
    if (at<i32>(columns.siteTree, node) >= processors && at<i32>(columns.firstSlotTree, node) < candidates) {
      if (node >= leaves) return node - leaves;
      node *= 2;
    } else {
      while ((node & 1) !== 0) node >>= 1;
      if (node !== 0) node++;
    }
  }
  return -1;
}

function roomiestAmong(simulation: Simulation, processors: i32, candidates: i32): i32 {
  if ((simulation.indexParts & Part.SlotTree) === 0) growSlotTree(simulation);
  const most = maximumTree.greatest<u64>(columns.slotTree, simulation.indexLeaves, candidates);
  return <i32>(most >> 32) >= processors ? <i32>~(<u32>most) : -1;
}
