import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.js';

/** The program is one script that is compiled ahead, and runs as well where it is not. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const CODE = `program-${process.version}-${process.arch}.code`;

/** A copy of the built program without its compiled code, or with something else for it. */
function copyWith(code: string | undefined): string {
  const folder = temporaryFolder();
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.code'),
  });
  for (const name of ['build', 'node_modules', 'package.json', 'studies'])
    symlinkSync(join(root, name), join(folder, name));
  if (code !== undefined) writeFileSync(join(folder, 'dist/cli', CODE), code);
  return folder;
}

/** What a program of this folder prints; packages that have modules alone are imported for the help. */
function outputs(folder: string): (string | null | number)[] {
  const commands = [
    ['simulate', join(root, 'traces/queues.swf')],
    ['compare', '--help'],
    ['study', 'list'],
  ];
  return commands.flatMap((words) => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [join(folder, 'dist/cli/main.js'), ...words],
      { encoding: 'utf8', cwd: root },
    );
    return [stdout, stderr, status];
  });
}

const { readScript } = createRequire(import.meta.url)(join(root, 'dist/cli/main.js')) as {
  readScript(): { cachedDataRejected?: boolean };
};

test('this version of Node takes what the build has compiled ahead', () => {
  expect(readScript().cachedDataRejected).toBe(false);
});

test.each([
  ['nothing', undefined],
  ['damaged code', 'no code'],
])('with %s compiled ahead it runs alike', (_, code) => {
  const usual = outputs(root);
  expect(usual[2]).toBe(0);
  expect(usual[0]).toContain('mean wait');
  expect(usual[3]).toContain('--replications');
  expect(outputs(copyWith(code))).toEqual(usual);
});

test('the script is of ASCII characters, as it is read', () => {
  expect(readFileSync(join(root, 'dist/cli/program.js')).every((byte) => byte < 128)).toBe(true);
});

test('a simulation loads no part of Node that it does not use', () => {
  const folder = temporaryFolder();
  const listing = join(folder, 'loaded.cjs');
  writeFileSync(listing, "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));");
  const words = ['-r', listing, join(root, 'dist/cli/main.js'), 'simulate', join(root, 'traces/queues.swf')];
  const { stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(status).toBe(0);
  const loaded = stderr.split('\n').map((line) => line.replace('NativeModule ', ''));
  expect(loaded).toContain('fs');
  for (const dear of ['crypto', 'worker_threads', 'http', 'child_process'])
    expect(loaded).not.toContain(dear);
});
