/** Slurm's commands, as far as studies need them: submitting, asking after jobs, cancelling. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ALLOW_CODE } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { buildBeside } from '../files/coreFile.js';
import { makeFolder } from '../files/fileSystem.js';
import { shellWord } from '../format/text.js';
import { knownNames } from '../notation.js';
import { documentText } from '../results/documents.js';
import { SUBMISSIONS } from '../results/savedFile.js';
import { readBeside, studyFile, writeStudyFolder } from './runsFolder.js';
import type { ShardPlan } from './shards.js';

const execute = promisify(execFile);

/** Environment without Slurm's variables of this job, which submitted jobs would take for their own. */
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
        `${command} is not found: --engine slurm needs Slurm's commands; run it on a login node of the cluster, or omit --engine`,
      );
    }
    const errorLines = stderr
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\w+: (?:error: )?/, ''));
    throw new InputError(
      `Slurm refuses (${command}): ${errorLines.filter((line) => line !== '').join('; ')}`,
    );
  }
}

/** Limits of a cluster for submissions. */
export interface Cluster {
  /** Largest number of tasks of a job array. */
  readonly mostTasks: number;
  /** Processors of the partition. */
  readonly processors: number;
}

/**
 * Asks what a cluster takes.
 * @param partition that requested; undefined for the default one.
 * @throws InputError when Slurm is not there or does not answer, or has no such partition.
 */
export async function readCluster(partition: string | undefined): Promise<Cluster> {
  const [, most] = /^MaxArraySize\s*=\s*(\d+)/m.exec(await slurm('scontrol', ['show', 'config'])) ?? [];
  const lines = (await slurm('sinfo', ['--noheader', '--format=%P|%C'])).trim().split('\n');
  const partitions = lines.map((line) => {
    const [name = '', counts = ''] = line.split('|');
    return {
      name: name.replace(/\*$/, ''),
      isUsual: name.endsWith('*'),
      processors: Number(counts.split('/')[3]),
    };
  });
  const named = partitions.filter(({ name, isUsual: isDefault }) =>
    partition === undefined ? isDefault : name === partition,
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
async function submitJob(words: readonly string[]): Promise<string> {
  const printed = await slurm('sbatch', ['--parsable', ...words]);
  return printed.trim().replace(/;.*/s, '');
}

/** A job, or a task of a job array, as Slurm knows it; ended ones for some minutes. */
export interface QueuedJob {
  readonly job: string;
  /** Index in its array; undefined for a single job. */
  readonly task: number | undefined;
  /** `PENDING`, `RUNNING`, `FAILED`, ... */
  readonly state: string;
  /** Reason why it waits, or why it ended. */
  readonly reason: string;
  readonly node: string;
  /** Comment that the task has reported. */
  readonly comment: string;
}

const OVER = /^(?:BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|TIMEOUT)/;

/** True if a job waits or runs. */
export function isActive({ state }: QueuedJob): boolean {
  return !OVER.test(state);
}

/**
 * Asks after jobs; those that Slurm has forgotten are left out.
 * @throws InputError when Slurm is not there or does not answer.
 */
async function readQueue(jobs: readonly string[]): Promise<QueuedJob[]> {
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
      const [job = '', task = '', state = '', reason = '', node = '', ...comment] = line.split('|');
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

// A study that Slurm runs: a job array with a task for each shard, and a job that merges them, behind it.

/** The copy of a core of the user's in the folder of a study. */
export function coreCopy(folder: string): string {
  return join(folder, 'core', 'core.wasm');
}

/** Jobs submitted to Slurm at one time. */
export interface Submission {
  /** The job array. */
  readonly tasks: string;
  /** The job that merges; undefined where the submitter has been killed before it was submitted. */
  readonly merge?: string;
  /** The shards that it has tasks for. */
  readonly shards: readonly number[];
  /** Number of shards that the study had then. */
  readonly count: number;
  readonly options: SubmitOptions;
}

/** Options of submitting tasks. */
export interface SubmitOptions {
  /** Number of tasks requested; undefined where none were. */
  readonly asked?: number | undefined;
  readonly partition?: string | undefined;
  /** Processors of a task; undefined for what the cluster gives. */
  readonly threads?: number | undefined;
  /** Further words for sbatch, of both jobs. */
  readonly words: readonly string[];
  /** Words of `study run` that hold for every task. */
  readonly taskWords: readonly string[];
}

const path = (folder: string) => join(folder, 'slurm', 'submissions.json');

/** Reads the submissions from a folder, the latest last. */
export const readSubmissions = (folder: string): Submission[] => readBeside(path(folder), SUBMISSIONS) ?? [];

/** The log of the task of a shard. */
export function taskLog(folder: string, shard: number): string {
  return join(folder, 'slurm', `shard-${shard}.txt`);
}

/** The log of the job that merges. */
export function mergeLog(folder: string): string {
  return join(folder, 'slurm', MERGE_LOG);
}

const MERGE_LOG = 'merge.txt';

/** The jobs of a study that Slurm still knows. */
export interface StudyQueue {
  /** Latest task by shard of the present division. */
  readonly tasks: ReadonlyMap<number, QueuedJob>;
  /** Jobs that wait or run: arrays, and those that merge. */
  readonly active: readonly string[];
  readonly merge: QueuedJob | undefined;
}

/**
 * Asks Slurm after all that has been submitted from a folder.
 * @param count how many shards the study has.
 * @throws InputError when Slurm is not there or does not answer.
 */
export async function readStudyQueue(folder: string, count: number): Promise<StudyQueue> {
  const submissions = readSubmissions(folder);
  const jobs = await readQueue(
    submissions.flatMap(({ tasks, merge }) => (merge === undefined ? [tasks] : [tasks, merge])),
  );
  const tasks = new Map<number, QueuedJob>();
  for (const submission of submissions) {
    if (submission.count !== count) continue;
    for (const job of jobs)
      if (job.job === submission.tasks && job.task !== undefined) tasks.set(job.task, job);
  }
  const active = [...new Set(jobs.filter(isActive).map(({ job }) => job))];
  const merge = jobs.filter(({ job }) => job === submissions.at(-1)?.merge).at(-1);
  return { tasks, active, merge };
}

/** Seconds before its time limit at which a task is told to end. */
const WARNING = 60;

/**
 * Submits tasks for shards of a folder that is cut, and a job that merges when all have ended. What has been submitted
 * is written into the folder at once, so that it can be cancelled whatever happens to this process.
 * @param name of the study.
 * @param active jobs of it that wait or run: the merge waits for them too.
 * @throws InputError when Slurm rejects them; OutputError when the scripts cannot be written.
 */
export async function submitShards(
  folder: string,
  name: string,
  cut: ShardPlan,
  shards: readonly number[],
  active: readonly string[],
  options: SubmitOptions,
): Promise<Required<Submission>> {
  const { partition, threads, words, taskWords } = options;
  const count = cut.runs.length;
  const program = resolve(process.argv[1] ?? '');
  const script = (file: string, log: string, command: readonly string[]) =>
    studyFile(join(folder, 'slurm', file), [scriptText(folder, cut, program, log, command)]);
  const own = shellWord(resolve(folder));
  await writeStudyFolder([
    script('task.sh', 'shard-$SLURM_ARRAY_TASK_ID.txt', [
      ...['study', 'run', own, '--shard', `"$SLURM_ARRAY_TASK_ID/${count}"`],
      ...['--threads', '"$threads"'],
      ...taskWords.map(shellWord),
    ]),
    script('merge.sh', MERGE_LOG, [
      ...['study', 'merge', own, '--submit'],
      ...taskWords.filter((word) => word === ALLOW_CODE),
    ]),
  ]);
  const common = [
    `--job-name=gridalloc-${name}`,
    '--output=/dev/null',
    '--requeue',
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    ...words,
  ];
  const tasks = await submitJob([
    ...common,
    `--array=${rangesOf(shards)}`,
    `--signal=B:TERM@${WARNING}`,
    ...(threads === undefined ? [] : [`--cpus-per-task=${threads}`]),
    join(folder, 'slurm', 'task.sh'),
  ]);
  const before = readSubmissions(folder);
  const submission = { tasks, shards, count, options };
  await writeSubmissions(folder, [...before, submission]);
  const after = `--dependency=afterany:${[...active, tasks].join(':')}`;
  try {
    const merge = await submitJob([...common, after, join(folder, 'slurm', 'merge.sh')]);
    const whole = { ...submission, merge };
    await writeSubmissions(folder, [...before, whole]);
    return whole;
  } catch (error) {
    await cancelJobs([tasks]);
    throw error;
  }
}

async function writeSubmissions(folder: string, submissions: readonly Submission[]): Promise<void> {
  await writeStudyFolder([studyFile(path(folder), [documentText(submissions)])]);
}

/** `1-4,7` for an array of tasks. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/**
 * The script of a job: looks whether its node has the folder and the program, then becomes the program, which thus gets
 * signals itself. What is wrong before there is a log it says in the comment of its job.
 */
function scriptText(
  folder: string,
  cut: ShardPlan,
  program: string,
  log: string,
  command: readonly string[],
): string {
  const [node, main, own] = [process.execPath, program, resolve(folder)].map(shellWord);
  return `#!/bin/bash
# Written by gridalloc ${cut.version}: a part of the study in this folder.
folder=${own}
threads=\${SLURM_CPUS_PER_TASK:-\${SLURM_CPUS_ON_NODE:-1}}
fail() {
  scontrol update JobId="$SLURM_JOB_ID" Comment="$1"
  exit 2
}
grep -qs ${cut.plan} "$folder/shards.json" ||
  fail "$folder is not on a file system that $(hostname) shares with ${hostname()}"
exec >>"$folder/slurm/${log}" 2>&1
echo "job $SLURM_JOB_ID begins on $(hostname)"
[ -x ${node} ] && [ -e ${main} ] ||
  fail "${program} is not on $(hostname); install gridalloc on a file system that all nodes share"
exec ${node} ${main} ${command.join(' ')}
`;
}

/** Copies a core of the user's into the folder of a study, so that every node has it. */
export async function copyCore(core: string, folder: string): Promise<void> {
  const copy = coreCopy(folder);
  if (resolve(core) === resolve(copy)) return;
  await makeFolder(join(folder, 'core'));
  for (const build of ['release', 'shared', 'explaining'] as const) {
    if (existsSync(buildBeside(core, build)))
      copyFileSync(buildBeside(core, build), buildBeside(copy, build));
  }
}
