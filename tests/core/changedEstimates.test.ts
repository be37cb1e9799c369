import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CoreRun, instantiateCore, LiveRun, Refusal } from '../../host/core/host.js';
import { CoreCallRefusal } from '../../host/core/instance.js';
import type { LiveStateJob } from '../../host/core/live.js';
import { coreFile } from '../../host/files/coreFile.js';
import { makeCoreInputColumns, makeCoreRunSettings } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { findDifferingColumns, OpenTable, RunWithAppendedJobs } from './openRuns.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/** Tests open runs in which the host changes estimates of jobs. */

/** Decision of a host policy about the next job, which depends only on the state of the run. */
const decide = (run: CoreRun, job = run.decision('Job')) =>
  run.decision(job % 2 === 0 ? 'BestFit' : 'FastestFirst');

/** Appends the jobs submitted up to a time. */
function appendJobsSubmittedUntil(run: RunWithAppendedJobs, submits: ArrayLike<number>, time: number): void {
  const { openTable } = run;
  let newJobCount = 0;
  while (
    openTable.knownCount + newJobCount < submits.length &&
    submits[openTable.knownCount + newJobCount]! <= time
  )
    newJobCount++;
  expect(openTable.append(newJobCount)).toBe(run.core.Status.Finished);
  run.giveColumns();
}

/**
 * Runs to the end and tells the run the estimates of jobs, at random times before they are submitted; the
 * submissions of these jobs ascend.
 */
function runWithChangedEstimates(
  run: RunWithAppendedJobs,
  random: SeededDraws,
  submits: ArrayLike<number>,
  estimates: readonly (readonly [job: number, estimate: number])[],
): void {
  const { core, block, jobs } = run;
  let handledUntilTime = 0;
  for (const [job, estimate] of estimates) {
    const submit = submits[job]!;
    const pause = handledUntilTime + (submit - handledUntilTime) * random.pick([0, 0.5, 0.99]);
    if (pause > handledUntilTime && pause < submit) {
      appendJobsSubmittedUntil(run, submits, pause);
      expect(run.runUntil(pause)).toBe(false);
      handledUntilTime = pause;
      if (random.oneIn(3)) run.compact();
    }
    appendJobsSubmittedUntil(run, submits, submit);
    run.check(core.changeEstimate(block, jobs.table, run.openTable.rowOf(job), estimate));
  }
  appendJobsSubmittedUntil(run, submits, Number.POSITIVE_INFINITY);
  run.close();
  run.run();
}

const TESTED_CASE_KINDS = OPEN_CASE_KINDS.filter(([name]) => name !== 'estimates by recent jobs');

test.each(TESTED_CASE_KINDS)(
  '%s: estimates that a run gets before the submissions give the bytes of the log that has them',
  (_, draw, cases) => {
    let acceptedEstimateCount = 0;
    let announcedEstimateCount = 0;
    let refusedEstimateCount = 0;
    for (const seed of listCaseSeeds(cases / 3)) {
      const { jobs, options } = removeIneffectiveOptions(draw(300_000 + seed));
      if (options.recent !== undefined) continue;
      const random = new SeededDraws(seed);
      const configuration = makeConfigurationFromReference(options, seed % 5 === 0);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      completeSimulator.begin(configuration);
      completeSimulator.coreRun.decide = (coreRun) => decide(coreRun);
      completeSimulator.coreRun.run();
      const settings = makeCoreRunSettings(workload, configuration);
      const openTable = new OpenTable(completeSimulator.coreRun);
      const { core, table, count: jobCount } = completeSimulator.coreRun.jobs;
      const requests = new Float64Array(
        core.memory.buffer,
        core.jobColumnAddress(table, core.JobColumn.Estimate),
        jobCount,
      ).slice();
      const changedRequests = Array.from(requests, (estimate, job) => [job, estimate] as const).filter(() =>
        random.oneIn(2),
      );
      const initialEstimates = requests.slice();
      for (const [job, estimate] of changedRequests)
        initialEstimates[job] = random.pick([estimate / 2, 2 * estimate + 1, 7]);
      openTable.replacements = { Estimate: initialEstimates };
      openTable.append(0);
      const run = new RunWithAppendedJobs(completeSimulator.coreRun, openTable);
      run.decide = (coreRun) => decide(coreRun, openTable.jobOfRow[coreRun.decision('Job')]!);
      try {
        run.beginOpen({
          ...settings,
          sites: makeCoreInputColumns(configuration, [], workload),
          options: { ...settings.options, Cancellations: 2 },
          room: { ...settings.room, Estimates: 1 },
        });
        runWithChangedEstimates(run, random, workload.submit, changedRequests);
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        refusedEstimateCount++;
        continue;
      }
      acceptedEstimateCount++;
      announcedEstimateCount += changedRequests.length;
      expect(findDifferingColumns(run, completeSimulator.coreRun), `seed ${seed}`).toEqual([]);
    }
    if (doesRunCoverRareCases) expect(acceptedEstimateCount + refusedEstimateCount).toBeGreaterThan(0);
    if (acceptedEstimateCount > 2) expect(announcedEstimateCount).toBeGreaterThan(acceptedEstimateCount);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

const core = instantiateCore(readFileSync(coreFile('checked')));
const RULES = [
  { policy: 'best-fit', options: { Order: 'Shortest' } },
  { policy: 'best-fit', options: { Discipline: 'FirstAvailable', Order: 'Longest' } },
  { policy: 'fastest-first', options: { Discipline: 'Easy', Selection: 'Allocator', Order: 'Shortest' } },
  { options: { Discipline: 'Easy', Selection: 'Greedy', BackfillOrder: 'Longest', Order: 'Widest' } },
  { options: { Discipline: 'Easy', Selection: 'Greedy', ReservationDepth: 3, Order: 'Wfp3' } },
  { options: { Discipline: 'Conservative', Selection: 'Greedy', Order: 'Shortest' } },
  { options: { Discipline: 'Conservative', Selection: 'Greedy', Reservations: 'Kept', Order: 'Shortest' } },
] as const;

/** Values that mark a reservation as displaced. */
const DISPLACED_RESERVATION_BITS = 2 ** 30 + 2 ** 29;

/** A job as a live run takes it, with all that the tests change. */
type TestJob = LiveStateJob & { readonly Estimate: number };

/**
 * Starts of all jobs of a live run in a run that begins from its state, in which a job has another estimate.
 * With kept reservations, waiting jobs have those that the live run had before the change. A job that waited
 * then comes after the others, which take what it has left: so does everything after the cancellation of a
 * job with the last reservation.
 */
function simulateStartsFromState(
  settings: (typeof RULES)[number],
  sites: object,
  live: LiveRun,
  { jobs, time, changed }: { jobs: readonly TestJob[]; time: number; changed: number },
): (number | undefined)[] {
  const hasKeptReservations = 'Reservations' in settings.options;
  const isLast = hasKeptReservations && live.startOf(changed) === undefined;
  const [starts, reservedSites] = hasKeptReservations
    ? [live.run.column('ReservedStart'), live.run.column('ReservedSite')]
    : [[], []];
  const liveNumbers: number[] = [];
  const liveState: LiveStateJob[] = [];
  for (const [number, job] of jobs.entries()) {
    const startOfRunOrUndefined = live.startOf(number);
    if (
      (startOfRunOrUndefined !== undefined && startOfRunOrUndefined.end <= time) ||
      (isLast && number === changed)
    )
      continue;
    liveNumbers[number] = liveState.length;
    if (startOfRunOrUndefined !== undefined)
      liveState.push({ ...job, start: startOfRunOrUndefined.start, site: startOfRunOrUndefined.site });
    else if (
      hasKeptReservations &&
      (reservedSites[number]! & DISPLACED_RESERVATION_BITS) === 0 &&
      starts[number]! >= time
    )
      liveState.push({ ...job, reservation: { start: starts[number]!, site: reservedSites[number]! } });
    else liveState.push(job);
  }
  const helperJob = { Submit: time, Runtime: 1, Processors: 1, Estimate: 1 };
  if (hasKeptReservations) liveState.push({ ...helperJob, reservation: { start: 1e9, site: 0 } });
  const options = { ...settings.options, Cancellations: 2 };
  const liveSettings = {
    ...settings,
    capacity: jobs.length + 3,
    sites,
    options,
    state: { time, jobs: liveState },
  };
  const otherRun = new LiveRun(core, liveSettings as ConstructorParameters<typeof LiveRun>[1]);
  if (hasKeptReservations) otherRun.remove(liveState.length - 1, time);
  otherRun.advance(time);
  if (isLast) liveNumbers[changed] = otherRun.submit({ ...jobs[changed]!, Submit: time });
  otherRun.finish();
  const startsInRunFromState = jobs.map((_, number) =>
    liveNumbers[number] === undefined
      ? live.startOf(number)?.start
      : otherRun.startOf(liveNumbers[number])?.start,
  );
  otherRun.dispose();
  return startsInRunFromState;
}

test.each(RULES)('%o: a job with another estimate is one of a run that begins now', (settings) => {
  let waitingJobCount = 0;
  let startedJobCount = 0;
  let movedStartCount = 0;
  for (const seed of listCaseSeeds(400)) {
    const random = new SeededDraws(seed);
    // Under EASY on several sites, another pass of the same time may start more jobs.
    const isEasyDiscipline = 'Discipline' in settings.options && settings.options.Discipline === 'Easy';
    const hasSeveralSites = !isEasyDiscipline && random.oneIn(2);
    const sites = hasSeveralSites ? { Capacity: [6, 9], Speed: [1, 2] } : { Capacity: [9], Speed: [1] };
    const options = { ...settings.options, Cancellations: 2 };
    const live = new LiveRun(core, { capacity: 60, sites, ...settings, options, room: { Estimates: 1 } });
    const jobs: TestJob[] = [];
    let time = 0;
    for (let stepNumber = 0; stepNumber < 20; stepNumber++) {
      time += random.below(6);
      const Runtime = 1 + random.below(30) + Math.sqrt(stepNumber) / 8;
      const Estimate = Runtime * random.pick([1, 1, 2, 0.5]) + Math.sqrt(stepNumber) / 64;
      const job = { Submit: time, Runtime, Processors: 1 + random.below(9), Estimate };
      jobs[live.submit(job)] = job;
      // No event but those of the host comes at these times.
      time += 1 / 128;
      live.advance(time);
      const candidates = random.oneIn(2) ? live.waiting : live.running;
      if (!random.oneIn(3) || candidates.length === 0) continue;
      const changedRequests = random.pick(candidates);
      const laterEstimate =
        jobs[changedRequests]!.Estimate * random.pick([0.25, 3]) + Math.sqrt(stepNumber) / 32;
      const changedJobs = jobs.with(changedRequests, { ...jobs[changedRequests]!, Estimate: laterEstimate });
      const forkBeforeChange = live.fork();
      forkBeforeChange.runUntil(Number.POSITIVE_INFINITY);
      const startsOfRunFromState = simulateStartsFromState(settings, sites, live, {
        jobs: changedJobs,
        time,
        changed: changedRequests,
      });
      if (live.startOf(changedRequests) === undefined) waitingJobCount++;
      else startedJobCount++;
      live.changeEstimate(changedRequests, laterEstimate);
      jobs[changedRequests] = changedJobs[changedRequests]!;
      const fork = live.fork();
      fork.runUntil(Number.POSITIVE_INFINITY);
      const startTimes = Array.from(fork.column('Start')).slice(0, jobs.length);
      const startsAfterChange = startTimes.map((start, number) => live.startOf(number)?.start ?? start);
      expect(startsAfterChange, `seed ${seed}, step ${stepNumber}`).toEqual(startsOfRunFromState);
      const startsWithoutChange = Array.from(forkBeforeChange.column('Start')).slice(0, jobs.length);
      if (startTimes.some((start, number) => start !== startsWithoutChange[number])) movedStartCount++;
      for (const run of [forkBeforeChange, fork]) run.dispose();
    }
    live.dispose();
  }
  expect(waitingJobCount).toBeGreaterThan(0);
  expect(startedJobCount).toBeGreaterThan(0);
  expect(movedStartCount).toBeGreaterThan(0);
});

const catchRefusalStatus = (call: () => void): string | undefined => {
  try {
    call();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Object.entries(core.Status).find(([, value]) => value === error.status)?.[0];
  }
};

test('estimates that a run does not take; held jobs, and jobs whose estimate nothing uses', () => {
  const sites = { Capacity: [4], Speed: [1] };
  const easyOptions = { Discipline: 'Easy', Selection: 'Greedy', Cancellations: 2 };
  const begin = (options: object, room: object = { Estimates: 1 }) => {
    const live = new LiveRun(core, { capacity: 10, sites, options: { ...easyOptions, ...options }, room });
    for (const Processors of [3, 4, 1]) live.submit({ Submit: 0, Runtime: 20, Processors });
    return live;
  };
  const live = begin({});
  live.changeEstimate(1, 5);
  live.advance(1);
  for (const estimate of [Number.NaN, -1, Number.POSITIVE_INFINITY, 2e15])
    expect(catchRefusalStatus(() => live.changeEstimate(1, estimate))).toBe('JobEstimateInvalid');
  for (const job of [3, -1])
    expect(catchRefusalStatus(() => live.changeEstimate(job, 5))).toBe('JobInactive');
  expect(Array.from(live.run.column('Estimate')).slice(0, 3)).toEqual([20, 5, 20]);
  live.hold(1);
  live.changeEstimate(1, 7);
  live.release(1);
  live.remove(1, 3);
  live.advance(20);
  for (const job of [0, 1]) expect(catchRefusalStatus(() => live.changeEstimate(job, 5))).toBe('JobInactive');
  expect(catchRefusalStatus(() => begin({}, {}).changeEstimate(0, 5))).toBe('RoomTooSmall');
  expect(catchRefusalStatus(() => begin({ Cancellations: 0 }).changeEstimate(0, 5))).toBe('OptionsConflict');
  const plainOptions = { Discipline: 'FirstComeFirstServed', Selection: 'Allocator' };
  expect(catchRefusalStatus(() => begin({ ...plainOptions, NoEstimates: 1 }).changeEstimate(0, 5))).toBe(
    'OptionsConflict',
  );
  const runThatIgnoresEstimates = begin(plainOptions);
  runThatIgnoresEstimates.advance(1);
  for (const job of [0, 1]) runThatIgnoresEstimates.changeEstimate(job, 5);
  expect([runThatIgnoresEstimates.nextEventTime, runThatIgnoresEstimates.waiting]).toEqual([20, [1, 2]]);
});
