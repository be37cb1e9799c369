import { Status } from '../abi/abi';
import { Jobs, Simulation, Stage, blockOf, simulationAt } from '../memory/state';
import { memoryEnd } from '../memory/memory';

/** What is asked of an address before the block at it is used. */

export const JOBS: u32 = 0x73626f6a;
export const SIMULATION: u32 = 0x006d6973;

/** Bytes that there are addresses for. */
export const ADDRESSES: u64 = 0x100000000;

/** Whether so many bytes at an address are the host's, and in memory. */
export function isProvided(address: usize, bytes: u64): bool {
  return address >= __heap_base && (address & 15) === 0 && <u64>address + bytes <= memoryEnd();
}

/** Whether a job table has been laid out at an address, of which all is in memory. */
export function isJobTable(table: usize): bool {
  if (!isProvided(table, offsetof<Jobs>())) return false;
  return changetype<Jobs>(table).magic === JOBS && isProvided(table, changetype<Jobs>(table).bytes);
}

/** Whether a block has been prepared at an address, and no job table has been laid out in its place. */
export function isSimulation(block: usize): bool {
  const simulation = simulationAt(block);
  const head = changetype<usize>(simulation) - block + offsetof<Simulation>();
  if (!isProvided(block, head) || simulation.magic !== SIMULATION) return false;
  return changetype<Jobs>(block).magic !== JOBS;
}

/** Whether a block has been laid out at an address, of which all is in memory. */
export function isArranged(block: usize): bool {
  if (!isSimulation(block) || simulationAt(block).stage < Stage.Arranged) return false;
  return isProvided(block, simulationAt(block).bytes);
}

/** Whether blocks of so many bytes do not overlap. */
export function areApart(block: usize, bytes: u32, other: usize, otherBytes: u32): bool {
  return block + bytes <= other || other + otherBytes <= block;
}

/** Whether a simulation and a job table can work together: both are there, and apart from each other. */
export function checkBlocks(block: usize, table: usize): Status {
  if (!isSimulation(block) || simulationAt(block).stage < Stage.Arranged) return Status.NoSimulation;
  if (!isArranged(block)) return Status.MemoryMissing;
  if (!isJobTable(table)) return Status.NoJobTable;
  const jobs = changetype<Jobs>(table);
  if (!areApart(block, simulationAt(block).bytes, table, jobs.bytes)) return Status.MemoryMissing;
  if (jobs.identity === 0) return Status.JobsUnsealed;
  return jobs.count === simulationAt(block).jobCount ? Status.Finished : Status.JobsDiffer;
}

/** The same once the simulation has begun, with the table that it has begun with. */
export function checkBegun(block: usize, table: usize): Status {
  const status = checkBlocks(block, table);
  if (status !== Status.Finished) return status;
  if (simulationAt(block).stage !== Stage.Begun) return Status.NotBegun;
  const isSame = simulationAt(block).jobs === changetype<Jobs>(table).identity;
  return isSame ? Status.Finished : Status.JobsDiffer;
}
