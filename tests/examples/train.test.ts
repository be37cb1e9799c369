import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Runs the example that trains a policy, with the smallest settings. */

const PROGRAM_PATH = fileURLToPath(new URL('../../examples/train/train.mjs', import.meta.url));
const SHORTEST_TRAINING_WORDS = [
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
function runTrainingProgram(...programWords: string[]): string {
  const programOutput = execFileSync(
    process.execPath,
    [PROGRAM_PATH, ...SHORTEST_TRAINING_WORDS, ...programWords],
    {
      encoding: 'utf8',
    },
  );
  return programOutput.replace(/, \d+ s$/m, '');
}

test('trains and judges, with the same results for the same seed', () => {
  const firstOutput = runTrainingProgram();
  expect(firstOutput).toMatch(/^24 episodes, \d+ decisions$/m);
  expect(firstOutput).toMatch(/^weights:(?: -?\d+\.\d{3}){8}$/m);
  const methods = ['trained', 'best-fit', 'fastest-first', 'si', 'ti', 'ai', 'ai2', 'tai', 'tai2'];
  const rows = firstOutput.split('\n').filter((line) => / \.\. /.test(line));
  expect(rows.map((row) => row.split(' ')[0])).toEqual(methods);
  expect(firstOutput).toContain('bounds of how far each is behind the best of the others');
  expect(runTrainingProgram()).toBe(firstOutput);
  expect(runTrainingProgram('--seed', '2')).not.toBe(firstOutput);
});
