import { describe, expect, test } from 'vitest';
import {
  jobsCsv,
  makeGrid,
  parseEstimates,
  type Simulation,
  simulate,
  withEstimates,
} from '../../host/index.js';
import { makeWorkload } from '../../host/workload/make.js';
import { buildTrace } from '../workload/buildTrace.js';

/** Tests the last column of jobs.csv, the estimate of each job, for every source of estimates. */

const LOAD_FACTORS = [1, 2.5];
const ESTIMATE_SOURCE_TEXTS = [
  'trace',
  'exact',
  'uniform:0.2',
  'normal:0.2',
  'recent[n=1]',
  'recent[n=3]',
  'recent[n=2,refresh=yes]',
  'none',
];

/**
 * A log whose times all differ, except for submissions at the ends on which they depend, so that
 * the order of ends is certain.
 */
const trace = buildTrace(
  Array.from({ length: 120 }, (_, i) => ({
    submit: 7 * i + (i % 5) / 8,
    runtime: 3 + ((i * 37) % 41) + 1 / (i + 3),
    processors: 1 + (i % 3),
    requestedTime: 60 + ((i * 13) % 29),
    user: i % 4 === 3 ? -1 : i % 4,
    queue: 1 + (i % 2),
    precedingJob: i % 9 === 8 ? i - 3 : -1,
  })),
);
const grid = makeGrid({ capacities: [4, 4], speeds: [1, 2] });

type Row = Readonly<Record<string, number>>;

function rowsOf(simulation: Simulation): Row[] {
  const [headerLine, ...lines] = [...jobsCsv(simulation)].join('').trimEnd().split('\n');
  const columnNames = headerLine.split(',');
  expect(columnNames.filter((columnName) => !columnName.endsWith('_name')).at(-1)).toBe('estimate');
  return lines.map((line) => {
    const cells = line.replaceAll(/"[^"]*"/g, '').split(',');
    return Object.fromEntries(columnNames.map((columnName, i) => [columnName, Number(cells[i])]));
  });
}

/**
 * Estimate from recent jobs: the mean runtime of the user's last n jobs that ended by a time, if
 * less than the request.
 */
function expectedEstimateFromRecentJobs(
  rows: readonly Row[],
  { user, requested_time, home_site }: Row,
  n: number,
  time: number,
): number {
  const load = LOAD_FACTORS[home_site - 1];
  const latestEndedJobsOfUser = rows
    .filter((otherRow) => user >= 0 && otherRow.user === user && otherRow.finish_time <= time)
    .sort((a, b) => b.finish_time - a.finish_time)
    .slice(0, n);
  if (latestEndedJobsOfUser.length < n) return requested_time;
  return Math.min(
    requested_time,
    (latestEndedJobsOfUser.reduce((sum, { profile }) => sum + profile, 0) / n) * load,
  );
}

describe.each([false, true])('dependencies: %s', (hasDependencies) => {
  test.each(ESTIMATE_SOURCE_TEXTS)('--estimates %s', (text) => {
    const options = { siteCount: 2, capacities: grid.capacities, dependencies: hasDependencies };
    const workload = withEstimates(makeWorkload(trace, options), parseEstimates(text));
    const rows = rowsOf(simulate(workload, grid, { load: LOAD_FACTORS, processorSets: true }));
    const estimates = rows.map(({ estimate }) => estimate);
    const n = /n=(\d)/.exec(text)?.[1];
    if (n !== undefined) {
      const from = text.includes('refresh') ? 'starting_time' : 'submission_time';
      for (const [i, row] of rows.entries())
        expect(row.estimate, `job ${i}`).toBeCloseTo(
          expectedEstimateFromRecentJobs(rows, row, Number(n), row[from]),
          9,
        );
      expect(rows.some(({ estimate, requested_time }) => estimate < requested_time)).toBe(true);
    } else {
      expect(estimates).toEqual(rows.map(({ requested_time }) => (text === 'none' ? -1 : requested_time)));
    }
  });
});
