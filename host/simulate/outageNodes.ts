/** Assignment of outages to particular processors, for plans by nodes. */
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';

/** Outage of a site, from 0, with the affected nodes, from 1, as ranges. */
export interface OutageOfNodes {
  readonly site: number;
  readonly from: number;
  readonly to: number;
  readonly processors: number;
  readonly nodes: readonly (readonly [number, number])[] | undefined;
}

/** Interval of processors: the first, from 0 on the site, and their number. */
export interface ProcessorInterval {
  readonly first: number;
  readonly processors: number;
}

/**
 * Processor ranges taken by each outage: those of the named nodes. Outages without named nodes take, in the
 * order of their begins, the highest-numbered processors not taken by another outage at that time.
 * @throws InputError for an unknown node, a node taken by two simultaneous outages, and too few processors
 * besides named nodes.
 */
export function chooseProcessorsOfOutages(
  outages: readonly OutageOfNodes[],
  capacities: readonly number[],
  processorsPerNode: number,
  describeOutage: (index: number) => string,
): ProcessorInterval[][] {
  const takenProcessorSets: { site: number; from: number; to: number; set: ReadonlySet<number> }[] = [];
  const processorRanges: ProcessorInterval[][] = outages.map(() => []);
  const findProcessorsTakenDuring = ({ site, from, to }: OutageOfNodes) =>
    new Set(
      takenProcessorSets
        .filter(
          (takenProcessorSet) =>
            takenProcessorSet.site === site && takenProcessorSet.from < to && takenProcessorSet.to > from,
        )
        .flatMap(({ set }) => [...set]),
    );
  const takeProcessors = (index: number, processors: readonly number[]) => {
    const { site, from, to } = outages[index]!;
    takenProcessorSets.push({ site, from, to, set: new Set(processors) });
    processorRanges[index] = toProcessorRanges(processors);
  };
  for (const [index, outage] of outages.entries()) {
    if (outage.nodes === undefined) continue;
    const capacity = capacities[outage.site]!;
    const nodeCount = Math.ceil(capacity / processorsPerNode);
    const nodeRangeBeyondSite = outage.nodes.find(([, last]) => last > nodeCount);
    if (nodeRangeBeyondSite !== undefined)
      throw new InputError(
        `${describeOutage(index)}: there is no node ${nodeRangeBeyondSite[1]}; the site has ${formatCount(nodeCount, 'node')}`,
      );
    const processors = listProcessorsOfNodes(outage.nodes, capacity, processorsPerNode);
    const usedProcessors = findProcessorsTakenDuring(outage);
    const processorInTwoOutages = processors.find((processor) => usedProcessors.has(processor));
    if (processorInTwoOutages !== undefined)
      throw new InputError(
        `${describeOutage(index)}: node ${1 + Math.floor(processorInTwoOutages / processorsPerNode)} is in two outages at once`,
      );
    takeProcessors(index, processors);
  }
  const indexesOfOutagesWithoutNodes = outages.flatMap(({ nodes }, index) =>
    nodes === undefined ? [index] : [],
  );
  for (const index of indexesOfOutagesWithoutNodes.sort(
    (indexA, indexB) => outages[indexA]!.from - outages[indexB]!.from,
  )) {
    const usedProcessors = findProcessorsTakenDuring(outages[index]!);
    const freeProcessors = Array.from(
      { length: capacities[outages[index]!.site]! },
      (_, processor) => processor,
    ).filter((each) => !usedProcessors.has(each));
    const { processors } = outages[index]!;
    if (freeProcessors.length < processors)
      throw new InputError(
        `${describeOutage(index)}: ${formatCount(freeProcessors.length, 'processor')} are in no other outage of its time; name nodes`,
      );
    takeProcessors(index, freeProcessors.slice(freeProcessors.length - processors));
  }
  return processorRanges;
}

/** Number of processors on the named nodes; the last node of a site may have fewer. */
export function countProcessorsOfNodes(
  nodes: readonly (readonly [number, number])[],
  capacity: number,
  processorsPerNode: number,
): number {
  return listProcessorsOfNodes(nodes, capacity, processorsPerNode).length;
}

function listProcessorsOfNodes(
  nodes: readonly (readonly [number, number])[],
  capacity: number,
  processorsPerNode: number,
): number[] {
  const processorNumbers = new Set<number>();
  for (const [first, last] of nodes) {
    const end = Math.min(capacity, last * processorsPerNode);
    for (let processor = (first - 1) * processorsPerNode; processor < end; processor++)
      processorNumbers.add(processor);
  }
  return [...processorNumbers].sort((processorA, processorB) => processorA - processorB);
}

/** Joins ascending processors into ranges. */
function toProcessorRanges(processors: readonly number[]): ProcessorInterval[] {
  const ranges: { first: number; processors: number }[] = [];
  for (const processor of processors) {
    const lastRange = ranges.at(-1);
    if (lastRange !== undefined && lastRange.first + lastRange.processors === processor)
      lastRange.processors += 1;
    else ranges.push({ first: processor, processors: 1 });
  }
  return ranges;
}
