/** Columns of a job table, and columns that a run itself computes about jobs; see columns.ts. */
import { Limit } from '../abi/abi';
import { Column, Extra, JobColumn } from '../abi/abiColumns';
import * as walk from './columnWalk';
import { column, namedColumn } from './columnWalk';
import { at } from './memory';
import { Jobs, Simulation } from './state';

/** Submission times: those of the job table, or the simulation's own. */
export let submits: usize = 0;
export let loggedSubmits: usize = 0;
export let runtimes: usize = 0;
let knownRuntimes: usize = 0;
export let processors: usize = 0;
export let homes: usize = 0;
export let processorSums: usize = 0;
/** Estimates: the requests of the job table, or the simulation's own estimates. */
export let estimates: usize = 0;
export let requests: usize = 0;
export let users: usize = 0;
export let dataSizes: usize = 0;
export let precedingJobs: usize = 0;
export let thinkTimes: usize = 0;
export let firstPieces: usize = 0;
export let patiences: usize = 0;
export let siteSets: usize = 0;
/** Row of each job after the last removal of rows, -1 for a removed one (engine/compaction.ts). */
export let rows: usize = 0;
/** Jobs that depend on the end of a job, as a linked list by job + 1; 0 ends the list. */
export let firstDependents: usize = 0;
export let nextDependents: usize = 0;
export let narrowestOf64: usize = 0;
export let narrowestOf4096: usize = 0;

/** True if a job is cancelled at some time. */
@inline
export function isCancelled(simulation: Simulation, job: i32): bool {
  if (simulation.hasCancellations === 0) return false;
  return simulation.hasCancellations === 2
    ? at<f64>(cancellationTimes, job) < Infinity
    : at<f64>(patiences, job) >= 0;
}

/** Makes the columns of a job table current. */
@inline
export function attachJobs(jobs: Jobs): void {
  placeJobColumns(changetype<usize>(jobs), jobs.capacity, jobs.extras);
}

/** Replaces the runtimes by assumed ones, in trials. */
export function replaceRuntimes(assumedRuntimesAddress: usize): void {
  knownRuntimes = runtimes;
  runtimes = assumedRuntimesAddress;
}

/** Restores the true runtimes after trials. */
export function restoreRuntimes(): void {
  runtimes = knownRuntimes;
}

/** Places the columns of a job table with `rowCount` jobs and a sum of `Extra`; returns its size in bytes. */
export function placeJobColumns(tableAddress: usize, rowCount: i32, extraColumnFlags: i32): u64 {
  walk.begin(tableAddress + offsetof<Jobs>());
  // One more entry: +infinity after the last submission, and the total of all processors.
  loggedSubmits = namedColumn<f64>(JobColumn.Submit, <i64>rowCount + 1);
  submits = loggedSubmits;
  runtimes = namedColumn<f64>(JobColumn.Runtime, rowCount);
  processorSums = namedColumn<f64>(JobColumn.Demand, <i64>rowCount + 1);
  processors = namedColumn<i32>(JobColumn.Processors, rowCount);
  homes = namedColumn<i32>(JobColumn.Home, rowCount);
  requests = namedColumn<f64>(JobColumn.Estimate, rowCount);
  estimates = requests;
  dataSizes = (extraColumnFlags & Extra.Data) !== 0 ? namedColumn<f64>(JobColumn.Data, rowCount) : 0;
  users = (extraColumnFlags & Extra.Users) !== 0 ? namedColumn<i32>(JobColumn.User, rowCount) : 0;
  if ((extraColumnFlags & Extra.Dependencies) !== 0) {
    precedingJobs = namedColumn<i32>(JobColumn.Preceding, rowCount);
    thinkTimes = namedColumn<f64>(JobColumn.ThinkTime, rowCount);
    firstPieces = namedColumn<i32>(JobColumn.FirstPiece, rowCount);
    firstDependents = column<i32>(rowCount);
    nextDependents = column<i32>(rowCount);
  }
  if ((extraColumnFlags & Extra.Patience) !== 0) patiences = namedColumn<f64>(JobColumn.Patience, rowCount);
  if ((extraColumnFlags & Extra.Sites) !== 0) siteSets = namedColumn<i32>(JobColumn.Sites, rowCount);
  if ((extraColumnFlags & Extra.Rows) !== 0) rows = namedColumn<i32>(JobColumn.Row, rowCount);
  narrowestOf64 = column<i32>((rowCount >> 6) + 1);
  narrowestOf4096 = column<i32>((rowCount >> 12) + 1);
  return walk.nextAddress - tableAddress;
}

// Columns of data by job that a run computes, or gets from the host during the run.

/** Estimates and submissions computed by the run, which replace those of the job table. */
let estimatesOfRun: usize = 0;
let submitsOfRun: usize = 0;
/** Keys of `Given` orders from the host: of all jobs before the run, or of each job at its submission. */
export let keys: usize = 0;
export let backfillKeys: usize = 0;
let keysAtBegin: usize = 0;
let backfillKeysAtBegin: usize = 0;
let submitKeys: usize = 0;
let submitBackfillKeys: usize = 0;
export let lastOfUsers: usize = 0;
export let earlierOfUsers: usize = 0;
/** Last waiting job of each user, and each waiting job's neighbours of the same user. */
export let waitingOfUsers: usize = 0;
export let nextOfUser: usize = 0;
export let previousOfUser: usize = 0;
/** Number of unfinished pieces of a job, stored at its first piece; and the heap of released jobs. */
export let piecesLeft: usize = 0;
export let releasedHeap: usize = 0;
/** Heap of waiting jobs that will be cancelled, and the place of each job in it. */
export let cancellationHeap: usize = 0;
export let cancellationHeapPlaces: usize = 0;
/** Time in seconds at which a job is cancelled, +infinity if it is not; if the host cancels jobs. */
export let cancellationTimes: usize = 0;
export let lateKeys: usize = 0;
/** Keys of expressions, computed in each pass (queue/agingKeys.ts). */
let agingKeys: usize = 0;
let agingBackfillKeys: usize = 0;
/** Expressions, their input columns, the stacks of a block of jobs and the jobs. */
export let program: usize = 0;
export let programInputs: usize = 0;
export let expressionStacks: usize = 0;
export let keyedJobs: usize = 0;
/** Account of each job's user and group, and the accounts (queue/usage.ts). */
export let userOf: usize = 0;
export let groupOf: usize = 0;
export let userAccounts: usize = 0;
export let groupAccounts: usize = 0;
export let userSums: usize = 0;
export let groupSums: usize = 0;
/** Bits of the jobs that run, and of those that have started and do not wait (queue/usageByNumber.ts). */
export let runningBits: usize = 0;
export let startedBits: usize = 0;
/** Jobs that outages ended in this instant, and their use in the current step, in processor-seconds. */
export let lateUseJobs: usize = 0;
export let lateUses: usize = 0;
export let placedJobs: usize = 0;
/** Accounts with limits, links between their waiting jobs, running pieces of jobs (placement/limits.ts). */
export let limitedAccounts: usize = 0;
export let nextOfAccount: usize = 0;
export let previousOfAccount: usize = 0;
export let nextHeld: usize = 0;
export let runningPieces: usize = 0;
/** Accounts of each job, its first piece, and the limits, from the host. */
export let limitedUsers: usize = 0;
export let limitedGroups: usize = 0;
export let pieceOf: usize = 0;
export let accountLimits: usize = 0;

/** Places the lists of each user's waiting jobs. */
export function placeWaitingOfUsers(jobs: i32): void {
  waitingOfUsers = column<i32>(jobs);
  nextOfUser = column<i32>(jobs);
  previousOfUser = column<i32>(jobs);
}

/** Places estimates, submissions, and keys of ranks given at submission. */
export function placeKnowledgeColumns(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  if (simulation.roomForEstimates !== 0) {
    estimatesOfRun = namedColumn<f64>(Column.Estimate, jobs);
    lastOfUsers = column<i32>(jobs);
    earlierOfUsers = column<i32>(jobs);
  }
  if (simulation.roomForDependencies !== 0) {
    submitsOfRun = namedColumn<f64>(Column.Submit, jobs);
    piecesLeft = column<i32>(jobs);
    releasedHeap = column<i32>(jobs);
  }
  if (simulation.roomForCancellations !== 0) {
    cancellationHeap = column<i32>(<i64>jobs + 1);
    cancellationHeapPlaces = column<i32>(jobs);
  }
  if (simulation.roomForCancellations > 1) cancellationTimes = column<f64>(jobs);
  if (simulation.roomForKeysAtSubmit !== 0) {
    submitKeys = column<f64>(jobs);
    submitBackfillKeys = column<f64>(jobs);
  }
  if (simulation.roomForProgram !== 0) {
    agingKeys = column<f64>(jobs);
    agingBackfillKeys = column<f64>(jobs);
  }
  placeAccountColumns(simulation);
  if (simulation.roomForLimits !== 0) placeLimitColumns(simulation);
  if (simulation.roomForLateRanks === 0) return;
  lateKeys = column<f64>(jobs);
  placedJobs = column<i32>(simulation.siteCount);
}

/** Size of an account, and of an exact sum, in words of 8 bytes. */
const ACCOUNT_WORDS: i64 = 8;
const SUM_WORDS: i64 = 35;
const LIMIT_WORDS: i64 = 4;

/** Places the accounts of users and groups. */
function placeAccountColumns(simulation: Simulation): void {
  const userCount = <i64>simulation.roomForUsers;
  const groupCount = <i64>simulation.roomForGroups;
  if (userCount + groupCount === 0) return;
  // The last account and sum are those of all users, or of all groups.
  userAccounts = column<u64>(ACCOUNT_WORDS * (userCount + 1));
  groupAccounts = column<u64>(ACCOUNT_WORDS * (groupCount + 1));
  userSums = column<u64>(SUM_WORDS * (userCount + 1));
  groupSums = column<u64>(SUM_WORDS * (groupCount + 1));
  const words = <i64>(simulation.jobCount >> 6) + 1;
  runningBits = column<u64>(words);
  startedBits = column<u64>(words);
  const lateUseCapacity = simulation.roomForOutages > 0 ? <i64>simulation.jobCount : 0;
  lateUseJobs = column<i32>(lateUseCapacity);
  lateUses = column<f64>(lateUseCapacity);
}

/** Places accounts with limits, and the lists of their waiting jobs. */
function placeLimitColumns(simulation: Simulation): void {
  const jobs = <i64>simulation.jobCount;
  limitedAccounts = column<u64>(LIMIT_WORDS * simulation.roomForLimits);
  nextOfAccount = column<i32>(2 * jobs);
  previousOfAccount = column<i32>(2 * jobs);
  nextHeld = column<i32>(jobs);
  runningPieces = column<i32>(jobs);
}

/** Places temporary memory of expressions. */
export function placeExpressionStacks(): void {
  expressionStacks = column<f64>(KEYS_PER_BLOCK * Limit.StackDepth);
  keyedJobs = column<i32>(KEYS_PER_BLOCK);
}

/** Number of jobs for which an expression is evaluated at once. */
export const KEYS_PER_BLOCK: i32 = 64;

/** Places the keys of all jobs. */
export function placeKeyColumns(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  if (simulation.roomForKeys !== 0) keysAtBegin = namedColumn<f64>(Column.Key, jobs);
  if (simulation.roomForBackfillKeys !== 0) backfillKeysAtBegin = namedColumn<f64>(Column.BackfillKey, jobs);
  const programInputCount = <i64>simulation.roomForProgramInputs;
  if (simulation.roomForProgram !== 0)
    program = namedColumn<f64>(Column.Program, 2 * simulation.roomForProgram);
  if (programInputCount !== 0)
    programInputs = namedColumn<f64>(Column.ProgramInput, programInputCount * jobs);
  if (simulation.roomForUsers !== 0) userOf = namedColumn<i32>(Column.UserAccount, jobs);
  if (simulation.roomForGroups !== 0) groupOf = namedColumn<i32>(Column.GroupAccount, jobs);
  if (simulation.roomForLimits === 0) return;
  limitedUsers = namedColumn<i32>(Column.LimitedUser, jobs);
  limitedGroups = namedColumn<i32>(Column.LimitedGroup, jobs);
  pieceOf = namedColumn<i32>(Column.PieceOf, jobs);
  accountLimits = namedColumn<i32>(Column.AccountLimit, 2 * simulation.roomForLimits);
}

/** True if the run has a column of estimates of its own: made during the run, or changed by the host. */
@inline
export function hasOwnEstimates(simulation: Simulation): bool {
  if (simulation.recentJobs > 0) return true;
  return simulation.isOpen !== 0 && simulation.roomForEstimates !== 0;
}

/** Selects the columns of estimates, submissions and keys that the options require. */
@inline
export function selectColumns(simulation: Simulation): void {
  estimates = hasOwnEstimates(simulation) ? estimatesOfRun : requests;
  submits = simulation.hasDependencies !== 0 ? submitsOfRun : loggedSubmits;
  keys = simulation.asksKeys !== 0 ? submitKeys : keysAtBegin;
  backfillKeys = simulation.asksKeys !== 0 ? submitBackfillKeys : backfillKeysAtBegin;
  if ((simulation.programOrders & 1) !== 0) keys = agingKeys;
  if ((simulation.programOrders & 2) !== 0) backfillKeys = agingBackfillKeys;
}
