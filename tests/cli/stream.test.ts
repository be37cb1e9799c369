import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../host/cli/context.js';
import { splitCsvLine } from '../../host/format/csv.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';
import { LOG } from '../ways/samples.js';
import { makeSwfRecord, runProgramInProcess, splitShellWords, writeLogFile } from './runProgram.js';

/** Rows of jobs.csv and metrics of `simulate --stream` are those of `simulate`. */

const SKETCHED_METRIC_PATTERN = /^p\d\d(?:Wait|Response|BoundedSlowdown)$/;

/** Summary without the percentiles. */
function removePercentiles(summary: { distribution: Record<string, number>; percentileError?: number }) {
  const { distribution, percentileError: _, ...otherFields } = summary;
  const entriesWithoutPercentiles = Object.entries(distribution).filter(
    ([name]) => !SKETCHED_METRIC_PATTERN.test(name),
  );
  return { ...otherFields, distribution: Object.fromEntries(entriesWithoutPercentiles) };
}

async function expectSameResults(commandWords: readonly string[], logText?: string): Promise<void> {
  const [wholeFolder, streamedFolder] = [
    join(makeTemporaryFolder(), 'whole'),
    join(makeTemporaryFolder(), 'streamed'),
  ];
  const options = logText === undefined ? {} : { input: logText };
  const resultWithoutStreaming = await runProgramInProcess(
    ['simulate', ...commandWords, '--json', '--out', wholeFolder],
    options,
  );
  const resultWithStreaming = await runProgramInProcess(
    ['simulate', ...commandWords, '--json', '--out', streamedFolder, '--stream'],
    options,
  );
  expect(resultWithoutStreaming).toMatchObject({ exitCode: 0 });
  expect(resultWithStreaming).toMatchObject({ exitCode: 0 });
  const readJobsCsv = (folder: string) => readFileSync(join(folder, 'jobs.csv'), 'utf8');
  expect(readJobsCsv(streamedFolder) === readJobsCsv(wholeFolder)).toBe(true);
  expect(removePercentiles(JSON.parse(resultWithStreaming.stdout))).toEqual(
    removePercentiles(JSON.parse(resultWithoutStreaming.stdout)),
  );
  expect(readdirSync(streamedFolder).sort()).toEqual(['config.json', 'jobs.csv', 'summary.json']);
  expect(JSON.parse(readFileSync(join(streamedFolder, 'summary.json'), 'utf8'))).toEqual(
    JSON.parse(resultWithStreaming.stdout),
  );
  const removeOutputPathLine = (errorText: string) => errorText.replace(/^wrote .*\n/m, '');
  expect(removeOutputPathLine(resultWithStreaming.stderr)).toBe(
    removeOutputPathLine(resultWithoutStreaming.stderr),
  );
}

const writeLog = () => writeLogFile(LOG, 'log.swf');

describe('gives the results of the whole log', () => {
  test.each([
    '',
    '--discipline easy --sites 8,6 --speeds 1,2 --home queue',
    '--cancelled keep --kill at-estimate --filter user=1,2',
    '--order wfp3 --discipline easy --rebase',
  ])('%s', async (words) => {
    await expectSameResults([writeLog(), ...splitShellWords(words)]);
    await expectSameResults(['-', ...splitShellWords(words)], LOG);
  });

  test('of a compressed file, and of a model', async () => {
    const packedLogFile = join(makeTemporaryFolder(), 'log.swf.gz');
    writeFileSync(packedLogFile, gzipSync(LOG));
    await expectSameResults([packedLogFile]);
    await expectSameResults([
      'feitelson96[jobs=20000,arrFactor=600]',
      '--estimates',
      'normal:0.3',
      '--data-size',
      'uniform[from=0,to=9]',
      '--sites',
      '128,64',
      '--discipline',
      'easy',
      '--bandwidth',
      '2',
    ]);
  });

  const sanDiegoLogFile = findTraceFilePath('sdsc-sp2-54041.swf.gz');
  test.skipIf(sanDiegoLogFile === undefined)('of the log of San Diego, in seven pieces', async () => {
    await expectSameResults([sanDiegoLogFile!, '--discipline', 'easy']);
    await expectSameResults([sanDiegoLogFile!, '--preset', 'shih2010', '--order', 'f1']);
  });

  test('with --metric', async () => {
    const commandWords = ['simulate', writeLog(), '--json', '--metric', 'meanWait,maxResponse,userWaitJain'];
    const [ordinaryResult, streamedResult] = [
      await runProgramInProcess(commandWords),
      await runProgramInProcess([...commandWords, '--stream']),
    ];
    expect(JSON.parse(streamedResult.stdout).metrics).toEqual(JSON.parse(ordinaryResult.stdout).metrics);
  });
});

test('the folder can be read by other commands, and simulated again', async () => {
  const out = join(makeTemporaryFolder(), 'results');
  expect(
    await runProgramInProcess(['simulate', writeLog(), '--stream', '--out', out, '--quiet']),
  ).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  const resultOfRepeatedRun = await runProgramInProcess(['simulate', '--config', out, '--json']);
  expect(removePercentiles(JSON.parse(resultOfRepeatedRun.stdout))).toEqual(
    removePercentiles(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))),
  );
  expect(await runProgramInProcess(['jobs', out])).toMatchObject({ exitCode: 0 });
  expect(await runProgramInProcess(['report', out])).toMatchObject({ exitCode: 0 });
});

test('the text says that percentiles come from sketches, in 80 columns without colours', async () => {
  const { exitCode, stdout } = await runProgramInProcess(['simulate', writeLog(), '--stream'], {
    isTTY: true,
    columns: 80,
    env: { NO_COLOR: '1' },
  });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /\n\nPercentiles come from sketches: they are at most 0\.049 % too low\. All other\n/,
  );
  expect(stdout.includes('\u001b')).toBe(false);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

describe('is refused in one sentence', () => {
  const runForErrorMessage = async (commandWords: readonly string[], logText?: string) => {
    const folder = join(makeTemporaryFolder(), 'out');
    const { exitCode, stdout, stderr } = await runProgramInProcess(
      ['simulate', ...commandWords, '--stream', '--out', folder],
      logText === undefined ? {} : { input: logText },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(existsSync(folder)).toBe(false);
    return stderr;
  };

  test.each([
    ['--warm-up 5', 'does not take --warm-up: '],
    ['--by user', '--stream cannot be combined with --by, since these need all jobs at once'],
    ['--policy best-fit,ai2', '--stream simulates one policy'],
    ['--metric meanWait[user=1]', 'no metrics of job classes, such as meanWait[user=1]'],
    ['--filter last=3', 'does not take --filter: '],
    ['--filter time=5-9', 'no job is left'],
    ['--sites 2', 'job 2 needs 6 processors and can have at most 2'],
  ])('%s', async (words, sentence) => {
    expect(await runForErrorMessage([writeLog(), ...words.split(' ')])).toContain(sentence);
  });

  test('requested times that no job has', async () => {
    const commandWords = ['lublin99[jobs=50]', '--discipline', 'sjf'];
    const { stderr } = await runProgramInProcess(['simulate', ...commandWords]);
    expect(stderr).toContain('none of the 50 jobs requests a time');
    expect(await runForErrorMessage(commandWords)).toBe(stderr);
  });

  test('a line that cannot be read, with its number', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => makeSwfRecord(i + 1, 10 * i, 5, 1, 1));
    lines[19_000] = 'nonsense';
    const logText = ['; MaxProcs: 4', ...lines].join('\n');
    expect(await runForErrorMessage(['-'], logText)).toMatch(
      /^gridalloc: standard input, line 19002: found 1 field/,
    );
  });

  test('an unsorted log, with a command that sorts it', async () => {
    const folder = makeTemporaryFolder();
    const unsortedLogFile = join(folder, 'unsorted.swf');
    const records = [makeSwfRecord(1, 9, 5, 1, 1), makeSwfRecord(2, 3, 5, 1, 1)];
    writeFileSync(unsortedLogFile, ['; MaxProcs: 4', ...records].join('\n'));
    const sentence = await runForErrorMessage([unsortedLogFile]);
    expect(sentence).toContain('line 3, field 2 (submit): found 3 after 9 in line 2');
    const [, command = ''] = /sort them first: gridalloc (.*)$/m.exec(sentence) ?? [];
    const sortedLogFile = join(folder, 'sorted.swf');
    expect(
      await runProgramInProcess(splitShellWords(command.replace('LOG.swf', sortedLogFile))),
    ).toMatchObject({
      exitCode: 0,
    });
    expect(await runProgramInProcess(['simulate', sortedLogFile, '--stream'])).toMatchObject({ exitCode: 0 });
    expect(await runForErrorMessage([unsortedLogFile, '--sort'])).toContain('does not take --sort: ');
  });

  test('a log without jobs, of another format, without a machine, or with jobs numbered twice', async () => {
    expect(await runForErrorMessage(['-'], '; MaxProcs: 4\n')).toContain('holds no records');
    expect(await runForErrorMessage(['-'], `; MaxProcs: 4\n${makeSwfRecord(1, 0, 0, 1, 1)}\n`)).toContain(
      'no job is left',
    );
    expect(
      await runForErrorMessage(
        ['-', '--columns', 'submit=submit,runtime=runtime,processors=width'],
        'submit,runtime,width\n0,5,1\n',
      ),
    ).toContain('is in the format table, whose records are known only when all are read');
    expect(await runForErrorMessage(['-'], makeSwfRecord(1, 0, 5, 1, 1))).toContain('set it with --sites');
    const logLinesWithRepeatedJobNumbers = Array.from({ length: 20_000 }, (_, i) =>
      makeSwfRecord(1 + (i % 15_000), 10 * i, 5, 1, 1),
    );
    expect(
      await runForErrorMessage(['-'], ['; MaxProcs: 4', ...logLinesWithRepeatedJobNumbers].join('\n')),
    ).toContain('job numbers do not ascend');
  });
});

test('an interruption leaves the rows of the jobs that have ended', async () => {
  const out = join(makeTemporaryFolder(), 'results');
  const controller = new AbortController();
  const commandWords = ['simulate', 'lublin99[jobs=100000000]', '--sites', '256', '--stream', '--out', out];
  const programResultPromise = runProgramInProcess(commandWords, { signal: controller.signal });
  setTimeout(() => controller.abort(new Interruption('SIGINT')), 1500);
  const { exitCode, stderr } = await programResultPromise;
  expect(exitCode).toBe(130);
  const [, count = ''] =
    /^interrupted; .*jobs\.csv has the first ([\d,]+) jobs, all of which have ended\n$/.exec(stderr) ?? [];
  expect(readdirSync(out)).toEqual(['jobs.csv']);
  const rows = readFileSync(join(out, 'jobs.csv'), 'utf8').trimEnd().split('\n');
  expect(rows.length - 1).toBe(Number(count.replaceAll(',', '')));
  expect(rows.every((row) => splitCsvLine(row).length === splitCsvLine(rows[0]!).length)).toBe(true);
  // The same command may write there again.
  const repeatedWords = ['simulate', 'lublin99[jobs=100]', '--stream', '--out', out, '--quiet'];
  expect(await runProgramInProcess(repeatedWords)).toMatchObject({ exitCode: 0 });
});
