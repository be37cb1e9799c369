import { Limit, OnOutage, Option, Resolution, RuntimeReference, Status, Topology } from '../abi/abi';
import { Extra } from '../abi/abiColumns';
import { Jobs, Simulation, Stage, blockAddressOf } from '../memory/state';
import { CustomPolicyAnswer } from '../allocators/own';
import * as columns from '../memory/columns';
import * as cancellations from '../events/cancellations';
import * as capacityChanges from '../events/capacityChanges';
import * as finishQueue from '../events/finishQueue';
import { AllocationRule } from '../events/finishQueue';
import { speedupOf } from '../grid/execution';
import { resetProcessors } from '../grid/processors';
import * as siteSets from '../grid/siteSets';
import * as siteIndex from '../grid/siteIndex';
import { findWidestSites, resetSites, speedOf, maxWidthForHome } from '../grid/sites';
import * as feedback from '../knowledge/estimates';
import { at, clearBytes, put, areBytesEqual, copyBytes } from '../memory/memory';
import { placementKindOf } from '../placement/start';
import * as nodeOutages from '../planning/nodeOutages';
import * as keptPlan from '../planning/keptPlan';
import * as predictions from '../planning/predictions';
import * as passTimes from '../disciplines/passTimes';
import * as agingKeys from '../queue/agingKeys';
import * as limits from '../placement/limits';
import * as usage from '../queue/usage';
import * as waiting from '../queue/waiting';
import { invalidateMetrics } from '../sums/metrics';
import * as choosing from './choosing';
import { setLogLimits } from './layout';
import { conflict, readOptions } from './options';
import { asksAllocators, mayRunOnSeveralSites, firstMissingRoomKind } from './room';
import { SHORTEST_TIME } from './jobs';

/**
 * Longest accepted execution in seconds: far beyond any log, and far below the point where doubles skip whole
 * seconds.
 */
const LONGEST_EXECUTION: f64 = 1e15;

/** Largest accepted time factor; keeps products with times finite. */
const MAX_FACTOR: f64 = 1e100;

/**
 * Smallest ratio of an increment to a time that is certain to change the time: more than the last bit of a
 * double.
 */
const LEAST_RATIO_THAT_CHANGES_TIME: f64 = 1.0 / <f64>(1 << 51);

/**
 * Copies options and site columns written by the host, and resets the simulation to before the
 * first event.
 */
export function begin(simulation: Simulation, jobs: Jobs): Status {
  simulation.stage = Stage.Arranged;
  simulation.refusedJob = -1;
  simulation.refusedSite = -1;
  simulation.refusedOption = -1;
  simulation.refusedRoom = -1;
  // Clears everything that changes during a run: the last scalars of the header, the live columns,
  // and all columns after those of the host.
  const changingStateAddress = changetype<usize>(simulation) + offsetof<Simulation>('planHolds');
  clearBytes(changingStateAddress, columns.hostCapacities - changingStateAddress);
  clearBytes(columns.mutableState, blockAddressOf(simulation) + simulation.bytes - columns.mutableState);
  simulation.arrivingJob = -1;
  simulation.decisionJob = -1;
  simulation.lastReservedJob = -1;
  simulation.decisionAnswer = CustomPolicyAnswer.None;
  simulation.turns = 0;
  copyHostColumns(simulation);
  let status = readOptions(simulation);
  columns.selectColumns(simulation);
  if (simulation.isOpen === 0 && jobs.count < jobs.capacity) status = Status.JobsUnsealed;
  simulation.awaitsJobs = simulation.isOpen;
  simulation.knownJobs = jobs.count;
  if (status === Status.Finished) status = checkOptionCombination(simulation);
  if (status === Status.Finished) status = checkExtraColumns(simulation, jobs);
  if (status === Status.Finished) status = checkProgram(simulation);
  if (status === Status.Finished) status = checkSites(simulation);
  if (status === Status.Finished) status = checkJobs(simulation, jobs);
  if (status === Status.Finished) status = choosing.begin(simulation);
  if (status !== Status.Finished) return status;
  const areSubmitTimesWhole = jobs.hasWholeSubmits !== 0 && simulation.isOpen === 0;
  const areTimesWhole =
    areSubmitTimesWhole && arePassTimesWhole() && capacityChanges.areTimesWhole(simulation);
  simulation.hasWholeTimes = i32(areTimesWhole && simulation.resolution !== Resolution.Exact);
  feedback.reset(simulation);
  finishQueue.reset(simulation);
  usage.reset(simulation);
  limits.reset(simulation);
  if (simulation.hasPredictions !== 0) predictions.reset(simulation);
  if (simulation.keepsReservations !== 0) keptPlan.reset(simulation);
  simulation.refusedJob = waiting.reset(simulation, jobs.widest);
  if (simulation.refusedJob >= 0) return Status.JobKeyInvalid;
  passTimes.reset(simulation);
  invalidateMetrics(columns.metrics);
  noteNewJobs(simulation, jobs, 0, jobs.count);
  simulation.jobsIdentity = jobs.identity;
  simulation.stage = Stage.Begun;
  return Status.Finished;
}

/** Notes the jobs [from, end) that a run gets to know; those of an open run have no start and no site. */
export function noteNewJobs(simulation: Simulation, jobs: Jobs, from: i32, end: i32): void {
  const hasPatiences = simulation.hasCancellations !== 0 && (jobs.extras & Extra.Patience) !== 0;
  simulation.cancelledJobs = hasPatiences ? jobs.cancelled + simulation.removedJobs : simulation.removedJobs;
  for (let job = from; simulation.isOpen !== 0 && job < end; job++) {
    put<f64>(columns.starts, job, NaN);
    put<i32>(columns.sites, job, -1);
    if (simulation.hasCancellations === 2) cancellations.noteCancellationTime(job, hasPatiences);
  }
}

/** True if all options for delays and intervals of passes are whole seconds. */
function arePassTimesWhole(): bool {
  if (!isWholeOptionValue(Option.Interval) || !isWholeOptionValue(Option.BackfillInterval)) return false;
  if (!isWholeOptionValue(Option.SubmitPassDelay) || !isWholeOptionValue(Option.EndPassDelay)) return false;
  if (!isWholeOptionValue(Option.PassGap) || !isWholeOptionValue(Option.ReleaseDelay)) return false;
  return isWholeOptionValue(Option.BackfillOffset);
}

@inline
function isWholeOptionValue(option: Option): bool {
  return floor<f64>(columns.optionOfRun(option)) === columns.optionOfRun(option);
}

/** Checks that the options can be combined, and that the layout has the columns that they need. */
function checkOptionCombination(simulation: Simulation): Status {
  simulation.refusedOption = conflict(simulation);
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  simulation.refusedRoom = firstMissingRoomKind(simulation);
  if (simulation.refusedRoom >= 0) return Status.RoomTooSmall;
  setLogLimits(simulation);
  simulation.placement = placementKindOf(simulation);
  const needsAllocationEnds = simulation.hasPredictions !== 0 || simulation.outages !== 0;
  const storesEveryAllocation =
    simulation.tracksSets !== 0 || simulation.moldable !== 0 || needsAllocationEnds;
  const mayHaveRemoteJobs = simulation.reclaim !== 0;
  simulation.hasExtras = i32(storesEveryAllocation || mayHaveRemoteJobs || mayRunOnSeveralSites(simulation));
  simulation.allocationRule = mayHaveRemoteJobs ? AllocationRule.Remote : AllocationRule.Parts;
  if (storesEveryAllocation) simulation.allocationRule = AllocationRule.All;
  return Status.Finished;
}

/** Checks that the job table has the columns that the options use. */
function checkExtraColumns(simulation: Simulation, jobs: Jobs): Status {
  const hasUserColumn = (jobs.extras & Extra.Users) !== 0;
  const hasDependencies = (jobs.extras & Extra.Dependencies) !== 0;
  if (simulation.recentJobs > 0 && !hasUserColumn) simulation.refusedOption = Option.RecentJobs;
  const lacksDependencies = simulation.hasDependencies !== 0 && !hasDependencies;
  if (lacksDependencies) simulation.refusedOption = Option.Dependencies;
  const hasPatiences = (jobs.extras & Extra.Patience) !== 0 || simulation.hasCancellations === 2;
  if (simulation.hasCancellations !== 0 && !hasPatiences) simulation.refusedOption = Option.Cancellations;
  const hasSiteSets = (jobs.extras & Extra.Sites) !== 0;
  if (simulation.siteSets !== 0 && !hasSiteSets) simulation.refusedOption = Option.SiteSets;
  return simulation.refusedOption < 0 ? Status.Finished : Status.OptionsConflict;
}

/** Checks expressions of orders, and the columns of users and groups. */
function checkProgram(simulation: Simulation): Status {
  simulation.refusedOption = agingKeys.refusedOption(simulation);
  if (simulation.refusedOption < 0) simulation.refusedOption = usage.refusedOption(simulation);
  if (simulation.refusedOption < 0 && !limits.areValid(simulation)) simulation.refusedOption = Option.Limits;
  return simulation.refusedOption < 0 ? Status.Finished : Status.OptionInvalid;
}

/**
 * Sorts begins and ends of outages, and derives capacities; returns false for outages that sites cannot
 * have.
 */
export function areOutagesValid(simulation: Simulation): bool {
  if (!capacityChanges.deriveCapacityChanges(simulation)) return false;
  return simulation.plansByNodes === 0 || nodeOutages.areOutagesDisjoint(simulation);
}

/** Checks the host's columns of sites and of pairs of sites. */
function checkSites(simulation: Simulation): Status {
  simulation.slotCount = simulation.siteCount * (1 + simulation.siteSets);
  if (simulation.siteSets !== 0 && !siteSets.areSiteSetsValid(simulation)) {
    simulation.refusedOption = Option.SiteSets;
    return Status.OptionInvalid;
  }
  const status = resetSites(simulation);
  if (status !== Status.Finished) return status;
  resetProcessors(simulation);
  if (simulation.roomForOutages !== 0 && !areOutagesValid(simulation)) {
    simulation.refusedOption = Option.Outages;
    return Status.OptionInvalid;
  }
  const mayIndexSites = simulation.indexWords > 0 && simulation.siteSets === 0 && asksAllocators(simulation);
  simulation.usesIndex = i32(mayIndexSites && siteIndex.reset(simulation));
  return checkPairs(simulation);
}

/**
 * Checks that every job has a home in the grid, fits on some site, and ends in finite time; and that
 * intervals between passes are long enough.
 */
export function checkJobs(simulation: Simulation, jobs: Jobs): Status {
  if (jobs.lastHome >= simulation.siteCount) return Status.JobHomeInvalid;
  const mayRuntimesBeUnknown = simulation.isOpen !== 0 && simulation.recentJobs === 0;
  if (jobs.hasUnknownEnds !== 0 && !mayRuntimesBeUnknown) return Status.JobRuntimeInvalid;
  if (simulation.siteSets !== 0 && jobs.lastSiteSet > simulation.siteSets) {
    return Status.JobSitesInvalid;
  }
  let lowestSpeed: f64 = Infinity;
  let highestSpeed: f64 = 0;
  let greatestTimeFactor: f64 = 0;
  let leastTimeFactor: f64 = Infinity;
  let greatestLoad: f64 = 0;
  let leastLoad: f64 = Infinity;
  let doJobsFitFromEveryHome = true;
  findWidestSites(simulation);
  for (let site = 0; site < simulation.siteCount; site++) {
    lowestSpeed = min<f64>(lowestSpeed, speedOf(site));
    highestSpeed = max<f64>(highestSpeed, speedOf(site));
    greatestTimeFactor = max<f64>(greatestTimeFactor, at<f64>(columns.timeFactors, site));
    leastTimeFactor = min<f64>(leastTimeFactor, at<f64>(columns.timeFactors, site));
    greatestLoad = max<f64>(greatestLoad, at<f64>(columns.loads, site));
    leastLoad = min<f64>(leastLoad, at<f64>(columns.loads, site));
    doJobsFitFromEveryHome = doJobsFitFromEveryHome && maxAllowedWidth(simulation, 0, site) >= jobs.widest;
  }
  if (simulation.runtimeReference === RuntimeReference.Home) {
    lowestSpeed = leastTimeFactor / greatestTimeFactor;
    highestSpeed = greatestTimeFactor / leastTimeFactor;
  }
  // +infinity if no runtime is positive.
  if ((jobs.shortest * leastLoad) / highestSpeed < SHORTEST_TIME) return Status.JobRuntimeInvalid;
  let overhead = simulation.multiSite !== 0 ? 1 + columns.optionOfRun(Option.MultiSiteOverhead) : 1;
  if (simulation.moldable !== 0) overhead = speedupOf(simulation, jobs.widest);
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0) overhead = columns.optionOfRun(Option.MultiSiteFactor);
  const longestExecution =
    (overhead * jobs.longest * greatestLoad) / lowestSpeed + longestTransfer(simulation, jobs.largest);
  if (!(longestExecution <= LONGEST_EXECUTION)) return Status.JobRuntimeInvalid;
  if (!isIntervalLongEnough(simulation, jobs, longestExecution, Option.Interval, <f64>Limit.Passes))
    return Status.IntervalTooShort;
  const maxPasses = <f64>Limit.BackfillPasses;
  if (!isIntervalLongEnough(simulation, jobs, longestExecution, Option.BackfillInterval, maxPasses))
    return Status.IntervalTooShort;
  if (!isIntervalLongEnough(simulation, jobs, longestExecution, Option.UsageStep, maxPasses))
    return Status.IntervalTooShort;
  return doJobsFitFromEveryHome && simulation.siteSets === 0
    ? Status.Finished
    : checkWidths(simulation, jobs);
}

/**
 * True if an interval, if there is one, changes the clock and causes at most `maxPassCount` passes over the
 * run; the length of an open run is unknown.
 */
function isIntervalLongEnough(
  simulation: Simulation,
  jobs: Jobs,
  longestExecution: f64,
  option: Option,
  maxPassCount: f64,
): bool {
  const interval = columns.optionOfRun(option);
  if (interval === 0) return true;
  simulation.refusedOption = option;
  simulation.span = simulation.isOpen !== 0 ? 0 : expectedTimeSpan(simulation, jobs);
  if (!(simulation.span <= interval * maxPassCount)) return false;
  if (!(interval >= LEAST_RATIO_THAT_CHANGES_TIME * latestPossibleTime(simulation, jobs, longestExecution)))
    return false;
  simulation.refusedOption = -1;
  return true;
}

/**
 * Upper bound, in seconds, of all event times: as if the jobs ran one after another, each for the
 * longest time.
 */
function latestPossibleTime(simulation: Simulation, jobs: Jobs, longestExecution: f64): f64 {
  if (jobs.count === 0) return capacityChanges.timeOfLastChange(simulation);
  let latestEventTime = at<f64>(columns.submits, jobs.count - 1) + <f64>jobs.count * longestExecution;
  for (let job = 0; simulation.hasDependencies !== 0 && job < jobs.count; job++) {
    latestEventTime += at<f64>(columns.thinkTimes, job);
  }
  return latestEventTime + capacityChanges.timeOfLastChange(simulation);
}

/** Longest time in seconds for transferring `bytes` between two sites. */
function longestTransfer(simulation: Simulation, bytes: f64): f64 {
  let longestTransferTime: f64 = 0;
  const sitePairCount = simulation.hasTransfers !== 0 ? simulation.siteCount * simulation.siteCount : 0;
  for (let pair = 0; pair < sitePairCount; pair++) {
    if (pair % (simulation.siteCount + 1) === 0) continue;
    longestTransferTime = max<f64>(
      longestTransferTime,
      bytes / at<f64>(columns.bandwidths, pair) + at<f64>(columns.latencies, pair),
    );
  }
  return longestTransferTime;
}

/** Checks time factors, if they are used, and the host's columns of pairs of different sites. */
export function checkPairs(simulation: Simulation): Status {
  for (let site = 0; site < simulation.siteCount; site++) {
    const runtimeFactor = at<f64>(columns.timeFactors, site);
    const isFactorUsed = simulation.runtimeReference === RuntimeReference.Home;
    simulation.refusedSite = site;
    if (isFactorUsed && !(runtimeFactor > 0 && runtimeFactor <= MAX_FACTOR)) return Status.TimeFactorInvalid;
    for (let otherSite = 0; otherSite < simulation.siteCount && simulation.hasTransfers !== 0; otherSite++) {
      const pair = site * simulation.siteCount + otherSite;
      const latency = at<f64>(columns.latencies, pair);
      const isTransferPossible = at<f64>(columns.bandwidths, pair) > 0 && latency >= 0 && latency < Infinity;
      if (otherSite !== site && !isTransferPossible) return Status.TransferInvalid;
    }
  }
  simulation.refusedSite = -1;
  return Status.Finished;
}

/**
 * Largest width of a job with this home and the set of sites of a row that can ever start: on one site, by
 * reclaiming its home, or split.
 */
function maxAllowedWidth(simulation: Simulation, row: i32, home: i32): i32 {
  if (simulation.moldable !== 0) return i32.MAX_VALUE;
  const homeCapacity = at<i32>(columns.lastingCapacities, home);
  if (simulation.multiSite !== 0) {
    return simulation.topology === Topology.Independent ? homeCapacity : simulation.totalProcessors;
  }
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0) return simulation.totalProcessors;
  const widest = maxWidthForHome(simulation, row, home);
  return simulation.reclaim !== 0 ? max(widest, homeCapacity) : widest;
}

/** Finds a job that is wider than every site it may use: the first such job of the first such home. */
function checkWidths(simulation: Simulation, jobs: Jobs): Status {
  const processors = columns.processors;
  const homes = columns.homes;
  let firstHome = simulation.siteCount;
  for (let job = 0; job < jobs.count; job++) {
    const home = at<i32>(homes, job);
    const row = simulation.siteSets !== 0 ? siteSets.firstSlotOfSet(simulation, job) : 0;
    if (simulation.isOpen !== 0 && isStartUnnecessary(simulation, job)) continue;
    if (home >= firstHome || at<i32>(processors, job) <= maxAllowedWidth(simulation, row, home)) continue;
    firstHome = home;
    simulation.refusedJob = job;
  }
  return simulation.refusedJob < 0 ? Status.Finished : Status.JobTooWide;
}

/** True for a job of a run under way that has ended, or runs and cannot be preempted. */
function isStartUnnecessary(simulation: Simulation, job: i32): bool {
  if (simulation.stage !== Stage.Begun || job >= simulation.knownJobs) return false;
  const start = at<f64>(columns.starts, job);
  if (simulation.outages === 0 || simulation.onOutage !== OnOutage.Requeue) return !isNaN(start);
  return start + at<f64>(columns.executions, job) <= simulation.now;
}

/** Expected duration of a run, computed before it begins. */

/** Runtime of a job in seconds at speed 1: logged runtime * load of its home site. */
@inline
function workOfJob(job: i32): f64 {
  return at<f64>(columns.runtimes, job) * at<f64>(columns.loads, at<i32>(columns.homes, job));
}

/**
 * Expected duration in seconds: at least from the first to the last submission, and at least the total work
 * divided by the total speed plus the longest job.
 */
export function expectedTimeSpan(simulation: Simulation, jobs: Jobs): f64 {
  let totalSpeed: f64 = 0;
  let lowestSpeed: f64 = Infinity;
  for (let site = 0; site < simulation.siteCount; site++) {
    totalSpeed += <f64>at<i32>(columns.capacities, site) * speedOf(site);
    lowestSpeed = min<f64>(lowestSpeed, speedOf(site));
  }
  let totalWork: f64 = 0;
  let longestWork: f64 = 0;
  for (let job = 0; job < jobs.count; job++) {
    const jobWork = workOfJob(job);
    totalWork += jobWork * <f64>at<i32>(columns.processors, job);
    longestWork = max<f64>(longestWork, jobWork);
  }
  const submissionSpan = latestSubmitTime(simulation, jobs) - at<f64>(columns.loggedSubmits, 0);
  return max<f64>(submissionSpan, totalWork / totalSpeed) + longestWork / lowestSpeed;
}

/**
 * Earliest possible time in seconds of the last submission. Stores the earliest possible submission of each
 * job in the column of submissions.
 */
function latestSubmitTime(simulation: Simulation, jobs: Jobs): f64 {
  if (simulation.hasDependencies === 0) return at<f64>(columns.loggedSubmits, jobs.count - 1);
  let highestSpeed: f64 = 0;
  for (let site = 0; site < simulation.siteCount; site++)
    highestSpeed = max<f64>(highestSpeed, speedOf(site));
  let latestSubmit: f64 = 0;
  for (let job = 0; job < jobs.count; job++) {
    const precedingJob = at<i32>(columns.precedingJobs, job);
    let earliestSubmit = at<f64>(columns.loggedSubmits, job);
    if (precedingJob >= 0) {
      const end = at<f64>(columns.submits, precedingJob) + workOfJob(precedingJob) / highestSpeed;
      earliestSubmit = max<f64>(earliestSubmit, end + at<f64>(columns.thinkTimes, job));
    }
    put<f64>(columns.submits, job, earliestSubmit);
    latestSubmit = max<f64>(latestSubmit, earliestSubmit);
  }
  return latestSubmit;
}

/**
 * Copies that `begin` makes of the host's options and columns. If the host changes the originals,
 * the run refuses to continue until `begin` is called again or the old values are restored.
 */

/** Copies all options and columns written by the host. */
export function copyHostColumns(simulation: Simulation): void {
  // Defines the padding of the columns, because simulations are compared word by word.
  if ((simulation.siteCount & 1) !== 0) put<i32>(columns.hostCapacities, simulation.siteCount, 0);
  const siteSetEntryCount = simulation.roomForSiteSets * simulation.siteCount;
  if ((siteSetEntryCount & 1) !== 0) put<i32>(columns.hostSetSites, siteSetEntryCount, 0);
  copyBytes(columns.capacities, columns.hostCapacities, columns.mutableState - columns.hostCapacities);
  copyBytes(columns.copiedOptions, columns.options, Option.COUNT * sizeof<f64>());
  noteChangedOption(simulation);
}

/** Records the first option whose value differs from its copy. */
export function noteChangedOption(simulation: Simulation): void {
  simulation.differingOption = -1;
  for (let option: i32 = 0; option < Option.COUNT; option++) {
    if (at<u64>(columns.options, option) !== at<u64>(columns.copiedOptions, option)) {
      simulation.differingOption = option;
      return;
    }
  }
}

/** Checks that options and columns, except columns by job, are unchanged since `begin`. */
export function checkHostColumns(simulation: Simulation): Status {
  return compareHostColumnsWithCopies(simulation, columns.copiedKeys);
}

/** Checks that options and all columns are unchanged since `begin`. */
export function checkAllHostColumns(simulation: Simulation): Status {
  return compareHostColumnsWithCopies(simulation, columns.copiedOptions);
}

/**
 * Checks that the options, and the columns of the host up to `endAddress`, equal the copies that `begin`
 * made of them.
 */
@inline
function compareHostColumnsWithCopies(simulation: Simulation, endAddress: usize): Status {
  if (simulation.differingOption >= 0) {
    simulation.refusedOption = simulation.differingOption;
    return Status.SettingsDiffer;
  }
  simulation.refusedOption = -1;
  const words = <i32>((endAddress - columns.capacities) >> 3);
  const areCapacitiesSame = areBytesEqual(columns.capacities, columns.hostCapacities, words);
  return areCapacitiesSame ? Status.Finished : Status.SettingsDiffer;
}
