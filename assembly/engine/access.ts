import { Option, Status } from '../abi/abi';
import { Column, Room, Scalar } from '../abi/abiColumns';
import { Simulation, Stage, simulationAt } from '../memory/state';
import * as walk from '../memory/columnWalk';
import * as columns from '../memory/columns';
import { put } from '../memory/memory';
import { waitingJobCountOf } from '../queue/waiting';
import { isBlockArranged, isSimulation } from './layout';
import { keyedJob } from './decisions';
import { noteChangedOption } from './begin';
import { roomFor } from './room';

/** Reading and writing of a simulation by the host. */

/**
 * Address of a `Column`; 0 if the simulation does not have it. The host fills `Capacity`, `Speed`, `Load`,
 * with `RuntimeReference.Home` `TimeFactor`, with `Transfers` `Bandwidth` and `Latency`, and with
 * `Order.Given` `Key`. The capacities must add up to `processors`.
 */
export function columnAddress(block: usize, column: Column): usize {
  if (!isBlockArranged(block)) return 0;
  walk.searchForColumn(column);
  columns.attachSimulation(simulationAt(block));
  return walk.takeRequestedColumnAddress();
}

/**
 * Sets an `Option`. It takes effect with `begin`, a policy and its parameters also with `changePolicy`; until
 * then a run that has begun with another value refuses to continue. 0 everywhere means best-fit, first come
 * first served on one queue, `Exact`, `PerEvent`, all sites, no sets of processors.
 */
export function setOption(block: usize, option: Option, value: f64): Status {
  if (!isSimulation(block)) return Status.NoSimulation;
  if (option < 0 || option >= Option.COUNT) return Status.OptionUnknown;
  const simulation = simulationAt(block);
  columns.attachSimulation(simulation);
  put<f64>(columns.options, option, value);
  if (isBlockArranged(block) && simulation.stage >= Stage.Begun) noteChangedOption(simulation);
  return Status.Finished;
}

/** Sets one kind of `Room`. */
export function setRoom(block: usize, roomKind: Room, entries: f64): Status {
  if (!isSimulation(block)) return Status.NoSimulation;
  if (roomKind < 0 || roomKind >= Room.COUNT) return Status.RoomInvalid;
  columns.attachSimulation(simulationAt(block));
  put<f64>(columns.room, roomKind, entries);
  simulationAt(block).stage = Stage.Prepared;
  return Status.Finished;
}

/** Returns a kind of `Room`; NaN for an unknown one. */
export function room(block: usize, roomKind: Room): f64 {
  if (!isSimulation(block) || roomKind < 0 || roomKind >= Room.COUNT) return NaN;
  columns.attachSimulation(simulationAt(block));
  return roomFor(roomKind);
}

/** Returns a `Scalar`; NaN for an unknown one. */
export function scalar(block: usize, scalarKind: Scalar): f64 {
  return isSimulation(block) ? scalarOf(simulationAt(block), scalarKind) : NaN;
}

function scalarOf(simulation: Simulation, scalarKind: Scalar): f64 {
  switch (scalarKind) {
    case Scalar.Bytes:
      return simulation.bytes;
    case Scalar.Now:
      return simulation.now;
    case Scalar.Submitted:
      return simulation.hasDependencies !== 0 ? simulation.submittedJobs : simulation.next;
    case Scalar.Waiting:
      return waitingJobCountOf(simulation);
    case Scalar.Running:
      return simulation.runningJobs;
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
    case Scalar.RefusedOption:
      return simulation.refusedOption;
    case Scalar.RefusedRoom:
      return simulation.refusedRoom;
    case Scalar.Forks:
      return simulation.forks;
    case Scalar.Joins:
      return simulation.joins;
    case Scalar.SharedJobs:
      return <f64>simulation.sharedJobs;
    case Scalar.Counted:
      return simulation.hasPriorityQueue !== 0 ? simulation.countedJobCount : simulation.head;
    case Scalar.KeyedJob:
      return <f64>keyedJob(simulation);
    case Scalar.Span:
      return simulation.span;
    case Scalar.CapacitySteps:
      return simulation.stepsLength;
    case Scalar.FailedJobs:
      return simulation.failedLength;
    case Scalar.MovedReservations:
      return simulation.movedReservations;
    case Scalar.Trials:
      return simulation.trials;
    case Scalar.Switches:
      return simulation.switches;
    case Scalar.TriedJobs:
      return <f64>simulation.triedJobs;
    default:
      return NaN;
  }
}
