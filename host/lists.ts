/** Elements of lists that are known to have some. */

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
