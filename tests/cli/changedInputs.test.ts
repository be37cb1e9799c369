import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashTextSha256 } from '../../host/files/hash.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeSmallLogText } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Repeats commands after an input file has changed: each must refuse its old result folder, so that the
 * folder never names a log or function that did not run.
 */

const folder = makeTemporaryFolder();
const logFile = join(folder, 'small.swf');
const LOG = makeSmallLogText();
const SHORTER_LOG_TEXT = `${LOG.trimEnd().split('\n').slice(0, -5).join('\n')}\n`;

/** Two versions of the source of a function, for each option that takes a file with a function. */
const FUNCTION_SOURCES_BY_OPTION = {
  policy: ['({ bestFit }) => bestFit', '({ fastestFirst }) => fastestFirst'],
  order: ['({ processors }) => processors', '({ processors }) => -processors'],
  'backfill-order': ['({ processors }) => processors', '({ processors }) => -processors'],
  estimates: ['({ requested }) => requested', '({ requested }) => 2 * requested'],
} as const;

/** Command lines that keep finished runs in a result folder, without the options that the tests vary. */
const COMMANDS: Record<string, readonly string[]> = {
  compare: ['compare', logFile, '--replications', '2'],
  'compare on the jobs of the log': ['compare', logFile],
  'simulate --replications': ['simulate', logFile, '--replications', '2'],
  sweep: ['sweep', logFile, '--vary', 'load=1,1.1'],
};
const METHOD_WORDS = ['--method', 'easy', '--method', 'easy, reservation-depth=2'];

/** Command-line words that give a file for an option, in the form that the command takes. */
function makeCommandOptionsWithFile(
  option: keyof typeof FUNCTION_SOURCES_BY_OPTION,
  file: string,
  optionName: string,
): readonly string[] {
  const isComparisonCommand = optionName.startsWith('compare');
  const optionWords = [`--${option}`, option === 'policy' && isComparisonCommand ? `best-fit,${file}` : file];
  if (option === 'policy') return [...optionWords, '--sites', '128,128', '--speeds', '1,2'];
  return [...optionWords, ...(isComparisonCommand ? METHOD_WORDS : ['--discipline', 'easy'])];
}

let resultFolderCount = 0;

/**
 * Runs a command into a new folder twice, changes its input file, and runs the command once more; returns
 * the folder and the last result.
 */
async function repeatCommandAfterChange(
  commandWords: readonly string[],
  file: string,
  contentBefore: string,
  contentAfter: string,
) {
  const resultFolder = join(folder, `out-${resultFolderCount++}`);
  const command = [...commandWords, '--out', resultFolder, '--threads', '1', '--quiet'];
  writeFileSync(file, contentBefore);
  const firstRun = await runGridalloc(command);
  expect(firstRun.exitCode, firstRun.stderr).toBe(0);
  const repeatedRunResult = await runGridalloc(command);
  expect(repeatedRunResult.exitCode, repeatedRunResult.stderr).toBe(0);
  writeFileSync(file, contentAfter);
  return { out: resultFolder, changed: await runGridalloc(command) };
}

test.each(Object.keys(COMMANDS))('a changed log is refused by %s', async (name) => {
  const { changed: changedResult } = await repeatCommandAfterChange(
    COMMANDS[name]!,
    logFile,
    LOG,
    SHORTER_LOG_TEXT,
  );
  expect(changedResult.exitCode).toBe(2);
  expect(changedResult.stderr).toMatch(/the log has changed since|holds results of another study/);
});

describe.each(Object.keys(FUNCTION_SOURCES_BY_OPTION) as (keyof typeof FUNCTION_SOURCES_BY_OPTION)[])(
  'a changed file of --%s',
  (option) => {
    const [codeBefore, codeAfter] = FUNCTION_SOURCES_BY_OPTION[option].map(
      (text) => `export default ${text};\n`,
    ) as [string, string];

    test.each(Object.keys(COMMANDS))('is refused by %s', async (name) => {
      writeFileSync(logFile, LOG);
      const file = join(folder, `${option}.js`);
      const commandWords = [...COMMANDS[name]!, ...makeCommandOptionsWithFile(option, file, name)];
      const { out, changed: changedResult } = await repeatCommandAfterChange(
        commandWords,
        file,
        codeBefore,
        codeAfter,
      );
      expect(changedResult.exitCode).toBe(2);
      expect(changedResult.stderr).toContain(`holds results of another ${file}, which has changed since`);
      if (name === 'sweep') return;
      // If the study continues from its folder alone, it uses and describes the folder's copy of the file.
      const resumedOutput = await runGridalloc([
        'study',
        'run',
        out,
        '--allow-code',
        '--quiet',
        '--threads',
        '1',
      ]);
      expect(resumedOutput.exitCode, resumedOutput.stderr).toBe(0);
      expect(readFileSync(join(out, 'methods.md'), 'utf8')).toContain(hashTextSha256(codeBefore));
    });
  },
);
