/** Options of the functions of the library: a name that a function does not know would pass unnoticed otherwise. */
import { InputError } from './errors.js';
import { checkNames, nearest } from './notation.js';

/** The options of each function by its name, so that one can say where an option belongs that another is given. */
const taken = new Map<string, readonly string[]>();

/** Says which options a function takes. */
export function takes<Options>(name: string, options: Readonly<Record<keyof Options, unknown>>): string {
  taken.set(name, Object.keys(options));
  return name;
}

/** What an option is called by functions that take parts of what it says elsewhere. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  sites: ['capacities', 'siteCount'],
};

function meant(option: string, known: readonly string[]): string {
  const found = (PARTS[option] ?? []).filter((each) => known.includes(each));
  return found.length === 0 ? '' : `; it takes ${found.join(' and ')}`;
}

/**
 * Refuses options that a function does not take.
 * @param name of the function, as `takes` returns it.
 * @param given its options; names of `besides` may stand among them and mean nothing.
 * @throws InputError with the nearest known name, or with the function that takes an option of this name.
 */
export function checkOptions(name: string, given: object, besides: readonly string[] = []): void {
  if (typeof given !== 'object' || given === null) {
    throw new InputError(`${name}: expected an object with options, found ${given}`);
  }
  const known = taken.get(name) ?? [];
  const unknown = Object.keys(given).filter((option) => !known.includes(option) && !besides.includes(option));
  for (const option of unknown) {
    const others = [...taken].flatMap(([other, names]) => (names.includes(option) ? [other] : []));
    if (others.length > 0 && nearest(option, known) === undefined) {
      throw new InputError(
        `${name} has no option '${option}'${meant(option, known)}; ${option} is an option of ${others.join(', ')}`,
      );
    }
  }
  checkNames(unknown, known, `option of ${name}`);
}
