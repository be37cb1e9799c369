/**
 * Details of the rules that papers leave open; the core and the reference simulator must agree on
 * them.
 */
import { expect, test } from 'vitest';
import { makeExampleJob, makeReferenceOptions } from '../reference/examples.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { simulateCore } from './simulateCore.js';

function answers(...[jobs, options]: Parameters<typeof simulateReference>) {
  const { stops: _, ...expected } = simulateReference(jobs, options);
  const coreResult = simulateCore(jobs, options, 'checked');
  expect(coreResult).toEqual(expected);
  return coreResult;
}

test('a job that starts now and is predicted to take no time needs its processors for a second', () => {
  // Job 1 has all three processors reserved from 2 s on. Job 2, whose runtime is cut to 0 s, would
  // still hold a processor until 2.5 s by its estimate.
  const jobs = [
    makeExampleJob(0, 10, 1, 0, 2),
    makeExampleJob(1, 100, 3),
    makeExampleJob(1.5, 50, 1, 0, 0.2),
  ];
  const options = makeReferenceOptions({ capacities: [3], discipline: 'easy', resolution: 'floor' });
  expect(answers(jobs, options).start).toEqual([0, 10, 110]);
  // If the job starts half a second earlier, it ends before the reservation.
  const jobsWithEarlierSubmits = [jobs[0]!, { ...jobs[1]!, submit: 0.5 }, { ...jobs[2]!, submit: 1 }];
  expect(answers(jobsWithEarlierSubmits, options).start).toEqual([0, 51, 1]);
});

test('a job that is predicted to take no time may be planned for an instant in which others end', () => {
  // At 0 s, job 3 would take no time at home from 0.25 s on, when job 0 ends there; it cannot start
  // now, since job 2 has the whole site reserved from 0.5 s on. That is earlier than 0.3 s on site
  // 1, for which its data must be copied. At 0.25 s, it starts on site 1 before job 2 ends.
  const jobs = [
    makeExampleJob(0, 0.25, 1),
    makeExampleJob(0, 0.5, 1),
    makeExampleJob(0, 10, 3),
    { ...makeExampleJob(0, 0, 1), data: 3 },
  ];
  const options = makeReferenceOptions({
    capacities: [3, 1],
    discipline: 'easy',
    bandwidth: [
      [10, 10],
      [10, 10],
    ],
  });
  expect(answers(jobs, options).start).toEqual([0, 0, 0.5, 0.25]);
});

test('the largest queue is counted before an event adds its job', () => {
  const options = makeReferenceOptions({ capacities: [1] });
  const largestQueueLength = (...jobs: Parameters<typeof simulateReference>[0]) =>
    answers(jobs, options).metrics.largestQueue;
  expect(largestQueueLength(makeExampleJob(0, 1, 1), makeExampleJob(5, 1, 1))).toBe(0);
  // One job waits at the last submission, two at the end of the first job.
  expect(largestQueueLength(makeExampleJob(0, 9, 1), makeExampleJob(1, 9, 1), makeExampleJob(2, 9, 1))).toBe(
    2,
  );
});
