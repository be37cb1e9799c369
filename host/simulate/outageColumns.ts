/** Outages as columns of the core. */
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { type ParsedOutage, parseOutages, printOutages } from '../options/outages.js';
import { chooseProcessorsOfOutages, countProcessorsOfNodes } from './outageNodes.js';

/** Jobs with the clock to which outages refer. */
interface JobsWithClock {
  readonly name?: string;
  readonly unixStartTime?: number | undefined;
}

/** Outage on the clock of a simulation: site from 0, times in seconds. */
export interface SimulatedOutage {
  readonly site: number;
  readonly from: number;
  /** End in seconds; Infinity: the processors do not return. */
  readonly to: number;
  readonly processors: number;
  readonly isPlanned: boolean;
  /** First affected processor on the site, from 0; only if plans are by nodes. */
  readonly first?: number;
}

/** Options that affect outages. */
export type OutageSettings = Pick<Configuration, 'outages' | 'grid'> &
  Partial<Pick<Configuration, 'planBy' | 'processorsPerNode'>>;

/** Number of outages of a simulation; if its clock is not known, an upper bound. */
export function computeMaxOutageCount(
  configuration: OutageSettings,
  { unixStartTime }: { readonly unixStartTime: number | undefined },
): number {
  const parsedOutages = parseOutages(configuration.outages);
  const isClockMissing =
    parsedOutages.some(({ from, to }) => from.isDated || to?.isDated) && unixStartTime === undefined;
  if (isClockMissing) return countMaxSimulatedOutages(parsedOutages, configuration);
  return selectSimulatedOutages(configuration, { unixStartTime }).length;
}

/** Upper bound of the number of outages; in plans by nodes, each may take several ranges of processors. */
function countMaxSimulatedOutages(
  parsedOutages: readonly ParsedOutage[],
  { grid, planBy }: OutageSettings,
): number {
  if (planBy !== 'node') return parsedOutages.length;
  const capacity = Math.max(...grid.capacities);
  return parsedOutages.reduce(
    (sum, { nodes, processors = capacity }) => sum + (nodes?.length ?? processors),
    0,
  );
}

/**
 * Outages that have not ended at time 0 of the simulation.
 * @throws InputError for an unknown site, more processors than the site has, or a date without a clock.
 */
export function selectSimulatedOutages(
  { outages, grid, planBy, processorsPerNode = 1 }: OutageSettings,
  jobsWithClock: JobsWithClock,
): SimulatedOutage[] {
  const outagesInSeconds = parseOutages(outages).map((outage) => {
    const capacity = grid.capacities[outage.site - 1];
    if (capacity === undefined)
      throw new InputError(
        `${describeOutage(outage)}: there is no site ${outage.site}; the grid has ${formatCount(grid.capacities.length, 'site')}`,
      );
    const processors =
      outage.nodes === undefined
        ? (outage.processors ?? capacity)
        : countProcessorsOfNodes(outage.nodes, capacity, processorsPerNode);
    const from = convertOutageTimeToSeconds(outage.from, outage, jobsWithClock);
    const to =
      outage.to === undefined
        ? Number.POSITIVE_INFINITY
        : convertOutageTimeToSeconds(outage.to, outage, jobsWithClock);
    if (!(to > from))
      throw new InputError(`${describeOutage(outage)}: it does not end after its begin; give a later end`);
    return {
      outage,
      site: outage.site - 1,
      from: Math.max(0, from),
      to,
      processors,
      isPlanned: outage.isPlanned,
    };
  });
  const keptOutages = outagesInSeconds.filter(({ to }) => to > 0);
  for (const { outage, site, from } of keptOutages) {
    const simultaneousOutages = keptOutages.filter(
      (otherOutage) => otherOutage.site === site && otherOutage.from <= from && otherOutage.to > from,
    );
    const neededProcessors = simultaneousOutages.reduce((sum, { processors }) => sum + processors, 0);
    const capacity = grid.capacities[site]!;
    if (neededProcessors <= capacity) continue;
    const otherOutagesPhrase = simultaneousOutages.length > 1 ? ', with the others of that time,' : '';
    throw new InputError(
      `${describeOutage(outage)}: it needs${otherOutagesPhrase} ${formatCount(neededProcessors, 'processor')}, and site ${site + 1} has ${capacity}`,
    );
  }
  if (planBy !== 'node') return keptOutages.map(({ outage: _, ...each }) => each);
  const outagesWithNodes = keptOutages.map(({ outage, ...each }) => ({ ...each, nodes: outage.nodes }));
  const describeOutageByIndex = (index: number) => describeOutage(keptOutages[index]!.outage);
  const processorRanges = chooseProcessorsOfOutages(
    outagesWithNodes,
    grid.capacities,
    processorsPerNode,
    describeOutageByIndex,
  );
  return keptOutages.flatMap(({ outage: _, ...each }, index) =>
    processorRanges[index]!.map((processorRange) => ({ ...each, ...processorRange })),
  );
}

const describeOutage = (outage: ParsedOutage) => `outage ${printOutages([outage])}`;

function convertOutageTimeToSeconds(
  { seconds, isDated }: ParsedOutage['from'],
  outage: ParsedOutage,
  { name = 'the log', unixStartTime }: JobsWithClock,
): number {
  if (!isDated) return seconds;
  if (unixStartTime !== undefined) return seconds - unixStartTime;
  throw new InputError(
    `${describeOutage(outage)}: ${name} has no start date (UnixStartTime), or its arrivals are scaled; give seconds instead of dates`,
  );
}

/** Core columns of outages; empty if there are none. */
export function makeOutageColumns(outages: readonly SimulatedOutage[]): {
  Outage?: number[];
  OutageProcessor?: number[];
} {
  if (outages.length === 0) return {};
  return {
    Outage: outages.flatMap(({ site, from, to, processors, isPlanned }) => [
      ...[site, from, to, processors],
      Number(isPlanned),
    ]),
    OutageProcessor: outages.map(({ first: firstProcessor = 0 }) => firstProcessor),
  };
}
