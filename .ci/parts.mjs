#!/usr/bin/env node
/**
 * Dear checks that are repeated only when what they depend on has changed: `parts.mjs due` prints those whose inputs are not
 * the ones with which they have passed last, `parts.mjs passed NAME...` writes down that they have. A part without a record
 * is due. passed.json is kept in the repository; .ci/release relies on none of it. `parts.mjs inputs NAME` lists the inputs of one.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const RECORD = '.ci/passed.json';
const CORE = [
  'assembly',
  'asconfig.json',
  'scripts/build.mjs',
  'scripts/finishCore.mjs',
  'package-lock.json',
];

/** What reports and the explorer depend on. */
const PAGES = [
  ...CORE,
  'host',
  'studies',
  ...['draw', 'explorer', 'pictures', 'portable', 'show'].map((folder) => `tests/${folder}`),
  ...[
    'cases',
    'chromium',
    'cli/runProgram',
    'runs/childProcess',
    'smallStudies',
    'temporaryFolder',
    'ways/samples',
  ].map((name) => `tests/${name}.ts`),
  'traces',
  'tsconfig.build.json',
  'web',
];

/** The files and folders on which each part depends, beside this folder's scripts. */
const PARTS = {
  /** The core in other hosts, and as a native library: `vitest --project hosts`. */
  hosts: [
    ...CORE,
    'host/core',
    'native',
    'scripts/contractFiles.ts',
    'scripts/native.mjs',
    'examples/hosts',
    'tests/docs/examples.ts',
    'tests/examples',
    'tests/portable',
    'tests/temporaryFolder.ts',
  ],
  /** Reports and the explorer in browsers: `vitest --project browsers`. */
  browsers: PAGES,
  /** Times of the explorer: `vitest --project pageTimes`. */
  pageTimes: PAGES,
  /** Studies under Slurm, and the accounting of real schedulers: `vitest --project cluster`. */
  cluster: [
    'docs/traces.md',
    'host/cli',
    'host/files',
    'host/runs',
    'host/study',
    'host/trace',
    'package-lock.json',
    'tests/accounting',
    ...['chromium', 'cli/runProgram', 'runs/childProcess', 'smallStudies', 'temporaryFolder'].map(
      (name) => `tests/${name}.ts`,
    ),
    'tests/slurm',
  ],
  /** The core compiled again, from what is in the package and with additions: `vitest --project package`. */
  package: [
    ...CORE,
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'host/cli/catalogue.ts',
    'host/cli/command.ts',
    'host/cli/commands/core.ts',
    'host/files/buildCore.ts',
    'host/options',
    'host/simulate/metrics.ts',
    'tests/core/agreement',
    'tests/core/simulateCore.ts',
    'tests/package',
    'tests/reference',
    'tests/temporaryFolder.ts',
  ],
  /** The program on other versions of Node: `vitest --project nodes`. */
  nodes: [
    'host/cli/main.ts',
    'host/cli/start.cts',
    'host/cli/thread.cts',
    'host/code',
    'host/runs',
    'package.json',
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/compileAhead.cjs',
    'scripts/program.mjs',
    ...['nodeVersions.test', 'packed'].map((name) => `tests/package/${name}.ts`),
    'tests/temporaryFolder.ts',
  ],
  /** A core with policies of one's own: `vitest --project ownCore`. */
  ownCore: [
    ...CORE,
    'docs/adding-a-policy.md',
    'host/cli',
    'host/config',
    'host/core',
    'host/files',
    'host/notation.ts',
    'host/options',
    'host/runs',
    'host/simulate',
    'host/workload',
    ...[
      'cli/core.test',
      'cli/runProgram',
      'core/simulateCore',
      'expectSame',
      'runs/childProcess',
      'temporaryFolder',
    ].map((name) => `tests/${name}.ts`),
    ...['cases', 'simulator'].map((name) => `tests/reference/${name}`),
  ],
  /** The programs of the benchmarks agree: `npm run bench -- --check`. */
  bench: [
    ...CORE,
    'bench',
    ...[
      'bench',
      'core',
      'files',
      'grid',
      'learn',
      'loops',
      'math',
      'options',
      'simulate',
      'trace',
      'workload',
    ].map((folder) => `host/${folder}`),
    'host/errors.ts',
  ],
};

/** Lines of comments alone, which change nothing that a part looks at. */
const COMMENTS = /^[ \t]*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)[ \t]*\n/gm;

const contentOf = (file) =>
  /\.m?ts$|\.mjs$/.test(file) ? readFileSync(file, 'utf8').replace(COMMENTS, '') : readFileSync(file);

/** All that is tracked, or new and not ignored, in some files and folders. */
function filesIn(paths) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  return execFileSync('git', words, { encoding: 'utf8' }).split('\0').filter(existsSync).sort();
}

/** The hash of some files and folders, but for comments of their own lines. */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const file of filesIn(paths)) hash.update(`${file}\0`).update(contentOf(file)).update('\0');
  return hash.digest('hex');
}

const inputs = (part) => hashOf([...PARTS[part], '.ci/run', '.ci/parts.mjs']);
const passed = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};
const [command, ...names] = process.argv.slice(2);

if (command === 'due') {
  const due = Object.keys(PARTS).filter((part) => names.includes('--all') || passed[part] !== inputs(part));
  console.log(due.join(' '));
} else if (command === 'inputs') {
  for (const name of names) console.log(filesIn(PARTS[name]).join('\n'));
} else {
  for (const name of names) passed[name] = inputs(name);
  writeFileSync(RECORD, `${JSON.stringify(passed, null, 2)}\n`);
}
