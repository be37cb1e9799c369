import { Limit, Status } from '../abi/abi';
import { StateSeal, simulationAt } from '../memory/state';
import { at } from '../memory/memory';
import { isArranged, isProvided, isSimulation } from './layout';
import { SCATTER, stir } from './jobs';

/** Seal of a saved state, checked before it is continued. */

const MAGIC: u32 = 0x6d697367;

/** Placeholder for a hash of the binary, which the build writes here (scripts/finishCore.mjs). */
const BUILD: f64 = 7919.0001220703125;

/**
 * Identifies this binary: 48 bits of its SHA-256, computed with 7919.0001220703125 in place of the number.
 */
export function buildId(): f64 {
  return BUILD;
}

/** Writes a seal into a laid-out block. */
export function seal(block: usize, version: i32): void {
  const seal = changetype<StateSeal>(block);
  seal.magic = MAGIC;
  seal.version = version;
  seal.build = BUILD;
  seal.bytes = simulationAt(block).bytes;
  seal.hash = hashOf(block, <usize>seal.bytes);
}

/** Checks that the bytes at an address are unchanged since this binary sealed them. */
export function check(block: usize, bytes: f64, version: i32): Status {
  if (!(bytes >= 0 && bytes <= 0xffffffff)) return Status.StateDamaged;
  if (!isProvided(block, max<u64>(<u64>bytes, Limit.HeadBytes))) return Status.MemoryMissing;
  const seal = changetype<StateSeal>(block);
  if (seal.magic !== MAGIC || <f64>seal.bytes !== bytes) return Status.StateDamaged;
  if (seal.hash !== hashOf(block, <usize>seal.bytes)) return Status.StateDamaged;
  if (seal.version !== version || seal.build !== BUILD) return Status.BuildDiffers;
  const isWhole = isSimulation(block) && simulationAt(block).bytes === <u32>bytes && isArranged(block);
  return isWhole ? Status.Finished : Status.StateDamaged;
}

/**
 * Hash of a block without its seal. Four lanes are computed in parallel; changing any one word changes the
 * hash.
 */
function hashOf(block: usize, bytes: usize): u64 {
  const begin = block + offsetof<StateSeal>();
  if (bytes < offsetof<StateSeal>()) return 0;
  const words = <i32>((bytes - offsetof<StateSeal>()) >> 3);
  let first = stir(SCATTER, at<u64>(block, 0));
  let second = stir(SCATTER, at<u64>(block, 1));
  let third = stir(SCATTER, at<u64>(block, 2));
  let fourth = SCATTER;
  let word = 0;
  for (; word + 4 <= words; word += 4) {
    first = stir(first, at<u64>(begin, word));
    second = stir(second, at<u64>(begin, word + 1));
    third = stir(third, at<u64>(begin, word + 2));
    fourth = stir(fourth, at<u64>(begin, word + 3));
  }
  for (; word < words; word++) first = stir(first, at<u64>(begin, word));
  for (let rest = words << 3; rest < <i32>(bytes - offsetof<StateSeal>()); rest++) {
    second = stir(second, at<u8>(begin, rest));
  }
  return stir(stir(stir(first, second), third), fourth);
}
