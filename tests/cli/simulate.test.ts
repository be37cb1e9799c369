import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../host/cli/context.js';
import { openCore } from '../../host/core/module.js';
import { findOptionByName, isAbsentOptionText, OPTIONS } from '../../host/options/options.js';
import { STOP_COLUMNS } from '../../host/results/jobsFile.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';
import {
  runProgramInProcess,
  splitShellWords,
  TINY_LOG_TEXT,
  TINY_OPTIONS,
  writeLogFile,
} from './runProgram.js';

const RESULT_FILES = ['config.json', 'jobs.csv', 'schedule.swf', 'summary.json'];

async function simulateTinyLog(...extraWords: string[]) {
  const logFile = writeLogFile();
  const programResult = await runProgramInProcess(['simulate', logFile, ...TINY_OPTIONS, ...extraWords]);
  return { log: logFile, ...programResult };
}

describe('--json', () => {
  test('is one document with the names that scripts rely on', async () => {
    const { exitCode, stdout, stderr } = await simulateTinyLog('--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      policy: 'best-fit',
      jobs: 5,
      averageResponseTime: 12.5,
      averageQueueLength: expect.any(Number),
      averageQueueLengthOverTime: 35 / 22.5,
      meanWait: 7,
      maxWait: 13.5,
      meanSlowdown: (1 + 1 + 15.5 / 7.5 + 3.7 + 6.4) / 5,
      meanBoundedSlowdown: expect.any(Number),
      awrt: expect.any(Number),
      awwt: expect.any(Number),
      makespan: 22.5,
      utilization: (80 + 10) / (6 * 22.5),
      sites: [
        { capacity: 4, speed: 1, utilization: 80 / 90, jobs: 3 },
        { capacity: 2, speed: 2, utilization: 10 / 45, jobs: 2 },
      ],
      homes: [
        { jobs: 3, averageResponseTime: (10 + 18.5 + 16) / 3 },
        { jobs: 2, averageResponseTime: (2.5 + 15.5) / 2 },
      ],
      dropped: { runtime: 1, processors: 0 },
    });
  });

  test('of several policies holds one run each, with NPIR where best-fit and fastest-first are there', async () => {
    const { exitCode, stdout } = await simulateTinyLog(
      '--json',
      '--policy',
      'ff,bf',
      '--policy',
      'ti[slt=1] ai',
    );
    expect(exitCode).toBe(0);
    const { runs } = JSON.parse(stdout);
    expect(runs.map(({ policy }: { policy: string }) => policy)).toEqual([
      'fastest-first',
      'best-fit',
      'ti[sht=0.05,slt=1]',
      'ai[count=prefix]',
    ]);
    expect(runs[0]).toMatchObject({ jobs: 5, improvementRatio: expect.any(Number) });
  });
});

describe('text', () => {
  test('gives the measures with units, and the records left out', async () => {
    const { stdout } = await simulateTinyLog();
    expect(stdout).toMatch(/^average response time +12\.50 s {2}submit to end$/m);
    expect(stdout).toMatch(/^utilization +66\.67 % {2}of the available processors, over the makespan$/m);
    expect(stdout).toContain('4 of 5 records kept; dropped by rule: runtime 1; 1 wide job cut into 2 pieces');
  });

  test('of several policies is a table, in which equal ones have no mark', async () => {
    const { stdout } = await simulateTinyLog('--policy', 'best-fit,worst-fit');
    expect(stdout).toMatch(/^best-fit +12\.5 /m);
    expect(stdout).not.toContain('*');
  });

  test('has colours on a terminal, unless NO_COLOR is set', async () => {
    const commandWords = ['simulate', writeLogFile(), ...TINY_OPTIONS];
    const ansiEscapeBegin = '\u001b[';
    expect((await runProgramInProcess(commandWords, { isTTY: true })).stdout).toContain(ansiEscapeBegin);
    expect(
      (await runProgramInProcess(commandWords, { isTTY: true, env: { NO_COLOR: '1' } })).stdout,
    ).not.toContain(ansiEscapeBegin);
    expect((await runProgramInProcess(commandWords)).stdout).not.toContain(ansiEscapeBegin);
  });
});

test('standard input is a workload', async () => {
  const { exitCode, stdout } = await runProgramInProcess(['simulate', '-', ...TINY_OPTIONS, '--json'], {
    input: TINY_LOG_TEXT,
  });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ workload: '-', jobs: 5 });
});

test('without --sites the grid is the machine of the log, or of the size of its largest job, with a message', async () => {
  const resultWithKnownSize = await runProgramInProcess(['simulate', '-', '--json'], {
    input: TINY_LOG_TEXT,
  });
  expect(JSON.parse(resultWithKnownSize.stdout).sites).toMatchObject([{ capacity: 6 }]);
  expect(resultWithKnownSize.stderr).toBe('');
  const logText = TINY_LOG_TEXT.replace('; MaxProcs: 6\n', '');
  const resultWithoutOptions = await runProgramInProcess(['simulate', '-', '--json'], { input: logText });
  expect(JSON.parse(resultWithoutOptions.stdout).sites).toMatchObject([{ capacity: 6 }]);
  expect(resultWithoutOptions.stderr).toBe(
    'standard input does not give the machine size; assuming one site of 6 processors, the size of its largest job (set it with --sites)\n',
  );
  expect((await runProgramInProcess(['simulate', '-', '--json', '--quiet'], { input: logText })).stderr).toBe(
    '',
  );
});

describe('--out', () => {
  test('writes every job in Batsim columns', async () => {
    const resultFolder = join(makeTemporaryFolder(), 'deep', 'results');
    const { exitCode, log, stderr } = await simulateTinyLog('--out', resultFolder);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `wrote jobs.csv, summary.json, schedule.swf, config.json to ${resultFolder}\n`,
    });
    expect(readdirSync(resultFolder).sort()).toEqual(RESULT_FILES);
    expect(readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').replaceAll(log, 'LOG')).toBe(
      [
        'job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,' +
          'final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,' +
          'allocated_resources,consumed_energy,metadata,home_site,execution_sites,allocated_processors,user,group,queue,status,recorded_wait,estimate,queue_name',
        '1,LOG,10,0,3,20,1,COMPLETED_SUCCESSFULLY,0,10,10,0,10,1,0-2,-1,,1,1,3,1,1,1,1,-1,20,first',
        '2,LOG,5,1,2,5,1,COMPLETED_SUCCESSFULLY,1,2.5,3.5,0,2.5,1,4-5,-1,,2,2,2,1,1,2,1,-1,5,',
        '3,LOG,7.5,2,4,8,1,COMPLETED_SUCCESSFULLY,10,7.5,17.5,8,15.5,2.066666666666667,0-3,-1,,2,1,4,1,1,2,1,-1,8,',
        '5,LOG,5,4,4,5,1,COMPLETED_SUCCESSFULLY,17.5,5,22.5,13.5,18.5,3.7,0-3,-1,,1,1,4,1,1,1,1,-1,5,first',
        '5#2,LOG,5,4,2,5,1,COMPLETED_SUCCESSFULLY,17.5,2.5,20,13.5,16,6.4,4-5,-1,,1,2,2,1,1,1,1,-1,5,first',
        '',
      ].join('\n'),
    );
  });

  test('writes the stopped runs where jobs are reclaimed', async () => {
    const resultFolder = join(makeTemporaryFolder(), 'results');
    const { exitCode, stderr } = await simulateTinyLog(
      '--queue',
      'per-home',
      '--reclaim',
      '--out',
      resultFolder,
    );
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `wrote jobs.csv, stops.csv, summary.json, schedule.swf, config.json to ${resultFolder}\n`,
    });
    expect(readFileSync(join(resultFolder, 'stops.csv'), 'utf8').split('\n')[0]).toBe(STOP_COLUMNS.join(','));
    expect((await simulateTinyLog('--out', resultFolder)).exitCode).toBe(0);
    expect(readdirSync(resultFolder).sort()).toEqual(RESULT_FILES);
  });

  test('writes the simulation as a log with its waits, and the summary', async () => {
    const resultFolder = join(makeTemporaryFolder(), 'results');
    const { log } = await simulateTinyLog('--out', resultFolder);
    const scheduleRecords = readFileSync(join(resultFolder, 'schedule.swf'), 'utf8').split('\n');
    expect(scheduleRecords.filter((line) => /^\d/.test(line)).map((line) => line.split(' ')[2])).toEqual([
      '0',
      '0',
      '8',
      '13.5',
      '13.5',
    ]);
    const { stdout: printedText } = await runProgramInProcess(['simulate', log, ...TINY_OPTIONS, '--json']);
    expect(JSON.parse(readFileSync(join(resultFolder, 'summary.json'), 'utf8'))).toEqual(
      JSON.parse(printedText),
    );
  });

  test('keeps the command that gives the same results again', async () => {
    const folder = makeTemporaryFolder();
    const model = 'lublin99[jobs=200,seed=3]';
    const options = [
      '--sites',
      '8,128,64',
      '--speeds',
      'draw[sh=0.1,seed=5]',
      '--load',
      '3',
      '--policy',
      'tai',
    ];
    const transformationWords = [
      '--filter',
      'first=150',
      '--rc',
      '0.5',
      '--runtime-scale',
      '2',
      '--arrival-scale',
      '0.3',
    ];
    const rules = [
      '--time-resolution',
      'floor',
      '--instant',
      'batched',
      '--min-speed-ratio',
      '0.7',
      '--home',
      'user',
    ];
    const jobs = ['--oversize', 'drop', '--estimates', 'exact', '--sort'];
    await runProgramInProcess([
      'simulate',
      model,
      ...options,
      ...transformationWords,
      ...rules,
      ...jobs,
      '--out',
      join(folder, 'one'),
    ]);
    const config = JSON.parse(readFileSync(join(folder, 'one', 'config.json'), 'utf8'));
    expect(config).toMatchObject({ gridalloc: expect.any(String), abi: openCore().abiVersion() });
    expect(config.coreSha256).toMatch(/^[0-9a-f]{64}$/);
    const [, ...words] = config.command;
    await runProgramInProcess([...words, '--out', join(folder, 'two')]);
    for (const file of ['jobs.csv', 'summary.json', 'schedule.swf', 'config.json']) {
      expect(readFileSync(join(folder, 'two', file), 'utf8')).toBe(
        readFileSync(join(folder, 'one', file), 'utf8'),
      );
    }
  });

  test('replaces earlier results, but nothing else', async () => {
    const resultFolder = join(makeTemporaryFolder(), 'results');
    await simulateTinyLog('--out', resultFolder);
    expect((await simulateTinyLog('--out', resultFolder, '--policy', 'ff')).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(join(resultFolder, 'summary.json'), 'utf8')).policy).toBe('fastest-first');
    const otherFolder = makeTemporaryFolder();
    writeFileSync(join(otherFolder, 'thesis.tex'), '');
    const { exitCode, stderr } = await simulateTinyLog('--out', otherFolder);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `gridalloc: ${otherFolder} is not empty (it contains thesis.tex); give a new or empty folder for the results\n`,
    });
    expect(readdirSync(otherFolder)).toEqual(['thesis.tex']);
  });

  test('below a file is refused before anything is read', async () => {
    const { exitCode, stderr } = await runProgramInProcess([
      'simulate',
      'no-such-log.swf',
      '--out',
      join(writeLogFile(), 'results'),
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/is not a folder, or is below a file; give a folder for the results\n$/);
  });

  test('leaves nothing when interrupted', async () => {
    const folder = makeTemporaryFolder();
    const controller = new AbortController();
    const options = ['--sites', '128', '--out', join(folder, 'new', 'results')];
    const programResultPromise = runProgramInProcess(['simulate', 'lublin99[jobs=50000]', ...options], {
      signal: controller.signal,
    });
    mkdirSync(join(folder, 'other'));
    setTimeout(() => controller.abort(new Interruption('SIGINT')), 1);
    expect(await programResultPromise).toMatchObject({
      exitCode: 130,
      stdout: '',
      stderr: 'interrupted; nothing was finished\n',
    });
    expect(readdirSync(folder)).toEqual(['other']);
  });
});

test('the published queue length of Shih et al. 2010 (SL 2.5) is reproduced', async ({ skip }) => {
  const logFile = findTraceFilePath('sdsc-sp2-54041.swf.gz') ?? skip();
  const options = ['--preset', 'shih2010', '--load', '2.5', '--time-resolution', 'nearest', '--json'];
  const { stdout } = await runProgramInProcess(['simulate', logFile, ...options]);
  expect(JSON.parse(stdout).averageQueueLength.toFixed(2)).toBe('19.86');
});

const OPTIONS_OFF_BY_DEFAULT = Object.keys(OPTIONS).filter(
  (optionName) =>
    isAbsentOptionText(optionName, 'none') &&
    !findOptionByName(optionName).isSwitch &&
    !['workload', 'sites'].includes(optionName),
);

test.each([
  ['simulate', []],
  ['compare', []],
])('`none` means that an option is not given: %s', async (command, extraWords) => {
  const commandWords = [command, 'lublin99[jobs=20]', '--sites', '128', ...extraWords, '--json', '--quiet'];
  const resultWithoutOptions = await runProgramInProcess(commandWords);
  expect(resultWithoutOptions.exitCode).toBe(0);
  expect(OPTIONS_OFF_BY_DEFAULT.length).toBeGreaterThan(30);
  for (const optionName of OPTIONS_OFF_BY_DEFAULT) {
    expect([optionName, await runProgramInProcess([...commandWords, `--${optionName}`, 'none'])]).toEqual([
      optionName,
      resultWithoutOptions,
    ]);
  }
});

describe('several policies with --out', () => {
  test('have a folder each, with the same files as alone', async () => {
    const [folder, folderOfSingleRun] = [makeTemporaryFolder(), makeTemporaryFolder()];
    const { exitCode, log, stdout } = await simulateTinyLog(
      '--policy',
      'bf,ti[slt=1]',
      '--out',
      folder,
      '--quiet',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(readdirSync(folder).sort()).toEqual(['best-fit', 'ti-sht-0.05-slt-1']);
    await runProgramInProcess([
      'simulate',
      log,
      ...TINY_OPTIONS,
      '--policy',
      'ti[slt=1]',
      '--out',
      folderOfSingleRun,
    ]);
    for (const resultFile of RESULT_FILES) {
      const fileText = readFileSync(join(folder, 'ti-sht-0.05-slt-1', resultFile), 'utf8');
      expect(fileText).toBe(readFileSync(join(folderOfSingleRun, resultFile), 'utf8'));
    }
  });
});

describe('--config', () => {
  test('runs a simulation again, from its config.json or folder, with other options where some are given', async () => {
    const folder = makeTemporaryFolder();
    const { log, stdout } = await simulateTinyLog('--policy', 'ti[slt=1]', '--out', folder);
    // The command printed at the end may name the same setting in other words.
    const cutTextBeforeNote = (outputText: string) =>
      outputText.slice(0, outputText.indexOf('One simulation is one sample'));
    for (const config of [folder, join(folder, 'config.json')]) {
      const repeatedResult = await runProgramInProcess(['simulate', '--config', config]);
      expect({ ...repeatedResult, stdout: cutTextBeforeNote(repeatedResult.stdout) }).toEqual({
        exitCode: 0,
        stdout: cutTextBeforeNote(stdout),
        stderr: '',
      });
    }
    const resultWithHigherLoad = await runProgramInProcess([
      'simulate',
      '--config',
      folder,
      '--load',
      '2',
      '--policy',
      'bf',
    ]);
    const request = await runProgramInProcess(['simulate', log, ...TINY_OPTIONS, '--load', '2']);
    expect(cutTextBeforeNote(resultWithHigherLoad.stdout)).toBe(cutTextBeforeNote(request.stdout));
    const otherRun = await runProgramInProcess([
      'simulate',
      writeLogFile(TINY_LOG_TEXT, 'other.swf'),
      '--config',
      folder,
    ]);
    expect(otherRun.stdout).toContain('other.swf');
    const factors = await runProgramInProcess(['simulate', '--config', folder, '--heterogeneity', '1,0.5']);
    expect(factors.exitCode).toBe(0);
  });

  test('or WORKLOAD is required', async () => {
    const { exitCode, stderr } = await runProgramInProcess(['simulate']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('gridalloc simulate needs a WORKLOAD');
    const resultWithMissingConfig = await runProgramInProcess([
      'simulate',
      '--config',
      '/nowhere/config.json',
    ]);
    expect(resultWithMissingConfig.stderr).toContain('/nowhere holds no config.json');
  });
});

test.each([
  ['simulate', ['--policy', 'best-fit'], '--replications 20'],
  ['compare', ['--policy', 'best-fit,random'], '--replications 50'],
])(
  'one simulation says that it is one sample, and gives the command for replications: %s',
  async (command, commandWords, refusedOption) => {
    const logFile = writeLogFile();
    const args = [logFile, ...TINY_OPTIONS, ...commandWords];
    const { stdout } = await runProgramInProcess(['simulate', ...args]);
    const [sentence, line] = stdout
      .trimEnd()
      .split('\n\n')
      .slice(-1)[0]
      .split(/\n {2}/);
    expect(sentence.replaceAll('\n', ' ')).toContain('One simulation is one sample');
    expect(line).toMatch(new RegExp(`^gridalloc ${command} .*${refusedOption}$`));
    const repeatedResult = await runProgramInProcess([
      ...line.replaceAll("'", '').split(' ').slice(1),
      '--threads',
      '1',
    ]);
    expect(repeatedResult).toMatchObject({ exitCode: 0 });
    for (const outputOption of ['--quiet', '--json']) {
      expect((await runProgramInProcess(['simulate', ...args, outputOption])).stdout).not.toContain(
        'one sample',
      );
    }
  },
);

describe('--by', () => {
  const LOG = writeLogFile();

  test('shows the jobs class by class, at the terminal, as JSON and in the report', async () => {
    const resultWithClassTable = await runProgramInProcess([
      'simulate',
      LOG,
      ...TINY_OPTIONS,
      '--by',
      'queue,class',
    ]);
    expect(resultWithClassTable.stdout).toMatch(/^queue +jobs .*\[s\]/m);
    expect(resultWithClassTable.stdout).toMatch(/^ *short narrow +5 /m);
    expect(resultWithClassTable.stdout).toMatch(/^mean +simulated|^percentile +50 %/m);
    const folder = join(makeTemporaryFolder(), 'out');
    const { stdout } = await runProgramInProcess([
      'simulate',
      LOG,
      ...TINY_OPTIONS,
      '--by',
      'home',
      '--out',
      folder,
      '--json',
    ]);
    const { classes, distribution } = JSON.parse(stdout);
    expect(classes.home.map(({ name, jobs }: { name: string; jobs: number }) => [name, jobs])).toEqual([
      ['1', 3],
      ['2', 2],
    ]);
    expect(distribution).toMatchObject({ p50Wait: 8, p99Wait: 13.5, userWaitJain: 1 });
    expect(await runProgramInProcess(['report', folder])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('Jobs by home site');
  });

  test('refuses anything else', async () => {
    const { exitCode, stderr } = await runProgramInProcess([
      'simulate',
      LOG,
      ...TINY_OPTIONS,
      '--by',
      'users',
    ]);
    expect([exitCode, stderr]).toEqual([
      2,
      "gridalloc: unknown value of --by 'users'; did you mean 'user'? Known: class, user, group, account, queue, partition, home\n",
    ]);
  });
});

test('a log whose name has a line feed is simulated, and named in results without it', async () => {
  const resultFolder = makeTemporaryFolder();
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    writeLogFile(TINY_LOG_TEXT, 'a\nb.swf'),
    ...TINY_OPTIONS,
    '--out',
    resultFolder,
    '-q',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(readFileSync(join(resultFolder, 'schedule.swf'), 'utf8')).toMatch(
    /^; Note: schedule of a simulation of .*a\\u\{a\}b.swf$/m,
  );
});

describe('the comparison that simulate suggests', () => {
  const model = ['lublin99[jobs=80]', '--oversize', 'drop', '--policy', 'bf,ff'];

  test.each([
    ['of sites alike', ['--sites', '128,64,64']],
    ['of other speeds', ['--sites', '128,64,64', '--speeds', '1,2,3']],
    ['of drawn speeds', ['--sites', '128,64,64', '--speeds', 'draw[sh=0.2,seed=3]']],
    ['of two sites, and rounded times', ['--sites', '128,64', '--time-resolution', 'floor']],
    ['of heterogeneity', ['--sites', '128,64,64', '--heterogeneity', '1,0.5,2']],
  ])('%s runs on the same sites', async (_, sites) => {
    const resultOfSimulateCommand = await runProgramInProcess(['simulate', ...model, ...sites]);
    expect(resultOfSimulateCommand.stderr).toBe('');
    const line = resultOfSimulateCommand.stdout
      .split('\n')
      .find((each) => each.startsWith('  gridalloc compare '))!;
    const commandWords = splitShellWords(line);
    expect(commandWords.slice(-2)).toEqual(['--replications', '50']);
    const singleRunResult = await runProgramInProcess([...commandWords.slice(1, -2), '--json']);
    const { runs } = JSON.parse(
      (await runProgramInProcess(['simulate', ...model, ...sites, '--json'])).stdout,
    );
    const readAverageResponseTime = ({ averageResponseTime }: { averageResponseTime: number }) =>
      averageResponseTime;
    expect(JSON.parse(singleRunResult.stdout).runs.map(readAverageResponseTime)).toEqual(
      runs.map(readAverageResponseTime),
    );
  });
});

test.each([
  ['easy', 'best-fit', true],
  ['fcfs', 'best-fit', false],
  ['easy', 'fastest-first', true],
])(
  'the command for replications under %s keeps the policy %s if it is not the default: %s',
  async (discipline, policy, isKept) => {
    const commandWords = [
      'lublin99[jobs=50,processors=16]',
      '--sites',
      '8,8',
      '--oversize',
      'drop',
      '--estimates',
      'exact',
    ];
    const { stdout } = await runProgramInProcess([
      'simulate',
      ...commandWords,
      '--discipline',
      discipline,
      '--policy',
      policy,
    ]);
    const command = stdout.slice(stdout.indexOf('replicate it'));
    expect(command.includes(`--policy ${policy}`)).toBe(isKept);
  },
);
