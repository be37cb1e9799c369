/** config.json: the request of a simulation, saved so that it can be run again, and read back. */
import { basename, dirname, join } from 'node:path';
import { codeNamesIn, copyName, loadCodeIn, readCode, requireAllowed } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { coreSha256, ownCoreFile, useCoreFile } from '../files/coreFile.js';
import { hashJobs } from '../files/hash.js';
import { locateFiles, readTrace } from '../files/traceFiles.js';
import { sourceWord } from '../format/text.js';
import { checkGiven, checkOptions, takes } from '../given.js';
import type { Grid } from '../grid/grid.js';
import { firstOf } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import {
  codeOf,
  defaultDocument,
  documentTexts,
  type OptionsDocument,
  optionsDocument,
  optionWords,
  runDocument,
  savedTexts,
  writtenRun,
} from '../options/document.js';
import { printPerturb } from '../options/jobOptions.js';
import { JOB_KEYS, type OptionStrings, type Settings, withTexts } from '../options/options.js';
import { isCodeName } from '../providedCode.js';
import { readConfigFile } from '../results/configFile.js';
import { readProvenance } from '../results/documents.js';
import { CONFIG_FILE } from '../results/resultFolder.js';
import { type Experiment, experimentOn, homeRuleOf, perturbationOf } from '../simulate/experiment.js';
import { readingOf } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { isModelText, makeModelTrace } from '../workload/models.js';
import type { Workload } from '../workload/workload.js';

/** Every option that decides the results, with defaults filled in; drawn speeds are fixed numbers. */
function decidingOptions({ settings, trace, grid }: Experiment, run: Configuration): OptionsDocument {
  const { perturb: _, ...input } = optionsDocument(
    Object.fromEntries(JOB_KEYS.map((key) => [key, settings[key]])),
  );
  // Perturbation of the jobs, with the seeds of the first replication.
  const jobs = perturbationOf(settings);
  const { capacities, speeds, timeFactors } = grid;
  return {
    ...{ ...defaultDocument(JOB_KEYS), ...input },
    ...(jobs === undefined ? {} : { perturb: printPerturb({ jobs, speeds: false }) }),
    ...{ home: homeRuleOf(settings, trace), sites: capacities },
    ...(timeFactors === undefined ? { speeds: speeds.join(',') } : { heterogeneity: timeFactors }),
    ...writtenRun(run),
  };
}

/** Options with other names for the files with functions. */
function withNames<Options extends OptionsDocument>(
  options: Options,
  nameOf: (name: string) => string | undefined,
): Options {
  const named = (value: OptionsDocument[string]) =>
    typeof value === 'string' && isCodeName(value) ? (nameOf(value) ?? value) : value;
  return Object.fromEntries(Object.entries(options).map(([key, value]) => [key, named(value)])) as Options;
}

/** Words of the command line that name the core in use, if it is not that of the package. */
export function coreWords(): string[] {
  const core = ownCoreFile();
  return core === undefined ? [] : ['--core', core];
}

/**
 * The document config.json: versions, the options that decide the results, and the command that gives them again.
 * @param out the folder that it is for, with copies of files with functions.
 */
export function configDocument(experiment: Experiment, configuration: Configuration, out: string): object {
  const { workload, grid, trace, loaded } = experiment;
  const { source } = loaded;
  const files = codeOf(configuration);
  const copies = new Map(files.map((file) => [file.name, copyName(file)]));
  const options = withNames(decidingOptions(experiment, configuration), (name) => copies.get(name));
  const here = documentTexts(withNames(options, (copy) => join(out, copy)));
  const words = ['simulate', source, ...coreWords(), ...optionWords(here)];
  const code = files.map((file) => ({ file: copyName(file), sha256: file.sha256 }));
  const core = ownCoreFile();
  return {
    ...readProvenance(),
    ...(core === undefined ? {} : { core }),
    request: { command: 'simulate', workload: source, options },
    command: ['gridalloc', ...words],
    shell: ['gridalloc', ...words.map(sourceWord)].join(' '),
    workload: {
      jobs: workload.count,
      jobsSha256: hashJobs(workload),
      machine: trace.header.maxProcessors,
      accounting: workload.accounting,
    },
    grid,
    ...runDocument(configuration),
    ...(code.length === 0 ? {} : { code }),
  };
}

/** A simulation as its folder keeps it. */
export interface SavedRun {
  readonly folder: string;
  /** The log, where it is now if it is found, or the model; `-` for standard input. */
  readonly source: string;
  /** The log is where the document says, from its folder, one above or the current one. */
  readonly isFound: boolean;
  /** Options as strings by name; files with functions have their present paths. */
  readonly texts: OptionStrings;
  readonly jobsSha256: string;
  /** The core of the user's own that ran, and its hash. */
  readonly core?: { readonly path: string; readonly sha256: unknown } | undefined;
}

/**
 * Reads what `configDocument` has written, of this version or an earlier one, and the copies of files with functions;
 * nothing in them runs.
 * @param path of the document, or the folder that holds it.
 * @throws InputError for another document, and for functions that were changed since.
 */
export async function readConfig(path: string): Promise<SavedRun> {
  const folder = path.endsWith('.json') ? dirname(path) : path;
  const file = path.endsWith('.json') ? path : join(path, CONFIG_FILE);
  const document = await readConfigFile<ConfigFields>(file);
  const remedy = 'give a folder that gridalloc simulate --out has written';
  if (document === undefined) throw new InputError(`${folder} holds no ${basename(file)}; ${remedy}`);
  const { coreSha256: sha256, core, request, workload, code = [] } = document;
  const source = request?.workload;
  const jobsSha256 = workload?.jobsSha256;
  if (source === undefined || jobsSha256 === undefined) {
    throw new InputError(`${file} does not say how to run a simulation again; ${remedy}`);
  }
  const found = await locateFiles(source, folder);
  return {
    folder,
    source: found ?? source,
    isFound: found !== undefined,
    texts: await withCopies(savedTexts(document), code, folder, file),
    jobsSha256,
    ...(core === undefined ? {} : { core: { path: core, sha256 } }),
  };
}

/** Fields of config.json that are read. */
interface ConfigFields {
  readonly coreSha256?: string;
  readonly core?: string;
  readonly workload?: { readonly jobsSha256?: string };
  readonly code?: readonly { readonly file: string; readonly sha256: string }[];
}

/** Options with the files of the folder where it is now, which are read. */
async function withCopies(
  texts: OptionStrings,
  code: readonly { readonly file: string; readonly sha256: string }[],
  folder: string,
  config: string,
): Promise<OptionStrings> {
  const paths = new Map<string, string>();
  for (const { file, sha256 } of code) {
    const path = join(folder, file);
    const found = await readCode(path);
    if (found.sha256 !== sha256)
      throw new InputError(
        `${path} has been changed since ${config} was written; put it back, or run the simulation again`,
      );
    paths.set(basename(file), path);
  }
  return withNames(texts, (name) => paths.get(basename(name)));
}

/**
 * Has the core run that ran then, if it was the user's own.
 * @throws InputError where it is gone or was built again.
 */
export function useSavedCore({ core, folder }: SavedRun): void {
  if (core === undefined) return;
  useCoreFile(core.path);
  if (coreSha256('release') === core.sha256) return;
  throw new InputError(
    `${core.path} is not the core that ${join(folder, CONFIG_FILE)} names, it has changed; build it again from the same policies, or name one with --core`,
  );
}

/**
 * Whether files that a folder names may run.
 * @param texts those of its options that are taken from it.
 * @throws InputError where it names files and they may not.
 */
export function checkCodeOf(folder: string, texts: OptionStrings, isAllowed: boolean): void {
  for (const name of codeNamesIn(texts)) requireAllowed(isAllowed, `${folder} has the file ${name}`);
}

/** A finished simulation, ready to run again. */
export interface Rerun {
  readonly settings: Settings;
  /** The log that the jobs are from. */
  readonly trace: Trace;
  readonly workload: Workload;
  readonly grid: Grid;
  readonly configuration: Configuration;
}

/** Options of running a folder again. */
export interface RerunOptions {
  /** Present path of the log; default: its saved path. */
  readonly log?: string;
  /** True if functions from files that the folder brings may run, with your permissions; default false. */
  readonly allowCode?: boolean;
}

const RERUN = takes<RerunOptions>('rerunOf', { log: true, allowCode: true });

/**
 * Reads a folder of results, and makes the same jobs, grid and configuration again. Policies of your own core are
 * those of the core then, which is used from now on.
 * @param path the folder, or its config.json.
 * @throws InputError for another folder, a log that has changed or is not where it was, functions that may not run or
 * were changed, and a core that was.
 * @example
 * const saved = await rerunOf('my-run');
 * const again = new Simulator(saved.workload);
 * again.begin(saved.configuration);
 * again.run();
 * console.log(collectSimulation(again).summary.jobs); // 200
 */
export async function rerunOf(path: string, options: RerunOptions = {}): Promise<Rerun> {
  checkGiven(path, 'text', 'rerunOf');
  checkOptions(RERUN, options);
  const { log, allowCode = false } = options;
  const saved = await readConfig(path);
  checkCodeOf(saved.folder, saved.texts, allowCode);
  await loadCodeIn(saved.texts);
  useSavedCore(saved);
  const source = log ?? saved.source;
  const settings = withTexts({ workload: source }, saved.texts);
  const loaded = isModelText(source) ? makeModelTrace(source) : await readTrace(source, readingOf(settings));
  const experiment = experimentOn(settings, loaded, [{}], { processorSets: true });
  const { trace, workload, grid, configurations } = experiment;
  checkSameJobs(saved, workload, source, 'give where it is now as the option log');
  return { settings, trace, workload, grid, configuration: firstOf(configurations) };
}

/**
 * Refuses other jobs than those of a folder.
 * @param remedy how the right log is named.
 */
export function checkSameJobs(saved: SavedRun, workload: Workload, source: string, remedy: string): void {
  if (hashJobs(workload) === saved.jobsSha256) return;
  throw new InputError(
    `${source} gives different jobs from those of ${saved.folder}; ${remedy}, or run the simulation again`,
  );
}
