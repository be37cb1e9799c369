/** A walk through the columns of a block, which are one behind another on multiples of 8. */

/** Where the next column is; wide enough for a block that has no addresses. */
export let end: u64 = 0;
/** The name of the column that the host asks for, else -1; and its address, once it is met. */
let wanted: i32 = -1;
let found: usize = 0;

/** The simulation that the addresses at hand were last formed for, 0 where it is not known of all. */
export let attached: usize = 0;

/** The first column is behind an address. */
@inline
export function begin(address: usize): void {
  attached = 0;
  end = (<u64>address + 7) & ~7;
}

/** All addresses are now those of a simulation and its job table. */
export function finish(simulation: usize): void {
  attached = simulation;
}

/** Address of the next column, with this many entries. */
@inline
export function column<T>(count: i64): usize {
  const address = <usize>end;
  end += (((<u64>count) << alignof<T>()) + 7) & ~7;
  return address;
}

/** The same for a column that the host knows by a name, by which it means the first. */
@inline
export function shown<T>(name: i32, count: i64): usize {
  const address = column<T>(count);
  if (name === wanted) {
    found = address;
    wanted = -1;
  }
  return address;
}

/** The next walk looks for a column. */
export function want(name: i32): void {
  wanted = name;
}

/** The address of the column that the last walk has looked for, 0 if it has not met it. */
export function takeFound(): usize {
  const address = found;
  wanted = -1;
  found = 0;
  return address;
}
