import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Compares the output of the commands in docs/traces.md with the page. */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(repositoryRoot, 'docs/traces.md'), 'utf8');
const documentedCommandsAndOutputs = [...page.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)].map(
  ([, command, output]) => [command, output],
);

test.each(documentedCommandsAndOutputs)('%s', (command, output) => {
  const gridalloc = `"${process.execPath}" "${join(repositoryRoot, 'dist/cli/main.js')}"`;
  const printedText = execFileSync('sh', ['-c', command.replace(/^gridalloc/, gridalloc)], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(printedText).toBe(output);
});

test('every other format has an example', () => {
  expect(documentedCommandsAndOutputs).toHaveLength(3);
});
