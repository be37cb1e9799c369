/** Folder of a study: study file, plan, journal of results and lock; reports are added at the end. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CODE_FOLDER, copiedFileName } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import {
  type FileToWrite,
  makeFolderRecursively,
  replaceFiles,
  svgTextAt,
  type WriteErrorSentences,
  writeErrorOf,
} from '../files/fileSystem.js';
import { hashText } from '../files/hash.js';
import { joinLinesIntoChunks } from '../format/csv.js';
import type { CodeFile } from '../providedCode.js';
import { formatOf } from '../results/documents.js';
import { PAGE_FILE } from '../results/resultFolder.js';
import { checkDocument } from '../results/savedFile.js';
import type { Shape } from '../results/shapes.js';
import type { Plan } from '../study/plan.js';
import { parseStudy, type Study } from '../study/study.js';
import { Journal, type RunResultHandler, readJournalOfPlan } from './journal.js';
import { folderInUseError, lockHolder, takeLock, takeoverGuardPath } from './lock.js';
import { planText, readPlan } from './planFile.js';
import { formatShard, type Shard } from './shards.js';

const STUDY_FILE = 'study.yaml';
const PLAN_FILE = 'plan.json';
const JOURNAL_FILE = 'journal.jsonl';
const LOCK_FILE = 'study.lock';
const SHARDS_FOLDER = 'shards';
/** File with the data common to several studies; COMPARISON_FILE is that of a comparison. */
export const COLLECTION_FILE = 'studies.json';
export const COMPARISON_FILE = 'comparison.json';
const STUDY_FILES = [
  STUDY_FILE,
  PLAN_FILE,
  JOURNAL_FILE,
  LOCK_FILE,
  takeoverGuardPath(LOCK_FILE),
  CODE_FOLDER,
  SHARDS_FOLDER,
  COLLECTION_FILE,
  COMPARISON_FILE,
];

/** Advice for a damaged file beside the plan. */
const DELETE_REMEDY = 'delete it and repeat the command';

const WRITE_SENTENCES: WriteErrorSentences = {
  denied: 'may not be written by this user; give another folder with --out',
  absent: 'cannot be made; give another folder with --out',
  blocked: 'is not a folder, or is below a file; give another folder with --out',
  full: 'finished runs are kept; free some space and repeat the command',
};

/** Number of hash digits in default folder names. */
const FOLDER_HASH_DIGITS = 8;

/** Default folder of a command; equal requests have the same folder. */
export function defaultFolder(command: string, requested: string): string {
  return join('results', `${command}-${hashText(requested).slice(0, FOLDER_HASH_DIGITS)}`);
}

/** Path of the folder with the plan, journal and lock of a shard. */
export function shardFolder(folder: string, { index, count }: Shard): string {
  return join(folder, SHARDS_FOLDER, `${index}-of-${count}`);
}

/** Folders of all existing shards, also of earlier divisions. */
export function shardFolders(folder: string): string[] {
  const path = join(folder, SHARDS_FOLDER);
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
}

/** Path of the lock of a study or shard folder. */
export function lockPath(folder: string): string {
  return resolve(folder, LOCK_FILE);
}

/** Path of the plan in a study or shard folder. */
export function planPath(folder: string): string {
  return join(folder, PLAN_FILE);
}

/** Path of the journal in a study or shard folder. */
export function journalPath(folder: string): string {
  return join(folder, JOURNAL_FILE);
}

/**
 * Reads a JSON file beside the plan; undefined if missing.
 * @throws InputError if it is damaged, of a later format, or does not match its shape.
 */
export function readFolderDocument<Document>(path: string, schema: Shape): Document | undefined {
  if (!existsSync(path)) return undefined;
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new InputError(`${path} is damaged; ${DELETE_REMEDY}`);
  }
  formatOf(document, path);
  return checkDocument(schema, document, path, DELETE_REMEDY);
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
  const unlock = await lockPlan(folder, onTakeover);
  for (const each of shardFolders(folder)) {
    const lockHolderOfFolder = lockHolder(lockPath(each));
    if (lockHolderOfFolder === undefined) continue;
    unlock();
    throw folderInUseError(each, lockPath(each), lockHolderOfFolder);
  }
  return unlock;
}

/**
 * Locks a study folder while others may continue on its shards, but none may start.
 * @param members names of studies whose folders it may contain.
 */
export async function lockPlan(
  folder: string,
  onTakeover?: (sentence: string) => void,
  members: readonly string[] = [],
): Promise<() => void> {
  await makeStudyFolder(folder, members);
  return lockFile(folder, onTakeover);
}

/** Locks an existing folder; throws like `lockStudyFolder`. */
export function lockFile(folder: string, onTakeover?: (sentence: string) => void): () => void {
  const path = lockPath(folder);
  try {
    return takeLock(folder, path, onTakeover);
  } catch (error) {
    throw writeErrorOf(path, error, WRITE_SENTENCES);
  }
}

/**
 * Opens a study folder that is new, empty or holds the same study.
 * @param code code files to copy.
 * @param take receives existing results, including those of shards.
 * @throws InputError if it holds something else or is not writable; OutputError if writing fails.
 */
export async function openStudyFolder(
  folder: string,
  study: Study,
  plan: Plan,
  take: RunResultHandler,
  code: readonly CodeFile[] = [],
): Promise<Journal> {
  await makeStudyFolder(folder);
  checkCodeUnchanged(folder, plan, code);
  for (const each of shardFolders(folder)) readJournalOfPlan(journalPath(each), plan, take);
  const journal = openJournal(folder, plan, { index: 1, count: 1 }, take);
  try {
    await writeStudyPlan(folder, study, plan, code);
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
}

/**
 * Opens the journal of a study or shard folder.
 * @param take receives existing results.
 */
export function openJournal(folder: string, plan: Plan, shard: Shard, take: RunResultHandler): Journal {
  try {
    return new Journal(journalPath(folder), plan, formatShard(shard), take);
  } catch (error) {
    throw writeErrorOf(folder, error, WRITE_SENTENCES);
  }
}

/** Writes the initial files of a study folder; the caller holds its lock. */
export async function writeStudyPlan(
  folder: string,
  study: Study,
  plan: Plan,
  code: readonly CodeFile[],
): Promise<void> {
  await writeStudyFolder([
    studyFileToWrite(join(folder, STUDY_FILE), [study.text]),
    ...code.map((file) => studyFileToWrite(join(folder, copiedFileName(file)), [file.text])),
    studyFileToWrite(planPath(folder), planText(plan)),
  ]);
}

/** Refuses to resume if code files have changed since. */
export function checkCodeUnchanged(folder: string, { sha256 }: Plan, code: readonly CodeFile[]): void {
  if (code.length === 0 || !existsSync(planPath(folder))) return;
  if (readPlan(planPath(folder)).sha256 === sha256) return;
  const changed = code.find((file) => !existsSync(join(folder, copiedFileName(file))));
  if (changed === undefined) return;
  throw changedCodeError(folder, changed.name);
}

/** Error of a folder whose results are those of an earlier version of a code file. */
export function changedCodeError(folder: string, name: string): InputError {
  return new InputError(
    `${folder} holds results of another ${name}, which has changed since (a copy is in ${join(folder, CODE_FOLDER)}); give another folder with --out`,
  );
}

/** Creates the folder if needed; refuses one that holds anything but a study. */
async function makeStudyFolder(folder: string, members: readonly string[] = []): Promise<void> {
  let names: string[];
  try {
    await makeFolderRecursively(folder);
    names = readdirSync(folder).sort();
  } catch (error) {
    throw writeErrorOf(folder, error, WRITE_SENTENCES);
  }
  const isCustom = (name: string) =>
    STUDY_FILES.includes(name.replace(/\.partial$/, '')) ||
    (members.includes(name)
      ? existsSync(planPath(join(folder, name)))
      : members.length > 0 && name === PAGE_FILE);
  const other = names.find((name) => !isCustom(name));
  if (other === undefined || [PLAN_FILE, COLLECTION_FILE].some((name) => names.includes(name))) return;
  throw new InputError(
    `${folder} is not empty (it contains ${other}); give a new or empty folder with --out`,
  );
}

/** File of a study folder, assembled from pieces of text. */
export function studyFileToWrite(path: string, pieces: Iterable<string>): FileToWrite {
  return svgTextAt(path, joinLinesIntoChunks(pieces));
}

/**
 * Writes files of a study folder atomically; the caller holds its lock. Creates folders as needed.
 * @throws InputError if not writable; OutputError if writing fails.
 */
export async function writeStudyFolder(files: readonly FileToWrite[]): Promise<void> {
  for (const file of files) {
    try {
      await makeFolderRecursively(dirname(file.path));
      // The partial file of a killed process is overwritten by the next process.
      await replaceFiles([file], undefined, (path) => `${path}.partial`);
    } catch (error) {
      throw writeErrorOf(file.path, error, WRITE_SENTENCES);
    }
  }
}

/** Error for a folder without a study. */
export function noStudyError(folder: string): InputError {
  return new InputError(
    `${folder} holds no study; give a folder that a study, sweep or comparison was written into with --out`,
  );
}

/**
 * Reads the plan of a folder.
 * @throws InputError if there is none.
 */
export function readStudyPlan(folder: string): Plan {
  if (!existsSync(planPath(folder))) throw noStudyError(folder);
  return readPlan(planPath(folder));
}

/** Reads the study stored in a folder with this plan. */
export async function readStudyInFolder(folder: string, plan: Plan): Promise<Study> {
  const path = join(folder, STUDY_FILE);
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
export function readResults(folder: string, plan: Plan, take: RunResultHandler): void {
  for (const each of [folder, ...shardFolders(folder)]) readJournalOfPlan(journalPath(each), plan, take);
}
