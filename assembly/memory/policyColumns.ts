/** The columns of policies that share a simulation; columns.ts says how. */
import { Column } from '../abi/abiColumns';
import { column, shown } from './columnWalk';
import { Simulation } from './state';
import { ENTRIES as SUM_ENTRIES } from '../sums/exactSum';

/** Most policies that may decide differently and share a simulation: bits of a set. */
export const MOST_MEMBERS: i32 = 64;
/** Entries of a policy as the host writes it (number and parameters), of a tally, and of a row of sets. */
export const POLICY_ENTRIES: i32 = 5;
export const TALLY_ENTRIES: i64 = 3;
export const MEMBER_ROW_ENTRIES: i64 = 5;

export let policies: usize = 0;
export let memberOf: usize = 0;
export let memberRules: usize = 0;
export let memberThresholds: usize = 0;
export let thresholds: usize = 0;
export let memberRows: usize = 0;
export let memberAccounts: usize = 0;
export let historyOrder: usize = 0;
export let signatures: usize = 0;
export let histories: usize = 0;

/** The policies, and where one is chosen as a run goes on the rules of each and what is given. */
export function placePolicies(simulation: Simulation): void {
  const rows = simulation.roomForPolicies;
  if (rows > 0) policies = shown<f64>(Column.Policies, POLICY_ENTRIES * rows);
  if (simulation.roomForTrials > 0) candidateRules = shown<f64>(Column.CandidateRules, RULE_ENTRIES * rows);
  const choices = simulation.roomForChoices;
  if (choices > 0) givenChoices = shown<i32>(Column.GivenChoice, choices);
}

/**
 * What they prefer, their accounts, and their histories, each of this many bytes of live scalars and columns
 * and this many running jobs at most.
 */
@inline
export function placeMembers(simulation: Simulation, liveBytes: usize, mostRunning: i64): void {
  const rows = simulation.roomForPolicies;
  if (rows === 0) return;
  const members = min(rows, MOST_MEMBERS);
  const words = <i64>(liveBytes >> 3);
  memberOf = column<i32>(rows);
  memberRules = column<i32>(members);
  memberThresholds = column<f64>(members);
  thresholds = column<f64>(members);
  memberRows = column<u64>(MEMBER_ROW_ENTRIES * (members + 2));
  memberAccounts = column<u64>(members * words);
  historyOrder = column<i32>(members);
  signatures = column<u64>(members);
  histories = column<u64>(members * (words + 2 * mostRunning));
}

// The columns of a policy that is chosen among candidates as a run goes on; columns.ts says how.

export let scores: usize = 0;
export let prospects: usize = 0;
export let timesChosen: usize = 0;
export let choiceLog: usize = 0;
/** What the host has given: which candidates come in force, and their rules. */
export let givenChoices: usize = 0;
export let candidateRules: usize = 0;
/** Where the jobs of each width class begin in `endedOfClass`, how many have ended, and these. */
export let classFirst: usize = 0;
export let classCounts: usize = 0;
export let endedOfClass: usize = 0;
export let endedJobs: usize = 0;
/** What trials write in place of results, and what they believe. */
export let trialStarts: usize = 0;
export let trialExecutions: usize = 0;
export let trialSites: usize = 0;
export let believedWork: usize = 0;
export let unitLoads: usize = 0;
export let queuedJobs: usize = 0;
export let runningKeys: usize = 0;
export let prospectSums: usize = 0;
/** States to go back to, each of this many bytes: that of the run, that where trials begin, and branches. */
export let stateBytes: usize = 0;
export let keptState: usize = 0;
export let trialState: usize = 0;
export let branches: usize = 0;

/** Width classes: floor(log2 processors). */
export const CLASSES: i32 = 32;

/** What the future depends on: scores, and the jobs that have ended. */
export function placeChoice(simulation: Simulation): void {
  if (simulation.roomForTrials === 0) return;
  scores = shown<f64>(Column.Score, simulation.roomForPolicies);
  if (simulation.roomForEndedJobs === 0) return;
  classCounts = column<i32>(CLASSES);
  endedOfClass = column<i32>(simulation.jobCount);
  endedJobs = column<i32>(simulation.jobCount);
}

/** What is reported of the choices. */
export function placeChoiceAccounts(simulation: Simulation): void {
  if (simulation.roomForTrials === 0) return;
  prospects = shown<f64>(Column.Prospect, simulation.roomForPolicies);
  timesChosen = shown<f64>(Column.TimesChosen, simulation.roomForPolicies);
}

/** Entries of the rules of a candidate, as the host writes them. */
export const RULE_ENTRIES: i32 = 3;

/** What has been chosen. */
export function placeChoiceLog(simulation: Simulation): void {
  if (simulation.roomForTrials > 0) choiceLog = shown<i32>(Column.Choice, simulation.roomForTrials);
}

/** What is only used in trials; a state takes this many bytes, and this many jobs run at most. */
export function placeTrials(simulation: Simulation, bytes: usize, mostRunning: i64): void {
  if (simulation.roomForTrials === 0) return;
  stateBytes = bytes;
  const jobs = simulation.jobCount;
  trialStarts = column<f64>(jobs);
  trialExecutions = column<f64>(jobs);
  trialSites = column<i32>(jobs);
  believedWork = column<f64>(jobs);
  unitLoads = column<f64>(simulation.siteCount);
  queuedJobs = column<i32>(jobs);
  runningKeys = column<u64>(mostRunning);

  prospectSums = column<u64>(SUM_ENTRIES * simulation.roomForPolicies);
  keptState = column<u64>(<i64>(stateBytes >> 3));
  trialState = column<u64>(<i64>(stateBytes >> 3));
  branches = column<u64>(<i64>(stateBytes >> 3) * min(simulation.roomForPolicies, MOST_MEMBERS));
  if (simulation.roomForEndedJobs !== 0) classFirst = column<i32>(CLASSES);
}
