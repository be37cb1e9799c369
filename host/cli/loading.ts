/**
 * Loads logs and experiments for commands: with progress, interruptible, and with messages on dropped
 * records.
 */
import { Console } from 'node:console';
import { findCodeFileNames, loadCodeFilesOfOptions } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import { formatNameSuggestion } from '../notation.js';
import type { OptionStrings, Settings } from '../options/options.js';
import {
  makeDroppedRecordMessages,
  makeRecordNoteMessages,
  makeUnusedOptionMessages,
} from '../reports/logDescription.js';
import {
  checkMethodsCombine,
  type Experiment,
  type ExperimentOptions,
  type Method,
  makeExperimentOnRequestedSites,
} from '../simulate/experiment.js';
import { pickReadingOptions, type ReadingOptions } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { isModelNotation, MODELS, makeModelTrace } from '../workload/models.js';
import type { CommandContext } from './context.js';

/** Loads user-written code files named by options into this thread; their output becomes messages. */
export async function loadUserCodeFiles(optionTexts: OptionStrings): Promise<void> {
  if (findCodeFileNames(optionTexts).length > 0) globalThis.console = new Console(process.stderr);
  await loadCodeFilesOfOptions(optionTexts);
}

/** Given options for reading a log that have no effect on a model. */
export const findIneffectiveReadingOptions = (
  reading: Pick<ReadingOptions, 'columns' | 'timeZone'>,
): ('columns' | 'timeZone')[] =>
  (['columns', 'timeZone'] as const).filter((option) => reading[option] !== undefined);

/**
 * Reads the log, or generates the jobs of the model, named by a WORKLOAD, with progress and messages on
 * dropped records.
 */
export async function loadTraceWithProgress(
  source: string,
  reading: ReadingOptions,
  context: CommandContext,
): Promise<Trace> {
  // A misspelt model with parameters is no path either.
  if (isModelNotation(source) || /^\w+\[.*\]$/.test(source)) {
    const unusedOptions = findIneffectiveReadingOptions(reading);
    for (const sentence of makeUnusedOptionMessages({ source, unused: unusedOptions }))
      await context.printMessage(sentence);
    return makeModelTrace(source);
  }
  try {
    const trace = await context.readWithProgress('reading', source, (options) =>
      readTrace(source, { ...pickReadingOptions(reading), ...options }),
    );
    await reportDroppedRecords(trace, context);
    return trace;
  } catch (error) {
    const models = MODELS.map(({ name: modelName }) => modelName);
    const modelNameSuggestion = formatNameSuggestion(source, models, (modelName) => `the model ${modelName}`);
    throw error instanceof InputError && modelNameSuggestion !== ''
      ? new InputError(error.message + modelNameSuggestion)
      : error;
  }
}

/** Prints messages on the records dropped while a log was read. */
export async function reportDroppedRecords(trace: Trace, context: CommandContext): Promise<void> {
  const remarks = [makeDroppedRecordMessages, makeRecordNoteMessages, makeUnusedOptionMessages].flatMap(
    (makeMessagesOfTrace) => makeMessagesOfTrace(trace),
  );
  for (const sentence of remarks) await context.printMessage(sentence);
}

/** Reads the log of settings and makes an experiment; prints remarks on its jobs. */
export async function loadExperimentOfSettings<Made extends Pick<Experiment, 'remarks'>>(
  settings: Settings,
  context: CommandContext,
  makeExperiment: (loaded: Trace) => Made,
): Promise<Made> {
  const loadedLog = await loadTraceWithProgress(settings.workload, settings, context);
  await context.pause();
  const experiment = makeExperiment(loadedLog);
  for (const remark of experiment.remarks) await context.printMessageOnce(remark);
  return experiment;
}

/**
 * Loads and checks everything that a request names, before anything runs.
 * @param request workload, common options, and the methods, one simulation each.
 */
export async function loadRequestedExperiment(
  request: { readonly workload: string; readonly options: Method; readonly methods: readonly Method[] },
  context: CommandContext,
  options: ExperimentOptions = {},
): Promise<Experiment> {
  const { workload, methods } = request;
  const settings = { ...request.options, workload };
  checkMethodsCombine(settings, methods);
  return loadExperimentOfSettings(settings, context, (loadedLog) =>
    makeExperimentOnRequestedSites(settings, loadedLog, methods, options),
  );
}
