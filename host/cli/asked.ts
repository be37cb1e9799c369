/** Simulations as a command line asks for them: the log, the grid and the methods. */

import { Console } from 'node:console';
import { codeNamesIn, loadCodeIn } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { readTrace } from '../files/readTrace.js';
import { suggestion } from '../notation.js';
import type { Settings } from '../options/options.js';
import { leftOutSentences } from '../show/traceText.js';
import {
  checkMethods,
  type Experiment,
  type ExperimentOptions,
  experimentOn,
  type Method,
  withMethod,
} from '../simulate/experiment.js';
import { sourceName } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';
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
      ...context.inputOf(source),
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

/** Reads the log that settings name and makes an experiment of it; says what is to be known of its jobs. */
export async function prepared(
  settings: Settings,
  context: Context,
  make: (loaded: Trace) => Experiment,
): Promise<Experiment> {
  const loaded = await loadTrace(settings.workload, settings, context);
  await context.pause();
  const experiment = make(loaded);
  for (const remark of experiment.remarks) await context.say(remark);
  return experiment;
}

/**
 * Reads everything that the settings name and checks it, before anything runs.
 * @param methods what is run besides the settings, one simulation each.
 */
export async function prepareExperiment(
  settings: Settings,
  context: Context,
  methods: readonly Method[],
  options: ExperimentOptions = {},
): Promise<Experiment> {
  checkMethods(settings, methods);
  return prepared(settings, context, (loaded) => experimentOn(settings, loaded, methods, options));
}
