import { describe, expect, test } from 'vitest';
import { runProgramInProcess, TINY_LOG_TEXT, writeLogFile } from './runProgram.js';

/**
 * Every command must warn, before it simulates, if a preset is applied to another log than that of
 * its paper.
 */

const makePresetWarning = (preset: string, jobCountText: string) =>
  `preset ${preset} is for the ${jobCountText} jobs that its paper had of the San Diego SP2 log before its cleaning, and `;

const DROP_OVERSIZE_JSON_WORDS = ['--oversize', 'drop', '--json'];

describe.each([
  ['huang2007', '56,490', 4],
  ['shih2010', '54,041', 4],
])('preset %s', (preset, jobCountText, keptJobCountText) => {
  test.each([
    ['simulate', ['simulate', '-', ...DROP_OVERSIZE_JSON_WORDS]],
    ['compare', ['compare', '-', ...DROP_OVERSIZE_JSON_WORDS]],
    ['replications', ['simulate', '-', ...DROP_OVERSIZE_JSON_WORDS, '--replications', '2', '--threads', '1']],
  ])('%s says how many jobs its paper had', async (_, commandWords) => {
    const { exitCode, stderr } = await runProgramInProcess([...commandWords, '--preset', preset], {
      input: TINY_LOG_TEXT,
    });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(makePresetWarning(preset, jobCountText));
    expect(stderr).toContain(` has ${keptJobCountText} such jobs, so published numbers cannot be expected: `);
    expect(stderr).toMatch(
      /cannot be expected: .*\(-cln\) lack.*; the versions of the log are at https:\S+\/l_sdsc_sp2\/$/m,
    );
  });

  test('jobs too wide for its sites are refused with that number', async () => {
    const logTextWithWideJob = '; MaxProcs: 200\n1 0 -1 60 150 -1 -1 150 90 -1 1 7 -1 -1 1 -1 -1 -1\n';
    const { exitCode, stderr } = await runProgramInProcess(['simulate', '-', '--preset', preset], {
      input: logTextWithWideJob,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(' too large for the grid and can never start');
    expect(stderr).toContain(`; ${makePresetWarning(preset, jobCountText)}`);
  });

  test('no warning for records selected by a filter', async () => {
    const { stderr } = await runProgramInProcess(
      ['simulate', '-', ...DROP_OVERSIZE_JSON_WORDS, '--preset', preset, '--filter', 'first=2'],
      {
        input: TINY_LOG_TEXT,
      },
    );
    expect(stderr).not.toContain('its paper');
  });
});

test('studies of papers say which log they need, and that another is not that log', async () => {
  const { stdout } = await runProgramInProcess(['study', 'list'], { columns: 120 });
  expect(stdout).toMatch(/^huang2007-table3 +56,490 jobs +/m);
  expect(stdout).toMatch(/^shih2010-table11 +54,041 jobs +/m);
  const resultOfShowStudy = await runProgramInProcess(['study', 'show', 'huang2007-table3']);
  expect(resultOfShowStudy.stderr).toBe(
    'huang2007-table3 needs --trace: 56,490 jobs of the San Diego SP2 log before its cleaning, from https://www.cs.huji.ac.il/labs/parallel/workload/l_sdsc_sp2/\n',
  );
  expect((await runProgramInProcess(['study', 'show', 'shih2010-table15-lublin99'])).stderr).toBe('');
  const commandWords = [
    'study',
    'run',
    'huang2007-table3',
    '--trace',
    writeLogFile(),
    '--set',
    'oversize=drop',
    '--dry-run',
  ];
  const { exitCode, stderr } = await runProgramInProcess(commandWords);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(makePresetWarning('huang2007', '56,490'));
});
