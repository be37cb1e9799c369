/** Numbers by their rank, without sorting all of them. */
import { inWorkspace, isWorthCompiling, type Workspace } from '../loops/workspace.js';

/**
 * The values that would stand at some places of these numbers in ascending order; undefined at places behind the last.
 * @param values without NaN.
 * @param places from 0, ascending.
 */
export function smallestAt(values: Float64Array, places: readonly number[]): number[] {
  const { length } = values;
  const find = ({ arrays, loops }: Workspace<{ readonly copy: readonly ['doubles', number] }>) => {
    const { copy } = arrays;
    copy.set(values);
    let low = 0;
    return places.map((place) => {
      // What stands before a place that was found is not above what stands behind it.
      loops.select(copy, Math.min(low, place), length - 1, place);
      low = place;
      return copy[place]!;
    });
  };
  return inWorkspace({ copy: ['doubles', length] }, find, isWorthCompiling(length));
}
