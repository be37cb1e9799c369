/** Sums without an error. */

/**
 * The exact sum of finite doubles, rounded once to the nearest double, of two to the even one, as Python's `math.fsum`: whatever
 * their order (Shewchuk 1997). `term(i)` is the value of i = 0 ... count - 1.
 */
export function exactSum(count: number, term: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const value = term(i);
    sum += value;
    // Whole numbers add up without an error as long as no sum passes 2^53.
    if (!Number.isInteger(value) || !Number.isSafeInteger(sum)) return sumOfParts(count, term);
  }
  return sum;
}

/** The same of a column. */
export function exactSumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i]!;
    if (!Number.isInteger(values[i]) || !Number.isSafeInteger(sum))
      return sumOfParts(values.length, (place) => values[place]!);
  }
  return sum;
}

/**
 * The sums of groups of whole numbers; undefined where a number is not whole, or a sum passes 2^53.
 * @param groupOf the number of each value's group, from 0; -1 for one that is in none.
 */
export function wholeSums(
  values: Float64Array,
  groupOf: Int32Array,
  groups: number,
): Float64Array | undefined {
  const sums = new Float64Array(groups);
  for (let i = 0; i < groupOf.length; i++) {
    const group = groupOf[i]!;
    if (group < 0) continue;
    sums[group]! += values[i]!;
    if (!Number.isInteger(values[i]!) || !Number.isSafeInteger(sums[group]!)) return undefined;
  }
  return sums;
}

/** The sum as doubles that do not overlap, from the least up, which have the exact sum of all terms so far. */
function sumOfParts(count: number, term: (i: number) => number): number {
  // The first `length` of these; the array itself never shrinks, which would cost more than the sum.
  const parts: number[] = [];
  let length = 0;
  for (let i = 0; i < count; i++) {
    let value = term(i);
    let kept = 0;
    for (let at = 0; at < length; at++) {
      const part = parts[at]!;
      const isSmaller = Math.abs(value) < Math.abs(part);
      const large = isSmaller ? part : value;
      const small = isSmaller ? value : part;
      const sum = large + small;
      const lost = small - (sum - large);
      if (lost !== 0) parts[kept++] = lost;
      value = sum;
    }
    parts[kept++] = value;
    length = kept;
  }
  return rounded(parts.slice(0, length));
}

/** The nearest double to the sum of parts that do not overlap; where the first two leave it half way, the next one decides. */
function rounded(parts: readonly number[]): number {
  let at = parts.length - 1;
  let sum = parts[at] ?? 0;
  let lost = 0;
  while (at > 0 && lost === 0) {
    const before = sum;
    const part = parts[--at]!;
    sum = before + part;
    lost = part - (sum - before);
  }
  const next = parts[at - 1] ?? 0;
  if ((lost < 0 && next < 0) || (lost > 0 && next > 0)) {
    const twice = 2 * lost;
    const other = sum + twice;
    if (other - sum === twice) return other;
  }
  return sum;
}
