import { at, put } from '../memory/memory';

/**
 * Sets of the processors of a site, one bit per processor in 64-bit words. A set is given by its address, and
 * `words` is its number of words. With one processor per node, sets of processors and of nodes are the same.
 */

/** Copies a set. */
@inline
export function copySet(targetAddress: usize, sourceAddress: usize, words: i32): void {
  for (let word = 0; word < words; word++) put<u64>(targetAddress, word, at<u64>(sourceAddress, word));
}

/** Empties a set. */
@inline
export function clearSet(setAddress: usize, words: i32): void {
  for (let word = 0; word < words; word++) put<u64>(setAddress, word, 0);
}

/** Sets the first `nodes` bits of a set. */
export function fillSet(setAddress: usize, nodes: i32): void {
  let word = 0;
  for (let remainingNodes = nodes; remainingNodes > 0; remainingNodes -= 64)
    put<u64>(setAddress, word++, ~(<u64>0) >> (64 - min(remainingNodes, 64)));
}

/** Keeps only the nodes of a set that are also in another. */
@inline
export function intersectSet(setAddress: usize, otherAddress: usize, words: i32): void {
  for (let word = 0; word < words; word++)
    put<u64>(setAddress, word, at<u64>(setAddress, word) & at<u64>(otherAddress, word));
}

/** Removes the nodes of another set. */
@inline
export function subtractSet(setAddress: usize, otherAddress: usize, words: i32): void {
  for (let word = 0; word < words; word++)
    put<u64>(setAddress, word, at<u64>(setAddress, word) & ~at<u64>(otherAddress, word));
}

/** Adds the nodes of another set. */
@inline
export function add(setAddress: usize, otherAddress: usize, words: i32): void {
  for (let word = 0; word < words; word++)
    put<u64>(setAddress, word, at<u64>(setAddress, word) | at<u64>(otherAddress, word));
}

/** Adds the processors with numbers from `firstProcessor` to `end` - 1. */
export function addProcessorsBetween(setAddress: usize, firstProcessor: i32, end: i32): void {
  while (firstProcessor < end) {
    const bits = min(end - firstProcessor, 64 - (firstProcessor & 63));
    const mask = (~(<u64>0) >> (64 - bits)) << (firstProcessor & 63);
    put<u64>(setAddress, firstProcessor >> 6, at<u64>(setAddress, firstProcessor >> 6) | mask);
    firstProcessor += bits;
  }
}

/** Removes the processors with numbers from `firstProcessor` to `end` - 1. */
export function removeProcessorsBetween(setAddress: usize, firstProcessor: i32, end: i32): void {
  while (firstProcessor < end) {
    const bits = min(end - firstProcessor, 64 - (firstProcessor & 63));
    const mask = (~(<u64>0) >> (64 - bits)) << (firstProcessor & 63);
    put<u64>(setAddress, firstProcessor >> 6, at<u64>(setAddress, firstProcessor >> 6) & ~mask);
    firstProcessor += bits;
  }
}

/** Adds the nodes that are in both of two other sets. */
@inline
export function addIntersection(
  setAddress: usize,
  firstOtherAddress: usize,
  secondOtherAddress: usize,
  words: i32,
): void {
  for (let word = 0; word < words; word++) {
    put<u64>(
      setAddress,
      word,
      at<u64>(setAddress, word) | (at<u64>(firstOtherAddress, word) & at<u64>(secondOtherAddress, word)),
    );
  }
}

/** Number of nodes in a set. */
@inline
export function count(setAddress: usize, words: i32): i32 {
  let nodes: u64 = 0;
  for (let word = 0; word < words; word++) nodes += popcnt(at<u64>(setAddress, word));
  return <i32>nodes;
}

/** Number of nodes that are in both sets. */
@inline
export function countCommonMembers(setAddress: usize, otherAddress: usize, words: i32): i32 {
  let nodes: u64 = 0;
  for (let word = 0; word < words; word++)
    nodes += popcnt(at<u64>(setAddress, word) & at<u64>(otherAddress, word));
  return <i32>nodes;
}

/** True if two sets have a node in common. */
@inline
export function doSetsOverlap(setAddress: usize, otherAddress: usize, words: i32): bool {
  for (let word = 0; word < words; word++) {
    if ((at<u64>(setAddress, word) & at<u64>(otherAddress, word)) !== 0) return true;
  }
  return false;
}

/** True if all nodes of a set are in another. */
@inline
export function isSubset(setAddress: usize, otherAddress: usize, words: i32): bool {
  for (let word = 0; word < words; word++) {
    if ((at<u64>(setAddress, word) & ~at<u64>(otherAddress, word)) !== 0) return false;
  }
  return true;
}

/** True if all nodes of a set are in both of two others. */
@inline
export function isSubsetOfBoth(
  setAddress: usize,
  firstOtherAddress: usize,
  secondOtherAddress: usize,
  words: i32,
): bool {
  for (let word = 0; word < words; word++) {
    if (
      (at<u64>(setAddress, word) &
        ~(at<u64>(firstOtherAddress, word) & at<u64>(secondOtherAddress, word))) !==
      0
    )
      return false;
  }
  return true;
}

/** True if all nodes that are in both of two sets are also in both of two others. */
@inline
export function isIntersectionInBothSupersets(
  firstSetAddress: usize,
  secondSetAddress: usize,
  firstSupersetAddress: usize,
  secondSupersetAddress: usize,
  words: i32,
): bool {
  for (let word = 0; word < words; word++) {
    const commonMembers = at<u64>(firstSetAddress, word) & at<u64>(secondSetAddress, word);
    if ((commonMembers & ~(at<u64>(firstSupersetAddress, word) & at<u64>(secondSupersetAddress, word))) !== 0)
      return false;
  }
  return true;
}

/** True if two sets are equal. */
@inline
export function areNodeSetsEqual(setAddress: usize, otherAddress: usize, words: i32): bool {
  for (let word = 0; word < words; word++) {
    if (at<u64>(setAddress, word) !== at<u64>(otherAddress, word)) return false;
  }
  return true;
}

/** First node from `node` on that is in a set; `end` if there is none. */
function nextMember(setAddress: usize, node: i32, end: i32): i32 {
  while (node < end) {
    const bits = at<u64>(setAddress, node >> 6) >> (node & 63);
    if (bits !== 0) return min(end, node + <i32>ctz(bits));
    node = (node | 63) + 1;
  }
  return end;
}

/** First node from `node` on that is not in a set; `end` if there is none. */
function nextNonMember(setAddress: usize, node: i32, end: i32): i32 {
  while (node < end) {
    const bits = ~at<u64>(setAddress, node >> 6) >> (node & 63);
    if (bits !== 0) return min(end, node + <i32>ctz(bits));
    node = (node | 63) + 1;
  }
  return end;
}

/**
 * Chooses free nodes for a job as Slurm does. A block is a row of neighbouring free nodes. The job gets
 * the lowest nodes of the smallest block with enough nodes. If no block has enough, the job gets the largest
 * block whole, and its other nodes from the remaining blocks by the same rule.
 * The chosen nodes are removed from the set of free ones.
 */
export function takeNodesByBlocks(
  chosenAddress: usize,
  setAddress: usize,
  words: i32,
  wantedNodeCount: i32,
): void {
  const end = words << 6;
  clearSet(chosenAddress, words);
  while (wantedNodeCount > 0) {
    let bestFirstNode = -1;
    let bestBlockSize = 0;
    for (let node = nextMember(setAddress, 0, end); node < end; ) {
      const blockEnd = nextNonMember(setAddress, node, end);
      const blockSize = blockEnd - node;
      const isBetter =
        bestBlockSize < wantedNodeCount
          ? blockSize > bestBlockSize
          : blockSize >= wantedNodeCount && blockSize < bestBlockSize;
      if (isBetter) {
        bestFirstNode = node;
        bestBlockSize = blockSize;
      }
      node = nextMember(setAddress, blockEnd, end);
    }
    const takenNodeCount = min(wantedNodeCount, bestBlockSize);
    for (let node = bestFirstNode; node < bestFirstNode + takenNodeCount; ) {
      const bits = min(bestFirstNode + takenNodeCount - node, 64 - (node & 63));
      const mask = (~(<u64>0) >> (64 - bits)) << (node & 63);
      put<u64>(chosenAddress, node >> 6, at<u64>(chosenAddress, node >> 6) | mask);
      put<u64>(setAddress, node >> 6, at<u64>(setAddress, node >> 6) & ~mask);
      node += bits;
    }
    wantedNodeCount -= takenNodeCount;
  }
}

/** Number of processors of a set from `firstProcessor` on and before `end`. */
export function countBetween(setAddress: usize, firstProcessor: i32, end: i32): i32 {
  let processors: u64 = 0;
  while (firstProcessor < end) {
    const bits = min(end - firstProcessor, 64 - (firstProcessor & 63));
    const mask = (~(<u64>0) >> (64 - bits)) << (firstProcessor & 63);
    processors += popcnt(at<u64>(setAddress, firstProcessor >> 6) & mask);
    firstProcessor += bits;
  }
  return <i32>processors;
}

/**
 * Moves up to `maxMovedCount` processors, the lowest in [firstProcessor, end), from a set to another; returns
 * their number.
 */
function moveLowest(
  chosenAddress: usize,
  setAddress: usize,
  firstProcessor: i32,
  end: i32,
  maxMovedCount: i32,
): i32 {
  let movedCount = 0;
  for (
    let processor = nextMember(setAddress, firstProcessor, end);
    processor < end && movedCount < maxMovedCount;
    processor = nextMember(setAddress, processor, end)
  ) {
    const mask = (<u64>1) << (processor & 63);
    put<u64>(chosenAddress, processor >> 6, at<u64>(chosenAddress, processor >> 6) | mask);
    put<u64>(setAddress, processor >> 6, at<u64>(setAddress, processor >> 6) & ~mask);
    movedCount++;
  }
  return movedCount;
}

/**
 * Moves `wanted` processors from a set, which has enough, to the set at `chosenAddress`. Nodes have
 * `processorsPerNode` processors. Blocks are neighbouring nodes with processors of the set: the smallest
 * block that is large enough is used, or, if there is none, the whole largest one, and so on. Within a block,
 * a single node that is large enough is best (of several the one with the fewest processors); otherwise nodes
 * are taken from the lowest on.
 */
export function takeFromNodes(
  chosenAddress: usize,
  setAddress: usize,
  words: i32,
  wanted: i32,
  processorsPerNode: i32,
): void {
  const end = words << 6;
  clearSet(chosenAddress, words);
  while (wanted > 0) {
    let bestBlockBegin = -1;
    let bestBlockEnd = -1;
    let bestBlockProcessors = 0;
    for (let blockBegin = 0; blockBegin < end; ) {
      let blockProcessors = 0;
      let nodeBegin = blockBegin;
      for (; nodeBegin < end; nodeBegin += processorsPerNode) {
        const nodeProcessors = countBetween(setAddress, nodeBegin, min(end, nodeBegin + processorsPerNode));
        if (nodeProcessors === 0) break;
        blockProcessors += nodeProcessors;
      }
      const isBetter =
        bestBlockProcessors < wanted
          ? blockProcessors > bestBlockProcessors
          : blockProcessors >= wanted && blockProcessors < bestBlockProcessors;
      if (isBetter) {
        bestBlockBegin = blockBegin;
        bestBlockEnd = nodeBegin;
        bestBlockProcessors = blockProcessors;
      }
      blockBegin = nodeBegin + processorsPerNode;
    }
    let bestBegin = -1;
    let bestNodeProcessors = i32.MAX_VALUE;
    for (let nodeBegin = bestBlockBegin; nodeBegin < bestBlockEnd; nodeBegin += processorsPerNode) {
      const nodeProcessors = countBetween(setAddress, nodeBegin, min(end, nodeBegin + processorsPerNode));
      if (nodeProcessors < wanted || nodeProcessors >= bestNodeProcessors) continue;
      bestBegin = nodeBegin;
      bestNodeProcessors = nodeProcessors;
    }
    if (bestBegin >= 0) {
      moveLowest(chosenAddress, setAddress, bestBegin, min(end, bestBegin + processorsPerNode), wanted);
      return;
    }
    for (
      let nodeBegin = bestBlockBegin;
      nodeBegin < bestBlockEnd && wanted > 0;
      nodeBegin += processorsPerNode
    ) {
      wanted -= moveLowest(
        chosenAddress,
        setAddress,
        nodeBegin,
        min(end, nodeBegin + processorsPerNode),
        wanted,
      );
    }
  }
}

/**
 * Completes the nodes of a set of processors: of each node with a processor in the set, all others are added.
 */
export function addWholeNodes(setAddress: usize, words: i32, processorsPerNode: i32): void {
  const end = words << 6;
  for (let nodeBegin = 0; nodeBegin < end; nodeBegin += processorsPerNode) {
    const endOfNode = min(end, nodeBegin + processorsPerNode);
    if (countBetween(setAddress, nodeBegin, endOfNode) === 0) continue;
    for (let processor = nodeBegin; processor < endOfNode; processor++) {
      put<u64>(
        setAddress,
        processor >> 6,
        at<u64>(setAddress, processor >> 6) | ((<u64>1) << (processor & 63)),
      );
    }
  }
}
