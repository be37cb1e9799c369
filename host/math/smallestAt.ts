/** Numbers by their rank, without sorting all of them. */
import { isWorthCompiling, roomFor } from '../loops/room.js';

/**
 * The values that would stand at some places of these numbers in ascending order; undefined at places behind the last.
 * @param values without NaN.
 * @param places from 0, ascending.
 */
export function smallestAt(values: Float64Array, places: readonly number[]): number[] {
  const { arrays, loops } = roomFor({ values: ['doubles', values.length] }, isWorthCompiling(values.length));
  arrays.values.set(values);
  let low = 0;
  return places.map((place) => {
    // What stands before a place that was found is not above what stands behind it.
    loops.select(arrays.values, Math.min(low, place), values.length - 1, place);
    low = place;
    return arrays.values[place]!;
  });
}
