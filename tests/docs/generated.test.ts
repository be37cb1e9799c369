import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { logFile, run, TINY_OPTIONS } from '../cli/runProgram.js';

/**
 * Generated documentation must be committed as the build writes it. Checked only in CI, since a
 * working tree may be ahead of its commit.
 */
test.skipIf(process.env.CI === undefined)('the build changes nothing that is in git', () => {
  const changed = execFileSync('git', ['status', '--porcelain', '--untracked-files=no', '--', ':!.ci'], {
    encoding: 'utf8',
  });
  expect(changed).toBe('');
});

test.each([[[]], [['--policy', 'ai2']], [['--home', 'none']], [['--by', 'class']]])(
  'what simulate --json prints follows the schema of summary.json: %j',
  async (more) => {
    const schema = fileURLToPath(new URL('../../docs/summary.schema.json', import.meta.url));
    const isValidDocument = new Ajv({ allowUnionTypes: true }).compile(
      JSON.parse(readFileSync(schema, 'utf8')),
    );
    const { out } = await run(['simulate', logFile(), ...TINY_OPTIONS, ...more, '--json']);
    const summary = JSON.parse(out);
    isValidDocument(summary);
    expect(isValidDocument.errors).toBe(null);
    expect(isValidDocument({ ...summary, makespan: 'long' })).toBe(false);
    expect(isValidDocument({ ...summary, sites: [] })).toBe(false);
  },
);
