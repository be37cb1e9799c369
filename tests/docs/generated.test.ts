import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { generatedPages } from '../../scripts/generated.js';
import { logFile, run, TINY_OPTIONS } from '../cli/runProgram.js';

/** What tables of the code say stands in the docs as they say it; `npm run generate` writes it. */

test.each((await generatedPages()).map((page) => [page.path, page] as const))(
  '%s',
  (_, { found, expected }) => {
    expect(found).toBe(expected);
  },
);

test.each([[[]], [['--policy', 'ai2']], [['--home', 'none']], [['--by', 'class']]])(
  'what simulate --json prints follows the schema of summary.json: %j',
  async (more) => {
    const schema = fileURLToPath(new URL('../../docs/summary.schema.json', import.meta.url));
    const isValid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(readFileSync(schema, 'utf8')));
    const { out } = await run(['simulate', logFile(), ...TINY_OPTIONS, ...more, '--json']);
    const summary = JSON.parse(out);
    isValid(summary);
    expect(isValid.errors).toBe(null);
    expect(isValid({ ...summary, makespan: 'long' })).toBe(false);
    expect(isValid({ ...summary, sites: [] })).toBe(false);
  },
);
