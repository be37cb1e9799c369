/** The folder of a study: what it was, its plan, and the journal of its runs. Reports are added when it is finished. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CODE_FOLDER, copyName } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import {
  type FileToWrite,
  makeFolder,
  replaceFiles,
  textAt,
  type WriteSentences,
  writeFault,
} from '../files/fileSystem.js';
import { hashText } from '../files/hash.js';
import { chunksOf } from '../format/csv.js';
import type { CodeFile } from '../providedCode.js';
import { formatOf } from '../results/documents.js';
import { PAGE_FILE } from '../results/resultFolder.js';
import { checked } from '../results/savedFile.js';
import type { Shape } from '../results/shapes.js';
import type { Plan } from '../study/plan.js';
import { parseStudy, type Study } from '../study/study.js';
import { Journal, type ResultHandler, readJournalOf } from './journal.js';
import { holderOf, inUse, takeLock, takeoverFile } from './lock.js';
import { planText, readPlan } from './planFile.js';
import { formatShard, type Shard } from './shards.js';

const STUDY_FILE = 'study.yaml';
const PLAN_FILE = 'plan.json';
const JOURNAL_FILE = 'journal.jsonl';
const LOCK_FILE = 'study.lock';
const SHARDS_FOLDER = 'shards';
/** Name of the file with the common data of several studies, or of a comparison. */
export const COLLECTION_FILE = 'studies.json';
export const COMPARISON_FILE = 'comparison.json';
const OWN_FILES = [
  STUDY_FILE,
  PLAN_FILE,
  JOURNAL_FILE,
  LOCK_FILE,
  takeoverFile(LOCK_FILE),
  CODE_FOLDER,
  SHARDS_FOLDER,
  COLLECTION_FILE,
  COMPARISON_FILE,
];

/** Advice for a damaged file beside the plan. */
const DELETE_IT = 'delete it and repeat the command';

const SENTENCES: WriteSentences = {
  denied: 'may not be written by this user; give another folder with --out',
  absent: 'cannot be made; give another folder with --out',
  blocked: 'is not a folder, or is below a file; give another folder with --out',
  full: 'finished runs are kept; free some space and repeat the command',
};

/** Enough to tell the folders of one command apart. */
const HASH_DIGITS = 8;

/** The folder of a command that names none: the same question has the same folder. */
export function defaultFolder(command: string, requested: string): string {
  return join('results', `${command}-${hashText(requested).slice(0, HASH_DIGITS)}`);
}

/** Path of the folder with the plan, journal and lock of a shard. */
export function shardFolder(folder: string, { index, count }: Shard): string {
  return join(folder, SHARDS_FOLDER, `${index}-of-${count}`);
}

/** The folders of all shards that there are, of earlier cuts too. */
export function shardFolders(folder: string): string[] {
  const path = join(folder, SHARDS_FOLDER);
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
}

/** The lock of the folder of a study, or of a shard. */
export function lockOf(folder: string): string {
  return resolve(folder, LOCK_FILE);
}

/** The plan in the folder of a study, or of a shard. */
export function planOf(folder: string): string {
  return join(folder, PLAN_FILE);
}

/** The journal in the folder of a study, or of a shard. */
export function journalOf(folder: string): string {
  return join(folder, JOURNAL_FILE);
}

/**
 * The document of a file that the folder of a study has beside its plan; undefined where there is no such file.
 * @throws InputError when it is damaged, of a later format than is known here, or holds values of other types.
 */
export function readBeside<Document>(path: string, schema: Shape): Document | undefined {
  if (!existsSync(path)) return undefined;
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new InputError(`${path} is damaged; ${DELETE_IT}`);
  }
  formatOf(document, path);
  return checked(schema, document, path, DELETE_IT);
}

/**
 * Makes the folder of a study if there is none, and keeps other processes from working on it as a whole or on any of
 * its shards.
 * @param onTakeover is called with a sentence where the process that worked on it is gone.
 * @returns what releases it for others.
 * @throws InputError when another process works on it, it holds anything but a study, or may not be written;
 * OutputError when writing fails.
 */
export async function lockStudyFolder(
  folder: string,
  onTakeover?: (sentence: string) => void,
): Promise<() => void> {
  const unlock = await lockPlan(folder, onTakeover);
  for (const each of shardFolders(folder)) {
    const holder = holderOf(lockOf(each));
    if (holder === undefined) continue;
    unlock();
    throw inUse(each, lockOf(each), holder);
  }
  return unlock;
}

/**
 * As `lockStudyFolder`, but others may work on its shards: none begins meanwhile.
 * @param members names of studies whose folders it may hold.
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
  const path = lockOf(folder);
  try {
    return takeLock(folder, path, onTakeover);
  } catch (error) {
    throw writeFault(path, error, SENTENCES);
  }
}

/**
 * Opens the folder of a study for its runs, where it is new or empty, or holds the same study.
 * @param code the files with functions that the runs name: copies are kept.
 * @param take is given the results that it holds, those of shards too.
 * @throws InputError when it holds anything else or may not be written; OutputError when writing fails.
 */
export async function openStudyFolder(
  folder: string,
  study: Study,
  plan: Plan,
  take: ResultHandler,
  code: readonly CodeFile[] = [],
): Promise<Journal> {
  await makeStudyFolder(folder);
  checkCode(folder, plan, code);
  for (const each of shardFolders(folder)) readJournalOf(journalOf(each), plan, take);
  const journal = openJournal(folder, plan, { index: 1, count: 1 }, take);
  try {
    await writeStudyPlan(folder, study, plan, code);
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
}

/** Opens the journal in the folder of a study, or of a shard; `take` is given what it holds. */
export function openJournal(folder: string, plan: Plan, shard: Shard, take: ResultHandler): Journal {
  try {
    return new Journal(journalOf(folder), plan, formatShard(shard), take);
  } catch (error) {
    throw writeFault(folder, error, SENTENCES);
  }
}

/** Writes what the folder of a study holds before anything runs. The caller has its lock. */
export async function writeStudyPlan(
  folder: string,
  study: Study,
  plan: Plan,
  code: readonly CodeFile[],
): Promise<void> {
  await writeStudyFolder([
    studyFile(join(folder, STUDY_FILE), [study.text]),
    ...code.map((file) => studyFile(join(folder, copyName(file)), [file.text])),
    studyFile(planOf(folder), planText(plan)),
  ]);
}

/** Refuses to resume with results of functions that have changed since. */
export function checkCode(folder: string, { sha256 }: Plan, code: readonly CodeFile[]): void {
  if (code.length === 0 || !existsSync(planOf(folder))) return;
  if (readPlan(planOf(folder)).sha256 === sha256) return;
  const changed = code.find((file) => !existsSync(join(folder, copyName(file))));
  if (changed === undefined) return;
  throw new InputError(
    `${folder} holds results of another ${changed.name}, which has changed since (a copy is in ${join(folder, CODE_FOLDER)}); give another folder with --out`,
  );
}

/** Makes the folder if there is none, and refuses one that holds anything but a study. */
async function makeStudyFolder(folder: string, members: readonly string[] = []): Promise<void> {
  let names: string[];
  try {
    await makeFolder(folder);
    names = readdirSync(folder).sort();
  } catch (error) {
    throw writeFault(folder, error, SENTENCES);
  }
  const isOwn = (name: string) =>
    OWN_FILES.includes(name.replace(/\.partial$/, '')) ||
    (members.includes(name)
      ? existsSync(planOf(join(folder, name)))
      : members.length > 0 && name === PAGE_FILE);
  const other = names.find((name) => !isOwn(name));
  if (other === undefined || [PLAN_FILE, COLLECTION_FILE].some((name) => names.includes(name))) return;
  throw new InputError(
    `${folder} is not empty (it contains ${other}); give a new or empty folder with --out`,
  );
}

/** A text as a file of the folder of a study, put together from its pieces. */
export function studyFile(path: string, pieces: Iterable<string>): FileToWrite {
  return textAt(path, chunksOf(pieces));
}

/**
 * Writes files of the folder of a study, whose lock the caller has: each whole or not at all. Folders are made where
 * there are none.
 * @throws InputError when one may not be written; OutputError when writing fails.
 */
export async function writeStudyFolder(files: readonly FileToWrite[]): Promise<void> {
  for (const file of files) {
    try {
      await makeFolder(dirname(file.path));
      // A partial file of a killed process is overwritten by the next one.
      await replaceFiles([file], undefined, (path) => `${path}.partial`);
    } catch (error) {
      throw writeFault(file.path, error, SENTENCES);
    }
  }
}

/** The error for a folder without a study. */
export function noStudyIn(folder: string): InputError {
  return new InputError(
    `${folder} holds no study; give a folder that a study, sweep or comparison was written into with --out`,
  );
}

/**
 * Reads the plan of a folder.
 * @throws InputError when there is none.
 */
export function readStudyPlan(folder: string): Plan {
  if (!existsSync(planOf(folder))) throw noStudyIn(folder);
  return readPlan(planOf(folder));
}

/** Reads the study of a folder that holds this plan. */
export async function readStudyOf(folder: string, plan: Plan): Promise<Study> {
  const path = join(folder, STUDY_FILE);
  const study = await parseStudy(readFileSync(path, 'utf8'), path, {
    draws: plan.draws ?? undefined,
    options: plan.options,
  });
  return { ...study, name: plan.study };
}

/**
 * Reads the results in a folder and its shards, finished or not, one by one.
 * @throws InputError when they are of another plan.
 */
export function readResults(folder: string, plan: Plan, take: ResultHandler): void {
  for (const each of [folder, ...shardFolders(folder)]) readJournalOf(journalOf(each), plan, take);
}
