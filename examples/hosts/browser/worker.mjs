/** A Web Worker: it is sent the compiled module, and answers with the lines. */
import { runCases } from '../cases.mjs';
import * as gridalloc from '../node_modules/gridalloc/dist/core/host.js';

self.onmessage = ({ data }) => postMessage(runCases(gridalloc, data));
