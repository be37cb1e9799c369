/** The folder of a study: what it was, its plan, and the journal of its runs. Reports are added when it is finished. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, OutputError } from '../errors.js';
import type { Study } from './definition.js';
import { Journal, type JournalHead, readJournal } from './journal.js';
import type { Plan } from './plan.js';
import { parseStudy } from './read.js';

const STUDY_FILE = 'study.yaml';
const PLAN_FILE = 'plan.json';
export const JOURNAL_FILE = 'journal.jsonl';
const OWN_FILES = [STUDY_FILE, PLAN_FILE, JOURNAL_FILE];

/** A part of the runs: number `index` (from 1) of `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `2/3`. */
export function formatShard({ index, count }: Shard): string {
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
 * Opens the folder of a study for its runs, where it is new or empty, or holds the same study.
 * @throws InputError when it holds anything else or may not be written; OutputError when writing fails.
 */
export function openStudyFolder(folder: string, study: Study, plan: Plan, shard: Shard): Journal {
  try {
    mkdirSync(folder, { recursive: true });
    const other = readdirSync(folder)
      .sort()
      .find((name) => !OWN_FILES.includes(name.replace(/\.partial$/, '')));
    if (other !== undefined && readPlan(folder) === undefined) {
      throw new InputError(
        `${folder} holds other things, for instance ${other}; give a new or empty folder with --out`,
      );
    }
    const head: JournalHead = { plan: plan.sha256, shard: formatShard(shard) };
    const journal = new Journal(join(folder, JOURNAL_FILE), head);
    try {
      replaceFile(join(folder, STUDY_FILE), study.text);
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

/** Writes a file whole or not at all. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const partial = `${path}.partial`;
  try {
    writeFileSync(partial, content);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw folderFault(path, error);
  }
}

/** One line per entry of the long lists, so that it can be read. */
function planText(plan: Plan): string {
  const { workloads, runs, points, ...rest } = plan;
  const list = (entries: readonly unknown[]) =>
    `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`;
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},\n"workloads":${list(workloads)},\n"runs":${list(runs)},\n"points":${list(points)}}\n`;
}

function readPlan(folder: string): Plan | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, PLAN_FILE), 'utf8')) as Plan;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A study as its folder holds it. */
export interface StudyFolder {
  readonly study: Study;
  readonly plan: Plan;
  /** Values by run id. */
  readonly results: ReadonlyMap<string, readonly number[]>;
}

/**
 * Reads the folder of a study, finished or not.
 * @throws InputError when there is none.
 */
export function readStudyFolder(folder: string): StudyFolder {
  const plan = readPlan(folder);
  const journal = plan && readJournal(join(folder, JOURNAL_FILE));
  if (plan === undefined || journal === undefined) throw new InputError(`${folder} holds no study`);
  const path = join(folder, STUDY_FILE);
  const study = parseStudy(readFileSync(path, 'utf8'), path, {
    draws: plan.draws ?? undefined,
    options: plan.options,
  });
  return { study: { ...study, name: plan.study }, plan, results: journal.results };
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
    case 'ENOSPC':
    case 'EDQUOT':
      return new OutputError(
        `${path}: the disk is full; the runs that are finished stay, make room and give the same command to go on`,
      );
  }
  return new OutputError(`${path} could not be written: ${message}`);
}
