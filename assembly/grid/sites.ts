import { Option, Status, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import { at, put } from '../memory/memory';
import * as siteSets from './siteSets';
import * as siteIndex from './siteIndex';
import * as kind from '../memory/runKind';

/**
 * Slots are the sites from the fastest to the slowest, ties by index. A slot is one integer: free processors
 * << 32 | site index. So the first slot on which a job fits is the fastest site, the smallest such slot is
 * the tightest, and ties fall to the lowest index without a second comparison. The sites that a job may use
 * under a speed ratio are a prefix of the slots, or of those of its set (siteSets.ts).
 */
export type Slot = u64;

/** Requested processors of a job, shifted so that they can be subtracted from a slot. */
@inline
export function slotRequestOf(processors: i32): Slot {
  return (<u64>processors) << 32;
}

@inline
export function siteOfSlot(slot: Slot): i32 {
  return <i32>slot;
}

@inline
export function siteAtSlot(index: i32): i32 {
  return siteOfSlot(at<Slot>(columns.slots, index));
}

@inline
export function freeProcessorsInSlot(slot: Slot): i32 {
  return <i32>(slot >> 32);
}

/** Speed of a site (CS in Shih et al. 2010). */
@inline
export function speedOf(site: i32): f64 {
  return at<f64>(columns.speeds, site);
}

@inline
export function freeProcessorsAt(site: i32): i32 {
  return freeProcessorsInSlot(at<Slot>(columns.slots, at<i32>(columns.slotOfSite, site)));
}

/** Number of slots that a job may use; they are contiguous from the one at `firstCandidateOffsetOf` on. */
@inline
export function candidateCountOf(simulation: Simulation, job: i32): i32 {
  const commonCandidateCount = simulation.commonCandidates;
  return commonCandidateCount !== 0 ? commonCandidateCount : candidateCountOfHomeAndSet(simulation, job);
}

/** Number of slots that a job's home and set of sites allow. */
function candidateCountOfHomeAndSet(simulation: Simulation, job: i32): i32 {
  const row = simulation.siteSets !== 0 ? siteSets.firstSlotOfSet(simulation, job) : 0;
  return at<i32>(columns.candidates, row + at<i32>(columns.homes, job));
}

/** Distance in bytes from the first slot to the first one that a job may use. */
@inline
export function firstCandidateOffsetOf(simulation: Simulation, job: i32): usize {
  return simulation.hasCommonSlots !== 0 ? 0 : <usize>firstSlotOfJob(simulation, job) * sizeof<Slot>();
}

/** First slot that a job's home, if sites are independent, or its set allows. */
function firstSlotOfJob(simulation: Simulation, job: i32): i32 {
  if (simulation.siteSets !== 0) return siteSets.firstSlotOfSet(simulation, job);
  return at<i32>(columns.slotOfSite, at<i32>(columns.homes, job));
}

/** Position of a site among the slots that a job may use; not from 0 to their number - 1 if it is none. */
@inline
export function candidateIndexOf(simulation: Simulation, job: i32, site: i32): i32 {
  if (simulation.siteSets !== 0) return siteSets.slotPositionOfSite(simulation, job, site);
  return at<i32>(columns.slotOfSite, site) - <i32>(firstCandidateOffsetOf(simulation, job) / sizeof<Slot>());
}

/** First site that a queue's jobs may use. */
@inline
export function firstSiteOfQueue(simulation: Simulation, queue: i32): i32 {
  return simulation.topology === Topology.Independent ? queue : 0;
}

/** Site after the last one that a queue's jobs may use. */
@inline
export function endSiteOfQueue(simulation: Simulation, queue: i32): i32 {
  return simulation.topology === Topology.Independent ? queue + 1 : simulation.siteCount;
}

/** Site at an index among a job's candidates. */
@inline
export function candidateAt(simulation: Simulation, job: i32, index: i32): i32 {
  return siteOfSlot(at<Slot>(columns.slots + firstCandidateOffsetOf(simulation, job), index));
}

/** Takes processors of a site. Only this function and `returnProcessors` change free counts. */
@inline
export function takeProcessors<R>(simulation: Simulation, site: i32, processors: i32): void {
  const slot = at<i32>(columns.slotOfSite, site);
  const slots = columns.slots;
  if (IS_CHECKED_BUILD)
    check(freeProcessorsInSlot(at<Slot>(slots, slot)) >= processors, Invariant.FreeProcessorsNegative);
  put<Slot>(slots, slot, at<Slot>(slots, slot) - slotRequestOf(processors));
  if (kind.hasSiteSets<R>(simulation)) siteSets.copySlot(simulation, slots, site);
  simulation.freeProcessors -= processors;
  if (kind.usesSiteIndex<R>(simulation)) siteIndex.updateSite(simulation, site, freeProcessorsAt(site));
}

/** Gives processors back to a site. */
@inline
export function returnProcessors<R>(simulation: Simulation, site: i32, processors: i32): void {
  const slot = at<i32>(columns.slotOfSite, site);
  const slots = columns.slots;
  put<Slot>(slots, slot, at<Slot>(slots, slot) + slotRequestOf(processors));
  if (kind.hasSiteSets<R>(simulation)) siteSets.copySlot(simulation, slots, site);
  simulation.freeProcessors += processors;
  if (kind.usesSiteIndex<R>(simulation)) siteIndex.updateSite(simulation, site, freeProcessorsAt(site));
  if (IS_CHECKED_BUILD) {
    const capacity = at<i32>(columns.capacities, site);
    check(freeProcessorsInSlot(at<Slot>(slots, slot)) <= capacity, Invariant.FreeProcessorsAboveCapacity);
  }
}

/** Largest accepted speed; sums and squares of speeds stay finite. */
const MAX_SPEED: f64 = 1e100;

/** Checks the host's site columns, frees every processor and sorts the slots. */
export function resetSites(simulation: Simulation): Status {
  const capacities = columns.capacities;
  const speeds = columns.speeds;
  const loads = columns.loads;
  let totalProcessors: i64 = 0;
  for (let site = 0; site < simulation.siteCount; site++) {
    simulation.refusedSite = site;
    if (at<i32>(capacities, site) < 1) return Status.SiteCapacityInvalid;
    if (!isValidSpeed(at<f64>(speeds, site))) return Status.SiteSpeedInvalid;
    if (!(at<f64>(loads, site) > 0 && at<f64>(loads, site) < Infinity)) return Status.SiteLoadInvalid;
    totalProcessors += at<i32>(capacities, site);
  }
  if (totalProcessors !== simulation.totalProcessors) return Status.SiteCapacityInvalid;
  simulation.refusedSite = -1;
  simulation.freeProcessors = totalProcessors;
  orderSites(simulation, capacities);
  return Status.Finished;
}

/** Checks changed speeds and sorts the slots again; free processors do not change. */
export function orderSitesBySpeed(simulation: Simulation): Status {
  const freeProcessorsAddress = columns.hypotheticalSlots;
  for (let site = 0; site < simulation.siteCount; site++) {
    simulation.refusedSite = site;
    if (!isValidSpeed(at<f64>(columns.speeds, site))) return Status.SiteSpeedInvalid;
    put<i32>(freeProcessorsAddress, site, freeProcessorsAt(site));
  }
  simulation.refusedSite = -1;
  orderSites(simulation, freeProcessorsAddress);
  return Status.Finished;
}

@inline
function isValidSpeed(speed: f64): bool {
  return speed > 0 && speed <= MAX_SPEED;
}

/**
 * Computes SH, the slots and the candidates, which depend on the site speeds, for given free processors per
 * site.
 */
function orderSites(simulation: Simulation, freeProcessorsAddress: usize): void {
  simulation.speedHeterogeneity = varianceOf(columns.speeds, simulation.siteCount);
  sortSlotsBySpeed(simulation, freeProcessorsAddress);
  if (simulation.siteSets !== 0) siteSets.fillSetRows(simulation);
  countCandidates(simulation);
}

/** Population variance around the plain mean, summed in site order (Shih et al. 2010, eq. 3). */
function varianceOf(valuesAddress: usize, siteCount: i32): f64 {
  let sum: f64 = 0;
  for (let index = 0; index < siteCount; index++) sum += at<f64>(valuesAddress, index);
  const mean = sum / <f64>siteCount;
  let sumOfSquares: f64 = 0;
  for (let index = 0; index < siteCount; index++) {
    const deviation = at<f64>(valuesAddress, index) - mean;
    sumOfSquares += deviation * deviation;
  }
  return sumOfSquares / <f64>siteCount;
}

/** Heap sort of the sites by speed, fastest first, ties by index. */
function sortSlotsBySpeed(simulation: Simulation, freeProcessorsAddress: usize): void {
  const speeds = columns.speeds;
  const siteOrder = columns.slotOfSite;
  const siteCount = simulation.siteCount;
  // The column `slotOfSite` holds the site order during the sort, and is inverted at the end.
  for (let site = 0; site < siteCount; site++) put<i32>(siteOrder, site, site);
  for (let root = (siteCount >> 1) - 1; root >= 0; root--) siftDownSite(siteOrder, speeds, root, siteCount);
  for (let lastIndex = siteCount - 1; lastIndex > 0; lastIndex--) {
    const site = at<i32>(siteOrder, 0);
    put<i32>(siteOrder, 0, at<i32>(siteOrder, lastIndex));
    put<i32>(siteOrder, lastIndex, site);
    siftDownSite(siteOrder, speeds, 0, lastIndex);
  }
  const slots = columns.slots;
  for (let index = 0; index < siteCount; index++) {
    const site = at<i32>(siteOrder, index);
    put<Slot>(slots, index, slotRequestOf(at<i32>(freeProcessorsAddress, site)) | <u64>site);
  }
  for (let index = 0; index < siteCount; index++)
    put<i32>(siteOrder, siteOfSlot(at<Slot>(slots, index)), index);
}

@inline
function isAfterInSpeedOrder(speeds: usize, site: i32, otherSite: i32): bool {
  const difference = at<f64>(speeds, site) - at<f64>(speeds, otherSite);
  return difference < 0 || (difference === 0 && site > otherSite);
}

/** Restores the heap below `root`, with the last site in slot order at its root. */
function siftDownSite(siteOrder: usize, speeds: usize, root: i32, siteCount: i32): void {
  const site = at<i32>(siteOrder, root);
  let position = root;
  for (let child = 2 * position + 1; child < siteCount; child = 2 * position + 1) {
    if (
      child + 1 < siteCount &&
      isAfterInSpeedOrder(speeds, at<i32>(siteOrder, child + 1), at<i32>(siteOrder, child))
    )
      child++;
    if (!isAfterInSpeedOrder(speeds, at<i32>(siteOrder, child), site)) break;
    put<i32>(siteOrder, position, at<i32>(siteOrder, child));
    position = child;
  }
  put<i32>(siteOrder, position, site);
}

/**
 * Counts the candidates of each home, in each set: sites with speed >= ratio * home speed (Huang et al.
 * 2007, section 4), which are the first slots; only the home itself if sites are independent.
 */
function countCandidates(simulation: Simulation): void {
  const minSpeedRatio = columns.optionOfRun(Option.MinSpeedRatio);
  const areSitesIndependent = simulation.topology === Topology.Independent;
  simulation.hasCommonSlots = i32(!areSitesIndependent && simulation.siteSets === 0);
  const areAllSitesCandidates = simulation.hasCommonSlots !== 0 && !(minSpeedRatio > 0);
  simulation.commonCandidates = areAllSitesCandidates ? simulation.siteCount : 0;
  for (let row = 0; row < simulation.slotCount; row += simulation.siteCount) {
    for (let home = 0; home < simulation.siteCount; home++) {
      const lowestSpeed = minSpeedRatio * speedOf(home);
      const candidateCount = areSitesIndependent
        ? i32(speedOf(home) >= lowestSpeed)
        : countSlotsWithSpeedAtLeast(simulation, row, lowestSpeed);
      put<i32>(columns.candidates, row + home, candidateCount);
    }
  }
}

/** Number of slots of a row with at least this speed. */
function countSlotsWithSpeedAtLeast(simulation: Simulation, row: i32, speed: f64): i32 {
  let low = 0;
  let high = siteSets.rowLength(simulation, row);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (speedOf(siteAtSlot(row + middle)) >= speed) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Number of processors of the largest candidate site of a home, for the set of sites of a row, and so of the
 * widest job allowed; requires `findWidestSites`.
 */
export function maxWidthForHome(simulation: Simulation, row: i32, home: i32): i32 {
  const candidateCount = at<i32>(columns.candidates, row + home);
  if (candidateCount === 0) return 0;
  if (simulation.topology === Topology.Independent) return at<i32>(columns.lastingCapacities, home);
  return <i32>at<Slot>(columns.hypotheticalSlots, row + candidateCount - 1);
}

/**
 * Writes, for each slot, the largest lasting capacity among the slots of its row up to it, into the memory of
 * look-aheads.
 */
export function findWidestSites(simulation: Simulation): void {
  for (let row = 0; row < simulation.slotCount; row += simulation.siteCount) {
    let widest = 0;
    for (let index = 0; index < siteSets.rowLength(simulation, row); index++) {
      widest = max(widest, at<i32>(columns.lastingCapacities, siteAtSlot(row + index)));
      put<Slot>(columns.hypotheticalSlots, row + index, widest);
    }
  }
}
