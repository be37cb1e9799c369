import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { runProgramInProcess, TINY_OPTIONS, writeLogFile } from '../cli/runProgram.js';

/**
 * Generated documentation must be committed as the build writes it. Checked only in CI, since a
 * working tree may be ahead of its commit.
 */
test.skipIf(process.env.CI === undefined)('the build changes nothing that is in git', () => {
  const statusText = execFileSync('git', ['status', '--porcelain', '--untracked-files=no', '--', ':!.ci'], {
    encoding: 'utf8',
  });
  expect(statusText).toBe('');
});

/** Contents of a generated JSON file of the documentation. */
const readDocumentOf = (documentName: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../docs/${documentName}`, import.meta.url)), 'utf8'));

test('abi.json follows its schema, which refuses a change of any value to another type', () => {
  const isValidDocument = new Ajv({ allowUnionTypes: true }).compile(readDocumentOf('abi.schema.json'));
  const abiDocument = readDocumentOf('abi.json');
  isValidDocument(abiDocument);
  expect(isValidDocument.errors).toBe(null);
  let changes = 0;
  const changeEachValueInTurn = (valueToChange: unknown): void => {
    if (typeof valueToChange !== 'object' || valueToChange === null) return;
    const valueAsRecord = valueToChange as Record<string, unknown>;
    // Of a JSON list, only the first entry is described, since all have the same type.
    for (const key of Object.keys(valueAsRecord).slice(0, Array.isArray(valueToChange) ? 1 : undefined)) {
      const originalValue = valueAsRecord[key];
      valueAsRecord[key] = typeof originalValue === 'object' ? 1 : { unknown: originalValue };
      expect(isValidDocument(abiDocument), key).toBe(false);
      valueAsRecord[key] = originalValue;
      changes += 1;
      changeEachValueInTurn(originalValue);
    }
  };
  changeEachValueInTurn(abiDocument);
  expect(changes).toBeGreaterThan(60);
  const { calls: _, ...without } = abiDocument;
  expect(isValidDocument(without)).toBe(false);
});

test.each([[[]], [['--policy', 'ai2']], [['--home', 'none']], [['--by', 'class']]])(
  'what simulate --json prints follows the schema of summary.json: %j',
  async (extraWords) => {
    const isValidDocument = new Ajv({ allowUnionTypes: true }).compile(readDocumentOf('summary.schema.json'));
    const { stdout } = await runProgramInProcess([
      'simulate',
      writeLogFile(),
      ...TINY_OPTIONS,
      ...extraWords,
      '--json',
    ]);
    const summary = JSON.parse(stdout);
    isValidDocument(summary);
    expect(isValidDocument.errors).toBe(null);
    expect(isValidDocument({ ...summary, makespan: 'long' })).toBe(false);
    expect(isValidDocument({ ...summary, sites: [] })).toBe(false);
  },
);
