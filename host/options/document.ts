/**
 * Serialization of options: as text by name, as command-line words, and the differences between two
 * simulations.
 */
import { InputError } from '../errors.js';
import { printDuration } from '../notation.js';
import { type CodeFile, findProvidedCode, isCodeFileName } from '../providedCode.js';
import type { Configuration, RunOptionInput, RunOptionKey, RunSettings } from './configuration.js';
import type { Option } from './kinds.js';
import {
  findOptionByKey,
  findOptionByName,
  OPTIONS,
  type OptionKey,
  type OptionStrings,
  optionNameOfKey,
  printDefaultOptionText,
  type Settings,
} from './options.js';
import { makeCanonicalOrderText, type Order } from './order.js';
import { isOptionWithoutEffect } from './rules.js';
import {
  DEFAULT_BACKFILL_SITE_SELECTION,
  DISCIPLINES_SHORT_FOR_ORDERS,
  findOrderOfWaitingJobs,
  RUN_OPTIONS,
} from './runOptions.js';

const RUN_OPTION_ENTRIES = Object.entries(RUN_OPTIONS) as [RunOptionKey, Option<unknown>][];

/**
 * All settings of a run as plain data by key: words, numbers, lists and notations. The order is the effective
 * one, also if the discipline is a short form of it.
 */
export function makeRunDocument(runSettings: RunSettings): Record<string, unknown> {
  const runOptionsWithOrder = { ...runSettings, order: findOrderOfWaitingJobs(runSettings) };
  return Object.fromEntries(
    RUN_OPTION_ENTRIES.map(([key, { hasNotation, print }]) => [
      key,
      hasNotation ? print(runOptionsWithOrder[key]) : runOptionsWithOrder[key],
    ]),
  );
}

/** Files with user-written functions that a run uses, including functions for runtime estimates. */
export function listCodeFilesOfRun(runSettings: RunSettings & Pick<Configuration, 'labels'>): CodeFile[] {
  const optionTexts = RUN_OPTION_ENTRIES.map(([key, { print }]) => print(runSettings[key]));
  const codeFileNames = [...optionTexts, runSettings.labels?.estimates ?? ''].filter(isCodeFileName);
  return [...new Set(codeFileNames)].map((fileName) => findProvidedCode(fileName, 'code'));
}

/** Settings as plain data that can be passed to threads; functions from files are given by name. */
export function makePlainRunOptions(runSettings: RunSettings): RunOptionInput {
  const plainOptionEntries = RUN_OPTION_ENTRIES.map(([key, { print }]) => {
    const optionText = print(runSettings[key]);
    return [key, isCodeFileName(optionText) ? optionText : runSettings[key]];
  });
  return Object.fromEntries(plainOptionEntries);
}

/** Options by the names that the library gives them, as plain data: words and notations are text. */
export type OptionsDocument = Readonly<Record<string, string | number | boolean | readonly number[]>>;

/** Value in the form stored in documents. */
function toOptionDocumentValue(
  { hasNotation, print }: Option<unknown>,
  optionValue: unknown,
): OptionsDocument[string] {
  return hasNotation || optionValue === Infinity
    ? print(optionValue)
    : (optionValue as OptionsDocument[string]);
}

/** Explicit options of settings as plain data. */
export function makeOptionsDocument(settings: Omit<Settings, 'workload'>): OptionsDocument {
  const documentEntries = Object.values(OPTIONS).flatMap((option) => {
    const optionValue = option.key === 'workload' ? undefined : settings[option.key];
    const isOptionSet = optionValue !== undefined && !(option.isSwitch && optionValue === false);
    return isOptionSet ? [[option.key, toOptionDocumentValue(option, optionValue)]] : [];
  });
  return Object.fromEntries(documentEntries);
}

/** Options of a document as texts by name. */
export function printOptionTextsOfDocument(document: OptionsDocument): Record<string, string> {
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => [optionNameOfKey(key), String(value)]),
  );
}

/** Default values of some options, except defaults that no text expresses. */
export function makeDefaultOptionsDocument(optionKeys: readonly OptionKey[]): OptionsDocument {
  const documentEntries = optionKeys.flatMap((key) => {
    const option = findOptionByKey(key);
    const { default: value, otherwise } = option;
    return value === undefined || otherwise !== undefined
      ? []
      : [[key, toOptionDocumentValue(option, value)]];
  });
  return Object.fromEntries(documentEntries);
}

/**
 * Options of a run as plain data, with defaults filled in. Options without effect in this run, and defaults that
 * no text expresses, are omitted.
 */
export function makeEffectiveRunOptionsDocument(runSettings: RunSettings): OptionsDocument {
  const writtenOptionEntries = RUN_OPTION_ENTRIES.filter(([key, { default: defaultValue, otherwise }]) => {
    const isDefault = otherwise !== undefined && runSettings[key] === defaultValue;
    return !isDefault && !isOptionWithoutEffect(key, runSettings);
  });
  return Object.fromEntries(
    writtenOptionEntries.map(([key, option]) => [key, toOptionDocumentValue(option, runSettings[key])]),
  );
}

/** Options of a run as in `nonDefaultRunOptions`, as text by name. */
export function printRunOptions(runSettings: RunSettings): Record<string, string> {
  return printOptionTextsOfDocument(makeEffectiveRunOptionsDocument(runSettings));
}

/** Explicit options as text by name, which `parseOptionText` can read. */
export function printOptionSettings(settings: Omit<Settings, 'workload'>): Record<string, string> {
  return printOptionTextsOfDocument(makeOptionsDocument(settings));
}

/** Options as words of a command line, from their texts by name. */
export function formatOptionsAsCommandLineWords(optionTexts: OptionStrings): string[] {
  return Object.entries(OPTIONS).flatMap(([optionName, { isSwitch, isRepeatable }]) => {
    const optionText = optionTexts[optionName];
    if (optionText === undefined) return [];
    if (isSwitch) return [`--${optionName}`];
    return (isRepeatable ? optionText.split(';') : [optionText]).flatMap((valueText) =>
      formatOptionAsWords(optionName, valueText),
    );
  });
}

/** Words that set an option on a command line; a value that begins with `-` is in the word of its option. */
export function formatOptionAsWords(optionName: string, optionValue: string): string[] {
  return optionValue.startsWith('-') ? [`--${optionName}=${optionValue}`] : [`--${optionName}`, optionValue];
}

/**
 * Parses command-line words into option texts by name; the values of a repeated option are joined by
 * semicolons.
 */
export function parseOptionWords(commandWords: readonly string[]): Record<string, string> {
  const optionTexts: Record<string, string> = {};
  for (const [i, word] of commandWords.entries()) {
    const [, name = '', valueText] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (!Object.hasOwn(OPTIONS, name)) continue;
    const { isSwitch, bare } = findOptionByName(name);
    const nextWord = valueText ?? commandWords[i + 1] ?? '';
    const optionText = isSwitch ? 'true' : bare === undefined || bare.takes(nextWord) ? nextWord : bare.text;
    optionTexts[name] = optionTexts[name] === undefined ? optionText : `${optionTexts[name]};${optionText}`;
  }
  return optionTexts;
}

/** Request stored in config.json. */
export interface SavedSimulationRequest {
  readonly request?: {
    readonly command: 'simulate';
    /** Log or workload model. */
    readonly workload: string;
    /** Options that determine the results. */
    readonly options: OptionsDocument;
  };
}

/** Options in a config.json as texts by name. */
export function readOptionTextsOfSavedRequest({ request }: SavedSimulationRequest): OptionStrings {
  return request === undefined ? {} : printOptionTextsOfDocument(request.options);
}

/** True if a text is equal to the default of the option, or to the default for every site. */
export function isDefaultOptionText(optionName: string, optionText: string): boolean {
  const option = findOptionByName(optionName);
  const defaultTexts = [printDefaultOptionText(option), IMPLIED_DEFAULT_TEXTS[option.key]];
  return (
    defaultTexts.includes(optionText) || optionText.split(',').every((part) => defaultTexts.includes(part))
  );
}

/** Shortens a text for readers: one value if all sites have the same, and times with units. */
export function shortenOptionText(optionName: string, optionText: string): string {
  if (findOptionByName(optionName).isTime && optionText !== '' && Number.isFinite(Number(optionText)))
    return printDuration(Number(optionText));
  return OPTIONS_WITH_VALUES_BY_SITE.includes(findOptionByName(optionName).key)
    ? collapseEqualSiteValues(optionText)
    : optionText;
}

/** Describes the options that are not at their defaults: `sites 8,8, kill at-estimate`. */
export function describeOptionsInWords(optionTexts: OptionStrings): string {
  return Object.entries(optionTexts)
    .filter(([optionName, optionText]) => !isDefaultOptionText(optionName, optionText))
    .map(
      ([optionName, optionText]) =>
        `${optionName.replaceAll('-', ' ')}${findOptionByName(optionName).isSwitch ? '' : ` ${shortenOptionText(optionName, optionText)}`}`,
    )
    .join(', ');
}

/** Options of the grid that headings show. */
const GRID_HEADING_OPTIONS = ['sites', 'speeds', 'heterogeneity'];

/**
 * Describes further settings for a heading, except defaults: `backfill order shortest, kill at-estimate`.
 * @param methodName description of the method in the heading; empty if it names several methods or none.
 */
export function describeSettingsOnOneLine(optionTexts: OptionStrings, methodName: string): string {
  const { discipline = 'fcfs' } = optionTexts;
  const doesMethodNameStartWith = (optionText: string) =>
    [`${optionText} `, `${optionText}, `].some((each) => `${methodName} `.startsWith(each));
  const isOptionInHeading = ([name, text]: readonly [string, string]) =>
    GRID_HEADING_OPTIONS.includes(name) ||
    (name === 'policy' && methodName !== '' && methodName !== discipline) ||
    doesMethodNameStartWith(text);
  return describeOptionsInWords(
    Object.fromEntries(Object.entries(optionTexts).filter((each) => !isOptionInHeading(each))),
  );
}

/**
 * An option with different values in two simulations, as texts; `-` if the option is absent and has no
 * default.
 */
export interface OptionDifference {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/** Options with one value for all sites, or one per site or pair of sites. */
export const OPTIONS_WITH_VALUES_BY_SITE: readonly OptionKey[] = [
  'load',
  'speeds',
  'heterogeneity',
  'bandwidth',
  'latency',
];

/** Default texts of options whose default depends on other options. */
const IMPLIED_DEFAULT_TEXTS: Partial<Record<OptionKey, string>> = {
  select: DEFAULT_BACKFILL_SITE_SELECTION,
  speeds: '1',
  dataSize: '0',
};

/**
 * Shortens values per site to one number if all relevant ones are equal; the diagonal of a matrix is
 * irrelevant.
 */
function collapseEqualSiteValues(siteValuesText: string): string {
  const rows = siteValuesText.split(';').map((rowText) => rowText.split(','));
  const siteValues = rows.flatMap((row, i) => row.filter((_, j) => rows.length === 1 || i !== j)).map(Number);
  return siteValues.every((siteValue) => siteValue === siteValues[0])
    ? String(siteValues[0])
    : siteValuesText;
}

/** Result of a function, or undefined if it refuses a text, such as a policy of another core or version. */
function computeOrUndefinedIfRefused<Value>(compute: () => Value): Value | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Canonical form of a text, equal for all spellings of its value. */
function makeCanonicalOptionText(optionName: string, optionText: string): string {
  const { read: readOption, print, key: optionKey } = findOptionByName(optionName);
  if (isCodeFileName(optionText)) return optionText;
  const optionValue = readOption(optionText, optionName);
  const isOrderOption = optionKey === 'order' || optionKey === 'backfillOrder';
  const canonicalValueText = isOrderOption
    ? makeCanonicalOrderText(optionValue as Order)
    : print(optionValue);
  return OPTIONS_WITH_VALUES_BY_SITE.includes(optionKey)
    ? collapseEqualSiteValues(canonicalValueText)
    : canonicalValueText;
}

/** Default of an option in canonical form; undefined if no text expresses it. */
function findCanonicalDefaultOfOption(optionName: string): string | undefined {
  const { key: optionKey, default: defaultValue, print } = findOptionByName(optionName);
  const impliedDefaultText = IMPLIED_DEFAULT_TEXTS[optionKey];
  if (impliedDefaultText !== undefined) return impliedDefaultText;
  if (defaultValue === undefined) return undefined;
  return computeOrUndefinedIfRefused(() =>
    makeCanonicalOptionText(
      optionName,
      typeof defaultValue === 'string' ? defaultValue : print(defaultValue),
    ),
  );
}

/** Option texts with short forms and time factors replaced by their meaning. */
function expandShortFormOptions({
  discipline = 'fcfs',
  heterogeneity,
  ...texts
}: OptionStrings): OptionStrings {
  const order = DISCIPLINES_SHORT_FOR_ORDERS[discipline as keyof typeof DISCIPLINES_SHORT_FOR_ORDERS];
  const timeFactors = heterogeneity?.split(',').map(Number) ?? [];
  const areInverseSpeeds =
    timeFactors.length > 0 && timeFactors.every((factor) => 1 / (1 / factor) === factor);
  return {
    ...texts,
    ...(order === undefined ? { discipline } : { discipline: 'fcfs', order }),
    ...(areInverseSpeeds ? { speeds: timeFactors.map((factor) => 1 / factor).join(',') } : {}),
    ...(areInverseSpeeds || heterogeneity === undefined ? {} : { heterogeneity }),
  };
}

/** Options that have an effect in a simulation, in canonical form for comparisons. */
function makeCanonicalOptionTexts(optionTexts: OptionStrings): OptionStrings {
  const optionTextsWithReaders = Object.entries(optionTexts).map(([optionName, optionText]) => ({
    name: optionName,
    text: optionText,
    ...findOptionByName(optionName),
  }));
  const parsedOptionEntries = optionTextsWithReaders.map(
    ({ name, text, key: optionKey, read: readOption }) => [
      optionKey,
      computeOrUndefinedIfRefused(() => readOption(text, name)),
    ],
  );
  const settings = Object.fromEntries(parsedOptionEntries);
  const effectiveEntries = optionTextsWithReaders.filter(
    ({ key: optionKey }) => !isOptionWithoutEffect(optionKey, settings),
  );
  return Object.fromEntries(
    effectiveEntries.map(({ name, text }) => [
      name,
      computeOrUndefinedIfRefused(() => makeCanonicalOptionText(name, text)) ?? text,
    ]),
  );
}

/**
 * Options in which two simulations differ, regardless of spelling.
 * @param a options of the first simulation as texts by name, as in config.json.
 */
export function findOptionDifferences(a: OptionStrings, b: OptionStrings): OptionDifference[] {
  const [expandedA, expandedB] = [expandShortFormOptions(a), expandShortFormOptions(b)];
  const [canonicalA, canonicalB] = [makeCanonicalOptionTexts(expandedA), makeCanonicalOptionTexts(expandedB)];
  const defaultTextOf = (optionName: string) => findCanonicalDefaultOfOption(optionName) ?? '-';
  return Object.keys({ ...expandedA, ...expandedB })
    .filter((optionName) => {
      const defaultText = findCanonicalDefaultOfOption(optionName);
      return (canonicalA[optionName] ?? defaultText) !== (canonicalB[optionName] ?? defaultText);
    })
    .map((optionName) => ({
      name: optionName,
      a: expandedA[optionName] ?? defaultTextOf(optionName),
      b: expandedB[optionName] ?? defaultTextOf(optionName),
    }));
}

/**
 * Options that change arrival times or resource usage compared to the log. Dropped or split jobs are counted
 * separately.
 */
const WORKLOAD_CHANGING_OPTIONS: readonly string[] = [
  ...['perturb', 'replication', 'arrival-scale', 'offered-load', 'dependencies'],
  ...['runtime-scale', 'load', 'kill', 'moldable', 'heterogeneity'],
  ...['multi-site-overhead', 'multi-site-factor', 'bandwidth', 'latency', 'reclaim'],
];

/** Jobs and grid of a simulation, for the comparison with its log. */
export interface SimulatedJobsAndGrid {
  /** Processors of the machine of the log; undefined if unknown. */
  readonly machine: number | undefined;
  readonly sites: readonly { readonly capacity: number; readonly speed: number }[];
  /** Number of dropped records, by rule. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Number of split jobs. */
  readonly split: { readonly jobs: number };
}

/**
 * Rules that drop records of jobs that never held a processor, which do not change the load of the machine.
 */
const DROP_RULES_OF_UNRUN_JOBS: readonly string[] = ['runtime', 'processors'];

/**
 * True if load, arrivals and machine size are equal to those in the log.
 * @param optionTexts given options as texts by name.
 */
export function isSimulatedAsLogged(
  optionTexts: OptionStrings,
  { machine, sites, dropped, split }: SimulatedJobsAndGrid,
): boolean {
  const processors = sites.reduce((sum, { capacity }) => sum + capacity, 0);
  return (
    processors === machine &&
    split.jobs === 0 &&
    sites.every(({ speed }) => speed === 1) &&
    Object.entries(dropped).every(
      ([rule, count]) => count === 0 || DROP_RULES_OF_UNRUN_JOBS.includes(rule),
    ) &&
    WORKLOAD_CHANGING_OPTIONS.every(
      (optionName) =>
        optionTexts[optionName] === undefined || isDefaultOptionText(optionName, optionTexts[optionName]),
    )
  );
}
