/** The WebAssembly module of the core: how it is provided and instantiated. */
import { instantiateSync } from '@assemblyscript/loader';
import { InputError } from '../errors.js';
import { makeUnknownNameError } from '../notation.js';
import { type Constants, type Core, makeCoreFromExports, readConstantsOfExports } from './instance.js';

export type { Constants, Core, CoreOption, Enumeration } from './instance.js';

/**
 * Builds of the core: `release` for normal use; `checked` traps on violated invariants; `shared` for memory
 * shared by threads; `explaining` records the events around one job.
 */
const CORE_BUILDS = ['release', 'checked', 'shared', 'explaining'] as const;
export type CoreBuild = (typeof CORE_BUILDS)[number];

const coreModulesByBuild = new Map<CoreBuild, WebAssembly.Module>();

/** Function that loads the binary of a build, if the host has set one. */
let findCoreBinary: ((build: CoreBuild) => Uint8Array<ArrayBuffer>) | undefined;

/**
 * Provides the binary of the core for all simulations that begin from now on. Required once, before the first
 * simulation, on hosts where the package cannot read its files: browsers and edge hosts.
 * @param binary bytes of `gridalloc/core/release.wasm`, or the compiled module if the host does not permit
 * compilation.
 * @example
 * import { readFile } from 'node:fs/promises';
 * setCore(await readFile(coreFile('release')));
 */
export function setCore(binary: BufferSource | WebAssembly.Module, build: CoreBuild = 'release'): void {
  coreModulesByBuild.set(
    build,
    binary instanceof WebAssembly.Module ? binary : new WebAssembly.Module(binary),
  );
  coreConstantsByBuild.delete(build);
}

/**
 * Sets the source of binaries that are not provided directly; they are requested when used. Modules from an
 * earlier source are dropped.
 */
export function setCoreBinaryFinder(findBinary: (build: CoreBuild) => Uint8Array<ArrayBuffer>): void {
  findCoreBinary = findBinary;
  coreModulesByBuild.clear();
  coreConstantsByBuild.clear();
}

/** Compiled module of a build for new simulations; threads can use it to run the same core. */
export function loadCoreModule(build: CoreBuild): WebAssembly.Module {
  const loadedModule = coreModulesByBuild.get(build);
  if (loadedModule !== undefined) return loadedModule;
  if (findCoreBinary === undefined) {
    throw new InputError(
      `no core is loaded; give the bytes of gridalloc/core/${build}.wasm to setCore first`,
    );
  }
  const module = new WebAssembly.Module(findCoreBinary(build));
  coreModulesByBuild.set(build, module);
  return module;
}

/**
 * Enumerations of each build, cached from its first instance, since reading them takes longer than a short
 * simulation.
 */
const coreConstantsByBuild = new Map<CoreBuild, Constants>();

/**
 * Creates an instance of the core. All instances of a thread share the compiled module.
 * @param memory shared memory; only for the `shared` build.
 * @example
 * console.log(openCore().Instant.Batched); // 1
 */
export function openCore(build: CoreBuild = 'release', memory?: WebAssembly.Memory): Core {
  if (!CORE_BUILDS.includes(build))
    throw makeUnknownNameError('build of the core', String(build), CORE_BUILDS);
  // The exports themselves: those of the loader take any number of arguments, which costs more than short calls do.
  const { exports } = instantiateSync(
    loadCoreModule(build),
    memory === undefined ? {} : { env: { memory } },
  ).instance;
  const constants = coreConstantsByBuild.get(build) ?? readConstantsOfExports(exports);
  coreConstantsByBuild.set(build, constants);
  cachedCoreConstants ??= constants;
  return makeCoreFromExports(exports, memory, constants);
}

let cachedCoreConstants: Constants | undefined;

/** Enumerations of the core; opens an instance if there has been none. */
export function loadCoreConstants(): Constants {
  return cachedCoreConstants ?? openCore();
}
