/** Small points of the rules that more than one reading of the papers would allow, in core and reference alike. */
import { expect, test } from 'vitest';
import { job, optionsWith } from '../reference/examples.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { simulateCore } from './simulateCore.js';

function answers(...[jobs, options]: Parameters<typeof simulateReference>) {
  const { stops: _, ...expected } = simulateReference(jobs, options);
  const found = simulateCore(jobs, options, 'checked');
  expect(found).toEqual(expected);
  return found;
}

test('a job that starts now and is predicted to take no time needs its processors for a second', () => {
  // Job 1 is reserved all three from 2 on; job 2, cut to no whole second, would be in its way until 2.5.
  const jobs = [job(0, 10, 1, 0, 2), job(1, 100, 3), job(1.5, 50, 1, 0, 0.2)];
  const options = optionsWith({ capacities: [3], discipline: 'easy', resolution: 'floor' });
  expect(answers(jobs, options).start).toEqual([0, 10, 110]);
  // Half a second sooner it is out of the way in time.
  const sooner = [jobs[0]!, { ...jobs[1]!, submit: 0.5 }, { ...jobs[2]!, submit: 1 }];
  expect(answers(sooner, options).start).toEqual([0, 51, 1]);
});

test('a job that is predicted to take no time may be planned for an instant in which others end', () => {
  // At 0 job 3 would take no time at home from 0.25 on, when job 0 ends there; not now, since job 2 is reserved all of
  // the site from 0.5 on. That is sooner than 0.3 on site 1, for its data. At 0.25 it has site 1 alone before job 2 ends.
  const jobs = [job(0, 0.25, 1), job(0, 0.5, 1), job(0, 10, 3), { ...job(0, 0, 1), data: 3 }];
  const options = optionsWith({
    capacities: [3, 1],
    discipline: 'easy',
    bandwidth: [
      [10, 10],
      [10, 10],
    ],
  });
  expect(answers(jobs, options).start).toEqual([0, 0, 0.5, 0.25]);
});

test('the largest queue is the one that an event finds, without the job that it brings', () => {
  const options = optionsWith({ capacities: [1] });
  const largestQueue = (...jobs: Parameters<typeof simulateReference>[0]) =>
    answers(jobs, options).metrics.largestQueue;
  expect(largestQueue(job(0, 1, 1), job(5, 1, 1))).toBe(0);
  // The last submit finds one, the end of the first job two.
  expect(largestQueue(job(0, 9, 1), job(1, 9, 1), job(2, 9, 1))).toBe(2);
});
