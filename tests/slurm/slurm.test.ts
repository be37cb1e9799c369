import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgramInProcess as runHere } from '../cli/runProgram.js';
import {
  readFilesWithoutJournal,
  readJournalRunIds,
  runGridalloc,
  runGridallocProcess,
  writeStudyFile,
} from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Runs studies under a real Slurm started for these tests: results must equal those of a local run
 * despite failures.
 */

const SLURM_PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'sbatch'];
const isProgramInstalled = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const missingPrograms = SLURM_PROGRAMS.filter((program) => !isProgramInstalled(program));
const canRunSlurm = missingPrograms.length === 0 && process.getuid?.() === 0;
if (!canRunSlurm && process.env.CI === undefined) {
  console.warn(`skipped: studies under Slurm need root and Debian's slurmctld, slurmd, slurm-client, munge`);
}

const studyOf = (policies: string) => `
title: Under Slurm
simulate:
  workload: lublin99[jobs=300,seed={draw}]
  sites: 8,128,128
  speeds: draw[sh=0.1,seed=1]
  policy: '{policy}'
axes: { policy: [${policies}] }
draws: { axis: draw, count: 20 }
measures: { art: { metric: averageResponseTime } }
tables: { art: { title: Response times, measures: art, rows: policy } }
`;
/**
 * A policy that waits without using the processor, so that there is time to disturb the run; longer in the
 * partition of the run that is disturbed most.
 */
const SLOW_POLICY_CODE = `const bell = new Int32Array(new SharedArrayBuffer(4));
const wait = process.env.SLURM_JOB_PARTITION === 'idle' ? 15 : 5;
export default (view) => {
  Atomics.wait(bell, 0, 0, wait);
  return view.bestFit;
};
`;
const RUN_COUNT = 60;
/**
 * Milliseconds after which Slurm has killed a job that it told to end: KillWait of start.sh plus a
 * margin.
 */
const KILL_WAIT_MILLISECONDS = 8000;
const PORT = 17_000 + (process.pid % 700) * 10;

const pathBesideThisTest = (fileName: string) => fileURLToPath(new URL(fileName, import.meta.url));

describe.skipIf(!canRunSlurm && process.env.CI === undefined)('under Slurm', { timeout: 120_000 }, () => {
  const folder = makeTemporaryFolder();
  const slurm = join(folder, 'slurm');
  const hiddenFolder = join(folder, 'hidden');
  const [program] = process.argv.splice(1, 1, pathBesideThisTest('../../dist/cli/main.js'));
  let file: string;
  let otherFolder: string;
  let expected: Record<string, string>;

  beforeAll(async () => {
    mkdirSync(hiddenFolder);
    const policyCodeFile = join(folder, 'slow.js');
    writeFileSync(policyCodeFile, SLOW_POLICY_CODE);
    file = writeStudyFile(folder, studyOf(`best-fit, ai2, ${policyCodeFile}`));
    otherFolder = writeStudyFile(folder, studyOf('ai2, si'), 'other.yaml');
    const localTime = runStudyLocally('--out', join(folder, 'local'), file, otherFolder);
    const { status, stderr } = spawnSync(
      'bash',
      [pathBesideThisTest('start.sh'), slurm, String(PORT), hiddenFolder],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    process.env.SLURM_CONF = join(slurm, 'slurm.conf');
    expect(await localTime).toMatchObject({ exitCode: 0, stderr: '' });
    expected = readFilesWithoutJournal(join(folder, 'local', 'small'));
  });

  afterAll(() => {
    process.argv[1] = program;
    spawnSync('bash', [pathBesideThisTest('stop.sh'), slurm]);
  });

  const STUDY_RUN_WORDS = ['study', 'run', '--allow-code', '--quiet'];
  /** Runs a study locally as a child process. */
  const runStudyLocally = (...commandWords: string[]) =>
    runGridallocProcess([...STUDY_RUN_WORDS, '--threads', '8', ...commandWords]);

  /** Runs a command in this process, as on a login node. */
  const runCommand = async (...commandWords: string[]) => {
    const { exitCode, stdout, stderr } = await runGridalloc(commandWords);
    expect({ words: commandWords, exitCode, stderr }).toEqual({
      words: commandWords,
      exitCode: 0,
      stderr: '',
    });
    return stdout;
  };

  interface SlurmSubmission {
    readonly tasks: string;
    readonly merge: string;
    readonly shards: number[];
  }

  const submit = async (...commandWords: string[]) =>
    JSON.parse(
      await runCommand(...STUDY_RUN_WORDS, '--engine', 'slurm', '--json', ...commandWords),
    ) as SlurmSubmission;

  const refusalOf = async (...words: string[]) => (await runHere(words)).stderr;

  const readStatus = async (resultFolder: string) =>
    JSON.parse(await runCommand('study', 'status', resultFolder, '--json')) as {
      done: number;
      merge?: string;
      shards: { done: number; simulations: number; state: string; process?: number }[];
    };

  const runSlurmProgram = (command: string, ...words: string[]) => {
    const { status: code, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
    return stdout;
  };

  async function waitUntil(isSo: () => boolean): Promise<void> {
    for (const end = performance.now() + 40_000; !isSo(); ) {
      if (performance.now() > end) throw new Error('it never came');
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }

  const readJobStates = (...jobs: string[]) =>
    runSlurmProgram('squeue', '--noheader', '--array', `--jobs=${jobs.join(',')}`, '--format=%T').trim();
  const waitUntilJobsEnd = (...jobs: string[]) => waitUntil(() => readJobStates(...jobs) === '');

  const isProcessRunning = (id: number) => {
    try {
      return process.kill(id, 0);
    } catch {
      return false;
    }
  };

  /** Files of a folder that a local run writes, too. */
  const readResultFiles = (resultFolder: string) =>
    Object.fromEntries(
      Object.entries(readFilesWithoutJournal(resultFolder)).filter(
        ([fileName]) => !/^(?:shards|slurm)/.test(fileName),
      ),
    );

  const readRunIdsOfShardJournals = (resultFolder: string) => {
    const shards = join(resultFolder, 'shards');
    const folders = readdirSync(shards).map((name) => join(shards, name));
    return folders.filter((folder) => existsSync(join(folder, 'journal.jsonl'))).flatMap(readJournalRunIds);
  };

  // Slurm's signal may arrive after the task has ended, or again when the task runs once more.
  let attempt = 0;
  test.concurrent('a task killed, one told to end, a node drained, a merge too early, tasks preempted: the study is completed', {
    retry: 1,
  }, async () => {
    const resultFolder = join(folder, `disturbed-${++attempt}`);
    // Resumes a node that an earlier test run may have left drained.
    spawnSync('scontrol', ['update', 'NodeName=third', 'State=RESUME']);
    runSlurmProgram('scancel', '--partition=idle');
    runSlurmProgram('scancel', '--partition=urgent');
    await waitUntil(() => runSlurmProgram('squeue', '--noheader', '--partition=idle,urgent') === '');
    const location = ['--partition', 'idle', '--threads', '2'];
    const firstSubmission = await submit(file, '--tasks', '4', ...location, '--out', resultFolder);
    const countShardJournalLines = (shard: number) => {
      const journal = join(resultFolder, 'shards', `${shard}-of-4`, 'journal.jsonl');
      return existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length : 0;
    };
    // Two of four tasks fit on the node, which then accepts no more; one of them is killed, the
    // other is told to end.
    await waitUntil(() => countShardJournalLines(1) > 2);
    runSlurmProgram('scontrol', 'update', 'NodeName=third', 'State=DRAIN', 'Reason=test');
    const readShardLockHolder = (shard: number) =>
      JSON.parse(readFileSync(join(resultFolder, `shards/${shard}-of-4/study.lock`), 'utf8')) as {
        process: number;
        job: string;
      };
    process.kill(readShardLockHolder(1).process, 'SIGKILL');
    await waitUntil(() => countShardJournalLines(2) > 2);
    // Slurm may answer that the job has already ended, so the command asks again.
    spawnSync('scancel', ['--batch', '--signal=TERM', readShardLockHolder(2).job]);
    await waitUntil(() => !/RUNNING|COMPLETING/.test(readJobStates(firstSubmission.tasks)));
    expect(readFileSync(join(resultFolder, 'slurm/shard-2.txt'), 'utf8')).toContain(
      'interrupted; finished runs are in',
    );
    const { done, shards } = await readStatus(resultFolder);
    expect(done).toBeGreaterThan(0);
    expect(shards.map(({ state: shardState }) => shardState.replace(/[: ].*$/s, ''))).toEqual([
      ...['failed', 'failed', 'waiting', 'waiting'],
    ]);
    expect(shards[1].state).toContain('interrupted; finished runs are in');
    expect(await refusalOf('study', 'merge', resultFolder)).toContain(
      `${RUN_COUNT - done} of ${RUN_COUNT} runs are not in`,
    );

    // Pending tasks are not submitted again; partition and processors are those of the previous
    // submission.
    const secondSubmission = await submit(resultFolder);
    expect(secondSubmission.shards).toEqual([1, 2]);
    expect(
      runSlurmProgram('squeue', '--noheader', `--jobs=${secondSubmission.tasks}`, '--format=%P %C'),
    ).toMatch(/^idle 2$/m);
    expect(await runCommand(...STUDY_RUN_WORDS, resultFolder, '--engine', 'slurm')).toContain(
      'is pending or running',
    );
    const submitWords = [
      ...STUDY_RUN_WORDS,
      file,
      '--engine',
      'slurm',
      '--tasks',
      '7',
      '--out',
      resultFolder,
    ];
    expect(await refusalOf(...submitWords)).toContain(
      'is cut into 4 shards, and some are pending or running',
    );

    // A job of higher priority preempts running tasks, which are requeued.
    runSlurmProgram('scontrol', 'update', 'NodeName=third', 'State=RESUME');
    const isAnyShardRunning = (shard: number) =>
      existsSync(join(resultFolder, 'shards', `${shard}-of-4`, 'study.lock'));
    await waitUntil(() => [1, 2, 3, 4].filter(isAnyShardRunning).length === 2);
    const lockHoldersOfRunningShards = [1, 2, 3, 4].filter(isAnyShardRunning).map(readShardLockHolder);
    const urgentJobSbatchWords = [
      '--partition=urgent',
      '--cpus-per-task=4',
      '--output=/dev/null',
      '--wrap=true',
    ];
    runSlurmProgram('sbatch', ...urgentJobSbatchWords);
    const preemptionTime = performance.now();
    const heldJobs = () =>
      runSlurmProgram('squeue', '--noheader', '--array', '--states=PENDING', '--format=%F_%K %r %T');
    const listJobsWaitingForBeginTime = () =>
      [...heldJobs().matchAll(/^(\w+) BeginTime PENDING$/gm)].map(([, job]) => job);
    await waitUntil(
      () =>
        listJobsWaitingForBeginTime().length > 0 &&
        lockHoldersOfRunningShards.every((lockHolder) => !isProcessRunning(lockHolder.process)),
    );
    // Slurm kills a preempted task some time later, which would hit the requeued one.
    await waitUntil(() => performance.now() - preemptionTime > KILL_WAIT_MILLISECONDS);
    await waitUntil(() => {
      for (const job of listJobsWaitingForBeginTime())
        runSlurmProgram('scontrol', 'update', `JobId=${job}`, 'StartTime=now');
      return readJobStates(secondSubmission.merge) === '';
    });
    expect((await readStatus(resultFolder)).shards.map(({ state: shardState }) => shardState)).toEqual([
      'done',
      'done',
      'done',
      'done',
    ]);
    expect(readResultFiles(resultFolder)).toEqual(expected);
    const runs = readRunIdsOfShardJournals(resultFolder);
    expect(runs.length).toBe(RUN_COUNT);
    expect(new Set(runs).size).toBe(RUN_COUNT);
  });

  test.concurrent('an array of tasks and a merge give the bytes of a local run', async () => {
    const resultFolder = join(folder, 'array');
    const { merge, shards } = await submit(file, '--tasks', '4', '--threads', '2', '--out', resultFolder);
    expect(shards).toEqual([1, 2, 3, 4]);
    await waitUntilJobsEnd(merge);
    expect(readResultFiles(resultFolder)).toEqual(expected);
    expect(readRunIdsOfShardJournals(resultFolder).length).toBe(RUN_COUNT);
    expect((await readStatus(resultFolder)).merge).toMatch(/^completed/);
  });

  test.concurrent('cancelled, cut again into other tasks, finished locally', async () => {
    const resultFolder = join(folder, 'cancelled');
    const firstSubmission = await submit(file, '--tasks', '2', '--threads', '1', '--out', resultFolder);
    await waitUntil(() => existsSync(join(resultFolder, 'shards/1-of-2/journal.jsonl')));
    expect(await runCommand('study', 'cancel', resultFolder)).toMatch(/^cancelled: 2 jobs/);
    await waitUntilJobsEnd(firstSubmission.tasks, firstSubmission.merge);
    expect(await runCommand('study', 'cancel', resultFolder)).toContain('has no pending or running jobs');
    const { tasks, shards, merge } = await submit(resultFolder, '--tasks', '3');
    expect(shards).toEqual([1, 2, 3]);
    await runCommand('study', 'cancel', resultFolder);
    await waitUntilJobsEnd(tasks, merge);
    expect(await runStudyLocally(resultFolder)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readResultFiles(resultFolder)).toEqual(expected);
  });

  test.concurrent('several studies are one array, and what they share is simulated once', async () => {
    const resultFolder = join(folder, 'several');
    const { merge } = await submit(
      file,
      otherFolder,
      '--tasks',
      '2',
      '--threads',
      '4',
      '--out',
      resultFolder,
    );
    await waitUntilJobsEnd(merge);
    for (const studyName of ['small', 'other']) {
      expect(readResultFiles(join(resultFolder, studyName))).toEqual(
        readFilesWithoutJournal(join(folder, 'local', studyName)),
      );
    }
    expect(readRunIdsOfShardJournals(resultFolder).length).toBe(80);
    expect(existsSync(join(resultFolder, 'report.html'))).toBe(true);
  });

  test.concurrent('a comparison continues in rounds until it is decided', async () => {
    const resultFolder = join(folder, 'compared');
    // With a tolerance of 0 and an uncertain best method, no method can be dropped, so all
    // replications run.
    const methodNames = ['first-fit', 'worst-fit, order=narrowest', `policy=${join(folder, 'fast.js')}`];
    const methods = [...methodNames.flatMap((method) => ['--method', method]), '--within', '0'];
    writeFileSync(join(folder, 'fast.js'), 'export default (view) => view.bestFit;');
    const args = [
      'compare',
      'lublin99[jobs=100,seed=1]',
      '--sites=8,128,128,128,50',
      '--speeds=draw[sh=0.12,seed=1]',
      '--time-resolution=nearest',
      '--until-decided',
      '--replications',
      '30',
      ...methods,
    ];
    const words = [...args, '--engine', 'slurm', '--out', resultFolder, '--json', '--quiet'];
    await runCommand(...words, '--tasks', '1', '--threads', '2');
    const localTime = await runGridallocProcess([...args, '--json', '--quiet']);
    const isComparisonOver = () =>
      /"isOver": true/.test(readFileSync(join(resultFolder, 'comparison.json'), 'utf8'));
    await waitUntil(isComparisonOver);
    await waitUntil(() => !existsSync(join(resultFolder, 'study.lock')));
    expect(JSON.parse(localTime.stdout).looks.length).toBe(2);
    expect(await runCommand(...words)).toBe(localTime.stdout);
  });

  test.concurrent('a folder that nodes do not see, and another version there, are reported', async () => {
    const resultFolder = join(hiddenFolder, 'out');
    const separateSubmission = await submit(
      file,
      '--tasks',
      '1',
      '--partition',
      'apart',
      '--out',
      resultFolder,
    );
    const plannedStudyFolder = join(folder, 'version');
    await runCommand(...STUDY_RUN_WORDS, file, '--out', plannedStudyFolder, '--shards', '1');
    const shardsFile = join(plannedStudyFolder, 'shards.json');
    const { version } = JSON.parse(readFileSync(shardsFile, 'utf8')) as { version: string };
    writeFileSync(shardsFile, readFileSync(shardsFile, 'utf8').replace(version, '9.9.9'));
    const { merge } = await submit(file, '--out', plannedStudyFolder);
    await waitUntilJobsEnd(separateSubmission.merge, merge);
    const { shards, merge: merging } = await readStatus(resultFolder);
    expect(shards[0].state).toMatch(/^failed: \S+ is not on a file system that \S+ shares with /);
    expect(merging).toBe(shards[0].state);
    expect(existsSync(join(resultFolder, 'shards/1-of-1/journal.jsonl'))).toBe(false);
    expect((await readStatus(plannedStudyFolder)).shards[0].state).toMatch(
      /^failed: \S+ was planned by gridalloc 9\.9\.9, and this is gridalloc \S+ on /,
    );
  });

  test.each([
    [['--partition', 'mian'], "Slurm has no partition 'mian' here; did you mean 'main'? Known: main, apart"],
    [
      ['--tasks', '21'],
      '--tasks 21: a job array has at most 20 tasks on this cluster (MaxArraySize); give 20',
    ],
    [['--tasks', '2', '--sbatch-args=--time=soon'], 'Slurm refuses (sbatch): Invalid --time specification'],
    [
      ['--partition', 'apart', '--sbatch-args=--time=2:00:00'],
      'Slurm refuses (sbatch): Batch job submission failed: Requested time limit is invalid',
    ],
    [['--threads', '17'], 'Slurm refuses (sbatch): Batch job submission failed: More processors requested'],
    [['--shard', '1/2'], '--shard cannot be combined with --engine slurm'],
  ])('%j is refused', async (words, sentence) => {
    const resultFolder = join(folder, `refused${words.join('')}`.replace(/[^\w/]/g, ''));
    const { exitCode, stderr } = await runHere([
      ...STUDY_RUN_WORDS,
      file,
      '--engine',
      'slurm',
      '--out',
      resultFolder,
      ...words,
    ]);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(2);
  });

  test('a submitter killed between its two jobs leaves an array that can be cancelled', async () => {
    const killedFolder = join(folder, 'killing');
    mkdirSync(killedFolder);
    const realSbatchPath = runSlurmProgram('sh', '-c', 'command -v sbatch').trim();
    const scriptText = `#!/bin/sh\ncase "$*" in *merge.sh*) kill -9 $PPID;; *) exec ${realSbatchPath} "$@";; esac\n`;
    writeFileSync(join(killedFolder, 'sbatch'), scriptText, { mode: 0o755 });
    const path = process.env.PATH;
    process.env.PATH = `${killedFolder}:${path}`;
    const resultFolder = join(folder, 'left');
    try {
      const words = [...STUDY_RUN_WORDS, file, '--engine', 'slurm', '--tasks', '2', '--out', resultFolder];
      expect(await runGridallocProcess(words)).toMatchObject({ signal: 'SIGKILL' });
    } finally {
      process.env.PATH = path;
    }
    expect(await runCommand('study', 'cancel', resultFolder)).toMatch(/^cancelled: 1 job /);
  });

  test('without Slurm', async () => {
    const path = process.env.PATH;
    process.env.PATH = folder;
    try {
      const resultFolder = join(folder, 'none');
      const { exitCode, stderr } = await runHere([
        ...STUDY_RUN_WORDS,
        file,
        '--engine',
        'slurm',
        '--out',
        resultFolder,
      ]);
      expect(stderr).toContain("is not found: --engine slurm needs Slurm's commands");
      expect(exitCode).toBe(2);
    } finally {
      process.env.PATH = path;
    }
  });
});
