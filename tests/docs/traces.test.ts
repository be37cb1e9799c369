import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Compares the output of the commands in docs/traces.md with the page. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/traces.md'), 'utf8');
const documentedExamples = [...page.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)].map(
  ([, command, output]) => [command, output],
);

test.each(documentedExamples)('%s', (command, output) => {
  const gridalloc = `"${process.execPath}" "${join(root, 'dist/cli/main.js')}"`;
  const printed = execFileSync('sh', ['-c', command.replace(/^gridalloc/, gridalloc)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(printed).toBe(output);
});

test('every other format has an example', () => {
  expect(documentedExamples).toHaveLength(3);
});
