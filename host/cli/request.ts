/**
 * What a command line asks for: simulations with their log, grid and methods, and comparisons and replications of
 * these, read from their words once, here and where a folder has kept these.
 */
import { Console } from 'node:console';
import { codeNamesIn, loadCodeIn, readCodeIn } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import { sourceName } from '../format/text.js';
import { firstOf } from '../lists.js';
import { splitOutside, suggestion } from '../notation.js';
import { BY_SITE } from '../options/document.js';
import { isAbsent, type OptionStrings, optionNamed, type Settings, withTexts } from '../options/options.js';
import { droppedRecordMessages, remarkMessages, unusedOptionMessages } from '../reports/logDescription.js';
import type { ComparisonSettings } from '../runs/comparison.js';
import type { RequestedMethods } from '../runs/methodSelection.js';
import {
  checkMethods,
  type Experiment,
  type ExperimentOptions,
  experimentOn,
  type Method,
} from '../simulate/experiment.js';
import { namedInMethod, OF_RUN, readMethod } from '../simulate/methodNames.js';
import { type ReadingOptions, readingOf } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { isModelText, MODELS, makeModelTrace } from '../workload/models.js';
import { Arguments } from './command.js';
import {
  CODE_OPTIONS,
  COMMON_OPTIONS,
  classesOf,
  ENGINE_OPTIONS,
  metricsIn,
  replicationsOf,
  textsOf,
  withinOf,
} from './commandOptions.js';
import { type Context, shareDone } from './context.js';

/** Loads the files with functions that options name into this thread; their output becomes messages. */
export async function loadUserCode(texts: OptionStrings): Promise<void> {
  if (codeNamesIn(texts).length > 0) globalThis.console = new Console(process.stderr);
  await loadCodeIn(texts);
}

/** The settings for a WORKLOAD that all methods have in common. */
export function readSettings(
  workload: string,
  { policy: _, discipline: __, ...texts }: OptionStrings,
): Settings {
  return withTexts({ workload }, texts);
}

/** Options of reading a log. */
export type Reading = ReadingOptions;

/**
 * Reads the log, or makes that of the model, named by a WORKLOAD; shows progress, can be interrupted, prints what is
 * dropped.
 */
export async function loadTrace(source: string, reading: Reading, context: Context): Promise<Trace> {
  // A misspelt model with parameters is no path either.
  if (isModelText(source) || /^\w+\[.*\]$/.test(source)) {
    const { columns, timeZone } = reading;
    const input = { columns, timeZone };
    const unused = (['columns', 'timeZone'] as const).filter((option) => input[option] !== undefined);
    for (const sentence of unusedOptionMessages({ source, unused })) await context.printMessage(sentence);
    return makeModelTrace(source);
  }
  const progress = context.progress(shareDone(`reading ${sourceName(source)}`));
  try {
    const trace = await readTrace(source, {
      ...readingOf(reading),
      ...context.inputOf(source),
      onProgress: (bytes, total) => {
        context.io.signal.throwIfAborted();
        progress.update(bytes, total);
      },
    });
    await reportDroppedRecords(trace, context);
    return trace;
  } catch (error) {
    const models = MODELS.map(({ name }) => name);
    const hint = suggestion(source, models, (model) => `the model ${model}`);
    throw error instanceof InputError && hint !== '' ? new InputError(error.message + hint) : error;
  } finally {
    progress.end();
  }
}

/** Prints which records were dropped when a log was read. */
export async function reportDroppedRecords(trace: Trace, context: Context): Promise<void> {
  const sentences = [droppedRecordMessages, remarkMessages, unusedOptionMessages].flatMap((of) => of(trace));
  for (const sentence of sentences) await context.printMessage(sentence);
}

/** Reads the log that settings name and makes an experiment of it; prints remarks on its jobs. */
export async function loadExperiment<Made extends Pick<Experiment, 'remarks'>>(
  settings: Settings,
  context: Context,
  make: (loaded: Trace) => Made,
): Promise<Made> {
  const loaded = await loadTrace(settings.workload, settings, context);
  await context.pause();
  const made = make(loaded);
  for (const remark of made.remarks) await context.printMessageOnce(remark);
  return made;
}

/**
 * Reads everything that the settings name and checks it, before anything runs.
 * @param methods what runs in addition to the settings, one simulation each.
 */
export async function prepareExperiment(
  settings: Settings,
  context: Context,
  methods: readonly Method[],
  options: ExperimentOptions = {},
): Promise<Experiment> {
  checkMethods(settings, methods);
  return loadExperiment(settings, context, (loaded) => experimentOn(settings, loaded, methods, options));
}

// The methods that a command line names: lists of values, whose combinations they are, or whole methods.

/** Name of the method option in errors. */
const METHOD = '--method';

/** Options that may list several values, the discipline first, the policy last. */
export const LISTED: readonly string[] = [
  'discipline',
  ...OF_RUN.filter(
    (name) =>
      !['discipline', 'policy'].includes(name) &&
      !optionNamed(name).isSwitch &&
      !BY_SITE.includes(optionNamed(name).key),
  ),
  'policy',
];

/** Options that every method names, even with a single value. */
const OF_METHODS: readonly string[] = ['discipline', 'policy'];

/** Orders may be expressions, in which blanks separate nothing. */
const isOrder = (name: string) =>
  optionNamed(name).key === 'order' || optionNamed(name).key === 'backfillOrder';

/**
 * The values of an option that may list several: separated by commas outside brackets, and but for orders by blanks; each in
 * full notation, or the name of a file; `none` where the option is not to be given. The same one twice is once. None
 * where the option is not given.
 */
export function listedIn(texts: OptionStrings, name: string): string[] {
  return [...valuesIn(texts, name).keys()];
}

/** Values listed for an option by their notation; undefined for `none`. */
function valuesIn(texts: OptionStrings, name: string): Map<string, unknown> {
  const { read, print } = optionNamed(name);
  const input = texts[name]?.replaceAll(/\s/g, ' ') ?? '';
  const words = splitOutside(input, ',')
    .flatMap((text) => (isOrder(name) ? [text.trim()] : splitOutside(text, ' ')))
    .filter((word) => word !== '');
  if (texts[name] !== undefined && words.length === 0)
    throw new InputError(
      `--${name} names no ${name.replaceAll('-', ' ')}; see gridalloc ${name === 'policy' ? 'policies' : 'simulate --help'}`,
    );
  const values = words.map((word): [string, unknown] => {
    if (isAbsent(name, word)) return [word, undefined];
    const value = read(word, `--${name}`);
    return [print(value), value];
  });
  return new Map(values);
}

/** Every combination of the values that are listed for some options. */
function combinations(texts: OptionStrings, names: readonly string[]): Method[] {
  let methods: Method[] = [{}];
  for (const name of names) {
    const { key } = optionNamed(name);
    const values = [...valuesIn(texts, name).values()];
    if (values.length === 0) continue;
    methods = methods.flatMap((method) =>
      values.map((value) => (value === undefined ? method : { ...method, [key]: value })),
    );
  }
  return methods;
}

/** The methods of a simulation: every combination of its disciplines and policies. */
export function simulationMethods(texts: OptionStrings): Method[] {
  return combinations(texts, OF_METHODS);
}

/**
 * The methods of a comparison: those of --method, or every combination of the values listed.
 * @param named those of --method.
 * @returns them, and what holds for all of them, as texts by name.
 * @throws InputError for values that options do not take, and for lists beside --method.
 */
export function comparedMethods(
  texts: OptionStrings,
  named: readonly string[],
): RequestedMethods & { readonly common: OptionStrings } {
  const listedNames = LISTED.filter((name) => texts[name] !== undefined);
  const lists = listedNames.filter((name) => listedIn(texts, name).length > 1);
  if (named.length > 0 && lists.length > 0) {
    throw new InputError(
      `--method names whole methods, --${lists[0]} ${texts[firstOf(lists)]} values of each; give one of the two`,
    );
  }
  const varied = listedNames.filter((name) => OF_METHODS.includes(name) || lists.includes(name));
  const common = Object.fromEntries(Object.entries(texts).filter(([name]) => !varied.includes(name)));
  const combined = combinations(texts, varied);
  if (named.length === 0) {
    const areAll = listedNames.includes('policy') || lists.some((name) => name !== 'discipline');
    return { methods: combined, common, areAll, areNamed: false };
  }
  const methods = named.map((text) => ({ ...combined[0], ...readMethod(text, METHOD) }));
  return { methods, common, areAll: true, areNamed: true };
}

/** Reads the files that options and methods name; nothing in them runs. */
export async function readCodeOf(texts: OptionStrings, named: readonly string[]): Promise<void> {
  await readCodeIn(texts);
  for (const text of named) await readCodeIn(namedInMethod(text, METHOD));
}

// Requests of compare, and of simulate with replications

/** Request to compare or replicate methods, as parsed from a command line. */
export interface CommandRequest extends ComparisonSettings {
  readonly command: 'compare' | 'simulate';
  /** Logs and models. */
  readonly sources: readonly string[];
  /** Options of simulations, as texts by name; those that say a method may list several values. */
  readonly texts: OptionStrings;
  /** Methods that are named as a whole. */
  readonly named: readonly string[];
  /** True if one best method is wanted, and no verdicts on the others. */
  readonly selectsBest: boolean;
  /** True if improvement ratios are shown, and each simulation is timed, for methods on unperturbed jobs. */
  readonly showsRatios: boolean;
  readonly isTimed: boolean;
}

/**
 * What the words of a command ask.
 * @throws InputError for unknown values, and for fewer than two replications.
 */
export function parseRequest(command: CommandRequest['command'], args: Arguments): CommandRequest {
  return {
    command,
    sources: args.words,
    texts: textsOf(args),
    named: args.texts('method'),
    metrics: metricsIn(args),
    within: withinOf(args),
    replications: replicationsOf(args),
    untilDecided: args.has('until-decided'),
    selectsBest: args.has('select-best'),
    showsRatios: args.has('npir'),
    isTimed: args.has('bench'),
    classes: classesOf(args),
  };
}

/** True if replications are requested. */
export function isReplicated({ replications, untilDecided, selectsBest }: CommandRequest): boolean {
  return replications !== undefined || untilDecided || selectsBest;
}

/** The words of a command as a folder keeps them. */
export interface SavedWords {
  readonly command: CommandRequest['command'];
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Options that say how a comparison is run, not what it compares. */
const EXECUTION = [
  'threads',
  'no-sharing',
  'out',
  ...[ENGINE_OPTIONS, CODE_OPTIONS, COMMON_OPTIONS].flatMap(Object.keys),
];

/** Words of compare that describe the comparison, without those on how to run it. */
export function comparisonWords(args: Arguments): SavedWords {
  return { command: 'compare', words: args.words, options: args.without(EXECUTION).all() };
}

/** The options of simulate over replications, with the log and the options of a config.json. */
export function simulationWords(source: string, texts: OptionStrings, args: Arguments): SavedWords {
  const options = Object.entries(texts).map(([name, text]) => [
    name,
    optionNamed(name).isSwitch ? [] : [text],
  ]);
  const input = ['replications', 'by'].filter((name) => args.has(name));
  return {
    command: 'simulate',
    words: [source],
    options: Object.fromEntries([...options, ...input.map((name) => [name, args.texts(name)])]),
  };
}

/** Restores the request from the words that a folder has saved. */
export function restoreRequest({ command, words, options }: SavedWords): CommandRequest {
  return parseRequest(command, new Arguments(new Map(Object.entries(options)), words));
}
