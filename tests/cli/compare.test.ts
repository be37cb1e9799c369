import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compareCommand } from '../../host/cli/commands/compare.js';
import { coreFile } from '../../host/files/coreFile.js';
import { type OptionKey, optionNameOfKey } from '../../host/options/options.js';
import { RUN_OPTIONS } from '../../host/options/runOptions.js';
import { CLUSTER_ENGINE_OPTIONS } from '../../host/request/commandOptions.js';
import { JOB_METRICS } from '../../host/simulate/jobMetrics.js';
import { SCALAR_METRICS } from '../../host/simulate/summary.js';
import {
  formatOptionsAsCommandWords,
  OPTION_SAMPLES,
  type OptionTexts,
  LOG as SAMPLED,
  sampleSettingsOfOption,
} from '../ways/samples.js';
import { makeSwfRecord, runProgramInProcess } from './runProgram.js';

const SMALL_WORKLOAD_MODEL = 'lublin99[aarr=9,jobs=500,seed=2]';

/** The sites of Shih et al. 2010, on which policies differ. */
const GRID_WORDS = [
  '--sites=8,128,128,128,50',
  '--speeds=draw[sh=0.12,seed=1]',
  '--time-resolution=nearest',
] as const;

describe('gridalloc compare', () => {
  test('a method without promises has no value in metrics of promises, and no star', async () => {
    const commandWords = ['--sites', '128', '--estimates', 'exact', '--discipline', 'easy,conservative'];
    const { stdout } = await runProgramInProcess([
      'compare',
      SMALL_WORKLOAD_MODEL,
      ...commandWords,
      '--metric',
      'maxPromiseError,meanWait',
    ]);
    expect(stdout).toMatch(/^easy +- +[\d.,]+.*$/m);
    expect(stdout).toMatch(/^conservative +[\d.]+ +[\d.,]+.*$/m);
  });

  test('shows the eight methods and what to look at', async () => {
    const { exitCode, stdout, stderr } = await runProgramInProcess([
      'compare',
      SMALL_WORKLOAD_MODEL,
      ...GRID_WORDS,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const rows = ['best-fit', 'fastest-first', 'si', 'ti', 'ai', 'ai2', 'tai', 'tai2'];
    for (const policy of rows) expect(stdout).toMatch(new RegExp(`^${policy} +[\\d,.]+ +\\d.*%`, 'm'));
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'processors x speed: 8 x 1.244, 128 x 1.212, 128 x 1.393, 128 x 0.429, 50 x 0.875',
    );
    expect(stdout).toContain(`One sample: differences of a few percent may be chance`);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('To be more certain, add --replications 50.');
    expect(stdout).toContain('time resolution nearest');
    expect(stdout).not.toContain('NPIR');
    expect(
      (await runProgramInProcess(['compare', SMALL_WORKLOAD_MODEL, ...GRID_WORDS, '--npir'])).stdout,
    ).toMatch(/^method .* NPIR /m);
    for (const line of stdout.split('\n'))
      if (!line.includes('gridalloc')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('--json holds the grid and a run per policy', async () => {
    const { stdout } = await runProgramInProcess([
      'compare',
      SMALL_WORKLOAD_MODEL,
      ...GRID_WORDS,
      '--json',
      '--policy',
      'bf,ff,random',
    ]);
    const document = JSON.parse(stdout);
    expect(document.capacities).toEqual([8, 128, 128, 128, 50]);
    expect(document.runs).toHaveLength(3);
    const [bestFit, fastestFirst, random] = document.runs;
    const better = Math.min(bestFit.averageResponseTime, fastestFirst.averageResponseTime);
    expect(random.policy).toBe('random[seed=1]');
    expect(random.improvementRatio).toBe((better - random.averageResponseTime) / better);
    expect(random).not.toHaveProperty('nanosecondsPerJob');
    const timedSimulation = await runProgramInProcess([
      'compare',
      SMALL_WORKLOAD_MODEL,
      ...GRID_WORDS,
      '--json',
      '--policy',
      'bf,ff',
      '--bench',
    ]);
    expect(JSON.parse(timedSimulation.stdout).runs[0].nanosecondsPerJob).toBeGreaterThan(0);
  });

  test('--metric shows for one run any metric by which replications are judged', async () => {
    const allMetrics = [...SCALAR_METRICS, ...JOB_METRICS];
    const isMetricOfLog = (metricName: string) => /^user|^recorded/.test(metricName);
    const metricNames = allMetrics
      .filter(({ better: betterDirection }) => betterDirection !== undefined)
      .map(({ name: metricName }) => metricName);
    const metrics = [
      ...metricNames.filter((metricName) => !isMetricOfLog(metricName)),
      'p95Wait[class=short narrow]',
    ].join();
    const commandWords = ['compare', SMALL_WORKLOAD_MODEL, ...GRID_WORDS, '--policy', 'bf,random'];
    const { runs } = JSON.parse(
      (await runProgramInProcess([...commandWords, '--metric', metrics, '--json'])).stdout,
    );
    for (const [i, policy] of ['bf', 'random'].entries()) {
      const simulationCommand = ['simulate', SMALL_WORKLOAD_MODEL, ...GRID_WORDS];
      const summary = JSON.parse(
        (await runProgramInProcess([...simulationCommand, '--policy', policy, '--by', 'class', '--json']))
          .stdout,
      );
      const { p95Wait } = summary.classes.class.find(({ name }: { name: string }) => name === 'short narrow');
      const decisionEntries = Object.entries(summary.decisions).map(([name, decisionValue]) => [
        `decisions${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
        decisionValue,
      ]);
      const metricsOfSummary = {
        ...summary,
        ...summary.distribution,
        ...Object.fromEntries(decisionEntries),
      };
      const expectedMetrics = { ...metricsOfSummary, 'p95Wait[class=short narrow]': p95Wait };
      const metricEntries = Object.entries(runs[i].metrics);
      expect(metricEntries.map(([name]) => name).join()).toBe(metrics);
      expect(metricEntries).toEqual(metricEntries.map(([name]) => [name, expectedMetrics[name]]));
    }
    const { stdout } = await runProgramInProcess([...commandWords, '--metric', 'p95Wait,meanWait']);
    expect(stdout).toMatch(/^method +95th percentile of wait \[s\] +mean wait \[s\]$/m);
    expect(stdout).toMatch(/^best-fit +[\d,]+\.\d\d/m);
    for (const metricName of ['jobs', 'nope'])
      for (const extraWords of [[], ['--replications', '2']]) {
        const { exitCode, stderr } = await runProgramInProcess([
          ...commandWords,
          '--metric',
          metricName,
          ...extraWords,
        ]);
        expect(exitCode).toBe(2);
        expect(stderr).toMatch(/^gridalloc: (unknown )?metric '/);
      }
  });

  test('states the information that methods use if it differs', async () => {
    const policies = 'bf,dynamic[every=5,candidates=ti[slt=1]+bf]';
    const readKnowledgeShownFor = async (estimates: string) => {
      const { stdout } = await runProgramInProcess([
        'compare',
        SMALL_WORKLOAD_MODEL,
        ...GRID_WORDS,
        '--json',
        '--policy',
        policies,
        '--estimates',
        estimates,
      ]);
      return JSON.parse(stdout).runs.map(({ knowledge }: { knowledge: string }) => knowledge);
    };
    expect(await readKnowledgeShownFor('uniform:0.2:3')).toEqual(['no estimates', 'estimates (uniform:0.2)']);
    expect(await readKnowledgeShownFor('none')).toEqual(['no estimates', 'runtimes of ended jobs']);
    const resultWithEqualKnowledge = await runProgramInProcess([
      'compare',
      SMALL_WORKLOAD_MODEL,
      ...GRID_WORDS,
      '--policy',
      'bf,ff',
    ]);
    expect(resultWithEqualKnowledge.stdout).not.toMatch(/ uses\b/);
    const commandWords = [
      '--policy',
      'bf,dynamic',
      '--estimates',
      'exact',
      '--replications',
      '2',
      '--threads',
      '1',
    ];
    const { stdout: out } = await runProgramInProcess([
      'compare',
      'lublin99[aarr=9,jobs=100]',
      ...GRID_WORDS,
      ...commandWords,
    ]);
    expect(out).toMatch(/best-fit: no estimates; /);
    expect(out).toMatch(/dynamic: estimates \(exact\)/);
  });

  test('without a workload uses the settings of the paper except for given options', async () => {
    const headOf = async (...commandWords: string[]) => {
      const { stdout } = await runProgramInProcess(['compare', '--json', '--policy', 'bf', ...commandWords]);
      const { workload, capacities, speeds } = JSON.parse(stdout);
      return { workload, capacities, speeds };
    };
    const modelNotation = 'lublin99[aarr=9,jobs=30000,seed=1,processors=128]';
    expect(await headOf('--sites', '128,64')).toEqual({
      workload: modelNotation,
      capacities: [128, 64],
      speeds: [1, 1],
    });
    const { capacities, speeds } = await headOf();
    expect(capacities).toEqual([8, 128, 128, 128, 50]);
    expect(new Set(speeds).size).toBe(5);
  });

  const LOG = Array.from({ length: 60 }, (_, i) =>
    makeSwfRecord(i + 1, 20 * i, 50 + ((i * 37) % 90), 1 + (i % 7), 1),
  ).join('\n');
  const runComparisonForOutput = async (...commandWords: string[]) => {
    const { exitCode, stdout, stderr } = await runProgramInProcess(['compare', '-', ...commandWords], {
      input: `; MaxProcs: 8\n${LOG}`,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringContaining('gridalloc:') });
    return stdout;
  };
  const rowsOf = (compareOutputText: string) =>
    [...compareOutputText.matchAll(/^(\S+(?: {1,2}\S+)*?) {2,}[\d,]+\.\d /gm)].map(([, name]) => name.trim());

  test('a log runs on its own machine, where disciplines are compared', async () => {
    const outputText = await runComparisonForOutput('--estimates', 'exact');
    expect(outputText).toContain('1 site, processors x speed: 8 x 1\n');
    // Method names that are too wide for 80 columns continue on the next line.
    expect(outputText).toMatch(/^easy backfill .*\n {2}shortest/m);
    expect(rowsOf(outputText)).toEqual([
      ...['fcfs', 'first-available', 'sjf', 'easy', 'easy backfill', 'conservative'],
    ]);
    expect(rowsOf(await runComparisonForOutput())).toEqual(['fcfs', 'first-available']);
    expect(rowsOf(await runComparisonForOutput('--discipline', 'njf,fcfs', '--discipline', 'wjf'))).toEqual([
      'njf',
      'fcfs',
      'wjf',
    ]);
  });

  test('methods that use estimates are refused where no job requests a time', async () => {
    const logWithMachineSize = `; MaxProcs: 8\n${LOG}`;
    expect(
      await runProgramInProcess(['compare', '-', '--discipline', 'fcfs,easy'], { input: logWithMachineSize }),
    ).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('none of the 60 jobs requests a time'),
    });
  });

  test('on several sites policies are compared, each with each discipline that leaves it a choice', async () => {
    const sites = ['--sites', '8,8', '--speeds', '1,2', '--home', 'none', '--estimates', 'exact'];
    expect(rowsOf(await runComparisonForOutput(...sites))).toHaveLength(8);
    const outputText = await runComparisonForOutput(...sites, '--discipline', 'easy,fcfs');
    // The table has 9 rows; columns that do not fit into its width follow in a second table.
    expect(outputText.match(/^(?:easy|fcfs) /gm)).toHaveLength(18);
    expect(outputText).toMatch(/^easy +[\d,]+/m);
    expect(outputText).not.toContain('NPIR');
  });

  test('its sentences about best-fit and fastest-first are there only where both are compared', async () => {
    const sites = ['--sites', '8,8,8', '--home', 'none', '--oversize', 'drop', '--load', '2'];
    expect(await runComparisonForOutput(...sites)).toContain('Best-fit keeps room for wide jobs');
    const outputOfTwoPolicies = await runComparisonForOutput(...sites, '--policy', 'best-fit,worst-fit');
    expect(outputOfTwoPolicies).not.toContain('fastest-first');
    expect(outputOfTwoPolicies).not.toContain('FILE.swf');
  });

  test('every option that its help shows runs', async () => {
    const wordsByOption: Record<string, string[]> = {
      replications: ['--replications=2', '--threads=1'],
      method: ['--method=easy, order=wfp3', '--method=first-available'],
      metric: ['--metric=meanWait,utilization'],
      label: ['--discipline=fcfs,easy', '--label', 'easy=EASY'],
      'until-decided': ['--until-decided', '--replications=20', '--threads=1'],
      threads: ['--replications=2', '--threads=1'],
      'no-sharing': ['--no-sharing', '--replications=2', '--threads=1'],
      within: ['--within=2%', '--replications=2', '--threads=1'],
      'select-best': ['--select-best', '--within=20%', '--threads=1', '--discipline=fcfs,first-available'],
      by: ['--by=class,user', '--replications=2', '--threads=1'],
      bench: ['--bench'],
      npir: ['--npir'],
      scheduler: ['--scheduler=slurm'],
      core: [`--core=${fileURLToPath(coreFile('release'))}`],
      'policy-timeout': ['--policy-timeout=5'],
      json: ['--json'],
      quiet: ['--quiet'],
      verbose: ['--verbose'],
    };
    // Options of the Slurm engine are tested with a cluster elsewhere.
    const slurmOptionNames = [...Object.keys(CLUSTER_ENGINE_OPTIONS), 'out'];
    for (const optionName of Object.keys(compareCommand.options)) {
      if (slurmOptionNames.includes(optionName)) continue;
      const samples = OPTION_SAMPLES[optionName]?.settings.map(formatOptionsAsCommandWords) ?? [
        wordsByOption[optionName],
      ];
      for (const commandWords of samples) {
        const { exitCode, stderr } = await runProgramInProcess(['compare', '-', ...commandWords, '--quiet'], {
          input: SAMPLED,
        });
        expect({ words: commandWords, exitCode, stderr }).toEqual({
          words: commandWords,
          exitCode: 0,
          stderr: '',
        });
      }
    }
  });

  test('default methods that need estimates are left out where no job requests a time', async () => {
    const logWithoutRequestedTimes = LOG.replace(/^(\d+(?: \S+){7} )\S+/gm, '$1-1');
    const { exitCode, stderr } = await runProgramInProcess(['compare', '-'], {
      input: logWithoutRequestedTimes,
    });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'sjf, easy, easy backfill shortest and conservative are skipped: estimates are needed, but no job requests a time',
    );
  });

  test('default methods that an option rules out are left out, with a message', async () => {
    const logWithMachineSize = `; MaxProcs: 8\n${LOG}`;
    const leftOut = async (...commandWords: string[]) => {
      const { exitCode, stdout, stderr } = await runProgramInProcess(['compare', '-', ...commandWords], {
        input: logWithMachineSize,
      });
      expect(exitCode).toBe(0);
      return {
        rows: rowsOf(stdout),
        said: [...stderr.matchAll(/(?<=^|; )([^;\n]+) (?:is|are) skipped: /gm)].flatMap(([, names]) =>
          names.split(/, | and /),
        ),
      };
    };
    expect(await leftOut()).toEqual({
      rows: ['fcfs', 'first-available'],
      said: ['sjf', 'easy', 'easy backfill shortest', 'conservative'],
    });
    expect(await leftOut('--estimates', 'exact')).toMatchObject({ said: [] });
    expect(await leftOut('--estimates', 'exact', '--moldable', 'down')).toEqual({
      rows: ['fcfs', 'sjf'],
      said: ['first-available', 'easy', 'easy backfill shortest', 'conservative'],
    });
    expect(await leftOut('--estimates', 'none')).toMatchObject({
      said: ['sjf', 'easy', 'easy backfill shortest', 'conservative'],
    });
    const resultWithEstimatesNone = await runProgramInProcess(
      ['compare', '-', '--estimates', 'none', '--order', 'shortest'],
      {
        input: logWithMachineSize,
      },
    );
    expect(resultWithEstimatesNone).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('names of methods in gridalloc compare', () => {
  const RUN_OPTION_FLAGS = (Object.keys(RUN_OPTIONS) as OptionKey[])
    .map(optionNameOfKey)
    .filter((name) => name in OPTION_SAMPLES);

  /**
   * A `--method` value that contains those options of a sample that a method may set; the other
   * options stay separate words.
   */
  function words(sample: OptionTexts, omittedWord?: string): string {
    const methodOptions = Object.entries(sample).filter(
      ([name]) => RUN_OPTION_FLAGS.includes(name) && name !== omittedWord,
    );
    const { discipline = 'fcfs', ...otherFields } = Object.fromEntries(methodOptions);
    return Object.entries({ discipline, ...otherFields })
      .map(([name, text]) => `${name}=${text}`)
      .join(', ');
  }

  test.each(RUN_OPTION_FLAGS)('distinguish methods by --%s, also with a third method', async (name) => {
    for (const sample of sampleSettingsOfOption(name)) {
      const commonOptions = Object.entries(sample).filter(([each]) => !RUN_OPTION_FLAGS.includes(each));
      const methods = [words(sample), words(sample, name), 'discipline=njf'];
      if (methods[0] === methods[1]) continue;
      const options = methods.flatMap((method) => ['--method', method]);
      const args = [
        'compare',
        '-',
        ...options,
        ...formatOptionsAsCommandWords(Object.fromEntries(commonOptions)),
        '--json',
        '--quiet',
      ];
      const { exitCode, stdout, stderr } = await runProgramInProcess(args, { input: SAMPLED });
      // Without one of its options a sample may be invalid, or a method may equal the first.
      if (exitCode === 2 && /needs|are the same method/.test(stderr)) continue;
      expect({ exitCode, stderr }, args.join(' ')).toEqual({ exitCode: 0, stderr: '' });
      const metricNames: string[] = JSON.parse(stdout).runs.map((run: { name: string }) => run.name);
      expect(new Set(metricNames).size, metricNames.join('; ')).toBe(metricNames.length);
      const isOptionInMethodName = [sample[name], name.replaceAll('-', ' ')].some((text) =>
        metricNames[0].includes(text),
      );
      expect(
        isOptionInMethodName || metricNames[0] !== metricNames[1],
        `${name}: ${metricNames.join('; ')}`,
      ).toBe(true);
    }
  });
});

describe('methods of gridalloc compare', () => {
  const LOG = SAMPLED;
  const runComparison = (...commandWords: string[]) =>
    runProgramInProcess(['compare', '-', ...commandWords], { input: LOG });
  const methodNamesOf = (output: string) =>
    JSON.parse(output).runs.map(({ name: runName }: { name: string }) => runName);

  test('are all combinations of the values listed, except those that do not go together', async () => {
    const commandWords = [
      '--discipline',
      'easy,conservative',
      '--order',
      'submit,wfp3',
      '--order',
      'max(estimate, 9)',
    ];
    const { exitCode, stdout, stderr } = await runComparison(
      ...commandWords,
      '--backfill-order',
      'none,shortest',
      '--json',
    );
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      'options that do not apply are omitted; compared are conservative submit, conservative wfp3 and conservative max(estimate, 9) ' +
        'without --backfill-order: --backfill-order shortest needs --discipline easy, since it orders the jobs behind the one reservation\n',
    );
    const orders = ['', ' wfp3', ' max(estimate, 9)'];
    const easyMethodNames = orders.flatMap((order) => [`easy${order}`, `easy${order} backfill shortest`]);
    expect(methodNamesOf(stdout)).toEqual([
      ...easyMethodNames,
      ...orders.map((order) => `conservative${order}`),
    ]);
    const [, secondRun] = JSON.parse(stdout).runs;
    expect(secondRun).toMatchObject({ discipline: 'easy', options: { 'backfill-order': 'shortest' } });
  });

  test('have distinct names, in tables of 80 columns', async () => {
    const commandWords = [
      '--discipline',
      'easy,fcfs',
      '--order',
      'submit,estimate + 60 * processors',
      '--queue',
      'shared',
    ];
    for (const extraWords of [[], ['--replications', '20', '--threads', '1']]) {
      const { stdout } = await runComparison(
        ...commandWords,
        '--backfill-order',
        'none,shortest',
        ...extraWords,
      );
      expect(stdout).toMatch(/^(?:easy estimate |easy +[\d.]+.*\n {2}estimate )/m);
      for (const line of stdout.split('\n').filter((each) => !each.includes('gridalloc')))
        expect(line.length, line).toBeLessThanOrEqual(80);
    }
  });

  test.each([
    ['--method', 'easy, shortest', 'shortest may be order=shortest or backfill-order=shortest; say which'],
    ['--method', 'esy', "did you mean 'easy'?"],
    ['--method', 'easy, discipline=fcfs', 'gives discipline twice'],
    ['--method', 'easy, site=3', "unknown option of --method 'easy, site=3' 'site'"],
    ['--method', 'easy, filter=first=9', 'filter is the same for all methods, which simulate the same jobs'],
    ['--method', 'x: easy, offered-load=1', 'offered-load is the same for all methods'],
    ['--method', 'x: easy, replications=9', 'replications is the same for all methods'],
    ['--method', 'x:', '--method names nothing'],
    ['--method', 'easy, speeds=1,2', 'speeds: found 2 values for a grid of 1 site'],
    [
      '--estimates',
      'trace,exact',
      "expected one source; methods with different estimates are compared as --method 'easy",
    ],
    ['--method', ',', '--method names nothing'],
    ['--method', 'first-available, order=shortst', "did you mean 'shortest'?"],
    ['--method', './mine.js', 'say what ./mine.js is, as policy=./mine.js'],
    ['--method', 'fcfs, backfill-order=shortest', '--backfill-order shortest needs --discipline easy'],
    ['--method', 'load=1,-2', 'entry 2'],
    ['--order', 'submit,shortst', "did you mean 'shortest'?"],
    ['--queue', 'shared,one', "unknown value of --queue 'one'"],
  ])('%s %s is refused', async (name, value, sentence) => {
    const { exitCode, stderr } = await runComparison(name, value);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(exitCode).toBe(2);
  });

  test.each([
    [
      ['easy, order=wfp3', 'dynamic'],
      ['easy wfp3', 'fcfs dynamic'],
    ],
    [
      ['easy', 'fcfs'],
      ['easy', 'fcfs'],
    ],
    [
      ['ti[slt=1]', 'ti[slt=2]', 'best-fit'],
      ['ti[slt=1]', 'ti[slt=2]', 'best-fit'],
    ],
    [
      ['ti', 'tai'],
      ['ti', 'tai'],
    ],
  ])('%j have names that describe each', async (methods, names) => {
    const { stdout, stderr } = await runComparison(
      ...methods.flatMap((method) => ['--method', method]),
      '--json',
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).runs.map(({ name: runName }: { name: string }) => runName)).toEqual(names);
  });

  test('identical methods, and lists together with --method, are refused', async () => {
    expect(await runComparison('--method', 'easy', '--method', 'discipline=easy')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('methods 1 and 2 are the same method; give one of the two'),
    });
    expect(await runComparison('--method', 'easy', '--order', 'submit,widest')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--method names whole methods, --order submit,widest values of each'),
    });
  });
});

describe('gridalloc compare --select-best', () => {
  const MODEL = 'lublin99[aarr=9,jobs=300,seed=1]';
  const selectBestMethod = (...commandWords: string[]) =>
    runProgramInProcess([
      'compare',
      MODEL,
      ...GRID_WORDS,
      '--select-best',
      '--threads',
      '1',
      ...commandWords,
    ]);

  test('selects one method, and simulates only those that may still be the best', async () => {
    const { exitCode, stdout } = await selectBestMethod(
      '--within',
      '10%',
      '--policy',
      'best-fit,worst-fit,random',
      '--json',
    );
    expect(exitCode).toBe(0);
    const { selected, rows, simulations } = JSON.parse(stdout);
    const simulationCounts = rows.map(({ values }: { values: number[] }) => values.length);
    expect(rows.filter(({ isLeft }: { isLeft: boolean }) => isLeft)).toMatchObject([{ name: selected }]);
    expect(simulations).toBe(simulationCounts.reduce((sum: number, count: number) => sum + count));
    const largestCount = Math.max(...simulationCounts);
    const commandWords = ['--policy', 'best-fit,worst-fit,random', '--threads', '1', '--json'];
    const documentOfAll = JSON.parse(
      (
        await runProgramInProcess([
          'compare',
          MODEL,
          ...GRID_WORDS,
          ...commandWords,
          '--replications',
          `${largestCount}`,
        ])
      ).stdout,
    );
    for (const [i, { values }] of rows.entries())
      expect(values).toEqual(documentOfAll.rows[i].values.slice(0, simulationCounts[i]));
    const { stdout: text } = await selectBestMethod(
      '--within',
      '10%',
      '--policy',
      'best-fit,worst-fit,random',
    );
    expect(text.replaceAll('\n', ' ')).toContain(
      `${selected} is within 10 % of the best of 3 methods by average response time`,
    );
  });

  test('names the methods that are left where replications do not suffice', async () => {
    const { stdout } = await selectBestMethod(
      '--policy',
      'ai,ai2',
      '--within',
      '0.1%',
      '--replications',
      '20',
    );
    expect(stdout).toContain('2 methods may still be the best');
  });

  test.each([
    [['--until-decided'], '--select-best cannot be combined with --until-decided'],
    [['--metric', 'meanWait,maxWait'], 'goes by one metric'],
    [['--within', '0'], 'give --within above 0'],
    [['--replications', '5'], 'takes 20 replications first'],
  ])('%j is refused', async (commandWords, sentence) => {
    expect(await selectBestMethod(...commandWords)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(sentence),
    });
  });
});
