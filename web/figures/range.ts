/** The part of a horizontal axis that is shown. */

/** From the least to the largest. */
export type Range = readonly [from: number, to: number];

/** The least part that is shown, as a share of all. */
const LEAST_PART = 1e-4;

/** An axis range widened by a factor around its middle; undefined: the whole axis. On a logarithmic axis all must be above 0. */
export function zoomed(range: Range, all: Range, factor: number, isLog: boolean): Range | undefined {
  return onLine(range, all, isLog, ([from, to], length) => {
    const half = Math.max(((to - from) * factor) / 2, (length * LEAST_PART) / 2);
    return [(from + to) / 2 - half, (from + to) / 2 + half];
  });
}

/** An axis range of the same length, moved by a share of it. */
export function moved(range: Range, all: Range, share: number, isLog: boolean): Range | undefined {
  return onLine(range, all, isLog, ([from, to]) => [from + (to - from) * share, to + (to - from) * share]);
}

/** A change of a range as it is drawn, kept within all. */
function onLine(
  range: Range,
  all: Range,
  isLog: boolean,
  change: (range: Range, length: number) => Range,
): Range | undefined {
  const line = (value: number) => (isLog ? Math.log(value) : value);
  const back = (value: number) => (isLog ? Math.exp(value) : value);
  const [least, most] = all.map(line);
  const [from, to] = change([line(range[0]), line(range[1])], most - least);
  const length = to - from;
  if (length >= (most - least) * (1 - 1e-9)) return undefined;
  const begin = Math.min(Math.max(from, least), most - length);
  return [back(begin), back(begin + length)];
}
