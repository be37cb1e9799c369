/** Writes folders of results atomically: all files or none, and never over foreign files. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { access, constants, open, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkArgument } from '../arguments.js';
import { CODE_COPIES_FOLDER, makeNameOfCodeCopy } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import {
  explainWriteError,
  findNearestExistingFolder,
  findWriterOfTemporaryFile,
  makeFolderWithParents,
  removeAbandonedFiles,
  replaceFiles,
  type WriteErrorAdvice,
} from '../files/fileSystem.js';
import { JOB_COLUMNS } from '../jobs/attributes.js';
import type { CodeFile } from '../providedCode.js';
import type { Simulation } from '../simulate/simulate.js';
import { computeKilledJobFlags } from '../simulate/unfinishedJobs.js';
import { encodeTrace } from '../trace/swf.js';
import type { Trace } from '../trace/trace.js';
import { scheduleToTrace } from '../workload/export.js';
import { capacityCsv } from './capacity.js';
import { readPackageVersion, stringifyDocument } from './documents.js';
import { jobsCsv, selectJobsFileColumns, stopsCsv } from './jobsFile.js';
import { writeParquetTable } from './parquet.js';

export const RESULT_WRITE_ERROR_ADVICE: WriteErrorAdvice = {
  denied: 'may not be written by this user; give another place, or change its permissions',
  absent: 'cannot be made; give another folder for the results',
  blocked: 'is not a folder, or is below a file; give a folder for the results',
  full: 'what was there is kept; free some space and repeat the command',
};

/** File to write: its name, and a function that writes it. */
export interface ResultFile {
  /** Name in the folder. */
  readonly name: string;
  /** Writes the file to a path. */
  readonly write: (path: string) => Promise<void>;
}

/** File that marks a folder of results; it is moved into place last. */
export const CONFIG_FILE_NAME = 'config.json';

/** File name of the report page in a folder of results. */
export const REPORT_PAGE_FILE = 'report.html';
/** Name of the folder, beside the report page, with the page's drawings. */
export const FIGURES_FOLDER_NAME = 'figures';

/** Drawing folder of earlier versions. */
const EARLIER_FIGURES_FOLDER_NAME = 'plots';

/** File of the preempted runs; only some results have it. */
export const STOPS_FILE_NAME = 'stops.csv';
/** File of the processors of the sites over time; only results with outages have it. */
export const CAPACITY_FILE_NAME = 'capacity.csv';
/** File of the simulation as a log; a streamed run has none. */
const SCHEDULE_FILE_NAME = 'schedule.swf';
/** File of the jobs as Parquet; written on request. */
const PARQUET_FILE_NAME = 'jobs.parquet';
/** Files that only some results have. */
const OPTIONAL_FILE_NAMES = [STOPS_FILE_NAME, CAPACITY_FILE_NAME, PARQUET_FILE_NAME, SCHEDULE_FILE_NAME];
/** File of all jobs. */
export const JOBS_FILE_NAME = 'jobs.csv';

/** Files that are moved into place before config.json; a killed simulation may leave only these. */
const NAMES_OF_FILES_WRITTEN_FIRST = [
  JOBS_FILE_NAME,
  PARQUET_FILE_NAME,
  STOPS_FILE_NAME,
  CAPACITY_FILE_NAME,
  'summary.json',
  SCHEDULE_FILE_NAME,
  CODE_COPIES_FOLDER,
];

/** Text file written chunk by chunk. */
export function makeTextResultFile(fileName: string, makeChunks: () => Iterable<string>): ResultFile {
  return { name: fileName, write: (path) => writeFile(path, makeChunks()) };
}

/** JSON file with format version. */
export function makeJsonResultFile(fileName: string, document: unknown): ResultFile {
  return makeTextResultFile(fileName, () => [stringifyDocument(document)]);
}

/**
 * Checks before the work begins that results can be written to a folder: it must be writable, and not exist,
 * be empty, or contain earlier results (complete or from a killed process).
 * @throws InputError if it cannot be used.
 * @example
 * await checkResultFolder('results');
 */
export async function checkResultFolder(folder: string): Promise<void> {
  checkArgument(folder, 'text', 'checkResultFolder');
  try {
    const fileNames = (await listResultFolder(folder)).sort();
    const writerOrStateOfFiles = fileNames.map((fileName) =>
      findWriterOfTemporaryFile(join(folder, fileName)),
    );
    const writer = writerOrStateOfFiles.find((processIdOrState) => typeof processIdOrState === 'number');
    if (writer !== undefined) {
      throw new InputError(
        `${folder} is being written by process ${writer}; wait until it has ended, or give another folder for the results`,
      );
    }
    const finishedFileNames = fileNames.filter((_, i) => writerOrStateOfFiles[i] === undefined);
    const hasUnfinishedResults =
      finishedFileNames.every((fileName) => NAMES_OF_FILES_WRITTEN_FIRST.includes(fileName)) &&
      finishedFileNames.length < fileNames.length;
    const isFolderReplaceable =
      hasUnfinishedResults ||
      (String(finishedFileNames) === JOBS_FILE_NAME &&
        (await isInterruptedJobsFile(join(folder, JOBS_FILE_NAME)))) ||
      (await hasResultFiles(folder));
    if (finishedFileNames.length > 0 && !isFolderReplaceable) {
      throw new InputError(
        `${folder} is not empty (it contains ${finishedFileNames[0]}); give a new or empty folder for the results`,
      );
    }
    await access(await findNearestExistingFolder(folder), constants.W_OK);
  } catch (error) {
    throw explainWriteError(folder, error, RESULT_WRITE_ERROR_ADVICE);
  }
}

/**
 * Writes all files to a folder, first under temporary names. If a file cannot be written, or `signal` aborts,
 * the folder stays unchanged. Optional files of earlier results (preempted runs, capacities, jobs.parquet)
 * are deleted.
 * @throws InputError if the folder is not writable, OutputError if writing fails midway.
 * @example
 * const simulation = simulate(workload, grid, { processorSets: true });
 * await writeResultFolder('results', simulationFiles(simulation, trace, { note: 'mine' }));
 */
export async function writeResultFolder(
  folder: string,
  files: readonly ResultFile[],
  signal?: AbortSignal,
): Promise<void> {
  checkArgument(folder, 'text', 'writeResultFolder, folder');
  checkArgument(files, 'list', 'writeResultFolder, files');
  const filesInWriteOrder = [...files].sort(
    (a, b) => Number(a.name === CONFIG_FILE_NAME) - Number(b.name === CONFIG_FILE_NAME),
  );
  const createdFolders: string[] = [];
  try {
    await makeFolderWithParents(folder, createdFolders);
    const filesToWrite = filesInWriteOrder.map(({ name: fileName, write }) => ({
      path: join(folder, fileName),
      write,
    }));
    for (const { path: filePath } of filesToWrite)
      await makeFolderWithParents(dirname(filePath), createdFolders);
    await replaceFiles(filesToWrite, signal);
    const fileNames = files.map(({ name: fileName }) => fileName);
    for (const fileName of fileNames.includes(CONFIG_FILE_NAME) ? OPTIONAL_FILE_NAMES : []) {
      if (!fileNames.includes(fileName)) await rm(join(folder, fileName), { force: true });
    }
  } catch (error) {
    for (const path of createdFolders) await rmdir(path).catch(() => {});
    throw explainWriteError(folder, error, RESULT_WRITE_ERROR_ADVICE);
  }
}

/**
 * Deletes the page and drawings of earlier results from a folder.
 * @returns true if the folder held results.
 */
export async function deleteEarlierReport(folder: string): Promise<boolean> {
  if (!(await hasResultFiles(folder))) return false;
  try {
    await rm(join(folder, REPORT_PAGE_FILE), { force: true });
    for (const folderName of [FIGURES_FOLDER_NAME, EARLIER_FIGURES_FOLDER_NAME])
      await deleteDrawings(join(folder, folderName));
  } catch (error) {
    throw explainWriteError(folder, error, RESULT_WRITE_ERROR_ADVICE);
  }
  return true;
}

async function deleteDrawings(folder: string): Promise<void> {
  const fileNames = await listResultFolder(folder);
  const isGridallocFile = (fileName: string) =>
    /\.(?:svg|pdf)$/.test(fileName) || fileNames.includes(fileName.replace(/\.csv$/, '.svg'));
  for (const fileName of fileNames.filter(isGridallocFile)) await rm(join(folder, fileName));
  await removeAbandonedFiles(folder);
  await rmdir(folder).catch(() => {});
}

/** True for a jobs.csv of this program, which an interrupted stream leaves alone in its folder. */
async function isInterruptedJobsFile(path: string): Promise<boolean> {
  const fileHandle = await open(path);
  try {
    for await (const line of fileHandle.readLines({ autoClose: false }))
      return line.startsWith(JOB_COLUMNS.join(','));
    return false;
  } finally {
    await fileHandle.close();
  }
}

async function listResultFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export async function hasResultFiles(folder: string): Promise<boolean> {
  try {
    const config: unknown = JSON.parse(await readFile(join(folder, CONFIG_FILE_NAME), 'utf8'));
    return typeof config === 'object' && config !== null && 'gridalloc' in config;
  } catch {
    return false;
  }
}

/**
 * Simulation folders that a path stands for: itself, or one per policy below it. Other paths are returned
 * unchanged, so that reading them reports the error.
 */
export function findSimulationFolders(folder: string): string[] {
  const hasConfigFile = (each: string) => existsSync(join(each, CONFIG_FILE_NAME));
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (hasConfigFile(folder) || !isFolder) return [folder];
  const simulationFolders = readdirSync(folder)
    .sort()
    .map((entryName) => join(folder, entryName))
    .filter(hasConfigFile);
  return simulationFolders.length === 0 ? [folder] : simulationFolders;
}

// Files of a finished simulation

/** Finished simulation as a log; requested times equal those in jobs.csv. */
function convertScheduleToTrace({ workload, configuration, schedule }: Simulation, origin: Trace): Trace {
  const killFlagsByJob = computeKilledJobFlags(workload, schedule.outages?.endedJobs);
  const { estimate, home } = workload;
  const requestedTimes = estimate.map((seconds, job) => seconds * configuration.load[home[job]!]!);
  const machineProcessors = configuration.grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const { submit, start, execution, held: heldProcessors } = schedule;
  return scheduleToTrace(
    { ...workload, estimate: requestedTimes, ...(killFlagsByJob && { killed: killFlagsByJob }) },
    origin,
    { submit, start, execution, processors: heldProcessors },
    machineProcessors,
  );
}

/** Writes jobs.csv as Parquet. */
function writeJobsAsParquet(path: string, simulation: Simulation): Promise<void> {
  const columns = selectJobsFileColumns(simulation).map(
    ({ name: columnName, formatCell, unit: attributeUnit, isCount }) => ({
      name: columnName,
      readValues: (from: number, to: number) =>
        Array.from({ length: to - from }, (_, i) => formatCell(from + i)),
      isCount,
      unit: attributeUnit,
    }),
  );
  const { count: jobCount, name: workloadName } = simulation.workload;
  return writeParquetTable(path, columns, jobCount, {
    gridalloc: readPackageVersion(),
    workload: workloadName,
  });
}

/**
 * Files of a simulation: jobs.csv (all jobs), jobs.parquet on request (the same), stops.csv (preempted runs,
 * if runs can be preempted), capacity.csv (processors of the sites over time, if there are outages),
 * summary.json (metrics), schedule.swf (the simulation as a log, with the waits in field 3) and config.json
 * (the request that repeats it).
 * @param origin log from which the workload was made; its header is kept.
 * @param config content of config.json.
 * @param options whether to write Parquet, and the code files to copy.
 * @example
 * const files = simulationFiles(simulate(workload, grid), trace, { note: 'mine' });
 * console.log(files.map(({ name }) => name).join()); // jobs.csv,summary.json,schedule.swf,config.json
 */
export function simulationFiles(
  simulation: Simulation,
  origin: Trace,
  config: object,
  {
    parquet = false,
    code: codeFiles = [],
  }: { readonly parquet?: boolean; readonly code?: readonly CodeFile[] } = {},
): ResultFile[] {
  checkArgument(simulation, 'simulation', 'simulationFiles, simulation');
  checkArgument(origin, 'trace', 'simulationFiles, origin');
  checkArgument(config, 'object', 'simulationFiles, config');
  return [
    makeTextResultFile(JOBS_FILE_NAME, () => jobsCsv(simulation)),
    ...(parquet
      ? [{ name: PARQUET_FILE_NAME, write: (path: string) => writeJobsAsParquet(path, simulation) }]
      : []),
    ...(simulation.schedule.stops === undefined
      ? []
      : [makeTextResultFile(STOPS_FILE_NAME, () => stopsCsv(simulation))]),
    ...(simulation.schedule.outages === undefined
      ? []
      : [makeTextResultFile(CAPACITY_FILE_NAME, () => capacityCsv(simulation))]),
    makeJsonResultFile('summary.json', simulation.summary),
    makeTextResultFile(SCHEDULE_FILE_NAME, () => encodeTrace(convertScheduleToTrace(simulation, origin))),
    ...codeFiles.map((file) => makeTextResultFile(makeNameOfCodeCopy(file), () => [file.text])),
    makeJsonResultFile(CONFIG_FILE_NAME, config),
  ];
}
