/**
 * The value that has a rank among others, 0 the least, by Hoare's selection (1961): in proportion to how many there are.
 * @param values are put into another order.
 */
export function valueOfRank(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[rank];
    let next = low;
    let last = high;
    while (next <= last) {
      while (values[next] < pivot) next++;
      while (pivot < values[last]) last--;
      if (next > last) break;
      const value = values[next];
      values[next++] = values[last];
      values[last--] = value;
    }
    if (last < rank) low = next;
    if (rank < next) high = last;
  }
  return values[rank];
}
