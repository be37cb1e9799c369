import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RECIPES, REGISTRY, withChange } from './additions.js';
import { root } from './packed.js';

/** What CONTRIBUTING.md says of adding things names the files, which are few, and the places in them are there. */

const read = (file: string) => readFileSync(join(root, file), 'utf8');

test.each(Object.entries(RECIPES))('%s takes few files', (_, { most, changes }) => {
  expect(new Set(changes.map(({ file }) => file)).size).toBeLessThanOrEqual(most);
});

test('the files are those that CONTRIBUTING.md names, but for where a thing is used', () => {
  const table = read('CONTRIBUTING.md');
  const added = Object.values(RECIPES).flatMap(({ changes }) =>
    changes.filter((change) => !('text' in change)),
  );
  const unnamed = new Set(added.map(({ file }) => file).filter((file) => !table.includes(file)));
  expect([...unnamed]).toEqual(['assembly/grid/execution.ts', REGISTRY]);
});

test.each(Object.entries(RECIPES))('what %s changes is there', (_, { changes }) => {
  for (const change of changes) {
    if ('text' in change)
      expect([change.file, existsSync(join(root, change.file))]).toEqual([change.file, false]);
    else
      expect([change.file, withChange(read(change.file), change) !== read(change.file)]).toEqual([
        change.file,
        true,
      ]);
  }
});
