import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import { at, put } from '../memory/memory';
import * as pool from '../memory/pool';

/**
 * Processors of each job, recorded if the schedule is wanted. Processors are numbered through the grid, site
 * 0 first. A set bit is a free processor; each site begins in a new word. A job takes the lowest free
 * processors of its site and appends the ranges that it took to the log, as pairs (first, last). The widths
 * of a job's pairs add up to its processors, so the log stores no lengths. While the job runs, a list keeps
 * its pairs, from which its end knows what becomes free. The log also says which processors an outage takes
 * out of service and which come back.
 */

/** Range of neighbouring processors of a running job. */
@unmanaged
class ProcessorRun {
  /** Next range of the same allocation; 0 if none. */
  next: i32;
  first: i32;
  last: i32;
}

/**
 * Size of the ranges of `processors` processors in words of 8 bytes, with at least one processor per range.
 */
export function processorWordCount(processors: i64): i64 {
  return ((processors + 1) * offsetof<ProcessorRun>() + 7) >> 3;
}

@inline
function processorRunAt(index: i32): ProcessorRun {
  return changetype<ProcessorRun>(columns.processorRuns + <usize>index * offsetof<ProcessorRun>());
}

/** Frees all processors and empties the log. */
export function resetProcessors(simulation: Simulation): void {
  simulation.logLength = 0;
  if (simulation.logCapacity === 0) return;
  const capacities = columns.capacities;
  let word = 0;
  let processor = 0;
  for (let site = 0; site < simulation.siteCount; site++) {
    put<i32>(columns.firstWords, site, word);
    put<i32>(columns.firstProcessors, site, processor);
    const processors = at<i32>(capacities, site);
    for (let remainingProcessors = processors; remainingProcessors > 0; remainingProcessors -= 64) {
      put<u64>(columns.freeBits, word++, lowestBitsMask(min(remainingProcessors, 64)));
    }
    processor += processors;
  }
  put<i32>(columns.firstWords, simulation.siteCount, word);
}

/** Word with the lowest `bitCount` bits set, 1 to 64. */
@inline
function lowestBitsMask(bitCount: i32): u64 {
  return ~(<u64>0) >> (64 - bitCount);
}

/** Records that a starting job's ranges begin at the current end of the log. */
@inline
export function beginProcessorSet(simulation: Simulation, job: i32): void {
  put<i32>(columns.logIndices, job, simulation.logLength);
}

/** Takes the lowest free processors of a site for a starting job; returns the head of the list of ranges. */
export function occupyProcessors(simulation: Simulation, site: i32, processors: i32): i32 {
  const freeBits = columns.freeBits;
  const firstWord = at<i32>(columns.firstWords, site);
  const end = at<i32>(columns.firstWords, site + 1);
  const origin = at<i32>(columns.firstProcessors, site) - (firstWord << 6);
  let firstProcessorRun = 0;
  let lastProcessorRun = 0;
  let remainingProcessors = processors;
  for (let word = firstWord; word < end && remainingProcessors > 0; word++) {
    let bits = at<u64>(freeBits, word);
    while (bits !== 0 && remainingProcessors > 0) {
      const lowestBit = <i32>ctz(bits);
      const runLength = min(<i32>ctz(~(bits >> lowestBit)), remainingProcessors);
      const takenBits = lowestBitsMask(runLength) << lowestBit;
      bits &= ~takenBits;
      lastProcessorRun = appendProcessorRun(
        simulation,
        origin + (word << 6) + lowestBit,
        runLength,
        lastProcessorRun,
      );
      if (firstProcessorRun === 0) firstProcessorRun = lastProcessorRun;
      remainingProcessors -= runLength;
    }
    put<u64>(freeBits, word, bits);
  }
  if (IS_CHECKED_BUILD) check(remainingProcessors === 0, Invariant.ProcessorSet);
  return firstProcessorRun;
}

/** Takes the processors of a site that a plan by nodes has chosen; returns the head of the list of ranges. */
export function occupyChosenNodes(simulation: Simulation, site: i32): i32 {
  const firstWord = at<i32>(columns.firstWords, site);
  const end = at<i32>(columns.firstWords, site + 1);
  const origin = at<i32>(columns.firstProcessors, site);
  let firstProcessorRun = 0;
  let lastProcessorRun = 0;
  for (let word = firstWord; word < end; word++) {
    const index = word - firstWord;
    let bits = at<u64>(columns.chosenNodes, index);
    put<u64>(columns.freeBits, word, at<u64>(columns.freeBits, word) & ~bits);
    while (bits !== 0) {
      const lowestBit = <i32>ctz(bits);
      const runLength = <i32>ctz(~(bits >> lowestBit));
      bits &= ~(lowestBitsMask(runLength) << lowestBit);
      lastProcessorRun = appendProcessorRun(
        simulation,
        origin + (index << 6) + lowestBit,
        runLength,
        lastProcessorRun,
      );
      if (firstProcessorRun === 0) firstProcessorRun = lastProcessorRun;
    }
  }
  return firstProcessorRun;
}

/** Sets the bits of a list of processors, all on one site, in a set of the site's processors. */
export function appendNodeRuns(site: i32, firstRun: i32, setAddress: usize): void {
  const origin = at<i32>(columns.firstProcessors, site);
  for (; firstRun !== 0; firstRun = processorRunAt(firstRun).next) {
    let bit = processorRunAt(firstRun).first - origin;
    const lastBit = processorRunAt(firstRun).last - origin;
    while (bit <= lastBit) {
      const runLength = min(lastBit - bit + 1, 64 - (bit & 63));
      put<u64>(
        setAddress,
        bit >> 6,
        at<u64>(setAddress, bit >> 6) | (lowestBitsMask(runLength) << (bit & 63)),
      );
      bit += runLength;
    }
  }
}

/**
 * Appends processors to the log and to a list, or extends the list's last range if adjacent; returns the last
 * range.
 */
function appendProcessorRun(
  simulation: Simulation,
  processor: i32,
  runLength: i32,
  lastProcessorRun: i32,
): i32 {
  const log = columns.log;
  const length = simulation.logLength;
  if (lastProcessorRun !== 0 && processorRunAt(lastProcessorRun).last + 1 === processor) {
    processorRunAt(lastProcessorRun).last += runLength;
    put<i32>(log, 2 * length - 1, processor + runLength - 1);
    return lastProcessorRun;
  }
  if (IS_CHECKED_BUILD) check(length < simulation.logCapacity, Invariant.LogOverflow);
  put<i32>(log, 2 * length, processor);
  put<i32>(log, 2 * length + 1, processor + runLength - 1);
  simulation.logLength = length + 1;
  const index = pool.takeEntry(columns.processorRuns, offsetof<ProcessorRun>());
  const run = processorRunAt(index);
  run.next = 0;
  run.first = processor;
  run.last = processor + runLength - 1;
  if (lastProcessorRun !== 0) processorRunAt(lastProcessorRun).next = index;
  return index;
}

/** Frees the processors of a list, all on one site. */
export function vacateProcessors(site: i32, firstProcessorRun: i32): void {
  const freeBits = columns.freeBits;
  const origin = at<i32>(columns.firstProcessors, site) - (at<i32>(columns.firstWords, site) << 6);
  while (firstProcessorRun !== 0) {
    const run = processorRunAt(firstProcessorRun);
    let bit = run.first - origin;
    const lastBit = run.last - origin;
    while (bit <= lastBit) {
      const word = bit >> 6;
      const runLength = min(lastBit - bit + 1, 64 - (bit & 63));
      const bits = lowestBitsMask(runLength) << (bit & 63);
      if (IS_CHECKED_BUILD) check((at<u64>(freeBits, word) & bits) === 0, Invariant.ProcessorSet);
      put<u64>(freeBits, word, at<u64>(freeBits, word) | bits);
      bit += runLength;
    }
    const nextProcessorRun = run.next;
    pool.returnEntry(columns.processorRuns, offsetof<ProcessorRun>(), firstProcessorRun);
    firstProcessorRun = nextProcessorRun;
  }
}

/** Gives to outages those free processors of a site that they want; returns their number. */
export function moveWantedProcessorsToOutages(simulation: Simulation, site: i32): i32 {
  const end = at<i32>(columns.firstWords, site + 1);
  let movedProcessorCount: u64 = 0;
  for (let word = at<i32>(columns.firstWords, site); word < end; word++) {
    const bits = at<u64>(columns.freeBits, word) & at<u64>(columns.wantedBits, word);
    put<u64>(columns.freeBits, word, at<u64>(columns.freeBits, word) & ~bits);
    put<u64>(columns.goneBits, word, at<u64>(columns.goneBits, word) | bits);
    movedProcessorCount += popcnt(bits);
    logMovedBits(simulation, site, word, bits);
  }
  return <i32>movedProcessorCount;
}

/**
 * Frees those processors of a site that outages have taken and that none wants any more; returns how many.
 */
export function freeUnwantedProcessors(simulation: Simulation, site: i32): i32 {
  const end = at<i32>(columns.firstWords, site + 1);
  let movedProcessorCount: u64 = 0;
  for (let word = at<i32>(columns.firstWords, site); word < end; word++) {
    const bits = at<u64>(columns.goneBits, word) & ~at<u64>(columns.wantedBits, word);
    put<u64>(columns.freeBits, word, at<u64>(columns.freeBits, word) | bits);
    put<u64>(columns.goneBits, word, at<u64>(columns.goneBits, word) & ~bits);
    movedProcessorCount += popcnt(bits);
    logMovedBits(simulation, site, word, bits);
  }
  return <i32>movedProcessorCount;
}

/** Distance from a position in sets of all sites to the number of the processor there, on one site. */
@inline
function processorOffset(site: i32): i32 {
  return at<i32>(columns.firstProcessors, site) - (at<i32>(columns.firstWords, site) << 6);
}

/** Appends the processors of a word of a site to the log. */
function logMovedBits(simulation: Simulation, site: i32, word: i32, bits: u64): void {
  while (bits !== 0) {
    const lowestBit = <i32>ctz(bits);
    const runLength = <i32>ctz(~(bits >> lowestBit));
    bits &= ~(lowestBitsMask(runLength) << lowestBit);
    logMovedProcessors(simulation, processorOffset(site) + (word << 6) + lowestBit, runLength);
  }
}

/** True if outages want some of the processors of a list, all on one site. */
export function containsWantedProcessors(site: i32, firstProcessorRun: i32): bool {
  const offset = processorOffset(site);
  for (; firstProcessorRun !== 0; firstProcessorRun = processorRunAt(firstProcessorRun).next) {
    let bit = processorRunAt(firstProcessorRun).first - offset;
    const lastBit = processorRunAt(firstProcessorRun).last - offset;
    while (bit <= lastBit) {
      const runLength = min(lastBit - bit + 1, 64 - (bit & 63));
      if ((at<u64>(columns.wantedBits, bit >> 6) & (lowestBitsMask(runLength) << (bit & 63))) !== 0)
        return true;
      bit += runLength;
    }
  }
  return false;
}

/** Moves free processors of a site to an outage, the highest-numbered first. */
export function removeProcessors(simulation: Simulation, site: i32, processors: i32): void {
  const firstWord = at<i32>(columns.firstWords, site);
  const origin = at<i32>(columns.firstProcessors, site) - (firstWord << 6);
  let remainingProcessors = processors;
  for (
    let word = at<i32>(columns.firstWords, site + 1) - 1;
    word >= firstWord && remainingProcessors > 0;
    word--
  ) {
    let bits = at<u64>(columns.freeBits, word);
    while (bits !== 0 && remainingProcessors > 0) {
      const leadingZeros = <i32>clz(bits);
      const runLength = min(<i32>clz(~(bits << leadingZeros)), remainingProcessors);
      const lowestBit = 64 - leadingZeros - runLength;
      const movedBits = lowestBitsMask(runLength) << lowestBit;
      bits &= ~movedBits;
      put<u64>(columns.goneBits, word, at<u64>(columns.goneBits, word) | movedBits);
      logMovedProcessors(simulation, origin + (word << 6) + lowestBit, runLength);
      remainingProcessors -= runLength;
    }
    put<u64>(columns.freeBits, word, bits);
  }
  if (IS_CHECKED_BUILD) check(remainingProcessors === 0, Invariant.ProcessorSet);
}

/** Frees processors of a site that outages have, the lowest-numbered first. */
export function restoreProcessors(simulation: Simulation, site: i32, processors: i32): void {
  const firstWord = at<i32>(columns.firstWords, site);
  const end = at<i32>(columns.firstWords, site + 1);
  const origin = at<i32>(columns.firstProcessors, site) - (firstWord << 6);
  let remainingProcessors = processors;
  for (let word = firstWord; word < end && remainingProcessors > 0; word++) {
    let bits = at<u64>(columns.goneBits, word);
    while (bits !== 0 && remainingProcessors > 0) {
      const lowestBit = <i32>ctz(bits);
      const runLength = min(<i32>ctz(~(bits >> lowestBit)), remainingProcessors);
      const movedBits = lowestBitsMask(runLength) << lowestBit;
      bits &= ~movedBits;
      put<u64>(columns.freeBits, word, at<u64>(columns.freeBits, word) | movedBits);
      logMovedProcessors(simulation, origin + (word << 6) + lowestBit, runLength);
      remainingProcessors -= runLength;
    }
    put<u64>(columns.goneBits, word, bits);
  }
  if (IS_CHECKED_BUILD) check(remainingProcessors === 0, Invariant.ProcessorSet);
}

/** Appends neighbouring processors that an outage takes or gives back to the log. */
function logMovedProcessors(simulation: Simulation, processor: i32, processorCount: i32): void {
  const length = simulation.logLength;
  if (IS_CHECKED_BUILD) check(length < simulation.logCapacity, Invariant.LogOverflow);
  put<i32>(columns.log, 2 * length, processor);
  put<i32>(columns.log, 2 * length + 1, processor + processorCount - 1);
  simulation.logLength = length + 1;
}
