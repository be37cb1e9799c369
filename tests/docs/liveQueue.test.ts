import { expect, test } from 'vitest';
import { findCodeBlocksOfPage, makeProjectFolder, readTextOfPage, runPrograms } from './examples.js';

test('the programs of the page on live queues print what it says', () => {
  const programs = findCodeBlocksOfPage(readTextOfPage('docs/live-queue.md'), 'js');
  expect(programs.length).toBe(9);
  const printedLines = runPrograms(makeProjectFolder(), programs).flat();
  expect(
    printedLines.map(({ line: printingLine, printedValue: found }) => ({ line: printingLine, found })),
  ).toEqual(
    printedLines.map(({ line: printingLine, expected }) => ({ line: printingLine, found: expected })),
  );
});
