/**
 * Metrics of a time span: its jobs, its utilization, and the reasons for waits in it (too few free
 * processors, or other jobs first).
 */
import { computeQuantityOfJob } from '../../../host/jobs/quantities.js';
import type { Absence } from '../../../host/results/capacity.js';
import { nameOfLogNumber } from '../../../host/trace/trace.js';
import type { GanttBlockColumns, TimeSpanMetrics } from '../protocol.js';
import type { StoredRun } from './run.js';

/** Number of users listed. */
const MAX_LISTED_USER_COUNT = 3;

/** Fenwick tree: numbers by index, with sums of prefixes. */
class FenwickTree {
  readonly #tree: Float64Array;

  constructor(size: number) {
    this.#tree = new Float64Array(size + 1);
  }

  add(valueIndex: number, amount: number): void {
    for (let i = valueIndex + 1; i < this.#tree.length; i += i & -i) this.#tree[i] += amount;
  }

  sumOfPrefixUpTo(valueIndex: number): number {
    let sum = 0;
    for (let i = Math.min(valueIndex + 1, this.#tree.length - 1); i > 0; i -= i & -i) sum += this.#tree[i];
    return sum;
  }
}

/** Free processors per site, with their maximum. */
class FreeProcessorsBySite {
  mostFree: number;
  readonly #free: Int32Array;
  /** Number of sites for each count of free processors. */
  readonly #siteCountByFree: Int32Array;

  constructor(capacities: readonly number[]) {
    this.#free = Int32Array.from(capacities);
    this.mostFree = this.#free.reduce((most, freeProcessors) => Math.max(most, freeProcessors), 0);
    this.#siteCountByFree = new Int32Array(this.mostFree + 1);
    for (const freeProcessors of this.#free) this.#siteCountByFree[freeProcessors]++;
  }

  changeFreeProcessors(site: number, freeProcessorChange: number): void {
    this.#siteCountByFree[this.#free[site]]--;
    this.#free[site] += freeProcessorChange;
    this.#siteCountByFree[this.#free[site]]++;
    this.mostFree = Math.max(this.mostFree, this.#free[site]);
    while (this.mostFree > 0 && this.#siteCountByFree[this.mostFree] === 0) this.mostFree--;
  }
}

interface TimedChange {
  readonly time: number;
  readonly applyChange: () => void;
}

/**
 * Returns the waiting job-seconds in a span, and those among them during which a site had enough free
 * processors for the job.
 */
function computeWaitingJobSeconds(
  { experiment, simulation, absences = [] }: StoredRun,
  { site, start, end, first: firstProcessors, after: endProcessors }: GanttBlockColumns,
  [from, to]: readonly [number, number],
): { readonly totalSeconds: number; readonly withRoom: number } {
  const { workload } = experiment;
  const { capacities } = simulation.grid;
  const freeBySite = new FreeProcessorsBySite(capacities);
  const waitingJobCountsByWidth = new FenwickTree(Math.max(...workload.processors, freeBySite.mostFree) + 1);
  const changes: TimedChange[] = [];
  const addTemporaryChange = (
    changeBeginTime: number,
    endOfChange: number,
    applyChange: (sign: 1 | -1) => void,
  ) => {
    if (changeBeginTime >= to || endOfChange <= from || endOfChange <= changeBeginTime) return;
    changes.push({ time: Math.max(changeBeginTime, from), applyChange: () => applyChange(1) });
    if (endOfChange < to) changes.push({ time: endOfChange, applyChange: () => applyChange(-1) });
  };
  for (let i = 0; i < start.length; i++)
    addTemporaryChange(start[i], end[i], (sign) =>
      freeBySite.changeFreeProcessors(site[i], sign * (firstProcessors[i] - endProcessors[i])),
    );
  for (const absence of absences)
    addTemporaryChange(absence.start, absence.end, (sign) =>
      freeBySite.changeFreeProcessors(absence.site, -sign * absence.processors),
    );
  let waitingJobCount = 0;
  simulation.schedule.start.forEach((startTime, job) => {
    addTemporaryChange(simulation.schedule.submit[job], startTime, (sign) => {
      waitingJobCount += sign;
      waitingJobCountsByWidth.add(workload.processors[job], sign);
    });
  });
  // At equal times, ends must not come before starts, which would free more processors than a site has; the
  // order does not change the integral.
  changes.sort((a, b) => a.time - b.time);
  let [totalSeconds, withRoom, currentTime] = [0, 0, from];
  for (const { time, applyChange } of [...changes, { time: to, applyChange: () => {} }]) {
    totalSeconds += waitingJobCount * (time - currentTime);
    if (time > currentTime)
      withRoom += waitingJobCountsByWidth.sumOfPrefixUpTo(freeBySite.mostFree) * (time - currentTime);
    applyChange();
    currentTime = time;
  }
  return { totalSeconds, withRoom };
}

/** Returns the users with the most processor time, and their shares. */
function findTopUsersInSpan(
  { experiment }: StoredRun,
  blocks: GanttBlockColumns,
  [from, to]: readonly [number, number],
): TimeSpanMetrics['holders'] {
  const { log, names: namesByKind } = experiment.workload;
  const processorSecondsByUser = new Map<number, number>();
  let totalWork = 0;
  blocks.job.forEach((job, i) => {
    const seconds = Math.min(blocks.end[i], to) - Math.max(blocks.start[i], from);
    if (seconds <= 0) return;
    const processorSecondsInSpan = seconds * (blocks.after[i] - blocks.first[i]);
    const userNumber = log?.user[job] ?? -1;
    processorSecondsByUser.set(
      userNumber,
      (processorSecondsByUser.get(userNumber) ?? 0) + processorSecondsInSpan,
    );
    totalWork += processorSecondsInSpan;
  });
  processorSecondsByUser.delete(-1);
  return [...processorSecondsByUser]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_LISTED_USER_COUNT)
    .map(([userNumber, work]) => ({
      name: `user ${nameOfLogNumber(namesByKind, 'user', userNumber)}`,
      share: work / totalWork,
    }));
}

/** Returns the processor-seconds of some absences in a span. */
function sumAbsentProcessorSeconds(
  absences: readonly Absence[],
  [from, to]: readonly [number, number],
): number {
  return absences.reduce(
    (sum, { start, end, processors }) =>
      sum + processors * Math.max(0, Math.min(end, to) - Math.max(start, from)),
    0,
  );
}

/** Returns all metrics of a time span of a run. */
export function computeTimeSpanMetrics(run: StoredRun, from: number, to: number): TimeSpanMetrics {
  const { simulation, blocks } = run;
  const { start, submit, execution } = simulation.schedule;
  let [jobs, withoutWait, totalWait, longestWait, totalSlowdown] = [0, 0, 0, 0, 0];
  start.forEach((startTime, job) => {
    if (submit[job] < from || submit[job] >= to) return;
    const wait = startTime - submit[job];
    jobs++;
    if (wait === 0) withoutWait++;
    totalWait += wait;
    longestWait = Math.max(longestWait, wait);
    totalSlowdown += computeQuantityOfJob('boundedSlowdown', submit[job], startTime, execution[job]);
  });
  let busyProcessorSeconds = 0;
  for (let i = 0; i < blocks.job.length; i++) {
    const seconds = Math.min(blocks.end[i], to) - Math.max(blocks.start[i], from);
    if (seconds > 0) busyProcessorSeconds += seconds * (blocks.after[i] - blocks.first[i]);
  }
  const processors = simulation.grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const availableProcessorSeconds =
    processors * (to - from) - sumAbsentProcessorSeconds(run.absences ?? [], [from, to]);
  const { totalSeconds, withRoom } = computeWaitingJobSeconds(run, blocks, [from, to]);
  return {
    ...{ jobs, withoutWait, longestWait },
    meanWait: jobs === 0 ? 0 : totalWait / jobs,
    slowdown: jobs === 0 ? 0 : totalSlowdown / jobs,
    utilization: availableProcessorSeconds === 0 ? 0 : busyProcessorSeconds / availableProcessorSeconds,
    waiting: totalSeconds / (to - from),
    enoughFree: totalSeconds === 0 ? 0 : withRoom / totalSeconds,
    tooFewFree: totalSeconds === 0 ? 0 : 1 - withRoom / totalSeconds,
    holders: findTopUsersInSpan(run, blocks, [from, to]),
  };
}
