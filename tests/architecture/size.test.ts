import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

const MOST_LINES = 600;
/** Longest line of the core, which no formatter looks after. */
const LONGEST_LINE = 110;
/** A policy's declaration must be one literal: put together from parts it would be made anew at every call. */
const DECLARATION = /^\s*return '[^']*';$/;

function sources(folder: string): { path: string; lines: string[] }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => ({
      path: join(folder, path),
      lines: readFileSync(join(root, folder, path), 'utf8')
        .trimEnd()
        .split('\n'),
    }));
}

test('files can be read in one go', () => {
  const long = [...sources('assembly'), ...sources('host'), ...sources('web')].filter(
    ({ lines }) => lines.length > MOST_LINES,
  );
  expect(long.map(({ path, lines }) => `${path}: ${lines.length} lines`)).toEqual([]);
});

test('lines of the core fit', () => {
  const long = sources('assembly').flatMap(({ path, lines }) =>
    lines
      .map((line, index) => ({ where: `${path}:${index + 1}`, line }))
      .filter(({ line }) => line.length > LONGEST_LINE && !DECLARATION.test(line)),
  );
  expect(long.map(({ where, line }) => `${where}: ${line.length} columns`)).toEqual([]);
});
