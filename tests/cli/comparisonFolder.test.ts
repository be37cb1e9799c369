import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../host/view/report.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeSmallLogText } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const MODEL = 'lublin99[aarr=9,jobs=200,seed=2]';

/** The sites of Shih et al. 2010, on which policies differ. */
const GRID_WORDS = [
  '--sites=8,128,128,128,50',
  '--speeds=draw[sh=0.12,seed=1]',
  '--time-resolution=nearest',
] as const;
const TWO_METHODS_COMMAND = ['compare', MODEL, ...GRID_WORDS, '--policy', 'bf,ai2'];

const STUDY_OPTION_NAMES = ['--replications', '--until-decided', '--out', 'study'];
/**
 * Runs a command in the test process; studies get one thread, since starting another takes as long as most
 * studies here.
 */
const runInThisProcess = (...commandWords: string[]) =>
  runGridalloc(
    commandWords.some((commandWord) => STUDY_OPTION_NAMES.includes(commandWord))
      ? [...commandWords, '--threads', '1']
      : commandWords,
  );
const folder = makeTemporaryFolder();
const logFile = join(folder, 'small.swf');
writeFileSync(logFile, makeSmallLogText());

/** Runs a command with `--out` and returns its JSON output and the folder. */
async function runIntoFolder(folderName: string, ...commandWords: string[]) {
  const resultFolder = join(folder, folderName);
  const {
    exitCode,
    stdout,
    stderr: stderrText,
  } = await runInThisProcess(...commandWords, '--out', resultFolder, '--json');
  expect(exitCode, stderrText).toBe(0);
  return { resultFolder, document: JSON.parse(stdout), stderr: stderrText };
}

const textOf = (resultFolder: string, fileName: string) => readFileSync(join(resultFolder, fileName), 'utf8');
const readReportOf = (resultFolder: string) => JSON.parse(textOf(resultFolder, 'report.json')) as Report;
const runAndReadVerdicts = async (...commandWords: string[]) =>
  JSON.parse((await runInThisProcess(...commandWords, '--json')).stdout);

describe('a comparison over replications in a folder', () => {
  const commandWords = [...TWO_METHODS_COMMAND, '--replications', '20', '--metric', 'meanWait,utilization'];
  let comparisonResult: Awaited<ReturnType<typeof runIntoFolder>>;
  beforeAll(async () => {
    comparisonResult = await runIntoFolder('compared', ...commandWords);
  });

  test('prints the same as without a folder, and writes all that a paper needs', async () => {
    const { resultFolder, document } = comparisonResult;
    expect(document).toEqual(await runAndReadVerdicts(...commandWords));
    const { tables, figures, files, description: reportDescription } = readReportOf(resultFolder);
    expect(tables.map(({ id: tableId }) => tableId)).toEqual(
      expect.arrayContaining(['meanWait', 'utilization', 'metrics']),
    );
    expect(figures.map(({ id: figureId }) => figureId)).toEqual(
      expect.arrayContaining(['meanWait-behind', 'meanWait-mean']),
    );
    for (const { path: filePath } of files)
      expect(existsSync(join(resultFolder, filePath)), filePath).toBe(true);
    expect(reportDescription).toMatch(
      /^Mean wait: Among these 20 samples of this model with different seeds/,
    );
    const [headerLine, ...lines] = textOf(resultFolder, 'values.csv').trim().split('\n');
    expect(headerLine).toBe('method,replication,meanWait,utilization');
    const cellValues = document.metrics[0].rows.flatMap((row: { values: number[] }) => row.values);
    expect(lines.map((line) => Number(line.split(',')[2]))).toEqual(cellValues);
    const methodsText = textOf(resultFolder, 'methods.md');
    for (const message of [
      'Every method ran on the same 20 samples',
      'Edwards and Hsu',
      'SHA-256',
      commandWords.slice(TWO_METHODS_COMMAND.length).join(' '),
    ])
      expect(methodsText).toContain(message);
    const { metrics } = document as { metrics: { leastDifference: number | null; skewed: unknown[] }[] };
    const [metricsWithLeastDifference, skewed] = [
      metrics.filter(({ leastDifference }) => leastDifference !== null).length,
      metrics.filter((metric) => metric.skewed.length > 0).length,
    ];
    expect(metricsWithLeastDifference + skewed).toBeGreaterThan(0);
    expect(methodsText.match(/is detected with 80 % power\./g)?.length ?? 0).toBe(metricsWithLeastDifference);
    expect(methodsText.match(/Differences are skewed/g)?.length ?? 0).toBe(skewed);
  });

  test('gives per-class results as without a folder, and as single replications do', async () => {
    const classes = [
      'compare',
      logFile,
      '--discipline',
      'fcfs,njf',
      '--replications',
      '3',
      '--by',
      'class,user',
    ];
    const { resultFolder, document } = await runIntoFolder('classes', ...classes, '--metric', 'meanWait');
    expect(document).toEqual(await runAndReadVerdicts(...classes, '--metric', 'meanWait'));
    const ids = readReportOf(resultFolder).tables.map(({ id: tableId }) => tableId);
    expect(ids).toEqual(expect.arrayContaining(['meanWait-by-class', 'meanWait-by-user']));
    const verdictsOfReplications = [1, 2, 3].map((replication) =>
      runAndReadVerdicts(
        'simulate',
        logFile,
        '--discipline',
        'njf',
        '--replication',
        `${replication}`,
        '--by',
        'class',
      ),
    );
    const meanValues = (await Promise.all(verdictsOfReplications)).map(
      ({ classes: { class: classesOfAllJobs } }) => classesOfAllJobs[0].meanWait,
    );
    expect(document.classes.class[0].meanWait[1].mean).toBeCloseTo(
      (meanValues[0] + meanValues[1] + meanValues[2]) / 3,
      9,
    );
  });

  test('replications of one simulation show classes, in a folder or not, as a comparison does', async () => {
    const args = [logFile, '--discipline', 'njf', '--replications', '3', '--by', 'class,user'];
    const { resultFolder, document } = await runIntoFolder('classesOfOne', 'simulate', ...args);
    expect(document).toEqual(await runAndReadVerdicts('simulate', ...args));
    const ids = readReportOf(resultFolder).tables.map(({ id: tableId }) => tableId);
    expect(ids).toEqual(['metrics', 'jobs-by-class', 'jobs-by-user']);
    const comparisonResult = await runAndReadVerdicts('compare', ...args, '--metric', 'meanWait');
    for (const jobClassification of ['class', 'user'])
      for (const [i, { name, meanWait }] of comparisonResult.classes[jobClassification].entries())
        expect(document.classes[jobClassification][i]).toMatchObject({ name, meanWait });
    const { stdout } = await runInThisProcess('simulate', ...args);
    expect(stdout).toMatch(/Jobs by runtime and width[\s\S]*short narrow[\s\S]*Jobs by user/);
  });

  test('several metrics, of classes too, have tables and figures in a comparison and in a sweep', async () => {
    const metrics = 'meanWait,p95Wait[class=short narrow],maxWait[user=1]';
    const commonOptions = ['--discipline', 'fcfs', '--replications', '3', '--metric', metrics];
    const { resultFolder } = await runIntoFolder(
      'metrics',
      'compare',
      logFile,
      '--method',
      'fcfs',
      '--method',
      'njf',
      ...commonOptions.slice(2),
    );
    const sweepFolderResult = await runIntoFolder(
      'sweep',
      'sweep',
      logFile,
      '--vary',
      'load=1,2',
      ...commonOptions,
    );
    for (const [folder, fileEnding] of [
      [resultFolder, ''],
      [sweepFolderResult.resultFolder, '-table'],
    ] as const) {
      const ids = readReportOf(folder).tables.map(({ id: tableId }) => tableId);
      for (const id of ['meanWait', 'p95Wait-class-short-narrow', 'maxWait-user-1']) {
        expect(ids).toContain(`${id}${fileEnding}`);
        expect(existsSync(join(folder, 'tables', `${id}${fileEnding}.tex`))).toBe(true);
      }
      expect(existsSync(join(folder, 'report.html'))).toBe(true);
    }
  });

  test('is not repeated, whatever the command', async () => {
    const { resultFolder, document } = comparisonResult;
    const journal = textOf(resultFolder, 'journal.jsonl');
    const repeatedResult = await runIntoFolder('compared', ...commandWords);
    expect(repeatedResult.document).toEqual(document);
    expect(repeatedResult.stderr).toContain('40 simulations were already in');
    const resumedResult = await runInThisProcess('study', 'run', resultFolder, '--json');
    expect(JSON.parse(resumedResult.stdout)).toEqual(document);
    expect(textOf(resultFolder, 'journal.jsonl')).toBe(journal);
  });

  test('refuses a folder of anything else', async () => {
    const otherRun = await runInThisProcess(
      ...TWO_METHODS_COMMAND,
      '--replications',
      '3',
      '--out',
      comparisonResult.resultFolder,
    );
    expect(otherRun).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('holds another comparison'),
    });
    const foreignFolderOutput = await runInThisProcess(...commandWords, '--out', folder);
    expect(foreignFolderOutput).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is not empty'),
    });
  });

  test('with --until-decided has the same looks as without a folder', async () => {
    const untilDecidedWords = [
      ...TWO_METHODS_COMMAND,
      '--until-decided',
      '--replications',
      '45',
      '--within',
      '0',
    ];
    const { resultFolder, document } = await runIntoFolder('until', ...untilDecidedWords);
    expect(document).toEqual(await runAndReadVerdicts(...untilDecidedWords));
    expect(document.looks.length).toBeGreaterThan(1);
    const methodsText = textOf(resultFolder, 'methods.md');
    expect(methodsText).toContain('the limits are valid at all looks simultaneously');
    expect(methodsText).toMatch(/@article\{lai1976,[\s\S]*@misc\{wang2024,/);
  });

  test.each([
    ['99%', 'once no method was undecided, after 1 look,', [20], true, ', decided after 1 look '],
    ['0', 'at the most that we allowed, after 2 looks,', [20, 30], false, ', undecided after 2 looks '],
  ])(
    '--within %s: it says when and why replications ended',
    async (margin, message, expectedLookReplications, isDecided, expectedEnd) => {
      const untilDecidedWords = [
        ...TWO_METHODS_COMMAND,
        '--until-decided',
        '--replications',
        '30',
        '--within',
        margin,
      ];
      const { resultFolder, document } = await runIntoFolder(`ended-${margin}`, ...untilDecidedWords);
      expect(document).toMatchObject({
        looks: expectedLookReplications,
        decided: isDecided,
        limits: 'anytime',
      });
      const methodsText = textOf(resultFolder, 'methods.md');
      expect(methodsText).toContain(message);
      expect(methodsText).toContain('(Lai 1976; Wang and Ramdas 2024)');
      expect(methodsText).not.toContain('fixed beforehand');
      expect((await runInThisProcess(...untilDecidedWords)).stdout.replaceAll('\n', ' ')).toContain(
        expectedEnd,
      );
    },
  );
});

/** Text of a log of half a year, in which one job has no runtime and another no processors. */
function makeHalfYearLog(): string {
  const jobs = Array.from({ length: 60 }, (_, i) => {
    const runtime = i === 3 ? -1 : 1000 + ((i * 7919) % 400_000);
    return `${i + 1} ${i * 259_200} -1 ${runtime} ${i === 5 ? -1 : 1 + (i % 4)} -1 -1 -1 900000 -1 1 1 1 1 1 1 ${i > 6 ? i : -1} 5`;
  });
  const header = ['Acknowledge: Ann Example', 'Installation: An Institute', 'MaxProcs: 4', 'MaxJobs: 60'];
  return `${[...header.map((line) => `; ${line}`), ...jobs].join('\n')}\n`;
}

describe('sentences for a paper', () => {
  const longLogFile = join(folder, 'long.swf');
  writeFileSync(longLogFile, makeHalfYearLog());
  const commandWords = [
    'compare',
    longLogFile,
    '--discipline',
    'fcfs,first-available',
    '--metric',
    'meanWait',
  ];

  test('name the records, the source of the log, and its pieces', async () => {
    const { resultFolder, document } = await runIntoFolder(
      'told',
      ...commandWords,
      '--replications',
      '20',
      '--load',
      '2',
    );
    const methodsText = textOf(resultFolder, 'methods.md');
    for (const message of [
      `58 of 60 records of ${longLogFile} were simulated on one site of 4 processors; ` +
        '1 without a positive runtime and 1 without a number of processors were excluded (SHA-256 of the jobs: ',
      'Settings other than the defaults: load 2.',
      `Over the ${document.spans} pieces of the log of `,
      'Its header names Ann Example to be acknowledged and gives the installation as An Institute.',
      '@article{edwards1983,',
    ])
      expect(methodsText).toContain(message);
    expect(methodsText).not.toMatch(/lai1976|wang2024/);
    expect(methodsText).not.toContain('--dependencies');
  });

  test('say why dependent jobs are not cut into pieces, as the terminal does', async () => {
    const commandWithDependencies = [...commandWords, '--replications', '10', '--dependencies'];
    const { resultFolder } = await runIntoFolder('dependent', ...commandWithDependencies);
    const expectedReason = 'The log is not cut into pieces, since its jobs depend on each other';
    expect(textOf(resultFolder, 'methods.md')).toContain(expectedReason);
    expect(readReportOf(resultFolder).description).toContain(expectedReason);
    const { stdout } = await runInThisProcess(...commandWithDependencies);
    expect(stdout.replaceAll('\n', ' ')).toContain(expectedReason);
  });

  test('name the model, and no rule of judging where nothing is judged', async () => {
    const { resultFolder } = await runIntoFolder('few', ...TWO_METHODS_COMMAND, '--replications', '3');
    const methodsText = textOf(resultFolder, 'methods.md');
    expect(methodsText).toMatch(
      /^3 samples of the model lublin99\[.*with the seeds 2 to 4: 200 jobs with the first of them/m,
    );
    expect(methodsText).toContain('@article{lublin2003,');
    expect(methodsText).not.toContain('edwards1983');
  });
});

test('replications of one simulation in a folder', async () => {
  const commandWords = ['simulate', logFile, '--discipline', 'easy', '--replications', '12'];
  const { resultFolder, document } = await runIntoFolder('simulated', ...commandWords);
  expect(document).toEqual(await runAndReadVerdicts(...commandWords));
  const { tables, files } = readReportOf(resultFolder);
  expect(tables.map(({ id: tableId }) => tableId)).toEqual(['metrics']);
  for (const { path: filePath } of files)
    expect(existsSync(join(resultFolder, filePath)), filePath).toBe(true);
  expect(textOf(resultFolder, 'values.csv').split('\n')).toHaveLength(14);
  const resumedResult = await runInThisProcess('study', 'run', resultFolder, '--json');
  expect(JSON.parse(resumedResult.stdout)).toEqual(document);
});

describe('a comparison without replications', () => {
  const DYNAMIC_POLICIES = 'bf,ff,dynamic[every=5,candidates=ti[slt=1]+bf]';
  test.each([
    ['disciplines', []],
    ['allocators', ['--sites', '64,40', '--speeds', '1,2', '--policy', DYNAMIC_POLICIES, '--npir']],
    ['metrics', ['--metric', 'meanWait,p95Wait', '--metric', 'maxWait[user=1]']],
    ['classes', ['--by', 'class,user', '--metric', 'meanWait']],
    ['reservations', ['--method', 'fcfs', '--method', 'conservative, reservations=kept']],
  ])('prints the same with a folder as without: %s', async (name, commandWords) => {
    const { resultFolder, document } = await runIntoFolder(
      `plain-${name}`,
      'compare',
      logFile,
      ...commandWords,
    );
    expect(document).toEqual(await runAndReadVerdicts('compare', logFile, ...commandWords));
    expect(readdirSync(join(resultFolder, 'tables'))).toEqual(
      expect.arrayContaining(['methods.tex', 'metrics.csv']),
    );
    expect(textOf(resultFolder, 'methods.md')).toContain('one sample');
    const studyRun = await runInThisProcess('study', 'run', resultFolder);
    const { stdout } = await runInThisProcess('compare', logFile, ...commandWords);
    const lines = studyRun.stdout.trim().split('\n').slice(0, -1);
    for (const line of lines) expect(stdout.split('\n')).toContain(line);
    expect(lines.length).toBeGreaterThan(5);
  });

  test('has the metrics that are asked for in its table and its figures', async () => {
    const commandWords = ['compare', logFile, '--metric', 'meanWait,p95Wait', '--metric', 'maxWait[user=1]'];
    const { resultFolder, document } = await runIntoFolder('asked', ...commandWords);
    const lines = textOf(resultFolder, 'tables/methods.csv').trimEnd().split('\n').slice(1);
    const cells = lines.map((line) => line.split(',').slice(-3).map(Number));
    expect(cells).toEqual(document.runs.map(({ metrics }: { metrics: object }) => Object.values(metrics)));
    expect(readReportOf(resultFolder).figures.map(({ id: figureId }) => figureId)).toEqual([
      'meanWait',
      'p95Wait',
      'maxWait-user-1',
    ]);
    expect(textOf(resultFolder, 'values.csv')).toContain('p95Wait');
  });

  test('refuses options that only runs in threads take', async () => {
    for (const commandWords of [[logFile], [logFile, logFile]]) {
      for (const option of [['--threads', '1'], ['--no-sharing']]) {
        const { exitCode, stderr } = await runInThisProcess('compare', ...commandWords, ...option);
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${option[0]} needs --replications`)]);
      }
    }
  });
});
