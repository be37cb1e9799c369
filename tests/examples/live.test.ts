import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Runs the example in which another simulator owns the clock. */

const PROGRAM_PATH = fileURLToPath(new URL('../../examples/live/users.mjs', import.meta.url));

test('users of another simulator', () => {
  expect(execFileSync(process.execPath, [PROGRAM_PATH], { encoding: 'utf8' })).toBe(
    '20 jobs, mean wait 45.0 s, 1 stopped by the outage\nutilization 55.0 %\n',
  );
});
