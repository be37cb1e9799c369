import { Instant, Jobs, Option, Resolution, Simulation, Status } from '../abi';
import * as columns from '../columns';
import { policyDeclaration } from '../allocators/registry';
import * as finishQueue from '../events/finishQueue';
import { resetProcessors } from '../grid/processors';
import { resetSites, speedOf, widestFor } from '../grid/sites';
import { at, clear } from '../memory';

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
  return checkJobs(simulation, jobs);
}

function resetCounters(simulation: Simulation): void {
  simulation.now = 0;
  simulation.head = 0;
  simulation.next = 0;
  simulation.newcomer = -1;
  simulation.draws = 0;
  simulation.events = 0;
  simulation.waitingObserved = 0;
  simulation.largestQueue = 0;
  simulation.decisionsAgreed = 0;
  simulation.decisionsBestFit = 0;
  simulation.decisionsFastestFirst = 0;
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
  const resolution = at<f64>(option, Option.Resolution);
  const instant = at<f64>(option, Option.Instant);
  const ratio = at<f64>(option, Option.MinSpeedRatio);
  if (!(resolution >= 0 && resolution <= Resolution.Floor)) return Status.OptionInvalid;
  if (!(instant >= 0 && instant <= Instant.Batched)) return Status.OptionInvalid;
  if (!(ratio >= 0 && ratio < Infinity)) return Status.OptionInvalid;
  simulation.resolution = <i32>resolution;
  simulation.instant = <i32>instant;
  simulation.minSpeedRatio = ratio;
  return Status.Finished;
}

/** Every job must have a home in the grid and a site that can ever hold it, and end in finite time. */
function checkJobs(simulation: Simulation, jobs: Jobs): Status {
  if (jobs.lastHome >= simulation.siteCount) return Status.JobHomeInvalid;
  const block = changetype<usize>(simulation);
  let slowest: f64 = Infinity;
  let heaviest: f64 = 0;
  let allFit = true;
  for (let site = 0; site < simulation.siteCount; site++) {
    slowest = min<f64>(slowest, speedOf(simulation, site));
    heaviest = max<f64>(heaviest, at<f64>(columns.loads, site));
    allFit = allFit && widestFor(simulation, site) >= jobs.widest;
  }
  if (!((jobs.longest * heaviest) / slowest <= LONGEST_EXECUTION)) return Status.JobRuntimeInvalid;
  return allFit ? Status.Finished : checkWidths(simulation, jobs);
}

/** Looks for a job that is wider than every site it may ever use. */
function checkWidths(simulation: Simulation, jobs: Jobs): Status {
  const processors = columns.processors;
  const homes = columns.homes;
  for (let home = 0; home < simulation.siteCount; home++) {
    const widest = widestFor(simulation, home);
    for (let job = 0; job < jobs.count; job++) {
      if (at<i32>(homes, job) === home && at<i32>(processors, job) > widest) {
        simulation.refusedJob = job;
        return Status.JobTooWide;
      }
    }
  }
  return Status.Finished;
}
