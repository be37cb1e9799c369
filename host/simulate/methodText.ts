/** A method in one text: `easy, order=wfp3`. */

import { policies } from '../core/policies.js';
import { InputError } from '../errors.js';
import { parseNotation, splitOutside, suggestion, unknownName } from '../notation.js';
import { OPTIONS, type OptionKey, optionName } from '../options/options.js';
import { isCodeName } from '../options/providedCode.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import type { Method } from './experiment.js';

/** Options of a run, by their names. */
export const OF_RUN = (Object.keys(RUN_OPTIONS) as OptionKey[]).map(optionName);

/** A word of a method as it is given: a value, with the name of its option where that is said. */
type MethodWord = readonly [name: string | undefined, value: string];

/** The words of a method. What begins like a number goes on with the value before it: `load=5,4`. */
function wordsOfMethod(text: string, what: string): MethodWord[] {
  const parts: string[] = [];
  for (const part of splitOutside(text, ',').map((each) => each.trim())) {
    if (parts.length > 0 && /^[-+.\d]/.test(part) && !isCodeName(part)) parts.push(`${parts.pop()},${part}`);
    else if (part !== '') parts.push(part);
  }
  if (parts.length === 0)
    throw new InputError(`${what} names nothing; give a method such as easy,order=wfp3`);
  return parts.map((part) => {
    const [, name, value] = /^([a-z][a-z-]*)\s*=\s*(.*)$/s.exec(part) ?? [];
    return name === undefined ? [undefined, part] : [name, value];
  });
}

/** The values of a method whose options are named, by these. */
export function namedInMethod(text: string, what: string): Method {
  const words = wordsOfMethod(text, what);
  return Object.fromEntries(words.filter((word): word is [string, string] => word[0] !== undefined));
}

/**
 * Reads `easy, order=wfp3`: values whose option is clear, and options of a run.
 * @param calls what errors call a method.
 * @throws InputError for a word that is no such value, or an option that takes none such.
 */
export function readMethod(text: string, calls: string): Method {
  const method: Record<string, string> = {};
  for (const [given, value] of wordsOfMethod(text, calls)) {
    const what = `${calls} '${text}'`;
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
    `${what}: ${value} is no discipline, policy or other value of an option of a run${suggestion(value, known) || '.'} Options are given with commas between them, as in 'easy, order=shortest'`,
  );
}
