import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  readFilesWithoutJournal,
  readJournalRunIds,
  runGridalloc,
  runGridallocProcess,
  writeStudyFile,
} from './childProcess.js';

/** Shards in one folder, each run by its own process, must give the same bytes as one process. */

const STUDY_TEXT = `
title: Shards in one folder
simulate:
  workload: log-{draw}.swf
  sites: 8,128,128
  speeds: draw[sh={sh},seed=1]
  policy: '{policy}'
axes: { policy: [best-fit, fastest-first, ai2, FUNCTION], sh: [0.1, 0.2] }
draws: { axis: draw, count: 4 }
measures: { art: { metric: averageResponseTime } }
tables: { art: { title: Response times, measures: art, rows: policy, columns: sh } }
`;
const RUN_COUNT = 32;

const folder = makeTemporaryFolder();
const policyCodeFile = join(folder, 'roomiest.js');
const file = writeStudyFile(
  folder,
  STUDY_TEXT.replace('FUNCTION', policyCodeFile).replace('log-', join(folder, 'log-')),
);
let expected: Record<string, string>;

const SHARD_SPECIFIC_PATH_PREFIXES = ['shards.json', 'shards/'];

/** Files that a complete local run writes, too. */
function readResultFiles(resultFolder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readFilesWithoutJournal(resultFolder)).filter(
      ([fileName]) =>
        !SHARD_SPECIFIC_PATH_PREFIXES.some((shardSpecificPathPrefix) =>
          fileName.startsWith(shardSpecificPathPrefix),
        ),
    ),
  );
}

const wordsOf = (fileOrFolder: string, ...commandWords: string[]) => {
  return ['study', 'run', fileOrFolder, '--threads', '1', '--allow-code', '--quiet', ...commandWords];
};
const run = (...words: [string, ...string[]]) => runGridalloc(wordsOf(...words));

const readStatus = async (resultFolder: string) =>
  JSON.parse((await runGridalloc(['study', 'status', resultFolder, '--json'])).stdout) as {
    simulations: number;
    done: number;
    shards: { shard: string; simulations: number; done: number; state: string }[];
  };

const shardPathOf = (resultFolder: string, index: number) => join(resultFolder, 'shards', `${index}-of-4`);

beforeAll(async () => {
  writeFileSync(policyCodeFile, 'export default (view) => view.bestFit;\n');
  for (let seed = 1; seed <= 4; seed++) {
    const logFile = join(folder, `log-${seed}.swf`);
    expect(
      await runGridalloc(['trace', 'generate', `lublin99[jobs=150,seed=${seed}]`, logFile]),
    ).toMatchObject({
      exitCode: 0,
    });
  }
  expect(await run(file, '--out', join(folder, 'one'))).toMatchObject({ exitCode: 0, stderr: '' });
  expected = readFilesWithoutJournal(join(folder, 'one'));
});

test('shards that begin at once in one folder, merged there, give the bytes of a local run', async () => {
  const resultFolder = join(folder, 'together');
  const shards = [1, 2, 3, 4].map((shardNumber) => {
    return runGridallocProcess(wordsOf(file, '--out', resultFolder, '--shard', `${shardNumber}/4`));
  });
  for (const shard of await Promise.all(shards)) expect(shard).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await readStatus(resultFolder)).toMatchObject({ simulations: RUN_COUNT, done: RUN_COUNT });
  const runs = [1, 2, 3, 4].flatMap((shardNumber) =>
    readJournalRunIds(shardPathOf(resultFolder, shardNumber)),
  );
  expect(runs.length).toBe(RUN_COUNT);
  expect(new Set(runs).size).toBe(RUN_COUNT);
  expect(await runGridalloc(['study', 'merge', resultFolder, '--quiet'])).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect(readResultFiles(resultFolder)).toEqual(expected);
  const wholeStudyFolder = join(folder, 'whole');
  expect(await runGridalloc(['study', 'merge', resultFolder, '--out', wholeStudyFolder])).toMatchObject({
    exitCode: 0,
  });
  expect(readFilesWithoutJournal(wholeStudyFolder)).toEqual(removeCodeFromFileTexts(expected));
});

/** Files without copies of functions, which merged folders lack. */
function removeCodeFromFileTexts(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([fileName]) => !fileName.startsWith('code/')));
}

test('a folder describes its shards: neither the study nor its whole plan is needed', async () => {
  const resultFolder = join(folder, 'planned');
  const planningResult = await run(file, '--out', resultFolder, '--shards', '4', '--json');
  const { shards } = JSON.parse(planningResult.stdout) as {
    shards: { shard: string; simulations: number }[];
  };
  expect(shards.reduce((sum, { simulations }) => sum + simulations, 0)).toBe(RUN_COUNT);
  expect(await run(resultFolder, '--shard', '2/4')).toMatchObject({ exitCode: 0 });
  const earlyMergeResult = await runGridalloc(['study', 'merge', resultFolder]);
  expect(earlyMergeResult.exitCode).toBe(2);
  expect(earlyMergeResult.stderr).toMatch(
    /of 32 runs are not in \S+ yet; run the shards that are missing or unfinished; gridalloc study status/,
  );
  expect(await run(resultFolder, '--shard', '3/4')).toMatchObject({ exitCode: 0 });
  expect(await readStatus(resultFolder)).toMatchObject({
    done: shards[1].simulations + shards[2].simulations,
    shards: [{ state: 'not running' }, { state: 'done' }, { state: 'done' }, { state: 'not running' }],
  });
  const outcomeOfWrongShardOption = await run(resultFolder, '--shard', '3/5');
  expect(outcomeOfWrongShardOption.stderr).toContain('is cut into 4 shards; give --shard 1/4 to --shard 4/4');
  const resultInReadOnlyFolder = await runGridalloc(['study', 'run', resultFolder, '--shard', '1/4']);
  expect(resultInReadOnlyFolder.stderr).toMatch(
    /which runs with your permissions; review it, then add --allow-code/,
  );
  // The remaining shards run at once in this process.
  truncateSync(join(shardPathOf(resultFolder, 3), 'journal.jsonl'), 2000);
  expect(await run(resultFolder)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readResultFiles(resultFolder)).toEqual(expected);
  expect(readJournalRunIds(resultFolder).length).toBeGreaterThan(
    shards[0].simulations + shards[3].simulations,
  );
});

test('a log that has changed is not mistaken for that of the plan', async () => {
  const resultFolder = join(folder, 'changed');
  expect(await run(file, '--out', resultFolder, '--shard', '1/4')).toMatchObject({ exitCode: 0 });
  const logFile = join(folder, 'log-4.swf');
  const logFileBytes = readFileSync(logFile);
  writeFileSync(logFile, logFileBytes.subarray(0, logFileBytes.lastIndexOf(10, logFileBytes.length - 2) + 1));
  const { exitCode, stderr } = await run(resultFolder, '--shard', '4/4');
  writeFileSync(logFile, logFileBytes);
  expect(stderr).toMatch(
    /log-4\.swf on \S+ does not hold the jobs that were planned: the log has changed since/,
  );
  expect(exitCode).toBe(2);
});

test('one process at a time has a shard, and none has all while another has a part', async () => {
  const resultFolder = join(folder, 'locked');
  expect(await run(file, '--out', resultFolder, '--shard', '1/4')).toMatchObject({ exitCode: 0 });
  const sleepingProcess = spawn('sleep', ['60']);
  mkdirSync(shardPathOf(resultFolder, 2), { recursive: true });
  const lockPathOfStudy = join(shardPathOf(resultFolder, 2), 'study.lock');
  const lockOwnerRecord = { process: sleepingProcess.pid, host: hostname() };
  writeFileSync(
    lockPathOfStudy,
    `${JSON.stringify({ ...lockOwnerRecord, began: Date.now() - 5000, earlier: 0 })}\n`,
  );
  const lockMessagePattern = new RegExp(`2-of-4 is in use by process ${sleepingProcess.pid}: wait`);
  expect((await run(resultFolder, '--shard', '2/4')).stderr).toMatch(lockMessagePattern);
  expect((await run(resultFolder)).stderr).toMatch(lockMessagePattern);
  expect((await runGridalloc(['study', 'merge', resultFolder, '--out', resultFolder])).exitCode).toBe(2);
  expect((await readStatus(resultFolder)).shards[1]).toMatchObject({
    state: 'running',
    process: sleepingProcess.pid,
  });
  const outputText = (await runGridalloc(['study', 'status', resultFolder])).stdout;
  expect(outputText).toContain(`running on ${lockOwnerRecord.host}, process ${sleepingProcess.pid}`);
  sleepingProcess.kill();
  await new Promise((resolve) => sleepingProcess.on('exit', resolve));
  expect(await run(resultFolder, '--shard', '2/4')).toMatchObject({ exitCode: 0 });
  expect(existsSync(lockPathOfStudy)).toBe(false);
});

test('a task that Slurm has requeued waits for its earlier run, which is about to end', async () => {
  const resultFolder = join(folder, 'requeued');
  expect(await run(file, '--out', resultFolder, '--shards', '4')).toMatchObject({ exitCode: 0 });
  const earlierProcess = spawn('sleep', ['50']);
  mkdirSync(shardPathOf(resultFolder, 2), { recursive: true });
  const owner = { process: earlierProcess.pid, host: hostname(), job: '7' };
  writeFileSync(join(shardPathOf(resultFolder, 2), 'study.lock'), `${JSON.stringify(owner)}\n`);
  const runShardAsSlurmJob = (job: string) => {
    process.env.SLURM_JOB_ID = job;
    return runGridallocProcess(wordsOf(resultFolder, '--shard', '2/4'));
  };
  const [requeued, otherRun] = [runShardAsSlurmJob('7'), runShardAsSlurmJob('8')];
  delete process.env.SLURM_JOB_ID;
  expect((await otherRun).stderr).toContain(
    `is in use by process ${earlierProcess.pid}, job 7 of Slurm: wait`,
  );
  earlierProcess.kill();
  expect(await requeued).toMatchObject({ exitCode: 0 });
});

test('a folder of one shard of an earlier version resumes', async () => {
  const resultFolder = join(folder, 'earlier');
  expect(await run(file, '--out', resultFolder, '--shard', '2/4')).toMatchObject({ exitCode: 0 });
  const completeCountBefore = readJournalRunIds(shardPathOf(resultFolder, 2)).length;
  cpSync(join(shardPathOf(resultFolder, 2), 'journal.jsonl'), join(resultFolder, 'journal.jsonl'));
  rmSync(join(resultFolder, 'shards'), { recursive: true });
  rmSync(join(resultFolder, 'shards.json'));
  expect(await readStatus(resultFolder)).toMatchObject({ done: completeCountBefore, shards: [] });
  expect(await run(file, '--out', resultFolder, '--shard', '2/4')).toMatchObject({ exitCode: 0 });
  expect(readJournalRunIds(shardPathOf(resultFolder, 2))).toEqual([]);
  expect(await run(file, '--out', resultFolder)).toMatchObject({ exitCode: 0 });
  expect(readResultFiles(resultFolder)).toEqual(expected);
});

test('a study in a folder that holds another one is refused, by shards too', async () => {
  const otherStudyFile = writeStudyFile(
    folder,
    readFileSync(file, 'utf8').replace('sh: [0.1, 0.2]', 'sh: [0.3]'),
    'other.yaml',
  );
  const { exitCode, stderr } = await run(otherStudyFile, '--out', join(folder, 'together'), '--shard', '1/4');
  expect(stderr).toContain('holds another study, or this one with other options or of another version');
  expect(exitCode).toBe(2);
});
