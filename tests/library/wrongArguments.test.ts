import { describe, expect, test } from 'vitest';
import * as library from '../../host/index.js';
import { RUN_OPTIONS } from '../../host/options/runOptions.js';

/** Wrong arguments of the library's functions must give an error message in one sentence. */

const ARGUMENTS_OF_WRONG_TYPE: readonly unknown[] = [
  undefined,
  null,
  3,
  Number.NaN,
  'x',
  {},
  [],
  () => 1,
  new Map(),
];
/** Functions with arguments that are files or modules, or that store any value. */
const FUNCTIONS_NOT_TESTED_HERE = ['setCore', 'useCoreFile', 'coreFile'];
const functions = Object.entries(library).flatMap(([name, value]) =>
  typeof value === 'function' && /^[a-z]/.test(name) && !FUNCTIONS_NOT_TESTED_HERE.includes(name)
    ? [[name, value as (...input: unknown[]) => unknown] as const]
    : [],
);

test('there are functions', () => {
  expect(functions.length).toBeGreaterThan(55);
});

describe.each(functions)('%s', (_, call) => {
  test.each(ARGUMENTS_OF_WRONG_TYPE.map((input) => [input]))(
    'of %o gives a result or a sentence',
    async (input) => {
      for (const valueOfSecondArgument of [undefined, null, {}]) {
        try {
          await call(input, valueOfSecondArgument);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(['InputError', 'OutputError', 'FunctionError'], String(error)).toContain(
            (error as Error).name,
          );
        }
      }
    },
  );
});

describe('errors use the terms of the function that is called', () => {
  const trace = library.makeModelTrace('lublin99[jobs=20,seed=1]');
  const grid = library.makeGrid({ capacities: [128] });
  const workload = library.makeWorkload(trace, { siteCount: 1 });
  const findErrorMessageOf = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  test.each(Object.keys(RUN_OPTIONS))('simulate with a wrong %s names no other function', (option) => {
    for (const input of ['2 and more', {}, null, [], Number.NaN]) {
      const message = findErrorMessageOf(() =>
        library.simulate(workload, grid, { [option]: input } as never),
      );
      expect(message).not.toMatch(/^(?!simulate)[a-z]+[A-Z]\w*, /);
      expect(message).not.toMatch(/^check[A-Z]/);
    }
  });

  test.each(Object.keys(RUN_OPTIONS))('simulate with a wrong %s gives a result or a sentence', (option) => {
    for (const input of [
      ...ARGUMENTS_OF_WRONG_TYPE,
      '2 and more',
      true,
      [1, 'x'],
      [{}],
      [null],
      { from: 1 },
    ]) {
      try {
        library.simulate(workload, grid, { [option]: input } as never);
      } catch (error) {
        expect(['InputError', 'FunctionError'], `${String(input)}: ${error}`).toContain(
          (error as Error).name,
        );
      }
    }
  });

  test('errors name sites as each function does', () => {
    expect(findErrorMessageOf(() => library.makeGrid({ sites: [4] } as never))).toMatch(
      /^makeGrid has no option 'sites'; it takes capacities; sites is an option of /,
    );
    expect(findErrorMessageOf(() => library.makeWorkload(trace, { sites: 1 } as never))).toMatch(
      /^makeWorkload has no option 'sites'; it takes capacities and siteCount; /,
    );
  });

  const functionsThatTakeJobs = Object.entries({
    compare: library.compare,
    replications: library.replications,
    sweep: library.sweep,
  });
  test.each(functionsThatTakeJobs)('%s says that it takes a path', async (name, call) => {
    await expect((call as (jobs: unknown, options: object) => Promise<unknown>)({}, {})).rejects.toThrow(
      `${name}, jobs: expected the path of a log, a model such as lublin99[jobs=1000], or a trace, found an object`,
    );
  });

  test.each(['warmUp', 'coolDown', 'interval'] as const)('%s takes a time with units', (option) => {
    const of = (time: number | string) =>
      library.simulate(library.withEstimates(workload, { source: 'exact' }), grid, {
        discipline: 'easy',
        [option]: time,
      }).summary;
    expect(of('1h30m')).toEqual(of(5400));
    expect(of('1h30m')).not.toEqual(of(option === 'interval' ? 1e4 : 0));
    expect(() => of('soon')).toThrow(/, or a time such as 7d or 1h30m, found 'soon'/);
  });
});
