/**
 * One process at a time on the folder of a study: a file that is there as long as its process works on the folder. Locks
 * whose owner must show itself every few seconds, as those of proper-lockfile, pass to a second process while a holder that
 * is suspended, or busy computing, has yet to write; this one passes on at once when its owner is known to be gone.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { InputError } from '../errors.js';
import { isRunning } from '../files/fileSystem.js';

/** Process that works on a folder. */
interface Owner {
  readonly process: number;
  readonly host: string;
  /** The job of Slurm that the process is of. */
  readonly job?: string;
}

/** Start of the work in milliseconds since 1970, and the number of runs done before. */
export interface LockStart {
  readonly began: number;
  readonly earlier: number;
}

/** Holder of a lock, and the start of its work once it works. */
export type Holder = Owner & Partial<LockStart>;

/** Milliseconds between looks at a file that another process is about to write or take away, and for how long at most. */
const LOOK_INTERVAL = 20;
const PATIENCE = 1000;
/**
 * Milliseconds to wait for an earlier run of a Slurm job that was told to end; Slurm kills it after 30 s by default.
 */
const JOB_PATIENCE = 60_000;

/** Locks of this process. */
const held = new Set<string>();
process.on('exit', () => {
  for (const path of held) rmSync(path, { force: true });
});

/**
 * Takes the lock of a folder. It goes when the process ends, unless that is killed. One that a process of this computer
 * has left that is gone itself is taken over.
 * @param path of the lock, in full.
 * @param onTakeover is called with a sentence about it.
 * @returns what gives the lock back.
 * @throws InputError when another process has it; the error of the file system when it cannot be written.
 */
export function takeLock(folder: string, path: string, onTakeover?: (sentence: string) => void): () => void {
  let takeover: string | undefined;
  const began = performance.now();
  for (let end = began + 3 * PATIENCE; !create(path); pause()) {
    const owner = readOwner(path);
    if (owner === 'gone') continue;
    if (owner !== 'unknown' && isThere(owner, path)) {
      end = began + JOB_PATIENCE;
      if (isEarlierRun(owner) && performance.now() < end) continue;
      throw inUse(folder, path, owner);
    }
    if (takeAway(path, owner)) {
      const name = owner === 'unknown' ? 'a process' : `process ${owner.process}`;
      takeover = `${folder} was in use by ${name}, which has ended; resuming from what it left`;
    } else if (performance.now() > end) {
      throw new InputError(
        `${takeoverFile(path)} was left by a process that has ended; delete it and repeat the command`,
      );
    }
  }
  held.add(path);
  if (takeover !== undefined) onTakeover?.(takeover);
  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}

/** Makes a file that names its owner; false when it is there already. */
function create(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(file, `${JSON.stringify(thisProcess())}\n`);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

function thisProcess(): Owner {
  const job = process.env.SLURM_JOB_ID;
  return { process: process.pid, host: hostname(), ...(job === undefined ? {} : { job }) };
}

/** Runs a function while holding a lock, which is released in any case. */
export async function withLock<Result>(
  unlock: (() => void) | Promise<() => void>,
  work: () => Promise<Result>,
): Promise<Result> {
  const giveBack = await unlock;
  try {
    return await work();
  } finally {
    giveBack();
  }
}

/** Notes in a lock of this process when its work began; without one nothing happens. */
export function noteBegun(path: string, begun: LockStart): void {
  if (!held.has(path)) return;
  const partial = `${path}.partial`;
  try {
    writeFileSync(partial, `${JSON.stringify({ ...thisProcess(), ...begun })}\n`);
    renameSync(partial, path);
  } catch {
    // The lock holds without it.
    rmSync(partial, { force: true });
  }
}

/** The process that holds a lock; undefined unless it still exists. */
export function holderOf(path: string): Holder | undefined {
  const owner = readOwner(path);
  return owner === 'gone' || owner === 'unknown' || !isThere(owner, path) ? undefined : owner;
}

/** The owner of a lock; `gone` when there is none any more, `unknown` when the lock does not name it. */
function readOwner(path: string): Holder | 'gone' | 'unknown' {
  try {
    for (const end = performance.now() + PATIENCE; performance.now() < end; pause()) {
      const text = readFileSync(path, 'utf8');
      if (text.endsWith('\n')) return ownerFrom(JSON.parse(text));
    }
    return 'unknown';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    if (error instanceof SyntaxError) return 'unknown';
    throw error;
  }
}

function ownerFrom(document: unknown): Holder | 'unknown' {
  const { process: id, host } = (document ?? {}) as Partial<Owner>;
  // Numbers below 1 name no process: 0 and -1 ask after whole groups.
  const isNamed = typeof id === 'number' && id >= 1 && typeof host === 'string';
  return isNamed ? (document as Holder) : 'unknown';
}

/**
 * Whether the owner of a lock is still there, as far as this computer can tell. A job of Slurm runs once at a time: what
 * an earlier run of it has left, on whatever node, is free once it is run again, or is in the queue no more.
 */
function isThere({ process: id, host, job }: Owner, path: string): boolean {
  if (host === hostname()) return isAlive(id, path);
  return job === undefined || (job !== process.env.SLURM_JOB_ID && isQueued(job));
}

/** True if the owner is of the job of Slurm that this process is of, which has been requeued before that has ended. */
function isEarlierRun({ process: id, job }: Owner): boolean {
  return job !== undefined && job === process.env.SLURM_JOB_ID && id !== process.pid;
}

/** True if Slurm has a job that has not ended; true where it cannot be asked. */
function isQueued(job: string): boolean {
  const { status, stdout, stderr } = spawnSync('squeue', ['--noheader', `--jobs=${job}`, '--format=%T'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() !== '' : !/invalid job id/i.test(stderr ?? '');
}

/** A process with our own number that is not this one went before it, in another container of the same name. */
function isAlive(id: number, path: string): boolean {
  return id === process.pid ? held.has(path) : isRunning(id);
}

/** The file that is there as long as a process takes a lock over. */
export function takeoverFile(path: string): string {
  return `${path}.takeover`;
}

/**
 * Removes a lock whose owner is gone; false when another process is removing it. The remover holds a second file and looks
 * again, so that no process removes the lock of a faster one.
 */
function takeAway(path: string, owner: Holder | 'unknown'): boolean {
  const guard = takeoverFile(path);
  if (!create(guard)) return false;
  try {
    const isSame = JSON.stringify(readOwner(path)) === JSON.stringify(owner);
    if (isSame) rmSync(path, { force: true });
    return isSame;
  } finally {
    rmSync(guard, { force: true });
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_INTERVAL);
}

/** A folder that another process works on. */
export class FolderInUse extends InputError {}

/** The error for a folder that another process works on. */
export function inUse(folder: string, path: string, { process: id, host, job }: Owner): FolderInUse {
  const isHere = host === hostname();
  const of = job === undefined ? '' : `, job ${job} of Slurm`;
  const where = `process ${id}${isHere ? '' : ` on ${host}`}${of}`;
  const otherwise = isHere
    ? `; if that is not gridalloc, delete ${path}`
    : `; if it has ended, delete ${path}`;
  return new FolderInUse(
    `${folder} is in use by ${where}: wait until it has ended, or give another folder with --out${otherwise}`,
  );
}
