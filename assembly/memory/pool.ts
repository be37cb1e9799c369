/**
 * Pool of entries in a column. Entry 0 is the head of the list of unused entries, so that 0 can mean none.
 * Every entry begins with a link that chains unused entries; users of entries may link them in lists. A pool
 * contains no address, so it may be copied.
 */
@unmanaged
class Entry {
  next: i32;
  /** Highest entry index ever taken; stored only in entry 0. */
  used: i32;
}

@inline
function entryAt(pool: usize, size: usize, index: i32): Entry {
  return changetype<Entry>(pool + <usize>index * size);
}

/** Empties the list of unused entries; the first `used` entries stay in use. */
export function reset(pool: usize, used: i32): void {
  const stock = changetype<Entry>(pool);
  stock.next = 0;
  stock.used = used;
}

/** Takes an unused entry of `size` bytes; its content is not cleared. */
@inline
export function take(pool: usize, size: usize): i32 {
  const stock = changetype<Entry>(pool);
  const free = stock.next;
  if (free === 0) return ++stock.used;
  stock.next = entryAt(pool, size, free).next;
  return free;
}

/** Returns an entry to the pool. */
@inline
export function giveBack(pool: usize, size: usize, index: i32): void {
  const stock = changetype<Entry>(pool);
  entryAt(pool, size, index).next = stock.next;
  stock.next = index;
}
