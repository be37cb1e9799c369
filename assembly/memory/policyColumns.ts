/** Columns of policies that share a simulation; see columns.ts. */
import { Column } from '../abi/abiColumns';
import { column, namedColumn } from './columnWalk';
import { Simulation } from './state';
import { ENTRIES_PER_SUM as SUM_ENTRIES } from '../sums/exactSum';

/** Largest number of members (policies that may decide differently) of a shared simulation: bits of a set. */
export const MAX_MEMBERS: i32 = 64;
/**
 * Number of entries of a policy as written by the host (number and parameters), of a tally, and of a table
 * row of sets.
 */
export const ENTRIES_PER_POLICY: i32 = 5;
export const ENTRIES_PER_TALLY: i64 = 3;
export const ENTRIES_PER_MEMBER_ROW: i64 = 5;

export let policies: usize = 0;
export let memberOfPolicy: usize = 0;
export let memberRules: usize = 0;
export let memberThresholds: usize = 0;
export let thresholds: usize = 0;
export let memberRows: usize = 0;
export let memberAccounts: usize = 0;
export let historyOrder: usize = 0;
export let signatures: usize = 0;
export let histories: usize = 0;

/** Places the policies and, for candidates, their rules and given choices. */
export function placePolicyColumns(simulation: Simulation): void {
  const memberRowCount = simulation.roomForPolicies;
  if (memberRowCount > 0) policies = namedColumn<f64>(Column.Policies, ENTRIES_PER_POLICY * memberRowCount);
  if (simulation.roomForTrials > 0)
    candidateRules = namedColumn<f64>(Column.CandidateRules, ENTRIES_PER_RULE * memberRowCount);
  const choices = simulation.roomForChoices;
  if (choices > 0) hostChoices = namedColumn<i32>(Column.GivenChoice, choices);
}

/**
 * Places preferences, accounts and histories of the members; each history has `liveBytes` bytes of live
 * scalars and columns and at most `maxRunningJobCount` running jobs.
 */
@inline
export function placeMemberColumns(simulation: Simulation, liveBytes: usize, maxRunningJobCount: i64): void {
  const memberRowCount = simulation.roomForPolicies;
  if (memberRowCount === 0) return;
  const memberCount = min(memberRowCount, MAX_MEMBERS);
  const words = <i64>(liveBytes >> 3);
  memberOfPolicy = column<i32>(memberRowCount);
  memberRules = column<i32>(memberCount);
  memberThresholds = column<f64>(memberCount);
  thresholds = column<f64>(memberCount);
  memberRows = column<u64>(ENTRIES_PER_MEMBER_ROW * (memberCount + 2));
  memberAccounts = column<u64>(memberCount * words);
  historyOrder = column<i32>(memberCount);
  signatures = column<u64>(memberCount);
  histories = column<u64>(memberCount * (words + 2 * maxRunningJobCount));
}

// Columns of a policy that changes among candidates; see columns.ts.

export let scores: usize = 0;
export let prospects: usize = 0;
export let timesChosen: usize = 0;
export let choiceLog: usize = 0;
/**
 * Columns written by the host for the dynamic policy: fixed sequence of candidates, and their
 * scheduling rules.
 */
export let hostChoices: usize = 0;
export let candidateRules: usize = 0;
/** Begin of each width class in `endedJobsOfClass`, number of finished jobs per class, and the jobs. */
export let classFirst: usize = 0;
export let classCounts: usize = 0;
export let endedJobsOfClass: usize = 0;
export let endedJobs: usize = 0;
/**
 * Results of trial runs (start, execution, site), kept apart from those of the run, and the runtimes that
 * trials assume.
 */
export let trialStarts: usize = 0;
export let trialExecutions: usize = 0;
export let trialSites: usize = 0;
export let believedWork: usize = 0;
export let unitLoads: usize = 0;
export let queuedJobs: usize = 0;
export let runningKeys: usize = 0;
export let prospectSums: usize = 0;
/** Records of states of `stateBytes` bytes each: of the run, of the begin of trials, and of branches. */
export let stateBytes: usize = 0;
export let stateBeforeTrials: usize = 0;
export let trialState: usize = 0;
export let branches: usize = 0;

/** Number of width classes, floor(log2 processors). */
export const WIDTH_CLASS_COUNT: i32 = 32;

/** Places the columns of trials: the scores of policies and, if stored, finished jobs by width class. */
export function placeChoiceColumns(simulation: Simulation): void {
  if (simulation.roomForTrials === 0) return;
  scores = namedColumn<f64>(Column.Score, simulation.roomForPolicies);
  if (simulation.roomForEndedJobs === 0) return;
  classCounts = column<i32>(WIDTH_CLASS_COUNT);
  endedJobsOfClass = column<i32>(simulation.jobCount);
  endedJobs = column<i32>(simulation.jobCount);
}

/** Places the reported counts of choices. */
export function placeChoiceAccounts(simulation: Simulation): void {
  if (simulation.roomForTrials === 0) return;
  prospects = namedColumn<f64>(Column.Prospect, simulation.roomForPolicies);
  timesChosen = namedColumn<f64>(Column.TimesChosen, simulation.roomForPolicies);
}

/** Number of entries of a candidate's rules as written by the host. */
export const ENTRIES_PER_RULE: i32 = 3;

/** Places the log of chosen candidates. */
export function placeChoiceLog(simulation: Simulation): void {
  if (simulation.roomForTrials > 0) choiceLog = namedColumn<i32>(Column.Choice, simulation.roomForTrials);
}

/**
 * Places temporary memory of trials; a state has `bytes` bytes and at most `maxRunningJobCount` running jobs.
 */
export function placeTrialColumns(simulation: Simulation, bytes: usize, maxRunningJobCount: i64): void {
  if (simulation.roomForTrials === 0) return;
  stateBytes = bytes;
  const jobs = simulation.jobCount;
  trialStarts = column<f64>(jobs);
  trialExecutions = column<f64>(jobs);
  trialSites = column<i32>(jobs);
  believedWork = column<f64>(jobs);
  unitLoads = column<f64>(simulation.siteCount);
  queuedJobs = column<i32>(jobs);
  runningKeys = column<u64>(maxRunningJobCount);

  prospectSums = column<u64>(SUM_ENTRIES * simulation.roomForPolicies);
  stateBeforeTrials = column<u64>(<i64>(stateBytes >> 3));
  trialState = column<u64>(<i64>(stateBytes >> 3));
  branches = column<u64>(<i64>(stateBytes >> 3) * min(simulation.roomForPolicies, MAX_MEMBERS));
  if (simulation.roomForEndedJobs !== 0) classFirst = column<i32>(WIDTH_CLASS_COUNT);
}
