import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { copyPackagedProgram } from './packed.js';

/** The program is one script with a code cache, and must run without the cache, too. */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Copies the built program without its code cache, or with a given text in its place. */
function copyProgramWithCodeCache(programCode: string | undefined): string {
  const folder = copyPackagedProgram();
  if (programCode !== undefined) writeFileSync(join(folder, 'dist/cli', makeCodeCacheName()), programCode);
  return folder;
}

/** File name of the program's code cache for this version of Node. */
const makeCodeCacheName = () => `program-${digest}-${process.version}-${process.arch}.code`;
const digest = readFileSync(join(repositoryRoot, 'dist/cli/program.js'), 'utf8').split('//').at(-1);

/** Output of all programs of a folder; packages that cannot be run are imported. */
function runProgramsOfFolder(folder: string): (string | null | number)[] {
  const commands = [
    ['simulate', join(repositoryRoot, 'traces/queues.swf')],
    ['compare', '--help'],
    ['study', 'show', 'huang2007-table3'],
  ];
  return commands.flatMap((commandWords) => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [join(folder, 'dist/cli/main.js'), ...commandWords],
      { encoding: 'utf8', cwd: repositoryRoot },
    );
    return [stdout, stderr, status];
  });
}

const { readScript } = createRequire(import.meta.url)(join(repositoryRoot, 'dist/cli/main.js')) as {
  readScript(): { readonly script: { cachedDataRejected?: boolean } };
};

test('this version of Node takes what the build has compiled ahead', () => {
  expect(readScript().script.cachedDataRejected).toBe(false);
});

const defaultValue = runProgramsOfFolder(repositoryRoot);

test('compiled ahead it runs', () => {
  expect(defaultValue[2]).toBe(0);
  expect(defaultValue[0]).toContain('mean wait');
  expect(defaultValue[3]).toContain('--replications');
  expect(defaultValue[6]).toContain('Table 3');
});

test.each([
  ['nothing', undefined],
  ['damaged code', 'no code'],
])('with %s compiled ahead it runs the same', (_, code) => {
  expect(runProgramsOfFolder(copyProgramWithCodeCache(code))).toEqual(defaultValue);
});

test('the script has only ASCII characters', () => {
  expect(readFileSync(join(repositoryRoot, 'dist/cli/program.js')).every((byte) => byte < 128)).toBe(true);
});

test('a simulation loads no part of Node that it does not use', () => {
  const folder = makeTemporaryFolder();
  const pathOfModuleListing = join(folder, 'loaded.cjs');
  writeFileSync(
    pathOfModuleListing,
    "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));",
  );
  const commandWords = [
    '-r',
    pathOfModuleListing,
    join(repositoryRoot, 'dist/cli/main.js'),
    'simulate',
    join(repositoryRoot, 'traces/queues.swf'),
  ];
  const { stderr, status } = spawnSync(process.execPath, commandWords, { encoding: 'utf8' });
  expect(status).toBe(0);
  const loadedModules = stderr.split('\n').map((line) => line.replace('NativeModule ', ''));
  expect(loadedModules).toContain('fs');
  for (const moduleNotToLoad of ['crypto', 'worker_threads', 'http', 'child_process'])
    expect(loadedModules).not.toContain(moduleNotToLoad);
});

/**
 * Runs a copy of the program with a home folder; returns the cache files in the program's folder
 * and in the home folder.
 */
function listCodeFilesAfterRun(
  folder: string,
  home: string,
  ...commandWords: string[]
): { besideProgram: string[]; home: string[] } {
  const { stderr } = spawnSync(
    process.execPath,
    [join(folder, 'dist/cli/main.js'), ...commandWords, '--quiet'],
    {
      encoding: 'utf8',
      cwd: repositoryRoot,
      env: { PATH: process.env.PATH, HOME: home },
    },
  );
  expect(stderr.replace(/^gridalloc: .*\n/, '')).toBe('');
  const cacheFolder = join(home, '.cache/gridalloc');
  const listCodeCacheFiles = (path: string) =>
    existsSync(path)
      ? readdirSync(path, { withFileTypes: true })
          .filter((folderEntry) => folderEntry.isFile() && folderEntry.name.includes('.code'))
          .map(({ name }) => name)
      : [];
  return {
    besideProgram: listCodeCacheFiles(join(folder, 'dist/cli')),
    home: listCodeCacheFiles(cacheFolder),
  };
}

const SIMULATE_WORDS = ['simulate', join(repositoryRoot, 'traces/queues.swf')];

test('compiled code is kept beside the program from the first simulation on, not before', () => {
  const [folder, home] = [copyPackagedProgram(), makeTemporaryFolder()];
  for (const commandWords of [['simulate', '--help'], ['policies'], ['simulate', 'nowhere.swf']])
    expect(listCodeFilesAfterRun(folder, home, ...commandWords)).toEqual({ besideProgram: [], home: [] });
  expect(listCodeFilesAfterRun(folder, home, ...SIMULATE_WORDS)).toEqual({
    besideProgram: [makeCodeCacheName()],
    home: [],
  });
  const codeCacheBytes = readFileSync(join(folder, 'dist/cli', makeCodeCacheName()));
  expect(listCodeFilesAfterRun(folder, home, ...SIMULATE_WORDS)).toEqual({
    besideProgram: [makeCodeCacheName()],
    home: [],
  });
  expect(readFileSync(join(folder, 'dist/cli', makeCodeCacheName())).equals(codeCacheBytes)).toBe(true);
});

test("where the program's folder cannot be written, compiled code is kept in the home folder, or else nowhere", () => {
  const [folder, home] = [copyPackagedProgram(), makeTemporaryFolder()];
  // A folder in place of the cache file prevents writing, even for root.
  mkdirSync(join(folder, 'dist/cli', makeCodeCacheName(), 'full'), { recursive: true });
  expect(listCodeFilesAfterRun(folder, home, ...SIMULATE_WORDS)).toEqual({
    besideProgram: [],
    home: [makeCodeCacheName()],
  });
  expect(listCodeFilesAfterRun(folder, '/nowhere', ...SIMULATE_WORDS)).toEqual({
    besideProgram: [],
    home: [],
  });
  mkdirSync(join(home, 'blocked', '.cache/gridalloc', makeCodeCacheName(), 'full'), { recursive: true });
  expect(listCodeFilesAfterRun(folder, join(home, 'blocked'), ...SIMULATE_WORDS)).toEqual({
    besideProgram: [],
    home: [],
  });
});
