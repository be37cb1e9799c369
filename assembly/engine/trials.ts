import { Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import { CHECKED, Invariant, check } from '../memory/check';
import * as columns from '../memory/columns';
import * as exact from '../sums/exactSum';
import { at, clear } from '../memory/memory';
import { RECORDED, lookAway } from '../record/log';
import { OtherTrial, PlainTrial, SharedTrial, drawsFutures, reorders } from '../runKind';
import * as sequence from '../queue/sequence';
import * as branches from '../live/branches';
import * as candidates from './candidatePolicies';
import * as futures from './futures';
import { hasPlainTrials } from './room';
import { run } from './run';

/**
 * Trials: what would become of the waiting jobs under each candidate. The event loop goes on from a copy of
 * the state without submits, until all have ended; what jobs take is what is believed of it, and results are
 * written where nobody looks. Then everything is as it was, but for the draws.
 */

/**
 * Tries all candidates in each of the futures. `prospectSums` then has the exact sums of what waiting jobs
 * would have for a response; returns false, and draws nothing, where nothing is known of any future.
 */
export function tryAll(simulation: Simulation): bool {
  const isDrawn = drawsFutures(simulation);
  if (isDrawn && simulation.ended === 0) return false;
  const queued = futures.listQueue(simulation);
  const running = futures.listRunning(simulation, isDrawn);
  const hasExtras = simulation.hasExtras;
  const logCapacity = simulation.logCapacity;
  clear(columns.prospectSums, <usize>(simulation.policyCount * exact.ENTRIES) * sizeof<u64>());
  branches.keep(simulation, columns.keptState);
  if (RECORDED) lookAway(true);
  let tried: i64 = 0;
  for (let future = 0; future < simulation.futures; future++) {
    const draws = simulation.draws;
    if (future > 0) goBackTo(simulation, draws);
    futures.believe(simulation, running, queued, isDrawn);
    simulation.hasExtras = simulation.hasPredictions;
    simulation.logCapacity = 0;
    tried += tryInFuture(simulation, queued, isDrawn);
    simulation.hasExtras = hasExtras;
    simulation.logCapacity = logCapacity;
  }
  goBackTo(simulation, simulation.draws);
  candidates.takeUp(simulation, simulation.candidate);
  if (RECORDED) lookAway(false);
  simulation.triedJobs += tried;
  return true;
}

/** Goes back to the run, in which nothing has happened but some draws. */
@inline
function goBackTo(simulation: Simulation, draws: u64): void {
  goBackToState(simulation, columns.keptState);
  simulation.draws = draws;
}

/** Goes back to a state in which the jobs of `queuedJobs` wait, in this order. */
@inline
function goBackToState(simulation: Simulation, record: usize): void {
  branches.goBack(simulation, record);
  if (reorders(simulation)) sequence.putBack(simulation, 0, columns.queuedJobs);
}

/** Tries all candidates in one future; returns how many jobs that started. */
function tryInFuture(simulation: Simulation, queued: i32, isDrawn: bool): i32 {
  const starts = columns.starts;
  const executions = columns.executions;
  const sites = columns.sites;
  const loads = columns.loads;
  columns.writeStartsTo(columns.trialStarts, columns.trialExecutions, columns.trialSites);
  // What is drawn has the loads in it.
  if (isDrawn) columns.loadBy(columns.unitLoads);
  columns.believe(isDrawn ? columns.believedWork : columns.estimates);
  const tried =
    simulation.sharesTrials !== 0 ? tryTogether(simulation, queued) : tryOneByOne(simulation, queued);
  columns.know();
  columns.loadBy(loads);
  columns.writeStartsTo(starts, executions, sites);
  return tried;
}

/** Tries the candidates that differ, each from the beginning; returns how many jobs that started. */
function tryOneByOne(simulation: Simulation, queued: i32): i32 {
  branches.keep(simulation, columns.trialState);
  let started = 0;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    if (at<i32>(columns.memberOf, candidate) !== candidate) continue;
    if (started > 0) goBackToState(simulation, columns.trialState);
    candidates.takeUp(simulation, candidate);
    runTrial(simulation);
    addProspect(candidate, queued);
    started += queued;
  }
  return started;
}

/** Tries all at once, and where some decide otherwise these from there on. */
function tryTogether(simulation: Simulation, queued: i32): i32 {
  simulation.members = ~(<u64>0) >> (columns.MOST_MEMBERS - simulation.memberCount);
  let started = 0;
  while (true) {
    started += simulation.next - simulation.head;
    const status = run<SharedTrial>(simulation, f64.MAX_VALUE);
    if (CHECKED) check(status === Status.Finished, Invariant.StuckQueue);
    for (let rest = simulation.members; rest !== 0; rest &= rest - 1) addProspect(<i32>ctz(rest), queued);
    if (branches.open === 0) return started;
    branches.takeLast(simulation);
  }
  return started;
}

/** The waiting jobs all start and end. */
function runTrial(simulation: Simulation): void {
  const status = hasPlainTrials(simulation)
    ? run<PlainTrial>(simulation, f64.MAX_VALUE)
    : run<OtherTrial>(simulation, f64.MAX_VALUE);
  if (CHECKED) check(status === Status.Finished, Invariant.StuckQueue);
}

/** Adds the responses of the jobs that waited to a sum of `prospectSums`; most often doubles lose nothing. */
function addProspect(member: i32, queued: i32): void {
  const sums = exact.sumAt(columns.prospectSums, member);
  let sum: f64 = 0;
  let isExact = true;
  for (let index = 0; index < queued; index++) {
    const term = responseOf(index);
    isExact = isExact && exact.lostIn(sum, term) === 0;
    sum += term;
  }
  if (isExact) {
    exact.add(sums, sum);
    return;
  }
  for (let index = 0; index < queued; index++) exact.add(sums, responseOf(index));
}

/** Believed end - submit of a job that waited. */
@inline
function responseOf(index: i32): f64 {
  const job = at<i32>(columns.queuedJobs, index);
  const end = at<f64>(columns.trialStarts, job) + at<f64>(columns.trialExecutions, job);
  return end - at<f64>(columns.submits, job);
}
