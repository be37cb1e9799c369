import { Discipline, Option, Order, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as accounts from '../sums/metrics';
import * as columns from '../memory/columns';
import * as easy from '../disciplines/easy';
import { Allocation, allocationAt, entryAt, jobIn, placeIn } from '../events/finishQueue';
import * as siteIndex from '../grid/siteIndex';
import { areSame, at, copyBytes, put } from '../memory/memory';
import * as copies from '../live/copies';
import * as freeSteps from '../planning/freeSteps';
import { SiteProfile, siteProfileAt } from '../planning/profile';
import * as keyBounds from '../queue/keyBounds';
import { reorders } from '../memory/runKind';
import { isAmount } from './options';
import { takeUpFrom } from './choosing';

/**
 * Forks and comparisons of live states. Of the two simulations the first has its columns at hand. Both are
 * laid out alike, so what is at an address in the first is at a fixed distance in the other.
 */

/** Whether simulations can go on from each other's state: whatever their policies, all else is the same. */
export function areAlike(simulation: Simulation, other: Simulation): bool {
  const distance = distanceTo(simulation, other);
  const begin = changetype<usize>(simulation) + offsetof<Simulation>('roomForRanks');
  const end = changetype<usize>(simulation) + offsetof<Simulation>('refusedJob');
  if (simulation.siteCount !== other.siteCount || !areAlikeFrom(begin, end, distance)) return false;
  // What is in force may be rules of candidates.
  const isSameRule = isSameOption(Option.Order, distance) && isSameOption(Option.Discipline, distance);
  if (!isSameRule || !isSameOption(Option.BackfillOrder, distance)) return false;
  for (let which: i32 = 0; which < Option.COUNT; which++) {
    if (isAmount(which) && !isSameOption(which, distance)) return false;
  }
  // Keys that come with the submits are live.
  if (simulation.asksKeys === 0 && !haveSameKeys(simulation, distance)) return false;
  return areAlikeFrom(columns.capacities, columns.takenPolicies, distance);
}

/** Whether the keys that the host has given for all jobs, if any, order these alike. */
function haveSameKeys(simulation: Simulation, distance: usize): bool {
  const ofJobs = (<usize>simulation.jobCount) << 3;
  const keys = columns.keys;
  const backfillKeys = columns.backfillKeys;
  if (at<f64>(columns.takenOptions, Option.Order) === Order.Given) {
    // Where jobs change places among the ranks, these do not tell what the keys were.
    const isFixed = !reorders(simulation) && simulation.hasLateRanks === 0;
    const begin = isFixed ? columns.rankOf : keys;
    if (!areAlikeFrom(begin, isFixed ? columns.jobAt : keys + ofJobs, distance)) return false;
  }
  if (at<f64>(columns.takenOptions, Option.BackfillOrder) !== 1 + Order.Given) return true;
  return areAlikeFrom(backfillKeys, backfillKeys + ofJobs, distance);
}

@inline
function isSameOption(which: Option, distance: usize): bool {
  return at<f64>(columns.takenOptions, which) === at<f64>(columns.takenOptions + distance, which);
}

@inline
function distanceTo(simulation: Simulation, other: Simulation): usize {
  return changetype<usize>(other) - changetype<usize>(simulation);
}

/** Whether all between two addresses is at a distance too. */
@inline
function areAlikeFrom(begin: usize, end: usize, distance: usize): bool {
  return areSame(begin, begin + distance, <i32>((end - begin) >> 3));
}

/**
 * Another simulation goes on from the live state of this one. Its results are from now on those of the jobs
 * that start in it; its logs go on behind the entries that they have here.
 */
export function fork(simulation: Simulation, other: Simulation): Status {
  if (!canHoldLogs(simulation, other)) return Status.RoomTooSmall;
  accounts.update(simulation);
  copies.copyTo(simulation, other);
  if (reordersFixed(simulation)) {
    const ranks = columns.rankOf;
    copyBytes(ranks + distanceTo(simulation, other), ranks, columns.firstRanks - ranks);
  }
  if (other.chooses !== 0) goOnChoosing(simulation, other);
  // A plan is a cache, and not copied, as is the index of sites; but that of a pass which has stopped at a
  // decision knows who has been told to wait in it.
  if (isMidPlan(simulation)) {
    freeSteps.copyTo(simulation, distanceTo(simulation, other));
    other.planReserved = simulation.planReserved;
  }
  dropCaches(other);
  accounts.forgetMetrics(columns.metrics + distanceTo(simulation, other));
  return Status.Finished;
}

/** Invalidates what is cached between passes. */
export function dropCaches(simulation: Simulation): void {
  simulation.planHolds = 0;
  simulation.reservedJob = 0;
  easy.forget(simulation);
  keyBounds.forget(simulation);
  if (isMidPlan(simulation)) simulation.usesSearchBounds = 0;
  siteIndex.forget(simulation);
}

/** Whether the host is asked in a pass that goes on with the plan as it stands. */
@inline
function isMidPlan(simulation: Simulation): bool {
  if (simulation.asked < 0) return false;
  return simulation.discipline === Discipline.Conservative || simulation.reservationDepth !== 1;
}

/** Whether a running job has started at the same time, by which trials go. */
@inline
function startsAlike(entry: usize, distance: usize): bool {
  const job = jobIn(at<u64>(entry, 1));
  return at<f64>(columns.starts, job) === at<f64>(columns.starts + distance, job);
}

/** What trials know of running jobs beside their ends; and the candidate in force is the other's. */
function goOnChoosing(simulation: Simulation, other: Simulation): void {
  const distance = distanceTo(simulation, other);
  for (let entry = 1; entry <= simulation.running; entry++) {
    const job = jobIn(at<u64>(entryAt(entry), 1));
    put<f64>(columns.starts + distance, job, at<f64>(columns.starts, job));
  }
  const rules = other.hasRules !== 0 ? columns.candidateRules + distance : 0;
  takeUpFrom(other, columns.policies + distance, rules, other.candidate);
}

/** Whether ranks change that are not in the live part, as those do that are found at the submit. */
@inline
function reordersFixed(simulation: Simulation): bool {
  return simulation.roomForLateRanks === 0 && reorders(simulation);
}

/** Whether the logs of another simulation can hold what a simulation has. */
@inline
function canHoldLogs(simulation: Simulation, other: Simulation): bool {
  if (simulation.logLength > other.roomForRuns || simulation.partsLength > other.roomForParts) return false;
  return simulation.stopsLength <= other.roomForStops;
}

/**
 * Whether two states have the same future under the same policy: clock, queue, draws, and running jobs with
 * sites and ends. Equal states may be told apart where many jobs run, or by what happened in this instant;
 * and they always are where sets of processors are kept, and in a pass of conservative backfilling that has
 * stopped at a decision.
 */
export function sameState(simulation: Simulation, other: Simulation): bool {
  const distance = distanceTo(simulation, other);
  const begin = changetype<usize>(simulation) + offsetof<Simulation>('now');
  if (isMidPlan(simulation)) return false;
  if (simulation.tracksSets !== 0 || !areAlikeFrom(begin, columns.siteJobs, distance)) return false;
  if (reordersFixed(simulation) && !areAlikeFrom(columns.rankOf, columns.firstRanks, distance)) return false;
  for (let entry = 1; entry <= simulation.running; entry++) {
    if (!isSameEntry(simulation, entryAt(entry), distance)) return false;
    if (simulation.chooses !== 0 && !startsAlike(entryAt(entry), distance)) return false;
  }
  for (let site = 0; simulation.hasPredictions !== 0 && site < simulation.siteCount; site++) {
    if (!isSameSite(changetype<usize>(siteProfileAt(columns.predictions, site)), distance)) return false;
  }
  return true;
}

/** Whether entries of the finish queue are of the same job, which ends then and runs there. */
function isSameEntry(simulation: Simulation, entry: usize, distance: usize): bool {
  const key = at<u64>(entry, 1);
  const otherKey = at<u64>(entry + distance, 1);
  if (at<u64>(entry, 0) !== at<u64>(entry + distance, 0)) return false;
  if (simulation.hasExtras === 0) return key === otherKey;
  if (jobIn(key) !== jobIn(otherKey)) return false;
  if (placeIn(key) < 0 || placeIn(otherKey) < 0) return key === otherKey;
  let own = allocationAt(placeIn(key));
  let other = changetype<Allocation>(changetype<usize>(allocationAt(placeIn(otherKey))) + distance);
  while (isSamePart(changetype<usize>(own), changetype<usize>(other))) {
    if (own.next === 0 || other.next === 0) return own.next === other.next;
    own = allocationAt(own.next);
    other = changetype<Allocation>(changetype<usize>(allocationAt(other.next)) + distance);
  }
  return false;
}

/** Whether allocations are alike in site, processors and times. */
@inline
function isSamePart(own: usize, other: usize): bool {
  const first = offsetof<Allocation>('site');
  const words = (<i32>offsetof<Allocation>('runs') - <i32>first) >> 3;
  return areSame(own + first, other + first, words);
}

/** Whether the same is known of jobs that are overdue at a site; others are predicted to end as they say. */
@inline
function isSameSite(site: usize, distance: usize): bool {
  const own = changetype<SiteProfile>(site);
  const other = changetype<SiteProfile>(site + distance);
  if (own.overdue !== other.overdue) return false;
  return own.overdue === 0 || (own.swept === other.swept && own.overdueUntil === other.overdueUntil);
}
