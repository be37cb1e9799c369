import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import {
  type ComparisonOptions,
  compare,
  judgeLogs,
  judgeMethods,
  makeTrace,
  parseTrace,
  replications,
  selectBest,
} from '../../host/index.js';
import { makeReplicatedComparisonDocument } from '../../host/reports/comparisonDocument.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';

/** The library's compare, replications and sweep must equal the commands to the last bit. */

const path = join(makeTemporaryFolder(), 'log.swf');
writeFileSync(path, LOG);
const MODEL = 'lublin99[jobs=150,processors=64]';

async function runAndReadDocument(...commandWords: string[]) {
  const { stdout, stderr, exitCode } = await runProgramInProcess([...commandWords, '--json', '--quiet']);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  const { format: _, ...document } = JSON.parse(stdout);
  return document;
}

/** The value after conversion to JSON and back. */
const convertThroughJson = (plainValue: unknown) => JSON.parse(JSON.stringify(plainValue));

const LIBRARY_AND_COMMAND_CASES: readonly (readonly [
  words: readonly string[],
  jobs: string,
  options: ComparisonOptions,
])[] = [
  [[path, '--replications', '12'], path, { replications: 12 }],
  [
    [path, '--replications', '25', '--metric', 'meanWait,makespan', '--within', '3%', '--load', '1.2'],
    path,
    { replications: 25, metrics: ['meanWait', 'makespan'], within: 0.03, load: 1.2 },
  ],
  [
    [path, '--replications', '20', '--method', 'easy, order=wfp3', '--method', 'sjf', '--warm-up', '5m'],
    path,
    { replications: 20, methods: ['easy, order=wfp3', { discipline: 'sjf' }], warmUp: '5m' },
  ],
  [
    [path, '--until-decided', '--replications', '60', '--perturb', 'resample[by=user,block=600,seed=1]'],
    path,
    { untilDecided: true, replications: 60, perturb: 'resample[by=user,block=600,seed=1]' },
  ],
  [
    [MODEL, '--sites', '64,64', '--speeds', '1,2', '--replications', '20', '--policy', 'ai2'],
    MODEL,
    { replications: 20, sites: [64, 64], speeds: '1,2', policy: 'ai2' },
  ],
  [
    [path, '--sites', '8,6', '--heterogeneity', '1,0.5', '--sort', '--replications', '10'],
    path,
    { replications: 10, sites: '8,6', heterogeneity: [1, 0.5], sort: true, dependencies: false },
  ],
  ['lublin99[jobs=60] --replications 20'.split(' '), 'lublin99[jobs=60]', { replications: 20 }],
  [
    [
      ...[path, '--replications', '12', '--offered-load', '0.9', '--method', 'now: easy, sites=8'],
      ...['--method', 'more: easy, sites=8,2', '--method', 'own: easy, estimates=recent'],
    ],
    path,
    {
      ...{ replications: 12, offeredLoad: 0.9 },
      methods: [
        'now: easy, sites=8',
        { name: 'more', discipline: 'easy', sites: [8, 2] },
        { name: 'own', discipline: 'easy', estimates: 'recent' },
      ],
    },
  ],
];

test('judgeLogs judges as compare of several logs does', async () => {
  const paths = Array.from({ length: 10 }, (_, i) => join(makeTemporaryFolder(), `log${i}.swf`));
  for (const [i, replicationValues] of paths.entries()) {
    // Submissions are delayed by an amount that grows with their time and differs between logs.
    const logTextWithDelayedSubmits = LOG.replace(
      /^(\d+) (\d+)/gm,
      (_, n, t) => `${n} ${Number(t) + (i * Number(t)) / 31}`,
    );
    writeFileSync(replicationValues, logTextWithDelayedSubmits);
  }
  const metrics = ['meanWait', 'averageResponseTime'];
  const commandWords = ['compare', ...paths, '--method', 'fcfs', '--method', 'first-available'];
  const document = await runAndReadDocument(...commandWords, '--metric', metrics.join(), '--within', '2%');
  const logs = document.logs.map(({ workload, values: logValues }: { workload: string; values: object }) => ({
    name: workload,
    values: metrics.map((name) => logValues[name as never]),
  }));
  const comparisonOfLogs = judgeLogs(logs, { metrics, within: 0.02 });
  const descriptions = comparisonOfLogs.metrics.map(({ judgement, values: metricValues }) =>
    judgement.methods.map(({ verdict, behind: differenceBounds }, i) => [
      verdict,
      differenceBounds?.low ?? null,
      metricValues[i],
    ]),
  );
  type Row = { verdict: string; behindLow: number; values: number[] };
  expect(descriptions).toEqual(
    document.metrics.map(({ rows: metricRows }: { rows: Row[] }) =>
      metricRows.map(({ verdict, behindLow, values }) => [verdict, behindLow, values]),
    ),
  );
  expect(comparisonOfLogs.metrics[0].judgement.isJudged).toBe(true);
});

test.each([
  [() => judgeLogs([{ name: 'a', values: [[1, 2]] }]), 'judgeLogs, logs: expected two logs or more'],
  [
    () => judgeLogs([1, 2].map((n) => ({ name: `${n}`, values: [Array(n).fill(1)] }))),
    'judgeLogs, logs[1], values: expected 1 by metric',
  ],
  [
    () => selectBest([[1, 2], [1]], { better: 'less', delta: 1, first: 2 }),
    'selectBest, samples[1]: expected 2 finite numbers or more',
  ],
  [
    () => selectBest([[1, 2]], { better: 'less', delta: 0, first: 2 }),
    'selectBest, delta: expected a number above 0, found 0',
  ],
  [
    () => selectBest([[1, 2]], { better: 'up' as 'less', delta: 1, first: 2 }),
    'selectBest, better: expected less or more, found up',
  ],
  [
    () => judgeMethods([[1, 2]], { better: 'up' as 'less' }),
    'judgeMethods, better: expected less or more, found up',
  ],
  [() => judgeMethods([[1, 2]], { beter: 'less' } as never), "did you mean 'better'?"],
  [
    () => judgeMethods([[1, 2], [1]], { better: 'less' }),
    'judgeMethods, samples[1]: expected 2 values, as samples[0] has, found 1',
  ],
  [
    () => judgeMethods([[1, 2]], { better: 'less', limits: 'all' as 'fixed' }),
    'judgeMethods, limits: expected fixed or anytime, found all',
  ],
])('%s', (call, sentence) => {
  expect(call).toThrow(sentence);
  expect(call).toThrow(InputError);
});

describe('compare', () => {
  test.each(LIBRARY_AND_COMMAND_CASES)('%j', async (commandWords, source, options) => {
    const document = await runAndReadDocument('compare', ...commandWords, '--threads', '1');
    const comparisonResult = await compare(source, { ...options, threads: 1 });
    expect(convertThroughJson(makeReplicatedComparisonDocument(comparisonResult, comparisonResult))).toEqual(
      document,
    );
    const rows = document.rows ?? document.metrics[0].rows;
    expect(comparisonResult.names).toEqual(rows.map(({ name }: { name: string }) => name));
    // The results must contain several verdicts, so that the comparison is meaningful.
    expect(rows.length).toBeGreaterThan(1 - Number(options.policy !== undefined));
  });

  test('a trace object is shaken like its log', async () => {
    const trace = parseTrace(LOG, { source: path });
    const [ofTrace, ofPath] = [
      await compare(trace, { replications: 10, threads: 1 }),
      await compare(path, { replications: 10, threads: 1 }),
    ];
    expect(ofTrace.metrics).toEqual(ofPath.metrics);
    expect(ofTrace.population.kind).toBe('shake');
  });

  test('three sets: best, worse, undecided', async () => {
    const { metrics } = await compare(path, { replications: 12, threads: 1, metrics: ['meanWait'] });
    const verdicts = metrics[0].judgement.methods.map(({ verdict }) => verdict);
    expect(new Set(verdicts).size).toBeGreaterThan(1);
    expect(
      metrics[0].judgement.methods.every(
        ({ behind: differenceBounds }) =>
          differenceBounds !== null && differenceBounds.low <= differenceBounds.high,
      ),
    ).toBe(true);
  });

  test('progress and cancellation', async () => {
    const completedCountsReported: number[] = [];
    await compare(path, {
      replications: 3,
      threads: 1,
      onProgress: (completedCount) => completedCountsReported.push(completedCount),
    });
    expect(completedCountsReported).toEqual([1, 2, 3]);
    const reason = new Error('enough');
    const promiseOfAbortedComparison = compare(path, {
      replications: 3,
      threads: 1,
      signal: AbortSignal.abort(reason),
    });
    await expect(promiseOfAbortedComparison).rejects.toBe(reason);
  });

  const jobs = makeTrace([{ submit: 0, runtime: 10, processors: 1 }]);
  test.each<[unknown, string]>([
    [{}, 'compare: give replications, such as 20, or untilDecided: true'],
    [{ replications: 1 }, 'compare, replications: expected a whole number of at least 2'],
    [{ replications: 2.5 }, 'compare, replications: expected a whole number'],
    [
      { replications: 10, replication: 2 },
      "unknown option of compare 'replication'; did you mean 'replications'?",
    ],
    [
      { replications: 10, metric: ['meanWait'] },
      "unknown option of compare 'metric'; did you mean 'metrics'?",
    ],
    [{ replications: 10, metrics: ['meanWiat'] }, "unknown metric 'meanWiat'; did you mean 'meanWait'?"],
    [{ replications: 10, metrics: 'meanWait' }, "compare, metrics: expected an array, found 'meanWait'"],
    [{ replications: 10, methods: [] }, 'compare, methods: expected an array that is not empty'],
    [{ replications: 10, methods: [3] }, 'compare, methods: expected an object, found 3'],
    [{ replications: 10, methods: ['esay'] }, "compare, methods 'esay': esay is not a discipline"],
    [{ replications: 10, methods: [{ filter: 'first=3' }] }, "unknown option of a method 'filter'"],
    [{ replications: 10, methods: [{ name: 'a' }, { name: 'a', sites: [9] }] }, "two methods are called 'a'"],
    [
      {
        ...{ replications: 10, sites: [8, 8, 8], speeds: 'draw[sh=0.1,seed=1]', perturb: 'speeds' },
        methods: [{}, { sites: [9] }],
      },
      "perturb: 'speeds' draws the speeds of one grid",
    ],
    [{ replications: 10, methods: ['fcfs', { discipline: 'fcfs' }] }, 'are the same method'],
    [
      { replications: 10, policy: () => 1 },
      'policy: expected a text, a number, true, false or a list, found a function',
    ],
    [{ replications: 10, discipline: 'fcfs', select: 'optimal', methods: [{}] }, "select: 'optimal' needs"],
    [{ replications: 10, threads: 0 }, 'compare, threads: expected a whole number of at least 1'],
    [{ replications: 10, within: 2 }, 'compare, within: expected a number'],
  ])('refuses %j', async (options, sentence) => {
    const promiseOfRefusedComparison = compare(jobs, options as ComparisonOptions);
    await expect(promiseOfRefusedComparison).rejects.toThrow(InputError);
    await expect(promiseOfRefusedComparison).rejects.toThrow(sentence);
  });
});

test.each([
  [[path, '--discipline', 'easy'], path, { discipline: 'easy' }] as const,
  [
    [path, '--sites', '8,6', '--policy', 'ti', '--kill', 'at-estimate'],
    path,
    { sites: [8, 6], policy: 'ti', kill: 'at-estimate' },
  ] as const,
  [[MODEL, '--sites', '64', '--offered-load', '0.7'], MODEL, { sites: [64], offeredLoad: 0.7 }] as const,
])('replications %j', async (words, source, options) => {
  const document = await runAndReadDocument('simulate', ...words, '--replications', '10', '--threads', '1');
  const { metrics, population } = await replications(source, { ...options, replications: 10, threads: 1 });
  expect(population.perturb).toBe(document.perturb);
  expect(
    convertThroughJson(
      metrics.map(({ name: metricName, values: metricValues, estimate: { method, ...estimate } }) => ({
        metric: metricName,
        ...estimate,
        values: metricValues,
        interval: method,
      })),
    ),
  ).toEqual(document.metrics);
  for (const { values: metricValues, estimate } of metrics) {
    expect(metricValues.length).toBe(10);
    expect(estimate.mean).toBeCloseTo(metricValues.reduce((sum, metricValue) => sum + metricValue) / 10, 6);
  }
});

describe('sweep', async () => {
  // The threads load the built package.
  const builtLibraryLocation = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href;
  const { sweep }: typeof import('../../host/index.js') = await import(builtLibraryLocation);

  /** Values of results.csv by the labels of their axes. */
  function valuesOf(resultFolder: string, axes: number, metric: string): Record<string, number[]> {
    const [headerCells, ...lines] = readFileSync(join(resultFolder, 'results.csv'), 'utf8')
      .trim()
      .split('\n')
      .map((line) =>
        Array.from(line.matchAll(/"([^"]*)"|[^,]+/g), ([word, unquotedWord = word]) => unquotedWord),
      );
    const valuesByMethod: Record<string, number[]> = {};
    for (const line of lines) {
      const axisLabels = line.slice(0, axes).join(' ');
      valuesByMethod[axisLabels] = [
        ...(valuesByMethod[axisLabels] ?? []),
        Number(line[headerCells.indexOf(metric)]),
      ];
    }
    return valuesByMethod;
  }

  test.each([
    [
      ['--vary', 'load=1,1.5', '--vary', 'discipline=fcfs,easy'],
      { vary: { load: [1, 1.5], discipline: ['fcfs', 'easy'] } },
      path,
    ],
    [
      ['--vary', 'max-width=2..4', '--warm-up', '100', '--sites', '8'],
      { vary: { maxWidth: '2..4' }, warmUp: 100, sites: [8] },
      path,
    ],
    [['--vary', 'sites+speeds=64:1;64,64:1,2'], { vary: { 'sites+speeds': ['64:1', '64,64:1,2'] } }, MODEL],
  ] as const)('%j', async (words, options, source) => {
    const resultFolder = join(makeTemporaryFolder(), 'out');
    const metrics = ['meanWait', 'utilization'];
    const args = ['sweep', source, ...words, '--metric', metrics.join(), '--out', resultFolder, '--quiet'];
    expect(await runGridalloc([...args, '--threads', '1'])).toMatchObject({ exitCode: 0, stderr: '' });
    const { values: sweepValues } = await sweep(source, { ...options, metrics, threads: 1 });
    for (const metric of metrics) {
      const { axes, cells: evaluatedCells } = sweepValues[metric];
      const valueListByLabels = Object.fromEntries(
        evaluatedCells.map(({ labels: rowLabels, value: evaluatedValue }) => [
          rowLabels.join(' '),
          [evaluatedValue.value],
        ]),
      );
      expect(Object.keys(valueListByLabels).length).toBeGreaterThan(1);
      expect(valueListByLabels).toEqual(valuesOf(resultFolder, axes.length, metric));
    }
  });

  test('a sweep gives its values by the names of metrics, of classes too', async () => {
    const metrics = ['meanWait', 'p95Wait[class=short narrow]'];
    const { values: sweepValues } = await sweep('lublin99[jobs=100]', {
      sites: [128],
      vary: { load: [1, 2] },
      metrics,
      threads: 1,
    });
    expect(Object.keys(sweepValues)).toEqual(metrics);
  });
});
