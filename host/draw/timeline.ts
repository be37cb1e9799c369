/**
 * Step functions over time (waiting jobs, busy processors) and cumulative distributions, as data for
 * figures.
 */
import { computeStableSortOrder } from '../math/stableOrder.js';
import type { FinishedJob, HeldProcessors } from '../results/finishedJobs.js';
import type { FigurePoint } from './figureModel.js';
import type { TimeWindow } from './timeChart.js';

/**
 * Step function: `value[i]` holds from `time[i]` (strictly ascending, in seconds) until `time[i + 1]`;
 * before the first time it is 0.
 */
export interface StepFunction {
  readonly time: Float64Array;
  readonly value: Float64Array;
}

/** Time spans in seconds, each with an amount that holds during it. */
export interface WeightedTimeSpans {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly amount: Float64Array | Int32Array;
}

/** Sums the amounts of overlapping time spans into a step function. */
export function makeStepFunctionOfSpans({ from, to, amount }: WeightedTimeSpans): StepFunction {
  const spanCount = from.length;
  const [spansByStart, spansByEnd] = [computeStableSortOrder(from), computeStableSortOrder(to)];
  const time = new Float64Array(2 * spanCount);
  const stepValues = new Float64Array(2 * spanCount);
  let stepCount = 0;
  let level = 0;
  for (let startedCount = 0, endedCount = 0; endedCount < spanCount; ) {
    const isSpanStart =
      startedCount < spanCount && from[spansByStart[startedCount]!]! <= to[spansByEnd[endedCount]!]!;
    const span = isSpanStart ? spansByStart[startedCount++]! : spansByEnd[endedCount++]!;
    const stepTime = isSpanStart ? from[span]! : to[span]!;
    level += isSpanStart ? amount[span]! : -amount[span]!;
    if (stepCount === 0 || time[stepCount - 1]! < stepTime) time[stepCount++] = stepTime;
    stepValues[stepCount - 1] = level;
  }
  return { time: time.slice(0, stepCount), value: stepValues.slice(0, stepCount) };
}

/**
 * Number of waiting jobs over time. Jobs that start at submission never wait; preempted jobs wait again.
 * @param stoppedAllocations preempted runs of these jobs.
 */
export function waitingJobsOverTime(
  jobs: readonly FinishedJob[],
  stoppedAllocations: readonly HeldProcessors[],
): StepFunction {
  // A job waits from its submission to its last start, except during earlier runs.
  return makeStepFunctionOfSpans(
    toWeightedTimeSpans([
      ...jobs.map(({ submit, start }) => ({ from: submit, to: start, amount: 1 })),
      ...stoppedAllocations.map(({ start, end }) => ({ from: start, to: end, amount: -1 })),
    ]),
  );
}

/** Number of busy processors over time. */
export function busyProcessorsOverTime(allocations: readonly HeldProcessors[]): StepFunction {
  return makeStepFunctionOfSpans(
    toWeightedTimeSpans(
      allocations.map(({ start, end, processors }) => ({ from: start, to: end, amount: processors })),
    ),
  );
}

/**
 * Number of available processors over a time span; undefined without outages.
 * @param absences absent processors.
 * @param processors total number of processors.
 */
export function availableProcessorsOverTime(
  absences: readonly HeldProcessors[],
  processors: number,
  { from, to }: TimeWindow,
): StepFunction | undefined {
  const clippedAbsences = absences
    .map((absence) => ({ ...absence, start: Math.max(absence.start, from), end: Math.min(absence.end, to) }))
    .filter(({ start, end }) => start < end);
  if (clippedAbsences.length === 0) return undefined;
  const { time, value: stepValues } = busyProcessorsOverTime(clippedAbsences);
  const availableCounts = [processors, ...stepValues.map((absentCount) => processors - absentCount)];
  const isStartingAtWindowBegin = time[0] === from;
  const isEndingAtWindowEnd = time.at(-1) === to;
  return {
    time: Float64Array.from([
      ...(isStartingAtWindowBegin ? [] : [from]),
      ...time,
      ...(isEndingAtWindowEnd ? [] : [to]),
    ]),
    value: Float64Array.from([
      ...availableCounts.slice(isStartingAtWindowBegin ? 1 : 0),
      ...(isEndingAtWindowEnd ? [] : [availableCounts.at(-1)!]),
    ]),
  };
}

function toWeightedTimeSpans(
  spans: readonly { readonly from: number; readonly to: number; readonly amount: number }[],
): WeightedTimeSpans {
  return {
    from: Float64Array.from(spans, ({ from }) => from),
    to: Float64Array.from(spans, ({ to }) => to),
    amount: Float64Array.from(spans, ({ amount }) => amount),
  };
}

/** First time in seconds at which a step function has its largest value. */
export function findFirstTimeOfLargestValue({ time, value: stepValues }: StepFunction): number {
  let largestIndex = 0;
  for (let i = 1; i < stepValues.length; i++)
    if (stepValues[i]! > stepValues[largestIndex]!) largestIndex = i;
  return time[largestIndex]!;
}

/**
 * Time interval of a step function: its start `x` in seconds, and the mean, smallest and largest value in it.
 */
export interface SampledInterval {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Samples a step function in equal intervals of a window: keeps all extremes, and the means preserve the
 * integral.
 */
export function sampleStepFunction(
  { time, value: stepValues }: StepFunction,
  { from, to }: TimeWindow,
  intervalCount: number,
): SampledInterval[] {
  const curvePoints: SampledInterval[] = [];
  let stepIndex = -1;
  for (let intervalIndex = 0; intervalIndex < intervalCount; intervalIndex++) {
    const begin = from + ((to - from) * intervalIndex) / intervalCount;
    const end = from + ((to - from) * (intervalIndex + 1)) / intervalCount;
    while (stepIndex + 1 < time.length && time[stepIndex + 1]! <= begin) stepIndex++;
    let level = stepIndex < 0 ? 0 : stepValues[stepIndex]!;
    let [low, high, integral, levelStart] = [level, level, 0, begin];
    for (; stepIndex + 1 < time.length && time[stepIndex + 1]! < end; stepIndex++) {
      integral += level * (time[stepIndex + 1]! - levelStart);
      levelStart = time[stepIndex + 1]!;
      level = stepValues[stepIndex + 1]!;
      low = Math.min(low, level);
      high = Math.max(high, level);
    }
    // For very large times, rounding may make the interval empty; then the current level is used.
    const mean = end > begin ? (integral + level * (end - levelStart)) / (end - begin) : level;
    curvePoints.push({ x: begin, y: mean, low, high });
  }
  return curvePoints;
}

/**
 * Level that a step function does not exceed during a given share of the time; `secondsByLevel` holds the
 * levels, ascending, with the seconds spent at each.
 */
function computeTimeWeightedQuantile(
  secondsByLevel: readonly (readonly [level: number, seconds: number])[],
  quantileShare: number,
): number {
  let remainingSeconds = quantileShare * secondsByLevel.reduce((sum, [, seconds]) => sum + seconds, 0);
  for (const [level, seconds] of secondsByLevel) {
    remainingSeconds -= seconds;
    if (remainingSeconds <= 0) return level;
  }
  return secondsByLevel.at(-1)?.[0] ?? 0;
}

/** Samples a step function in intervals of `seconds`: mean and quartiles over time. */
export function computeQuartilePointsOverTime(
  { time, value: stepValues }: StepFunction,
  { from, to }: TimeWindow,
  seconds: number,
): SampledInterval[] {
  let stepIndex = -1;
  return Array.from({ length: Math.ceil((to - from) / seconds) }, (_, i) => {
    const [begin, end] = [from + i * seconds, Math.min(to, from + (i + 1) * seconds)];
    while (stepIndex + 1 < time.length && time[stepIndex + 1]! <= begin) stepIndex++;
    const secondsByLevel: (readonly [level: number, seconds: number])[] = [];
    for (let since = begin; since < end; ) {
      const until = stepIndex + 1 < time.length ? Math.min(time[stepIndex + 1]!, end) : end;
      secondsByLevel.push([stepIndex < 0 ? 0 : stepValues[stepIndex]!, until - since]);
      since = until;
      if (until < end) stepIndex++;
    }
    const mean = secondsByLevel.reduce((sum, [level, length]) => sum + level * length, 0) / (end - begin);
    secondsByLevel.sort(([a], [b]) => a - b);
    return {
      x: begin,
      y: mean,
      low: computeTimeWeightedQuantile(secondsByLevel, 0.25),
      high: computeTimeWeightedQuantile(secondsByLevel, 0.75),
    };
  });
}

/**
 * Steps of a step function inside a window as plot points: all of them if there are at most `maxPointCount`,
 * otherwise the means of `maxPointCount` intervals.
 */
export function makeStepFunctionPlotPoints(
  stepFunction: StepFunction,
  window: TimeWindow,
  maxPointCount: number,
): FigurePoint[] {
  const { time, value: stepValues } = stepFunction;
  const firstVisibleIndex = time.findIndex((x) => x >= window.from);
  const firstStepIndex = firstVisibleIndex < 0 ? time.length : firstVisibleIndex;
  const firstIndexBehindWindow = time.findIndex((x) => x > window.to);
  const endStepIndex = firstIndexBehindWindow < 0 ? time.length : firstIndexBehindWindow;
  if (endStepIndex - firstStepIndex > maxPointCount)
    return sampleStepFunction(stepFunction, window, maxPointCount);
  const stepsInWindow = Array.from(time.subarray(firstStepIndex, endStepIndex), (x, i) => ({
    x,
    y: stepValues[firstStepIndex + i]!,
  }));
  const isBeginningInsideWindow = firstStepIndex > 0 && time[firstStepIndex] !== window.from;
  return [
    ...(isBeginningInsideWindow ? [{ x: window.from, y: stepValues[firstStepIndex - 1]! }] : []),
    ...stepsInWindow,
    ...(endStepIndex < time.length
      ? [{ x: window.to, y: endStepIndex > 0 ? stepValues[endStepIndex - 1]! : 0 }]
      : []),
  ];
}

/** Number of horizontal positions on a logarithmic axis at which a curve may step. */
const LOG_AXIS_SAMPLE_COUNT = 800;

/** Number of entries of an ascending list that are at most x. */
export function countValuesAtMost(ascendingValues: Float64Array, x: number): number {
  let low = 0;
  let high = ascendingValues.length;
  while (low < high) {
    const middleIndex = (low + high) >> 1;
    if (ascendingValues[middleIndex]! <= x) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low;
}

/**
 * Cumulative distribution of values on a logarithmic axis from x = `from` (above 0) to `to`: at each step,
 * the exact share of values that are at most x. Of indistinguishable values only the last has a step.
 */
export function makeCumulativeDistributionCurve(
  sampleValues: ArrayLike<number>,
  from: number,
  to: number,
): FigurePoint[] {
  const ascending = new Float64Array(sampleValues).sort();
  const end = Math.max(to, from * 10);
  const firstIndex = countValuesAtMost(ascending, from);
  const curvePoints = [{ x: from, y: firstIndex / ascending.length }];
  const logWidth = Math.log(end / from);
  let lastPosition = -1;
  // Last value with its own step, and the number of values up to it.
  let [lastValue, count] = [from, firstIndex];
  for (let i = firstIndex; i < ascending.length && ascending[i]! <= end; i++) {
    const x = ascending[i]!;
    if (ascending[i + 1] === x) continue;
    const position = Math.floor((Math.log(x / from) / logWidth) * LOG_AXIS_SAMPLE_COUNT);
    if (position !== lastPosition && count > firstIndex)
      curvePoints.push({ x: lastValue, y: count / ascending.length });
    lastPosition = position;
    lastValue = x;
    count = i + 1;
  }
  if (count > firstIndex) curvePoints.push({ x: lastValue, y: count / ascending.length });
  const lastPoint = curvePoints[curvePoints.length - 1]!;
  return lastPoint.x < end ? [...curvePoints, { x: end, y: lastPoint.y }] : curvePoints;
}
