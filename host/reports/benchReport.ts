/** The report of what allocators cost: its tables, which a terminal shows too, and its figure. */
import { type BenchResult, type BenchRow, isTooNoisy, type RunRow } from '../bench/bench.js';
import type { Figure } from '../draw/figureModel.js';
import { csvLine } from '../format/csv.js';
import { formatNumber, formatPercent } from '../format/numbers.js';
import { filesBeside, type Report, reportOf } from '../view/report.js';
import type { Table, TableCell, TableColumn } from '../view/table.js';

/** Shih et al. 2010, Table 4: m sites, q waiting jobs. */
const PUBLISHED: Readonly<Record<string, string>> = {
  'best-fit': 'O(m)',
  'fastest-first': 'O(m)',
  si: 'O(m)',
  ti: 'O(m + q)',
  ai: 'O(mq)',
  ai2: 'O(mq)',
  tai: 'O(m + q + mq)',
  tai2: 'O(m + q + mq)',
};

const published = (policy: string) => PUBLISHED[policy.replace(/\[.*/, '')] ?? '';
const distinct = <T>(values: readonly T[]) => [...new Set(values)];
const heading = (title: string): TableColumn => ({ title, isHeading: true });
const METHODS = ['scan', 'index', 'function'] as const;

/** A table of times: a row for each policy and way of search, a column for each size. */
function timeTable(
  id: string,
  title: string,
  rows: readonly BenchRow[],
  sizeOf: (row: BenchRow) => number,
  word: string,
): Table {
  const sizes = distinct(rows.map(sizeOf));
  const find = (policy: string, method: string, size: number) =>
    rows.find((row) => row.policy === policy && row.method === method && sizeOf(row) === size);
  return {
    id,
    title,
    caption: '',
    columns: [
      heading('policy'),
      heading('search'),
      ...sizes.map(
        (size): TableColumn => ({
          title: `${formatNumber(size)} ${word}`,
          format: { style: 'fixed' },
        }),
      ),
    ],
    rows: distinct(rows.map(({ policy }) => policy)).flatMap((policy) =>
      METHODS.filter((method) => rows.some((row) => row.policy === policy && row.method === method)).map(
        (method): TableCell[] => [
          policy,
          method,
          ...sizes.map((size) => find(policy, method, size)?.nsPerDecision ?? null),
        ],
      ),
    ),
  };
}

function growthTable({ growth }: BenchResult): Table {
  const cell = (policy: string, method: string | undefined, of: string): TableCell => {
    const found = growth.find(
      (each) => each.policy === policy && (method ?? each.method) === each.method && each.in === of,
    );
    return found === undefined ? null : `${found.power.toFixed(2)} ± ${(found.power - found.low).toFixed(2)}`;
  };
  const methods = METHODS.filter((method) => growth.some((each) => each.method === method));
  const columns = methods.flatMap((method) => ['sites', 'queue'].map((of) => [method, of] as const));
  return {
    id: 'growth',
    title:
      'Growth: the power of the sites, of the queue or of the running jobs, with its 95 % interval, over the last two decades',
    caption: '',
    columns: [
      heading('policy'),
      { title: 'Shih et al. 2010' },
      ...columns.map(([method, of]): TableColumn => ({ title: `${method}, ${of}`, align: 'right' })),
      { title: 'running jobs', align: 'right' },
    ],
    rows: distinct(growth.map(({ policy }) => policy)).map((policy) => [
      policy,
      published(policy),
      ...columns.map(([method, of]) => cell(policy, method, of)),
      cell(policy, undefined, 'running'),
    ]),
  };
}

/** The axis of some sizes, with a tick at each. */
function sizeAxis(title: string, sizes: readonly number[]): Figure['x'] {
  const ticks = distinct(sizes).map((value) => ({ value, label: formatNumber(value) }));
  return { title, scale: 'log', ticks };
}

function figureOf(rows: readonly BenchRow[], queue: number): Figure {
  return {
    id: 'decisions',
    title: `A decision with ${formatNumber(queue)} waiting jobs`,
    caption: '',
    kind: 'line',
    x: sizeAxis(
      'sites',
      rows.map((row) => row.sites),
    ),
    y: { title: 'time per decision', unit: 'ns', scale: 'log' },
    bounds: 'quartiles',
    sharesY: true,
    panels: METHODS.filter((method) => rows.some((row) => row.method === method)).map((method) => ({
      title: method,
      series: distinct(rows.filter((row) => row.method === method).map(({ policy }) => policy)).map(
        (policy) => ({
          name: policy,
          points: rows
            .filter((row) => row.policy === policy && row.method === method)
            .map(({ sites, nsPerDecision, low, high }) => ({ x: sites, y: nsPerDecision, low, high })),
        }),
      ),
    })),
  };
}

/** Nanoseconds per job of whole runs: a row for each policy, a column for each number of running jobs. */
function runTable(runs: readonly RunRow[]): Table {
  const sizes = distinct(runs.map(({ running }) => running));
  return {
    id: 'runs',
    title: 'Nanoseconds per job of a whole run, five sites',
    caption: '',
    columns: [
      heading('policy'),
      ...sizes.map(
        (size): TableColumn => ({ title: `${formatNumber(size)} running`, format: { style: 'fixed' } }),
      ),
    ],
    rows: distinct(runs.map(({ policy }) => policy)).map((policy): TableCell[] => [
      policy,
      ...sizes.map(
        (size) => runs.find((row) => row.policy === policy && row.running === size)?.nsPerJob ?? null,
      ),
    ]),
  };
}

function runFigure(runs: readonly RunRow[]): Figure {
  return {
    id: 'runs',
    title: 'Whole runs on five sites',
    caption: '',
    kind: 'line',
    x: sizeAxis(
      'running jobs',
      runs.map(({ running }) => running),
    ),
    y: { title: 'time per job', unit: 'ns', scale: 'log' },
    bounds: 'quartiles',
    panels: [
      {
        title: '',
        series: distinct(runs.map(({ policy }) => policy)).map((policy) => ({
          name: policy,
          points: runs
            .filter((row) => row.policy === policy)
            .map(({ running, nsPerJob, low, high }) => ({ x: running, y: nsPerJob, low, high })),
        })),
      },
    ],
  };
}

/** The file of a folder of `bench` that holds its result. */
export const BENCH_FILE = 'bench.json';

/** Report of a benchmark: text, tables and figures. */
export function benchReport(result: BenchResult): Report {
  const { rows, runs, growth, machine, binary, noise } = result;
  const queue = Math.max(...rows.map((row) => row.queue));
  const sites = Math.max(...rows.map((row) => row.sites));
  const longest = rows.filter((row) => row.queue === queue);
  const largest = rows.filter((row) => row.sites === sites);
  const bySites = `Nanoseconds per decision, ${formatNumber(queue)} waiting jobs`;
  const byQueue = `Nanoseconds per decision, ${formatNumber(sites)} sites`;
  const spread = `Timings vary by ${formatPercent(noise)} (interquartile range / median).`;
  return reportOf({
    title: 'What decisions cost',
    description: isTooNoisy(result)
      ? `${spread} The machine is busy: differences between these times mean little.`
      : spread,
    source: 'Shih, Huang, Chung 2010, Table 4',
    tables: [
      timeTable('sites', bySites, longest, (row) => row.sites, 'sites'),
      timeTable('queue', byQueue, largest, (row) => row.queue, 'waiting'),
      runTable(runs),
      ...(growth.length > 0 ? [growthTable(result)] : []),
    ],
    figures: [figureOf(longest, queue), runFigure(runs)],
    environment: [
      { label: 'processor', value: `${machine.processor}, ${machine.cores} cores` },
      { label: 'system', value: `${machine.system}, Node ${machine.node}` },
      { label: 'core', value: binary },
    ],
    files: filesBeside({
      [BENCH_FILE]: 'all of it',
      'bench.csv': 'times of decisions',
      'runs.csv': 'times of whole runs',
    }),
  });
}

/** All times of decisions as CSV. */
export function benchCsv({ rows }: BenchResult): string {
  const head = ['policy', 'method', 'sites', 'queue', 'nsPerDecision', 'low', 'high'] as const;
  return [head, ...rows.map((row) => head.map((name) => row[name]))].map(csvLine).join('');
}

/** All times of whole runs as CSV. */
export function runsCsv({ runs }: BenchResult): string {
  const head = ['policy', 'running', 'nsPerJob', 'low', 'high'] as const;
  return [head, ...runs.map((row) => head.map((name) => row[name]))].map(csvLine).join('');
}
