/** Simulations as a command line asks for them: the log, the grid and the methods, and running them so that one can interrupt. */

import { Console } from 'node:console';
import { codeNamesIn, loadCodeIn } from '../code/codeFile.js';
import { runInThread } from '../code/codeThread.js';
import { InputError } from '../errors.js';
import { readTrace } from '../files/readTrace.js';
import type { Grid } from '../grid/grid.js';
import { suggestion } from '../notation.js';
import type { Configuration } from '../options/configuration.js';
import { codeOf } from '../options/document.js';
import type { Settings } from '../options/options.js';
import { leftOutSentences } from '../show/traceText.js';
import { longPlanning } from '../simulate/cost.js';
import {
  checkMethods,
  type Experiment,
  type Method,
  makeExperiment,
  withMethod,
} from '../simulate/experiment.js';
import { estimateWords, knowledgeOf } from '../simulate/knowledge.js';
import { capacitiesOf, gridOf, machineOf } from '../simulate/prepare.js';
import type { Simulator } from '../simulate/simulator.js';
import { methodOf } from '../simulate/summary.js';
import { sourceName } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';
import { printEstimates } from '../workload/estimates.js';
import { isModelText, MODELS, makeModelTrace } from '../workload/models.js';
import { type Context, shareDone } from './context.js';

/** Loads the files with functions that options name into this thread; what they print are messages. */
export async function loadCodeHere(texts: Texts): Promise<void> {
  if (codeNamesIn(texts).length > 0) globalThis.console = new Console(process.stderr);
  await loadCodeIn(texts);
}

/** Options as texts by name, as study files have them; `policy` and `discipline` may list several, with commas. */
export type Texts = Readonly<Record<string, string>>;

/** The settings for a WORKLOAD that all methods have in common. */
export function readSettings(workload: string, { policy: _, discipline: __, ...texts }: Texts): Settings {
  return withMethod({ workload }, texts);
}

/** How a log is read. */
export type Reading = Pick<Settings, 'format' | 'sort' | 'skipBadLines'>;

/** Reads the log, or makes that of the model, which a WORKLOAD names; shows progress, can be interrupted, says what is left out. */
export async function loadTrace(
  source: string,
  { format, sort, skipBadLines }: Reading,
  context: Context,
): Promise<Trace> {
  // A misspelt model with parameters is no path either.
  if (isModelText(source) || /^\w+\[.*\]$/.test(source)) return makeModelTrace(source);
  const progress = context.progress(shareDone(`reading ${sourceName(source)}`));
  try {
    const trace = await readTrace(source, {
      format,
      sort,
      skipBadLines,
      input: context.io.stdin,
      onProgress: (bytes, total) => {
        context.io.signal.throwIfAborted();
        progress.update(bytes, total);
      },
    });
    await sayLeftOut(trace, context);
    return trace;
  } catch (error) {
    const models = MODELS.map(({ name }) => name);
    const hint = suggestion(source, models, (model) => `the model ${model}`);
    throw error instanceof InputError && hint !== '' ? new InputError(error.message + hint) : error;
  } finally {
    progress.end();
  }
}

/** Says which records were left out when a log was read. */
export async function sayLeftOut(trace: Trace, context: Context): Promise<void> {
  for (const sentence of leftOutSentences(trace)) await context.say(sentence);
}

/** Sites and speeds; without any, those of the machine of the log. */
async function prepareGrid(trace: Trace, settings: Settings, context: Context): Promise<Grid> {
  const given = capacitiesOf(settings);
  if (given !== undefined) return gridOf(settings, given);
  const { capacities, remark } = machineOf(settings, trace);
  if (remark !== undefined) await context.say(remark);
  return gridOf(settings, capacities);
}

/** An experiment of a command. */
export interface CommandExperiment extends Experiment {
  /** What each method decides by. */
  readonly knowledge: readonly string[];
}

/**
 * Reads everything that the settings name and checks it, before anything runs.
 * @param methods what is run besides the settings, one simulation each; where it follows from the log or its grid, a
 * function of them.
 * @param processorSets whether runs keep which processors each job held.
 */
export async function prepareExperiment(
  settings: Settings,
  context: Context,
  methods: readonly Method[] | ((trace: Trace, grid: Grid) => readonly Method[] | Promise<readonly Method[]>),
  processorSets = false,
): Promise<CommandExperiment> {
  if (typeof methods !== 'function') checkMethods(settings, methods);
  const loaded = await loadTrace(settings.workload, settings, context);
  await context.pause();
  const grid = await prepareGrid(loaded, settings, context);
  const run = typeof methods === 'function' ? await methods(loaded, grid) : methods;
  const experiment = makeExperiment(settings, loaded, grid, run, processorSets);
  for (const remark of experiment.remarks) await context.say(remark);
  const estimates = estimateWords(settings.estimates && printEstimates(settings.estimates));
  const knowledge = experiment.configurations.map((each) => knowledgeOf(each, estimates));
  return { ...experiment, knowledge };
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
