/**
 * All raw loads and stores of the core. A column is the address of its first entry; entries are accessed by
 * index.
 */

@inline
export function at<T>(column: usize, index: i32): T {
  return load<T>(column + ((<usize>index) << alignof<T>()));
}

@inline
export function put<T>(column: usize, index: i32, value: T): void {
  store<T>(column + ((<usize>index) << alignof<T>()), value);
}

/** Copies `entryCount` entries between columns; source and target may overlap. */
@inline
export function moveEntries<T>(
  to: usize,
  targetIndex: i32,
  from: usize,
  sourceIndex: i32,
  entryCount: i32,
): void {
  memory.copy(
    to + ((<usize>targetIndex) << alignof<T>()),
    from + ((<usize>sourceIndex) << alignof<T>()),
    (<usize>entryCount) << alignof<T>(),
  );
}

/** Copies bytes between addresses. */
@inline
export function copyBytes(to: usize, from: usize, bytes: usize): void {
  memory.copy(to, from, bytes);
}

/** True if `words` words of 8 bytes are equal at two addresses. */
export function areBytesEqual(address: usize, other: usize, words: i32): bool {
  for (let word = 0; word < words; word++) {
    if (at<u64>(address, word) !== at<u64>(other, word)) return false;
  }
  return true;
}

/** Clears `bytes` bytes from an address on. */
@inline
export function clearBytes(address: usize, bytes: usize): void {
  memory.fill(address, 0, bytes);
}

/** Address after the last byte of memory. */
@inline
export function memoryEnd(): u64 {
  return (<u64>memory.size()) << 16;
}
