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
  axisRange: ValueRange,
  wholeRange: ValueRange,
  scaleFactor: number,
  isLogarithmic: boolean,
): ValueRange | undefined {
  return changeAxisRange(axisRange, wholeRange, isLogarithmic, ([from, to], length) => {
    const halfRangeLength = Math.max(((to - from) * scaleFactor) / 2, (length * MIN_VISIBLE_AXIS_SHARE) / 2);
    return [(from + to) / 2 - halfRangeLength, (from + to) / 2 + halfRangeLength];
  });
}

/** Moves an axis range by a share of its length. */
export function moveAxisRange(
  axisRange: ValueRange,
  wholeRange: ValueRange,
  rangeShare: number,
  isLogarithmic: boolean,
): ValueRange | undefined {
  return changeAxisRange(axisRange, wholeRange, isLogarithmic, ([from, to]) => [
    from + (to - from) * rangeShare,
    to + (to - from) * rangeShare,
  ]);
}

/** Changes a range in drawing coordinates (logarithms if `isLogarithmic`) and keeps it within the whole axis. */
function changeAxisRange(
  axisRange: ValueRange,
  wholeRange: ValueRange,
  isLogarithmic: boolean,
  change: (range: ValueRange, length: number) => ValueRange,
): ValueRange | undefined {
  const toAxisScale = (axisValue: number) => (isLogarithmic ? Math.log(axisValue) : axisValue);
  const toAxisValue = (scaledValue: number) => (isLogarithmic ? Math.exp(scaledValue) : scaledValue);
  const [axisBegin, axisEnd] = wholeRange.map(toAxisScale);
  const [from, to] = change([toAxisScale(axisRange[0]), toAxisScale(axisRange[1])], axisEnd - axisBegin);
  const length = to - from;
  if (length >= (axisEnd - axisBegin) * (1 - 1e-9)) return undefined;
  const begin = Math.min(Math.max(from, axisBegin), axisEnd - length);
  return [toAxisValue(begin), toAxisValue(begin + length)];
}
