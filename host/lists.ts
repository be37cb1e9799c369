/** Elements of lists. */

/**
 * The first of a list.
 * @throws Error for an empty one.
 */
export function firstElement<T>(list: readonly T[]): T {
  const [first] = list;
  if (list.length === 0) throw new Error('an empty list has no first element');
  return first as T;
}

/**
 * The last of a list.
 * @throws Error for an empty one.
 */
export function lastElement<T>(list: readonly T[]): T {
  if (list.length === 0) throw new Error('an empty list has no last element');
  return list[list.length - 1] as T;
}

/** The least and the largest of any number of values, also of more than the arguments that `Math.min` takes; Infinity and -Infinity of none. */
export function minAndMax(values: readonly number[]): readonly [least: number, largest: number] {
  let [least, largest] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  return [least, largest];
}

/** Elements by a key, in the order in which keys first occur. */
export function groupBy<T, Key>(
  list: readonly T[],
  keyOfElement: (element: T, place: number) => Key,
): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const [place, element] of list.entries()) {
    const key = keyOfElement(element, place);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}
