/** Elements of lists. */

/**
 * The first of a list.
 * @throws Error for an empty one.
 */
export function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (list.length === 0) throw new Error('an empty list has no first element');
  return first as T;
}

/**
 * The last of a list.
 * @throws Error for an empty one.
 */
export function lastOf<T>(list: readonly T[]): T {
  if (list.length === 0) throw new Error('an empty list has no last element');
  return list[list.length - 1] as T;
}

/** The least and the largest of any number of values, also of more than the arguments that `Math.min` takes; Infinity and -Infinity of none. */
export function extremesOf(values: readonly number[]): readonly [least: number, largest: number] {
  let [least, largest] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  return [least, largest];
}
