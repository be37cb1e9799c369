import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  findMissingPrograms,
  pathInFolder,
  SchedulerTestJobs,
  sleepSeconds,
  waitUntilCondition,
} from './jobs.js';

/**
 * Compares the starts of sleeping jobs under a real Slurm with the starts that the rules of `--scheduler
 * slurm` give. Settings and jobs change with each commit; the environment variable STARTS_SEED repeats those
 * of a seed.
 */

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

const RANDOM_SEED = process.env.STARTS_SEED ?? process.env.GRIDALLOC_COMMIT ?? '';
/** Pseudo-random number from 0 (inclusive) to 1 (exclusive), determined by the test's seed and a name. */
const drawSeededNumber = (drawName: string) =>
  createHash('sha256').update(`${RANDOM_SEED} ${drawName}`).digest().readUInt32BE() / 2 ** 32;
const pickSeeded = <Value>(choices: readonly Value[], drawName: string): Value =>
  choices[Math.floor(drawSeededNumber(drawName) * choices.length)]!;

/**
 * Values of Slurm's SchedulerParameters under test: the defaults, backfill passes every second, both kinds of
 * passes at once, and only one of the two kinds.
 */
const SCHEDULER_PARAMETERS = [
  'bf_interval=30',
  'bf_interval=1',
  'bf_interval=1,bf_resolution=1,batch_sched_delay=0',
  'bf_interval=30,batch_sched_delay=0',
];
const NODE_COUNT = 8;
const TEST_JOB_COUNT = 45;

/**
 * Smallest accepted share of job starts that the simulated rules reproduce within 2 s, one step at a time.
 * Recordings on an idle machine have at least 93 %, EASY 54 to 85 %; one made during other tests had 84 %
 * (93 % of the same jobs when idle), since the order of events within a second is less certain then.
 */
const MIN_AGREEMENT_SHARE = 0.75;

/** Smallest accepted share with the order of ends within a second fitted; recordings have 98 to 100 %. */
const MIN_ORDER_FIT_SHARE = 0.85;

const parameters = pickSeeded(SCHEDULER_PARAMETERS, 'parameters');
const processors = pickSeeded([1, 1, 4], 'processors');

/** A sleeping job: seconds until it is submitted, processors, limit in minutes, seconds that it sleeps. */
function makeSleepingJobScript(jobNumber: number) {
  const limitInMinutes = pickSeeded([1, 1, 1, 2, 2, 3], `limit ${jobNumber}`);
  const runtimeShare = pickSeeded([0.1, 0.2, 0.3, 0.5], `share ${jobNumber}`);
  const maxProcessors = NODE_COUNT * processors;
  return {
    gap: Math.floor(-4 * Math.log(1 - drawSeededNumber(`gap ${jobNumber}`))),
    width: Math.max(
      1,
      Math.min(maxProcessors, Math.round(maxProcessors ** drawSeededNumber(`width ${jobNumber}`))),
    ),
    limit: limitInMinutes,
    seconds: Math.min(30, Math.max(4, Math.round(60 * limitInMinutes * runtimeShare))),
  };
}

const PORT = 31_000 + (process.pid % 80) * 20;
const folder = makeTemporaryFolder();
const jobs = new SchedulerTestJobs(folder, { SLURM_CONF: join(folder, 'slurm/slurm.conf'), TZ: 'UTC' });

/** Runs the jobs under Slurm to their end and returns the text of its accounting. */
async function runJobsAndReadAccounting(): Promise<string> {
  for (let jobNumber = 0; jobNumber < TEST_JOB_COUNT; jobNumber++) {
    const { gap, width, limit, seconds } = makeSleepingJobScript(jobNumber);
    await sleepSeconds(gap);
    const sbatchWords = [`--ntasks=${width}`, `--time=${limit}`, '--output=/dev/null', '--chdir=/'];
    jobs.call('sbatch', '--quiet', ...sbatchWords, `--wrap=sleep ${seconds}`);
  }
  await waitUntilCondition(() => jobs.call('squeue', '--noheader') === '', 900);
  // Slurm writes a job's accounting record a second or two after the job has ended.
  await sleepSeconds(5);
  const sacctFields =
    'JobID,JobIDRaw,User,Account,Partition,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,ReqCPUS,AllocCPUS,NodeList,Flags,State';
  return jobs.call(
    'sacct',
    '--allusers',
    '--allocations',
    '--parsable2',
    '--starttime=now-1hours',
    `--format=${sacctFields}`,
  );
}

/**
 * Shares of job starts that the simulation reproduces within 2 s if each start is predicted from the recorded
 * state before it: with ends in the order of the log, and with their order within a second fitted.
 */
async function computeSharesOfMetStarts(
  logFile: string,
  ...rules: string[]
): Promise<{ readonly asRecorded: number; readonly orderFitted: number }> {
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    ...['validate', logFile, '--sites', `${NODE_COUNT * processors}`, ...rules, '--json', '--quiet'],
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { ways, orderFit } = JSON.parse(stdout);
  const [, steps] = ways;
  expect(steps.all.jobs).toBe(TEST_JOB_COUNT);
  return { asRecorded: steps.all.within['2'], orderFitted: orderFit.all.within['2'] };
}

beforeAll(() => {
  if (!canRunSlurm) return;
  const sbatchWords = [join(folder, 'slurm'), `${PORT}`, `${processors}`, parameters];
  const { status, stderr } = spawnSync('bash', [pathInFolder('slurm.sh'), ...sbatchWords], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect(status, stderr).toBe(0);
}, 120_000);

afterAll(() => {
  if (canRunSlurm) spawnSync('bash', [pathInFolder('slurm.sh'), join(folder, 'slurm'), 'stop']);
}, 60_000);

test.skipIf(!canRunSlurm)(
  'a real Slurm starts jobs when the rules do',
  async () => {
    const loadAverageBefore = loadavg()[0]!;
    const logFile = join(folder, 'starts.txt');
    writeFileSync(logFile, await runJobsAndReadAccounting());
    const nodes = processors === 1 ? [] : ['--processors-per-node', `${processors}`];
    const sharesWithSlurmRules = await computeSharesOfMetStarts(
      logFile,
      '--scheduler',
      `slurm[${parameters}]`,
      ...nodes,
    );
    const sharesWithEasy = await computeSharesOfMetStarts(logFile, '--discipline', 'easy');
    const formatSharesAsPercents = ({ asRecorded, orderFitted }: typeof sharesWithSlurmRules) =>
      `${(100 * asRecorded).toFixed(1)} % within 2 s (${(100 * orderFitted).toFixed(1)} % with the order of ends fitted)`;
    console.log(
      `seed ${RANDOM_SEED}, ${parameters}, ${processors} per node: ${formatSharesAsPercents(sharesWithSlurmRules)}, EASY ${formatSharesAsPercents(sharesWithEasy)}; load ${loadAverageBefore.toFixed(1)} to ${loadavg()[0]!.toFixed(1)}`,
    );
    if (process.env.STARTS_LOG !== undefined)
      writeFileSync(process.env.STARTS_LOG, jobs.call('cat', logFile));
    expect(sharesWithSlurmRules.asRecorded).toBeGreaterThanOrEqual(MIN_AGREEMENT_SHARE);
    expect(sharesWithSlurmRules.asRecorded).toBeGreaterThanOrEqual(sharesWithEasy.asRecorded);
    expect(sharesWithSlurmRules.orderFitted).toBeGreaterThanOrEqual(MIN_ORDER_FIT_SHARE);
    expect(sharesWithSlurmRules.orderFitted).toBeGreaterThanOrEqual(sharesWithEasy.orderFitted);
  },
  1_500_000,
);
