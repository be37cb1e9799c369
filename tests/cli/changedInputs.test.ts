import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashTextSha256 } from '../../host/files/hash.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeSmallLog } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Files that change after a folder of results was written: the same command refuses the folder, so
 * that its methods section never names a log or a function that did not run.
 */

const folder = makeTemporaryFolder();
const log = join(folder, 'small.swf');
const LOG = makeSmallLog();
const SHORTER_LOG = `${LOG.trimEnd().split('\n').slice(0, -5).join('\n')}\n`;

/** Two versions of a function for each option that takes a file. */
const POLICY_FUNCTIONS = {
  policy: ['({ bestFit }) => bestFit', '({ fastestFirst }) => fastestFirst'],
  order: ['({ processors }) => processors', '({ processors }) => -processors'],
  'backfill-order': ['({ processors }) => processors', '({ processors }) => -processors'],
  estimates: ['({ requested }) => requested', '({ requested }) => 2 * requested'],
} as const;

/** Commands that keep their runs in a folder, without what is varied in them. */
const COMMANDS: Record<string, readonly string[]> = {
  compare: ['compare', log, '--replications', '2'],
  'compare on the jobs of the log': ['compare', log],
  'simulate --replications': ['simulate', log, '--replications', '2'],
  sweep: ['sweep', log, '--vary', 'load=1,1.1'],
};
const METHOD_WORDS = ['--method', 'easy', '--method', 'easy, reservation-depth=2'];

/** Options of a command with a file for an option. */
function commandOptionsWithFile(
  option: keyof typeof POLICY_FUNCTIONS,
  file: string,
  name: string,
): readonly string[] {
  const isComparison = name.startsWith('compare');
  const given = [`--${option}`, option === 'policy' && isComparison ? `best-fit,${file}` : file];
  if (option === 'policy') return [...given, '--sites', '128,128', '--speeds', '1,2'];
  return [...given, ...(isComparison ? METHOD_WORDS : ['--discipline', 'easy'])];
}

let resultFolderCount = 0;

/** Runs a command into a new folder, changes a file, and repeats the command. */
async function repeatCommandAfterChange(
  words: readonly string[],
  file: string,
  before: string,
  after: string,
) {
  const out = join(folder, `out-${resultFolderCount++}`);
  const command = [...words, '--out', out, '--threads', '1', '--quiet'];
  writeFileSync(file, before);
  const first = await runGridalloc(command);
  expect(first.code, first.stderr).toBe(0);
  const again = await runGridalloc(command);
  expect(again.code, again.stderr).toBe(0);
  writeFileSync(file, after);
  return { out, changed: await runGridalloc(command) };
}

test.each(Object.keys(COMMANDS))('a changed log is refused by %s', async (name) => {
  const { changed } = await repeatCommandAfterChange(COMMANDS[name]!, log, LOG, SHORTER_LOG);
  expect(changed.code).toBe(2);
  expect(changed.stderr).toMatch(/the log has changed since|holds results of another study/);
});

describe.each(Object.keys(POLICY_FUNCTIONS) as (keyof typeof POLICY_FUNCTIONS)[])(
  'a changed file of --%s',
  (option) => {
    const [before, after] = POLICY_FUNCTIONS[option].map((text) => `export default ${text};\n`) as [
      string,
      string,
    ];

    test.each(Object.keys(COMMANDS))('is refused by %s', async (name) => {
      writeFileSync(log, LOG);
      const file = join(folder, `${option}.js`);
      const words = [...COMMANDS[name]!, ...commandOptionsWithFile(option, file, name)];
      const { out, changed } = await repeatCommandAfterChange(words, file, before, after);
      expect(changed.code).toBe(2);
      expect(changed.stderr).toContain(`holds results of another ${file}, which has changed since`);
      if (name === 'sweep') return;
      // Continued from the folder alone, the copy of the file is used and described.
      const resumedOutput = await runGridalloc([
        'study',
        'run',
        out,
        '--allow-code',
        '--quiet',
        '--threads',
        '1',
      ]);
      expect(resumedOutput.code, resumedOutput.stderr).toBe(0);
      expect(readFileSync(join(out, 'methods.md'), 'utf8')).toContain(hashTextSha256(before));
    });
  },
);
