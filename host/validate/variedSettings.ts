/**
 * Settings compared by `validate --vary`: all combinations of the values of some options, besides the given
 * setting.
 */
import { InputError } from '../errors.js';
import { makeUnknownNameError, splitListedValues } from '../notation.js';
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
import type { ValidationResult, ValidationWayResult } from './validate.js';

/** Name in --vary that stands for all options of a scheduler, such as `slurm`. */
const SCHEDULER_OPTION_NAME = 'scheduler';

/** Options determined by a scheduler, which replaces their given values. */
const OPTION_NAMES_OF_SCHEDULER = Object.keys(PASS_OPTIONS).filter(
  (passOptionKey) => passOptionKey !== 'processorsPerNode' && passOptionKey !== 'backfillOffset',
);

/** An option with several values, separated by commas or semicolons if given as one text. */
interface VariedOptionValues {
  readonly name: string;
  readonly values: string | readonly (string | number)[];
}

/** A setting: values of the varied options, and the options that they add to the given ones. */
export interface VariedSetting {
  /** Values of the varied options as texts by name. */
  readonly values: OptionStrings;
  readonly method: Method;
}

/** Agreement of a setting with a recorded schedule. */
export interface ValidatedSetting {
  /** Values of the varied options; for the given setting, as given. */
  readonly values: OptionStrings;
  /** True for the given setting. */
  readonly isGiven: boolean;
  readonly ways: readonly { readonly way: ValidationWayResult['way']; readonly all: StartAgreement }[];
  /** Seconds from the first submission to the first backfill pass; absent without such passes. */
  readonly backfillOffset?: number;
}

/** Names of the options that --vary accepts: those that affect start times, except the log itself. */
export function listVariableOptionNames(): string[] {
  const settingKeys = [...Object.keys(RUN_OPTIONS), 'sites', 'estimates'];
  return [
    SCHEDULER_OPTION_NAME,
    ...Object.keys(OPTIONS).filter((optionName) => settingKeys.includes(findOptionByName(optionName).key)),
  ];
}

/**
 * All combinations of values, except those equal to the given setting.
 * @param options given options.
 * @param optionsOf returns the options of a scheduler as texts by name.
 * @throws InputError for an unknown option, an invalid value, and an option varied twice.
 */
export async function combineVariedSettings(
  varied: readonly VariedOptionValues[],
  options: Method,
  optionsOf: (schedulerName: string) => Promise<OptionStrings>,
): Promise<VariedSetting[]> {
  const repeatedOption = varied.find(
    ({ name: optionName }, i) => varied.findIndex((variedOption) => variedOption.name === optionName) < i,
  );
  if (repeatedOption !== undefined)
    throw new InputError(`--vary ${repeatedOption.name} is given twice; give all of its values once`);
  let combinations: VariedSetting[] = [{ values: {}, method: {} }];
  // Options that are varied besides a scheduler come before those that it stands for.
  for (const { name: optionName, values: optionValues } of [...varied].sort(
    (optionA, optionB) => positionOfOption(optionA) - positionOfOption(optionB),
  )) {
    const variedSettings: VariedSetting[] = [];
    for (const variedValue of splitVariedValues(optionName, String(optionValues))) {
      const method = await parseOptionsOfVariedValue(optionName, variedValue, optionsOf);
      variedSettings.push({ values: { [optionName]: variedValue }, method });
    }
    combinations = combinations.flatMap((combination) =>
      variedSettings.map((otherSetting) => ({
        values: { ...combination.values, ...otherSetting.values },
        method: { ...combination.method, ...otherSetting.method },
      })),
    );
  }
  const describeOptions = (method: Method) =>
    describeOptionsInWords(printOptionSettings({ ...options, ...method }));
  return combinations.filter(({ method }) => describeOptions(method) !== describeOptions({}));
}

const positionOfOption = ({ name: optionName }: VariedOptionValues) =>
  Number(optionName !== SCHEDULER_OPTION_NAME);

/**
 * Splits the values of a varied option.
 * @throws InputError if there is none.
 */
function splitVariedValues(optionName: string, valuesText: string): string[] {
  const listedValueTexts = splitListedValues(valuesText);
  if (listedValueTexts.length === 0)
    throw new InputError(`--vary ${optionName} has no value; give some, such as ${optionName}=1,2`);
  return [...new Set(listedValueTexts)];
}

/** Options that a value of a varied option adds to the given ones; undefined: the default. */
async function parseOptionsOfVariedValue(
  optionName: string,
  variedValue: string,
  optionsOf: (schedulerName: string) => Promise<OptionStrings>,
): Promise<Method> {
  if (!listVariableOptionNames().includes(optionName))
    throw makeUnknownNameError('option of --vary', optionName, listVariableOptionNames());
  if (optionName !== SCHEDULER_OPTION_NAME) {
    if (isAbsentOptionText(optionName, variedValue)) return { [findOptionByName(optionName).key]: undefined };
    return addParsedOptionTexts({}, { [optionName]: variedValue });
  }
  const clearedOptions = Object.fromEntries(OPTION_NAMES_OF_SCHEDULER.map((key) => [key, undefined]));
  return {
    ...clearedOptions,
    ...addParsedOptionTexts({}, variedValue === 'none' ? {} : await optionsOf(variedValue)),
  };
}

/** Keys of the varied options in a configuration. */
export function collectKeysOfVariedOptions(varied: readonly VariedOptionValues[]): Set<string> {
  const names = varied.map(({ name }) => name).filter((name) => name !== SCHEDULER_OPTION_NAME);
  return new Set(names.map((name) => findOptionByName(name).key));
}

/** Values of the varied options in the given setting. */
export function describeGivenSetting(varied: readonly VariedOptionValues[], options: Method): OptionStrings {
  const settingTexts = printOptionSettings(options);
  return Object.fromEntries(
    varied.flatMap(({ name: optionName }) =>
      optionName in settingTexts ? [[optionName, settingTexts[optionName]!]] : [],
    ),
  );
}

/** Extracts the agreement of a setting from its validation. */
export function makeValidatedSetting(
  optionValues: OptionStrings,
  isGiven: boolean,
  { ways, backfillOffset }: ValidationResult,
): ValidatedSetting {
  return {
    values: optionValues,
    isGiven,
    ways: ways.map(({ way, all: overallAgreement }) => ({ way, all: overallAgreement })),
    ...(backfillOffset !== undefined && { backfillOffset }),
  };
}

/**
 * Sorts settings by agreement in one kind of simulation: the given one first, then by the share within 2 s,
 * the share within a minute, and the mean error.
 */
export function rankSettingsByAgreement(
  validatedSettings: readonly ValidatedSetting[],
  way: ValidationWayResult['way'],
): ValidatedSetting[] {
  const settingKeys = new Map(
    validatedSettings.map((setting) => {
      const { within: sharesWithinTolerances, meanError } = findAgreementOfValidationWay(setting, way);
      return [
        setting,
        [
          -Number(setting.isGiven),
          -sharesWithinTolerances[0]!,
          -sharesWithinTolerances[2]!,
          Number.isNaN(meanError) ? Infinity : meanError,
        ],
      ];
    }),
  );
  return [...validatedSettings].sort((settingA, settingB) => {
    const [a, b] = [settingKeys.get(settingA)!, settingKeys.get(settingB)!];
    const decidingKeyIndex = a.findIndex((value, i) => value !== b[i]);
    return decidingKeyIndex < 0 ? 0 : a[decidingKeyIndex]! - b[decidingKeyIndex]!;
  });
}

/** Agreement of a setting in one kind of simulation. */
export function findAgreementOfValidationWay(
  { ways }: ValidatedSetting,
  way: ValidationWayResult['way'],
): StartAgreement {
  return ways.find((candidate) => candidate.way === way)!.all;
}

/** Name of a setting in tables: `as given`, or the values of the varied options. */
export function formatNameOfValidatedSetting({ values: optionValues, isGiven }: ValidatedSetting): string {
  const settingText = Object.entries(optionValues)
    .map(([name, valueText]) => `${name}=${valueText}`)
    .join(', ');
  if (!isGiven) return settingText;
  return settingText === '' ? 'as given' : `as given: ${settingText}`;
}
