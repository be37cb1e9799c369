/** Sorting by numbers. */

/** Length of runs sorted by insertion before merging. */
const INSERTION_SORT_RUN_LENGTH = 16;

/**
 * Indices in ascending order of their keys (no NaN), ties by index. This merge sort keeps keys beside
 * indices, which is several times faster than sorting with a comparison function.
 */
export function computeStableSortOrder(sortKeys: Float64Array): Int32Array<ArrayBuffer> {
  const { length } = sortKeys;
  const positions = new Int32Array(length);
  for (let place = 0; place < length; place++) positions[place] = place;
  if (areKeysAscending(sortKeys)) return positions;
  let source: SortKeysWithIndices = { keys: sortKeys.slice(), places: positions };
  for (let firstPosition = 0; firstPosition < length; firstPosition += INSERTION_SORT_RUN_LENGTH)
    insertionSortRange(source, firstPosition, Math.min(firstPosition + INSERTION_SORT_RUN_LENGTH, length));
  let target: SortKeysWithIndices = { keys: new Float64Array(length), places: new Int32Array(length) };
  for (let width = INSERTION_SORT_RUN_LENGTH; width < length; width *= 2) {
    for (let firstPosition = 0; firstPosition < length; firstPosition += 2 * width) {
      const middlePosition = Math.min(firstPosition + width, length);
      mergeSortedRuns(
        source,
        target,
        firstPosition,
        middlePosition,
        Math.min(middlePosition + width, length),
      );
    }
    [source, target] = [target, source];
  }
  return source.places;
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
  source: SortKeysWithIndices,
  target: SortKeysWithIndices,
  runStart: number,
  middlePosition: number,
  end: number,
): void {
  const { keys: sortKeys, places: sortedPlaces } = source;
  let [left, right, at] = [runStart, middlePosition, runStart];
  if (middlePosition === end || sortKeys[middlePosition - 1]! <= sortKeys[middlePosition]!) {
    copySortKeyRange(source, target, runStart, runStart, end);
    return;
  }
  while (left < middlePosition && right < end) {
    const smallerIndex = sortKeys[left]! <= sortKeys[right]! ? left++ : right++;
    target.keys[at] = sortKeys[smallerIndex]!;
    target.places[at++] = sortedPlaces[smallerIndex]!;
  }
  copySortKeyRange(source, target, at, left, middlePosition);
  copySortKeyRange(source, target, at + middlePosition - left, right, end);
}

function copySortKeyRange(
  source: SortKeysWithIndices,
  target: SortKeysWithIndices,
  at: number,
  rangeStart: number,
  end: number,
): void {
  target.keys.set(source.keys.subarray(rangeStart, end), at);
  target.places.set(source.places.subarray(rangeStart, end), at);
}
