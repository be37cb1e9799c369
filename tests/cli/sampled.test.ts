import { beforeAll, describe, expect, test } from 'vitest';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

/** Tests tables of job classes and of selected metrics that come from one simulation per method. */

/** Log records of users 1 to 3 in turn on eight processors; user 3 has wide and long jobs. */
const ROWS = Array.from({ length: 60 }, (_, i) => {
  const user = 1 + (i % 3);
  const [width, runtime] = [user === 3 ? 8 : 2 + (i % 5), user === 3 ? 40 : 10 + (i % 7)];
  return `${i + 1} ${4 * i} -1 ${runtime} ${width} -1 -1 ${width} ${2 * runtime} -1 1 ${user} 1 -1 1 -1 -1 -1\n`;
});
let logFile = '';
beforeAll(() => {
  logFile = writeLogFile(`; MaxProcs: 8\n; User: 1 ann\n; User: 2 bob\n; User: 3 cid\n${ROWS.join('')}`);
});

async function runCommandForOutput(...commandWords: string[]): Promise<string> {
  const { exitCode, stdout: text, stderr } = await runProgramInProcess([...commandWords, '--quiet']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return text;
}

type ClassesByName = Record<string, { name: string; jobs: number; meanWait: number; p95Wait: number }[]>;
const compareAndReadClasses = async (...commandWords: string[]): Promise<ClassesByName> =>
  JSON.parse(await runCommandForOutput('simulate', logFile, ...commandWords, '--by', 'user,class', '--json'))
    .classes;

/** Rows of the printed table below a title. */
function tableRowsBelow(outputText: string, title: RegExp): string[][] {
  const lines = outputText.split('\n');
  const from = lines.findIndex((line) => title.test(line));
  expect(from).toBeGreaterThanOrEqual(0);
  const classNamePattern = /^(?:ann|bob|cid|short|long)\b/;
  const firstRow = lines.findIndex((line, i) => i > from && classNamePattern.test(line));
  const lastRow = lines.findIndex((line, i) => i > firstRow && !classNamePattern.test(line));
  return lines.slice(firstRow, lastRow).map((line) => line.split(/ {2,}/));
}

describe('compare --by without replications', () => {
  test('has the classes of one simulation per method, and says so', async () => {
    const outputText = await runCommandForOutput(
      'compare',
      logFile,
      '--discipline',
      'fcfs,easy',
      '--by',
      'user,class',
    );
    expect(outputText).toContain('Per-class results of one simulation of each method: one sample.');
    const [fcfs, easy] = [
      await compareAndReadClasses('--discipline', 'fcfs'),
      await compareAndReadClasses('--discipline', 'easy'),
    ];
    for (const jobClassification of ['user', 'class'] as const) {
      const title =
        jobClassification === 'user' ? /^Mean wait \[s\] by user/ : /^Mean wait \[s\] by runtime and width/;
      const rows = tableRowsBelow(outputText, title);
      expect(rows.map(([name]) => name).sort()).toEqual(
        fcfs[jobClassification]!.map(({ name: className }) => className).sort(),
      );
      for (const [name, jobs, ...waitCells] of rows) {
        const findClassOfRow = (classes: ClassesByName) =>
          classes[jobClassification]!.find((each) => each.name === name)!;
        expect(jobs).toBe(String(findClassOfRow(fcfs).jobs));
        const printedWaits = waitCells.map((wait) => Number(wait.replaceAll(/[,*]/g, '')));
        for (const [i, classes] of [fcfs, easy].entries())
          expect(Math.abs(printedWaits[i]! - findClassOfRow(classes).meanWait)).toBeLessThan(0.051);
      }
    }
  });

  test('with --metric has the metrics that classes have, and of names only those given', async () => {
    const commandWords = [
      '--discipline',
      'fcfs,easy',
      '--by',
      'user=cid,ann',
      '--metric',
      'p95Wait,utilization',
    ];
    const outputText = await runCommandForOutput('compare', logFile, ...commandWords);
    expect(
      tableRowsBelow(outputText, /by user/)
        .map(([name]) => name)
        .sort(),
    ).toEqual(['ann', 'cid']);
    expect(outputText).not.toContain('Mean wait [s] by user');
    const { classes } = JSON.parse(await runCommandForOutput('compare', logFile, ...commandWords, '--json'));
    const { user } = await compareAndReadClasses('--discipline', 'easy');
    const classRows = classes.user.map(
      ({ name, jobs, p95Wait }: Record<string, [unknown, { mean: number }]>) => ({
        ...{ name, jobs: jobs![1], p95Wait: p95Wait![1].mean },
      }),
    );
    expect(classRows).toEqual(
      user!.map(({ name: className, jobs, p95Wait }) => ({ name: className, jobs, p95Wait })),
    );
  });

  test('simulate shows classes for several policies, too', async () => {
    const commandWords = ['--sites', '8,8', '--policy', 'best-fit,fastest-first', '--home', 'none'];
    const outputText = await runCommandForOutput('simulate', logFile, ...commandWords, '--by', 'user');
    expect(tableRowsBelow(outputText, /^Mean wait \[s\] by user/)).toHaveLength(3);
  });

  test.each([[[]], [['--by', 'user,class']], [['--metric', 'p95Wait,utilization']]])(
    'the document of simulate with several policies has all that compare has: %j',
    async (extraWords) => {
      const commandWords = [
        '--sites',
        '8,8',
        '--speeds',
        '1,2',
        '--policy',
        'best-fit,fastest-first,ai2',
        ...extraWords,
      ];
      const documentOfSimulateCommand = JSON.parse(
        await runCommandForOutput('simulate', logFile, ...commandWords, '--json'),
      );
      const comparisonResult = JSON.parse(
        await runCommandForOutput('compare', logFile, ...commandWords, '--json'),
      );
      expect(Object.keys(documentOfSimulateCommand)).toEqual(Object.keys(comparisonResult));
      expect(documentOfSimulateCommand).toMatchObject(comparisonResult);
    },
  );
});

describe('simulate --metric', () => {
  const SAMPLED_METRIC_NAMES = ['p95Wait', 'meanWait[user=cid]', 'utilization'];

  test('prints these metrics and no others', async () => {
    const commandWords = [
      'simulate',
      logFile,
      '--discipline',
      'easy',
      '--metric',
      SAMPLED_METRIC_NAMES.join(','),
    ];
    const outputText = await runCommandForOutput(...commandWords);
    const { metrics, meanWait } = JSON.parse(await runCommandForOutput(...commandWords, '--json'));
    const { user } = await compareAndReadClasses('--discipline', 'easy');
    const classOfUserCid = user!.find(({ name: className }) => className === 'cid')!;
    expect(metrics['meanWait[user=cid]']).toBe(classOfUserCid.meanWait);
    expect(Object.keys(metrics)).toEqual(SAMPLED_METRIC_NAMES);
    expect(meanWait).toBeGreaterThan(0);
    expect(outputText).toMatch(/wait, user cid/i);
    for (const textThatShouldBeAbsent of ['queue length', 'slowdown', 'percentile  '])
      expect(outputText).not.toContain(textThatShouldBeAbsent);
    expect(await runCommandForOutput(...commandWords, '--by', 'class')).toMatch(/^short narrow /m);
  });

  test('over replications estimates only these', async () => {
    const commandWords = ['simulate', logFile, '--replications', '2', '--threads', '1', '--metric'];
    const { metrics } = JSON.parse(
      await runCommandForOutput(...commandWords, 'p95Wait,meanWait[user=ann]', '--json'),
    );
    expect(metrics.map(({ metric }: { metric: string }) => metric)).toEqual([
      'p95Wait',
      'meanWait[user=ann]',
    ]);
  });

  test('an unknown one is refused with the nearest', async () => {
    const { stderr } = await runProgramInProcess(['simulate', logFile, '--metric', 'waitP95']);
    expect(stderr).toBe(
      "gridalloc: unknown metric 'waitP95'; did you mean 'p95Wait'? See gridalloc metrics\n",
    );
  });
});

/**
 * A log in which some users and classes have jobs dropped, depending on the options that decide
 * which jobs fit.
 */
const LOG_WITH_DROPPED_JOBS = `; MaxProcs: 12
${Array.from({ length: 30 }, (_, i) => {
  const user = 1 + (i % 3);
  const width = user === 3 || i % 4 === 0 ? 10 : 1 + (i % 4);
  return `${i + 1} ${9 * i} -1 ${30 + i} ${width} -1 -1 ${width} 200 -1 1 ${user} 1 -1 1 -1 -1 -1
`;
}).join('')}`;

const JOB_DROPPING_OPTIONS: readonly [string, string, readonly string[]][] = [
  ['multi-site=larger-first', 'fcfs', ['--sites', '4,8']],
  ['easy, multi-site-factor=1.2', 'first-available', ['--sites', '4,8']],
  ['moldable=down', 'fcfs', ['--sites', '8']],
];

describe.each(JOB_DROPPING_OPTIONS)(
  'classes of methods that do not have the same jobs: %s beside %s',
  (optionText, fewerJobs, sites) => {
    const commonOptions = (): string[] => [
      writeLogFile(LOG_WITH_DROPPED_JOBS),
      ...sites,
      '--oversize',
      'drop',
    ];

    test.each([
      ['once', []],
      ['over replications', ['--replications', '3', '--threads', '1']],
    ])('%s: counts are those of each method alone, in either order', async (_, replications) => {
      for (const methods of [
        [optionText, fewerJobs],
        [fewerJobs, optionText],
      ]) {
        const commandWords = [...commonOptions(), ...replications, '--by', 'user,class'];
        const methodWords = methods.flatMap((method) => ['--method', method]);
        const { classes } = JSON.parse(
          await runCommandForOutput('compare', ...commandWords, ...methodWords, '--json'),
        );
        const terminalOutput = await runCommandForOutput('compare', ...commandWords, ...methodWords);
        const classesOfEachSingleRun: Record<string, { name: string; jobs: number | number[] }[]>[] = [];
        for (const method of methods) {
          const options = method.split(', ').flatMap((option) => {
            const [name = '', value] = option.split('=');
            return value === undefined ? ['--discipline', name] : [`--${name}`, value];
          });
          classesOfEachSingleRun.push(
            JSON.parse(await runCommandForOutput('simulate', ...commandWords, ...options, '--json')).classes,
          );
        }
        for (const jobClassification of ['user', 'class']) {
          const classNames = [
            ...new Set(
              classesOfEachSingleRun.flatMap((classes) =>
                classes[jobClassification]!.map(({ name }) => name),
              ),
            ),
          ];
          const classCounts = classNames.map((name) =>
            classesOfEachSingleRun.map(
              (classes) =>
                [classes[jobClassification]!.find((jobClass) => jobClass.name === name)?.jobs ?? 0].flat()[0],
            ),
          );
          const jobCountsOfClass = classes[jobClassification].map(
            ({ name, jobs }: { name: string; jobs: number[] }) => [name, jobs],
          );
          expect(Object.fromEntries(jobCountsOfClass)).toEqual(
            Object.fromEntries(classNames.map((name, i) => [name, classCounts[i]])),
          );
          expect(classCounts.some(([a, b]) => a !== b)).toBe(true);
          if (replications.length > 0)
            expect(terminalOutput.replaceAll(/\s+/g, ' ')).toContain(
              `Means with 95 % intervals by ${jobClassification === 'user' ? 'user' : 'runtime and width'} over 3 copies of this log, shaken by ±30 s; differences are not tested.`,
            );
          expect(terminalOutput).toContain(
            jobClassification === 'user' ? 'Jobs by user' : 'Jobs by runtime and width',
          );
        }
      }
    });
  },
);
