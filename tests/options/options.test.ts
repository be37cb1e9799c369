import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { parseOptionWords, printRunOptions } from '../../host/options/document.js';
import { OPTIONS, parseOptionText } from '../../host/options/options.js';

/** Settings written to a file must give the same run when read again. */

const SIMULATION_OPTION_SETS: SimulationOptions[] = [
  {},
  { policy: 'ti[slt=1.5]', load: [1, 2.5], timeResolution: 'floor', instant: 'batched', minSpeedRatio: 0.5 },
  { queue: 'per-home', reclaim: true, discipline: 'sjf' },
  { multiSite: 'adaptive', multiSiteOverhead: 0.1 },
  { moldable: 'down', moldableThreshold: 1.5, moldableFit: 'power' },
  { moldable: 'down', speedup: { averageParallelism: 16, sigma: 0.5 } },
];

test.each(SIMULATION_OPTION_SETS)('%j', (options) => {
  const grid = makeGrid({ capacities: [4, 8] });
  const configuration = makeConfiguration(grid, options);
  const optionTexts = printRunOptions(configuration);
  const parsedOptions = Object.entries(optionTexts).map(([optionName, optionText]) =>
    parseOptionText(optionName, optionText),
  );
  expect(makeConfiguration(grid, Object.assign({}, ...parsedOptions))).toEqual(configuration);
});

test('options without effect in a run are not written', () => {
  const optionTexts = printRunOptions(makeConfiguration(makeGrid({ capacities: [4] })));
  const omittedOptions = Object.keys(optionTexts).filter((optionName) =>
    /^(?:multi-site|moldable|speedup|reclaim)/.test(optionName),
  );
  expect(omittedOptions).toEqual([]);
});

test.each(
  Object.entries(OPTIONS).filter(
    ([, { choices: optionChoices, isOpen }]) => optionChoices !== undefined && isOpen !== true,
  ),
)('%s takes its values and no others', (name, { choices: optionChoices = [] }) => {
  for (const word of optionChoices) expect(() => parseOptionText(name, word)).not.toThrow();
  expect(() => parseOptionText(name, 'other')).toThrow(/^unknown .*'other'/);
});

test('the schema of study files offers every option and its values', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../studies/study.schema.json', import.meta.url), 'utf8'),
  );
  const { properties } = schema.definitions.options as {
    properties: Record<string, { examples?: unknown[] }>;
  };
  const examplesInSchema = Object.entries(properties).map(([propertyName, { examples }]) => [
    propertyName,
    examples,
  ]);
  const choicesOfOptions = Object.entries(OPTIONS).map(
    ([optionName, { choices: optionChoices, isSwitch }]) => {
      return [optionName, isSwitch ? [true] : optionChoices];
    },
  );
  expect(examplesInSchema).toEqual(choicesOfOptions);
});

test.each(Object.getOwnPropertyNames(Object.prototype))(
  '%s, which every object has, is no option',
  (name) => {
    expect(() => parseOptionText(name, '1')).toThrow(/^unknown option/);
    expect(parseOptionWords([`--${name}`, '1', '--load', '2'])).toEqual({ load: '2' });
  },
);

/** Value that an option reads from a text; undefined if it refuses the text. */
function parseValueOrUndefined(optionName: string, optionText: string): unknown {
  try {
    return parseOptionText(optionName, optionText, optionName);
  } catch {
    return undefined;
  }
}

/** Options that keep their text unchanged. */
const TEXT_OPTION_NAMES = ['workload', 'speeds', 'order', 'backfill-order'];
/** Options whose values are whole numbers. */
const WHOLE_NUMBER_OPTION_NAMES = [
  'replication',
  'max-width',
  'narrow-width',
  'sites',
  'reservation-depth',
  'backfill-jobs',
  'backfill-segments',
  'processors-per-node',
  'load-machine',
];

test('every option that takes a number takes it in the notations of all: 1e0, and 100% or 1s where it is no count', () => {
  const namesOfNumericOptions = Object.keys(OPTIONS).filter(
    (optionName) =>
      parseValueOrUndefined(optionName, '1') !== undefined && !TEXT_OPTION_NAMES.includes(optionName),
  );
  expect(namesOfNumericOptions.length).toBeGreaterThan(WHOLE_NUMBER_OPTION_NAMES.length);
  for (const name of namesOfNumericOptions) {
    const [value, exponent, share, time] = ['1', '1e0', '100%', '1s'].map((text) =>
      parseValueOrUndefined(name, text),
    );
    expect({ name, value: exponent }).toEqual({ name, value });
    const otherOptions = [share, time].filter((otherOption) => otherOption !== undefined);
    expect({ name, others: otherOptions }).toEqual({
      name,
      others: WHOLE_NUMBER_OPTION_NAMES.includes(name) ? [] : [value],
    });
  }
});

const NODE_PLAN_OPTIONS: SimulationOptions = {
  discipline: 'conservative',
  backfillInterval: 30,
  planBy: 'node',
};

test('plans by nodes are refused for more processors than the core plans', () => {
  const configure = (...capacities: number[]) =>
    makeConfiguration(makeGrid({ capacities }), { ...NODE_PLAN_OPTIONS, policy: 'best-fit' });
  expect(configure(16_000, 384).planBy).toBe('node');
  expect(() => configure(16_000, 385)).toThrow(/at most 16,?384 processors on all sites together/);
});

test.each<[SimulationOptions, string]>([
  [{ passDelay: { finish: 1 } as never }, "unknown event of passDelay 'finish'"],
  [{ passDelay: { submit: 3, ned: 5 } as never }, "'ned'; did you mean 'end'?"],
  [{ passDelay: [1, 2] as never }, 'found a list'],
  [{ moldable: 'down', speedup: { averageParallelism: 2, sigma: 1, simga: 1 } as never }, "'simga'"],
  [{ limit: { 'user.job': 3 } as never }, "'user.job'; did you mean 'user.jobs'?"],
  [{ outages: [{ site: 1, form: 2 }] as never }, "'form'; did you mean 'from'?"],
  [{ outages: [{ site: 1, from: 2, too: 3 }] as never }, "'too'; did you mean 'to'?"],
  [{ policy: { choose: () => 0, mayWiat: true } as never }, "'mayWiat'; did you mean 'mayWait'?"],
  [{ partitionSites: { short: 1 } as never }, 'expected a list of sites'],
])('misspelt fields of values that are objects are refused: %j', (options, message) => {
  expect(() => makeConfiguration(makeGrid({ capacities: [4] }), options)).toThrow(message);
});

test.each([
  ['pass-delay', 'submit=1,submit=2', 'submit is given twice'],
  ['limit', 'user.jobs=1;user.jobs=2', 'user.jobs is given twice'],
  ['partition-sites', 'a=1;a=2', 'partition a is given twice'],
])('a name given twice in a list is refused: --%s %s', (optionName, optionText, message) => {
  expect(() => parseOptionText(optionName, optionText)).toThrow(message);
});

test('a pass delay may have square brackets, and needs seconds for each event', () => {
  const parsePassDelay = (optionText: string) => parseOptionText('pass-delay', optionText);
  expect(parsePassDelay('[submit=1,end=2]')).toEqual(parsePassDelay('submit=1,end=2'));
  expect(() => parsePassDelay('submit')).toThrow(/submit=SECONDS.*found 'submit' without seconds/);
  expect(() => parsePassDelay('submit=1,end')).toThrow("found 'end' without seconds");
});
