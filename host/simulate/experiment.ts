/** Methods on the same jobs and sites: a setting that they have in common, and what each says besides. */
import type { Grid } from '../grid/grid.js';
import { type Configuration, makeConfiguration, runOptionsOf } from '../options/configuration.js';
import { onCommandLine, readOption, type Settings } from '../options/options.js';
import { checkRules, usesEstimates } from '../options/rules.js';
import type { Trace } from '../trace/trace.js';
import { dependencyRemark } from '../workload/dependencies.js';
import { missingEstimates } from '../workload/estimates.js';
import type { Workload } from '../workload/workload.js';
import { checkEstimates } from './checkEstimates.js';
import { jobSource } from './prepare.js';

/** What a method says besides the setting: options of a run as text, by name. Plain data, which threads may be given. */
export type Method = Readonly<Record<string, string>>;

/** Jobs, sites and the configurations to run, one per method. */
export interface Experiment {
  /** What the methods have in common. */
  readonly settings: Settings;
  /** The log as read, before anything is changed. */
  readonly loaded: Trace;
  /** The log that the jobs are from. */
  readonly trace: Trace;
  readonly workload: Workload;
  readonly grid: Grid;
  readonly methods: readonly Method[];
  readonly configurations: readonly Configuration[];
  /** What a reader should know of the jobs, in sentences. */
  readonly remarks: readonly string[];
}

/**
 * A setting with what a method says.
 * @throws InputError for a text that an option does not take.
 */
export function withMethod(settings: Settings, method: Method): Settings {
  const read = Object.entries(method).map(([name, text]) => readOption(name, text, `--${name}`));
  return Object.assign({}, settings, ...read);
}

/**
 * Refuses methods whose options do not go together with each other or with those of the setting.
 * @throws InputError.
 */
export function checkMethods(settings: Settings, methods: readonly Method[]): void {
  for (const method of methods) checkRules(withMethod(settings, method), onCommandLine);
}

/**
 * The configuration of a method.
 * @throws InputError as `makeConfiguration`.
 */
export function configurationOf(
  grid: Grid,
  settings: Settings,
  method: Method,
  processorSets = false,
): Configuration {
  const options = runOptionsOf(withMethod(settings, method));
  return makeConfiguration(grid, { ...options, processorSets }, onCommandLine);
}

/**
 * Makes the jobs and the configurations of methods, and checks all of them, before anything runs.
 * @param processorSets whether runs keep which processors each job held.
 * @throws InputError for what cannot be simulated.
 */
export function makeExperiment(
  settings: Settings,
  loaded: Trace,
  grid: Grid,
  methods: readonly Method[],
  processorSets: boolean,
): Experiment {
  const configurations = methods.map((method) => configurationOf(grid, settings, method, processorSets));
  const jobs = jobSource(settings, loaded);
  const { trace, workload } = jobs.jobs(grid);
  for (const configuration of configurations) checkEstimates(workload, configuration, onCommandLine);
  const remarks = [
    ...jobs.remarks,
    configurations.some(usesEstimates) ? missingEstimates(workload) : undefined,
    dependencyRemark(workload),
  ].filter((remark) => remark !== undefined);
  return { settings, loaded, trace, workload, grid, methods, configurations, remarks };
}
