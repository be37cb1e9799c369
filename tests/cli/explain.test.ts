import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';
import {
  makeSwfRecord,
  runProgramInProcess,
  TINY_LOG_TEXT,
  TINY_OPTIONS,
  writeLogFile,
} from './runProgram.js';

/** Simulates a log and returns the folder with the results. */
async function simulateToFolder(logFile: string, ...options: string[]): Promise<string> {
  const folder = makeTemporaryFolder();
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    ...options,
    '--out',
    folder,
    '--quiet',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return folder;
}

const explainInFolder = (folder: string, ...commandWords: string[]) =>
  runProgramInProcess(['explain', folder, ...commandWords]);

/** Lines of a text without indentation and with single blanks. */
const splitIntoNormalizedLines = (outputText: string) =>
  outputText.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '));

test('messages of simulate about the log are repeated only with --verbose', async () => {
  const folder = await simulateToFolder('traces/sacct.txt', '--sites', '64,64');
  const { stderr } = await explainInFolder(folder, '--job', '104');
  expect(stderr).toBe('');
  const { stderr: details } = await explainInFolder(folder, '--job', '104', '--verbose');
  expect(details).toMatch(/^traces\/sacct\.txt: 1 record dropped by the rule step/);
});

describe('a job that waited', () => {
  test('text output: the job, the reasons and the site', async () => {
    const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS);
    const { exitCode, stdout, stderr } = await explainInFolder(folder, '--job', '5');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = splitIntoNormalizedLines(stdout);
    expect(lines.filter((line) => !/^(site \d, \d|job 5) {2}/.test(line))).toEqual([
      'job 5: 4 processors, home site 1, submitted at 4, started at 17.50 on site 1, waited 13.5 s',
      'fcfs, one queue for the grid, best-fit; the job ran 5 s; times are seconds on the clock of the log',
      'queue first',
      '',
      'Why it waited',
      '1 job was ahead of it in the queue, asking for 4 processors in total. It was behind others for 6 s',
      'and was the head without room for 7.5 s.',
      '',
      'time  since submit  what happened',
      '4  +0 s  submitted; 1 job ahead, 3 processors free',
      '4  +0 s  job 3 blocks for 6 s: it lacks 2 of 4 processors',
      '10  +6 s  job 1 ends on site 1: 3 processors, 4 free there',
      '10  +6 s  job 3 starts on site 1: 4 processors, 0 free there',
      '10  +6 s  it is now the head and lacks 2 of 4 processors',
      '17.50  +13.5 s  job 3 ends on site 1: 4 processors, 4 free there',
      '17.50  +13.5 s  it starts on site 1',
      '',
      'Free processors of each site while it waited; · behind others, ▒ the head without room',
      '+0 s  +13.5 s',
      '',
      'Why there',
      'Only site 1 had room for it.',
      '',
      'site  processors  speed  free  left over',
      '1  4  1  4  0  chosen',
      '2  2  2  2  -  no room',
      '',
    ]);
    const chartLines = lines.filter((line) => /^(site \d, \d|job 5) {2}/.test(line));
    expect(chartLines[0]).toMatch(/^site 1, 4 {2}▂+$/);
    expect(chartLines[1]).toMatch(/^site 2, 2 {2}█+$/);
    expect(chartLines[2]).toMatch(/^job 5 {2}·+▒+$/);
    // The printed chart shows that the job waits behind other jobs for 6 of 13.5 s, and then as the head of
    // the queue.
    const [, waitBar, runBar] = /(·+)(▒+)/.exec(chartLines[2]) as RegExpExecArray;
    expect(waitBar.length / (waitBar.length + runBar.length)).toBeCloseTo(6 / 13.5, 1);
  });

  test('page output: everything in the text, and a figure of free processors', async () => {
    const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS);
    const page = join(makeTemporaryFolder(), 'missing', 'folder', 'why.html');
    const { stdout, stderr } = await explainInFolder(folder, '--job', '5', '--out', page);
    expect(stderr).toBe(`the explanation is in ${page}\n`);
    const html = readFileSync(page, 'utf8')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    const messages = splitIntoNormalizedLines(stdout)
      .flatMap((line) => line.split('  '))
      .filter((word) => /^[a-z].* .* /i.test(word));
    for (const part of messages.filter((message) => !/while it waited|together\. It stood/.test(message)))
      expect(html).toContain(part);
    expect(html).toContain('Why job 5 waited 13.5 s');
    const severalJobsPagePath = join(makeTemporaryFolder(), 'several.html');
    await explainInFolder(folder, '--longest', '2', '--out', severalJobsPagePath, '--quiet');
    for (const job of ['5', '5#2'])
      expect(readFileSync(severalJobsPagePath, 'utf8')).toContain(`Job ${job}: Why it waited`);
    const resultOfWrongCommand = await explainInFolder(folder, '--job', '5', '--out', 'why.txt');
    expect(resultOfWrongCommand).toMatchObject({
      exitCode: 2,
      stderr: "gridalloc: --out: expected FILE.html, found 'why.txt'\n",
    });
  });

  test('JSON output: pieces of a split job are named as in jobs.csv', async () => {
    const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS);
    const { exitCode, stdout, stderr } = await explainInFolder(folder, '--job', '5#2', '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      job: '5#2',
      processors: 2,
      home: 1,
      submit: 4,
      start: 17.5,
      end: 20,
      wait: 13.5,
      sites: [{ site: 2, processors: 2 }],
      rules: { order: 'submit', discipline: 'fcfs', queue: 'shared', method: 'best-fit' },
      waits: [{ secondsWithRoom: 13.5, startedWith: ['5'], decision: { rule: 'only-site' } }],
      lost: 0,
    });
  });

  test('names the order, also that of a short form', async () => {
    const explanationHeadlines = [['--order', 'widest'], ['--discipline', 'wjf'], []].map(
      async (commandWords) => {
        const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS, ...commandWords);
        return (await explainInFolder(folder, '--job', '5#2')).stdout.split('\n')[1];
      },
    );
    const [order, shortHeadline, submit] = await Promise.all(explanationHeadlines);
    expect(order).toMatch(/^fcfs in the order widest, one queue/);
    expect(shortHeadline).toMatch(/^wjf in the order widest, one queue/);
    expect(submit).toMatch(/^fcfs, one queue/);
  });

  test('has colours on a terminal, unless NO_COLOR is set, and the width of the terminal', async () => {
    const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS);
    const commandWords = ['explain', folder, '--job', '5'];
    expect((await runProgramInProcess(commandWords, { isTTY: true })).stdout).toContain('\u001b[');
    const { stdout } = await runProgramInProcess(commandWords, { isTTY: true, env: { NO_COLOR: '1' } });
    expect(stdout).not.toContain('\u001b[');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBe(100);
  });

  test('a job that did not wait', async () => {
    const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS);
    const { stdout } = await explainInFolder(folder, '--job', '1');
    expect(stdout).toContain('started at 0 on site 1, did not wait');
    expect(stdout).toContain('It did not wait');
    expect(stdout).not.toContain('Free processors');
  });
});

test('methods of Shih et al. 2010 with the numbers of their equations', async () => {
  const jobs = [
    makeSwfRecord(1, 0, 30, 8, 1),
    makeSwfRecord(2, 0, 10, 4, 1),
    makeSwfRecord(3, 1, 6, 2, 1),
    makeSwfRecord(4, 2, 6, 8, 1),
  ];
  const grid = ['--sites', '4,8', '--speeds', '1,3', '--instant', 'batched'];
  const logFile = writeLogFile([...jobs, ''].join('\n'));
  const textOf = async (policy: string) => {
    const { stdout } = await explainInFolder(
      await simulateToFolder(logFile, ...grid, '--policy', policy),
      '--job',
      '3',
    );
    return stdout.replaceAll(/\s+/g, ' ');
  };
  expect(await textOf('ai2')).toContain(
    'ai2: best-fit names site 1 (S_bf), fastest-first site 2 (S_ff). Situation (b): it is placed from the queue. ' +
      'Look-ahead: it and those behind it could take a capacity of 6 by S_ff and 26 by S_bf (TCC); CS_ff x TCC_ff = 18 is not above ' +
      "CS_bf x TCC_bf = 26 (eqs. 16, 17), so best-fit's site 1 is taken.",
  );
  expect(await textOf('ai')).toContain(
    'Look-ahead: 1 job could start, itself among them, by S_ff and 2 by S_bf (TNoA); score = 3 - 1 - (2 - 1) x 1 = 1, not below 0 ' +
      "(eqs. 11, 12), so fastest-first's site 2 is taken.",
  );
  expect(await textOf('ti')).toContain(
    'SL = 10 processors asked for / 12 free = 0.833 is not above 2. In situation (b) SL settles it (eq. 6), ' +
      "so fastest-first's site 2 is taken.",
  );
});

describe('backfilling', () => {
  const jobs = [
    makeSwfRecord(1, 0, 10, 3, 1, 12),
    makeSwfRecord(2, 1, 5, 4, 1, 5),
    makeSwfRecord(3, 2, 20, 1, 1, 20),
    makeSwfRecord(4, 3, 2, 1, 1, 2),
  ];
  const writeLog = () => writeLogFile([...jobs, ''].join('\n'));

  test('easy says which jobs would have been delayed, and which not', async () => {
    const folder = await simulateToFolder(writeLog(), '--sites', '4', '--discipline', 'easy');
    const [delayedResult, backfilledResult] = [
      await explainInFolder(folder, '--job', '3'),
      await explainInFolder(folder, '--job', '4'),
    ];
    expect(delayedResult.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'it has room but would delay job 2: by its estimate it would end at 25, after 12, and it ' +
        'needs more than the 0 left beside that job (2 times since 2)',
    );
    // The printed time is that of the last pass that could have started the job, between its
    // submission and start.
    expect(splitIntoNormalizedLines(delayedResult.stdout).join('\n')).toMatch(
      /\n2 {2}\+0 s {2}submitted[\s\S]*\n5 {2}\+3 s {2}it has room but would delay[\s\S]*\n15 {2}\+13 s {2}it starts\n/,
    );
    expect(backfilledResult.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Backfilled before job 2, which is to start at 12: by its estimate it ends earlier, at 5.',
    );
  });

  test('conservative says what was reserved and what was compared', async () => {
    const twoJobLogFile = writeLogFile(
      [makeSwfRecord(1, 0, 10, 4, 1, 20), makeSwfRecord(2, 0, 40, 4, 1, 40), ''].join('\n'),
    );
    const folder = await simulateToFolder(
      twoJobLogFile,
      '--sites',
      '4,4',
      '--speeds',
      '1,2',
      '--discipline',
      'conservative',
    );
    const lines = splitIntoNormalizedLines((await explainInFolder(folder, '--job', '2')).stdout);
    expect(lines).toContain('0  +0 s  a reservation is made for it, to start at 10 on site 2');
    expect(lines).toContain('5  +5 s  it starts on site 2, 5 s before its reservation');
    expect(lines).toContain('site 2  5  25  chosen');
    expect(lines).toContain('site 1  5  45');
  });
});

describe('wrong input is one sentence', () => {
  const expectFailure = async (folder: string, commandWords: string[], errorSentence: string) => {
    expect(await explainInFolder(folder, ...commandWords)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `gridalloc: ${errorSentence}\n`,
    });
  };

  test('a missing or unknown job is refused', async () => {
    const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS);
    const needs = 'gridalloc explain needs a JOB, a job_id of jobs.csv, or --longest 10';
    await expectFailure(folder, [], `${needs}; gridalloc jobs ${folder} finds jobs`);
    const location = `those that ran are in the column job_id of ${join(folder, 'jobs.csv')}`;
    await expectFailure(folder, ['--job', '4'], `${folder} has no job 4; ${location}`);
  });

  test('a folder that is not of a run', async () => {
    const folder = makeTemporaryFolder();
    const errorSentence = `${folder} holds no config.json; give a folder that gridalloc simulate --out has written`;
    await expectFailure(folder, ['--job', '1'], errorSentence);
    const config = join(folder, 'config.json');
    writeFileSync(config, '{');
    await expectFailure(folder, ['--job', '1'], `${config} is not JSON; run the simulation or study again`);
    writeFileSync(config, '{"gridalloc":"0.1.0"}');
    const unfitConfigMessage = `${config} does not say how to run a simulation again; give a folder that gridalloc simulate --out has written`;
    await expectFailure(folder, ['--job', '1'], unfitConfigMessage);
  });

  test('jobs by position: one is a document, several are a list', async () => {
    const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS);
    const explanationOfOneJob = await explainInFolder(folder, '5', '--json');
    expect(explanationOfOneJob).toEqual(await explainInFolder(folder, '--job', '5', '--json'));
    expect(JSON.parse(explanationOfOneJob.stdout).job).toBe('5');
    const jobs = JSON.parse((await explainInFolder(folder, '5', '3', '--json')).stdout).map(
      ({ job }: { job: string }) => job,
    );
    expect(jobs).toEqual(['5', '3']);
  });

  test('times are dates where the log has them, in the text and on the page', async () => {
    const folder = await simulateToFolder(
      writeLogFile(`; UnixStartTime: 915148800\n${TINY_LOG_TEXT}`),
      ...TINY_OPTIONS,
    );
    const page = join(folder, 'why.html');
    const { stdout } = await explainInFolder(folder, '5', '--out', page);
    expect(stdout).toMatch(/submitted at 1 Jan 1999 00:00(?::\d\d)?, started at 1 Jan 1999 00:00/);
    expect(stdout).toContain('times are UTC');
    expect(stdout).not.toContain('clock of the log');
    expect(readFileSync(page, 'utf8')).toMatch(/submitted at 1 Jan 1999 00:00(?::\d\d)?, started/);
  });

  test('a log that has changed, or is gone', async () => {
    const logFile = writeLogFile();
    const folder = await simulateToFolder(logFile, ...TINY_OPTIONS);
    writeFileSync(logFile, TINY_LOG_TEXT.replace('3 2 -1 7.5', '3 2 -1 8.5'));
    const changedLogMessage = `${logFile} gives different jobs from those of ${folder}; name their log with --trace, or run the simulation again`;
    await expectFailure(folder, ['--job', '3'], changedLogMessage);
    const config = join(folder, 'config.json');
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(logFile, '/nowhere.swf'));
    const missingLogMessage = `/nowhere.swf, the job log of ${folder}, does not exist; give its path with --trace`;
    await expectFailure(folder, ['--job', '3'], missingLogMessage);
  });

  test('jobs from standard input', async () => {
    const folder = makeTemporaryFolder();
    await runProgramInProcess(['simulate', '-', ...TINY_OPTIONS, '--out', folder], { input: TINY_LOG_TEXT });
    const errorSentence = `${folder}: the jobs came from standard input, which cannot be read again; name their log with --trace`;
    await expectFailure(folder, ['--job', '3'], errorSentence);
    const { exitCode, stdout } = await explainInFolder(folder, '--job', '5', '--trace', writeLogFile());
    expect(exitCode).toBe(0);
    expect(stdout).toContain('started at 17.50 on site 1');
  });

  test('a log that is elsewhere now is named with --trace', async () => {
    const logFile = writeLogFile();
    const folder = await simulateToFolder(logFile, ...TINY_OPTIONS);
    const explanationBeforeMove = await explainInFolder(folder, '--job', '5');
    const movedLogPath = `${logFile}.moved`;
    renameSync(logFile, movedLogPath);
    expect(await explainInFolder(folder, '--job', '5', '--trace', movedLogPath)).toEqual(
      explanationBeforeMove,
    );
  });

  test('results that are not those of the run', async () => {
    const folder = await simulateToFolder(writeLogFile(), ...TINY_OPTIONS);
    const jobsFile = join(folder, 'jobs.csv');
    writeFileSync(jobsFile, readFileSync(jobsFile, 'utf8').replace(',10,7.5,17.5,', ',11,7.5,18.5,'));
    const mismatchMessage =
      `${folder}: run again, job 3 starts at 10, in jobs.csv at 11; ` +
      'the folder is from another version of gridalloc; run the simulation again';
    await expectFailure(folder, ['--job', '3'], mismatchMessage);
  });
});

describe('real logs', () => {
  const sanDiegoLogFile = findTraceFilePath('sdsc-sp2-54041.swf.gz');
  const kthLogFile = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');

  test.skipIf(sanDiegoLogFile === undefined)('a queue of hundreds under ai2', async () => {
    const optionsText = '--preset shih2010 --load 2.5 --time-resolution nearest --policy ai2 --speeds';
    const folder = await simulateToFolder(
      sanDiegoLogFile as string,
      ...optionsText.split(' '),
      'draw[sh=0.12,seed=1]',
    );
    const { waits, lost } = JSON.parse((await explainInFolder(folder, '--job', '54974', '--json')).stdout);
    expect(lost).toBe(0);
    const [{ queue, started, blocked, from, until, headSince }] = waits;
    expect(queue.jobs).toBe(started.before);
    // Under FCFS, each head of the queue before the job blocks it in turn.
    const blockingsByOtherJobs = blocked.filter((each: { isItself: boolean }) => !each.isItself);
    expect(blockingsByOtherJobs.length).toBeGreaterThan(20);
    for (let i = 1; i < blockingsByOtherJobs.length; i++)
      expect(blockingsByOtherJobs[i].from).toBeGreaterThanOrEqual(blockingsByOtherJobs[i - 1].until);
    expect(from < headSince && headSince < until).toBe(true);
  });

  test.skipIf(kthLogFile === undefined)('a reservation under conservative backfilling', async () => {
    const optionsText =
      '--sites 64,64,32 --speeds 1,1.5,2 --discipline conservative --load 1.5 --oversize drop';
    const folder = await simulateToFolder(kthLogFile as string, ...optionsText.split(' '));
    const { waits, start } = JSON.parse((await explainInFolder(folder, '--job', '28006', '--json')).stdout);
    expect(waits[0].reservations.length).toBeGreaterThan(1);
    const chosenCandidates = waits[0].decision.candidates.filter(
      (candidate: { isChosen: boolean }) => candidate.isChosen,
    );
    expect(chosenCandidates).toMatchObject([{ start, sites: [{ processors: 50 }] }]);
  });
});
