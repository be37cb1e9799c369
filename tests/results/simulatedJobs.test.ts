import { expect, test } from 'vitest';
import {
  type JobColumns,
  jobColumns,
  makeGrid,
  makeTrace,
  makeWorkload,
  type SimulationOptions,
  simulate,
  simulationFiles,
  type WorkloadOptions,
  writeResultFolder,
} from '../../host/index.js';
import { ATTRIBUTE_NAMES } from '../../host/jobs/attributes.js';
import { readJobListOfFolder } from '../../host/results/jobList.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const GRID = makeGrid({ capacities: [6, 4], speeds: [1, 3] });
const TEST_TRACE = makeTrace(
  Array.from({ length: 60 }, (_, i) => ({
    ...{ job: 100 + i, submit: 7 * i + (i % 4) / 8, runtime: 60 + ((i * 37) % 90) / 16 },
    ...{ processors: i % 9 === 8 ? 8 : 1 + (i % 6), requestedTime: 40 + (i % 5) },
    ...{ user: ['ann', 'bob', 'cid'][i % 3], group: i % 2, queue: i % 4, status: 1 },
    ...(i % 10 === 9 ? { precedingJob: 100 + i - 5, thinkTime: 60 } : {}),
  })),
);

const simulateWithOptions = (
  workloadOptions: Partial<WorkloadOptions>,
  simulationOptions: SimulationOptions,
) => {
  const { capacities } = GRID;
  const allWorkloadOptions = {
    siteCount: 2,
    capacities,
    oversize: 'drop',
    home: 'none',
    ...workloadOptions,
  } as const;
  return simulate(makeWorkload(TEST_TRACE, allWorkloadOptions), GRID, {
    ...simulationOptions,
    processorSets: true,
  });
};
const CASES = {
  plain: simulateWithOptions({}, { policy: 'best-fit' }),
  backfilled: simulateWithOptions({}, { discipline: 'easy' }),
  loaded: simulateWithOptions({ home: 'user' }, { discipline: 'easy', load: [1, 1.5] }),
  dependent: simulateWithOptions({ dependencies: true }, {}),
  split: simulateWithOptions({}, { multiSite: 'larger-first' }),
  moldable: simulateWithOptions({}, { moldable: 'down' }),
  pieces: simulateWithOptions({ oversize: 'split' }, {}),
};

test.each(Object.entries(CASES))('%s: what jobs.csv has, sites from 0', async (_, simulation) => {
  const folder = makeTemporaryFolder();
  await writeResultFolder(folder, simulationFiles(simulation, TEST_TRACE, {}));
  const writtenJobColumns = (await readJobListOfFolder(folder)).columns;
  const columns = jobColumns(simulation);
  expect(Object.keys(columns)).toEqual(ATTRIBUTE_NAMES);
  for (const attributeName of ATTRIBUTE_NAMES) {
    const from = attributeName === 'home' || attributeName === 'site' ? 1 : 0;
    expect([attributeName, ...columns[attributeName]]).toEqual([
      attributeName,
      ...[...writtenJobColumns[attributeName]].map((value) => value - from),
    ]);
  }
});

test('the cases are what their names say', () => {
  const { loaded, dependent, split, moldable, pieces } = CASES;
  expect(new Set(loaded.workload.home).size).toBe(2);
  expect(jobColumns(dependent).submit).not.toEqual(dependent.workload.submit);
  expect(split.schedule.parts?.firstPart.some((partIndex) => partIndex >= 0)).toBe(true);
  expect(jobColumns(moldable).held).not.toEqual(jobColumns(moldable).processors);
  expect(pieces.workload.accounting.split.jobs).toBeGreaterThan(0);
  expect(jobColumns(CASES.plain).wait.some((wait) => wait > 0)).toBe(true);
});

test('each is one block of memory; existing columns are not copied', () => {
  const { plain, loaded } = CASES;
  const columns = jobColumns(plain);
  const wholeNumberColumnNames: readonly (keyof JobColumns)[] = ['processors', 'held', 'home', 'site'];
  for (const attributeName of ATTRIBUTE_NAMES) {
    const column = columns[attributeName];
    expect(column).toBeInstanceOf(wholeNumberColumnNames.includes(attributeName) ? Int32Array : Float64Array);
    expect([attributeName, column.byteLength, column.byteOffset % 8]).toEqual([
      attributeName,
      plain.workload.count * (wholeNumberColumnNames.includes(attributeName) ? 4 : 8),
      0,
    ]);
  }
  const { workload, schedule } = plain;
  const { start, execution, site, held: heldProcessors, submit } = schedule;
  const { processors, home, job, estimate, log } = workload;
  const simulatedColumns = {
    start,
    runtime: execution,
    site,
    held: heldProcessors,
    submit,
    processors,
    home,
    number: job,
    estimate,
  };
  const loggedColumns = { user: log?.user, group: log?.group, queue: log?.queue, status: log?.status };
  for (const [name, column] of Object.entries({ ...simulatedColumns, ...loggedColumns }))
    expect([name, columns[name as keyof JobColumns] === column]).toEqual([name, true]);
  // With a load factor, the estimates are longer than those of the workload.
  expect(jobColumns(loaded).estimate).not.toBe(loaded.workload.estimate);
});
