/** Nodes that a job takes among idle ones: smallest sufficient block of neighbours, as in plans by nodes. */

/**
 * Takes nodes from a set of idle ones: the lowest of the smallest block of neighbours that is large enough, or, if there
 * is none, the whole largest block, and so on with the rest.
 * @param idle one flag per node; those taken are cleared.
 * @returns the nodes, ascending; fewer than `wanted` if fewer are idle.
 */
export function takeNodes(idle: Uint8Array, wanted: number): number[] {
  const chosen: number[] = [];
  let rest = wanted;
  while (rest > 0) {
    let [best, bestSize] = [-1, 0];
    for (let node = 0; node < idle.length; ) {
      if (idle[node] === 0) {
        node++;
        continue;
      }
      let end = node;
      while (end < idle.length && idle[end] === 1) end++;
      const size = end - node;
      const isBetter = bestSize < rest ? size > bestSize : size >= rest && size < bestSize;
      if (isBetter) [best, bestSize] = [node, size];
      node = end;
    }
    if (bestSize === 0) break;
    const taken = Math.min(rest, bestSize);
    for (let node = best; node < best + taken; node++) {
      idle[node] = 0;
      chosen.push(node);
    }
    rest -= taken;
  }
  return chosen.sort((one, other) => one - other);
}
