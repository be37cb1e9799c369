/**
 * The only raw loads and stores. A column is the address of its first entry; entries are read and
 * written by index. Addresses are formed afresh from a block's relative references, so nothing stored in
 * a block is an address.
 */

/** Address of a column, from its block and the block's relative reference. */
@inline
export function column(block: usize, offset: u32): usize {
  return block + <usize>offset;
}

@inline
export function at<T>(column: usize, index: i32): T {
  return load<T>(column + (<usize>index << alignof<T>()));
}

@inline
export function put<T>(column: usize, index: i32, value: T): void {
  store<T>(column + (<usize>index << alignof<T>()), value);
}

/** Writes the entry after `index`; next to a read of `index` it shares the address. */
@inline
export function putNext<T>(column: usize, index: i32, value: T): void {
  store<T>(column + (<usize>index << alignof<T>()), value, sizeof<T>());
}

/** Copies `count` entries from one place to another; the places may overlap. */
@inline
export function move<T>(to: usize, toIndex: i32, from: usize, fromIndex: i32, count: i32): void {
  memory.copy(
    to + (<usize>toIndex << alignof<T>()),
    from + (<usize>fromIndex << alignof<T>()),
    <usize>count << alignof<T>(),
  );
}

/** Clears `bytes` bytes from an address on. */
@inline
export function clear(address: usize, bytes: usize): void {
  memory.fill(address, 0, bytes);
}

/** First multiple of 8 at or above. */
@inline
export function aligned(offset: u32): u32 {
  return (offset + 7) & ~7;
}
