/** Binaries of the core, included or custom. Importing this file lets `openCore` find them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Core, type CoreBuild, openCore, setCoreBinaryFinder } from '../core/module.js';
import { InputError } from '../errors.js';
import { explainReadError } from './fileSystem.js';

/**
 * Address of the binary of a build, which can also be embedded in other hosts.
 * @example
 * console.log(coreFile('release').pathname.split('/').at(-1)); // release.wasm
 */
export function coreFile(build: CoreBuild): URL {
  return new URL(`../../build/${build}.wasm`, import.meta.url);
}

/**
 * Path of another build of a core, next to its release build: `core.shared.wasm` beside `core.wasm`,
 * `shared.wasm` beside `release.wasm`.
 */
export function makePathOfOtherCoreBuild(path: string, coreBuild: CoreBuild): string {
  if (coreBuild === 'release') return path;
  const otherBuildPath = path.replace(/(^|[\\/])release\.wasm$/, `$1${coreBuild}.wasm`);
  return otherBuildPath === path ? path.replace(/(?:\.wasm)?$/, `.${coreBuild}.wasm`) : otherBuildPath;
}

/** Path of the release build of a custom core; undefined for the included core. */
let customCorePath: string | undefined;

/** Path of the custom core in use; undefined for the included core. */
export function getCustomCoreFilePath(): string | undefined {
  return customCorePath;
}

function readCoreBinary(coreBuild: CoreBuild): Uint8Array<ArrayBuffer> {
  if (customCorePath === undefined) return readFileSync(coreFile(coreBuild));
  const path = makePathOfOtherCoreBuild(customCorePath, coreBuild);
  try {
    return readFileSync(path);
  } catch (error) {
    const expectedFileText = coreBuild === 'release' ? 'build/release.wasm' : `it beside ${customCorePath}`;
    throw explainReadError(path, error, `npm run build in a clone writes ${expectedFileText}`);
  }
}

function switchCoreFile(path: string | undefined): void {
  customCorePath = path;
  setCoreBinaryFinder(readCoreBinary);
}

switchCoreFile(undefined);

/**
 * Selects the core for new simulations and studies, such as build/release.wasm of a clone with additional
 * policies; without a path, the included core.
 * @throws InputError for a file that cannot be read, is not a core, or has another version; the previous core
 * then stays selected.
 * @example
 * import { fileURLToPath } from 'node:url';
 * useCoreFile(fileURLToPath(coreFile('release'))); // or 'core.wasm'
 * console.log(policies()[0].name); // best-fit
 * useCoreFile(); // the bundled core again
 */
export function useCoreFile(path?: string): void {
  if (path === undefined && customCorePath === undefined) return;
  switchCoreFile(undefined);
  if (path === undefined) return;
  const version = openCore().abiVersion();
  switchCoreFile(path);
  try {
    const abiVersionOfFile = readAbiVersion(path);
    if (abiVersionOfFile === version) return;
    throw new InputError(
      `${path} has version ${abiVersionOfFile} of the contract between core and host, this program ${version}; build it again with npm run build, in a clone of this version`,
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

/** SHA-256 of the binary of a build in use, in hexadecimal digits. */
export function hashCoreBinarySha256(build: CoreBuild): string {
  return createHash('sha256').update(readCoreBinary(build)).digest('hex');
}
