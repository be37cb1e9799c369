/**
 * Columns of a simulation; those of a job table are in jobColumns.ts. One table lists the columns in memory
 * order. A walk through the table lays out a block, finds a column for the host, and makes the columns of a
 * block current. So a column is declared in two places: its address variable and its line in the table.
 *
 * Positions of columns follow from numbers in the block's header; no address is stored in a block. The
 * address variables are recomputed at every call from the host, so using a column costs one load, and no
 * address survives a call.
 */
import { Option } from '../abi/abi';
import { Column, Decision, Room, Metric } from '../abi/abiColumns';
import * as walk from './columnWalk';
import { column, namedColumn } from './columnWalk';
import { ENTRIES_PER_SUM as SUM_ENTRIES } from '../sums/exactSum';
import {
  placeCapacityChanges,
  placeHostOutages,
  placeUnavailableProcessors,
  placeOutageResults,
  placeCapacitySteps,
} from './outageColumns';
import {
  ENTRIES_PER_TALLY,
  placeChoiceColumns,
  placeChoiceAccounts,
  placeChoiceLog,
  placeMemberColumns,
  placePolicyColumns,
  placeTrialColumns,
} from './policyColumns';
import { blockAddressOf, Jobs, liveStateAddressOf, SEAL_BYTES, Simulation } from './state';
import { ENTRIES_PER_TOTAL, mayQueueTimeDifferFromWaits, mayPreemptJobs, queuedSumIndex } from '../sums/sums';
import {
  selectColumns,
  placeKeyColumns,
  placeKnowledgeColumns,
  placeExpressionStacks,
  placeWaitingOfUsers,
} from './jobColumns';
import { at, put } from './memory';

export * from './jobColumns';
export * from './outageColumns';
export * from './policyColumns';

export let candidates: usize = 0;
export let capacities: usize = 0;
export let firstProcessors: usize = 0;
export let firstWords: usize = 0;
export let freeBits: usize = 0;
export let homeJobs: usize = 0;
export let loads: usize = 0;
export let siteJobs: usize = 0;
export let slotOfSite: usize = 0;
/** Flags of the sites in each set: those in effect, and those written by the host. */
export let setSites: usize = 0;
export let hostSetSites: usize = 0;
/** Number of sites in each set. */
export let siteCountsOfSets: usize = 0;
export let speeds: usize = 0;
export let hypotheticalSlots: usize = 0;
export let accountTallies: usize = 0;
export let accounts: usize = 0;
export let totals: usize = 0;
export let exactSum: usize = 0;
export let finishes: usize = 0;
export let allocations: usize = 0;
export let processorRuns: usize = 0;
export let slots: usize = 0;
export let decision: usize = 0;
/** Slots among which allocators choose: all sites, or a copy without the unsafe ones. */
export let selectableSlots: usize = 0;
export let options: usize = 0;
export let room: usize = 0;
export let hostCapacities: usize = 0;
export let hostSpeeds: usize = 0;
export let hostTimeFactors: usize = 0;
export let copiedOptions: usize = 0;
/**
 * First of the copied options in which simulations with a common history may differ, and first of
 * the columns by job.
 */
export let copiedPolicies: usize = 0;
export let copiedKeys: usize = 0;
export let rankOf: usize = 0;
export let jobAt: usize = 0;
export let rankCounters: usize = 0;
export let waitingRanks0: usize = 0;
export let waitingRanks1: usize = 0;
export let waitingRanks2: usize = 0;
export let waitingRanks3: usize = 0;
export let minWidths64: usize = 0;
export let minWidths4096: usize = 0;
/**
 * Distance in bytes from the columns of the current ranks to those of the other order (queue or backfilling).
 */
let ranksApart: usize = 0;
let waitingApart: usize = 0;
let boundsApart: usize = 0;
/** True if the current ranks are those of the backfilling order. */
export let areBackfillRanksCurrent: bool = false;
export let firstRanks: usize = 0;
export let queues: usize = 0;
export let lastRemoteJob: usize = 0;
export let remoteProcessors: usize = 0;
export let lostTimes: usize = 0;
export let predictions: usize = 0;
export let predictedEnds: usize = 0;
export let chosenSites: usize = 0;
export let chosenShares: usize = 0;
export let shadowTimes: usize = 0;
export let shadowSites: usize = 0;
export let extraProcessors: usize = 0;
export let timeFactors: usize = 0;
export let bandwidths: usize = 0;
export let latencies: usize = 0;

/**
 * Two addresses in the live state. Data before `passStateEnd` and from `keyBoundsBegin` on change in passes
 * and at ends of jobs; data on finished jobs and accounts lie between the two.
 */
export let passStateEnd: usize = 0;
export let keyBoundsBegin: usize = 0;

/** First address of the part that the core writes; `begin` clears everything from there on. */
export let mutableState: usize = 0;

/**
 * Makes the columns of a simulation current; returns its size in bytes. Columns that the room excludes are
 * empty. The groups are:
 *
 * - live: together with the end of the header, everything that the future depends on, contiguous. A fork
 * copies it to another simulation.
 * - given: written by the host.
 * - fixed: copied from the given columns or derived by `begin`; equal in all simulations of the same jobs,
 * sites and options.
 * - results: the schedule and the metrics.
 * - caches: rebuilt when missing, and temporary memory within one event.
 * - logs: results that can grow.
 */
export function attachSimulation(simulation: Simulation): u64 {
  const blockAddress = blockAddressOf(simulation);
  options = blockAddress + SEAL_BYTES;
  room = options + Option.COUNT * sizeof<f64>();
  walk.begin(changetype<usize>(simulation) + offsetof<Simulation>());
  areBackfillRanksCurrent = false;
  placeLiveColumns(simulation);
  const stateBytes =
    <usize>walk.nextAddress - keyBoundsBegin + (passStateEnd - liveStateAddressOf(simulation));
  placeHostColumns(simulation);
  hostCapacities = capacities;
  hostSpeeds = speeds;
  hostTimeFactors = timeFactors;
  hostSetSites = setSites;
  mutableState = <usize>walk.nextAddress;
  placeFixedColumns(simulation);
  placeCacheColumns(simulation);
  placeResultColumns(simulation);
  placeChoiceLog(simulation);
  placeTrialColumns(simulation, stateBytes, mostRunning(simulation));
  placeMemberColumns(simulation, accounts - liveStateAddressOf(simulation), mostRunning(simulation));
  placeLogColumns(simulation);
  return walk.nextAddress - blockAddress;
}

/** Live columns: state for decisions, values derived from it, accounts, and last the running jobs. */
function placeLiveColumns(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const siteCount = simulation.siteCount;
  const words = jobs >> 6;
  slots = namedColumn<u64>(Column.Slot, slotsOf(simulation));
  selectableSlots = slots;
  // Each site's processors start in a new word, so at most one word per site is partly used.
  if (simulation.roomForRuns > 0) freeBits = column<u64>(<i64>(simulation.totalProcessors >> 6) + siteCount);
  placeUnavailableProcessors(simulation);
  if (simulation.roomForRanks !== 0) {
    placeWaitingRanks(words);
    queues = column<u64>(simulation.queueWords);
  }
  if (simulation.roomForGuests !== 0) remoteProcessors = column<i32>(siteCount);
  if (simulation.roomForEstimates !== 0) placeWaitingOfUsers(jobs);
  passStateEnd = <usize>walk.nextAddress;
  placeKnowledgeColumns(simulation);
  placeChoiceColumns(simulation);
  if (simulation.roomForLateRanks !== 0) placeRanks(jobs);
  placeKept(simulation);

  // Columns above determine decisions and are equal in equal states; columns below follow from them
  // or affect no decision.
  siteJobs = namedColumn<f64>(Column.SiteJobs, siteCount);
  homeJobs = column<f64>(siteCount);
  if (simulation.roomForPolicies > 0)
    accountTallies = column<f64>(sumCountOf(simulation) * ENTRIES_PER_TALLY);
  accounts = column<u64>(sumCountOf(simulation) * SUM_ENTRIES);
  // After the counts, which are cleared on first use.
  decision = namedColumn<f64>(Column.Decision, Decision.COUNT);
  placeChoiceAccounts(simulation);
  placeCapacitySteps(simulation);
  if (simulation.roomForKept !== 0) promisedStarts = namedColumn<f64>(Column.PromisedStart, jobs);
  keyBoundsBegin = <usize>walk.nextAddress;
  if (simulation.roomForRanks !== 0) placeWidthBounds(words);
  if (simulation.roomForBackfillRanks !== 0) {
    const waiting = waitingRanks0;
    const keyBoundsAddress = minWidths64;
    placeWaitingRanks(words);
    placeWidthBounds(words);
    waitingApart = waiting - waitingRanks0;
    boundsApart = keyBoundsAddress - minWidths64;
  }
  if (simulation.roomForPlan > 0) {
    shadowTimes = column<f64>(siteCount);
    shadowSites = column<i32>(siteCount);
    extraProcessors = column<i32>(siteCount);
  }
  if (simulation.roomForPredictions !== 0) {
    predictions = column<u64>(simulation.predictionWords);
    predictedEnds = column<u64>(simulation.predictedEndWords);
  }
  if (simulation.roomForGuests !== 0) lastRemoteJob = column<i32>(siteCount);
  if (mayPreemptJobs(simulation)) lostTimes = namedColumn<f64>(Column.LostTime, jobs);
  // Each running job, part and processor range holds at least one processor. Entry 0 of each column is the
  // sentinel of the sorted array, or the pool's list of unused entries.
  if (simulation.roomForRuns > 0) processorRuns = column<u64>(simulation.runWords);
  allocations = column<u64>(simulation.allocationWords);
  finishes = column<u64>(2 * (mostRunning(simulation) + 1));
}

/** Number of slots: of all sites, and as many for each set. */
@inline
function slotsOf(simulation: Simulation): i64 {
  return <i64>simulation.siteCount * (1 + <i64>simulation.roomForSiteSets);
}

/** Ranks of waiting jobs. Each level has a word more, because a search may read beyond its end. */
function placeWaitingRanks(words: i32): void {
  waitingRanks0 = column<u64>(words + 2);
  waitingRanks1 = column<u64>((words >> 6) + 2);
  waitingRanks2 = column<u64>((words >> 12) + 2);
  waitingRanks3 = column<u64>((words >> 18) + 2);
}

/** Width bounds of waiting jobs. */
function placeWidthBounds(words: i32): void {
  minWidths64 = column<i32>(words + 2);
  minWidths4096 = column<i32>((words >> 6) + 2);
}

/** Largest possible number of running jobs. */
@inline
export function mostRunning(simulation: Simulation): i64 {
  return min(simulation.jobCount, simulation.totalProcessors);
}

/** Rank of each job, and job of each rank. */
function placeRanks(jobs: i32): void {
  rankOf = column<i32>(jobs);
  jobAt = column<i32>(jobs);
}

/** Number of sums that the metrics need (sums/jobSums.ts). */
@inline
function sumCountOf(simulation: Simulation): i64 {
  return queuedSumIndex(simulation) + (mayQueueTimeDifferFromWaits(simulation) ? 2 : 0);
}

/** Makes allocators choose among the given slots: all sites, or those that are safe. */
@inline
export function setSelectableSlots(chosenSlotsAddress: usize): void {
  selectableSlots = chosenSlotsAddress;
}

/** Replaces the loads of homes. */
export function replaceLoads(loadColumn: usize): void {
  loads = loadColumn;
}

/**
 * Columns written by the host, followed in the same order by the copies made by `begin`; later writes do not
 * affect the run.
 */
function placeHostColumns(simulation: Simulation): void {
  const siteCount = simulation.siteCount;
  const sitePairCount = <i64>siteCount * siteCount;
  capacities = namedColumn<i32>(Column.Capacity, siteCount);
  speeds = namedColumn<f64>(Column.Speed, siteCount);
  loads = namedColumn<f64>(Column.Load, siteCount);
  timeFactors = namedColumn<f64>(Column.TimeFactor, siteCount);
  if (simulation.roomForTransfers !== 0) {
    bandwidths = namedColumn<f64>(Column.Bandwidth, sitePairCount);
    latencies = namedColumn<f64>(Column.Latency, sitePairCount);
  }
  placeHostOutages(simulation);
  if (simulation.roomForSiteSets !== 0) {
    const pairs = <i64>simulation.roomForSiteSets * siteCount;
    setSites = namedColumn<i32>(Column.SetSite, pairs);
  }
  copiedPolicies = <usize>walk.nextAddress;
  placePolicyColumns(simulation);
  copiedKeys = <usize>walk.nextAddress;
  placeKeyColumns(simulation);
}

/** Copies made by `begin`, and columns derived from them, the jobs and the options. */
function placeFixedColumns(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const siteCount = simulation.siteCount;
  placeHostColumns(simulation);
  copiedOptions = column<f64>(Option.COUNT);
  slotOfSite = namedColumn<i32>(Column.SlotOfSite, slotsOf(simulation));
  candidates = column<i32>(slotsOf(simulation));
  siteCountsOfSets = column<i32>(simulation.roomForSiteSets);
  placeCapacityChanges(simulation, capacities);
  if (simulation.roomForRuns > 0) {
    firstWords = column<i32>(<i64>siteCount + 1);
    firstProcessors = column<i32>(siteCount);
  }
  if (simulation.roomForRanks === 0) return;
  if (simulation.roomForLateRanks === 0) placeRanks(jobs);
  firstRanks = column<i32>(<i64>siteCount + 1);
  if (simulation.roomForBackfillRanks === 0) return;
  const ranks = rankOf;
  placeRanks(jobs);
  ranksApart = ranks - rankOf;
  areBackfillRanksCurrent = true;
  switchRanks();
}

/** Switches the current ranks between the orders of queue and backfilling. */
export function switchRanks(): void {
  rankOf += ranksApart;
  jobAt += ranksApart;
  waitingRanks0 += waitingApart;
  waitingRanks1 += waitingApart;
  waitingRanks2 += waitingApart;
  waitingRanks3 += waitingApart;
  minWidths64 += boundsApart;
  minWidths4096 += boundsApart;
  ranksApart = -ranksApart;
  waitingApart = -waitingApart;
  boundsApart = -boundsApart;
  areBackfillRanksCurrent = !areBackfillRanksCurrent;
}

/** Rank of a job in the order of its queue, whichever ranks are current. */
@inline
export function rankOfJobInQueue(job: i32): i32 {
  return at<i32>(areBackfillRanksCurrent ? rankOf + ranksApart : rankOf, job);
}

/** Caches that pass from pass to pass, and temporary memory within one event. */
function placeCacheColumns(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const siteCount = simulation.siteCount;
  hypotheticalSlots = column<u64>(slotsOf(simulation));
  if (simulation.indexWords > 0) placeSiteIndexColumns(siteCount, simulation.indexWords);
  totals = column<f64>(ENTRIES_PER_TOTAL * sumCountOf(simulation));
  exactSum = column<u64>(SUM_ENTRIES);
  if (simulation.roomForRanks !== 0) rankCounters = column<i32>(simulation.rankCounterCount);
  if (simulation.roomForSequences !== 0) {
    sequence = column<i32>(jobs);
    mergeBuffer = column<i32>(jobs);
    sequenceKeys = column<f64>(jobs);
  }
  if (simulation.roomForProgram !== 0) placeExpressionStacks();
  const blockCount = (<i64>jobs >> 6) + (<i64>jobs >> 12) + 2;
  if (simulation.roomForBackfillRanks > 1) keyBounds = column<u64>(2 * KEY_BOUND_WORDS * blockCount);
  if (simulation.roomForPlan > 0) placePlanColumns(simulation);
  if (simulation.roomForNodePlan > 0) placeNodePlanColumns(simulation);
  if (simulation.roomForPlan > 0 || simulation.roomForParts > 0) {
    chosenSites = column<i32>(siteCount);
    chosenShares = column<i32>(siteCount);
  }
}

// Live columns of reservations that hold until their jobs start (planning/keptPlan.ts).

export let keptStarts: usize = 0;
export let keptSites: usize = 0;
export let keptQueues: usize = 0;
export let promisedStarts: usize = 0;

/** Reservations of waiting jobs, on which decisions depend, and data of each queue. */
export function placeKept(simulation: Simulation): void {
  if (simulation.roomForKept === 0) return;
  keptStarts = namedColumn<f64>(Column.ReservedStart, simulation.jobCount);
  keptSites = namedColumn<i32>(Column.ReservedSite, simulation.jobCount);
  keptQueues = column<u64>((<i64>simulation.siteCount) << 1);
}

// Planning columns that are caches of a simulation (planning/, disciplines/).

export let planSites: usize = 0;
export let planBlocks: usize = 0;
export let planSteps: usize = 0;
export let runBounds: usize = 0;
export let freedPeriods: usize = 0;
export let plannedStarts: usize = 0;
export let plannedSites: usize = 0;
export let nextStarts: usize = 0;
export let nextStartPlaces: usize = 0;
export let safeSlots: usize = 0;
export let setMembers: usize = 0;
export let candidateSites: usize = 0;
export let candidateShares: usize = 0;
export let untriedWidths: usize = 0;
export let untriedEpochs: usize = 0;

/** Places the columns of a simulation that plans ahead. */
export function placePlanColumns(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const siteCount = simulation.siteCount;
  planSites = column<u64>(<i64>siteCount + 1);
  planBlocks = column<u64>(simulation.planBlockWords);
  planSteps = column<u64>(simulation.planStepWords);
  runBounds = column<f64>(simulation.boundEntries);
  freedPeriods = column<f64>(4 * <i64>siteCount);
  plannedStarts = column<f64>(jobs);
  plannedSites = column<i32>(jobs);
  nextStarts = column<i32>(<i64>jobs + 1);
  nextStartPlaces = column<i32>(jobs);
  safeSlots = column<u64>(slotsOf(simulation));
  untriedWidths = column<i32>((jobs >> 6) + 1);
  untriedEpochs = column<i32>((jobs >> 6) + 1);
  setMembers = column<i32>(siteCount);
  candidateSites = column<i32>(siteCount);
  candidateShares = column<i32>(siteCount);
}

// Columns of a pass that plans by nodes (planning/nodePlan.ts): segments of time, and running jobs by end.

export let segments: usize = 0;
export let segmentNodes: usize = 0;
export let runningEnds: usize = 0;
export let runningCounts: usize = 0;
export let runningNodes: usize = 0;
export let chosenNodes: usize = 0;
export let usableNodes: usize = 0;
export let placedNodes: usize = 0;
export let otherNodes: usize = 0;
export let permittedNodes: usize = 0;

/** Places the columns of a plan by nodes, in which each set of nodes is one bit per node. */
function placeNodePlanColumns(simulation: Simulation): void {
  const words = <i64>((simulation.totalProcessors + 63) >> 6);
  const runningEntries = mostRunning(simulation) + 1;
  segments = column<u64>(3 * <i64>simulation.roomForNodePlan);
  segmentNodes = column<u64>(words * simulation.roomForNodePlan);
  // At most one running job per processor, in the order of sites.
  runningEnds = column<u64>(2 * <i64>simulation.totalProcessors);
  runningCounts = column<i32>(simulation.siteCount);
  runningNodes = column<u64>(words * runningEntries);
  chosenNodes = column<u64>(words);
  placedNodes = namedColumn<i32>(Column.PlacedNodes, simulation.totalProcessors);
  usableNodes = column<u64>(words);
  otherNodes = column<u64>(words);
  if (simulation.roomForOutages > 0) permittedNodes = column<u64>(words);
}

/** Temporary memory for sorting a queue (queue/sequence.ts). */
export let sequence: usize = 0;
export let mergeBuffer: usize = 0;
export let sequenceKeys: usize = 0;

/** Bounds of keys by blocks of ranks (queue/keyBounds.ts), and the size of one bound in words of 8 bytes. */
export const KEY_BOUND_WORDS: i64 = 6;
export let keyBounds: usize = 0;

export let freeOfSite: usize = 0;
export let freeLevels0: usize = 0;
export let freeLevels1: usize = 0;
export let freeLevels2: usize = 0;
export let freeLevels3: usize = 0;
export let slotTree: usize = 0;
export let siteTree: usize = 0;
export let firstSlotTree: usize = 0;

/** Places the index of `sites` sites (grid/siteIndex.ts), whose levels have `words` words. */
export function placeSiteIndexColumns(sites: i32, words: i64): void {
  freeOfSite = column<i32>(sites);
  freeLevels0 = column<u64>(words + 2);
  freeLevels1 = column<u64>((words >> 6) + 2);
  freeLevels2 = column<u64>((words >> 12) + 2);
  freeLevels3 = column<u64>((words >> 18) + 2);
  // At most nearly twice as many leaves as sites, and as many inner nodes.
  slotTree = column<u64>(4 * <i64>sites);
  siteTree = column<i32>(4 * <i64>sites);
  firstSlotTree = column<i32>(4 * <i64>sites);
}

export let metrics: usize = 0;
export let siteBusy: usize = 0;
export let homeResponses: usize = 0;
export let measuredHomeJobs: usize = 0;
export let starts: usize = 0;
export let executions: usize = 0;
export let sites: usize = 0;
export let logIndices: usize = 0;
export let countedJobs: usize = 0;
export let allocatedProcessorColumn: usize = 0;
export let partIndices: usize = 0;

/** Places results by job, and the metrics. */
export function placeResultColumns(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const siteCount = simulation.siteCount;
  metrics = namedColumn<f64>(Column.Metric, Metric.COUNT);
  siteBusy = namedColumn<f64>(Column.SiteBusy, siteCount);
  homeResponses = namedColumn<f64>(Column.HomeResponse, siteCount);
  measuredHomeJobs = namedColumn<f64>(Column.HomeJobs, siteCount);
  placeOutageResults(simulation, mostRunning(simulation));
  starts = namedColumn<f64>(Column.Start, jobs);
  executions = namedColumn<f64>(Column.Execution, jobs);
  sites = namedColumn<i32>(Column.Site, jobs);
  if (simulation.roomForRuns > 0) logIndices = namedColumn<i32>(Column.LogIndex, jobs);
  if (simulation.roomForRanks !== 0) countedJobs = namedColumn<i32>(Column.Counted, jobs);
  if (simulation.roomForMolds !== 0) allocatedProcessorColumn = namedColumn<i32>(Column.Held, jobs);
  if (simulation.roomForParts > 0) partIndices = namedColumn<i32>(Column.PartIndex, jobs);
}

/** Makes jobs that start in trials write their starts, executions and sites to a separate place. */
export function redirectStartColumns(startsColumn: usize, executionsColumn: usize, sitesColumn: usize): void {
  starts = startsColumn;
  executions = executionsColumn;
  sites = sitesColumn;
}

export let log: usize = 0;
export let parts: usize = 0;
export let stopJobs: usize = 0;
export let stopSites: usize = 0;
export let stopStarts: usize = 0;
export let stopEnds: usize = 0;
export let stopLogIndices: usize = 0;

/** Places the logs, which are last so that they can grow. */
export function placeLogColumns(simulation: Simulation): void {
  if (simulation.roomForParts > 0) parts = namedColumn<u64>(Column.Parts, simulation.roomForParts);
  if (simulation.roomForRuns > 0) log = namedColumn<u64>(Column.Log, simulation.roomForRuns);
  if (simulation.roomForStops === 0) return;
  const stops = simulation.roomForStops;
  stopStarts = namedColumn<f64>(Column.StopStart, stops);
  stopEnds = namedColumn<f64>(Column.StopEnd, stops);
  stopJobs = namedColumn<i32>(Column.StopJob, stops);
  stopSites = namedColumn<i32>(Column.StopSite, stops);
  if (simulation.roomForRuns > 0) stopLogIndices = namedColumn<i32>(Column.StopLogIndex, stops);
}

/** Value of an option as copied by `begin`; the run uses only these copies. */
@inline
export function optionOfRun(option: Option): f64 {
  return at<f64>(copiedOptions, option);
}

/** Makes `optionOfRun` return the options as the host wrote them, until addresses are computed again. */
export function useHostColumns(): void {
  copiedOptions = options;
}

/**
 * Layout hash and job table for which the current addresses were computed; valid while `walk.attachedAddress`
 * is their simulation.
 */
let attachedLayoutHash: u64 = 0;
let attachedJobs: usize = 0;
let attachedJobsHash: u64 = 0;

/** Makes the columns of a job table and a simulation current. */
export function attachSimulationAndJobs(simulation: Simulation, jobs: Jobs): void {
  attachColumns(simulation, jobs);
  if (areBackfillRanksCurrent) switchRanks();
  selectColumns(simulation);
}

/** Computes the addresses, unless they are current already. */
function attachColumns(simulation: Simulation, jobs: Jobs): void {
  const address = changetype<usize>(simulation);
  const isSameBlockAndLayout = walk.attachedAddress === address && attachedLayoutHash === simulation.layout;
  if (isSameBlockAndLayout && attachedJobs === changetype<usize>(jobs) && attachedJobsHash === jobs.identity)
    return;
  attachJobs(jobs);
  attachSimulation(simulation);
  walk.markAttached(address);
  attachedLayoutHash = simulation.layout;
  attachedJobs = changetype<usize>(jobs);
  attachedJobsHash = jobs.identity;
}

/** Hash of all numbers that determine the positions of a simulation's columns. */
export function layoutHashOf(simulation: Simulation): u64 {
  const firstAddress = changetype<usize>(simulation) + offsetof<Simulation>('jobCount');
  const words = <i32>((offsetof<Simulation>('tracksSets') - offsetof<Simulation>('jobCount')) >> 3);
  let hash: u64 = 0;
  for (let word = 0; word < words; word++) hash = hash * HASH_MULTIPLIER + at<u64>(firstAddress, word);
  return hash;
}

/** Odd multiplier with evenly spread bits (Steele, Lea, Flood 2014). */
const HASH_MULTIPLIER: u64 = 0x9e3779b97f4a7c15;
