import { at, put } from './memory';

/** Trees of maxima: node n has the larger value of nodes 2n and 2n + 1; the root is node 1. */

/** Builds a tree from its leaves, a power of two of them from node `leafCount` on. */
export function growMaximumTree<T>(treeAddress: usize, leafCount: i32): void {
  for (let node = leafCount - 1; node > 0; node--) {
    put<T>(treeAddress, node, max<T>(at<T>(treeAddress, 2 * node), at<T>(treeAddress, 2 * node + 1)));
  }
}

/**
 * First leaf with at least this value, -1 if none. Climbs from the first leaf and descends again, so that a
 * leaf near the front is found fast.
 */
@inline
export function firstLeafOfAtLeast<T>(treeAddress: usize, leaves: i32, value: T): i32 {
  if (at<T>(treeAddress, 1) < value) return -1;
  let node = leaves;
  if (at<T>(treeAddress, node) >= value) return 0;
  do node >>= 1;
  while (at<T>(treeAddress, node) < value);
  // The left half of this subtree has been examined, so the leaf is in the right half.
  node = 2 * node + 1;
  while (node < leaves) node = 2 * node + i32(at<T>(treeAddress, 2 * node) < value);
  return node - leaves;
}

/** Changes the value of a leaf. */
@inline
export function setLeaf<T>(treeAddress: usize, leafCount: i32, leafIndex: i32, value: T): void {
  let node = leafCount + leafIndex;
  put<T>(treeAddress, node, value);
  while (node > 1) {
    const greaterChild = max<T>(at<T>(treeAddress, node), at<T>(treeAddress, node ^ 1));
    node >>= 1;
    if (at<T>(treeAddress, node) === greaterChild) return;
    put<T>(treeAddress, node, greaterChild);
  }
}

/** Largest of the first `count` leaves, fewer than all, from the subtrees that cover them; 0 for none. */
export function greatestOfFirstLeaves<T>(treeAddress: usize, leaves: i32, count: i32): T {
  let greatestValue: T = 0;
  for (let end = leaves + count; end > 1; end >>= 1) {
    if ((end & 1) !== 0) greatestValue = max<T>(greatestValue, at<T>(treeAddress, end - 1));
  }
  return greatestValue;
}
