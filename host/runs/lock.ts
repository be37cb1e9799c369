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
export interface LockedWorkProgress {
  readonly began: number;
  readonly earlier: number;
}

/** Holder of a lock, with the start of its work if known. */
export type LockHolder = LockOwner & Partial<LockedWorkProgress>;

/** Milliseconds between checks of a file that another process is changing. */
const LOCK_CHECK_INTERVAL_MS = 20;
/** Milliseconds after which waiting for a file of another process ends. */
const TAKEOVER_WAIT_MILLISECONDS = 1000;
/**
 * Milliseconds to wait for an earlier run of a Slurm job that was told to end; Slurm kills it after 30 s by default.
 */
const QUEUED_JOB_WAIT_MILLISECONDS = 60_000;

/** Paths of the locks held by this process. */
const heldLockPaths = new Set<string>();
process.on('exit', () => {
  for (const heldLockPath of heldLockPaths) rmSync(heldLockPath, { force: true });
});

/**
 * Takes the lock of a folder until released or until the process ends; takes over the lock of a process on
 * this computer that no longer exists.
 * @param path absolute path of the lock.
 * @param onTakeover called with a sentence on a takeover.
 * @returns a function that releases the lock.
 * @throws InputError if another process holds it; file system errors.
 */
export function acquireLock(
  folder: string,
  path: string,
  onTakeover?: (sentence: string) => void,
): () => void {
  let takeoverMessage: string | undefined;
  const startClockTime = performance.now();
  for (
    let end = startClockTime + 3 * TAKEOVER_WAIT_MILLISECONDS;
    !createLockOwnerFile(path);
    sleepBriefly()
  ) {
    const owner = readLockOwnerFile(path);
    if (owner === 'gone') continue;
    if (owner !== 'unknown' && isLockOwnerAlive(owner, path)) {
      end = startClockTime + QUEUED_JOB_WAIT_MILLISECONDS;
      if (isEarlierRunOfSlurmJob(owner) && performance.now() < end) continue;
      throw makeFolderInUseError(folder, path, owner);
    }
    if (removeDeadLock(path, owner)) {
      const lockOwnerText = owner === 'unknown' ? 'a process' : `process ${owner.process}`;
      takeoverMessage = `${folder} was in use by ${lockOwnerText}, which has ended; resuming from what it left`;
    } else if (performance.now() > end) {
      throw new InputError(
        `${makeTakeoverGuardPath(path)} was left by a process that has ended; delete it and repeat the command`,
      );
    }
  }
  heldLockPaths.add(path);
  if (takeoverMessage !== undefined) onTakeover?.(takeoverMessage);
  return () => {
    heldLockPaths.delete(path);
    rmSync(path, { force: true });
  };
}

/** Creates a lock file with its owner; false if it exists already. */
function createLockOwnerFile(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(file, `${JSON.stringify(makeLockOwner())}\n`);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

function makeLockOwner(): LockOwner {
  const slurmJobId = process.env.SLURM_JOB_ID;
  return { process: process.pid, host: hostname(), ...(slurmJobId === undefined ? {} : { job: slurmJobId }) };
}

/**
 * Runs a function while holding a lock, and releases the lock in any case.
 * @param lockReleaseOrPromise function that releases the lock, or the promise of one that is being taken.
 */
export async function runWithLock<Result>(
  lockReleaseOrPromise: (() => void) | Promise<() => void>,
  runAction: () => Promise<Result>,
): Promise<Result> {
  const releaseLock = await lockReleaseOrPromise;
  try {
    return await runAction();
  } finally {
    releaseLock();
  }
}

/** Stores the start of the work in a lock of this process; no effect without a lock. */
export function recordLockedWorkStart(path: string, progress: LockedWorkProgress): void {
  if (!heldLockPaths.has(path)) return;
  const partialPath = `${path}.partial`;
  try {
    writeFileSync(partialPath, `${JSON.stringify({ ...makeLockOwner(), ...progress })}\n`);
    renameSync(partialPath, path);
  } catch {
    // The lock is valid without this information.
    rmSync(partialPath, { force: true });
  }
}

/** Holder of a lock; undefined if it no longer exists. */
export function readLockHolder(path: string): LockHolder | undefined {
  const owner = readLockOwnerFile(path);
  return owner === 'gone' || owner === 'unknown' || !isLockOwnerAlive(owner, path) ? undefined : owner;
}

/** Owner stored in a lock file; `gone` if the file is missing, `unknown` if it names no owner. */
function readLockOwnerFile(path: string): LockHolder | 'gone' | 'unknown' {
  try {
    for (
      const end = performance.now() + TAKEOVER_WAIT_MILLISECONDS;
      performance.now() < end;
      sleepBriefly()
    ) {
      const lockFileText = readFileSync(path, 'utf8');
      if (lockFileText.endsWith('\n')) return parseLockOwner(JSON.parse(lockFileText));
    }
    return 'unknown';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    if (error instanceof SyntaxError) return 'unknown';
    throw error;
  }
}

function parseLockOwner(document: unknown): LockHolder | 'unknown' {
  const { process: id, host } = (document ?? {}) as Partial<LockOwner>;
  // Ids below 1 are not processes: signals to 0 and -1 would address whole groups.
  const isNamed = typeof id === 'number' && id >= 1 && typeof host === 'string';
  return isNamed ? (document as LockHolder) : 'unknown';
}

/**
 * True if the owner of a lock still exists, as far as this computer can tell. A lock of a Slurm job is free
 * once the job is restarted or no longer queued.
 */
function isLockOwnerAlive({ process: id, host, job }: LockOwner, path: string): boolean {
  if (host === hostname()) return isOwnerProcessRunning(id, path);
  return job === undefined || (job !== process.env.SLURM_JOB_ID && isSlurmJobQueued(job));
}

/** True if the owner is an earlier run of the Slurm job of this process, which was requeued. */
function isEarlierRunOfSlurmJob({ process: id, job }: LockOwner): boolean {
  return job !== undefined && job === process.env.SLURM_JOB_ID && id !== process.pid;
}

/** True if Slurm has the job waiting or running, or cannot be asked. */
function isSlurmJobQueued(slurmJobId: string): boolean {
  const { status, stdout, stderr } = spawnSync(
    'squeue',
    ['--noheader', `--jobs=${slurmJobId}`, '--format=%T'],
    {
      encoding: 'utf8',
    },
  );
  return status === 0 ? stdout.trim() !== '' : !/invalid job id/i.test(stderr ?? '');
}

/**
 * True if the owner process is running. A process with this process's own id is a former process in a
 * container of the same name.
 */
function isOwnerProcessRunning(id: number, path: string): boolean {
  return id === process.pid ? heldLockPaths.has(path) : isProcessRunning(id);
}

/** Path of the file that exists while a lock is taken over. */
export function makeTakeoverGuardPath(path: string): string {
  return `${path}.takeover`;
}

/**
 * Removes the lock of a process that has ended; false if another process is removing it. A second lock file
 * and a second check prevent removing a newer lock.
 */
function removeDeadLock(path: string, owner: LockHolder | 'unknown'): boolean {
  const takeoverGuardFile = makeTakeoverGuardPath(path);
  if (!createLockOwnerFile(takeoverGuardFile)) return false;
  try {
    const isOwnerUnchanged = JSON.stringify(readLockOwnerFile(path)) === JSON.stringify(owner);
    if (isOwnerUnchanged) rmSync(path, { force: true });
    return isOwnerUnchanged;
  } finally {
    rmSync(takeoverGuardFile, { force: true });
  }
}

function sleepBriefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_CHECK_INTERVAL_MS);
}

/** Error for a folder in use by another process. */
export class FolderInUseError extends InputError {}

/** Creates the error for a folder in use by another process. */
export function makeFolderInUseError(
  folder: string,
  path: string,
  { process: id, host, job }: LockOwner,
): FolderInUseError {
  const isOwnerOnThisHost = host === hostname();
  const jobPhrase = job === undefined ? '' : `, job ${job} of Slurm`;
  const location = `process ${id}${isOwnerOnThisHost ? '' : ` on ${host}`}${jobPhrase}`;
  const advice = isOwnerOnThisHost
    ? `; if that is not gridalloc, delete ${path}`
    : `; if it has ended, delete ${path}`;
  return new FolderInUseError(
    `${folder} is in use by ${location}: wait until it has ended, or give another folder with --out${advice}`,
  );
}
