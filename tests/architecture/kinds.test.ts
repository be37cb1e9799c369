import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import config from '../../vitest.config.js';
import { findProjectImports, groupTestsByKind } from '../kinds.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Kinds of tests that `npm test` and CI run. */

const testKindNames = Object.keys(groupTestsByKind());

interface TestProject {
  readonly mode?: string;
  readonly test: { readonly name: string; readonly include: readonly string[] };
}

test.each(['test', 'full', 'long', 'record'])(
  'in the mode %s tests of every kind run in that mode',
  async (testMode) => {
    const { test: all } = (await config({ mode: testMode, command: 'serve' })) as {
      test: { projects: readonly TestProject[] };
    };
    expect(all.projects.map((testProject) => testProject.mode)).toEqual(all.projects.map(() => testMode));
    expect(all.projects.map((testProject) => testProject.test.name).sort()).toEqual(
      [...testKindNames].sort(),
    );
  },
);

/** Several options `--project=!NAME` together exclude nothing, since a test runs if one of them admits it. */
test.each(['.ci/run', '.ci/release'])('%s names the kinds that it runs', (file) => {
  const scriptText = readFileSync(file, 'utf8');
  expect(scriptText).not.toContain('!hosts');
  expect(scriptText).not.toMatch(/--project=["']?!/);
});

test('CI runs every kind', () => {
  const scriptText = readFileSync('.ci/run', 'utf8');
  const projectNames = [...scriptText.matchAll(/--project=(?:\{([\w,]+)\}|(\w+))/g)].flatMap(
    ([, list, singleProject]) => (list ?? singleProject).split(','),
  );
  const partsInCiScript = [
    ...scriptText.matchAll(/for part in ([\w ]+); do\n\s+if is_due \$part; then kinds\+=/g),
  ].flatMap(([, list]) => list.split(' '));
  expect([...new Set([...projectNames, ...partsInCiScript])].sort()).toEqual([...testKindNames].sort());
});

const CI_PARTS = ['hosts', 'browsers', 'pageTimes', 'cluster', 'package', 'nodes'] as const;

const findCiPartsOfRun = (folder: string, ...commandWords: string[]) =>
  execFileSync('node', [join(folder, '.ci/parts.mjs'), ...commandWords], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);

test.each(CI_PARTS)('the part %s depends on its tests and everything that they import', (ciPart) => {
  const inputFiles = new Set(findCiPartsOfRun('.', 'inputs', ciPart));
  const trackedFiles = new Set(execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n'));
  const pathsToVisit = [...groupTestsByKind()[ciPart]];
  expect(pathsToVisit.length).toBeGreaterThan(0);
  const visitedPaths = new Set<string>();
  while (pathsToVisit.length > 0) {
    const path = pathsToVisit.pop()!;
    if (visitedPaths.has(path) || !existsSync(path)) continue;
    visitedPaths.add(path);
    pathsToVisit.push(...findProjectImports(path, readFileSync(path, 'utf8')));
  }
  // Generated files are not in git; their sources are listed as inputs instead.
  expect(
    [...visitedPaths].filter((visitedPath) => trackedFiles.has(visitedPath) && !inputFiles.has(visitedPath)),
  ).toEqual([]);
});

describe('in a copy in which every part has passed', () => {
  const folder = join(makeTemporaryFolder(), 'copy');
  beforeAll(() => {
    execFileSync('git', ['clone', '--quiet', '--shared', '.', folder]);
    for (const path of ['.ci/parts.mjs', 'tests/kinds.ts']) copyFileSync(path, join(folder, path));
    findCiPartsOfRun(folder, 'passed', ...CI_PARTS, 'bench');
  });

  test('none is due', () => {
    expect(findCiPartsOfRun(folder, 'due')).toEqual(['']);
  });

  test.each([
    ['hosts', 'assembly/engine/run.ts'],
    // A program of another host imports this file by the name of the package.
    ['hosts', 'host/core/instance.ts'],
    // Scripts that are named without their folder must be found, too.
    ['cluster', 'tests/slurm/start.sh'],
    ['cluster', 'tests/accounting/gridEngine.sh'],
    // Files that every part of CI depends on.
    ...CI_PARTS.flatMap((ciPart) =>
      ['vitest.config.ts', 'tests/globalSetup.ts', 'tests/setup.ts', 'tests/kinds.ts'].map((path) => [
        ciPart,
        path,
      ]),
    ),
    ['browsers', 'host/format/text.ts'],
    ['pageTimes', 'web/explorer/main.ts'],
    ['cluster', 'host/format/text.ts'],
    ['cluster', 'host/options/rules.ts'],
    ['package', 'host/options/rules.ts'],
    ['nodes', 'host/explain/explain.ts'],
    ['bench', 'host/workload/make.ts'],
  ] as [string, string][])('%s is due after a change of %s', (part, path) => {
    const file = join(folder, path);
    const textBefore = readFileSync(file, 'utf8');
    appendFileSync(file, '\nexport const changed = true;\n');
    expect(findCiPartsOfRun(folder, 'due')).toContain(part);
    writeFileSync(file, textBefore);
  });

  test.each([
    ["import '../../findings/sacct-hides-runs.js';", 'findings/sacct-hides-runs.sh', false],
    ["const path = 'docs/glossary.md';", 'docs/glossary.md', true],
    ["const path = '../../docs/glossary.md';", 'docs/glossary.md', true],
    [`const path = \`\${root}/docs/glossary.md\`;`, 'docs/glossary.md', true],
    [`const path = \`docs/glossary.md\${suffix}\`;`, 'docs/glossary.md', true],
    ["const path = 'start.sh';", 'tests/slurm/start.sh', true],
    ["import { Environment } from 'gridalloc';", 'host/index.ts', true],
    ["import 'gridalloc/core';", 'host/core/host.ts', true],
    ["const path = 'dist/trace/info.js';", 'host/trace/info.ts', true],
    ["const page = join(root, 'node_modules/gridalloc');", 'host/index.ts', false],
  ])('%s in a program points to %s: %s', (line, path, isCiInput) => {
    const program = join(folder, 'examples/hosts/cases.mjs');
    const slurmTestFile = join(folder, 'tests/slurm/slurm.test.ts');
    const file = path.startsWith('tests/slurm') ? slurmTestFile : program;
    const textBefore = readFileSync(file, 'utf8');
    const ciPart = file === slurmTestFile ? 'cluster' : 'hosts';
    writeFileSync(file, `${line}\n`);
    expect(findCiPartsOfRun(folder, 'inputs', ciPart).includes(path)).toBe(isCiInput);
    writeFileSync(file, textBefore);
  });

  test.each(['README.md', 'docs/glossary.md', 'findings/sacct-hides-runs.sh', 'tests/trace/check.test.ts'])(
    'none is due after a change of %s',
    (path) => {
      const file = join(folder, path);
      const textBefore = readFileSync(file, 'utf8');
      appendFileSync(file, '\n');
      expect(findCiPartsOfRun(folder, 'due')).toEqual(['']);
      writeFileSync(file, textBefore);
    },
  );
});
