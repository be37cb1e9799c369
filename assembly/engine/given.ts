import { Option, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { areSame, at, copyBytes, put } from '../memory/memory';

/**
 * What the host has given a simulation: options, and columns. A run goes by what `begin` has taken of it.
 * What is written later is for another run, so that this one stops until it has begun or all is as it was.
 */

/** Takes all. */
export function take(simulation: Simulation): void {
  // What fills the column up counts when simulations are compared.
  if ((simulation.siteCount & 1) !== 0) put<i32>(columns.givenCapacities, simulation.siteCount, 0);
  copyBytes(columns.capacities, columns.givenCapacities, columns.mutable - columns.givenCapacities);
  copyBytes(columns.takenOptions, columns.options, Option.COUNT * sizeof<f64>());
  noteOptions(simulation);
}

/** Policy and parameters are those that the host has set. */
export function takePolicy(simulation: Simulation): void {
  takePolicyFrom(simulation, columns.options, columns.takenOptions);
}

/** Policy and parameters are set again as they were taken. */
export function leavePolicy(simulation: Simulation): void {
  takePolicyFrom(simulation, columns.takenOptions, columns.options);
}

function takePolicyFrom(simulation: Simulation, from: usize, to: usize): void {
  for (let which: i32 = 0; which < Option.COUNT; which++) {
    if (isOfPolicy(which)) put<f64>(to, which, at<f64>(from, which));
  }
  noteOptions(simulation);
}

/** Whether an option says which policy it is, or is a parameter of it. */
export function isOfPolicy(which: Option): bool {
  switch (which) {
    case Option.Policy:
    case Option.Parameter0:
    case Option.Parameter1:
    case Option.Parameter2:
    case Option.Parameter3:
    case Option.Parameter4:
    case Option.Parameter5:
      return true;
    default:
      return false;
  }
}

/** Notes which option is not as it was taken. */
export function noteOptions(simulation: Simulation): void {
  simulation.differingOption = -1;
  for (let which: i32 = 0; which < Option.COUNT; which++) {
    if (at<u64>(columns.options, which) !== at<u64>(columns.takenOptions, which)) {
      simulation.differingOption = which;
      return;
    }
  }
}

/** Whether a run may go on: options and columns are what was taken, but for those by job. */
export function checkGiven(simulation: Simulation): Status {
  return check(simulation, columns.takenKeys);
}

/** Whether results are those of what is given, columns by job too. */
export function checkAllGiven(simulation: Simulation): Status {
  return check(simulation, columns.takenOptions);
}

@inline
function check(simulation: Simulation, end: usize): Status {
  if (simulation.differingOption >= 0) {
    simulation.refusedOption = simulation.differingOption;
    return Status.SettingsDiffer;
  }
  simulation.refusedOption = -1;
  const words = <i32>((end - columns.capacities) >> 3);
  const isSame = areSame(columns.capacities, columns.givenCapacities, words);
  return isSame ? Status.Finished : Status.SettingsDiffer;
}
