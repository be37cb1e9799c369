import { Column, Option, Scalar } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { put } from '../memory';
import { length } from '../queue/waiting';

/** What the host reads and writes of a simulation that is laid out. */

/** Address of a column of a simulation; 0 for an unknown one. */
export function columnAddress(block: usize, which: Column): usize {
  return columns.columnAddress(changetype<Simulation>(block), which);
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
  columns.attachSimulation(changetype<Simulation>(block));
  put<f64>(columns.options, which, value);
}
