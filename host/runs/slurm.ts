/** Runs studies on Slurm: submitting, querying and cancelling jobs. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ALLOW_CODE_OPTION } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { makePathOfOtherCoreBuild } from '../files/coreFile.js';
import { makeFolderWithParents } from '../files/fileSystem.js';
import { quoteShellWord } from '../format/text.js';
import { listKnownNames } from '../notation.js';
import { stringifyDocument } from '../results/documents.js';
import { SUBMISSIONS_SHAPE } from '../results/savedFile.js';
import { makeStudyFile, readFolderDocument, writeStudyFilesAtomically } from './runsFolder.js';
import type { ShardPlan } from './shards.js';

const executeFileAsync = promisify(execFile);

/** Environment without the variables of the current Slurm job, which submitted jobs would inherit. */
const omitSlurmVariables = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name === 'SLURM_CONF' || !name.startsWith('SLURM_')),
  );

/** Runs a Slurm command and returns its output. */
async function runSlurmCommand(command: string, commandWords: readonly string[]): Promise<string> {
  try {
    return (
      await executeFileAsync(command, commandWords, {
        maxBuffer: 2 ** 28,
        env: omitSlurmVariables(),
      })
    ).stdout;
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
      `Slurm refuses (${command}): ${errorLines.filter((errorLine) => errorLine !== '').join('; ')}`,
    );
  }
}

/** Limits of a cluster for submissions. */
export interface SlurmClusterLimits {
  /** Largest number of tasks in a job array. */
  readonly mostTasks: number;
  /** Processors of the partition. */
  readonly processors: number;
}

/**
 * Reads the limits of a cluster.
 * @param partition undefined: the default partition.
 * @throws InputError if Slurm is not available or has no such partition.
 */
export async function readSlurmClusterLimits(partition: string | undefined): Promise<SlurmClusterLimits> {
  const [, maxArraySize] =
    /^MaxArraySize\s*=\s*(\d+)/m.exec(await runSlurmCommand('scontrol', ['show', 'config'])) ?? [];
  const lines = (await runSlurmCommand('sinfo', ['--noheader', '--format=%P|%C'])).trim().split('\n');
  const partitions = lines.map((line) => {
    const [name = '', countsText = ''] = line.split('|');
    return {
      name: name.replace(/\*$/, ''),
      isDefault: name.endsWith('*'),
      processors: Number(countsText.split('/')[3]),
    };
  });
  const selectedPartitions = partitions.filter(({ name: partitionName, isDefault }) =>
    partition === undefined ? isDefault : partitionName === partition,
  );
  if (partition !== undefined && selectedPartitions.length === 0) {
    const partitionNames = [...new Set(partitions.map(({ name: partitionName }) => partitionName))];
    throw new InputError(
      `Slurm has no partition '${partition}' here${listKnownNames(partition, partitionNames)}`,
    );
  }
  const processors = selectedPartitions.reduce(
    (sum, selectedPartition) => sum + selectedPartition.processors,
    0,
  );
  // Slurm's limit is the largest index plus 1.
  return { mostTasks: Number(maxArraySize ?? 1001) - 1, processors };
}

/**
 * Submits a job with sbatch.
 * @returns the job number.
 * @throws InputError if Slurm rejects it.
 */
async function submitSlurmJob(sbatchWords: readonly string[]): Promise<string> {
  const printedText = await runSlurmCommand('sbatch', ['--parsable', ...sbatchWords]);
  return printedText.trim().replace(/;.*/s, '');
}

/** Job or array task in Slurm's queue; ended ones are listed for some minutes. */
export interface QueuedSlurmJob {
  readonly jobId: string;
  /** Index in the job array; undefined for a single job. */
  readonly task: number | undefined;
  /** Slurm state: `PENDING`, `RUNNING`, `FAILED`, ... */
  readonly state: string;
  /** Reason for waiting or for the end. */
  readonly reason: string;
  readonly node: string;
  /** Comment set by the task. */
  readonly comment: string;
}

const FINISHED_SLURM_STATES_PATTERN =
  /^(?:BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|TIMEOUT)/;

/** True if a job of Slurm has not ended: it waits or runs. */
export function isSlurmJobActive({ state: jobState }: QueuedSlurmJob): boolean {
  return !FINISHED_SLURM_STATES_PATTERN.test(jobState);
}

/**
 * Queries jobs; those that Slurm no longer knows are omitted.
 * @throws InputError if Slurm is not available.
 */
async function readSlurmQueue(slurmJobIds: readonly string[]): Promise<QueuedSlurmJob[]> {
  if (slurmJobIds.length === 0) return [];
  const squeueWords = [
    '--noheader',
    '--array',
    '--states=all',
    `--jobs=${slurmJobIds.join(',')}`,
    '--format=%F|%K|%T|%r|%N|%k',
  ];
  let printedText: string;
  try {
    printedText = await runSlurmCommand('squeue', squeueWords);
  } catch (error) {
    if (error instanceof InputError && /invalid job id/i.test(error.message)) return [];
    throw error;
  }
  return printedText
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [jobId = '', taskText = '', stateText = '', reason = '', nodeName = '', ...comment] =
        line.split('|');
      return {
        ...{
          jobId,
          state: stateText,
          reason,
          node: nodeName,
          task: /^\d+$/.test(taskText) ? Number(taskText) : undefined,
        },
        comment: comment.join('|').replace(/^\(null\)$/, ''),
      };
    });
}

/** Cancels waiting and running jobs; ended ones are unaffected. */
export async function cancelSlurmJobs(slurmJobIds: readonly string[]): Promise<void> {
  await runSlurmCommand('scancel', [...slurmJobIds]);
}

// Studies run by Slurm: a job array with one task per shard, followed by a job that merges them.

/** Path of the copy of a custom core in a study folder. */
export function makePathOfCoreCopy(folder: string): string {
  return join(folder, 'core', 'core.wasm');
}

/** Jobs submitted to Slurm at one time. */
export interface SlurmSubmission {
  /** Number of the job array. */
  readonly tasks: string;
  /** Number of the merge job; absent if the submitting process was killed before. */
  readonly merge?: string;
  /** Shards with a task in the array. */
  readonly shards: readonly number[];
  /** Number of shards at that time. */
  readonly count: number;
  readonly options: SlurmSubmitOptions;
}

/** Options for submitting tasks. */
export interface SlurmSubmitOptions {
  /** Requested number of tasks; undefined: automatic. */
  readonly asked?: number | undefined;
  readonly partition?: string | undefined;
  /** Processors per task; undefined: the cluster's default. */
  readonly threads?: number | undefined;
  /** Additional sbatch arguments for both jobs. */
  readonly words: readonly string[];
  /** Command words for `study run` in every task. */
  readonly taskWords: readonly string[];
}

const makeSubmissionsFilePath = (folder: string) => join(folder, 'slurm', 'submissions.json');

/** Reads the submissions stored in a folder, latest last. */
export const readSlurmSubmissions = (folder: string): SlurmSubmission[] =>
  readFolderDocument(makeSubmissionsFilePath(folder), SUBMISSIONS_SHAPE) ?? [];

/** Path of the log of a shard's task. */
export function makeTaskLogPath(folder: string, shard: number): string {
  return join(folder, 'slurm', `shard-${shard}.txt`);
}

/** Path of the log of the merge job. */
export function makeMergeLogPath(folder: string): string {
  return join(folder, 'slurm', MERGE_LOG_FILE_NAME);
}

const MERGE_LOG_FILE_NAME = 'merge.txt';

/** The jobs of a study that Slurm still knows. */
export interface QueuedJobsOfStudy {
  /** Latest task of each shard in the current division. */
  readonly tasks: ReadonlyMap<number, QueuedSlurmJob>;
  /** Numbers of the waiting or running jobs: arrays and merge jobs. */
  readonly active: readonly string[];
  readonly merge: QueuedSlurmJob | undefined;
}

/**
 * Queries all jobs submitted from a folder.
 * @param shardCount number of shards.
 * @throws InputError if Slurm is not available.
 */
export async function readQueuedJobsOfStudy(folder: string, shardCount: number): Promise<QueuedJobsOfStudy> {
  const submissions = readSlurmSubmissions(folder);
  const queuedJobs = await readSlurmQueue(
    submissions.flatMap(({ tasks, merge }) => (merge === undefined ? [tasks] : [tasks, merge])),
  );
  const tasks = new Map<number, QueuedSlurmJob>();
  for (const submission of submissions) {
    if (submission.count !== shardCount) continue;
    for (const queuedJob of queuedJobs)
      if (queuedJob.jobId === submission.tasks && queuedJob.task !== undefined)
        tasks.set(queuedJob.task, queuedJob);
  }
  const activeJobIds = [...new Set(queuedJobs.filter(isSlurmJobActive).map(({ jobId }) => jobId))];
  const mergeJob = queuedJobs.filter(({ jobId }) => jobId === submissions.at(-1)?.merge).at(-1);
  return { tasks, active: activeJobIds, merge: mergeJob };
}

/** Seconds before its time limit at which Slurm signals a task. */
const SIGNAL_SECONDS_BEFORE_LIMIT = 60;

/**
 * Submits tasks for shards, and a merge job after them; stores each submission at once, so that it can be
 * cancelled.
 * @param studyName name of the study.
 * @param active jobs of the study that wait or run; the merge job waits for them too.
 * @throws InputError if Slurm rejects a job; OutputError if writing fails.
 */
export async function submitShardsToSlurm(
  folder: string,
  studyName: string,
  shardPlan: ShardPlan,
  shards: readonly number[],
  active: readonly string[],
  options: SlurmSubmitOptions,
): Promise<Required<SlurmSubmission>> {
  const { partition, threads: threadCount, words, taskWords } = options;
  const shardCount = shardPlan.runs.length;
  const programPath = resolve(process.argv[1] ?? '');
  const makeSlurmScriptFile = (file: string, logPath: string, command: readonly string[]) =>
    makeStudyFile(join(folder, 'slurm', file), [
      makeSlurmScript(folder, shardPlan, programPath, logPath, command),
    ]);
  const quotedFolder = quoteShellWord(resolve(folder));
  await writeStudyFilesAtomically([
    makeSlurmScriptFile('task.sh', 'shard-$SLURM_ARRAY_TASK_ID.txt', [
      ...['study', 'run', quotedFolder, '--shard', `"$SLURM_ARRAY_TASK_ID/${shardCount}"`],
      ...['--threads', '"$threads"'],
      ...taskWords.map(quoteShellWord),
    ]),
    makeSlurmScriptFile('merge.sh', MERGE_LOG_FILE_NAME, [
      ...['study', 'merge', quotedFolder, '--submit'],
      ...taskWords.filter((taskWord) => taskWord === ALLOW_CODE_OPTION),
    ]),
  ]);
  const commonSbatchArguments = [
    `--job-name=gridalloc-${studyName}`,
    '--output=/dev/null',
    '--requeue',
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    ...words,
  ];
  const tasks = await submitSlurmJob([
    ...commonSbatchArguments,
    `--array=${formatArrayIndices(shards)}`,
    `--signal=B:TERM@${SIGNAL_SECONDS_BEFORE_LIMIT}`,
    ...(threadCount === undefined ? [] : [`--cpus-per-task=${threadCount}`]),
    join(folder, 'slurm', 'task.sh'),
  ]);
  const earlierSubmissions = readSlurmSubmissions(folder);
  const submission = { tasks, shards, count: shardCount, options };
  await writeSlurmSubmissions(folder, [...earlierSubmissions, submission]);
  const sbatchDependencyArgument = `--dependency=afterany:${[...active, tasks].join(':')}`;
  try {
    const mergeJob = await submitSlurmJob([
      ...commonSbatchArguments,
      sbatchDependencyArgument,
      join(folder, 'slurm', 'merge.sh'),
    ]);
    const completeSubmission = { ...submission, merge: mergeJob };
    await writeSlurmSubmissions(folder, [...earlierSubmissions, completeSubmission]);
    return completeSubmission;
  } catch (error) {
    await cancelSlurmJobs([tasks]);
    throw error;
  }
}

async function writeSlurmSubmissions(folder: string, submissions: readonly SlurmSubmission[]): Promise<void> {
  await writeStudyFilesAtomically([
    makeStudyFile(makeSubmissionsFilePath(folder), [stringifyDocument(submissions)]),
  ]);
}

/** Formats array indices as `1-4,7`. */
export function formatArrayIndices(arrayIndices: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of arrayIndices) {
    const lastRange = ranges.at(-1);
    if (lastRange !== undefined && lastRange[1] === number - 1) lastRange[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/**
 * Batch script of a job: checks that the node has the folder and the program, then replaces itself by the
 * program, which thus receives signals. Early errors go into the job's comment.
 */
function makeSlurmScript(
  folder: string,
  shardPlan: ShardPlan,
  programPath: string,
  logPath: string,
  command: readonly string[],
): string {
  const [nodeWord, programWord, folderWord] = [process.execPath, programPath, resolve(folder)].map(
    quoteShellWord,
  );
  return `#!/bin/bash
# Written by gridalloc ${shardPlan.version}: a part of the study in this folder.
folder=${folderWord}
threads=\${SLURM_CPUS_PER_TASK:-\${SLURM_CPUS_ON_NODE:-1}}
fail() {
  scontrol update JobId="$SLURM_JOB_ID" Comment="$1"
  exit 2
}
grep -qs ${shardPlan.plan} "$folder/shards.json" ||
  fail "$folder is not on a file system that $(hostname) shares with ${hostname()}"
exec >>"$folder/slurm/${logPath}" 2>&1
echo "job $SLURM_JOB_ID begins on $(hostname)"
[ -x ${nodeWord} ] && [ -e ${programWord} ] ||
  fail "${programPath} is not on $(hostname); install gridalloc on a file system that all nodes share"
exec ${nodeWord} ${programWord} ${command.join(' ')}
`;
}

/** Copies a custom core into a study folder, so that every node has it. */
export async function copyCoreToStudyFolder(corePath: string, folder: string): Promise<void> {
  const copyPath = makePathOfCoreCopy(folder);
  if (resolve(corePath) === resolve(copyPath)) return;
  await makeFolderWithParents(join(folder, 'core'));
  for (const build of ['release', 'shared', 'explaining'] as const) {
    if (existsSync(makePathOfOtherCoreBuild(corePath, build)))
      copyFileSync(makePathOfOtherCoreBuild(corePath, build), makePathOfOtherCoreBuild(copyPath, build));
  }
}
