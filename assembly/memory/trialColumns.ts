/** The columns of a policy that is chosen among candidates as a run goes on; columns.ts says how. */
import { Column } from '../abi/abiColumns';
import { column, shown } from './columnWalk';
import { ENTRIES as SUM_ENTRIES } from '../sums/exactSum';
import { MOST_MEMBERS } from './memberColumns';
import { Simulation } from './state';

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
/** States to go back to, each of so many bytes: that of the run, that in which trials begin, and branches. */
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

/** What is told of the choices. */
export function placeChoiceAccounts(simulation: Simulation): void {
  if (simulation.roomForTrials === 0) return;
  prospects = shown<f64>(Column.Prospect, simulation.roomForPolicies);
  timesChosen = shown<f64>(Column.TimesChosen, simulation.roomForPolicies);
}

/** Entries of the rules of a candidate, as the host writes them. */
export const RULE_ENTRIES: i32 = 3;

/** What the host writes. */
export function placeGivenChoices(simulation: Simulation): void {
  if (simulation.roomForTrials > 0) {
    shown<f64>(Column.CandidateRules, RULE_ENTRIES * simulation.roomForPolicies);
  }
  if (simulation.roomForChoices > 0) shown<i32>(Column.GivenChoice, simulation.roomForChoices);
}

/** The same as `begin` takes it. */
export function placeChoices(simulation: Simulation): void {
  if (simulation.roomForTrials > 0) candidateRules = column<f64>(RULE_ENTRIES * simulation.roomForPolicies);
  if (simulation.roomForChoices > 0) givenChoices = column<i32>(simulation.roomForChoices);
}

/** What has been chosen. */
export function placeChoiceLog(simulation: Simulation): void {
  if (simulation.roomForTrials > 0) choiceLog = shown<i32>(Column.Choice, simulation.roomForTrials);
}

/** What is only used in trials; a state takes so many bytes, and so many jobs run at most. */
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
