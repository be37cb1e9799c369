/** The binaries of the core that come with the package. Importing this file lets `openCore` find them. */
import { readFileSync } from 'node:fs';
import { type CoreBuild, setCoreFinder } from '../core/module.js';

/**
 * Where the binary of a build is; also the file to embed in other hosts.
 * @example
 * console.log(coreFile('release').pathname.split('/').at(-1)); // release.wasm
 */
export function coreFile(build: CoreBuild): URL {
  return new URL(`../../build/${build}.wasm`, import.meta.url);
}

setCoreFinder((build) => readFileSync(coreFile(build)));
