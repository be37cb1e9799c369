/** The Wasm module: how it is handed in and instantiated. */
import { instantiateSync } from '@assemblyscript/loader';
import { InputError } from '../errors.js';
import { unknownNameError } from '../notation.js';
import { type Constants, type Core, constantsOfExports, coreFromExports } from './instance.js';

export type { Constants, Core, CoreOption, Enumeration } from './instance.js';

/**
 * `release` is for use; `checked` traps on broken invariants; `shared` works on a memory shared by threads;
 * `explaining` writes down what happens around one job.
 */
const CORE_BUILDS = ['release', 'checked', 'shared', 'explaining'] as const;
export type CoreBuild = (typeof CORE_BUILDS)[number];

const coreModulesByBuild = new Map<CoreBuild, WebAssembly.Module>();

/** Function that loads the binary of a build, unless the binary has been passed in. */
let findCoreBinary: ((build: CoreBuild) => Uint8Array<ArrayBuffer>) | undefined;

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
  coreModulesByBuild.set(
    build,
    binary instanceof WebAssembly.Module ? binary : new WebAssembly.Module(binary),
  );
  coreConstantsByBuild.delete(build);
}

/**
 * Sets where the binaries of builds come from that are not handed in; they are requested when they are used. What came
 * from elsewhere before is given up.
 */
export function setCoreBinaryFinder(findItem: (build: CoreBuild) => Uint8Array<ArrayBuffer>): void {
  findCoreBinary = findItem;
  coreModulesByBuild.clear();
  coreConstantsByBuild.clear();
}

/** The module of a build that simulations begin on; threads may be given it, so that they run on the same. */
export function coreModule(build: CoreBuild): WebAssembly.Module {
  const known = coreModulesByBuild.get(build);
  if (known !== undefined) return known;
  if (findCoreBinary === undefined) {
    throw new InputError(
      `no core is loaded; give the bytes of gridalloc/core/${build}.wasm to setCore first`,
    );
  }
  const module = new WebAssembly.Module(findCoreBinary(build));
  coreModulesByBuild.set(build, module);
  return module;
}

/** The enumerations of each build, from its first instance: reading them takes longer than a short simulation. */
const coreConstantsByBuild = new Map<CoreBuild, Constants>();

/**
 * A fresh instance of the core. The compiled module is shared by all instances of a thread.
 * @param memory the shared memory to work on; for the `shared` build only.
 * @example
 * console.log(openCore().Instant.Batched); // 1
 */
export function openCore(build: CoreBuild = 'release', memory?: WebAssembly.Memory): Core {
  if (!CORE_BUILDS.includes(build)) throw unknownNameError('build of the core', String(build), CORE_BUILDS);
  // The exports themselves: those of the loader take any number of arguments, which costs more than short calls do.
  const { exports } = instantiateSync(
    coreModule(build),
    memory === undefined ? {} : { env: { memory } },
  ).instance;
  const read = coreConstantsByBuild.get(build) ?? constantsOfExports(exports);
  coreConstantsByBuild.set(build, read);
  cachedCoreConstants ??= read;
  return coreFromExports(exports, memory, read);
}

let cachedCoreConstants: Constants | undefined;

/** The enumerations of the core, for code that needs no instance of it. */
export function coreConstants(): Constants {
  return cachedCoreConstants ?? openCore();
}
