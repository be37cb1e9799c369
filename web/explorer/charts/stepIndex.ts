/**
 * Index over a step function that returns mean, minimum and maximum of a span with two searches, so that the
 * cost grows with the number of spans and not of steps.
 */
import { countValuesAtMost, type StepFunction } from '../../../host/draw/timeline.js';

/** Number of steps per group; extremes are stored per group and per group of groups. */
const STEPS_PER_GROUP = 16;

/** Mean, minimum and maximum of each span, in order of time. */
export interface StepFunctionSamples {
  readonly mean: Float64Array;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
}

/** Minimum and maximum of each group of `STEPS_PER_GROUP` values. */
interface GroupMinimaAndMaxima {
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
}

function computeGroupExtremes({ minimum, maximum }: GroupMinimaAndMaxima): GroupMinimaAndMaxima {
  const groupCount = Math.ceil(minimum.length / STEPS_PER_GROUP);
  const groupExtremes = {
    minimum: new Float64Array(groupCount).fill(Infinity),
    maximum: new Float64Array(groupCount).fill(-Infinity),
  };
  for (let i = 0; i < minimum.length; i++) {
    const groupIndex = Math.floor(i / STEPS_PER_GROUP);
    if (minimum[i] < groupExtremes.minimum[groupIndex]) groupExtremes.minimum[groupIndex] = minimum[i];
    if (maximum[i] > groupExtremes.maximum[groupIndex]) groupExtremes.maximum[groupIndex] = maximum[i];
  }
  return groupExtremes;
}

/**
 * Smooths samples by running means over about `width` neighbours, because a curve that changes within every
 * pixel is unreadable. A width below 2 changes nothing.
 * @param samples as returned by `StepFunctionIndex.samples`.
 */
export function smoothStepSamples(
  { mean, minimum, maximum }: StepFunctionSamples,
  width: number,
): StepFunctionSamples {
  const halfWidth = Math.floor(width / 2);
  if (halfWidth < 1) return { mean, minimum, maximum };
  const sums = new Float64Array(mean.length + 1);
  for (let i = 0; i < mean.length; i++) sums[i + 1] = sums[i] + mean[i];
  const smoothedMeans = new Float64Array(mean.length);
  for (let i = 0; i < mean.length; i++) {
    const [first, end] = [Math.max(0, i - halfWidth), Math.min(mean.length, i + halfWidth + 1)];
    smoothedMeans[i] = (sums[end] - sums[first]) / (end - first);
  }
  return {
    mean: smoothedMeans,
    minimum: minimum === mean ? smoothedMeans : minimum,
    maximum: maximum === mean ? smoothedMeans : maximum,
  };
}

export class StepFunctionIndex {
  readonly #time: Float64Array;
  readonly #value: Float64Array;
  /** Integral of the step function up to each step. */
  readonly #integralBefore: Float64Array;
  /** Extremes of single values, of groups, and of groups of groups. */
  readonly #extremes: readonly [GroupMinimaAndMaxima, GroupMinimaAndMaxima, GroupMinimaAndMaxima];

  constructor({ time, value: stepValues }: StepFunction) {
    [this.#time, this.#value] = [time, stepValues];
    this.#integralBefore = new Float64Array(time.length);
    for (let i = 1; i < time.length; i++)
      this.#integralBefore[i] = this.#integralBefore[i - 1] + stepValues[i - 1] * (time[i] - time[i - 1]);
    const minAndMaxOfSingleValues = { minimum: stepValues, maximum: stepValues };
    const groupExtremes = computeGroupExtremes(minAndMaxOfSingleValues);
    this.#extremes = [minAndMaxOfSingleValues, groupExtremes, computeGroupExtremes(groupExtremes)];
  }

  /** Returns the value at a time. */
  at(time: number): number {
    const stepIndex = countValuesAtMost(this.#time, time) - 1;
    return stepIndex < 0 ? 0 : this.#value[stepIndex];
  }

  /** Returns the mean over the span from `from` up to, but without, `to`. */
  mean(from: number, to: number): number {
    return to > from ? (this.#integral(to) - this.#integral(from)) / (to - from) : this.at(from);
  }

  /** Counts the steps later than `from` and not later than `to`. */
  count(from: number, to: number): number {
    return countValuesAtMost(this.#time, to) - countValuesAtMost(this.#time, from);
  }

  /**
   * Samples `sampleCount` equal spans of a window, cut as by `sampleStepFunction`.
   * @param shouldIncludeExtremes if false, minimum and maximum are set to the mean, which is cheaper.
   */
  samples(from: number, to: number, sampleCount: number, shouldIncludeExtremes = true): StepFunctionSamples {
    const mean = new Float64Array(sampleCount);
    const [minima, maxima] = shouldIncludeExtremes
      ? [new Float64Array(sampleCount), new Float64Array(sampleCount)]
      : [mean, mean];
    let integralUpToBegin = this.#integral(from);
    let stepIndex = countValuesAtMost(this.#time, from) - 1;
    let firstSearchStride = 1;
    for (let span = 0; span < sampleCount; span++) {
      const begin = from + ((to - from) * span) / sampleCount;
      const end = from + ((to - from) * (span + 1)) / sampleCount;
      let lastIndex = this.#lastUpTo(end, stepIndex, firstSearchStride);
      firstSearchStride = Math.max(1, lastIndex - stepIndex);
      const integralUpToEnd = this.#integralAt(lastIndex, end);
      const currentValue = stepIndex < 0 ? 0 : this.#value[stepIndex];
      mean[span] = end > begin ? (integralUpToEnd - integralUpToBegin) / (end - begin) : currentValue;
      // A step at the end of a span belongs to the next span.
      const nextIndex = lastIndex;
      integralUpToBegin = integralUpToEnd;
      if (!shouldIncludeExtremes) {
        stepIndex = nextIndex;
        continue;
      }
      if (lastIndex > stepIndex && this.#time[lastIndex] === end) lastIndex--;
      let [minimum, maximum] = [currentValue, currentValue];
      for (let i = stepIndex + 1; i <= lastIndex; ) {
        let [depth, size] = [0, 1];
        while (
          depth < 2 &&
          i % (size * STEPS_PER_GROUP) === 0 &&
          i + size * STEPS_PER_GROUP - 1 <= lastIndex
        ) {
          depth++;
          size *= STEPS_PER_GROUP;
        }
        const groupExtremes = this.#extremes[depth];
        const groupIndex = i / size;
        if (groupExtremes.minimum[groupIndex] < minimum) minimum = groupExtremes.minimum[groupIndex];
        if (groupExtremes.maximum[groupIndex] > maximum) maximum = groupExtremes.maximum[groupIndex];
        i += size;
      }
      minima[span] = minimum;
      maxima[span] = maximum;
      stepIndex = nextIndex;
    }
    return { mean, minimum: minima, maximum: maxima };
  }

  /**
   * Returns the index of the last step that is not later than a time. The search starts at step
   * `from` and doubles its stride, beginning with `firstStride`.
   */
  #lastUpTo(time: number, from: number, firstStride: number): number {
    const stepTimes = this.#time;
    let [lastKnown, stride] = [from, firstStride];
    while (lastKnown + stride < stepTimes.length && stepTimes[lastKnown + stride] <= time) {
      lastKnown += stride;
      stride *= 2;
    }
    let firstLaterIndex = Math.min(lastKnown + stride, stepTimes.length);
    while (firstLaterIndex - lastKnown > 1) {
      const middleIndex = (lastKnown + firstLaterIndex) >> 1;
      if (stepTimes[middleIndex] <= time) lastKnown = middleIndex;
      else firstLaterIndex = middleIndex;
    }
    return lastKnown;
  }

  #integral(time: number): number {
    return this.#integralAt(countValuesAtMost(this.#time, time) - 1, time);
  }

  #integralAt(step: number, time: number): number {
    return step < 0 ? 0 : this.#integralBefore[step] + this.#value[step] * (time - this.#time[step]);
  }
}
