import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  type ExpectedRecord,
  expectConvertedLog,
  findMissingPrograms,
  type ObservedRun,
  pathInFolder,
  readCurrentUnixSeconds,
  SchedulerTestJobs,
  sleepSeconds,
  waitUntilCondition,
} from './jobs.js';

/**
 * Runs jobs under a real Grid Engine, converts its accounting and compares each record with the
 * job.
 */

const missingPrograms = findMissingPrograms(['sge_qmaster', 'sge_execd', 'qsub', 'qmod', 'qconf']);
const canRunGridEngine = missingPrograms.length === 0 && process.getuid?.() === 0;
if (!canRunGridEngine && process.env.CI === undefined) {
  console.warn(
    "skipped: Grid Engine's accounting needs root and Debian's gridengine-master, gridengine-exec, gridengine-client",
  );
}

const SERVER_PORT = 25_000 + (process.pid % 500) * 2;

const folder = makeTemporaryFolder();
const engineFolder = join(folder, 'engine');
const jobs = new SchedulerTestJobs(folder, {
  SGE_ROOT: join(engineFolder, 'root'),
  SGE_CELL: 'default',
  SGE_ARCH: 'lx-amd64',
  SGE_QMASTER_PORT: String(SERVER_PORT),
  SGE_EXECD_PORT: String(SERVER_PORT + 1),
});

interface SubmittedJob {
  readonly id: string;
  /** Time of the submission, in seconds since 1970. */
  readonly at: number;
}

/** Command-line words that send a job to the queue `all.q`, unless they name another queue. */
const chooseQueueOptions = (qsubWords: readonly string[]) =>
  qsubWords.includes('-q') ? [] : ['-q', 'all.q'];

function submitGridEngineJob(
  seconds: number,
  qsubWords: string[] = [],
  exitCode: number | 'KILL' = 0,
): SubmittedJob {
  const submitTime = readCurrentUnixSeconds();
  const submitWords = [
    '-terse',
    '-j',
    'y',
    '-o',
    '/dev/null',
    '-S',
    '/bin/bash',
    '-wd',
    '/',
    ...chooseQueueOptions(qsubWords),
    ...qsubWords,
  ];
  const script = [pathInFolder('job.sh'), jobs.folder, String(seconds), String(exitCode)];
  return {
    id: jobs
      .call('qsub', ...submitWords, ...script)
      .trim()
      .split('.')[0],
    at: submitTime,
  };
}

/**
 * Expected record of a run with one slot, no limit and no error; `otherFields` replaces some of its fields.
 */
const makeExpectedRecordOfRun = (
  { job, start, end }: ObservedRun,
  arrival: number,
  otherFields: Partial<ExpectedRecord> = {},
): ExpectedRecord => ({
  ...{ job, arrival, start, runtime: end - start, processors: 1, limit: -1, status: 1 },
  ...otherFields,
});

/**
 * Waits for a job that runs once and returns its expected record; `otherFields` replaces some of its fields.
 */
async function expectRecordOfSingleRun(
  { id, at: submitTime }: SubmittedJob,
  otherFields: Partial<ExpectedRecord> = {},
): Promise<ExpectedRecord[]> {
  await jobs.ended(id);
  return jobs.runs(id).map((observedRun) => makeExpectedRecordOfRun(observedRun, submitTime, otherFields));
}

const expectRecordsOfTasks = async ({ id, at: submitTime }: SubmittedJob, taskNumbers: number[]) => {
  for (const taskNumber of taskNumbers) await jobs.ended(`${id}_${taskNumber}`);
  return taskNumbers.map((task) =>
    makeExpectedRecordOfRun(jobs.runs(`${id}_${task}`)[0], submitTime, { job: `${id}.${task}` }),
  );
};

/** Expected record of a job that never started; its wait is unknown. */
const makeRecordOfUnstartedJob = (
  { id, at: submitTime }: SubmittedJob,
  otherFields: Partial<ExpectedRecord> = {},
): ExpectedRecord => ({
  ...{
    job: Number(id),
    arrival: submitTime,
    start: submitTime - 1,
    runtime: -1,
    processors: -1,
    limit: -1,
    status: 0,
  },
  ...otherFields,
});

/** Waits until Grid Engine shows a job in a state, such as `Eqw` for a job that could not start. */
async function waitForState(id: string, jobState: string): Promise<void> {
  let lastSeenState = '';
  const isJobInState = () => {
    lastSeenState = jobs.call('qstat', '-u', '*');
    return new RegExp(`^ *${id} .* ${jobState} `, 'm').test(lastSeenState);
  };
  await waitUntilCondition(isJobInState, 60).catch(() => {
    throw new Error(`job ${id} is not in the state ${jobState}: ${lastSeenState}`);
  });
}

/** Formats seconds since 1970 as a start time for `qsub -a`. */
function formatStartTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const padToTwoDigits = (dateField: number) => String(dateField).padStart(2, '0');
  const day = `${date.getFullYear()}${padToTwoDigits(date.getMonth() + 1)}${padToTwoDigits(date.getDate())}`;
  return `${day}${padToTwoDigits(date.getHours())}${padToTwoDigits(date.getMinutes())}.${padToTwoDigits(date.getSeconds())}`;
}

/** Cases by name: each submits jobs of its own and returns the records expected for them. */
const ACCOUNTING_CASES: Record<string, () => Promise<ExpectedRecord[]>> = {
  'without a limit': () => expectRecordOfSingleRun(submitGridEngineJob(5)),
  'a limit': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-l', 'h_rt=0:1:30,h_vmem=1G']), { limit: 90 }),
  'a soft limit only': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-l', 's_rt=70']), { limit: 70 }),
  'both limits': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-l', 'h_rt=50,s_rt=40']), { limit: 50 }),
  'a request that need not be granted is no limit': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-soft', '-l', 'h_rt=77'])),
  'several slots': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-pe', 'smp', '3']), { processors: 3 }),
  'a range of slots': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-pe', 'smp', '2-2']), { processors: 2 }),
  'an error': () => expectRecordOfSingleRun(submitGridEngineJob(5, [], 3), { status: 0 }),
  'less than a second': () => expectRecordOfSingleRun(submitGridEngineJob(0), { runtime: 0 }),
  'an array': async () => expectRecordsOfTasks(submitGridEngineJob(5, ['-t', '1-5:2']), [1, 3, 5]),
  'an array with a task at a time': async () =>
    expectRecordsOfTasks(submitGridEngineJob(6, ['-t', '1-3', '-tc', '1']), [1, 2, 3]),
  // Grid Engine records no time from which a held job was eligible.
  'held, then released': async () => {
    const job = submitGridEngineJob(5, ['-h']);
    await sleepSeconds(12);
    jobs.call('qrls', job.id);
    return expectRecordOfSingleRun(job);
  },
  'after another job': async () => {
    const firstJob = submitGridEngineJob(10);
    const secondJob = submitGridEngineJob(5, ['-hold_jid', firstJob.id]);
    return [...(await expectRecordOfSingleRun(firstJob)), ...(await expectRecordOfSingleRun(secondJob))];
  },
  'deleted while running': async () => {
    const job = submitGridEngineJob(60);
    await jobs.started(job.id);
    await sleepSeconds(8);
    jobs.call('qdel', job.id);
    return expectRecordOfSingleRun(job, { status: 5 });
  },
  'rescheduled by a command': async () => {
    const job = submitGridEngineJob(20);
    await jobs.started(job.id);
    await sleepSeconds(4);
    jobs.call('qmod', '-rj', job.id);
    await sleepSeconds(3);
    await jobs.ended(job.id);
    // The accounting has a line without times before the line of the run that ended.
    return [makeExpectedRecordOfRun(jobs.runs(job.id).at(-1)!, job.at)];
  },
  'rescheduled by its exit code': async () => {
    const job = submitGridEngineJob(9, [], 99);
    await jobs.started(job.id, 2);
    const [firstRun] = jobs.runs(job.id);
    await sleepSeconds(4);
    jobs.call('qdel', job.id);
    await jobs.ended(job.id, 2);
    const secondRun = jobs.runs(job.id)[1];
    return [
      makeExpectedRecordOfRun(firstRun, job.at, { status: 0 }),
      makeExpectedRecordOfRun(secondRun, firstRun.end, { status: 5 }),
    ];
  },
  'suspended, then resumed': async () => {
    const job = submitGridEngineJob(20);
    await jobs.started(job.id);
    await sleepSeconds(4);
    jobs.call('qmod', '-sj', job.id);
    await sleepSeconds(10);
    jobs.call('qmod', '-usj', job.id);
    await sleepSeconds(6);
    // The job's runtime includes the suspension.
    return expectRecordOfSingleRun(job);
  },
  'past its limit': () =>
    expectRecordOfSingleRun(submitGridEngineJob(60, ['-l', 'h_rt=9']), { limit: 9, status: 0 }),
  'past a limit as a clock shows it': () =>
    expectRecordOfSingleRun(submitGridEngineJob(60, ['-l', 'h_rt=0:0:8']), { limit: 8, status: 0 }),
  // Grid Engine ends a job that exceeds its soft time limit by a signal, as the command qdel does.
  'past its soft limit': () =>
    expectRecordOfSingleRun(submitGridEngineJob(60, ['-l', 's_rt=9']), { limit: 9, status: 5 }),
  'a limit of the queue is in no field': () =>
    expectRecordOfSingleRun(submitGridEngineJob(60, ['-q', 'short.q']), { status: 0 }),
  'a limit beside one that need not be granted': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-l', 'h_rt=90', '-soft', '-l', 's_rt=20']), {
      limit: 90,
    }),
  'a limit that is changed while it waits': async () => {
    const job = submitGridEngineJob(5, ['-h', '-l', 'h_rt=100']);
    jobs.call('qalter', '-l', 'h_rt=200', job.id);
    jobs.call('qrls', job.id);
    return expectRecordOfSingleRun(job, { limit: 200 });
  },
  'begins later': () => {
    const startTime = readCurrentUnixSeconds() + 14;
    return expectRecordOfSingleRun(submitGridEngineJob(5, ['-a', formatStartTime(startTime)]));
  },
  'an array that is held, then released': async () => {
    const job = submitGridEngineJob(5, ['-h', '-t', '1-2']);
    await sleepSeconds(8);
    jobs.call('qrls', job.id);
    return expectRecordsOfTasks(job, [1, 2]);
  },
  'each task after that of another array': async () => {
    const firstJob = submitGridEngineJob(8, ['-t', '1-2']);
    const secondJob = submitGridEngineJob(5, ['-hold_jid_ad', firstJob.id, '-t', '1-2']);
    return [
      ...(await expectRecordsOfTasks(firstJob, [1, 2])),
      ...(await expectRecordsOfTasks(secondJob, [1, 2])),
    ];
  },
  'a range of slots, of which the most are granted': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-pe', 'smp', '2-4']), { processors: 4 }),
  'slots that are reserved': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-R', 'y', '-pe', 'smp', '2']), { processors: 2 }),
  'waits until the slots of others are free': async () => {
    const firstJob = submitGridEngineJob(12, ['-pe', 'pair', '2']);
    await jobs.started(firstJob.id);
    const secondJob = submitGridEngineJob(5, ['-pe', 'pair', '2']);
    const pairOfRecords = [
      await expectRecordOfSingleRun(firstJob, { processors: 2 }),
      await expectRecordOfSingleRun(secondJob, { processors: 2 }),
    ];
    expect(pairOfRecords[1]![0]!.start).toBeGreaterThan(pairOfRecords[0]![0]!.start + 10);
    return pairOfRecords.flat();
  },
  // The accounting repeats the job's slots on a separate line for the slave task.
  'a slave task': () =>
    expectRecordOfSingleRun(submitGridEngineJob(6, ['-pe', 'mpi', '4', '-V', '-N', 'steps']), {
      processors: 4,
    }),
  'a program instead of a script': () =>
    expectRecordOfSingleRun(submitGridEngineJob(5, ['-b', 'y', '/bin/bash'])),
  'ended by a signal of its own': () =>
    expectRecordOfSingleRun(submitGridEngineJob(6, [], 'KILL'), { status: 5 }),
  'an exit code that keeps it in the queue': async () => {
    const job = submitGridEngineJob(6, [], 100);
    const actualRecords = await expectRecordOfSingleRun(job, { status: 0 });
    await waitForState(job.id, 'Eqw');
    jobs.call('qdel', job.id);
    return actualRecords;
  },
  'could not start': async () => {
    const job = submitGridEngineJob(5, ['-wd', '/nonexistent']);
    await waitForState(job.id, 'Eqw');
    jobs.call('qdel', job.id);
    return [makeRecordOfUnstartedJob(job)];
  },
  'not restartable, and so not rescheduled by a command': async () => {
    const job = submitGridEngineJob(14, ['-r', 'n']);
    await jobs.started(job.id);
    expect(jobs.call('qmod', '-rj', job.id)).toContain('not restartable');
    return expectRecordOfSingleRun(job);
  },
  'deleted while suspended': async () => {
    const job = submitGridEngineJob(60);
    await jobs.started(job.id);
    jobs.call('qmod', '-sj', job.id);
    await sleepSeconds(9);
    jobs.call('qdel', job.id);
    const end = readCurrentUnixSeconds();
    await waitUntilCondition(() => !jobs.tries('qstat', '-j', job.id), 30);
    return jobs.runs(job.id).map((run) => makeExpectedRecordOfRun({ ...run, end }, job.at, { status: 5 }));
  },
  'an array of which tasks are deleted while they wait': async () => {
    const job = submitGridEngineJob(8, ['-t', '1-3', '-tc', '1']);
    await jobs.started(`${job.id}_1`);
    jobs.call('qdel', job.id, '-t', '2-3');
    unrecordedJobIds.push(`${job.id}.2`, `${job.id}.3`);
    return expectRecordsOfTasks(job, [1]);
  },
};

/** Names of jobs and tasks for which the accounting must have no record. */
const unrecordedJobIds: string[] = [];

/**
 * Cases that disturb all of Grid Engine, such as a host that goes down; run after all other jobs have ended.
 */
const DISTURBING_ACCOUNTING_CASES: Record<string, () => Promise<ExpectedRecord[]>> = {
  // The record of a job whose host went down has no times, as if the job had never started. The job
  // would run again.
  'its host goes down': async () => {
    const job = submitGridEngineJob(60);
    await jobs.started(job.id);
    const { status, stderr } = spawnSync('bash', [pathInFolder('gridEngine.sh'), engineFolder, 'lose'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    await waitForState(job.id, 'Rq');
    jobs.call('qdel', job.id);
    return [makeRecordOfUnstartedJob(job)];
  },
};

/** Cases after which the accounting has no record of the job. */
const UNRECORDED_JOB_CASES: Record<string, () => Promise<string>> = {
  'deleted while waiting': async () => {
    const { id } = submitGridEngineJob(5, ['-h']);
    await sleepSeconds(5);
    jobs.call('qdel', id);
    return id;
  },
};

describe.skipIf(!canRunGridEngine && process.env.CI === undefined)(
  "Grid Engine's accounting",
  { timeout: 60_000 },
  () => {
    const expectedRecordsByCase = new Map<string, ExpectedRecord[] | Error>();
    let logText = '';

    beforeAll(async () => {
      const { status, stderr } = spawnSync(
        'bash',
        [pathInFolder('gridEngine.sh'), engineFolder, String(SERVER_PORT)],
        {
          encoding: 'utf8',
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      expect({ status, stderr }).toMatchObject({ status: 0 });
      await Promise.all([
        ...Object.entries(ACCOUNTING_CASES).map(async ([name, action]) => {
          expectedRecordsByCase.set(name, await action().catch((error: Error) => error));
        }),
        ...Object.values(UNRECORDED_JOB_CASES).map(async (action) => unrecordedJobIds.push(await action())),
      ]);
      await waitUntilCondition(() => jobs.call('qstat', '-u', '*').trim() === '', 90);
      for (const [name, action] of Object.entries(DISTURBING_ACCOUNTING_CASES))
        expectedRecordsByCase.set(name, await action().catch((error: Error) => error));
      await sleepSeconds(3);
      logText = readFileSync(join(engineFolder, 'root/default/common/accounting'), 'utf8');
    }, 300_000);

    afterAll(() => {
      spawnSync('bash', [pathInFolder('gridEngine.sh'), engineFolder, 'stop']);
    });

    const findExpectedRecordsOfCase = (caseName: string) => {
      const expectedRecordsOrError = expectedRecordsByCase.get(caseName)!;
      if (expectedRecordsOrError instanceof Error) throw expectedRecordsOrError;
      expect(expectedRecordsOrError.length).toBeGreaterThan(0);
      return expectedRecordsOrError;
    };

    test.each(Object.keys({ ...ACCOUNTING_CASES, ...DISTURBING_ACCOUNTING_CASES }))('%s', async (name) => {
      await expectConvertedLog(logText, findExpectedRecordsOfCase(name));
    });

    test('a job that was deleted while it waited is no record', async () => {
      const convertedRecords = await expectConvertedLog(logText, []);
      expect(convertedRecords.length).toBeGreaterThan(40);
      expect(unrecordedJobIds.length).toBe(Object.keys(UNRECORDED_JOB_CASES).length + 2);
      expect(
        convertedRecords.filter(({ job, name: recordName }) =>
          unrecordedJobIds.includes(recordName ?? String(job)),
        ),
      ).toEqual([]);
    });
  },
);
