/** Steps that are asked for means and extremes of many spans, each by two searches: the work is that of the spans, not of the steps. */
import { countUpTo, type Steps } from '../../../host/draw/timeline.js';

/** Steps of a group, of which the least and the largest are known. */
const GROUP = 64;

/** Means, least and largest values of spans, in their order. */
export interface Samples {
  readonly mean: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** An index of steps. */
export class StepIndex {
  readonly #time: Float64Array;
  readonly #value: Float64Array;
  /** The integral up to each step. */
  readonly #before: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  constructor({ time, value }: Steps) {
    [this.#time, this.#value] = [time, value];
    this.#before = new Float64Array(time.length);
    for (let i = 1; i < time.length; i++)
      this.#before[i] = this.#before[i - 1] + value[i - 1] * (time[i] - time[i - 1]);
    const groups = Math.ceil(time.length / GROUP);
    this.#low = new Float64Array(groups).fill(Infinity);
    this.#high = new Float64Array(groups).fill(-Infinity);
    for (let i = 0; i < value.length; i++) {
      const group = Math.floor(i / GROUP);
      this.#low[group] = Math.min(this.#low[group], value[i]);
      this.#high[group] = Math.max(this.#high[group], value[i]);
    }
  }

  /** The value at a time. */
  at(time: number): number {
    const step = countUpTo(this.#time, time) - 1;
    return step < 0 ? 0 : this.#value[step];
  }

  /** The mean from one time to another, the later one not in it. */
  mean(from: number, to: number): number {
    return to > from ? (this.#integral(to) - this.#integral(from)) / (to - from) : this.at(from);
  }

  /** A window cut into equal spans, as `samplePoints` cuts it. */
  samples(from: number, to: number, count: number): Samples {
    const [mean, low, high] = [0, 1, 2].map(() => new Float64Array(count)) as Float64Array[];
    let before = this.#integral(from);
    let step = countUpTo(this.#time, from) - 1;
    for (let span = 0; span < count; span++) {
      const begin = from + ((to - from) * span) / count;
      const end = from + ((to - from) * (span + 1)) / count;
      let last = countUpTo(this.#time, end) - 1;
      const after = this.#integralAt(last, end);
      const level = step < 0 ? 0 : this.#value[step];
      mean[span] = end > begin ? (after - before) / (end - begin) : level;
      // What begins as the span ends is the next one's.
      const next = last;
      if (last > step && this.#time[last] === end) last--;
      [low[span], high[span]] = [level, level];
      for (let i = step + 1; i <= last; ) {
        const isWhole = i % GROUP === 0 && i + GROUP - 1 <= last;
        const group = i / GROUP;
        low[span] = Math.min(low[span], isWhole ? this.#low[group] : this.#value[i]);
        high[span] = Math.max(high[span], isWhole ? this.#high[group] : this.#value[i]);
        i += isWhole ? GROUP : 1;
      }
      [step, before] = [next, after];
    }
    return { mean, low, high };
  }

  #integral(time: number): number {
    return this.#integralAt(countUpTo(this.#time, time) - 1, time);
  }

  #integralAt(step: number, time: number): number {
    return step < 0 ? 0 : this.#before[step] + this.#value[step] * (time - this.#time[step]);
  }
}
