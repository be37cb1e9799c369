/** Slurm's commands, as far as studies need them: submitting, asking after jobs, cancelling. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { InputError } from '../errors.js';
import { knownNames } from '../notation.js';

const execute = promisify(execFile);

/** Without what Slurm has told a job that this process is of: jobs that are submitted would take it for theirs. */
const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name === 'SLURM_CONF' || !name.startsWith('SLURM_')),
  );

/** Runs one of the commands; what it prints. */
async function slurm(command: string, words: readonly string[]): Promise<string> {
  try {
    return (await execute(command, words, { maxBuffer: 2 ** 28, env: ownEnvironment() })).stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') {
      throw new InputError(
        `${command} is not found: --engine slurm takes Slurm's commands; give it where these are, on a login node of the cluster, or leave --engine out`,
      );
    }
    const said = stderr
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\w+: (?:error: )?/, ''));
    throw new InputError(`Slurm refuses (${command}): ${said.filter((line) => line !== '').join('; ')}`);
  }
}

/** What a cluster takes. */
export interface Cluster {
  /** How many tasks a job array may have. */
  readonly mostTasks: number;
  /** Processors of the partition. */
  readonly processors: number;
}

/**
 * Asks what a cluster takes.
 * @param partition that asked for; undefined for the usual one.
 * @throws InputError when Slurm is not there or does not answer, or has no such partition.
 */
export async function readCluster(partition: string | undefined): Promise<Cluster> {
  const [, most] = /^MaxArraySize\s*=\s*(\d+)/m.exec(await slurm('scontrol', ['show', 'config'])) ?? [];
  const lines = (await slurm('sinfo', ['--noheader', '--format=%P|%C'])).trim().split('\n');
  const partitions = lines.map((line) => {
    const [name, counts] = line.split('|');
    return {
      name: name.replace(/\*$/, ''),
      isUsual: name.endsWith('*'),
      processors: Number(counts.split('/')[3]),
    };
  });
  const named = partitions.filter(({ name, isUsual }) =>
    partition === undefined ? isUsual : name === partition,
  );
  if (partition !== undefined && named.length === 0) {
    const names = [...new Set(partitions.map(({ name }) => name))];
    throw new InputError(`Slurm has no partition '${partition}' here${knownNames(partition, names)}`);
  }
  const processors = named.reduce((sum, each) => sum + each.processors, 0);
  // The largest index of an array is one less.
  return { mostTasks: Number(most ?? 1001) - 1, processors };
}

/**
 * Submits a job.
 * @returns its number.
 * @throws InputError when Slurm rejects it.
 */
export async function submitJob(words: readonly string[]): Promise<string> {
  const printed = await slurm('sbatch', ['--parsable', ...words]);
  return printed.trim().split(';')[0];
}

/** A job, or a task of a job array, as Slurm knows it; ended ones for some minutes. */
export interface QueuedJob {
  readonly job: string;
  /** Its index in its array; undefined for a job by itself. */
  readonly task: number | undefined;
  /** `PENDING`, `RUNNING`, `FAILED`, ... */
  readonly state: string;
  /** Why it waits, or has ended so. */
  readonly reason: string;
  readonly node: string;
  /** What it has said of itself. */
  readonly comment: string;
}

const OVER = /^(?:BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|TIMEOUT)/;

/** Whether a job waits or runs. */
export function isActive({ state }: QueuedJob): boolean {
  return !OVER.test(state);
}

/**
 * Asks after jobs; those that Slurm has forgotten are left out.
 * @throws InputError when Slurm is not there or does not answer.
 */
export async function readQueue(jobs: readonly string[]): Promise<QueuedJob[]> {
  if (jobs.length === 0) return [];
  const words = [
    '--noheader',
    '--array',
    '--states=all',
    `--jobs=${jobs.join(',')}`,
    '--format=%F|%K|%T|%r|%N|%k',
  ];
  let printed: string;
  try {
    printed = await slurm('squeue', words);
  } catch (error) {
    if (error instanceof InputError && /invalid job id/i.test(error.message)) return [];
    throw error;
  }
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [job, task, state, reason, node, ...comment] = line.split('|');
      return {
        ...{ job, state, reason, node, task: /^\d+$/.test(task) ? Number(task) : undefined },
        comment: comment.join('|').replace(/^\(null\)$/, ''),
      };
    });
}

/** Ends jobs, waiting or running ones; those that have ended stay as they are. */
export async function cancelJobs(jobs: readonly string[]): Promise<void> {
  await slurm('scancel', [...jobs]);
}
