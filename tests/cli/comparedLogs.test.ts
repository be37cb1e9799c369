import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeShortUniqueNames } from '../../host/cli/logComparison.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeSmallLogText } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';
import { runProgramInProcess } from './runProgram.js';

/** Comparisons over several logs, each of which is one observation per method. */

const folder = makeTemporaryFolder();

/**
 * Writes a log file with the runtimes of all jobs that ran longer by some seconds, so that no two logs are
 * the same.
 */
function writeLogFile(fileName: string, logText: string, longer = 0): string {
  const path = join(folder, fileName);
  const changedLogText = logText.replace(
    /^(\d+ \d+ \S+) ([1-9]\d*)/gm,
    (_, fieldsBefore, runtime) => `${fieldsBefore} ${Number(runtime) + longer}`,
  );
  writeFileSync(path, changedLogText);
  return path;
}

const [firstLog, secondLog] = [writeLogFile('one.swf', LOG), writeLogFile('two.swf', makeSmallLogText())];
const TWO_METHOD_WORDS = ['--discipline', 'fcfs,first-available'];

test('each method has on each log the value that simulate has, and its ratio to the best', async () => {
  const metrics = ['averageResponseTime', 'meanWait'];
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    'compare',
    firstLog,
    secondLog,
    ...TWO_METHOD_WORDS,
    '--metric',
    metrics.join(),
    '--json',
    '--quiet',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const document = JSON.parse(stdout);
  for (const [log, path] of [firstLog, secondLog].entries()) {
    for (const [method, discipline] of ['fcfs', 'first-available'].entries()) {
      const simulationResult = await runProgramInProcess([
        'simulate',
        path,
        '--discipline',
        discipline,
        '--json',
        '--quiet',
      ]);
      for (const [i, metric] of metrics.entries()) {
        const metricValues: number[] = document.logs[log].values[metric];
        expect(metricValues[method]).toBe(JSON.parse(simulationResult.stdout)[metric]);
        expect(document.metrics[i].rows[method].values[log]).toBe(
          metricValues[method] / Math.min(...metricValues),
        );
      }
    }
  }
  expect(document.metrics[0]).toMatchObject({ logs: 2, judged: false });
  expectUniformFields(document);
});

/**
 * Checks the fields of a JSON document: its top level, its first metric, and the types in all of
 * its lists.
 */
function expectUniformFields(document: Record<string, unknown>): void {
  const [firstMetrics] = document.metrics as Record<string, unknown>[];
  const { logs: _, ...fields } = firstMetrics!;
  expect(document).toMatchObject(fields);
}

/** Runs the compiled program, which uses threads for replications. */
async function runProgram(
  commandWords: readonly string[],
): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  const { exitCode, stdout } = await runGridalloc(commandWords);
  return { exitCode: exitCode ?? 1, stdout };
}

const REPLICATION_WORDS = ['--replications', '12', '--perturb', 'shake[submit=40,runtime=0.3]'];

test.each([2, 3, 10])(
  '%i logs with replications: each is judged as compare judges it alone',
  async (count) => {
    const logs = Array.from({ length: count }, (_, i) => writeLogFile(`own${i}.swf`, LOG, 4 * i + 1));
    const metrics = ['meanWait', 'averageResponseTime'].slice(0, count === 3 ? 1 : 2);
    const commandWords = [...TWO_METHOD_WORDS, ...REPLICATION_WORDS, '--metric', metrics.join()];
    const { exitCode, stdout } = await runProgram(['compare', ...logs, ...commandWords, '--json', '--quiet']);
    expect(exitCode).toBe(0);
    const document = JSON.parse(stdout);
    expectUniformFields(document);
    const screenText = (await runProgram(['compare', ...logs, ...commandWords])).stdout.replaceAll(
      /\s+/g,
      ' ',
    );
    const verdicts = new Set<string>();
    for (const [i, log] of logs.entries()) {
      const separateResult = await runProgram(['compare', log, ...commandWords, '--json', '--quiet']);
      const { jobs, values, ...ofLog } = document.logs[i];
      const { format: _, ...own } = JSON.parse(separateResult.stdout);
      expect(ofLog).toEqual(own);
      for (const [metric, { rows }] of own.metrics.entries()) {
        const metricMeans = rows.map(({ mean }: { mean: number }) => mean);
        expect(values[metrics[metric]!]).toEqual(metricMeans);
        expect(document.metrics[metric].rows.map((row: { values: number[] }) => row.values[i])).toEqual(
          metricMeans.map((mean: number) => mean / Math.min(...metricMeans)),
        );
        for (const { verdict } of rows) verdicts.add(verdict);
      }
      expect(jobs).toBe(60);
      const [sentence] = /Among these 12 copies.*?\.(?= )/.exec(
        (await runProgram(['compare', log, ...commandWords])).stdout.replaceAll(/\s+/g, ' '),
      )!;
      expect(screenText).toContain(sentence);
      expect(screenText).toContain(`own${i}.swf`);
    }
    expect(verdicts.has('best')).toBe(true);
    expect(document.judged).toBe(count >= 10);
    const NO_VERDICT_OVER_LOGS = 'No verdict over all logs: at least 10 logs are needed, and';
    if (count < 10) expect(screenText).toContain(`${NO_VERDICT_OVER_LOGS} ${count} were given.`);
    else expect(screenText).not.toContain(NO_VERDICT_OVER_LOGS);
    expect(screenText).not.toContain('--replications 30');
  },
);

test('a small log beside a large one shows its values with digits that tell them apart', async () => {
  const stretchedLogText = LOG.replace(/^(\d+ )(\d+)/gm, (_, n, submit) => `${n}${40 * Number(submit)}`);
  const smallLogFile = writeLogFile('small.swf', stretchedLogText, 0);
  const commandWords = ['--discipline', 'fcfs,first-available,sjf', '--metric', 'averageResponseTime'];
  const { stdout } = await runProgramInProcess(['compare', smallLogFile, secondLog, ...commandWords]);
  const { logs } = JSON.parse(
    (await runProgramInProcess(['compare', smallLogFile, secondLog, ...commandWords, '--json', '--quiet']))
      .stdout,
  );
  const metricValues: number[] = logs[0].values.averageResponseTime;
  const [, ...shownCells] = /^small\.swf.*$/m.exec(stdout)![0].split(/ {2,}/).slice(2);
  expect(new Set(shownCells).size).toBe(
    new Set(metricValues.map((metricValue) => metricValue.toFixed(2))).size,
  );
});

test('the parts of a four-month log are shown with its verdict, on the terminal and in the folder', async () => {
  const logTextWithBursts = LOG.replace(/^(\d+) (\d+)/gm, (_, n) => {
    // Records of cancelled jobs have the numbers from 101 on.
    const i = (Number(n) - 1) % 100;
    return `${n} ${31 * (i % 15) + 45 * 86_400 * Math.floor(i / 15)}`;
  });
  const resultFolder = join(folder, 'pieces');
  const commandWords = [
    'compare',
    firstLog,
    writeLogFile('months.swf', logTextWithBursts),
    ...TWO_METHOD_WORDS,
    ...REPLICATION_WORDS,
  ];
  const outputs = [
    (await runProgram(commandWords)).stdout,
    (await runProgram([...commandWords, '--out', resultFolder])).stdout,
    ...['methods.md', 'report.html'].map((name) => readFileSync(join(resultFolder, name), 'utf8')),
  ];
  for (const text of outputs)
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /months\.swf: Among [^:]*?Over the 4 pieces of the log of 34 d each/,
    );
});

test('the suggested next command fits the result', async () => {
  const logs = Array.from({ length: 10 }, (_, i) => writeLogFile(`next${i}.swf`, LOG, 2 * i + 1));
  const SHAKEN_WORDS = ['--perturb', 'shake[submit=600,runtime=0.9]', '--metric', 'averageResponseTime'];
  const runAndReadOutput = async (commandWords: readonly string[]) =>
    (await runProgram(['compare', ...commandWords])).stdout.replaceAll(/\s+/g, ' ');
  const undecidedWords = [
    '--discipline',
    'easy',
    '--backfill-order',
    'submit,widest',
    ...SHAKEN_WORDS,
    '--replications',
    '10',
    '--within',
    '0%',
  ];
  const outputOnOneLog = await runAndReadOutput([firstLog, ...undecidedWords]);
  expect(outputOnOneLog).toContain('undecided');
  expect(outputOnOneLog).toContain(
    'More --replications may decide what is undecided; --until-decided adds them',
  );
  const outputOnTwoLogs = await runAndReadOutput([firstLog, logs[0]!, ...undecidedWords]);
  expect(outputOnTwoLogs).toContain('More --replications may decide what is undecided on a log.');
  expect(outputOnTwoLogs).not.toContain('--until-decided');
  const decidedOutput = await runAndReadOutput([firstLog, ...TWO_METHOD_WORDS, ...REPLICATION_WORDS]);
  expect(decidedOutput).not.toContain('undecided');
  expect(decidedOutput).not.toContain('More --replications');
  const sequentialOutput = await runAndReadOutput([
    firstLog,
    ...undecidedWords.slice(0, -4),
    '--until-decided',
    '--replications',
    '20',
    '--within',
    '0%',
  ]);
  expect(sequentialOutput).toContain('More --replications may decide what is undecided.');
  const outputWithoutReplications = await runAndReadOutput([firstLog, ...TWO_METHOD_WORDS]);
  expect(outputWithoutReplications).toContain('To be more certain, add --replications 50.');
  expect(outputWithoutReplications).not.toContain('gridalloc compare');
});

test('too few replications per log are reported once, with the required number', async () => {
  const { stdout } = await runProgram([
    'compare',
    firstLog,
    secondLog,
    ...TWO_METHOD_WORDS,
    '--replications',
    '3',
  ]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'one.swf and two.swf: No verdicts from these 3 copies of this log, shaken by ±30 s: at least 10 replications are needed.',
  );
});

test('the folder has the verdict on each log, with intervals, and the value of each replication', async () => {
  const resultFolder = join(folder, 'replicated');
  const args = [
    'compare',
    firstLog,
    secondLog,
    ...TWO_METHOD_WORDS,
    ...REPLICATION_WORDS,
    '--metric',
    'meanWait',
  ];
  const { stdout } = await runGridalloc([...args, '--out', resultFolder]);
  expect(stdout).toBe(
    `${(await runProgram(args)).stdout}\nThe report is ${join(resultFolder, 'report.html')}\n`,
  );
  const readFileText = (fileName: string) => readFileSync(join(resultFolder, fileName), 'utf8');
  const { logs, metrics } = JSON.parse((await runProgram([...args, '--json', '--quiet'])).stdout);
  expect(JSON.parse(readFileText('comparison.json')).result).toMatchObject({ logs, metrics });
  type TableRowValues = { values: number[] };
  const lines = ['fcfs', 'first-available'].flatMap((name, method) =>
    ['one.swf', 'two.swf'].flatMap((logName, i) =>
      (logs[i].rows[method] as TableRowValues).values.map(
        (value, r) => `${name},${logName},${r + 1},${value}`,
      ),
    ),
  );
  expect(readFileText('values.csv').trim().split('\n')).toEqual([
    'method,log,replication,meanWait',
    ...lines,
  ]);
  const { low, high } = logs[0].rows[0];
  expect(readFileText('tables/meanWait-by-log.csv')).toContain(`${low},${high}`);
  for (const [i, log] of ['one.swf', 'two.swf'].entries()) {
    const outputOfSingleLog = (
      await runProgram(['compare', [firstLog, secondLog][i]!, ...args.slice(3)])
    ).stdout.replaceAll(/\s+/g, ' ');
    const [sentence] = /Among these 12 copies.*?\.(?= )/.exec(outputOfSingleLog)!;
    for (const file of ['methods.md', 'report.html'])
      expect(readFileText(file).replaceAll(/\s+/g, ' ')).toContain(`${log}: ${sentence}`);
  }
  expect(readFileText('methods.md')).toContain('@article{edwards1983,');
});

test('ten logs are judged, fewer are not, and the text says logs', async () => {
  const tenLogFiles = Array.from({ length: 10 }, (_, i) => writeLogFile(`log${i}.swf`, LOG, 3 * i + 1));
  const { exitCode, stdout } = await runProgramInProcess(['compare', ...tenLogFiles, ...TWO_METHOD_WORDS]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/Among these 10\s+logs,/);
  expect(stdout).not.toMatch(/replications? show/);
  const comparisonOfNineLogs = await runProgramInProcess([
    'compare',
    ...tenLogFiles.slice(1),
    ...TWO_METHOD_WORDS,
  ]);
  expect(comparisonOfNineLogs.stdout.replaceAll('\n', ' ')).toContain(
    'No verdict over all logs: at least 10 logs are needed, and 9 were given.',
  );
  const nextStepMessage = '--replications 30 judges the methods on each log by itself';
  expect(comparisonOfNineLogs.stdout.replaceAll('\n', ' ')).toContain(nextStepMessage);
  expect(stdout.replaceAll('\n', ' ')).not.toContain(nextStepMessage);
  // Ratios over a few logs get no interval, since these logs do not represent others.
  expect(stdout).toContain('95 % interval');
  expect(comparisonOfNineLogs.stdout).not.toContain('95 % interval');
});

test('a folder has the verdicts, a table of the values on each log, the values as CSV, and sentences that say logs', async () => {
  const resultFolder = join(folder, 'compared');
  const args = [
    'compare',
    firstLog,
    secondLog,
    ...TWO_METHOD_WORDS,
    '--load',
    '1.2',
    '--metric',
    'meanWait,averageResponseTime',
  ];
  const { stdout } = await runGridalloc([...args, '--out', resultFolder]);
  const screenText = await runProgramInProcess(args);
  expect(stdout).toBe(`${screenText.stdout}\nThe report is ${join(resultFolder, 'report.html')}\n`);
  const readFileText = (fileName: string) => readFileSync(join(resultFolder, fileName), 'utf8');
  const { logs } = JSON.parse((await runProgramInProcess([...args, '--json', '--quiet'])).stdout);
  const lines = ['fcfs', 'first-available'].flatMap((name, method) =>
    ['one.swf', 'two.swf'].map((logName, i) => {
      const { meanWait, averageResponseTime } = logs[i].values;
      return `${name},${logName},${meanWait[method]},${averageResponseTime[method]}`;
    }),
  );
  expect(readFileText('values.csv').trim().split('\n')).toEqual([
    'method,log,meanWait,averageResponseTime',
    ...lines,
  ]);
  const [, ...rows] = readFileText('tables/meanWait-by-log.csv').trim().split('\n');
  expect(rows.map((row) => row.split(',')[0])).toEqual(['one.swf', 'two.swf']);
  expect(readFileText('methods.md')).toMatch(
    /2 logs on their own machines, each once[\s\S]*load 1\.2[\s\S]*each of the same 2 logs/,
  );
  expect(readFileText('report.html')).toContain('fcfs, first-available on 2 logs');
});

/** Writes a log file whose jobs have no requested times. */
function writeLogFileWithoutTimes(fileName: string, longer: number): string {
  const path = writeLogFile(fileName, LOG, longer);
  const logText = readFileSync(path, 'utf8');
  writeFileSync(path, logText.replaceAll(/^((?:\S+ ){8})\S+/gm, '$1-1'));
  return path;
}

const OPTIONS_NEEDING_ESTIMATES: readonly (readonly string[])[] = [
  ['--discipline', 'fcfs,easy'],
  ['--policy', 'best-fit,fastest-first', '--discipline', 'easy', '--sites', '8,128'],
  ['--method', 'fcfs', '--method', 'easy, backfill-order=shortest'],
  ['--method', 'fcfs', '--method', 'fcfs, order=shortest'],
  [...TWO_METHOD_WORDS, '--kill', 'at-estimate'],
  [],
];

test.each(OPTIONS_NEEDING_ESTIMATES)(
  'logs without requested times are omitted: %s',
  async (...commandWords) => {
    const logFilesWithoutTimes = [
      writeLogFileWithoutTimes('lacking1.swf', 7),
      writeLogFileWithoutTimes('lacking2.swf', 11),
    ];
    const outputWords = ['--quiet', '--json'];
    const expectedDocument = JSON.parse(
      (await runProgramInProcess(['compare', firstLog, secondLog, ...commandWords, ...outputWords])).stdout,
    );
    const args = [
      'compare',
      logFilesWithoutTimes[0]!,
      firstLog,
      logFilesWithoutTimes[1]!,
      secondLog,
      ...commandWords,
    ];
    const { exitCode, stdout, stderr } = await runProgramInProcess([...args, '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ ...expectedDocument, omitted: ['lacking1.swf', 'lacking2.swf'] });
    expect(expectedDocument.omitted).toEqual([]);
    expect(stderr).toContain(
      'lacking1.swf and lacking2.swf: no job requests a time, by which some of the methods decide; these logs are omitted; ',
    );
    const screenText = (await runProgramInProcess(args)).stdout.replaceAll(/\s+/g, ' ');
    expect(screenText).toContain('2 logs on ');
    expect(screenText).toContain('without lacking1.swf and lacking2.swf, whose jobs request no times');
    expect(stderr).toContain(
      commandWords.includes('--kill')
        ? '--kill needs requested times'
        : '--estimates exact takes the actual runtimes of all logs',
    );
    const exactResult = await runProgramInProcess([...args, '--estimates', 'exact', ...outputWords]);
    if (!commandWords.includes('--kill'))
      expect(JSON.parse(exactResult.stdout)).toMatchObject({ omitted: [], metrics: [{ logs: 4 }] });
  },
);

test('a folder names the logs that are omitted', async () => {
  const resultFolder = join(folder, 'omitted');
  const { exitCode } = await runGridalloc([
    ...[
      'compare',
      firstLog,
      writeLogFileWithoutTimes('lacking.swf', 9),
      secondLog,
      '--discipline',
      'fcfs,easy',
      '--out',
      resultFolder,
    ],
  ]);
  expect(exitCode).toBe(0);
  for (const file of ['methods.md', 'report.html'])
    expect(readFileSync(join(resultFolder, file), 'utf8')).toContain(
      'without lacking.swf, whose jobs request no times',
    );
  expect(JSON.parse(readFileSync(join(resultFolder, 'comparison.json'), 'utf8')).result.omitted).toEqual([
    'lacking.swf',
  ]);
});

test('where fewer than two logs request times, named methods are refused, and default methods that need them are omitted', async () => {
  const thirdLogFileWithoutTimes = writeLogFileWithoutTimes('lacking3.swf', 5);
  const namedComparison = await runProgramInProcess([
    'compare',
    firstLog,
    thirdLogFileWithoutTimes,
    '--discipline',
    'fcfs,easy',
  ]);
  expect(namedComparison).toMatchObject({ exitCode: 2, stdout: '' });
  expect(namedComparison.stderr).toContain(
    'lacking3.swf: no job requests a time, by which some of the methods decide, so fewer than two logs are left; --estimates exact',
  );
  const outputText = await runProgramInProcess([
    'compare',
    thirdLogFileWithoutTimes,
    firstLog,
    '--json',
    '--quiet',
  ]);
  expect(outputText.exitCode).toBe(0);
  const document = JSON.parse(outputText.stdout);
  expect(document).toMatchObject({ omitted: [], metrics: [{ logs: 2 }] });
  const methodNames = document.rows.map(({ name }: { name: string }) => name);
  expect(methodNames).toContain('fcfs');
  expect(methodNames).not.toContain('easy');
});

test('logs that request no times are compared by methods that do without', async () => {
  const logs = [writeLogFileWithoutTimes('lacking4.swf', 3), firstLog];
  const { exitCode, stdout } = await runProgramInProcess([
    'compare',
    ...logs,
    ...TWO_METHOD_WORDS,
    '--json',
    '--quiet',
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ omitted: [], metrics: [{ logs: 2 }] });
});

test('logs of the same name are distinguished by their folders', () => {
  expect(makeShortUniqueNames(['a/log.swf', 'b/log.swf'])).toEqual(['a/log.swf', 'b/log.swf']);
  expect(makeShortUniqueNames(['a/kth.swf', 'b/ctc.swf'])).toEqual(['kth.swf', 'ctc.swf']);
});

test('files joined in one argument form one log', async () => {
  const logParts = [
    writeLogFile('a.swf', LOG),
    writeLogFile(
      'b.swf',
      LOG.replace(/^(\d+) (\d+)/gm, (_, n, t) => `${Number(n) + 60} ${Number(t) + 9000}`),
    ),
  ];
  const { exitCode, stdout } = await runProgramInProcess([
    'compare',
    `{${logParts.join()}}`,
    ...TWO_METHOD_WORDS,
    '--json',
    '--quiet',
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).runs).toHaveLength(2);
});

test.each([
  [['--until-decided'], '--until-decided works with a single log only'],
  [['--select-best'], '--select-best works with a single log only'],
  [['--by', 'class'], '--by shows the classes of one log'],
  [['--bench'], '--bench works with a single log only'],
  [['--npir'], '--npir works with a single log only'],
])('%j is refused', async (commandWords, sentence) => {
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    'compare',
    firstLog,
    secondLog,
    ...TWO_METHOD_WORDS,
    ...commandWords,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(sentence);
});

test('a log and its copy, and a model among logs, are refused', async () => {
  const copy = await runProgramInProcess([
    'compare',
    firstLog,
    writeLogFile('copy.swf', LOG),
    ...TWO_METHOD_WORDS,
  ]);
  expect(copy).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('have the same jobs; a log counts once'),
  });
  const model = await runProgramInProcess([
    'compare',
    firstLog,
    'lublin99[aarr=9,jobs=10,seed=1]',
    ...TWO_METHOD_WORDS,
  ]);
  expect(model).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is a model, and several logs are compared'),
  });
});
