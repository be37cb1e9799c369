/**
 * The columns of a simulation, beside those of a job table (jobColumns.ts): one table of each, gone through
 * in the order in which the columns stand in memory. That lays a block out, tells the host where a column is,
 * and makes the columns of a block the ones at hand, so a column is written in two places: its address and
 * its line in the table.
 *
 * Where a column stands follows from the numbers in the header of its block; nothing stored in a block is an
 * address. The addresses here are formed anew at every entry from the host, so that a column costs one load
 * where it is used, and nothing here outlives a call.
 */
import { Option } from '../abi/abi';
import { Column, Decision, Room } from '../abi/abiColumns';
import * as walk from './columnWalk';
import { column, shown } from './columnWalk';
import { ENTRIES as SUM_ENTRIES } from '../sums/exactSum';
import { placeKnowledge, placeTakenKeys } from './knowledgeColumns';
import { TALLY_ENTRIES, placeGivenPolicies, placeMembers, placePolicies } from './memberColumns';
import { placeKept, placePromises } from './keptColumns';
import { placePlan } from './planColumns';
import { placeResults } from './resultColumns';
import { placeSequence } from './sequenceColumns';
import { placeSiteIndex } from './siteIndexColumns';
import { SEAL_ROOM } from './blockHead';
import { Jobs, Simulation, blockOf, liveOf } from './state';
import { TOTAL_ENTRIES, sumQueued } from '../sums/sums';
import { placeLogs } from './logColumns';
import * as trials from './trialColumns';

export * from './jobColumns';
export * from './keptColumns';
export * from './knowledgeColumns';
export * from './logColumns';
export * from './memberColumns';
export * from './planColumns';
export * from './resultColumns';
export * from './sequenceColumns';
export * from './siteIndexColumns';
export * from './trialColumns';

export let candidates: usize = 0;
export let capacities: usize = 0;
export let firstProcessors: usize = 0;
export let firstWords: usize = 0;
export let freeBits: usize = 0;
export let homeJobs: usize = 0;
export let loads: usize = 0;
export let siteJobs: usize = 0;
export let slotOfSite: usize = 0;
export let speeds: usize = 0;
export let hypotheticalSlots: usize = 0;
export let tallies: usize = 0;
export let accounts: usize = 0;
export let totals: usize = 0;
export let exactSum: usize = 0;
export let finishes: usize = 0;
export let allocations: usize = 0;
export let runs: usize = 0;
export let slots: usize = 0;
export let decision: usize = 0;
/** The slots among which allocators choose: all, but where some sites are not safe a copy without these. */
export let choices: usize = 0;
export let options: usize = 0;
export let room: usize = 0;
export let givenCapacities: usize = 0;
export let givenSpeeds: usize = 0;
export let givenTimeFactors: usize = 0;
export let takenOptions: usize = 0;
/** Of what is taken: where that begins of which simulations may differ, and what there is of every job. */
export let takenPolicies: usize = 0;
export let takenKeys: usize = 0;
export let rankOf: usize = 0;
export let jobAt: usize = 0;
export let counters: usize = 0;
export let waiting0: usize = 0;
export let waiting1: usize = 0;
export let waiting2: usize = 0;
export let waiting3: usize = 0;
export let narrowest0: usize = 0;
export let narrowest1: usize = 0;
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
 * Passes and ends change the live part up to the first of these, and from the second on; between them stands
 * what is known of jobs, and accounts.
 */
export let passEnd: usize = 0;
export let boundsBegin: usize = 0;

/** Where the part of a simulation begins that is not the host's, which `begin` clears. */
export let mutable: usize = 0;

/**
 * Makes the columns of a simulation the ones at hand; returns its size in bytes. What the block was not laid
 * out for has no columns. They stand in groups:
 *
 * - live: with the end of the head all that the future depends on, in one piece. Copied to another simulation
 *   it is a fork.
 * - given: the host's.
 * - fixed: taken (`placeTaken`) or derived by `begin`; the same in all simulations of the same jobs, sites
 *   and options.
 * - results: what has happened.
 * - caches: made anew when they are missing, among them what is only used within one event.
 * - logs, which are results and can grow.
 */
export function attachSimulation(simulation: Simulation): u64 {
  const block = blockOf(simulation);
  options = block + SEAL_ROOM;
  room = options + Option.COUNT * sizeof<f64>();
  walk.begin(changetype<usize>(simulation) + offsetof<Simulation>());
  placeLive(simulation);
  const stateBytes = <usize>walk.end - boundsBegin + (passEnd - liveOf(simulation));
  placeGiven(simulation);
  mutable = <usize>walk.end;
  placeFixed(simulation);
  placeCaches(simulation);
  placeResults(simulation);
  trials.placeChoiceLog(simulation);
  trials.placeTrials(simulation, stateBytes, mostRunning(simulation));
  placeMembers(simulation, accounts - liveOf(simulation), mostRunning(simulation));
  placeLogs(simulation);
  return walk.end - block;
}

/** Live columns: what decisions depend on, what follows from it, accounts, and last the running jobs. */
function placeLive(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const ofSites = simulation.siteCount;
  const words = jobs >> 6;
  slots = shown<u64>(Column.Slot, ofSites);
  choices = slots;
  // Each site's processors start on a word of their own, so at most one word a site is partly used.
  if (simulation.roomForRuns > 0) freeBits = column<u64>(<i64>(simulation.totalProcessors >> 6) + ofSites);
  if (simulation.roomForRanks !== 0) {
    // Each summary level has a word more, so that a search may look one beyond its end.
    waiting0 = column<u64>(words + 2);
    waiting1 = column<u64>((words >> 6) + 2);
    waiting2 = column<u64>((words >> 12) + 2);
    waiting3 = column<u64>((words >> 18) + 2);
    queues = column<u64>(simulation.queueWords);
  }
  if (simulation.roomForGuests !== 0) remoteProcessors = column<i32>(ofSites);
  passEnd = <usize>walk.end;
  placeKnowledge(simulation);
  trials.placeChoice(simulation);
  if (simulation.roomForLateRanks !== 0) placeRanks(jobs);
  placeKept(simulation);

  // Of equal states all above is equal; what is below follows from that, or no decision depends on it.
  siteJobs = shown<f64>(Column.SiteJobs, ofSites);
  homeJobs = shown<f64>(Column.HomeJobs, ofSites);
  if (simulation.roomForPolicies > 0) tallies = column<f64>(sumsOf(simulation) * TALLY_ENTRIES);
  accounts = column<u64>(sumsOf(simulation) * SUM_ENTRIES);
  // Behind the counts, which are cleared when they are first needed.
  decision = shown<f64>(Column.Decision, Decision.COUNT);
  trials.placeChoiceAccounts(simulation);
  placePromises(simulation);
  boundsBegin = <usize>walk.end;
  if (simulation.roomForRanks !== 0) {
    narrowest0 = column<i32>(words + 2);
    narrowest1 = column<i32>((words >> 6) + 2);
  }
  if (simulation.roomForPlan > 0) {
    shadowTimes = column<f64>(ofSites);
    shadowSites = column<i32>(ofSites);
    extraProcessors = column<i32>(ofSites);
  }
  if (simulation.roomForPredictions !== 0) {
    predictions = column<u64>(simulation.predictionWords);
    predictedEnds = column<u64>(simulation.predictedEndWords);
  }
  if (simulation.roomForGuests !== 0) {
    lastRemoteJob = column<i32>(ofSites);
    lostTimes = shown<f64>(Column.LostTime, jobs);
  }
  // Each running job, each part of one, and each run of its processors holds a processor at least. Entry 0 of
  // each column is the sentinel of the sorted array, or the stock of the pool.
  if (simulation.roomForRuns > 0) runs = column<u64>(simulation.runWords);
  allocations = column<u64>(simulation.allocationWords);
  finishes = column<u64>(2 * (mostRunning(simulation) + 1));
}

/** How many jobs can run at once at most. */
@inline
export function mostRunning(simulation: Simulation): i64 {
  return min(simulation.jobCount, simulation.totalProcessors);
}

/** The ranks of the jobs and the jobs of the ranks. */
function placeRanks(jobs: i32): void {
  rankOf = column<i32>(jobs);
  jobAt = column<i32>(jobs);
}

/** The sums that the metrics need (totals.ts). */
@inline
function sumsOf(simulation: Simulation): i64 {
  return sumQueued(simulation) + (simulation.roomForGuests !== 0 ? 2 : 0);
}

/** Allocators choose among these slots from now on. */
@inline
export function chooseAmong(among: usize): void {
  choices = among;
}

/** The loads of homes are these from now on. */
export function loadBy(own: usize): void {
  loads = own;
}

/** What the host writes. */
function placeGiven(simulation: Simulation): void {
  const ofSites = simulation.siteCount;
  const ofPairs = <i64>ofSites * ofSites;
  givenCapacities = shown<i32>(Column.Capacity, ofSites);
  givenSpeeds = shown<f64>(Column.Speed, ofSites);
  shown<f64>(Column.Load, ofSites);
  givenTimeFactors = shown<f64>(Column.TimeFactor, ofSites);
  if (simulation.roomForTransfers !== 0) {
    shown<f64>(Column.Bandwidth, ofPairs);
    shown<f64>(Column.Latency, ofPairs);
  }
  placeGivenPolicies(simulation);
  trials.placeGivenChoices(simulation);
  if (simulation.roomForKeys !== 0) shown<f64>(Column.Key, simulation.jobCount);
  if (simulation.roomForBackfillKeys !== 0) shown<f64>(Column.BackfillKey, simulation.jobCount);
}

/** The same columns in the same order, as `begin` takes them: what is written later is another run's. */
function placeTaken(simulation: Simulation): void {
  const ofSites = simulation.siteCount;
  const ofPairs = <i64>ofSites * ofSites;
  capacities = column<i32>(ofSites);
  speeds = column<f64>(ofSites);
  loads = column<f64>(ofSites);
  timeFactors = column<f64>(ofSites);
  if (simulation.roomForTransfers !== 0) {
    bandwidths = column<f64>(ofPairs);
    latencies = column<f64>(ofPairs);
  }
  takenPolicies = <usize>walk.end;
  placePolicies(simulation);
  trials.placeChoices(simulation);
  takenKeys = <usize>walk.end;
  placeTakenKeys(simulation);
}

/** What `begin` takes of it, and what follows from that, from the jobs and from the options. */
function placeFixed(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const ofSites = simulation.siteCount;
  placeTaken(simulation);
  takenOptions = column<f64>(Option.COUNT);
  slotOfSite = shown<i32>(Column.SlotOfSite, ofSites);
  candidates = column<i32>(ofSites);
  if (simulation.roomForRuns > 0) {
    firstWords = column<i32>(<i64>ofSites + 1);
    firstProcessors = column<i32>(ofSites);
  }
  if (simulation.roomForRanks === 0) return;
  if (simulation.roomForLateRanks === 0) placeRanks(jobs);
  firstRanks = column<i32>(<i64>ofSites + 1);
}

/** What is carried from pass to pass without being needed, and what is used within one event. */
function placeCaches(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const ofSites = simulation.siteCount;
  hypotheticalSlots = column<u64>(ofSites);
  if (simulation.indexWords > 0) placeSiteIndex(ofSites, simulation.indexWords);
  totals = column<f64>(TOTAL_ENTRIES * sumsOf(simulation));
  exactSum = column<u64>(SUM_ENTRIES);
  if (simulation.roomForRanks !== 0) counters = column<i32>(simulation.counters);
  if (simulation.roomForSequences !== 0) placeSequence(jobs);
  if (simulation.roomForPlan > 0) placePlan(simulation);
  if (simulation.roomForPlan > 0 || simulation.roomForParts > 0) {
    chosenSites = column<i32>(ofSites);
    chosenShares = column<i32>(ofSites);
  }
}
