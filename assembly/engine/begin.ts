import {
  Discipline,
  Instant,
  Moldable,
  MoldableFit,
  MultiSite,
  Option,
  Resolution,
  Status,
  Topology,
} from '../abi';
import { Jobs, Simulation } from '../state';
import * as columns from '../columns';
import { policyDeclaration } from '../allocators/registry';
import * as finishQueue from '../events/finishQueue';
import { speedup } from '../grid/execution';
import { resetProcessors } from '../grid/processors';
import { resetSites, speedOf, widestFor } from '../grid/sites';
import { at, clear, put } from '../memory';
import * as ranked from '../queue/ranked';

/** Longest execution that is accepted: far beyond any log, and far from where doubles lose whole seconds. */
const LONGEST_EXECUTION: f64 = 1e15;

/** Takes the options and site columns that the host wrote and goes back to before the first event. */
export function begin(simulation: Simulation, jobs: Jobs): Status {
  const block = changetype<usize>(simulation);
  clear(block + simulation.mutable, simulation.bytes - simulation.mutable);
  resetCounters(simulation);
  const status = takeOptions(simulation);
  if (status !== Status.Finished) return status;
  const siteStatus = resetSites(simulation);
  if (siteStatus !== Status.Finished) return siteStatus;
  resetProcessors(simulation);
  finishQueue.reset(simulation);
  if (jobs.lastHome >= simulation.siteCount) return Status.JobHomeInvalid;
  if (simulation.ranked !== 0) resetQueues(simulation, jobs.widest);
  return checkJobs(simulation, jobs);
}

function resetQueues(simulation: Simulation, widest: i32): void {
  ranked.reset(simulation, widest);
  for (let queue = 0; queue < simulation.siteCount; queue++) put<i32>(columns.newcomers, queue, -1);
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
  simulation.partsLength = 0;
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
  if (!isChoice(option, Option.Discipline, Discipline.FirstAvailable)) return Status.OptionInvalid;
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
  const isWindow =
    simulation.discipline === Discipline.FirstComeFirstServed && simulation.topology === Topology.Shared;
  simulation.ranked = i32(!isWindow);
  return conflict(simulation) ? Status.OptionsConflict : Status.Finished;
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
  if (simulation.moldable !== 0) return moldableConflict(simulation);
  if (simulation.reclaim !== 0) {
    const possible = simulation.hasGuests !== 0 && simulation.topology === Topology.PerHome;
    return !possible || simulation.multiSite !== 0;
  }
  return simulation.topology === Topology.PerHome && simulation.discipline === Discipline.FirstAvailable;
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
  let heaviest: f64 = 0;
  let allFit = true;
  for (let site = 0; site < simulation.siteCount; site++) {
    slowest = min<f64>(slowest, speedOf(site));
    heaviest = max<f64>(heaviest, at<f64>(columns.loads, site));
    allFit = allFit && widestAllowed(simulation, site) >= jobs.widest;
  }
  let overhead = simulation.multiSite !== 0 ? 1 + simulation.multiSiteOverhead : 1;
  if (simulation.moldable !== 0) overhead = speedup(simulation, jobs.widest);
  if (!((overhead * jobs.longest * heaviest) / slowest <= LONGEST_EXECUTION)) return Status.JobRuntimeInvalid;
  return allFit ? Status.Finished : checkWidths(simulation, jobs);
}

/** The widest job of a home site that can ever start, on one site, by reclaiming its home, or split. */
function widestAllowed(simulation: Simulation, home: i32): i32 {
  if (simulation.moldable !== 0) return i32.MAX_VALUE;
  const atHome = at<i32>(columns.capacities, home);
  if (simulation.multiSite !== 0) {
    return simulation.topology === Topology.Independent ? atHome : simulation.totalProcessors;
  }
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
