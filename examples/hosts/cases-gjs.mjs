/** GNOME's JavaScript (SpiderMonkey), in this folder: `gjs -m cases-gjs.mjs`. */
import GLib from 'gi://GLib';
import { runCases } from './cases.mjs';
import * as gridalloc from './node_modules/gridalloc/dist/core/host.js';

const [, binary] = GLib.file_get_contents('node_modules/gridalloc/build/release.wasm');
print(runCases(gridalloc, binary).join('\n'));
