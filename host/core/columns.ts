/** Columns of the core as typed arrays. */
import type { COLUMNS, JOB_COLUMNS } from './contract.js';
import type { Core } from './instance.js';

export type Column = keyof typeof COLUMNS;
export type JobColumn = keyof typeof JOB_COLUMNS;
type NumberType = 'f64' | 'i32';
export type View<T extends NumberType> = T extends 'f64' ? Float64Array : Int32Array;

const ARRAYS = { f64: Float64Array, i32: Int32Array };

/** So many numbers at an address, as a view of the memory. */
export function viewOf<T extends NumberType>(
  { memory }: Core,
  type: T,
  address: number,
  count: number,
): View<T> {
  return new ARRAYS[type](memory.buffer, address >>> 0, count) as View<T>;
}
