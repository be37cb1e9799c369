import { expect, test } from 'vitest';
import type { DetailedCell, ReportTable } from '../../host/draw/types.js';
import { studyTable } from '../../host/report/studyTables.js';
import { Evaluation } from '../../host/study/evaluate.js';
import type { Plan } from '../../host/study/plan.js';
import { isReproduced, publishedNumber } from '../../host/study/published.js';
import { parseStudy } from '../../host/study/read.js';
import { Results } from '../../host/study/resultTable.js';
import { PointTable, type RunParameters, RunTable } from '../../host/study/runTable.js';
import { WORKLOAD_METRICS } from '../../host/study/runValues.js';

/** Steps from metrics to tables, on numbers small enough to do by hand. */

const HEAD = `
title: T
kind: workloads
simulate: { workload: 'lublin99[jobs={s}]', filter: 'first={p}', rc: '{d}' }
axes: { s: [1, 2], p: [A, B, C] }
draws: { axis: d, count: 2, average: AVERAGE }
measures:
  m: { metric: jobs, steps: STEPS, decimals: 3 }
tables:
  t: { title: T, measures: m, rows: ROWS, COLUMNS }
`;

/** Values by s, p and draw. */
const VALUES: Record<string, number> = {
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

/** The first table of a study with these values. */
async function tableOf(text: string): Promise<ReportTable> {
  const study = await parseStudy(text, 's.yaml');
  const keys = Object.keys(VALUES);
  const points = keys.map((key, run) => {
    const [s, p, d] = key.split(' ');
    return { labels: [Number(s), p, Number(d)], run };
  });
  const parameters = { sites: [1] } as unknown as RunParameters;
  const runs = keys.map((_, run) => ({ id: run.toString(16).padStart(16, '0'), workload: 0, parameters }));
  const axes = ['s', 'p', 'd'];
  const tables = { points: PointTable.of(axes.length, points), runs: RunTable.of(runs) };
  const plan = { axes, ...tables } as unknown as Plan;
  const results = new Results(keys.length, WORKLOAD_METRICS.length);
  keys.forEach((key, run) => {
    results.set(
      run,
      WORKLOAD_METRICS.map((_, i) => (i === 0 ? VALUES[key] : 0)),
    );
  });
  return studyTable(new Evaluation(study, plan, results), study.tables[0]);
}

async function cells(
  average: string,
  steps: string,
  rows: string,
  columns = 'caption: none',
): Promise<DetailedCell[][]> {
  const text = HEAD.replace('AVERAGE', average)
    .replace('STEPS', steps)
    .replace('ROWS', rows)
    .replace('COLUMNS', columns);
  const table = await tableOf(text);
  return table.rows.map((row) => row.filter((cell) => typeof cell === 'object') as DetailedCell[]);
}

const triples = (rows: DetailedCell[][]) =>
  rows.map((row) => row.map(({ value, low, high }) => [value, low, high]));

test('means over draws come before the steps, the range is that of single draws', async () => {
  // s 1: A 20, B 15, C 5; s 2: A 4, B 5, C 4.5. Against the least of A and B.
  const rows = await cells('before', '[{ improvement: { over: p, on: [A, B] } }, { sum: s }]', 'p');
  expect(triples(rows)).toEqual([[[-1 / 3, -3, 0]], [[-0.25, -2, 0]], [[2 / 3 - 0.125, 0, 0]]]);
});

test('with average after, the steps of each draw come before the mean', async () => {
  const rows = await cells('after', '[{ improvement: { over: p, on: [A, B] } }, { sum: s }]', 'p');
  // Draw 1: A 0 + 0, B -1 - 1, C 0.5 - 0.5. Draw 2: A -2 - 1, B 0 + 0, C 0.5 - 0.5.
  expect(triples(rows)).toEqual([[[-1.5, -3, 0]], [[-1, -2, 0]], [[0, 0, 0]]]);
});

test('improvement on the mean sums to zero', async () => {
  const [[a], [b], [c]] = await cells('before', '[{ improvement: { over: p, on: mean } }, { sum: s }]', 'p');
  expect((a.value as number) + (b.value as number) + (c.value as number)).toBeCloseTo(0, 12);
});

test('least, most, deviation and standing', async () => {
  expect(triples(await cells('before', '[{ least: p }]', 's')).map(([[value]]) => value)).toEqual([5, 4]);
  expect(triples(await cells('before', '[{ most: p }]', 's')).map(([[value]]) => value)).toEqual([20, 5]);
  expect(triples(await cells('before', '[{ deviation: s }]', 'p')).map(([[value]]) => value)).toEqual([
    8, 5, 0.25,
  ]);
  const standing = async (is: string, within = 0.01) =>
    triples(
      await cells('before', `[{ standing: { over: p, of: C, is: [${is}], within: ${within} } }]`, 's'),
    ).map(([[value]]) => value);
  expect(await standing('best')).toEqual([1, 0]);
  expect(await standing('close')).toEqual([0, 0]);
  expect(await standing('close', 0.2)).toEqual([0, 1]);
  expect(await standing('"best", "close"', 0.2)).toEqual([1, 1]);
});

test('several measures stand side by side in each column; the best is sought along the axes that are named', async () => {
  const text = HEAD.replace('AVERAGE', 'before')
    .replace('STEPS', '[]')
    .replace('m: {', 'n: { metric: jobs, title: twice, unit: s, steps: [] }\n  m: {')
    .replace('measures: m', 'measures: [m, n]')
    .replace('ROWS', 's')
    .replace('COLUMNS', 'columns: p, emphasize: least, among: [s, p]');
  const { columns, rows } = await tableOf(text);
  expect(columns.map(({ title, unit }) => [title, unit])).toEqual([
    ['s', undefined],
    ...['A', 'B', 'C'].flatMap((p) => [
      [`${p}, jobs`, undefined],
      [`${p}, twice`, 's'],
    ]),
  ]);
  const marked = rows.map((row) => row.slice(1).map((cell) => (cell as DetailedCell).isEmphasized ?? false));
  expect(marked).toEqual([
    [false, false, false, false, false, false],
    [true, true, false, false, false, false],
  ]);
});

test('columns and totals', async () => {
  const rows = await cells('before', '[]', 's', 'columns: p, total: all');
  expect(rows.map((row) => row.map(({ value }) => value))).toEqual([
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
])('%d printed as %s: %j', (value, printed, expected) => {
  expect(isReproduced(value, publishedNumber(printed, 'here'))).toBe(expected);
});
