import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  CLASS_ATTRIBUTES,
  CLASS_METRIC_NAMES,
  formatClassMetricName,
  type JobClass,
} from '../../host/simulate/jobMetrics.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';

/**
 * Metrics of a class of jobs must equal those in the summary of a simulation, also from threads and
 * studies.
 */

const folder = makeTemporaryFolder();
const logFile = join(folder, 'small.swf');
writeFileSync(logFile, LOG);

/** Values of a CSV text with one line, by column name. */
function columnsOf(csvText: string): Record<string, string> {
  const [headerCells, values] = csvText
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return Object.fromEntries(headerCells.map((headerCell, i) => [headerCell, values[i]]));
}

test.each(CLASS_ATTRIBUTES)('by %s', async (jobClassification) => {
  const summary = await runProgramInProcess(['simulate', logFile, '--by', jobClassification, '--json']);
  const classes: JobClass[] = JSON.parse(summary.stdout).classes[jobClassification];
  const classNames = [...classes.map(({ name: className }) => className), 'nobody'].filter(
    (name) => !name.includes(' '),
  );
  const metrics = (jobClassification === 'class' ? ['short narrow'] : classNames).flatMap((name) =>
    CLASS_METRIC_NAMES.map((metric) => formatClassMetricName(metric, jobClassification, name)),
  );
  const studyFile = join(folder, `${jobClassification}.yaml`);
  const measures = metrics.map((metric, i) => `  m${i}: { metric: ${JSON.stringify(metric)} }`);
  const table = `tables:\n  all: { title: All, measures: m0, rows: load }`;
  writeFileSync(
    studyFile,
    `title: Classes\ndescription: All.\nsimulate: { workload: ${logFile}, sites: 8, load: '{load}' }\naxes: { load: [1] }\nmeasures:\n${measures.join('\n')}\n${table}\n`,
  );
  const resultFolder = join(folder, jobClassification);
  const { exitCode, stderr } = await runGridalloc([
    'study',
    'run',
    studyFile,
    '--out',
    resultFolder,
    '--threads',
    '1',
    '--quiet',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const columnValues = columnsOf(readFileSync(join(resultFolder, 'results.csv'), 'utf8'));
  for (const metric of metrics) {
    const [, field, , name] = /^(\w+)\[(\w+)=(.*)\]$/.exec(metric) ?? [];
    const classValue = classes.find((jobClass) => jobClass.name === name)?.[field as keyof JobClass];
    expect(columnValues[metric], metric).toBe(classValue === undefined ? 'NaN' : String(classValue));
  }
});

test('which jobs are short and narrow is an option, in every way of running', async () => {
  const limits = ['--short-runtime', '1m', '--narrow-width', '2'];
  const documentWithDefaultLimits = JSON.parse(
    (await runProgramInProcess(['simulate', logFile, '--by', 'class', '--json'])).stdout,
  ).classes.class;
  const { stdout } = await runProgramInProcess(['simulate', logFile, ...limits, '--by', 'class', '--json']);
  const { class: jobClasses } = JSON.parse(stdout).classes as { class: JobClass[] };
  const jobs = LOG.split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(' ').map(Number));
  for (const { name: className, jobs: count } of jobClasses) {
    const jobsOfClass = jobs.filter(
      ([, , , runtime, processors]) =>
        runtime > 0 &&
        className === `${runtime > 60 ? 'long' : 'short'} ${processors > 2 ? 'wide' : 'narrow'}`,
    );
    expect([className, count]).toEqual([className, jobsOfClass.length]);
  }
  expect(jobClasses).not.toEqual(documentWithDefaultLimits);
  const lastClass = jobClasses.at(-1) as JobClass;
  const metric = formatClassMetricName('meanWait', 'class', lastClass.name);
  const metricValue = lastClass.meanWait;
  const comparisonResult = await runProgramInProcess([
    'compare',
    logFile,
    ...limits,
    '--discipline',
    'fcfs,sjf',
    '--metric',
    metric,
    '--json',
  ]);
  expect(
    JSON.parse(comparisonResult.stdout).runs.find(({ method }: { method: string }) => method === 'fcfs')
      .metrics[metric],
  ).toBe(metricValue);
  const sweepFolder = join(folder, 'swept');
  const sweep = [
    'sweep',
    logFile,
    ...limits.slice(0, 2),
    '--vary',
    'narrow-width=100,2',
    '--metric',
    metric,
    '--out',
    sweepFolder,
    '--quiet',
  ];
  expect(await runGridalloc(sweep)).toMatchObject({ exitCode: 0 });
  const [headerLine, wideRow, requestedRow] = readFileSync(join(sweepFolder, 'results.csv'), 'utf8').split(
    '\n',
  );
  expect(columnsOf(`${headerLine}\n${requestedRow}`)[metric]).toBe(String(metricValue));
  expect(columnsOf(`${headerLine}\n${wideRow}`)[metric]).not.toBe(String(metricValue));
  const outputText = await runProgramInProcess(['simulate', logFile, ...limits, '--by', 'class']);
  expect(outputText.stdout).toContain('Up to 1 min is short, up to 2 processors narrow.');
});

test('names that are neither a class nor a metric of one are refused', async () => {
  for (const metric of ['meanWait[colour=1]', 'utilization[user=1]', 'meanWait[user]']) {
    const { exitCode, stderr } = await runProgramInProcess([
      'sweep',
      logFile,
      '--vary',
      'load=1,2',
      '--metric',
      metric,
    ]);
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain(`unknown metric '${metric}'`);
  }
});

test('methods are compared by metrics of classes', async () => {
  const args = ['meanWait[class=short narrow]', 'meanWait[user=1]', 'meanWait'];
  const commandWords = ['compare', logFile, '--replications', '3', '--threads', '1', '--json', '--metric'];
  const { exitCode, stdout, stderr } = await runProgramInProcess([...commandWords, args.join(', ')]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { metrics } = JSON.parse(stdout);
  expect(metrics.map((metric: { metric: string }) => metric.metric)).toEqual(args);
  expect(metrics[1].rows[0].values).not.toEqual(metrics[2].rows[0].values);
});
