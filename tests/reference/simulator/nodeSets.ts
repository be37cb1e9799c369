/** Numbers of nodes, from 0, unordered. */
export type NodeSet = ReadonlySet<number>;

/** Returns the nodes that are in both sets. */
export function intersectNodeSets(one: NodeSet, other: NodeSet): NodeSet {
  return new Set([...one].filter((node) => other.has(node)));
}

/** Returns the nodes that are in at least one of the sets. */
export function uniteNodeSets(one: NodeSet, other: NodeSet): NodeSet {
  return new Set([...one, ...other]);
}

/** Returns the nodes of a set that are not in the other. */
export function subtractNodeSet(nodes: NodeSet, removed: NodeSet): NodeSet {
  return new Set([...nodes].filter((node) => !removed.has(node)));
}

/** Returns true if all nodes of `part` are in `whole`. */
export function isNodeSubset(part: NodeSet, whole: NodeSet): boolean {
  return [...part].every((node) => whole.has(node));
}

/** Returns true if both sets have the same nodes. */
export function areNodeSetsEqual(one: NodeSet, other: NodeSet): boolean {
  return one.size === other.size && isNodeSubset(one, other);
}

/**
 * Chooses `count` of the processors, which must suffice, on nodes of `size` processors. A block is
 * a run of adjacent nodes with some of the processors. Blocks are chosen as in `chooseByBlocks`,
 * counted in processors; within a block, the fullest single node that suffices is taken, otherwise
 * processors from the lowest on.
 */
export function chooseProcessorsOnNodes(processors: NodeSet, count: number, size: number): NodeSet {
  const rest = new Set(processors);
  const chosen = new Set<number>();
  const takeProcessorsFrom = (from: number[]) => {
    for (const processor of from.slice(0, count - chosen.size)) {
      chosen.add(processor);
      rest.delete(processor);
    }
  };
  while (chosen.size < count) {
    const needed = count - chosen.size;
    const best = chooseBestNodeBlocks(nodeBlocks(rest, size), needed);
    const bigEnoughBlocks = best.filter((node) => node.length >= needed);
    if (bigEnoughBlocks.length > 0)
      takeProcessorsFrom(bigEnoughBlocks.reduce((one, other) => (other.length < one.length ? other : one)));
    else takeProcessorsFrom(best.flat());
  }
  return chosen;
}

/**
 * Smallest block with enough processors, otherwise the largest block; the lowest one among equals.
 */
function chooseBestNodeBlocks(blocks: number[][][], needed: number): number[][] {
  const size = (block: number[][]) => block.flat().length;
  const bigEnoughBlocks = blocks.filter((block) => size(block) >= needed);
  if (bigEnoughBlocks.length > 0)
    return bigEnoughBlocks.reduce((one, other) => (size(other) < size(one) ? other : one));
  return blocks.reduce((one, other) => (size(other) > size(one) ? other : one));
}

/** Blocks of adjacent nodes, lowest first, each as lists of the nodes' processors, ascending. */
function nodeBlocks(processors: NodeSet, size: number): number[][][] {
  const nodes = new Set([...processors].map((processor) => Math.floor(processor / size)));
  const ascending = [...processors].sort((one, other) => one - other);
  return splitIntoNodeBlocks(nodes).map((block) =>
    block.map((node) => ascending.filter((processor) => Math.floor(processor / size) === node)),
  );
}

/** All processors of the nodes that contain at least one of these processors. */
export function expandToWholeNodes(processors: NodeSet, size: number): NodeSet {
  return new Set(
    [...processors].flatMap((processor) => {
      const first = Math.floor(processor / size) * size;
      return Array.from({ length: size }, (_, k) => first + k);
    }),
  );
}

/**
 * Chooses `count` of the nodes, which must suffice, by blocks of adjacent numbers: the lowest nodes
 * of the smallest block that is large enough; while no block is, the largest block as a whole.
 * Among equal blocks, the lowest one.
 */
export function chooseByBlocks(nodes: NodeSet, count: number): NodeSet {
  const chosen = new Set<number>();
  let blocks = splitIntoNodeBlocks(nodes);
  while (chosen.size < count) {
    const needed = count - chosen.size;
    const largeEnough = blocks.filter((block) => block.length >= needed);
    if (largeEnough.length > 0) {
      const smallestSize = largeEnough.reduce((one, other) => (other.length < one.length ? other : one));
      for (const node of smallestSize.slice(0, needed)) chosen.add(node);
    } else {
      const largestBlock = blocks.reduce((one, other) => (other.length > one.length ? other : one));
      for (const node of largestBlock) chosen.add(node);
      blocks = blocks.filter((block) => block !== largestBlock);
    }
  }
  return chosen;
}

/** Divides nodes into blocks of adjacent numbers, lowest first, each ascending. */
function splitIntoNodeBlocks(nodes: NodeSet): number[][] {
  const blocks: number[][] = [];
  for (const node of [...nodes].sort((one, other) => one - other)) {
    const last = blocks.at(-1);
    if (last?.at(-1) === node - 1) last.push(node);
    else blocks.push([node]);
  }
  return blocks;
}
