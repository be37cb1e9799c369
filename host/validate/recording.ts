/** Schedule recorded in a log: the start time of each job under a real scheduler. */
import { InputError } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import { isCancelledJob } from '../workload/cancellations.js';
import type { Workload } from '../workload/workload.js';

/** Recorded start times of the jobs of a workload. */
export interface ScheduleRecording {
  readonly workload: Workload;
  /** Start of each job in seconds on the clock of the log; NaN if it is not recorded. */
  readonly start: Float64Array;
  /** Number of jobs with a recorded start. */
  readonly known: number;
  /** Nodes of each job, numbered from 0; absent if the log does not list them. */
  readonly nodes?: readonly (readonly number[])[];
}

/**
 * Computes the recorded start times of a workload: submission plus recorded wait.
 * @throws InputError for jobs that do not come from a log, and for a log without waits.
 */
export function readScheduleRecording(workload: Workload): ScheduleRecording {
  const { log, submit, count: jobCount, name: workloadName, patience } = workload;
  if (log === undefined)
    throw new InputError(`${workloadName}: jobs of a model have no recorded starts; give a log`);
  const start = new Float64Array(jobCount).fill(Number.NaN);
  let knownStartCount = 0;
  for (let job = 0; job < jobCount; job++) {
    // The wait of a cancelled job did not end with a start.
    if (!(log.wait[job]! >= 0) || isCancelledJob(patience, job)) continue;
    start[job] = submit[job]! + log.wait[job]!;
    knownStartCount++;
  }
  if (knownStartCount === 0)
    throw new InputError(`${workloadName}: the log records no waits, so no starts to compare with`);
  return { workload, start, known: knownStartCount };
}

/**
 * Adds the nodes of each job to a recording, if every job with a recorded start has some, and no more than
 * processors. Nodes are numbered in natural order of their names.
 * @param nodesByJob names of nodes by job name.
 * @param names name of each job.
 */
export function addNodeListsToRecording(
  recording: ScheduleRecording,
  nodesByJob: ReadonlyMap<string, readonly string[]>,
  names: readonly string[],
): ScheduleRecording {
  const nodeNames = [...new Set([...nodesByJob.values()].flat())].sort((nodeA, nodeB) =>
    nodeA.localeCompare(nodeB, 'en', { numeric: true }),
  );
  const numberByNode = new Map(nodeNames.map((nodeName, number) => [nodeName, number]));
  const { start, workload } = recording;
  const nodes = names.map((jobName) =>
    (nodesByJob.get(jobName) ?? []).map((nodeName) => numberByNode.get(nodeName)!),
  );
  const isComplete = nodes.every(
    (list, job) => Number.isNaN(start[job]!) || (list.length > 0 && list.length <= workload.processors[job]!),
  );
  return isComplete ? { ...recording, nodes } : recording;
}

/** Remark on the number of jobs without a recorded start; undefined if all have one. */
export function remarkOnUnknownStarts({ workload, known }: ScheduleRecording): string | undefined {
  const unknownCount = workload.count - known;
  if (unknownCount === 0) return undefined;
  return `${formatNumber(unknownCount)} of ${formatNumber(workload.count)} jobs have no recorded start and are not compared`;
}

/**
 * Infers the number of processors per node from a recording: the largest number that a job held per
 * node; if that is more than one, the largest number that jobs on a single node held at once, or
 * the machine's processors divided by its nodes if that is a whole number and larger.
 * @param capacity processors of the machine.
 * @returns 1 if no job held more processors than nodes, or nodes are unknown.
 */
export function inferNodeSize({ workload, start, nodes }: ScheduleRecording, capacity: number): number {
  if (nodes === undefined) return 1;
  const comparedJobs = Array.from(start.keys()).filter((job) => !Number.isNaN(start[job]!));
  const processorsPerNode = comparedJobs.map((job) =>
    Math.ceil(workload.processors[job]! / nodes[job]!.length),
  );
  const maxProcessorsPerNode = processorsPerNode.reduce((a, b) => Math.max(a, b), 1);
  if (maxProcessorsPerNode === 1) return 1;
  const events = comparedJobs
    .filter((job) => nodes[job]!.length === 1 && workload.runtime[job]! > 0)
    .flatMap((job) => [
      { time: start[job]!, node: nodes[job]![0]!, change: workload.processors[job]! },
      {
        time: start[job]! + workload.runtime[job]!,
        node: nodes[job]![0]!,
        change: -workload.processors[job]!,
      },
    ])
    .sort((changeA, changeB) => changeA.time - changeB.time || changeA.change - changeB.change);
  const heldProcessorsByNode = new Map<number, number>();
  let mostProcessorsHeldAtOnce = maxProcessorsPerNode;
  for (const { node, change } of events) {
    heldProcessorsByNode.set(node, (heldProcessorsByNode.get(node) ?? 0) + change);
    mostProcessorsHeldAtOnce = Math.max(mostProcessorsHeldAtOnce, heldProcessorsByNode.get(node)!);
  }
  const nodeCount = new Set(nodes.flat()).size;
  const processorsPerMachineNode = capacity / nodeCount;
  return Number.isInteger(processorsPerMachineNode) && processorsPerMachineNode > mostProcessorsHeldAtOnce
    ? processorsPerMachineNode
    : mostProcessorsHeldAtOnce;
}
