import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import { at, put } from '../memory';

/**
 * Which processors each job holds, kept when a schedule is wanted. Processors are numbered through the grid,
 * site 0 first. A set bit is a free processor; each site begins on a word of its own. A job takes the lowest
 * free processors of its site, and the runs of neighbours that it took are appended to the log as pairs
 * (first, last). The widths of a job's pairs add up to its processors, so the log needs no lengths, and the
 * same pairs tell which bits to set again when the job ends.
 */

/** Frees all processors and empties the log. */
export function resetProcessors(simulation: Simulation): void {
  simulation.logLength = 0;
  if (simulation.logCapacity === 0) return;
  const capacity = columns.capacities;
  let word = 0;
  let processor = 0;
  for (let site = 0; site < simulation.siteCount; site++) {
    put<i32>(columns.firstWords, site, word);
    put<i32>(columns.firstProcessors, site, processor);
    const processors = at<i32>(capacity, site);
    for (let rest = processors; rest > 0; rest -= 64) {
      put<u64>(columns.freeBits, word++, lowBits(min(rest, 64)));
    }
    processor += processors;
  }
  put<i32>(columns.firstWords, simulation.siteCount, word);
}

/** A word whose lowest `count` bits are set, 1 to 64 of them. */
@inline
function lowBits(count: i32): u64 {
  return ~(<u64>0) >> (64 - count);
}

/** The runs that follow in the log are those of a job that starts. */
@inline
export function beginSet(simulation: Simulation, job: i32): void {
  put<i32>(columns.logIndices, job, simulation.logLength);
}

/** The job that starts takes the lowest free processors of a site. */
export function occupy(simulation: Simulation, site: i32, processors: i32): void {
  const freeBits = columns.freeBits;
  const first = at<i32>(columns.firstWords, site);
  const end = at<i32>(columns.firstWords, site + 1);
  const origin = at<i32>(columns.firstProcessors, site) - (first << 6);
  let rest = processors;
  for (let word = first; word < end && rest > 0; word++) {
    let bits = at<u64>(freeBits, word);
    while (bits !== 0 && rest > 0) {
      const low = <i32>ctz(bits);
      const run = min(<i32>ctz(~(bits >> low)), rest);
      const taken = lowBits(run) << low;
      bits &= ~taken;
      append(simulation, origin + (word << 6) + low, run, rest < processors);
      rest -= run;
    }
    put<u64>(freeBits, word, bits);
  }
  if (CHECKED) check(rest === 0, Invariant.ProcessorSet);
}

/** Appends a run to the log, or lengthens the last one of the same job where they touch. */
function append(simulation: Simulation, processor: i32, run: i32, mayJoin: bool): void {
  const log = columns.log;
  const length = simulation.logLength;
  if (mayJoin && at<i32>(log, 2 * length - 1) + 1 === processor) {
    put<i32>(log, 2 * length - 1, processor + run - 1);
    return;
  }
  if (CHECKED) check(length < simulation.logCapacity, Invariant.LogOverflow);
  put<i32>(log, 2 * length, processor);
  put<i32>(log, 2 * length + 1, processor + run - 1);
  simulation.logLength = length + 1;
}

/**
 * The processors of a job on a site, whose runs begin with a pair of the log, are free again; returns the
 * pair behind.
 */
export function vacate(simulation: Simulation, pair: i32, site: i32, processors: i32): i32 {
  const freeBits = columns.freeBits;
  const log = columns.log;
  const first = at<i32>(columns.firstWords, site);
  const origin = at<i32>(columns.firstProcessors, site) - (first << 6);
  let rest = processors;
  for (; rest > 0; pair++) {
    let bit = at<i32>(log, 2 * pair) - origin;
    const last = at<i32>(log, 2 * pair + 1) - origin;
    rest -= last - bit + 1;
    while (bit <= last) {
      const word = bit >> 6;
      const run = min(last - bit + 1, 64 - (bit & 63));
      const bits = lowBits(run) << (bit & 63);
      if (CHECKED) check((at<u64>(freeBits, word) & bits) === 0, Invariant.ProcessorSet);
      put<u64>(freeBits, word, at<u64>(freeBits, word) | bits);
      bit += run;
    }
  }
  if (CHECKED) check(rest === 0, Invariant.ProcessorSet);
  return pair;
}
