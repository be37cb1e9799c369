import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { printMachineSites } from '../../host/grid/grid.js';
import { addParsedOptionTexts } from '../../host/options/options.js';
import { compare } from '../../host/runs/compare.js';
import { makeGridOfSettings } from '../../host/simulate/experiment.js';
import { METHOD_OPTION_NAMES } from '../../host/simulate/methodNames.js';
import { sampleTestCases } from '../cases.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { formatOptionsAsCommandWords, LOG, type OptionTexts, sampleSettingsOfOption } from './samples.js';

/**
 * A method of a comparison must have the same jobs as alone in `simulate`, whatever the other
 * methods, and be refused whenever `simulate` refuses it: for every option of a method, under
 * settings in which options decide about jobs.
 */

const folder = makeTemporaryFolder();
const path = join(folder, 'log.swf');
writeFileSync(path, LOG);

/** Settings in which options of a method decide submit times, or which jobs are too large. */
const COMMON_OPTION_SETS: readonly OptionTexts[] = [
  {},
  { 'offered-load': '0.9' },
  { sites: '5,3', oversize: 'drop' },
  { sites: '5,3', oversize: 'split' },
  { sites: '5,3' },
];

const OTHER_METHOD_NAME = 'fcfs';

const cases = METHOD_OPTION_NAMES.flatMap((methodOptionName) =>
  sampleSettingsOfOption(methodOptionName).flatMap((sample) => {
    const sampleEntries = Object.entries(sample);
    const method = sampleEntries.filter(([key]) => METHOD_OPTION_NAMES.includes(key));
    const jobOptions = Object.fromEntries(
      sampleEntries.filter(([key]) => !METHOD_OPTION_NAMES.includes(key)),
    );
    if (sample.discipline === undefined && methodOptionName !== 'policy')
      method.unshift(['discipline', OTHER_METHOD_NAME]);
    return COMMON_OPTION_SETS.map((commonOptions) => ({
      name: methodOptionName,
      method: Object.fromEntries(method),
      common: { ...jobOptions, ...commonOptions },
    }));
  }),
).filter(({ method }) => Object.entries(method).toString() !== `discipline,${OTHER_METHOD_NAME}`);

type ResponseTimesOrRefusal = readonly number[] | 'refused';

async function runAndReadDocument(...commandWords: string[]) {
  const { exitCode, stdout } = await runProgramInProcess([...commandWords, '--json', '--quiet']);
  return exitCode === 2 ? ('refused' as const) : JSON.parse(stdout);
}

/** JSON output of the compiled program, whose threads write result folders. */
async function readOutputOfCompiledProgram(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runGridalloc([...commandWords, '--json', '--quiet']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

const METRIC_NAME = 'averageResponseTime';

/** Response times of the replications of one method in `simulate`. */
async function simulateMethodAlone(options: OptionTexts): Promise<ResponseTimesOrRefusal> {
  const document = await runAndReadDocument(
    'simulate',
    path,
    ...formatOptionsAsCommandWords(options),
    '--replications=2',
    '--threads=1',
  );
  if (document === 'refused') return document;
  return (
    document.metrics[METRIC_NAME]?.values ??
    document.metrics.find((metric: { metric: string }) => metric.metric === METRIC_NAME).values
  );
}

const MACHINE_OPTION_NAMES = ['sites', 'speeds', 'heterogeneity'];

/**
 * Option `load-machine` with the machine to which the offered load refers: for methods with
 * different machines, that of the first.
 */
function loadMachineOption(method: OptionTexts, commonOptions: OptionTexts): OptionTexts {
  if (commonOptions['offered-load'] === undefined || !MACHINE_OPTION_NAMES.some((name) => name in method))
    return {};
  const settings = addParsedOptionTexts({ workload: path }, { ...commonOptions, ...method });
  return { 'load-machine': printMachineSites(makeGridOfSettings(settings, settings.sites ?? [8])) };
}

const textOf = (method: OptionTexts) =>
  Object.entries(method)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

describe('a method has its own jobs beside another', () => {
  test.each(
    sampleTestCases(cases, 3).map(
      (methodCase) =>
        [
          methodCase.name,
          textOf(methodCase.method),
          formatOptionsAsCommandWords(methodCase.common).join(' '),
          methodCase,
        ] as const,
    ),
  )('%s: %s %s', async (_, text, __, { method, common }) => {
    const commandWords = formatOptionsAsCommandWords(common);
    const commonOptionsWithLoadMachine = { ...common, ...loadMachineOption(method, common) };
    const expectedJobs = [
      await simulateMethodAlone({ ...commonOptionsWithLoadMachine, ...method }),
      await simulateMethodAlone({ ...commonOptionsWithLoadMachine, discipline: OTHER_METHOD_NAME }),
    ];
    const methods = [text, OTHER_METHOD_NAME];
    const args = methods.flatMap((method) => ['--method', method]);
    const document = await runAndReadDocument(
      'compare',
      path,
      ...commandWords,
      ...args,
      '--replications=2',
      '--threads=1',
    );
    const libraryComparisonResult = await compare(path, {
      ...Object.fromEntries(
        Object.entries(common).map(([key, value]) => [
          key.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
          value,
        ]),
      ),
      methods,
      replications: 2,
      threads: 1,
    }).then(
      ({ metrics }) => metrics[0].values,
      (error) => {
        if (error instanceof InputError) return 'refused' as const;
        throw error;
      },
    );
    if (expectedJobs.includes('refused')) {
      expect(document).toBe('refused');
      expect(libraryComparisonResult).toBe('refused');
      return;
    }
    const rows = document.rows ?? document.metrics[0].rows;
    expect(rows.map(({ values }: { values: number[] }) => values)).toEqual(expectedJobs);
    expect(libraryComparisonResult).toEqual(expectedJobs);
    const singleRunResult = await runAndReadDocument('compare', path, ...commandWords, ...args);
    const singleRuns = [method, { discipline: OTHER_METHOD_NAME }].map(async (methodOptions) => {
      const { [METRIC_NAME]: value } = await runAndReadDocument(
        'simulate',
        path,
        ...formatOptionsAsCommandWords({ ...commonOptionsWithLoadMachine, ...methodOptions }),
      );
      return value;
    });
    const metricValues = singleRunResult.runs.map(
      ({ [METRIC_NAME]: value }: Record<string, number>) => value,
    );
    expect(metricValues.sort()).toEqual((await Promise.all(singleRuns)).sort());
  });
});

const RESULT_FOLDER_CASES = [
  { common: { 'offered-load': '1' }, methods: ['fcfs, load=2', 'easy'] },
  { common: { sites: '5,3', oversize: 'drop' }, methods: ['multi-site=larger-first', 'first-available'] },
  {
    common: { 'offered-load': '1' },
    methods: ['now: easy, sites=8', 'more: easy, sites=8,4', 'easy, estimates=exact'],
  },
  { common: { oversize: 'drop' }, methods: ['few: fcfs, sites=4', 'first-available, sites=6,2, speeds=1,2'] },
];

test.each(RESULT_FOLDER_CASES)('a folder says the same: $methods', async ({ common, methods }) => {
  const args = [
    path,
    ...formatOptionsAsCommandWords(common as OptionTexts),
    ...methods.flatMap((method) => ['--method', method]),
  ];
  for (const extraWords of [[], ['--replications=2']]) {
    const resultFolder = join(folder, `out-${extraWords.length}-${methods.join().replaceAll(/\W/g, '')}`);
    const outputWithoutFolder = await readOutputOfCompiledProgram('compare', ...args, ...extraWords);
    expect(
      await readOutputOfCompiledProgram('compare', ...args, ...extraWords, '--out', resultFolder),
    ).toEqual(outputWithoutFolder);
  }
});

test('the number of jobs of each method is told where it differs', async () => {
  const smallLogFile = join(folder, 'small.swf');
  const makeLogLine = (id: number, submit: number, width: number) =>
    `${id} ${submit} -1 10 ${width} -1 -1 ${width} 20 -1 1 1 1 -1 -1 -1 -1 -1`;
  writeFileSync(
    smallLogFile,
    `; MaxProcs: 12\n${[makeLogLine(1, 0, 2), makeLogLine(2, 0, 10), makeLogLine(3, 1, 3)].join('\n')}\n`,
  );
  const commandWords = ['--sites=4,8', '--speeds=2,1', '--oversize=drop'];
  const methods = ['--method', 'multi-site=larger-first', '--method', 'first-available'];
  const { stdout, stderr } = await runProgramInProcess([
    'compare',
    smallLogFile,
    ...commandWords,
    ...methods,
    '--json',
  ]);
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/do not have the same jobs.* 3, .* 2/);
  const { runs } = JSON.parse(stdout);
  expect(
    runs.map(({ jobs, averageResponseTime }: Record<string, number>) => [jobs, averageResponseTime]),
  ).toEqual(
    expect.arrayContaining([
      [2, 7.5],
      [3, 29 / 3],
    ]),
  );
});
