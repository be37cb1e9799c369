import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import * as library from '../../host/index.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Every function of the library must refuse unknown options and say which function has them. */

const trace = library.parseTrace('; MaxProcs: 8\n1 0 -1 60 4 -1 -1 4 90 -1 1 7 -1 -1 1 -1 -1 -1');
const grid = library.makeGrid({ capacities: [8, 8, 8] });
const workload = library.makeWorkload(trace, { siteCount: 3 });
const minimalStudy = {
  title: 'One',
  simulate: { workload: 'lublin99[jobs=2]' },
  measures: { wait: { metric: 'meanWait' } },
};
const studySource = { name: 'one', text: '', locate: () => 'one' };
const file = join(makeTemporaryFolder(), 'log.swf');

/** Calls of each function with additional options, by the name of its options in the reference. */
const CALLS_WITH_OPTIONS: Readonly<
  Record<string, { readonly name: string; readonly call: (options: object) => unknown }>
> = {
  WorkloadOptions: {
    name: 'makeWorkload',
    call: (options) => library.makeWorkload(trace, { siteCount: 3, ...options }),
  },
  GridOptions: { name: 'makeGrid', call: (options) => library.makeGrid({ capacities: [8], ...options }) },
  SpeedDraw: {
    name: 'drawSpeeds',
    call: (options) => library.drawSpeeds({ capacities: [8, 8, 8], heterogeneity: 0.1, seed: 1, ...options }),
  },
  SimulationOptions: { name: 'simulate', call: (options) => library.simulate(workload, grid, options) },
  EnvironmentOptions: {
    name: 'Environment',
    call: (options) => new library.Environment({ jobs: workload, grid, observation: ['free'], ...options }),
  },
  LiveOptions: { name: 'LiveSimulation', call: (options) => new library.LiveSimulation(grid, options) },
  LiveForkOptions: { name: 'fork', call: (options) => new library.LiveSimulation(grid).fork(options) },
  ParseOptions: { name: 'parseTrace', call: (options) => library.parseTrace('', options) },
  ReadOptions: { name: 'readTrace', call: (options) => library.readTrace(file, options) },
  CheckOptions: { name: 'checkTrace', call: async (options) => library.checkTrace(file, options) },
  WriteOptions: { name: 'writeTrace', call: (options) => library.writeTrace(trace, file, options) },
  StudyOverrides: {
    name: 'makeStudy',
    call: (options) => library.makeStudy(minimalStudy, studySource, options),
  },
  PlanOptions: {
    name: 'planStudy',
    call: async (options) => library.planStudy(await library.makeStudy(minimalStudy, studySource), options),
  },
  ReplicationOptions: {
    name: 'replications',
    call: (options) => library.replications(trace, { replications: 2, ...options }),
  },
  ComparisonOptions: {
    name: 'compare',
    call: (options) => library.compare(trace, { replications: 2, ...options }),
  },
  LogJudgingOptions: {
    name: 'judgeLogs',
    call: (options) => library.judgeLogs([{ name: 'a', values: [[1, 2]] }], options),
  },
  SelectionOptions: {
    name: 'selectBest',
    call: (options) => library.selectBest([[1, 2]], { better: 'less', delta: 1, first: 2, ...options }),
  },
  SweepOptions: {
    name: 'sweep',
    call: (options) => library.sweep(trace, { vary: { load: [1, 2] }, ...options }),
  },
  RerunOptions: { name: 'rerunOf', call: async (options) => library.rerunOf(file, options) },
  RunOptions: {
    name: 'runStudy',
    call: async (options) =>
      library.runStudy(
        await library.makeStudy(minimalStudy, studySource),
        {},
        { out: file, threads: 1, ...options },
      ),
  },
};

/** Option types that are parts of others, or that concern verdicts. */
const OTHER_FUNCTIONS = ['SourceOptions', 'ThreadOptions', 'RunningOptions', 'JudgingOptions'];

const readErrorMessageOfCall = async (call: () => unknown) => {
  try {
    await call();
  } catch (error) {
    if (error instanceof library.InputError) return error.message;
    throw error;
  }
  return undefined;
};

test('all options that the reference describes are tried', () => {
  const libraryReferenceText = readFileSync(
    new URL('../../docs/library-reference.md', import.meta.url),
    'utf8',
  );
  const typesInReference = [...libraryReferenceText.matchAll(/^### (\w+(?:Options|Overrides|Draw))$/gm)].map(
    ([, name]) => name,
  );
  expect([...Object.keys(CALLS_WITH_OPTIONS), ...OTHER_FUNCTIONS].sort()).toEqual(typesInReference.sort());
});

/** Options accepted by each function, taken from its refusals. */
const NAMES_OF_OPTION_TYPES = new Set<string>();
beforeAll(async () => {
  for (const { name, call } of Object.values(CALLS_WITH_OPTIONS)) {
    const [, knownNames = ''] =
      / Known: (.*)$/.exec((await readErrorMessageOfCall(() => call({ zzz: 1 }))) ?? '') ?? [];
    for (const option of knownNames.split(', ')) NAMES_OF_OPTION_TYPES.add(`${name} ${option}`);
  }
});

test.each(Object.values(CALLS_WITH_OPTIONS))('$name', async ({ name, call }) => {
  for (const unknownName of ['zzz', 'home_rule', 'Options', 'constructor']) {
    expect(await readErrorMessageOfCall(() => call({ [unknownName]: 1 }))).toContain(
      `unknown option of ${name} '${unknownName}'`,
    );
  }
  for (const callOfOtherFunction of Object.values(CALLS_WITH_OPTIONS).filter(
    (otherCall) => otherCall.name !== name,
  )) {
    const messageOfOtherFunction = await readErrorMessageOfCall(() => callOfOtherFunction.call({ zzz: 1 }));
    const knownNames = / Known: (.*)$/.exec(messageOfOtherFunction ?? '')?.[1].split(', ') ?? [];
    expect(knownNames.length).toBeGreaterThan(0);
    for (const option of knownNames) {
      if (NAMES_OF_OPTION_TYPES.has(`${name} ${option}`)) continue;
      const errorMessage = await readErrorMessageOfCall(() => call({ [option]: undefined }));
      expect(errorMessage).toMatch(/has no option|did you mean/);
      if (errorMessage?.includes('has no option')) expect(errorMessage).toContain(callOfOtherFunction.name);
    }
  }
});

test('an option of another function is sent there', () => {
  expect(() => library.simulate(workload, grid, { kill: 'at-estimate' } as never)).toThrow(
    "simulate has no option 'kill'; kill is an option of makeWorkload",
  );
  expect(() => library.makeWorkload(trace, { siteCount: 3, discipline: 'easy' } as never)).toThrow(
    "makeWorkload has no option 'discipline'; discipline is an option of simulate",
  );
});

test('without its options a function says what it expects', () => {
  expect(() => library.makeWorkload(trace, undefined as never)).toThrow(
    'makeWorkload: expected an object with options',
  );
  expect(() => library.makeWorkload(trace, {} as never)).toThrow(
    'siteCount: expected a whole number of at least 1',
  );
});

test('a preset is spread into the options of makeWorkload', () => {
  const { count: jobCount } = library.makeWorkload(trace, { ...library.PRESETS[0], siteCount: 5 });
  expect(jobCount).toBe(1);
});
