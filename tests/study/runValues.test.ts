import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/simulate/simulate.js';
import { SCALAR_METRICS, SITE_METRICS, selectMetricsForTables } from '../../host/simulate/summary.js';
import {
  checkStudyMetricName,
  countMetricsOfSimulation,
  findSimulationMetric,
  listMetricNamesOfSimulation,
  readMetricValuesOfSummary,
  valuePositionsByMetric,
} from '../../host/study/runValues.js';
import { makeWorkloadOfReferenceJobs } from '../core/simulateCore.js';

const TEST_JOB = { submit: 0, runtime: 20, estimate: 20, processors: 4, home: 0 };

test('values are in the order of the names, on any number of sites', () => {
  for (const siteCount of [1, 2, 3]) {
    const grid = makeGrid({ capacities: Array.from({ length: siteCount }, (_, site) => 4 + site) });
    const { summary: simulationSummary } = simulate(
      makeWorkloadOfReferenceJobs([TEST_JOB, { ...TEST_JOB, submit: 5 }]),
      grid,
    );
    const metricNames = listMetricNamesOfSimulation(siteCount);
    const metricValues = readMetricValuesOfSummary(simulationSummary);
    expect(metricValues.length).toBe(metricNames.length);
    expect(countMetricsOfSimulation(siteCount)).toBe(metricNames.length);
    expect(
      metricNames.map((metricName) => valuePositionsByMetric('simulations', siteCount).get(metricName)),
    ).toEqual([...metricNames.keys()]);
    const valueOfMetric = (metricName: string) => metricValues[metricNames.indexOf(metricName)];
    expect(valueOfMetric('makespan')).toBe(simulationSummary.makespan);
    expect(valueOfMetric('decisionsAgreed')).toBe(simulationSummary.decisions.agreed);
    expect(valueOfMetric('site1Utilization')).toBe(simulationSummary.sites[0].utilization);
    expect(valueOfMetric(`home${siteCount}Jobs`)).toBe(simulationSummary.homes[siteCount - 1].jobs);
  }
});

test('jobs that are scaled are metrics of studies too', () => {
  const { summary: simulationSummary } = simulate(
    makeWorkloadOfReferenceJobs([{ ...TEST_JOB, processors: 9 }]),
    makeGrid({ capacities: [4] }),
    {
      moldable: 'down',
    },
  );
  const metricValues = readMetricValuesOfSummary(simulationSummary);
  expect(metricValues[valuePositionsByMetric('simulations', 1).get('scaledDownJobs')!]).toBe(1);
  expect(metricValues[valuePositionsByMetric('simulations', 1).get('scaledUpJobs')!]).toBe(0);
});

test('unknown names', () => {
  for (const valueName of [
    'site0Jobs',
    'site1Speed',
    'siteNaNJobs',
    'home1Utilization',
    'site01Jobs',
    'toString',
  ]) {
    expect(() => checkStudyMetricName(valueName, 'simulations')).toThrow(`unknown metric '${valueName}'`);
    expect(valuePositionsByMetric('simulations', 3).get(valueName)).toBeUndefined();
  }
  expect(valuePositionsByMetric('simulations', 3).get('site4Jobs')).toBeUndefined();
  checkStudyMetricName('site4Jobs', 'simulations');
  const errorSentence = "unknown metric 'utilizaton'; did you mean 'utilization'? See gridalloc metrics";
  expect(() => checkStudyMetricName('utilizaton', 'simulations')).toThrow(new InputError(errorSentence));
  expect(() => checkStudyMetricName('makespan', 'workloads')).toThrow('Known: jobs, longestRuntime');
});

test('names of metrics in tables', () => {
  expect(findSimulationMetric('meanWait')).toMatchObject({ label: 'mean wait', unit: 's', better: 'less' });
  expect(findSimulationMetric('site3Utilization')).toMatchObject({
    label: 'utilization, site 3',
    better: 'more',
  });
  const metricLabels = [...SCALAR_METRICS, ...SITE_METRICS].map(({ label: metricLabel }) => metricLabel);
  expect(metricLabels.filter((label) => label === '')).toEqual([]);
});

test('positions of all metrics of a grid of 20,000 sites are found at once', () => {
  const siteCount = 20_000;
  const metricNames = listMetricNamesOfSimulation(siteCount);
  const cpuUsageAtStart = process.cpuUsage();
  metricNames.forEach((metricName, position) => {
    if (valuePositionsByMetric('simulations', siteCount).get(metricName) !== position)
      throw new Error(metricName);
  });
  // Searching all names for each of them would take a minute of processor time.
  expect(process.cpuUsage(cpuUsageAtStart).user).toBeLessThan(10_000_000);
});

test('a table shows what occurred, and no homes where there are none', () => {
  const { summary: simulationSummary } = simulate(
    makeWorkloadOfReferenceJobs([TEST_JOB]),
    makeGrid({ capacities: [4, 4] }),
  );
  const shownMetrics = (hasHomeSites: boolean) =>
    selectMetricsForTables(simulationSummary, hasHomeSites).map(({ metric }) => metric.name);
  expect(shownMetrics(true)).toContain('movedJobs');
  expect(shownMetrics(false)).not.toContain('movedJobs');
  for (const valueName of [
    'jobs',
    'speedHeterogeneity',
    'restarts',
    'splitJobs',
    'scaledUpJobs',
    'decisionsAgreed',
  ]) {
    expect(shownMetrics(true)).not.toContain(valueName);
  }
  const moldable = simulate(
    makeWorkloadOfReferenceJobs([{ ...TEST_JOB, processors: 9 }]),
    makeGrid({ capacities: [4] }),
    {
      moldable: 'down',
    },
  );
  expect(selectMetricsForTables(moldable.summary, true).map(({ metric }) => metric.name)).toEqual(
    expect.arrayContaining(['scaledDownJobs', 'scaledUpJobs']),
  );
});
