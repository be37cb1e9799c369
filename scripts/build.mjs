/**
 * `npm run build`: builds the core, then the host with the core's types, as far as sources have changed. With
 * a name (core, host, web, docs), only that part. `rm -r build dist` forces a full build.
 */
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { writeChanged } from './changed.mjs';
import { bundleProgram } from './program.mjs';

const run = promisify(execFile);

const BINDINGS_FILE = 'host/core/bindings.d.ts';
const STUDY_CHECK_FILE = 'host/study/studyCheck.js';
const COMPILED_LOOPS_FILE = 'host/loops/compiledLoops.ts';
const LOOP_FILES = ['loops', 'lineLoops', 'lineTexts', 'lineFields', 'lineWords', 'lineLayout'].map(
  (name) => `${name}.ts`,
);
/** Files with loops that the host calls. */
const LOOP_ENTRY_FILES = LOOP_FILES.slice(0, 3);
/** The function that reads four bytes: one load in WebAssembly, which TypeScript cannot say. */
const READ_FOUR_BYTES_PATTERN =
  /(export function readFourBytes\(bytes: Uint8Array, (\w+): i32\): i32 \{\n)[^}]*\}/;
const CONTRACT_FILE = 'host/core/contract.ts';

/** Features of WebAssembly in compiled cores, which AssemblyScript enables by default. */
const WASM_FEATURES = ['bulk-memory', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int', 'simd'];

/** Compiles one target of asconfig.json. */
async function compileCore(target, entry, ...options) {
  await runProgramOfDependency('assemblyscript/bin/asc.js', entry, '--target', target, ...options);
}

/** Optimizes a compiled core once more, for size. */
async function shrinkCore(binary) {
  const featureOptions = WASM_FEATURES.map((feature) => `--enable-${feature}`);
  await runProgramOfDependency(
    'binaryen/bin/wasm-opt',
    binary,
    ...featureOptions,
    '-Oz',
    '--converge',
    '-o',
    binary,
  );
}

/** Writes ids into compiled cores; the second binary is made from the first. */
async function finishCore(...binaryFiles) {
  await run(process.execPath, ['scripts/finishCore.mjs', ...binaryFiles]);
}

/**
 * Compiles the core and writes its types for the host; unchanged types are not rewritten, so the host is not
 * compiled again.
 */
async function compileRelease() {
  await compileCore('release', 'assembly/index.ts', '--bindings', 'raw');
  await shrinkCore('build/release.wasm');
  await finishCore('build/release.wasm', 'build/shared.wasm');
  writeChanged(BINDINGS_FILE, readFileSync('build/release.d.ts', 'utf8'));
}

/**
 * Compiles the host's loops to WebAssembly, stored as text in the host so that no file has to be found at run
 * time.
 */
async function compileLoops() {
  // Removes what AssemblyScript does not need: imported types (which it knows) and assertions that array
  // elements exist.
  mkdirSync('build/loops', { recursive: true });
  for (const name of LOOP_FILES) {
    const loopSource = readFileSync(`host/loops/${name}`, 'utf8')
      .replace(/^import type .*$/m, '')
      .replaceAll(']!', ']')
      .replaceAll(/ from '(.*)\.js';/g, " from '$1';")
      .replace(READ_FOUR_BYTES_PATTERN, '$1  return load<i32>(bytes.dataStart + $2);\n}');
    if (name === 'lineWords.ts' && !loopSource.includes('load<i32>'))
      throw new Error('lineWords.ts: expected the function readFourBytes, which is compiled to one load');
    writeFileSync(`build/loops/${name}`, loopSource);
  }
  const compilerOptions = [
    '-O3',
    '--runtime',
    'stub',
    '--noAssert',
    '--uncheckedBehavior',
    'always',
    '--use',
    'abort=',
  ];
  const loopEntryPaths = LOOP_ENTRY_FILES.map((name) => `build/loops/${name}`);
  await runProgramOfDependency(
    'assemblyscript/bin/asc.js',
    ...loopEntryPaths,
    ...compilerOptions,
    '-o',
    'build/loops/loops.wasm',
  );
  const loopsInBase64 = readFileSync('build/loops/loops.wasm').toString('base64');
  const moduleText = `/** The loops as WebAssembly, in base64; the build writes it. */\nexport const LOOPS: string =\n  '${loopsInBase64}';\n`;
  writeChanged(COMPILED_LOOPS_FILE, moduleText);
}

const CORE_SOURCE_PATHS = ['assembly', 'asconfig.json', 'scripts/finishCore.mjs'];

/** Build steps, each after those that it needs. */
const BUILD_STEPS = [
  {
    part: 'core',
    name: 'release',
    output: ['build/release.wasm', 'build/shared.wasm', BINDINGS_FILE],
    sources: CORE_SOURCE_PATHS,
    make: compileRelease,
  },
  {
    part: 'host',
    name: 'loops',
    output: COMPILED_LOOPS_FILE,
    sources: LOOP_FILES.map((name) => `host/loops/${name}`),
    make: compileLoops,
  },
  {
    part: 'host',
    name: 'contract',
    output: CONTRACT_FILE,
    sources: ['assembly', 'scripts/contract.ts', 'scripts/contractModule.ts'],
    make: () => runProgramOfDependency('tsx/dist/cli.mjs', 'scripts/contractModule.ts'),
  },
  ...[
    ['checked', 'assembly/testing.ts'],
    ['explaining', 'assembly/explaining.ts'],
  ].map(([name, entry]) => ({
    part: 'core',
    name,
    output: `build/${name}.wasm`,
    sources: CORE_SOURCE_PATHS,
    async make() {
      await compileCore(name, entry);
      await finishCore(`build/${name}.wasm`);
    },
  })),
  {
    part: 'host',
    name: 'studyCheck',
    after: ['loops', 'contract'],
    output: [STUDY_CHECK_FILE, 'host/study/studyCheck.d.ts'],
    sources: ['host/study/schema.ts', 'host/options', 'scripts/studyCheck.ts'],
    make: () => runProgramOfDependency('tsx/dist/cli.mjs', 'scripts/studyCheck.ts'),
  },
  {
    part: 'host',
    name: 'host',
    after: ['release', 'studyCheck'],
    output: 'dist/cli/main.js',
    sources: [
      'host',
      'scripts/program.mjs',
      'scripts/compileAhead.cjs',
      'tsconfig.json',
      'tsconfig.build.json',
    ],
    async make() {
      rmSync('dist', { recursive: true, force: true });
      await runProgramOfDependency('typescript/bin/tsc', '-p', 'tsconfig.build.json');
      copyFileSync(BINDINGS_FILE, 'dist/core/bindings.d.ts');
      copyFileSync(STUDY_CHECK_FILE, 'dist/study/studyCheck.js');
      await makeProgram();
    },
  },
  {
    part: 'host',
    name: 'figures',
    after: ['studyCheck'],
    output: 'build/figures.js.gz',
    sources: ['web/figures', 'host/draw', 'host/format', 'host/view'],
    async make() {
      const { outputFiles } = await bundle({
        entryPoints: ['web/figures/main.ts'],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: 'es2022',
        banner: { js: readFileSync('web/figures/licence.txt', 'utf8') },
      });
      writeFileSync('build/figures.js.gz', gzipSync(outputFiles[0].contents, { level: 9 }));
    },
  },
  {
    part: 'web',
    name: 'web',
    after: ['release', 'studyCheck'],
    output: 'build/web/index.html',
    sources: ['web/explorer', 'host'],
    make: () => runProgramOfDependency('vite/bin/vite.js', 'build', 'web/explorer', '--logLevel', 'error'),
  },
  {
    part: 'docs',
    name: 'generated',
    after: ['release', 'studyCheck'],
    output: [
      'docs/abi.json',
      'docs/summary.schema.json',
      'native/gridalloc.c',
      'native/gridalloc.h',
      'studies/study.schema.json',
    ],
    sources: ['assembly', 'host', 'scripts', 'docs', 'traces/conformance'],
    make: () => runProgramOfDependency('tsx/dist/cli.mjs', 'scripts/generated.ts'),
  },
];

/**
 * Bundles the program to one script and compiles it ahead. The dist folder of this script has a package.json
 * that declares scripts instead of modules.
 */
async function makeProgram() {
  const { text } = await bundleProgram();
  const startScript = readFileSync('dist/cli/start.cjs');
  const threadScript = readFileSync('dist/cli/thread.cjs', 'utf8').replace('./start.cjs', './main.js');
  rmSync('dist/cli', { recursive: true });
  mkdirSync('dist/cli');
  writeFileSync('dist/cli/package.json', '{ "type": "commonjs" }\n');
  writeFileSync('dist/cli/main.js', startScript, { mode: 0o755 });
  writeFileSync('dist/cli/thread.js', threadScript);
  writeFileSync('dist/cli/program.js', text);
  await run(process.execPath, ['scripts/compileAhead.cjs']);
}

/** Inputs of every step besides its own sources: versions of the compilers, and the build scripts. */
const COMMON_SOURCE_PATHS = ['package-lock.json', 'scripts/build.mjs', 'scripts/changed.mjs'];

/** Runs a program of a dependency. */
async function runProgramOfDependency(program, ...words) {
  await run(process.execPath, [`node_modules/${program}`, ...words]);
}

/** Time in milliseconds at which a file, or anything in a folder, was last changed, added or removed. */
function findTimeOfLastChange(path) {
  const fileStatus = statSync(path);
  const namesInside = fileStatus.isDirectory() ? readdirSync(path) : [];
  return Math.max(fileStatus.mtimeMs, ...namesInside.map((name) => findTimeOfLastChange(`${path}/${name}`)));
}

/** File whose time is the begin of the step's last success. */
const stampFileOf = (step) => `build/${step.name}.stamp`;

function isStepStale(step) {
  if (![step.output, stampFileOf(step)].flat().every(existsSync)) return true;
  return (
    Math.max(...[...step.sources, ...COMMON_SOURCE_PATHS].map(findTimeOfLastChange)) >=
    findTimeOfLastChange(stampFileOf(step))
  );
}

async function runStep(step) {
  const beginTime = new Date();
  rmSync(stampFileOf(step), { force: true });
  await step.make();
  writeFileSync(stampFileOf(step), '');
  utimesSync(stampFileOf(step), beginTime, beginTime);
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
mkdirSync('build', { recursive: true });
const part = process.argv[2];

/** Number of steps that may still start now, and the steps that wait for another one to end. */
let freeStepCount = availableParallelism();
const resolversOfWaitingSteps = [];

/** Runs a step when fewer steps are running than there are processors. */
async function runWhenFree(work) {
  if (freeStepCount > 0) freeStepCount -= 1;
  else await new Promise((resolveWait) => resolversOfWaitingSteps.push(resolveWait));
  try {
    await work();
  } finally {
    if (resolversOfWaitingSteps.length > 0) resolversOfWaitingSteps.shift()();
    else freeStepCount += 1;
  }
}

try {
  const endPromiseByStep = new Map();
  for (const step of BUILD_STEPS.filter((each) => part === undefined || each.part === part)) {
    const earlierStepsPromise = Promise.all((step.after ?? []).map((name) => endPromiseByStep.get(name)));
    endPromiseByStep.set(
      step.name,
      earlierStepsPromise.then(() => runWhenFree(() => (isStepStale(step) ? runStep(step) : undefined))),
    );
  }
  await Promise.all(endPromiseByStep.values());
} catch ({ stdout, stderr, message }) {
  console.error(`${stdout ?? ''}${stderr ?? ''}` || message);
  process.exitCode = 1;
}
