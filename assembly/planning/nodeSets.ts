import { at, put } from '../memory/memory';

/**
 * Sets of the nodes of a site, one bit per node in words of 64, each at an address. `words` is the number of
 * words of a set.
 */

/** Copies a set. */
@inline
export function copy(to: usize, from: usize, words: i32): void {
  for (let word = 0; word < words; word++) put<u64>(to, word, at<u64>(from, word));
}

/** Empties a set. */
@inline
export function clear(set: usize, words: i32): void {
  for (let word = 0; word < words; word++) put<u64>(set, word, 0);
}

/** Makes a set that of all `nodes` nodes. */
export function fill(set: usize, nodes: i32): void {
  let word = 0;
  for (let rest = nodes; rest > 0; rest -= 64) put<u64>(set, word++, ~(<u64>0) >> (64 - min(rest, 64)));
}

/** Keeps only the nodes of a set that are also in another. */
@inline
export function intersect(set: usize, other: usize, words: i32): void {
  for (let word = 0; word < words; word++) put<u64>(set, word, at<u64>(set, word) & at<u64>(other, word));
}

/** Removes the nodes of another set. */
@inline
export function subtract(set: usize, other: usize, words: i32): void {
  for (let word = 0; word < words; word++) put<u64>(set, word, at<u64>(set, word) & ~at<u64>(other, word));
}

/** Adds the nodes that are in both of two other sets. */
@inline
export function addBoth(set: usize, one: usize, other: usize, words: i32): void {
  for (let word = 0; word < words; word++) {
    put<u64>(set, word, at<u64>(set, word) | (at<u64>(one, word) & at<u64>(other, word)));
  }
}

/** Number of nodes in a set. */
@inline
export function count(set: usize, words: i32): i32 {
  let nodes: u64 = 0;
  for (let word = 0; word < words; word++) nodes += popcnt(at<u64>(set, word));
  return <i32>nodes;
}

/** Number of nodes that are in both sets. */
@inline
export function countBoth(set: usize, other: usize, words: i32): i32 {
  let nodes: u64 = 0;
  for (let word = 0; word < words; word++) nodes += popcnt(at<u64>(set, word) & at<u64>(other, word));
  return <i32>nodes;
}

/** True if two sets have a node in common. */
@inline
export function overlap(set: usize, other: usize, words: i32): bool {
  for (let word = 0; word < words; word++) {
    if ((at<u64>(set, word) & at<u64>(other, word)) !== 0) return true;
  }
  return false;
}

/** True if all nodes of a set are in another. */
@inline
export function isWithin(set: usize, other: usize, words: i32): bool {
  for (let word = 0; word < words; word++) {
    if ((at<u64>(set, word) & ~at<u64>(other, word)) !== 0) return false;
  }
  return true;
}

/** True if all nodes of a set are in both of two others. */
@inline
export function isWithinBoth(set: usize, one: usize, other: usize, words: i32): bool {
  for (let word = 0; word < words; word++) {
    if ((at<u64>(set, word) & ~(at<u64>(one, word) & at<u64>(other, word))) !== 0) return false;
  }
  return true;
}

/** True if two sets are equal. */
@inline
export function areEqual(set: usize, other: usize, words: i32): bool {
  for (let word = 0; word < words; word++) {
    if (at<u64>(set, word) !== at<u64>(other, word)) return false;
  }
  return true;
}

/** First node from `node` on that is in a set; `end` if there is none. */
function nextIn(set: usize, node: i32, end: i32): i32 {
  while (node < end) {
    const bits = at<u64>(set, node >> 6) >> (node & 63);
    if (bits !== 0) return min(end, node + <i32>ctz(bits));
    node = (node | 63) + 1;
  }
  return end;
}

/** First node from `node` on that is not in a set; `end` if there is none. */
function nextOut(set: usize, node: i32, end: i32): i32 {
  while (node < end) {
    const bits = ~at<u64>(set, node >> 6) >> (node & 63);
    if (bits !== 0) return min(end, node + <i32>ctz(bits));
    node = (node | 63) + 1;
  }
  return end;
}

/**
 * Moves `wanted` nodes of a set, which has as many, to another: the lowest of the smallest block of
 * neighbours that is large enough, or, if there is none, the whole largest block, and so on with the rest.
 */
export function takeBlocks(chosen: usize, set: usize, words: i32, wanted: i32): void {
  const end = words << 6;
  clear(chosen, words);
  while (wanted > 0) {
    let best = -1;
    let bestSize = 0;
    for (let node = nextIn(set, 0, end); node < end; ) {
      const behind = nextOut(set, node, end);
      const size = behind - node;
      const isBetter = bestSize < wanted ? size > bestSize : size >= wanted && size < bestSize;
      if (isBetter) {
        best = node;
        bestSize = size;
      }
      node = nextIn(set, behind, end);
    }
    const taken = min(wanted, bestSize);
    for (let node = best; node < best + taken; ) {
      const bits = min(best + taken - node, 64 - (node & 63));
      const mask = (~(<u64>0) >> (64 - bits)) << (node & 63);
      put<u64>(chosen, node >> 6, at<u64>(chosen, node >> 6) | mask);
      put<u64>(set, node >> 6, at<u64>(set, node >> 6) & ~mask);
      node += bits;
    }
    wanted -= taken;
  }
}
