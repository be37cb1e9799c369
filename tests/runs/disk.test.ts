import { cpSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  type FinishedProcessResult,
  readFilesWithoutJournal,
  readJournalRunIds,
  runGridalloc,
  runGridallocWithFileLimit,
  writeStudyFile,
} from './childProcess.js';

/**
 * Tests studies whose files cannot be written: one sentence, exit code 1, and the same command resumes.
 */

/**
 * A study of 45 sites: a run has more metrics than parameters, so that the journal exceeds the
 * plan.
 */
const STUDY_TEXT = `
title: Many sites
simulate:
  workload: lublin99[jobs=600]
  sites: ${Array.from({ length: 45 }, () => 128).join(',')}
  load: '{load}'
  policy: '{policy}'
axes: { load: 1..150, policy: [worst-fit, 'random[seed=1]'] }
measures:
  art: { metric: averageResponseTime, steps: [mean: load] }
tables: { art: { title: Response times, measures: art, rows: policy } }
figures: { art: { title: Response times, measure: art, x: policy } }
`;
const RUN_COUNT = 300;
const FULL_DEVICE = '/dev/full';

let folder: string;
let wholeStudyFolder: string;
let studyRunCommandWords: (resultFolder: string) => string[];
let expected: Record<string, string>;

beforeAll(async () => {
  folder = makeTemporaryFolder();
  wholeStudyFolder = join(folder, 'whole');
  const file = writeStudyFile(folder, STUDY_TEXT);
  studyRunCommandWords = (resultFolder) => ['study', 'run', file, '--out', resultFolder, '--threads', '2'];
  expect(await runGridalloc(studyRunCommandWords(wholeStudyFolder))).toMatchObject({ exitCode: 0 });
  expected = readFilesWithoutJournal(wholeStudyFolder);
});

function expectErrorSentence(
  { exitCode, stdout, stderr }: FinishedProcessResult,
  errorSentence: string,
): void {
  expect(stderr).toBe(`gridalloc: ${errorSentence}\n`);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
}

async function expectStudyRunContinues(resultFolder: string, completeCountBefore: number): Promise<void> {
  const { exitCode, stderr } = await runGridalloc(studyRunCommandWords(resultFolder));
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    `${completeCountBefore} simulations were already in ${resultFolder}; ${RUN_COUNT - completeCountBefore} were run now`,
  );
  expect(readFilesWithoutJournal(resultFolder)).toEqual(expected);
  expect(new Set(readJournalRunIds(resultFolder)).size).toBe(RUN_COUNT);
  expect(readJournalRunIds(resultFolder).length).toBe(RUN_COUNT);
}

test.skipIf(process.platform === 'win32')('the disk is full in the middle of the runs', async () => {
  const byteSizeOfFile = (fileName: string) => statSync(join(wholeStudyFolder, fileName)).size;
  const diskSizeKilobytes = Math.round(
    (byteSizeOfFile('plan.json') + byteSizeOfFile('journal.jsonl')) / 2 / 1024,
  );
  expect(diskSizeKilobytes * 1024).toBeGreaterThan(1.01 * byteSizeOfFile('plan.json'));
  const resultFolder = join(folder, 'runs');
  expectErrorSentence(
    await runGridallocWithFileLimit(diskSizeKilobytes, studyRunCommandWords(resultFolder)),
    `${resultFolder}/journal.jsonl cannot be written: it would exceed the limit on the size of files; ` +
      'finished runs are kept; free some space and repeat the command',
  );
  const completeCountBefore = countCompleteJournalLines(resultFolder);
  expect(completeCountBefore).toBeGreaterThan(0);
  expect(completeCountBefore).toBeLessThan(RUN_COUNT);
  await expectStudyRunContinues(resultFolder, completeCountBefore);
});

/** Number of complete lines of a journal without its head; the last line may be incomplete. */
function countCompleteJournalLines(resultFolder: string): number {
  return readFileSync(join(resultFolder, 'journal.jsonl'), 'utf8').split('\n').length - 2;
}

test.skipIf(!existsSync(FULL_DEVICE))('the disk is full at a file beside the runs', async () => {
  const resultFolder = join(folder, 'files');
  cpSync(wholeStudyFolder, resultFolder, { recursive: true });
  const writtenFileNames = [
    'study.yaml',
    'plan.json',
    'results.csv',
    'results.parquet',
    'tables/art.md',
    'report.json',
  ];
  for (const writtenFileName of writtenFileNames) {
    symlinkSync(FULL_DEVICE, join(resultFolder, `${writtenFileName}.partial`));
    const resultOfFinishedRun = await runGridalloc([...studyRunCommandWords(resultFolder), '--quiet']);
    expectErrorSentence(
      resultOfFinishedRun,
      `${resultFolder}/${writtenFileName} cannot be written: the disk is full; ` +
        'finished runs are kept; free some space and repeat the command',
    );
  }
  await expectStudyRunContinues(resultFolder, RUN_COUNT);
});
