/** From the options of a command line to settings, a log and a grid. */
import { InputError } from '../errors.js';
import { readTrace } from '../files/readTrace.js';
import type { Grid } from '../grid/grid.js';
import { nearest } from '../notation.js';
import { OPTIONS, onCommandLine, readOption, type Settings } from '../options/options.js';
import { checkRules } from '../options/rules.js';
import { RUN_OPTIONS } from '../options/run.js';
import { capacitiesOf, gridOf, machineOf } from '../simulate/prepare.js';
import { leftOutSentences } from '../text/trace.js';
import type { FormatName } from '../trace/formats.js';
import { sourceName } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';
import { isModelText, MODELS, makeModelTrace } from '../workload/models.js';
import type { Arguments } from './arguments.js';
import { type Context, shareDone } from './context.js';

/** The options of a simulation among those given, each as one text, as study files have them. */
export function optionTexts(args: Arguments): Record<string, string> {
  const given = Object.keys(OPTIONS).filter((name) => args.has(name));
  return Object.fromEntries(
    given.map((name) => [name, OPTIONS[name].isSwitch ? 'true' : args.texts(name).join(';')]),
  );
}

/** The settings for a WORKLOAD, without the policy, of which there may be several. */
export function readSettings(workload: string, args: Arguments): Settings {
  const { policy: _, ...texts } = optionTexts(args);
  const read = Object.entries(texts).map(([name, text]) => readOption(name, text, `--${name}`));
  const settings: Settings = Object.assign({ workload }, ...read);
  // Which policies they are is looked at when each is simulated.
  const policy = args.has('policy') ? RUN_OPTIONS.policy.read('best-fit', '--policy') : undefined;
  checkRules({ ...settings, policy }, onCommandLine);
  return settings;
}

/** The format that a log is said to have. */
export function formatAsked(args: Arguments): FormatName | undefined {
  // One of the choices of the option.
  return args.text('format') as FormatName | undefined;
}

/** Reads the log, or makes that of the model, which a WORKLOAD names; shows progress, can be interrupted, says what is left out. */
export async function loadTrace(source: string, args: Arguments, context: Context): Promise<Trace> {
  // A misspelt model with parameters is no path either.
  if (isModelText(source) || /^\w+\[.*\]$/.test(source)) return makeModelTrace(source);
  const progress = context.progress(shareDone(`reading ${sourceName(source)}`));
  try {
    const trace = await readTrace(source, {
      format: formatAsked(args),
      sort: args.has('sort'),
      skipBadLines: args.has('skip-bad-lines'),
      input: context.io.stdin,
      onProgress: (bytes, total) => {
        context.io.signal.throwIfAborted();
        progress.update(bytes, total);
      },
    });
    await sayLeftOut(trace, context);
    return trace;
  } catch (error) {
    const model =
      error instanceof InputError
        ? nearest(
            source,
            MODELS.map(({ name }) => name),
          )
        : undefined;
    if (model === undefined) throw error;
    throw new InputError(`${(error as Error).message}, or did you mean the model ${model}?`);
  } finally {
    progress.end();
  }
}

/** Says which records were left out when a log was read. */
export async function sayLeftOut(trace: Trace, context: Context): Promise<void> {
  for (const sentence of leftOutSentences(trace)) await context.say(sentence);
}

/** Sites and speeds; without any, those of the machine of the log. */
export async function prepareGrid(trace: Trace, settings: Settings, context: Context): Promise<Grid> {
  const given = capacitiesOf(settings);
  if (given !== undefined) return gridOf(settings, given);
  const { capacities, remark } = machineOf(settings, trace);
  if (remark !== undefined) await context.say(remark);
  return gridOf(settings, capacities);
}
