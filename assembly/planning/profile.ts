import * as pool from '../memory/pool';

/**
 * Releases over future time, one tree per site. A node is a time at which processors become free. Nodes are
 * sorted by time from left to right, and every node stores the sum of its subtree, so that insertion, removal
 * and search walk from the root down. From top to bottom, nodes are sorted by hashes of their indices: a
 * treap, shallow for any order of insertion.
 *
 * A profile is an array of entries of 32 bytes: the head of the list of unused entries (memory/pool.ts), one
 * entry per site, and the nodes of the trees. Links between nodes are indices of entries, so a profile can be
 * copied and moved. Index 0, that of the head, means no node; where a node has its changes and links, the
 * head has zeros.
 */
@unmanaged
export class ReleaseNode {
  time: f64;
  change: i32;
  /** Sum of the changes in the subtree. */
  total: i32;
  sooner: i32;
  later: i32;
}

/**
 * Data of a site in a profile: the root of its tree (0: no changes), and the processors of its overdue jobs
 * with their common predicted end in seconds (predictions.ts).
 */
@unmanaged
export class SiteProfile {
  root: i32;
  /** Processors of overdue jobs, and their predicted end in seconds; predictions.ts. */
  overdueProcessors: i32;
  /** Time in seconds up to which changes have been removed; predictions.ts. */
  updatedUntil: f64;
  overdueUntil: f64;
}

const ENTRY_BYTES_LOG2: i32 = 5;
const ENTRY_BYTES: usize = 1 << ENTRY_BYTES_LOG2;

/** Size of a profile in words of 8 bytes. */
export function profileWordCount(sites: i64, nodes: i64): i64 {
  return (1 + sites + nodes) << (ENTRY_BYTES_LOG2 - 3);
}

@inline
export function siteProfileAt(profileAddress: usize, site: i32): SiteProfile {
  return changetype<SiteProfile>(profileAddress + ((<usize>(1 + site)) << ENTRY_BYTES_LOG2));
}

@inline
export function releaseNodeAt(profileAddress: usize, index: i32): ReleaseNode {
  return changetype<ReleaseNode>(profileAddress + ((<usize>index) << ENTRY_BYTES_LOG2));
}

/** Initializes a profile without nodes; the data of sites must be cleared memory. */
export function reset(profileAddress: usize, sites: i32): void {
  pool.reset(profileAddress, sites);
}

/** Changes the number of free processors of a site by `amount` from a time on. */
export function addChangeAt(profileAddress: usize, site: i32, time: f64, amount: i32): void {
  const siteProfile = siteProfileAt(profileAddress, site);
  siteProfile.root = addChange(profileAddress, siteProfile.root, time, amount);
}

/** Adds a change to a subtree; returns its root. Only a new root can require a rotation with its parent. */
function addChange(profileAddress: usize, index: i32, time: f64, amount: i32): i32 {
  if (index === 0) return createNode(profileAddress, time, amount);
  const node = releaseNodeAt(profileAddress, index);
  if (time < node.time) {
    const child = addChange(profileAddress, node.sooner, time, amount);
    if (child !== node.sooner && child !== 0 && heapRankOf(child) > heapRankOf(index)) {
      node.sooner = releaseNodeAt(profileAddress, child).later;
      updateNodeTotal(profileAddress, node);
      releaseNodeAt(profileAddress, child).later = index;
      updateNodeTotal(profileAddress, releaseNodeAt(profileAddress, child));
      return child;
    }
    node.sooner = child;
  } else if (time > node.time) {
    const child = addChange(profileAddress, node.later, time, amount);
    if (child !== node.later && child !== 0 && heapRankOf(child) > heapRankOf(index)) {
      node.later = releaseNodeAt(profileAddress, child).sooner;
      updateNodeTotal(profileAddress, node);
      releaseNodeAt(profileAddress, child).sooner = index;
      updateNodeTotal(profileAddress, releaseNodeAt(profileAddress, child));
      return child;
    }
    node.later = child;
  } else {
    node.change += amount;
    if (node.change === 0) return removeNode(profileAddress, index);
  }
  updateNodeTotal(profileAddress, node);
  return index;
}

function createNode(profileAddress: usize, time: f64, amount: i32): i32 {
  const index = pool.takeEntry(profileAddress, ENTRY_BYTES);
  const node = releaseNodeAt(profileAddress, index);
  node.time = time;
  node.change = amount;
  node.sooner = 0;
  node.later = 0;
  node.total = amount;
  return index;
}

/** Removes a node; returns the tree of its children. */
function removeNode(profileAddress: usize, index: i32): i32 {
  const node = releaseNodeAt(profileAddress, index);
  const mergedTree = mergeTrees(profileAddress, node.sooner, node.later);
  pool.returnEntry(profileAddress, ENTRY_BYTES, index);
  return mergedTree;
}

/** Joins two trees; all nodes of the first are earlier than those of the second. */
function mergeTrees(profileAddress: usize, soonerTree: i32, laterTree: i32): i32 {
  if (soonerTree === 0) return laterTree;
  if (laterTree === 0) return soonerTree;
  if (heapRankOf(soonerTree) > heapRankOf(laterTree)) {
    const node = releaseNodeAt(profileAddress, soonerTree);
    node.later = mergeTrees(profileAddress, node.later, laterTree);
    updateNodeTotal(profileAddress, node);
    return soonerTree;
  }
  const node = releaseNodeAt(profileAddress, laterTree);
  node.sooner = mergeTrees(profileAddress, soonerTree, node.sooner);
  updateNodeTotal(profileAddress, node);
  return laterTree;
}

/** Updates the sum of a node's subtree. */
@inline
function updateNodeTotal(profileAddress: usize, node: ReleaseNode): void {
  node.total =
    releaseNodeAt(profileAddress, node.sooner).total +
    node.change +
    releaseNodeAt(profileAddress, node.later).total;
}

/** Hash of an index (the finalizer of MurmurHash3). */
@inline
function heapRankOf(index: i32): u32 {
  let bits = <u32>index;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6b;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35;
  return bits ^ (bits >> 16);
}

/** Removes all changes of a site up to a time; returns their sum. */
export function takeChangesUntil(profileAddress: usize, site: i32, time: f64): i32 {
  const siteProfile = siteProfileAt(profileAddress, site);
  sumOfTakenChanges = 0;
  while (siteProfile.root !== 0 && timeOfFirstNode(profileAddress, siteProfile.root) <= time) {
    siteProfile.root = removeFirstNode(profileAddress, siteProfile.root);
  }
  return sumOfTakenChanges;
}

/** Sum of the changes removed by `removeFirstNode`. */
let sumOfTakenChanges: i32 = 0;

@inline
function timeOfFirstNode(profileAddress: usize, index: i32): f64 {
  while (releaseNodeAt(profileAddress, index).sooner !== 0)
    index = releaseNodeAt(profileAddress, index).sooner;
  return releaseNodeAt(profileAddress, index).time;
}

/** Tree without its first node, whose change is added to `sumOfTakenChanges`. */
function removeFirstNode(profileAddress: usize, index: i32): i32 {
  const node = releaseNodeAt(profileAddress, index);
  if (node.sooner === 0) {
    sumOfTakenChanges += node.change;
    return removeNode(profileAddress, index);
  }
  node.sooner = removeFirstNode(profileAddress, node.sooner);
  updateNodeTotal(profileAddress, node);
  return index;
}

/** Time of the first change of a site; +infinity if none. */
export function soonestChange(profileAddress: usize, site: i32): f64 {
  const root = siteProfileAt(profileAddress, site).root;
  return root === 0 ? Infinity : timeOfFirstNode(profileAddress, root);
}

/** Time in seconds found by `findTimeOfAtLeast`, and the sum of the changes up to then. */
export let foundTime: f64 = 0;
export let foundProcessors: i32 = 0;

/**
 * Finds the time at which the sum of the changes of a site reaches this many processors; no change is
 * negative.
 */
export function findTimeOfAtLeast(profileAddress: usize, site: i32, processors: i32): void {
  let sumBefore = 0;
  for (let index = siteProfileAt(profileAddress, site).root; index !== 0; ) {
    const node = releaseNodeAt(profileAddress, index);
    const sumUntilNode = sumBefore + releaseNodeAt(profileAddress, node.sooner).total + node.change;
    if (sumUntilNode >= processors) {
      foundTime = node.time;
      foundProcessors = sumUntilNode;
      index = node.sooner;
    } else {
      sumBefore = sumUntilNode;
      index = node.later;
    }
  }
}
