/** Command `gridalloc explore`: opens the interactive explorer in a browser. */

import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCodeFile } from '../../code/codeFile.js';
import { InputError } from '../../errors.js';
import { checkOptionsOfExplorer } from '../../explorer/pageOptions.js';
import {
  DEFAULT_SERVER_PORT,
  type ExplorerPageInput,
  makeExplorerFiles,
  makeSingleFileExplorer,
  serveFilesWithToken,
} from '../../explorer/site.js';
import { writeUserFiles } from '../../files/fileSystem.js';
import { formatCount } from '../../format/numbers.js';
import { firstElement } from '../../lists.js';
import { parseWholeNumber } from '../../notation.js';
import { isDefaultOptionText, printOptionSettings, printRunOptions } from '../../options/document.js';
import { addParsedOptionTexts, type OptionStrings, optionNameOfKey } from '../../options/options.js';
import { isCodeFileName } from '../../providedCode.js';
import { COMMON_COMMAND_OPTIONS, SIMULATION_OPTION_DEFINITIONS } from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { readSavedConfig, selectCoreOfSavedRun } from '../../request/saved.js';
import { CONFIG_FILE_NAME, findSimulationFolders, REPORT_PAGE_FILE } from '../../results/resultFolder.js';
import { readPlanFile } from '../../runs/planFile.js';
import { makePlanFilePath } from '../../runs/runsFolder.js';
import {
  makeConfigurationOfRun,
  type Plan,
  type PlannedRun,
  restoreParametersOfPlannedRun,
} from '../../study/plan.js';
import type { OptionTexts } from '../../study/schema.js';
import { encodeTrace } from '../../trace/swf.js';
import { readReportOfFolder } from '../../view/reportFolder.js';
import { isModelNotation } from '../../workload/models.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { loadTraceWithProgress } from '../loading.js';
import { SCHEDULER_OPTION } from '../scheduler.js';
import { isStudyFolder } from '../study/studyRun.js';

/** Options that affect only the reading of a log. */
const LOG_READING_OPTION_NAMES = ['format', 'sort', 'skip-bad-lines', 'arrival', 'columns', 'time-zone'];

const EXPLORE_OPTIONS = {
  ...SIMULATION_OPTION_DEFINITIONS,
  scheduler: SCHEDULER_OPTION,
  port: {
    describe: 'the port to listen on; 0: any that is free',
    read: (optionText: string, errorContext: string) =>
      parseWholeNumber(optionText, errorContext, { atLeast: 0, atMost: 65_535 }),
    default: `${DEFAULT_SERVER_PORT}, or the next that is free`,
    group: 'Page:',
  },
  out: {
    describe:
      'write the page with what it shows to FILE.html, or its files to a folder, instead of serving it',
    default: 'none',
    group: 'Page:',
  },
  quiet: COMMON_COMMAND_OPTIONS.quiet,
} satisfies CommandOptionTable;

/** Command `gridalloc explore`. */
export const exploreCommand: Command<CommandInput<typeof EXPLORE_OPTIONS>> = {
  description: [
    'Serves the explorer, a page that simulates in the browser and shows every job: Gantt charts, queue and ' +
      'utilization over time, why a job waited, policies side by side. It listens only on 127.0.0.1, until Ctrl-C.',
    'The address that it prints contains a token, without which it shows nothing: other users of this machine cannot see the log.',
    'RUN is a folder that gridalloc simulate, compare, sweep or study run has written with --out: the page shows its jobs, settings and methods (of a study, those of the first setting). LOG is a job log or a workload model. LINK is a link from the button Copy a link of another explorer. Without any, the page starts with a model; drop a log on it to use that log.',
    'With --out it writes the page instead: as one file that opens from disk (FILE.html), or as a folder for any web server.',
  ].join('\n\n'),
  positionals: [
    {
      name: 'RUN|LOG|LINK',
      isOptional: true,
      meaning: 'a folder of results, a log or a model, or a link that an explorer has copied',
    },
  ],
  options: EXPLORE_OPTIONS,
  read: makeInputReader(EXPLORE_OPTIONS),
  examples: [
    ['gridalloc explore', 'a first look'],
    ['gridalloc explore log.swf.gz --sites 64,64,128 --speeds 1,2,1.5', 'a log on three sites'],
    ['gridalloc explore results/A', 'a simulation or a comparison that was written with --out results/A'],
    ['gridalloc explore log.swf --out explorer.html', 'the page and the log in one file, to share'],
  ],
  combinations: [{ of: ['port'], excludes: ['out'], why: 'a page is either served or written' }],
  run: runExploreCommand,
};

async function runExploreCommand(
  commandInput: CommandInput<typeof EXPLORE_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const { port } = commandInput.values;
  const linkFragment = parseExplorerLink(commandInput);
  const explorerInput =
    linkFragment === undefined
      ? await readExplorerInput(commandInput.positionals, printOptionSettings(commandInput.options), context)
      : {};
  const out = commandInput.values.out;
  if (out !== undefined) {
    await writeExplorerPage(out, explorerInput);
    await context.printMessage(`the explorer is in ${out}`);
    return 0;
  }
  const { address, close } = await serveFilesWithToken(makeExplorerFiles(explorerInput), port);
  await context.print(`${address}${linkFragment ?? ''}`);
  await context.printMessage('open this address in a browser; Ctrl-C ends it');
  await new Promise<void>((resolve) => context.io.signal.addEventListener('abort', () => resolve()));
  await close();
  context.io.signal.throwIfAborted();
  return 0;
}

/**
 * Parses a link to another explorer, from its `#` on; undefined if none is given.
 * @throws InputError for other options, which the link already contains, and for --out.
 */
function parseExplorerLink(commandInput: CommandInput<typeof EXPLORE_OPTIONS>): string | undefined {
  const [, fragment] = /^(?:https?|file):[^#]*(#.*)$/s.exec(commandInput.positionals[0] ?? '') ?? [];
  if (fragment === undefined) return undefined;
  const [option] = [
    ...Object.keys(commandInput.options).map(optionNameOfKey),
    ...(commandInput.values.out !== undefined ? ['out'] : []),
  ];
  if (option === undefined) return fragment;
  throw new InputError(
    `--${option}: a link already says what is shown, and only a served page opens it; omit --${option}`,
  );
}

/** Reads the input of the page; options of the command line override those of a results folder. */
async function readExplorerInput(
  [word]: readonly string[],
  optionTexts: OptionStrings,
  context: CommandContext,
): Promise<ExplorerPageInput> {
  if (word === undefined) return addExplorerOptions(optionTexts, {});
  const isResultFolder = await stat(word).then(
    (fileStats) => fileStats.isDirectory(),
    () => false,
  );
  if (!isResultFolder && !word.endsWith(CONFIG_FILE_NAME))
    return makeExplorerInputFromLog(word, optionTexts, context);
  if (!isResultFolder) return makeExplorerInputFromRuns([word], optionTexts, context);
  const pageInput = isStudyFolder(word)
    ? await makeExplorerInputFromStudy(word, optionTexts, context)
    : await makeExplorerInputFromRuns(findSimulationFolders(word), optionTexts, context);
  return { ...pageInput, ...(await readResultTables(word)) };
}

/** Input for several simulations of the same jobs, each given by its config.json or its folder. */
async function makeExplorerInputFromRuns(
  runFolders: readonly string[],
  optionTexts: OptionStrings,
  context: CommandContext,
): Promise<ExplorerPageInput> {
  const savedConfigs = await Promise.all(runFolders.map(readSavedConfig));
  const firstConfig = firstElement(savedConfigs);
  selectCoreOfSavedRun(firstConfig);
  if (savedConfigs.length === 1) {
    const { options, methods } = splitCommonOptions([{ ...firstConfig.texts, ...optionTexts }]);
    return makeExplorerInputFromLog(firstConfig.source, options, context, methods);
  }
  const { options, methods } = splitCommonOptions(savedConfigs.map((savedConfig) => savedConfig.texts));
  return makeExplorerInputFromLog(firstConfig.source, { ...options, ...optionTexts }, context, methods);
}

/** Input for the first setting of a study or comparison. */
async function makeExplorerInputFromStudy(
  folder: string,
  optionTexts: OptionStrings,
  context: CommandContext,
): Promise<ExplorerPageInput> {
  const { options, methods, omittedRuns, isReplicated } = firstSettingRunsOfPlan(
    readPlanFile(makePlanFilePath(folder)),
  );
  if (isReplicated)
    await context.printMessage(`${folder}: the page shows the jobs as they are, not their replications`);
  else if (omittedRuns > 0)
    await context.printMessage(`${folder}: not shown: ${formatCount(omittedRuns, 'more run')}`);
  const { workload = '', ...otherOptions } = options;
  return makeExplorerInputFromLog(workload, { ...otherOptions, ...optionTexts }, context, methods);
}

/** Results of a folder for the explorer: its report page, and data that the explorer displays. */
async function readResultTables(folder: string): Promise<Pick<ExplorerPageInput, 'results' | 'report'>> {
  const path = join(folder, REPORT_PAGE_FILE);
  const reportBytes = existsSync(path) ? await readFile(path) : undefined;
  const savedReport = await readReportOfFolder(folder);
  return {
    ...(savedReport === undefined ? {} : { results: savedReport }),
    ...(reportBytes === undefined ? {} : { report: reportBytes }),
  };
}

/**
 * Input for one log or model; the log is read as the options say, and only the page applies the others.
 * @param methods methods of several runs.
 */
async function makeExplorerInputFromLog(
  source: string,
  optionTexts: OptionStrings,
  context: CommandContext,
  methods: readonly OptionStrings[] = [],
): Promise<ExplorerPageInput> {
  const allOptionTexts = { workload: source, ...optionTexts };
  if (isModelNotation(source)) return addExplorerOptions(allOptionTexts, {}, methods);
  const logReadingOptionEntries = Object.entries(optionTexts).filter(([optionName]) =>
    LOG_READING_OPTION_NAMES.includes(optionName),
  );
  const trace = await loadTraceWithProgress(
    source,
    addParsedOptionTexts({}, Object.fromEntries(logReadingOptionEntries)),
    context,
  );
  const logBytes = new TextEncoder().encode([...encodeTrace(trace)].join(''));
  return addExplorerOptions(allOptionTexts, { log: logBytes }, methods);
}

/**
 * Adds options, methods and the code files that they name to the input of the page.
 * @param methods methods of several runs; a requested method is added.
 */
async function addExplorerOptions(
  optionTexts: OptionStrings,
  pageInput: ExplorerPageInput,
  methods: readonly OptionStrings[] = [],
): Promise<ExplorerPageInput> {
  checkOptionsOfExplorer(optionTexts);
  const optionEntries = Object.entries(optionTexts);
  const codeFileNames = [optionTexts, ...methods]
    .flatMap(Object.entries<string>)
    .flatMap(([name, text]) => (name !== 'workload' && isCodeFileName(text) ? [text] : []));
  const loadedCodeFiles = await Promise.all([...new Set(codeFileNames)].map(readCodeFile));
  const method = Object.fromEntries(optionEntries.filter(([name]) => METHOD_DEFINING_OPTIONS.includes(name)));
  const methodsWithRequested = Object.keys(method).length === 0 ? methods : [...methods, method];
  const omittedOptions =
    pageInput.log === undefined
      ? METHOD_DEFINING_OPTIONS
      : [...METHOD_DEFINING_OPTIONS, ...LOG_READING_OPTION_NAMES];
  const options = Object.fromEntries(optionEntries.filter(([name]) => !omittedOptions.includes(name)));
  return {
    ...pageInput,
    ...(optionEntries.length === 0 ? {} : { options }),
    ...(loadedCodeFiles.length === 0
      ? {}
      : {
          code: loadedCodeFiles.map(({ name: fileName, text: fileText }) => ({
            name: fileName,
            text: fileText,
          })),
        }),
    ...(methodsWithRequested.length === 0 ? {} : { methods: methodsWithRequested }),
  };
}

async function writeExplorerPage(out: string, pageInput: ExplorerPageInput): Promise<void> {
  const files = out.endsWith('.html')
    ? [{ path: out, bytes: new TextEncoder().encode(makeSingleFileExplorer(pageInput)) }]
    : [...makeExplorerFiles(pageInput)].map(([name, { bytes }]) => ({ path: join(out, name), bytes }));
  await writeUserFiles(
    out,
    files.map(({ path: filePath, bytes }) => ({
      path: filePath,
      write: (targetPath) => writeFile(targetPath, bytes),
    })),
  );
}

// Runs of a finished study or of several simulations as methods of one setting, as the explorer shows them.

/** Options that are shown as part of a method even if they are equal in all methods. */
export const METHOD_DEFINING_OPTIONS = ['policy', 'discipline', 'order', 'backfill-order'];
/** Largest number of methods that the explorer gets; more lines could not be told apart. */
const MAX_EXPLORER_METHODS = 8;

/** Settings common to several runs, and the methods of the runs. */
export interface ExplorerComparedRuns {
  readonly options: OptionTexts;
  readonly methods: readonly OptionTexts[];
  /** Number of omitted runs: runs with other settings, or beyond the maximum. */
  readonly omittedRuns: number;
  /** True if the runs are replications, which the unperturbed jobs replace. */
  readonly isReplicated: boolean;
}

/** Options that name a method; printed for every method if they differ. */
const METHOD_NAME_OPTIONS = ['policy', 'discipline'];

/** Splits options of runs into common and individual ones; defaults are omitted. */
export function splitCommonOptions(
  optionTextsByRun: readonly OptionTexts[],
): Pick<ExplorerComparedRuns, 'options' | 'methods'> {
  const optionNames = [...new Set(optionTextsByRun.flatMap((optionTexts) => Object.keys(optionTexts)))];
  const hasDifferentValues = (optionName: string) =>
    optionTextsByRun.some((optionTexts) => optionTexts[optionName] !== optionTextsByRun[0]?.[optionName]);
  const methodOptionNames = optionNames.filter(
    (optionName) => METHOD_DEFINING_OPTIONS.includes(optionName) || hasDifferentValues(optionName),
  );
  const isPrintedOption = ([name, text]: readonly [string, string]) =>
    name === 'workload' ||
    (METHOD_NAME_OPTIONS.includes(name) && hasDifferentValues(name)) ||
    !isDefaultOptionText(name, text);
  const selectPrintedOptions = (optionTexts: OptionTexts, selectsMethodOptions: boolean) =>
    Object.fromEntries(
      Object.entries(optionTexts).filter(
        (optionEntry) =>
          methodOptionNames.includes(optionEntry[0]) === selectsMethodOptions && isPrintedOption(optionEntry),
      ),
    );
  return {
    options: selectPrintedOptions(optionTextsByRun[0] ?? {}, false),
    methods: optionTextsByRun.map((optionTexts) => selectPrintedOptions(optionTexts, true)),
  };
}

/** Settings common to all runs with the same jobs, grid and load. */
function keyOfSharedOptions({ workload, common: { sites, speeds, load } }: PlannedRun): string {
  return JSON.stringify([workload, sites, speeds, load]);
}

/**
 * First setting of a plan with all its methods.
 * @throws InputError for a plan of an earlier version, and for code files, whose text is not in a plan.
 */
export function firstSettingRunsOfPlan({
  study,
  runs,
  sources: workloadSources,
}: Plan): ExplorerComparedRuns {
  const [firstRun] = runs;
  const optionTexts = firstRun === undefined ? undefined : workloadSources[firstRun.workload];
  if (firstRun === undefined || optionTexts === undefined)
    throw new InputError(`the study ${study} does not say how its jobs are made; run it again`);
  const runsOfFirstSetting = runs.filter(
    (plannedRun) => keyOfSharedOptions(plannedRun) === keyOfSharedOptions(firstRun),
  );
  if (runsOfFirstSetting.some(({ common: commonParameters }) => commonParameters.code !== undefined))
    throw new InputError(
      `the study ${study} has functions from files; explore its log with --policy and these files instead`,
    );
  const shownRuns = runsOfFirstSetting.slice(0, MAX_EXPLORER_METHODS);
  const printedOptionTexts = shownRuns.map((plannedRun) =>
    printRunOptions(makeConfigurationOfRun(restoreParametersOfPlannedRun(plannedRun))),
  );
  // Options that only some runs print must not be taken from the first run for the others.
  const printedOptionNames = new Set(printedOptionTexts.flatMap(Object.keys));
  const unprintedOptions = Object.fromEntries(
    Object.entries(optionTexts).filter(([name]) => !printedOptionNames.has(name)),
  );
  // The jobs themselves, and not one of their replications.
  const { replication, ...options } = unprintedOptions;
  const commonAndMethodOptions = splitCommonOptions(
    printedOptionTexts.map((printedTexts) => ({ ...options, ...printedTexts })),
  );
  return {
    ...commonAndMethodOptions,
    omittedRuns: runs.length - shownRuns.length,
    isReplicated: replication !== undefined,
  };
}
