import { cpSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  type FinishedProcess,
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
const STUDY = `
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
const RUNS = 300;
const FULL_DEVICE = '/dev/full';

let folder: string;
let wholeStudyFolder: string;
let studyRunWords: (out: string) => string[];
let expected: Record<string, string>;

beforeAll(async () => {
  folder = makeTemporaryFolder();
  wholeStudyFolder = join(folder, 'whole');
  const file = writeStudyFile(folder, STUDY);
  studyRunWords = (out) => ['study', 'run', file, '--out', out, '--threads', '2'];
  expect(await runGridalloc(studyRunWords(wholeStudyFolder))).toMatchObject({ code: 0 });
  expected = readFilesWithoutJournal(wholeStudyFolder);
});

function expectErrorSentence({ code, stdout, stderr }: FinishedProcess, sentence: string): void {
  expect(stderr).toBe(`gridalloc: ${sentence}\n`);
  expect(stdout).toBe('');
  expect(code).toBe(1);
}

async function expectStudyRunContinues(out: string, earlier: number): Promise<void> {
  const { code, stderr } = await runGridalloc(studyRunWords(out));
  expect(code).toBe(0);
  expect(stderr).toContain(`${earlier} simulations were already in ${out}; ${RUNS - earlier} were run now`);
  expect(readFilesWithoutJournal(out)).toEqual(expected);
  expect(new Set(readJournalRunIds(out)).size).toBe(RUNS);
  expect(readJournalRunIds(out).length).toBe(RUNS);
}

test.skipIf(process.platform === 'win32')('the disk is full in the middle of the runs', async () => {
  const size = (name: string) => statSync(join(wholeStudyFolder, name)).size;
  const room = Math.round((size('plan.json') + size('journal.jsonl')) / 2 / 1024);
  expect(room * 1024).toBeGreaterThan(1.01 * size('plan.json'));
  const out = join(folder, 'runs');
  expectErrorSentence(
    await runGridallocWithFileLimit(room, studyRunWords(out)),
    `${out}/journal.jsonl cannot be written: it would exceed the limit on the size of files; ` +
      'finished runs are kept; free some space and repeat the command',
  );
  const earlier = countCompleteJournalLines(out);
  expect(earlier).toBeGreaterThan(0);
  expect(earlier).toBeLessThan(RUNS);
  await expectStudyRunContinues(out, earlier);
});

/** Number of complete lines of a journal without its head; the last line may be incomplete. */
function countCompleteJournalLines(out: string): number {
  return readFileSync(join(out, 'journal.jsonl'), 'utf8').split('\n').length - 2;
}

test.skipIf(!existsSync(FULL_DEVICE))('the disk is full at a file beside the runs', async () => {
  const out = join(folder, 'files');
  cpSync(wholeStudyFolder, out, { recursive: true });
  const names = ['study.yaml', 'plan.json', 'results.csv', 'results.parquet', 'tables/art.md', 'report.json'];
  for (const name of names) {
    symlinkSync(FULL_DEVICE, join(out, `${name}.partial`));
    const finished = await runGridalloc([...studyRunWords(out), '--quiet']);
    expectErrorSentence(
      finished,
      `${out}/${name} cannot be written: the disk is full; ` +
        'finished runs are kept; free some space and repeat the command',
    );
  }
  await expectStudyRunContinues(out, RUNS);
});
