/** The binaries of the core, those of the package or your own. Importing this file lets `openCore` find them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Core, type CoreBuild, openCore, setCoreFinder } from '../core/module.js';
import { InputError } from '../errors.js';
import { readFault } from './fileSystem.js';

/**
 * Where the binary of a build is; also the file to embed in other hosts.
 * @example
 * console.log(coreFile('release').pathname.split('/').at(-1)); // release.wasm
 */
export function coreFile(build: CoreBuild): URL {
  return new URL(`../../build/${build}.wasm`, import.meta.url);
}

/** The path of a build of a core whose release build is at a path: `core.wasm`, beside it `core.shared.wasm`. */
export function buildBeside(path: string, build: CoreBuild): string {
  return build === 'release' ? path : path.replace(/(?:\.wasm)?$/, `.${build}.wasm`);
}

/** The release build of the core in use, where it is not that of the package. */
let own: string | undefined;

/** The path of the core in use, where it is not that of the package. */
export function ownCoreFile(): string | undefined {
  return own;
}

function readBinary(build: CoreBuild): Uint8Array<ArrayBuffer> {
  if (own === undefined) return readFileSync(coreFile(build));
  const path = buildBeside(own, build);
  try {
    return readFileSync(path);
  } catch (error) {
    const advice = build === 'release' ? 'writes one' : `writes it beside ${own}`;
    throw readFault(path, error, `gridalloc core build ${advice}`);
  }
}

function take(path: string | undefined): void {
  own = path;
  setCoreFinder(readBinary);
}

take(undefined);

/**
 * Simulations that begin from now on, and studies with their threads, run on a core that `gridalloc core build` has
 * written; without a path on that of the package.
 * @throws InputError for a file that cannot be read, is not a core, or is one of another version; the core of the
 * package then stays in use.
 * @example
 * import { fileURLToPath } from 'node:url';
 * useCoreFile(fileURLToPath(coreFile('release'))); // or 'core.wasm'
 * console.log(policies()[0].name); // best-fit
 * useCoreFile(); // that of the package again
 */
export function useCoreFile(path?: string): void {
  if (path === undefined && own === undefined) return;
  take(undefined);
  if (path === undefined) return;
  const version = openCore().abiVersion();
  take(path);
  try {
    const found = versionOf(path);
    if (found === version) return;
    throw new InputError(
      `${path} has version ${found} of the contract between core and host, this program ${version}; build it again with gridalloc core build`,
    );
  } catch (error) {
    take(undefined);
    throw error;
  }
}

function versionOf(path: string): number {
  const binary = readBinary('release');
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary));
    return (exports as unknown as Core).abiVersion();
  } catch {
    throw new InputError(`${path} is not a core of gridalloc; gridalloc core build writes one`);
  }
}

/** SHA-256 of the binary of a build that is in use, in hexadecimal digits. */
export function coreSha256(build: CoreBuild): string {
  return createHash('sha256').update(readBinary(build)).digest('hex');
}
