/** Methods on the same jobs and sites: a setting that they have in common, and what each says besides. */
import type { Grid } from '../grid/grid.js';
import { type Configuration, makeConfiguration, runOptionsOf } from '../options/configuration.js';
import { type Naming, onCommandLine, optionNamed, readOption, type Settings } from '../options/options.js';
import { checkRules, usesEstimates } from '../options/rules.js';
import type { Trace } from '../trace/trace.js';
import { missingEstimates, printEstimates } from '../workload/estimates.js';
import { dependencyRemark } from '../workload/make.js';
import type { Workload } from '../workload/workload.js';
import { checkEstimates, estimateWords, knowledgeOf } from './knowledge.js';
import { capacitiesOf, gridOf, jobSource, machineOf } from './prepare.js';

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
  /** What each method decides by. */
  readonly knowledge: readonly string[];
  /** What a reader should know of the jobs, in sentences. */
  readonly remarks: readonly string[];
}

/**
 * A setting with what a method says.
 * @throws InputError for a text that an option does not take.
 */
export function withMethod(settings: Settings, method: Method, naming = onCommandLine): Settings {
  const read = Object.entries(method).map(([name, text]) =>
    readOption(name, text, naming(optionNamed(name).key)),
  );
  return Object.assign({}, settings, ...read);
}

/**
 * Refuses methods whose options do not go together with each other or with those of the setting.
 * @throws InputError.
 */
export function checkMethods(settings: Settings, methods: readonly Method[], naming = onCommandLine): void {
  for (const method of methods) checkRules(withMethod(settings, method, naming), naming);
}

/** How an experiment is made. */
export interface ExperimentOptions {
  /** Whether runs keep which processors each job held; default false. */
  readonly processorSets?: boolean;
  /** How errors call options; default as on the command line. */
  readonly naming?: Naming;
}

/**
 * The configuration of a method.
 * @throws InputError as `makeConfiguration`.
 */
export function configurationOf(
  grid: Grid,
  settings: Settings,
  method: Method,
  { processorSets = false, naming = onCommandLine }: ExperimentOptions = {},
): Configuration {
  const options = runOptionsOf(withMethod(settings, method, naming));
  return makeConfiguration(grid, { ...options, processorSets }, naming);
}

/**
 * Makes the jobs and the configurations of methods, and checks all of them, before anything runs.
 * @throws InputError for what cannot be simulated.
 */
function makeExperiment(
  settings: Settings,
  loaded: Trace,
  grid: Grid,
  methods: readonly Method[],
  options: ExperimentOptions = {},
): Experiment {
  const configurations = methods.map((method) => configurationOf(grid, settings, method, options));
  const jobs = jobSource(settings, loaded);
  const { trace, workload } = jobs.jobs(grid);
  for (const configuration of configurations)
    checkEstimates(workload, configuration, options.naming ?? onCommandLine);
  const remarks = [
    ...jobs.remarks,
    configurations.some(usesEstimates) ? missingEstimates(workload) : undefined,
    dependencyRemark(workload),
  ].filter((remark) => remark !== undefined);
  const estimates = estimateWords(settings.estimates && printEstimates(settings.estimates));
  const knowledge = configurations.map((each) => knowledgeOf(each, estimates));
  return { settings, loaded, trace, workload, grid, methods, configurations, knowledge, remarks };
}

/** The same with those methods alone that have some places. */
export function withMethods(experiment: Experiment, places: readonly number[]): Experiment {
  const of = <Each>(list: readonly Each[]) => places.map((place) => list[place] as Each);
  const { methods, configurations, knowledge } = experiment;
  return {
    ...experiment,
    methods: of(methods),
    configurations: of(configurations),
    knowledge: of(knowledge),
  };
}

/** Methods, and what a reader should know of how they were chosen, in sentences. */
export interface ChosenMethods {
  readonly methods: readonly Method[];
  readonly remarks: readonly string[];
}

/**
 * The same on the sites of the settings; without any, on those of the machine of the log.
 * @param methods where they follow from the log or its grid, a function of them.
 * @throws InputError for what cannot be simulated.
 */
export function experimentOn(
  settings: Settings,
  loaded: Trace,
  methods: readonly Method[] | ((trace: Trace, grid: Grid) => ChosenMethods),
  options: ExperimentOptions = {},
): Experiment {
  const given = capacitiesOf(settings);
  const { capacities, remark } = given === undefined ? machineOf(settings, loaded) : { capacities: given };
  const grid = gridOf(settings, capacities, options.naming);
  const chosen = typeof methods === 'function' ? methods(loaded, grid) : { methods, remarks: [] };
  const experiment = makeExperiment(settings, loaded, grid, chosen.methods, options);
  const remarks = [...(remark === undefined ? [] : [remark]), ...chosen.remarks, ...experiment.remarks];
  return { ...experiment, remarks };
}
