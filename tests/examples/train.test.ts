import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Runs the example that trains a policy, with the smallest settings. */

const PROGRAM = fileURLToPath(new URL('../../examples/train/train.mjs', import.meta.url));
const SMALLEST_TRAINING_WORDS = [
  '--generations',
  '3',
  '--population',
  '4',
  '--episodes',
  '2',
  '--jobs',
  '100',
  '--replications',
  '10',
];

/** Output of the training program without the time that it took. */
function trainAgent(...words: string[]): string {
  const out = execFileSync(process.execPath, [PROGRAM, ...SMALLEST_TRAINING_WORDS, ...words], {
    encoding: 'utf8',
  });
  return out.replace(/, \d+ s$/m, '');
}

test('trains and judges, with the same results for the same seed', () => {
  const first = trainAgent();
  expect(first).toMatch(/^24 episodes, \d+ decisions$/m);
  expect(first).toMatch(/^weights:(?: -?\d+\.\d{3}){8}$/m);
  const methods = ['trained', 'best-fit', 'fastest-first', 'si', 'ti', 'ai', 'ai2', 'tai', 'tai2'];
  const rows = first.split('\n').filter((line) => / \.\. /.test(line));
  expect(rows.map((row) => row.split(' ')[0])).toEqual(methods);
  expect(first).toContain('bounds of how far each is behind the best of the others');
  expect(trainAgent()).toBe(first);
  expect(trainAgent('--seed', '2')).not.toBe(first);
});
