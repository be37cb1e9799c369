/**
 * `npm run build:native`: the core as a shared library, build/native/libgridalloc.so with gridalloc.h, by wasm2c of wabt and a compiler
 * of C (the environment variable CC, else cc). WASM2C_RUNTIME is the folder of wabt's wasm-rt.h and wasm-rt-impl.c. A folder as
 * an argument is where it goes instead. What is there and newer than its sources stays.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? `${root}build/native`;
const runtime = process.env.WASM2C_RUNTIME ?? '/usr/src/wasm2c';

/** gcc and clang contract a * b + c to one operation by default where the machine has it, which rounds once instead of twice. */
const OPTIONS = ['-O2', '-shared', '-fPIC', '-ffp-contract=off', '-w'];

const library = `${folder}/libgridalloc.so`;
const binary = `${root}build/release.wasm`;
const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = [
  binary,
  `${root}native/gridalloc.h`,
  `${root}native/gridalloc.c`,
  fileURLToPath(import.meta.url),
];
if (changed(library) > Math.max(...sources.map(changed))) process.exit();

mkdirSync(folder, { recursive: true });
copyFileSync(`${root}native/gridalloc.h`, `${folder}/gridalloc.h`);
execFileSync('wasm2c', ['-n', 'core', binary, '-o', `${folder}/core.c`]);
const compiled = [`${root}native/gridalloc.c`, `${folder}/core.c`, `${runtime}/wasm-rt-impl.c`];
const words = [...OPTIONS, `-I${folder}`, `-I${runtime}`, ...compiled, '-lm', '-o', library];
execFileSync(process.env.CC ?? 'cc', words, { stdio: 'inherit' });
