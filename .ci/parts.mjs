#!/usr/bin/env node
/**
 * Expensive checks, which are repeated only when something that they depend on has changed since they last passed.
 *
 *   parts.mjs due [--all]      prints the parts to run
 *   parts.mjs passed NAME...   records that parts have passed with the present inputs, in passed.json
 *   parts.mjs inputs NAME      lists the files on which a part depends
 *
 * Inputs are computed: the tests of the part, everything that these import, directly or not, everything that the names of
 * files in them point to, and for tests that run the built program all sources of that program. A part without a record is due.
 * Parts that take seconds have no record: .ci/run always runs them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const RECORD = '.ci/passed.json';

const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(path))
  .sort();
const isTracked = new Set(tracked);

/** Tracked files in some folders, or these files themselves. */
const filesIn = (paths) =>
  tracked.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)));

/** Everything of which the core, the program and its pages are built. */
const CORE = ['assembly', 'asconfig.json', 'scripts', 'package.json', 'package-lock.json'];
const PROGRAM = [...CORE, 'host', 'web', 'studies', 'tsconfig.json', 'tsconfig.build.json'];

/** Quoted texts, and parts of templates, that may be paths. */
const NAMED = [/(['"`])([\w@.~/-]+)\1/g, /(`)([\w@.~/-]+)\$\{/g, /(\})([\w@.~/-]+)(?=[`$])/g];
const ENDINGS = ['', '.ts', '.mts', '.cts', '.mjs', '.cjs'];

/** What a path of the built program or of the package is made of, as a path of the sources. */
const EXPORTS = JSON.parse(readFileSync('package.json', 'utf8')).exports;
function sourceOf(path) {
  const [name, ...inside] = path.replace(/^.*node_modules\//, '').split('/');
  if (name !== 'gridalloc') return path.replace(/^(?:\.\.?\/)*dist\//, 'host/');
  const exported = EXPORTS[inside.join('/') === '.' ? '.' : `./${inside.join('/')}`];
  const file = exported?.node?.default ?? exported?.default ?? exported;
  return sourceOf(typeof file === 'string' ? file : inside.join('/'));
}

/** The tracked files to which a named path in a file may point: from the folder of the file, or of the project. */
function pointedTo(file, path) {
  const source = sourceOf(path);
  const places = [
    join(dirname(file), source),
    ...(source.startsWith('.') ? [] : [source.replace(/^\/+/, '')]),
  ];
  return places.flatMap((place) => {
    const bare = place.replace(/\.([cm]?)js$/, '');
    const found = [place, bare, ...ENDINGS.map((ending) => bare + ending)].filter((each) =>
      isTracked.has(each),
    );
    const folder = place.replace(/\/$/, '');
    // Folders of data, not the project itself, all of its tests or the folder of the file; a word alone names none.
    const isData = path.includes('/') && folder.includes('/') && !file.startsWith(`${folder}/`);
    return found.length > 0 || !isData ? found : filesIn([folder]);
  });
}

const pointers = new Map();
/** The tracked files to which the paths that are named in a program or a script point. */
function pointersOf(file) {
  if (!/\.(?:[cm]?[jt]s|sh|html|capnp)$/.test(file)) return [];
  if (!pointers.has(file)) {
    // The package itself, which other quotes of its name are not.
    const text = readFileSync(file, 'utf8').replace(/(\bfrom |\bimport\()'gridalloc'/g, "$1'gridalloc/.'");
    const paths = NAMED.flatMap((named) => [...text.matchAll(named)].map(([, , path]) => path));
    pointers.set(
      file,
      [...new Set(paths)].flatMap((path) => pointedTo(file, path)),
    );
  }
  return pointers.get(file);
}

/** Some files with everything to which they point, directly or not. */
function closureOf(files) {
  const found = new Set();
  const open = [...files];
  while (open.length > 0) {
    const file = open.pop();
    if (found.has(file)) continue;
    found.add(file);
    open.push(...pointersOf(file));
  }
  return found;
}

const allTests = tracked.filter((file) => /^tests\/.*\.test\.ts$/.test(file));
const inTests = (file) => [...closureOf([file])].filter((each) => each.startsWith('tests/'));

/** Tests in which, or in whose helpers, a text occurs. */
const testsWith = (sign) =>
  allTests.filter((file) => inTests(file).some((each) => sign.test(readFileSync(each, 'utf8'))));

const testsAt = (sign) => allTests.filter((file) => sign.test(file));

/**
 * The parts: their first files (tests, or a program), and what these need beside everything to which they point. The vitest project
 * of a part has its name.
 */
const PARTS = {
  /** The core in other hosts and as a native library. */
  hosts: {
    first: () => testsAt(/^tests\/examples\/(?:hosts|native)\./),
    more: [...CORE, 'native', 'examples/hosts'],
  },
  /** Reports and the explorer in browsers. */
  browsers: {
    first: () => testsWith(/'playwright[-]core'|\/chromium\.js'/).filter((file) => !isOfOther(file)),
    more: [...PROGRAM, 'traces'],
  },
  /** Times of the explorer. */
  pageTimes: { first: () => testsAt(/^tests\/explorer\/speed\./), more: PROGRAM },
  /** Studies under Slurm, and accounting records of real schedulers. */
  cluster: { first: () => testsAt(/^tests\/(?:slurm|accounting)\//), more: [...PROGRAM, 'docs/traces.md'] },
  /** The core compiled again from the files of the package, and the recipes of CONTRIBUTING.md. */
  package: {
    first: () => testsAt(/^tests\/package\/(?:core|recipes)\./),
    more: [...PROGRAM, 'CONTRIBUTING.md', 'tests/reference'],
  },
  /** The program and the library on other versions of Node. */
  nodes: { first: () => testsAt(/^tests\/package\/nodeVersions\./), more: PROGRAM },
  /** The programs of the benchmarks agree: `npm run bench -- --check`. */
  bench: { first: () => filesIn(['bench']), more: CORE },
};

/** Tests in browsers that belong to another part. */
const isOfOther = (file) =>
  /^tests\/(?:examples\/(?:hosts|native)|slurm\/|accounting\/|package\/(?:core|recipes|nodeVersions)|explorer\/speed)/.test(
    file,
  );

/** What runs every test: the configuration and what it names. */
const OF_ALL = ['vitest.config.ts', ...pointersOf('vitest.config.ts')];

/** The files on which a part depends. */
function inputsOf(part) {
  const { first, more } = PARTS[part];
  const own = first();
  if (own.length === 0) throw new Error(`the part ${part} has no tests`);
  return [...new Set([...closureOf(own), ...filesIn(more), ...OF_ALL, '.ci/run', '.ci/parts.mjs'])].sort();
}

function hashOf(part) {
  const hash = createHash('sha256');
  for (const file of inputsOf(part)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

const passed = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};
const [command, ...names] = process.argv.slice(2);

if (command === 'due') {
  const due = Object.keys(PARTS).filter((part) => names.includes('--all') || passed[part] !== hashOf(part));
  console.log(due.join(' '));
} else if (command === 'inputs') {
  for (const name of names) console.log(inputsOf(name).join('\n'));
} else if (command === 'passed') {
  const known = names.filter((name) => Object.hasOwn(PARTS, name));
  const kept = Object.keys(PARTS).filter((part) => part in passed || known.includes(part));
  const record = kept.map((part) => [part, known.includes(part) ? hashOf(part) : passed[part]]);
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(record), null, 2)}\n`);
} else {
  console.error('usage: parts.mjs due [--all] | passed NAME... | inputs NAME...');
  process.exitCode = 2;
}
