/** The Wasm module: where it is found, how it is instantiated, how its constants are read. */
import { readFileSync } from 'node:fs';
import { instantiateSync } from '@assemblyscript/loader';
import type { instantiate } from './bindings.js';

/**
 * `release` is what is used; `checked` traps on broken invariants; `shared` works on a memory shared by threads;
 * `explaining` writes down what happens around one job.
 */
export type CoreBuild = 'release' | 'checked' | 'shared' | 'explaining';

type Exports = Awaited<ReturnType<typeof instantiate>>;
type Enumerations =
  | 'Column'
  | 'Discipline'
  | 'Instant'
  | 'JobColumn'
  | 'Limit'
  | 'Metric'
  | 'Moldable'
  | 'MoldableFit'
  | 'MultiSite'
  | 'Option'
  | 'Resolution'
  | 'RuntimeReference'
  | 'Scalar'
  | 'Selection'
  | 'Status'
  | 'Topology';
type Numbers<E> = { readonly [Name in keyof E]: number };

/** An instance of the core: its functions, its memory, and its enumerations as plain numbers. */
export type Core = { readonly [Name in Enumerations]: Numbers<Exports[Name]> } & Omit<Exports, Enumerations>;

const modules = new Map<CoreBuild, WebAssembly.Module>();

/** Where the binary of a build is; also the file to embed in other hosts. */
export function coreFile(build: CoreBuild): URL {
  return new URL(`../../build/${build}.wasm`, import.meta.url);
}

function compiled(build: CoreBuild): WebAssembly.Module {
  let module = modules.get(build);
  if (module === undefined) {
    module = new WebAssembly.Module(readFileSync(coreFile(build)));
    modules.set(build, module);
  }
  return module;
}

/** An enumeration arrives as one WebAssembly.Global per member; they are read here, once. */
function numbersOf(members: Record<string, WebAssembly.Global>): Record<string, number> {
  return Object.fromEntries(Object.entries(members).map(([name, global]) => [name, global.value as number]));
}

/**
 * A fresh instance of the core. The compiled module is shared by all instances of a thread.
 * @param memory the shared memory to work on; for the `shared` build only.
 */
export function openCore(build: CoreBuild = 'release', memory?: WebAssembly.Memory): Core {
  const { exports } = instantiateSync<Record<string, unknown>>(
    compiled(build),
    memory === undefined ? {} : { env: { memory } },
  );
  const core: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(exports)) {
    const isEnumeration = typeof value === 'object' && /^[A-Z]/.test(name);
    core[name] = isEnumeration ? numbersOf(value as Record<string, WebAssembly.Global>) : value;
  }
  if (memory !== undefined) core.memory = memory;
  return core as Core;
}
