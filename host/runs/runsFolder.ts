/** Folder of a study: study file, plan, journal of results and lock; reports are added at the end. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CODE_COPIES_FOLDER, makeNameOfCodeCopy } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import {
  explainWriteError,
  type FileToWrite,
  makeChunkedFile,
  makeFolderWithParents,
  replaceFiles,
  type WriteErrorAdvice,
} from '../files/fileSystem.js';
import { hashTextSha256 } from '../files/hash.js';
import { joinLinesIntoChunks } from '../format/csv.js';
import type { CodeFile } from '../providedCode.js';
import { readDocumentFormatVersion } from '../results/documents.js';
import { REPORT_PAGE_FILE } from '../results/resultFolder.js';
import { checkDocumentShape } from '../results/savedFile.js';
import type { JsonShape } from '../results/shapes.js';
import type { Plan } from '../study/plan.js';
import { parseStudy, type Study } from '../study/study.js';
import { type JournalResultHandler, RunJournal, readRunJournalOfPlan } from './journal.js';
import { acquireLock, makeFolderInUseError, makeTakeoverGuardPath, readLockHolder } from './lock.js';
import { formatPlanFile, readPlanFile } from './planFile.js';
import { formatShard, type Shard } from './shards.js';

const STUDY_FILE_NAME = 'study.yaml';
const PLAN_FILE_NAME = 'plan.json';
const JOURNAL_FILE_NAME = 'journal.jsonl';
const LOCK_FILE_NAME = 'study.lock';
const SHARDS_FOLDER_NAME = 'shards';
/** Name of the file with the common data of several studies in one folder. */
export const COLLECTION_FILE_NAME = 'studies.json';
/** Name of the file that describes a comparison over replications. */
export const COMPARISON_FILE_NAME = 'comparison.json';
const STUDY_FOLDER_FILE_NAMES = [
  STUDY_FILE_NAME,
  PLAN_FILE_NAME,
  JOURNAL_FILE_NAME,
  LOCK_FILE_NAME,
  makeTakeoverGuardPath(LOCK_FILE_NAME),
  CODE_COPIES_FOLDER,
  SHARDS_FOLDER_NAME,
  COLLECTION_FILE_NAME,
  COMPARISON_FILE_NAME,
];

/** Advice for a damaged file beside the plan. */
const DELETE_FILE_ADVICE = 'delete it and repeat the command';

const STUDY_WRITE_ERROR_ADVICE: WriteErrorAdvice = {
  denied: 'may not be written by this user; give another folder with --out',
  absent: 'cannot be made; give another folder with --out',
  blocked: 'is not a folder, or is below a file; give another folder with --out',
  full: 'finished runs are kept; free some space and repeat the command',
};

/** Number of hash digits in default folder names. */
const DEFAULT_FOLDER_HASH_DIGITS = 8;

/**
 * Default folder of a command; equal requests have the same folder.
 * @param requestText text that contains everything the command was asked to do.
 */
export function defaultOutputFolder(command: string, requestText: string): string {
  return join('results', `${command}-${hashTextSha256(requestText).slice(0, DEFAULT_FOLDER_HASH_DIGITS)}`);
}

/** Path of the folder with the plan, journal and lock of a shard. */
export function makeShardFolderPath(folder: string, { index: shardIndex, count: shardCount }: Shard): string {
  return join(folder, SHARDS_FOLDER_NAME, `${shardIndex}-of-${shardCount}`);
}

/** Folders of all existing shards, also of earlier divisions. */
export function listExistingShardFolders(folder: string): string[] {
  const path = join(folder, SHARDS_FOLDER_NAME);
  return existsSync(path) ? readdirSync(path).map((folderName) => join(path, folderName)) : [];
}

/** Path of the lock of a study or shard folder. */
export function makeLockFilePath(folder: string): string {
  return resolve(folder, LOCK_FILE_NAME);
}

/** Path of the plan in a study or shard folder. */
export function makePlanFilePath(folder: string): string {
  return join(folder, PLAN_FILE_NAME);
}

/** Path of the journal in a study or shard folder. */
export function makeJournalFilePath(folder: string): string {
  return join(folder, JOURNAL_FILE_NAME);
}

/**
 * Reads a JSON file beside the plan; undefined if missing.
 * @throws InputError if it is damaged, of a later format, or does not match its shape.
 */
export function readFolderDocument<Document>(path: string, schema: JsonShape): Document | undefined {
  if (!existsSync(path)) return undefined;
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new InputError(`${path} is damaged; ${DELETE_FILE_ADVICE}`);
  }
  readDocumentFormatVersion(document, path);
  return checkDocumentShape(schema, document, path, DELETE_FILE_ADVICE);
}

/**
 * Creates a study folder if needed and locks it with all its shards.
 * @param onTakeover called with a sentence if a lock of an ended process is taken over.
 * @returns a function that releases the lock.
 * @throws InputError if another process uses it, it holds something else or is not writable; OutputError if
 * writing fails.
 */
export async function lockStudyFolder(
  folder: string,
  onTakeover?: (sentence: string) => void,
): Promise<() => void> {
  const unlock = await lockStudyPlan(folder, onTakeover);
  for (const shardFolder of listExistingShardFolders(folder)) {
    const lockHolderOfFolder = readLockHolder(makeLockFilePath(shardFolder));
    if (lockHolderOfFolder === undefined) continue;
    unlock();
    throw makeFolderInUseError(shardFolder, makeLockFilePath(shardFolder), lockHolderOfFolder);
  }
  return unlock;
}

/**
 * Locks a study folder while others may continue on its shards, but none may start.
 * @param memberStudies names of studies whose folders it may contain.
 */
export async function lockStudyPlan(
  folder: string,
  onTakeover?: (sentence: string) => void,
  memberStudies: readonly string[] = [],
): Promise<() => void> {
  await createStudyFolder(folder, memberStudies);
  return lockExistingStudyFolder(folder, onTakeover);
}

/** Locks an existing folder; throws like `lockStudyFolder`. */
export function lockExistingStudyFolder(folder: string, onTakeover?: (sentence: string) => void): () => void {
  const path = makeLockFilePath(folder);
  try {
    return acquireLock(folder, path, onTakeover);
  } catch (error) {
    throw explainWriteError(path, error, STUDY_WRITE_ERROR_ADVICE);
  }
}

/**
 * Opens a study folder that is new, empty or holds the same study.
 * @param codeFiles code files to copy.
 * @param onResult receives existing results, including those of shards.
 * @throws InputError if it holds something else or is not writable; OutputError if writing fails.
 */
export async function openStudyFolderWithLock(
  folder: string,
  study: Study,
  plan: Plan,
  onResult: JournalResultHandler,
  codeFiles: readonly CodeFile[] = [],
): Promise<RunJournal> {
  await createStudyFolder(folder);
  checkCodeUnchanged(folder, plan, codeFiles);
  for (const shardFolder of listExistingShardFolders(folder))
    readRunJournalOfPlan(makeJournalFilePath(shardFolder), plan, onResult);
  const journal = openStudyJournal(folder, plan, { index: 1, count: 1 }, onResult);
  try {
    await writeStudyPlan(folder, study, plan, codeFiles);
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
}

/**
 * Opens the journal of a study or shard folder.
 * @param onResult receives existing results.
 */
export function openStudyJournal(
  folder: string,
  plan: Plan,
  shard: Shard,
  onResult: JournalResultHandler,
): RunJournal {
  try {
    return new RunJournal(makeJournalFilePath(folder), plan, formatShard(shard), onResult);
  } catch (error) {
    throw explainWriteError(folder, error, STUDY_WRITE_ERROR_ADVICE);
  }
}

/** Writes the initial files of a study folder; the caller holds its lock. */
export async function writeStudyPlan(
  folder: string,
  study: Study,
  plan: Plan,
  codeFiles: readonly CodeFile[],
): Promise<void> {
  await writeStudyFilesAtomically([
    makeStudyFile(join(folder, STUDY_FILE_NAME), [study.text]),
    ...codeFiles.map((file) => makeStudyFile(join(folder, makeNameOfCodeCopy(file)), [file.text])),
    makeStudyFile(makePlanFilePath(folder), formatPlanFile(plan)),
  ]);
}

/** Refuses to resume if code files have changed since. */
export function checkCodeUnchanged(folder: string, { sha256 }: Plan, codeFiles: readonly CodeFile[]): void {
  if (codeFiles.length === 0 || !existsSync(makePlanFilePath(folder))) return;
  if (readPlanFile(makePlanFilePath(folder)).sha256 === sha256) return;
  const changedCodeFile = codeFiles.find((file) => !existsSync(join(folder, makeNameOfCodeCopy(file))));
  if (changedCodeFile === undefined) return;
  throw makeChangedCodeError(folder, changedCodeFile.name);
}

/** Error of a folder whose results are those of an earlier version of a code file. */
export function makeChangedCodeError(folder: string, fileName: string): InputError {
  return new InputError(
    `${folder} holds results of another ${fileName}, which has changed since (a copy is in ${join(folder, CODE_COPIES_FOLDER)}); give another folder with --out`,
  );
}

/** Creates the folder if needed; refuses one that holds anything but a study. */
async function createStudyFolder(folder: string, memberStudies: readonly string[] = []): Promise<void> {
  let names: string[];
  try {
    await makeFolderWithParents(folder);
    names = readdirSync(folder).sort();
  } catch (error) {
    throw explainWriteError(folder, error, STUDY_WRITE_ERROR_ADVICE);
  }
  const belongsToStudyFolder = (fileName: string) =>
    STUDY_FOLDER_FILE_NAMES.includes(fileName.replace(/\.partial$/, '')) ||
    (memberStudies.includes(fileName)
      ? existsSync(makePlanFilePath(join(folder, fileName)))
      : memberStudies.length > 0 && fileName === REPORT_PAGE_FILE);
  const nameOfForeignFile = names.find((fileName) => !belongsToStudyFolder(fileName));
  if (
    nameOfForeignFile === undefined ||
    [PLAN_FILE_NAME, COLLECTION_FILE_NAME].some((fileName) => names.includes(fileName))
  )
    return;
  throw new InputError(
    `${folder} is not empty (it contains ${nameOfForeignFile}); give a new or empty folder with --out`,
  );
}

/** File of a study folder, assembled from pieces of text. */
export function makeStudyFile(path: string, textPieces: Iterable<string>): FileToWrite {
  return makeChunkedFile(path, joinLinesIntoChunks(textPieces));
}

/**
 * Writes files of a study folder atomically; the caller holds its lock. Creates folders as needed.
 * @throws InputError if not writable; OutputError if writing fails.
 */
export async function writeStudyFilesAtomically(files: readonly FileToWrite[]): Promise<void> {
  for (const file of files) {
    try {
      await makeFolderWithParents(dirname(file.path));
      // The partial file of a killed process is overwritten by the next process.
      await replaceFiles([file], undefined, (path) => `${path}.partial`);
    } catch (error) {
      throw explainWriteError(file.path, error, STUDY_WRITE_ERROR_ADVICE);
    }
  }
}

/** Error for a folder without a study. */
export function makeNoStudyError(folder: string): InputError {
  return new InputError(
    `${folder} holds no study; give a folder that a study, sweep or comparison was written into with --out`,
  );
}

/**
 * Reads the plan of a folder.
 * @throws InputError if there is none.
 */
export function readStudyPlan(folder: string): Plan {
  if (!existsSync(makePlanFilePath(folder))) throw makeNoStudyError(folder);
  return readPlanFile(makePlanFilePath(folder));
}

/** Reads the study stored in a folder with this plan. */
export async function readStudyOfFolder(folder: string, plan: Plan): Promise<Study> {
  const path = join(folder, STUDY_FILE_NAME);
  const study = await parseStudy(readFileSync(path, 'utf8'), path, {
    draws: plan.draws ?? undefined,
    options: plan.options,
  });
  return { ...study, name: plan.study };
}

/**
 * Reads the results of a folder and its shards, finished or not.
 * @throws InputError if they belong to another plan.
 */
export function readResultsOfFolder(folder: string, plan: Plan, onResult: JournalResultHandler): void {
  for (const each of [folder, ...listExistingShardFolders(folder)])
    readRunJournalOfPlan(makeJournalFilePath(each), plan, onResult);
}
