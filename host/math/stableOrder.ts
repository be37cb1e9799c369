/** Sorting by numbers. */

/** Length of runs sorted by insertion before merging. */
const INSERTION_SORT_RUN_LENGTH = 16;

/**
 * Indices in ascending order of their keys (no NaN), ties by index. This merge sort keeps keys beside
 * indices, which is several times faster than sorting with a comparison function.
 */
export function stableSortOrder(keys: Float64Array): Int32Array<ArrayBuffer> {
  const { length } = keys;
  const places = new Int32Array(length);
  for (let place = 0; place < length; place++) places[place] = place;
  if (areKeysAscending(keys)) return places;
  let from: SortKeysWithIndices = { keys: keys.slice(), places };
  for (let firstPosition = 0; firstPosition < length; firstPosition += INSERTION_SORT_RUN_LENGTH)
    insertionSortRange(from, firstPosition, Math.min(firstPosition + INSERTION_SORT_RUN_LENGTH, length));
  let to: SortKeysWithIndices = { keys: new Float64Array(length), places: new Int32Array(length) };
  for (let width = INSERTION_SORT_RUN_LENGTH; width < length; width *= 2) {
    for (let firstPosition = 0; firstPosition < length; firstPosition += 2 * width) {
      const middle = Math.min(firstPosition + width, length);
      mergeSortedRuns(from, to, firstPosition, middle, Math.min(middle + width, length));
    }
    [from, to] = [to, from];
  }
  return from.places;
}

function areKeysAscending(keys: Float64Array): boolean {
  for (let place = 1; place < keys.length; place++) if (keys[place - 1]! > keys[place]!) return false;
  return true;
}

interface SortKeysWithIndices {
  readonly keys: Float64Array;
  readonly places: Int32Array<ArrayBuffer>;
}

function insertionSortRange(
  { keys: sortKeys, places }: SortKeysWithIndices,
  rangeStart: number,
  end: number,
): void {
  for (let nextPosition = rangeStart + 1; nextPosition < end; nextPosition++) {
    const movedKey = sortKeys[nextPosition]!;
    const place = places[nextPosition]!;
    let at = nextPosition;
    for (; at > rangeStart && sortKeys[at - 1]! > movedKey; at--) {
      sortKeys[at] = sortKeys[at - 1]!;
      places[at] = places[at - 1]!;
    }
    sortKeys[at] = movedKey;
    places[at] = place;
  }
}

/** Merges the sorted ranges [runStart, middle) and [middle, end). */
function mergeSortedRuns(
  from: SortKeysWithIndices,
  to: SortKeysWithIndices,
  runStart: number,
  middle: number,
  end: number,
): void {
  const { keys: sortKeys, places } = from;
  let [left, right, at] = [runStart, middle, runStart];
  if (middle === end || sortKeys[middle - 1]! <= sortKeys[middle]!) {
    copySortKeyRange(from, to, runStart, runStart, end);
    return;
  }
  while (left < middle && right < end) {
    const smallerIndex = sortKeys[left]! <= sortKeys[right]! ? left++ : right++;
    to.keys[at] = sortKeys[smallerIndex]!;
    to.places[at++] = places[smallerIndex]!;
  }
  copySortKeyRange(from, to, at, left, middle);
  copySortKeyRange(from, to, at + middle - left, right, end);
}

function copySortKeyRange(
  from: SortKeysWithIndices,
  to: SortKeysWithIndices,
  at: number,
  rangeStart: number,
  end: number,
): void {
  to.keys.set(from.keys.subarray(rangeStart, end), at);
  to.places.set(from.places.subarray(rangeStart, end), at);
}
