/** Chooses the processors of a job among idle ones, by blocks of adjacent nodes, as in plans by nodes. */

/** Block of adjacent nodes with idle processors: node numbers, and idle processors of each. */
interface IdleNodeBlock {
  readonly first: number;
  readonly counts: readonly number[];
  readonly total: number;
}

/**
 * Takes processors from a set of idle ones: from the smallest sufficient block of adjacent nodes or, if there
 * is none, the entire largest block, and so on. Within a block, a single sufficient node is preferred (the
 * one with the fewest idle processors); otherwise nodes are taken from the lowest on.
 * @param idleFlagByProcessor one flag per processor; taken ones are cleared.
 * @param nodeSize number of processors of a node.
 * @returns processors in ascending order; fewer than `wantedProcessors` if fewer are idle.
 */
export function takeBestFitProcessors(
  idleFlagByProcessor: Uint8Array,
  wantedProcessors: number,
  nodeSize: number,
): number[] {
  const chosenProcessors: number[] = [];
  const takeFromNode = (node: number, maxProcessors: number) => {
    for (
      let i = node * nodeSize;
      i < Math.min(idleFlagByProcessor.length, (node + 1) * nodeSize) && maxProcessors > 0;
      i++
    ) {
      if (idleFlagByProcessor[i] === 0) continue;
      idleFlagByProcessor[i] = 0;
      chosenProcessors.push(i);
      maxProcessors--;
    }
  };
  while (chosenProcessors.length < wantedProcessors) {
    const missingProcessors = wantedProcessors - chosenProcessors.length;
    const bestBlock = findBestFitIdleBlock(
      findIdleNodeBlocks(idleFlagByProcessor, nodeSize),
      missingProcessors,
    );
    if (bestBlock === undefined) break;
    const fittingNodeIndex = bestBlock.counts.reduce(
      (chosenIndex, idleCount, i) =>
        idleCount >= missingProcessors && !(bestBlock.counts[chosenIndex]! <= idleCount) ? i : chosenIndex,
      -1,
    );
    if (fittingNodeIndex >= 0) takeFromNode(bestBlock.first + fittingNodeIndex, missingProcessors);
    else
      bestBlock.counts.forEach(
        (_, i) => void takeFromNode(bestBlock.first + i, wantedProcessors - chosenProcessors.length),
      );
  }
  return chosenProcessors.sort((processorA, processorB) => processorA - processorB);
}

/**
 * Smallest sufficient block, the lowest of equal ones; otherwise the largest block. Undefined if there is
 * none.
 */
function findBestFitIdleBlock(
  idleBlocks: readonly IdleNodeBlock[],
  wantedProcessors: number,
): IdleNodeBlock | undefined {
  let best: IdleNodeBlock | undefined;
  for (const idleBlock of idleBlocks) {
    const blockSize = best?.total ?? 0;
    const isBetterBlock =
      blockSize < wantedProcessors
        ? idleBlock.total > blockSize
        : idleBlock.total >= wantedProcessors && idleBlock.total < blockSize;
    if (isBetterBlock) best = idleBlock;
  }
  return best;
}

function findIdleNodeBlocks(idleFlagByProcessor: Uint8Array, nodeSize: number): IdleNodeBlock[] {
  const nodeCount = Math.ceil(idleFlagByProcessor.length / nodeSize);
  const countIdleProcessorsOfNode = (node: number) =>
    idleFlagByProcessor.subarray(node * nodeSize, (node + 1) * nodeSize).reduce((sum, n) => sum + n, 0);
  const idleBlocks: IdleNodeBlock[] = [];
  for (let node = 0; node < nodeCount; node++) {
    const firstNode = node;
    const idleCounts: number[] = [];
    for (; node < nodeCount && countIdleProcessorsOfNode(node) > 0; node++)
      idleCounts.push(countIdleProcessorsOfNode(node));
    if (idleCounts.length > 0)
      idleBlocks.push({
        first: firstNode,
        counts: idleCounts,
        total: idleCounts.reduce((sum, n) => sum + n, 0),
      });
  }
  return idleBlocks;
}

/**
 * Takes processors of given nodes, at least one of each that has an idle one: as `takeBestFitProcessors` if
 * that uses all of these nodes, otherwise one of each and the rest from the lowest node on.
 * @param nodes node numbers.
 * @returns fewer than `wantedProcessors` if fewer are idle.
 */
export function takeProcessorsOfNodes(
  idle: Uint8Array,
  nodes: readonly number[],
  wantedProcessors: number,
  size: number,
): number[] {
  const allowedProcessorFlags = new Uint8Array(idle.length);
  for (const node of nodes)
    for (let i = node * size; i < Math.min(idle.length, (node + 1) * size); i++)
      allowedProcessorFlags[i] = idle[i]!;
  const processorsChosenByRule = takeBestFitProcessors(allowedProcessorFlags.slice(), wantedProcessors, size);
  const usedNodes = new Set(processorsChosenByRule.map((processor) => Math.floor(processor / size)));
  const chosenProcessors =
    usedNodes.size === nodes.length
      ? processorsChosenByRule
      : takeOneProcessorPerNode(allowedProcessorFlags, nodes, wantedProcessors, size);
  for (const processor of chosenProcessors) idle[processor] = 0;
  return chosenProcessors;
}

function takeOneProcessorPerNode(
  allowed: Uint8Array,
  nodes: readonly number[],
  wantedProcessors: number,
  size: number,
): number[] {
  const allowedProcessors = [...allowed.keys()].filter((processor) => allowed[processor] === 1);
  const oneProcessorPerNode = nodes.flatMap((node) =>
    allowedProcessors.filter((p) => Math.floor(p / size) === node).slice(0, 1),
  );
  const otherProcessors = allowedProcessors.filter((processor) => !oneProcessorPerNode.includes(processor));
  return [...oneProcessorPerNode, ...otherProcessors]
    .slice(0, wantedProcessors)
    .sort((one, other) => one - other);
}
