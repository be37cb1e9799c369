/** Numbers by their rank, without sorting all of them. */

/**
 * The values that would stand at some places of these numbers in ascending order; undefined at places behind the last
 * (quickselect, Hoare 1961).
 * @param values without NaN; their order is lost.
 * @param places from 0, ascending.
 */
export function smallestAt(values: Float64Array, places: readonly number[]): number[] {
  let low = 0;
  return places.map((place) => {
    // What stands before a place that was found is not above what stands behind it.
    select(values, Math.min(low, place), values.length - 1, place);
    low = place;
    return values[place]!;
  });
}

/** Moves values of a range until no value before a place is above the one there, and none behind it below. */
function select(values: Float64Array, from: number, to: number, place: number): void {
  let low = from;
  let high = to;
  while (low < high) {
    const pivot = middleOf(values[low]!, values[(low + high) >> 1]!, values[high]!);
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const value = values[left]!;
      values[left++] = values[right]!;
      values[right--] = value;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else return;
  }
}

/** The second largest of three numbers. */
function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
