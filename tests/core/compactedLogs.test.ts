import { beforeAll, describe, expect, test } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { coreRunSettings, makeCoreInputColumns } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { makeWorkload } from '../../host/workload/make.js';
import type { Workload } from '../../host/workload/workload.js';
import { isLongTestMode, RANDOM_TEST_TIMEOUT, sampleTestCases } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { traceFilePath } from '../traces.js';
import { differingColumns, OpenRun, OpenTable } from './openRuns.js';

/**
 * A real log in parts, at whose cuts the jobs that have ended leave, has the schedule and the metrics of the log in one
 * go.
 */

const CUTS = isLongTestMode ? 1000 : 40;
const RULES: readonly SimulationOptions[] = [
  {},
  { discipline: 'easy' },
  { discipline: 'conservative' },
  { discipline: 'conservative', reservations: 'replanned' },
  { discipline: 'first-available', order: 'shortest' },
  { discipline: 'easy', order: 'wfp3' },
];

const log = traceFilePath('SDSC-SP2-1998-4.2-cln.swf.gz');

describe.skipIf(log === undefined)('San Diego', () => {
  const grid = makeGrid({ capacities: [128] });
  let workload: Workload;
  beforeAll(async () => {
    workload = makeWorkload(await readTrace(log as string), { siteCount: 1, capacities: grid.capacities });
  });

  test.each(sampleTestCases(RULES, 6))(
    `%o: ${CUTS} cuts with jobs that leave give the same bytes`,
    (options) => {
      const configuration = makeConfiguration(grid, options);
      const complete = new Simulator(workload);
      complete.begin(configuration);
      complete.coreRun.run();
      const open = new OpenTable(complete.coreRun);
      open.append(0);
      const run = new OpenRun(complete.coreRun, open);
      const sites = makeCoreInputColumns(configuration, [], workload);
      run.beginOpen({ ...coreRunSettings(workload, configuration), sites });
      const draws = new SeededDraws(CUTS);
      const { submit, count } = workload;
      const span = submit[count - 1]! - submit[0]!;
      const cuts = Float64Array.from({ length: CUTS }, () => submit[0]! + draws.below(span)).sort();
      let most = 0;
      for (const cut of cuts) {
        let more = 0;
        while (submit[open.known + more]! <= cut) more++;
        expect(open.append(more)).toBe(run.core.Status.Finished);
        run.runUntil(cut);
        expect(run.compact()).toBe(run.core.Status.Finished);
        most = Math.max(most, open.jobOfRow.length);
      }
      open.append(count - open.known);
      run.close();
      run.run();
      expect(differingColumns(run, complete.coreRun)).toEqual([]);
      expect(run.leftCount).toBeGreaterThan(count * 0.9);
      expect(most).toBeLessThan(count / 10);
    },
    RANDOM_TEST_TIMEOUT,
  );
});
