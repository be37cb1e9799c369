/** Methods that options list: combinations of the values of some options, or whole methods. */
import { InputError } from '../errors.js';
import { firstOf } from '../lists.js';
import { splitOutside } from '../notation.js';
import { BY_SITE } from '../options/document.js';
import { isAbsent, type OptionStrings, optionNamed, withTexts } from '../options/options.js';
import type { RequestedMethods } from '../runs/methodSelection.js';
import type { Method } from '../simulate/experiment.js';
import { OF_RUN, readMethod } from '../simulate/methodNames.js';
import type { CompareRequest } from './request.js';

/** Name of the method option in errors. */
export const METHOD = '--method';

/** Options that may list several values, the discipline first, the policy last. */
export const LISTED: readonly string[] = [
  'discipline',
  ...OF_RUN.filter(
    (name) =>
      !['discipline', 'policy'].includes(name) &&
      !optionNamed(name).isSwitch &&
      !BY_SITE.includes(optionNamed(name).key),
  ),
  'policy',
];

/** Options that every method names, even with a single value. */
export const OF_METHODS: readonly string[] = ['discipline', 'policy'];

/** Orders may be expressions, in which blanks separate nothing. */
const isOrder = (name: string) =>
  optionNamed(name).key === 'order' || optionNamed(name).key === 'backfillOrder';

/**
 * The values of an option that may list several: separated by commas outside brackets, and but for orders by blanks; each in
 * full notation, or the name of a file; `none` where the option is not to be given. The same one twice is once. None
 * where the option is not given.
 */
function listedIn(texts: OptionStrings, name: string): string[] {
  return [...valuesIn(texts, name).keys()];
}

/** The policies that texts list, each in full notation. */
export const listedPolicies = (texts: readonly string[]) => listedIn({ policy: texts.join(',') }, 'policy');

/** Values listed for an option by their notation; undefined for `none`. */
function valuesIn(texts: OptionStrings, name: string): Map<string, unknown> {
  const { read, print } = optionNamed(name);
  const input = texts[name]?.replaceAll(/\s/g, ' ') ?? '';
  const words = splitOutside(input, ',')
    .flatMap((text) => (isOrder(name) ? [text.trim()] : splitOutside(text, ' ')))
    .filter((word) => word !== '');
  if (texts[name] !== undefined && words.length === 0)
    throw new InputError(
      `--${name} names no ${name.replaceAll('-', ' ')}; see gridalloc ${name === 'policy' ? 'policies' : 'simulate --help'}`,
    );
  const values = words.map((word): [string, unknown] => {
    if (isAbsent(name, word)) return [word, undefined];
    const value = read(word, `--${name}`);
    return [print(value), value];
  });
  return new Map(values);
}

/** Every combination of the values that are listed for some options. */
export function combinations(texts: OptionStrings, names: readonly string[]): Method[] {
  let methods: Method[] = [{}];
  for (const name of names) {
    const { key } = optionNamed(name);
    const values = [...valuesIn(texts, name).values()];
    if (values.length === 0) continue;
    methods = methods.flatMap((method) =>
      values.map((value) => (value === undefined ? method : { ...method, [key]: value })),
    );
  }
  return methods;
}

/**
 * The methods of a comparison: those of --method, or every combination of the values listed.
 * @param named those of --method.
 * @returns the methods, and the options of all of them.
 * @throws InputError for values that options do not take, and for lists beside --method.
 */
export function comparedMethods(
  texts: OptionStrings,
  named: readonly string[],
): RequestedMethods & Pick<CompareRequest, 'options'> {
  const listedNames = LISTED.filter((name) => texts[name] !== undefined);
  const lists = listedNames.filter((name) => listedIn(texts, name).length > 1);
  if (named.length > 0 && lists.length > 0) {
    throw new InputError(
      `--method names whole methods, --${lists[0]} ${texts[firstOf(lists)]} values of each; give one of the two`,
    );
  }
  const varied = listedNames.filter((name) => OF_METHODS.includes(name) || lists.includes(name));
  const options = withTexts({}, without(texts, varied));
  const combined = combinations(texts, varied);
  if (named.length === 0) {
    const areAll = listedNames.includes('policy') || lists.some((name) => name !== 'discipline');
    return { methods: combined, options, areAll, areNamed: false };
  }
  const methods = named.map((text) => ({ ...combined[0], ...readMethod(text, METHOD) }));
  return { methods, options, areAll: true, areNamed: true };
}

/** Texts without those of some options. */
export const without = (texts: OptionStrings, names: readonly string[]): OptionStrings =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => !names.includes(name)));
