import * as walk from './columnWalk';
import * as columns from './columns';
import { at } from './memory';
import { Jobs, Simulation } from './state';

/** What the addresses at hand follow from, while `walk.attached` says that they are all of one simulation. */
let attachedLayout: u64 = 0;
let attachedJobs: usize = 0;
let attachedIdentity: u64 = 0;

/** Makes the columns of a job table and a simulation the ones at hand. */
export function attach(simulation: Simulation, jobs: Jobs): void {
  place(simulation, jobs);
  columns.heedKnowledge(simulation);
}

/** Forms their addresses, if they are not at hand. */
function place(simulation: Simulation, jobs: Jobs): void {
  const address = changetype<usize>(simulation);
  const isSameBlock = walk.attached === address && attachedLayout === simulation.layout;
  if (isSameBlock && attachedJobs === changetype<usize>(jobs) && attachedIdentity === jobs.identity) return;
  columns.attachJobs(jobs);
  columns.attachSimulation(simulation);
  walk.finish(address);
  attachedLayout = simulation.layout;
  attachedJobs = changetype<usize>(jobs);
  attachedIdentity = jobs.identity;
}

/** A hash of all that the places of a simulation's columns follow from. */
export function layoutOf(simulation: Simulation): u64 {
  const first = changetype<usize>(simulation) + offsetof<Simulation>('jobCount');
  const words = <i32>((offsetof<Simulation>('tracksSets') - offsetof<Simulation>('jobCount')) >> 3);
  let hash = <u64>simulation.roomForRuns;
  hash = hash * MIX + simulation.roomForParts;
  hash = hash * MIX + simulation.roomForStops;
  for (let word = 0; word < words; word++) hash = hash * MIX + at<u64>(first, word);
  return hash;
}

/** An odd number with bits all over (Steele, Lea, Flood 2014). */
const MIX: u64 = 0x9e3779b97f4a7c15;
