import { Option, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import { loadThreshold, preference } from '../allocators/registry';
import { takePolicies } from '../allocators/sharedPolicies';
import * as columns from '../memory/columns';
import * as discipline from '../disciplines/discipline';
import * as exact from '../sums/exactSum';
import { at, put } from '../memory/memory';
import { waitingJobs } from '../queue/waiting';
import { RECORDED, tried } from '../record/log';
import { OtherRun } from '../memory/runKind';
import * as candidates from './candidatePolicies';
import { hasPlainTrials } from './room';
import * as running from './run';
import { tryAll } from './trials';

/**
 * A policy that is another one at any time: of some candidates the one in force. Every so many submits, when
 * at least two jobs wait, all are tried (trials.ts), and the best comes in force.
 */

/** Fewer jobs than this leave nothing to be chosen. */
const LEAST_QUEUE: i32 = 2;

/** Takes the candidates that the host has written; the first is in force. */
export function begin(simulation: Simulation): Status {
  if (simulation.chooses === 0) return Status.Finished;
  for (let candidate = 0; candidate < simulation.policyCount; candidate++) {
    const status = candidates.check(simulation, candidate);
    if (status !== Status.Finished) return status;
    put<f64>(columns.scores, candidate, 1);
  }
  if (simulation.choicesGiven !== 0 && !areCandidates(simulation)) {
    simulation.refusedOption = Option.ChoicesGiven;
    return Status.ParameterInvalid;
  }
  simulation.sharesTrials = i32(hasPlainTrials(simulation) && takePolicies(simulation) === Status.Finished);
  for (let each = 0; simulation.sharesTrials === 0 && each < simulation.policyCount; each++) {
    candidates.takeUp(simulation, each);
    put<i32>(columns.memberOf, each, firstAlike(simulation, each));
  }
  for (let site = 0; site < simulation.siteCount; site++) put<f64>(columns.unitLoads, site, 1);
  simulation.nextTrial = simulation.every;
  candidates.takeUp(simulation, 0);
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
    candidates.takeUp(simulation, other);
    const isAlike = preference(simulation) === preferred && loadThreshold(simulation) === threshold;
    if (isAlike && candidates.areRulesAlike(simulation, candidate, other)) return other;
  }
  return candidate;
}

/** Handles all events up to and including a time, as `run.runUntil` does, and tries candidates on the way. */
export function runUntil(simulation: Simulation, until: f64): Status {
  while (true) {
    const status = running.runUntil(simulation, until);
    if (status !== running.TRIAL_DUE) return status;
    choose(simulation);
  }
}

/** After the submit whose turn it is. */
function choose(simulation: Simulation): void {
  const last = simulation.next / simulation.every - 1;
  // Several submits of one instant may have had a turn, of which the last counts.
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
  candidates.takeUp(simulation, candidate);
  if (!candidates.areRulesAlike(simulation, candidate, before)) discipline.endInstant<OtherRun>(simulation);
}
