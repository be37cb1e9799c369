import { move } from '../memory';

/**
 * Free processors over future time, one tree per site. A node is a moment at which the number changes; from
 * left to right the nodes stand in the order of time, and every node knows the sum of the changes below it
 * and the least and the greatest of the running sums from the left, so that moving, asking and searching
 * take a walk from the root down. From the top down the order is that of numbers which scatter the places of
 * the nodes: a treap, shallow whatever the order of entering.
 *
 * A forest is a row of entries of 32 bytes: what is in stock, a head per site, then the nodes. Links are
 * places in it, 0 is no node, so a forest can be copied and moved.
 */
@unmanaged
export class Node {
  time: f64;
  change: i32;
  /** Sum of the changes in the subtree; least and most running sum, the empty one (0) included. */
  total: i32;
  least: i32;
  most: i32;
  sooner: i32;
  later: i32;
}

/**
 * The first entry: the last place in use, and the first of the places given back (linked by `later`). It lies
 * where a node has its time; the rest of the entry stays 0, so that as a node it is one without changes.
 */
@unmanaged
class Stock {
  used: i32;
  spare: i32;
}

/** What a forest keeps of a site. */
@unmanaged
export class Head {
  root: i32;
  /** Free processors before the first change. */
  free: i32;
  /** Processors of jobs that should have ended, and when they are now predicted to; predictions.ts. */
  overdue: i32;
  /** Whether something has happened at the site in this instant. */
  touched: i32;
  /** Changes up to this time have been taken out; predictions.ts. */
  swept: f64;
  overdueUntil: f64;
}

const ENTRY_SHIFT: i32 = 5;

/** Entries of a forest with so many sites and nodes, in units of 8 bytes. */
export function wordsOf(sites: i64, nodes: i64): i64 {
  return (1 + sites + nodes) << (ENTRY_SHIFT - 3);
}

@inline
function stockOf(forest: usize): Stock {
  return changetype<Stock>(forest);
}

@inline
export function headOf(forest: usize, site: i32): Head {
  return changetype<Head>(forest + (<usize>(1 + site) << ENTRY_SHIFT));
}

@inline
export function nodeAt(forest: usize, place: i32): Node {
  return changetype<Node>(forest + (<usize>place << ENTRY_SHIFT));
}

/** A forest without a node; the heads are cleared by whoever cleared the memory. */
export function reset(forest: usize, sites: i32): void {
  stockOf(forest).used = sites;
  stockOf(forest).spare = 0;
}

/** Makes a forest a copy of another. */
export function copy(forest: usize, from: usize): void {
  move<u64>(forest, 0, from, 0, (stockOf(from).used + 1) << (ENTRY_SHIFT - 3));
}

/** The number of free processors changes by `by` from a time on. */
export function change(forest: usize, site: i32, time: f64, by: i32): void {
  const head = headOf(forest, site);
  head.root = add(forest, head.root, time, by);
}

/** Adds a change to a subtree; returns its root. Only a new root can belong above the node it is under. */
function add(forest: usize, place: i32, time: f64, by: i32): i32 {
  if (place === 0) return create(forest, time, by);
  const node = nodeAt(forest, place);
  if (time < node.time) {
    const child = add(forest, node.sooner, time, by);
    if (child !== node.sooner && child !== 0 && rankOf(child) > rankOf(place)) {
      node.sooner = nodeAt(forest, child).later;
      tally(forest, node);
      nodeAt(forest, child).later = place;
      tally(forest, nodeAt(forest, child));
      return child;
    }
    node.sooner = child;
  } else if (time > node.time) {
    const child = add(forest, node.later, time, by);
    if (child !== node.later && child !== 0 && rankOf(child) > rankOf(place)) {
      node.later = nodeAt(forest, child).sooner;
      tally(forest, node);
      nodeAt(forest, child).sooner = place;
      tally(forest, nodeAt(forest, child));
      return child;
    }
    node.later = child;
  } else {
    node.change += by;
    if (node.change === 0) return discard(forest, place);
  }
  tally(forest, node);
  return place;
}

function create(forest: usize, time: f64, by: i32): i32 {
  const stock = stockOf(forest);
  let place = stock.spare;
  if (place !== 0) stock.spare = nodeAt(forest, place).later;
  else place = ++stock.used;
  const node = nodeAt(forest, place);
  node.time = time;
  node.change = by;
  node.sooner = 0;
  node.later = 0;
  node.total = by;
  node.least = min(0, by);
  node.most = max(0, by);
  return place;
}

/** Gives a node back; returns the tree of those below it. */
function discard(forest: usize, place: i32): i32 {
  const node = nodeAt(forest, place);
  const rest = merge(forest, node.sooner, node.later);
  node.later = stockOf(forest).spare;
  stockOf(forest).spare = place;
  return rest;
}

/** One tree of two, all of the first sooner than all of the second. */
function merge(forest: usize, sooner: i32, later: i32): i32 {
  if (sooner === 0) return later;
  if (later === 0) return sooner;
  if (rankOf(sooner) > rankOf(later)) {
    const node = nodeAt(forest, sooner);
    node.later = merge(forest, node.later, later);
    tally(forest, node);
    return sooner;
  }
  const node = nodeAt(forest, later);
  node.sooner = merge(forest, sooner, node.sooner);
  tally(forest, node);
  return later;
}

/** Sums up what stands below a node. */
@inline
function tally(forest: usize, node: Node): void {
  const sooner = nodeAt(forest, node.sooner);
  const later = nodeAt(forest, node.later);
  const sum = sooner.total + node.change;
  // The empty sum after the node stands for the node itself.
  node.least = min(sooner.least, sum + later.least);
  node.most = max(sooner.most, sum + later.most);
  node.total = sum + later.total;
}

/** A number that scatters places (the finalizer of MurmurHash3). */
@inline
function rankOf(place: i32): u32 {
  let bits = <u32>place;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6b;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35;
  return bits ^ (bits >> 16);
}

/** Takes all changes up to a time out of a site's tree; returns their sum. */
export function takeUntil(forest: usize, site: i32, time: f64): i32 {
  const head = headOf(forest, site);
  takenSum = 0;
  while (head.root !== 0 && firstTime(forest, head.root) <= time) head.root = withoutFirst(forest, head.root);
  return takenSum;
}

/** The sum of the changes that `withoutFirst` has taken. */
let takenSum: i32 = 0;

@inline
function firstTime(forest: usize, place: i32): f64 {
  while (nodeAt(forest, place).sooner !== 0) place = nodeAt(forest, place).sooner;
  return nodeAt(forest, place).time;
}

/** The tree without its first node, whose change is added to `takenSum`. */
function withoutFirst(forest: usize, place: i32): i32 {
  const node = nodeAt(forest, place);
  if (node.sooner === 0) {
    takenSum += node.change;
    return discard(forest, place);
  }
  node.sooner = withoutFirst(forest, node.sooner);
  tally(forest, node);
  return place;
}

/** Sum of the changes of the subtree to the left of a node. */
@inline
export function sumBefore(forest: usize, node: Node): i32 {
  return nodeAt(forest, node.sooner).total;
}
