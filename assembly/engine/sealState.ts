import { Limit, Status } from '../abi/abi';
import { StateSeal, simulationAt } from '../memory/state';
import { at } from '../memory/memory';
import { isBlockArranged, isInHostMemory, isSimulation } from './layout';
import { HASH_MULTIPLIER, addToHash } from './jobs';

/** Seal of a saved state, checked before it is continued. */

const STATE_SEAL_MAGIC: u32 = 0x6d697367;

/** Placeholder for a hash of the binary, which the build writes here (scripts/finishCore.mjs). */
const BUILD_HASH: f64 = 7919.0001220703125;

/**
 * Identifies this binary: 48 bits of its SHA-256, computed with 7919.0001220703125 in place of the number.
 */
export function buildId(): f64 {
  return BUILD_HASH;
}

/** Writes a seal into a laid-out block. */
export function sealSavedState(blockAddress: usize, version: i32): void {
  const stateSeal = changetype<StateSeal>(blockAddress);
  stateSeal.magic = STATE_SEAL_MAGIC;
  stateSeal.version = version;
  stateSeal.build = BUILD_HASH;
  stateSeal.bytes = simulationAt(blockAddress).bytes;
  stateSeal.hash = hashOfBytes(blockAddress, <usize>stateSeal.bytes);
}

/** Checks that the bytes at an address are unchanged since this binary sealed them. */
export function checkStateSeal(blockAddress: usize, bytes: f64, version: i32): Status {
  if (!(bytes >= 0 && bytes <= 0xffffffff)) return Status.StateDamaged;
  if (!isInHostMemory(blockAddress, max<u64>(<u64>bytes, Limit.HeadBytes))) return Status.MemoryMissing;
  const stateSeal = changetype<StateSeal>(blockAddress);
  if (stateSeal.magic !== STATE_SEAL_MAGIC || <f64>stateSeal.bytes !== bytes) return Status.StateDamaged;
  if (stateSeal.hash !== hashOfBytes(blockAddress, <usize>stateSeal.bytes)) return Status.StateDamaged;
  if (stateSeal.version !== version || stateSeal.build !== BUILD_HASH) return Status.BuildDiffers;
  const isSealValid =
    isSimulation(blockAddress) &&
    simulationAt(blockAddress).bytes === <u32>bytes &&
    isBlockArranged(blockAddress);
  return isSealValid ? Status.Finished : Status.StateDamaged;
}

/**
 * Hash of a block, of its seal only magic, version, build and size. Four lanes are computed in parallel;
 * changing any one word changes the hash.
 */
function hashOfBytes(blockAddress: usize, bytes: usize): u64 {
  const beginAddress = blockAddress + offsetof<StateSeal>();
  if (bytes < offsetof<StateSeal>()) return 0;
  const words = <i32>((bytes - offsetof<StateSeal>()) >> 3);
  let hash0 = addToHash(HASH_MULTIPLIER, at<u64>(blockAddress, 0));
  let hash1 = addToHash(HASH_MULTIPLIER, at<u64>(blockAddress, 1));
  let hash2 = addToHash(HASH_MULTIPLIER, at<u64>(blockAddress, 2));
  let hash3 = HASH_MULTIPLIER;
  let word = 0;
  for (; word + 4 <= words; word += 4) {
    hash0 = addToHash(hash0, at<u64>(beginAddress, word));
    hash1 = addToHash(hash1, at<u64>(beginAddress, word + 1));
    hash2 = addToHash(hash2, at<u64>(beginAddress, word + 2));
    hash3 = addToHash(hash3, at<u64>(beginAddress, word + 3));
  }
  for (; word < words; word++) hash0 = addToHash(hash0, at<u64>(beginAddress, word));
  for (let byte = words << 3; byte < <i32>(bytes - offsetof<StateSeal>()); byte++) {
    hash1 = addToHash(hash1, at<u8>(beginAddress, byte));
  }
  return addToHash(addToHash(addToHash(hash0, hash1), hash2), hash3);
}
