/** The columns of a job table; columns.ts says how. */
import { Extra, JobColumn } from '../abi/abiColumns';
import * as walk from './columnWalk';
import { column, shown } from './columnWalk';
import { Jobs } from './state';

/** When jobs are submitted: as the table says, unless a simulation has submits of its own. */
export let submits: usize = 0;
export let loggedSubmits: usize = 0;
export let runtimes: usize = 0;
let known: usize = 0;
export let processors: usize = 0;
export let homes: usize = 0;
export let processorSums: usize = 0;
/** What jobs are estimated by: what they request, unless a simulation has estimates of its own. */
export let estimates: usize = 0;
export let requests: usize = 0;
export let users: usize = 0;
export let data: usize = 0;
export let precedingJobs: usize = 0;
export let thinkTimes: usize = 0;
export let firstPieces: usize = 0;
/** The jobs that wait for the end of one, as a list by job + 1; 0 ends it. */
export let firstDependents: usize = 0;
export let nextDependents: usize = 0;
export let narrowestOf64: usize = 0;
export let narrowestOf4096: usize = 0;

/** Makes the columns of a job table the ones at hand. */
@inline
export function attachJobs(jobs: Jobs): void {
  placeJobs(changetype<usize>(jobs), jobs.count, jobs.extras);
}

/** What jobs take is from now on what is believed of it. */
export function believe(own: usize): void {
  known = runtimes;
  runtimes = own;
}

/** And now again what is known. */
export function know(): void {
  runtimes = known;
}

/** A simulation has estimates of its own. */
@inline
export function estimateBy(own: usize): void {
  estimates = own;
}

/** A simulation has submits of its own. */
@inline
export function submitBy(own: usize): void {
  submits = own;
}

/** The columns of a table of so many jobs and a sum of extras; returns its size in bytes. */
export function placeJobs(table: usize, count: i32, extras: i32): u64 {
  walk.begin(table + offsetof<Jobs>());
  // One entry more: +infinity behind the last submit, and the processors of all jobs.
  loggedSubmits = shown<f64>(JobColumn.Submit, <i64>count + 1);
  submits = loggedSubmits;
  runtimes = shown<f64>(JobColumn.Runtime, count);
  processorSums = shown<f64>(JobColumn.Demand, <i64>count + 1);
  processors = shown<i32>(JobColumn.Processors, count);
  homes = shown<i32>(JobColumn.Home, count);
  requests = shown<f64>(JobColumn.Estimate, count);
  estimates = requests;
  data = (extras & Extra.Data) !== 0 ? shown<f64>(JobColumn.Data, count) : 0;
  users = (extras & Extra.Users) !== 0 ? shown<i32>(JobColumn.User, count) : 0;
  if ((extras & Extra.Dependencies) !== 0) {
    precedingJobs = shown<i32>(JobColumn.Preceding, count);
    thinkTimes = shown<f64>(JobColumn.ThinkTime, count);
    firstPieces = shown<i32>(JobColumn.FirstPiece, count);
    firstDependents = column<i32>(count);
    nextDependents = column<i32>(count);
  }
  narrowestOf64 = column<i32>((count >> 6) + 1);
  narrowestOf4096 = column<i32>((count >> 12) + 1);
  return walk.end - table;
}
