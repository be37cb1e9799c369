/** Methods listed on a command line: combinations of listed option values, or whole methods. */
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import { removeEnclosingBrackets, splitOutsideBrackets } from '../notation.js';
import { OPTIONS_WITH_VALUES_BY_SITE } from '../options/document.js';
import {
  addParsedOptionTexts,
  findOptionByName,
  isAbsentOptionText,
  type OptionStrings,
} from '../options/options.js';
import type { RequestedMethods } from '../runs/methodSelection.js';
import type { Method } from '../simulate/experiment.js';
import { parseMethod, RUN_OPTION_NAMES } from '../simulate/methodNames.js';
import type { CompareRequest } from './request.js';

/** Name of the method option in errors. */
export const METHOD_OPTION_WORD = '--method';

/** Options that may list several values; discipline first, policy last. */
export const OPTIONS_LISTING_METHODS: readonly string[] = [
  'discipline',
  ...RUN_OPTION_NAMES.filter(
    (optionName) =>
      !['discipline', 'policy'].includes(optionName) &&
      !findOptionByName(optionName).isSwitch &&
      !OPTIONS_WITH_VALUES_BY_SITE.includes(findOptionByName(optionName).key),
  ),
  'policy',
];

/** Options that appear in every method's name, even with a single value. */
export const OPTIONS_IN_METHOD_NAMES: readonly string[] = ['discipline', 'policy'];

/** Order expressions may contain blanks, so blanks do not separate their values. */
const isOrderOptionName = (optionName: string) =>
  findOptionByName(optionName).key === 'order' || findOptionByName(optionName).key === 'backfillOrder';

/**
 * Values listed for an option, each once and in full notation: separated by commas outside brackets or,
 * except for orders, by blanks; a value in square brackets may contain both. `none` omits the option. Empty if
 * the option is absent.
 */
function parseListedValues(optionTexts: OptionStrings, optionName: string): string[] {
  return [...parseValuesByNotation(optionTexts, optionName).keys()];
}

/** Distinct policies in option texts, in full notation. */
export const parseListedPolicies = (policyTexts: readonly string[]) =>
  parseListedValues({ policy: policyTexts.join(',') }, 'policy');

/** Distinct orders listed in option texts, in full notation. */
export const parseListedOrders = (optionTexts: OptionStrings) => parseListedValues(optionTexts, 'order');

/** Listed values of an option by their notation; undefined for `none`. */
function parseValuesByNotation(optionTexts: OptionStrings, optionName: string): Map<string, unknown> {
  const { read: readOption, print } = findOptionByName(optionName);
  const listedText = optionTexts[optionName]?.replaceAll(/\s/g, ' ') ?? '';
  const listedWords = splitOutsideBrackets(listedText, ',')
    .flatMap((valueText) =>
      isOrderOptionName(optionName) ? [valueText.trim()] : splitOutsideBrackets(valueText, ' '),
    )
    .map(removeEnclosingBrackets)
    .filter((word) => word !== '');
  if (optionTexts[optionName] !== undefined && listedWords.length === 0)
    throw new InputError(
      `--${optionName} names no ${optionName.replaceAll('-', ' ')}; see gridalloc ${optionName === 'policy' ? 'policies' : 'simulate --help'}`,
    );
  const listedValues = listedWords.map((listedWord): [string, unknown] => {
    if (isAbsentOptionText(optionName, listedWord)) return [listedWord, undefined];
    const parsedValue = readOption(listedWord, `--${optionName}`);
    return [print(parsedValue), parsedValue];
  });
  return new Map(listedValues);
}

/** All combinations of the values listed for some options. */
export function combineListedOptions(optionTexts: OptionStrings, optionNames: readonly string[]): Method[] {
  let methods: Method[] = [{}];
  for (const optionName of optionNames) {
    const { key: optionKey } = findOptionByName(optionName);
    const listedValues = [...parseValuesByNotation(optionTexts, optionName).values()];
    if (listedValues.length === 0) continue;
    methods = methods.flatMap((method) =>
      listedValues.map((value) => (value === undefined ? method : { ...method, [optionKey]: value })),
    );
  }
  return methods;
}

/**
 * Methods of a comparison: those of --method, or all combinations of listed values.
 * @param methodTexts texts of --method.
 * @returns the methods, and the options common to all.
 * @throws InputError for invalid values, and for lists together with --method.
 */
export function parseRequestedMethods(
  optionTexts: OptionStrings,
  methodTexts: readonly string[],
): RequestedMethods & Pick<CompareRequest, 'options'> {
  const listedOptionNames = OPTIONS_LISTING_METHODS.filter(
    (optionName) => optionTexts[optionName] !== undefined,
  );
  const optionNamesWithSeveralValues = listedOptionNames.filter(
    (optionName) => parseListedValues(optionTexts, optionName).length > 1,
  );
  if (methodTexts.length > 0 && optionNamesWithSeveralValues.length > 0) {
    throw new InputError(
      `--method names whole methods, --${optionNamesWithSeveralValues[0]} ${optionTexts[firstElement(optionNamesWithSeveralValues)]} values of each; give one of the two`,
    );
  }
  const variedOptions = listedOptionNames.filter(
    (optionName) =>
      OPTIONS_IN_METHOD_NAMES.includes(optionName) || optionNamesWithSeveralValues.includes(optionName),
  );
  const commonOptionEntries = Object.entries(omitOptions(optionTexts, variedOptions)).map(([name, text]) => [
    name,
    listedOptionNames.includes(name) ? removeEnclosingBrackets(text) : text,
  ]);
  const options = addParsedOptionTexts({}, Object.fromEntries(commonOptionEntries));
  const combinedMethods = combineListedOptions(optionTexts, variedOptions);
  if (methodTexts.length === 0) {
    const areAllMethodsRequested =
      listedOptionNames.includes('policy') ||
      optionNamesWithSeveralValues.some((optionName) => optionName !== 'discipline');
    return { methods: combinedMethods, options, areAll: areAllMethodsRequested, areNamed: false };
  }
  const methods = methodTexts.map((methodText) => ({
    ...combinedMethods[0],
    ...parseMethod(methodText, METHOD_OPTION_WORD),
  }));
  return { methods, options, areAll: true, areNamed: true };
}

/** Option texts without some options. */
export const omitOptions = (optionTexts: OptionStrings, optionNames: readonly string[]): OptionStrings =>
  Object.fromEntries(Object.entries(optionTexts).filter(([optionName]) => !optionNames.includes(optionName)));
