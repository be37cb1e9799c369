/**
 * Pool of entries in a column. Entry 0 is the head of the list of unused entries, so that 0 can mean none.
 * Every entry begins with a link that chains unused entries; users of entries may link them in lists. A pool
 * contains no address, so it may be copied.
 */
@unmanaged
class PoolEntry {
  next: i32;
  /** Highest entry index ever taken; stored only in entry 0. */
  used: i32;
}

@inline
function entryAt(poolAddress: usize, size: usize, index: i32): PoolEntry {
  return changetype<PoolEntry>(poolAddress + <usize>index * size);
}

/** Empties the list of unused entries; the first `usedEntryCount` entries stay in use. */
export function reset(poolAddress: usize, usedEntryCount: i32): void {
  const poolHead = changetype<PoolEntry>(poolAddress);
  poolHead.next = 0;
  poolHead.used = usedEntryCount;
}

/** Takes an unused entry of `size` bytes; its content is not cleared. */
@inline
export function takeEntry(poolAddress: usize, size: usize): i32 {
  const poolHead = changetype<PoolEntry>(poolAddress);
  const freeEntry = poolHead.next;
  if (freeEntry === 0) return ++poolHead.used;
  poolHead.next = entryAt(poolAddress, size, freeEntry).next;
  return freeEntry;
}

/** Returns an entry to the pool. */
@inline
export function returnEntry(poolAddress: usize, size: usize, index: i32): void {
  const poolHead = changetype<PoolEntry>(poolAddress);
  entryAt(poolAddress, size, index).next = poolHead.next;
  poolHead.next = index;
}
