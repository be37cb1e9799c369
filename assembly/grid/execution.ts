import { Option, Resolution, RuntimeReference, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import { at } from '../memory/memory';
import { speedOf } from './sites';

/** Execution times. Only this file reads runtimes during a simulation: policies never see them. */

/**
 * Execution time of a job on a site in seconds: resolve((runtime * load of its home) / speed), evaluated in
 * this order.
 */
@inline
export function executionTime(simulation: Simulation, job: i32, site: i32): f64 {
  const home = at<i32>(columns.homes, job);
  const runtime = at<f64>(columns.runtimes, job);
  const load = at<f64>(columns.loads, home);
  return checkedDuration(roundToResolution(simulation.resolution, (runtime * load) / speedOf(site)));
}

/**
 * Execution time of a split job in seconds: resolve((((1 + p) * runtime) * load of its home) / slowest
 * speed), evaluated in this order (Huang et al. 2007, section 6).
 */
export function executionTimeOnSites(simulation: Simulation, job: i32, slowestSpeed: f64): f64 {
  const load = at<f64>(columns.loads, at<i32>(columns.homes, job));
  const runtime = (1 + columns.optionOfRun(Option.MultiSiteOverhead)) * at<f64>(columns.runtimes, job);
  return checkedDuration(roundToResolution(simulation.resolution, (runtime * load) / slowestSpeed));
}

/**
 * Execution time in seconds of a moldable job on `processors` processors of a site: resolve(((runtime * load
 * of its home) * S(its processors)) / (S(processors) * speed)) (Huang et al. 2009).
 */
export function moldedExecutionTime(simulation: Simulation, job: i32, processors: i32, site: i32): f64 {
  const load = at<f64>(columns.loads, at<i32>(columns.homes, job));
  const work =
    at<f64>(columns.runtimes, job) * load * speedupOf(simulation, at<i32>(columns.processors, job));
  const executionSpeed = speedupOf(simulation, processors) * speedOf(site);
  return checkedDuration(roundToResolution(simulation.resolution, work / executionSpeed));
}

/**
 * Predicted execution time of a moldable job in seconds: `moldedExecutionTime` with the estimate in place of
 * the runtime, not rounded.
 */
export function predictedMoldedTime(simulation: Simulation, job: i32, processors: i32, site: i32): f64 {
  const work = predictedWork(job) * speedupOf(simulation, at<i32>(columns.processors, job));
  return work / (speedupOf(simulation, processors) * speedOf(site));
}

/** Execution time in seconds of a job split over several sites; see `durationOnSites`. */
export function executionTimeOnSeveralSites(
  simulation: Simulation,
  job: i32,
  sitesAddress: usize,
  siteCount: i32,
): f64 {
  return checkedDuration(
    durationOnSites(simulation, job, at<f64>(columns.runtimes, job), sitesAddress, siteCount),
  );
}

/** Execution time of a job on a single site in seconds; see `durationOnSites`. */
@inline
export function executionTimeOnSite(simulation: Simulation, job: i32, site: i32): f64 {
  const transferSeconds = transferTime(simulation, job, site);
  return checkedDuration(
    durationOnOneSite(simulation, job, at<f64>(columns.runtimes, job), site, transferSeconds),
  );
}

/** Predicted execution time on several sites in seconds, from the estimate. */
@inline
export function predictedTimeOnSites(
  simulation: Simulation,
  job: i32,
  sitesAddress: usize,
  siteCount: i32,
): f64 {
  return durationOnSites(simulation, job, at<f64>(columns.estimates, job), sitesAddress, siteCount);
}

/** Predicted execution time on a single site in seconds. */
@inline
export function predictedTimeOnOneSite(simulation: Simulation, job: i32, site: i32): f64 {
  const transferSeconds = transferTime(simulation, job, site);
  return durationOnOneSite(simulation, job, at<f64>(columns.estimates, job), site, transferSeconds);
}

/** Predicted execution time on the job's home in seconds. */
@inline
export function predictedTimeAtHome(simulation: Simulation, job: i32): f64 {
  return predictedTimeWithoutTransfer(simulation, job, at<i32>(columns.homes, job));
}

/** Predicted work of a job: seconds at speed 1, estimate * load of its home. */
@inline
export function predictedWork(job: i32): f64 {
  return at<f64>(columns.estimates, job) * at<f64>(columns.loads, at<i32>(columns.homes, job));
}

/**
 * Lower bound in seconds of the predicted time on a site for all jobs with at least this much work that may
 * use the site.
 */
@inline
export function leastRuntimeOnSite(simulation: Simulation, work: f64, site: i32): f64 {
  if (simulation.runtimeReference !== RuntimeReference.Home) {
    return roundToResolution(simulation.resolution, work / speedOf(site));
  }
  if (simulation.siteCount > 1 && simulation.topology !== Topology.Independent) return 0;
  const factor = at<f64>(columns.timeFactors, site);
  return roundToResolution(simulation.resolution, (work * factor) / factor);
}

/** Predicted execution time in seconds on a single site without data transfers. */
@inline
export function predictedTimeWithoutTransfer(simulation: Simulation, job: i32, site: i32): f64 {
  return durationOnOneSite(simulation, job, at<f64>(columns.estimates, job), site, 0);
}

@inline
function durationOnOneSite(
  simulation: Simulation,
  job: i32,
  runtime: f64,
  site: i32,
  transferSeconds: f64,
): f64 {
  const factor = at<f64>(columns.timeFactors, site);
  return durationAtSpeed(simulation, job, runtime, false, speedOf(site), factor, transferSeconds);
}

/**
 * Execution time in seconds on a list of sites, which all processors of the job share from start to end
 * (Zhang et al. 2006, eqs. 1 and 2): work / least speed, or (work * greatest h) / h of its home; plus the
 * longest transfer; then rounded. work = runtime * load of its home, for several sites * multi-site factor.
 */
function durationOnSites(
  simulation: Simulation,
  job: i32,
  runtime: f64,
  sitesAddress: usize,
  siteCount: i32,
): f64 {
  let speed: f64 = Infinity;
  let factor: f64 = 0;
  let transferSeconds: f64 = 0;
  for (let memberIndex = 0; memberIndex < siteCount; memberIndex++) {
    const site = at<i32>(sitesAddress, memberIndex);
    speed = min<f64>(speed, speedOf(site));
    factor = max<f64>(factor, at<f64>(columns.timeFactors, site));
    transferSeconds = max<f64>(transferSeconds, transferTime(simulation, job, site));
  }
  return durationAtSpeed(simulation, job, runtime, siteCount > 1, speed, factor, transferSeconds);
}

@inline
function durationAtSpeed(
  simulation: Simulation,
  job: i32,
  runtime: f64,
  isSplit: bool,
  speed: f64,
  factor: f64,
  transfer: f64,
): f64 {
  const home = at<i32>(columns.homes, job);
  let work = runtime * at<f64>(columns.loads, home);
  if (isSplit) work *= columns.optionOfRun(Option.MultiSiteFactor);
  const isRuntimeAtHomeSpeed = simulation.runtimeReference === RuntimeReference.Home;
  const duration = isRuntimeAtHomeSpeed ? (work * factor) / at<f64>(columns.timeFactors, home) : work / speed;
  return roundToResolution(simulation.resolution, duration + transfer);
}

/**
 * Lower bound in seconds of a job's predicted time on any two or more of the listed sites: uses the second
 * best of their speeds, time factors and transfers, because at most one of two sites has the best one.
 */
export function leastTimeOnTwoSites(
  simulation: Simulation,
  job: i32,
  sitesAddress: usize,
  siteCount: i32,
): f64 {
  let secondHighestSpeed: f64 = 0;
  let secondLeastTimeFactor: f64 = Infinity;
  let secondLeastTransfer: f64 = Infinity;
  let highestSpeed: f64 = 0;
  let leastTimeFactor: f64 = Infinity;
  let leastTransferTime: f64 = Infinity;
  for (let memberIndex = 0; memberIndex < siteCount; memberIndex++) {
    const site = at<i32>(sitesAddress, memberIndex);
    const siteSpeed = speedOf(site);
    secondHighestSpeed = max<f64>(secondHighestSpeed, min<f64>(siteSpeed, highestSpeed));
    highestSpeed = max<f64>(highestSpeed, siteSpeed);
    const siteTimeFactor = at<f64>(columns.timeFactors, site);
    secondLeastTimeFactor = min<f64>(secondLeastTimeFactor, max<f64>(siteTimeFactor, leastTimeFactor));
    leastTimeFactor = min<f64>(leastTimeFactor, siteTimeFactor);
    const siteTransferTime = transferTime(simulation, job, site);
    secondLeastTransfer = min<f64>(secondLeastTransfer, max<f64>(siteTransferTime, leastTransferTime));
    leastTransferTime = min<f64>(leastTransferTime, siteTransferTime);
  }
  return durationAtSpeed(
    simulation,
    job,
    at<f64>(columns.estimates, job),
    true,
    secondHighestSpeed,
    secondLeastTimeFactor,
    secondLeastTransfer,
  );
}

/** Requested execution time in seconds on a single site without data transfers. */
export function requestedTimeOnSite(simulation: Simulation, job: i32, site: i32): f64 {
  const load = at<f64>(columns.loads, at<i32>(columns.homes, job));
  return timeForWork(simulation, at<f64>(columns.requests, job) * load, site);
}

/** Execution time in seconds of work (runtime * load) on a site. */
export function timeForWork(simulation: Simulation, work: f64, site: i32): f64 {
  return roundToResolution(simulation.resolution, work / speedOf(site));
}

/** Assumed remaining seconds of a job that has run for `seconds` and has passed its predicted end. */
export function timeAfterOverrun(simulation: Simulation, seconds: f64): f64 {
  return roundToResolution(simulation.resolution, max<f64>(1, 0.5 * seconds));
}

/**
 * Requested execution time in seconds on several sites, for jobs whose estimates differ from their requests.
 */
export function requestedTimeOnSites(
  simulation: Simulation,
  job: i32,
  sitesAddress: usize,
  siteCount: i32,
): f64 {
  return durationOnSites(simulation, job, at<f64>(columns.requests, job), sitesAddress, siteCount);
}

/** Runtime of a finished job at speed 1 and load 1, from which estimates of later jobs are made. */
@inline
export function runtimeOfEndedJob(job: i32): f64 {
  return at<f64>(columns.runtimes, job);
}

/**
 * Speed-up S(n) on n processors relative to one. Either linear (n), as in Huang et al. 2009, or by average
 * parallelism A and variation sigma (Downey, A model for speedup of parallel programs, 1997).
 */
export function speedupOf(simulation: Simulation, processors: i32): f64 {
  const processorCount = <f64>processors;
  const averageParallelism = columns.optionOfRun(Option.SpeedupA);
  if (averageParallelism === 0) return processorCount;
  const speedupSigma = columns.optionOfRun(Option.SpeedupSigma);
  if (speedupSigma > 1) {
    if (processorCount > averageParallelism + averageParallelism * speedupSigma - speedupSigma)
      return averageParallelism;
    return (
      (processorCount * averageParallelism * (speedupSigma + 1)) /
      (speedupSigma * (processorCount + averageParallelism - 1) + averageParallelism)
    );
  }
  if (processorCount <= averageParallelism)
    return (
      (averageParallelism * processorCount) / (averageParallelism + (speedupSigma * (processorCount - 1)) / 2)
    );
  if (processorCount <= 2 * averageParallelism - 1)
    return (
      (averageParallelism * processorCount) /
      (speedupSigma * (averageParallelism - 0.5) + processorCount * (1 - speedupSigma / 2))
    );
  return averageParallelism;
}

/**
 * Returns an execution time (+infinity if it is unknown); in the checked build, checks that it is not
 * negative.
 */
@inline
function checkedDuration(time: f64): f64 {
  if (IS_CHECKED_BUILD) check(time >= 0, Invariant.ExecutionTime);
  return time;
}

/** Rounds a time to the resolution of the run. */
@inline
function roundToResolution(resolution: Resolution, time: f64): f64 {
  if (resolution === Resolution.Exact) return time;
  return floor<f64>(resolution === Resolution.Nearest ? time + 0.5 : time);
}

/**
 * Seconds to transfer a job's data from its home to a site: 0 at home, otherwise bytes / bandwidth + latency
 * (Zhang et al. 2006, section 3.2).
 */
@inline
export function transferTime(simulation: Simulation, job: i32, site: i32): f64 {
  if (simulation.hasTransfers === 0) return 0;
  const home = at<i32>(columns.homes, job);
  if (site === home) return 0;
  const pair = home * simulation.siteCount + site;
  const bytes: f64 = columns.dataSizes === 0 ? 0 : at<f64>(columns.dataSizes, job);
  return bytes / at<f64>(columns.bandwidths, pair) + at<f64>(columns.latencies, pair);
}
