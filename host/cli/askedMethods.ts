/** The methods that a command line names: lists of values, whose combinations they are, or whole methods. */

import { readCodeIn } from '../code/codeFile.js';
import { policies } from '../core/policies.js';
import { InputError } from '../errors.js';
import { parseNotation, splitOutside, suggestion, unknownName } from '../notation.js';
import { BY_SITE } from '../options/document.js';
import { OPTIONS, type OptionKey, optionName } from '../options/options.js';
import { isCodeName } from '../options/providedCode.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import type { Method } from '../simulate/experiment.js';
import type { Texts } from './asked.js';
import type { Arguments } from './command.js';
import { textsOf } from './commandOptions.js';

/** Options of a run, by their names. */
const OF_RUN = (Object.keys(RUN_OPTIONS) as OptionKey[]).map(optionName);

/** Options that may list several values, the discipline first, the policy last. */
export const LISTED: readonly string[] = [
  'discipline',
  ...OF_RUN.filter(
    (name) =>
      !['discipline', 'policy'].includes(name) &&
      !OPTIONS[name].isSwitch &&
      !BY_SITE.includes(OPTIONS[name].key),
  ),
  'policy',
];

/** Those that every method says, though it be one value. */
const OF_METHODS: readonly string[] = ['discipline', 'policy'];

/** Whether a word says that an option is not given, of those that do nothing where they are not. */
const isAbsent = (name: string, word: string) => word === 'none' && OPTIONS[name].default === word;

/** Orders may be expressions, in which blanks separate nothing. */
const isOrder = (name: string) => OPTIONS[name].key === 'order' || OPTIONS[name].key === 'backfillOrder';

/**
 * The values of an option that may list several: separated by commas outside brackets, and but for orders by blanks; each in
 * full notation, or the name of a file; `none` where the option is not to be given. The same one twice stands once. None
 * where the option is not given.
 */
export function listedIn(texts: Texts, name: string): string[] {
  const { read, print } = OPTIONS[name];
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

/** What a comparison is asked to compare. */
export interface AskedMethods {
  readonly methods: readonly Method[];
  /** What holds for all of them, as texts by name. */
  readonly common: Texts;
  /** Whether they are all that is to be compared; else the usual policies or disciplines stand in for those not given. */
  readonly areAll: boolean;
  /** Whether each of them is named as a whole. */
  readonly areNamed: boolean;
}

/**
 * The methods of a comparison: those of --method, or every combination of the values listed.
 * @throws InputError for values that options do not take, and for lists beside --method.
 */
export function comparedMethods(args: Arguments): AskedMethods {
  const texts = textsOf(args);
  const given = LISTED.filter((name) => texts[name] !== undefined);
  const lists = given.filter((name) => listedIn(texts, name).length > 1);
  const named = args.texts('method');
  if (named.length > 0 && lists.length > 0) {
    throw new InputError(
      `--method names whole methods, --${lists[0]} ${texts[lists[0]]} values of each; give one of the two`,
    );
  }
  const varied = given.filter((name) => OF_METHODS.includes(name) || lists.includes(name));
  const common = Object.fromEntries(Object.entries(texts).filter(([name]) => !varied.includes(name)));
  const combined = combinations(texts, varied);
  if (named.length === 0) {
    const areAll = given.includes('policy') || lists.some((name) => name !== 'discipline');
    return { methods: combined, common, areAll, areNamed: false };
  }
  const methods = named.map((text) => ({ ...combined[0], ...readMethod(text) }));
  return { methods, common, areAll: true, areNamed: true };
}

/** A word of a method as it is given: a value, with the name of its option where that is said. */
type MethodWord = readonly [name: string | undefined, value: string];

/** The words of a method. What begins like a number goes on with the value before it: `load=5,4`. */
function wordsOfMethod(text: string): MethodWord[] {
  const parts: string[] = [];
  for (const part of splitOutside(text, ',').map((each) => each.trim())) {
    if (parts.length > 0 && /^[-+.\d]/.test(part) && !isCodeName(part)) parts.push(`${parts.pop()},${part}`);
    else if (part !== '') parts.push(part);
  }
  if (parts.length === 0)
    throw new InputError('--method names nothing; give a method such as easy,order=wfp3');
  return parts.map((part) => {
    const [, name, value] = /^([a-z][a-z-]*)\s*=\s*(.*)$/s.exec(part) ?? [];
    return name === undefined ? [undefined, part] : [name, value];
  });
}

/** Reads `easy, order=wfp3`: values whose option is clear, and options of a run. */
function readMethod(text: string): Method {
  const method: Record<string, string> = {};
  for (const [given, value] of wordsOfMethod(text)) {
    const what = `--method '${text}'`;
    const name = given ?? optionOfValue(value, what);
    if (!OF_RUN.includes(name)) throw unknownName(`option of ${what}`, name, OF_RUN);
    if (method[name] !== undefined) throw new InputError(`${what} says ${name} twice; say it once`);
    const { isSwitch, read, print } = OPTIONS[name];
    const said = isSwitch && given === undefined ? 'true' : value;
    method[name] = print(read(said, `${what}, ${name}`));
  }
  return method;
}

/** The one option of a run that has a value among its words. */
function optionOfValue(value: string, what: string): string {
  if (isCodeName(value)) throw new InputError(`${what}: say what ${value} is, as policy=${value}`);
  const isPolicy = (word: string) =>
    policies().some(({ name, aliases }) => name === word || aliases.includes(word));
  const word = /^\w[\w.-]*\[.*\]$/s.test(value) ? parseNotation(value).name : value;
  const names = OF_RUN.filter((name) => {
    const { isSwitch, choices } = OPTIONS[name];
    return name === 'policy' ? isPolicy(word) : isSwitch ? name === value : choices?.includes(value);
  });
  if (names.length === 1) return names[0];
  if (names.length > 1) {
    throw new InputError(
      `${what}: ${value} may be ${names.map((name) => `${name}=${value}`).join(' or ')}; say which`,
    );
  }
  const known = [
    ...policies().map(({ name }) => name),
    ...OF_RUN.flatMap((name) => OPTIONS[name].choices ?? []),
  ];
  throw new InputError(
    `${what}: ${value} is no discipline, policy or other value of an option of a run${suggestion(value, known)} Options are given as name=value`,
  );
}

/** Reads the files that options and methods name; nothing in them runs. */
export async function readCodeOf(args: Arguments): Promise<void> {
  await readCodeIn(textsOf(args));
  for (const text of args.texts('method')) {
    const words = wordsOfMethod(text).filter(([name]) => name !== undefined);
    await readCodeIn(Object.fromEntries(words));
  }
}
