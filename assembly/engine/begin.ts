import {
  Discipline,
  Instant,
  Limit,
  Moldable,
  MoldableFit,
  MultiSite,
  Option,
  Resolution,
  RuntimeReference,
  Selection,
  Status,
  Topology,
  plansAhead,
} from '../abi';
import { Jobs, Simulation } from '../state';
import * as columns from '../columns';
import { policyDeclaration } from '../allocators/registry';
import * as finishQueue from '../events/finishQueue';
import { speedup } from '../grid/execution';
import { resetProcessors } from '../grid/processors';
import { resetSites, speedOf, widestFor } from '../grid/sites';
import { at, clear } from '../memory';
import * as predictions from '../planning/predictions';
import * as ranked from '../queue/ranked';

/** Longest execution that is accepted: far beyond any log, and far from where doubles lose whole seconds. */
const LONGEST_EXECUTION: f64 = 1e15;

/** Takes the options and site columns that the host wrote and goes back to before the first event. */
export function begin(simulation: Simulation, jobs: Jobs): Status {
  clear(columns.mutable, changetype<usize>(simulation) + simulation.bytes - columns.mutable);
  resetCounters(simulation);
  const status = takeOptions(simulation);
  if (status !== Status.Finished) return status;
  const siteStatus = resetSites(simulation);
  if (siteStatus !== Status.Finished) return siteStatus;
  const pairStatus = checkPairs(simulation);
  if (pairStatus !== Status.Finished) return pairStatus;
  resetProcessors(simulation);
  finishQueue.reset(simulation);
  if (simulation.hasPredictions !== 0) predictions.reset(simulation);
  if (jobs.lastHome >= simulation.siteCount) return Status.JobHomeInvalid;
  if (simulation.ranked !== 0) ranked.reset(simulation, jobs.widest);
  return checkJobs(simulation, jobs);
}

function resetCounters(simulation: Simulation): void {
  simulation.now = 0;
  simulation.head = 0;
  simulation.next = 0;
  simulation.newcomer = -1;
  simulation.draws = 0;
  simulation.waitingObserved = 0;
  simulation.largestQueue = 0;
  simulation.decisionsAgreed = 0;
  simulation.decisionsBestFit = 0;
  simulation.decisionsFastestFirst = 0;
  simulation.restarts = 0;
  simulation.reclaimed = 0;
  simulation.passes = 0;
  simulation.planHolds = 0;
  simulation.planned = 0;
  simulation.planReserved = 0;
  simulation.planRemembers = 0;
  simulation.nextStartCount = 0;
  simulation.partsLength = 0;
  simulation.stopsLength = 0;
  simulation.refusedJob = -1;
  simulation.refusedSite = -1;
}

function takeOptions(simulation: Simulation): Status {
  const option = columns.options;
  const policy = at<f64>(option, Option.Policy);
  if (!(policy >= 0 && policy < 1e6) || policyDeclaration(<i32>policy) === 0) return Status.PolicyUnknown;
  simulation.policy = <i32>policy;
  simulation.parameter0 = at<f64>(option, Option.Parameter0);
  simulation.parameter1 = at<f64>(option, Option.Parameter1);
  simulation.parameter2 = at<f64>(option, Option.Parameter2);
  simulation.parameter3 = at<f64>(option, Option.Parameter3);
  if (!(isFinite(simulation.parameter0) && isFinite(simulation.parameter1))) return Status.ParameterInvalid;
  if (!(isFinite(simulation.parameter2) && isFinite(simulation.parameter3))) return Status.ParameterInvalid;
  if (!isChoice(option, Option.Resolution, Resolution.Floor)) return Status.OptionInvalid;
  if (!isChoice(option, Option.Instant, Instant.Batched)) return Status.OptionInvalid;
  if (!isChoice(option, Option.Discipline, Discipline.Conservative)) return Status.OptionInvalid;
  if (!isChoice(option, Option.Topology, Topology.Independent)) return Status.OptionInvalid;
  if (!isChoice(option, Option.Reclaim, 1)) return Status.OptionInvalid;
  if (!isChoice(option, Option.MultiSite, MultiSite.Adaptive)) return Status.OptionInvalid;
  if (!isAmount(at<f64>(option, Option.MinSpeedRatio))) return Status.OptionInvalid;
  if (!isAmount(at<f64>(option, Option.MultiSiteOverhead))) return Status.OptionInvalid;
  simulation.resolution = choice(option, Option.Resolution);
  simulation.instant = choice(option, Option.Instant);
  simulation.minSpeedRatio = at<f64>(option, Option.MinSpeedRatio);
  simulation.discipline = choice(option, Option.Discipline);
  simulation.topology = choice(option, Option.Topology);
  simulation.reclaim = choice(option, Option.Reclaim);
  simulation.multiSite = choice(option, Option.MultiSite);
  simulation.multiSiteOverhead = at<f64>(option, Option.MultiSiteOverhead);
  if (!isChoice(option, Option.Moldable, Moldable.UpDown)) return Status.OptionInvalid;
  if (!isChoice(option, Option.MoldableFit, MoldableFit.Power)) return Status.OptionInvalid;
  if (!isAmount(at<f64>(option, Option.MoldableThreshold))) return Status.OptionInvalid;
  if (!isAmount(at<f64>(option, Option.SpeedupA))) return Status.OptionInvalid;
  if (!isAmount(at<f64>(option, Option.SpeedupSigma))) return Status.OptionInvalid;
  simulation.moldable = choice(option, Option.Moldable);
  simulation.moldableFit = choice(option, Option.MoldableFit);
  simulation.moldableThreshold = at<f64>(option, Option.MoldableThreshold);
  simulation.speedupA = at<f64>(option, Option.SpeedupA);
  simulation.speedupSigma = at<f64>(option, Option.SpeedupSigma);
  if (!takePlanning(simulation)) return Status.OptionInvalid;
  const isWindow =
    simulation.discipline === Discipline.FirstComeFirstServed && simulation.topology === Topology.Shared;
  simulation.ranked = i32(!isWindow);
  return conflict(simulation) ? Status.OptionsConflict : Status.Finished;
}

/** The options of backfilling; whether they have values that there are. */
function takePlanning(simulation: Simulation): bool {
  const option = columns.options;
  const factor = at<f64>(option, Option.MultiSiteFactor);
  if (!isChoice(option, Option.Selection, Selection.NonAdaptive)) return false;
  if (!isChoice(option, Option.RuntimeReference, RuntimeReference.Home)) return false;
  if (!isAmount(factor) || (factor > 0 && factor < 1)) return false;
  if (!isAmount(at<f64>(option, Option.Interval))) return false;
  simulation.selection = choice(option, Option.Selection);
  simulation.runtimeReference = choice(option, Option.RuntimeReference);
  simulation.multiSiteFactor = factor;
  simulation.interval = at<f64>(option, Option.Interval);
  return true;
}

/** Whether an option is a whole number from 0 to `last`. */
function isChoice(option: usize, which: Option, last: i32): bool {
  const value = at<f64>(option, which);
  return value >= 0 && value <= <f64>last && floor<f64>(value) === value;
}

/** Whether a value is a finite number from 0 on. */
function isAmount(value: f64): bool {
  return value >= 0 && value < Infinity;
}

function choice(option: usize, which: Option): i32 {
  return <i32>at<f64>(option, which);
}

/** Combinations that the rules do not define, or for which `arrange` made no room. */
function conflict(simulation: Simulation): bool {
  if (simulation.ranked !== 0 && simulation.hasRanks === 0) return true;
  if (simulation.multiSite !== 0 && simulation.partCapacity === 0) return true;
  if (simulation.moldable !== 0) return moldableConflict(simulation) || hasPlanning(simulation);
  if (plansAhead(simulation.discipline)) return backfillingConflict(simulation);
  if (hasPlanning(simulation)) return true;
  if (simulation.reclaim !== 0) {
    const possible = simulation.hasGuests !== 0 && simulation.topology === Topology.PerHome;
    return !possible || simulation.multiSite !== 0;
  }
  return simulation.topology === Topology.PerHome && simulation.discipline === Discipline.FirstAvailable;
}

/** Whether an option is set that only backfilling heeds. */
function hasPlanning(simulation: Simulation): bool {
  if (simulation.hasTransfers !== 0 || simulation.interval > 0) return true;
  return simulation.multiSiteFactor > 0 || simulation.runtimeReference !== 0;
}

/** Backfilling chooses sites by itself, from one queue or on every site alone. */
function backfillingConflict(simulation: Simulation): bool {
  const isReady = simulation.hasPredictions !== 0 && simulation.planCapacity > 0;
  if (!isReady || simulation.multiSite !== 0 || simulation.reclaim !== 0) return true;
  if (simulation.topology === Topology.PerHome || simulation.minSpeedRatio > 0) return true;
  const isWhole = simulation.multiSiteFactor > 0 || simulation.interval > 0;
  if (simulation.topology === Topology.Independent && isWhole) return true;
  if (simulation.multiSiteFactor === 0) return false;
  const tooMany =
    simulation.selection === Selection.Optimal && simulation.siteCount > Limit.SitesOfSets;
  return tooMany || simulation.partCapacity === 0;
}

/** Moldable jobs are for first come, first served on one shared queue without further rules. */
function moldableConflict(simulation: Simulation): bool {
  if (simulation.hasMolds === 0 || simulation.ranked !== 0 || simulation.multiSite !== 0) return true;
  if (simulation.moldableThreshold > 0 && simulation.hasPredictions === 0) return true;
  if (simulation.speedupA !== 0 && simulation.speedupA < 1) return true;
  const tooMany = simulation.moldable === Moldable.UpDown && simulation.siteCount > 1;
  return tooMany || simulation.reclaim !== 0 || simulation.minSpeedRatio > 0;
}

/** Every job must have a home in the grid and a site that can ever hold it, and end in finite time. */
function checkJobs(simulation: Simulation, jobs: Jobs): Status {
  let slowest: f64 = Infinity;
  let longestFactor: f64 = 0;
  let shortestFactor: f64 = Infinity;
  let heaviest: f64 = 0;
  let allFit = true;
  for (let site = 0; site < simulation.siteCount; site++) {
    slowest = min<f64>(slowest, speedOf(site));
    longestFactor = max<f64>(longestFactor, at<f64>(columns.timeFactors, site));
    shortestFactor = min<f64>(shortestFactor, at<f64>(columns.timeFactors, site));
    heaviest = max<f64>(heaviest, at<f64>(columns.loads, site));
    allFit = allFit && widestAllowed(simulation, site) >= jobs.widest;
  }
  let overhead = simulation.multiSite !== 0 ? 1 + simulation.multiSiteOverhead : 1;
  if (simulation.moldable !== 0) overhead = speedup(simulation, jobs.widest);
  if (simulation.multiSiteFactor > 0) overhead = simulation.multiSiteFactor;
  if (simulation.runtimeReference === RuntimeReference.Home) slowest = shortestFactor / longestFactor;
  const longest = (overhead * jobs.longest * heaviest) / slowest + longestTransfer(simulation, jobs.largest);
  if (!(longest <= LONGEST_EXECUTION)) return Status.JobRuntimeInvalid;
  return allFit ? Status.Finished : checkWidths(simulation, jobs);
}

/** Seconds that so many bytes take at most between two sites. */
function longestTransfer(simulation: Simulation, bytes: f64): f64 {
  let longest: f64 = 0;
  const pairs = simulation.hasTransfers !== 0 ? simulation.siteCount * simulation.siteCount : 0;
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % (simulation.siteCount + 1) === 0) continue;
    longest = max<f64>(longest, bytes / at<f64>(columns.bandwidths, pair) + at<f64>(columns.latencies, pair));
  }
  return longest;
}

/** Checks what the host wrote of sites and of pairs of different sites. */
function checkPairs(simulation: Simulation): Status {
  for (let site = 0; site < simulation.siteCount; site++) {
    const factor = at<f64>(columns.timeFactors, site);
    simulation.refusedSite = site;
    if (!(factor > 0 && factor < Infinity)) return Status.SiteSpeedInvalid;
    for (let other = 0; other < simulation.siteCount && simulation.hasTransfers !== 0; other++) {
      const pair = site * simulation.siteCount + other;
      const isPossible = at<f64>(columns.bandwidths, pair) > 0 && isAmount(at<f64>(columns.latencies, pair));
      if (other !== site && !isPossible) return Status.TransferInvalid;
    }
  }
  simulation.refusedSite = -1;
  return Status.Finished;
}

/** The widest job of a home site that can ever start, on one site, by reclaiming its home, or split. */
function widestAllowed(simulation: Simulation, home: i32): i32 {
  if (simulation.moldable !== 0) return i32.MAX_VALUE;
  const atHome = at<i32>(columns.capacities, home);
  if (simulation.multiSite !== 0) {
    return simulation.topology === Topology.Independent ? atHome : simulation.totalProcessors;
  }
  if (simulation.multiSiteFactor > 0) return simulation.totalProcessors;
  const widest = widestFor(simulation, home);
  return simulation.reclaim !== 0 ? max(widest, atHome) : widest;
}

/** Looks for a job that is wider than every site it may ever use. */
function checkWidths(simulation: Simulation, jobs: Jobs): Status {
  const processors = columns.processors;
  const homes = columns.homes;
  for (let home = 0; home < simulation.siteCount; home++) {
    const widest = widestAllowed(simulation, home);
    for (let job = 0; job < jobs.count; job++) {
      if (at<i32>(homes, job) === home && at<i32>(processors, job) > widest) {
        simulation.refusedJob = job;
        return Status.JobTooWide;
      }
    }
  }
  return Status.Finished;
}
