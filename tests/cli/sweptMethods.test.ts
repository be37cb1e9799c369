import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';

/**
 * A sweep without replications must say that it is one sample, and suggest a command that judges
 * the varied option.
 */

const folder = makeTemporaryFolder();
const logFile = join(folder, 'log.swf');
writeFileSync(logFile, LOG);

/** Splits a command line into words as a shell does; single quotes are understood. */
const wordsOfCommand = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quotedWord, unquotedWord]) => quotedWord ?? unquotedWord!);

async function runSweepAndReadOutput(...commandWords: string[]): Promise<string> {
  const resultFolder = join(makeTemporaryFolder(), 'out');
  const { exitCode, stdout } = await runGridalloc([
    'sweep',
    logFile,
    ...commandWords,
    '--threads',
    '1',
    '--out',
    resultFolder,
  ]);
  expect(exitCode).toBe(0);
  return stdout;
}

test.each([
  ['sites', ['--discipline', 'easy', '--vary', 'sites=8,10,12'], ['sites=8', 'sites=10', 'sites=12']],
  [
    'sites and speeds together',
    ['--vary', 'sites+speeds=8:1;8,4:1,2', '--vary', 'discipline=fcfs,easy'],
    [
      'sites=8, speeds=1, discipline=fcfs',
      'sites=8, speeds=1, discipline=easy',
      'sites=8,4, speeds=1,2, discipline=fcfs',
      'sites=8,4, speeds=1,2, discipline=easy',
    ],
  ],
  [
    'estimates',
    ['--discipline', 'easy', '--vary', 'estimates=exact,recent[n=2]'],
    ['estimates=exact', 'estimates=recent[n=2]'],
  ],
])('what methods may have for themselves is compared: %s', async (_, commandWords, methods) => {
  const outputText = await runSweepAndReadOutput(...commandWords, '--metric', 'meanWait');
  const [, line = ''] = /To\s+judge the differences compare:\n {2}gridalloc (.*)/.exec(outputText) ?? [];
  const wordsOfPrintedCommand = wordsOfCommand(line);
  expect(
    wordsOfPrintedCommand.flatMap((wordOfPrintedCommand, i) =>
      wordsOfPrintedCommand[i - 1] === '--method' ? [wordOfPrintedCommand] : [],
    ),
  ).toEqual(methods);
  const resultOfPrintedCommand = await runGridalloc([...wordsOfPrintedCommand, '--threads', '1', '--json']);
  expect(resultOfPrintedCommand.exitCode, resultOfPrintedCommand.stderr).toBe(0);
  expect(JSON.parse(resultOfPrintedCommand.stdout)).toMatchObject({ metric: 'meanWait', replications: 30 });
  expect(JSON.parse(resultOfPrintedCommand.stdout).rows).toHaveLength(methods.length);
});

test('options that determine the jobs are replicated in the suggested command', async () => {
  const outputText = await runSweepAndReadOutput('--vary', 'arrival-scale=0.9,1', '--discipline', 'easy');
  const [, line = ''] = /replicate it:\n {2}gridalloc (.*)/.exec(outputText) ?? [];
  const wordsOfPrintedCommand = wordsOfCommand(line);
  expect(wordsOfPrintedCommand).toEqual(expect.arrayContaining(['sweep', '--replications', '20']));
  const resultOfPrintedCommand = await runGridalloc([
    ...wordsOfPrintedCommand,
    '--threads',
    '1',
    '--json',
    '--out',
    join(folder, 'replicated'),
  ]);
  expect(resultOfPrintedCommand.exitCode, resultOfPrintedCommand.stderr).toBe(0);
});

test('replications, and nothing but JSON, have no advice', async () => {
  for (const extraWords of [['--replications', '2'], ['--json'], ['--quiet'], ['--dry-run']])
    expect(await runSweepAndReadOutput('--vary', 'sites=8,10', ...extraWords)).not.toContain('one sample');
});
