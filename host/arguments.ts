/** Checks the arguments of library functions; errors state what was expected. */
import { InputError } from './errors.js';
import { checkKnownNames, findNearestName } from './notation.js';

const makePropertyCheck =
  (...propertyNames: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    propertyNames.every((propertyName) => propertyName in value);

/** Kinds of arguments, each with a description and a test. */
const ARGUMENT_KINDS = {
  text: ['a text', (value: unknown) => typeof value === 'string'],
  number: ['a number', (value: unknown) => typeof value === 'number' && !Number.isNaN(value)],
  list: ['an array', (value: unknown) => Array.isArray(value) || ArrayBuffer.isView(value)],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  object: ['an object', (value: unknown) => typeof value === 'object' && value !== null],
  log: [
    'the text or the bytes of a log',
    (value: unknown) => typeof value === 'string' || value instanceof Uint8Array,
  ],
  trace: [
    'a trace, as readTrace, parseTrace, makeTrace and makeModelTrace give it',
    makePropertyCheck('header', 'columns', 'source'),
  ],
  jobs: [
    'the path of a log, a model such as lublin99[jobs=1000], or a trace',
    (value: unknown) => typeof value === 'string' || makePropertyCheck('header', 'columns', 'source')(value),
  ],
  workload: [
    'a workload, as makeWorkload makes it',
    makePropertyCheck('submit', 'runtime', 'processors', 'home'),
  ],
  grid: ['a grid, as makeGrid makes it', makePropertyCheck('capacities', 'speeds')],
  configuration: [
    'a configuration, as makeConfiguration makes it',
    makePropertyCheck('grid', 'policy', 'discipline'),
  ],
  simulator: ['a Simulator', makePropertyCheck('workload', 'configuration', 'jobColumns')],
  simulation: [
    'a simulation, as simulate and collectSimulation give it',
    makePropertyCheck('workload', 'schedule', 'summary'),
  ],
  schedule: ['a schedule, as simulations have it', makePropertyCheck('start', 'execution')],
  policy: ['a policy, as parsePolicy reads it', makePropertyCheck('declaration', 'values')],
  perturbation: ['a perturbation, as parsePerturbation reads it', makePropertyCheck('kind', 'seed')],
  filter: ['a filter, as parseFilter reads it', makePropertyCheck('rule')],
  estimates: ['estimates, as parseEstimates reads them', makePropertyCheck('source')],
  recorder: ['a Recorder', makePropertyCheck('simulator', 'entries')],
  source: ['what a study is read from: name, text and locate', makePropertyCheck('name', 'text', 'locate')],
  result: [
    'what compare, replications or sweep give',
    (value: unknown) =>
      [makePropertyCheck('metrics', 'workload'), makePropertyCheck('study', 'plan', 'results')].some(
        (isOfKind) => isOfKind(value),
      ),
  ],
  study: ['a study, as readStudy, parseStudy and makeStudy give it', makePropertyCheck('name', 'parts')],
  evaluation: ['an Evaluation', makePropertyCheck('study', 'plan')],
  drawing: [
    'a drawing, as reports have them: the text of an SVG with a width and a height',
    (value: unknown) => typeof value === 'string' && /^<svg (?=[^>]*width="\d)[^>]*height="\d/.test(value),
  ],
  some: ['an array that is not empty', (value: unknown) => Array.isArray(value) && value.length > 0],
  report: ['a report, as studyReport makes it', makePropertyCheck('figures')],
  drawnReport: [
    'a report that is drawn, as drawReport and drawFolder give it',
    makePropertyCheck('report', 'pictures'),
  ],
} as const satisfies Readonly<Record<string, readonly [words: string, isOne: (value: unknown) => boolean]>>;

/** Describes a received value in one word. */
export function describeReceivedValue(receivedValue: unknown): string {
  if (typeof receivedValue === 'string') return `'${receivedValue.slice(0, 40)}'`;
  if (typeof receivedValue === 'object' && receivedValue !== null)
    return Array.isArray(receivedValue) ? 'an array' : 'an object';
  return typeof receivedValue === 'function' ? 'a function' : String(receivedValue);
}

/**
 * Checks an argument of a library function by its required properties.
 * @param errorContext function and, if ambiguous, argument: `simulate, grid`.
 * @throws InputError for a value of another kind.
 */
export function checkArgument(
  argumentValue: unknown,
  argumentKind: keyof typeof ARGUMENT_KINDS,
  errorContext: string,
): void {
  const [words, isOne] = ARGUMENT_KINDS[argumentKind];
  if (!isOne(argumentValue))
    throw new InputError(`${errorContext}: expected ${words}, found ${describeReceivedValue(argumentValue)}`);
}

// Options of the functions of the library: a name that a function does not know would pass unnoticed otherwise.

/** Option names of each function, to suggest the function to which a misplaced option belongs. */
const optionNamesByFunction = new Map<string, readonly string[]>();

/** Registers the options of a function. */
export function registerLibraryOptions<Options>(
  functionName: string,
  options: Readonly<Record<keyof Options, unknown>>,
): string {
  optionNamesByFunction.set(functionName, Object.keys(options));
  return functionName;
}

/** Options that some functions take in place of an option, by its name. */
const REPLACEMENT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  sites: ['capacities', 'siteCount'],
};

function suggestReplacementOptions(option: string, knownOptionNames: readonly string[]): string {
  const acceptedReplacements = (REPLACEMENT_OPTIONS[option] ?? []).filter((each) =>
    knownOptionNames.includes(each),
  );
  return acceptedReplacements.length === 0 ? '' : `; it takes ${acceptedReplacements.join(' and ')}`;
}

/**
 * Refuses options that a function does not accept.
 * @param functionName function name, as returned by `registerLibraryOptions`.
 * @param optionObject given options; names in `ignoredOptions` are ignored.
 * @throws InputError with the nearest known name, or with the function that accepts this option.
 */
export function checkOptionNames(
  functionName: string,
  optionObject: object,
  ignoredOptions: readonly string[] = [],
): void {
  if (typeof optionObject !== 'object' || optionObject === null || Array.isArray(optionObject)) {
    throw new InputError(
      `${functionName}: expected an object with options, found ${describeReceivedValue(optionObject)}`,
    );
  }
  const knownOptionNames = optionNamesByFunction.get(functionName) ?? [];
  const unknownOptions = Object.keys(optionObject).filter(
    (option) => !knownOptionNames.includes(option) && !ignoredOptions.includes(option),
  );
  for (const option of unknownOptions) {
    const functionsWithOption = [...optionNamesByFunction].flatMap(([other, names]) =>
      names.includes(option) ? [other] : [],
    );
    if (functionsWithOption.length > 0 && findNearestName(option, knownOptionNames) === undefined) {
      throw new InputError(
        `${functionName} has no option '${option}'${suggestReplacementOptions(option, knownOptionNames)}; ${option} is an option of ${functionsWithOption.join(', ')}`,
      );
    }
  }
  checkKnownNames(unknownOptions, knownOptionNames, `option of ${functionName}`);
}
