/** What kind of test each file has, which is seen in it and in the files of this folder that it imports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The kinds, the first that fits counts. */
const KINDS = [
  /** The core in other hosts and as a native library. */
  ['hosts', /^tests\/examples\/(?:hosts|native)\./],
  /** Studies under Slurm, and the accounting of real schedulers. */
  ['cluster', /^tests\/(?:accounting|slurm)\//],
  /** The core compiled again, with what CONTRIBUTING.md and docs/custom-policies.md say of adding things. */
  ['package', /^tests\/package\/recipes\./],
  /** The program and the library on other versions of Node. */
  ['nodes', /^tests\/package\/nodeVersions\./],
  /** They hold times against limits, so they come after all others; those of pages go with the browsers. */
  ['times', /^tests\/core\/growth\./],
  ['pageTimes', /^tests\/explorer\/speed\./],
  /** Reports and the explorer in browsers. */
  ['browsers', /'playwright[-]core'|\/chromium\.js'/],
  /** They change what others would see, so each file has a process of its own. */
  ['isolated', /vi\.(?:mock|stub|spy|useFake)|(?:process\.env|globalThis)\.\w+ = /],
  /** They start programs or threads. */
  ['programs', /'node:(?:child_process|worker_threads)'|\/dist\//],
  /** Commands inside the process of the test. */
  ['commands', /\/host\/cli\/main\.js'/],
  /** Many random cases, or the reference. */
  ['cases', /\/cases\.js'|simulator\/reference\.js'/],
  /** All others, which take seconds together. */
  ['unit', /(?:)/],
] as const;

/** A kind of test. */
export type Kind = (typeof KINDS)[number][0];

const IMPORT = /(?:\bfrom|^import|\bimport\()\s*'(\.[^']*)\.js'/gm;

/** The files that a text at a path imports from this project. */
export const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(IMPORT)].map(([, name]) => join(dirname(path), `${name}.ts`));

/** A test with what it imports from the folder of tests, each file by its path and text. */
function sourcesOf(path: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(path) || !path.startsWith('tests/') || !existsSync(path)) return found;
  const text = readFileSync(path, 'utf8');
  found.set(path, text);
  for (const imported of importsOf(path, text)) sourcesOf(imported, found);
  return found;
}

/** The tests of each kind, from the folder of the project. */
export function testsByKind(): Record<Kind, string[]> {
  const tests = Object.fromEntries(KINDS.map(([kind]) => [kind, [] as string[]])) as Record<Kind, string[]>;
  const all = readdirSync('tests', { recursive: true, encoding: 'utf8' }).map((name) => join('tests', name));
  for (const path of all.filter((each) => each.endsWith('.test.ts')).sort()) {
    const sources = [...sourcesOf(path).values()];
    const [kind] = KINDS.find(([, sign]) => sign.test(path) || sources.some((text) => sign.test(text)))!;
    tests[kind].push(path);
  }
  return tests;
}
