/** Studies that Slurm runs: submission and status. */
import { existsSync, readFileSync } from 'node:fs';
import { ALLOW_CODE } from '../../code/codeFile.js';
import { InputError } from '../../errors.js';
import { countText } from '../../format/numbers.js';
import { shellWordOfSource } from '../../format/text.js';
import { EMPTY_QUEUE_STATES, type SlurmQueueStates } from '../../reports/studyStatus.js';
import type { SlurmRequest } from '../../request/request.js';
import type { Planned } from '../../runs/planStudy.js';
import { lockPlan } from '../../runs/runsFolder.js';
import { cutStudyIntoShards, readShardPlan, readStatus } from '../../runs/shardFolder.js';
import { assignShards, type ShardPlan } from '../../runs/shards.js';
import {
  arrayIndexRanges,
  type ClusterLimits,
  copyCore,
  isActive,
  mergeLog,
  type QueuedJob,
  readCluster,
  readStudyQueue,
  readSubmissions,
  type SlurmSubmission,
  type StudyQueue,
  type SubmitOptions,
  submitShards,
  taskLog,
} from '../../runs/slurm.js';
import type { Study } from '../../study/study.js';
import type { Context } from '../context.js';

/** Cost of a task at least, in jobs under fcfs: some seconds, beside one for the start of a process. */
const MIN_TASK_COST = 5e7;

/** The number of tasks requested, or worthwhile. */
function slurmTaskCount(
  plan: Planned['plan'],
  threads: number,
  requested: number | undefined,
  cluster: ClusterLimits,
): number {
  const { mostTasks, processors } = cluster;
  if (requested !== undefined && requested > mostTasks) {
    throw new InputError(
      `--tasks ${requested}: a job array has at most ${mostTasks} tasks on this cluster (MaxArraySize); give ${mostTasks} or fewer`,
    );
  }
  const worthwhileTasks = Math.ceil((assignShards(plan, 1).costs[0] ?? 0) / (MIN_TASK_COST * threads));
  return requested ?? Math.max(1, Math.min(mostTasks, Math.floor(processors / threads), worthwhileTasks));
}

/**
 * Submits what the folder of a study lacks and Slurm has not in its queue.
 * @param runOnThisMachine does what is left where nothing is missing: tables and report.
 */
export async function submitStudy(
  study: Study,
  planned: Planned,
  out: string,
  { slurm, core }: { readonly slurm: SlurmRequest; readonly core?: string | undefined },
  context: Context,
  runOnThisMachine: () => Promise<number>,
): Promise<number> {
  if (study.kind !== 'simulations') {
    throw new InputError('this study runs no simulations, so there is nothing to submit; omit --engine');
  }
  const options = submitOptionsOf(out, planned, slurm);
  const { partition, threads } = options;
  const cluster = await readCluster(partition);
  const unlock = await lockPlan(out, (sentence) => void context.printMessage(sentence));
  let submission: Required<SlurmSubmission> | undefined;
  try {
    const shardPlan = await makeShardPlan(study, planned, out, slurm.tasks, () =>
      slurmTaskCount(planned.plan, threads ?? 1, options.asked, cluster),
    );
    const { shards } = readStatus(out);
    const queue = await readStudyQueue(out, shardPlan.runs.length);
    const isTaskWaiting = (shard: number) => {
      const task = queue.tasks.get(shard);
      return task !== undefined && isActive(task);
    };
    const missing = shards.flatMap(({ runs, done, holder }, i) =>
      done < runs && holder === undefined ? [i + 1] : [],
    );
    const idleShards = missing.filter((shard) => !isTaskWaiting(shard));
    if (shards.some(({ runs, done }) => done < runs)) {
      if (idleShards.length === 0) {
        await context.print(
          `everything missing in ${out} is pending or running; gridalloc study status ${shellWordOfSource(out)}`,
        );
        return 0;
      }
      if (core !== undefined) await copyCore(core, out);
      submission = await submitShards(out, study.name, shardPlan, idleShards, queue.active, options);
    }
  } finally {
    unlock();
  }
  if (submission === undefined) return runOnThisMachine();
  await reportSubmission(submission, out, context);
  return 0;
}

/**
 * Division of a folder into shards, made if there is none, or again for another number of tasks if no process works on
 * it.
 */
async function makeShardPlan(
  study: Study,
  planned: Planned,
  out: string,
  requested: number | undefined,
  tasks: () => number,
): Promise<ShardPlan> {
  const present = readShardPlan(out);
  if (present !== undefined && present.plan === planned.plan.sha256) {
    const count = present.runs.length;
    if (requested === undefined || requested === count) return present;
    const { active } = await readStudyQueue(out, count);
    if (active.length > 0 || readStatus(out).shards.some(({ holder }) => holder !== undefined)) {
      throw new InputError(
        `${out} is cut into ${count} shards, and some are pending or running; omit --tasks, or run gridalloc study cancel ${shellWordOfSource(out)} first`,
      );
    }
  }
  return cutStudyIntoShards(out, study, planned, tasks());
}

/** Options of sbatch; options that are not requested are those of the last submission. */
function submitOptionsOf(out: string, { code }: Planned, slurm: SlurmRequest): SubmitOptions {
  const before = readSubmissions(out).at(-1)?.options;
  const { tasks, partition, threads, words, taskWords } = slurm;
  return {
    asked: tasks ?? before?.asked,
    partition: partition ?? before?.partition,
    threads: threads ?? before?.threads,
    words: words ?? before?.words ?? [],
    // Whoever plans functions from files allows them; an earlier permission in the folder does not count.
    taskWords: [
      ...(code.length > 0 ? [ALLOW_CODE] : []),
      ...(taskWords.length > 0 ? taskWords : (before?.taskWords ?? []).filter((word) => word !== ALLOW_CODE)),
    ],
  };
}

async function reportSubmission(
  { tasks, merge, shards, count }: Required<SlurmSubmission>,
  out: string,
  context: Context,
): Promise<void> {
  if (context.isJson) {
    await context.printJson({ out, tasks, merge, shards, count });
    return;
  }
  const word = shellWordOfSource(out);
  await context.print(
    [
      `Submitted: job ${tasks}, ${countText(shards.length, 'task')} for shards ${arrayIndexRanges(shards)} of ${count}, and job ${merge}, which merges them into ${out}.`,
      `  gridalloc study status ${word}    progress and time left`,
      `  squeue --jobs=${tasks},${merge}    what Slurm says`,
      `  gridalloc study cancel ${word}    cancels it; finished runs are kept`,
      'Then repeat the command to submit what is missing.',
    ].join('\n'),
  );
}

/**
 * States of each shard and of the merge in Slurm's queue; empty if nothing was submitted or Slurm does not answer.
 */
export async function queueStates(folder: string): Promise<SlurmQueueStates> {
  const shardPlan = readShardPlan(folder);
  if (shardPlan === undefined || readSubmissions(folder).length === 0) return EMPTY_QUEUE_STATES;
  let queue: StudyQueue;
  try {
    queue = await readStudyQueue(folder, shardPlan.runs.length);
  } catch (error) {
    if (error instanceof InputError) return EMPTY_QUEUE_STATES;
    throw error;
  }
  const stateTextOf = (shard: number) => {
    const task = queue.tasks.get(shard);
    const log = taskLog(folder, shard);
    return task === undefined ? describeJobEnd(log, 'not running') : describeSlurmJob(task, log);
  };
  return {
    shards: new Map(shardPlan.runs.map((_, i) => [i + 1, stateTextOf(i + 1)])),
    merge: queue.merge && describeSlurmJob(queue.merge, mergeLog(folder)),
  };
}

function describeSlurmJob(job: QueuedJob, log: string): string {
  const { state, reason, node, comment } = job;
  if (state === 'PENDING') return `waiting (${reason})`;
  const name = state.toLowerCase();
  if (isActive(job)) return `${name} on ${node}`;
  return comment === '' ? describeJobEnd(log, name) : `${name}: ${comment}`;
}

/** Pattern of the line that says why the program ended, or was interrupted; no other line begins so. */
const FAILURE_REASON_LINE = /^(?:gridalloc: )?((?<=gridalloc: ).*|interrupted; .*)$/;

/**
 * The end of a job, with the reason that its log ends with. A log holds all runs of a job, each of which begins
 * with a line of its own (`slurmScriptText` of slurm.ts), so that a reason of an earlier run is not the last line.
 */
export function describeJobEnd(log: string, state: string): string {
  const last = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) : undefined;
  const [, reason] = FAILURE_REASON_LINE.exec(last ?? '') ?? [];
  if (reason !== undefined) return `${state}: ${reason}`;
  return state === 'failed' ? `${state}: it ended before it could report why` : state;
}
