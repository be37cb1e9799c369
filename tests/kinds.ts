/** Kind of each test file, determined from it and the files of this folder that it imports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Kinds of tests, each with a pattern of the path or of the source of a test file or of a file that it
 * imports from this folder; the first that matches applies.
 */
const TEST_KINDS = [
  /** Tests of the core in other hosts and as a native library. */
  ['hosts', /^tests\/examples\/(?:hosts|native)\./],
  /** Studies under Slurm, and the accounting of real schedulers. */
  ['cluster', /^tests\/(?:accounting|slurm)\//],
  /**
   * Recompiles the core after the additions described in CONTRIBUTING.md and
   * docs/custom-policies.md.
   */
  ['package', /^tests\/package\/recipes\./],
  /** Tests of the program and the library on other versions of Node. */
  ['nodes', /^tests\/package\/nodeVersions\./],
  /** Tests with time limits, which run after all others; those of pages run with the browsers. */
  ['times', /^tests\/core\/growth\./],
  ['pageTimes', /^tests\/explorer\/speed\./],
  /** Tests of reports and the explorer in browsers. */
  ['browsers', /'playwright[-]core'|\/chromium\.js'/],
  /** Tests that change global state, so that each file has its own process. */
  ['isolated', /vi\.(?:mock|stub|spy|useFake)|(?:process\.env|globalThis)\.\w+ = /],
  /** Tests that start programs or threads. */
  ['programs', /'node:(?:child_process|worker_threads)'|\/dist\//],
  /** Commands run inside the test process. */
  ['commands', /\/host\/cli\/main\.js'/],
  /** Tests with many random cases, or with the reference simulator. */
  ['cases', /\/cases\.js'|simulator\/reference\.js'/],
  /** All other tests, which take seconds together. */
  ['unit', /(?:)/],
] as const;

/** Name of a kind of tests. */
export type TestKind = (typeof TEST_KINDS)[number][0];

const IMPORT_PATTERN = /(?:\bfrom|^import|\bimport\()\s*'(\.[^']*)\.js'/gm;

/** Project files imported by a file with this path and text. */
export const findProjectImports = (path: string, sourceText: string): string[] =>
  [...sourceText.matchAll(IMPORT_PATTERN)].map(([, name]) => join(dirname(path), `${name}.ts`));

/** A test file and all files that it imports from the folder of tests, as texts by path. */
function collectImportedSources(
  path: string,
  collectedSources = new Map<string, string>(),
): Map<string, string> {
  if (collectedSources.has(path) || !path.startsWith('tests/') || !existsSync(path)) return collectedSources;
  const sourceText = readFileSync(path, 'utf8');
  collectedSources.set(path, sourceText);
  for (const importedPath of findProjectImports(path, sourceText))
    collectImportedSources(importedPath, collectedSources);
  return collectedSources;
}

/** Test files of each kind, as paths from the project's folder. */
export function groupTestsByKind(): Record<TestKind, string[]> {
  const tests = Object.fromEntries(TEST_KINDS.map(([kindName]) => [kindName, [] as string[]])) as Record<
    TestKind,
    string[]
  >;
  const testPaths = readdirSync('tests', { recursive: true, encoding: 'utf8' }).map((name) =>
    join('tests', name),
  );
  for (const path of testPaths.filter((testPath) => testPath.endsWith('.test.ts')).sort()) {
    const sources = [...collectImportedSources(path).values()];
    const [kindName] = TEST_KINDS.find(
      ([, sign]) => sign.test(path) || sources.some((text) => sign.test(text)),
    )!;
    tests[kindName].push(path);
  }
  return tests;
}
