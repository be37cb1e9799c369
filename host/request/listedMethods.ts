/** Methods listed on a command line: combinations of listed option values, or whole methods. */
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import { splitUnbracketed } from '../notation.js';
import { OPTIONS_BY_SITE } from '../options/document.js';
import { addParsedTexts, isAbsentText, type OptionStrings, optionNamed } from '../options/options.js';
import type { RequestedMethods } from '../runs/methodSelection.js';
import type { Method } from '../simulate/experiment.js';
import { RUN_OPTION_NAMES, readMethod } from '../simulate/methodNames.js';
import type { CompareRequest } from './request.js';

/** Name of the method option in errors. */
export const METHOD_OPTION = '--method';

/** Options that may list several values; discipline first, policy last. */
export const LISTED_METHOD_OPTIONS: readonly string[] = [
  'discipline',
  ...RUN_OPTION_NAMES.filter(
    (name) =>
      !['discipline', 'policy'].includes(name) &&
      !optionNamed(name).isSwitch &&
      !OPTIONS_BY_SITE.includes(optionNamed(name).key),
  ),
  'policy',
];

/** Options that appear in every method's name, even with a single value. */
export const NAMING_OPTIONS: readonly string[] = ['discipline', 'policy'];

/** Order expressions may contain blanks, so blanks do not separate their values. */
const isOrderOption = (name: string) =>
  optionNamed(name).key === 'order' || optionNamed(name).key === 'backfillOrder';

/**
 * Values listed for an option, each once and in full notation: separated by commas outside brackets or,
 * except for orders, by blanks. `none` omits the option. Empty if the option is absent.
 */
function listedValues(texts: OptionStrings, name: string): string[] {
  return [...parsedValuesIn(texts, name).keys()];
}

/** Distinct policies in option texts, in full notation. */
export const listedPolicies = (texts: readonly string[]) =>
  listedValues({ policy: texts.join(',') }, 'policy');

/** Listed values of an option by their notation; undefined for `none`. */
function parsedValuesIn(texts: OptionStrings, name: string): Map<string, unknown> {
  const { read, print } = optionNamed(name);
  const input = texts[name]?.replaceAll(/\s/g, ' ') ?? '';
  const words = splitUnbracketed(input, ',')
    .flatMap((text) => (isOrderOption(name) ? [text.trim()] : splitUnbracketed(text, ' ')))
    .filter((word) => word !== '');
  if (texts[name] !== undefined && words.length === 0)
    throw new InputError(
      `--${name} names no ${name.replaceAll('-', ' ')}; see gridalloc ${name === 'policy' ? 'policies' : 'simulate --help'}`,
    );
  const values = words.map((word): [string, unknown] => {
    if (isAbsentText(name, word)) return [word, undefined];
    const value = read(word, `--${name}`);
    return [print(value), value];
  });
  return new Map(values);
}

/** All combinations of the values listed for some options. */
export function optionCombinations(texts: OptionStrings, names: readonly string[]): Method[] {
  let methods: Method[] = [{}];
  for (const name of names) {
    const { key } = optionNamed(name);
    const values = [...parsedValuesIn(texts, name).values()];
    if (values.length === 0) continue;
    methods = methods.flatMap((method) =>
      values.map((value) => (value === undefined ? method : { ...method, [key]: value })),
    );
  }
  return methods;
}

/**
 * Methods of a comparison: those of --method, or all combinations of listed values.
 * @param named texts of --method.
 * @returns the methods, and the options common to all.
 * @throws InputError for invalid values, and for lists together with --method.
 */
export function comparedMethods(
  texts: OptionStrings,
  named: readonly string[],
): RequestedMethods & Pick<CompareRequest, 'options'> {
  const listedOptionNames = LISTED_METHOD_OPTIONS.filter((name) => texts[name] !== undefined);
  const lists = listedOptionNames.filter((name) => listedValues(texts, name).length > 1);
  if (named.length > 0 && lists.length > 0) {
    throw new InputError(
      `--method names whole methods, --${lists[0]} ${texts[firstElement(lists)]} values of each; give one of the two`,
    );
  }
  const varied = listedOptionNames.filter((name) => NAMING_OPTIONS.includes(name) || lists.includes(name));
  const options = addParsedTexts({}, withoutOptions(texts, varied));
  const combinedMethods = optionCombinations(texts, varied);
  if (named.length === 0) {
    const areAllMethods = listedOptionNames.includes('policy') || lists.some((name) => name !== 'discipline');
    return { methods: combinedMethods, options, areAll: areAllMethods, areNamed: false };
  }
  const methods = named.map((text) => ({ ...combinedMethods[0], ...readMethod(text, METHOD_OPTION) }));
  return { methods, options, areAll: true, areNamed: true };
}

/** Option texts without some options. */
export const withoutOptions = (texts: OptionStrings, names: readonly string[]): OptionStrings =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => !names.includes(name)));
