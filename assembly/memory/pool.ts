/**
 * Entries of a column that are taken and returned: entry 0 is the stock, so that 0 can stand for none.
 * Every entry begins with a link, by which those that were returned hang together and whoever has taken
 * some may make a list of them. A pool has no address in it, so it may be copied.
 */
@unmanaged
class Entry {
  next: i32;
  /** Of the stock: the last entry that was ever taken. */
  used: i32;
}

@inline
function entryAt(pool: usize, size: usize, index: i32): Entry {
  return changetype<Entry>(pool + <usize>index * size);
}

/** No entry is taken; as many as are used are no part of the stock. */
export function reset(pool: usize, used: i32): void {
  const stock = changetype<Entry>(pool);
  stock.next = 0;
  stock.used = used;
}

/** An unused entry of this many bytes; it still has its earlier content. */
@inline
export function take(pool: usize, size: usize): i32 {
  const stock = changetype<Entry>(pool);
  const free = stock.next;
  if (free === 0) return ++stock.used;
  stock.next = entryAt(pool, size, free).next;
  return free;
}

/** An entry is returned. */
@inline
export function giveBack(pool: usize, size: usize, index: i32): void {
  const stock = changetype<Entry>(pool);
  entryAt(pool, size, index).next = stock.next;
  stock.next = index;
}
