/** Turns the checked arguments of a command line into typed requests. */
import { availableParallelism } from 'node:os';
import { setAnswerTimeout } from '../code/codeCalls.js';
import { readCodeFilesOfOptions } from '../code/codeFile.js';
import { DEFAULT_ANSWER_TIMEOUT_SECONDS } from '../code/watch.js';
import { InputError } from '../errors.js';
import { useCoreFile } from '../files/coreFile.js';
import { joinFileNames } from '../files/traceFiles.js';
import { escapeNonPrintingText, formatSourceAsShellWord } from '../format/text.js';
import { parseNumber, parseWholeNumber, splitOutsideBrackets } from '../notation.js';
import { formatOptionsAsCommandLineWords } from '../options/document.js';
import { MAX_REPLICATION_COUNT } from '../options/jobOptions.js';
import { addParsedOptionTexts, OPTIONS, type OptionStrings } from '../options/options.js';
import { omitUnusedUsageOptions } from '../options/shareRules.js';
import { parseMethodLabels } from '../reports/labels.js';
import { parseShard } from '../runs/shards.js';
import {
  listOptionNamesOfMethod,
  parseNamedMethodOptions,
  replaceMethodOptions,
} from '../simulate/methodNames.js';
import type { SweepRequest, SweptOption } from '../study/sweep.js';
import type { CheckedArguments } from './checkedArguments.js';
import {
  CODE_EXECUTION_OPTIONS,
  COMMON_COMMAND_OPTIONS,
  CORE_FILE_OPTION,
  EXECUTION_OPTIONS,
  WORKLOAD_ARGUMENT,
} from './commandOptions.js';
import type { CommandOptionTable, CommandOptionValues } from './definitions.js';
import {
  combineListedOptions,
  METHOD_OPTION_WORD,
  OPTIONS_IN_METHOD_NAMES,
  omitOptions,
  parseListedOrders,
  parseRequestedMethods,
} from './listedMethods.js';
import { parseProportion, parseRequestedClasses, parseSettings, parseVariedOption } from './optionValues.js';
import type {
  CompareRequest,
  ExecutionSettings,
  OptionsWithoutWorkload,
  SimulateRequest,
  SlurmRequest,
  StudyRequest,
} from './request.js';

// Readers for options that several commands share

/** Distinct metric names of --metric, which may be repeated or contain commas. */
function parseMetricNames(args: CheckedArguments): string[] {
  const metricTexts = args
    .texts('metric')
    .flatMap((metricText) => splitOutsideBrackets(metricText.replaceAll(/\s/g, ' '), ','));
  const metricNames = metricTexts.flatMap((metricText) => splitOutsideBrackets(metricText, ' '));
  return [...new Set(metricNames.filter((metricName) => metricName !== ''))];
}

/**
 * Requested number of replications; undefined if none.
 * @throws InputError for fewer than two, which give no interval.
 */
function parseReplicationCount(args: CheckedArguments): number | undefined {
  const replicationCount = args.read('replications', (optionText, errorContext) =>
    parseWholeNumber(optionText, errorContext, { atLeast: 1, atMost: MAX_REPLICATION_COUNT }),
  );
  if (replicationCount === 1) {
    throw new InputError('--replications 1: an interval needs 2 replications or more; give at least 2');
  }
  return replicationCount;
}

const MAX_REQUESTED_THREADS = 256;

/** Number of threads requested; default: one per processor core. */
function parseThreadCount(args: CheckedArguments): number {
  const threadCount = args.read('threads', (optionText, errorContext) =>
    parseWholeNumber(optionText, errorContext, { atLeast: 1, atMost: MAX_REQUESTED_THREADS }),
  );
  return threadCount ?? availableParallelism();
}

/** Timeout in seconds for one call of a user-written function. */
function parseTimeoutSeconds(args: CheckedArguments): number {
  return (
    args.read('policy-timeout', (optionText, errorContext) =>
      parseNumber(optionText, errorContext, { above: 0, isTime: true }),
    ) ?? DEFAULT_ANSWER_TIMEOUT_SECONDS
  );
}

/** Equivalence margin as a share of the best; undefined by default. */
function parseEquivalenceMargin(args: CheckedArguments): number | undefined {
  return args.read('within', parseProportion);
}

const MAX_SHARD_COUNT = 100_000;
const MAX_SLURM_TASK_COUNT = 100_000;

/**
 * Execution settings from the options of a command (threads, sharing, folder, Slurm).
 * @throws InputError for unknown values.
 */
function parseExecutionOptions(args: CheckedArguments): ExecutionSettings {
  const readWholeNumber = (optionName: string, atMost: number) =>
    args.read(optionName, (optionText, errorContext) =>
      parseWholeNumber(optionText, errorContext, { atLeast: 1, atMost }),
    );
  return {
    out: args.textOf('out'),
    slurm: parseSlurmRequest(args, readWholeNumber('tasks', MAX_SLURM_TASK_COUNT)),
    threads: parseThreadCount(args),
    sharing: !args.has('no-sharing'),
    shards: readWholeNumber('shards', MAX_SHARD_COUNT),
    shard: args.read('shard', parseShard),
    only: args.textOf('only'),
    isDry: args.has('dry-run'),
    allowMany: args.has('yes'),
    allowCode: args.has('allow-code'),
    core: args.textOf('core'),
  };
}

/** Slurm settings; undefined if simulations run on this computer. */
function parseSlurmRequest(args: CheckedArguments, taskCount: number | undefined): SlurmRequest | undefined {
  if (!args.has('engine slurm')) return undefined;
  const sbatchArguments = args
    .texts('sbatch-args')
    .flatMap((optionText) => optionText.split(/\s+/).filter((word) => word !== ''));
  return {
    tasks: taskCount,
    partition: args.textOf('partition'),
    threads: args.has('threads') ? parseThreadCount(args) : undefined,
    words: args.has('sbatch-args') ? sbatchArguments : undefined,
    taskWords: [
      ...(args.has('no-sharing') ? ['--no-sharing'] : []),
      ...args.texts('policy-timeout').flatMap((optionText) => ['--policy-timeout', optionText]),
    ],
  };
}

// Options of a simulation

/**
 * Simulation options of a command line as texts; repeated options that list methods are joined by commas.
 * @param commandOptions names that count as simulation options in this command.
 */
function collectSimulationOptionTexts(
  args: CheckedArguments,
  commandOptions: object = OPTIONS,
): Record<string, string> {
  const givenOptions = Object.entries(OPTIONS).filter(
    ([optionName]) => Object.hasOwn(commandOptions, optionName) && args.has(optionName),
  );
  return Object.fromEntries(
    givenOptions.map(([name, { isSwitch, isRepeatable }]) => [
      name,
      isSwitch ? 'true' : args.texts(name).join(isRepeatable ? ';' : ','),
    ]),
  );
}

/** Reads the code files named by options and methods, without executing them. */
export async function readCodeFilesOfCommand(args: CheckedArguments): Promise<void> {
  await readCodeFilesOfOptions(collectSimulationOptionTexts(args));
  for (const methodText of args.texts('method'))
    await readCodeFilesOfOptions(parseNamedMethodOptions(methodText, METHOD_OPTION_WORD));
}

// Parsed input of commands

/** Input that every command has. */
export interface CommonCommandInput {
  /** True if --scheduler set some of the options. */
  readonly usesSchedulerOption: boolean;
  readonly isQuiet: boolean;
  readonly hasOut: boolean;
  readonly isVerbose: boolean;
  readonly isJson: boolean;
  /** Timeout in seconds for one call of a user-written function. */
  readonly timeout: number;
  /** Labels of methods, by method name. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Selects the core and reads the code files of a command line, without executing them. */
export async function readCommonCommandInput(args: CheckedArguments): Promise<CommonCommandInput> {
  useCoreFile(args.textOf('core'));
  await readCodeFilesOfCommand(args);
  setAnswerTimeout(parseTimeoutSeconds(args));
  return {
    usesSchedulerOption:
      args.has('scheduler') || args.texts('method').some((methodText) => methodText.includes('scheduler')),
    timeout: parseTimeoutSeconds(args),
    labels: parseMethodLabels(args.texts('label')),
    ...{ isQuiet: args.has('quiet'), hasOut: args.has('out') },
    ...{ isVerbose: args.has('verbose'), isJson: args.has('json') },
  };
}

/**
 * Arguments in which --scheduler, also within methods, is replaced by the options it stands for. Options that a
 * method or the command line gives come first.
 * @param optionsOf returns the options of a scheduler as texts by name.
 */
export async function expandSchedulerOptions(
  args: CheckedArguments,
  optionsOf: (schedulerName: string) => Promise<OptionStrings>,
): Promise<CheckedArguments> {
  const optionsByScheduler = new Map<string, OptionStrings>();
  const readOptionsOfScheduler = async (schedulerName: string, textsWithOrderOption: OptionStrings) => {
    const options = optionsByScheduler.get(schedulerName) ?? (await optionsOf(schedulerName));
    optionsByScheduler.set(schedulerName, options);
    return omitUnusedUsageOptions(parseListedOrders(textsWithOrderOption), options);
  };
  const commonOrderOption: OptionStrings = args.has('order') ? { order: args.texts('order').join(',') } : {};
  const commonScheduler = args.textOf('scheduler');
  const methods: string[] = [];
  for (const methodText of args.texts('method')) {
    const methodOptions = parseNamedMethodOptions(methodText, METHOD_OPTION_WORD);
    const { scheduler = commonScheduler } = methodOptions;
    if (scheduler === undefined) methods.push(methodText);
    else if (scheduler === 'none') methods.push(omitSchedulerOfMethod(methodText));
    else {
      const givenOptionNames = listOptionNamesOfMethod(methodText, METHOD_OPTION_WORD);
      const optionNamesGivenForAll = scheduler === methodOptions.scheduler ? [] : args.givenNames;
      const options = omitOptions(
        await readOptionsOfScheduler(scheduler, { ...commonOrderOption, ...methodOptions }),
        [...givenOptionNames, ...optionNamesGivenForAll],
      );
      methods.push(replaceMethodOptions(methodText, ['scheduler'], options));
    }
  }
  const expandedArguments = args.withoutOptions(['scheduler']).withOptionValues('method', methods);
  return commonScheduler === undefined || methods.length > 0
    ? expandedArguments
    : expandedArguments.withDefaults(await readOptionsOfScheduler(commonScheduler, commonOrderOption));
}

/** Method without its scheduler `none`; a method without other values gets the default discipline. */
function omitSchedulerOfMethod(methodText: string): string {
  const isOnlyMethodOption = listOptionNamesOfMethod(methodText, METHOD_OPTION_WORD).length === 1;
  return replaceMethodOptions(methodText, ['scheduler'], isOnlyMethodOption ? { discipline: 'fcfs' } : {});
}

/** Input of a command without a request type of its own. */
export interface CommandInput<Table extends CommandOptionTable> {
  readonly positionals: readonly string[];
  /** Values of the command's own options. */
  readonly values: CommandOptionValues<Table>;
  /** Simulation options. */
  readonly options: OptionsWithoutWorkload;
  /** Arguments as shell text, without output options. */
  readonly line: string;
}

/** Creates a function that reads a command's arguments according to its option table. */
export function makeInputReader<Table extends CommandOptionTable>(
  table: Table,
): (args: CheckedArguments) => CommandInput<Table> {
  const optionNames = Object.keys(table);
  const settings = Object.fromEntries(Object.entries(table).filter(([, { isSetting }]) => isSetting));
  return (args) => {
    const givenOptionNames = optionNames.filter(
      (optionName) => args.has(optionName) && !Object.hasOwn(settings, optionName),
    );
    const optionValues = givenOptionNames.map((optionName) => {
      const { isSwitch, isRepeatable, read = (text) => text } = table[optionName]!;
      return [optionName, isSwitch || (isRepeatable ? args.texts(optionName) : args.read(optionName, read))];
    });
    return {
      positionals: args.positionals,
      values: Object.fromEntries(optionValues),
      options: addParsedOptionTexts({}, collectSimulationOptionTexts(args, settings)),
      line: args.withoutOptions(['out', 'quiet', 'json', 'verbose']).line(),
    };
  };
}

// Requests read from command lines

/** Request with its execution settings and its command line. */
export interface CommandRequestInput<Request> {
  readonly request: Request;
  readonly execution: ExecutionSettings;
  /** Command-line words without execution options, for display. */
  readonly line: readonly string[];
}

/** Request of `simulate`. */
export interface SimulateCommandInput extends CommandRequestInput<SimulateRequest> {
  /** True if jobs.parquet is also written. */
  readonly isParquet: boolean;
  /** True if jobs are read as the simulation runs. */
  readonly isStreamed: boolean;
}

/** Reads the arguments of `simulate`; options override those of a config.json. */
export async function readSimulateInput(args: CheckedArguments): Promise<SimulateCommandInput> {
  const [workloadSource, optionTexts] = await readWorkloadAndOptionTexts(args);
  const replicationCount = parseReplicationCount(args);
  const requestedClasses = args.has('by') ? parseRequestedClasses(args.texts('by')) : undefined;
  const reportOptionWords = ['replications', 'by'].flatMap((optionName) =>
    args.texts(optionName).flatMap((optionText) => [`--${optionName}`, optionText]),
  );
  const request: SimulateRequest = {
    ...{
      command: 'simulate',
      workload: workloadSource,
      options: addParsedOptionTexts({}, omitOptions(optionTexts, OPTIONS_IN_METHOD_NAMES)),
    },
    ...{
      methods: combineListedOptions(optionTexts, OPTIONS_IN_METHOD_NAMES),
      metrics: parseMetricNames(args),
    },
    ...(replicationCount === undefined ? {} : { replications: replicationCount }),
    ...(requestedClasses === undefined ? {} : { classes: requestedClasses }),
  };
  return {
    request,
    isParquet: args.has('parquet'),
    isStreamed: args.has('stream'),
    execution: parseExecutionOptions(args),
    line: ['simulate', workloadSource, ...formatOptionsAsCommandLineWords(optionTexts), ...reportOptionWords],
  };
}

/** Workload and simulation options as texts by name; from a config.json if one is given. */
async function readWorkloadAndOptionTexts(args: CheckedArguments): Promise<readonly [string, OptionStrings]> {
  const givenOptionTexts = collectSimulationOptionTexts(args);
  const config = args.textOf('config');
  const workloadSource = args.positionals.length === 0 ? undefined : joinFileNames(args.positionals);
  if (config === undefined && workloadSource === undefined)
    throw new InputError(
      `gridalloc simulate needs ${WORKLOAD_ARGUMENT.meaning}; see gridalloc simulate --help`,
    );
  if (config === undefined) return [workloadSource as string, givenOptionTexts];
  // Loaded only if a config.json is given.
  const { checkFolderCodeAllowed, readSavedConfig, selectCoreOfSavedRun } = await import('./saved.js');
  const savedConfig = await readSavedConfig(config);
  if (workloadSource === undefined && !savedConfig.isFound) {
    throw new InputError(
      `${config} names the log ${escapeNonPrintingText(savedConfig.source)}, which is not there from its folder, from one above, or from the current one; ` +
        `say where it is: gridalloc simulate LOG --config ${formatSourceAsShellWord(config)}`,
    );
  }
  const savedOptionTexts = omitOptions(savedConfig.texts, [
    ...listOptionsReplacedInConfig(givenOptionTexts),
    ...args.absentNames,
  ]);
  checkFolderCodeAllowed(savedConfig.folder, savedOptionTexts, args.has('allow-code'));
  if (!args.has('core')) selectCoreOfSavedRun(savedConfig);
  return [workloadSource ?? savedConfig.source, { ...savedOptionTexts, ...givenOptionTexts }];
}

/**
 * Options in a config.json that the given options replace. Speeds and time factors replace each other, and
 * reservations depend on the discipline.
 */
function listOptionsReplacedInConfig(input: OptionStrings): string[] {
  const speeds = ['speeds', 'heterogeneity'];
  const optionNames = Object.keys(input);
  const replacedSpeedOptionNames = optionNames.some((optionName) => speeds.includes(optionName))
    ? speeds
    : [];
  return [
    ...optionNames,
    ...replacedSpeedOptionNames,
    ...(optionNames.includes('discipline') ? ['reservations'] : []),
  ];
}

/** Names of options on the execution of simulations, which do not affect results. */
const EXECUTION_OPTION_NAMES = [EXECUTION_OPTIONS, CODE_EXECUTION_OPTIONS, COMMON_COMMAND_OPTIONS].flatMap(
  Object.keys,
);

/** Reads the arguments of `compare`. */
export function readCompareInput(args: CheckedArguments): CommandRequestInput<CompareRequest> {
  const [within, replicationCount] = [parseEquivalenceMargin(args), parseReplicationCount(args)];
  const requestedClasses = args.has('by') ? parseRequestedClasses(args.texts('by')) : undefined;
  const request: CompareRequest = {
    ...{
      command: 'compare',
      workloads: args.positionals,
      ...parseRequestedMethods(collectSimulationOptionTexts(args), args.texts('method')),
    },
    ...{
      metrics: parseMetricNames(args),
      within,
      replications: replicationCount,
      untilDecided: args.has('until-decided'),
    },
    ...{ selectsBest: args.has('select-best'), showsRatios: args.has('npir'), isTimed: args.has('bench') },
    ...(requestedClasses === undefined ? {} : { classes: requestedClasses }),
  };
  return {
    request,
    execution: parseExecutionOptions(args),
    line: ['compare', ...args.withoutOptions(EXECUTION_OPTION_NAMES).list()],
  };
}

/** Reads the arguments of `sweep`. */
export function readSweepInput(args: CheckedArguments): CommandRequestInput<SweepRequest> {
  const sweptOptions = args.texts('vary').map(parseVariedOption);
  if (sweptOptions.length === 0)
    throw new InputError('gridalloc sweep needs --vary name=value,value,...; see gridalloc sweep --help');
  refuseVariedScheduler(sweptOptions, args);
  const request: SweepRequest = {
    ...{
      workload: joinFileNames(args.positionals),
      texts: collectSimulationOptionTexts(args),
      varied: sweptOptions,
    },
    ...{
      metrics: parseMetricNames(args),
      replications: parseReplicationCount(args),
      within: parseEquivalenceMargin(args),
    },
    locate: makeCommandWordsOfStudyPart,
  };
  const line = args.withoutOptions([...EXECUTION_OPTION_NAMES, ...Object.keys(CORE_FILE_OPTION)]).list();
  return { request, execution: parseExecutionOptions(args), line: ['sweep', ...line] };
}

/** Refuses --scheduler as a varied option; a placeholder {scheduler} may have that name. */
function refuseVariedScheduler(sweptOptions: readonly SweptOption[], args: CheckedArguments): void {
  const isSchedulerVaried = sweptOptions.some(({ name }) => name.split('+').includes('scheduler'));
  if (!isSchedulerVaried || args.list().some((word) => word.includes('{scheduler}'))) return;
  throw new InputError(
    "--vary scheduler: a sweep has one --scheduler for all its settings; compare several by gridalloc compare LOG --method 'scheduler=slurm' --method fcfs",
  );
}

/** Command-line words from which a part of the sweep's study was made, for error messages. */
function makeCommandWordsOfStudyPart([part, name]: readonly (string | number)[]): string {
  if (part === 'axes') return name === undefined ? '--vary' : `--vary ${name}`;
  if (part === 'simulate' && name !== undefined && name !== 'workload') return `--${name}`;
  if (part === 'replications' || part === 'within') return `--${part}`;
  return part === 'measures' ? '--metric' : 'sweep';
}

/** Options that define a study and are already saved in its folder. */
const OPTIONS_SAVED_IN_STUDY_FOLDER = [
  'trace',
  'replications',
  'draws',
  'set',
  'out',
  'only',
  'dry-run',
  'shards',
];

/** Request to run studies. */
export interface StudyCommandInput extends CommandRequestInput<StudyRequest> {
  /** First given option that is already fixed in the folder of the study; undefined if none. */
  readonly fixed: string | undefined;
}

/** Reads the arguments of `study run`. */
export function readStudyInput(args: CheckedArguments): StudyCommandInput {
  const replicationsOptionName = args.has('draws') ? 'draws' : 'replications';
  const replicationCount = args.read(replicationsOptionName, (optionText, errorContext) =>
    parseWholeNumber(optionText, errorContext, { atLeast: 1 }),
  );
  return {
    request: {
      studies: args.positionals,
      trace: args.textOf('trace'),
      draws: replicationCount,
      options: parseSettings(args.texts('set')),
    },
    execution: parseExecutionOptions(args),
    line: ['study', 'run', ...args.list()],
    fixed: OPTIONS_SAVED_IN_STUDY_FOLDER.find((each) => args.has(each)),
  };
}
