import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';

/** Makes a policy that the host has written that of the simulation, if its parameters are finite. */
export function adopt(simulation: Simulation, index: i32): bool {
  return adoptFrom(simulation, columns.policies, index);
}

/** The same of those that stand at an address. */
export function adoptFrom(simulation: Simulation, given: usize, index: i32): bool {
  const first = columns.POLICY_ENTRIES * index;
  const number = at<f64>(given, first);
  simulation.policy = number >= 0 && number < 1_000_000 ? <i32>number : -1;
  simulation.parameter0 = at<f64>(given, first + 1);
  simulation.parameter1 = at<f64>(given, first + 2);
  simulation.parameter2 = at<f64>(given, first + 3);
  simulation.parameter3 = at<f64>(given, first + 4);
  for (let entry = 1; entry < columns.POLICY_ENTRIES; entry++) {
    if (!isFinite(at<f64>(given, first + entry))) return false;
  }
  return true;
}
