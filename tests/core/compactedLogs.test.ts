import { beforeAll, describe, expect, test } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { makeCoreInputColumns, makeCoreRunSettings } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { makeWorkload } from '../../host/workload/make.js';
import type { Workload } from '../../host/workload/workload.js';
import { isLongTestMode, RANDOM_TEST_TIMEOUT_MILLISECONDS, sampleTestCases } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { findTraceFilePath } from '../traces.js';
import { findDifferingColumns, OpenTable, RunWithAppendedJobs } from './openRuns.js';

/**
 * Tests an open run of a real log that arrives in parts and drops ended jobs between them: schedule and
 * metrics must equal those of the whole log.
 */

const CUT_COUNT = isLongTestMode ? 1000 : 40;
const RULES: readonly SimulationOptions[] = [
  {},
  { discipline: 'easy' },
  { discipline: 'conservative' },
  { discipline: 'conservative', reservations: 'replanned' },
  { discipline: 'first-available', order: 'shortest' },
  { discipline: 'easy', order: 'wfp3' },
];

const logFile = findTraceFilePath('SDSC-SP2-1998-4.2-cln.swf.gz');

describe.skipIf(logFile === undefined)('San Diego', () => {
  const grid = makeGrid({ capacities: [128] });
  let workload: Workload;
  beforeAll(async () => {
    workload = makeWorkload(await readTrace(logFile as string), {
      siteCount: 1,
      capacities: grid.capacities,
    });
  });

  test.each(sampleTestCases(RULES, 6))(
    `%o: ${CUT_COUNT} cuts with jobs that leave give the same bytes`,
    (options) => {
      const configuration = makeConfiguration(grid, options);
      const completeSimulator = new Simulator(workload);
      completeSimulator.begin(configuration);
      completeSimulator.coreRun.run();
      const openTable = new OpenTable(completeSimulator.coreRun);
      openTable.append(0);
      const run = new RunWithAppendedJobs(completeSimulator.coreRun, openTable);
      const sites = makeCoreInputColumns(configuration, [], workload);
      run.beginOpen({ ...makeCoreRunSettings(workload, configuration), sites });
      const random = new SeededDraws(CUT_COUNT);
      const { submit, count: jobCount } = workload;
      const span = submit[jobCount - 1]! - submit[0]!;
      const cutTimes = Float64Array.from({ length: CUT_COUNT }, () => submit[0]! + random.below(span)).sort();
      let mostJobsAppendedAtOnce = 0;
      for (const cutTime of cutTimes) {
        let appendedCount = 0;
        while (submit[openTable.knownCount + appendedCount]! <= cutTime) appendedCount++;
        expect(openTable.append(appendedCount)).toBe(run.core.Status.Finished);
        run.runUntil(cutTime);
        expect(run.compact()).toBe(run.core.Status.Finished);
        mostJobsAppendedAtOnce = Math.max(mostJobsAppendedAtOnce, openTable.jobOfRow.length);
      }
      openTable.append(jobCount - openTable.knownCount);
      run.close();
      run.run();
      expect(findDifferingColumns(run, completeSimulator.coreRun)).toEqual([]);
      expect(run.leftCount).toBeGreaterThan(jobCount * 0.9);
      expect(mostJobsAppendedAtOnce).toBeLessThan(jobCount / 10);
    },
    RANDOM_TEST_TIMEOUT_MILLISECONDS,
  );
});
