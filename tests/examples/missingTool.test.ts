import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';

test.each(['wasm2c'])('the native build without %s ends with one sentence', (name) => {
  const folder = makeTemporaryFolder();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/native.mjs', folder], {
    encoding: 'utf8',
    env: { PATH: folder },
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe(`${name} is missing, and the native library is compiled by it: apt-get install wabt\n`);
});
