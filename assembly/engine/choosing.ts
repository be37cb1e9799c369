import { Option, Status, Discipline, Order } from '../abi/abi';
import { Simulation } from '../memory/state';
import { loadThreshold, preference, mayBeTried } from '../allocators/registry';
import { takePolicies } from '../allocators/sharedPolicies';
import * as columns from '../memory/columns';
import * as discipline from '../disciplines/discipline';
import * as exact from '../sums/exactSum';
import { at, put, clear } from '../memory/memory';
import { waitingJobs } from '../queue/waiting';
import { RECORDED, tried, lookAway } from '../record/log';
import {
  OtherRun,
  OtherTrial,
  PlainTrial,
  SharedTrial,
  drawsFutures,
  reorders,
  ages,
} from '../memory/runKind';
import { hasPlainTrials } from './room';
import { CHECKED, Invariant, check } from '../memory/check';
import * as sequence from '../queue/sequence';
import * as branches from '../live/copies';
import { TRIAL_DUE, run, runUntil as runEvents } from './run';
import * as finishQueue from '../events/finishQueue';
import { Allocation, allocationAt, entryAt, jobIn, placeIn } from '../events/finishQueue';
import { overdueTime, predictedTimeAt, requestedTimeAt, workTime } from '../grid/execution';
import { drawWork } from '../knowledge/endedJobs';
import * as predictions from '../planning/predictions';
import * as priorityQueue from '../queue/priorityQueue';
import { adoptFrom } from '../allocators/compare';
import { goesByEstimates } from './options';

/**
 * A policy that is another one at any time: of some candidates the one in force. Every so many submits, when
 * at least two jobs wait, all are tried, and the best comes in force.
 */

/** Fewer jobs than this leave nothing to be chosen. */
const LEAST_QUEUE: i32 = 2;

/** Takes the candidates that the host has written; the first is in force. */
export function begin(simulation: Simulation): Status {
  if (simulation.chooses === 0) return Status.Finished;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const status = checkCandidate(simulation, candidate);
    if (status !== Status.Finished) return status;
    put<f64>(columns.scores, candidate, 1);
  }
  if (simulation.choicesGiven !== 0 && !areCandidates(simulation)) {
    simulation.refusedOption = Option.ChoicesGiven;
    return Status.ParameterInvalid;
  }
  simulation.sharesTrials = i32(hasPlainTrials(simulation) && takePolicies(simulation) === Status.Finished);
  for (let each = 0; simulation.sharesTrials === 0 && each < simulation.policyCount; each++) {
    takeUp(simulation, each);
    put<i32>(columns.memberOf, each, firstAlike(simulation, each));
  }
  for (let site = 0; site < simulation.siteCount; site++) put<f64>(columns.unitLoads, site, 1);
  simulation.nextTrial = simulation.every;
  takeUp(simulation, 0);
  return Status.Finished;
}

/** Whether the choices that are given are of candidates that there are. */
function areCandidates(simulation: Simulation): bool {
  for (let time = simulation.jobCount / simulation.every - 1; time >= 0; time--) {
    const choice = at<i32>(columns.givenChoices, time);
    if (choice < 0 || choice >= simulation.policyCount) return false;
  }
  return true;
}

/** The first candidate that decides as the one in force does, whatever comes. */
function firstAlike(simulation: Simulation, candidate: i32): i32 {
  const preferred = preference(simulation);
  const threshold = loadThreshold(simulation);
  for (let other = 0; preferred >= 0 && other < candidate; other++) {
    takeUp(simulation, other);
    const isAlike = preference(simulation) === preferred && loadThreshold(simulation) === threshold;
    if (isAlike && areRulesAlike(simulation, candidate, other)) return other;
  }
  return candidate;
}

/** Handles all events up to and including a time, as `run.runUntil` does, and tries candidates on the way. */
export function runUntil(simulation: Simulation, until: f64): Status {
  while (true) {
    const status = runEvents(simulation, until);
    if (status !== TRIAL_DUE) return status;
    choose(simulation);
  }
}

/** After the submit whose turn it is. */
function choose(simulation: Simulation): void {
  const last = simulation.next / simulation.every - 1;
  // Several submits of one instant may have had a turn, the last of which counts.
  for (let time = simulation.nextTrial / simulation.every - 1; time < last; time++) {
    put<i32>(columns.choiceLog, time, simulation.candidate);
  }
  if (simulation.choicesGiven !== 0) switchTo(simulation, at<i32>(columns.givenChoices, last));
  else if (waitingJobs(simulation) >= LEAST_QUEUE && tryAll(simulation)) chooseBest(simulation);
  put<i32>(columns.choiceLog, last, simulation.candidate);
  simulation.nextTrial = (last + 2) * simulation.every;
}

/** The candidate of the least score comes in force, if it is better by enough than the one that is. */
function chooseBest(simulation: Simulation): void {
  const prospects = columns.prospects;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const sum = exact.sumAt(columns.prospectSums, at<i32>(columns.memberOf, candidate));
    put<f64>(prospects, candidate, exact.rounded(sum));
  }
  const inForce = at<f64>(prospects, simulation.candidate);
  if (RECORDED) tried(simulation);
  if (inForce > 0) switchTo(simulation, bestByScore(simulation, inForce));
  simulation.trials++;
  const times = at<f64>(columns.timesChosen, simulation.candidate);
  put<f64>(columns.timesChosen, simulation.candidate, times + 1);
}

/** The candidate that is to be in force by the scores, which are brought up to date. */
function bestByScore(simulation: Simulation, inForce: f64): i32 {
  const scores = columns.scores;
  const old = simulation.smoothing;
  let best = 0;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const share = at<f64>(columns.prospects, candidate) / inForce;
    put<f64>(scores, candidate, old * at<f64>(scores, candidate) + (1 - old) * share);
    if (at<f64>(scores, candidate) < at<f64>(scores, best)) best = candidate;
  }
  const enough = (1 - simulation.hysteresis) * at<f64>(scores, simulation.candidate);
  return at<f64>(scores, best) < enough ? best : simulation.candidate;
}

/** A candidate comes in force. Where another job is next by its rules a pass follows at once. */
function switchTo(simulation: Simulation, candidate: i32): void {
  const before = simulation.candidate;
  if (candidate === before) return;
  simulation.candidate = candidate;
  simulation.switches++;
  takeUp(simulation, candidate);
  if (!areRulesAlike(simulation, candidate, before)) discipline.endInstant<OtherRun>(simulation);
}

/**
 * Trials: what would become of the waiting jobs under each candidate. The event loop goes on from a copy of
 * the state without submits, until all have ended; what jobs take is what is believed of it, and results are
 * written where nothing reads them. Then everything is as it was, but for the draws.
 */

/**
 * Tries all candidates in each of the futures. `prospectSums` then has the exact sums of what waiting jobs
 * would have for a response; returns false, and draws nothing, where nothing is known of any future.
 */
export function tryAll(simulation: Simulation): bool {
  const isDrawn = drawsFutures(simulation);
  if (isDrawn && simulation.ended === 0) return false;
  const queued = listQueue(simulation);
  const running = listRunning(simulation, isDrawn);
  const hasExtras = simulation.hasExtras;
  const logCapacity = simulation.logCapacity;
  clear(columns.prospectSums, <usize>(simulation.policyCount * exact.ENTRIES) * sizeof<u64>());
  branches.keep(simulation, columns.keptState);
  if (RECORDED) lookAway(true);
  let tried: i64 = 0;
  for (let future = 0; future < simulation.futures; future++) {
    const draws = simulation.draws;
    if (future > 0) goBackTo(simulation, draws);
    believe(simulation, running, queued, isDrawn);
    simulation.hasExtras = simulation.hasPredictions;
    simulation.logCapacity = 0;
    tried += tryInFuture(simulation, queued, isDrawn);
    simulation.hasExtras = hasExtras;
    simulation.logCapacity = logCapacity;
  }
  goBackTo(simulation, simulation.draws);
  takeUp(simulation, simulation.candidate);
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
    takeUp(simulation, candidate);
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

/**
 * What trials believe of the unknown future: when running jobs end, and how long waiting ones will
 * run. By their estimates; or where there are none as jobs did that have ended, drawn.
 */

/** How often an end is drawn for a running job that has run longer. */
const DRAWS: i32 = 8;

/** Lists the waiting jobs in the order of their queue; returns how many there are. */
export function listQueue(simulation: Simulation): i32 {
  const queued = columns.queuedJobs;
  let count = 0;
  if (simulation.hasPriorityQueue === 0) {
    for (let job = simulation.head; job < simulation.next; job++) put<i32>(queued, count++, job);
    return count;
  }
  for (let job = priorityQueue.headOf(simulation, 0); job >= 0; job = priorityQueue.behind(simulation, job)) {
    put<i32>(queued, count++, job);
  }
  return count;
}

/** Lists the keys of the running jobs, by job index where futures are drawn; returns how many there are. */
export function listRunning(simulation: Simulation, isDrawn: bool): i32 {
  const keys = columns.runningKeys;
  const count = simulation.running;
  for (let entry = 1; entry <= count; entry++) {
    const key = at<u64>(entryAt(entry), 1);
    let place = entry - 1;
    while (isDrawn && place > 0 && jobIn(at<u64>(keys, place - 1)) > jobIn(key)) {
      put<u64>(keys, place, at<u64>(keys, place - 1));
      place--;
    }
    put<u64>(keys, place, key);
  }
  return count;
}

/**
 * The running jobs of a list end as is believed; where futures are drawn it is also drawn what the waiting
 * ones of `queuedJobs` take.
 */
export function believe(simulation: Simulation, running: i32, queued: i32, isDrawn: bool): void {
  finishQueue.reset(simulation);
  for (let index = 0; index < running; index++) {
    const key = at<u64>(columns.runningKeys, index);
    const place = placeIn(key);
    const site = simulation.hasExtras !== 0 ? allocationAt(place).site : place;
    const end = believedEnd(simulation, jobIn(key), site, isDrawn);
    if (simulation.hasPredictions !== 0) predict(allocationAt(place), end);
    // Of a job that runs trials keep no more than its site, but where they predict ends themselves.
    finishQueue.push(simulation, end, jobIn(key), simulation.hasPredictions !== 0 ? place : site);
  }
  if (!isDrawn) return;
  for (let index = 0; index < queued; index++) {
    const job = at<i32>(columns.queuedJobs, index);
    put<f64>(columns.believedWork, job, drawWork(simulation, job));
  }
}

/** When a running job ends, after now. */
function believedEnd(simulation: Simulation, job: i32, site: i32, isDrawn: bool): f64 {
  const now = simulation.now;
  const start = at<f64>(columns.starts, job);
  for (let draw = 0; isDrawn && draw < DRAWS; draw++) {
    const time = workTime(simulation, drawWork(simulation, job), site);
    if (time > now - start) return start + time;
  }
  if (!isDrawn) {
    let end = start + predictedTimeAt(simulation, job, site);
    if (end < now && simulation.recentJobs > 0) end = start + requestedTimeAt(simulation, job, site);
    if (end > now) return end;
  }
  return now + overdueTime(simulation, now - start);
}

/** A running job is predicted to end when it is believed to. */
function predict(allocation: Allocation, end: f64): void {
  if (allocation.predictedEnd === end) return;
  predictions.correct(allocation.site, allocation.predictedEnd, end, allocation.processors);
  allocation.predictedEnd = end;
}

/** Candidates: policies, and with `CandidateRules` also who is next while they are in force. */

/** The entries of the rules of a candidate. */
enum Rule {
  Order = 0,
  Discipline = 1,
  BackfillOrder = 2,
}

/** A candidate that the host has written is the one that decides; false if a parameter is not finite. */
export function takeUp(simulation: Simulation, candidate: i32): bool {
  return takeUpFrom(simulation, columns.policies, columns.candidateRules, candidate);
}

/** The same of those that are at addresses. What is planned by other rules holds no longer. */
export function takeUpFrom(simulation: Simulation, policies: usize, rules: usize, candidate: i32): bool {
  if (simulation.hasRules !== 0) {
    simulation.order = ruleAt(rules, candidate, Rule.Order);
    simulation.discipline = ruleAt(rules, candidate, Rule.Discipline);
    simulation.backfillOrder = ruleAt(rules, candidate, Rule.BackfillOrder);
    simulation.planHolds = 0;
    simulation.reservedJob = 0;
  }
  return adoptFrom(simulation, policies, candidate);
}

/** Whether candidates are alike in who is next. */
export function areRulesAlike(simulation: Simulation, candidate: i32, other: i32): bool {
  if (simulation.hasRules === 0) return true;
  const rules = columns.candidateRules;
  for (let rule = 0; rule < columns.RULE_ENTRIES; rule++) {
    if (ruleAt(rules, candidate, rule) !== ruleAt(rules, other, rule)) return false;
  }
  return true;
}

@inline
function ruleAt(rules: usize, candidate: i32, rule: Rule): i32 {
  return <i32>at<f64>(rules, columns.RULE_ENTRIES * candidate + rule);
}

/** Makes a candidate the one that decides, if trials can be made of it; says which option it is not for. */
export function checkCandidate(simulation: Simulation, candidate: i32): Status {
  if (simulation.hasRules !== 0) {
    simulation.refusedOption = refusedRule(candidate);
    if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  }
  simulation.refusedOption = Option.Policy;
  if (!takeUp(simulation, candidate)) return Status.ParameterInvalid;
  if (!mayBeTried(simulation.policy)) return Status.PolicyUnknown;
  simulation.refusedOption = Option.NoEstimates;
  if (simulation.hasNoEstimates !== 0 && goesByEstimates(simulation)) return Status.OptionsConflict;
  simulation.refusedOption = -1;
  return Status.Finished;
}

/** The option whose values a rule of a candidate is not among, or -1. */
function refusedRule(candidate: i32): i32 {
  const first = columns.RULE_ENTRIES * candidate;
  const rules = columns.candidateRules;
  const backfillOrder = at<f64>(rules, first + Rule.BackfillOrder);
  const discipline = at<f64>(rules, first + Rule.Discipline);
  const order = at<f64>(rules, first + Rule.Order);
  if (!isOrder(order, at<f64>(columns.options, Option.Order))) return Option.Order;
  if (!isBelow(discipline, at<f64>(columns.options, Option.CandidateRules))) return Option.Discipline;
  if (backfillOrder === 0) return -1;
  const given = at<f64>(columns.options, Option.BackfillOrder) - 1;
  const isTaken = discipline === Discipline.Easy && isOrder(backfillOrder - 1, given);
  return isTaken ? -1 : Option.BackfillOrder;
}

/** Whether a number is an order that a candidate may have: its keys stay, and are at hand. */
function isOrder(value: f64, given: f64): bool {
  if (!isBelow(value, Order.COUNT) || ages(<i32>value)) return false;
  return value !== Order.Given || given === Order.Given;
}

@inline
function isBelow(value: f64, end: f64): bool {
  return value >= 0 && value < end && floor<f64>(value) === value;
}
