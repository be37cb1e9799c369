import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from '../../host/runs/lock.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  type FinishedProcessResult,
  readFilesWithoutJournal,
  readJournalRunIds,
  runGridalloc,
  runGridallocProcess,
  type ScheduledSignal,
  writeStudyFile,
} from './childProcess.js';

/**
 * Only one process at a time may work on a study folder; the results of a killed process are
 * continued.
 */

const STUDY_TEXT = `
title: Shorter than a second
simulate:
  workload: lublin99[jobs=2000,seed={draw}]
  sites: 8,128,128,128,50
  speeds: draw[sh=0.12,seed={draw}]
  policy: '{policy}'
axes: { policy: [best-fit, fastest-first, ai2, tai2] }
draws: { axis: draw, count: 12 }
measures:
  art: { metric: averageResponseTime }
tables: { art: { title: Response times, measures: art, rows: policy } }
`;
const RUN_COUNT = 48;

const folder = makeTemporaryFolder();
const file = writeStudyFile(folder, STUDY_TEXT);
let expected: Record<string, string>;
let resultFolder: string;
let lockPathOfStudy: string;
let lockTestCount = 0;

const commandWords = () => ['study', 'run', file, '--out', resultFolder, '--threads', '1'];
const run = () => runGridalloc(commandWords());
/** Runs the study as a child process, which can be interrupted. */
const runAsProcess = (signalToSend?: ScheduledSignal) => runGridallocProcess(commandWords(), signalToSend);

const readTestLockOwner = () =>
  (JSON.parse(readFileSync(lockPathOfStudy, 'utf8')) as { process: number }).process;

function expectWholeResults(): void {
  expect(readFilesWithoutJournal(resultFolder)).toEqual(expected);
  expect(new Set(readJournalRunIds(resultFolder)).size).toBe(RUN_COUNT);
  expect(readJournalRunIds(resultFolder).length).toBe(RUN_COUNT);
}

/** Waits until the process has written results. */
async function waitUntilStudyRuns(): Promise<void> {
  while (!existsSync(lockPathOfStudy) || !hasStudyWrittenResults())
    await new Promise((resolve) => setTimeout(resolve, 5));
}

function hasStudyWrittenResults(): boolean {
  const journal = join(resultFolder, 'journal.jsonl');
  return existsSync(journal) && readFileSync(journal, 'utf8').split('\n').length > 2;
}

async function killRunningStudy(): Promise<number> {
  let id = 0;
  const isTimeToKill = () => {
    if (!existsSync(lockPathOfStudy) || !hasStudyWrittenResults()) return false;
    id = readTestLockOwner();
    return true;
  };
  expect(await runAsProcess({ signal: 'SIGKILL', when: isTimeToKill })).toMatchObject({ signal: 'SIGKILL' });
  expect(readTestLockOwner()).toBe(id);
  return id;
}

/**
 * Checks that of processes started together one worked, and the others were refused or came after
 * its end.
 */
function expectOneProcessAtATime(finishedProcesses: readonly FinishedProcessResult[]): void {
  expect(finishedProcesses.filter(({ exitCode }) => exitCode === 0).length).toBeGreaterThan(0);
  for (const { exitCode, stderr } of finishedProcesses)
    if (exitCode !== 0) expect({ exitCode, stderr }).toEqual(makeExpectedLockRefusal());
}

function makeExpectedLockRefusal(): { exitCode: number; stderr: unknown } {
  const lockSentencePattern =
    /^gridalloc: \S+ is in use by process \d+: wait until it has ended, or give another/;
  return { exitCode: 2, stderr: expect.stringMatching(lockSentencePattern) };
}

beforeAll(async () => {
  resultFolder = join(folder, 'alone');
  expect(await run()).toMatchObject({ exitCode: 0 });
  expected = readFilesWithoutJournal(resultFolder);
  expect(Object.keys(expected).filter((name) => name.includes('lock'))).toEqual([]);
});

beforeEach(() => {
  resultFolder = join(folder, `out${lockTestCount++}`);
  lockPathOfStudy = join(resultFolder, 'study.lock');
});

test.skipIf(process.platform === 'win32')(
  'a second process is told which process works on the folder, and disturbs nothing',
  async () => {
    const firstProcessPromise = runAsProcess();
    await waitUntilStudyRuns();
    const id = readTestLockOwner();
    // The first process is suspended during the test, so that it cannot end early.
    process.kill(id, 'SIGSTOP');
    const resultOfSecondRun = await run();
    const mergeCommandResult = await runGridalloc([
      'study',
      'merge',
      join(folder, 'alone'),
      '--out',
      resultFolder,
    ]);
    process.kill(id, 'SIGCONT');
    expect(resultOfSecondRun).toEqual({
      exitCode: 2,
      signal: null,
      stdout: '',
      stderr:
        `gridalloc: ${resultFolder} is in use by process ${id}: wait until it has ended, or give another folder with --out; ` +
        `if that is not gridalloc, delete ${lockPathOfStudy}\n`,
    });
    expect(mergeCommandResult).toMatchObject(makeExpectedLockRefusal());
    expect(await firstProcessPromise).toMatchObject({ exitCode: 0 });
    expectWholeResults();
  },
);

test('many processes that begin at once', async () => {
  expectOneProcessAtATime(await Promise.all(Array.from({ length: 3 }, () => runAsProcess())));
  expect(await run()).toMatchObject({ exitCode: 0 });
  expectWholeResults();
});

test('the work of a killed process is resumed, with a message', async () => {
  const id = await killRunningStudy();
  const { exitCode, stderr } = await run();
  expect(stderr).toContain(
    `${resultFolder} was in use by process ${id}, which has ended; resuming from what it left\n`,
  );
  expect(exitCode).toBe(0);
  expectWholeResults();
});

test('many processes that find what a killed one has left', async () => {
  await killRunningStudy();
  expectOneProcessAtATime(await Promise.all(Array.from({ length: 3 }, () => runAsProcess())));
  expect(await run()).toMatchObject({ exitCode: 0 });
  expectWholeResults();
});

test('an interrupted process removes its lock', async () => {
  const { exitCode } = await runAsProcess({ signal: 'SIGINT', when: hasStudyWrittenResults });
  expect(exitCode).toBe(130);
  expect(existsSync(lockPathOfStudy)).toBe(false);
});

test('a process on another computer may still be at work', async () => {
  mkdirSync(resultFolder);
  writeFileSync(lockPathOfStudy, '{"process":17,"host":"elsewhere"}\n');
  const { exitCode, stderr } = await run();
  expect(stderr).toBe(
    `gridalloc: ${resultFolder} is in use by process 17 on elsewhere: wait until it has ended, or give another folder with --out; ` +
      `if it has ended, delete ${lockPathOfStudy}\n`,
  );
  expect(exitCode).toBe(2);
  expect(readdirSync(resultFolder)).toEqual(['study.lock']);
});

describe('locks of this process', () => {
  const path = join(folder, 'a.lock');
  const messages: string[] = [];
  const acquireTestLock = () => acquireLock('F', path, (sentence) => messages.push(sentence));

  test('one at a time', () => {
    const release = acquireTestLock();
    expect(acquireTestLock).toThrow(`F is in use by process ${process.pid}: wait`);
    release();
    expect(existsSync(path)).toBe(false);
    acquireTestLock()();
    expect(messages).toEqual([]);
  });

  test.each([
    ['of a process that had our number', `{"process":${process.pid},"host":"${hostname()}"}\n`],
    ['that was never written whole', ''],
    ['that says nothing', 'null\n'],
    ['that names all processes', `{"process":-1,"host":"${hostname()}"}\n`],
    ['that names a group of them', `{"process":0,"host":"${hostname()}"}\n`],
    ['that is damaged', '{"proc\n'],
  ])('one %s is taken over', (_, text) => {
    writeFileSync(path, text);
    messages.length = 0;
    acquireTestLock()();
    expect(messages.length).toBe(1);
    expect(messages[0]).toMatch(/^F was in use by .*, which has ended; resuming from what it left$/);
  });

  test('what prevents taking over is named', () => {
    writeFileSync(path, 'null\n');
    writeFileSync(`${path}.takeover`, '');
    expect(acquireTestLock).toThrow(`${path}.takeover was left by a process that has ended`);
    rmSync(`${path}.takeover`);
    acquireTestLock()();
  });
});
