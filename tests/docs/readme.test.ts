import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { projectFolder, readPage } from './examples.js';

/** The commands and the program of README.md print what stands there. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readPage('README.md');
const folder = projectFolder();

/** Commands of the console blocks with the output that follows them. */
const commands = [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block]) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command, ...output] = text.trimEnd().split('\n');
      return { command, output };
    }),
);

/** Output without the times that a run took, which stand last in their lines. */
const timeless = (line: string) => line.replace(/ +[\d,]+(?: {2}\*)?$/, '');

describe('the commands', () => {
  test.each(commands)('$command', ({ command, output }) => {
    const gridalloc = `"${process.execPath}" "${join(root, 'dist/cli/main.js')}"`;
    const printed = execFileSync('sh', ['-c', command.replace(/^gridalloc/, gridalloc)], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    const found = printed.trimEnd().split('\n').map(timeless);
    // `...` at the end stands for the rest.
    const isShortened = output.at(-1) === '...';
    const expected = (isShortened ? output.slice(0, -1) : output).map(timeless);
    expect(isShortened ? found.slice(0, expected.length) : found).toEqual(expected);
  });

  test('are there', () => {
    expect(commands.length).toBeGreaterThan(3);
  });
});

test('the library example', () => {
  const [, program, output] = /```js\n([\s\S]*?)```\n\n```\n([\s\S]*?)```/.exec(page) ?? [];
  writeFileSync(join(folder, 'example.mjs'), program);
  const printed = execFileSync(process.execPath, [join(folder, 'example.mjs')], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(printed).toBe(output);
});
