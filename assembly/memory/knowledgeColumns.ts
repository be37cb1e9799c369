/** The columns of what a run itself finds out about jobs; columns.ts says how. */
import { Column } from '../abi/abiColumns';
import { column, shown } from './columnWalk';
import { estimateBy, loggedSubmits, requests, submitBy } from './jobColumns';
import { Simulation } from './state';

/** What the run itself finds, in the place of what the job table says. */
let ownEstimates: usize = 0;
let ownSubmits: usize = 0;
/** The host's keys of `Given` orders: of all jobs before the run, or of each from its submit on. */
export let keys: usize = 0;
export let backfillKeys: usize = 0;
let takenKeys: usize = 0;
let takenBackfillKeys: usize = 0;
let submitKeys: usize = 0;
let submitBackfillKeys: usize = 0;
export let lastOfUsers: usize = 0;
export let earlierOfUsers: usize = 0;
/** Pieces of a job that have not ended, by its first; and the heap of the jobs that may be submitted. */
export let piecesLeft: usize = 0;
export let released: usize = 0;
export let lateKeys: usize = 0;
export let placedJobs: usize = 0;

/** Estimates, submits, and the keys of ranks that jobs get when they are submitted. */
export function placeKnowledge(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  if (simulation.roomForEstimates !== 0) {
    ownEstimates = shown<f64>(Column.Estimate, jobs);
    lastOfUsers = column<i32>(jobs);
    earlierOfUsers = column<i32>(jobs);
  }
  if (simulation.roomForDependencies !== 0) {
    ownSubmits = shown<f64>(Column.Submit, jobs);
    piecesLeft = column<i32>(jobs);
    released = column<i32>(jobs);
  }
  if (simulation.roomForKeysAtSubmit !== 0) {
    submitKeys = column<f64>(jobs);
    submitBackfillKeys = column<f64>(jobs);
  }
  if (simulation.roomForLateRanks === 0) return;
  lateKeys = column<f64>(jobs);
  placedJobs = column<i32>(simulation.siteCount);
}

/** Keys of all jobs as `begin` takes them. */
export function placeTakenKeys(simulation: Simulation): void {
  if (simulation.roomForKeys !== 0) takenKeys = column<f64>(simulation.jobCount);
  if (simulation.roomForBackfillKeys !== 0) takenBackfillKeys = column<f64>(simulation.jobCount);
}

/** Jobs are estimated, submitted and ordered as the options say, whatever else there is room for. */
@inline
export function heedKnowledge(simulation: Simulation): void {
  estimateBy(simulation.recentJobs > 0 ? ownEstimates : requests);
  submitBy(simulation.hasDependencies !== 0 ? ownSubmits : loggedSubmits);
  keys = simulation.asksKeys !== 0 ? submitKeys : takenKeys;
  backfillKeys = simulation.asksKeys !== 0 ? submitBackfillKeys : takenBackfillKeys;
}
