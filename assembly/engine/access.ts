import { Column, Option, Scalar } from '../abi';
import { Simulation } from '../state';
import { column, put } from '../memory';
import { length } from '../queue/waiting';

/** What the host reads and writes of a simulation that is laid out. */

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
    case Column.PartIndex:
      return column(block, simulation.partIndex);
    case Column.Parts:
      return column(block, simulation.parts);
    case Column.Held:
      return column(block, simulation.held);
    case Column.LostTime:
      return column(block, simulation.lostTime);
    case Column.TimeFactor:
      return column(block, simulation.timeFactor);
    case Column.Bandwidth:
      return column(block, simulation.bandwidth);
    case Column.Latency:
      return column(block, simulation.latency);
    case Column.StopJob:
      return column(block, simulation.stopJob);
    case Column.StopSite:
      return column(block, simulation.stopSite);
    case Column.StopStart:
      return column(block, simulation.stopStart);
    case Column.StopEnd:
      return column(block, simulation.stopEnd);
    case Column.StopLogIndex:
      return column(block, simulation.stopLogIndex);
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
    case Scalar.PartsLength:
      return simulation.partsLength;
    case Scalar.StopsLength:
      return simulation.stopsLength;
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
