/**
 * Columns of records: collects them when their number is unknown, sorts them by submit time, and finds
 * records by job number.
 */
import { findFirstDescent, processorsOfSwfRecord } from '../loops/loops.js';
import {
  isWorthCompilingLoops,
  type LoopWorkspace,
  makeLoopWorkspace,
  withLoopWorkspace,
} from '../loops/workspace.js';
import { computeStableSortOrder } from '../math/stableOrder.js';
import { RECORDS_PER_HANDOVER } from './records.js';
import { SWF_FIELDS, SWF_FIELDS_PER_RECORD, type SwfField, type Trace } from './trace.js';

/**
 * Initial capacity in records: about the number in the first chunk of a file, after which the total can be
 * estimated.
 */
const INITIAL_COLUMN_CAPACITY = 4096;
/**
 * Unused capacity, as a share of the rows, above which the finished columns are copied to their exact size.
 */
const MAX_UNUSED_CAPACITY_SHARE = 0.25;

/**
 * Collects records into columns. Writing memory for the first time is the main cost of reading. Therefore
 * unused capacity is never touched, a column is not written while all its values are equal (about half of the
 * 18 fields are unknown), and good estimates of the count avoid copies.
 */
export class ColumnBuilder {
  /** One array per field; undefined for a column whose values have all been equal so far. */
  readonly #columns: (Float64Array | undefined)[] = SWF_FIELDS.map(() => undefined);
  /** First record. */
  #first = new Float64Array(SWF_FIELDS_PER_RECORD);
  readonly #workspace = makeLoopWorkspace({
    rows: ['doubles', RECORDS_PER_HANDOVER * SWF_FIELDS_PER_RECORD],
    columns: ['doubles', RECORDS_PER_HANDOVER * SWF_FIELDS_PER_RECORD],
    same: ['bytes', SWF_FIELDS_PER_RECORD],
  });
  #capacity = INITIAL_COLUMN_CAPACITY;
  #expected = 0;
  #count = 0;

  /** Sets the expected total number of records, used when the capacity is exhausted. */
  setExpectedRecordCount(recordCount: number): void {
    this.#expected = Math.ceil(recordCount);
  }

  /** Adds records of 18 numbers each, at most `RECORDS_PER_HANDOVER` at once. */
  add(recordRows: Float64Array): void {
    const added = recordRows.length / SWF_FIELDS_PER_RECORD;
    if (this.#count === 0) this.#first = recordRows.slice(0, SWF_FIELDS_PER_RECORD);
    if (this.#count + added > this.#capacity) this.#grow(this.#count + added);
    // One column after the other, since 18 places written in turn push each other out of the processor's cache.
    const { arrays, loops } = this.#workspace;
    const { columns, same } = arrays;
    arrays.rows.set(recordRows);
    loops.spreadRecordsIntoColumns(arrays.rows, added, columns, RECORDS_PER_HANDOVER, same);
    for (let fieldIndex = 0; fieldIndex < SWF_FIELDS_PER_RECORD; fieldIndex++) {
      const isEqual = same[fieldIndex] === 1 && recordRows[fieldIndex] === this.#first[fieldIndex];
      const column = this.#columns[fieldIndex] ?? (isEqual ? undefined : this.#startColumn(fieldIndex));
      const from = fieldIndex * RECORDS_PER_HANDOVER;
      column?.set(columns.subarray(from, from + added), this.#count);
    }
    this.#count += added;
  }

  /**
   * Returns the finished columns; the builder then starts over without records. Columns with a single value
   * are created on first access.
   */
  finish(): { count: number; columns: Record<SwfField, Float64Array> } {
    const recordCount = this.#count;
    const wouldWasteMemory = this.#capacity - recordCount > MAX_UNUSED_CAPACITY_SHARE * recordCount;
    const columns: Partial<Record<SwfField, Float64Array>> = {};
    SWF_FIELDS.forEach((field, index) => {
      const column = this.#columns[index];
      const columnValue = this.#first[index]!;
      if (column === undefined)
        defineLazyColumn(columns, field, () => new Float64Array(recordCount).fill(columnValue));
      else columns[field] = wouldWasteMemory ? column.slice(0, recordCount) : column.subarray(0, recordCount);
      this.#columns[index] = undefined;
    });
    this.#count = 0;
    return { count: recordCount, columns: columns as Record<SwfField, Float64Array> };
  }

  /** Creates the column of a field whose values have all been equal so far. */
  #startColumn(fieldIndex: number): Float64Array {
    const column = new Float64Array(this.#capacity).fill(this.#first[fieldIndex]!, 0, this.#count);
    this.#columns[fieldIndex] = column;
    return column;
  }

  /** Enlarges column by column, so that peak memory exceeds the need by only one column. */
  #grow(neededCapacity: number): void {
    this.#capacity = Math.max(neededCapacity, this.#expected, 2 * this.#capacity);
    for (let fieldIndex = 0; fieldIndex < SWF_FIELDS_PER_RECORD; fieldIndex++) {
      const filled = this.#columns[fieldIndex]?.subarray(0, this.#count);
      if (filled === undefined) continue;
      const column = new Float64Array(this.#capacity);
      column.set(filled);
      this.#columns[fieldIndex] = column;
    }
  }
}

/** Defines a column that is created on first access. */
function defineLazyColumn(columns: object, fieldName: SwfField, makeColumn: () => Float64Array): void {
  const get = () => {
    const column = makeColumn();
    Object.defineProperty(columns, fieldName, { value: column });
    return column;
  };
  Object.defineProperty(columns, fieldName, { enumerable: true, configurable: true, get });
}

/**
 * Selects the records at the given positions, in that order, as new columns created on first access; fields
 * that share a column still share one.
 */
export function selectRecordsAtPositions(
  columns: Trace['columns'],
  positions: Int32Array,
): Record<SwfField, Float64Array> {
  const selectedColumns: Partial<Record<SwfField, Float64Array>> = {};
  const selectedColumnByOldColumn = new Map<Float64Array, Float64Array>();
  for (const field of SWF_FIELDS) {
    defineLazyColumn(selectedColumns, field, () => {
      const oldColumn = columns[field];
      const selectedColumn = selectedColumnByOldColumn.get(oldColumn);
      if (selectedColumn !== undefined) return selectedColumn;
      const newColumn = new Float64Array(positions.length);
      for (let i = 0; i < newColumn.length; i++) newColumn[i] = oldColumn[positions[i]!]!;
      selectedColumnByOldColumn.set(oldColumn, newColumn);
      return newColumn;
    });
  }
  return selectedColumns as Record<SwfField, Float64Array>;
}

/** Replaces some of the columns; the others are still created on first access. */
export function replaceTraceColumns(
  columns: Trace['columns'],
  replaced: Partial<Trace['columns']>,
): Record<SwfField, Float64Array> {
  const columnsByField: Partial<Record<SwfField, Float64Array>> = {};
  for (const field of SWF_FIELDS)
    defineLazyColumn(columnsByField, field, () => replaced[field] ?? columns[field]);
  return columnsByField as Record<SwfField, Float64Array>;
}

/** Returns the numbers 0 to count - 1. */
export function countFromZero(numberCount: number): Int32Array {
  const layout = { numbers: ['ints', numberCount] } as const;
  const fill = ({ arrays, loops, keep }: LoopWorkspace<typeof layout>) => {
    loops.fillWithIndices(arrays.numbers, numberCount);
    return keep(arrays.numbers);
  };
  return withLoopWorkspace(layout, fill, isWorthCompilingLoops(numberCount));
}

/**
 * Number of processors of a record: field 5, or field 8 if field 5 is not positive (the result may then be -1
 * or 0).
 */
export function processorsOfLogRecord(columns: Trace['columns'], record: number): number {
  return processorsOfSwfRecord(columns.processors[record]!, columns.requestedProcessors[record]!);
}

/**
 * Sorts the records by submit time, keeping the order of equal times. Returns the log itself if it is already
 * sorted.
 */
export function sortBySubmit(trace: Trace): Trace {
  const { submit } = trace.columns;
  const recordCount = submit.length;
  const findFirstSubmitDescent = ({ arrays, loops }: LoopWorkspace<{ submit: Float64Array }>) =>
    loops.findFirstDescent(arrays.submit, recordCount);
  if (
    withLoopWorkspace({ submit }, findFirstSubmitDescent, isWorthCompilingLoops(recordCount)) === recordCount
  )
    return trace;
  return { ...trace, columns: selectRecordsAtPositions(trace.columns, computeStableSortOrder(submit)) };
}

/**
 * Drops records from columns and sorts the rest by submit time, stably. Each column is replaced as soon as
 * its successor is complete, so only one is in memory twice.
 * @returns number of remaining records.
 */
export function dropAndSortRecords(
  columns: Record<SwfField, Float64Array>,
  dropped: readonly number[],
): number {
  const { submit } = columns;
  const droppedRecords = new Set(dropped);
  if (droppedRecords.size === 0 && findFirstDescent(submit, submit.length) === submit.length)
    return submit.length;
  const order = computeStableSortOrder(submit);
  const positions = droppedRecords.size === 0 ? order : order.filter((record) => !droppedRecords.has(record));
  for (const field of SWF_FIELDS) {
    const makeValue = Object.getOwnPropertyDescriptor(columns, field)?.get;
    if (makeValue !== undefined) {
      // All values are equal, so the order does not matter.
      defineLazyColumn(columns, field, () => makeValue().subarray(0, positions.length));
      continue;
    }
    const oldColumn = columns[field];
    const newColumn = new Float64Array(positions.length);
    for (let i = 0; i < newColumn.length; i++) newColumn[i] = oldColumn[positions[i]!]!;
    Object.defineProperty(columns, field, {
      value: newColumn,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return positions.length;
}

/** True if a value of field 17 (preceding job) is a job number. */
export function isJobNumber(jobNumber: number): boolean {
  return jobNumber > 0;
}

/**
 * Index of the preceding job of each record: the last earlier record whose job number is in field 17; -1 if
 * there is none. References to the record itself or to later records do not count.
 */
export function findPrecedingRecords({
  count: recordCount,
  columns: swfColumns,
}: Pick<Trace, 'count' | 'columns'>): Int32Array {
  const { job, precedingJob } = swfColumns;
  const recordOfJob = new Map<number, number>();
  const preceding = new Int32Array(recordCount).fill(-1);
  for (let record = 0; record < recordCount; record++) {
    const precedingJobNumber = precedingJob[record]!;
    if (isJobNumber(precedingJobNumber)) preceding[record] = recordOfJob.get(precedingJobNumber) ?? -1;
    recordOfJob.set(job[record]!, record);
  }
  return preceding;
}

/** SWF status of a cancelled job. */
export const CANCELLED_STATUS = 5;

/** True if a record was cancelled before it started, after a known wait. */
export function isCancelledBeforeStart({ status, runtime, wait }: Trace['columns'], record: number): boolean {
  return status[record] === CANCELLED_STATUS && !(runtime[record]! > 0) && wait[record]! >= 0;
}

/** Number of records that were cancelled before they started, after a known wait. */
export function countCancelledBeforeStart({ count: recordCount, columns: swfColumns }: Trace): number {
  let cancelledCount = 0;
  for (let record = 0; record < recordCount; record++)
    cancelledCount += Number(isCancelledBeforeStart(swfColumns, record));
  return cancelledCount;
}
