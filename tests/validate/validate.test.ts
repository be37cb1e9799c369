import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Comparison of simulated with recorded starts, on small logs with known agreement. */

const folder = makeTemporaryFolder();

/** Writes a log of jobs given as submit, wait, runtime, processors, requested time, in seconds. */
function writeLogOfJobs(fileName: string, jobs: readonly (readonly number[])[]): string {
  const lines = jobs.map(
    ([submit, wait, runtime, width, request], i) =>
      `${i + 1} ${submit} ${wait} ${runtime} ${width} -1 -1 ${width} ${request} -1 1 1 1 -1 1 1 -1 -1`,
  );
  const path = join(folder, fileName);
  writeFileSync(path, `; MaxProcs: 4\n${lines.join('\n')}\n`);
  return path;
}

/** Jobs as under EASY: job 3 is backfilled beside job 1, and job 2 waits for the end of job 1. */
const EASY = [
  [0, 0, 100, 3, 100],
  [10, 90, 50, 4, 50],
  [20, 0, 60, 1, 70],
];

async function runValidationAndReadWays(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    'validate',
    ...commandWords,
    '--json',
    '--quiet',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout).ways;
}

describe('validate', () => {
  test('explains the jobs that differ most, as text, as JSON and on a page', async () => {
    const logFile = writeLogOfJobs('explained.swf', EASY);
    const commandWords = ['validate', logFile, '--discipline', 'fcfs', '--free-only', '--explain', '1'];
    const { stdout } = await runProgramInProcess([...commandWords, '--quiet']);
    expect(stdout).toContain('In the log job 3 waited 0 s; simulated, it waits 2 min 10 s, as follows.');
    expect(stdout).toContain('Why it waited');
    const { stdout: json } = await runProgramInProcess([...commandWords, '--json', '--quiet']);
    const { explanations, ways } = JSON.parse(json);
    expect(explanations).toMatchObject([{ job: '3', wait: 130 }]);
    expect(ways[0].different[0].job).toBe('3');
    const page = join(folder, 'missing', 'folder', 'explained.html');
    expect((await runProgramInProcess([...commandWords, '--out', page, '--quiet'])).exitCode).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('Job 3: Why it waited');
    const { exitCode, stderr } = await runProgramInProcess([...commandWords.slice(0, -1), 'two']);
    expect({ exitCode, err: stderr.trim() }).toEqual({
      exitCode: 2,
      err: "gridalloc: --explain: expected a whole number from 0, found 'two'",
    });
  });

  test('finds full agreement with the rules that made the schedule', async () => {
    for (const { all } of await runValidationAndReadWays(
      writeLogOfJobs('easy.swf', EASY),
      '--discipline',
      'easy',
    )) {
      expect(all).toMatchObject({ jobs: 3, missed: 0, meanError: 0, rankCorrelation: 1 });
      expect(all.within).toEqual({ 2: 1, 5: 1, 60: 1, 600: 1, 3600: 1 });
    }
  });

  test('counts what other rules would have done', async () => {
    const [free, steps] = await runValidationAndReadWays(
      writeLogOfJobs('easy.swf', EASY),
      '--discipline',
      'fcfs',
    );
    // In a free run, job 3 starts after job 2, at 150 instead of 20 s; step by step, it never
    // starts at its recorded time.
    expect(free.all).toMatchObject({ jobs: 3, missed: 0, meanError: 130 / 3 });
    expect(steps.all).toMatchObject({ jobs: 3, missed: 1 });
    expect(steps.different[0]).toMatchObject({ job: '3', recordedStart: 20, simulatedStart: null });
  });

  test('an early difference does not hide later agreement', async () => {
    // Job 1 was held back for 7 s by an unknown cause; all later starts follow EASY.
    const lateJobs = EASY.map(([submit, wait, ...rest], i) => [
      submit!,
      i === 0 ? 7 : i === 1 ? 97 : wait!,
      ...rest,
    ]);
    const [free, steps] = await runValidationAndReadWays(
      writeLogOfJobs('late.swf', lateJobs),
      '--discipline',
      'easy',
    );
    expect(free.all.within['2']).toBeCloseTo(1 / 3);
    expect(steps.all.within['2']).toBeCloseTo(2 / 3);
  });

  test('tells which setting comes nearest', async () => {
    const logFile = writeLogOfJobs('easy.swf', EASY);
    const commandWords = [
      'validate',
      logFile,
      '--discipline',
      'fcfs',
      '--vary',
      'discipline=conservative,fcfs,easy',
    ];
    const { stdout } = await runProgramInProcess([
      ...commandWords,
      '--vary',
      'order=submit,shortest',
      '--json',
      '--quiet',
    ]);
    const { settings } = JSON.parse(stdout);
    // A tried combination equal to the given setting is listed only once; of equal results, the first comes
    // first.
    expect(
      settings.map(({ values: settingValues, isGiven }: { values: object; isGiven: boolean }) => [
        settingValues,
        isGiven,
      ]),
    ).toEqual([
      [{ discipline: 'fcfs' }, true],
      [{ discipline: 'conservative', order: 'submit' }, false],
      [{ discipline: 'conservative', order: 'shortest' }, false],
      [{ discipline: 'easy', order: 'submit' }, false],
      [{ discipline: 'easy', order: 'shortest' }, false],
      [{ discipline: 'fcfs', order: 'shortest' }, false],
    ]);
    const [given, , , easy] = settings;
    expect(given.ways[0].all).toMatchObject({ meanError: 130 / 3, recordedWait: 30 });
    expect(given.ways[1].all).toMatchObject({ missed: 1 });
    expect(easy.ways.map(({ all }: { all: object }) => all)).toMatchObject([
      { meanError: 0, missed: 0, within: { 2: 1, 60: 1 }, simulatedWait: 30 },
      { meanError: 0, missed: 0, within: { 2: 1, 60: 1 }, simulatedWait: 30 },
    ]);
  });

  test('says that a varied value is the one given', async () => {
    const log = writeLogOfJobs('easy.swf', EASY);
    const commandWords = ['validate', log, '--discipline', 'easy', '--vary', 'discipline=easy'];
    const { exitCode, stderr } = await runProgramInProcess(commandWords);
    expect({ exitCode, err: stderr.trim() }).toEqual({
      exitCode: 0,
      err: '--vary: every value is the one already given, so no other setting is compared',
    });
  });

  test('refuses several sites in both kinds of simulation, and --interval step by step', async () => {
    const log = writeLogOfJobs('easy.swf', EASY);
    const sites = ['validate', log, '--discipline', 'easy', '--sites', '4,4'];
    for (const commandWords of [sites, [...sites, '--free-only']]) {
      const { exitCode, stderr } = await runProgramInProcess(commandWords);
      expect({ exitCode, err: stderr.trim() }).toEqual({
        exitCode: 2,
        err: 'gridalloc: validate is for one machine; give --sites with one number',
      });
    }
    const interval = ['validate', log, '--discipline', 'easy', '--interval', '30'];
    const { exitCode, stderr } = await runProgramInProcess(interval);
    expect({ exitCode, err: stderr.trim() }).toEqual({
      exitCode: 2,
      err: 'gridalloc: validate does not predict step by step with --interval; add --free-only',
    });
    expect((await runProgramInProcess([...interval, '--free-only', '--quiet'])).exitCode).toBe(0);
  });

  test('prints the settings as a table and as CSV', async () => {
    const logFile = writeLogOfJobs('easy.swf', EASY);
    const commandWords = [
      'validate',
      logFile,
      '--discipline',
      'fcfs',
      '--vary',
      'discipline=easy',
      '--quiet',
    ];
    const { stdout } = await runProgramInProcess(commandWords);
    const rows = stdout.split('\n').filter((line) => /^(as given: )?discipline=/.test(line));
    expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['as given: discipline=fcfs', '66.7 %', '66.7 %', '43.3 s', '1 min 13 s', '30 s'],
      ['discipline=easy', '100.0 %', '+33.3', '100.0 %', '+33.3', '0 s', '30 s', '30 s'],
      ['as given: discipline=fcfs', '66.7 %', '66.7 %', '0 s', '45 s', '45 s', '1'],
      ['discipline=easy', '100.0 %', '+33.3', '100.0 %', '+33.3', '0 s', '30 s', '30 s', '0'],
    ]);
    const csvResult = await runProgramInProcess([...commandWords, '--free-only', '--csv']);
    expect(csvResult.stdout.trim().split('\n')).toEqual([
      'setting,discipline,way,jobs,missed,within2,within5,within60,within600,within3600,meanError,recordedWait,simulatedWait,backfillOffset',
      `as given,fcfs,free,3,0,${2 / 3},${2 / 3},${2 / 3},1,1,${130 / 3},30,${220 / 3},`,
      'discipline=easy,easy,free,3,0,1,1,1,1,1,0,30,30,',
    ]);
  });

  test('a varied scheduler replaces all options of passes', async () => {
    const logFile = writeLogOfJobs('easy.swf', EASY);
    const findBackfillOffsets = async (...commandWords: string[]) => {
      const { stdout, exitCode } = await runProgramInProcess([
        'validate',
        logFile,
        ...commandWords,
        '--json',
        '--quiet',
      ]);
      expect(exitCode).toBe(0);
      return JSON.parse(stdout).settings.map(
        ({ backfillOffset }: { backfillOffset?: number }) => backfillOffset,
      );
    };
    const variedSchedulerWords = [
      '--scheduler',
      'slurm[bf_interval=1]',
      '--vary',
      'scheduler=none,slurm[bf_interval=10]',
    ];
    expect(
      (await findBackfillOffsets(...variedSchedulerWords)).map(
        (offset: number | undefined) => offset === undefined,
      ),
    ).toEqual([false, true, false]);
  });

  test('writes a page', async () => {
    const page = join(folder, 'easy.html');
    const { exitCode } = await runProgramInProcess([
      'validate',
      writeLogOfJobs('easy.swf', EASY),
      '--discipline',
      'easy',
      '--out',
      page,
      '--quiet',
    ]);
    expect(exitCode).toBe(0);
  });

  test.each([
    [['lublin99[jobs=20]'], 'records no waits'],
    [['LOG', '--sites', '4,4'], 'is for one machine'],
    [['LOG', '--order', 'wfp3'], 'order that changes with time'],
    [['LOG', '--vary', 'gap=3'], "unknown option of --vary 'gap'"],
    [['LOG', '--vary', 'pass-gap'], 'expected name=value,value,...'],
    [['LOG', '--vary', 'pass-gap='], '--vary pass-gap has no value'],
    [['LOG', '--vary', 'pass-gap=soon'], '--pass-gap: expected a number of seconds'],
    [['LOG', '--vary', 'pass-gap=1', '--vary', 'pass-gap=2'], '--vary pass-gap is given twice'],
    [['LOG', '--csv', '--json'], '--csv cannot be combined with --json'],
    [['LOG', '--out', 'page.txt'], 'expected FILE.html'],
    [['LOG', '--jobs', 'x'], "--jobs: expected a whole number from 0, found 'x'"],
    [['LOG', '--scheduler', 'slurm[bf_intervall=3]'], "did you mean 'bf_interval'"],
    [['LOG', '--scheduler', 'missing.conf'], 'cannot be read'],
  ])('%s: one sentence', async (commandWords, sentence) => {
    const logFile = writeLogOfJobs('easy.swf', EASY);
    const { exitCode, stderr } = await runProgramInProcess([
      'validate',
      ...commandWords.map((commandWord) => (commandWord === 'LOG' ? logFile : commandWord)),
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
  });
});

describe('--scheduler', () => {
  test('is its options', async () => {
    const logFile = writeLogOfJobs('easy.swf', EASY);
    const commandWords =
      '--discipline conservative --plan-by node --end-window 30 --backfill-overlap closed'.split(' ');
    const extraWords =
      '--backfill-interval 30 --backfill-resolution 60 --backfill-window 1d --pass-gap 3'.split(' ');
    const limits =
      '--backfill-jobs 500 --backfill-segments 500 --pass-delay submit=1,end=0.8 --release-delay 0.2'.split(
        ' ',
      );
    const [oneResult, otherResult] = await Promise.all(
      [
        ['--scheduler', 'slurm'],
        [...commandWords, ...extraWords, ...limits],
      ].map((options) => runProgramInProcess(['simulate', logFile, ...options, '--json', '--quiet'])),
    );
    expect(oneResult.exitCode).toBe(0);
    expect(JSON.parse(oneResult.stdout)).toEqual(JSON.parse(otherResult.stdout));
  });

  test('reads a slurm.conf, and names what is not simulated', async () => {
    const slurmConfFile = join(folder, 'slurm.conf');
    writeFileSync(
      slurmConfFile,
      'SchedulerType=sched/backfill\nSchedulerParameters=bf_interval=60,bf_continue,defer\nPriorityType=priority/multifactor # ages\n' +
        'PartitionName=a Nodes=n[1-4]\nPartitionName=b Nodes=n[1-2]\n' +
        'NodeName=n[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1\nNodeName=n[3-4] CPUs=16\n',
    );
    const { exitCode, stderr } = await runProgramInProcess([
      'simulate',
      writeLogOfJobs('easy.swf', EASY),
      '--scheduler',
      slurmConfFile,
      '--json',
    ]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'not simulated: bf_continue, defer, partitions (a, b) and nodes of different sizes',
    );
  });

  const messagesForSlurmConf = async (...lines: string[]) => {
    const slurmConfPath = join(folder, 'priorities.conf');
    const nodes = ['NodeName=n[1-3,5],m[01-04] CPUs=1', 'PartitionName=main'];
    writeFileSync(slurmConfPath, [...nodes, 'PriorityType=priority/multifactor', ...lines].join('\n'));
    const logFile = fileURLToPath(new URL('recordings/slurm-epilog.txt', import.meta.url));
    const { exitCode, stdout, stderr } = await runProgramInProcess([
      'simulate',
      logFile,
      '--sites',
      '8',
      '--scheduler',
      slurmConfPath,
    ]);
    expect(exitCode, stderr).toBe(0);
    return { set: /^set: (.*)$/m.exec(stdout)![1]!, messages: stderr.replaceAll(`${slurmConfPath}: `, '') };
  };

  test('reads priorities from a slurm.conf', async () => {
    const { set, messages } = await messagesForSlurmConf(
      ...['PriorityWeightAge=1000', 'PriorityWeightFairshare=5000', 'PriorityWeightJobSize=500'],
      ...['PriorityMaxAge=1-12', 'PriorityCalcPeriod=10', 'PriorityDecayHalfLife=2-0:30:00'],
      ...['FairShareDampeningFactor=2', 'PriorityFavorSmall=YES', 'AccountingStorageEnforce=limits'],
      ...['PriorityFlags=SMALL_RELATIVE_TO_TIME,NO_FAIR_TREE', 'PriorityWeightQOS=7'],
    );
    expect(set).toContain(
      'order multifactor[age=1000,maxAge=129600,fairshare=5000,damp=2,size=500,nodes=8,favorSmall=yes,perTime=yes]',
    );
    expect(set).toContain('half life 2d30m, usage step 10m');
    expect(messages).toContain('not simulated: PriorityWeightQOS\n');
    expect(messages).toContain('give them as --limit user.jobs=3 and the like.');
    expect(messages).toContain('Shares of users are in slurmdbd');
    expect(messages).not.toMatch(/Fair Tree|Without AccountingStorageEnforce/);
  });

  test('reads the points of partitions, and says that neither Fair Tree nor lost use is simulated', async () => {
    const partitions = ['PriorityWeightPartition=200', 'PartitionName=other PriorityJobFactor=4'];
    const { set, messages } = await messagesForSlurmConf(
      'PriorityWeightFairshare=5',
      'PriorityDecayHalfLife=0',
    );
    expect(set).toContain('order multifactor[fairshare=5]');
    expect(set).toContain('half life none');
    expect(messages).toContain('Fair Tree is not simulated');
    expect(messages).toContain('Without AccountingStorageEnforce=limits');
    const slurmConfPath = join(folder, 'partitions.conf');
    writeFileSync(
      slurmConfPath,
      ['PriorityType=priority/multifactor', 'PartitionName=main', ...partitions].join('\n'),
    );
    const { exitCode, stderr } = await runProgramInProcess([
      'simulate',
      writeLogOfJobs('easy.swf', EASY),
      '--scheduler',
      slurmConfPath,
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      "order, multifactor[partition.main=50,partition.other=200]: the log names no queue 'main'; its queues have numbers alone",
    );
  });

  test('refuses a time that is none', async () => {
    const slurmConfPath = join(folder, 'wrong.conf');
    writeFileSync(
      slurmConfPath,
      'PriorityType=priority/multifactor\nPriorityWeightAge=1\nPriorityMaxAge=week\n',
    );
    const { exitCode, stderr } = await runProgramInProcess([
      'simulate',
      writeLogOfJobs('easy.swf', EASY),
      '--scheduler',
      slurmConfPath,
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `${slurmConfPath}, line 3, PriorityMaxAge: expected a time such as 5, 12:00:00 or 7-0, found 'week'`,
    );
  });

  const computeMeanWaitWith = async (...commandWords: string[]) => {
    const logFile = fileURLToPath(new URL('recordings/slurm-defaults.txt', import.meta.url));
    const { exitCode, stdout, stderr } = await runProgramInProcess([
      'simulate',
      logFile,
      '--sites',
      '8',
      ...commandWords,
      '--json',
      '--quiet',
    ]);
    expect(exitCode, stderr).toBe(0);
    return (JSON.parse(stdout) as { meanWait: number }).meanWait;
  };

  test('a slurm.conf with an Epilog has passes at once after ends, whenever the last one was', async () => {
    const slurmConfPath = join(folder, 'epilog.conf');
    writeFileSync(slurmConfPath, 'Epilog=/etc/slurm/epilog.sh\n');
    const actualNumber = await computeMeanWaitWith('--scheduler', slurmConfPath);
    const options = ['--pass-delay', 'submit=1,end=0', '--pass-gap', 'none'];
    expect(actualNumber).toBe(await computeMeanWaitWith('--scheduler', 'slurm', ...options));
    expect(actualNumber).not.toBe(await computeMeanWaitWith('--scheduler', 'slurm'));
  });

  test('options given as none beside a scheduler come first, too', async () => {
    const delay = ['--scheduler', 'slurm', '--pass-delay'];
    expect(await computeMeanWaitWith(...delay, 'none')).toBe(await computeMeanWaitWith(...delay, '0'));
    expect(await computeMeanWaitWith(...delay, 'none')).not.toBe(
      await computeMeanWaitWith('--scheduler', 'slurm'),
    );
  });
});

test('a partition of all jobs that has the only site changes nothing, step by step and free', async () => {
  const logFile = fileURLToPath(new URL('recordings/slurm-defaults-25.txt', import.meta.url));
  const commandWords = ['validate', logFile, '--sites', '8', '--discipline', 'easy', '--csv', '--quiet'];
  const { stdout: without } = await runProgramInProcess(commandWords);
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    ...commandWords,
    '--partition-sites',
    'main=1',
  ]);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toBe(without);
});
