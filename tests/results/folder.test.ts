import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InputError, OutputError } from '../../host/errors.js';
import {
  checkResultFolder,
  makeJsonResultFile,
  makeTextResultFile,
  writeResultFolder,
} from '../../host/results/resultFolder.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridalloc-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const config = makeJsonResultFile('config.json', { gridalloc: '1.0.0' });

function makeFailingFile(error: Error) {
  return makeTextResultFile('jobs.csv', function* () {
    yield 'half of it';
    throw error;
  });
}

function makeSystemError(errorCode: string): Error {
  return Object.assign(new Error(`${errorCode}: it went wrong`), { code: errorCode, syscall: 'write' });
}

describe('writeResultFolder', () => {
  test('writes all files, making the folders', async () => {
    const resultFolder = join(folder, 'a', 'b');
    await writeResultFolder(resultFolder, [config, makeTextResultFile('jobs.csv', () => ['one\n', 'two\n'])]);
    expect(readdirSync(resultFolder).sort()).toEqual(['config.json', 'jobs.csv']);
    expect(readFileSync(join(resultFolder, 'jobs.csv'), 'utf8')).toBe('one\ntwo\n');
    expect(readFileSync(join(resultFolder, 'config.json'), 'utf8')).toBe(
      '{\n  "format": 2,\n  "gridalloc": "1.0.0"\n}\n',
    );
  });

  test('leaves nothing when a file fails, not even the folders it made', async () => {
    const resultFolder = join(folder, 'a', 'b');
    await expect(
      writeResultFolder(resultFolder, [config, makeFailingFile(new Error('a bug'))]),
    ).rejects.toThrow('a bug');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('leaves earlier results as they were when a file fails', async () => {
    await writeResultFolder(folder, [config, makeTextResultFile('jobs.csv', () => ['earlier'])]);
    await expect(writeResultFolder(folder, [config, makeFailingFile(new Error('a bug'))])).rejects.toThrow(
      'a bug',
    );
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'jobs.csv']);
    expect(readFileSync(join(folder, 'jobs.csv'), 'utf8')).toBe('earlier');
  });

  test('stops between files on a signal', async () => {
    const controller = new AbortController();
    const fileAbortingDuringWrite = makeTextResultFile('jobs.csv', function* () {
      controller.abort(new Error('stop'));
      yield 'all of it';
    });
    const resultFolder = join(folder, 'new');
    await expect(
      writeResultFolder(resultFolder, [fileAbortingDuringWrite, config], controller.signal),
    ).rejects.toThrow('stop');
    expect(existsSync(resultFolder)).toBe(false);
  });

  test('says that the disk is full', async () => {
    const failingWriteOnFullDisk = writeResultFolder(folder, [makeFailingFile(makeSystemError('ENOSPC'))]);
    await expect(failingWriteOnFullDisk).rejects.toThrow(
      new OutputError(
        `${folder} cannot be written: the disk is full; what was there is kept; free some space and repeat the command`,
      ),
    );
    const writeWithInputOutputError = writeResultFolder(folder, [makeFailingFile(makeSystemError('EIO'))]);
    await expect(writeWithInputOutputError).rejects.toThrow(
      new OutputError(`${folder} cannot be written: EIO: it went wrong`),
    );
  });

  test('says that the place is not writable', async () => {
    const failingWriteWithoutPermission = writeResultFolder(folder, [
      makeFailingFile(makeSystemError('EACCES')),
    ]);
    await expect(failingWriteWithoutPermission).rejects.toThrow(InputError);
    await expect(writeResultFolder('/proc/gridalloc', [config])).rejects.toThrow(InputError);
  });
});

describe('checkResultFolder', () => {
  test('takes a new folder, an empty one, and one with earlier results', async () => {
    await checkResultFolder(join(folder, 'new', 'deep'));
    expect(readdirSync(folder)).toEqual([]);
    await checkResultFolder(folder);
    writeFileSync(join(folder, 'notes.txt'), '');
    writeFileSync(join(folder, 'config.json'), '{"gridalloc":"0.1.0"}');
    await checkResultFolder(folder);
  });

  test.each(['{}', '[]', 'null', 'no JSON'])(
    'does not mistake a config.json of %s for results',
    async (text) => {
      writeFileSync(join(folder, 'config.json'), text);
      await expect(checkResultFolder(folder)).rejects.toThrow(
        `${folder} is not empty (it contains config.json); give a new or empty folder for the results`,
      );
    },
  );

  test('refuses a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    for (const path of [join(folder, 'file'), join(folder, 'file', 'below')]) {
      await expect(checkResultFolder(path)).rejects.toThrow(
        `${path} is not a folder, or is below a file; give a folder for the results`,
      );
    }
  });
});
