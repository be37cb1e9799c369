import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { DECIDING_RULES, type Explanation } from '../../host/explain/explanation.js';

/**
 * Compares docs/explaining.md with the program: the output of its example, and the names in its
 * tables.
 */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(repositoryRoot, 'docs/explaining.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'gridalloc-explaining-'));

afterAll(() => rmSync(folder, { recursive: true }));

const [, ...commands] = (/```console\n([\s\S]*?)```/.exec(page)?.[1] ?? '').split(/^\$ /m);
const [simulate, explain] = commands.map((text) => text.split('\n')[0]);

function run(command: string): string {
  const gridallocShellCommand = `"${process.execPath}" "${join(repositoryRoot, 'dist/cli/main.js')}"`;
  return execFileSync('sh', ['-c', command.replace(/^gridalloc/, gridallocShellCommand)], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
}

/** Names in the first cells of the table of a section. */
function findNamesInTableOfSection(section: string): string[] {
  const sectionText = page.split(/^## /m).find((pageSection) => pageSection.startsWith(`${section}\n`)) ?? '';
  const cells = [...sectionText.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)/g)].map(([, name]) => name));
}

test('the example is what is printed, and JSON has the fields of the tables', () => {
  run(simulate);
  expect(run(explain).trimEnd().split('\n')).toEqual(commands[1].trimEnd().split('\n').slice(1));
  const document: Explanation = JSON.parse(run(`${explain} --json`));
  const fieldNames = findNamesInTableOfSection('As JSON');
  expect(Object.keys(document).filter((key) => !fieldNames.includes(key))).toEqual([]);
  expect(Object.keys(document.waits[0]).filter((key) => !fieldNames.includes(key))).toEqual([]);
});

test('every rule that settles a decision is explained', () => {
  const rules = findNamesInTableOfSection('What settled it').filter((name) => name !== 'decision');
  expect(rules).toEqual([...DECIDING_RULES]);
});
