/** The folder of a study: what it was, its plan, and the journal of its runs. Reports are added when it is finished. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError, lackOfRoom, OutputError } from '../errors.js';
import type { Study } from '../study/definition.js';
import type { Plan } from '../study/plan.js';
import { parseStudy } from '../study/read.js';
import { Journal, type JournalHead, readJournal, type TakeResult } from './journal.js';
import { joined, writeAll } from './jsonLines.js';
import { takeLock, takeoverFile } from './lock.js';
import { planText, readPlan } from './planFile.js';

const STUDY_FILE = 'study.yaml';
const PLAN_FILE = 'plan.json';
const JOURNAL_FILE = 'journal.jsonl';
const LOCK_FILE = 'study.lock';
const OWN_FILES = [STUDY_FILE, PLAN_FILE, JOURNAL_FILE, LOCK_FILE, takeoverFile(LOCK_FILE)];

/** A part of the runs: number `index` (from 1) of `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `2/3`. */
function formatShard({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** A shard from `2/3`. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || index < 1 || index > count) {
    throw new InputError(`--shard: expected a part and their number, such as 2/3, found '${text}'`);
  }
  return { index, count };
}

/**
 * Makes the folder of a study where there is none, and keeps other processes from working on it.
 * @param onTakeover is told, in a sentence, that a process is gone that was at it.
 * @returns what lets others at it again.
 * @throws InputError when another process works on it, it holds anything but a study, or may not be written;
 * OutputError when writing fails.
 */
export function lockStudyFolder(folder: string, onTakeover?: (sentence: string) => void): () => void {
  makeFolder(folder);
  checkContents(folder);
  const path = resolve(folder, LOCK_FILE);
  try {
    return takeLock(folder, path, onTakeover);
  } catch (error) {
    throw folderFault(path, error);
  }
}

/**
 * Opens the folder of a study for its runs, where it is new or empty, or holds the same study.
 * @param take is given the results that it holds.
 * @throws InputError when it holds anything else or may not be written; OutputError when writing fails.
 */
export function openStudyFolder(
  folder: string,
  study: Study,
  plan: Plan,
  shard: Shard,
  take: TakeResult,
): Journal {
  makeFolder(folder);
  checkContents(folder);
  try {
    const head: JournalHead = { plan: plan.sha256, shard: formatShard(shard) };
    const journal = new Journal(join(folder, JOURNAL_FILE), head, take);
    try {
      replaceFile(join(folder, STUDY_FILE), [study.text]);
      replaceFile(join(folder, PLAN_FILE), planText(plan));
      return journal;
    } catch (error) {
      journal.close();
      throw error;
    }
  } catch (error) {
    throw folderFault(folder, error);
  }
}

function checkContents(folder: string): void {
  const other = namesIn(folder).find((name) => !OWN_FILES.includes(name.replace(/\.partial$/, '')));
  if (other === undefined || existsSync(join(folder, PLAN_FILE))) return;
  throw new InputError(
    `${folder} holds other things, for instance ${other}; give a new or empty folder with --out`,
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw folderFault(folder, error);
  }
}

/**
 * Makes a folder where there is none.
 * @throws InputError when it may not be made; OutputError when making it fails.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw folderFault(path, error);
  }
}

/**
 * Writes a text, put together from its pieces, to a file: whole or not at all.
 * @throws InputError when it may not be written; OutputError when writing fails.
 */
export function replaceFile(path: string, pieces: Iterable<string>): void {
  replaceFileBy(path, (partial) => {
    const file = openSync(partial, 'w');
    try {
      for (const piece of joined(pieces)) writeAll(file, piece);
    } finally {
      closeSync(file);
    }
  });
}

/** As `replaceFile`, for a file that is written in another way. */
export function replaceFileBy(path: string, write: (path: string) => void): void {
  const partial = `${path}.partial`;
  try {
    write(partial);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw folderFault(path, error);
  }
}

/**
 * Reads the plan of a folder.
 * @throws InputError when there is none.
 */
export function readStudyPlan(folder: string): Plan {
  const path = join(folder, PLAN_FILE);
  if (!existsSync(path) || !existsSync(join(folder, JOURNAL_FILE))) {
    throw new InputError(`${folder} holds no study`);
  }
  return readPlan(path);
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

/** Reads the results in a folder, finished or not, one by one. */
export function readResults(folder: string, take: TakeResult): void {
  readJournal(join(folder, JOURNAL_FILE), take);
}

/** The sentence for an error of the file system; other errors as they are. */
function folderFault(path: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    // What making a folder and those above it comes to on a file system that is read-only.
    case 'ENOENT':
      return new InputError(`${path} may not be written by this user; give another folder with --out`);
    case 'ENOTDIR':
    case 'EEXIST':
      return new InputError(
        `${path} is not a folder, or stands below a file; give another folder with --out`,
      );
  }
  return new OutputError(
    `${path} cannot be written: ${lackOfRoom(error) ?? message}; ` +
      'the runs that are finished stay, make room and give the same command to go on',
  );
}
