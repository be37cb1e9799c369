import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import config from '../../vitest.config.js';
import { importsOf, sourcesOf, testsByKind } from '../kinds.js';

/** What `npm test` and CI run of which kind of test. */

const kinds = Object.keys(testsByKind());

interface Project {
  readonly mode?: string;
  readonly test: { readonly name: string; readonly include: readonly string[] };
}

test.each(['test', 'full', 'long', 'record'])(
  'in the mode %s tests of every kind run in that mode',
  async (mode) => {
    const { test: all } = (await config({ mode, command: 'serve' })) as {
      test: { projects: readonly Project[] };
    };
    expect(all.projects.map((project) => project.mode)).toEqual(all.projects.map(() => mode));
    expect(all.projects.map((project) => project.test.name).sort()).toEqual([...kinds].sort());
  },
);

/** Several `--project=!NAME` exclude nothing: a test runs if one of them admits it. */
test.each(['.ci/run', '.ci/release'])('%s names the kinds that it runs', (file) => {
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('!hosts');
  expect(text).not.toMatch(/--project=["']?!/);
});

test('CI runs every kind', () => {
  const text = readFileSync('.ci/run', 'utf8');
  const named = [...text.matchAll(/--project=(?:\{([\w,]+)\}|(\w+))/g)].flatMap(([, list, one]) =>
    (list ?? one).split(','),
  );
  const inParts = [...text.matchAll(/for part in ([\w ]+); do\n\s+if is_due \$part; then kinds\+=/g)].flatMap(
    ([, list]) => list.split(' '),
  );
  expect([...new Set([...named, ...inParts])].sort()).toEqual([...kinds].sort());
});

const PARTS = ['hosts', 'browsers', 'pageTimes', 'cluster', 'package', 'nodes', 'ownCore'] as const;

test.each(PARTS)('a change of what the tests of the part %s import makes the part due', (part) => {
  const inputs = execFileSync('node', ['.ci/parts.mjs', 'inputs', part], { encoding: 'utf8' }).split('\n');
  for (const path of testsByKind()[part]) {
    const sources = sourcesOf(path);
    const imported = [...sources].flatMap(([each, text]) => [each, ...importsOf(each, text)]);
    const missing = imported.filter((each) => existsSync(each) && !inputs.includes(each));
    expect([path, [...new Set(missing)]]).toEqual([path, []]);
  }
});
