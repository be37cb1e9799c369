import { Limit, Status } from '../abi/abi';
import { StateSeal, simulationAt } from '../memory/state';
import { at } from '../memory/memory';
import { isArranged, isHostMemory, isSimulation } from './layout';
import { HASH_MULTIPLIER, addToHash } from './jobs';

/** Seal of a saved state, checked before it is continued. */

const MAGIC: u32 = 0x6d697367;

/** Placeholder for a hash of the binary, which the build writes here (scripts/finishCore.mjs). */
const BUILD_HASH: f64 = 7919.0001220703125;

/**
 * Identifies this binary: 48 bits of its SHA-256, computed with 7919.0001220703125 in place of the number.
 */
export function buildId(): f64 {
  return BUILD_HASH;
}

/** Writes a seal into a laid-out block. */
export function seal(block: usize, version: i32): void {
  const seal = changetype<StateSeal>(block);
  seal.magic = MAGIC;
  seal.version = version;
  seal.build = BUILD_HASH;
  seal.bytes = simulationAt(block).bytes;
  seal.hash = hashOf(block, <usize>seal.bytes);
}

/** Checks that the bytes at an address are unchanged since this binary sealed them. */
export function check(block: usize, bytes: f64, version: i32): Status {
  if (!(bytes >= 0 && bytes <= 0xffffffff)) return Status.StateDamaged;
  if (!isHostMemory(block, max<u64>(<u64>bytes, Limit.HeadBytes))) return Status.MemoryMissing;
  const seal = changetype<StateSeal>(block);
  if (seal.magic !== MAGIC || <f64>seal.bytes !== bytes) return Status.StateDamaged;
  if (seal.hash !== hashOf(block, <usize>seal.bytes)) return Status.StateDamaged;
  if (seal.version !== version || seal.build !== BUILD_HASH) return Status.BuildDiffers;
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
  let first = addToHash(HASH_MULTIPLIER, at<u64>(block, 0));
  let second = addToHash(HASH_MULTIPLIER, at<u64>(block, 1));
  let third = addToHash(HASH_MULTIPLIER, at<u64>(block, 2));
  let fourth = HASH_MULTIPLIER;
  let word = 0;
  for (; word + 4 <= words; word += 4) {
    first = addToHash(first, at<u64>(begin, word));
    second = addToHash(second, at<u64>(begin, word + 1));
    third = addToHash(third, at<u64>(begin, word + 2));
    fourth = addToHash(fourth, at<u64>(begin, word + 3));
  }
  for (; word < words; word++) first = addToHash(first, at<u64>(begin, word));
  for (let byte = words << 3; byte < <i32>(bytes - offsetof<StateSeal>()); byte++) {
    second = addToHash(second, at<u8>(begin, byte));
  }
  return addToHash(addToHash(addToHash(first, second), third), fourth);
}
