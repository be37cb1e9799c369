/** Numbers of nodes, from 0, in no order. */
export type Nodes = ReadonlySet<number>;

/** Returns the nodes that are in both sets. */
export function intersection(one: Nodes, other: Nodes): Nodes {
  return new Set([...one].filter((node) => other.has(node)));
}

/** Returns the nodes that are in at least one of the sets. */
export function union(one: Nodes, other: Nodes): Nodes {
  return new Set([...one, ...other]);
}

/** Returns the nodes of a set that are not in the other. */
export function difference(nodes: Nodes, removed: Nodes): Nodes {
  return new Set([...nodes].filter((node) => !removed.has(node)));
}

/** Tells whether all nodes of `part` are in `whole`. */
export function isSubset(part: Nodes, whole: Nodes): boolean {
  return [...part].every((node) => whole.has(node));
}

/** Tells whether both sets have the same nodes. */
export function isEqual(one: Nodes, other: Nodes): boolean {
  return one.size === other.size && isSubset(one, other);
}

/**
 * Chooses this many of the nodes, of which there are enough, by blocks of neighbouring numbers: the lowest nodes of the
 * smallest block that is large enough, and as long as no block is, the largest block whole. Of equal blocks it is the
 * lowest.
 */
export function chooseByBlocks(nodes: Nodes, count: number): Nodes {
  const chosen = new Set<number>();
  let blocks = blocksOf(nodes);
  while (chosen.size < count) {
    const needed = count - chosen.size;
    const largeEnough = blocks.filter((block) => block.length >= needed);
    if (largeEnough.length > 0) {
      const smallest = largeEnough.reduce((one, other) => (other.length < one.length ? other : one));
      for (const node of smallest.slice(0, needed)) chosen.add(node);
    } else {
      const largest = blocks.reduce((one, other) => (other.length > one.length ? other : one));
      for (const node of largest) chosen.add(node);
      blocks = blocks.filter((block) => block !== largest);
    }
  }
  return chosen;
}

/** Cuts the nodes into blocks of neighbouring numbers, lowest first, each ascending. */
function blocksOf(nodes: Nodes): number[][] {
  const blocks: number[][] = [];
  for (const node of [...nodes].sort((one, other) => one - other)) {
    const last = blocks.at(-1);
    if (last?.at(-1) === node - 1) last.push(node);
    else blocks.push([node]);
  }
  return blocks;
}
