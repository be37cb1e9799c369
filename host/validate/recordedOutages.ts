/** Outages at a scheduling pass of a recorded scheduler, for simulations that begin with that pass. */
import type { Configuration } from '../options/configuration.js';
import { NO_OUTAGES_NOTATION, printOutages } from '../options/outages.js';
import { type SimulatedOutage, selectSimulatedOutages } from '../simulate/outageColumns.js';
import type { Workload } from '../workload/workload.js';

/** Outages of a log on the clock of the log. */
export class RecordedOutages {
  readonly #configuration: Configuration;
  readonly #outages: readonly SimulatedOutage[];

  constructor(workload: Workload, configuration: Configuration) {
    this.#configuration = configuration;
    this.#outages = selectSimulatedOutages(configuration, workload);
  }

  /** Times of the begins and ends in seconds. */
  get times(): number[] {
    return this.#outages
      .flatMap(({ from, to }) => [from, to])
      .filter((time) => time < Number.POSITIVE_INFINITY);
  }

  /**
   * Outages known at a pass, in the notation of the option `outages`: those in progress, those that
   * begin now, and planned ones.
   * @param lead seconds by which the clock of the simulation is ahead.
   */
  at(time: number, lead: number): string {
    const knownOutages = this.#outages.filter(
      ({ from, to, isPlanned }) => to > time && (isPlanned || from <= time),
    );
    if (knownOutages.length === 0) return NO_OUTAGES_NOTATION;
    return printOutages(
      knownOutages.map(({ site, from, to, processors, first: firstProcessor, isPlanned }) => ({
        site: site + 1,
        from: { seconds: Math.max(from, time) + lead, isDated: false },
        to: to < Number.POSITIVE_INFINITY ? { seconds: to + lead, isDated: false } : undefined,
        ...this.#processorsOrNodes(processors, firstProcessor),
        isPlanned,
      })),
    );
  }

  /** Nodes of an outage in plans by nodes, or its number of processors if it does not cover whole nodes. */
  #processorsOrNodes(processors: number, firstProcessor?: number) {
    const { processorsPerNode: nodeSize, grid } = this.#configuration;
    const end = (firstProcessor ?? 0) + processors;
    const coversWholeNodes =
      (end % nodeSize === 0 || end === grid.capacities[0]) && (firstProcessor ?? 0) % nodeSize === 0;
    if (firstProcessor === undefined || !coversWholeNodes) return { processors, nodes: undefined };
    return {
      processors: undefined,
      nodes: [[1 + firstProcessor / nodeSize, Math.ceil(end / nodeSize)] as const],
    };
  }
}
