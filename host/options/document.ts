/** Options written down: as text by name, as words of a command line, and in which of them two simulations differ. */
import { InputError } from '../errors.js';
import { durationNotation } from '../notation.js';
import { type CodeFile, codeNamed, isCodeName } from '../providedCode.js';
import type { Configuration, RunKey, RunOptionInput, RunSettings } from './configuration.js';
import type { Option } from './kinds.js';
import {
  defaultText,
  OPTIONS,
  type OptionKey,
  type OptionStrings,
  optionName,
  optionNamed,
  optionOf,
  type Settings,
} from './options.js';
import { canonicalOrder, type Order } from './order.js';
import { isIdle } from './rules.js';
import { DEFAULT_SELECTION, effectiveOrder, RUN_OPTIONS, SHORT_FORMS } from './runOptions.js';

const RUN_OPTION_ENTRIES = Object.entries(RUN_OPTIONS) as [RunKey, Option<unknown>][];

/**
 * What was decided, by key, as plain data: words, numbers, lists, and notations. The order is the
 * one that holds, also where the discipline is short for it.
 */
export function runDocument(run: RunSettings): Record<string, unknown> {
  const valuesWithOrder = { ...run, order: effectiveOrder(run) };
  return Object.fromEntries(
    RUN_OPTION_ENTRIES.map(([key, { hasNotation, print }]) => [
      key,
      hasNotation ? print(valuesWithOrder[key]) : valuesWithOrder[key],
    ]),
  );
}

/** The files with functions that a run names, among them that of its estimates. */
export function codeNamedByRun(run: RunSettings & Pick<Configuration, 'labels'>): CodeFile[] {
  const texts = RUN_OPTION_ENTRIES.map(([key, { print }]) => print(run[key]));
  const names = [...texts, run.labels?.estimates ?? ''].filter(isCodeName);
  return [...new Set(names)].map((name) => codeNamed(name, 'code'));
}

/** Settings as plain data that can be passed to threads; functions from files are given by name. */
export function plainOptions(run: RunSettings): RunOptionInput {
  const plain = RUN_OPTION_ENTRIES.map(([key, { print }]) => {
    const text = print(run[key]);
    return [key, isCodeName(text) ? text : run[key]];
  });
  return Object.fromEntries(plain);
}

/** Options by the names that the library gives them, as plain data: words and notations are text. */
export type OptionsDocument = Readonly<Record<string, string | number | boolean | readonly number[]>>;

/** A value as documents hold it. */
function documentValue({ hasNotation, print }: Option<unknown>, value: unknown): OptionsDocument[string] {
  return hasNotation || value === Infinity ? print(value) : (value as OptionsDocument[string]);
}

/** The options that settings say, as plain data. */
export function optionsDocument(settings: Omit<Settings, 'workload'>): OptionsDocument {
  const entries = Object.values(OPTIONS).flatMap((option) => {
    const value = option.key === 'workload' ? undefined : settings[option.key];
    const isSet = value !== undefined && !(option.isSwitch && value === false);
    return isSet ? [[option.key, documentValue(option, value)]] : [];
  });
  return Object.fromEntries(entries);
}

/** Options of a document as texts by name. */
export function documentTexts(document: OptionsDocument): Record<string, string> {
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [optionName(key), String(value)]));
}

/** Defaults of some options, except those that no text expresses. */
export function defaultDocument(keys: readonly OptionKey[]): OptionsDocument {
  const entries = keys.flatMap((key) => {
    const option = optionOf(key);
    const { default: value, otherwise } = option;
    return value === undefined || otherwise !== undefined ? [] : [[key, documentValue(option, value)]];
  });
  return Object.fromEntries(entries);
}

/** The options of a run with their defaults filled in; left out are those that say nothing in this run. */
export function writtenRun(run: RunSettings): OptionsDocument {
  const written = RUN_OPTION_ENTRIES.filter(([key, { default: defaultValue, otherwise }]) => {
    const isDefault = otherwise !== undefined && run[key] === defaultValue;
    return !isDefault && !isIdle(key, run);
  });
  return Object.fromEntries(written.map(([key, option]) => [key, documentValue(option, run[key])]));
}

/** The same as texts by name. */
export function printRun(run: RunSettings): Record<string, string> {
  return documentTexts(writtenRun(run));
}

/** The options that settings say, as text by name, which `readOption` reads back. */
export function printSettings(settings: Omit<Settings, 'workload'>): Record<string, string> {
  return documentTexts(optionsDocument(settings));
}

/** Options as words of a command line, from their texts by name. */
export function optionWords(texts: OptionStrings): string[] {
  return Object.entries(OPTIONS).flatMap(([name, { isSwitch, isRepeatable }]) => {
    const text = texts[name];
    if (text === undefined) return [];
    if (isSwitch) return [`--${name}`];
    return (isRepeatable ? text.split(';') : [text]).flatMap((value) => [`--${name}`, value]);
  });
}

/** The options in the words of a command, as texts by name; of those that are repeated, all with semicolons between. */
export function textsIn(words: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [i, word] of words.entries()) {
    const name = word.startsWith('--') ? word.slice(2) : '';
    if (!Object.hasOwn(OPTIONS, name)) continue;
    const { isSwitch, bare } = optionNamed(name);
    const next = words[i + 1] ?? '';
    const text = isSwitch ? 'true' : bare === undefined || bare.takes(next) ? next : bare.text;
    texts[name] = texts[name] === undefined ? text : `${texts[name]};${text}`;
  }
  return texts;
}

/** The request that a config.json holds. */
export interface SavedRequest {
  readonly request?: {
    readonly command: 'simulate';
    /** The log or model. */
    readonly workload: string;
    /** Every option that decides the results. */
    readonly options: OptionsDocument;
  };
}

/** The options of a simulation as its config.json has them, as texts by name. */
export function savedTexts({ request }: SavedRequest): OptionStrings {
  return request === undefined ? {} : documentTexts(request.options);
}

/** True if a text says what holds without the option, for every site where it says something of each. */
export function isDefaultText(name: string, text: string): boolean {
  const option = optionNamed(name);
  const defaultValue = [defaultText(option), IMPLIED_DEFAULTS[option.key]];
  return defaultValue.includes(text) || text.split(',').every((part) => defaultValue.includes(part));
}

/** A text as people would give it: one value where all sites have the same, and times with their units. */
export function shortText(name: string, text: string): string {
  if (optionNamed(name).isTime) return durationNotation(Number(text));
  return BY_SITE.includes(optionNamed(name).key) ? collapseEqual(text) : text;
}

/** Options that are not the default, in words: `sites 8,8, kill at-estimate`. */
export function optionsText(texts: OptionStrings): string {
  return Object.entries(texts)
    .filter(([name, text]) => !isDefaultText(name, text))
    .map(
      ([name, text]) =>
        `${name.replaceAll('-', ' ')}${optionNamed(name).isSwitch ? '' : ` ${shortText(name, text)}`}`,
    )
    .join(', ');
}

/** Options of the grid that headings show. */
const SITE_OPTIONS = ['sites', 'speeds', 'heterogeneity'];

/**
 * The settings that a heading has to add, those that are not the default: `backfill order shortest, kill at-estimate`.
 * @param method what the heading says about the method; nothing where it names several methods or none.
 */
export function settingsText(texts: OptionStrings, method: string): string {
  const { discipline = 'fcfs' } = texts;
  const begins = (text: string) => [`${text} `, `${text}, `].some((each) => `${method} `.startsWith(each));
  const isPrinted = ([name, text]: readonly [string, string]) =>
    SITE_OPTIONS.includes(name) ||
    (name === 'policy' && method !== '' && method !== discipline) ||
    begins(text);
  return optionsText(Object.fromEntries(Object.entries(texts).filter((each) => !isPrinted(each))));
}

/** An option with different values in two simulations, as texts that it takes; `-` where it is not given and has no default. */
export interface SettingDifference {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/** Options with one value for all sites, or one per site or pair of sites. */
export const BY_SITE: readonly OptionKey[] = ['load', 'speeds', 'heterogeneity', 'bandwidth', 'latency'];

/** Defaults of options whose default otherwise depends on other options. */
const IMPLIED_DEFAULTS: Partial<Record<OptionKey, string>> = {
  select: DEFAULT_SELECTION,
  speeds: '1',
  dataSize: '0',
};

/** One number where all that count are the same: the diagonal of a matrix has no meaning. */
function collapseEqual(text: string): string {
  const rows = text.split(';').map((row) => row.split(','));
  const numbers = rows.flatMap((row, i) => row.filter((_, j) => rows.length === 1 || i !== j)).map(Number);
  return numbers.every((each) => each === numbers[0]) ? String(numbers[0]) : text;
}

/**
 * Result of a function, or undefined if it does not know a text, such as a policy of another core or version.
 */
function undefinedIfUnknown<Value>(of: () => Value): Value | undefined {
  try {
    return of();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** A text as all spellings of its value have it. */
function canonicalText(name: string, text: string): string {
  const { read, print, key } = optionNamed(name);
  if (isCodeName(text)) return text;
  const value = read(text, name);
  const isOrder = key === 'order' || key === 'backfillOrder';
  const canonical = isOrder ? canonicalOrder(value as Order) : print(value);
  return BY_SITE.includes(key) ? collapseEqual(canonical) : canonical;
}

/** Default of an option in canonical form; undefined if no text expresses it. */
function canonicalDefault(name: string): string | undefined {
  const { key, default: defaultValue, print } = optionNamed(name);
  const filledIn = IMPLIED_DEFAULTS[key];
  if (filledIn !== undefined) return filledIn;
  if (defaultValue === undefined) return undefined;
  return undefinedIfUnknown(() =>
    canonicalText(name, typeof defaultValue === 'string' ? defaultValue : print(defaultValue)),
  );
}

/** The texts of a simulation by name, short forms and time factors as what they mean. */
function spelledOut({ discipline = 'fcfs', heterogeneity, ...texts }: OptionStrings): OptionStrings {
  const order = SHORT_FORMS[discipline as keyof typeof SHORT_FORMS];
  const factors = heterogeneity?.split(',').map(Number) ?? [];
  const areSpeeds = factors.length > 0 && factors.every((factor) => 1 / (1 / factor) === factor);
  return {
    ...texts,
    ...(order === undefined ? { discipline } : { discipline: 'fcfs', order }),
    ...(areSpeeds ? { speeds: factors.map((factor) => 1 / factor).join(',') } : {}),
    ...(areSpeeds || heterogeneity === undefined ? {} : { heterogeneity }),
  };
}

/** The options of a simulation that say something in it, by which those of two are compared. */
function canonicalTexts(texts: OptionStrings): OptionStrings {
  const input = Object.entries(texts).map(([name, text]) => ({ name, text, ...optionNamed(name) }));
  const values = input.map(({ name, text, key, read }) => [key, undefinedIfUnknown(() => read(text, name))]);
  const settings = Object.fromEntries(values);
  const effective = input.filter(({ key }) => !isIdle(key, settings));
  return Object.fromEntries(
    effective.map(({ name, text }) => [name, undefinedIfUnknown(() => canonicalText(name, text)) ?? text]),
  );
}

/**
 * The options in which two simulations differ, however they are spelled.
 * @param a the options of the one as texts by name, as config.json has them.
 */
export function settingDifferences(a: OptionStrings, b: OptionStrings): SettingDifference[] {
  const [ofA, ofB] = [spelledOut(a), spelledOut(b)];
  const [canonicalA, canonicalB] = [canonicalTexts(ofA), canonicalTexts(ofB)];
  const defaultOf = (name: string) => canonicalDefault(name) ?? '-';
  return Object.keys({ ...ofA, ...ofB })
    .filter((name) => {
      const holding = canonicalDefault(name);
      return (canonicalA[name] ?? holding) !== (canonicalB[name] ?? holding);
    })
    .map((name) => ({ name, a: ofA[name] ?? defaultOf(name), b: ofB[name] ?? defaultOf(name) }));
}

/** Options by which jobs come at other times, or take more or less of the machine than in the log; what is left out or cut is counted. */
const WORKLOAD_CHANGES: readonly string[] = [
  ...['perturb', 'replication', 'arrival-scale', 'offered-load', 'dependencies'],
  ...['runtime-scale', 'load', 'kill', 'moldable', 'heterogeneity'],
  ...['multi-site-overhead', 'multi-site-factor', 'bandwidth', 'latency', 'reclaim'],
];

/** Jobs and grid of a simulation, as far as a comparison with the log needs them. */
export interface SimulatedSetting {
  /** Processors of the machine of the log; undefined where it does not say. */
  readonly machine: number | undefined;
  readonly sites: readonly { readonly capacity: number; readonly speed: number }[];
  /** Records that were left out, by rule. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Jobs that were cut. */
  readonly split: { readonly jobs: number };
}

/** Rules that leave out what never held a processor, so that the machine does not lack it. */
const NEVER_RAN: readonly string[] = ['runtime', 'processors'];

/**
 * Whether load, arrivals and machine are those of the log.
 * @param texts the options given, as texts by name.
 */
export function isAsLogged(
  texts: OptionStrings,
  { machine, sites, dropped, split }: SimulatedSetting,
): boolean {
  const processors = sites.reduce((sum, { capacity }) => sum + capacity, 0);
  return (
    processors === machine &&
    split.jobs === 0 &&
    sites.every(({ speed }) => speed === 1) &&
    Object.entries(dropped).every(([rule, count]) => count === 0 || NEVER_RAN.includes(rule)) &&
    WORKLOAD_CHANGES.every((name) => texts[name] === undefined || isDefaultText(name, texts[name]))
  );
}
