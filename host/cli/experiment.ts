/** Simulations as a command line asks for them: the configurations, and running them so that one can interrupt. */

import { runInThread } from '../code/thread.js';
import { printPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { splitOutside } from '../notation.js';
import {
  type Configuration,
  makeConfiguration,
  runOptionsOf,
  type SimulationOptions,
} from '../options/configuration.js';
import { codeOf } from '../options/document.js';
import { onCommandLine, type Settings } from '../options/options.js';
import { RUN_OPTIONS } from '../options/run.js';
import { longPlanning } from '../simulate/cost.js';
import { estimateWords, knowledgeOf } from '../simulate/knowledge.js';
import { jobSource, usesEstimates } from '../simulate/prepare.js';
import type { Simulator } from '../simulate/simulator.js';
import type { Trace } from '../trace/trace.js';
import { dependencyRemark } from '../workload/dependencies.js';
import { missingEstimates, printEstimates, requireEstimates } from '../workload/estimates.js';
import type { Workload } from '../workload/workload.js';
import type { Arguments } from './arguments.js';
import { type Context, shareDone } from './context.js';
import { loadTrace, prepareGrid, readSettings } from './workload.js';

/** Jobs and the configurations to run them under, one per method. */
export interface Experiment {
  readonly settings: Settings;
  /** The log, or the model with all its parameters; in a replication of a model those of the first. */
  readonly source: string;
  /** As read, before anything is changed. */
  readonly loaded: Trace;
  /** From which the jobs are. */
  readonly trace: Trace;
  readonly workload: Workload;
  readonly grid: Grid;
  /** What is run besides the settings, and the configuration to which each comes. */
  readonly methods: readonly SimulationOptions[];
  readonly configurations: readonly Configuration[];
  /** What each decides by. */
  readonly knowledge: readonly string[];
}

/**
 * The policies asked for: separated by commas or blanks outside brackets, each in full notation, or the name of a file; the
 * same one twice stands once. None where the option is not given.
 */
export function policiesOf(args: Arguments): string[] {
  const words = args
    .texts('policy')
    .flatMap((text) => splitOutside(text, ','))
    .flatMap((text) => splitOutside(text.replaceAll(/\s/g, ' '), ' '));
  const given = words
    .filter((word) => word !== '')
    .map((word) => RUN_OPTIONS.policy.print(RUN_OPTIONS.policy.read(word, '--policy')));
  if (args.has('policy') && given.length === 0)
    throw new InputError('--policy names no policy; see gridalloc policies');
  return [...new Set(given)];
}

/** A method for each policy; without one, what runs where none is given. */
export function policyMethods(policies: readonly string[]): SimulationOptions[] {
  return policies.length === 0 ? [{}] : policies.map((policy) => ({ policy }));
}

/**
 * Reads everything that the options name and checks it, before anything runs.
 * @param methodsOf what is run besides the settings, one simulation each; the policies asked for if nothing is said.
 */
export async function prepareExperiment(
  source: string,
  args: Arguments,
  context: Context,
  methodsOf: (grid: Grid, trace: Trace, settings: Settings) => readonly SimulationOptions[] = () =>
    policyMethods(policiesOf(args)),
): Promise<Experiment> {
  const settings = readSettings(source, args);
  const loaded = await loadTrace(source, args, context);
  await context.pause();
  const grid = await prepareGrid(loaded, settings, context);
  const methods = methodsOf(grid, loaded, settings);
  const configurations = methods.map((method) =>
    makeConfiguration(
      grid,
      { ...runOptionsOf(settings), ...method, processorSets: args.has('out') },
      onCommandLine,
    ),
  );
  const jobs = jobSource(settings, loaded);
  const { trace, workload } = jobs.jobs(grid);
  for (const remark of jobs.remarks) await context.say(remark);
  const isByEstimate = configurations.some(usesEstimates);
  // The settings do not say what the methods decide by.
  if (isByEstimate) requireEstimates(workload);
  const missing = isByEstimate ? missingEstimates(workload) : undefined;
  for (const remark of [missing, dependencyRemark(workload)]) {
    if (remark !== undefined) await context.say(remark);
  }
  const estimates = estimateWords(settings.estimates && printEstimates(settings.estimates));
  const knowledge = configurations.map((each) => knowledgeOf(each, estimates));
  const { source: name } = loaded;
  return { settings, source: name, loaded, trace, workload, grid, methods, configurations, knowledge };
}

/** Milliseconds of work between two looks at whether to stop. */
const SLICE = 50;

/** Share of the time from the first submit to the last that is simulated before the first look. */
const FIRST_STEP = 1e-3;

/**
 * Runs a configuration to its end, in slices so that the user can stop it and sees how far it is; in a thread of its own
 * where it asks functions of files that are not loaded here.
 * @returns nanoseconds spent in the simulation itself.
 */
export async function runToEnd(
  simulator: Simulator,
  configuration: Configuration,
  context: Context,
): Promise<number> {
  const { submit, count } = simulator.workload;
  const warning = longPlanning(simulator.workload, configuration);
  if (warning !== undefined) await context.say(warning);
  if (codeOf(configuration).some(({ exports }) => exports === undefined)) {
    const { timeout, io } = context;
    const ended = await runInThread(simulator.workload, configuration, { timeout, signal: io.signal });
    simulator.restore(ended.snapshot, configuration);
    return ended.milliseconds * 1e6;
  }
  const progress = context.progress(shareDone(`simulating ${printPolicy(configuration.policy)}`), true);
  let milliseconds = 0;
  const timed = (work: () => void): number => {
    const begin = performance.now();
    context.io.whileDeaf(work);
    const taken = performance.now() - begin;
    milliseconds += taken;
    return taken;
  };
  timed(() => simulator.begin(configuration));
  let step = Math.max(1, (submit[count - 1] - submit[0]) * FIRST_STEP);
  let sinceLook = 0;
  for (let time = submit[0]; !simulator.progress.finished; time += step) {
    const taken = timed(() => simulator.runUntil(time));
    step *= taken > SLICE ? 0.5 : 2;
    sinceLook += taken;
    if (sinceLook < SLICE) continue;
    sinceLook = 0;
    const { submitted, waiting, running } = simulator.progress;
    progress.update(submitted - waiting - running, count);
    await context.pause();
  }
  timed(() => simulator.run());
  progress.end();
  await context.pause();
  return milliseconds * 1e6;
}
