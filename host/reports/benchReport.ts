/** Report on the cost of allocation decisions: tables, also for the terminal, and a figure. */
import { type BenchResult, type BenchRow, isTimingTooNoisy } from '../bench/bench.js';
import type { Figure } from '../draw/figureModel.js';
import { formatCsvLine, type ResultTableValue } from '../format/csv.js';
import { formatNumber, formatPercent } from '../format/numbers.js';
import { groupBy } from '../lists.js';
import { describeReportFiles, makeReportOfSections, type Report } from '../view/report.js';
import type { Table, TableCell, TableColumn } from '../view/table.js';

/** Published cost of each policy by Shih et al. 2010, Table 4, for m sites and q waiting jobs. */
const PUBLISHED_DECISION_COSTS: Readonly<Record<string, string>> = {
  'best-fit': 'O(m)',
  'fastest-first': 'O(m)',
  si: 'O(m)',
  ti: 'O(m + q)',
  ai: 'O(mq)',
  ai2: 'O(mq)',
  tai: 'O(m + q + mq)',
  tai2: 'O(m + q + mq)',
};

const findPublishedDecisionCost = (policyText: string) =>
  PUBLISHED_DECISION_COSTS[policyText.replace(/\[.*/, '')] ?? '';
const sortDistinctValues = <T>(values: readonly T[]) => [...new Set(values)];
const makeHeadingColumn = (title: string): TableColumn => ({ title, isHeading: true });
const BENCH_SEARCH_METHODS = ['scan', 'index', 'function'] as const;

/**
 * Measured time per decision of a policy at one size; `method` is the search method, if the policy has
 * several.
 */
interface MeasuredDecisionTime {
  readonly policy: string;
  readonly method?: BenchRow['method'];
  readonly size: number;
  readonly time: number;
  readonly low: number;
  readonly high: number;
}

const toMeasuredDecisionTimes = (benchRows: readonly BenchRow[], sizeKey: 'sites' | 'queue') =>
  benchRows.map(
    ({ nsPerDecision: time, ...row }): MeasuredDecisionTime => ({ ...row, size: row[sizeKey], time }),
  );

/** Table of decision times: a row per policy and search method, a column per size. */
function makeDecisionTimeTable(
  id: string,
  title: string,
  measuredTimings: readonly MeasuredDecisionTime[],
  unitNoun: string,
): Table {
  const sizes = sortDistinctValues(measuredTimings.map(({ size }) => size));
  const rows = sortDistinctValues(measuredTimings.map(({ policy: policyText }) => policyText)).flatMap(
    (policy) =>
      [...BENCH_SEARCH_METHODS, undefined]
        .map((searchMethod) =>
          measuredTimings.filter((timing) => timing.policy === policy && timing.method === searchMethod),
        )
        .filter(({ length }) => length > 0),
  );
  const hasSearchMethods = measuredTimings.some(({ method: searchMethod }) => searchMethod !== undefined);
  return {
    id,
    title,
    caption: '',
    columns: [
      makeHeadingColumn('policy'),
      ...(hasSearchMethods ? [makeHeadingColumn('search')] : []),
      ...sizes.map(
        (size): TableColumn => ({ title: `${formatNumber(size)} ${unitNoun}`, format: { style: 'fixed' } }),
      ),
    ],
    rows: rows.map((timingsOfRow): TableCell[] => [
      timingsOfRow[0]!.policy,
      ...(hasSearchMethods ? [timingsOfRow[0]!.method ?? null] : []),
      ...sizes.map((size) => timingsOfRow.find((timing) => timing.size === size)?.time ?? null),
    ]),
  };
}

function makeCostGrowthTable({ growth }: BenchResult): Table {
  const makeCell = (policyText: string, methodName: string | undefined, quantityTitle: string): TableCell => {
    const growthRow = growth.find(
      (costGrowth) =>
        costGrowth.policy === policyText &&
        (methodName ?? costGrowth.method) === costGrowth.method &&
        costGrowth.in === quantityTitle,
    );
    return growthRow === undefined
      ? null
      : `${growthRow.power.toFixed(2)} ± ${(growthRow.power - growthRow.low).toFixed(2)}`;
  };
  const searchMethods = BENCH_SEARCH_METHODS.filter((searchMethod) =>
    growth.some((costGrowth) => costGrowth.method === searchMethod),
  );
  const columns = searchMethods.flatMap((searchMethod) =>
    ['sites', 'queue'].map((quantityTitle) => [searchMethod, quantityTitle] as const),
  );
  return {
    id: 'growth',
    title:
      'Growth: the power of the sites, of the queue or of the running jobs, with its 95 % interval, over the last two decades',
    caption: '',
    columns: [
      makeHeadingColumn('policy'),
      { title: 'Shih et al. 2010' },
      ...columns.map(
        ([searchMethod, quantityTitle]): TableColumn => ({
          title: `${searchMethod}, ${quantityTitle}`,
          align: 'right',
        }),
      ),
      { title: 'running jobs', align: 'right' },
    ],
    rows: sortDistinctValues(growth.map(({ policy: policyText }) => policyText)).map((policy) => [
      policy,
      findPublishedDecisionCost(policy),
      ...columns.map(([searchMethod, quantityTitle]) => makeCell(policy, searchMethod, quantityTitle)),
      makeCell(policy, undefined, 'running'),
    ]),
  };
}

/** Figure of decision times: a panel per search method, a line per policy. */
function makeDecisionTimeFigure(
  id: string,
  title: string,
  measuredTimings: readonly MeasuredDecisionTime[],
  xTitle: string,
  yTitle: string,
): Figure {
  const searchMethods = [...BENCH_SEARCH_METHODS, undefined].filter((searchMethod) =>
    measuredTimings.some((timing) => timing.method === searchMethod),
  );
  const ticks = sortDistinctValues(measuredTimings.map(({ size }) => size)).map((size) => ({
    value: size,
    label: formatNumber(size),
  }));
  return {
    ...{ id, title, caption: '', kind: 'line' },
    x: { title: xTitle, scale: 'log', ticks },
    y: { title: yTitle, unit: 'ns', scale: 'log' },
    bounds: 'quartiles',
    sharesY: true,
    panels: searchMethods.map((searchMethod) => {
      const timingsByPolicy = groupBy(
        measuredTimings.filter((timing) => timing.method === searchMethod),
        ({ policy }) => policy,
      );
      const series = [...timingsByPolicy].map(([name, decisionTimes]) => ({
        name,
        points: decisionTimes.map(({ size, time, low, high }) => ({
          x: size,
          y: time,
          low,
          high,
        })),
      }));
      return { title: searchMethod ?? '', series };
    }),
  };
}

export const BENCH_RESULT_FILE = 'bench.json';

/** Report of a benchmark: text, tables and figures. */
export function makeBenchReport(benchResult: BenchResult): Report {
  const { rows: benchRows, runs, growth, machine, binary, noise } = benchResult;
  const queue = Math.max(...benchRows.map((benchRow) => benchRow.queue));
  const siteCount = Math.max(...benchRows.map((benchRow) => benchRow.sites));
  const rowsOfLongestQueue = benchRows.filter((benchRow) => benchRow.queue === queue);
  const rowsOfMostSites = benchRows.filter((benchRow) => benchRow.sites === siteCount);
  const runTimings = runs.map(
    ({ running: size, nsPerJob: time, ...run }): MeasuredDecisionTime => ({ ...run, size, time }),
  );
  const sitesTableTitle = `Nanoseconds per decision, ${formatNumber(queue)} waiting jobs`;
  const queueTableTitle = `Nanoseconds per decision, ${formatNumber(siteCount)} sites`;
  const timingSpreadText = `Timings vary by ${formatPercent(noise)} (interquartile range / median).`;
  return makeReportOfSections({
    title: 'What decisions cost',
    description: isTimingTooNoisy(benchResult)
      ? `${timingSpreadText} The machine is busy: differences between these times mean little.`
      : timingSpreadText,
    source: 'Shih, Huang, Chung 2010, Table 4',
    tables: [
      makeDecisionTimeTable(
        'sites',
        sitesTableTitle,
        toMeasuredDecisionTimes(rowsOfLongestQueue, 'sites'),
        'sites',
      ),
      makeDecisionTimeTable(
        'queue',
        queueTableTitle,
        toMeasuredDecisionTimes(rowsOfMostSites, 'queue'),
        'waiting',
      ),
      makeDecisionTimeTable('runs', 'Nanoseconds per job of a whole run, five sites', runTimings, 'running'),
      ...(growth.length > 0 ? [makeCostGrowthTable(benchResult)] : []),
    ],
    figures: [
      makeDecisionTimeFigure(
        'decisions',
        `A decision with ${formatNumber(queue)} waiting jobs`,
        toMeasuredDecisionTimes(rowsOfLongestQueue, 'sites'),
        'sites',
        'time per decision',
      ),
      makeDecisionTimeFigure('runs', 'Whole runs on five sites', runTimings, 'running jobs', 'time per job'),
    ],
    environment: [
      { label: 'processor', value: `${machine.processor}, ${machine.cores} cores` },
      { label: 'system', value: `${machine.system}, Node ${machine.node}` },
      { label: 'core', value: binary },
    ],
    files: describeReportFiles({
      [BENCH_RESULT_FILE]: 'all of it',
      'bench.csv': 'times of decisions',
      'runs.csv': 'times of whole runs',
    }),
  });
}

/** Rows as CSV text, with one column per key. */
function formatRowsAsCsv<Row>(rows: readonly Row[], columnKeys: readonly (keyof Row & string)[]): string {
  return [columnKeys, ...rows.map((row) => columnKeys.map((key) => row[key] as ResultTableValue))]
    .map(formatCsvLine)
    .join('');
}

/** Measured decision times as CSV. */
export const formatDecisionTimesAsCsv = ({ rows: benchRows }: BenchResult) =>
  formatRowsAsCsv(benchRows, ['policy', 'method', 'sites', 'queue', 'nsPerDecision', 'low', 'high']);

/** Measured times of whole runs as CSV. */
export const formatRunTimesAsCsv = ({ runs }: BenchResult) =>
  formatRowsAsCsv(runs, ['policy', 'running', 'nsPerJob', 'low', 'high']);
