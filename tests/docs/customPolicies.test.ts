import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findCodeBlocksOfPage, makeProjectFolder, readTextOfPage, runPrograms } from './examples.js';

/** Writes the files and runs the commands of docs/custom-policies.md, in their order. */

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
// The section on policies in the core is tested by tests/package/recipes.test.ts.
const [page = ''] = readTextOfPage('docs/custom-policies.md').split('\n## In the core\n');
const folder = makeProjectFolder();

/** Files of the page; the comment on the first line of each gives its name. */
for (const text of [...findCodeBlocksOfPage(page, 'js'), ...findCodeBlocksOfPage(page, 'yaml')]) {
  const [, name] = /^(?:\/\/|#) (\S+)\n/.exec(text) as RegExpExecArray;
  writeFileSync(join(folder, name), text);
}

function run(command: string) {
  const line = command.replace(/^gridalloc/, `"${process.execPath}" "${PROGRAM_PATH}"`);
  return spawnSync('sh', ['-c', line], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
}

test('the commands run, and say what the page says', () => {
  const commands = findCodeBlocksOfPage(page, 'console').flatMap((text) => text.match(/(?<=^\$ ).*/gm) ?? []);
  const outputs = commands.map((command) => {
    const { status, stdout, stderr } = run(command);
    expect([command, status, stderr]).toEqual([command, 0, '']);
    return stdout;
  });
  const [, explanationOutput, comparisonOutput] = outputs;
  expect(explanationOutput).toContain('results/code/leave-room-');
  const namedPolicies = comparisonOutput.match(
    /^(?:best-fit|fastest-first|si|ti|ai2?|tai2?|\.\/leave-room\.js)(?= .*\d)/gm,
  );
  expect(new Set(namedPolicies).size).toBe(9);
  const table = readFileSync(join(folder, 'rooms/tables/responses.csv'), 'utf8').trim().split('\n');
  expect(table).toHaveLength(5);
  expect(table[4]).toMatch(/^\.\/leave-room\.js,\d/);
}, 60_000);

test('the program of the library prints what it says', () => {
  const [printedLines] = runPrograms(folder, findCodeBlocksOfPage(page, 'ts'));
  for (const { line: printingLine, expected, printedValue: found } of printedLines)
    expect(`${printingLine} ${found}`).toBe(`${printingLine} ${expected}`);
});
