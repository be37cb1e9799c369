import { expect, test } from 'vitest';
import { codeBlocksOfPage, makeProjectFolder, readPage, runPrograms } from './examples.js';

test('the programs of the page on live queues print what it says', () => {
  const programs = codeBlocksOfPage(readPage('docs/live-queue.md'), 'js');
  expect(programs.length).toBe(5);
  const printed = runPrograms(makeProjectFolder(), programs).flat();
  expect(printed.map(({ line, found }) => ({ line, found }))).toEqual(
    printed.map(({ line, expected }) => ({ line, found: expected })),
  );
});
