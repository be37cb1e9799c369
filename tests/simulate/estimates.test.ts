import { expect, test } from 'vitest';
import { CoreRun } from '../../host/core/host.js';
import { type CoreOption, openCore } from '../../host/core/module.js';
import { makeGrid } from '../../host/grid/grid.js';
import { SUBMITTED_ATTRIBUTES } from '../../host/jobs/attributes.js';
import {
  makeConfiguration,
  passCoreOptions,
  type SimulationOptions,
} from '../../host/options/configuration.js';
import { nameOptionOnCommandLine } from '../../host/options/options.js';
import {
  dependsOnEstimates,
  needsHostComputedKeys,
  TIME_INDEPENDENT_ORDER_WORDS,
} from '../../host/options/order.js';
import { findBrokenRule } from '../../host/options/rules.js';
import { RUN_OPTIONS } from '../../host/options/runOptions.js';
import { putJobsIntoCore } from '../../host/simulate/layout.js';
import { simulate } from '../../host/simulate/simulate.js';
import { withEstimates } from '../../host/workload/estimates.js';
import { makeWorkload } from '../../host/workload/make.js';
import { buildTrace } from '../workload/buildTrace.js';

/**
 * Grid for tests of unknown runtimes: if runtimes are unknown, or no job requests a time, the command line,
 * the library and the core must refuse options that need estimates, and run all others.
 */

const GRID = makeGrid({ capacities: [4, 4], speeds: [1, 2] });
const JOBS = Array.from({ length: 12 }, (_, i) => ({
  submit: i,
  runtime: 20 + ((i * 7) % 9),
  processors: 1 + (i % 4),
}));
const WORKLOAD_WITHOUT_REQUESTED_TIMES = makeWorkload(buildTrace(JOBS), { siteCount: 2, capacities: [4, 4] });
const ORDER_KEYS = new Float64Array(JOBS.length);
const WORKLOAD_WITHOUT_ESTIMATES = withEstimates(WORKLOAD_WITHOUT_REQUESTED_TIMES, { source: 'none' });

const ORDERS = [
  ...(RUN_OPTIONS.order.choices ?? []),
  ...SUBMITTED_ATTRIBUTES.flatMap((submittedAttribute) => [
    `${submittedAttribute} * 1`,
    `processors + sqrt(max(1, ${submittedAttribute}))`,
  ]),
  '0 * estimate',
];
const OPTIONS_TESTED_ON_ESTIMATES = [
  ...ORDERS.map((order) => ({ order })),
  ...(RUN_OPTIONS.discipline.choices ?? []).map((discipline) => ({ discipline: discipline as 'fcfs' })),
  { moldable: 'down', moldableThreshold: 2 },
  { moldable: 'down' },
  { discipline: 'easy', backfillOrder: 'narrowest' },
] as const;

const doSettingsNeedEstimates = (setting: (typeof OPTIONS_TESTED_ON_ESTIMATES)[number]) =>
  ('order' in setting && dependsOnEstimates(setting.order)) ||
  ('discipline' in setting && ['easy', 'conservative', 'sjf', 'ljf'].includes(setting.discipline)) ||
  'moldableThreshold' in setting;

test.each(OPTIONS_TESTED_ON_ESTIMATES.map((setting) => [JSON.stringify(setting), setting] as const))(
  '%s',
  (_, setting) => {
    const isRefusedWithoutEstimates = doSettingsNeedEstimates(setting);
    const configuration = makeConfiguration(GRID, setting);
    const brokenRule = findBrokenRule({ ...setting, estimates: { source: 'none' } }, nameOptionOnCommandLine);
    expect(brokenRule?.sentence.startsWith('--estimates none cannot be combined with') ?? false).toBe(
      isRefusedWithoutEstimates,
    );
    const simulateWithoutEstimates = () => simulate(WORKLOAD_WITHOUT_ESTIMATES, GRID, setting);
    const simulateWithoutRequestedTimes = () => simulate(WORKLOAD_WITHOUT_REQUESTED_TIMES, GRID, setting);
    if (isRefusedWithoutEstimates) {
      expect(simulateWithoutEstimates).toThrow('runtimes are then unknown');
      expect(simulateWithoutRequestedTimes).toThrow(
        "withEstimates(workload, { source: 'exact' }) takes their runtimes",
      );
    } else
      for (const run of [simulateWithoutEstimates, simulateWithoutRequestedTimes]) expect(run).not.toThrow();
    const options: { [Name in CoreOption]?: number } = {};
    passCoreOptions(configuration, (name, value) => {
      options[name] = value;
    });
    const beginRun = () =>
      new CoreRun(putJobsIntoCore(openCore('release'), WORKLOAD_WITHOUT_REQUESTED_TIMES)).begin({
        sites: {
          Capacity: [4, 4],
          Speed: [1, 2],
          ...(needsHostComputedKeys(configuration.order) && { Key: ORDER_KEYS }),
        },
        options: { ...options, NoEstimates: 1 },
      });
    if (isRefusedWithoutEstimates) expect(beginRun).toThrow();
    else expect(beginRun).not.toThrow();
  },
);

test('there are settings of both kinds', () => {
  expect(OPTIONS_TESTED_ON_ESTIMATES.filter(doSettingsNeedEstimates).length).toBeGreaterThan(12);
  expect(
    OPTIONS_TESTED_ON_ESTIMATES.filter((setting) => !doSettingsNeedEstimates(setting)).length,
  ).toBeGreaterThan(12);
  expect(TIME_INDEPENDENT_ORDER_WORDS.filter(dependsOnEstimates)).toEqual([
    'shortest',
    'longest',
    'smallest-area',
    'largest-area',
  ]);
});

test('functions that ask for an unknown estimate fail with a sentence', () => {
  const orderByEstimate = ({ estimate }: { estimate: number }) => estimate;
  const orderByWidth = ({ processors }: { processors: number }) => processors;
  expect(() => simulate(WORKLOAD_WITHOUT_ESTIMATES, GRID, { order: orderByEstimate })).toThrow(
    'runtimes are unknown',
  );
  expect(() => simulate(WORKLOAD_WITHOUT_ESTIMATES, GRID, { order: orderByWidth })).not.toThrow();
  const policy = (view: { job: { estimate: number }; bestFit: number }) =>
    view.job.estimate > 0 ? view.bestFit : view.bestFit;
  expect(() => simulate(WORKLOAD_WITHOUT_ESTIMATES, GRID, { policy })).toThrow('runtimes are unknown');
  expect(() =>
    simulate(WORKLOAD_WITHOUT_ESTIMATES, GRID, { policy: ({ bestFit }) => bestFit }),
  ).not.toThrow();
});

test('an order by the estimates that a run finds is the same as a word, an expression and a function', () => {
  const jobsOfKnownUser = Array.from({ length: 60 }, (_, i) => ({
    submit: 7 * i,
    runtime: 20 + ((i * 7) % 39),
    processors: 1 + (i % 4),
    requestedTime: 100 - ((i * 11) % 50),
    user: i % 3,
  }));
  const log = makeWorkload(buildTrace(jobsOfKnownUser), { siteCount: 2, capacities: [4, 4] });
  const workloadWithRecentEstimates = withEstimates(log, { source: 'recent', n: 2 });
  const simulateStartTimes = (options: SimulationOptions) => [
    ...simulate(workloadWithRecentEstimates, GRID, options).schedule.start,
  ];
  for (const discipline of ['fcfs', 'easy', 'conservative'] as const) {
    const [word, expression, orderFunction] = [
      'shortest',
      'estimate * 1',
      ({ estimate }: { estimate: number }) => estimate,
    ].map((order) => simulateStartTimes({ discipline, order }));
    expect(expression).toEqual(word);
    expect(orderFunction).toEqual(word);
  }
  expect(simulateStartTimes({ discipline: 'easy', backfillOrder: 'estimate + 0' })).toEqual(
    simulateStartTimes({ discipline: 'easy', backfillOrder: 'shortest' }),
  );
  const orderReturningNaN = ({ estimate }: { estimate: number }) => (estimate > 0 ? Number.NaN : 0);
  expect(() => simulateStartTimes({ order: orderReturningNaN })).toThrow(
    'gives the key NaN, expected a finite number',
  );
});
