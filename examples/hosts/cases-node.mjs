/** Node, Bun and Deno: `node cases-node.mjs`, `bun cases-node.mjs`, `deno run --allow-read cases-node.mjs`. */
import { readFileSync } from 'node:fs';
import * as gridalloc from 'gridalloc/core';
import { runCases } from './cases.mjs';

const binary = readFileSync(new URL(import.meta.resolve('gridalloc/core/release.wasm')));
console.log(runCases(gridalloc, binary).join('\n'));
