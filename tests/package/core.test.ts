import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.js';
import { packedFiles, root } from './packed.js';

/** The core that is in the npm package, compiled again from what is in it. */

/** Builds the core with what is in the package, in a folder that has some of the modules. */
function buildIn(folder: string, modules: readonly string[]) {
  const needed = packedFiles().filter((path) =>
    /^(?:assembly|dist|scripts)\/|^(?:asconfig|package)\.json$/.test(path),
  );
  for (const path of needed) cpSync(join(root, path), join(folder, path));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of modules)
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const words = ['dist/cli/main.js', 'core', 'build', '--out', 'built.wasm', '--quiet'];
  return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
}

test('the core in it is what its sources give', () => {
  const folder = temporaryFolder();
  expect(buildIn(folder, readdirSync(join(root, 'node_modules')))).toMatchObject({ status: 0, stderr: '' });
  for (const [file, build] of [
    ['built', 'release'],
    ['built.shared', 'shared'],
    ['built.explaining', 'explaining'],
  ]) {
    const built = readFileSync(join(folder, `${file}.wasm`));
    expect([build, built.equals(readFileSync(join(root, `build/${build}.wasm`)))]).toEqual([build, true]);
  }
}, 300_000);

test('without a compiler it says which to install', () => {
  const modules = readdirSync(join(root, 'node_modules')).filter((name) => name !== 'assemblyscript');
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/assemblyscript/package.json'), 'utf8'),
  ) as { version: string };
  expect(buildIn(temporaryFolder(), modules)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      new RegExp(`^gridalloc: the compiler .*; npm install assemblyscript@${version} .*\n$`),
    ),
  });
});
