import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PolicyParameter, policies } from '../../host/core/policies.js';
import { JOB_COLUMNS } from '../../host/jobs/attributes.js';
import { FEATURES } from '../../host/learn/environment.js';
import { CAPACITY_COLUMNS } from '../../host/results/capacity.js';
import { STOP_COLUMNS } from '../../host/results/jobsFile.js';
import { SIMULATION_CHECK_RULES, WARNING_CHECK_RULES } from '../../host/trace/checkTrace.js';
import { FILTER_RULES } from '../../host/trace/filter.js';
import { SYNTAX_RULES } from '../../host/trace/syntax.js';
import { SWF_FIELDS } from '../../host/trace/trace.js';
import { MODELS } from '../../host/workload/models.js';
import { PRESETS } from '../../host/workload/presets.js';
import { sumExactly } from '../reference/simulator/exactSum.js';

/** Checks that the reference tables of the documentation list all existing names and no others. */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
const readTextOfPage = (pageName: string) =>
  readFileSync(join(repositoryRoot, 'docs', `${pageName}.md`), 'utf8');

/** Cells of the tables in a section, one array per row, without headings. */
function rowsOf(page: string, section: string): string[][] {
  const sectionText = readTextOfPage(page)
    .split(/^#+ /m)
    .find((pageSection) => pageSection.startsWith(`${section}\n`));
  const rows = (sectionText ?? '').split('\n').filter((line) => line.startsWith('|'));
  const rules = rows.map((row, i) => (/^\|(-+\|)+$/.test(row) ? i : -1)).filter((i) => i >= 0);
  return rows
    .filter((_, i) => !rules.includes(i) && !rules.includes(i + 1))
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** First name in backquotes in a cell. */
const findNameInBackquotes = (cell: string) => /`([^`=]+)/.exec(cell)?.[1] ?? '';
const readNamesInTableColumn = (page: string, section: string, column = 0) =>
  rowsOf(page, section).map((row) => findNameInBackquotes(row[column]));

test('allocators, their aliases and parameters', () => {
  const policyRowsExpectedInTable = policies().map(
    ({ name: policyName, aliases, parameters: policyParameters }) => {
      const formatDefault = ({ name: parameterName, default: value }: PolicyParameter) =>
        `\`${parameterName}=${value}\``;
      const aliasTexts = aliases.map((methodAlias) => ` (\`${methodAlias}\`)`).join('');
      return [`\`${policyName}\`${aliasTexts}`, policyParameters.map(formatDefault).join(', ')];
    },
  );
  expect(
    rowsOf('model', 'Allocators')
      .slice(0, policyRowsExpectedInTable.length)
      .map((row) => row.slice(0, 2)),
  ).toEqual(policyRowsExpectedInTable);
});

test('features of a decision', () => {
  expect(readNamesInTableColumn('environment', 'Observations')).toEqual(FEATURES);
});

test('workload models with their defaults', () => {
  for (const { name: modelName, parameters } of MODELS) {
    const defaults = parameters.map((parameter) => `${parameter.name}=${parameter.default}`).join(',');
    expect(readTextOfPage('model')).toContain(`\`${modelName}[${defaults}]\``);
  }
});

test('fields, rules and presets of logs', () => {
  expect(readNamesInTableColumn('traces', 'The fields', 1)).toEqual([...SWF_FIELDS]);
  expect([...new Set(readNamesInTableColumn('traces', 'Filters'))].sort()).toEqual([...FILTER_RULES].sort());
  expect(readNamesInTableColumn('traces', 'Presets')).toEqual(
    PRESETS.map(({ name: presetName }) => presetName),
  );
});

test('rules of trace check', () => {
  const documentedRules = rowsOf('traces', 'Checking a log').map(([rule, severity]) => [
    findNameInBackquotes(rule),
    severity,
  ]);
  const damagedFileRules = ['damaged-file', 'no-records'].map((rule) => [rule, 'error']);
  const errors = Object.keys(SYNTAX_RULES).map((rule) => [rule, 'error']);
  const simulationRulesWithSeverity = Object.keys(SIMULATION_CHECK_RULES).map((rule) => [rule, 'error']);
  const warningRulesWithSeverity = Object.keys(WARNING_CHECK_RULES).map((rule) => [rule, 'warning']);
  expect(documentedRules).toEqual([
    ...errors,
    ...damagedFileRules,
    ...simulationRulesWithSeverity,
    ...warningRulesWithSeverity,
  ]);
});

test('columns of jobs.csv', () => {
  expect(readNamesInTableColumn('results', 'jobs.csv')).toEqual([...JOB_COLUMNS]);
});

test('columns of capacity.csv', () => {
  expect(readNamesInTableColumn('results', 'capacity.csv')).toEqual([...CAPACITY_COLUMNS]);
});

test('columns of stops.csv', () => {
  expect(readNamesInTableColumn('results', 'stops.csv')).toEqual([...STOP_COLUMNS]);
});

/**
 * Paths of all values in a JSON document, with list items written as `[]`; values at the paths in
 * `wholeValuePaths` are not searched further.
 */
function listPathsInDocument(jsonValue: unknown, wholeValuePaths: readonly string[], path = ''): string[] {
  if (typeof jsonValue !== 'object' || jsonValue === null || wholeValuePaths.includes(path)) return [path];
  if (Array.isArray(jsonValue))
    return jsonValue.flatMap((documentItem) =>
      listPathsInDocument(documentItem, wholeValuePaths, `${path}[]`),
    );
  return Object.entries(jsonValue).flatMap(([key, item]) =>
    listPathsInDocument(item, wholeValuePaths, path === '' ? key : `${path}.${key}`),
  );
}

describe('a folder of results', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridalloc-results-'));
  const readFileText = (file: string) => readFileSync(join(folder, file), 'utf8');

  beforeAll(() => {
    const program = join(repositoryRoot, 'dist/cli/main.js');
    const words =
      '--sites 4,6 --speeds 1,2 --load 1.5,3 --home user --policy ai2 --oversize drop --time-resolution floor --quiet';
    execFileSync(process.execPath, [
      ...[program, 'simulate', 'lublin99[jobs=300,aarr=8]', ...words.split(' '), '--out', folder],
    ]);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('summary.json has the fields of its table', () => {
    const documentPaths = listPathsInDocument(JSON.parse(readFileText('summary.json')), [
      'dropped',
      'distribution',
    ]);
    // Only runs that read their log as a stream have sketches with an error.
    const documentedNames = readNamesInTableColumn('results', 'summary.json').filter(
      (name) => name !== 'percentileError',
    );
    expect(documentedNames.sort()).toEqual([...new Set(documentPaths)].sort());
  });

  test('config.json has the fields of its table', () => {
    const wholeValuePaths = [
      'request.options',
      'command',
      'workload.accounting.dropped[]',
      'workload.accounting.split',
    ];
    const documentPaths = listPathsInDocument(JSON.parse(readFileText('config.json')), wholeValuePaths);
    // These two keys of config.json appear only with files of functions or with a custom core.
    const documentedFields = readNamesInTableColumn('results', 'config.json').filter(
      (name) => !['core', 'code[]'].includes(name),
    );
    expect(documentedFields).toEqual([...new Set(documentPaths)]);
  });

  test('the formulas, applied to jobs.csv, give the digits of summary.json', () => {
    const summary = JSON.parse(readFileText('summary.json'));
    const [, ...lines] = readFileText('jobs.csv').trimEnd().split('\n');
    const jobs = lines.map((line) => {
      const cells = line.replaceAll(/"[^"]*"/g, '').split(',');
      const valueOfColumn = (column: (typeof JOB_COLUMNS)[number]) =>
        Number(cells[JOB_COLUMNS.indexOf(column)]);
      const [submit, start, execution] = [
        valueOfColumn('submission_time'),
        valueOfColumn('starting_time'),
        valueOfColumn('execution_time'),
      ];
      const processors = valueOfColumn('allocated_processors');
      const end = start + execution;
      const [wait, response, weight] = [start - submit, end - submit, processors * execution];
      return {
        ...{ submit, execution, end, wait, response, weight, stretch: valueOfColumn('stretch') },
        ...{
          turnaround: valueOfColumn('turnaround_time'),
          home: valueOfColumn('home_site'),
          site: valueOfColumn('execution_sites'),
        },
      };
    });
    type Job = (typeof jobs)[number];
    const sum = (of: (job: Job) => number, among = jobs) => sumExactly(among.map(of));
    const n = jobs.length;
    const makespan = Math.max(...jobs.map(({ end }) => end)) - jobs[0].submit;
    const busySecondsOfSites = [1, 2].map((site) =>
      sum(
        ({ weight }) => weight,
        jobs.filter((job) => job.site === site),
      ),
    );
    const [capacities, speeds] = [
      [4, 6],
      [1, 2],
    ];
    expect(jobs.map(({ response }) => response)).toEqual(jobs.map(({ turnaround }) => turnaround));
    expect(summary).toMatchObject({
      jobs: n,
      averageResponseTime: sum(({ response }) => response) / n,
      averageQueueLengthOverTime: sum(({ wait }) => wait) / makespan,
      meanWait: sum(({ wait }) => wait) / n,
      maxWait: Math.max(...jobs.map(({ wait }) => wait)),
      meanSlowdown: sum(({ stretch }) => stretch) / n,
      meanBoundedSlowdown:
        sum(({ wait, execution }) => Math.max(1, (wait + execution) / Math.max(10, execution))) / n,
      awrt: sum(({ weight, response }) => weight * response) / sum(({ weight }) => weight),
      awwt: sum(({ weight, wait }) => weight * wait) / sum(({ weight }) => weight),
      makespan,
      utilization: (busySecondsOfSites[0] + busySecondsOfSites[1]) / (10 * makespan),
      capacityUtilization: (busySecondsOfSites[0] + busySecondsOfSites[1] * 2) / ((4 + 6 * 2) * makespan),
      speedHeterogeneity: 0.25,
      movedJobs: jobs.filter(({ home, site }) => home !== site).length,
      sites: capacities.map((capacity, j) => ({
        ...{ capacity, speed: speeds[j], utilization: busySecondsOfSites[j] / (capacity * makespan) },
        jobs: jobs.filter(({ site }) => site === j + 1).length,
      })),
    });
    const { agreed, bestFit, fastestFirst } = summary.decisions;
    expect(agreed + bestFit + fastestFirst).toBe(n);
    expect(summary.dropped.oversize).toBeGreaterThan(0);
  });
});
