/** Walks through the columns of a block, which follow each other at multiples of 8. */

/** Address of the next column; 64 bits wide for blocks beyond the address range. */
export let nextAddress: u64 = 0;
/** Name of the column that the host asks for, -1 if none; and its address once found, 0 before. */
let requestedColumnName: i32 = -1;
let requestedColumnAddress: usize = 0;

/** Simulation for which all current addresses were computed; 0 if unknown. */
export let attachedAddress: usize = 0;

/** Begins a walk at an address. */
@inline
export function begin(address: usize): void {
  attachedAddress = 0;
  nextAddress = (<u64>address + 7) & ~7;
}

/** Records that all addresses belong to a simulation and its job table. */
export function markAttached(simulation: usize): void {
  attachedAddress = simulation;
}

/** Returns the address of the next column, with `count` entries, and moves on. */
@inline
export function column<T>(count: i64): usize {
  const address = <usize>nextAddress;
  nextAddress += (((<u64>count) << alignof<T>()) + 7) & ~7;
  return address;
}

/** Like `column`, for a column that the host knows by a name; the first one with the name counts. */
@inline
export function namedColumn<T>(name: i32, count: i64): usize {
  const address = column<T>(count);
  if (name === requestedColumnName) {
    requestedColumnAddress = address;
    requestedColumnName = -1;
  }
  return address;
}

/** Makes the next walk search for a column. */
export function searchForColumn(name: i32): void {
  requestedColumnName = name;
}

/** Returns the address of the column that the last walk searched for; 0 if it was not found. */
export function takeRequestedColumnAddress(): usize {
  const address = requestedColumnAddress;
  requestedColumnName = -1;
  requestedColumnAddress = 0;
  return address;
}
