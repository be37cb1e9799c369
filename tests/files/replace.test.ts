import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  explainReadError,
  explainWriteError,
  makeChunkedFile,
  makeFolderWithParents,
  removeAbandonedFiles,
  replaceFiles,
  type WriteErrorAdvice,
} from '../../host/files/fileSystem.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridalloc-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('replaceFiles', () => {
  const makeFileToReplace = (fileName: string, chunks: Iterable<string>) =>
    makeChunkedFile(join(folder, fileName), chunks);

  test('puts all in place, over what was there', async () => {
    writeFileSync(join(folder, 'a'), 'earlier');
    await replaceFiles([makeFileToReplace('a', ['one ', 'two']), makeFileToReplace('b', [])]);
    expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('one two');
  });

  test('leaves all files unchanged if one cannot be written', async () => {
    writeFileSync(join(folder, 'a'), 'earlier');
    const fileThatFailsToWrite = {
      path: join(folder, 'b'),
      write: (path: string) => {
        writeFileSync(path, 'half');
        throw new Error('a bug');
      },
    };
    await expect(replaceFiles([makeFileToReplace('a', ['later']), fileThatFailsToWrite])).rejects.toThrow(
      'a bug',
    );
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('earlier');
  });
});

describe('removeAbandonedFiles', () => {
  /** Runs the clean-up in another thread, which has its own copy of the module. */
  async function removeAbandonedInOtherThread(): Promise<void> {
    const module = new URL('../../dist/files/fileSystem.js', import.meta.url).href;
    const codeOfCleaningThread = `import(${JSON.stringify(module)}).then((each) => each.removeAbandonedFiles(${JSON.stringify(folder)}))`;
    await once(new Worker(codeOfCleaningThread, { eval: true }), 'exit');
  }

  test('leaves files that any thread of this process is writing', async () => {
    const fileCleanedWhileWritten = {
      path: join(folder, 'a'),
      write: async (path: string) => {
        writeFileSync(path, 'whole');
        await removeAbandonedInOtherThread();
        await removeAbandonedFiles(folder);
      },
    };
    await replaceFiles([fileCleanedWhileWritten]);
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('whole');
  });

  test('deletes what an earlier process with the same id has left, whatever its version', async () => {
    const host = hostname().replaceAll(/[^\w.-]/g, '_');
    const timestampOfHourBeforeStart = Math.round(Date.now() / 1000 - process.uptime() - 3600).toString(16);
    const namesOfTemporaryFiles = [`${timestampOfHourBeforeStart}0123456789ab`, '0123456789ab'].map(
      (temporarySuffix) => `.gridalloc-${host}-${process.pid}-${temporarySuffix}.partial`,
    );
    for (const temporaryName of namesOfTemporaryFiles) writeFileSync(join(folder, temporaryName), 'half');
    await removeAbandonedFiles(folder);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('makeFolderRecursively', () => {
  test('makes the missing folders and returns them, the innermost first', async () => {
    const createdFiles: string[] = [];
    await makeFolderWithParents(join(folder, 'a', 'b'), createdFiles);
    expect(createdFiles).toEqual([join(folder, 'a', 'b'), join(folder, 'a')]);
    await makeFolderWithParents(join(folder, 'a', 'b'));
  });

  test('several at once do not disturb each other', async () => {
    const deepFolder = join(folder, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => makeFolderWithParents(deepFolder)));
    expect(existsSync(deepFolder)).toBe(true);
  });

  test.skipIf(!existsSync('/proc/self'))('ends where no folder can be made', async () => {
    await expect(makeFolderWithParents('/proc/none/x')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

const TEST_WRITE_ERROR_ADVICE: WriteErrorAdvice = {
  denied: 'DENIED',
  absent: 'ABSENT',
  blocked: 'BLOCKED',
  full: 'FULL',
};

test.each([
  ['EACCES', 'InputError: p DENIED', 'InputError: p may not be read by this user; change its permissions'],
  ['EROFS', 'InputError: p DENIED', 'InputError: p cannot be read: why'],
  ['ENOENT', 'InputError: p ABSENT', 'InputError: p does not exist; ADVICE'],
  ['ENOTDIR', 'InputError: p BLOCKED', 'InputError: p does not exist; ADVICE'],
  ['EEXIST', 'InputError: p BLOCKED', 'InputError: p cannot be read: why'],
  ['EISDIR', 'OutputError: p cannot be written: why', 'InputError: p is a folder; give the path of a file'],
  ['ENOSPC', 'OutputError: p cannot be written: the disk is full; FULL', 'InputError: p cannot be read: why'],
  ['EIO', 'OutputError: p cannot be written: why', 'InputError: p cannot be read: why'],
])('%s as a sentence', (code, messageOnWriteError, messageOnReadError) => {
  const error = Object.assign(new Error('why'), { code, syscall: 'open' });
  expect(String(explainWriteError('p', error, TEST_WRITE_ERROR_ADVICE))).toBe(messageOnWriteError);
  expect(String(explainReadError('p', error, 'ADVICE'))).toBe(messageOnReadError);
});

test('other errors stay as they are', () => {
  const error = new Error('a bug');
  expect(explainWriteError('p', error, TEST_WRITE_ERROR_ADVICE)).toBe(error);
  expect(explainReadError('p', error, 'ADVICE')).toBe(error);
});
