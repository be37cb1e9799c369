import { expect, test } from 'vitest';
import { type CoreJobs, CoreRun, type JobInput, makeJobs, type RunSettings } from '../../host/core/host.js';
import { type Core, openCore } from '../../host/core/module.js';

/**
 * Tests columns that a host writes: each invalid number must be refused, and changes after sealing must be
 * noticed.
 */

const INVALID_INPUT_JOB_COUNT = 40;
const makeColumnForJobs = (valueOfJob: (job: number) => number) =>
  Array.from({ length: INVALID_INPUT_JOB_COUNT }, (_, job) => valueOfJob(job));
const JOBS = {
  Submit: makeColumnForJobs((job) => 3 * Math.floor(job / 2)),
  Runtime: makeColumnForJobs((job) => 5 + ((job * 7) % 23)),
  Estimate: makeColumnForJobs((job) => 6 + ((job * 7) % 23)),
  Processors: makeColumnForJobs((job) => 1 + ((job * 5) % 4)),
  Home: makeColumnForJobs((job) => job % 2),
  Data: makeColumnForJobs(() => 10),
  User: makeColumnForJobs((job) => job % 3),
  Preceding: makeColumnForJobs((job) => (job % 4 === 3 ? job - 2 : -1)),
  ThinkTime: makeColumnForJobs(() => 1),
  FirstPiece: makeColumnForJobs((job) => job),
};
const SITES = { Capacity: [4, 8], Speed: [1, 0.5] };

const INVALID_DOUBLES = [Number.NaN, Infinity, -Infinity, -1, -5e-324];
const INVALID_INTEGERS = [-(2 ** 31), 2 ** 31 - 1, 1 << 30, 1 << 24, -2];
/** Invalid values for every column of the job table. */
const INVALID_VALUES: { readonly [Name in keyof typeof JOBS]: readonly number[] } = {
  Submit: [...INVALID_DOUBLES, 1.1e300],
  Runtime: [...INVALID_DOUBLES, 5e-324, 1e-308, 9e-251],
  Estimate: INVALID_DOUBLES,
  Processors: [-(2 ** 31), -1, 0],
  Home: [-(2 ** 31), -1],
  Data: INVALID_DOUBLES,
  User: [...INVALID_INTEGERS, INVALID_INPUT_JOB_COUNT],
  Preceding: [...INVALID_INTEGERS, INVALID_INPUT_JOB_COUNT],
  ThinkTime: [...INVALID_DOUBLES, 1e291],
  FirstPiece: [...INVALID_INTEGERS, -1, INVALID_INPUT_JOB_COUNT],
};

test.each(Object.keys(INVALID_VALUES) as (keyof typeof INVALID_VALUES)[])('invalid numbers in %s', (name) => {
  const core = openCore();
  for (const value of INVALID_VALUES[name]) {
    for (const job of [0, 1, 17, INVALID_INPUT_JOB_COUNT - 1]) {
      // The core checks a second invalid column only after the first has been corrected, so another invalid
      // column is also added.
      for (const otherColumns of [
        {},
        { Preceding: makeColumnForJobs(() => 1 << 24) },
        { FirstPiece: makeColumnForJobs(() => 2 ** 31 - 1) },
      ]) {
        const columns: JobInput = { ...JOBS, ...otherColumns, [name]: JOBS[name].with(job, value) };
        expect(() => makeJobs(core, columns), `${value} of job ${job}`).toThrow('the core refuses: Job');
      }
    }
  }
});

function beginRunWithSettings(
  core: Core,
  settings: Partial<RunSettings> = {},
  jobs: JobInput = JOBS,
): CoreRun {
  const run = new CoreRun(makeJobs(core, jobs), (runAwaitingDecision) =>
    runAwaitingDecision.decision('BestFit'),
  );
  run.begin({ sites: SITES, policy: 'best-fit', ...settings });
  return run;
}

const SETTINGS_WITH_KEYS: Partial<RunSettings> = {
  sites: {
    ...SITES,
    Key: makeColumnForJobs((job) => -job),
    BackfillKey: makeColumnForJobs((job) => job % 5),
  },
  options: { Discipline: 'Easy', Selection: 'Allocator', Order: 'Given', BackfillOrder: 'Given' },
};
const SETTINGS_WITH_GIVEN_CHOICES: Partial<RunSettings> = {
  policy: 'dynamic',
  parameters: { every: 5 },
  options: { ChoicesGiven: 1, CandidateRules: 1 },
  sites: {
    ...SITES,
    Policies: [6, 0, 0.5, 0, 0, 1, 0, 0, 0, 0],
    CandidateRules: [0, 0, 0, 0, 0, 0],
    GivenChoice: Array.from({ length: INVALID_INPUT_JOB_COUNT / 5 + 1 }, (_, i) => i % 2),
  },
};
const SETTINGS_WITH_TRANSFERS: Partial<RunSettings> = {
  options: { Discipline: 'Easy', Transfers: 1 },
  sites: { ...SITES, Bandwidth: [1, 2, 3, 4], Latency: [0, 1, 2, 0] },
};

test.each([
  ['Key', SETTINGS_WITH_KEYS],
  ['BackfillKey', SETTINGS_WITH_KEYS],
  ['Policies', SETTINGS_WITH_GIVEN_CHOICES],
  ['CandidateRules', SETTINGS_WITH_GIVEN_CHOICES],
  ['GivenChoice', SETTINGS_WITH_GIVEN_CHOICES],
  ['Bandwidth', SETTINGS_WITH_TRANSFERS],
  ['Latency', SETTINGS_WITH_TRANSFERS],
  ['Capacity', {}],
  ['Speed', {}],
  ['Load', {}],
  ['TimeFactor', {}],
] as const)('a write into %s in the middle of a run has no effect, and is noticed', (name, settings) => {
  const unchangedRun = beginRunWithSettings(openCore(), settings);
  unchangedRun.run();
  const run = beginRunWithSettings(openCore(), settings);
  run.runUntil(20);
  const column = run.column(name);
  const columnBefore = column.slice();
  column.fill(7, 1, 2);
  expect(() => run.run()).toThrow('the core refuses: SettingsDiffer');
  run.column(name).set(columnBefore);
  run.run();
  expect(run.column('Start')).toEqual(unchangedRun.column('Start'));
  expect(run.metric('MeanWait')).toBe(unchangedRun.metric('MeanWait'));
});

test.each([-1, 2, 2 ** 31 - 1])('a given choice of candidate %d', (choice) => {
  const sites = { ...SETTINGS_WITH_GIVEN_CHOICES.sites!, GivenChoice: [0, 1, 0, 1, choice, 0, 1, 0, 1] };
  expect(() =>
    beginRunWithSettings(openCore(), {
      ...SETTINGS_WITH_GIVEN_CHOICES,
      sites: sites as RunSettings['sites'],
    }),
  ).toThrow('ParameterInvalid');
});

test('the option sets the number of policies that run together, whatever the capacity', () => {
  const POLICIES_COLUMN_WITH_INVALID = [0, 0, 0, 0, 0, 6, 0, 2, 0, 0, 99, 0, 0, 0, 0];
  const run = beginRunWithSettings(openCore(), {
    options: { SharedPolicies: 2 },
    room: { Policies: 3 },
    sites: { ...SITES, Policies: POLICIES_COLUMN_WITH_INVALID },
  });
  const { core, jobs, block } = run;
  expect(core.runTogether(block, jobs.table)).toBe(core.Status.Finished);
  expect(core.measureTogether(block, jobs.table, 1)).toBe(core.Status.Finished);
  expect(core.measureTogether(block, jobs.table, 2)).toBe(core.Status.PolicyUnknown);
  const runWithInvalidPolicies = beginRunWithSettings(openCore(), {
    room: { Policies: 3 },
    sites: { ...SITES, Policies: POLICIES_COLUMN_WITH_INVALID },
  });
  expect(
    runWithInvalidPolicies.core.runTogether(runWithInvalidPolicies.block, runWithInvalidPolicies.jobs.table),
  ).toBe(runWithInvalidPolicies.core.Status.PoliciesUnshared);
});

test('an interval causes no more passes than the limit, even if more jobs than expected wait for long', () => {
  const options = { Discipline: 'Easy', Interval: 1 };
  const makeJobsOfEqualRuntime = (runtimeOfEachJob: number, jobCount: number): JobInput => ({
    Submit: new Array(jobCount).fill(0),
    Runtime: new Array(jobCount).fill(runtimeOfEachJob),
    Processors: new Array(jobCount).fill(5),
    Home: new Array(jobCount).fill(0),
  });
  expect(() => beginRunWithSettings(openCore(), { options }, makeJobsOfEqualRuntime(1e8, 3))).toThrow(
    'IntervalTooShort',
  );
  // Each job runs alone on the only site that is wide enough, which leaves half of the processors
  // idle.
  const run = beginRunWithSettings(
    openCore(),
    { options, sites: { Capacity: [5, 4, 4], Speed: [1, 1, 1] } },
    makeJobsOfEqualRuntime(1.5e6, 10),
  );
  expect(run.scalar('Span')).toBeCloseTo(7.27e6, -5);
  expect(() => run.run()).toThrow('IntervalTooShort');
});

test('jobs started in trials do not depend on how sites are searched', () => {
  const of = (choiceIndex: number) => {
    const run = beginRunWithSettings(openCore(), {
      policy: 'dynamic',
      parameters: { every: 5 },
      sites: { ...SITES, Policies: [6, 0, 0.5, 0, 0, 6, 0, 3, 0, 0, 0, 0, 0, 0, 0] },
      room: { Index: choiceIndex },
    });
    run.run();
    return run.scalar('TriedJobs');
  };
  expect(of(0)).toBeGreaterThan(0);
  expect(of(1)).toBe(of(0));
});

test('the memory of backfilling depends on what can run at once, and on the jobs', () => {
  const core = openCore();
  const measureRunBytes = (jobCountOfRun: number, siteCount: number) => {
    const jobs = Object.fromEntries(
      (['Submit', 'Runtime', 'Processors', 'Home'] as const).map((name) => [
        name,
        new Array(jobCountOfRun).fill(name === 'Home' ? 0 : 1),
      ]),
    ) as unknown as JobInput;
    const coreJobs: CoreJobs = makeJobs(core, jobs);
    const run = new CoreRun(coreJobs);
    const siteColumns = { Capacity: new Array(siteCount).fill(64), Speed: new Array(siteCount).fill(1) };
    run.begin({ sites: siteColumns, options: { Discipline: 'Conservative' } });
    return run.scalar('Bytes');
  };
  expect(measureRunBytes(100, 5)).toBeLessThan(60_000);
  expect(measureRunBytes(1000, 5)).toBeLessThan(800_000);
  expect(measureRunBytes(100, 1000)).toBeLessThan(3_500_000);
});
