/**
 * Lock files for study folders: one process at a time. A lock is taken over only if its owner is known to
 * have ended; heartbeat-based locks would be lost while the owner is suspended or busy.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { InputError } from '../errors.js';
import { isProcessRunning } from '../files/fileSystem.js';

/** Process that holds a lock. */
interface LockOwner {
  readonly process: number;
  readonly host: string;
  /** Slurm job of the process, if any. */
  readonly job?: string;
}

/** Start of the work in milliseconds since 1970, and the number of runs done before. */
export interface LockStart {
  readonly began: number;
  readonly earlier: number;
}

/** Holder of a lock, with the start of its work if known. */
export type LockHolder = LockOwner & Partial<LockStart>;

/**
 * Milliseconds between checks of a file that another process is changing; TAKEOVER_PATIENCE is their total.
 */
const LOOK_INTERVAL = 20;
const TAKEOVER_PATIENCE = 1000;
/**
 * Milliseconds to wait for an earlier run of a Slurm job that was told to end; Slurm kills it after 30 s by default.
 */
const JOB_PATIENCE = 60_000;

/** Paths of the locks held by this process. */
const heldLocks = new Set<string>();
process.on('exit', () => {
  for (const path of heldLocks) rmSync(path, { force: true });
});

/**
 * Takes the lock of a folder until released or until the process ends; takes over the lock of a process on
 * this computer that no longer exists.
 * @param path absolute path of the lock.
 * @param onTakeover called with a sentence on a takeover.
 * @returns a function that releases the lock.
 * @throws InputError if another process holds it; file system errors.
 */
export function takeLock(folder: string, path: string, onTakeover?: (sentence: string) => void): () => void {
  let takeover: string | undefined;
  const began = performance.now();
  for (let end = began + 3 * TAKEOVER_PATIENCE; !createOwnerFile(path); pauseBriefly()) {
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
  heldLocks.add(path);
  if (takeover !== undefined) onTakeover?.(takeover);
  return () => {
    heldLocks.delete(path);
    rmSync(path, { force: true });
  };
}

/** Creates a lock file with its owner; false if it exists already. */
function createOwnerFile(path: string): boolean {
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

function thisProcess(): LockOwner {
  const job = process.env.SLURM_JOB_ID;
  return { process: process.pid, host: hostname(), ...(job === undefined ? {} : { job }) };
}

/** Runs a function while holding a lock, and releases the lock in any case. */
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

/** Stores the start of the work in a lock of this process; no effect without a lock. */
export function noteBegun(path: string, begun: LockStart): void {
  if (!heldLocks.has(path)) return;
  const partial = `${path}.partial`;
  try {
    writeFileSync(partial, `${JSON.stringify({ ...thisProcess(), ...begun })}\n`);
    renameSync(partial, path);
  } catch {
    // The lock is valid without this information.
    rmSync(partial, { force: true });
  }
}

/** Holder of a lock; undefined if it no longer exists. */
export function lockHolder(path: string): LockHolder | undefined {
  const owner = readOwner(path);
  return owner === 'gone' || owner === 'unknown' || !isThere(owner, path) ? undefined : owner;
}

/** Owner stored in a lock file; `gone` if the file is missing, `unknown` if it names no owner. */
function readOwner(path: string): LockHolder | 'gone' | 'unknown' {
  try {
    for (const end = performance.now() + TAKEOVER_PATIENCE; performance.now() < end; pauseBriefly()) {
      const text = readFileSync(path, 'utf8');
      if (text.endsWith('\n')) return ownerFromDocument(JSON.parse(text));
    }
    return 'unknown';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    if (error instanceof SyntaxError) return 'unknown';
    throw error;
  }
}

function ownerFromDocument(document: unknown): LockHolder | 'unknown' {
  const { process: id, host } = (document ?? {}) as Partial<LockOwner>;
  // Ids below 1 are not processes: signals to 0 and -1 would address whole groups.
  const isNamed = typeof id === 'number' && id >= 1 && typeof host === 'string';
  return isNamed ? (document as LockHolder) : 'unknown';
}

/**
 * True if the owner of a lock still exists, as far as this computer can tell. A lock of a Slurm job is free
 * once the job is restarted or no longer queued.
 */
function isThere({ process: id, host, job }: LockOwner, path: string): boolean {
  if (host === hostname()) return isAlive(id, path);
  return job === undefined || (job !== process.env.SLURM_JOB_ID && isQueued(job));
}

/** True if the owner is an earlier run of the Slurm job of this process, which was requeued. */
function isEarlierRun({ process: id, job }: LockOwner): boolean {
  return job !== undefined && job === process.env.SLURM_JOB_ID && id !== process.pid;
}

/** True if Slurm has the job waiting or running, or cannot be asked. */
function isQueued(job: string): boolean {
  const { status, stdout, stderr } = spawnSync('squeue', ['--noheader', `--jobs=${job}`, '--format=%T'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() !== '' : !/invalid job id/i.test(stderr ?? '');
}

/** A process with our own id is a former process in a container of the same name. */
function isAlive(id: number, path: string): boolean {
  return id === process.pid ? heldLocks.has(path) : isProcessRunning(id);
}

/** Path of the file that exists while a lock is taken over. */
export function takeoverFile(path: string): string {
  return `${path}.takeover`;
}

/**
 * Removes the lock of a process that has ended; false if another process is removing it. A second lock file
 * and a second check prevent removing a newer lock.
 */
function takeAway(path: string, owner: LockHolder | 'unknown'): boolean {
  const guard = takeoverFile(path);
  if (!createOwnerFile(guard)) return false;
  try {
    const isEqual = JSON.stringify(readOwner(path)) === JSON.stringify(owner);
    if (isEqual) rmSync(path, { force: true });
    return isEqual;
  } finally {
    rmSync(guard, { force: true });
  }
}

function pauseBriefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_INTERVAL);
}

/** Error for a folder in use by another process. */
export class FolderInUse extends InputError {}

/** Creates the error for a folder in use by another process. */
export function inUse(folder: string, path: string, { process: id, host, job }: LockOwner): FolderInUse {
  const isHere = host === hostname();
  const of = job === undefined ? '' : `, job ${job} of Slurm`;
  const location = `process ${id}${isHere ? '' : ` on ${host}`}${of}`;
  const otherwise = isHere
    ? `; if that is not gridalloc, delete ${path}`
    : `; if it has ended, delete ${path}`;
  return new FolderInUse(
    `${folder} is in use by ${location}: wait until it has ended, or give another folder with --out${otherwise}`,
  );
}
