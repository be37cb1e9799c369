/**
 * Figures of a simulation: quantities over time (waiting jobs, processors in use), and distributions of values.
 */
import { stableOrder } from '../math/stableOrder.js';
import type { FinishedJob, HeldProcessors } from '../results/finishedJobs.js';
import type { FigurePoint } from './figureModel.js';
import type { TimeWindow } from './timeChart.js';

/** `value[i]` holds from `time[i]` (ascending, all different) until `time[i + 1]`, the last for ever; 0 before. */
export interface Steps {
  readonly time: Float64Array;
  readonly value: Float64Array;
}

/** Spans of time, each with an amount. */
export interface Spans {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly amount: Float64Array | Int32Array;
}

/** Sums amounts that last for spans into a step function of time. */
export function accumulate({ from, to, amount }: Spans): Steps {
  const count = from.length;
  const [begun, ended] = [stableOrder(from), stableOrder(to)];
  const time = new Float64Array(2 * count);
  const value = new Float64Array(2 * count);
  let steps = 0;
  let level = 0;
  for (let next = 0, last = 0; last < count; ) {
    const isStart = next < count && from[begun[next]!]! <= to[ended[last]!]!;
    const span = isStart ? begun[next++]! : ended[last++]!;
    const when = isStart ? from[span]! : to[span]!;
    level += isStart ? amount[span]! : -amount[span]!;
    if (steps === 0 || time[steps - 1]! < when) time[steps++] = when;
    value[steps - 1] = level;
  }
  return { time: time.slice(0, steps), value: value.slice(0, steps) };
}

/**
 * The number of waiting jobs; a job that starts as it is submitted never waits, one that is stopped waits again.
 * @param stopped the runs of these jobs that were stopped.
 */
export function waitingJobs(jobs: readonly FinishedJob[], stopped: readonly HeldProcessors[]): Steps {
  // A job waits from its submission to its last start, except during earlier runs.
  return accumulate(
    spansOf([
      ...jobs.map(({ submit, start }) => ({ from: submit, to: start, amount: 1 })),
      ...stopped.map(({ start, end }) => ({ from: start, to: end, amount: -1 })),
    ]),
  );
}

/** The number of processors in use. */
export function busyProcessors(held: readonly HeldProcessors[]): Steps {
  return accumulate(
    spansOf(held.map(({ start, end, processors }) => ({ from: start, to: end, amount: processors }))),
  );
}

function spansOf(
  spans: readonly { readonly from: number; readonly to: number; readonly amount: number }[],
): Spans {
  return {
    from: Float64Array.from(spans, ({ from }) => from),
    to: Float64Array.from(spans, ({ to }) => to),
    amount: Float64Array.from(spans, ({ amount }) => amount),
  };
}

/** Time of the first step with the largest value. */
export function timeOfLargest({ time, value }: Steps): number {
  let largest = 0;
  for (let i = 1; i < value.length; i++) if (value[i]! > value[largest]!) largest = i;
  return time[largest]!;
}

/** An interval of time: where it begins, the mean over it, the least and the largest value in it. */
export interface SampledPoint {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/** A window cut into equal intervals: no extreme is lost, and the means have the integral of the steps. */
export function samplePoints(
  { time, value }: Steps,
  { from, to }: TimeWindow,
  intervals: number,
): SampledPoint[] {
  const points: SampledPoint[] = [];
  let step = -1;
  for (let bin = 0; bin < intervals; bin++) {
    const begin = from + ((to - from) * bin) / intervals;
    const end = from + ((to - from) * (bin + 1)) / intervals;
    while (step + 1 < time.length && time[step + 1]! <= begin) step++;
    let level = step < 0 ? 0 : value[step]!;
    let [low, high, integral, since] = [level, level, 0, begin];
    for (; step + 1 < time.length && time[step + 1]! < end; step++) {
      integral += level * (time[step + 1]! - since);
      since = time[step + 1]!;
      level = value[step + 1]!;
      low = Math.min(low, level);
      high = Math.max(high, level);
    }
    // At very large times, where rounding loses an interval, the level itself is used.
    const mean = end > begin ? (integral + level * (end - since)) / (end - begin) : level;
    points.push({ x: begin, y: mean, low, high });
  }
  return points;
}

/** The level below which a share of the time is spent. */
function timeQuantile(spent: readonly (readonly [level: number, seconds: number])[], share: number): number {
  let left = share * spent.reduce((sum, [, seconds]) => sum + seconds, 0);
  for (const [level, seconds] of spent) {
    left -= seconds;
    if (left <= 0) return level;
  }
  return spent.at(-1)?.[0] ?? 0;
}

/** A window cut into intervals of some seconds: the mean over each, and between which levels half of its time is spent. */
export function quartilePoints(
  { time, value }: Steps,
  { from, to }: TimeWindow,
  seconds: number,
): SampledPoint[] {
  let step = -1;
  return Array.from({ length: Math.ceil((to - from) / seconds) }, (_, i) => {
    const [begin, end] = [from + i * seconds, Math.min(to, from + (i + 1) * seconds)];
    while (step + 1 < time.length && time[step + 1]! <= begin) step++;
    const spent: (readonly [level: number, seconds: number])[] = [];
    for (let since = begin; since < end; ) {
      const until = step + 1 < time.length ? Math.min(time[step + 1]!, end) : end;
      spent.push([step < 0 ? 0 : value[step]!, until - since]);
      since = until;
      if (until < end) step++;
    }
    const mean = spent.reduce((sum, [level, length]) => sum + level * length, 0) / (end - begin);
    spent.sort(([a], [b]) => a - b);
    return { x: begin, y: mean, low: timeQuantile(spent, 0.25), high: timeQuantile(spent, 0.75) };
  });
}

/**
 * Steps inside a window as points of a plot: each of them if there are at most `most`, with the levels at the ends of a
 * window that cuts them; else the window in `most` intervals.
 */
export function stepPoints(steps: Steps, window: TimeWindow, most: number): FigurePoint[] {
  const { time, value } = steps;
  const first = time.findIndex((x) => x >= window.from);
  const begin = first < 0 ? time.length : first;
  const after = time.findIndex((x) => x > window.to);
  const end = after < 0 ? time.length : after;
  if (end - begin > most) return samplePoints(steps, window, most);
  const inside = Array.from(time.subarray(begin, end), (x, i) => ({ x, y: value[begin + i]! }));
  const isCutBefore = begin > 0 && time[begin] !== window.from;
  return [
    ...(isCutBefore ? [{ x: window.from, y: value[begin - 1]! }] : []),
    ...inside,
    ...(end < time.length ? [{ x: window.to, y: end > 0 ? value[end - 1]! : 0 }] : []),
  ];
}

/** Places of a logarithmic axis; a curve has one step at each. */
const PLACES = 800;

/** Number of entries of an ascending list that are not above x. */
export function countUpTo(ascending: Float64Array, x: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The cumulative distribution of values from x = `from` (above 0) to `to` on a logarithmic axis, as its steps: each is at
 * a value, and is the exact share of the values that are not above it. Of values too close to be distinguished the last has a step.
 */
export function cumulativeShares(values: ArrayLike<number>, from: number, to: number): FigurePoint[] {
  const ascending = new Float64Array(values).sort();
  const end = Math.max(to, from * 10);
  const first = countUpTo(ascending, from);
  const points = [{ x: from, y: first / ascending.length }];
  const width = Math.log(end / from);
  let place = -1;
  // The last value with a step of its own so far, and how many are not above it.
  let [at, count] = [from, first];
  for (let i = first; i < ascending.length && ascending[i]! <= end; i++) {
    const x = ascending[i]!;
    if (ascending[i + 1] === x) continue;
    const own = Math.floor((Math.log(x / from) / width) * PLACES);
    if (own !== place && count > first) points.push({ x: at, y: count / ascending.length });
    place = own;
    at = x;
    count = i + 1;
  }
  if (count > first) points.push({ x: at, y: count / ascending.length });
  const last = points[points.length - 1]!;
  return last.x < end ? [...points, { x: end, y: last.y }] : points;
}
