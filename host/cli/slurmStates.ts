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

/** How a job has ended, with the last line of its log. */
function ended(log: string, state: string): string {
  const last = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) : undefined;
  return last === undefined || last === '' ? state : `${state}: ${last.replace(/^gridalloc: /, '')}`;
}
