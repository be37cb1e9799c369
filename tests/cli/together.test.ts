import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeSwfRecord, runProgramInProcess, shellWords } from './runProgram.js';

/**
 * Tests the table of compatible options in docs/model.md: compatible pairs run, and the others are
 * refused with the reason.
 */

const jobs = Array.from({ length: 12 }, (_, i) => {
  return makeSwfRecord(i + 1, 3 * i, 20 + ((7 * i) % 30), 1 + ((5 * i) % 4), 1 + (i % 2), 40);
});
const logText = [...jobs, ''].join('\n');
const page = readFileSync('docs/model.md', 'utf8');
const compatibleOptionsTable = page
  .split('<!-- table of what goes together -->')[1]
  .split('<!-- end of that table -->')[0];
const optionTableRows = compatibleOptionsTable.trim().split('\n').slice(2);
const settingsOfPart = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

/** Joins two option strings; options of the first that the second also sets are dropped. */
function joinOptionStrings(one: string, other: string): string[] {
  const names = new Set(shellWords(other).filter((word) => word.startsWith('--')));
  const kept = one.split(/ (?=--)/).filter((part) => !names.has(part.split(' ')[0]));
  return [...kept, other].flatMap(shellWords);
}

const simulate = (words: readonly string[]) =>
  runProgramInProcess(['simulate', '-', '--sites', '4,4', '--quiet', '--json', ...words], { input: logText });

test.each(optionTableRows)('%s', async (row) => {
  const [whats, withThese, notWith] = row.split('|').slice(1, 4).map(settingsOfPart);
  expect(whats.length * withThese.length).toBeGreaterThan(0);
  for (const what of whats) {
    for (const other of withThese) {
      const words = joinOptionStrings(what, other);
      expect({ words, ...(await simulate(words)) }).toMatchObject({ code: 0 });
    }
    for (const other of notWith) {
      const words = joinOptionStrings(what, other);
      expect({ words, ...(await simulate(words)) }).toMatchObject({
        code: 2,
        err: expect.stringContaining(', since '),
      });
    }
  }
});
