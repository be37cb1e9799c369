/**
 * The words of a command line, parsed, checked, and read once: from here on there are typed requests. No other file reads
 * words.
 */
import { availableParallelism } from 'node:os';
import parse from 'yargs-parser';
import { limitAnswers } from '../code/codeCalls.js';
import { readCodeIn } from '../code/codeFile.js';
import { TIMEOUT } from '../code/watch.js';
import { InputError } from '../errors.js';
import { useCoreFile } from '../files/coreFile.js';
import { joinFiles } from '../files/traceFiles.js';
import { countOf, listed } from '../format/numbers.js';
import { escapeText, shellWord, sourceWord } from '../format/text.js';
import { parseNumber, parseWholeNumber, splitOutside, suggestion, unknownName } from '../notation.js';
import { optionWords } from '../options/document.js';
import { MAX_REPLICATIONS } from '../options/jobOptions.js';
import { OPTIONS, type OptionStrings, withTexts } from '../options/options.js';
import { parseLabels } from '../reports/labels.js';
import { parseShard } from '../runs/shards.js';
import { namedInMethod, replaceInMethod } from '../simulate/methodNames.js';
import type { SweepRequest } from '../study/sweep.js';
import { CODE_OPTIONS, COMMON_OPTIONS, CORE_OPTION, EXECUTION_OPTIONS, WORKLOAD } from './commandOptions.js';
import {
  type Combination,
  type CommandDefinition,
  type OptionDefinition,
  type OptionTable,
  PARSER_CONFIGURATION,
  type Values,
} from './definitions.js';
import { combinations, comparedMethods, METHOD, OF_METHODS, without } from './listedMethods.js';
import { parseClasses, parseSettings, parseShare, parseVaried } from './optionValues.js';
import type {
  CompareRequest,
  Execution,
  Options,
  RunsRequest,
  SimulateRequest,
  SlurmRequest,
  StudyRequest,
} from './request.js';

/** Options and words of a command, checked. */
export class Arguments {
  readonly #options: ReadonlyMap<string, readonly string[]>;
  /** The words without dashes, behind the command. */
  readonly words: readonly string[];

  constructor(options: ReadonlyMap<string, readonly string[]>, words: readonly string[]) {
    this.#options = options;
    this.words = words;
  }

  /** Returns the arguments without some options. */
  without(names: readonly string[]): Arguments {
    return new Arguments(new Map([...this.#options].filter(([name]) => !names.includes(name))), this.words);
  }

  /** Returns the arguments with other values of an option, if there are some. */
  with(name: string, values: readonly string[]): Arguments {
    if (values.length === 0) return this;
    return new Arguments(new Map([...this.#options, [name, values]]), this.words);
  }

  /** Returns the arguments with some options added, unless these are given. */
  withDefaults(options: OptionStrings): Arguments {
    const added = Object.entries(options).filter(([name]) => !this.has(name));
    return new Arguments(
      new Map([...this.#options, ...added.map(([name, text]) => [name, [text]] as const)]),
      this.words,
    );
  }

  /** The arguments as words of a command line: `log.swf`, `--load`, `1.2`, `--sort`. */
  list(): string[] {
    const options = [...this.#options].flatMap(([name, values]) =>
      values.length === 0 ? [`--${name}`] : values.flatMap((value) => [`--${name}`, value]),
    );
    return [...this.words, ...options];
  }

  /** Formats the arguments as words of a shell: `--load 1.2 --sort`. */
  line(): string {
    return this.list().map(shellWord).join(' ');
  }

  /** The value of an option that is given at most once. */
  text(name: string): string | undefined {
    return this.#options.get(name)?.[0];
  }

  /** All values of an option that may be repeated. */
  texts(name: string): readonly string[] {
    return this.#options.get(name) ?? [];
  }

  /** True if a switch is on, or an option given; with a value behind its name, such as `engine slurm`, with that one. */
  has(option: string): boolean {
    const [name = '', value] = option.split(' ');
    return this.#options.has(name) && (value === undefined || this.text(name) === value);
  }

  /** The value read by a parser that gets the option's name for its errors, or undefined. */
  read<T>(name: string, parse: (text: string, what: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parse(text, `--${name}`);
  }
}

/**
 * The arguments of a command, if a line begins with its name.
 * @throws InputError as `checkArguments`.
 */
export function parseArguments(argv: readonly string[], command: CommandDefinition): Arguments | undefined {
  const words = parseWords(argv, command.options);
  const isNamed = command.name.split(' ').every((word, i) => words._[i] === word);
  return isNamed ? checkArguments(words, command) : undefined;
}

/** Result of the command line parser: `_` holds the words without dashes, the other keys are options. */
type ParsedWords = { readonly _: readonly (string | number)[] } & {
  readonly [option: string]: unknown;
};

function parseWords(argv: readonly string[], options: OptionTable): ParsedWords {
  const names = Object.keys(options);
  const isSwitch = (name: string) => options[name]?.isSwitch === true;
  return parse(withValues(argv, options), {
    boolean: names.filter(isSwitch),
    string: names.filter((name) => !isSwitch(name)),
    configuration: PARSER_CONFIGURATION,
  });
}

/** The words, in which every option that may stand without a value has one. */
function withValues(argv: readonly string[], options: OptionTable): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, i) => {
    const bare = word.startsWith('--') && (end < 0 || i < end) ? options[word.slice(2)]?.bare : undefined;
    return bare === undefined || bare.takes(argv[i + 1] ?? '') ? word : `${word}=${bare.text}`;
  });
}

/** Options that the parser itself deals with. */
const BUILT_IN = ['help', 'version'];
const PARSER_KEYS = ['_', '$0', '--', ...BUILT_IN];

/**
 * Checks the words for a command, before its defaults are requested.
 * @throws InputError for an option it does not have, one given twice or without its value, a value that is none of the
 * choices, options that do not go together, and for words too many or too few.
 */
function checkArguments(parsed: ParsedWords, command: CommandDefinition): Arguments {
  const options = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(parsed)) {
    if (PARSER_KEYS.includes(name)) continue;
    const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
    if (option === undefined) throw unknownOption(name, command);
    const values = Array.isArray(value) ? value : [value];
    if (values.length > 1 || !option.isAbsent?.(values[0]))
      options.set(name, checkOption(name, option, values, command));
  }
  const behind = [...parsed._, ...((parsed['--'] as string[] | undefined) ?? [])].map(String);
  const words = behind.slice(command.name.split(' ').length);
  checkWords(words, command);
  const args = new Arguments(options, words);
  for (const combination of command.combinations ?? []) checkCombination(args, combination);
  return args;
}

function checkCombination(args: Arguments, { of, needs, excludes, where, why }: Combination): void {
  const option = of.find((name) => args.has(name));
  if (option === undefined || where?.holds(args) === false) return;
  if (needs === undefined && excludes === undefined) throw new InputError(`--${option} ${why}`);
  if (needs?.some((name) => args.has(name)) === false)
    throw new InputError(
      `--${option} needs ${listed(
        needs.map((name) => `--${name}`),
        'or',
      )}, since ${why}`,
    );
  const other = excludes?.find((name) => args.has(name));
  if (other !== undefined)
    throw new InputError(`--${option} cannot be combined with --${other}, since ${why}; omit one of them`);
}

function unknownOption(name: string, command: CommandDefinition): InputError {
  const known = [...Object.keys(command.options), ...BUILT_IN].map((option) => `--${option}`);
  const dashed = name.length === 1 ? `-${name}` : `--${name}`;
  const hint = suggestion(dashed, known, String) || '.';
  const { name: called } = command;
  return new InputError(
    `unknown option ${dashed} of gridalloc ${called}${hint} See gridalloc ${called} --help`,
  );
}

/** The values of an option; none for a switch. */
function checkOption(
  name: string,
  { isSwitch, isRepeatable, isOpen, choices }: OptionDefinition,
  values: readonly unknown[],
  command: CommandDefinition,
): string[] {
  if (isSwitch) {
    if (values.some((value) => value !== true)) throw new InputError(`--${name} takes no value`);
    return [];
  }
  if (values.length > 1 && !isRepeatable) {
    throw new InputError(`--${name} is given ${values.length} times (${values.join(', ')}); give it once`);
  }
  return values.map((value) => {
    const text = typeof value === 'string' ? value : '';
    if (text.trim() === '')
      throw new InputError(
        `--${name} needs a value (one that begins with - follows =, as in --${name}=-1); see gridalloc ${command.name} --help`,
      );
    if (choices !== undefined && !isOpen && !choices.includes(text))
      throw unknownName(`value of --${name}`, text, choices);
    return text;
  });
}

function checkWords(words: readonly string[], { name, positionals }: CommandDefinition): void {
  const missing = positionals.slice(words.length).find((positional) => !positional.isOptional);
  if (missing !== undefined) {
    throw new InputError(`gridalloc ${name} needs ${missing.meaning}; see gridalloc ${name} --help`);
  }
  if (words.length > positionals.length && !positionals.some((positional) => positional.isRepeatable)) {
    const extra = words[positionals.length];
    throw new InputError(
      `gridalloc ${name} takes ${positionals.length === 0 ? 'no arguments but options' : countOf(positionals.length, 'argument')}, found also '${extra}'; see gridalloc ${name} --help`,
    );
  }
}

// Options that several commands have

/** The metrics of --metric, which has commas or is repeated, each once. */
function metricsIn(args: Arguments): string[] {
  const parts = args.texts('metric').flatMap((text) => splitOutside(text.replaceAll(/\s/g, ' '), ','));
  const names = parts.flatMap((text) => splitOutside(text, ' '));
  return [...new Set(names.filter((name) => name !== ''))];
}

/**
 * How many replications are requested; undefined where none are.
 * @throws InputError for fewer than two, from which no interval follows.
 */
function replicationsOf(args: Arguments): number | undefined {
  const count = args.read('replications', (text, what) =>
    parseWholeNumber(text, what, { atLeast: 1, atMost: MAX_REPLICATIONS }),
  );
  if (count === 1) {
    throw new InputError('--replications 1: an interval needs 2 replications or more; give at least 2');
  }
  return count;
}

const MAX_THREADS = 256;

/** Number of threads requested; default: one per processor core. */
function threadsOf(args: Arguments): number {
  const input = args.read('threads', (text, what) =>
    parseWholeNumber(text, what, { atLeast: 1, atMost: MAX_THREADS }),
  );
  return input ?? availableParallelism();
}

/** Seconds that a function may take for one answer. */
function timeoutOf(args: Arguments): number {
  return (
    args.read('policy-timeout', (text, what) => parseNumber(text, what, { above: 0, isTime: true })) ??
    TIMEOUT
  );
}

/** Equivalence margin as a share of the best; undefined by default. */
function withinOf(args: Arguments): number | undefined {
  return args.read('within', parseShare);
}

const MAX_SHARDS = 100_000;
const MAX_TASKS = 100_000;

/**
 * How the options of a command have simulations run.
 * @throws InputError for unknown values.
 */
function executionOf(args: Arguments): Execution {
  const whole = (name: string, atMost: number) =>
    args.read(name, (text, what) => parseWholeNumber(text, what, { atLeast: 1, atMost }));
  return {
    out: args.text('out'),
    slurm: slurmOf(args, whole('tasks', MAX_TASKS)),
    threads: threadsOf(args),
    sharing: !args.has('no-sharing'),
    shards: whole('shards', MAX_SHARDS),
    shard: args.read('shard', parseShard),
    only: args.text('only'),
    isDry: args.has('dry-run'),
    allowMany: args.has('yes'),
    allowCode: args.has('allow-code'),
    core: args.text('core'),
  };
}

/** Requests to Slurm; undefined where this computer runs the simulations. */
function slurmOf(args: Arguments, tasks: number | undefined): SlurmRequest | undefined {
  if (!args.has('engine slurm')) return undefined;
  const words = args.texts('sbatch-args').flatMap((text) => text.split(/\s+/).filter((word) => word !== ''));
  return {
    tasks,
    partition: args.text('partition'),
    threads: args.has('threads') ? threadsOf(args) : undefined,
    words: args.has('sbatch-args') ? words : undefined,
    taskWords: [
      ...(args.has('no-sharing') ? ['--no-sharing'] : []),
      ...args.texts('policy-timeout').flatMap((text) => ['--policy-timeout', text]),
    ],
  };
}

// Options of a simulation

/**
 * The options of a simulation among those given, each as one text; of options that list methods all with commas.
 * @param among the options that are of a simulation, for a command in which others have their names.
 */
function textsOf(args: Arguments, among: object = OPTIONS): Record<string, string> {
  const input = Object.entries(OPTIONS).filter(([name]) => Object.hasOwn(among, name) && args.has(name));
  return Object.fromEntries(
    input.map(([name, { isSwitch, isRepeatable }]) => [
      name,
      isSwitch ? 'true' : args.texts(name).join(isRepeatable ? ';' : ','),
    ]),
  );
}

/** Reads the files that options and methods name; nothing in them runs. */
async function readCodeOf(args: Arguments): Promise<void> {
  await readCodeIn(textsOf(args));
  for (const text of args.texts('method')) await readCodeIn(namedInMethod(text, METHOD));
}

// What commands get of their arguments

/** Arguments that every command may have. */
export interface CommonInput {
  /** True if a scheduler stands for some of the options. */
  readonly hasScheduler: boolean;
  readonly isQuiet: boolean;
  readonly hasOut: boolean;
  readonly isVerbose: boolean;
  readonly isJson: boolean;
  /** Seconds that a function may take for one answer. */
  readonly timeout: number;
  /** Labels of methods by their names. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Uses the core and reads the files with functions that a command line names; nothing in them runs. */
export async function commonInput(args: Arguments): Promise<CommonInput> {
  useCoreFile(args.text('core'));
  await readCodeOf(args);
  limitAnswers(timeoutOf(args));
  return {
    hasScheduler: args.has('scheduler') || args.texts('method').some((text) => text.includes('scheduler')),
    timeout: timeoutOf(args),
    labels: parseLabels(args.texts('label')),
    ...{ isQuiet: args.has('quiet'), hasOut: args.has('out') },
    ...{ isVerbose: args.has('verbose'), isJson: args.has('json') },
  };
}

/**
 * The arguments with the options that schedulers stand for in their place, of all methods or of one.
 * @param optionsOf the options of a scheduler, as texts by name.
 */
export async function withSchedulers(
  args: Arguments,
  optionsOf: (scheduler: string) => Promise<OptionStrings>,
): Promise<Arguments> {
  const methods: string[] = [];
  for (const text of args.texts('method')) {
    const given = namedInMethod(text, METHOD);
    if (given.scheduler === undefined) methods.push(text);
    else {
      const options = without(await optionsOf(given.scheduler), Object.keys(given));
      methods.push(replaceInMethod(text, ['scheduler'], options));
    }
  }
  const scheduler = args.text('scheduler');
  const options = scheduler === undefined ? {} : await optionsOf(scheduler);
  return args.without(['scheduler']).with('method', methods).withDefaults(options);
}

/** Arguments of a command that has no request of its own. */
export interface CommandInput<Table extends OptionTable> {
  readonly words: readonly string[];
  /** Values of its own options. */
  readonly values: Values<Table>;
  /** Options of a simulation. */
  readonly options: Options;
  /** The arguments for a shell, without those on its output. */
  readonly line: string;
}

/** Function that reads the arguments of a command by its table of options. */
export function inputOf<Table extends OptionTable>(table: Table): (args: Arguments) => CommandInput<Table> {
  const names = Object.keys(table);
  const settings = Object.fromEntries(Object.entries(table).filter(([, { isSetting }]) => isSetting));
  return (args) => {
    const own = names.filter((name) => args.has(name) && !Object.hasOwn(settings, name));
    const values = own.map((name) => {
      const { isSwitch, isRepeatable, read = (text) => text } = table[name]!;
      return [name, isSwitch || (isRepeatable ? args.texts(name) : args.read(name, read))];
    });
    return {
      words: args.words,
      values: Object.fromEntries(values),
      options: withTexts({}, textsOf(args, settings)),
      line: args.without(['out', 'quiet', 'json', 'verbose']).line(),
    };
  };
}

// Requests

/** A request, how its simulations are run, and its command for people. */
export interface Input<Request> {
  readonly request: Request;
  readonly execution: Execution;
  /** Words of the command, without those on how it is run. */
  readonly line: readonly string[];
}

/** A request to simulate, read from words. */
export interface SimulateInput extends Input<SimulateRequest> {
  /** True if jobs.parquet is written too. */
  readonly isParquet: boolean;
}

/** Reads the arguments of `simulate`; options override those of a config.json. */
export async function simulateInput(args: Arguments): Promise<SimulateInput> {
  const [workload, texts] = await workloadAndTexts(args);
  const replications = replicationsOf(args);
  const classes = args.has('by') ? parseClasses(args.texts('by')) : undefined;
  const more = ['replications', 'by'].flatMap((name) =>
    args.texts(name).flatMap((text) => [`--${name}`, text]),
  );
  const request: SimulateRequest = {
    ...{ command: 'simulate', workload, options: withTexts({}, without(texts, OF_METHODS)) },
    ...{ methods: combinations(texts, OF_METHODS), metrics: metricsIn(args) },
    ...(replications === undefined ? {} : { replications }),
    ...(classes === undefined ? {} : { classes }),
  };
  return {
    request,
    isParquet: args.has('parquet'),
    execution: executionOf(args),
    line: ['simulate', workload, ...optionWords(texts), ...more],
  };
}

/** The workload and the options of a simulation, as texts by name. */
async function workloadAndTexts(args: Arguments): Promise<readonly [string, OptionStrings]> {
  const input = textsOf(args);
  const config = args.text('config');
  const workload = args.words.length === 0 ? undefined : joinFiles(args.words);
  if (config === undefined && workload === undefined)
    throw new InputError(`gridalloc simulate needs ${WORKLOAD.meaning}; see gridalloc simulate --help`);
  if (config === undefined) return [workload as string, input];
  // Most simulations read none, and other commands never do.
  const { checkCodeOf, readConfig, useSavedCore } = await import('./saved.js');
  const saved = await readConfig(config);
  if (workload === undefined && !saved.isFound) {
    throw new InputError(
      `${config} names the log ${escapeText(saved.source)}, which is not there from its folder, from one above, or from the current one; ` +
        `say where it is: gridalloc simulate LOG --config ${sourceWord(config)}`,
    );
  }
  const brought = without(saved.texts, replacedOptions(input));
  checkCodeOf(saved.folder, brought, args.has('allow-code'));
  if (!args.has('core')) useSavedCore(saved);
  return [workload ?? saved.source, { ...brought, ...input }];
}

/** The options that are replaced; speeds and time factors replace each other, and reservations belong to a discipline. */
function replacedOptions(input: OptionStrings): string[] {
  const speeds = ['speeds', 'heterogeneity'];
  const names = Object.keys(input);
  const more = names.some((name) => speeds.includes(name)) ? speeds : [];
  return [...names, ...more, ...(names.includes('discipline') ? ['reservations'] : [])];
}

/** Options that say how simulations are run, not what they are. */
const OF_EXECUTION = [EXECUTION_OPTIONS, CODE_OPTIONS, COMMON_OPTIONS].flatMap(Object.keys);

/** Reads the arguments of `compare`. */
export function compareInput(args: Arguments): Input<CompareRequest> {
  const [within, replications] = [withinOf(args), replicationsOf(args)];
  const classes = args.has('by') ? parseClasses(args.texts('by')) : undefined;
  const request: CompareRequest = {
    ...{ command: 'compare', workloads: args.words, ...comparedMethods(textsOf(args), args.texts('method')) },
    ...{ metrics: metricsIn(args), within, replications, untilDecided: args.has('until-decided') },
    ...{ selectsBest: args.has('select-best'), showsRatios: args.has('npir'), isTimed: args.has('bench') },
    ...(classes === undefined ? {} : { classes }),
  };
  return { request, execution: executionOf(args), line: ['compare', ...args.without(OF_EXECUTION).list()] };
}

/** The words of a request as earlier versions kept them. */
export interface EarlierRequest {
  readonly command?: 'compare' | 'simulate';
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** The request of words that an earlier version kept. */
export async function earlierRequest({ command, words, options }: EarlierRequest): Promise<RunsRequest> {
  const args = new Arguments(new Map(Object.entries(options)), words);
  await readCodeOf(args);
  return (command === 'simulate' ? await simulateInput(args) : compareInput(args)).request;
}

/** Reads the arguments of `sweep`. */
export function sweepInput(args: Arguments): Input<SweepRequest> {
  const varied = args.texts('vary').map(parseVaried);
  if (varied.length === 0)
    throw new InputError('gridalloc sweep needs --vary name=value,value,...; see gridalloc sweep --help');
  const request: SweepRequest = {
    ...{ workload: joinFiles(args.words), texts: textsOf(args), varied, metrics: metricsIn(args) },
    ...{ replications: replicationsOf(args), within: withinOf(args), locate: placeOf },
  };
  const line = args.without([...OF_EXECUTION, ...Object.keys(CORE_OPTION)]).list();
  return { request, execution: executionOf(args), line: ['sweep', ...line] };
}

/** The words of the command line that the part of the study at a path comes from. */
function placeOf([part, name]: readonly (string | number)[]): string {
  if (part === 'axes') return name === undefined ? '--vary' : `--vary ${name}`;
  if (part === 'simulate' && name !== undefined && name !== 'workload') return `--${name}`;
  if (part === 'replications' || part === 'within') return `--${part}`;
  return part === 'measures' ? '--metric' : 'sweep';
}

/** Options that define a study, and are already saved in its folder. */
const FIXED_OPTIONS = ['trace', 'replications', 'draws', 'set', 'out', 'only', 'dry-run', 'shards'];

/** A request to run studies, read from words. */
export interface StudyInput extends Input<StudyRequest> {
  /** The first option given that the folder of a study has already. */
  readonly fixed: string | undefined;
}

/** Reads the arguments of `study run`. */
export function studyInput(args: Arguments): StudyInput {
  const name = args.has('draws') ? 'draws' : 'replications';
  const draws = args.read(name, (text, what) => parseWholeNumber(text, what, { atLeast: 1 }));
  return {
    request: {
      studies: args.words,
      trace: args.text('trace'),
      draws,
      options: parseSettings(args.texts('set')),
    },
    execution: executionOf(args),
    line: ['study', 'run', ...args.list()],
    fixed: FIXED_OPTIONS.find((each) => args.has(each)),
  };
}
