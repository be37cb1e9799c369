import * as columns from './columns';
import { at, clearBytes, put } from './memory';

/** Removal of rows from columns by job, as `columns.rows` says: new row of each row, -1 for a removed one. */

/**
 * Moves the entries of a column from row `from` on to their new rows, and clears those of the rows
 * [`keptCount`, `end`), which no job has any more.
 */
export function compactColumn<T>(column: usize, from: i32, keptCount: i32, end: i32): void {
  for (let row = from; row < end; row++) {
    const target = at<i32>(columns.rows, row);
    if (target >= 0) put<T>(column, target, at<T>(column, row));
  }
  clearBytes(column + ((<usize>keptCount) << alignof<T>()), (<usize>(end - keptCount)) << alignof<T>());
}

/** New number of a row or, if it is removed, of the next row that stays; `keptCount` if none does. */
export function newPositionOf(row: i32, keptCount: i32, end: i32): i32 {
  while (row < end && at<i32>(columns.rows, row) < 0) row++;
  return row < end ? at<i32>(columns.rows, row) : keptCount;
}
