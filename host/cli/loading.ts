/** Logs and experiments that commands load: with progress, interruptible, and with messages on what is dropped. */
import { Console } from 'node:console';
import { codeNamesInOptions, loadCodeOfOptions } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import { suggestName } from '../notation.js';
import type { OptionStrings, Settings } from '../options/options.js';
import { droppedRecordMessages, remarkMessages, unusedOptionMessages } from '../reports/logDescription.js';
import {
  checkMethods,
  type Experiment,
  type ExperimentOptions,
  type Method,
  makeExperimentOn,
} from '../simulate/experiment.js';
import { type ReadingOptions, readingOptionsOf } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { isModelText, MODELS, makeModelTrace } from '../workload/models.js';
import type { Context } from './context.js';

/** Loads the files with functions that options name into this thread; their output becomes messages. */
export async function loadUserCode(texts: OptionStrings): Promise<void> {
  if (codeNamesInOptions(texts).length > 0) globalThis.console = new Console(process.stderr);
  await loadCodeOfOptions(texts);
}

/**
 * Reads the log, or makes that of the model, named by a WORKLOAD; shows progress, can be interrupted, prints what is
 * dropped.
 */
export async function loadTrace(source: string, reading: ReadingOptions, context: Context): Promise<Trace> {
  // A misspelt model with parameters is no path either.
  if (isModelText(source) || /^\w+\[.*\]$/.test(source)) {
    const { columns, timeZone } = reading;
    const input = { columns, timeZone };
    const unused = (['columns', 'timeZone'] as const).filter((option) => input[option] !== undefined);
    for (const sentence of unusedOptionMessages({ source, unused })) await context.printMessage(sentence);
    return makeModelTrace(source);
  }
  try {
    const trace = await context.reading('reading', source, (options) =>
      readTrace(source, { ...readingOptionsOf(reading), ...options }),
    );
    await reportDroppedRecords(trace, context);
    return trace;
  } catch (error) {
    const models = MODELS.map(({ name }) => name);
    const hint = suggestName(source, models, (model) => `the model ${model}`);
    throw error instanceof InputError && hint !== '' ? new InputError(error.message + hint) : error;
  }
}

/** Prints which records were dropped when a log was read. */
export async function reportDroppedRecords(trace: Trace, context: Context): Promise<void> {
  const messageSentences = [droppedRecordMessages, remarkMessages, unusedOptionMessages].flatMap((of) =>
    of(trace),
  );
  for (const sentence of messageSentences) await context.printMessage(sentence);
}

/** Reads the log that settings name and makes an experiment of it; prints remarks on its jobs. */
export async function loadExperiment<Made extends Pick<Experiment, 'remarks'>>(
  settings: Settings,
  context: Context,
  makeValue: (loaded: Trace) => Made,
): Promise<Made> {
  const loaded = await loadTrace(settings.workload, settings, context);
  await context.pause();
  const made = makeValue(loaded);
  for (const remark of made.remarks) await context.printMessageOnce(remark);
  return made;
}

/**
 * Reads everything that a request names and checks it, before anything runs.
 * @param request workload, common options, and the methods on these, one simulation each.
 */
export async function prepareExperiment(
  request: { readonly workload: string; readonly options: Method; readonly methods: readonly Method[] },
  context: Context,
  options: ExperimentOptions = {},
): Promise<Experiment> {
  const { workload, methods } = request;
  const settings = { ...request.options, workload };
  checkMethods(settings, methods);
  return loadExperiment(settings, context, (loaded) => makeExperimentOn(settings, loaded, methods, options));
}
