import { Option, Status, Discipline, Order } from '../abi/abi';
import { Simulation } from '../memory/state';
import { loadThresholdOfPolicy, policyPreference, isTriablePolicy } from '../allocators/registry';
import { readPolicies } from '../allocators/sharedPolicies';
import * as columns from '../memory/columns';
import * as discipline from '../disciplines/discipline';
import * as exact from '../sums/exactSum';
import { at, put, clearBytes } from '../memory/memory';
import { waitingJobCountOf } from '../queue/waiting';
import { IS_RECORDING_BUILD, noteTrial, pauseRecording } from '../record/log';
import {
  GeneralRunKind,
  GeneralTrialKind,
  PlainTrialKind,
  SharedTrialKind,
  drawsRandomFutures,
  mayAnotherJobBecomeNext,
  changesWithTime,
} from '../memory/runKind';
import { canTrialsUsePlainQueue } from './room';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import * as sequence from '../queue/sequence';
import * as branches from '../live/copies';
import { TRIAL_DUE, run, runUntil as runEvents } from './run';
import * as finishQueue from '../events/finishQueue';
import {
  Allocation,
  allocationAt,
  finishEntryAt,
  jobOfKey,
  siteOrAllocationOfKey,
} from '../events/finishQueue';
import {
  timeAfterOverrun,
  predictedTimeWithoutTransfer,
  requestedTimeOnSite,
  timeForWork,
} from '../grid/execution';
import { drawRandomWorkOfEndedJob } from '../knowledge/endedJobs';
import * as predictions from '../planning/predictions';
import * as priorityQueue from '../queue/priorityQueue';
import { adoptPolicyFrom } from '../allocators/compare';
import { usesEstimates } from './options';

/**
 * Dynamic policy, which changes among candidate policies: after every `submitsPerTrial` submissions, if at
 * least two jobs wait, all candidates are tried, and the best one takes effect.
 */

/** Smallest number of waiting jobs for which candidates are tried. */
const MIN_WAITING_JOBS_FOR_TRIAL: i32 = 2;

/** Reads the candidates written by the host; the first takes effect. */
export function begin(simulation: Simulation): Status {
  if (simulation.choosesPolicies === 0) return Status.Finished;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const status = checkCandidate(simulation, candidate);
    if (status !== Status.Finished) return status;
    put<f64>(columns.scores, candidate, 1);
  }
  if (simulation.choicesGiven !== 0 && !areGivenChoicesValid(simulation)) {
    simulation.refusedOption = Option.ChoicesGiven;
    return Status.ParameterInvalid;
  }
  simulation.sharesTrials = i32(
    canTrialsUsePlainQueue(simulation) && readPolicies(simulation) === Status.Finished,
  );
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
function areGivenChoicesValid(simulation: Simulation): bool {
  for (
    let choiceIndex = simulation.jobCount / simulation.submitsPerTrial - 1;
    choiceIndex >= 0;
    choiceIndex--
  ) {
    const choice = at<i32>(columns.hostChoices, choiceIndex);
    if (choice < 0 || choice >= simulation.policyCount) return false;
  }
  return true;
}

/** Index of the first candidate that decides exactly like the current one in all situations. */
function firstEquivalentCandidate(simulation: Simulation, candidate: i32): i32 {
  const packedVerdicts = policyPreference(simulation);
  const threshold = loadThresholdOfPolicy(simulation);
  for (let otherCandidate = 0; packedVerdicts >= 0 && otherCandidate < candidate; otherCandidate++) {
    applyCandidate(simulation, otherCandidate);
    const wouldDecideAlike =
      policyPreference(simulation) === packedVerdicts && loadThresholdOfPolicy(simulation) === threshold;
    if (wouldDecideAlike && haveSameRules(simulation, candidate, otherCandidate)) return otherCandidate;
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
    let earlierChoiceIndex = simulation.nextTrial / simulation.submitsPerTrial - 1;
    earlierChoiceIndex < choiceIndex;
    earlierChoiceIndex++
  ) {
    put<i32>(columns.choiceLog, earlierChoiceIndex, simulation.candidate);
  }
  if (simulation.choicesGiven !== 0) switchToCandidate(simulation, at<i32>(columns.hostChoices, choiceIndex));
  else if (waitingJobCountOf(simulation) >= MIN_WAITING_JOBS_FOR_TRIAL && tryCandidates(simulation))
    chooseBestCandidate(simulation);
  put<i32>(columns.choiceLog, choiceIndex, simulation.candidate);
  simulation.nextTrial = (choiceIndex + 2) * simulation.submitsPerTrial;
}

/**
 * Puts the candidate with the lowest score into effect, if it is better than the current one by
 * more than the hysteresis.
 */
function chooseBestCandidate(simulation: Simulation): void {
  const prospectsAddress = columns.prospects;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const sumAddress = exact.sumAt(columns.prospectSums, at<i32>(columns.memberOfPolicy, candidate));
    put<f64>(prospectsAddress, candidate, exact.roundedSum(sumAddress));
  }
  const currentProspect = at<f64>(prospectsAddress, simulation.candidate);
  if (IS_RECORDING_BUILD) noteTrial(simulation);
  if (currentProspect > 0) switchToCandidate(simulation, bestCandidateByScore(simulation, currentProspect));
  simulation.trials++;
  const times = at<f64>(columns.timesChosen, simulation.candidate);
  put<f64>(columns.timesChosen, simulation.candidate, times + 1);
}

/** Updates the scores of all candidates from their trials, and returns the best candidate. */
function bestCandidateByScore(simulation: Simulation, currentProspect: f64): i32 {
  const scoresAddress = columns.scores;
  const weightOfOldScore = simulation.smoothing;
  let bestCandidate = 0;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const relativeProspect = at<f64>(columns.prospects, candidate) / currentProspect;
    put<f64>(
      scoresAddress,
      candidate,
      weightOfOldScore * at<f64>(scoresAddress, candidate) + (1 - weightOfOldScore) * relativeProspect,
    );
    if (at<f64>(scoresAddress, candidate) < at<f64>(scoresAddress, bestCandidate)) bestCandidate = candidate;
  }
  const largestAcceptedScore = (1 - simulation.hysteresis) * at<f64>(scoresAddress, simulation.candidate);
  return at<f64>(scoresAddress, bestCandidate) < largestAcceptedScore ? bestCandidate : simulation.candidate;
}

/** Changes to a candidate. If its rules put another job first, a pass follows at once. */
function switchToCandidate(simulation: Simulation, candidate: i32): void {
  const previousCandidate = simulation.candidate;
  if (candidate === previousCandidate) return;
  simulation.candidate = candidate;
  simulation.switches++;
  applyCandidate(simulation, candidate);
  if (!haveSameRules(simulation, candidate, previousCandidate))
    discipline.runPassAtEndOfInstant<GeneralRunKind>(simulation);
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
  const isFutureRandom = drawsRandomFutures(simulation);
  if (isFutureRandom && simulation.endedJobCount === 0) return false;
  const queuedJobCount = listWaitingJobs(simulation);
  const runningJobCount = listRunningJobKeys(simulation, isFutureRandom);
  const hasExtras = simulation.hasExtras;
  const logCapacity = simulation.logCapacity;
  clearBytes(columns.prospectSums, <usize>(simulation.policyCount * exact.ENTRIES_PER_SUM) * sizeof<u64>());
  branches.saveState(simulation, columns.stateBeforeTrials);
  if (IS_RECORDING_BUILD) pauseRecording(true);
  let startedJobCount: i64 = 0;
  for (let futureIndex = 0; futureIndex < simulation.futureCount; futureIndex++) {
    const draws = simulation.draws;
    if (futureIndex > 0) restoreRunBeforeTrials(simulation, draws);
    assumeRuntimes(simulation, runningJobCount, queuedJobCount, isFutureRandom);
    simulation.hasExtras = simulation.hasPredictions;
    simulation.logCapacity = 0;
    startedJobCount += tryCandidatesInFuture(simulation, queuedJobCount, isFutureRandom);
    simulation.hasExtras = hasExtras;
    simulation.logCapacity = logCapacity;
  }
  restoreRunBeforeTrials(simulation, simulation.draws);
  applyCandidate(simulation, simulation.candidate);
  if (IS_RECORDING_BUILD) pauseRecording(false);
  simulation.triedJobs += startedJobCount;
  return true;
}

/** Restores the state of the run from before the trials, except the state of the random generator. */
@inline
function restoreRunBeforeTrials(simulation: Simulation, draws: u64): void {
  restoreTrialState(simulation, columns.stateBeforeTrials);
  simulation.draws = draws;
}

/** Restores a state in which the jobs of `queuedJobs` wait in this order. */
@inline
function restoreTrialState(simulation: Simulation, recordAddress: usize): void {
  branches.restoreState(simulation, recordAddress);
  if (mayAnotherJobBecomeNext(simulation)) sequence.restoreOrder(simulation, 0, columns.queuedJobs);
}

/** Tries all candidates in one future; returns the number of jobs started. */
function tryCandidatesInFuture(simulation: Simulation, queuedJobCount: i32, isFutureRandom: bool): i32 {
  const startsAddress = columns.starts;
  const executionsAddress = columns.executions;
  const sites = columns.sites;
  const loadsAddress = columns.loads;
  columns.redirectStartColumns(columns.trialStarts, columns.trialExecutions, columns.trialSites);
  // Drawn runtimes already contain the load factors, so loads of 1 replace them.
  if (isFutureRandom) columns.replaceLoads(columns.unitLoads);
  columns.replaceRuntimes(isFutureRandom ? columns.believedWork : columns.estimates);
  const startedJobCount =
    simulation.sharesTrials !== 0
      ? tryCandidatesTogether(simulation, queuedJobCount)
      : tryCandidatesOneByOne(simulation, queuedJobCount);
  columns.restoreRuntimes();
  columns.replaceLoads(loadsAddress);
  columns.redirectStartColumns(startsAddress, executionsAddress, sites);
  return startedJobCount;
}

/** Tries the distinct candidates one by one, each from the same state; returns the number of jobs started. */
function tryCandidatesOneByOne(simulation: Simulation, queuedCount: i32): i32 {
  branches.saveState(simulation, columns.trialState);
  let startedJobCount = 0;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    if (at<i32>(columns.memberOfPolicy, candidate) !== candidate) continue;
    if (startedJobCount > 0) restoreTrialState(simulation, columns.trialState);
    applyCandidate(simulation, candidate);
    runTrial(simulation);
    addProspectOfMember(candidate, queuedCount);
    startedJobCount += queuedCount;
  }
  return startedJobCount;
}

/** Tries all candidates in one simulation, which forks where candidates decide differently. */
function tryCandidatesTogether(simulation: Simulation, queuedJobCount: i32): i32 {
  simulation.members = ~(<u64>0) >> (columns.MAX_MEMBERS - simulation.memberCount);
  let startedJobCount = 0;
  while (true) {
    startedJobCount += simulation.next - simulation.head;
    const status = run<SharedTrialKind>(simulation, f64.MAX_VALUE);
    if (IS_CHECKED_BUILD) check(status === Status.Finished, Invariant.StuckQueue);
    for (
      let remainingMembers = simulation.members;
      remainingMembers !== 0;
      remainingMembers &= remainingMembers - 1
    )
      addProspectOfMember(<i32>ctz(remainingMembers), queuedJobCount);
    if (branches.openBranchCount === 0) return startedJobCount;
    branches.continueWithLastBranch(simulation);
  }
  return startedJobCount;
}

/** Runs until all waiting jobs have started and ended. */
function runTrial(simulation: Simulation): void {
  const status = canTrialsUsePlainQueue(simulation)
    ? run<PlainTrialKind>(simulation, f64.MAX_VALUE)
    : run<GeneralTrialKind>(simulation, f64.MAX_VALUE);
  if (IS_CHECKED_BUILD) check(status === Status.Finished, Invariant.StuckQueue);
}

/**
 * Adds the response times of the jobs that waited to a sum of `prospectSums`; a plain addition is used where
 * it is exact.
 */
function addProspectOfMember(member: i32, queuedJobCount: i32): void {
  const sumAddress = exact.sumAt(columns.prospectSums, member);
  let sum: f64 = 0;
  let isPlainSumExact = true;
  for (let index = 0; index < queuedJobCount; index++) {
    const term = responseTimeOfQueuedJob(index);
    isPlainSumExact = isPlainSumExact && exact.roundingErrorOfAddition(sum, term) === 0;
    sum += term;
  }
  if (isPlainSumExact) {
    exact.add(sumAddress, sum);
    return;
  }
  for (let index = 0; index < queuedJobCount; index++) exact.add(sumAddress, responseTimeOfQueuedJob(index));
}

/** Believed response time (end - submission) of a job that waited, in seconds. */
@inline
function responseTimeOfQueuedJob(index: i32): f64 {
  const job = at<i32>(columns.queuedJobs, index);
  const end = at<f64>(columns.trialStarts, job) + at<f64>(columns.trialExecutions, job);
  return end - at<f64>(columns.submits, job);
}

/**
 * Assumed ends of running jobs and runtimes of waiting jobs in trials. They come from estimates;
 * without estimates they are drawn from the runtimes of finished jobs.
 */

/** Number of attempts to draw a runtime longer than the time that a job has already run. */
const MAX_RUNTIME_DRAWS: i32 = 8;

/** Lists the waiting jobs in queue order; returns their number. */
export function listWaitingJobs(simulation: Simulation): i32 {
  const queuedJobsAddress = columns.queuedJobs;
  let waitingJobCount = 0;
  if (simulation.hasPriorityQueue === 0) {
    for (let job = simulation.head; job < simulation.next; job++)
      put<i32>(queuedJobsAddress, waitingJobCount++, job);
    return waitingJobCount;
  }
  for (
    let job = priorityQueue.headOf(simulation, 0);
    job >= 0;
    job = priorityQueue.nextJobBehind(simulation, job)
  ) {
    put<i32>(queuedJobsAddress, waitingJobCount++, job);
  }
  return waitingJobCount;
}

/**
 * Lists the keys of the running jobs in the finish queue, in order of job indices if futures are drawn;
 * returns their number.
 */
export function listRunningJobKeys(simulation: Simulation, isFutureRandom: bool): i32 {
  const runningKeysAddress = columns.runningKeys;
  const runningJobCount = simulation.runningJobs;
  for (let finishEntry = 1; finishEntry <= runningJobCount; finishEntry++) {
    const key = at<u64>(finishEntryAt(finishEntry), 1);
    let position = finishEntry - 1;
    while (
      isFutureRandom &&
      position > 0 &&
      jobOfKey(at<u64>(runningKeysAddress, position - 1)) > jobOfKey(key)
    ) {
      put<u64>(runningKeysAddress, position, at<u64>(runningKeysAddress, position - 1));
      position--;
    }
    put<u64>(runningKeysAddress, position, key);
  }
  return runningJobCount;
}

/**
 * Gives the listed running jobs their assumed ends; if futures are drawn, also draws the runtimes
 * of the waiting jobs in `queuedJobs`.
 */
export function assumeRuntimes(
  simulation: Simulation,
  runningCount: i32,
  queuedJobCount: i32,
  isDrawn: bool,
): void {
  finishQueue.reset(simulation);
  for (let index = 0; index < runningCount; index++) {
    const key = at<u64>(columns.runningKeys, index);
    const place = siteOrAllocationOfKey(key);
    const site = simulation.hasExtras !== 0 ? allocationAt(place).site : place;
    const end = assumedEnd(simulation, jobOfKey(key), site, isDrawn);
    if (simulation.hasPredictions !== 0) setPredictedEnd(allocationAt(place), end);
    // In a trial run of a candidate policy, the queue of ends has the site of each running job. If ends are
    // predicted, it has the job's allocation, which has the predicted end, too.
    finishQueue.push(simulation, end, jobOfKey(key), simulation.hasPredictions !== 0 ? place : site);
  }
  if (!isDrawn) return;
  for (let index = 0; index < queuedJobCount; index++) {
    const job = at<i32>(columns.queuedJobs, index);
    put<f64>(columns.believedWork, job, drawRandomWorkOfEndedJob(simulation, job));
  }
}

/** Believed end of a running job in seconds, later than now. */
function assumedEnd(simulation: Simulation, job: i32, site: i32, isFutureRandom: bool): f64 {
  const now = simulation.now;
  const start = at<f64>(columns.starts, job);
  for (let draw = 0; isFutureRandom && draw < MAX_RUNTIME_DRAWS; draw++) {
    const duration = timeForWork(simulation, drawRandomWorkOfEndedJob(simulation, job), site);
    if (duration > now - start) return start + duration;
  }
  if (!isFutureRandom) {
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
  if (!isCandidateBackfillOrder(order, columns.optionOfRun(Option.Order))) return Option.Order;
  if (!isWholeNumberBelow(discipline, columns.optionOfRun(Option.CandidateRules))) return Option.Discipline;
  if (backfillOrder === 0) return -1;
  const hostOrder = columns.optionOfRun(Option.BackfillOrder) - 1;
  const isBackfillOrderAllowed =
    discipline === Discipline.Easy && isCandidateBackfillOrder(backfillOrder - 1, hostOrder);
  return isBackfillOrderAllowed ? -1 : Option.BackfillOrder;
}

/**
 * True if a queue order may take effect during a run: its keys are constant and available. `hostOrder` is the
 * order for which the host has written keys, if it is `Given`.
 */
function isCandidateBackfillOrder(order: f64, hostOrder: f64): bool {
  if (!isWholeNumberBelow(order, Order.COUNT) || changesWithTime(<i32>order)) return false;
  return order !== Order.Given || hostOrder === Order.Given;
}

@inline
function isWholeNumberBelow(value: f64, end: f64): bool {
  return value >= 0 && value < end && floor<f64>(value) === value;
}
