/**
 * `npm run build:native`: compiles the core to a shared library, build/native/libgridalloc.so with
 * gridalloc.h, by wasm2c of wabt 1.0.32 and a C compiler (environment variable CC, default cc; further
 * options in CFLAGS). WASM2C_RUNTIME is the folder of wabt's wasm-rt.h. An argument names another output
 * folder. A result newer than its sources is kept.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const rootFolder = fileURLToPath(new URL('..', import.meta.url));
const outputFolder = process.argv[2] ?? `${rootFolder}build/native`;
const runtimeFolder = process.env.WASM2C_RUNTIME ?? '/usr/src/wasm2c';

/** Version of wabt for whose function names and headers native/ is written. */
const WABT_VERSION = '1.0.32';

const COMPILER_OPTIONS = [
  ...['-O2', '-shared', '-fPIC', '-pthread', '-fvisibility=hidden', '-Wl,-z,defs', '-w'],
  // By default gcc and clang contract a * b + c to one operation on some machines, which rounds once instead
  // of twice.
  '-ffp-contract=off',
  // Memory protection in native/runtime.c prevents accesses beyond the memory.
  '-DWASM_RT_MEMCHECK_SIGNAL_HANDLER=1',
  '-DWASM_RT_SKIP_SIGNAL_RECOVERY=1',
  ...(process.env.CFLAGS ?? '').split(' ').filter((word) => word !== ''),
];

const libraryPath = `${outputFolder}/libgridalloc.so`;
const coreFile = `${rootFolder}build/release.wasm`;
/** Runs a tool; ends with one sentence if it is missing. */
function runTool(toolName, words, processOptions, debianPackage) {
  try {
    return execFileSync(toolName, words, processOptions);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.error(
      `${toolName} is missing, and the native library is compiled by it: apt-get install ${debianPackage}`,
    );
    process.exit(1);
  }
}

const runWasm2c = (...words) => runTool('wasm2c', words, { encoding: 'utf8' }, 'wabt');
const findTimeOfChange = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = [
  coreFile,
  ...['gridalloc.h', 'gridalloc.c', 'runtime.h', 'runtime.c'].map((file) => `${rootFolder}native/${file}`),
  fileURLToPath(import.meta.url),
];
if (findTimeOfChange(libraryPath) > Math.max(...sources.map(findTimeOfChange))) process.exit();

const version = runWasm2c('--version').trim();
if (version !== WABT_VERSION) {
  console.error(
    `wasm2c is of wabt ${version}, but the native library needs wabt ${WABT_VERSION}, as Debian 12 has it: install that, put it first on the path and run this again`,
  );
  process.exit(1);
}

// Builds in a temporary folder and moves the result as a whole, so that simultaneous builds do not interfere.
mkdirSync(outputFolder, { recursive: true });
const temporaryFolder = mkdtempSync(`${outputFolder}/made-`);
try {
  runWasm2c('-n', 'core', coreFile, '-o', `${temporaryFolder}/core.c`);
  const cSourcePaths = [
    `${rootFolder}native/gridalloc.c`,
    `${rootFolder}native/runtime.c`,
    `${temporaryFolder}/core.c`,
  ];
  const builtLibraryLocation = `${temporaryFolder}/libgridalloc.so`;
  const compilerWords = [
    ...COMPILER_OPTIONS,
    `-I${temporaryFolder}`,
    `-I${runtimeFolder}`,
    ...cSourcePaths,
    '-lm',
    '-o',
    builtLibraryLocation,
  ];
  runTool(process.env.CC ?? 'cc', compilerWords, { stdio: 'inherit' }, 'gcc');
  copyFileSync(`${rootFolder}native/gridalloc.h`, `${temporaryFolder}/gridalloc.h`);
  renameSync(`${temporaryFolder}/gridalloc.h`, `${outputFolder}/gridalloc.h`);
  renameSync(builtLibraryLocation, libraryPath);
} finally {
  rmSync(temporaryFolder, { recursive: true, force: true });
}
