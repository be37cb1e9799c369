/** Elements of lists. */

/**
 * First element of a list.
 * @throws Error if the list is empty.
 */
export function firstElement<T>(list: readonly T[]): T {
  const [first] = list;
  if (list.length === 0) throw new Error('an empty list has no first element');
  return first as T;
}

/**
 * Last element of a list.
 * @throws Error if the list is empty.
 */
export function lastElement<T>(list: readonly T[]): T {
  if (list.length === 0) throw new Error('an empty list has no last element');
  return list[list.length - 1] as T;
}

/**
 * Minimum and maximum of any number of values (`Math.min` has an argument limit); Infinity and -Infinity for
 * an empty list.
 */
export function minAndMax(numbers: readonly number[]): readonly [least: number, largest: number] {
  let [least, largest] = [Infinity, -Infinity];
  for (const value of numbers) {
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  return [least, largest];
}

/** Groups elements by a key, in the order of first occurrence. */
export function groupBy<T, Key>(
  list: readonly T[],
  keyOfElement: (element: T, place: number) => Key,
): Map<Key, T[]> {
  const elementsByKey = new Map<Key, T[]>();
  for (const [place, element] of list.entries()) {
    const elementKey = keyOfElement(element, place);
    const elementsOfKey = elementsByKey.get(elementKey);
    if (elementsOfKey === undefined) elementsByKey.set(elementKey, [element]);
    else elementsOfKey.push(element);
  }
  return elementsByKey;
}
