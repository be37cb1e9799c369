/** Settings that `validate --vary` compares: every combination of the values of some options, besides the setting as given. */
import { InputError } from '../errors.js';
import { splitUnbracketed, unknownNameError } from '../notation.js';
import { describeOptionsInWords, printOptionSettings } from '../options/document.js';
import {
  addParsedOptionTexts,
  findOptionByName,
  isAbsentOptionText,
  OPTIONS,
  type OptionStrings,
} from '../options/options.js';
import { PASS_OPTIONS } from '../options/passOptions.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import type { Method } from '../simulate/experiment.js';
import type { StartAgreement } from './agreement.js';
import type { Validation, WayOfValidation } from './validate.js';

/** Name of the option that stands for a set of options. */
const SCHEDULER_OPTION_NAME = 'scheduler';

/** Options that a scheduler decides: without a value of its own, they have their default. */
const OPTIONS_OF_SCHEDULER = Object.keys(PASS_OPTIONS).filter(
  (key) => key !== 'processorsPerNode' && key !== 'backfillOffset',
);

/** An option and its values, separated by commas or semicolons where they are one text. */
interface VariedOptionValues {
  readonly name: string;
  readonly values: string | readonly (string | number)[];
}

/** A setting: values of the varied options, and the options that they add to those given. */
export interface VariedSetting {
  /** Values of the varied options, as texts by name. */
  readonly values: OptionStrings;
  readonly method: Method;
}

/** Agreement of a setting with a recording. */
export interface ValidatedSetting {
  /** Values of the varied options; of the setting as given, those that are given. */
  readonly values: OptionStrings;
  /** True for the setting as given. */
  readonly isGiven: boolean;
  readonly ways: readonly { readonly way: WayOfValidation['way']; readonly all: StartAgreement }[];
  /** Seconds from the first submission to the first backfill pass; absent without such passes. */
  readonly backfillOffset?: number;
}

/** Options that --vary takes: those that decide when jobs start, besides the log itself. */
export function variableOptionNames(): string[] {
  const keys = [...Object.keys(RUN_OPTIONS), 'sites', 'estimates'];
  return [
    SCHEDULER_OPTION_NAME,
    ...Object.keys(OPTIONS).filter((name) => keys.includes(findOptionByName(name).key)),
  ];
}

/**
 * Every combination of the values, without those that equal the setting as given.
 * @param options the options given.
 * @param optionsOf the options that a scheduler stands for, as texts by name.
 * @throws InputError for an unknown option, a value that it does not take, and an option that is varied twice.
 */
export async function combineVariedSettings(
  varied: readonly VariedOptionValues[],
  options: Method,
  optionsOf: (scheduler: string) => Promise<OptionStrings>,
): Promise<VariedSetting[]> {
  const twice = varied.find(({ name }, i) => varied.findIndex((each) => each.name === name) < i);
  if (twice !== undefined)
    throw new InputError(`--vary ${twice.name} is given twice; give all of its values once`);
  let all: VariedSetting[] = [{ values: {}, method: {} }];
  // Options that are varied besides a scheduler come before those that it stands for.
  for (const { name, values } of [...varied].sort(
    (one, other) => orderOfOption(one) - orderOfOption(other),
  )) {
    const settings: VariedSetting[] = [];
    for (const value of splitVariedValues(name, String(values))) {
      const method = await optionsOfVariedValue(name, value, optionsOf);
      settings.push({ values: { [name]: value }, method });
    }
    all = all.flatMap((one) =>
      settings.map((other) => ({
        values: { ...one.values, ...other.values },
        method: { ...one.method, ...other.method },
      })),
    );
  }
  const textOf = (method: Method) => describeOptionsInWords(printOptionSettings({ ...options, ...method }));
  return all.filter(({ method }) => textOf(method) !== textOf({}));
}

const orderOfOption = ({ name }: VariedOptionValues) => Number(name !== SCHEDULER_OPTION_NAME);

/** Values separated by commas outside brackets, or by semicolons where there are some. */
function splitVariedValues(name: string, text: string): string[] {
  const parts = text.includes(';') ? text.split(';') : splitUnbracketed(text, ',');
  const values = parts.map((part) => part.trim()).filter((part) => part !== '');
  if (values.length === 0)
    throw new InputError(`--vary ${name} has no value; give some, such as ${name}=1,2`);
  return [...new Set(values)];
}

/** Options that a value of a varied option adds to those given; undefined means its default. */
async function optionsOfVariedValue(
  name: string,
  value: string,
  optionsOf: (scheduler: string) => Promise<OptionStrings>,
): Promise<Method> {
  if (!variableOptionNames().includes(name))
    throw unknownNameError('option of --vary', name, variableOptionNames());
  if (name !== SCHEDULER_OPTION_NAME) {
    if (isAbsentOptionText(name, value)) return { [findOptionByName(name).key]: undefined };
    return addParsedOptionTexts({}, { [name]: value });
  }
  const decided = Object.fromEntries(OPTIONS_OF_SCHEDULER.map((key) => [key, undefined]));
  return { ...decided, ...addParsedOptionTexts({}, value === 'none' ? {} : await optionsOf(value)) };
}

/** The setting as given, with the values of varied options that the options say. */
export function describeGivenSetting(varied: readonly VariedOptionValues[], options: Method): OptionStrings {
  const texts = printOptionSettings(options);
  return Object.fromEntries(varied.flatMap(({ name }) => (name in texts ? [[name, texts[name]!]] : [])));
}

/** Agreement of a setting, taken from its whole validation. */
export function makeValidatedSetting(
  values: OptionStrings,
  isGiven: boolean,
  { ways, backfillOffset }: Validation,
): ValidatedSetting {
  return {
    values,
    isGiven,
    ways: ways.map(({ way, all }) => ({ way, all })),
    ...(backfillOffset !== undefined && { backfillOffset }),
  };
}

/**
 * The settings by agreement in one way of simulating: the one as given first, then those with the largest share within
 * 2 s; of equals the one with the largest share within a minute, then the one with the smallest mean error.
 */
export function rankSettingsByAgreement(
  settings: readonly ValidatedSetting[],
  way: WayOfValidation['way'],
): ValidatedSetting[] {
  const keys = new Map(
    settings.map((setting) => {
      const { within, meanError } = agreementOfValidationWay(setting, way);
      return [
        setting,
        [-Number(setting.isGiven), -within[0]!, -within[2]!, Number.isNaN(meanError) ? Infinity : meanError],
      ];
    }),
  );
  return [...settings].sort((one, other) => {
    const [a, b] = [keys.get(one)!, keys.get(other)!];
    const place = a.findIndex((value, i) => value !== b[i]);
    return place < 0 ? 0 : a[place]! - b[place]!;
  });
}

/** Agreement of a setting in one way of simulating. */
export function agreementOfValidationWay(
  { ways }: ValidatedSetting,
  way: WayOfValidation['way'],
): StartAgreement {
  return ways.find((each) => each.way === way)!.all;
}

/** Name of a setting in tables: `as given`, or the values of the varied options. */
export function nameOfValidatedSetting({ values, isGiven }: ValidatedSetting): string {
  const text = Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
  if (!isGiven) return text;
  return text === '' ? 'as given' : `as given: ${text}`;
}
