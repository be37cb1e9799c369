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

/** Runs jobs under a real Slurm, converts its accounting and compares each record with the job. */

const missingPrograms = findMissingPrograms([
  'munged',
  'mariadbd',
  'slurmdbd',
  'slurmctld',
  'slurmd',
  'sbatch',
  'sacct',
]);
const canRunSlurm = missingPrograms.length === 0 && process.getuid?.() === 0;
if (!canRunSlurm && process.env.CI === undefined) {
  console.warn(
    "skipped: Slurm's accounting needs root and Debian's slurmctld, slurmd, slurm-client, slurmdbd, mariadb-server, munge",
  );
}

const PORT = 27_000 + (process.pid % 200) * 20;
/** Seconds from a requeue until the job may start again: cred_expire in slurm.sh plus 1. */
const REQUEUE_DELAY_SECONDS = 11;

const folder = makeTemporaryFolder();
const jobs = new SchedulerTestJobs(folder, { SLURM_CONF: join(folder, 'slurm/slurm.conf'), TZ: 'UTC' });
const runScontrol = (...scontrolWords: string[]) => jobs.call('scontrol', ...scontrolWords);

const isNodeIdle = (node: string) =>
  jobs.call('sinfo', '--noheader', '--nodes', node, '--format=%t').startsWith('idle');

interface SubmittedJob {
  readonly id: string;
  /** Time of the submission, in seconds since 1970. */
  readonly at: number;
}

function submitSlurmJob(seconds: number, sbatchWords: string[] = [], exitCode = 0): SubmittedJob {
  const submitTime = readCurrentUnixSeconds();
  const script = [pathInFolder('job.sh'), jobs.folder, String(seconds), String(exitCode)];
  const submitWords = sbatchWords.includes(':') ? sbatchWords : ['--time=1', ...sbatchWords];
  const id = jobs
    .call('sbatch', '--parsable', '--output=/dev/null', '--chdir=/', ...submitWords, ...script)
    .trim();
  return { id, at: submitTime };
}

/**
 * Expected record of a completed run with one processor and a time limit of a minute; `otherFields` replaces
 * some of its fields.
 */
const makeExpectedRecordOfRun = (
  { job, start, end }: ObservedRun,
  arrival: number,
  otherFields: Partial<ExpectedRecord> = {},
): ExpectedRecord => ({
  ...{ job, arrival, start, runtime: end - start, processors: 1, limit: 60, status: 1 },
  ...otherFields,
});

const makeRecordOfUnstartedJob = (job: string, arrival: number, end: number): ExpectedRecord => ({
  ...{ job: Number(job), arrival, start: end, runtime: 0, processors: -1, limit: 60, status: 5 },
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

/**
 * Submits a job, requeues it by a command while it runs, and returns its number, submission and
 * end.
 */
async function requeueRunningJob(command: string): Promise<{ id: string; at: number; end: number }> {
  const { id, at: submitTime } = submitSlurmJob(9);
  await jobs.started(id);
  await sleepSeconds(3);
  runScontrol(command, id);
  return { id, at: submitTime, end: readCurrentUnixSeconds() };
}

const expectRecordsOfTwoRuns = async (
  id: string,
  arrivalTimes: number[],
  otherRecords: Partial<ExpectedRecord>[],
) => {
  await jobs.ended(id, 2);
  return jobs
    .runs(id)
    .map((observedRun, index) =>
      makeExpectedRecordOfRun(observedRun, arrivalTimes[index], otherRecords[index]),
    );
};

/** Cases by name: each submits jobs of its own and returns the records expected for them. */
const ACCOUNTING_CASES: Record<string, () => Promise<ExpectedRecord[]>> = {
  'several processors': () =>
    expectRecordOfSingleRun(submitSlurmJob(5, ['--ntasks=3', '--time=2']), { processors: 3, limit: 120 }),
  'several nodes': () =>
    expectRecordOfSingleRun(submitSlurmJob(5, ['--nodes=2', '--ntasks=4']), { processors: 4 }),
  'a whole node for one task': () =>
    expectRecordOfSingleRun(submitSlurmJob(5, ['--partition=failing', '--exclusive']), { processors: 16 }),
  'an error': () => expectRecordOfSingleRun(submitSlurmJob(5, [], 3), { status: 0 }),
  'less than a second': () => expectRecordOfSingleRun(submitSlurmJob(0), { runtime: 0 }),
  'two partitions': () => expectRecordOfSingleRun(submitSlurmJob(5, ['--partition=main,short'])),
  'no limit, started by the main scheduler': () =>
    expectRecordOfSingleRun(submitSlurmJob(5, ['--time=UNLIMITED']), { limit: -1 }),
  'the default limit of a partition': async () => {
    const submitTime = readCurrentUnixSeconds();
    const sbatchWords = ['--parsable', '--output=/dev/null', '--chdir=/', '--partition=short'];
    const id = jobs.call('sbatch', ...sbatchWords, pathInFolder('job.sh'), jobs.folder, '5').trim();
    return expectRecordOfSingleRun({ id, at: submitTime }, { limit: 120 });
  },
  'a name with a bar and a line end': () => expectRecordOfSingleRun(submitSlurmJob(5, ['--job-name=a|b\nc'])),
  steps: () =>
    expectRecordOfSingleRun(submitSlurmJob(6, ['--ntasks=2', '--job-name=steps']), { processors: 2 }),
  'held, then released': async () => {
    const { id } = submitSlurmJob(5, ['--hold']);
    await sleepSeconds(12);
    runScontrol('release', id);
    return expectRecordOfSingleRun({ id, at: readCurrentUnixSeconds() });
  },
  'begins later': async () => {
    const { id, at: submitTime } = submitSlurmJob(5, ['--begin=now+15']);
    return expectRecordOfSingleRun({ id, at: submitTime + 15 });
  },
  'after another job': async () => {
    const firstJob = submitSlurmJob(12);
    const { id } = submitSlurmJob(5, [`--dependency=afterok:${firstJob.id}`]);
    await jobs.ended(id);
    const { end } = jobs.runs(firstJob.id)[0];
    return [
      ...(await expectRecordOfSingleRun(firstJob)),
      ...(await expectRecordOfSingleRun({ id, at: end })),
    ];
  },
  'after a job that failed': async () => {
    const firstJob = submitSlurmJob(12, [], 1);
    const { id } = submitSlurmJob(5, [`--dependency=afterok:${firstJob.id}`, '--kill-on-invalid-dep=yes']);
    await jobs.ended(firstJob.id);
    const { end } = jobs.runs(firstJob.id)[0];
    // The second job could not start before it left the queue.
    return [
      ...(await expectRecordOfSingleRun(firstJob, { status: 0 })),
      makeRecordOfUnstartedJob(id, end, end),
    ];
  },
  'an array with a task at a time': async () => {
    const { id, at: submitTime } = submitSlurmJob(7, ['--array=0-2%1']);
    await jobs.ended(`${id}_2`);
    const [firstRun, secondRun, thirdRun] = [0, 1, 2].map((task) => jobs.runs(`${id}_${task}`)[0]);
    return [
      makeExpectedRecordOfRun(firstRun, submitTime),
      makeExpectedRecordOfRun(secondRun, firstRun.end),
      makeExpectedRecordOfRun(thirdRun, secondRun.end),
    ];
  },
  'an array cancelled half way': async () => {
    const { id, at: submitTime } = submitSlurmJob(30, ['--array=0-4%1']);
    await jobs.started(`${id}_0`);
    await sleepSeconds(9);
    jobs.call('scancel', id);
    await jobs.ended(`${id}_0`);
    const [firstRun] = jobs.runs(`${id}_0`);
    // The single line for the array tasks that never started has no eligible time.
    return [
      makeExpectedRecordOfRun(firstRun, submitTime, { status: 5 }),
      makeRecordOfUnstartedJob(id, firstRun.end, firstRun.end),
    ];
  },
  requeued: async () => {
    const { id, at: requeueTime, end } = await requeueRunningJob('requeue');
    return expectRecordsOfTwoRuns(id, [requeueTime, end + REQUEUE_DELAY_SECONDS], [{ status: 0 }, {}]);
  },
  'requeued and held, then released': async () => {
    const { id, at: requeueTime } = await requeueRunningJob('requeuehold');
    await sleepSeconds(20);
    runScontrol('release', id);
    return expectRecordsOfTwoRuns(id, [requeueTime, readCurrentUnixSeconds()], [{ status: 0 }, {}]);
  },
  'suspended, then resumed': async () => {
    const job = submitSlurmJob(24);
    await jobs.started(job.id);
    await sleepSeconds(4);
    runScontrol('suspend', job.id);
    const suspensionTime = readCurrentUnixSeconds();
    await sleepSeconds(12);
    runScontrol('resume', job.id);
    const suspendedSeconds = readCurrentUnixSeconds() - suspensionTime;
    await sleepSeconds(6);
    await jobs.ended(job.id);
    const [{ start, end }] = jobs.runs(job.id);
    return expectRecordOfSingleRun(job, { runtime: end - start - suspendedSeconds });
  },
  'their node goes down': async () => {
    const requeuedJob = submitSlurmJob(14, ['--partition=failing']);
    const unrequeuedJob = submitSlurmJob(14, ['--partition=failing', '--no-requeue']);
    await Promise.all([jobs.started(requeuedJob.id), jobs.started(unrequeuedJob.id)]);
    await sleepSeconds(4);
    runScontrol('update', 'NodeName=n7', 'State=DOWN', 'Reason=test');
    const failureTime = readCurrentUnixSeconds();
    await sleepSeconds(4);
    // Slurm may have resumed the node by itself.
    await waitUntilCondition(
      () => jobs.tries('scontrol', 'update', 'NodeName=n7', 'State=RESUME') || isNodeIdle('n7'),
    );
    await jobs.ended(requeuedJob.id, 2);
    const makeRecordOfLostRun = (id: string) => ({
      status: 0,
      runtime: failureTime - jobs.runs(id)[0].start,
    });
    return [
      ...(await expectRecordsOfTwoRuns(
        requeuedJob.id,
        [requeuedJob.at, failureTime + REQUEUE_DELAY_SECONDS],
        [makeRecordOfLostRun(requeuedJob.id), {}],
      )),
      ...(await expectRecordOfSingleRun(unrequeuedJob, makeRecordOfLostRun(unrequeuedJob.id))),
    ];
  },
  preempted: async () => {
    const { id, at: submitTime } = submitSlurmJob(20, ['--partition=idle', '--exclusive']);
    await jobs.started(id);
    await sleepSeconds(5);
    const urgentJobId = submitSlurmJob(5, ['--partition=urgent', '--exclusive']);
    await jobs.ended(urgentJobId.id);
    const end = urgentJobId.at;
    return [
      ...(await expectRecordOfSingleRun(urgentJobId, { processors: 16 })),
      ...(await expectRecordsOfTwoRuns(
        id,
        [submitTime, end + REQUEUE_DELAY_SECONDS],
        [{ processors: 16, status: 0 }, { processors: 16 }],
      )),
    ];
  },
  'past its limit': () => expectRecordOfSingleRun(submitSlurmJob(300, ['--time=0:30']), { status: 0 }),
  'a limit that is changed while it runs': async () => {
    const job = submitSlurmJob(8);
    await jobs.started(job.id);
    runScontrol('update', `JobId=${job.id}`, 'TimeLimit=5');
    return expectRecordOfSingleRun(job, { limit: 300 });
  },
  'cancelled while running': async () => {
    const job = submitSlurmJob(60);
    await jobs.started(job.id);
    await sleepSeconds(8);
    jobs.call('scancel', job.id);
    return expectRecordOfSingleRun(job, { status: 5 });
  },
  'cancelled while held': async () => {
    const { id } = submitSlurmJob(5, ['--hold']);
    await sleepSeconds(10);
    jobs.call('scancel', id);
    const cancelTime = readCurrentUnixSeconds();
    return [makeRecordOfUnstartedJob(id, cancelTime, cancelTime)];
  },
  'the components of a heterogeneous job': async () => {
    const sbatchWords = ['--time=1', '--ntasks=1', ':', '--time=2', '--ntasks=2'];
    return expectRecordOfSingleRun(submitSlurmJob(7, sbatchWords), { processors: 3, limit: 120 });
  },
  'one with fewer nodes while it runs': async () => {
    const { id, at: submitTime } = submitSlurmJob(26, ['--nodes=3', '--ntasks=3', '--ntasks-per-node=1']);
    await jobs.started(id);
    await sleepSeconds(9);
    runScontrol('update', `JobId=${id}`, 'NumNodes=2');
    const change = readCurrentUnixSeconds();
    await jobs.ended(id);
    const [{ job, start, end }] = jobs.runs(id);
    return [
      makeExpectedRecordOfRun({ job, start, end: change }, submitTime, { processors: 3, status: 2 }),
      makeExpectedRecordOfRun({ job, start: change, end }, change, {
        processors: 2,
        limit: 60 - (change - start),
        status: 3,
      }),
    ];
  },
  'on a full machine: backfilled without a limit, and cancelled while waiting': async () => {
    // The first job takes two of three nodes. Two jobs then wait for two nodes, which leaves one
    // node for a job of lower priority.
    const firstJob = submitSlurmJob(26, ['--partition=full', '--nodes=2', '--exclusive']);
    await jobs.started(firstJob.id);
    const secondJob = submitSlurmJob(6, ['--partition=full', '--nodes=2', '--exclusive']);
    await sleepSeconds(2);
    const backfilledJobId = submitSlurmJob(18, ['--partition=full', '--time=UNLIMITED', '--exclusive']);
    await jobs.started(backfilledJobId.id);
    // The job waits for the previous job to end.
    const lateJob = submitSlurmJob(5, ['--partition=full', '--time=UNLIMITED', '--exclusive']);
    const thirdJobId = submitSlurmJob(6, ['--partition=full', '--nodes=3', '--exclusive']);
    await sleepSeconds(8);
    jobs.call('scancel', thirdJobId.id);
    const cancelTime = readCurrentUnixSeconds();
    return [
      ...(await expectRecordOfSingleRun(firstJob, { processors: 32 })),
      ...(await expectRecordOfSingleRun(secondJob, { processors: 32 })),
      ...(await expectRecordOfSingleRun(backfilledJobId, { processors: 16, limit: -1 })),
      ...(await expectRecordOfSingleRun(lateJob, { processors: 16, limit: -1 })),
      makeRecordOfUnstartedJob(thirdJobId.id, thirdJobId.at, cancelTime),
    ];
  },
};

describe.skipIf(!canRunSlurm && process.env.CI === undefined)(
  "Slurm's accounting",
  { timeout: 60_000 },
  () => {
    const expectedRecordsByCase = new Map<string, ExpectedRecord[] | Error>();
    const aliveNodes: string[] = [];
    let sacctOutput = '';
    let jobNames = '';
    let json = '';

    beforeAll(async () => {
      const { status, stderr } = spawnSync(
        'bash',
        [pathInFolder('slurm.sh'), join(folder, 'slurm'), String(PORT)],
        {
          encoding: 'utf8',
          env: { ...process.env, TZ: 'UTC' },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      expect({ status, stderr }).toMatchObject({ status: 0 });
      const startTime = readCurrentUnixSeconds();
      aliveNodes.push(submitSlurmJob(400, ['--time=10']).id, submitSlurmJob(5, ['--begin=now+600']).id);
      await Promise.all(
        Object.entries(ACCOUNTING_CASES).map(async ([name, action]) => {
          expectedRecordsByCase.set(name, await action().catch((error: Error) => error));
        }),
      );
      // Slurm writes the accounting shortly after a job has left the queue.
      await waitUntilCondition(
        () => jobs.call('squeue', '--noheader').trim().split('\n').length === aliveNodes.length,
        30,
      );
      await sleepSeconds(3);
      const [, command] = /\n {4}(SLURM_TIME_FORMAT=%s sacct[\s\S]*?) > jobs.txt\n/.exec(
        readFileSync(new URL('../../docs/traces.md', import.meta.url), 'utf8'),
      )!;
      const formatDate = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19);
      const [start, end] = [formatDate(startTime - 60), formatDate(readCurrentUnixSeconds() + 60)];
      const commandWithDates = command
        .replace(/--starttime \S+/, `--starttime ${start}`)
        .replace(/--endtime \S+/, `--endtime ${end}`);
      expect(commandWithDates).not.toBe(command);
      sacctOutput = jobs.call('bash', '-c', commandWithDates);
      jobNames = jobs.call('bash', '-c', commandWithDates.replace('User,', 'JobName,User,'));
      // While SLURM_TIME_FORMAT is set, the JSON output of sacct contains an error and no jobs.
      const changedCommand = commandWithDates
        .replace(/^SLURM_TIME_FORMAT=\S+ /, '')
        .replace('--parsable2', '--json');
      json = jobs.call('bash', '-c', changedCommand.replace(/--format \S+/, ''));
    }, 400_000);

    afterAll(() => {
      spawnSync('bash', [pathInFolder('slurm.sh'), join(folder, 'slurm'), 'stop']);
    });

    const findExpectedRecordsOfCase = (caseName: string) => {
      const expectedRecordsOrError = expectedRecordsByCase.get(caseName)!;
      if (expectedRecordsOrError instanceof Error) throw expectedRecordsOrError;
      expect(expectedRecordsOrError.length).toBeGreaterThan(0);
      return expectedRecordsOrError;
    };

    test.each(Object.keys(ACCOUNTING_CASES))('%s: the documented command', async (name) => {
      await expectConvertedLog(sacctOutput, findExpectedRecordsOfCase(name));
    });
    test.each(Object.keys(ACCOUNTING_CASES))('%s: JSON', async (name) => {
      await expectConvertedLog(json, findExpectedRecordsOfCase(name));
    });

    test('a job without a limit was started by the backfill scheduler', () => {
      expect(sacctOutput).toMatch(/\|full\|.*\|(?:525600|UNLIMITED)\|.*SchedBackfill/);
    });

    test('a line break in a job name loses only that job', async () => {
      const recordsWithBrokenLines = findExpectedRecordsOfCase('a name with a bar and a line end');
      const otherRecords = Object.keys(ACCOUNTING_CASES)
        .flatMap((name) => findExpectedRecordsOfCase(name))
        .filter((expectedRecord) => expectedRecord.job !== recordsWithBrokenLines[0].job);
      await expectConvertedLog(jobNames, otherRecords, '--skip-bad-lines');
    });

    test.each([
      ['text', () => sacctOutput],
      ['JSON', () => json],
    ])('jobs that are alive are no records: %s', async (_, makeLogText) => {
      const convertedRecords = await expectConvertedLog(makeLogText(), []);
      expect(convertedRecords.length).toBeGreaterThan(20);
      expect(convertedRecords.filter(({ job }) => aliveNodes.includes(String(job)))).toEqual([]);
    });
  },
);
