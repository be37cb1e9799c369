import { Option, Status, Discipline, Order } from '../abi/abi';
import { Simulation } from '../memory/state';
import { loadThreshold, policyPreference, isTriablePolicy } from '../allocators/registry';
import { readPolicies } from '../allocators/sharedPolicies';
import * as columns from '../memory/columns';
import * as discipline from '../disciplines/discipline';
import * as exact from '../sums/exactSum';
import { at, put, clear } from '../memory/memory';
import { waitingJobs } from '../queue/waiting';
import { RECORDED, noteTrial, pauseRecording } from '../record/log';
import {
  GeneralRunKind,
  GeneralTrialKind,
  PlainTrialKind,
  SharedTrialKind,
  isDrawingFutures,
  reorders,
  changesWithTime,
} from '../memory/runKind';
import { hasPlainTrials } from './room';
import { CHECKED, Invariant, check } from '../memory/check';
import * as sequence from '../queue/sequence';
import * as branches from '../live/copies';
import { TRIAL_DUE, run, runUntil as runEvents } from './run';
import * as finishQueue from '../events/finishQueue';
import { Allocation, allocationAt, entryAt, jobIn, placeIn } from '../events/finishQueue';
import {
  timeAfterOverrun,
  predictedTimeWithoutTransfer,
  requestedTimeOnSite,
  timeForWork,
} from '../grid/execution';
import { drawWorkOfEndedJob } from '../knowledge/endedJobs';
import * as predictions from '../planning/predictions';
import * as priorityQueue from '../queue/priorityQueue';
import { adoptPolicyFrom } from '../allocators/compare';
import { usesEstimates } from './options';

/**
 * Dynamic policy, which changes among candidate policies: after every `submitsPerTrial` submissions, if at
 * least two jobs wait, all candidates are tried, and the best one takes effect.
 */

/** Smallest number of waiting jobs for which candidates are tried. */
const LEAST_QUEUE: i32 = 2;

/** Reads the candidates written by the host; the first takes effect. */
export function begin(simulation: Simulation): Status {
  if (simulation.choosesPolicies === 0) return Status.Finished;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const status = checkCandidate(simulation, candidate);
    if (status !== Status.Finished) return status;
    put<f64>(columns.scores, candidate, 1);
  }
  if (simulation.choicesGiven !== 0 && !areChoicesValid(simulation)) {
    simulation.refusedOption = Option.ChoicesGiven;
    return Status.ParameterInvalid;
  }
  simulation.sharesTrials = i32(hasPlainTrials(simulation) && readPolicies(simulation) === Status.Finished);
  for (let candidate = 0; simulation.sharesTrials === 0 && candidate < simulation.policyCount; candidate++) {
    applyCandidate(simulation, candidate);
    put<i32>(columns.memberOfPolicy, candidate, firstEquivalentCandidate(simulation, candidate));
  }
  for (let site = 0; site < simulation.siteCount; site++) put<f64>(columns.unitLoads, site, 1);
  simulation.nextTrial = simulation.submitsPerTrial;
  applyCandidate(simulation, 0);
  return Status.Finished;
}

/** True if all given choices are indices of candidates. */
function areChoicesValid(simulation: Simulation): bool {
  for (
    let choiceIndex = simulation.jobCount / simulation.submitsPerTrial - 1;
    choiceIndex >= 0;
    choiceIndex--
  ) {
    const choice = at<i32>(columns.givenChoices, choiceIndex);
    if (choice < 0 || choice >= simulation.policyCount) return false;
  }
  return true;
}

/** Index of the first candidate that decides exactly like the current one in all situations. */
function firstEquivalentCandidate(simulation: Simulation, candidate: i32): i32 {
  const preferredVerdicts = policyPreference(simulation);
  const threshold = loadThreshold(simulation);
  for (let otherCandidate = 0; preferredVerdicts >= 0 && otherCandidate < candidate; otherCandidate++) {
    applyCandidate(simulation, otherCandidate);
    const decidesAlike =
      policyPreference(simulation) === preferredVerdicts && loadThreshold(simulation) === threshold;
    if (decidesAlike && haveSameRules(simulation, candidate, otherCandidate)) return otherCandidate;
  }
  return candidate;
}

/** Handles all events up to and including a time, like `run.runUntil`, and tries candidates when due. */
export function runUntil(simulation: Simulation, until: f64): Status {
  while (true) {
    const status = runEvents(simulation, until);
    if (status !== TRIAL_DUE) return status;
    chooseCandidate(simulation);
  }
}

/** Chooses a candidate policy after the submission at which a choice is due. */
function chooseCandidate(simulation: Simulation): void {
  const choiceIndex = simulation.next / simulation.submitsPerTrial - 1;
  // If several submissions of one instant were due, only the last counts.
  for (
    let earlierIndex = simulation.nextTrial / simulation.submitsPerTrial - 1;
    earlierIndex < choiceIndex;
    earlierIndex++
  ) {
    put<i32>(columns.choiceLog, earlierIndex, simulation.candidate);
  }
  if (simulation.choicesGiven !== 0) switchTo(simulation, at<i32>(columns.givenChoices, choiceIndex));
  else if (waitingJobs(simulation) >= LEAST_QUEUE && tryCandidates(simulation)) chooseBest(simulation);
  put<i32>(columns.choiceLog, choiceIndex, simulation.candidate);
  simulation.nextTrial = (choiceIndex + 2) * simulation.submitsPerTrial;
}

/**
 * Puts the candidate with the lowest score into effect, if it is better than the current one by
 * more than the hysteresis.
 */
function chooseBest(simulation: Simulation): void {
  const prospects = columns.prospects;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const sumAddress = exact.sumAt(columns.prospectSums, at<i32>(columns.memberOfPolicy, candidate));
    put<f64>(prospects, candidate, exact.roundedSum(sumAddress));
  }
  const currentProspect = at<f64>(prospects, simulation.candidate);
  if (RECORDED) noteTrial(simulation);
  if (currentProspect > 0) switchTo(simulation, bestByScore(simulation, currentProspect));
  simulation.trials++;
  const times = at<f64>(columns.timesChosen, simulation.candidate);
  put<f64>(columns.timesChosen, simulation.candidate, times + 1);
}

/** Updates the scores of all candidates from their trials, and returns the best candidate. */
function bestByScore(simulation: Simulation, currentProspect: f64): i32 {
  const scores = columns.scores;
  const weightOfOldScore = simulation.smoothing;
  let bestCandidate = 0;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const relativeProspect = at<f64>(columns.prospects, candidate) / currentProspect;
    put<f64>(
      scores,
      candidate,
      weightOfOldScore * at<f64>(scores, candidate) + (1 - weightOfOldScore) * relativeProspect,
    );
    if (at<f64>(scores, candidate) < at<f64>(scores, bestCandidate)) bestCandidate = candidate;
  }
  const largestAcceptedScore = (1 - simulation.hysteresis) * at<f64>(scores, simulation.candidate);
  return at<f64>(scores, bestCandidate) < largestAcceptedScore ? bestCandidate : simulation.candidate;
}

/** Changes to a candidate. If its rules put another job first, a pass follows at once. */
function switchTo(simulation: Simulation, candidate: i32): void {
  const previousCandidate = simulation.candidate;
  if (candidate === previousCandidate) return;
  simulation.candidate = candidate;
  simulation.switches++;
  applyCandidate(simulation, candidate);
  if (!haveSameRules(simulation, candidate, previousCandidate))
    discipline.endInstant<GeneralRunKind>(simulation);
}

/**
 * Trials of candidate policies: the event loop runs on a copy of the state without further
 * submissions until all jobs have ended, with believed runtimes, and writes results to a separate
 * place. Then the state is restored, except for the random generator.
 */

/**
 * Tries all candidates in each future (drawn runtimes). `prospectSums` then holds the exact sums of the
 * waiting jobs' response times. Returns false, without drawing random numbers, if nothing is known about
 * runtimes.
 */
export function tryCandidates(simulation: Simulation): bool {
  const isDrawn = isDrawingFutures(simulation);
  if (isDrawn && simulation.endedJobCount === 0) return false;
  const queuedCount = listWaitingJobs(simulation);
  const runningCount = listRunning(simulation, isDrawn);
  const hasExtras = simulation.hasExtras;
  const logCapacity = simulation.logCapacity;
  clear(columns.prospectSums, <usize>(simulation.policyCount * exact.ENTRIES) * sizeof<u64>());
  branches.keepState(simulation, columns.keptState);
  if (RECORDED) pauseRecording(true);
  let startedJobs: i64 = 0;
  for (let future = 0; future < simulation.futureCount; future++) {
    const draws = simulation.draws;
    if (future > 0) restoreRun(simulation, draws);
    assumeRuntimes(simulation, runningCount, queuedCount, isDrawn);
    simulation.hasExtras = simulation.hasPredictions;
    simulation.logCapacity = 0;
    startedJobs += tryInFuture(simulation, queuedCount, isDrawn);
    simulation.hasExtras = hasExtras;
    simulation.logCapacity = logCapacity;
  }
  restoreRun(simulation, simulation.draws);
  applyCandidate(simulation, simulation.candidate);
  if (RECORDED) pauseRecording(false);
  simulation.triedJobs += startedJobs;
  return true;
}

/** Restores the state of the run from before the trials, except the state of the random generator. */
@inline
function restoreRun(simulation: Simulation, draws: u64): void {
  restoreTrialState(simulation, columns.keptState);
  simulation.draws = draws;
}

/** Restores a state in which the jobs of `queuedJobs` wait in this order. */
@inline
function restoreTrialState(simulation: Simulation, recordAddress: usize): void {
  branches.restoreState(simulation, recordAddress);
  if (reorders(simulation)) sequence.restoreOrder(simulation, 0, columns.queuedJobs);
}

/** Tries all candidates in one future; returns the number of jobs started. */
function tryInFuture(simulation: Simulation, queuedCount: i32, isDrawn: bool): i32 {
  const starts = columns.starts;
  const executions = columns.executions;
  const sites = columns.sites;
  const loads = columns.loads;
  columns.redirectStartColumns(columns.trialStarts, columns.trialExecutions, columns.trialSites);
  // Drawn runtimes already contain the load factors, so loads of 1 replace them.
  if (isDrawn) columns.replaceLoads(columns.unitLoads);
  columns.replaceRuntimes(isDrawn ? columns.believedWork : columns.estimates);
  const startedJobs =
    simulation.sharesTrials !== 0
      ? tryCandidatesTogether(simulation, queuedCount)
      : tryOneByOne(simulation, queuedCount);
  columns.restoreRuntimes();
  columns.replaceLoads(loads);
  columns.redirectStartColumns(starts, executions, sites);
  return startedJobs;
}

/** Tries the distinct candidates one by one, each from the same state; returns the number of jobs started. */
function tryOneByOne(simulation: Simulation, queuedCount: i32): i32 {
  branches.keepState(simulation, columns.trialState);
  let startedJobs = 0;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    if (at<i32>(columns.memberOfPolicy, candidate) !== candidate) continue;
    if (startedJobs > 0) restoreTrialState(simulation, columns.trialState);
    applyCandidate(simulation, candidate);
    runTrial(simulation);
    addProspect(candidate, queuedCount);
    startedJobs += queuedCount;
  }
  return startedJobs;
}

/** Tries all candidates in one simulation, which forks where candidates decide differently. */
function tryCandidatesTogether(simulation: Simulation, queuedCount: i32): i32 {
  simulation.members = ~(<u64>0) >> (columns.MOST_MEMBERS - simulation.memberCount);
  let startedJobs = 0;
  while (true) {
    startedJobs += simulation.next - simulation.head;
    const status = run<SharedTrialKind>(simulation, f64.MAX_VALUE);
    if (CHECKED) check(status === Status.Finished, Invariant.StuckQueue);
    for (
      let remainingMembers = simulation.members;
      remainingMembers !== 0;
      remainingMembers &= remainingMembers - 1
    )
      addProspect(<i32>ctz(remainingMembers), queuedCount);
    if (branches.openBranchCount === 0) return startedJobs;
    branches.takeLastBranch(simulation);
  }
  return startedJobs;
}

/** Runs until all waiting jobs have started and ended. */
function runTrial(simulation: Simulation): void {
  const status = hasPlainTrials(simulation)
    ? run<PlainTrialKind>(simulation, f64.MAX_VALUE)
    : run<GeneralTrialKind>(simulation, f64.MAX_VALUE);
  if (CHECKED) check(status === Status.Finished, Invariant.StuckQueue);
}

/**
 * Adds the response times of the jobs that waited to a sum of `prospectSums`; a plain addition is used where
 * it is exact.
 */
function addProspect(member: i32, queuedCount: i32): void {
  const sumAddress = exact.sumAt(columns.prospectSums, member);
  let sum: f64 = 0;
  let isExact = true;
  for (let index = 0; index < queuedCount; index++) {
    const term = responseOf(index);
    isExact = isExact && exact.lostInAddition(sum, term) === 0;
    sum += term;
  }
  if (isExact) {
    exact.add(sumAddress, sum);
    return;
  }
  for (let index = 0; index < queuedCount; index++) exact.add(sumAddress, responseOf(index));
}

/** Believed response time (end - submission) of a job that waited, in seconds. */
@inline
function responseOf(index: i32): f64 {
  const job = at<i32>(columns.queuedJobs, index);
  const end = at<f64>(columns.trialStarts, job) + at<f64>(columns.trialExecutions, job);
  return end - at<f64>(columns.submits, job);
}

/**
 * Assumed ends of running jobs and runtimes of waiting jobs in trials. They come from estimates;
 * without estimates they are drawn from the runtimes of finished jobs.
 */

/** Number of attempts to draw a runtime longer than the time that a job has already run. */
const MAX_DRAWS: i32 = 8;

/** Lists the waiting jobs in queue order; returns their number. */
export function listWaitingJobs(simulation: Simulation): i32 {
  const queuedJobs = columns.queuedJobs;
  let waitingCount = 0;
  if (simulation.hasPriorityQueue === 0) {
    for (let job = simulation.head; job < simulation.next; job++) put<i32>(queuedJobs, waitingCount++, job);
    return waitingCount;
  }
  for (
    let job = priorityQueue.headOf(simulation, 0);
    job >= 0;
    job = priorityQueue.jobBehind(simulation, job)
  ) {
    put<i32>(queuedJobs, waitingCount++, job);
  }
  return waitingCount;
}

/**
 * Lists the keys of the running jobs in the finish queue, in order of job indices if futures are drawn;
 * returns their number.
 */
export function listRunning(simulation: Simulation, isDrawn: bool): i32 {
  const keys = columns.runningKeys;
  const runningCount = simulation.runningJobs;
  for (let finishEntry = 1; finishEntry <= runningCount; finishEntry++) {
    const key = at<u64>(entryAt(finishEntry), 1);
    let position = finishEntry - 1;
    while (isDrawn && position > 0 && jobIn(at<u64>(keys, position - 1)) > jobIn(key)) {
      put<u64>(keys, position, at<u64>(keys, position - 1));
      position--;
    }
    put<u64>(keys, position, key);
  }
  return runningCount;
}

/**
 * Gives the listed running jobs their assumed ends; if futures are drawn, also draws the runtimes
 * of the waiting jobs in `queuedJobs`.
 */
export function assumeRuntimes(
  simulation: Simulation,
  runningCount: i32,
  queuedCount: i32,
  isDrawn: bool,
): void {
  finishQueue.reset(simulation);
  for (let index = 0; index < runningCount; index++) {
    const key = at<u64>(columns.runningKeys, index);
    const place = placeIn(key);
    const site = simulation.hasExtras !== 0 ? allocationAt(place).site : place;
    const end = assumedEnd(simulation, jobIn(key), site, isDrawn);
    if (simulation.hasPredictions !== 0) setPredictedEnd(allocationAt(place), end);
    // In a trial run of a candidate policy, the queue of ends has the site of each running job. If ends are
    // predicted, it has the job's allocation, which has the predicted end, too.
    finishQueue.push(simulation, end, jobIn(key), simulation.hasPredictions !== 0 ? place : site);
  }
  if (!isDrawn) return;
  for (let index = 0; index < queuedCount; index++) {
    const job = at<i32>(columns.queuedJobs, index);
    put<f64>(columns.believedWork, job, drawWorkOfEndedJob(simulation, job));
  }
}

/** Believed end of a running job in seconds, later than now. */
function assumedEnd(simulation: Simulation, job: i32, site: i32, isDrawn: bool): f64 {
  const now = simulation.now;
  const start = at<f64>(columns.starts, job);
  for (let draw = 0; isDrawn && draw < MAX_DRAWS; draw++) {
    const duration = timeForWork(simulation, drawWorkOfEndedJob(simulation, job), site);
    if (duration > now - start) return start + duration;
  }
  if (!isDrawn) {
    let end = start + predictedTimeWithoutTransfer(simulation, job, site);
    if (end < now && simulation.recentJobs > 0) end = start + requestedTimeOnSite(simulation, job, site);
    if (end > now) return end;
  }
  return now + timeAfterOverrun(simulation, now - start);
}

/** Sets the predicted end of an allocation to its believed end. */
function setPredictedEnd(allocation: Allocation, end: f64): void {
  if (allocation.predictedEnd === end) return;
  predictions.changePredictedEnd(allocation.site, allocation.predictedEnd, end, allocation.processors);
  allocation.predictedEnd = end;
}

/** Candidates of the dynamic policy: policies and, with `CandidateRules`, orders and disciplines. */

/** Positions of the numbers that form a candidate's rules. */
enum RulePosition {
  Order = 0,
  Discipline = 1,
  BackfillOrder = 2,
}

/** Puts a candidate written by the host into effect; false if a parameter is not finite. */
export function applyCandidate(simulation: Simulation, candidate: i32): bool {
  return applyCandidateFrom(simulation, columns.policies, columns.candidateRules, candidate);
}

/**
 * Puts a candidate of the dynamic policy into force, with policies and rules read from the given addresses
 * (`applyCandidate`). Plans that were made under other rules become invalid.
 */
export function applyCandidateFrom(
  simulation: Simulation,
  policiesAddress: usize,
  rulesAddress: usize,
  candidate: i32,
): bool {
  if (simulation.hasRules !== 0) {
    simulation.order = ruleAt(rulesAddress, candidate, RulePosition.Order);
    simulation.discipline = ruleAt(rulesAddress, candidate, RulePosition.Discipline);
    simulation.backfillOrder = ruleAt(rulesAddress, candidate, RulePosition.BackfillOrder);
    simulation.planHolds = 0;
    simulation.reservedJob = 0;
  }
  return adoptPolicyFrom(simulation, policiesAddress, candidate);
}

/** True if two candidates have the same order and discipline. */
export function haveSameRules(simulation: Simulation, candidate: i32, otherCandidate: i32): bool {
  if (simulation.hasRules === 0) return true;
  const rulesAddress = columns.candidateRules;
  for (let rule = 0; rule < columns.ENTRIES_PER_RULE; rule++) {
    if (ruleAt(rulesAddress, candidate, rule) !== ruleAt(rulesAddress, otherCandidate, rule)) return false;
  }
  return true;
}

@inline
function ruleAt(rulesAddress: usize, candidate: i32, rule: RulePosition): i32 {
  return <i32>at<f64>(rulesAddress, columns.ENTRIES_PER_RULE * candidate + rule);
}

/**
 * Puts a candidate into effect if it can be tried; otherwise returns the status and records the refused
 * option.
 */
export function checkCandidate(simulation: Simulation, candidate: i32): Status {
  if (simulation.hasRules !== 0) {
    const rulesAddress =
      columns.candidateRules + <usize>(columns.ENTRIES_PER_RULE * candidate) * sizeof<f64>();
    simulation.refusedOption = firstInvalidRuleOption(
      at<f64>(rulesAddress, RulePosition.Discipline),
      at<f64>(rulesAddress, RulePosition.Order),
      at<f64>(rulesAddress, RulePosition.BackfillOrder),
    );
    if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  }
  simulation.refusedOption = Option.Policy;
  if (!applyCandidate(simulation, candidate)) return Status.ParameterInvalid;
  if (!isTriablePolicy(simulation.policy)) return Status.PolicyUnknown;
  simulation.refusedOption = Option.NoEstimates;
  if (simulation.hasNoEstimates !== 0 && usesEstimates(simulation)) return Status.OptionsConflict;
  simulation.refusedOption = -1;
  return Status.Finished;
}

/** First option whose range excludes one of the rules that may take effect in a run; -1 if none. */
export function firstInvalidRuleOption(discipline: f64, order: f64, backfillOrder: f64): i32 {
  if (!isCandidateOrder(order, columns.taken(Option.Order))) return Option.Order;
  if (!isWholeBelow(discipline, columns.taken(Option.CandidateRules))) return Option.Discipline;
  if (backfillOrder === 0) return -1;
  const hostOrder = columns.taken(Option.BackfillOrder) - 1;
  const isAccepted = discipline === Discipline.Easy && isCandidateOrder(backfillOrder - 1, hostOrder);
  return isAccepted ? -1 : Option.BackfillOrder;
}

/**
 * True if a queue order may take effect during a run: its keys are constant and available. `hostOrder` is the
 * order for which the host has written keys, if it is `Given`.
 */
function isCandidateOrder(order: f64, hostOrder: f64): bool {
  if (!isWholeBelow(order, Order.COUNT) || changesWithTime(<i32>order)) return false;
  return order !== Order.Given || hostOrder === Order.Given;
}

@inline
function isWholeBelow(value: f64, end: f64): bool {
  return value >= 0 && value < end && floor<f64>(value) === value;
}
