import { expect, test } from 'vitest';
import { doesRunCoverRareCases, listCaseSeeds } from '../cases.js';
import { randomCoallocationCase } from './cases/coallocation.js';
import { FIRST_TIME_LOSING_SECONDS } from './cases/draws.js';
import { makeExampleJob, makeReferenceOptions } from './examples.js';
import {
  type ReferenceJob,
  type ReferenceOptions,
  simulateGrid,
  simulateReference,
} from './simulator/reference.js';
import type { Reservation } from './simulator/simulation.js';

// The best plan may change if job lengths vanish when they are added to late times.
const triedSeeds = listCaseSeeds(600).filter(
  (seed) => randomCoallocationCase(seed).jobs[0]!.submit < FIRST_TIME_LOSING_SECONDS,
);

/**
 * A random case with exact estimates above 0, a pass after every instant, and order of submission,
 * since under other orders a later job could come before one with a reservation.
 */
function drawCaseWithExactEstimates(seed: number): { jobs: ReferenceJob[]; options: ReferenceOptions } {
  const { jobs, options: drawn } = randomCoallocationCase(seed);
  const jobsWithExactEstimates = jobs.map((job) => {
    const runtime = Math.max(1, job.runtime);
    return { ...job, runtime, estimate: runtime };
  });
  const options = { ...drawn, order: undefined, instant: 'batched', resolution: 'exact' } as const;
  return { jobs: jobsWithExactEstimates, options: { ...options, interval: undefined, queue: 'shared' } };
}

/** First reservation of every job that had one, with the job's actual run. */
function findFirstReservations(jobs: ReferenceJob[], options: ReferenceOptions) {
  const simulation = simulateGrid(jobs, options);
  const firstReservationByJob = new Map<number, Reservation>();
  for (const reservation of simulation.reservations)
    if (!firstReservationByJob.has(reservation.job)) firstReservationByJob.set(reservation.job, reservation);
  return [...firstReservationByJob.values()].map((reservation) => ({
    reserved: reservation,
    ran: simulation.jobs[reservation.job]!,
  }));
}

/**
 * Tests that a job's best plan stays best without unforeseen events, if every set of sites to which a larger
 * candidate may shrink is a candidate itself: single sites, two sites, or optimal selection. (Greedy
 * selection on more sites may find a better plan later, when the previous prefix shrinks to other sites; then
 * a job may start later to end sooner, and delay jobs behind it.)
 */
test('exact estimates: a job starts when and where it was first reserved', () => {
  let reservations = 0;
  for (const seed of triedSeeds) {
    const { jobs, options } = drawCaseWithExactEstimates(seed);
    const areCandidateSetsClosed =
      options.multiSiteFactor === undefined || options.select === 'optimal' || options.capacities.length <= 2;
    if (options.select === 'non-adaptive' || !areCandidateSetsClosed) continue;
    for (const { reserved: reservation, ran } of findFirstReservations(jobs, options)) {
      expect({ start: ran.start, end: ran.start + ran.execution, parts: ran.parts }, `case ${seed}`).toEqual({
        start: reservation.start,
        end: reservation.end,
        parts: reservation.parts,
      });
      reservations += 1;
    }
  }
  expect(reservations).toBeGreaterThan(3 * triedSeeds.length);
});

test('exact estimates, non-adaptive selection: under EASY the head starts no later than first reserved', () => {
  let soonerJobCount = 0;
  for (const seed of triedSeeds) {
    const { jobs, options } = drawCaseWithExactEstimates(seed);
    if (options.discipline !== 'easy' || options.select !== 'non-adaptive') continue;
    for (const { reserved: reservation, ran } of findFirstReservations(jobs, options)) {
      expect(ran.start, `case ${seed}`).toBeLessThanOrEqual(reservation.start);
      if (ran.start < reservation.start) soonerJobCount += 1;
    }
  }
  if (doesRunCoverRareCases) expect(soonerJobCount).toBeGreaterThan(20);
});

test('under conservative backfilling a job behind it may have to give way to it', () => {
  // Site 0 is held until 10 s, site 1 until 5 s; jobs 2 and 3 wait, each for its home. At 5 s job 2
  // takes site 1, which can start it now; job 3 starts at 10 s at site 0.
  const jobs = [
    makeExampleJob(0, 10, 1, 0),
    makeExampleJob(0, 5, 1, 1),
    makeExampleJob(0, 20, 1, 0),
    makeExampleJob(0, 20, 1, 1),
  ];
  const options = makeReferenceOptions({
    capacities: [1, 1],
    discipline: 'conservative',
    select: 'non-adaptive',
  });
  const firstReservationsOfSimulation = findFirstReservations(jobs, options);
  expect(
    firstReservationsOfSimulation.map(({ reserved: reservation }) => [reservation.job, reservation.start]),
  ).toEqual([
    [2, 10],
    [3, 5],
  ]);
  expect(firstReservationsOfSimulation.map(({ ran }) => [ran.index, ran.start])).toEqual([
    [2, 5],
    [3, 10],
  ]);
});

/**
 * Only events of the same instant make a difference: between them, a job that is about to end is
 * predicted to end in a second.
 */
test('exact estimates, no two events at the same time: passes after events and after instants agree', () => {
  let comparedCount = 0;
  for (const seed of triedSeeds.slice(0, Math.ceil(triedSeeds.length / 2))) {
    const { jobs, options } = drawCaseWithExactEstimates(seed);
    const jobsWithoutSimultaneousEvents = jobs
      .map((referenceJob, i) => ({
        ...referenceJob,
        submit: referenceJob.submit + (i + 1) / 128,
        runtime: referenceJob.runtime + i / 16384,
      }))
      .map((each) => ({ ...each, estimate: each.runtime }))
      .sort((job, other) => job.submit - other.submit);
    const batchedResult = simulateReference(jobsWithoutSimultaneousEvents, options);
    const submitTimes = [
      ...jobsWithoutSimultaneousEvents.map(({ submit }) => submit),
      ...batchedResult.start.map((start, i) => start + batchedResult.execution[i]!),
    ];
    if (new Set(submitTimes).size < submitTimes.length) continue;
    expect(
      simulateReference(jobsWithoutSimultaneousEvents, { ...options, instant: 'per-event' }),
      `case ${seed}`,
    ).toEqual(batchedResult);
    comparedCount += 1;
  }
  expect(comparedCount).toBeGreaterThan(triedSeeds.length / 4);
});
