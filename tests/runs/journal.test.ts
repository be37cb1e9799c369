import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { joinLinesIntoChunks } from '../../host/format/csv.js';
import { RunJournal, readCompleteJournalLines, readRunJournal } from '../../host/runs/journal.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** Written data must survive failures of later writes. */

let room = Number.POSITIVE_INFINITY;

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  return {
    ...fs,
    // Simulates a disk with `room` free bytes.
    writeSync: (file: number, bytes: Buffer, from: number) => {
      if (room <= 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
      const length = Math.min(room, bytes.length - from);
      room -= length;
      return fs.writeSync(file, bytes, from, length);
    },
  };
});

const JOURNAL_PLAN = { sha256: 'p' };
const folder = temporaryFolder();
let path: string;
let number = 0;

beforeEach(() => {
  room = Number.POSITIVE_INFINITY;
  path = join(folder, `journal${number++}`);
});

/** Opens the journal; returns it with the runs recorded earlier. */
function opened(plan: ConstructorParameters<typeof RunJournal>[1] = JOURNAL_PLAN): {
  journal: RunJournal;
  earlier: [string, readonly unknown[]][];
} {
  const earlier: [string, readonly unknown[]][] = [];
  const journal = new RunJournal(path, plan, '1/1', (id, values) => earlier.push([id, values]));
  return { journal, earlier };
}

const ids = (results: readonly [string, unknown][]) => results.map(([id]) => id);

function read(): [string, readonly unknown[]][] {
  const results: [string, readonly unknown[]][] = [];
  readRunJournal(path, (id, values) => results.push([id, values]));
  return results;
}

function begun(): void {
  const { journal } = opened();
  journal.append([['a', [1, 0.1]]]);
  journal.append([
    ['b', [2, 1e300]],
    ['c', [3, 5e-324]],
  ]);
  journal.close();
}

test('results are read back to the last bit', () => {
  begun();
  const expected = [
    ['a', [1, 0.1]],
    ['b', [2, 1e300]],
    ['c', [3, 5e-324]],
  ];
  expect(read()).toEqual(expected);
  expect(opened().earlier).toEqual(expected);
});

test('a full disk: one sentence, finished runs stay, and the same command resumes', () => {
  begun();
  const { journal } = opened();
  room = 20;
  expect(() => journal.append([['d', [4, 4]]])).toThrow(
    /journal\d+ cannot be written: the disk is full; finished runs are kept; free some space and repeat the command$/,
  );
  room = Number.POSITIVE_INFINITY;
  const { journal: again, earlier } = opened();
  expect(ids(earlier)).toEqual(['a', 'b', 'c']);
  again.append([['d', [4, 4]]]);
  expect(ids(read())).toEqual(['a', 'b', 'c', 'd']);
});

test('a torn last line is cut off, wherever it was torn', () => {
  begun();
  const whole = readFileSync(path);
  const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1;
  for (let end = lastLine; end < whole.length; end++) {
    writeFileSync(path, whole.subarray(0, end));
    const { journal, earlier } = opened();
    expect(ids(earlier)).toEqual(['a', 'b']);
    journal.append([['c', [3, 5e-324]]]);
    expect(readFileSync(path).equals(whole)).toBe(true);
  }
});

test('a damaged line in the middle is reported, with its number', () => {
  begun();
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"a",[1', '"a",[7'));
  expect(() => opened()).toThrow(/journal\d+, line 2: damaged/);
  expect(() => read()).toThrow('line 2: damaged');
});

test('another plan is refused', () => {
  begun();
  expect(() => opened({ sha256: 'q' })).toThrow('holds results of another study');
  expect(ids(opened({ sha256: 'q', continues: ['o', 'p'] }).earlier)).toEqual(['a', 'b', 'c']);
  appendFileSync(path, 'x');
  expect(ids(opened().earlier)).toEqual(['a', 'b', 'c']);
});

test.each([['{"a":1}'], ['null'], ['[1,"x"]'], ['["d","x"]'], ['["d",[1,"x"]]'], ['["d",[1],2]']])(
  'a line of another shape, though whole, is refused: %s',
  (document) => {
    begun();
    const checksum = createHash('sha256').update(document).digest('hex').slice(0, 12);
    appendFileSync(path, `${checksum} ${document}\n`);
    expect(read).toThrow(`${path}, line 5: damaged`);
    writeFileSync(path, `${checksum} ${document}\n`);
    expect(opened).toThrow(`${path}, line 1: damaged`);
  },
);

test('lines longer and shorter than what is read at once', () => {
  const path = join(temporaryFolder(), 'lines');
  const lines = [0, 1, 65_535, 65_536, 200_000, 3, 65_534, 0].map((length) => 'ä'.repeat(length));
  writeFileSync(path, `${lines.join('\n')}\ntorn`);
  const read = [...readCompleteJournalLines(path)];
  expect(read.map(({ text }) => text)).toEqual(lines);
  expect(read.at(-1)?.end).toBe(Buffer.byteLength(`${lines.join('\n')}\n`));
  expect([...joinLinesIntoChunks(lines)].join('')).toBe(lines.join(''));
});
