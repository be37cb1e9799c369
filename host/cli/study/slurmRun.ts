/** Runs studies on Slurm: submission and status. */
import { existsSync, readFileSync } from 'node:fs';
import { ALLOW_CODE_OPTION } from '../../code/codeFile.js';
import { InputError } from '../../errors.js';
import { formatCount } from '../../format/numbers.js';
import { formatSourceAsShellWord } from '../../format/text.js';
import { NO_QUEUE_STATES, type SlurmQueueStates } from '../../reports/studyStatus.js';
import type { SlurmRequest } from '../../request/request.js';
import type { Planned } from '../../runs/planStudy.js';
import { lockStudyPlan } from '../../runs/runsFolder.js';
import { cutStudyIntoShards, readShardPlan, readStudyProgress } from '../../runs/shardFolder.js';
import { assignRunsToShards, type ShardPlan } from '../../runs/shards.js';
import {
  copyCoreToStudyFolder,
  formatArrayIndices,
  isSlurmJobActive,
  makeMergeLogPath,
  makeTaskLogPath,
  type QueuedJobsOfStudy,
  type QueuedSlurmJob,
  readQueuedJobsOfStudy,
  readSlurmClusterLimits,
  readSlurmSubmissions,
  type SlurmClusterLimits,
  type SlurmSubmission,
  type SlurmSubmitOptions,
  submitShardsToSlurm,
} from '../../runs/slurm.js';
import type { Study } from '../../study/study.js';
import type { CommandContext } from '../context.js';

/**
 * Minimum cost of a task, in jobs simulated under fcfs: some seconds, compared to one second for starting a
 * process.
 */
const MIN_SLURM_TASK_COST = 5e7;

/** Number of tasks: as requested, or as many as are worthwhile. */
function chooseSlurmTaskCount(
  plan: Planned['plan'],
  threadCount: number,
  requestedTaskCount: number | undefined,
  clusterLimits: SlurmClusterLimits,
): number {
  const { mostTasks, processors } = clusterLimits;
  if (requestedTaskCount !== undefined && requestedTaskCount > mostTasks) {
    throw new InputError(
      `--tasks ${requestedTaskCount}: a job array has at most ${mostTasks} tasks on this cluster (MaxArraySize); give ${mostTasks} or fewer`,
    );
  }
  const worthwhileTaskCount = Math.ceil(
    (assignRunsToShards(plan, 1).costs[0] ?? 0) / (MIN_SLURM_TASK_COST * threadCount),
  );
  return (
    requestedTaskCount ??
    Math.max(1, Math.min(mostTasks, Math.floor(processors / threadCount), worthwhileTaskCount))
  );
}

/**
 * Submits the missing runs of a study that are not yet in Slurm's queue.
 * @param runOnThisMachine writes tables and report if no runs are missing.
 */
export async function submitStudyToSlurm(
  study: Study,
  plannedStudy: Planned,
  out: string,
  { slurm, core }: { readonly slurm: SlurmRequest; readonly core?: string | undefined },
  context: CommandContext,
  runOnThisMachine: () => Promise<number>,
): Promise<number> {
  if (study.kind !== 'simulations') {
    throw new InputError('this study runs no simulations, so there is nothing to submit; omit --engine');
  }
  const options = makeSlurmSubmitOptions(out, plannedStudy, slurm);
  const { partition, threads: threadCount } = options;
  const cluster = await readSlurmClusterLimits(partition);
  const unlock = await lockStudyPlan(out, (sentence) => void context.printMessage(sentence));
  let submission: Required<SlurmSubmission> | undefined;
  try {
    const shardPlan = await makeShardPlan(study, plannedStudy, out, slurm.tasks, () =>
      chooseSlurmTaskCount(plannedStudy.plan, threadCount ?? 1, options.asked, cluster),
    );
    const { shards } = readStudyProgress(out);
    const queuedJobs = await readQueuedJobsOfStudy(out, shardPlan.runs.length);
    const isTaskActive = (shardNumber: number) => {
      const queuedTask = queuedJobs.tasks.get(shardNumber);
      return queuedTask !== undefined && isSlurmJobActive(queuedTask);
    };
    const unfinishedShards = shards.flatMap(({ runs: runCount, done: doneCount, holder }, i) =>
      doneCount < runCount && holder === undefined ? [i + 1] : [],
    );
    const idleShards = unfinishedShards.filter((shard) => !isTaskActive(shard));
    if (shards.some(({ runs: runCount, done: doneCount }) => doneCount < runCount)) {
      if (idleShards.length === 0) {
        await context.print(
          `everything missing in ${out} is pending or running; gridalloc study status ${formatSourceAsShellWord(out)}`,
        );
        return 0;
      }
      if (core !== undefined) await copyCoreToStudyFolder(core, out);
      submission = await submitShardsToSlurm(
        out,
        study.name,
        shardPlan,
        idleShards,
        queuedJobs.active,
        options,
      );
    }
  } finally {
    unlock();
  }
  if (submission === undefined) return runOnThisMachine();
  await reportSlurmSubmission(submission, out, context);
  return 0;
}

/**
 * Division of a study into shards. It is created if missing, and changed to another number of tasks unless a
 * process works on it.
 */
async function makeShardPlan(
  study: Study,
  plannedStudy: Planned,
  out: string,
  requestedShardCount: number | undefined,
  countTasks: () => number,
): Promise<ShardPlan> {
  const existingPlan = readShardPlan(out);
  if (existingPlan !== undefined && existingPlan.plan === plannedStudy.plan.sha256) {
    const shardCount = existingPlan.runs.length;
    if (requestedShardCount === undefined || requestedShardCount === shardCount) return existingPlan;
    const { active } = await readQueuedJobsOfStudy(out, shardCount);
    if (active.length > 0 || readStudyProgress(out).shards.some(({ holder }) => holder !== undefined)) {
      throw new InputError(
        `${out} is cut into ${shardCount} shards, and some are pending or running; omit --tasks, or run gridalloc study cancel ${formatSourceAsShellWord(out)} first`,
      );
    }
  }
  return cutStudyIntoShards(out, study, plannedStudy, countTasks());
}

/** Options of sbatch; omitted options are taken from the last submission. */
function makeSlurmSubmitOptions(
  out: string,
  { code: codeFiles }: Planned,
  slurmRequest: SlurmRequest,
): SlurmSubmitOptions {
  const previousOptions = readSlurmSubmissions(out).at(-1)?.options;
  const { tasks: taskCount, partition, threads: threadCount, words, taskWords } = slurmRequest;
  return {
    asked: taskCount ?? previousOptions?.asked,
    partition: partition ?? previousOptions?.partition,
    threads: threadCount ?? previousOptions?.threads,
    words: words ?? previousOptions?.words ?? [],
    // Whoever plans functions from files allows them; an earlier permission in the folder does not count.
    taskWords: [
      ...(codeFiles.length > 0 ? [ALLOW_CODE_OPTION] : []),
      ...(taskWords.length > 0
        ? taskWords
        : (previousOptions?.taskWords ?? []).filter((taskWord) => taskWord !== ALLOW_CODE_OPTION)),
    ],
  };
}

async function reportSlurmSubmission(
  { tasks, merge, shards, count }: Required<SlurmSubmission>,
  out: string,
  context: CommandContext,
): Promise<void> {
  if (context.isJson) {
    await context.printJson({ out, tasks, merge, shards, count });
    return;
  }
  const quotedFolder = formatSourceAsShellWord(out);
  await context.print(
    [
      `Submitted: job ${tasks}, ${formatCount(shards.length, 'task')} for shards ${formatArrayIndices(shards)} of ${count}, and job ${merge}, which merges them into ${out}.`,
      `  gridalloc study status ${quotedFolder}    progress and time left`,
      `  squeue --jobs=${tasks},${merge}    what Slurm says`,
      `  gridalloc study cancel ${quotedFolder}    cancels it; finished runs are kept`,
      'Then repeat the command to submit what is missing.',
    ].join('\n'),
  );
}

/**
 * States of the shards and the merge job in Slurm's queue; empty if nothing was submitted or Slurm does not
 * answer.
 */
export async function readSlurmQueueStates(folder: string): Promise<SlurmQueueStates> {
  const shardPlan = readShardPlan(folder);
  if (shardPlan === undefined || readSlurmSubmissions(folder).length === 0) return NO_QUEUE_STATES;
  let queuedJobs: QueuedJobsOfStudy;
  try {
    queuedJobs = await readQueuedJobsOfStudy(folder, shardPlan.runs.length);
  } catch (error) {
    if (error instanceof InputError) return NO_QUEUE_STATES;
    throw error;
  }
  const describeShardState = (shard: number) => {
    const queuedTask = queuedJobs.tasks.get(shard);
    const logPath = makeTaskLogPath(folder, shard);
    return queuedTask === undefined
      ? describeSlurmJobEnd(logPath, 'not running')
      : describeSlurmJob(queuedTask, logPath);
  };
  return {
    shards: new Map(shardPlan.runs.map((_, i) => [i + 1, describeShardState(i + 1)])),
    merge: queuedJobs.merge && describeSlurmJob(queuedJobs.merge, makeMergeLogPath(folder)),
  };
}

function describeSlurmJob(queuedJob: QueuedSlurmJob, logPath: string): string {
  const { state: jobState, reason, node, comment } = queuedJob;
  if (jobState === 'PENDING') return `waiting (${reason})`;
  const stateName = jobState.toLowerCase();
  if (isSlurmJobActive(queuedJob)) return `${stateName} on ${node}`;
  return comment === '' ? describeSlurmJobEnd(logPath, stateName) : `${stateName}: ${comment}`;
}

/** Pattern of the log line with the reason why the program ended or was interrupted. */
const FAILURE_REASON_LINE = /^(?:gridalloc: )?((?<=gridalloc: ).*|interrupted; .*)$/;

/**
 * Describes the end of a job with the reason on the last line of its log. A log contains all runs of a job,
 * each beginning with its own line (`makeSlurmScript` in slurm.ts), so the reason of an earlier run is never
 * last.
 */
export function describeSlurmJobEnd(logPath: string, slurmState: string): string {
  const lastLine = existsSync(logPath)
    ? readFileSync(logPath, 'utf8').trimEnd().split('\n').at(-1)
    : undefined;
  const [, reason] = FAILURE_REASON_LINE.exec(lastLine ?? '') ?? [];
  if (reason !== undefined) return `${slurmState}: ${reason}`;
  return slurmState === 'failed' ? `${slurmState}: it ended before it could report why` : slurmState;
}
