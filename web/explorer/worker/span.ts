/**
 * Metrics of a time span: its jobs, its utilization, and the reasons for waits in it (too few free
 * processors, or other jobs first).
 */
import { quantityOfJob } from '../../../host/jobs/quantities.js';
import type { Absence } from '../../../host/results/capacity.js';
import { nameOfLogNumber } from '../../../host/trace/trace.js';
import type { GanttBlockColumns, TimeSpanMetrics } from '../protocol.js';
import type { StoredRun } from './run.js';

/** Number of users listed. */
const MAX_LISTED_USERS = 3;

/** Fenwick tree: numbers by index, with sums of prefixes. */
class FenwickTree {
  readonly #tree: Float64Array;

  constructor(size: number) {
    this.#tree = new Float64Array(size + 1);
  }

  add(valueIndex: number, amount: number): void {
    for (let i = valueIndex + 1; i < this.#tree.length; i += i & -i) this.#tree[i] += amount;
  }

  sumUpTo(valueIndex: number): number {
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

  changeFree(site: number, processorChange: number): void {
    this.#siteCountByFree[this.#free[site]]--;
    this.#free[site] += processorChange;
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
function waitingJobSecondsInSpan(
  { experiment, simulation, absences = [] }: StoredRun,
  { site, start, end, first: firstProcessors, after: endProcessors }: GanttBlockColumns,
  [from, to]: readonly [number, number],
): { readonly totalSeconds: number; readonly withRoom: number } {
  const { workload } = experiment;
  const { capacities } = simulation.grid;
  const freeBySite = new FreeProcessorsBySite(capacities);
  const waitingByWidth = new FenwickTree(Math.max(...workload.processors, freeBySite.mostFree) + 1);
  const changes: TimedChange[] = [];
  const addDuring = (changeBegin: number, changeEnd: number, applyChange: (sign: 1 | -1) => void) => {
    if (changeBegin >= to || changeEnd <= from || changeEnd <= changeBegin) return;
    changes.push({ time: Math.max(changeBegin, from), applyChange: () => applyChange(1) });
    if (changeEnd < to) changes.push({ time: changeEnd, applyChange: () => applyChange(-1) });
  };
  for (let i = 0; i < start.length; i++)
    addDuring(start[i], end[i], (sign) =>
      freeBySite.changeFree(site[i], sign * (firstProcessors[i] - endProcessors[i])),
    );
  for (const absence of absences)
    addDuring(absence.start, absence.end, (sign) =>
      freeBySite.changeFree(absence.site, -sign * absence.processors),
    );
  let waitingCount = 0;
  simulation.schedule.start.forEach((jobStart, job) => {
    addDuring(simulation.schedule.submit[job], jobStart, (sign) => {
      waitingCount += sign;
      waitingByWidth.add(workload.processors[job], sign);
    });
  });
  // At equal times, ends must not come before starts, which would free more processors than a site has; the
  // order does not change the integral.
  changes.sort((a, b) => a.time - b.time);
  let [totalSeconds, withRoom, currentTime] = [0, 0, from];
  for (const { time, applyChange } of [...changes, { time: to, applyChange: () => {} }]) {
    totalSeconds += waitingCount * (time - currentTime);
    if (time > currentTime) withRoom += waitingByWidth.sumUpTo(freeBySite.mostFree) * (time - currentTime);
    applyChange();
    currentTime = time;
  }
  return { totalSeconds, withRoom };
}

/** Returns the users with the most processor time, and their shares. */
function topUsersInSpan(
  { experiment }: StoredRun,
  blocks: GanttBlockColumns,
  [from, to]: readonly [number, number],
): TimeSpanMetrics['holders'] {
  const { log, names: namesByKind } = experiment.workload;
  const workByUser = new Map<number, number>();
  let totalWork = 0;
  blocks.job.forEach((job, i) => {
    const seconds = Math.min(blocks.end[i], to) - Math.max(blocks.start[i], from);
    if (seconds <= 0) return;
    const workInSpan = seconds * (blocks.after[i] - blocks.first[i]);
    const userNumber = log?.user[job] ?? -1;
    workByUser.set(userNumber, (workByUser.get(userNumber) ?? 0) + workInSpan);
    totalWork += workInSpan;
  });
  workByUser.delete(-1);
  return [...workByUser]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_LISTED_USERS)
    .map(([userNumber, work]) => ({
      name: `user ${nameOfLogNumber(namesByKind, 'user', userNumber)}`,
      share: work / totalWork,
    }));
}

/** Returns the processor-seconds of some absences in a span. */
function absentProcessorSecondsInSpan(
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
export function metricsOfTimeSpan(run: StoredRun, from: number, to: number): TimeSpanMetrics {
  const { simulation, blocks } = run;
  const { start, submit, execution } = simulation.schedule;
  let [jobs, withoutWait, totalWait, longestWait, totalSlowdown] = [0, 0, 0, 0, 0];
  start.forEach((jobStart, job) => {
    if (submit[job] < from || submit[job] >= to) return;
    const wait = jobStart - submit[job];
    jobs++;
    if (wait === 0) withoutWait++;
    totalWait += wait;
    longestWait = Math.max(longestWait, wait);
    totalSlowdown += quantityOfJob('boundedSlowdown', submit[job], jobStart, execution[job]);
  });
  let busyProcessorSeconds = 0;
  for (let i = 0; i < blocks.job.length; i++) {
    const seconds = Math.min(blocks.end[i], to) - Math.max(blocks.start[i], from);
    if (seconds > 0) busyProcessorSeconds += seconds * (blocks.after[i] - blocks.first[i]);
  }
  const processors = simulation.grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const availableProcessorSeconds =
    processors * (to - from) - absentProcessorSecondsInSpan(run.absences ?? [], [from, to]);
  const { totalSeconds, withRoom } = waitingJobSecondsInSpan(run, blocks, [from, to]);
  return {
    ...{ jobs, withoutWait, longestWait },
    meanWait: jobs === 0 ? 0 : totalWait / jobs,
    slowdown: jobs === 0 ? 0 : totalSlowdown / jobs,
    utilization: availableProcessorSeconds === 0 ? 0 : busyProcessorSeconds / availableProcessorSeconds,
    waiting: totalSeconds / (to - from),
    enoughFree: totalSeconds === 0 ? 0 : withRoom / totalSeconds,
    tooFewFree: totalSeconds === 0 ? 0 : 1 - withRoom / totalSeconds,
    holders: topUsersInSpan(run, blocks, [from, to]),
  };
}
