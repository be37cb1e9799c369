/**
 * `npm run build:native`: compiles the core to a shared library, build/native/libgridalloc.so with
 * gridalloc.h, by wasm2c of wabt 1.0.32 and a C compiler (environment variable CC, default cc; further
 * options in CFLAGS). WASM2C_RUNTIME is the folder of wabt's wasm-rt.h. An argument names another output
 * folder. A result newer than its sources is kept.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? `${root}build/native`;
const runtime = process.env.WASM2C_RUNTIME ?? '/usr/src/wasm2c';

/** Version of wabt for whose function names and headers native/ is written. */
const WABT = '1.0.32';

const OPTIONS = [
  ...['-O2', '-shared', '-fPIC', '-pthread', '-fvisibility=hidden', '-Wl,-z,defs', '-w'],
  // By default gcc and clang contract a * b + c to one operation on some machines, which rounds once instead
  // of twice.
  '-ffp-contract=off',
  // Memory protection in native/runtime.c prevents accesses beyond the memory.
  '-DWASM_RT_MEMCHECK_SIGNAL_HANDLER=1',
  '-DWASM_RT_SKIP_SIGNAL_RECOVERY=1',
  ...(process.env.CFLAGS ?? '').split(' ').filter((word) => word !== ''),
];

const library = `${folder}/libgridalloc.so`;
const binary = `${root}build/release.wasm`;
/** Runs a tool; ends with one sentence if it is missing. */
function tool(name, words, how, debianPackage) {
  try {
    return execFileSync(name, words, how);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.error(
      `${name} is missing, and the native library is compiled by it: apt-get install ${debianPackage}`,
    );
    process.exit(1);
  }
}

const runWasm2c = (...words) => tool('wasm2c', words, { encoding: 'utf8' }, 'wabt');
const timeOfChange = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = [
  binary,
  ...['gridalloc.h', 'gridalloc.c', 'runtime.h', 'runtime.c'].map((file) => `${root}native/${file}`),
  fileURLToPath(import.meta.url),
];
if (timeOfChange(library) > Math.max(...sources.map(timeOfChange))) process.exit();

const version = runWasm2c('--version').trim();
if (version !== WABT) {
  console.error(
    `wasm2c is of wabt ${version}, but the native library needs wabt ${WABT}, as Debian 12 has it: install that, put it first on the path and run this again`,
  );
  process.exit(1);
}

// Builds in a temporary folder and moves the result as a whole, so that simultaneous builds do not interfere.
mkdirSync(folder, { recursive: true });
const aside = mkdtempSync(`${folder}/made-`);
try {
  runWasm2c('-n', 'core', binary, '-o', `${aside}/core.c`);
  const compiled = [`${root}native/gridalloc.c`, `${root}native/runtime.c`, `${aside}/core.c`];
  const made = `${aside}/libgridalloc.so`;
  const words = [...OPTIONS, `-I${aside}`, `-I${runtime}`, ...compiled, '-lm', '-o', made];
  tool(process.env.CC ?? 'cc', words, { stdio: 'inherit' }, 'gcc');
  copyFileSync(`${root}native/gridalloc.h`, `${aside}/gridalloc.h`);
  renameSync(`${aside}/gridalloc.h`, `${folder}/gridalloc.h`);
  renameSync(made, library);
} finally {
  rmSync(aside, { recursive: true, force: true });
}
