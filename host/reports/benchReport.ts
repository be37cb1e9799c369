/** The report of what allocators cost: its tables, which a terminal shows too, and its figure. */
import { type BenchResult, type BenchRow, isTooNoisy } from '../bench/bench.js';
import type { Figure } from '../draw/figureModel.js';
import { csvLine, type Scalar } from '../format/csv.js';
import { formatNumber, formatPercent } from '../format/numbers.js';
import { groupBy } from '../lists.js';
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

/** A time measured for a policy at one size; `method` is its way of search, if there are several. */
interface Timing {
  readonly policy: string;
  readonly method?: BenchRow['method'];
  readonly size: number;
  readonly time: number;
  readonly low: number;
  readonly high: number;
}

const timingsOf = (rows: readonly BenchRow[], size: 'sites' | 'queue') =>
  rows.map(({ nsPerDecision: time, ...row }): Timing => ({ ...row, size: row[size], time }));

/** A table of times: a row for each policy and way of search, a column for each size. */
function timeTable(id: string, title: string, timings: readonly Timing[], word: string): Table {
  const sizes = distinct(timings.map(({ size }) => size));
  const rows = distinct(timings.map(({ policy }) => policy)).flatMap((policy) =>
    [...METHODS, undefined]
      .map((method) => timings.filter((each) => each.policy === policy && each.method === method))
      .filter(({ length }) => length > 0),
  );
  const hasMethods = timings.some(({ method }) => method !== undefined);
  return {
    id,
    title,
    caption: '',
    columns: [
      heading('policy'),
      ...(hasMethods ? [heading('search')] : []),
      ...sizes.map(
        (size): TableColumn => ({ title: `${formatNumber(size)} ${word}`, format: { style: 'fixed' } }),
      ),
    ],
    rows: rows.map((own): TableCell[] => [
      own[0]!.policy,
      ...(hasMethods ? [own[0]!.method ?? null] : []),
      ...sizes.map((size) => own.find((each) => each.size === size)?.time ?? null),
    ]),
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

/** A figure of times: a panel for each way of search, a line for each policy. */
function timeFigure(id: string, title: string, timings: readonly Timing[], x: string, y: string): Figure {
  const methods = [...METHODS, undefined].filter((method) => timings.some((each) => each.method === method));
  const ticks = distinct(timings.map(({ size }) => size)).map((value) => ({
    value,
    label: formatNumber(value),
  }));
  return {
    ...{ id, title, caption: '', kind: 'line' },
    x: { title: x, scale: 'log', ticks },
    y: { title: y, unit: 'ns', scale: 'log' },
    bounds: 'quartiles',
    sharesY: true,
    panels: methods.map((method) => {
      const own = groupBy(
        timings.filter((each) => each.method === method),
        ({ policy }) => policy,
      );
      const series = [...own].map(([name, times]) => ({
        name,
        points: times.map(({ size, time, low, high }) => ({ x: size, y: time, low, high })),
      }));
      return { title: method ?? '', series };
    }),
  };
}

export const BENCH_FILE = 'bench.json';

/** Report of a benchmark: text, tables and figures. */
export function benchReport(result: BenchResult): Report {
  const { rows, runs, growth, machine, binary, noise } = result;
  const queue = Math.max(...rows.map((row) => row.queue));
  const sites = Math.max(...rows.map((row) => row.sites));
  const longest = rows.filter((row) => row.queue === queue);
  const largest = rows.filter((row) => row.sites === sites);
  const ofRuns = runs.map(({ running: size, nsPerJob: time, ...run }): Timing => ({ ...run, size, time }));
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
      timeTable('sites', bySites, timingsOf(longest, 'sites'), 'sites'),
      timeTable('queue', byQueue, timingsOf(largest, 'queue'), 'waiting'),
      timeTable('runs', 'Nanoseconds per job of a whole run, five sites', ofRuns, 'running'),
      ...(growth.length > 0 ? [growthTable(result)] : []),
    ],
    figures: [
      timeFigure(
        'decisions',
        `A decision with ${formatNumber(queue)} waiting jobs`,
        timingsOf(longest, 'sites'),
        'sites',
        'time per decision',
      ),
      timeFigure('runs', 'Whole runs on five sites', ofRuns, 'running jobs', 'time per job'),
    ],
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

/** Rows as CSV, with a column for each key. */
function rowsCsv<Row>(rows: readonly Row[], keys: readonly (keyof Row & string)[]): string {
  return [keys, ...rows.map((row) => keys.map((key) => row[key] as Scalar))].map(csvLine).join('');
}

/** All times of decisions as CSV. */
export const benchCsv = ({ rows }: BenchResult) =>
  rowsCsv(rows, ['policy', 'method', 'sites', 'queue', 'nsPerDecision', 'low', 'high']);

/** All times of whole runs as CSV. */
export const runsCsv = ({ runs }: BenchResult) =>
  rowsCsv(runs, ['policy', 'running', 'nsPerJob', 'low', 'high']);
