/** The methods that a command line names: lists of values, whose combinations they are, or whole methods. */

import { readCodeIn } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { firstOf } from '../lists.js';
import { splitOutside } from '../notation.js';
import { BY_SITE } from '../options/document.js';
import { optionNamed } from '../options/options.js';
import type { AskedMethods } from '../runs/comparedMethods.js';
import type { Method } from '../simulate/experiment.js';
import { namedInMethod, OF_RUN, readMethod } from '../simulate/methodNames.js';
import type { Texts } from './asked.js';

/** What errors call a method. */
const METHOD = '--method';

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

/** Those that every method says, though it be one value. */
const OF_METHODS: readonly string[] = ['discipline', 'policy'];

/** Whether a word says that an option is not given, of those that do nothing where they are not. */
const isAbsent = (name: string, word: string) => word === 'none' && optionNamed(name).default === word;

/** Orders may be expressions, in which blanks separate nothing. */
const isOrder = (name: string) =>
  optionNamed(name).key === 'order' || optionNamed(name).key === 'backfillOrder';

/**
 * The values of an option that may list several: separated by commas outside brackets, and but for orders by blanks; each in
 * full notation, or the name of a file; `none` where the option is not to be given. The same one twice stands once. None
 * where the option is not given.
 */
export function listedIn(texts: Texts, name: string): string[] {
  const { read, print } = optionNamed(name);
  const given = texts[name]?.replaceAll(/\s/g, ' ') ?? '';
  const words = splitOutside(given, ',')
    .flatMap((text) => (isOrder(name) ? [text.trim()] : splitOutside(text, ' ')))
    .filter((word) => word !== '');
  if (texts[name] !== undefined && words.length === 0)
    throw new InputError(
      `--${name} names no ${name.replaceAll('-', ' ')}; see gridalloc ${name === 'policy' ? 'policies' : 'simulate --help'}`,
    );
  const values = words.map((word) => (isAbsent(name, word) ? word : print(read(word, `--${name}`))));
  return [...new Set(values)];
}

/** Every combination of the values that are listed for some options. */
function combinations(texts: Texts, names: readonly string[]): Method[] {
  let methods: Method[] = [{}];
  for (const name of names) {
    const values = listedIn(texts, name);
    if (values.length === 0) continue;
    methods = methods.flatMap((method) =>
      values.map((value) => (isAbsent(name, value) ? method : { ...method, [name]: value })),
    );
  }
  return methods;
}

/** The methods of a simulation: every combination of its disciplines and policies. */
export function askedMethods(texts: Texts): Method[] {
  return combinations(texts, OF_METHODS);
}

/**
 * The methods of a comparison: those of --method, or every combination of the values listed.
 * @param named those of --method.
 * @returns them, and what holds for all of them, as texts by name.
 * @throws InputError for values that options do not take, and for lists beside --method.
 */
export function comparedMethods(
  texts: Texts,
  named: readonly string[],
): AskedMethods & { readonly common: Texts } {
  const given = LISTED.filter((name) => texts[name] !== undefined);
  const lists = given.filter((name) => listedIn(texts, name).length > 1);
  if (named.length > 0 && lists.length > 0) {
    throw new InputError(
      `--method names whole methods, --${lists[0]} ${texts[firstOf(lists)]} values of each; give one of the two`,
    );
  }
  const varied = given.filter((name) => OF_METHODS.includes(name) || lists.includes(name));
  const common = Object.fromEntries(Object.entries(texts).filter(([name]) => !varied.includes(name)));
  const combined = combinations(texts, varied);
  if (named.length === 0) {
    const areAll = given.includes('policy') || lists.some((name) => name !== 'discipline');
    return { methods: combined, common, areAll, areNamed: false };
  }
  const methods = named.map((text) => ({ ...combined[0], ...readMethod(text, METHOD) }));
  return { methods, common, areAll: true, areNamed: true };
}

/** Reads the files that options and methods name; nothing in them runs. */
export async function readCodeOf(texts: Texts, named: readonly string[]): Promise<void> {
  await readCodeIn(texts);
  for (const text of named) await readCodeIn(namedInMethod(text, METHOD));
}
