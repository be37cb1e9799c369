import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import config from '../../vitest.config.js';
import { testsByKind } from '../kinds.js';

/** What `npm test` and CI run of which kind of test. */

const kinds = Object.keys(testsByKind());

interface Project {
  readonly mode?: string;
  readonly test: { readonly name: string; readonly include: readonly string[] };
}

test.each(['test', 'full', 'long', 'record'])(
  'tests of every kind are in the mode %s when it is asked for',
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
