/** The binaries of the core, those of the package or your own. Importing this file lets `openCore` find them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Core, type CoreBuild, openCore, setCoreBinaryFinder } from '../core/module.js';
import { InputError } from '../errors.js';
import { explainReadError } from './fileSystem.js';

/**
 * Where the binary of a build is; also the file to embed in other hosts.
 * @example
 * console.log(coreFile('release').pathname.split('/').at(-1)); // release.wasm
 */
export function coreFile(build: CoreBuild): URL {
  return new URL(`../../build/${build}.wasm`, import.meta.url);
}

/** The path of a build of a core whose release build is at a path: `core.shared.wasm` beside `core.wasm`, `shared.wasm` beside `release.wasm`. */
export function pathOfOtherCoreBuild(path: string, build: CoreBuild): string {
  if (build === 'release') return path;
  const beside = path.replace(/(^|[\\/])release\.wasm$/, `$1${build}.wasm`);
  return beside === path ? path.replace(/(?:\.wasm)?$/, `.${build}.wasm`) : beside;
}

/** The release build of the core in use, where it is not that of the package. */
let customCorePath: string | undefined;

/** The path of the core in use, where it is not that of the package. */
export function customCoreFilePath(): string | undefined {
  return customCorePath;
}

function readCoreBinary(build: CoreBuild): Uint8Array<ArrayBuffer> {
  if (customCorePath === undefined) return readFileSync(coreFile(build));
  const path = pathOfOtherCoreBuild(customCorePath, build);
  try {
    return readFileSync(path);
  } catch (error) {
    const what = build === 'release' ? 'build/release.wasm' : `it beside ${customCorePath}`;
    throw explainReadError(path, error, `npm run build in a clone writes ${what}`);
  }
}

function switchCoreFile(path: string | undefined): void {
  customCorePath = path;
  setCoreBinaryFinder(readCoreBinary);
}

switchCoreFile(undefined);

/**
 * Simulations that begin from now on, and studies with their threads, run on another core, such as build/release.wasm
 * of a clone with other policies; without a path on that of the package.
 * @throws InputError for a file that cannot be read, is not a core, or is one of another version; the core of the
 * package then stays in use.
 * @example
 * import { fileURLToPath } from 'node:url';
 * useCoreFile(fileURLToPath(coreFile('release'))); // or 'core.wasm'
 * console.log(policies()[0].name); // best-fit
 * useCoreFile(); // that of the package again
 */
export function useCoreFile(path?: string): void {
  if (path === undefined && customCorePath === undefined) return;
  switchCoreFile(undefined);
  if (path === undefined) return;
  const version = openCore().abiVersion();
  switchCoreFile(path);
  try {
    const found = readAbiVersion(path);
    if (found === version) return;
    throw new InputError(
      `${path} has version ${found} of the contract between core and host, this program ${version}; build it again with npm run build, in a clone of this version`,
    );
  } catch (error) {
    switchCoreFile(undefined);
    throw error;
  }
}

function readAbiVersion(path: string): number {
  const binary = readCoreBinary('release');
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary));
    return (exports as unknown as Core).abiVersion();
  } catch {
    throw new InputError(
      `${path} is not a core of gridalloc; npm run build in a clone writes one, build/release.wasm`,
    );
  }
}

/** SHA-256 of the binary of a build that is in use, in hexadecimal digits. */
export function coreBinarySha256(build: CoreBuild): string {
  return createHash('sha256').update(readCoreBinary(build)).digest('hex');
}
