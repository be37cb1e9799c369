import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Paths of all documentation pages. */
const PATHS_OF_DOCUMENTED_PAGES = [
  'README.md',
  ...readdirSync('docs').map((name) => join('docs', name)),
].filter((name) => name.endsWith('.md'));

/** Commands of a page that write a log with sacct, each on one line and without its output file. */
function findCommandsOnPage(page: string): string[] {
  const pageText = readFileSync(page, 'utf8').replaceAll(/\\\n\s*/g, '');
  return [...pageText.matchAll(/^.*\bsacct --.*--format .*$/gm)].map(([line]) =>
    line.trim().replace(/ > \S+$/, ''),
  );
}

test('all pages have one command that prints the accounting of Slurm', () => {
  const commands = PATHS_OF_DOCUMENTED_PAGES.flatMap(findCommandsOnPage);
  expect(commands.length).toBeGreaterThanOrEqual(3);
  expect(new Set(commands).size).toBe(1);
  expect(commands[0]).toMatch(/^SLURM_TIME_FORMAT=%s sacct .*--format JobID,JobIDRaw,/);
});
