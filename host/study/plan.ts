/** The plan of a study: its settings in order, and the runs that they come to. */
import { makeGrid } from '../grid/grid.js';
import { type Configuration, makeConfiguration } from '../options/configuration.js';
import type { Accounting } from '../workload/workload.js';
import type { OptionTexts } from './definition.js';
import type { RecordTable } from './numberColumn.js';
import type { PointTable, RunParameters, RunTable } from './runTable.js';

/** The configuration of a run. */
export function runConfiguration({
  sites,
  speeds,
  timeFactors,
  code: _,
  ...options
}: RunParameters): Configuration {
  return makeConfiguration({ ...makeGrid({ capacities: sites, speeds }), timeFactors }, options);
}

/** Jobs that some runs simulate. */
export interface PlannedWorkload {
  /** The log, or the model with all its parameters. */
  readonly name: string;
  /** Of its jobs. */
  readonly sha256: string;
  /** How many there are. */
  readonly jobs: number;
  /** What became of the records of the log. */
  readonly accounting: Accounting;
  /** By how many jobs of the same user each is estimated, where a run finds its estimates itself. */
  readonly recent?: { readonly n: number };
  /** Whether nobody knows how long jobs will run. */
  readonly unestimated?: true;
}

/** All that is needed to go on with a study, or to make its tables, without its logs. */
export interface Plan {
  /** Name of the study. */
  readonly study: string;
  /** Words behind `gridalloc` that it came from, without what `trace`, `draws` and `options` hold. */
  readonly command: readonly string[];
  /** Of the core's binary. */
  readonly coreSha256: string;
  readonly trace: string | null;
  readonly draws: number | null;
  readonly options: OptionTexts;
  /** Names of the axes. */
  readonly axes: readonly string[];
  /** What is kept of each run, in order: names of the metrics of a run on one site. */
  readonly metrics: readonly string[];
  /** All that runs simulate. */
  readonly workloads: readonly PlannedWorkload[];
  /** Options that make the jobs of each workload again, in the same order; none in a plan of an earlier version. */
  readonly sources: RecordTable<OptionTexts>;
  /** Each simulation once. */
  readonly runs: RunTable;
  /** Each combination of labels, with its run. */
  readonly points: PointTable;
  /** Hashes of earlier plans of its folder, of which it has all runs: their results are its own. */
  readonly continues?: readonly string[] | undefined;
  /** Hash of all run ids and labels: two plans with the same hash have the same results. */
  readonly sha256: string;
}

/** How many sites the run of a plan has that has the most. */
export function planSites({ runs }: Plan): number {
  let most = 0;
  for (let run = 0; run < runs.length; run++) most = Math.max(most, runs.parameter(run, 'sites').length);
  return most;
}
