import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { buildLibrary, defineHostTest, executeProgram, findMissingPrograms } from './programs.js';

/**
 * Tests the native library inside a process: several threads, little memory, and hosts that rely on
 * signals.
 */

const programs = fileURLToPath(new URL('native/', import.meta.url));

/** Compiler options for ThreadSanitizer. */
const SANITIZER_OPTIONS = '-fsanitize=thread -O1';

const canLibraryBeBuilt = findMissingPrograms('wasm2c', 'cc').length === 0;
const library = canLibraryBeBuilt ? buildLibrary('cc') : undefined;
const sanitizedLibraryPromise = canLibraryBeBuilt ? buildLibrary('cc', SANITIZER_OPTIONS) : undefined;
// Failures are reported by the tests that wait for the library.
for (const each of [library, sanitizedLibraryPromise]) each?.catch(() => {});

/** Compiles the program of library.c with a library and runs one of its checks. */
async function runNativeCheck(checkName: string, library: string, options = ''): Promise<void> {
  const program = join(makeTemporaryFolder(), 'library');
  const compilerWords = options.split(' ').filter((word) => word !== '');
  const sources = ['-Wall', '-Wextra', '-Werror', join(programs, 'library.c'), '-o', program];
  const linkOptions = [`-I${library}`, `-L${library}`, '-lgridalloc', '-pthread'];
  await executeProgram('cc', [...compilerWords, ...sources, ...linkOptions]);
  await executeProgram(program, [checkName], { env: { ...process.env, LD_LIBRARY_PATH: library } });
}

for (const checkName of ['threads', 'often', 'limited', 'reserve', 'signals']) {
  defineHostTest(`C: ${checkName}`, findMissingPrograms('wasm2c', 'cc'), async () =>
    runNativeCheck(checkName, (await library) as string),
  );
}

defineHostTest('C under ThreadSanitizer: threads', findMissingPrograms('wasm2c', 'cc'), async () => {
  await runNativeCheck('threads', (await sanitizedLibraryPromise) as string, SANITIZER_OPTIONS);
});

defineHostTest(
  'the library shows what its header declares and nothing else',
  findMissingPrograms('wasm2c', 'cc', 'nm'),
  async () => {
    const { stdout } = await executeProgram('nm', [
      '-D',
      '--defined-only',
      `${await library}/libgridalloc.so`,
    ]);
    const symbolNames = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[2]);
    expect(symbolNames.length).toBeGreaterThan(30);
    expect(symbolNames.filter((symbolName) => !symbolName.startsWith('gridalloc_'))).toEqual([]);
  },
);

defineHostTest(
  'Java catches what it dereferences with a core open',
  findMissingPrograms('wasm2c', 'cc', 'java', 'javac'),
  async () => {
    const folder = makeTemporaryFolder();
    const foreignFunctionModuleWords = ['--add-modules', 'jdk.incubator.foreign'];
    await executeProgram('javac', [...foreignFunctionModuleWords, '-d', folder, join(programs, 'Null.java')]);
    const compilerWords = [
      ...foreignFunctionModuleWords,
      '--enable-native-access=ALL-UNNAMED',
      '-cp',
      folder,
      'Null',
      (await library) as string,
    ];
    expect((await executeProgram('java', compilerWords)).stdout).toBe('version 5, caught 20000\n');
  },
);

defineHostTest(
  'Go recovers from what it dereferences with a core open',
  findMissingPrograms('wasm2c', 'cc', 'go'),
  async () => {
    const folder = makeTemporaryFolder();
    const libraryFolder = (await library) as string;
    cpSync(join(programs, 'go'), folder, { recursive: true });
    const flags = { CGO_ENABLED: '1', CGO_CFLAGS: `-I${libraryFolder}`, CGO_LDFLAGS: `-L${libraryFolder}` };
    const goEnvironment = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOCACHE: join(folder, 'cache') };
    const env = { ...process.env, ...flags, ...goEnvironment, LD_LIBRARY_PATH: libraryFolder };
    expect((await executeProgram('go', ['run', '.'], { cwd: folder, env })).stdout).toBe(
      'version 5, caught 20000\n',
    );
  },
);

test('another wabt is refused in a sentence', async () => {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, 'wasm2c'), '#!/bin/sh\necho 1.0.39\n', { mode: 0o755 });
  const script = fileURLToPath(new URL('../../scripts/native.mjs', import.meta.url));
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const buildPromise = executeProgram(process.execPath, [script, join(folder, 'out')], { env });
  await expect(buildPromise).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^wasm2c is of wabt 1\.0\.39, but the native library needs wabt 1\.0\.32[^\n]*\n$/,
    ),
  });
});
