import { expect, test } from 'vitest';
import { explainJob } from '../../host/explain/explain.js';
import { makeGrid, makeWorkload, parseTrace } from '../../host/index.js';
import { makeConfiguration } from '../../host/options/configuration.js';
import { makeWaitTimeline } from '../../host/reports/waitReasons.js';
import { Recorder } from '../../host/simulate/recorder.js';

/** One machine of 4 processors. User 1 runs until 100; then jobs of users 1 and 2 wait for it. */
const LOG = [
  '1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1',
  '2 10 -1 50 4 -1 -1 4 50 -1 1 1 1 -1 1 -1 -1 -1',
  '3 20 -1 30 2 -1 -1 2 30 -1 1 2 1 -1 1 -1 -1 -1',
  '4 30 -1 20 4 -1 -1 4 20 -1 1 2 1 -1 1 -1 -1 -1',
].join('\n');
const grid = makeGrid({ capacities: [4] });
const workload = makeWorkload(parseTrace(LOG), { siteCount: 1, capacities: [4] });

function explainJobUnderOrder(job: number, order: string) {
  const recorder = new Recorder(workload, job - 1);
  recorder.simulator.begin(
    makeConfiguration(grid, {
      order,
      ...(/fairshare|usage/.test(order) && { usageStep: 10, halfLife: 'none' }),
    }),
  );
  recorder.simulator.run();
  return explainJob(recorder, job - 1);
}

const MULTIFACTOR_ORDER = 'multifactor[age=100,maxAge=200,fairshare=1000,size=40]';

test('explanations have the factors of a job and of the first one ahead, at its submission and at its start', () => {
  const explanation = explainJobUnderOrder(4, MULTIFACTOR_ORDER);
  const [wait] = explanation.waits;
  // Job 4 is larger than job 3, and starts at 100. At 120 user 2 has 80 of 480 processor-seconds.
  const fairshareFactor = 2 ** (-(80 / 480) / 0.5);
  expect(wait!.priorities).toEqual([
    {
      time: 30,
      own: { job: '4', total: 1040, factors: makePriorityFactors(0, 1000, 40) },
    },
    { time: 100, own: { job: '4', total: 1075, factors: makePriorityFactors(35, 1000, 40) } },
  ]);
  expect(explainJobUnderOrder(2, MULTIFACTOR_ORDER).waits[0]!.priorities).toEqual([
    { time: 10, own: { job: '2', total: 540, factors: makePriorityFactors(0, 500, 40) } },
    expect.objectContaining({ time: 150 }),
  ]);
  expect(explainJobUnderOrder(3, MULTIFACTOR_ORDER).waits[0]!.priorities).toEqual([
    { time: 20, own: { job: '3', total: 1020, factors: makePriorityFactors(0, 1000, 20) } },
    {
      time: 120,
      own: {
        job: '3',
        total: Math.floor(1000 * fairshareFactor + 70),
        factors: makePriorityFactors(50, 1000 * fairshareFactor, 20),
      },
    },
  ]);
});

test('the timeline names the factor that puts another job first', () => {
  const explanation = explainJobUnderOrder(2, MULTIFACTOR_ORDER);
  const eventTexts = makeWaitTimeline(explanation, explanation.waits[0]!).map(
    ({ text: eventText }) => eventText,
  );
  expect(eventTexts).toContain(
    'its priority is 540 (age 0, fairshare 500, size 40); no waiting job has more',
  );
  const large = explainJobUnderOrder(3, 'multifactor[size=40]');
  expect(makeWaitTimeline(large, large.waits[0]!).map(({ text: eventText }) => eventText)).toContain(
    'its priority is 20 (size 20); job 2 is first with 40 (size 40), most by size',
  );
  const explanationOfEqualPriorities = explainJobUnderOrder(4, 'multifactor[size=40]');
  expect(
    makeWaitTimeline(explanationOfEqualPriorities, explanationOfEqualPriorities.waits[0]!).map(
      ({ text: eventText }) => eventText,
    ),
  ).toContain('its priority is 40 (size 40); job 2 is first with 40 (size 40), submitted earlier');
});

test('parts of a priority have a decimal where they are no whole numbers, so that they add up', () => {
  const explanation = explainJobUnderOrder(3, MULTIFACTOR_ORDER);
  const eventTexts = makeWaitTimeline(explanation, explanation.waits[0]!).map(
    ({ text: eventText }) => eventText,
  );
  expect(eventTexts.join('\n')).toContain('its priority is 863 (age 50, fairshare 793.7, size 20)');
});

test('another order has no priorities', () => {
  expect(explainJobUnderOrder(2, 'usage').waits[0]).not.toHaveProperty('priorities');
});

function makePriorityFactors(pointsOfAge: number, pointsOfFairshare: number, pointsOfJobSize: number) {
  return [
    { name: 'age', points: pointsOfAge },
    { name: 'fairshare', points: expect.closeTo(pointsOfFairshare, 9) },
    { name: 'size', points: pointsOfJobSize },
  ];
}
