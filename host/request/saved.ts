/** Writing and reading config.json, the saved request of a simulation. */
import { basename, dirname, join } from 'node:path';
import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import {
  findCodeFileNames,
  loadCodeFilesOfOptions,
  makeNameOfCodeCopy,
  readCodeFile,
  requireCodeAllowed,
} from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { getCustomCoreFilePath, hashCoreBinarySha256, useCoreFile } from '../files/coreFile.js';
import { hashJobsSha256 } from '../files/hash.js';
import { findLogFilesOfWorkload, readTrace } from '../files/traceFiles.js';
import { formatSourceAsShellWord } from '../format/text.js';
import type { Grid } from '../grid/grid.js';
import { firstElement } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import {
  formatOptionsAsCommandLineWords,
  listCodeFilesOfRun,
  makeDefaultOptionsDocument,
  makeEffectiveRunOptionsDocument,
  makeOptionsDocument,
  makeRunDocument,
  type OptionsDocument,
  printOptionTextsOfDocument,
  readOptionTextsOfSavedRequest,
} from '../options/document.js';
import { printPerturbOption } from '../options/jobOptions.js';
import {
  addParsedOptionTexts,
  JOB_OPTION_KEYS,
  type OptionStrings,
  type Settings,
} from '../options/options.js';
import { isCodeFileName } from '../providedCode.js';
import { readConfigFile } from '../results/configFile.js';
import { readProgramVersions } from '../results/documents.js';
import { CONFIG_FILE_NAME } from '../results/resultFolder.js';
import {
  type Experiment,
  makeExperimentOnRequestedSites,
  makePerturbationOfReplication,
} from '../simulate/experiment.js';
import { determineRequestedHomeRule } from '../simulate/workloadSettings.js';
import { pickReadingOptions } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import type { HomeRule } from '../workload/make.js';
import { isModelNotation, makeModelTrace } from '../workload/models.js';
import type { Accounting, Workload } from '../workload/workload.js';

/** A run as config.json describes it. */
export interface SavedRun extends Pick<Experiment, 'settings' | 'grid'> {
  /** Path of the log, or model. */
  readonly source: string;
  /** Rule that gives each job its home site. */
  readonly home: HomeRule;
  readonly workloadFacts: {
    readonly jobs: number;
    /** Hash of the jobs; absent for a streamed run. */
    readonly jobsSha256?: string;
    /** Processors of the log's machine. */
    readonly machine: number | undefined;
    readonly accounting: Accounting;
  };
}

/** Run of an experiment as config.json describes it. */
export function makeSavedRunOfExperiment({
  settings,
  grid,
  workload,
  trace,
  loaded: loadedLog,
}: Experiment): SavedRun {
  return {
    ...{ settings, grid, source: loadedLog.source, home: determineRequestedHomeRule(settings, trace) },
    workloadFacts: {
      jobs: workload.count,
      jobsSha256: hashJobsSha256(workload),
      machine: trace.header.maxProcessors,
      accounting: workload.accounting,
    },
  };
}

/** All options that determine the results, with defaults filled in and drawn speeds as numbers. */
function selectResultDecidingOptions(
  { settings, home, grid }: SavedRun,
  configuration: Configuration,
): OptionsDocument {
  const { perturb: _, ...input } = makeOptionsDocument(
    Object.fromEntries(JOB_OPTION_KEYS.map((jobOptionKey) => [jobOptionKey, settings[jobOptionKey]])),
  );
  // Perturbation of the jobs with the seeds of the first replication.
  const jobPerturbation = makePerturbationOfReplication(settings);
  const { capacities, speeds, timeFactors } = grid;
  return {
    ...{ ...makeDefaultOptionsDocument(JOB_OPTION_KEYS), ...input },
    ...(jobPerturbation === undefined
      ? {}
      : { perturb: printPerturbOption({ jobs: jobPerturbation, speeds: false }) }),
    ...{ home, sites: capacities },
    ...(timeFactors === undefined ? { speeds: speeds.join(',') } : { heterogeneity: timeFactors }),
    ...makeEffectiveRunOptionsDocument(configuration),
  };
}

/** Options in which code files have been renamed. */
function renameCodeFilesInOptions<Options extends OptionsDocument>(
  options: Options,
  findNewFileName: (fileName: string) => string | undefined,
): Options {
  const renameFilesInValue = (savedValue: OptionsDocument[string]) =>
    typeof savedValue === 'string' && isCodeFileName(savedValue)
      ? (findNewFileName(savedValue) ?? savedValue)
      : savedValue;
  return Object.fromEntries(
    Object.entries(options).map(([optionKey, optionValue]) => [optionKey, renameFilesInValue(optionValue)]),
  ) as Options;
}

/** Command-line words that select the current core, if it is a custom one. */
export function commandWordsOfCustomCore(): string[] {
  const corePath = getCustomCoreFilePath();
  return corePath === undefined ? [] : ['--core', corePath];
}

/**
 * Content of config.json: versions, options, and the command that repeats the simulation.
 * @param out destination folder, which contains copies of code files.
 */
export function makeConfigDocument(savedRun: SavedRun, configuration: Configuration, out: string): object {
  const { source, grid, workloadFacts } = savedRun;
  const files = listCodeFilesOfRun(configuration);
  const copyNameByFileName = new Map(files.map((file) => [file.name, makeNameOfCodeCopy(file)]));
  const options = renameCodeFilesInOptions(selectResultDecidingOptions(savedRun, configuration), (fileName) =>
    copyNameByFileName.get(fileName),
  );
  const optionTextsWithPaths = printOptionTextsOfDocument(
    renameCodeFilesInOptions(options, (copyName) => join(out, copyName)),
  );
  const commandWords = [
    'simulate',
    source,
    ...commandWordsOfCustomCore(),
    ...formatOptionsAsCommandLineWords(optionTextsWithPaths),
  ];
  const codeCopyEntries = files.map((file) => ({ file: makeNameOfCodeCopy(file), sha256: file.sha256 }));
  const corePath = getCustomCoreFilePath();
  return {
    ...readProgramVersions(),
    ...(corePath === undefined ? {} : { core: corePath }),
    request: { command: 'simulate', workload: source, options },
    command: ['gridalloc', ...commandWords],
    shell: ['gridalloc', ...commandWords.map(formatSourceAsShellWord)].join(' '),
    workload: workloadFacts,
    grid,
    ...makeRunDocument(configuration),
    ...(codeCopyEntries.length === 0 ? {} : { code: codeCopyEntries }),
  };
}

/** Saved simulation as read from its folder. */
export interface SavedSimulationConfig {
  readonly folder: string;
  /** Path of the log (its current one if found), a model notation, or `-` for standard input. */
  readonly source: string;
  /**
   * True if the log was found at its saved path, relative to the folder, its parent or the current folder.
   */
  readonly isFound: boolean;
  /** Options as texts by name; code files have their current paths. */
  readonly texts: OptionStrings;
  /** Hash of the jobs; absent for a streamed run. */
  readonly jobsSha256: string | undefined;
  /** Custom core of the run: path and SHA-256 hash. */
  readonly core?: { readonly path: string; readonly sha256: unknown } | undefined;
}

/**
 * Reads a config.json of any version and copies of code files, without executing them.
 * @param path path of the file or of its folder.
 * @throws InputError for other files, and for code files that have changed.
 */
export async function readSavedConfig(path: string): Promise<SavedSimulationConfig> {
  const folder = path.endsWith('.json') ? dirname(path) : path;
  const file = path.endsWith('.json') ? path : join(path, CONFIG_FILE_NAME);
  const document = await readConfigFile<ConfigFields>(file);
  const remedy = 'give a folder that gridalloc simulate --out has written';
  if (document === undefined) throw new InputError(`${folder} holds no ${basename(file)}; ${remedy}`);
  const { coreSha256: sha256, core, request, workload, code = [] } = document;
  const logSource = request?.workload;
  const expectedJobsSha256 = workload?.jobsSha256;
  if (logSource === undefined || workload === undefined) {
    throw new InputError(`${file} does not say how to run a simulation again; ${remedy}`);
  }
  const currentLogPath = await findLogFilesOfWorkload(logSource, folder);
  return {
    folder,
    source: currentLogPath ?? logSource,
    isFound: currentLogPath !== undefined,
    texts: await useCodeCopiesOfFolder(readOptionTextsOfSavedRequest(document), code, folder, file),
    jobsSha256: expectedJobsSha256,
    ...(core === undefined ? {} : { core: { path: core, sha256 } }),
  };
}

/** Fields of config.json. */
interface ConfigFields {
  readonly coreSha256?: string;
  readonly core?: string;
  readonly workload?: { readonly jobsSha256?: string };
  readonly code?: readonly { readonly file: string; readonly sha256: string }[];
}

/** Options with the current paths of the folder's code files, which are read. */
async function useCodeCopiesOfFolder(
  optionTexts: OptionStrings,
  codeFiles: readonly { readonly file: string; readonly sha256: string }[],
  folder: string,
  config: string,
): Promise<OptionStrings> {
  const paths = new Map<string, string>();
  for (const { file, sha256 } of codeFiles) {
    const path = join(folder, file);
    const codeFile = await readCodeFile(path);
    if (codeFile.sha256 !== sha256)
      throw new InputError(
        `${path} has been changed since ${config} was written; put it back, or run the simulation again`,
      );
    paths.set(basename(file), path);
  }
  return renameCodeFilesInOptions(optionTexts, (fileName) => paths.get(basename(fileName)));
}

/**
 * Selects the custom core of a saved run, if it had one.
 * @throws InputError if the core is missing or changed.
 */
export function selectCoreOfSavedRun({ core, folder }: SavedSimulationConfig): void {
  if (core === undefined) return;
  useCoreFile(core.path);
  if (hashCoreBinarySha256('release') === core.sha256) return;
  throw new InputError(
    `${core.path} is not the core that ${join(folder, CONFIG_FILE_NAME)} names, it has changed; build it again from the same policies, or name one with --core`,
  );
}

/**
 * Checks that code files named by a folder may be executed.
 * @param optionTexts options taken from the folder.
 * @throws InputError if they name code files without permission.
 */
export function checkFolderCodeAllowed(folder: string, optionTexts: OptionStrings, isAllowed: boolean): void {
  for (const fileName of findCodeFileNames(optionTexts))
    requireCodeAllowed(isAllowed, `${folder} has the file ${fileName}`);
}

/** Finished simulation prepared for repetition. */
export interface Rerun {
  readonly settings: Settings;
  /** Log with the jobs. */
  readonly trace: Trace;
  readonly workload: Workload;
  readonly grid: Grid;
  readonly configuration: Configuration;
}

/** Options for repeating a saved simulation. */
export interface RerunOptions {
  /** Current path of the log; default: its saved path. */
  readonly log?: string;
  /** True if code files from the folder may be executed with your permissions; default: false. */
  readonly allowCode?: boolean;
}

const RERUN_CALL_OPTIONS = registerLibraryOptions<RerunOptions>('rerunOf', { log: true, allowCode: true });

/**
 * Reads a results folder and restores its jobs, grid and configuration. A custom core recorded in the folder
 * is loaded and stays selected.
 * @param path results folder, or its config.json.
 * @throws InputError for a folder without results, a missing or changed log, code files that changed or may
 * not run, and a changed core.
 * @example
 * const saved = await rerunOf('my-run');
 * const again = new Simulator(saved.workload);
 * again.begin(saved.configuration);
 * again.run();
 * console.log(collectSimulation(again).summary.jobs); // 200
 */
export async function rerunOf(path: string, options: RerunOptions = {}): Promise<Rerun> {
  checkArgument(path, 'text', 'rerunOf');
  checkOptionNames(RERUN_CALL_OPTIONS, options);
  const { log, allowCode = false } = options;
  const savedConfig = await readSavedConfig(path);
  checkFolderCodeAllowed(savedConfig.folder, savedConfig.texts, allowCode);
  await loadCodeFilesOfOptions(savedConfig.texts);
  selectCoreOfSavedRun(savedConfig);
  const logSource = log ?? savedConfig.source;
  const settings = addParsedOptionTexts({ workload: logSource }, savedConfig.texts);
  const loadedLog = isModelNotation(logSource)
    ? makeModelTrace(logSource)
    : await readTrace(logSource, pickReadingOptions(settings));
  const experiment = makeExperimentOnRequestedSites(settings, loadedLog, [{}], { processorSets: true });
  const { trace, workload, grid, configurations } = experiment;
  checkJobsMatchFolder(savedConfig, workload, logSource, 'give where it is now as the option log');
  return { settings, trace, workload, grid, configuration: firstElement(configurations) };
}

/**
 * Checks that the jobs equal the jobs of the folder.
 * @param remedy advice on how to specify the right log.
 * @throws InputError if the jobs differ.
 */
export function checkJobsMatchFolder(
  savedConfig: SavedSimulationConfig,
  workload: Workload,
  logSource: string,
  remedy: string,
): void {
  if (savedConfig.jobsSha256 === undefined || hashJobsSha256(workload) === savedConfig.jobsSha256) return;
  throw new InputError(
    `${logSource} gives different jobs from those of ${savedConfig.folder}; ${remedy}, or run the simulation again`,
  );
}
