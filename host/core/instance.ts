/** An instance of the core: its functions, its memory, and its enumerations as plain numbers. */
import type { instantiate as types } from './bindings.js';

type Exports = Awaited<ReturnType<typeof types>>;
/** The enumerations: what the core exports under names in capitals. */
export type Enumeration = {
  [Name in keyof Exports]: Name extends Capitalize<Name & string> ? Name : never;
}[keyof Exports];
type Numbers<E> = { readonly [Name in keyof E]: number };

/** The enumerations as plain numbers, the same in all builds. */
export type Constants = { readonly [Name in Enumeration]: Numbers<Exports[Name]> };

/**
 * An instance of the core: its functions and its memory, which docs/abi.md describes, and its enumerations as plain
 * numbers.
 */
export type Core = Constants & Omit<Exports, Enumeration>;

/** An option of the core. */
export type CoreOption = Exclude<keyof Core['Option'], 'COUNT'>;

/** The contract that this host knows. */
const VERSION = 5;

/** The enumerations that an instance exports, one global `Enumeration.Name` for each member. */
export function constantsOf(exports: WebAssembly.Exports): Constants {
  const found: Record<string, Record<string, number>> = {};
  for (const [name, value] of Object.entries(exports)) {
    const [enumeration = '', member] = name.split('.');
    if (member === undefined) continue;
    const members = found[enumeration] ?? {};
    found[enumeration] = members;
    // Where a module is imported as such, globals arrive as numbers.
    members[member] = (value as WebAssembly.Global).value ?? value;
  }
  return found as unknown as Constants;
}

/**
 * What an instance exports, as a core.
 * @param memory the shared memory that it works on, if it has none of its own.
 * @throws Error when it is of another version.
 */
export function coreOf(
  exports: WebAssembly.Exports,
  memory?: WebAssembly.Memory,
  constants: Constants = constantsOf(exports),
): Core {
  const core = { ...exports, ...constants, ...(memory && { memory }) } as unknown as Core;
  if (core.abiVersion() === VERSION) return core;
  throw new Error(`the core is of version ${core.abiVersion()}, expected ${VERSION}`);
}

/**
 * A fresh instance of the core.
 * @param binary the bytes of `gridalloc/core/release.wasm`, or the module compiled from them where the host allows no
 * compiling of bytes.
 * @param memory the shared memory to work on; for `shared.wasm` only.
 * @throws Error when the binary is of another version.
 */
export function instantiateCore(
  binary: BufferSource | WebAssembly.Module,
  memory?: WebAssembly.Memory,
): Core {
  const module = binary instanceof WebAssembly.Module ? binary : new WebAssembly.Module(binary);
  return coreOf(new WebAssembly.Instance(module, memory && { env: { memory } }).exports, memory);
}

/**
 * A number of an enumeration by its name.
 * @throws RangeError for a name that there is not.
 */
export function numberOf(enumeration: Readonly<Record<string, number>>, name: string): number {
  const number = enumeration[name];
  if (number !== undefined) return number;
  throw new RangeError(`no ${name}; there are ${Object.keys(enumeration)}`);
}
