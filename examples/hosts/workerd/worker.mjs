/** An edge worker: it may not compile bytes, so the binary is imported as a module. */
import { runCases } from './cases.mjs';
import * as gridalloc from './gridalloc/host.js';
import module from './release.wasm';

export default {
  fetch() {
    return new Response(`${runCases(gridalloc, module).join('\n')}\n`);
  },
};
