import { expect, test } from 'vitest';
import { runProgramInProcess } from './runProgram.js';

/** Errors of unknown names: wrapped on a terminal, and one line for programs. */
const MODEL = 'lublin99[jobs=10,processors=64]';
const UNKNOWN_NAME_CASES: readonly (readonly [string, readonly string[]])[] = [
  ['command', ['simulat']],
  ['study', ['study', 'run', 'nosuch']],
  ['study to show', ['study', 'show', 'nosuch']],
  ['policy', ['simulate', MODEL, '--policy', 'nosuch']],
  ['discipline', ['simulate', MODEL, '--discipline', 'nosuch']],
  ['order', ['simulate', MODEL, '--order', 'nosuch']],
  ['estimates', ['simulate', MODEL, '--estimates', 'nosuch']],
  ['metric', ['simulate', MODEL, '--sites', '128', '--metric', 'nosuch']],
  ['scheduler', ['simulate', MODEL, '--scheduler', 'nosuch']],
  ['method', ['compare', MODEL, '--method', 'nosuch']],
  ['option of a method', ['compare', MODEL, '--method', 'easy, nosuch=1']],
  ['label', ['compare', MODEL, '--discipline', 'fcfs,first-available', '--label', 'nosuch=a']],
  ['preset', ['simulate', MODEL, '--preset', 'nosuch']],
  ['perturbation', ['simulate', MODEL, '--perturb', 'nosuch']],
  ['filter', ['simulate', MODEL, '--filter', 'nosuch=1']],
  ['model', ['simulate', 'nosuch[jobs=1]']],
  ['option', ['simulate', MODEL, '--nosuch']],
];

test.each(UNKNOWN_NAME_CASES)('unknown %s', async (_, commandWords) => {
  const programResult = await runProgramInProcess(commandWords);
  expect(programResult.exitCode).toBe(2);
  expect(programResult.stderr).toMatch(/^gridalloc: [^\n]*nosuch|^gridalloc: [^\n]*simulat/);
  expect(programResult.stderr.match(/\n/g)).toHaveLength(1);
  const { exitCode, stderr } = await runProgramInProcess(commandWords, { isTTY: true });
  expect(exitCode).toBe(2);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.join(' ')).toBe(programResult.stderr.trimEnd());
});

test('the longest of them take several lines', async () => {
  const { stderr } = await runProgramInProcess(['study', 'run', 'nosuch'], { isTTY: true });
  expect(stderr.split('\n').length).toBeGreaterThan(10);
});
