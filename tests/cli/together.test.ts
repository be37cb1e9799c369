import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeSwfRecord, runProgramInProcess, splitShellWords } from './runProgram.js';

/**
 * Tests the table of compatible options in docs/model.md: compatible pairs run, and the others are
 * refused with the reason.
 */

const jobs = Array.from({ length: 12 }, (_, i) => {
  return makeSwfRecord(i + 1, 3 * i, 20 + ((7 * i) % 30), 1 + ((5 * i) % 4), 1 + (i % 2), 40);
});
const logText = [...jobs, ''].join('\n');
const page = readFileSync('docs/model.md', 'utf8');
const compatibleOptionsMarkdown = page
  .split('<!-- table of what goes together -->')[1]
  .split('<!-- end of that table -->')[0];
const optionTableRows = compatibleOptionsMarkdown.trim().split('\n').slice(2);
const findCodeSpansInCell = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

/** Joins two strings of command-line options; an option that both set keeps the second string's value. */
function joinOptionStrings(leftOptions: string, rightOptions: string): string[] {
  const optionNames = new Set(
    splitShellWords(rightOptions).filter((shellWord) => shellWord.startsWith('--')),
  );
  const keptOptions = leftOptions.split(/ (?=--)/).filter((option) => !optionNames.has(option.split(' ')[0]));
  return [...keptOptions, rightOptions].flatMap(splitShellWords);
}

const simulate = (commandWords: readonly string[]) =>
  runProgramInProcess(['simulate', '-', '--sites', '4,4', '--quiet', '--json', ...commandWords], {
    input: logText,
  });

test.each(optionTableRows)('%s', async (row) => {
  const [whats, withThese, notWith] = row.split('|').slice(1, 4).map(findCodeSpansInCell);
  expect(whats.length * withThese.length).toBeGreaterThan(0);
  for (const options of whats) {
    for (const companionOptions of withThese) {
      const commandWords = joinOptionStrings(options, companionOptions);
      expect({ words: commandWords, ...(await simulate(commandWords)) }).toMatchObject({ exitCode: 0 });
    }
    for (const excludedOptions of notWith) {
      const commandWords = joinOptionStrings(options, excludedOptions);
      expect({ words: commandWords, ...(await simulate(commandWords)) }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(', since '),
      });
    }
  }
});
