import { expect, test } from 'vitest';
import { computeUniformNumberOfSeed } from '../../host/math/random.js';
import { evaluateStudyCheck, makeStudyFigure } from '../../host/reports/studyReport.js';
import { makeStudyTables } from '../../host/reports/studyTables.js';
import { sampleMoments } from '../../host/statistics/bootstrap.js';
import { estimateMean, studentQuantile } from '../../host/statistics/interval.js';
import {
  applySignToMeasuredValue,
  Evaluation,
  type MeasuredValue,
  shiftMeasuredValue,
  simultaneousBounds,
} from '../../host/study/evaluate.js';
import type { Plan, RunParameters } from '../../host/study/plan.js';
import { Results } from '../../host/study/results.js';
import { WORKLOAD_STATISTIC_NAMES } from '../../host/study/runValues.js';
import { isPublishedValueReproduced, parsePublishedNumber, parseStudy } from '../../host/study/study.js';
import type { DetailedCell, Table } from '../../host/view/table.js';

/** Tests the steps of a study from metrics to tables, with numbers small enough to compute by hand. */

const STUDY_TEMPLATE = `
title: T
kind: workloads
simulate: { workload: 'lublin99[jobs={s}]', filter: 'first={p}', rc: '{d}' }
axes: { s: [1, 2], p: [A, B, C] }
draws: { axis: d, count: 2, average: AVERAGE, shows: range }
measures:
  m: { metric: jobs, steps: STEPS, decimals: 3 }
tables:
  t: { title: T, measures: m, rows: ROWS, COLUMNS }
`;

/** Metric values by the axes s, p and draw. */
const METRIC_VALUES_BY_LABELS: Record<string, number> = {
  '1 A 1': 10,
  '1 A 2': 30,
  '1 B 1': 20,
  '1 B 2': 10,
  '1 C 1': 5,
  '1 C 2': 5,
  '2 A 1': 4,
  '2 A 2': 4,
  '2 B 1': 8,
  '2 B 2': 2,
  '2 C 1': 6,
  '2 C 2': 3,
};

/** Options of the workload. */
const WORKLOAD_SOURCE = { workload: 'lublin99[aarr=9,jobs=10,seed=1]' };

/** First table of a study with these values. */
async function tableOf(studyText: string): Promise<Table> {
  const study = await parseStudy(studyText, 's.yaml');
  const labelKeys = Object.keys(METRIC_VALUES_BY_LABELS);
  const studyPoints = labelKeys.map((key, runIndex) => {
    const [s, p, d] = key.split(' ');
    return { labels: [Number(s), p, Number(d)], run: runIndex };
  });
  const runParameters = { sites: [1] } as unknown as RunParameters;
  const runs = labelKeys.map((_, runIndex) => ({
    id: runIndex.toString(16).padStart(16, '0'),
    workload: 0,
    common: runParameters,
  }));
  const axes = ['s', 'p', 'd'];
  const plan = {
    axes,
    points: studyPoints,
    runs,
    metrics: [],
    sources: [WORKLOAD_SOURCE],
  } as unknown as Plan;
  const studyResults = new Results('workloads', plan);
  labelKeys.forEach((key, runIndex) => {
    studyResults.set(
      runIndex,
      WORKLOAD_STATISTIC_NAMES.map((_, i) => (i === 0 ? METRIC_VALUES_BY_LABELS[key] : 0)),
    );
  });
  return makeStudyTables(new Evaluation(study, plan, studyResults), study.tables[0])[0];
}

async function evaluateCells(
  average: string,
  stepsText: string,
  rowsText: string,
  columns = 'caption: none',
): Promise<DetailedCell[][]> {
  const studyText = STUDY_TEMPLATE.replace('AVERAGE', average)
    .replace('STEPS', stepsText)
    .replace('ROWS', rowsText)
    .replace('COLUMNS', columns);
  const table = await tableOf(studyText);
  return table.rows.map((cellRow) => cellRow.filter((cell) => typeof cell === 'object') as DetailedCell[]);
}

const listValuesWithLimits = (rows: DetailedCell[][]) =>
  rows.map((cellRow) => cellRow.map(({ value: cellValue, low, high }) => [cellValue, low, high]));

test('means over draws come before the steps, the range is that of single draws', async () => {
  // Values for s = 1: A 20, B 15, C 5; for s = 2: A 4, B 5, C 4.5. Improvement against the smaller
  // of A and B.
  const rows = await evaluateCells(
    'before',
    '[{ improvement: { over: p, on: [A, B], reference: oracle } }, { sum: s }]',
    'p',
  );
  expect(listValuesWithLimits(rows)).toEqual([[[-1 / 3, -3, 0]], [[-0.25, -2, 0]], [[2 / 3 - 0.125, 0, 0]]]);
});

test('with average after, the steps of each draw come before the mean', async () => {
  const rows = await evaluateCells(
    'after',
    '[{ improvement: { over: p, on: [A, B], reference: oracle } }, { sum: s }]',
    'p',
  );
  // Draw 1: A 0 + 0, B -1 - 1, C 0.5 - 0.5. Draw 2: A -2 - 1, B 0 + 0, C 0.5 - 0.5.
  expect(listValuesWithLimits(rows)).toEqual([[[-1.5, -3, 0]], [[-1, -2, 0]], [[0, 0, 0]]]);
});

test('improvement on the mean sums to zero', async () => {
  const [[a], [b], [c]] = await evaluateCells(
    'before',
    '[{ improvement: { over: p, on: mean } }, { sum: s }]',
    'p',
  );
  expect((a.value as number) + (b.value as number) + (c.value as number)).toBeCloseTo(0, 12);
});

test('geometric mean, least, most, deviation and standing', async () => {
  const [[a], [b], [c]] = await evaluateCells('before', '[{ geometricMean: s }]', 'p');
  [a, b, c].forEach(({ value: cellValue }, i) => {
    expect(cellValue).toBeCloseTo(Math.sqrt([20 * 4, 15 * 5, 5 * 4.5][i]), 9);
  });
  expect(
    listValuesWithLimits(await evaluateCells('before', '[{ least: p }]', 's')).map(([[value]]) => value),
  ).toEqual([5, 4]);
  expect(
    listValuesWithLimits(await evaluateCells('before', '[{ most: p }]', 's')).map(([[value]]) => value),
  ).toEqual([20, 5]);
  expect(
    listValuesWithLimits(await evaluateCells('before', '[{ deviation: s }]', 'p')).map(([[value]]) => value),
  ).toEqual([8, 5, 0.25]);
  const evaluateStanding = async (is: string, relativeMargin = 0.01) =>
    listValuesWithLimits(
      await evaluateCells(
        'before',
        `[{ standing: { over: p, of: C, is: [${is}], within: ${relativeMargin} } }]`,
        's',
      ),
    ).map(([[value]]) => value);
  expect(await evaluateStanding('best')).toEqual([1, 0]);
  expect(await evaluateStanding('close')).toEqual([0, 0]);
  expect(await evaluateStanding('close', 0.2)).toEqual([0, 1]);
  expect(await evaluateStanding('"best", "close"', 0.2)).toEqual([1, 1]);
});

test('several measures are side by side in each column; the best is sought along the axes named', async () => {
  const studyText = STUDY_TEMPLATE.replace('AVERAGE', 'before')
    .replace('STEPS', '[]')
    .replace('m: {', 'n: { metric: jobs, title: twice, unit: s, steps: [] }\n  m: {')
    .replace('measures: m', 'measures: [m, n]')
    .replace('ROWS', 's')
    .replace('COLUMNS', 'columns: p, emphasize: least, among: [s, p]');
  const { columns: tableColumns, rows: tableRows } = await tableOf(studyText);
  expect(tableColumns.map(({ title: columnTitle, unit: columnUnit }) => [columnTitle, columnUnit])).toEqual([
    ['s', undefined],
    ...['A', 'B', 'C'].flatMap((p) => [
      [`${p}, jobs`, undefined],
      [`${p}, twice`, 's'],
    ]),
  ]);
  const emphasisFlagsByRow = tableRows.map((cellRow) =>
    cellRow.slice(1).map((cell) => (cell as DetailedCell).isEmphasized ?? false),
  );
  expect(emphasisFlagsByRow).toEqual([
    [false, false, false, false, false, false],
    [true, true, false, false, false, false],
  ]);
});

test.each(['least', 'most'] as const)(
  'the %s of different measures are never compared',
  async (emphasize) => {
    const studyText = STUDY_TEMPLATE.replace('AVERAGE', 'before')
      .replace('STEPS', '[]')
      .replace('m: {', 'n: { metric: jobs, title: twice, unit: s, steps: [] }\n  m: {')
      .replace('measures: m', 'measures: [m, n]');
    // Rows with one value and a sum of each measure, and rows with several values of each.
    for (const [rows, otherKeys] of [
      ['[s, p]', 'among: [s, p], total: all'],
      ['[s, p]', 'among: p, total: all'],
      ['s', 'columns: p, total: all'],
      ['s', 'columns: p, among: p'],
    ]) {
      const columns = `emphasize: ${emphasize}, ${otherKeys}`;
      const table = await tableOf(studyText.replace('ROWS', rows).replace('COLUMNS', columns));
      const headingColumnCount = table.columns.filter(({ isHeading }) => isHeading).length;
      const cellValues = table.rows.map((cellRow) => cellRow.slice(headingColumnCount) as DetailedCell[]);
      const leastOrMostOf = emphasize === 'least' ? Math.min : Math.max;
      const comparedAxesText = /among: (\[.*?\]|\w+)/.exec(otherKeys)?.[1];
      cellValues.forEach((cellRow, rowIndex) => {
        const isTotalRow = otherKeys.includes('total') && rowIndex === cellValues.length - 1;
        cellRow.forEach(({ value: cellValue, isEmphasized = false }, column) => {
          const isInGroup = (otherRow: number, of: number) =>
            of % 2 === column % 2 &&
            (rows === 's' || isTotalRow
              ? otherRow === rowIndex
              : otherRow < 6 &&
                (comparedAxesText !== 'p' || Math.floor(otherRow / 3) === Math.floor(rowIndex / 3)));
          const cellsOfGroup = cellValues.flatMap((detailedCells, otherRow) =>
            detailedCells.filter((_, of) => isInGroup(otherRow, of)).map((cell) => cell.value as number),
          );
          expect(isEmphasized, `${columns}: ${rowIndex}, ${column}`).toBe(
            cellsOfGroup.length > 1 && cellValue === leastOrMostOf(...cellsOfGroup),
          );
        });
      });
    }
  },
);

test('columns and totals', async () => {
  const rows = await evaluateCells('before', '[]', 's', 'columns: p, total: all');
  expect(rows.map((cellRow) => cellRow.map(({ value: cellValue }) => cellValue))).toEqual([
    [20, 15, 5],
    [4, 5, 4.5],
    [24, 20, 9.5],
  ]);
});

test.each([
  [19.86, '19.8', true],
  [19.86, '19.9', true],
  [19.86, '19.7', false],
  [98.53, '98', true],
  [98.53, '99', true],
  [98.53, '97', false],
  [17.006, '17.00', true],
  [17.006, '17.02', false],
  [-4.734, '-473%', true],
  [-4.736, '-474%', true],
  [-4.734, '-475%', false],
  [0.29, '29%', true],
])('%d printed as %s: %j', (value, printedText, isReproduced) => {
  expect(isPublishedValueReproduced(value, parsePublishedNumber(printedText, 'here'))).toBe(isReproduced);
});

/** A study of twelve replications of two policies with two thresholds each, at two loads. */
const REPLICATED_STUDY_TEXT = `
title: T
kind: workloads
simulate: { workload: 'lublin99[jobs={load}]', filter: 'first={policy}', rc: '{threshold}' }
axes: { load: [1, 2], policy: [A, B], threshold: [x, y] }
replications: { count: 12 }
measures:
  m: { metric: jobs, steps: STEPS }
tables:
  t: { title: T, measures: m, rows: [load, policy] }
figures:
  f: { title: F, measure: m, x: load, series: policy, baseline: { axis: policy, label: A } }
checks:
  - { sentence: A below B, measure: m, axis: policy, ascending: [A, B], where: { load: 1 } }
  - { sentence: at least 5, measure: m, atLeast: 5 }
`;

/** Pseudo-random numbers from 0 to 1, the same for the same arguments. */
const pseudoRandomNoise = (replication: number, otherNumber: number) =>
  ((replication * 7 + otherNumber * 11) % 13) / 13;

const LOG = { workload: 'log.swf', replication: '1' };

/**
 * Metric values: for policy A, threshold x is much better in odd replications and worse in even
 * ones; for B, y is always a little better.
 */
function replicatedMetricValue(load: number, policy: string, threshold: string, replication: number): number {
  const alternatingSign = replication % 2 === 1 ? -3 : 3;
  const interaction = policy === 'A' ? (threshold === 'x' ? alternatingSign : 0) : threshold === 'x' ? 4 : 3;
  return 10 * load + interaction + pseudoRandomNoise(replication, load);
}

async function evaluateReplicatedStudy(
  stepsText: string,
  studyText = REPLICATED_STUDY_TEXT,
  studySource: Readonly<Record<string, string>> = LOG,
  policies: readonly string[] = ['A', 'B'],
  { loads = [1, 2], valueAt = replicatedMetricValue } = {},
): Promise<Evaluation> {
  const study = await parseStudy(studyText.replace('STEPS', stepsText), 's.yaml');
  const studyPoints: { labels: (string | number)[]; value: number }[] = [];
  for (const load of loads) {
    for (const policy of policies) {
      for (const threshold of ['x', 'y']) {
        for (let replication = 1; replication <= 12; replication++) {
          const cellValue = valueAt(load, policy, threshold, replication);
          studyPoints.push({ labels: [load, policy, threshold, replication], value: cellValue });
        }
      }
    }
  }
  const axes = ['load', 'policy', 'threshold', 'replication'];
  const runParameters = { sites: [1] } as unknown as RunParameters;
  const runs = studyPoints.map((_, runIndex) => ({
    id: runIndex.toString(16).padStart(16, '0'),
    workload: 0,
    common: runParameters,
  }));
  const plan = {
    axes,
    points: studyPoints.map(({ labels: pointLabels }, runIndex) => ({ labels: pointLabels, run: runIndex })),
    runs,
    metrics: [],
    sources: [studySource],
  } as unknown as Plan;
  const studyResults = new Results('workloads', plan);
  studyPoints.forEach(({ value: pointValue }, runIndex) => {
    studyResults.set(
      runIndex,
      WORKLOAD_STATISTIC_NAMES.map((_, i) => (i === 0 ? pointValue : 0)),
    );
  });
  return new Evaluation(study, plan, studyResults);
}

const valuesOf = (evaluation: Evaluation) =>
  new Map(
    evaluation
      .measure('m')
      .cells.map(({ labels: rowLabels, value: evaluatedValue }) => [rowLabels.join(' '), evaluatedValue]),
  );

test('the mean of replications has the 95 % interval of a mean', async () => {
  const evaluation = await evaluateReplicatedStudy('[{ mean: threshold }]');
  const cellValues = valuesOf(evaluation);
  const cellValue = cellValues.get('1 B');
  expect(cellValue?.draws).toHaveLength(12);
  const { mean, low, high } = estimateMean(cellValue?.draws as number[]);
  expect(cellValue).toMatchObject({ low, high });
  expect(cellValue?.value).toBeCloseTo(mean, 12);
  const [table] = makeStudyTables(evaluation, evaluation.study.tables[0]);
  expect(table.bounds).toBe('interval');
});

test('steps that are no means have intervals of resampled replications', async () => {
  const cellValues = valuesOf(
    await evaluateReplicatedStudy('[{ least: threshold }, { improvement: { over: policy, on: [A] } }]'),
  );
  const {
    value: measuredValue,
    low = NaN,
    high = NaN,
    draws: replicationValues = [],
  } = cellValues.get('1 B') as MeasuredValue;
  expect(low).toBeLessThan(measuredValue);
  expect(high).toBeGreaterThan(measuredValue);
  expect(high - low).toBeLessThan(Math.max(...replicationValues) - Math.min(...replicationValues));
  expect(cellValues.get('1 A')).toMatchObject({ value: 0, low: 0, high: 0 });
});

/** Generator of approximately normal numbers with mean 0 and deviation 1. */
function makeNormalGenerator(seed: number): () => number {
  let k = 0;
  return () =>
    Array.from({ length: 12 }, () => computeUniformNumberOfSeed(seed, ++k)).reduce(
      (sum, uniformNumber) => sum + uniformNumber,
      0,
    ) - 6;
}

test('an interval holds the known value of a mean, also for the least of equal means', async () => {
  const studyTextWithoutFigures = REPLICATED_STUDY_TEXT.replace(/figures:[\s\S]*checks:[\s\S]*$/, '')
    .replace('load: [1, 2]', 'load: [1, 2, 3, 4]')
    .replace('rows: [load, policy]', 'rows: [policy, threshold]');
  // All true means are 100, so that every improvement found is due to chance.
  const stepsText = '[{ improvement: { over: policy, on: [A, B], reference: oracle } }, { sum: load }]';
  let coveringIntervalCount = 0;
  let intervalCount = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const drawNormal = makeNormalGenerator(seed);
    const valueAt = () => 100 + drawNormal();
    const evaluation = await evaluateReplicatedStudy(stepsText, studyTextWithoutFigures, LOG, ['A', 'B'], {
      loads: [1, 2, 3, 4],
      valueAt,
    });
    for (const { low = NaN, high = NaN } of valuesOf(evaluation).values()) {
      coveringIntervalCount += Number(low <= 0 && high >= 0);
      intervalCount++;
    }
  }
  expect(intervalCount).toBe(240);
  // Intervals from the middle 95 % of the resamples would hold in about 45 %.
  expect(coveringIntervalCount / intervalCount).toBeGreaterThan(0.85);
});

test('what is chosen by the odd replications is judged by the even ones', async () => {
  const valuesOfLeastThreshold = valuesOf(
    await evaluateReplicatedStudy(
      '[{ least: threshold }]',
      REPLICATED_STUDY_TEXT.replace('count: 12', 'count: 12, average: after'),
    ),
  );
  const valuesOfChosenThreshold = valuesOf(
    await evaluateReplicatedStudy('[{ choose: { over: threshold } }]'),
  );
  const mean = (of: (replication: number) => boolean, load: number) => {
    const replications = Array.from({ length: 12 }, (_, i) => i + 1).filter(of);
    return (
      replications.reduce((sum, replication) => sum + pseudoRandomNoise(replication, load), 0) /
      replications.length
    );
  };
  const isEvenReplication = (replication: number) => replication % 2 === 0;
  // The minimum of each replication profits from chance; the chosen threshold does not.
  expect(valuesOfLeastThreshold.get('1 A')?.value).toBeCloseTo(10 - 1.5 + mean(() => true, 1), 9);
  expect(valuesOfChosenThreshold.get('1 A')?.value).toBeCloseTo(10 + 3 + mean(isEvenReplication, 1), 9);
  expect(valuesOfChosenThreshold.get('1 A')?.draws).toHaveLength(6);
  expect(valuesOfChosenThreshold.get('2 B')?.value).toBeCloseTo(20 + 3 + mean(isEvenReplication, 2), 9);
});

/**
 * Mean over replications of a function plus the noise at a load; replications without a value are
 * left out.
 */
function expectedMeanOfReplications(of: (replication: number) => number | undefined, load = 1): number {
  const valuesOfReplications = Array.from({ length: 12 }, (_, i) => i + 1).flatMap((replication) => {
    const replicationValue = of(replication);
    return replicationValue === undefined ? [] : [replicationValue + pseudoRandomNoise(replication, load)];
  });
  return (
    valuesOfReplications.reduce((sum, replicationValue) => sum + replicationValue, 0) /
    valuesOfReplications.length
  );
}

const STUDY_TEXT_AVERAGED_AFTER = REPLICATED_STUDY_TEXT.replace(
  'count: 12',
  'count: 12, average: after',
).replace(
  't: { title: T, measures: m, rows: [load, policy] }',
  't: { title: T, measures: m, rows: [load, policy, threshold] }',
);

test('an improvement on several labels is on the one that is better over the odd replications', async () => {
  const studyTextWithoutFigures = STUDY_TEXT_AVERAGED_AFTER.replace(/figures:[\s\S]*checks:[\s\S]*$/, '');
  const improvementStepTemplate = '[{ improvement: { over: threshold, on: [x, y]REFERENCE } }]';
  const valuesOfChosenThreshold = valuesOf(
    await evaluateReplicatedStudy(improvementStepTemplate.replace('REFERENCE', ''), studyTextWithoutFigures),
  );
  const valuesAgainstOracle = valuesOf(
    await evaluateReplicatedStudy(
      improvementStepTemplate.replace('REFERENCE', ', reference: oracle'),
      studyTextWithoutFigures,
    ),
  );
  const expectedRatioOfReplication = (replication: number) => 3 / (13 + pseudoRandomNoise(replication, 1));
  const evenReplications = [2, 4, 6, 8, 10, 12];
  // In the odd replications, A chooses x, which is worse than y by 3 in the even ones.
  expect(valuesOfChosenThreshold.get('1 A x')).toMatchObject({
    value: 0,
    draws: evenReplications.map(() => 0),
  });
  expect(valuesOfChosenThreshold.get('1 A y')?.draws).toEqual(
    evenReplications.map((r) => expect.closeTo(expectedRatioOfReplication(r), 12)),
  );
  expect(valuesOfChosenThreshold.get('1 B y')?.value).toBe(0);
  // No choice is better than the better threshold of each replication.
  expect(valuesAgainstOracle.get('1 A y')?.draws).toHaveLength(12);
  for (const { draws: replicationValues = [] } of valuesAgainstOracle.values())
    expect(Math.max(...replicationValues)).toBeLessThanOrEqual(0);
  const studyTextWithOneReplication = STUDY_TEXT_AVERAGED_AFTER.replace(
    /figures:[\s\S]*checks:[\s\S]*$/,
    '',
  ).replace('count: 12', 'count: 1');
  await expect(
    parseStudy(
      studyTextWithOneReplication.replace('STEPS', improvementStepTemplate.replace('REFERENCE', '')),
      's',
    ),
  ).resolves.toBeDefined();
});

test('what is tuned to one replication is judged by all others; selection is paired on the same ones', async () => {
  const studyText = STUDY_TEXT_AVERAGED_AFTER.replace(/tables:[\s\S]*$/, '').replace(
    'steps: STEPS }',
    'steps: [{ choose: { over: threshold } }] }\n  tuned: { metric: jobs, chosenOn: one, steps: [{ choose: { over: threshold } }] }\n  selection: { metric: jobs, less: m, steps: [{ least: threshold }] }\n  curse: { metric: jobs, less: tuned, steps: [{ least: threshold }] }',
  );
  const evaluation = await evaluateReplicatedStudy('', studyText);
  const measuredValueOfMeasure = (columnName: string) => {
    const { cells: evaluatedCells } = evaluation.measure(columnName);
    return evaluatedCells.find(({ labels: rowLabels }) => rowLabels.join(' ') === '1 A')
      ?.value as MeasuredValue;
  };
  // When an odd replication is judged, x is chosen: among the others, x is better by 3 in 5 odd
  // ones and worse by 3 in 6 even ones.
  const measuredValueOfTuned = measuredValueOfMeasure('tuned');
  expect(measuredValueOfTuned.value).toBeCloseTo(
    10 + (3 / 11) * 0.5 + expectedMeanOfReplications(() => 0),
    9,
  );
  expect(measuredValueOfTuned.draws).toHaveLength(12);
  expect(measuredValueOfTuned.low).toBeLessThan(measuredValueOfTuned.value);
  const {
    value: measuredValue,
    low = NaN,
    high = NaN,
    draws: replicationValues,
  } = measuredValueOfMeasure('curse');
  expect(measuredValue).toBeCloseTo(-1.5 - (3 / 11) * 0.5, 9);
  expect(replicationValues).toHaveLength(12);
  expect(low).toBeLessThan(measuredValue);
  expect(high).toBeLessThan(0);
  expect(measuredValueOfMeasure('selection')).toMatchObject({
    value: expect.closeTo(-3, 9),
    low: expect.closeTo(-3, 9),
  });
  expect(measuredValueOfMeasure('selection').draws).toHaveLength(6);
});

test('a measure to subtract must exist, have the same axes and be made of a metric alone', async () => {
  const refusalOf = (measures: string) =>
    parseStudy(REPLICATED_STUDY_TEXT.replace(/measures:[\s\S]*$/, `measures:\n${measures}`), 's.yaml');
  await expect(refusalOf('  m: { metric: jobs, less: n }\n')).rejects.toThrow(/line 8: unknown measure 'n'/);
  await expect(
    refusalOf('  m: { metric: jobs, less: n, steps: [{ mean: load }] }\n  n: { metric: jobs }\n'),
  ).rejects.toThrow("'m' has the axes policy, threshold, but 'n' has load, policy, threshold");
  await expect(refusalOf('  m: { metric: jobs, less: n }\n  n: { metric: jobs, less: m }\n')).rejects.toThrow(
    "'n' has another measure taken off itself",
  );
  await expect(
    refusalOf('  m: { metric: jobs, chosenOn: one, steps: [{ choose: { over: threshold } }] }\n'),
  ).rejects.toThrow('chosenOn: one needs replications with average: after');
});

test('bounds of many values together are wider, never narrower than those of each', async () => {
  const cellValue = valuesOf(await evaluateReplicatedStudy('[{ mean: threshold }]')).get(
    '1 A',
  ) as MeasuredValue;
  const widths = [1, 2, 10, 100].map((count) => {
    const { low, high } = simultaneousBounds(cellValue, count);
    return high - low;
  });
  expect(widths[0]).toBe((cellValue.high as number) - (cellValue.low as number));
  expect(widths).toEqual(widths.toSorted((a, b) => a - b));
  const { standardError } = sampleMoments(cellValue.draws as number[]);
  expect(widths[2]).toBeGreaterThanOrEqual(2 * studentQuantile(0.005, 11) * standardError);
});

test('a statement is contradicted where one setting surely is against it, and open where none is', async () => {
  const evaluateCheckVerdicts = async (checks: string) => {
    const studyText = REPLICATED_STUDY_TEXT.replace(/checks:[\s\S]*$/, `checks:\n${checks}`);
    const evaluation = await evaluateReplicatedStudy('[{ mean: threshold }]', studyText);
    return evaluation.study.checks.map((check) => evaluateStudyCheck(evaluation, check, []).verdict);
  };
  // The mean of A at load 1 is about 10.5, within half a unit.
  const makeCheckTextWithBound = (atLeast: number, location = '{ policy: A, load: 1 }') =>
    `  - { sentence: s, measure: m, where: ${location}, atLeast: ${atLeast} }\n`;
  expect(
    await evaluateCheckVerdicts(
      makeCheckTextWithBound(8) + makeCheckTextWithBound(10.3) + makeCheckTextWithBound(13),
    ),
  ).toEqual(['confirmed', 'open', 'contradicted']);
  expect(
    await evaluateCheckVerdicts(
      makeCheckTextWithBound(10.3, '{ policy: A }') + makeCheckTextWithBound(13, '{ policy: A }'),
    ),
  ).toEqual(['open', 'contradicted']);
});

test('a figure with a baseline shows paired differences', async () => {
  const evaluation = await evaluateReplicatedStudy('[{ choose: { over: threshold } }]');
  const { panels, y } = makeStudyFigure(evaluation, evaluation.study.figures[0]);
  expect(y.title).toBe('jobs, difference to A');
  expect(panels[0].series.map(({ name: seriesName }) => seriesName)).toEqual(['B']);
  // The noise is equal for both policies and cancels in their difference.
  const [{ y: difference, low = NaN, high = NaN }] = panels[0].series[0].points;
  expect(difference).toBeCloseTo(0, 9);
  expect(high - low).toBeCloseTo(0, 9);
});

test('the page of many series begins with differences, unless another figure has them', async () => {
  const firstOf = async (policies: string, figures: string) => {
    const studyText = REPLICATED_STUDY_TEXT.replace('policy: [A, B]', `policy: [${[...policies]}]`);
    const studyTextWithFigures = studyText.replace(/figures:\n.*\n/, `figures:\n${figures}`);
    const evaluation = await evaluateReplicatedStudy(
      '[{ choose: { over: threshold } }]',
      studyTextWithFigures,
      LOG,
      [...policies],
    );
    const { views = [], firstView = 0, panels } = makeStudyFigure(evaluation, evaluation.study.figures[0]);
    expect(panels).toEqual(views[0].panels);
    return views[firstView].y.title;
  };
  const cellValues = '  f: { title: F, measure: m, x: load, series: policy }\n';
  const differences =
    '  g: { title: G, measure: m, x: load, series: policy, baseline: { axis: policy, label: A } }\n';
  expect(await firstOf('ABCDEF', cellValues)).toBe('jobs, difference to A');
  expect(await firstOf('ABCDE', cellValues)).toBe('jobs');
  expect(await firstOf('ABCDEF', cellValues + differences)).toBe('jobs');
});

test('a check is confirmed, contradicted or open, with the number of replications', async () => {
  const evaluation = await evaluateReplicatedStudy('[{ mean: threshold }]');
  const [order, boundVerdict] = evaluation.study.checks.map((check) =>
    evaluateStudyCheck(evaluation, check, []),
  );
  expect(order).toMatchObject({ verdict: 'confirmed' });
  expect(order.evidence).toMatch(
    /^difference 3\.5.* \(95 % interval 2\..* to 4\..*\); in 12 of 12 copies of this log, shaken by ±30 s$/,
  );
  expect(boundVerdict.evidence).toBe(
    'confirmed in 4 of 4 settings by simultaneous 95 % confidence intervals, contradicted in 0, open in 0; holds in every setting at once in 12 of 12 copies of this log, shaken by ±30 s',
  );
});

test('no check is judged by too few replications: of a model by less than 20', async () => {
  const evaluation = await evaluateReplicatedStudy(
    '[{ mean: threshold }]',
    REPLICATED_STUDY_TEXT,
    WORKLOAD_SOURCE,
  );
  for (const check of evaluation.study.checks) {
    expect(evaluateStudyCheck(evaluation, check, [])).toMatchObject({
      verdict: 'open',
      evidence:
        'not judged below 20 replications; holds in every setting at once in 12 of 12 samples of this model with different seeds, for these parameters',
    });
  }
});

test('a value that is moved or turned keeps its resamples, and so the bounds that hold together', async () => {
  const evaluation = await evaluateReplicatedStudy('[{ least: threshold }]');
  const cellValue = valuesOf(evaluation).get('1 A') as MeasuredValue;
  expect(cellValue.resamples?.length).toBeGreaterThan(900);
  const { low, high } = simultaneousBounds(cellValue, 5);
  const boundsOfShiftedValue = simultaneousBounds(shiftMeasuredValue(cellValue, -3), 5);
  expect(boundsOfShiftedValue.low).toBeCloseTo(low - 3, 9);
  expect(boundsOfShiftedValue.high).toBeCloseTo(high - 3, 9);
  const boundsOfNegatedValue = simultaneousBounds(applySignToMeasuredValue(cellValue, -1), 5);
  expect([boundsOfNegatedValue.low, boundsOfNegatedValue.high]).toEqual([-high, -low]);
});

test('replications that nothing takes are the option of that name; both names at once are refused', async () => {
  const { parts: studyParts, draws } = await parseStudy(
    REPLICATED_STUDY_TEXT.replace('STEPS', '[{ mean: threshold }]'),
    's.yaml',
  );
  expect(studyParts[0].options.replication).toBe('{replication}');
  const replicationAxis = { count: 12, key: 'replications' };
  expect(draws).toEqual({ axis: 'replication', average: 'before', shows: 'interval', ...replicationAxis });
  const studyTextWithDrawsAndReplications = `${REPLICATED_STUDY_TEXT.replace('STEPS', '[]')}draws: { axis: d, count: 2 }\n`;
  await expect(parseStudy(studyTextWithDrawsAndReplications, 's.yaml')).rejects.toThrow(
    'draws is another name of replications',
  );
  const studyTextWithLateChoose = REPLICATED_STUDY_TEXT.replace(
    'STEPS',
    '[{ mean: policy }, { choose: { over: threshold } }]',
  );
  await expect(parseStudy(studyTextWithLateChoose, 's.yaml')).rejects.toThrow(
    'choose comes before all other steps',
  );
  const studyTextWithChooseStepOnly = REPLICATED_STUDY_TEXT.replace(
    'STEPS',
    '[{ choose: { over: threshold } }]',
  ).replace('count: 12', 'count: 1');
  await expect(parseStudy(studyTextWithChooseStepOnly, 's.yaml')).rejects.toThrow(
    'so there must be 2 or more',
  );
});
