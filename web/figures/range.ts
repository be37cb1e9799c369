/** Zooms and moves the visible part of a horizontal axis. */

/** Smallest and largest visible value. */
export type ValueRange = readonly [from: number, to: number];

/** Smallest visible part, as a share of the whole axis. */
const MIN_VISIBLE_AXIS_SHARE = 1e-4;

/**
 * Widens an axis range by a factor around its middle; undefined if the result is the whole axis. The values
 * of a logarithmic axis must be positive.
 */
export function zoomAxisRange(
  range: ValueRange,
  all: ValueRange,
  scaleFactor: number,
  isLogarithmic: boolean,
): ValueRange | undefined {
  return changeAxisRange(range, all, isLogarithmic, ([from, to], length) => {
    const half = Math.max(((to - from) * scaleFactor) / 2, (length * MIN_VISIBLE_AXIS_SHARE) / 2);
    return [(from + to) / 2 - half, (from + to) / 2 + half];
  });
}

/** Moves an axis range by a share of its length. */
export function moveAxisRange(
  range: ValueRange,
  all: ValueRange,
  share: number,
  isLogarithmic: boolean,
): ValueRange | undefined {
  return changeAxisRange(range, all, isLogarithmic, ([from, to]) => [
    from + (to - from) * share,
    to + (to - from) * share,
  ]);
}

/** Changes a range in drawing coordinates (logarithms if `isLogarithmic`) and keeps it within the whole axis. */
function changeAxisRange(
  range: ValueRange,
  all: ValueRange,
  isLogarithmic: boolean,
  change: (range: ValueRange, length: number) => ValueRange,
): ValueRange | undefined {
  const line = (value: number) => (isLogarithmic ? Math.log(value) : value);
  const back = (value: number) => (isLogarithmic ? Math.exp(value) : value);
  const [least, most] = all.map(line);
  const [from, to] = change([line(range[0]), line(range[1])], most - least);
  const length = to - from;
  if (length >= (most - least) * (1 - 1e-9)) return undefined;
  const begin = Math.min(Math.max(from, least), most - length);
  return [back(begin), back(begin + length)];
}
