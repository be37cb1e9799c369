/** The plan of a study: its settings in order, the runs that they come to, and what each run is called for good. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Configuration } from '../core/configuration.js';
import { coreFile } from '../core/module.js';
import { printPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { type Grid, makeGrid } from '../grid/grid.js';
import { makeConfiguration } from '../metrics/simulate.js';
import type { Settings } from '../settings/options.js';
import { hashJobs } from '../workload/hash.js';
import type { Accounting } from '../workload/workload.js';
import type { Label, OptionTexts, Study } from './definition.js';
import { axesOf, countSettings, expandStudy, type Setting } from './expand.js';
import { workloadValues } from './metrics.js';
import { located, readSettings } from './options.js';
import { Workloads } from './workloads.js';

/** What decides a simulation besides its jobs, in full: plain data, from which `runConfiguration` makes it again. */
export interface RunParameters extends Omit<Configuration, 'grid' | 'policy' | 'trackProcessors'> {
  readonly sites: readonly number[];
  readonly speeds: readonly number[];
  /** h of each site where it was given instead of its speed. */
  readonly timeFactors?: readonly number[] | undefined;
  readonly policy: string;
}

/** The configuration of a run. */
export function runConfiguration({ sites, speeds, timeFactors, ...options }: RunParameters): Configuration {
  return makeConfiguration({ ...makeGrid({ capacities: sites, speeds }), timeFactors }, options);
}

/** One simulation. Settings that come to the same simulation share it. */
export interface PlannedRun {
  /** Hash of the core's binary, the jobs and the parameters: 16 hexadecimal digits. */
  readonly id: string;
  /** Which of the plan's workloads. */
  readonly workload: number;
  readonly parameters: RunParameters;
}

/** Jobs that some runs simulate. */
export interface PlannedWorkload {
  readonly name: string;
  readonly sha256: string;
  readonly jobs: number;
  readonly accounting: Accounting;
}

/** One setting: its labels in the order of the plan's axes, and its run. */
export interface Point {
  readonly labels: readonly (Label | null)[];
  readonly run: number;
}

/** All that is needed to go on with a study, or to make its tables, without its logs. */
export interface Plan {
  readonly study: string;
  /** Of the core's binary. */
  readonly coreSha256: string;
  readonly trace: string | null;
  readonly draws: number | null;
  readonly options: OptionTexts;
  readonly axes: readonly string[];
  readonly workloads: readonly PlannedWorkload[];
  readonly runs: readonly PlannedRun[];
  readonly points: readonly Point[];
  /** Hash of all run ids and labels: two plans with the same hash have the same results. */
  readonly sha256: string;
}

/** A plan, and how its jobs are made again. */
export interface Planned {
  readonly plan: Plan;
  readonly workloads: Workloads;
  /** A setting that has the jobs of workload i, and its grid. */
  readonly sources: readonly { readonly settings: Settings; readonly grid: Grid }[];
  /** Statistics of workload i, in the order of WORKLOAD_METRICS. */
  readonly statistics: readonly (readonly number[])[];
}

/** What the user gives to a study. */
export interface PlanOptions {
  /** The log that `$TRACE` stands for. */
  readonly trace?: string | undefined;
  /** As given; kept with the results. */
  readonly draws?: number | undefined;
  readonly options?: OptionTexts | undefined;
  /** Whether more than MOST_RUNS runs are wanted. */
  readonly allowMany?: boolean | undefined;
  /** Called now and then, to show progress and to let the user stop. */
  readonly onProgress?: ((done: number, total: number) => Promise<void> | void) | undefined;
}

/** A larger study must be asked for. */
export const MOST_RUNS = 20_000;
const MOST_SETTINGS = 50 * MOST_RUNS;
const BETWEEN_LOOKS = 500;

/**
 * Resolves every setting of a study: reads logs, makes models, draws speeds, checks every option.
 * @throws InputError for anything that could not run.
 */
export async function planStudy(study: Study, options: PlanOptions = {}): Promise<Planned> {
  const { trace, draws, allowMany = false, onProgress } = options;
  const settings = countSettings(study);
  if (settings > MOST_SETTINGS && !allowMany) throw tooMany(settings, 'settings');
  const builder = new PlanBuilder(study);
  let done = 0;
  for (const setting of expandStudy(study, trace)) {
    await builder.add(setting);
    if (done++ % BETWEEN_LOOKS === 0) await onProgress?.(done, settings);
  }
  const planned = builder.planned({
    trace: trace ?? null,
    draws: draws ?? null,
    options: options.options ?? {},
  });
  if (planned.plan.runs.length > MOST_RUNS && !allowMany)
    throw tooMany(planned.plan.runs.length, 'simulations');
  return planned;
}

function tooMany(count: number, what: string): InputError {
  return new InputError(
    `this study has ${count.toLocaleString('en-US')} ${what}, more than ${MOST_RUNS.toLocaleString('en-US')}; give --yes if they are wanted`,
  );
}

/** Collects settings; runs and workloads that come up again are the same. */
class PlanBuilder {
  readonly #study: Study;
  readonly #axes: readonly string[];
  readonly #coreSha256 = createHash('sha256')
    .update(readFileSync(coreFile('shared')))
    .digest('hex');
  readonly #workloads = new Workloads();
  readonly #planned: PlannedWorkload[] = [];
  readonly #statistics: number[][] = [];
  readonly #sources: { settings: Settings; grid: Grid }[] = [];
  readonly #workloadByKey = new Map<string, number>();
  readonly #runs: PlannedRun[] = [];
  readonly #runById = new Map<string, number>();
  readonly #points: Point[] = [];

  constructor(study: Study) {
    this.#study = study;
    this.#axes = axesOf(study);
  }

  async add(setting: Setting): Promise<void> {
    const { labels, locate } = setting;
    const settings = readSettings(setting);
    try {
      const grid = await this.#workloads.grid(settings);
      const workload = await this.#workload(settings, grid);
      const parameters = this.#parameters(settings, grid);
      this.#points.push({ labels, run: this.#run(workload, parameters) });
    } catch (error) {
      throw located(error, `${locate('workload').split(',')[0]}, at ${this.#describe(labels)}`);
    }
  }

  #describe(labels: Setting['labels']): string {
    return this.#axes
      .flatMap((axis, i) => (labels[i] === null || labels[i] === '' ? [] : [`${axis} ${labels[i]}`]))
      .join(', ');
  }

  async #workload(settings: Settings, grid: Grid): Promise<number> {
    const key = this.#workloads.key(settings, grid);
    const known = this.#workloadByKey.get(key);
    if (known !== undefined) return known;
    const workload = await this.#workloads.workload(settings, grid);
    const sha256 = hashJobs(workload);
    const same = this.#planned.findIndex((each) => each.sha256 === sha256);
    const index = same >= 0 ? same : this.#planned.length;
    this.#workloadByKey.set(key, index);
    if (same >= 0) return same;
    this.#planned.push({
      name: workload.name,
      sha256,
      jobs: workload.count,
      accounting: workload.accounting,
    });
    this.#statistics.push(workloadValues(workload));
    this.#sources.push({ settings, grid });
    return index;
  }

  #parameters(settings: Settings, grid: Grid): RunParameters {
    const configuration = makeConfiguration(grid, settings);
    const { grid: _, policy, trackProcessors: __, ...rest } = configuration;
    const { capacities: sites, ...speeds } = grid;
    return { sites, ...speeds, policy: printPolicy(policy), ...rest };
  }

  #run(workload: number, parameters: RunParameters): number {
    const { sha256 } = this.#planned[workload];
    const decided = this.#study.kind === 'workloads' ? [] : [this.#coreSha256, parameters];
    const id = digest(JSON.stringify([sha256, ...decided])).slice(0, 16);
    const known = this.#runById.get(id);
    if (known !== undefined) return known;
    this.#runById.set(id, this.#runs.length);
    return this.#runs.push({ id, workload, parameters }) - 1;
  }

  planned(given: Pick<Plan, 'trace' | 'draws' | 'options'>): Planned {
    const axes = this.#axes;
    const identity = [
      axes,
      this.#runs.map(({ id }) => id),
      this.#points.map(({ labels, run }) => [...labels, run]),
    ];
    const plan: Plan = {
      study: this.#study.name,
      coreSha256: this.#coreSha256,
      ...given,
      axes,
      workloads: this.#planned,
      runs: this.#runs,
      points: this.#points,
      sha256: digest(JSON.stringify(identity)),
    };
    return { plan, workloads: this.#workloads, sources: this.#sources, statistics: this.#statistics };
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Names of the metrics that the runs of a plan have: those of the run with the most sites. */
export function planSites({ runs }: Plan): number {
  return runs.reduce((most, { parameters }) => Math.max(most, parameters.sites.length), 0);
}
