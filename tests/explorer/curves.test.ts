/**
 * Tests the sampled curves of the explorer: values that change several times per pixel, and values of very
 * different size.
 */
import { expect, test } from 'vitest';
import { busyProcessorsOverTime, sampleStepFunction, waitingJobsOverTime } from '../../host/draw/timeline.js';
import { axisRangeWithoutOutliers } from '../../host/reports/verdicts.js';
import { StepFunctionIndex, smoothStepSamples } from '../../web/explorer/charts/stepIndex.js';
import { type ChartScheduleData, makeChartDataOfRun } from '../../web/explorer/worker/pictures.js';

const CURVE_SAMPLE_COUNT = 1000;
/** Steps of a value that rises and falls in turn, every second. */
const alternatingStepsIndex = new StepFunctionIndex({
  time: Float64Array.from({ length: CURVE_SAMPLE_COUNT }, (_, i) => i),
  value: Float64Array.from({ length: CURVE_SAMPLE_COUNT }, (_, i) => (i % 2 === 0 ? 100 : 0)),
});

test('a running mean is smooth, shows the extremes beside it, and leaves curves drawn step by step unchanged', () => {
  expect(alternatingStepsIndex.count(0, CURVE_SAMPLE_COUNT)).toBe(CURVE_SAMPLE_COUNT - 1);
  const exactSamples = alternatingStepsIndex.samples(0, CURVE_SAMPLE_COUNT, CURVE_SAMPLE_COUNT);
  expect(Math.max(...exactSamples.mean) - Math.min(...exactSamples.mean)).toBe(100);
  const smoothedSamples = smoothStepSamples(exactSamples, 16);
  const inner = smoothedSamples.mean.slice(16, -16);
  expect(Math.max(...inner) - Math.min(...inner)).toBeLessThan(10);
  expect(inner.reduce((sum, count) => sum + count, 0) / inner.length).toBeCloseTo(50, 0);
  expect([smoothedSamples.minimum, smoothedSamples.maximum]).toEqual([
    exactSamples.minimum,
    exactSamples.maximum,
  ]);
  for (const width of [0, 1, 1.9]) expect(smoothStepSamples(exactSamples, width)).toEqual(exactSamples);
});

test('samples are those of the steps one by one, and means are the same without extremes', () => {
  const stepFunction = {
    time: Float64Array.from({ length: 5000 }, (_, i) => i + ((i * 7919) % 100) / 100),
    value: Float64Array.from({ length: 5000 }, (_, i) => (i * 7919) % 31),
  };
  const index = new StepFunctionIndex(stepFunction);
  for (const [from, to, count] of [
    [0, 5000, 7],
    [0, 5000, 640],
    [1234.5, 1250, 100],
    [-100, 6000, 33],
  ]) {
    const { mean, minimum: low, maximum: high } = index.samples(from, to, count);
    const sampledPoints = sampleStepFunction(stepFunction, { from, to }, count);
    expect([...low]).toEqual(sampledPoints.map((sample) => sample.low));
    expect([...high]).toEqual(sampledPoints.map((sample) => sample.high));
    for (const [i, { y }] of sampledPoints.entries()) expect(mean[i]).toBeCloseTo(y, 6);
    const samplesWithoutExtremes = index.samples(from, to, count, false);
    expect(samplesWithoutExtremes).toEqual({ mean, minimum: mean, maximum: mean });
    const smoothedSamples = smoothStepSamples(samplesWithoutExtremes, 4);
    expect(smoothedSamples).toEqual({
      mean: smoothedSamples.mean,
      minimum: smoothedSamples.mean,
      maximum: smoothedSamples.mean,
    });
  }
});

test('curves of a run, stopped runs among them, are those of the figures of reports', () => {
  const submit = Float64Array.from([0, 0, 5, 7]);
  const start = Float64Array.from([0, 30, 12, 20]);
  const execution = Float64Array.from([10, 5, 20, 10]);
  const heldProcessors = Int32Array.from([4, 8, 2, 2]);
  const stops = { job: [1, 1], start: [0, 22], end: [8, 25], firstPair: [1, 1] };
  const processorPairs = Int32Array.from([0, 3, 4, 11, 0, 1, 2, 3]);
  const simulationToDraw = {
    workload: { count: 4, submit, processors: heldProcessors },
    grid: { capacities: [12], speeds: [1] },
    schedule: { start, execution, held: heldProcessors, stops },
    processorSets: { firstPair: Int32Array.from([0, 1, 2, 3]), pairs: processorPairs },
  } as unknown as ChartScheduleData;
  const readStartAndEndOfJob = (job: number) => ({ start: start[job], end: start[job] + execution[job] });
  const jobs = Array.from(submit, (submitTime, job) => ({
    submit: submitTime,
    ...readStartAndEndOfJob(job),
    processors: heldProcessors[job],
  }));
  const stoppedRuns = stops.job.map((job, i) => ({
    ...{ start: stops.start[i], end: stops.end[i], processors: heldProcessors[job] },
  }));
  const { waiting: waitingJobCounts, busy: busyProcessors, blocks } = makeChartDataOfRun(simulationToDraw);
  expect(waitingJobCounts).toEqual(waitingJobsOverTime(jobs as never, stoppedRuns as never));
  expect(busyProcessors).toEqual(busyProcessorsOverTime([...jobs, ...stoppedRuns] as never));
  expect([...blocks.start]).toEqual([0, 0, 12, 20, 22, 30]);
  expect([...blocks.stopped]).toEqual([0, 1, 0, 0, 1, 0]);
});

test('a mean many times the others is beyond the axis, so that most have room', () => {
  const mean = (valueOfRun: number) => ({ value: valueOfRun, low: valueOfRun - 1, high: valueOfRun + 1 });
  expect(axisRangeWithoutOutliers([400, 20, 22].map(mean))).toEqual({ range: [19, 23] });
  expect(axisRangeWithoutOutliers([40, 20, 22].map(mean))).toEqual({});
  expect(axisRangeWithoutOutliers([400, 20].map(mean))).toEqual({});
});
