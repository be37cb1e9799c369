import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { applyCodeChange, CODE_RECIPES, type CodeChange, REGISTRY_FILE } from './additions.js';
import { repositoryRoot } from './packed.js';

/**
 * Checks the extensions described in CONTRIBUTING.md: the named files exist, are few, and contain the named
 * places.
 */

const readFileText = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');

const countChangedFiles = (changes: readonly CodeChange[]) => new Set(changes.map(({ file }) => file)).size;

test.each(Object.entries(CODE_RECIPES))(
  '%s takes few files',
  (_, { most, changes, mostChecked, checks = [] }) => {
    expect(countChangedFiles(changes)).toBeLessThanOrEqual(most);
    expect(countChangedFiles([...changes, ...checks])).toBeLessThanOrEqual(mostChecked ?? most);
  },
);

test('the files are those that CONTRIBUTING.md names, except where the addition is used', () => {
  const table = readFileText('CONTRIBUTING.md');
  const codeChanges = Object.values(CODE_RECIPES).flatMap(({ changes, checks = [] }) =>
    [...changes, ...checks].filter((change) => !('text' in change)),
  );
  const isNamed = (file: string) =>
    table.includes(`\`${file}\``) || table.includes(`, \`${basename(file)}\` beside it`);
  const filesMissingInTable = new Set(codeChanges.map(({ file }) => file).filter((file) => !isNamed(file)));
  const filesOfExecutionTime = ['assembly/grid/execution.ts', 'tests/reference/simulator/execution.ts'];
  expect([...filesMissingInTable]).toEqual([
    ...filesOfExecutionTime,
    'tests/reference/cases/allocators.ts',
    REGISTRY_FILE,
  ]);
});

test.each(Object.entries(CODE_RECIPES))('the lines that %s changes exist', (_, { changes, checks = [] }) => {
  for (const change of [...changes, ...checks]) {
    if ('text' in change)
      expect([change.file, existsSync(join(repositoryRoot, change.file))]).toEqual([change.file, false]);
    else
      expect([
        change.file,
        applyCodeChange(readFileText(change.file), change) !== readFileText(change.file),
      ]).toEqual([change.file, true]);
  }
});
