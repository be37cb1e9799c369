/** Numbers of nodes, from 0, unordered. */
export type NodeSet = ReadonlySet<number>;

/** Returns the nodes that are in both sets. */
export function intersectNodeSets(oneSet: NodeSet, otherSet: NodeSet): NodeSet {
  return new Set([...oneSet].filter((node) => otherSet.has(node)));
}

/** Returns the nodes that are in at least one of the sets. */
export function uniteNodeSets(oneSet: NodeSet, otherSet: NodeSet): NodeSet {
  return new Set([...oneSet, ...otherSet]);
}

/** Returns the nodes of a set that are not in the other. */
export function subtractNodeSet(nodes: NodeSet, removed: NodeSet): NodeSet {
  return new Set([...nodes].filter((node) => !removed.has(node)));
}

/** Returns true if all nodes of `subset` are in `allNodes`. */
export function isNodeSubset(subset: NodeSet, allNodes: NodeSet): boolean {
  return [...subset].every((node) => allNodes.has(node));
}

/** Returns true if both sets have the same nodes. */
export function areNodeSetsEqual(oneSet: NodeSet, otherSet: NodeSet): boolean {
  return oneSet.size === otherSet.size && isNodeSubset(oneSet, otherSet);
}

/**
 * Chooses `processorCount` of the processors, which must suffice, on nodes of `nodeSize` processors. A block is
 * a run of adjacent nodes with some of the processors. Blocks are chosen as in `chooseByBlocks`,
 * counted in processors; within a block, the fullest single node that suffices is taken, otherwise
 * processors from the lowest on.
 */
export function chooseProcessorsOnNodes(
  processors: NodeSet,
  processorCount: number,
  nodeSize: number,
): NodeSet {
  const remainingProcessors = new Set(processors);
  const chosenProcessors = new Set<number>();
  const take = (from: number[]) => {
    for (const processor of from.slice(0, processorCount - chosenProcessors.size)) {
      chosenProcessors.add(processor);
      remainingProcessors.delete(processor);
    }
  };
  while (chosenProcessors.size < processorCount) {
    const neededCount = processorCount - chosenProcessors.size;
    const bestBlocks = chooseBestNodeBlocks(nodeBlocks(remainingProcessors, nodeSize), neededCount);
    const bigEnoughBlocks = bestBlocks.filter((node) => node.length >= neededCount);
    if (bigEnoughBlocks.length > 0)
      take(bigEnoughBlocks.reduce((one, other) => (other.length < one.length ? other : one)));
    else take(bestBlocks.flat());
  }
  return chosenProcessors;
}

/**
 * Smallest block with enough processors, otherwise the largest block; the lowest one among equals.
 */
function chooseBestNodeBlocks(blocks: number[][][], neededCount: number): number[][] {
  const processorCountOfBlock = (block: number[][]) => block.flat().length;
  const bigEnoughBlocks = blocks.filter((block) => processorCountOfBlock(block) >= neededCount);
  if (bigEnoughBlocks.length > 0)
    return bigEnoughBlocks.reduce((one, other) =>
      processorCountOfBlock(other) < processorCountOfBlock(one) ? other : one,
    );
  return blocks.reduce((one, other) =>
    processorCountOfBlock(other) > processorCountOfBlock(one) ? other : one,
  );
}

/** Blocks of adjacent nodes, lowest first, each as lists of the nodes' processors, ascending. */
function nodeBlocks(processors: NodeSet, nodeSize: number): number[][][] {
  const nodes = new Set([...processors].map((processor) => Math.floor(processor / nodeSize)));
  const ascending = [...processors].sort((one, other) => one - other);
  return splitIntoNodeBlocks(nodes).map((block) =>
    block.map((node) => ascending.filter((processor) => Math.floor(processor / nodeSize) === node)),
  );
}

/** All processors of the nodes that contain at least one of these processors. */
export function expandToWholeNodes(processors: NodeSet, size: number): NodeSet {
  return new Set(
    [...processors].flatMap((processor) => {
      const firstProcessorOfNode = Math.floor(processor / size) * size;
      return Array.from({ length: size }, (_, k) => firstProcessorOfNode + k);
    }),
  );
}

/**
 * Chooses `processorCount` of the nodes, which must suffice, by blocks of adjacent numbers: the lowest nodes
 * of the smallest block that is large enough; while no block is, the largest block as a whole.
 * Among equal blocks, the lowest one.
 */
export function chooseByBlocks(nodes: NodeSet, processorCount: number): NodeSet {
  const chosenProcessors = new Set<number>();
  let blocks = splitIntoNodeBlocks(nodes);
  while (chosenProcessors.size < processorCount) {
    const neededCount = processorCount - chosenProcessors.size;
    const largeEnough = blocks.filter((block) => block.length >= neededCount);
    if (largeEnough.length > 0) {
      const smallestSize = largeEnough.reduce((one, other) => (other.length < one.length ? other : one));
      for (const node of smallestSize.slice(0, neededCount)) chosenProcessors.add(node);
    } else {
      const largestBlock = blocks.reduce((one, other) => (other.length > one.length ? other : one));
      for (const node of largestBlock) chosenProcessors.add(node);
      blocks = blocks.filter((block) => block !== largestBlock);
    }
  }
  return chosenProcessors;
}

/** Divides nodes into blocks of adjacent numbers, lowest first, each ascending. */
function splitIntoNodeBlocks(nodes: NodeSet): number[][] {
  const blocks: number[][] = [];
  for (const node of [...nodes].sort((one, other) => one - other)) {
    const lastBlock = blocks.at(-1);
    if (lastBlock?.at(-1) === node - 1) lastBlock.push(node);
    else blocks.push([node]);
  }
  return blocks;
}
