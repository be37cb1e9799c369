/**
 * All options of a simulation in one table, which serves the command line and its help, study files and their
 * schema, the library, the core, config.json and the documentation. An option is an entry of `JOB_OPTIONS`,
 * `GRID_OPTIONS` or `RUN_OPTIONS`.
 */
import { makeUnknownNameError } from '../notation.js';
import { GRID_OPTIONS, JOB_OPTIONS } from './jobOptions.js';
import type { Option, OptionInput, OptionValue } from './kinds.js';
import { RUN_OPTIONS } from './runOptions.js';

/** Options of one simulation by key, without those of commands such as `--out` or `--threads`. */
const SIMULATION_OPTIONS = { ...JOB_OPTIONS, ...GRID_OPTIONS, ...RUN_OPTIONS };

/** Key of an option: its name in the library. */
export type OptionKey = keyof typeof SIMULATION_OPTIONS;

/** Options of one simulation; absent ones are undefined. */
export type Settings = { readonly workload: string } & {
  readonly [Key in OptionKey]?: OptionValue<(typeof SIMULATION_OPTIONS)[Key]> | undefined;
};

/** Options as text by name: the names of study files, which the command line prefixes with two dashes. */
export type OptionStrings = Readonly<Record<string, string>>;

/** Value as plain data: words and numbers unchanged; durations, expressions and notations as text. */
type PlainValue<Given> = Given extends boolean
  ? boolean
  : Given extends number
    ? number | string
    : Given extends readonly number[]
      ? Given | string
      : Given extends string
        ? Given
        : string;

/** Options of the library for simulations in threads: plain data, with texts as on the command line. */
export type PlainSettings = {
  readonly [Key in Exclude<OptionKey, 'workload'>]?:
    | PlainValue<OptionInput<(typeof SIMULATION_OPTIONS)[Key]>>
    | undefined;
};

/** An option with its key, from which `optionNameOfKey` makes its name. */
export interface NamedOption extends Option<unknown> {
  readonly key: OptionKey;
}

/** Cache of option names by key, since a study looks them up thousands of times. */
const OPTION_NAMES_BY_KEY = new Map<string, string>();

/**
 * Name of an option in study files and on the command line (there after two dashes): `maxWidth` is
 * `max-width`.
 */
export function optionNameOfKey(optionKey: string): string {
  const cachedOptionName = OPTION_NAMES_BY_KEY.get(optionKey);
  if (cachedOptionName !== undefined) return cachedOptionName;
  const optionName = optionKey.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  OPTION_NAMES_BY_KEY.set(optionKey, optionName);
  return optionName;
}

/** All options by name. */
export const OPTIONS: Readonly<Record<string, NamedOption>> = Object.fromEntries(
  Object.entries(SIMULATION_OPTIONS as unknown as Readonly<Record<OptionKey, Option<unknown>>>).map(
    ([optionKey, option]) => [optionNameOfKey(optionKey), { ...option, key: optionKey as OptionKey }],
  ),
);

/**
 * Finds an option by name.
 * @throws InputError for an unknown name.
 */
export function findOptionByName(optionName: string): NamedOption {
  const option = Object.hasOwn(OPTIONS, optionName) ? OPTIONS[optionName] : undefined;
  if (option === undefined) throw makeUnknownNameError('option', optionName, Object.keys(OPTIONS));
  return option;
}

/** Finds an option by key. */
export function findOptionByKey(optionKey: OptionKey): Option<unknown> {
  return SIMULATION_OPTIONS[optionKey] as unknown as Option<unknown>;
}

/** Default of an option as command-line text; undefined if there is none. */
export function printDefaultOptionText({
  default: value,
  otherwise,
  print,
}: Option<unknown>): string | undefined {
  return otherwise ?? (value === undefined ? undefined : typeof value === 'string' ? value : print(value));
}

/** Keys of the options that determine the jobs. */
export const JOB_OPTION_KEYS = Object.keys(JOB_OPTIONS) as (keyof typeof JOB_OPTIONS)[];

/**
 * Parses the value of an option.
 * @param errorContext name of the option in errors.
 * @throws InputError for an invalid text.
 */
export function parseOptionText(
  optionName: string,
  optionInput: string,
  errorContext = optionName,
): Partial<Settings> {
  const { key: optionKey, read: readOption } = findOptionByName(optionName);
  return { [optionKey]: readOption(optionInput, errorContext) };
}

/**
 * Adds parsed option texts to settings.
 * @param naming names of the options in errors.
 * @throws InputError for a text that an option does not accept.
 */
export function addParsedOptionTexts<Given extends object>(
  settings: Given,
  optionTexts: OptionStrings,
  naming: Naming = nameOptionOnCommandLine,
): Given & Omit<Settings, 'workload'> {
  const parsedOptions = Object.entries(optionTexts).map(([optionName, optionText]) =>
    parseOptionText(optionName, optionText, naming(findOptionByName(optionName).key)),
  );
  return Object.assign({}, settings, ...parsedOptions);
}

/** Text that means an option is absent, unless the option has this word as a value. */
const ABSENT_OPTION_WORD = 'none';

/** True if a text means that the option is absent. */
export function isAbsentOptionText(optionName: string, optionText: unknown): boolean {
  return (
    optionText === ABSENT_OPTION_WORD && findOptionByName(optionName).choices?.includes(optionText) !== true
  );
}

/** Function that formats an option for error messages, with one value or several. */
export type Naming = (key: OptionKey, ...texts: readonly string[]) => string;

/** Formats an option as on the command line: `--queue per-home`. */
export const nameOptionOnCommandLine: Naming = (optionKey, ...optionTexts) => {
  const optionFlag = `--${optionNameOfKey(optionKey)}`;
  return optionTexts.length === 0 || findOptionByKey(optionKey).isSwitch
    ? optionFlag
    : `${optionFlag} ${optionTexts.join(' or ')}`;
};

/** Formats an option as in a study file: `queue: per-home`. */
export const nameOptionInStudyFile: Naming = (key, ...optionTexts) =>
  optionNameOfKey(key) + (optionTexts.length === 0 ? '' : `: ${optionTexts.join(' or ')}`);

/** Formats an option as in the library: `queue: 'per-home'`. */
export const nameOptionInLibrary: Naming = (key, ...optionTexts) => {
  const libraryLiterals = optionTexts.map((optionText) =>
    /^(?:true|false|[\d.e+-]+)$/.test(optionText) ? optionText : `'${optionText}'`,
  );
  return key + (optionTexts.length === 0 ? '' : `: ${libraryLiterals.join(' or ')}`);
};
