import { Simulation } from '../state';
import * as columns from '../columns';
import { at, clear, put } from '../memory';

/**
 * Lower bounds of where a search of the plan has to begin. While a plan only fills up, what was once too
 * early for a job stays too early for every job that is no narrower and no shorter. Per site, widths and
 * lengths fall into classes, four and eight to the octave, and a table of maxima over prefixes in both (a
 * binary indexed tree) answers "how far did the searches for jobs get that were at most so wide and so
 * long". With it, planning a long queue does not pass all the gaps of the plan again for every job.
 */
const WIDTHS: i32 = 64;
const LENGTHS: i32 = 256;
const ENTRIES: i32 = (WIDTHS + 1) * (LENGTHS + 1);
/** Bits of a double's mantissa that do not tell its class. */
const WIDTH_BITS: i32 = 50;
const LENGTH_BITS: i32 = 49;

/** Doubles that the table of so many sites takes. */
export function entriesOf(sites: i64): i64 {
  return sites * ENTRIES;
}

/** Nothing is known. */
export function reset(simulation: Simulation): void {
  clear(columns.searchBounds, <usize>(simulation.siteCount * ENTRIES) * sizeof<f64>());
}

/**
 * The class that a number from 1 on stands in: exponent and first bits of the mantissa; below 0 for others.
 */
@inline
function classOf(value: f64, bits: i32): i32 {
  return <i32>(reinterpret<u64>(value) >> bits) - (1023 << (52 - bits));
}

/** The lowest class whose numbers are all at least as great. */
@inline
function classAbove(value: f64, bits: i32): i32 {
  const isFirst = (reinterpret<u64>(value) & ((<u64>1 << bits) - 1)) === 0;
  return max(0, isFirst ? classOf(value, bits) : classOf(value, bits) + 1);
}

/** Jobs with so many processors and such a predicted runtime do not fit before a time. */
export function raise(site: i32, processors: i32, predictedRuntime: f64, time: f64): void {
  const width = classAbove(<f64>processors, WIDTH_BITS);
  const span = classAbove(predictedRuntime, LENGTH_BITS);
  if (width >= WIDTHS || span >= LENGTHS) return;
  const table = columns.searchBounds + <usize>(site * ENTRIES) * sizeof<f64>();
  for (let row = width + 1; row <= WIDTHS; row += row & -row) {
    for (let entry = span + 1; entry <= LENGTHS; entry += entry & -entry) {
      const index = row * (LENGTHS + 1) + entry;
      if (at<f64>(table, index) < time) put<f64>(table, index, time);
    }
  }
}

/** A time before which a job does not fit. */
export function earliest(site: i32, processors: i32, predictedRuntime: f64): f64 {
  const table = columns.searchBounds + <usize>(site * ENTRIES) * sizeof<f64>();
  let time: f64 = 0;
  const lastEntry = min(classOf(predictedRuntime, LENGTH_BITS) + 1, LENGTHS);
  for (let row = min(classOf(<f64>processors, WIDTH_BITS) + 1, WIDTHS); row > 0; row &= row - 1) {
    for (let entry = lastEntry; entry > 0; entry &= entry - 1) {
      time = max<f64>(time, at<f64>(table, row * (LENGTHS + 1) + entry));
    }
  }
  return time;
}
