/** What Slurm says of the jobs by which it runs a study. */
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../errors.js';
import { readCut } from '../runner/shardFolder.js';
import { isActive, type QueuedJob } from '../runner/slurm.js';
import { mergeLog, readStudyQueue, readSubmissions, type StudyQueue, taskLog } from '../runner/submission.js';
import { NO_QUEUE, type QueueStates } from '../text/studyStatus.js';

/** What Slurm says of each shard and of the merge, where anything of a folder was submitted and Slurm answers. */
export async function queueStates(folder: string): Promise<QueueStates> {
  const cut = readCut(folder);
  if (cut === undefined || readSubmissions(folder).length === 0) return NO_QUEUE;
  let queue: StudyQueue;
  try {
    queue = await readStudyQueue(folder, cut.runs.length);
  } catch (error) {
    if (error instanceof InputError) return NO_QUEUE;
    throw error;
  }
  const stateOf = (shard: number) => {
    const task = queue.tasks.get(shard);
    const log = taskLog(folder, shard);
    return task === undefined ? ended(log, 'not running') : jobState(task, log);
  };
  return {
    shards: new Map(cut.runs.map((_, i) => [i + 1, stateOf(i + 1)])),
    merge: queue.merge && jobState(queue.merge, mergeLog(folder)),
  };
}

function jobState(job: QueuedJob, log: string): string {
  const { state, reason, node, comment } = job;
  if (state === 'PENDING') return `waiting (${reason})`;
  const name = state.toLowerCase();
  if (isActive(job)) return `${name} on ${node}`;
  return comment === '' ? ended(log, name) : `${name}: ${comment}`;
}

/** How the program says why it ends, and that it was told to; nothing else that it says begins so, and nothing comes behind it. */
const REASON = /^(?:gridalloc: )?((?<=gridalloc: ).*|interrupted; .*)$/;

/**
 * How a job has ended, with the reason that its log ends with. A log goes on through all lives of a job, each of which begins
 * with a line of its own (`scriptText` of submission.ts), so that a reason of an earlier life is not the last line.
 */
export function ended(log: string, state: string): string {
  const last = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) : undefined;
  const [, reason] = REASON.exec(last ?? '') ?? [];
  if (reason !== undefined) return `${state}: ${reason}`;
  return state === 'failed' ? `${state}: it was ended without a chance to say why` : state;
}
