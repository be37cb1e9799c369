/** From the options of a command line to settings, a log and a grid. */
import { InputError } from '../errors.js';
import { readTrace } from '../files/readTrace.js';
import type { Grid } from '../grid/grid.js';
import { nearest, splitOutside } from '../notation.js';
import { OPTIONS, type Settings } from '../options/options.js';
import { type Method, withMethod } from '../simulate/experiment.js';
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

/** Options of which a command line may give several values, each of them another method. */
const METHOD_OPTIONS = ['policy', 'discipline'] as const;

/** Those of them that all methods have in common. */
export function commonTexts(args: Arguments): Record<string, string> {
  return optionTexts(METHOD_OPTIONS.reduce((rest, name) => rest.without(name), args));
}

/** The settings for a WORKLOAD that all methods have in common. */
export function readSettings(workload: string, args: Arguments): Settings {
  return withMethod({ workload }, commonTexts(args));
}

/**
 * The policies asked for: separated by commas or blanks outside brackets, each in full notation, or the name of a file; the
 * same one twice stands once. None where the option is not given.
 */
export function policiesOf(args: Arguments): string[] {
  return valuesOf('policy', args);
}

/** The disciplines asked for; none where the option is not given. */
function disciplinesOf(args: Arguments): string[] {
  return valuesOf('discipline', args);
}

function valuesOf(name: (typeof METHOD_OPTIONS)[number], args: Arguments): string[] {
  const { read, print } = OPTIONS[name];
  const words = args
    .texts(name)
    .flatMap((text) => splitOutside(text, ','))
    .flatMap((text) => splitOutside(text.replaceAll(/\s/g, ' '), ' '))
    .filter((word) => word !== '');
  if (args.has(name) && words.length === 0)
    throw new InputError(`--${name} names no ${name}; see gridalloc ${NAMED_BY[name]}`);
  return [...new Set(words.map((word) => print(read(word, `--${name}`))))];
}

/** Where the values of these options are listed. */
const NAMED_BY = { policy: 'policies', discipline: 'simulate --help' } as const;

/** The methods that are named: every combination of the disciplines and policies asked for. */
export function askedMethods(args: Arguments): Method[] {
  return methodsOf(disciplinesOf(args), policiesOf(args));
}

/** Every combination of some disciplines and policies; where there are none of a kind, methods leave it to its default. */
export function methodsOf(disciplines: readonly string[], policies: readonly string[]): Method[] {
  const ofDisciplines = disciplines.length === 0 ? [{}] : disciplines.map((discipline) => ({ discipline }));
  const ofPolicies = policies.length === 0 ? [{}] : policies.map((policy) => ({ policy }));
  return ofDisciplines.flatMap((discipline) => ofPolicies.map((policy) => ({ ...discipline, ...policy })));
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
