import { describe, expect, test } from 'vitest';
import { makeExampleJob, runReferenceSimulator } from './examples.js';
import type { ReferenceJob, ReferenceOptions } from './simulator/reference.js';

/** A job that is cancelled some seconds after its submission; it requests 100 s. */
const makeJobWithPatience = (submit: number, processors: number, patience: number): ReferenceJob => ({
  ...makeExampleJob(submit, 100, processors),
  patience,
});

describe('cancelled jobs', () => {
  // 4 processors, held by job 0 until 50.
  const firstJob = makeExampleJob(0, 50, 4);

  test('leave the queue, and let the jobs behind them start', () => {
    // Job 1 blocks the head of the queue from 10 on; without it, job 2 fits beside job 0.
    const jobs = [makeExampleJob(0, 50, 3), makeJobWithPatience(10, 2, 20), makeExampleJob(12, 5, 1)];
    const {
      start,
      execution,
      site,
      parts: allocatedParts,
      metrics: referenceMetrics,
    } = runReferenceSimulator(jobs, {
      capacities: [4],
      speeds: [1],
    });
    expect(start).toEqual([0, 30, 30]);
    expect(execution).toEqual([50, 0, 5]);
    expect(site).toEqual([0, -1, 0]);
    expect(allocatedParts[1]).toEqual([]);
    // Metrics cover only jobs 0 and 2; of the 50 s, job 1 waited for 20 s and job 2 for 18 s.
    expect(referenceMetrics.meanWait).toBe(9);
    expect(referenceMetrics.averageQueueLengthOverTime).toBe(38 / 50);
    expect(referenceMetrics.utilization).toBe((3 * 50 + 5) / (4 * 50));
  });

  test('that have started end when they are cancelled, or at their estimates', () => {
    const jobs = [
      firstJob,
      makeJobWithPatience(10, 2, 60),
      { ...makeJobWithPatience(10, 2, 60), estimate: 5, runtime: 5 },
    ];
    const {
      start,
      execution,
      metrics: referenceMetrics,
    } = runReferenceSimulator(jobs, { capacities: [4], speeds: [1] });
    expect(start).toEqual([0, 50, 50]);
    expect(execution).toEqual([50, 20, 5]);
    expect(referenceMetrics.averageResponseTime).toBe(50);
    expect(referenceMetrics.makespan).toBe(70);
    expect(referenceMetrics.sites[0]!.jobs).toBe(3);
  });

  test('leave after the submissions of an instant, and before its ends', () => {
    // At 50, job 2 arrives, job 1 leaves, and job 0 ends.
    const jobs = [firstJob, makeJobWithPatience(10, 4, 40), makeExampleJob(50, 5, 1)];
    expect(runReferenceSimulator(jobs, { capacities: [4], speeds: [1] }).start).toEqual([0, 50, 50]);
    expect(runReferenceSimulator(jobs, { capacities: [4], speeds: [1] }).site).toEqual([0, -1, 0]);
    // If one pass follows the instant, the end comes first, but job 1 has left before the pass.
    expect(runReferenceSimulator(jobs, { capacities: [4], speeds: [1], instant: 'batched' }).site).toEqual([
      0, -1, 0,
    ]);
  });

  test.each(['kept', 'replanned'] as const)('give their %s reservations back', (reservations) => {
    // Job 1 reserves [50, 150), job 2 [150, 160) and job 3 [150, 155) beside it.
    const jobs = [firstJob, makeJobWithPatience(1, 4, 30), makeExampleJob(2, 10, 3), makeExampleJob(3, 5, 1)];
    const options: Partial<ReferenceOptions> = { discipline: 'conservative', reservations };
    expect(runReferenceSimulator(jobs, { capacities: [4], speeds: [1], ...options }).start).toEqual([
      0, 31, 50, 50,
    ]);
  });

  test('do not count among the jobs from which others are estimated', () => {
    // If job 0 were predicted to run for 100 s, job 2 would not be backfilled.
    const jobs = [
      { ...makeJobWithPatience(0, 1, 5), user: 1 },
      { ...makeExampleJob(1, 50, 3), user: 2 },
      { ...makeExampleJob(10, 50, 4), user: 2 },
      { ...makeExampleJob(11, 10, 1), estimate: 1000, user: 1 },
    ];
    const { start } = runReferenceSimulator(jobs, {
      capacities: [4],
      speeds: [1],
      discipline: 'easy',
      recent: 1,
    });
    expect(start).toEqual([0, 1, 51, 101]);
  });

  test('are refused with options that give them no meaning', () => {
    const jobs = [firstJob, makeJobWithPatience(10, 4, 40)];
    const moldable: Partial<ReferenceOptions> = { moldable: 'down' };
    expect(() => runReferenceSimulator(jobs, { capacities: [4], speeds: [1], ...moldable })).toThrow(
      /cancelled jobs/,
    );
  });
});
