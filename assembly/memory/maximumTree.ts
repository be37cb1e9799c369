import { at, put } from './memory';

/** Trees of maxima: node n has the greater of nodes 2n and 2n + 1, the root is node 1. */

/** Makes a tree from its leaves, a power of two of them, which are from node `leaves` on. */
export function grow<T>(tree: usize, leaves: i32): void {
  for (let node = leaves - 1; node > 0; node--) {
    put<T>(tree, node, max<T>(at<T>(tree, 2 * node), at<T>(tree, 2 * node + 1)));
  }
}

/**
 * The first leaf with at least such a value, or -1: on the way up from the first leaf and down again, so that
 * one that is early is found early.
 */
@inline
export function first<T>(tree: usize, leaves: i32, value: T): i32 {
  if (at<T>(tree, 1) < value) return -1;
  let node = leaves;
  if (at<T>(tree, node) >= value) return 0;
  do node >>= 1;
  while (at<T>(tree, node) < value);
  // What is left of it has been seen.
  node = 2 * node + 1;
  while (node < leaves) node = 2 * node + i32(at<T>(tree, 2 * node) < value);
  return node - leaves;
}

/** A leaf has another value. */
@inline
export function set<T>(tree: usize, leaves: i32, leaf: i32, value: T): void {
  let node = leaves + leaf;
  put<T>(tree, node, value);
  while (node > 1) {
    const most = max<T>(at<T>(tree, node), at<T>(tree, node ^ 1));
    node >>= 1;
    if (at<T>(tree, node) === most) return;
    put<T>(tree, node, most);
  }
}

/** The greatest of the first leaves, fewer than all, from the trees that make them up; 0 of none. */
export function greatest<T>(tree: usize, leaves: i32, count: i32): T {
  let most: T = 0;
  for (let end = leaves + count; end > 1; end >>= 1) {
    if ((end & 1) !== 0) most = max<T>(most, at<T>(tree, end - 1));
  }
  return most;
}
