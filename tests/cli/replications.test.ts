import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { makeSwfRecord, runProgramInProcess } from './runProgram.js';

const MODEL = 'lublin99[aarr=9,jobs=400,seed=2]';

/** The sites of Shih et al. 2010, on which policies differ. */
const SITES = ['--sites=8,128,128,128,50', '--time-resolution=nearest'] as const;
const GRID_WORDS = [...SITES, '--speeds=draw[sh=0.12,seed=1]'] as const;
const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a command in this thread, which avoids the time that other threads take to start. */
const runCommandWithOneThread = (...commandWords: string[]) =>
  runProgramInProcess([...commandWords, '--threads', '1', '--quiet']);
const runAndReadDocument = async (...commandWords: string[]) =>
  JSON.parse((await runCommandWithOneThread(...commandWords, '--json')).stdout);

const findRowLeastBehind = (rows: readonly Row[]) => rows.find(({ behindObserved }) => behindObserved === 0)!;

interface Row {
  policy: string;
  discipline: string;
  order: string;
  mean: number;
  low: number;
  high: number;
  bestIn: number;
  verdict: string | null;
  couldBeBest: boolean | null;
  sameAs: number | null;
  behindObserved: number;
  behindLow: number;
  behindHigh: number;
  values: number[];
}

describe('one method', () => {
  const words = ['compare', MODEL, '--policy', 'best-fit', '--replications', '12'] as const;
  /** Pattern of words that appear only in comparisons of several methods. */
  const VERDICT_WORD_PATTERN = /identical|best in|behind|worse|undecided|✓|✗|joint limits/;

  test('is estimated, and compared with nothing: on the terminal, in JSON, in reports and tables', async () => {
    const { stdout } = await runCommandWithOneThread(...words);
    expect(stdout).toContain('There is only one method');
    expect(stdout).not.toMatch(VERDICT_WORD_PATTERN);
    const { judged, decided, rows } = await runAndReadDocument(...words);
    expect({ judged, decided, count: rows.length }).toEqual({ judged: false, decided: false, count: 1 });
    expect(rows[0].verdict).toBeNull();
    expect(rows[0].couldBeBest).toBeNull();
    expect(rows[0].behindLow).toBeNull();
    const folder = makeTemporaryFolder();
    await runGridalloc([...words, '--quiet', '--out', join(folder, 'one')]);
    for (const file of [
      'report.html',
      'methods.md',
      'tables/averageResponseTime.tex',
      'tables/averageResponseTime.csv',
    ])
      expect(readFileSync(join(folder, 'one', file), 'utf8'), file).not.toMatch(VERDICT_WORD_PATTERN);
  });
});

describe('compare --replications', () => {
  test('a row for each method, with intervals and differences to the best', async () => {
    const { replications, perturb, metric, rows } = await runAndReadDocument(
      'compare',
      MODEL,
      ...GRID_WORDS,
      '--replications',
      '12',
    );
    expect({ replications, perturb, metric }).toEqual({
      replications: 12,
      perturb: 'seeds',
      metric: 'averageResponseTime',
    });
    expect(rows).toHaveLength(8);
    expect(rows.reduce((sum: number, { bestIn }: Row) => sum + bestIn, 0)).toBeCloseTo(1, 12);
    const rowOfBestMethod = findRowLeastBehind(rows);
    for (const row of rows as Row[]) {
      expect(row.low).toBeLessThanOrEqual(row.mean);
      expect(row.high).toBeGreaterThanOrEqual(row.mean);
      expect(row.behindObserved).toBeCloseTo(row.mean - rowOfBestMethod.mean, 6);
      expect(row.values).toHaveLength(12);
      expect(row.values.reduce((sum, value) => sum + value, 0) / 12).toBeCloseTo(row.mean, 6);
      // Differences between methods are judged from 20 replications on.
      expect(row).toMatchObject({ verdict: null, couldBeBest: null, behindLow: null, behindHigh: null });
    }
    expect(rowOfBestMethod.behindObserved).toBe(0);
  });

  test('the replications are those that simulate --replication makes one by one', async () => {
    const { rows } = await runAndReadDocument(
      'compare',
      MODEL,
      ...GRID_WORDS,
      '--policy',
      'ff,ai2',
      '--replications',
      '3',
    );
    const summariesOfSingleRuns = await Promise.all(
      ['1', '2', '3'].map(async (r) => {
        const setting = [
          '--sites',
          '8,128,128,128,50',
          '--speeds',
          'draw[sh=0.12,seed=1]',
          '--policy',
          'ai2',
        ];
        const commandWords = [
          'simulate',
          MODEL,
          ...setting,
          '--time-resolution',
          'nearest',
          '--replication',
          r,
        ];
        return JSON.parse((await runProgramInProcess([...commandWords, '--json'])).stdout)
          .averageResponseTime;
      }),
    );
    expect(rows[1].mean).toBeCloseTo(
      (summariesOfSingleRuns[0] + summariesOfSingleRuns[1] + summariesOfSingleRuns[2]) / 3,
      9,
    );
  });

  test('two identical policies have no difference', async () => {
    const { rows } = await runAndReadDocument(
      'compare',
      MODEL,
      ...GRID_WORDS,
      '--policy',
      'ai2,tai2[slt=0]',
      '--replications',
      '10',
    );
    expect(rows[1]).toMatchObject({ behindObserved: 0, sameAs: 0 });
    expect(rows[0].sameAs).toBeNull();
  });

  test('verdicts from 20 samples of a model, and what they hold for', async () => {
    const commandWords = [
      'compare',
      MODEL,
      ...SITES,
      '--policy',
      'bf,random',
      '--speeds',
      '1,1,1,1,4',
      '--replications',
      '20',
    ];
    const { rows, judged, decided, within } = await runAndReadDocument(...commandWords);
    expect({ judged, decided, within }).toEqual({ judged: true, decided: true, within: 0.01 });
    const [bestRow, worse] = rows.toSorted((a: Row, b: Row) => a.mean - b.mean);
    expect(bestRow).toMatchObject({ verdict: 'best', couldBeBest: true });
    expect(worse).toMatchObject({ verdict: 'worse', couldBeBest: false });
    expect(worse.behindLow).toBeGreaterThan(0);
    expect(worse.behindHigh).toBeGreaterThan(worse.behindObserved);
    const { stdout } = await runCommandWithOneThread(...commandWords);
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /Among these 20 samples of this model with different seeds, for these parameters, [\w-]+ is the best; [\w-]+ is worse, by [\d.]+ to [\d.]+ %\./,
    );
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('--within moves the verdict, not the bounds', async () => {
    const commandWords = ['compare', MODEL, ...GRID_WORDS, '--policy', 'bf,ff', '--replications', '20'];
    const [defaultValue, wideMarginDocument] = [
      await runAndReadDocument(...commandWords),
      await runAndReadDocument(...commandWords, '--within', '99%'),
    ];
    expect(wideMarginDocument.rows.map(({ behindLow }: Row) => behindLow)).toEqual(
      defaultValue.rows.map(({ behindLow }: Row) => behindLow),
    );
    expect(wideMarginDocument.rows.map(({ verdict }: Row) => verdict)).toEqual(['best', 'best']);
  });

  test('several metrics, and those for which more is better', async () => {
    const { metrics, replications } = await runAndReadDocument(
      ...[
        'compare',
        MODEL,
        ...GRID_WORDS,
        '--policy',
        'bf,ff',
        '--replications',
        '5',
        '--metric',
        'meanWait,utilization',
      ],
    );
    expect(replications).toBe(5);
    expect(metrics.map(({ metric }: { metric: string }) => metric)).toEqual(['meanWait', 'utilization']);
    const [, { rows }] = metrics;
    const largestMeanOfRows = Math.max(...rows.map(({ mean }: Row) => mean));
    expect(findRowLeastBehind(rows).mean).toBe(largestMeanOfRows);
  });

  test('a verdict on drawn speeds concerns this grid unless each replication draws speeds', async () => {
    const commandWords = ['compare', MODEL, ...GRID_WORDS, '--policy', 'bf,ff', '--replications', '20'];
    const runAndReadOutput = async (...extraWords: string[]) =>
      (await runCommandWithOneThread(...commandWords, ...extraWords)).stdout.replaceAll(/\s+/g, ' ');
    const outputWithoutPerturbation = await runAndReadOutput();
    expect(outputWithoutPerturbation).toContain('processors x speed: 8 x 1.244, 128 x 1.212');
    expect(outputWithoutPerturbation).toMatch(/Among these 20 samples of this model [^.;]*, on this grid, /);
    expect(outputWithoutPerturbation).toContain(
      'its speeds are a single draw, draw[sh=0.12,seed=1]; --perturb speeds draws new ones',
    );
    const outputWithPerturbedSpeeds = await runAndReadOutput('--perturb', 'speeds');
    expect(outputWithPerturbedSpeeds).not.toMatch(/x speed: 8 x|on this grid/);
    expect(outputWithPerturbedSpeeds).toContain(
      'processors: 8, 128, 128, 128, 50; new speeds in each replication: draw[sh=0.12,seed=1]',
    );
    const args = [
      'compare',
      MODEL,
      ...SITES,
      '--speeds=1,1,1,1,4',
      '--policy',
      'bf,ff',
      '--replications',
      '20',
    ];
    expect((await runCommandWithOneThread(...args)).stdout).not.toMatch(/on\s+this\s+grid/);
  });

  test('--until-decided stops when none is undecided, or goes on to the end', async () => {
    const commandWords = [
      'compare',
      MODEL,
      ...SITES,
      '--load',
      '1.5',
      '--until-decided',
      '--replications',
      '50',
    ];
    const comparisonWithDecision = await runAndReadDocument(
      ...commandWords,
      '--policy',
      'bf,random',
      '--speeds',
      '1,1,1,1,4',
    );
    expect(comparisonWithDecision).toMatchObject({ decided: true, limits: 'anytime' });
    expect(comparisonWithDecision.replications).toBeLessThan(50);
    expect(comparisonWithDecision.rows.map(({ values }: Row) => values.length)).toEqual([
      comparisonWithDecision.replications,
      comparisonWithDecision.replications,
    ]);
    const comparisonWithoutDecision = await runAndReadDocument(
      ...commandWords,
      '--policy',
      'ai2,tai2',
      '--within',
      '0.01%',
    );
    expect(comparisonWithoutDecision).toMatchObject({
      decided: false,
      replications: 50,
      looks: [20, 30, 40, 50],
    });
  });

  const LOG = `; MaxProcs: 8\n${Array.from({ length: 80 }, (_, i) =>
    makeSwfRecord(i + 1, 20 * i, 50 + ((i * 37) % 90), 1 + (i % 7), 1, 200),
  ).join('\n')}`;

  test('a log is perturbed on its own machine, and the output names the question answered', async () => {
    const { exitCode, stdout } = await runProgramInProcess(
      ['compare', '-', '--replications', '12', '--threads', '1', '--quiet'],
      {
        input: LOG,
      },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('12 copies of this log, shaken by ±30 s');
    expect(stdout).toContain('Intervals are about this log alone');
    for (const methodName of ['fcfs', 'first-available', 'sjf', 'easy', 'conservative']) {
      expect(stdout).toMatch(new RegExp(`^${methodName} +[\\d,.]+ +[\\d,.]+ \\.\\. [\\d,.]+`, 'm'));
    }
    expect(stdout).toContain('Among these 12 copies of this log, shaken by ±30 s');
  });

  test('the parts of a log of several months are shown with its perturbed copies', async () => {
    const day = 86_400;
    const logLinesOfSeveralMonths = Array.from({ length: 600 }, (_, i) =>
      makeSwfRecord(
        i + 1,
        Math.floor((i * 130 * day) / 599),
        20_000 + ((i * 7919) % 90_000),
        1 + (i % 7),
        1,
        200_000,
      ),
    );
    const logText = `; MaxProcs: 8\n${logLinesOfSeveralMonths.join('\n')}`;
    const commandWords = [
      'compare',
      '-',
      '--discipline',
      'fcfs,easy,sjf',
      '--replications',
      '10',
      '--threads',
      '1',
      '--quiet',
    ];
    const { rows, spans, spanSeconds } = JSON.parse(
      (await runProgramInProcess([...commandWords, '--json'], { input: logText })).stdout,
    );
    expect({ spans, spanSeconds }).toEqual({ spans: 4, spanSeconds: (130 * day) / 4 });
    const spansOfBestMethod = rows.find((row: Row) => row.behindObserved === 0).spans;
    for (const { spans } of rows) {
      expect(spans.values).toHaveLength(4);
      const meanDifference = spans.values.reduce(
        (sum: number, value: number, i: number) => sum + value - spansOfBestMethod.values[i],
        0,
      );
      expect(spans.mean).toBeCloseTo(meanDifference / 4, 6);
      expect(spans.low).toBeLessThanOrEqual(spans.mean);
    }
    // The first block of the split log equals the log under `--filter` and `--rebase`.
    const wordsToSimulateFirstBlock = [
      'simulate',
      '-',
      '--filter',
      `time=0-${(130 * day) / 4 - 1}`,
      '--rebase',
      '--discipline',
      'easy',
    ];
    const { averageResponseTime } = JSON.parse(
      (await runProgramInProcess([...wordsToSimulateFirstBlock, '--json', '--quiet'], { input: logText }))
        .stdout,
    );
    expect(rows[1].spans.values[0]).toBe(averageResponseTime);
    const { stdout } = await runProgramInProcess(commandWords, { input: logText });
    expect(stdout).toContain('The 4 pieces of the log of 33 d each, unchanged, each by itself:');
    expect(stdout).toMatch(/^fcfs +\S+ % {2,}\S+ \.\. \S+ % {2,}\d$/m);
  });

  test.each([
    [['compare', MODEL, ...GRID_WORDS, '--replications', '1'], 'an interval needs 2 replications or more'],
    [['simulate', MODEL, '--replications', '1'], 'an interval needs 2 replications or more'],
    [
      ['compare', MODEL, ...GRID_WORDS, '--replications', '5', '--replication', '2'],
      'cannot be combined with --replication',
    ],
    [
      ['compare', MODEL, ...GRID_WORDS, '--replications', '5', '--metric', 'meanwait'],
      "did you mean 'meanWait'?",
    ],
    [
      ['compare', MODEL, ...GRID_WORDS, '--replications', '5', '--metric', 'jobs'],
      `metric 'jobs' has no better or worse`,
    ],
    [['compare', MODEL, ...GRID_WORDS, '--replications', '5', '--within', '1'], 'not a share below 1'],
    [['simulate', MODEL, '--replications', '5', '--policy', 'bf,ff'], 'compared by gridalloc compare'],
    [['compare', MODEL, ...GRID_WORDS, '--replications', 'many'], '--replications'],
  ])('%j is refused in one sentence', async (commandWords, sentence) => {
    const { exitCode, stderr, stdout } = await runProgramInProcess(commandWords);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

test('differences to a best mean of 0 are in the unit of the metric, in the terminal and in the report', async () => {
  const model = [
    'lublin99[jobs=150,aarr=11,processors=64]',
    '--sites',
    '64',
    '--discipline',
    'fcfs,first-available',
  ];
  const commandWords = ['compare', ...model, '--replications', '20', '--metric', 'p50Wait', '--threads', '1'];
  const { stdout } = await runProgramInProcess(commandWords);
  expect(stdout).toMatch(/^first-available +0 +0 \.\. 0 +best ✓ +−[\d,]+ +−[\d,]+ \.\. −[\d,]+ +\d+ %$/m);
  const folder = join(makeTemporaryFolder(), 'zero');
  expect(await runGridalloc([...commandWords, '--out', folder])).toMatchObject({ exitCode: 0 });
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  const [{ columns }] = report.tables;
  expect(columns.find(({ title: columnTitle }: { title: string }) => columnTitle === 'behind')).toMatchObject(
    { unit: 's' },
  );
  expect(JSON.stringify(report.figures[0].y)).not.toContain('percent');
});

test.each([[[]], [['--out']], [['--until-decided']]])(
  'a metric of a class without jobs compares nothing, which is said in a sentence: %j',
  async (extraWords) => {
    const model = ['lublin99[jobs=80,processors=64]', '--sites', '64', '--replications', '12'];
    const out = extraWords[0] === '--out' ? ['--out', join(makeTemporaryFolder(), 'out')] : extraWords;
    const args = ['--metric', 'meanWait,meanWait[user=nobody]', '--threads', '1'];
    const comparisonResult = await runGridalloc([
      'compare',
      ...model,
      '--discipline',
      'fcfs,first-available',
      ...args,
      ...out,
    ]);
    expect(comparisonResult.exitCode).toBe(2);
    expect(comparisonResult.stderr.trim().split('\n').at(-1)).toMatch(
      /^gridalloc: metric 'meanWait\[user=nobody\]': no job counts for it in replication 1,/,
    );
    if (extraWords.length > 0) return;
    const { exitCode, stdout } = await runGridalloc(['simulate', ...model, ...args]);
    expect({ exitCode, row: /^mean wait, user nobody .*$/m.exec(stdout)?.[0] }).toEqual({
      exitCode: 0,
      row: expect.stringMatching(/\[s\] +- +- +-$/),
    });
  },
);

describe('metrics of promises compare methods that make promises', () => {
  const commandWords = [
    'lublin99[jobs=60]',
    '--sites',
    '128',
    '--estimates',
    'exact',
    '--replications',
    '20',
  ];
  const args = ['--discipline', 'easy,conservative', '--metric', 'maxPromiseError'];

  test.each([
    ['over replications', []],
    ['until decided', ['--until-decided']],
    ['in a folder', ['--out', makeTemporaryFolder()]],
    ['selecting the best', ['--select-best']],
  ])('%s: a method without promises is refused in a sentence', async (_, extraWords) => {
    const { exitCode, stderr } = await runGridalloc([
      'compare',
      ...commandWords,
      ...args,
      ...extraWords,
      '--threads',
      '1',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr.trim().split('\n').at(-1)).toBe(
      "gridalloc: metric 'maxPromiseError': easy promises no start, so it cannot be compared by it; compare methods whose reservations are kept",
    );
  });

  test('for the unchanged jobs the value is shown where there is one, on the terminal and in a folder', async () => {
    const singleRunCommand = ['compare', ...commandWords.slice(0, -2), ...args];
    const { exitCode, stdout } = await runGridalloc([...singleRunCommand, '--out', makeTemporaryFolder()]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^easy +[-\u2013] *$/m);
    expect((await runGridalloc(singleRunCommand)).stdout).toMatch(/^easy +- *$/m);
  });

  test('a sweep has no value for such a method, and judges nothing', async () => {
    const out = makeTemporaryFolder();
    const sweep = ['--vary', 'discipline=easy,conservative', '--metric', 'maxPromiseError', '--out', out];
    const { exitCode, stderr } = await runGridalloc([
      'sweep',
      ...commandWords,
      ...sweep,
      '--threads',
      '1',
      '--quiet',
    ]);
    expect(exitCode, stderr).toBe(0);
    const { tables } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    const cells = tables[0].rows.map(([, cell]: [string, { value: number | null }]) => cell.value);
    expect(cells).toEqual([null, expect.any(Number)]);
    expect(tables).toHaveLength(1);
  });

  test('starts before the promised time are neither good nor bad', async () => {
    const wordsWithTwoMethods = [
      '--order',
      'submit,shortest',
      '--discipline',
      'conservative',
      '--metric',
      'meanPromiseError',
    ];
    const { exitCode, stderr } = await runGridalloc(['compare', ...commandWords, ...wordsWithTwoMethods]);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no better or worse'),
    });
  });
});

test('simulate --replications: every metric with its interval', async () => {
  const commandWords = ['simulate', MODEL, '--sites', '128,128,128', '--replications', '10'];
  const { metrics, policy, perturb } = await runAndReadDocument(...commandWords);
  expect({ policy, perturb }).toEqual({ policy: 'best-fit', perturb: 'seeds' });
  const response = metrics.find(({ metric }: { metric: string }) => metric === 'averageResponseTime');
  expect(response.low).toBeLessThan(response.mean);
  expect(response.standardDeviation).toBeGreaterThan(0);
  expect(response.values).toHaveLength(10);
  expect(response.values.reduce((sum: number, value: number) => sum + value, 0) / 10).toBeCloseTo(
    response.mean,
    6,
  );
  expect((await runCommandWithOneThread(...commandWords)).stdout).toMatch(
    /^average response time \[s\] +[\d,.]+ +\d+ h \d+ min +[\d,.]+ \.\. [\d,.]+/m,
  );
});

/** Starts the compiled program as a process, since its threads load the compiled package. */
function runCompiledProgramInChild(commandWords: readonly string[]) {
  return spawn(process.execPath, ['dist/cli/main.js', ...commandWords], { cwd: repositoryRoot });
}

test('any number of threads gives the same bytes', async () => {
  const outputsByThreadCount = await Promise.all(
    ['1', '3'].map(async (threads) => {
      const child = runCompiledProgramInChild([
        'compare',
        MODEL,
        ...GRID_WORDS,
        '--replications',
        '11',
        '--json',
        '--threads',
        threads,
      ]);
      let progressOutput = '';
      child.stdout.on('data', (chunk) => {
        progressOutput += chunk;
      });
      const [code] = await once(child, 'close');
      expect(code).toBe(0);
      return progressOutput;
    }),
  );
  expect(outputsByThreadCount[0]).toContain('"rows"');
  expect(outputsByThreadCount[1]).toBe(outputsByThreadCount[0]);
});

test.each(['1', '2'])('an interruption ends it with %s threads', async (threads) => {
  const child = runCompiledProgramInChild([
    ...['compare', 'lublin99[jobs=20000]', '--replications', '20000', '--threads', threads],
  ]);
  child.stderr.once('data', () => child.kill('SIGINT'));
  setTimeout(() => child.kill('SIGINT'), 4000).unref();
  const [code] = await once(child, 'close');
  expect(code).toBe(130);
});
