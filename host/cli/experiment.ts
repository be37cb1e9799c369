/** Simulations as a command line asks for them: the configurations, and running them so that one can interrupt. */

import { runInThread } from '../code/thread.js';
import type { Grid } from '../grid/grid.js';
import type { Configuration } from '../options/configuration.js';
import { codeOf } from '../options/document.js';
import type { Settings } from '../options/options.js';
import { longPlanning } from '../simulate/cost.js';
import { checkMethods, type Experiment, type Method, makeExperiment } from '../simulate/experiment.js';
import { estimateWords, knowledgeOf } from '../simulate/knowledge.js';
import type { Simulator } from '../simulate/simulator.js';
import { methodOf } from '../simulate/summary.js';
import type { Trace } from '../trace/trace.js';
import { printEstimates } from '../workload/estimates.js';
import type { Arguments } from './arguments.js';
import { type Context, shareDone } from './context.js';
import { loadTrace, prepareGrid } from './workload.js';

/** An experiment of a command. */
export interface CommandExperiment extends Experiment {
  /** The log, or the model with all its parameters; in a replication of a model those of the first. */
  readonly source: string;
  /** What each method decides by. */
  readonly knowledge: readonly string[];
}

/**
 * Reads everything that the options name and checks it, before anything runs.
 * @param methods what is run besides the settings, one simulation each; where it follows from the log or its grid, a
 * function of them.
 */
export async function prepareExperiment(
  settings: Settings,
  args: Arguments,
  context: Context,
  methods: readonly Method[] | ((trace: Trace, grid: Grid) => readonly Method[] | Promise<readonly Method[]>),
): Promise<CommandExperiment> {
  if (typeof methods !== 'function') checkMethods(settings, methods);
  const loaded = await loadTrace(settings.workload, args, context);
  await context.pause();
  const grid = await prepareGrid(loaded, settings, context);
  const run = typeof methods === 'function' ? await methods(loaded, grid) : methods;
  const experiment = makeExperiment(settings, loaded, grid, run, args.has('out'));
  for (const remark of experiment.remarks) await context.say(remark);
  const estimates = estimateWords(settings.estimates && printEstimates(settings.estimates));
  const knowledge = experiment.configurations.map((each) => knowledgeOf(each, estimates));
  return { ...experiment, source: loaded.source, knowledge };
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
  let warning: string | undefined;
  context.io.whileDeaf(() => {
    warning = longPlanning(simulator.workload, configuration);
  });
  if (warning !== undefined) await context.say(warning);
  if (codeOf(configuration).some(({ exports }) => exports === undefined)) {
    const { timeout, io } = context;
    const ended = await runInThread(simulator.workload, configuration, { timeout, signal: io.signal });
    simulator.restore(ended.snapshot, configuration);
    return ended.milliseconds * 1e6;
  }
  const progress = context.progress(shareDone(`simulating ${methodOf(configuration)}`), true);
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
