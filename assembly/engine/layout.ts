import { Column, Metric, Option, Scalar, Simulation } from '../abi';
import { aligned, column, put } from '../memory';
import { length } from '../queue/window';

/** Reserves a column of `count` entries of type T at the block's end so far; returns its reference. */
function reserve<T>(simulation: Simulation, count: i32): u32 {
  const offset = simulation.bytes;
  simulation.bytes = aligned(offset + (<u32>count << alignof<T>()));
  return offset;
}

/** Number of jobs that can run at once: each holds at least one processor. */
@inline
function mostRunning(jobCount: i32, totalProcessors: i32): i32 {
  return min(jobCount, totalProcessors);
}

/**
 * Lays a simulation out at `block`, where the memory for at least its head must be there: scalars, site
 * columns, finish queue, job columns, processor sets, log. `logCapacity` 0 leaves processor sets out.
 * Returns the size in bytes, which the host provides before anything else is called.
 */
export function arrange(
  block: usize,
  jobCount: i32,
  siteCount: i32,
  totalProcessors: i32,
  logCapacity: i32,
): u32 {
  const simulation = changetype<Simulation>(block);
  const tracked = logCapacity > 0;
  simulation.bytes = aligned(offsetof<Simulation>());
  simulation.jobCount = jobCount;
  simulation.siteCount = siteCount;
  simulation.totalProcessors = totalProcessors;
  limitLog(simulation, logCapacity);
  simulation.option = reserve<f64>(simulation, Option.COUNT);
  simulation.capacity = reserve<i32>(simulation, siteCount);
  simulation.speed = reserve<f64>(simulation, siteCount);
  simulation.load = reserve<f64>(simulation, siteCount);
  simulation.mutable = simulation.bytes;
  simulation.metric = reserve<f64>(simulation, Metric.COUNT);
  simulation.free = reserve<u64>(simulation, siteCount);
  simulation.trial = reserve<u64>(simulation, siteCount);
  simulation.slot = reserve<i32>(simulation, siteCount);
  simulation.candidates = reserve<i32>(simulation, siteCount);
  simulation.siteBusy = reserve<f64>(simulation, siteCount);
  simulation.siteJobs = reserve<f64>(simulation, siteCount);
  simulation.homeResponse = reserve<f64>(simulation, siteCount);
  simulation.homeJobs = reserve<f64>(simulation, siteCount);
  // One entry more: the sentinel of the sorted array.
  const running = mostRunning(jobCount, totalProcessors) + 1;
  simulation.finishTime = reserve<f64>(simulation, running);
  simulation.finishJob = reserve<i32>(simulation, running);
  simulation.start = reserve<f64>(simulation, jobCount);
  simulation.execution = reserve<f64>(simulation, jobCount);
  simulation.site = reserve<i32>(simulation, jobCount);
  // Each site's processors start on a word of their own, so at most one word a site is partly used.
  simulation.freeBits = reserve<u64>(simulation, tracked ? (totalProcessors >> 6) + siteCount : 0);
  simulation.firstWord = reserve<i32>(simulation, tracked ? siteCount + 1 : 0);
  simulation.firstProcessor = reserve<i32>(simulation, tracked ? siteCount : 0);
  simulation.logIndex = reserve<i32>(simulation, tracked ? jobCount : 0);
  simulation.log = reserve<u64>(simulation, logCapacity);
  return simulation.bytes;
}

function limitLog(simulation: Simulation, logCapacity: i32): void {
  simulation.logCapacity = logCapacity;
  simulation.logLimit = logCapacity > 0 ? logCapacity - simulation.totalProcessors : i32.MAX_VALUE;
}

/** Enlarges the log of a simulation in place (it is the last column). Returns the new size in bytes. */
export function extendLog(block: usize, logCapacity: i32): u32 {
  const simulation = changetype<Simulation>(block);
  limitLog(simulation, logCapacity);
  simulation.bytes = aligned(simulation.log + (<u32>logCapacity << 3));
  return simulation.bytes;
}

/** Address of a column of a simulation. */
export function columnAddress(block: usize, which: Column): usize {
  const simulation = changetype<Simulation>(block);
  switch (which) {
    case Column.Capacity:
      return column(block, simulation.capacity);
    case Column.Speed:
      return column(block, simulation.speed);
    case Column.Load:
      return column(block, simulation.load);
    case Column.Start:
      return column(block, simulation.start);
    case Column.Execution:
      return column(block, simulation.execution);
    case Column.Site:
      return column(block, simulation.site);
    case Column.LogIndex:
      return column(block, simulation.logIndex);
    case Column.Log:
      return column(block, simulation.log);
    case Column.SiteBusy:
      return column(block, simulation.siteBusy);
    case Column.SiteJobs:
      return column(block, simulation.siteJobs);
    case Column.HomeResponse:
      return column(block, simulation.homeResponse);
    case Column.HomeJobs:
      return column(block, simulation.homeJobs);
    case Column.Metric:
      return column(block, simulation.metric);
    default:
      return 0;
  }
}

/** A scalar of a simulation's progress. */
export function scalar(block: usize, which: Scalar): f64 {
  const simulation = changetype<Simulation>(block);
  switch (which) {
    case Scalar.Bytes:
      return simulation.bytes;
    case Scalar.Now:
      return simulation.now;
    case Scalar.Submitted:
      return simulation.next;
    case Scalar.Waiting:
      return length(simulation);
    case Scalar.Running:
      return simulation.running;
    case Scalar.FreeProcessors:
      return <f64>simulation.freeProcessors;
    case Scalar.SpeedHeterogeneity:
      return simulation.speedHeterogeneity;
    case Scalar.LogLength:
      return simulation.logLength;
    case Scalar.RefusedJob:
      return simulation.refusedJob;
    case Scalar.RefusedSite:
      return simulation.refusedSite;
    default:
      return NaN;
  }
}

/** Sets an option; it takes effect with the next `begin`. */
export function setOption(block: usize, which: Option, value: f64): void {
  put<f64>(column(block, changetype<Simulation>(block).option), which, value);
}
