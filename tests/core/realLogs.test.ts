import { beforeAll, describe, expect, test } from 'vitest';
import { policies } from '../../host/core/policies.js';
import { readTrace } from '../../host/files/traceFiles.js';
import { type Grid, makeGrid } from '../../host/grid/grid.js';
import { type Simulation, simulate } from '../../host/simulate/simulate.js';
import { makeWorkload } from '../../host/workload/make.js';
import type { Workload } from '../../host/workload/workload.js';
import { findTraceFilePath } from '../traces.js';

/** Invariants of every schedule, checked on real logs by code that does not use the core. */

const grid = makeGrid({ capacities: [8, 128, 128, 128, 50], speeds: [0.7, 1.3, 0.8, 1.1, 0.9] });

/** Starts and ends of jobs in order of time; of simultaneous ones, ends come first. */
function listStartsAndEndsInOrder({
  workload,
  schedule,
}: Simulation): { time: number; job: number; starts: boolean }[] {
  const events = Array.from({ length: workload.count }, (_, job) => [
    { time: schedule.start[job], job, starts: true },
    { time: schedule.start[job] + schedule.execution[job], job, starts: false },
  ]).flat();
  const rankEventAtSameTime = (jobEvent: { starts: boolean; job: number }) =>
    jobEvent.starts ? (schedule.execution[jobEvent.job] === 0 ? 0 : 2) : 1;
  return events.sort(
    (a, b) => a.time - b.time || rankEventAtSameTime(a) - rankEventAtSameTime(b) || a.job - b.job,
  );
}

/**
 * Checks that no site has more processors in use than its capacity, and no processor serves two
 * jobs at once.
 */
function expectNoOvercommitment(simulation: Simulation, { capacities }: Grid): void {
  const { workload, schedule, processorSets } = simulation;
  const holder = new Int32Array(capacities.reduce((sum, capacity) => sum + capacity, 0)).fill(-1);
  const firstProcessorsOfSites = capacities.map((_, j) =>
    capacities.slice(0, j).reduce((sum, capacity) => sum + capacity, 0),
  );
  const processorClashMessages: string[] = [];
  for (const { job, starts: isStart } of listStartsAndEndsInOrder(simulation)) {
    if (schedule.execution[job] === 0) continue;
    const site = schedule.site[job];
    let heldCount = 0;
    for (let pairIndex = processorSets!.firstPair[job]; heldCount < workload.processors[job]; pairIndex++) {
      for (
        let processor = processorSets!.pairs[2 * pairIndex];
        processor <= processorSets!.pairs[2 * pairIndex + 1];
        processor++
      ) {
        const isHere =
          processor >= firstProcessorsOfSites[site] &&
          processor < firstProcessorsOfSites[site] + capacities[site];
        if (!isHere || holder[processor] !== (isStart ? -1 : job))
          processorClashMessages.push(`job ${job}, processor ${processor}`);
        holder[processor] = isStart ? job : -1;
        heldCount++;
      }
    }
    if (heldCount !== workload.processors[job])
      processorClashMessages.push(`job ${job} holds ${heldCount} processors`);
  }
  expect(processorClashMessages).toEqual([]);
}

/** Checks that jobs start in order of submission, and none before its submission. */
function expectSubmitOrder({ workload, schedule }: Simulation): void {
  let orderViolationCount = 0;
  for (let job = 0; job < workload.count; job++) {
    if (schedule.start[job] < workload.submit[job]) orderViolationCount++;
    if (job > 0 && schedule.start[job] < schedule.start[job - 1]) orderViolationCount++;
  }
  expect(orderViolationCount).toBe(0);
}

/** Checks that the head of the queue never waited while a site had enough free processors for it. */
function expectHeadNeverWaitsInVain(simulation: Simulation, { capacities }: Grid): void {
  const { workload, schedule } = simulation;
  const freeProcessorsBySite = [...capacities];
  const events = listStartsAndEndsInOrder(simulation);
  const jobsWaitingNeedlessly: number[] = [];
  let startedCount = 0;
  for (let i = 0; i < events.length; i++) {
    const { time, job, starts: isStart } = events[i];
    freeProcessorsBySite[schedule.site[job]] += isStart
      ? -workload.processors[job]
      : workload.processors[job];
    if (isStart) startedCount++;
    const isLastEventOfInstant = i + 1 === events.length || events[i + 1].time > time;
    const isWaiting = startedCount < workload.count && workload.submit[startedCount] <= time;
    if (
      isLastEventOfInstant &&
      isWaiting &&
      freeProcessorsBySite.some((freeProcessors) => freeProcessors >= workload.processors[startedCount])
    )
      jobsWaitingNeedlessly.push(startedCount);
  }
  expect(jobsWaitingNeedlessly).toEqual([]);
}

describe.each([
  ['sdsc-sp2-54041.swf.gz', 2.5],
  ['KTH-SP2-1996-2.1-cln.swf.gz', 4],
])('%s at load %d', (name, load) => {
  const file = findTraceFilePath(name);
  let workload: Workload;

  beforeAll(async () => {
    if (file === undefined) return;
    workload = makeWorkload(await readTrace(file), { siteCount: grid.capacities.length });
  });

  test.skipIf(file === undefined)('every record is kept or counted under a rule', () => {
    const { read: readCount, kept: keptCount, dropped: droppedRecords } = workload.accounting;
    expect(readCount).toBe(keptCount + droppedRecords.reduce((sum, rule) => sum + rule.count, 0));
    expect(workload.count).toBe(keptCount);
  });

  test.skipIf(file === undefined).each(policies().map((policy) => policy.name))('%s', (policy) => {
    const simulation = simulate(workload, grid, {
      policy,
      load,
      timeResolution: 'nearest',
      processorSets: true,
    });
    expect(simulation.summary.jobs).toBe(workload.count);
    expect(simulation.summary.sites.reduce((sum, site) => sum + site.jobs, 0)).toBe(workload.count);
    expect(simulation.summary.homes.reduce((sum, home) => sum + home.jobs, 0)).toBe(workload.count);
    expectSubmitOrder(simulation);
    expectNoOvercommitment(simulation, grid);
    expectHeadNeverWaitsInVain(simulation, grid);
  });
});
