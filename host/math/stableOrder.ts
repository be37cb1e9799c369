/** Sorting by numbers. */

/** Length of runs sorted by insertion before merging. */
const INSERTION_SORT_RUN_LENGTH = 16;

/**
 * Indices in ascending order of their keys (no NaN), ties by index. This merge sort keeps keys beside
 * indices, which is several times faster than sorting with a comparison function.
 */
export function stableSortOrder(sortKeys: Float64Array): Int32Array<ArrayBuffer> {
  const { length } = sortKeys;
  const places = new Int32Array(length);
  for (let place = 0; place < length; place++) places[place] = place;
  if (areKeysAscending(sortKeys)) return places;
  let from: SortKeysWithIndices = { keys: sortKeys.slice(), places };
  for (let firstPosition = 0; firstPosition < length; firstPosition += INSERTION_SORT_RUN_LENGTH)
    insertionSortRange(from, firstPosition, Math.min(firstPosition + INSERTION_SORT_RUN_LENGTH, length));
  let to: SortKeysWithIndices = { keys: new Float64Array(length), places: new Int32Array(length) };
  for (let width = INSERTION_SORT_RUN_LENGTH; width < length; width *= 2) {
    for (let firstPosition = 0; firstPosition < length; firstPosition += 2 * width) {
      const middlePosition = Math.min(firstPosition + width, length);
      mergeSortedRuns(from, to, firstPosition, middlePosition, Math.min(middlePosition + width, length));
    }
    [from, to] = [to, from];
  }
  return from.places;
}

function areKeysAscending(sortKeys: Float64Array): boolean {
  for (let place = 1; place < sortKeys.length; place++)
    if (sortKeys[place - 1]! > sortKeys[place]!) return false;
  return true;
}

interface SortKeysWithIndices {
  readonly keys: Float64Array;
  readonly places: Int32Array<ArrayBuffer>;
}

function insertionSortRange(
  { keys: sortKeys, places: sortedPlaces }: SortKeysWithIndices,
  rangeStart: number,
  end: number,
): void {
  for (let nextPosition = rangeStart + 1; nextPosition < end; nextPosition++) {
    const movedKey = sortKeys[nextPosition]!;
    const place = sortedPlaces[nextPosition]!;
    let at = nextPosition;
    for (; at > rangeStart && sortKeys[at - 1]! > movedKey; at--) {
      sortKeys[at] = sortKeys[at - 1]!;
      sortedPlaces[at] = sortedPlaces[at - 1]!;
    }
    sortKeys[at] = movedKey;
    sortedPlaces[at] = place;
  }
}

/** Merges the sorted ranges [runStart, middle) and [middle, end). */
function mergeSortedRuns(
  from: SortKeysWithIndices,
  to: SortKeysWithIndices,
  runStart: number,
  middlePosition: number,
  end: number,
): void {
  const { keys: sortKeys, places: sortedPlaces } = from;
  let [left, right, at] = [runStart, middlePosition, runStart];
  if (middlePosition === end || sortKeys[middlePosition - 1]! <= sortKeys[middlePosition]!) {
    copySortKeyRange(from, to, runStart, runStart, end);
    return;
  }
  while (left < middlePosition && right < end) {
    const smallerIndex = sortKeys[left]! <= sortKeys[right]! ? left++ : right++;
    to.keys[at] = sortKeys[smallerIndex]!;
    to.places[at++] = sortedPlaces[smallerIndex]!;
  }
  copySortKeyRange(from, to, at, left, middlePosition);
  copySortKeyRange(from, to, at + middlePosition - left, right, end);
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
