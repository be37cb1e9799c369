import { expect, test } from 'vitest';
import { LOG } from '../ways/samples.js';
import { runProgramInProcess } from './runProgram.js';

/** A misspelt name of any kind is answered with the nearest known one, in one sentence with exit code 2. */

const MODEL = 'lublin99[jobs=20,processors=64]';

test.each([
  ['a command', ['simulat', MODEL], 'simulate'],
  ['a command of a group', ['trace', 'inf', '-'], 'info'],
  ['an option', ['simulate', MODEL, '--polcy', 'best-fit'], '--policy'],
  ['a policy', ['simulate', MODEL, '--policy', 'best-fitt'], 'best-fit'],
  ['a parameter of a policy', ['simulate', MODEL, '--policy', 'ti[sltt=1]'], 'slt'],
  ['a discipline', ['simulate', MODEL, '--discipline', 'eazy'], 'easy'],
  ['an order', ['simulate', MODEL, '--order', 'shortst'], 'shortest'],
  ['a column of an expression', ['simulate', MODEL, '--order', 'estimat * 2'], 'estimate'],
  ['a metric', ['compare', MODEL, '--metric', 'meanWit'], 'meanWait'],
  ['a class of jobs', ['compare', MODEL, '--by', 'usr'], 'user'],
  ['a preset', ['simulate', MODEL, '--preset', 'shih201'], 'shih2010'],
  ['a model', ['simulate', 'lublin9[jobs=20]'], 'lublin99'],
  ['a parameter of a model', ['simulate', 'lublin99[job=20]'], 'jobs'],
  ['a format', ['simulate', '-', '--format', 'sact'], 'sacct'],
  ['a filter', ['simulate', '-', '--filter', 'usr=1'], 'user'],
  ['a source of estimates', ['simulate', MODEL, '--estimates', 'exct'], 'exact'],
  ['a perturbation', ['compare', MODEL, '--perturb', 'shak', '--replications', '2'], 'shake'],
  ['a rule for homes', ['simulate', MODEL, '--home', 'queu'], 'queue'],
  ['a study', ['study', 'show', 'shih2010-tabl11'], 'shih2010-table11'],
  ['an option of a method', ['compare', MODEL, '--method', 'easy, ordr=shortest'], 'order'],
  ['an axis of a sweep', ['sweep', MODEL, '--vary', 'lod=1,2'], 'load'],
  ['a column of jobs', ['jobs', '-', '--sort', 'wat'], 'wait'],
])('%s: %j', async (_, commandWords, nearest) => {
  const { exitCode, stdout, stderr } = await runProgramInProcess(commandWords, { input: LOG });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^gridalloc: [^\n]{1,600}\n$/);
  expect(stderr).toContain('did you mean');
  expect(stderr.split('did you mean')[1]).toContain(nearest);
});
