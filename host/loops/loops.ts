/**
 * Loops over all jobs that most processes run only once: reading records, job quantities, selection by rank.
 * JavaScript engines interpret new code at first, which took a third of the processor time of `gridalloc
 * simulate` on 54,041 jobs. Therefore the build also compiles this file to WebAssembly (workspace.ts), and it
 * uses only the common subset of TypeScript and AssemblyScript: whole numbers are `i32`, callers provide all
 * arrays, and nothing is allocated or imported.
 */
import type { i32 } from './types.js';

/** Number of fields in a record of the Standard Workload Format. */
export const SWF_FIELD_COUNT: i32 = 18;

/**
 * Maximum number of digits of a plain number: digits and power of ten are then exact doubles, so one division
 * rounds correctly.
 */
export const MAX_EXACT_DIGITS: i32 = 15;

const SPACE_CHARACTER_CODE: i32 = 32;
const TAB_CHARACTER_CODE: i32 = 9;
const CARRIAGE_RETURN_CHARACTER_CODE: i32 = 13;
const LINE_FEED_CHARACTER_CODE: i32 = 10;
const MINUS_CHARACTER_CODE: i32 = 45;
const POINT_CHARACTER_CODE: i32 = 46;
const ZERO_CHARACTER_CODE: i32 = 48;

/** Index of the submit time in a record. */
export const SWF_SUBMIT_FIELD_INDEX: i32 = 1;

/**
 * Reads lines of exactly 18 plain numbers (`12`, `-1`, `7.38`, at most 15 digits).
 * @param textBytes lines; the byte before `endOffset` is a line feed.
 * @param beginOffset position in `textBytes` at which reading begins.
 * @param maxLineBytes maximum length of a line in bytes, including its line feed.
 * @param mustBeWholeByField flags of the fields that must be whole numbers.
 * @param powersOfTen powers of ten from 1 to 10 to the `MAX_EXACT_DIGITS`.
 * @param recordRows output for the records, from row `firstRow` on.
 * @param stopPositionOutput output for the position where reading stopped: before any other line, behind a record
 * with a descending or negative submit time, or when the rows are full.
 * @returns number of filled rows.
 */
export function readSwfRecords(
  textBytes: Uint8Array,
  beginOffset: i32,
  endOffset: i32,
  maxLineBytes: i32,
  mustBeWholeByField: Uint8Array,
  powersOfTen: Float64Array,
  recordRows: Float64Array,
  firstRow: i32,
  previousSubmitTime: number,
  stopPositionOutput: Int32Array,
): i32 {
  const maxRecordCount = recordRows.length / SWF_FIELD_COUNT;
  let bytePosition = beginOffset;
  let row = firstRow;
  let submit = previousSubmitTime;
  while (bytePosition < endOffset && row < maxRecordCount) {
    const nextPosition = readSwfRecord(
      textBytes,
      bytePosition,
      mustBeWholeByField,
      powersOfTen,
      recordRows,
      row * SWF_FIELD_COUNT,
    );
    if (nextPosition < 0 || nextPosition - bytePosition > maxLineBytes) break;
    bytePosition = nextPosition;
    const submitTimeOfRecord = recordRows[row * SWF_FIELD_COUNT + SWF_SUBMIT_FIELD_INDEX]!;
    row++;
    if (submitTimeOfRecord < submit || submitTimeOfRecord < 0) break;
    submit = submitTimeOfRecord;
  }
  stopPositionOutput[0] = bytePosition;
  return row;
}

/** Offset behind a line of plain numbers; -1 for any other line. Every loop stops at the line feed. */
function readSwfRecord(
  textBytes: Uint8Array,
  beginOffset: i32,
  mustBeWhole: Uint8Array,
  powersOfTen: Float64Array,
  recordRows: Float64Array,
  rowOffset: i32,
): i32 {
  let bytePosition = beginOffset;
  for (let fieldIndex: i32 = 0; fieldIndex < SWF_FIELD_COUNT; fieldIndex++) {
    let byte: i32 = textBytes[bytePosition]!;
    while (byte === SPACE_CHARACTER_CODE || byte === TAB_CHARACTER_CODE) byte = textBytes[++bytePosition]!;
    const isNegative = byte === MINUS_CHARACTER_CODE;
    if (isNegative) byte = textBytes[++bytePosition]!;
    const digitsBeginOffset = bytePosition;
    let magnitude: number = 0;
    while (byte >= ZERO_CHARACTER_CODE && byte <= ZERO_CHARACTER_CODE + 9) {
      magnitude = magnitude * 10 + (byte - ZERO_CHARACTER_CODE);
      byte = textBytes[++bytePosition]!;
    }
    let digitCount = bytePosition - digitsBeginOffset;
    if (byte === POINT_CHARACTER_CODE) {
      const pointPosition = ++bytePosition;
      byte = textBytes[bytePosition]!;
      while (byte >= ZERO_CHARACTER_CODE && byte <= ZERO_CHARACTER_CODE + 9) {
        magnitude = magnitude * 10 + (byte - ZERO_CHARACTER_CODE);
        byte = textBytes[++bytePosition]!;
      }
      digitCount += bytePosition - pointPosition;
      if (digitCount > MAX_EXACT_DIGITS) return -1;
      magnitude /= powersOfTen[bytePosition - pointPosition]!;
      if (mustBeWhole[fieldIndex]! !== 0 && magnitude !== Math.floor(magnitude)) return -1;
    }
    if (digitCount === 0 || digitCount > MAX_EXACT_DIGITS || byte > SPACE_CHARACTER_CODE) return -1;
    // 0 - magnitude, so that -0 is read as 0.
    recordRows[rowOffset + fieldIndex] = isNegative ? 0 - magnitude : magnitude;
  }
  let byte: i32 = textBytes[bytePosition]!;
  while (
    byte === SPACE_CHARACTER_CODE ||
    byte === TAB_CHARACTER_CODE ||
    byte === CARRIAGE_RETURN_CHARACTER_CODE
  )
    byte = textBytes[++bytePosition]!;
  return byte === LINE_FEED_CHARACTER_CODE ? bytePosition + 1 : -1;
}

/**
 * Writes records to columns, `rowLength` numbers apart.
 * @param isUniformByField output: 1 for columns with equal values in all these records, otherwise 0.
 */
export function spreadRecordsIntoColumns(
  recordRows: Float64Array,
  recordCount: i32,
  columns: Float64Array,
  rowLength: i32,
  isUniformByField: Uint8Array,
): void {
  for (let fieldIndex: i32 = 0; fieldIndex < SWF_FIELD_COUNT; fieldIndex++) {
    const firstValue = recordRows[fieldIndex]!;
    let isEqual = true;
    for (let row: i32 = 0; row < recordCount; row++) {
      const fieldValue = recordRows[row * SWF_FIELD_COUNT + fieldIndex]!;
      isEqual = isEqual && fieldValue === firstValue;
      columns[fieldIndex * rowLength + row] = fieldValue;
    }
    isUniformByField[fieldIndex] = isEqual ? 1 : 0;
  }
}

/**
 * Keeps the records with a positive value in the first column, or else in the second.
 * @param recordIndices kept records are moved to the front of this array.
 * @returns number of kept records.
 */
export function keepRecordsOfPositiveValue(
  recordIndices: Int32Array,
  recordCount: i32,
  columnValues: Float64Array,
  fallbackColumnValues: Float64Array,
): i32 {
  let keptCount: i32 = 0;
  for (let i: i32 = 0; i < recordCount; i++) {
    const record = recordIndices[i]!;
    if (columnValues[record]! > 0 || fallbackColumnValues[record]! > 0) recordIndices[keptCount++] = record;
  }
  return keptCount;
}

/** Fills an array with 0, 1, ... */
export function fillWithIndices(indices: Int32Array, indexCount: i32): void {
  for (let i: i32 = 0; i < indexCount; i++) indices[i] = i;
}

/** Index of the first value that is smaller than the previous one, or NaN; `valueCount` if there is none. */
export function findFirstDescent(columnValues: Float64Array, valueCount: i32): i32 {
  let index: i32 = 1;
  while (index < valueCount && columnValues[index]! >= columnValues[index - 1]!) index++;
  return index < valueCount ? index : valueCount;
}

/** Processors of a record: the allocated ones if positive, otherwise the requested ones. */
export function processorsOfSwfRecord(allocatedProcessors: number, requestedProcessors: number): number {
  return allocatedProcessors > 0 ? allocatedProcessors : requestedProcessors;
}

/**
 * Computes the processors of records as whole numbers.
 * @param processors output.
 * @returns index of the first record whose processors are not a whole number below 2^31; `recordCount` if there is
 * none.
 */
export function fillProcessorsOfRecords(
  allocatedProcessors: Float64Array,
  requestedProcessors: Float64Array,
  recordCount: i32,
  processors: Int32Array,
): i32 {
  for (let i: i32 = 0; i < recordCount; i++) {
    const width = processorsOfSwfRecord(allocatedProcessors[i]!, requestedProcessors[i]!);
    if (width !== Math.floor(width) || !(width < 2147483648)) return i;
    processors[i] = width as i32;
  }
  return recordCount;
}

/** Maximum of positive whole numbers; 0 if there are none. */
export function largestWholeNumber(columnValues: Int32Array, valueCount: i32): i32 {
  let largestNumber: i32 = 0;
  for (let i: i32 = 0; i < valueCount; i++)
    if (columnValues[i]! > largestNumber) largestNumber = columnValues[i]!;
  return largestNumber;
}

/**
 * Computes runtime estimates: the requested time multiplied by a factor, or the runtime if that is not
 * positive.
 * @param recordOfJob index of the log record of each job; jobs of one record are consecutive.
 * @param estimate output.
 * @returns number of records without a requested time.
 */
export function estimatesFromRequests(
  requestedTimes: Float64Array,
  scaleFactor: number,
  runtime: Float64Array,
  recordOfJob: Int32Array,
  jobCount: i32,
  estimate: Float64Array,
): i32 {
  let recordCountWithoutRequest: i32 = 0;
  for (let i: i32 = 0; i < jobCount; i++) {
    const time = requestedTimes[i]! * scaleFactor;
    estimate[i] = time > 0 ? time : runtime[i]!;
    if (!(requestedTimes[i]! > 0) && (i === 0 || recordOfJob[i]! !== recordOfJob[i - 1]!))
      recordCountWithoutRequest++;
  }
  return recordCountWithoutRequest;
}

/**
 * Computes the work of jobs: processors × runtime × two factors of their home sites.
 * @param workPerJob output.
 */
export function addWorkOfJobs(
  processors: Int32Array,
  runtime: Float64Array,
  home: Int32Array,
  loadFactors: Float64Array,
  speeds: Float64Array,
  jobCount: i32,
  workPerJob: Float64Array,
): void {
  for (let i: i32 = 0; i < jobCount; i++) {
    workPerJob[i] = processors[i]! * (runtime[i]! * loadFactors[home[i]!]! * speeds[home[i]!]!);
  }
}

/**
 * Moves the nonnegative values to the front.
 * @returns number of nonnegative values.
 */
export function keepNonNegativeValues(columnValues: Float64Array, valueCount: i32): i32 {
  let keptCount: i32 = 0;
  for (let i: i32 = 0; i < valueCount; i++)
    if (columnValues[i]! >= 0) columnValues[keptCount++] = columnValues[i]!;
  return keptCount;
}

/** Numbers of the job quantities that loops compute. */
export const QUANTITY_WAIT: i32 = 0;
export const QUANTITY_RESPONSE: i32 = 1;
export const QUANTITY_BOUNDED_SLOWDOWN: i32 = 2;

/**
 * Quantity of one job.
 * @param slowdownBound lower bound of the execution in bounded slowdowns, in seconds.
 */
export function quantityOfJob(
  quantity: i32,
  submit: number,
  start: number,
  execution: number,
  slowdownBound: number,
): number {
  if (quantity === QUANTITY_WAIT) return start - submit;
  if (quantity === QUANTITY_RESPONSE) return start + execution - submit;
  return Math.max(1, (start - submit + execution) / Math.max(slowdownBound, execution));
}

/**
 * Computes a quantity for some jobs.
 * @param values output.
 */
export function quantitiesOfJobs(
  quantity: i32,
  submit: Float64Array,
  start: Float64Array,
  execution: Float64Array,
  jobCount: i32,
  slowdownBound: number,
  values: Float64Array,
): void {
  for (let i: i32 = 0; i < jobCount; i++) {
    values[i] = quantityOfJob(quantity, submit[i]!, start[i]!, execution[i]!, slowdownBound);
  }
}

/**
 * Partitions a range of values around a position: no smaller value behind it, no larger one before it
 * (quickselect, Hoare 1961).
 * @param values values without NaN.
 */
export function partitionAroundPosition(
  values: Float64Array,
  firstIndex: i32,
  lastIndex: i32,
  splitIndex: i32,
): void {
  let low = firstIndex;
  let high = lastIndex;
  while (low < high) {
    const pivotValue = computeMedianOfThree(values[low]!, values[(low + high) >> 1]!, values[high]!);
    let lowerIndex = low;
    let right = high;
    while (lowerIndex <= right) {
      while (values[lowerIndex]! < pivotValue) lowerIndex++;
      while (values[right]! > pivotValue) right--;
      if (lowerIndex > right) break;
      const leftValue = values[lowerIndex]!;
      values[lowerIndex++] = values[right]!;
      values[right--] = leftValue;
    }
    if (splitIndex <= right) high = right;
    else if (splitIndex >= lowerIndex) low = lowerIndex;
    else return;
  }
}

/** Median of three numbers. */
function computeMedianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/**
 * Adds values to an exact sum, stored as nonoverlapping doubles in ascending order (Shewchuk 1997).
 * @param partialSums current sum in the first `partCount` numbers; 40 parts suffice for any sum of doubles.
 * @returns new number of parts.
 */
export function addToExactSum(
  values: Float64Array,
  firstIndex: i32,
  endIndex: i32,
  partialSums: Float64Array,
  partCount: i32,
): i32 {
  let heldPartCount = partCount;
  for (let i = firstIndex; i < endIndex; i++) {
    let carriedValue = values[i]!;
    let keptCount: i32 = 0;
    for (let partIndex: i32 = 0; partIndex < heldPartCount; partIndex++) {
      const partialSum = partialSums[partIndex]!;
      const isCarriedSmaller = Math.abs(carriedValue) < Math.abs(partialSum);
      const largerAddend = isCarriedSmaller ? partialSum : carriedValue;
      const smallerAddend = isCarriedSmaller ? carriedValue : partialSum;
      const sum = largerAddend + smallerAddend;
      const roundingError = smallerAddend - (sum - largerAddend);
      if (roundingError !== 0) partialSums[keptCount++] = roundingError;
      carriedValue = sum;
    }
    partialSums[keptCount++] = carriedValue;
    heldPartCount = keptCount;
  }
  return heldPartCount;
}

/**
 * Rounds a sum of nonoverlapping parts to the nearest double; in a tie of the first two parts, the next one
 * decides.
 */
export function roundExactSum(partialSums: Float64Array, partCount: i32): number {
  if (partCount === 0) return 0;
  let partIndex: i32 = partCount - 1;
  let sum = partialSums[partIndex]!;
  let roundingError: number = 0;
  while (partIndex > 0 && roundingError === 0) {
    const sumBefore = sum;
    const partialSum = partialSums[--partIndex]!;
    sum = sumBefore + partialSum;
    roundingError = partialSum - (sum - sumBefore);
  }
  const nextPartialSum: number = partIndex > 0 ? partialSums[partIndex - 1]! : 0;
  if ((roundingError < 0 && nextPartialSum < 0) || (roundingError > 0 && nextPartialSum > 0)) {
    const doubledError = 2 * roundingError;
    const sumWithDoubledError = sum + doubledError;
    if (sumWithDoubledError - sum === doubledError) return sumWithDoubledError;
  }
  // A sum of nothing but -0 is 0.
  return sum + 0;
}

/**
 * Mean of each group of values, by exact sums.
 * @param groupOf group number of each value, from 0; -1 for none.
 * @param groupEndPositions ends of the groups in `members`; overwritten.
 * @param members output: the values sorted by group.
 * @param means output: the means.
 */
export function meansOfGroups(
  values: Float64Array,
  groupOf: Int32Array,
  valueCount: i32,
  groupEndPositions: Int32Array,
  groupCount: i32,
  members: Float64Array,
  partialSums: Float64Array,
  means: Float64Array,
): void {
  for (let i: i32 = valueCount - 1; i >= 0; i--) {
    const groupNumber = groupOf[i]!;
    if (groupNumber < 0) continue;
    const sortedPosition = groupEndPositions[groupNumber]! - 1;
    groupEndPositions[groupNumber] = sortedPosition;
    members[sortedPosition] = values[i]!;
  }
  // The ends become beginnings.
  for (let groupNumber: i32 = 0; groupNumber < groupCount; groupNumber++) {
    const end = groupEndPositions[groupNumber + 1]!;
    const length = addToExactSum(members, groupEndPositions[groupNumber]!, end, partialSums, 0);
    means[groupNumber] = roundExactSum(partialSums, length) / (end - groupEndPositions[groupNumber]!);
  }
}
