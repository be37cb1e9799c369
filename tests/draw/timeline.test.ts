import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  busyProcessorsOverTime,
  computeQuartilePointsOverTime,
  countValuesAtMost,
  findFirstTimeOfLargestValue,
  makeCumulativeDistributionCurve,
  makeStepFunctionPlotPoints,
  type StepFunction,
  sampleStepFunction,
  waitingJobsOverTime,
} from '../../host/draw/timeline.js';
import type { FinishedJob } from '../../host/results/finishedJobs.js';

const makeFinishedJob = (submit: number, start: number, end: number, processors = 1): FinishedJob => ({
  name: '1',
  submit,
  start,
  end,
  processors,
  requested: processors,
  home: 0,
  runs: [[0, processors - 1]],
});

const jobs = [
  makeFinishedJob(0, 0, 10, 4),
  makeFinishedJob(2, 10, 12, 3),
  makeFinishedJob(5, 10, 20, 1),
  makeFinishedJob(20, 20, 20, 2),
];

test('waiting jobs and busy processors change as jobs come, start and end', () => {
  const waitingJobCountSteps = waitingJobsOverTime(jobs, []);
  expect([...waitingJobCountSteps.time]).toEqual([0, 2, 5, 10, 20]);
  expect([...waitingJobCountSteps.value]).toEqual([0, 1, 2, 0, 0]);
  expect(findFirstTimeOfLargestValue(waitingJobCountSteps)).toBe(5);
  const busyProcessors = busyProcessorsOverTime(jobs);
  expect([...busyProcessors.time]).toEqual([0, 10, 12, 20]);
  expect([...busyProcessors.value]).toEqual([4, 4, 1, 0]);
});

test('a job that is stopped waits again', () => {
  const [lastJob] = [makeFinishedJob(2, 10, 12, 3)];
  const stoppedRuns = [
    { start: 2, end: 2, processors: 3, runs: [] },
    { start: 4, end: 7, processors: 3, runs: [] },
  ];
  const waitingJobCountSteps = waitingJobsOverTime([lastJob], stoppedRuns);
  expect([...waitingJobCountSteps.time]).toEqual([2, 4, 7, 10]);
  expect([...waitingJobCountSteps.value]).toEqual([1, 0, 1, 0]);
});

const stepFunctionArbitrary: fc.Arbitrary<StepFunction> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 100 })), {
    minLength: 1,
    maxLength: 80,
  })
  .map((pairs) => {
    let time = 0;
    return {
      time: Float64Array.from(pairs, ([lostRun]) => (time += lostRun)),
      value: Float64Array.from(pairs, ([, value]) => value),
    };
  });

test('sampling keeps the extremes and the integral', () => {
  fc.assert(
    fc.property(
      stepFunctionArbitrary,
      fc.integer({ min: 1, max: 40 }),
      ({ time, value: stepValues }, intervals) => {
        const [from, to] = [0, time[time.length - 1] + 10];
        const sampledPoints = sampleStepFunction({ time, value: stepValues }, { from, to }, intervals);
        expect(sampledPoints).toHaveLength(intervals);
        // The first step of the series comes after `from`; before it, the value is 0.
        expect(Math.max(...sampledPoints.map(({ high }) => high))).toBe(Math.max(...stepValues));
        expect(Math.min(...sampledPoints.map(({ low }) => low))).toBe(0);
        let integralValue = 0;
        time.forEach((segmentStart, i) => {
          integralValue += stepValues[i] * ((time[i + 1] ?? to) - segmentStart);
        });
        const sampledIntegral = sampledPoints.reduce((sum, { y }) => sum + y * ((to - from) / intervals), 0);
        expect(sampledIntegral).toBeCloseTo(integralValue, 6);
        for (const { low, y, high } of sampledPoints) {
          expect(y).toBeGreaterThanOrEqual(low - 1e-9);
          expect(y).toBeLessThanOrEqual(high + 1e-9);
        }
      },
    ),
  );
});

test('few steps are drawn as they are, many as intervals', () => {
  const waitingJobCountSteps = waitingJobsOverTime(jobs, []);
  expect(makeStepFunctionPlotPoints(waitingJobCountSteps, { from: 0, to: 20 }, 5)).toHaveLength(5);
  expect(makeStepFunctionPlotPoints(waitingJobCountSteps, { from: 0, to: 20 }, 5)[2]).toEqual({ x: 5, y: 2 });
  expect(makeStepFunctionPlotPoints(waitingJobCountSteps, { from: 0, to: 20 }, 4)[0]).toEqual({
    x: 0,
    y: 0.6,
    low: 0,
    high: 1,
  });
});

test('quartiles are those of the time, interval by interval', () => {
  fc.assert(
    fc.property(
      stepFunctionArbitrary,
      fc.integer({ min: 1, max: 12 }),
      ({ time, value: stepValues }, seconds) => {
        const [from, to] = [0, time[time.length - 1] + 10];
        const sampledPoints = computeQuartilePointsOverTime(
          { time, value: stepValues },
          { from, to },
          seconds,
        );
        expect(sampledPoints).toHaveLength(Math.ceil((to - from) / seconds));
        for (const { x, y, low, high } of sampledPoints) {
          const end = Math.min(to, x + seconds);
          const secondsSpentAtLevels = Array.from({ length: time.length + 1 }, (_, i) => ({
            level: i === 0 ? 0 : stepValues[i - 1],
            length: Math.max(0, Math.min(time[i] ?? to, end) - Math.max(i === 0 ? from : time[i - 1], x)),
          }));
          const upTo = (level: number, isBelow: boolean) =>
            secondsSpentAtLevels.reduce(
              (sum, segment) =>
                sum + (segment.level < level || (!isBelow && segment.level === level) ? segment.length : 0),
              0,
            );
          const duration = end - x;
          for (const [threshold, share] of [
            [low, 0.25],
            [high, 0.75],
          ] as const) {
            expect(upTo(threshold, true)).toBeLessThanOrEqual(share * duration + 1e-6);
            expect(upTo(threshold, false)).toBeGreaterThanOrEqual(share * duration - 1e-6);
          }
          expect(y).toBeCloseTo(
            secondsSpentAtLevels.reduce((sum, { level, length }) => sum + level * length, 0) / duration,
            6,
          );
        }
      },
    ),
  );
});

test('a distribution of few values shows every step', () => {
  const valuesOfDistribution = Array.from({ length: 300 }, (_, i) => 1 + ((i * 37) % 61));
  const figurePoints = makeCumulativeDistributionCurve(valuesOfDistribution, 1, 61);
  expect(figurePoints.map(({ x }) => x)).toEqual([...new Set(valuesOfDistribution)].sort((a, b) => a - b));
});

test('a distribution gives exact shares, from none at all to all', () => {
  const valuesOfDistribution = [0, 0, 3, 50, 1000];
  const figurePoints = makeCumulativeDistributionCurve(valuesOfDistribution, 1, 1000);
  expect(figurePoints[0]).toEqual({ x: 1, y: 0.4 });
  expect(figurePoints.at(-1)).toEqual({ x: 1000, y: 1 });
  for (const { x, y } of figurePoints)
    expect(y).toBe(
      valuesOfDistribution.filter((valueOfDistribution) => valueOfDistribution <= Number(x)).length / 5,
    );
  expect(countValuesAtMost(Float64Array.of(1, 2, 2, 5), 2)).toBe(3);
});
