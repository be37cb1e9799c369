import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, clear, put } from '../memory/memory';

/**
 * Lower bounds of where a search of the plan has to begin. While a plan only fills up, what was once too
 * early for a job stays too early for every job that is no narrower and no shorter. Per site, widths and
 * lengths fall into classes, at the finest four and eight to the octave, and a table of maxima over prefixes
 * in both (a binary indexed tree) answers "how far did the searches for jobs get that were at most so wide
 * and so long". With it, planning a long queue does not pass all the gaps of the plan again for every job.
 *
 * The fewer jobs there are for every site, the fewer classes are worth their room.
 */
const WIDTHS: i32 = 64;
const LENGTHS: i32 = 256;
/** Bits of a double's mantissa that do not tell its class, at the finest. */
const WIDTH_BITS: i32 = 50;
const LENGTH_BITS: i32 = 49;

/** With fewer jobs than this, clearing the bounds takes longer than they save. */
export const LONG_QUEUE: i32 = 256;
/** Doubles that the tables may take for every job, but where they are as coarse as they can be. */
const PER_JOB: i64 = 64;
const COARSEST: i32 = 2;

/** Settles how fine the classes are, and for what widths: no job is wider than all processors together. */
export function settle(simulation: Simulation): void {
  simulation.boundShift = -1;
  simulation.boundRows = 0;
  simulation.searchBoundEntries = 0;
  if (simulation.roomForPlan === 0 || simulation.jobCount < LONG_QUEUE) return;
  const most = PER_JOB * <i64>simulation.jobCount;
  for (let shift = 0; shift <= COARSEST; shift++) {
    const widths = classAbove(<f64>simulation.totalProcessors, WIDTH_BITS + shift) + 1;
    simulation.boundShift = shift;
    simulation.boundRows = min(WIDTHS >> shift, widths);
    simulation.searchBoundEntries = <i64>simulation.siteCount * entriesOfSite(simulation);
    if (simulation.searchBoundEntries <= most) return;
  }
}

@inline
function entriesOfSite(simulation: Simulation): i32 {
  return (simulation.boundRows + 1) * rowOf(simulation);
}

/** Doubles of a row: one for every class of lengths, and one more. */
@inline
function rowOf(simulation: Simulation): i32 {
  return (LENGTHS >> simulation.boundShift) + 1;
}

@inline
function tableOf(simulation: Simulation, site: i32): usize {
  return columns.searchBounds + <usize>(<i64>site * entriesOfSite(simulation)) * sizeof<f64>();
}

/** Nothing is known. */
export function reset(simulation: Simulation): void {
  clear(columns.searchBounds, <usize>simulation.searchBoundEntries * sizeof<f64>());
}

/**
 * The class that a number from 1 on is in: exponent and first bits of the mantissa; below 0 for others.
 */
@inline
function classOf(value: f64, bits: i32): i32 {
  return <i32>(reinterpret<u64>(value) >> bits) - (1023 << (52 - bits));
}

/** The lowest class whose numbers are all at least as great. */
@inline
function classAbove(value: f64, bits: i32): i32 {
  const isFirst = (reinterpret<u64>(value) & (((<u64>1) << bits) - 1)) === 0;
  return max(0, isFirst ? classOf(value, bits) : classOf(value, bits) + 1);
}

/** Jobs with this many processors and such a predicted runtime do not fit before a time. */
export function raise(
  simulation: Simulation,
  site: i32,
  processors: i32,
  predictedRuntime: f64,
  time: f64,
): void {
  const shift = simulation.boundShift;
  const rows = simulation.boundRows;
  const lengths = LENGTHS >> shift;
  const width = classAbove(<f64>processors, WIDTH_BITS + shift);
  const span = classAbove(predictedRuntime, LENGTH_BITS + shift);
  if (width >= rows || span >= lengths) return;
  const table = tableOf(simulation, site);
  for (let row = width + 1; row <= rows; row += row & -row) {
    for (let entry = span + 1; entry <= lengths; entry += entry & -entry) {
      const index = row * (lengths + 1) + entry;
      if (at<f64>(table, index) < time) put<f64>(table, index, time);
    }
  }
}

/** A time before which a job does not fit. */
export function earliest(simulation: Simulation, site: i32, processors: i32, predictedRuntime: f64): f64 {
  const shift = simulation.boundShift;
  const lengths = LENGTHS >> shift;
  const table = tableOf(simulation, site);
  let time: f64 = 0;
  const lastEntry = min(classOf(predictedRuntime, LENGTH_BITS + shift) + 1, lengths);
  const lastRow = min(classOf(<f64>processors, WIDTH_BITS + shift) + 1, simulation.boundRows);
  for (let row = lastRow; row > 0; row &= row - 1) {
    for (let entry = lastEntry; entry > 0; entry &= entry - 1) {
      time = max<f64>(time, at<f64>(table, row * (lengths + 1) + entry));
    }
  }
  return time;
}
