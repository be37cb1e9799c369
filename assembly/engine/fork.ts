import { Discipline, Option, Order, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as accounts from '../sums/metrics';
import * as columns from '../memory/columns';
import * as easy from '../disciplines/easy';
import * as finishQueue from '../events/finishQueue';
import {
  Allocation,
  allocationAt,
  finishEntryAt,
  jobOfKey,
  siteOrAllocationOfKey,
} from '../events/finishQueue';
import * as siteIndex from '../grid/siteIndex';
import { areBytesEqual, at, copyBytes, put } from '../memory/memory';
import * as copies from '../live/copies';
import * as freeSteps from '../planning/freeSteps';
import { SiteProfile, siteProfileAt } from '../planning/profile';
import * as keyBounds from '../queue/keyBounds';
import * as usageByNumber from '../queue/usageByNumber';
import { mayAnotherJobBecomeNext } from '../memory/runKind';
import { isAmount } from './options';
import { applyCandidateFrom } from './choosing';

/**
 * Forks and comparisons of live states. The columns of the first simulation are the current ones. Both
 * simulations have the same layout, so an entry of the second lies at a constant distance from that of the
 * first.
 */

/**
 * True if two simulations can continue each other's state: all their settings except the policies are the
 * same.
 */
export function haveSameSettings(simulation: Simulation, otherSimulation: Simulation): bool {
  const byteDistance = byteDistanceTo(simulation, otherSimulation);
  const beginAddress = changetype<usize>(simulation) + offsetof<Simulation>('roomForRanks');
  const endAddress = changetype<usize>(simulation) + offsetof<Simulation>('refusedJob');
  if (
    simulation.siteCount !== otherSimulation.siteCount ||
    !areBytesAlike(beginAddress, endAddress, byteDistance)
  )
    return false;
  // With candidates, the rules in effect may differ from the options, so the options are compared, too.
  const isSameRule =
    isSameOption(Option.Order, byteDistance) && isSameOption(Option.Discipline, byteDistance);
  if (!isSameRule || !isSameOption(Option.BackfillOrder, byteDistance)) return false;
  for (let option: i32 = 0; option < Option.COUNT; option++) {
    if (isAmount(option) && !isSameOption(option, byteDistance)) return false;
  }
  // Keys given at submission belong to the live state, so only keys from before the run are compared.
  if (simulation.asksKeys === 0 && !haveSameKeys(simulation, byteDistance)) return false;
  return areBytesAlike(columns.capacities, columns.copiedPolicies, byteDistance);
}

/** True if the keys given by the host for all jobs, if any, order the jobs alike. */
function haveSameKeys(simulation: Simulation, byteDistance: usize): bool {
  const keyByteCount = (<usize>simulation.jobCount) << 3;
  const keys = columns.keys;
  const backfillKeys = columns.backfillKeys;
  if (at<f64>(columns.copiedOptions, Option.Order) === Order.Given) {
    // If jobs change their ranks, equal ranks do not imply equal keys.
    const hasConstantOrder = !mayAnotherJobBecomeNext(simulation) && simulation.hasLateRanks === 0;
    const beginAddress = hasConstantOrder ? columns.rankOf : keys;
    if (!areBytesAlike(beginAddress, hasConstantOrder ? columns.jobAt : keys + keyByteCount, byteDistance))
      return false;
  }
  if (simulation.programOrders !== 0 && !haveSameProgram(simulation, byteDistance)) return false;
  if (at<f64>(columns.copiedOptions, Option.BackfillOrder) !== 1 + Order.Given) return true;
  return areBytesAlike(backfillKeys, backfillKeys + keyByteCount, byteDistance);
}

/** True if expressions of orders, their inputs, and users and groups of jobs are the same. */
function haveSameProgram(simulation: Simulation, byteDistance: usize): bool {
  const program = columns.program;
  const inputs = columns.programInputs;
  const inputValueCount = <usize>simulation.roomForProgramInputs * <usize>simulation.jobCount;
  if (!areBytesAlike(program, program + ((<usize>simulation.roomForProgram) << 4), byteDistance))
    return false;
  return areBytesAlike(inputs, inputs + (inputValueCount << 3), byteDistance);
}

@inline
function isSameOption(option: Option, byteDistance: usize): bool {
  return at<f64>(columns.copiedOptions, option) === at<f64>(columns.copiedOptions + byteDistance, option);
}

@inline
function byteDistanceTo(simulation: Simulation, otherSimulation: Simulation): usize {
  return changetype<usize>(otherSimulation) - changetype<usize>(simulation);
}

/** True if the bytes from `beginAddress` to `endAddress` equal those `byteDistance` bytes behind them. */
@inline
function areBytesAlike(beginAddress: usize, endAddress: usize, byteDistance: usize): bool {
  return areBytesEqual(beginAddress, beginAddress + byteDistance, <i32>((endAddress - beginAddress) >> 3));
}

/**
 * Copies the live state to another simulation, which continues it. Its later results are those of jobs that
 * start in it; its logs continue behind the entries of this simulation.
 */
export function fork(simulation: Simulation, targetSimulation: Simulation): Status {
  if (!canHoldLogs(simulation, targetSimulation)) return Status.RoomTooSmall;
  // The metrics of the fork include jobs that started before it, so their execution times must be known: no
  // job may run whose end the host has yet to tell.
  if (simulation.isOpen !== 0 && finishQueue.hasJobWithUnknownEnd(simulation))
    return Status.SimulationsDiffer;
  accounts.updateMetrics(simulation);
  copies.copyStateTo(simulation, targetSimulation);
  if (doRanksOutsideStateChange(simulation)) {
    const ranks = columns.rankOf;
    copyBytes(ranks + byteDistanceTo(simulation, targetSimulation), ranks, columns.firstRanks - ranks);
  }
  if (simulation.countsByNumber !== 0)
    usageByNumber.copyUsageTimes(simulation, byteDistanceTo(simulation, targetSimulation));
  targetSimulation.order = simulation.order;
  targetSimulation.discipline = simulation.discipline;
  targetSimulation.backfillOrder = simulation.backfillOrder;
  if (targetSimulation.choosesPolicies !== 0) copyDynamicPolicyState(simulation, targetSimulation);
  // Plans and the index of sites can be rebuilt and are not copied. The plan of a pass that waits
  // for a decision is copied, because it records the jobs that the host lets wait.
  if (isPausedWithPlan(simulation)) {
    freeSteps.copyStateTo(simulation, byteDistanceTo(simulation, targetSimulation));
    targetSimulation.planReserved = simulation.planReserved;
  }
  dropCaches(targetSimulation);
  accounts.invalidateMetrics(columns.metrics + byteDistanceTo(simulation, targetSimulation));
  return Status.Finished;
}

/**
 * Invalidates plans, stored reservations, bounds of keys and the index of sites, which are kept only to save
 * computation between passes.
 */
export function dropCaches(simulation: Simulation): void {
  simulation.planHolds = 0;
  simulation.reservedJob = 0;
  easy.discardTriedJobs(simulation);
  keyBounds.invalidateBounds(simulation);
  siteIndex.invalidateSiteIndex(simulation);
}

/** True if a simulation has paused for a decision of the host in a pass that has a plan. */
@inline
function isPausedWithPlan(simulation: Simulation): bool {
  if (simulation.decisionJob < 0) return false;
  return simulation.discipline === Discipline.Conservative || simulation.reservationDepth !== 1;
}

/** True if a running job started at the same time in both simulations; trials depend on starts. */
@inline
function hasSameStart(entryAddress: usize, byteDistance: usize): bool {
  const job = jobOfKey(at<u64>(entryAddress, 1));
  return at<f64>(columns.starts, job) === at<f64>(columns.starts + byteDistance, job);
}

/** Copies what trials know about running jobs other than their ends, and the current candidate. */
function copyDynamicPolicyState(simulation: Simulation, targetSimulation: Simulation): void {
  const byteDistance = byteDistanceTo(simulation, targetSimulation);
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    const job = jobOfKey(at<u64>(finishEntryAt(finishEntry), 1));
    put<f64>(columns.starts + byteDistance, job, at<f64>(columns.starts, job));
  }
  const rulesAddress = targetSimulation.hasRules !== 0 ? columns.candidateRules + byteDistance : 0;
  applyCandidateFrom(
    targetSimulation,
    columns.policies + byteDistance,
    rulesAddress,
    targetSimulation.candidate,
  );
}

/** True if ranks outside the live state change, such as those determined at submission. */
@inline
function doRanksOutsideStateChange(simulation: Simulation): bool {
  return simulation.roomForLateRanks === 0 && mayAnotherJobBecomeNext(simulation);
}

/** True if the other simulation's logs can hold this one's entries. */
@inline
function canHoldLogs(simulation: Simulation, targetSimulation: Simulation): bool {
  if (
    simulation.logLength > targetSimulation.roomForRuns ||
    simulation.partsLength > targetSimulation.roomForParts
  )
    return false;
  return simulation.stopsLength <= targetSimulation.roomForStops;
}

/**
 * True if two states have the same future under the same policy: clock, queue, random generator, and running
 * jobs with sites and ends. May be false for equal states if many jobs run or by events of the same instant;
 * always false with sets of processors, and during a pass of conservative backfilling that waits for a
 * decision.
 */
export function haveSameState(simulation: Simulation, otherSimulation: Simulation): bool {
  const byteDistance = byteDistanceTo(simulation, otherSimulation);
  const beginAddress = changetype<usize>(simulation) + offsetof<Simulation>('now');
  if (isPausedWithPlan(simulation)) return false;
  if (simulation.order !== otherSimulation.order || simulation.discipline !== otherSimulation.discipline)
    return false;
  if (simulation.backfillOrder !== otherSimulation.backfillOrder) return false;
  if (simulation.tracksSets !== 0 || !areBytesAlike(beginAddress, columns.siteJobs, byteDistance))
    return false;
  if (
    doRanksOutsideStateChange(simulation) &&
    !areBytesAlike(columns.rankOf, columns.firstRanks, byteDistance)
  )
    return false;
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    if (!isSameFinishEntry(simulation, finishEntryAt(finishEntry), byteDistance)) return false;
    if (simulation.choosesPolicies !== 0 && !hasSameStart(finishEntryAt(finishEntry), byteDistance))
      return false;
  }
  for (let site = 0; simulation.hasPredictions !== 0 && site < simulation.siteCount; site++) {
    if (!isSameSiteProfile(changetype<usize>(siteProfileAt(columns.predictions, site)), byteDistance))
      return false;
  }
  return true;
}

/**
 * True if two finish-queue entries have the same job, end and sites; the second entry is `byteDistance` bytes
 * behind the first.
 */
function isSameFinishEntry(simulation: Simulation, entryAddress: usize, byteDistance: usize): bool {
  const key = at<u64>(entryAddress, 1);
  const otherKey = at<u64>(entryAddress + byteDistance, 1);
  if (at<u64>(entryAddress, 0) !== at<u64>(entryAddress + byteDistance, 0)) return false;
  if (simulation.hasExtras === 0) return key === otherKey;
  if (jobOfKey(key) !== jobOfKey(otherKey)) return false;
  if (siteOrAllocationOfKey(key) < 0 || siteOrAllocationOfKey(otherKey) < 0) return key === otherKey;
  let allocation = allocationAt(siteOrAllocationOfKey(key));
  let otherAllocation = changetype<Allocation>(
    changetype<usize>(allocationAt(siteOrAllocationOfKey(otherKey))) + byteDistance,
  );
  while (isSamePart(changetype<usize>(allocation), changetype<usize>(otherAllocation))) {
    if (allocation.next === 0 || otherAllocation.next === 0) return allocation.next === otherAllocation.next;
    allocation = allocationAt(allocation.next);
    otherAllocation = changetype<Allocation>(
      changetype<usize>(allocationAt(otherAllocation.next)) + byteDistance,
    );
  }
  return false;
}

/** True if two allocations have the same site, processors and times. */
@inline
function isSamePart(allocationAddress: usize, otherAllocationAddress: usize): bool {
  const firstFieldOffset = offsetof<Allocation>('site');
  const words = (<i32>offsetof<Allocation>('runs') - <i32>firstFieldOffset) >> 3;
  return areBytesEqual(
    allocationAddress + firstFieldOffset,
    otherAllocationAddress + firstFieldOffset,
    words,
  );
}

/**
 * True if the overdue jobs of a site are the same in both simulations; other predicted ends follow
 * from the allocations.
 */
@inline
function isSameSiteProfile(profileAddress: usize, byteDistance: usize): bool {
  const siteProfile = changetype<SiteProfile>(profileAddress);
  const otherSiteProfile = changetype<SiteProfile>(profileAddress + byteDistance);
  if (siteProfile.overdueProcessors !== otherSiteProfile.overdueProcessors) return false;
  return (
    siteProfile.overdueProcessors === 0 ||
    (siteProfile.updatedUntil === otherSiteProfile.updatedUntil &&
      siteProfile.overdueUntil === otherSiteProfile.overdueUntil)
  );
}
