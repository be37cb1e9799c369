import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { joinLinesIntoChunks } from '../../host/format/csv.js';
import { RunJournal, readCompleteJournalLines, readRunJournal } from '../../host/runs/journal.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Written data must survive failures of later writes. */

let writableBytesLeft = Number.POSITIVE_INFINITY;

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  return {
    ...fs,
    // Simulates a disk with `writableBytesLeft` free bytes.
    writeSync: (fileDescriptor: number, bytes: Buffer, from: number) => {
      if (writableBytesLeft <= 0)
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
      const length = Math.min(writableBytesLeft, bytes.length - from);
      writableBytesLeft -= length;
      return fs.writeSync(fileDescriptor, bytes, from, length);
    },
  };
});

const TEST_JOURNAL_PLAN = { sha256: 'p' };
const folder = makeTemporaryFolder();
let path: string;
let testJournalCount = 0;

beforeEach(() => {
  writableBytesLeft = Number.POSITIVE_INFINITY;
  path = join(folder, `journal${testJournalCount++}`);
});

/** Opens the journal; returns it with the runs recorded earlier. */
function openTestJournal(plan: ConstructorParameters<typeof RunJournal>[1] = TEST_JOURNAL_PLAN): {
  journal: RunJournal;
  earlierEntries: [string, readonly unknown[]][];
} {
  const earlier: [string, readonly unknown[]][] = [];
  const journal = new RunJournal(path, plan, '1/1', (id, values) => earlier.push([id, values]));
  return { journal, earlierEntries: earlier };
}

const runIdsOfResults = (journalEntries: readonly [string, unknown][]) => journalEntries.map(([id]) => id);

function readTestJournalEntries(): [string, readonly unknown[]][] {
  const journalEntries: [string, readonly unknown[]][] = [];
  readRunJournal(path, (id, values) => journalEntries.push([id, values]));
  return journalEntries;
}

function writeNewJournal(): void {
  const { journal } = openTestJournal();
  journal.append([['a', [1, 0.1]]]);
  journal.append([
    ['b', [2, 1e300]],
    ['c', [3, 5e-324]],
  ]);
  journal.close();
}

test('results are read back to the last bit', () => {
  writeNewJournal();
  const expectedEntries = [
    ['a', [1, 0.1]],
    ['b', [2, 1e300]],
    ['c', [3, 5e-324]],
  ];
  expect(readTestJournalEntries()).toEqual(expectedEntries);
  expect(openTestJournal().earlierEntries).toEqual(expectedEntries);
});

test('a full disk: one sentence, finished runs stay, and the same command resumes', () => {
  writeNewJournal();
  const { journal } = openTestJournal();
  writableBytesLeft = 20;
  expect(() => journal.append([['d', [4, 4]]])).toThrow(
    /journal\d+ cannot be written: the disk is full; finished runs are kept; free some space and repeat the command$/,
  );
  writableBytesLeft = Number.POSITIVE_INFINITY;
  const { journal: reopenedJournal, earlierEntries: earlier } = openTestJournal();
  expect(runIdsOfResults(earlier)).toEqual(['a', 'b', 'c']);
  reopenedJournal.append([['d', [4, 4]]]);
  expect(runIdsOfResults(readTestJournalEntries())).toEqual(['a', 'b', 'c', 'd']);
});

test('a torn last line is cut off, wherever it was torn', () => {
  writeNewJournal();
  const wholeFile = readFileSync(path);
  const lastLine = wholeFile.lastIndexOf(10, wholeFile.length - 2) + 1;
  for (let end = lastLine; end < wholeFile.length; end++) {
    writeFileSync(path, wholeFile.subarray(0, end));
    const { journal, earlierEntries: earlier } = openTestJournal();
    expect(runIdsOfResults(earlier)).toEqual(['a', 'b']);
    journal.append([['c', [3, 5e-324]]]);
    expect(readFileSync(path).equals(wholeFile)).toBe(true);
  }
});

test('a damaged line in the middle is reported, with its number', () => {
  writeNewJournal();
  const journalText = readFileSync(path, 'utf8');
  writeFileSync(path, journalText.replace('"a",[1', '"a",[7'));
  expect(() => openTestJournal()).toThrow(/journal\d+, line 2: damaged/);
  expect(() => readTestJournalEntries()).toThrow('line 2: damaged');
});

test('another plan is refused', () => {
  writeNewJournal();
  expect(() => openTestJournal({ sha256: 'q' })).toThrow('holds results of another study');
  expect(runIdsOfResults(openTestJournal({ sha256: 'q', continues: ['o', 'p'] }).earlierEntries)).toEqual([
    'a',
    'b',
    'c',
  ]);
  appendFileSync(path, 'x');
  expect(runIdsOfResults(openTestJournal().earlierEntries)).toEqual(['a', 'b', 'c']);
});

test.each([['{"a":1}'], ['null'], ['[1,"x"]'], ['["d","x"]'], ['["d",[1,"x"]]'], ['["d",[1],2]']])(
  'a line of another shape, though whole, is refused: %s',
  (document) => {
    writeNewJournal();
    const checksum = createHash('sha256').update(document).digest('hex').slice(0, 12);
    appendFileSync(path, `${checksum} ${document}\n`);
    expect(readTestJournalEntries).toThrow(`${path}, line 5: damaged`);
    writeFileSync(path, `${checksum} ${document}\n`);
    expect(openTestJournal).toThrow(`${path}, line 1: damaged`);
  },
);

test('lines longer and shorter than what is read at once', () => {
  const path = join(makeTemporaryFolder(), 'lines');
  const lines = [0, 1, 65_535, 65_536, 200_000, 3, 65_534, 0].map((length) => 'ä'.repeat(length));
  writeFileSync(path, `${lines.join('\n')}\ntorn`);
  const completeJournalLines = [...readCompleteJournalLines(path)];
  expect(completeJournalLines.map(({ text: lineText }) => lineText)).toEqual(lines);
  expect(completeJournalLines.at(-1)?.end).toBe(Buffer.byteLength(`${lines.join('\n')}\n`));
  expect([...joinLinesIntoChunks(lines)].join('')).toBe(lines.join(''));
});
