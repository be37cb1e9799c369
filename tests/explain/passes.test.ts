import { describe, expect, test } from 'vitest';
import type { WaitPeriod } from '../../host/explain/explanation.js';
import { formatExplanation } from '../../host/reports/waitReasons.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { makeTerminalColors } from '../../host/view/terminal.js';
import { expectFrequent, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import {
  listPartsOfJobs,
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
} from '../core/simulateCore.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { randomKeptPassCase } from '../reference/cases/keptPasses.js';
import { randomNodePlanCase, randomPassCase } from '../reference/cases/passes.js';
import { EXPLAINED_CASE_KINDS, explainShortJobs, recordAndExplainJob } from './explainCase.js';

/**
 * Tests explanations of jobs that wait for a scheduling pass: the times in the sentence must be those of the
 * schedule.
 */

/**
 * Schedule computed by the release build, and the times at which processors are allocated and freed, in order
 * of time.
 */
function simulateScheduleOfCase({ jobs, options }: RandomCase) {
  const release = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options));
  release.begin(makeConfigurationFromReference(options, false));
  release.run();
  const { start, execution, submit } = release.schedule();
  const changes = listPartsOfJobs(release).flatMap((allocatedPartsOfJob, job) =>
    allocatedPartsOfJob.flatMap(({ site, processors }) => [
      { time: start[job]!, job, site, change: -processors },
      { time: start[job]! + execution[job]! + (options.releaseDelay ?? 0), job, site, change: processors },
    ]),
  );
  return { start, submit, changes: changes.sort((left, right) => left.time - right.time) };
}

/** The time from which a job had room on some site until it started, by the schedule. */
function findTimeJobFirstHadRoom(
  { jobs, options }: RandomCase,
  { changes, submit, start }: ReturnType<typeof simulateScheduleOfCase>,
  job: number,
): number {
  const [from, startTime] = [submit[job]!, start[job]!];
  const freeProcessors = [...options.capacities];
  const home = jobs[job]!.home;
  const doesJobFitNow = () =>
    freeProcessors.some(
      (processors, site) =>
        (options.queue !== 'independent' || site === home) &&
        processors >= jobs[job]!.processors &&
        options.speeds[site]! >= options.minSpeedRatio * options.speeds[home]!,
    );
  let timeFromWhichJobFits = doesJobFitNow() ? from : Number.NaN;
  // Events in the instant of the start leave enough free processors for the job, since it starts.
  for (let i = 0; i < changes.length && changes[i]!.time < startTime; i++) {
    const { time, site, change } = changes[i]!;
    freeProcessors[site]! += change;
    if (changes[i + 1]?.time === time) continue;
    if (!doesJobFitNow()) timeFromWhichJobFits = Number.NaN;
    else if (Number.isNaN(timeFromWhichJobFits)) timeFromWhichJobFits = Math.max(time, from);
  }
  return Number.isNaN(timeFromWhichJobFits) ? startTime : timeFromWhichJobFits;
}

/** Distance in seconds at which an explanation no longer tells a time from that of a backfill pass. */
const TIME_TOLERANCE = 1e-6;

/**
 * Scheduling pass that must have started a job, derived from the options independently of the explanation.
 */
function computeExpectedPass(
  randomCase: RandomCase,
  schedule: ReturnType<typeof simulateScheduleOfCase>,
  job: number,
): WaitPeriod['pass'] {
  const {
    backfillInterval = 0,
    backfillOffset = backfillInterval / 2,
    passGap = 0,
    passDelay,
  } = randomCase.options;
  const { submit = 0, end = 0 } = passDelay ?? {};
  const startTime = schedule.start[job]!;
  // Independent sites have passes of their own, from the first submission to the site on.
  const isIndependent = randomCase.options.queue === 'independent';
  const { home } = randomCase.jobs[job]!;
  const sharingPasses = randomCase.jobs.filter((otherJob) => !isIndependent || otherJob.home === home);
  const firstPass = Math.min(...sharingPasses.map((otherJob) => otherJob.submit)) + backfillOffset;
  // Times of backfill passes around the start.
  let indexOfLastPass = -1;
  while (
    backfillInterval > 0 &&
    firstPass + (indexOfLastPass + 1) * backfillInterval < startTime - TIME_TOLERANCE
  )
    indexOfLastPass++;
  const nextPassTime = firstPass + (indexOfLastPass + 1) * backfillInterval;
  const isBackfill = backfillInterval > 0 && Math.abs(nextPassTime - startTime) <= TIME_TOLERANCE;
  const previousNumber =
    indexOfLastPass < 0 ? Number.NEGATIVE_INFINITY : firstPass + indexOfLastPass * backfillInterval;
  const timeFromWhichJobFits = findTimeJobFirstHadRoom(randomCase, schedule, job);
  const isNew = isBackfill
    ? timeFromWhichJobFits > previousNumber
    : timeFromWhichJobFits >= startTime - Math.max(submit, end, passGap);
  return {
    kind: isBackfill ? 'backfill' : 'main',
    ...(timeFromWhichJobFits < startTime && isNew && { roomSince: timeFromWhichJobFits }),
  };
}

/**
 * True if no job is split over sites, preempted or resized, and no processors are gone, so that a job has room
 * if a single site has enough free processors.
 */
const isRoomKnownFromSchedule = (
  { jobs, options }: RandomCase,
  schedule: ReturnType<typeof simulateScheduleOfCase>,
) =>
  options.moldable === undefined &&
  options.reclaim !== true &&
  options.outages === undefined &&
  schedule.changes.length === 2 * jobs.length;

describe.each([
  ['passes at times of their own', randomPassCase],
  ['plans by nodes', randomNodePlanCase],
  ['kept reservations in passes', randomKeptPassCase],
] as const)('%s', (name, draw) => {
  test(
    'the pass that started a job, and since when it had room',
    () => {
      expect(EXPLAINED_CASE_KINDS[name]).toBe(draw);
      const countByKind = new Map<string, number>();
      for (const seed of listCaseSeeds(150)) {
        const randomCase = draw(seed);
        // Where doubles skip seconds, delays are lost in rounding.
        if (randomCase.jobs[0]!.submit > 1e6) continue;
        const schedule = simulateScheduleOfCase(randomCase);
        if (!isRoomKnownFromSchedule(randomCase, schedule)) continue;
        for (let job = seed % 3; job < randomCase.jobs.length; job += 3) {
          if (schedule.start[job] === schedule.submit[job]) continue;
          const { explanation } = recordAndExplainJob(randomCase.jobs, randomCase.options, job);
          const location = `case ${seed}, job ${job + 1}`;
          const [wait] = explanation.waits;
          const pass = computeExpectedPass(randomCase, schedule, job);
          expect(wait!.pass, location).toEqual(pass);
          const explanationText = formatExplanation(explanation, makeTerminalColors(false), 1000);
          expect(explanationText, location).not.toMatch(/undefined|NaN|Infinity/);
          expect(explanationText.includes('It fitted at'), location).toBe(pass!.roomSince !== undefined);
          const sort = `${pass!.kind}${pass!.roomSince === undefined ? '' : ', waited for it'}`;
          countByKind.set(sort, (countByKind.get(sort) ?? 0) + 1);
        }
      }
      console.log(`${name}: ${[...countByKind].map(([sort, times]) => `${sort} ${times}`).join(', ')}`);
      expectFrequent(countByKind, 20, ['main', 'backfill', 'main, waited for it', 'backfill, waited for it']);
    },
    RANDOM_TEST_TIMEOUT_MILLISECONDS,
  );
});

describe('a job that had to wait for a pass', () => {
  // Job 1 has 3 of 4 processors until 100; job 2 needs all; job 3 fits beside job 1 and ends before it.
  const jobs = [
    [0, 100, 3],
    [1, 10, 4],
    [5, 20, 1],
  ] as const;

  test('is told when it fitted and when the backfill pass came', () => {
    const explanation = explainShortJobs(jobs, 3, {
      capacities: [4],
      discipline: 'easy',
      backfillInterval: 30,
    });
    expect(explanation.waits[0]!.pass).toEqual({ kind: 'backfill', roomSince: 5 });
    const explanationText = formatExplanation(explanation, makeTerminalColors(false), 200);
    expect(explanationText).toContain('It fitted at 5, but the backfill pass came at 15.');
    expect(explanationText).toContain('it fits from here on, and waits for the backfill pass at 15');
    expect(explanationText).not.toContain('there was room for it, but');
  });

  test('is told of the delay of the pass that follows events', () => {
    const passDelayByEvent = { submit: 3, end: 2 };
    const explanation = explainShortJobs(jobs, 2, {
      capacities: [4],
      discipline: 'easy',
      passDelay: passDelayByEvent,
    });
    expect(explanation).toMatchObject({ start: 105 });
    expect(explanation.waits[0]!.pass).toEqual({ kind: 'main', roomSince: 103 });
    expect(formatExplanation(explanation, makeTerminalColors(false), 200)).toContain(
      'It fitted at 103, but the pass that follows events came at 105.',
    );
  });

  test('is told that it had room in earlier passes only if it had', () => {
    // Job 3 would delay job 2 in the pass at 15, and in none at 45, when job 1 has ended.
    const jobsWithOnePassedOver = [
      [0, 40, 3],
      [1, 10, 4],
      [5, 100, 1],
    ] as const;
    const explanation = explainShortJobs(jobsWithOnePassedOver, 3, {
      capacities: [4],
      discipline: 'easy',
      backfillInterval: 30,
    });
    const explanationText = formatExplanation(explanation, makeTerminalColors(false), 200);
    expect(explanationText).toContain('there was room for it, but it could have delayed jobs before it.');
  });

  test('is told when a job ended whose processors are free only later', () => {
    const explanation = explainShortJobs(jobs, 2, {
      capacities: [4],
      discipline: 'easy',
      backfillInterval: 30,
      planBy: 'node',
      releaseDelay: 0.2,
    });
    const explanationText = formatExplanation(explanation, makeTerminalColors(false), 200);
    expect(explanationText).toContain(
      'job 1, which ended at 100, frees its processors: 3 processors, 4 free',
    );
    expect(explanationText).not.toContain('later than predicted');
  });

  test('is not told so where a pass follows every event, or where it started as room was made', () => {
    expect(explainShortJobs(jobs, 2, { capacities: [4], discipline: 'easy' }).waits[0]!.pass).toBeUndefined();
    const { waits } = explainShortJobs(jobs, 2, {
      capacities: [4],
      discipline: 'easy',
      backfillInterval: 30,
    });
    expect(waits[0]!.pass).toEqual({ kind: 'main' });
  });
});
