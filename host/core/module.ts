/** The Wasm module: how it is handed in, how it is instantiated, how its constants are read. */
import { instantiateSync } from '@assemblyscript/loader';
import { InputError } from '../errors.js';
import type { instantiate } from './bindings.js';

/**
 * `release` is what is used; `checked` traps on broken invariants; `shared` works on a memory shared by threads;
 * `explaining` writes down what happens around one job.
 */
export type CoreBuild = 'release' | 'checked' | 'shared' | 'explaining';

type Exports = Awaited<ReturnType<typeof instantiate>>;
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

const modules = new Map<CoreBuild, WebAssembly.Module>();

/** Where the binary of a build comes from when nobody has handed it in. */
let findBinary: ((build: CoreBuild) => Uint8Array<ArrayBuffer>) | undefined;

/**
 * Hands in the binary of the core; all simulations that begin from now on run on it. Needed once, before the first
 * simulation, on hosts where the package does not read its own files: browsers, edge hosts.
 * @param binary the bytes of `gridalloc/core/release.wasm`, or the module compiled from them where the host allows no
 * compiling of bytes.
 * @example
 * import { readFile } from 'node:fs/promises';
 * setCore(await readFile(coreFile('release')));
 */
export function setCore(binary: BufferSource | WebAssembly.Module, build: CoreBuild = 'release'): void {
  modules.set(build, binary instanceof WebAssembly.Module ? binary : new WebAssembly.Module(binary));
  enumerations.delete(build);
}

/**
 * Says where the binaries of builds that nobody hands in come from; they are asked for when they are used. What came
 * from elsewhere before is given up.
 */
export function setCoreFinder(find: (build: CoreBuild) => Uint8Array<ArrayBuffer>): void {
  findBinary = find;
  modules.clear();
  enumerations.clear();
}

/** The module of a build that simulations begin on; threads may be given it, so that they run on the same. */
export function coreModule(build: CoreBuild): WebAssembly.Module {
  const known = modules.get(build);
  if (known !== undefined) return known;
  if (findBinary === undefined) {
    throw new InputError(
      `no core is here to simulate with; give the bytes of gridalloc/core/${build}.wasm to setCore first`,
    );
  }
  const module = new WebAssembly.Module(findBinary(build));
  modules.set(build, module);
  return module;
}

/** An enumeration arrives as one WebAssembly.Global per member; they are read here, once. */
function numbersOf(members: Record<string, WebAssembly.Global>): Record<string, number> {
  return Object.fromEntries(Object.entries(members).map(([name, global]) => [name, global.value as number]));
}

/** The enumerations of each build, from its first instance: reading them takes longer than a short simulation. */
const enumerations = new Map<CoreBuild, Constants>();

function enumerationsOf(build: CoreBuild, exports: Record<string, unknown>): Constants {
  const known = enumerations.get(build);
  if (known !== undefined) return known;
  const found = Object.entries(exports).filter(
    ([name, value]) => typeof value === 'object' && /^[A-Z]/.test(name),
  ) as [string, Record<string, WebAssembly.Global>][];
  const read = Object.fromEntries(found.map(([name, members]) => [name, numbersOf(members)]));
  enumerations.set(build, read as Constants);
  return read as Constants;
}

/**
 * A fresh instance of the core. The compiled module is shared by all instances of a thread.
 * @param memory the shared memory to work on; for the `shared` build only.
 * @example
 * console.log(openCore().Instant.Batched); // 1
 */
export function openCore(build: CoreBuild = 'release', memory?: WebAssembly.Memory): Core {
  const { exports, instance } = instantiateSync<Record<string, unknown>>(
    coreModule(build),
    memory === undefined ? {} : { env: { memory } },
  );
  const read = enumerationsOf(build, exports);
  constants ??= read;
  // The functions themselves: those of the loader take any number of arguments, which costs more than short calls do.
  const functions = Object.entries(instance.exports).filter(([, value]) => typeof value === 'function');
  return {
    ...exports,
    ...Object.fromEntries(functions),
    ...read,
    ...(memory && { memory }),
  } as unknown as Core;
}

let constants: Constants | undefined;

/** The enumerations of the core, for whoever needs no instance of it. */
export function coreConstants(): Constants {
  return constants ?? openCore();
}
