import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { blocksOf, projectFolder, readPage, runPrograms } from './examples.js';

/** docs/custom-policies.md: its files and commands, one after the other. */

const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
// tests/cli/core.test.ts runs the part on policies in the core.
const [page = ''] = readPage('docs/custom-policies.md').split('\n## In the core\n');
const folder = projectFolder();

/** Files whose first line, a comment, names them. */
for (const text of [...blocksOf(page, 'js'), ...blocksOf(page, 'yaml')]) {
  const [, name] = /^(?:\/\/|#) (\S+)\n/.exec(text) as RegExpExecArray;
  writeFileSync(join(folder, name), text);
}

function run(command: string) {
  const line = command.replace(/^gridalloc/, `"${process.execPath}" "${PROGRAM}"`);
  return spawnSync('sh', ['-c', line], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
}

test('the commands run, and say what the page says', () => {
  const commands = blocksOf(page, 'console').flatMap((text) => text.match(/(?<=^\$ ).*/gm) ?? []);
  const outputs = commands.map((command) => {
    const { status, stdout, stderr } = run(command);
    expect([command, status, stderr]).toEqual([command, 0, '']);
    return stdout;
  });
  const [, explained, compared] = outputs;
  expect(explained).toContain('results/code/leave-room-');
  const named = compared.match(/^(?:best-fit|fastest-first|si|ti|ai2?|tai2?|\.\/leave-room\.js)(?= .*\d)/gm);
  expect(new Set(named).size).toBe(9);
  const table = readFileSync(join(folder, 'rooms/tables/responses.csv'), 'utf8').trim().split('\n');
  expect(table).toHaveLength(5);
  expect(table[4]).toMatch(/^\.\/leave-room\.js,\d/);
}, 60_000);

test('the program of the library prints what it says', () => {
  const [printed] = runPrograms(folder, blocksOf(page, 'ts'));
  for (const { line, expected, found } of printed) expect(`${line} ${found}`).toBe(`${line} ${expected}`);
});
