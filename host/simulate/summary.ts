/** The metrics of a finished simulation as one document; the names are those of `summary.json`. */

import { printPolicy } from '../core/policies.js';
import { type Configuration, isBackfilling } from '../options/configuration.js';
import type { Accounting } from '../workload/workload.js';
import type { Simulator } from './simulator.js';

/** One site of the grid in a summary. */
export interface SiteSummary {
  /** Processors. */
  readonly capacity: number;
  readonly speed: number;
  /** Share of its processor-seconds that were used, from the first submit to the last end. */
  readonly utilization: number;
  /** Jobs that ran here. */
  readonly jobs: number;
}

/** The jobs at home on one site. */
export interface HomeSummary {
  readonly jobs: number;
  /** Seconds; 0 without jobs. */
  readonly averageResponseTime: number;
}

/** Metrics of a run. Times are seconds, utilizations shares of 1; what each means is said in `summarize`. */
export interface Summary {
  readonly workload: string;
  /** What decides where jobs go: the policy, or the rule of moldable jobs or of backfilling. */
  readonly method: string;
  /** With all its parameters. */
  readonly policy: string;
  /** Jobs simulated; pieces of a split job count each. */
  readonly jobs: number;
  readonly averageResponseTime: number;
  readonly averageQueueLength: number;
  readonly averageQueueLengthOverTime: number;
  readonly largestQueue: number;
  readonly meanWait: number;
  readonly maxWait: number;
  readonly meanSlowdown: number;
  readonly meanBoundedSlowdown: number;
  readonly awrt: number;
  readonly awwt: number;
  readonly makespan: number;
  readonly utilization: number;
  readonly capacityUtilization: number;
  readonly speedHeterogeneity: number;
  readonly movedJobs: number;
  /** Runs that were stopped and begun again, and the processor-seconds that they lost. */
  readonly restarts: number;
  readonly lostProcessorSeconds: number;
  /** Jobs that ran on more than one site. */
  readonly splitJobs: number;
  /** Moldable jobs that ran on fewer or more processors than they asked for. */
  readonly scaledDownJobs: number;
  readonly scaledUpJobs: number;
  /** Placements where best-fit and fastest-first agreed, or differed and one of them was followed. */
  readonly decisions: { readonly agreed: number; readonly bestFit: number; readonly fastestFirst: number };
  /** In the order of the grid. */
  readonly sites: readonly SiteSummary[];
  /** By home site, in the order of the grid. */
  readonly homes: readonly HomeSummary[];
  /** Records of the log that were left out, by rule. */
  readonly dropped: { readonly [rule: string]: number };
  /** Jobs that were cut, and the pieces they became. */
  readonly split: { readonly jobs: number; readonly pieces: number };
}

/**
 * Reads the metrics of a simulator that has run to its end.
 *
 * Of n jobs, wait = start - submit, response = end - submit: `averageResponseTime` is the mean response (Shih et al.
 * 2010, eq. 1); slowdown is response / execution, 1 for an execution of 0, and bounded by max(1, response /
 * max(10 s, execution)); `awrt` and `awwt` are means of response and wait weighted by processors x execution (Zhang et
 * al. 2006, eqs. 3, 4). `averageQueueLength` is the mean number of waiting jobs seen just before each of the 2n submits
 * and finishes, `averageQueueLengthOverTime` the mean over the makespan (first submit to last end), `largestQueue` the
 * largest that was seen. `utilization` is the share of processor-seconds used in the makespan,
 * `capacityUtilization` the same with processors weighted by speed. `speedHeterogeneity` is SH (Shih et al. 2010,
 * eq. 3). `movedJobs` did not run at home. `decisions` are all 0 for policies that do not weigh best-fit against
 * fastest-first.
 */
export function summarize(simulator: Simulator): Summary {
  const { workload, configuration } = simulator;
  const { dropped, split } = workload.accounting;
  return {
    workload: workload.name,
    method: methodOf(configuration),
    policy: printPolicy(configuration.policy),
    jobs: simulator.metric('Jobs'),
    averageResponseTime: simulator.metric('AverageResponseTime'),
    averageQueueLength: simulator.metric('AverageQueueLength'),
    averageQueueLengthOverTime: simulator.metric('AverageQueueLengthOverTime'),
    largestQueue: simulator.metric('LargestQueue'),
    meanWait: simulator.metric('MeanWait'),
    maxWait: simulator.metric('MaxWait'),
    meanSlowdown: simulator.metric('MeanSlowdown'),
    meanBoundedSlowdown: simulator.metric('MeanBoundedSlowdown'),
    awrt: simulator.metric('AverageWeightedResponseTime'),
    awwt: simulator.metric('AverageWeightedWaitTime'),
    makespan: simulator.metric('Makespan'),
    utilization: simulator.metric('Utilization'),
    capacityUtilization: simulator.metric('CapacityUtilization'),
    speedHeterogeneity: simulator.speedHeterogeneity,
    movedJobs: simulator.metric('MovedJobs'),
    restarts: simulator.metric('Restarts'),
    lostProcessorSeconds: simulator.metric('LostProcessorSeconds'),
    splitJobs: simulator.metric('SplitJobs'),
    scaledDownJobs: simulator.metric('ScaledDownJobs'),
    scaledUpJobs: simulator.metric('ScaledUpJobs'),
    decisions: {
      agreed: simulator.metric('DecisionsAgreed'),
      bestFit: simulator.metric('DecisionsBestFit'),
      fastestFirst: simulator.metric('DecisionsFastestFirst'),
    },
    sites: siteSummaries(simulator),
    homes: homeSummaries(simulator),
    dropped: countsByRule(dropped),
    split,
  };
}

/** What chooses the sites of jobs under a configuration. */
export function chooserOf({ moldable, discipline, select, policy }: Configuration): string {
  if (moldable !== 'none') return `moldable jobs (${moldable})`;
  if (!isBackfilling(discipline)) return printPolicy(policy);
  return select === 'none' ? 'its home site' : `${select} selection`;
}

/** What decides where jobs go under a configuration, in words for headings. */
function methodOf(configuration: Configuration): string {
  const { grid, discipline, select, multiSiteFactor } = configuration;
  const chooser = chooserOf(configuration);
  if (!isBackfilling(discipline)) return chooser;
  const selection = grid.capacities.length > 1 && select !== 'none' ? `, ${chooser}` : '';
  const factor = multiSiteFactor > 0 ? `, multi-site factor ${multiSiteFactor}` : '';
  return `${discipline} backfilling${selection}${factor}`;
}

/** A rule that stands twice counts once, with all that it dropped. */
function countsByRule(dropped: Accounting['dropped']): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { rule, count } of dropped) counts[rule] = (counts[rule] ?? 0) + count;
  return counts;
}

function siteSummaries(simulator: Simulator): SiteSummary[] {
  const { capacities, speeds } = simulator.configuration.grid;
  const busy = simulator.perSite('SiteBusy');
  const jobs = simulator.perSite('SiteJobs');
  const makespan = simulator.metric('Makespan');
  return capacities.map((capacity, site) => ({
    capacity,
    speed: speeds[site],
    utilization: makespan > 0 ? busy[site] / (capacity * makespan) : 0,
    jobs: jobs[site],
  }));
}

function homeSummaries(simulator: Simulator): HomeSummary[] {
  const response = simulator.perSite('HomeResponse');
  return Array.from(simulator.perSite('HomeJobs'), (jobs, home) => ({
    jobs,
    averageResponseTime: jobs > 0 ? response[home] / jobs : 0,
  }));
}
