import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import { at, moveEntries, put } from '../memory/memory';
import { isSubmittedEarlier } from '../queue/ranking';

/**
 * Submissions that depend on other jobs. Such a job is submitted once all pieces of its preceding job have
 * ended and its think time has passed, but not before its submission time in the log. At that end the job is
 * released: its actual submission time replaces that of the log in a column of the simulation, which every
 * reader of submissions uses, and the job enters the column `releasedHeap`, a heap by submission time and
 * index. All other jobs are submitted at the times of the log, in order of the job table; `next` is the first
 * of them not yet submitted.
 */

/** Resets to before the first submission. */
export function reset(simulation: Simulation): void {
  const jobCount = simulation.jobCount;
  moveEntries<f64>(columns.submits, 0, columns.loggedSubmits, 0, jobCount);
  for (let job = 0; job < jobCount; job++) {
    const firstPiece = at<i32>(columns.firstPieces, job);
    put<i32>(columns.piecesLeft, firstPiece, at<i32>(columns.piecesLeft, firstPiece) + 1);
  }
  simulation.submittedJobs = 0;
  simulation.releasedJobs = 0;
  simulation.next = nextIndependentJob(simulation, 0);
}

/** First job from `job` on that depends on none; the number of jobs if there is none. */
function nextIndependentJob(simulation: Simulation, job: i32): i32 {
  while (job < simulation.jobCount && at<i32>(columns.precedingJobs, job) >= 0) job++;
  return job;
}

/** Time of the next submission that is known, +infinity if none. */
export function soonestSubmitTime(simulation: Simulation): f64 {
  const independentSubmitTime = at<f64>(columns.loggedSubmits, simulation.next);
  if (simulation.releasedJobs === 0) return independentSubmitTime;
  return min<f64>(independentSubmitTime, at<f64>(columns.submits, at<i32>(columns.releasedHeap, 0)));
}

/** Job of the next known submission; among equal times the lowest index. */
export function nextJobToSubmit(simulation: Simulation): i32 {
  const independentJob = simulation.next;
  if (simulation.releasedJobs === 0) return independentJob;
  const job = at<i32>(columns.releasedHeap, 0);
  return independentJob === simulation.jobCount || isSubmittedEarlier(job, independentJob)
    ? job
    : independentJob;
}

/** Removes and returns the job of the next known submission. */
export function takeSoonestSubmittedJob(simulation: Simulation): i32 {
  const job = nextJobToSubmit(simulation);
  simulation.submittedJobs++;
  if (job === simulation.next) simulation.next = nextIndependentJob(simulation, job + 1);
  else removeFirstReleasedJob(simulation);
  return job;
}

/** Handles the end of a job or piece; after its last piece, releases the jobs that depend on it. */
export function releaseDependents(simulation: Simulation, job: i32): void {
  const firstPiece = at<i32>(columns.firstPieces, job);
  const remainingPieceCount = at<i32>(columns.piecesLeft, firstPiece) - 1;
  if (IS_CHECKED_BUILD) check(remainingPieceCount >= 0, Invariant.Dependencies);
  put<i32>(columns.piecesLeft, firstPiece, remainingPieceCount);
  if (remainingPieceCount > 0) return;
  let dependentJob = at<i32>(columns.firstDependents, firstPiece);
  for (; dependentJob !== 0; dependentJob = at<i32>(columns.nextDependents, dependentJob - 1)) {
    releaseJob(simulation, dependentJob - 1);
  }
}

/** Releases a job whose preceding job ends now. */
function releaseJob(simulation: Simulation, job: i32): void {
  const releaseTime = simulation.now + at<f64>(columns.thinkTimes, job);
  put<f64>(columns.submits, job, max<f64>(at<f64>(columns.loggedSubmits, job), releaseTime));
  let heapPlace = simulation.releasedJobs++;
  while (heapPlace > 0) {
    const parent = (heapPlace - 1) >> 1;
    const parentJob = at<i32>(columns.releasedHeap, parent);
    if (isSubmittedEarlier(parentJob, job)) break;
    put<i32>(columns.releasedHeap, heapPlace, parentJob);
    heapPlace = parent;
  }
  put<i32>(columns.releasedHeap, heapPlace, job);
}

/** Removes the first job of the heap. */
function removeFirstReleasedJob(simulation: Simulation): void {
  const size = --simulation.releasedJobs;
  const lastJob = at<i32>(columns.releasedHeap, size);
  let heapPlace = 0;
  for (let child = 1; child < size; child = 2 * heapPlace + 1) {
    if (child + 1 < size && isSubmittedEarlier(releasedJobAt(child + 1), releasedJobAt(child))) child++;
    if (isSubmittedEarlier(lastJob, releasedJobAt(child))) break;
    put<i32>(columns.releasedHeap, heapPlace, releasedJobAt(child));
    heapPlace = child;
  }
  put<i32>(columns.releasedHeap, heapPlace, lastJob);
}

@inline
function releasedJobAt(place: i32): i32 {
  return at<i32>(columns.releasedHeap, place);
}
