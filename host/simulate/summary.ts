/** The metrics of a finished simulation as one document; the names are those of `summary.json`. */

import { printPolicy } from '../core/policies.js';
import { type Configuration, isBackfilling } from '../options/configuration.js';
import type { Accounting } from '../workload/workload.js';
import type { Metric } from './metric.js';
import { METRICS } from './metrics.js';
import type { Simulator } from './simulator.js';

type ValuesOf<Table> = { readonly [Name in keyof Table]: number };

/** One site of the grid in a summary. */
export interface SiteSummary extends ValuesOf<typeof METRICS.sites> {
  /** Processors. */
  readonly capacity: number;
  /** 1: that of the machine to which runtimes refer. */
  readonly speed: number;
}

/** The jobs at home on one site. */
export interface HomeSummary extends ValuesOf<typeof METRICS.homes> {}

/** How often a policy that weighs best-fit against fastest-first found which of them. */
export interface DecisionCounts extends ValuesOf<typeof METRICS.decisions> {}

/** Metrics of a run, as docs/results.md defines them. Times are seconds, utilizations shares of 1. */
export interface Summary extends ValuesOf<typeof METRICS.run> {
  /** What was simulated. */
  readonly workload: string;
  /** What decides where jobs go: the policy, or the rule of moldable jobs or of backfilling. */
  readonly method: string;
  /** With all its parameters. */
  readonly policy: string;
  /** All 0 for policies that do not weigh best-fit against fastest-first. */
  readonly decisions: DecisionCounts;
  /** In the order of the grid. */
  readonly sites: readonly SiteSummary[];
  /** By home site, in the order of the grid. */
  readonly homes: readonly HomeSummary[];
  /** Records of the log that were left out, by rule. */
  readonly dropped: { readonly [rule: string]: number };
  /** Jobs that were cut, and the pieces they became. */
  readonly split: { readonly jobs: number; readonly pieces: number };
}

/** Reads the metrics of a table that the core has computed. */
function readerOf<Table extends Readonly<Record<string, Metric>>>(table: Table) {
  const entries = Object.entries(table);
  return (simulator: Simulator): ValuesOf<Table> => {
    const values: Record<string, number> = {};
    for (const [name, { core }] of entries) {
      if (core === undefined) throw new Error(`nothing is said of how ${name} is computed`);
      values[name] = typeof core === 'function' ? core(simulator) : simulator.metric(core);
    }
    return values as ValuesOf<Table>;
  };
}

const readRun = readerOf(METRICS.run);
const readDecisions = readerOf(METRICS.decisions);

/**
 * Reads the metrics of a simulator that has run to its end.
 * @example
 * const simulator = new Simulator(workload);
 * simulator.begin(makeConfiguration(grid));
 * simulator.run();
 * console.log(summarize(simulator).jobs); // 200
 */
export function summarize(simulator: Simulator): Summary {
  const { workload, configuration } = simulator;
  const { dropped, split } = workload.accounting;
  return {
    workload: workload.name,
    method: methodOf(configuration),
    policy: printPolicy(configuration.policy),
    ...readRun(simulator),
    decisions: readDecisions(simulator),
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
