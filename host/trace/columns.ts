/** Columns of records: collected where their number is not known in advance, put in order of submits, looked up by job number. */
import { findFirstDescent, processorsOfSwfRecord } from '../loops/loops.js';
import {
  isWorthCompilingLoops,
  type LoopWorkspace,
  makeLoopWorkspace,
  withLoopWorkspace,
} from '../loops/workspace.js';
import { stableSortOrder } from '../math/stableOrder.js';
import { RECORDS_PER_HANDOVER } from './records.js';
import { SWF_FIELDS, SWF_FIELDS_PER_RECORD, type SwfField, type Trace } from './trace.js';

/** About as many as the first piece of a file has; after that the number of records is easier to predict. */
const INITIAL_COLUMN_CAPACITY = 4096;
/** Unused room, as a share of the rows, above which the finished columns are copied to size. */
const MAX_UNUSED_CAPACITY_SHARE = 0.25;

/**
 * Collects records. First writes to memory are what reading costs most, hence three things: room that is
 * not filled is never touched; a column is not written while it holds one same value (a log knows about
 * half of the 18 fields); good expectations of the count spare copies.
 */
export class ColumnBuilder {
  /** Undefined for a column that has held one same value so far. */
  readonly #columns: (Float64Array | undefined)[] = SWF_FIELDS.map(() => undefined);
  /** The first record. */
  #first = new Float64Array(SWF_FIELDS_PER_RECORD);
  readonly #workspace = makeLoopWorkspace({
    rows: ['doubles', RECORDS_PER_HANDOVER * SWF_FIELDS_PER_RECORD],
    columns: ['doubles', RECORDS_PER_HANDOVER * SWF_FIELDS_PER_RECORD],
    same: ['bytes', SWF_FIELDS_PER_RECORD],
  });
  #capacity = INITIAL_COLUMN_CAPACITY;
  #expected = 0;
  #count = 0;

  /** Says how many records there may be in all; used when room runs out. */
  expect(count: number): void {
    this.#expected = Math.ceil(count);
  }

  /** Adds records of 18 numbers each, at most `RECORDS_PER_HANDOVER` at a time. */
  add(rows: Float64Array): void {
    const added = rows.length / SWF_FIELDS_PER_RECORD;
    if (this.#count === 0) this.#first = rows.slice(0, SWF_FIELDS_PER_RECORD);
    if (this.#count + added > this.#capacity) this.#grow(this.#count + added);
    // One column after the other, since 18 places written in turn push each other out of the processor's cache.
    const { arrays, loops } = this.#workspace;
    const { columns, same } = arrays;
    arrays.rows.set(rows);
    loops.spreadRecordsIntoColumns(arrays.rows, added, columns, RECORDS_PER_HANDOVER, same);
    for (let field = 0; field < SWF_FIELDS_PER_RECORD; field++) {
      const isEqual = same[field] === 1 && rows[field] === this.#first[field];
      const column = this.#columns[field] ?? (isEqual ? undefined : this.#startColumn(field));
      const from = field * RECORDS_PER_HANDOVER;
      column?.set(columns.subarray(from, from + added), this.#count);
    }
    this.#count += added;
  }

  /** The columns. Columns of one same value are made when they are first asked for. Ends the use of the builder. */
  finish(): { count: number; columns: Record<SwfField, Float64Array> } {
    const count = this.#count;
    const wastesMemory = this.#capacity - count > MAX_UNUSED_CAPACITY_SHARE * count;
    const columns: Partial<Record<SwfField, Float64Array>> = {};
    SWF_FIELDS.forEach((field, index) => {
      const column = this.#columns[index];
      const value = this.#first[index]!;
      if (column === undefined) defineLazyColumn(columns, field, () => new Float64Array(count).fill(value));
      else columns[field] = wastesMemory ? column.slice(0, count) : column.subarray(0, count);
      this.#columns[index] = undefined;
    });
    return { count, columns: columns as Record<SwfField, Float64Array> };
  }

  /** A column for a field with the same value in all records so far. */
  #startColumn(field: number): Float64Array {
    const column = new Float64Array(this.#capacity).fill(this.#first[field]!, 0, this.#count);
    this.#columns[field] = column;
    return column;
  }

  /** Moves column by column, so that the peak is one column above what is needed. */
  #grow(needed: number): void {
    this.#capacity = Math.max(needed, this.#expected, 2 * this.#capacity);
    for (let field = 0; field < SWF_FIELDS_PER_RECORD; field++) {
      const filled = this.#columns[field]?.subarray(0, this.#count);
      if (filled === undefined) continue;
      const column = new Float64Array(this.#capacity);
      column.set(filled);
      this.#columns[field] = column;
    }
  }
}

/** A column that is made when it is first asked for. */
function defineLazyColumn(columns: object, field: SwfField, makeValue: () => Float64Array): void {
  const get = () => {
    const value = makeValue();
    Object.defineProperty(columns, field, { value });
    return value;
  };
  Object.defineProperty(columns, field, { enumerable: true, configurable: true, get });
}

/**
 * The records at the given positions, in that order, as new columns, each made when it is first asked for; fields that are
 * one column stay one.
 */
export function selectRecordsAtPositions(
  columns: Trace['columns'],
  positions: Int32Array,
): Record<SwfField, Float64Array> {
  const taken: Partial<Record<SwfField, Float64Array>> = {};
  const made = new Map<Float64Array, Float64Array>();
  for (const field of SWF_FIELDS) {
    defineLazyColumn(taken, field, () => {
      const from = columns[field];
      const known = made.get(from);
      if (known !== undefined) return known;
      const to = new Float64Array(positions.length);
      for (let i = 0; i < to.length; i++) to[i] = from[positions[i]!]!;
      made.set(from, to);
      return to;
    });
  }
  return taken as Record<SwfField, Float64Array>;
}

/** The columns with some of them replaced; the others are still made when they are first asked for. */
export function replaceTraceColumns(
  columns: Trace['columns'],
  replaced: Partial<Trace['columns']>,
): Record<SwfField, Float64Array> {
  const result: Partial<Record<SwfField, Float64Array>> = {};
  for (const field of SWF_FIELDS) defineLazyColumn(result, field, () => replaced[field] ?? columns[field]);
  return result as Record<SwfField, Float64Array>;
}

/** The numbers of that many records, from 0 on. */
export function countFromZero(count: number): Int32Array {
  const layout = { numbers: ['ints', count] } as const;
  const fill = ({ arrays, loops, keep }: LoopWorkspace<typeof layout>) => {
    loops.fillWithIndices(arrays.numbers, count);
    return keep(arrays.numbers);
  };
  return withLoopWorkspace(layout, fill, isWorthCompilingLoops(count));
}

/** The processors of a record: field 5, or field 8 if that is not positive (then maybe not positive either). */
export function processorsOfLogRecord(columns: Trace['columns'], record: number): number {
  return processorsOfSwfRecord(columns.processors[record]!, columns.requestedProcessors[record]!);
}

/** The same records by submit time; records of the same time keep their order. The log itself where it is in order. */
export function sortBySubmit(trace: Trace): Trace {
  const { submit } = trace.columns;
  const count = submit.length;
  const firstDescendingPlace = ({ arrays, loops }: LoopWorkspace<{ submit: Float64Array }>) =>
    loops.findFirstDescent(arrays.submit, count);
  if (withLoopWorkspace({ submit }, firstDescendingPlace, isWorthCompilingLoops(count)) === count)
    return trace;
  return { ...trace, columns: selectRecordsAtPositions(trace.columns, stableSortOrder(submit)) };
}

/**
 * Drops records from columns, and puts the others in order of submits, stably. A column is replaced as soon as its successor is made, so that both are
 * in memory only of one at a time.
 * @returns the number of records that are left.
 */
export function dropAndSortRecords(
  columns: Record<SwfField, Float64Array>,
  dropped: readonly number[],
): number {
  const { submit } = columns;
  const droppedRecords = new Set(dropped);
  if (droppedRecords.size === 0 && findFirstDescent(submit, submit.length) === submit.length)
    return submit.length;
  const order = stableSortOrder(submit);
  const positions = droppedRecords.size === 0 ? order : order.filter((record) => !droppedRecords.has(record));
  for (const field of SWF_FIELDS) {
    const makeValue = Object.getOwnPropertyDescriptor(columns, field)?.get;
    if (makeValue !== undefined) {
      // One same value, which no order changes.
      defineLazyColumn(columns, field, () => makeValue().subarray(0, positions.length));
      continue;
    }
    const from = columns[field];
    const to = new Float64Array(positions.length);
    for (let i = 0; i < to.length; i++) to[i] = from[positions[i]!]!;
    Object.defineProperty(columns, field, {
      value: to,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return positions.length;
}

/** True if a number in field 17 is the number of a job. */
export function isJobNumber(number: number): boolean {
  return number > 0;
}

/**
 * The preceding job of each record: the last record before it that has the number in its field 17; -1 where none has. A
 * record that names itself, or one that comes later, thus has none.
 */
export function findPrecedingRecords({ count, columns }: Pick<Trace, 'count' | 'columns'>): Int32Array {
  const { job, precedingJob } = columns;
  const recordOfJob = new Map<number, number>();
  const preceding = new Int32Array(count).fill(-1);
  for (let record = 0; record < count; record++) {
    const number = precedingJob[record]!;
    if (isJobNumber(number)) preceding[record] = recordOfJob.get(number) ?? -1;
    recordOfJob.set(job[record]!, record);
  }
  return preceding;
}

/** Status of a cancelled job in SWF. */
export const CANCELLED_STATUS = 5;

/** True if a record was cancelled before it started, after a known wait. */
export function isCancelledBeforeStart({ status, runtime, wait }: Trace['columns'], record: number): boolean {
  return status[record] === CANCELLED_STATUS && !(runtime[record]! > 0) && wait[record]! >= 0;
}

/** Number of records that were cancelled before they started, after a known wait. */
export function countCancelledBeforeStart({ count, columns }: Trace): number {
  let found = 0;
  for (let record = 0; record < count; record++) found += Number(isCancelledBeforeStart(columns, record));
  return found;
}
