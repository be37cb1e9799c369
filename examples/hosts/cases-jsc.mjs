/** JavaScriptCore's shell, in this folder: `jsc -m cases-jsc.mjs`. */
import { runCases } from './cases.mjs';
import * as gridalloc from './node_modules/gridalloc/dist/core/host.js';

const binary = readFile('./node_modules/gridalloc/build/release.wasm', 'binary');
print(runCases(gridalloc, binary).join('\n'));
