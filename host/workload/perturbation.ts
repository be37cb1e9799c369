/** What is changed about a log at random, to see how far results depend on its details: as written and read. */
import { InputError } from '../errors.js';
import {
  type NumberRange,
  parseNotation,
  parseNumber,
  parseWholeNumber,
  printNotation,
  unknownName,
} from '../notation.js';

/** Fields by which records are recombined. */
const GROUPS = ['user', 'group', 'queue', 'partition'] as const;

/** A change of the records of a log; `perturbTrace` makes it. */
export type Perturbation =
  /** Small changes of every submit time and runtime. */
  | {
      readonly kind: 'shake';
      /** Submit times move by at most so many whole seconds. */
      readonly submit: number;
      /** Runtimes change by at most this share, below 1. */
      readonly runtime: number;
      readonly seed: number;
    }
  /** The histories of users put together anew, block by block. */
  | {
      readonly kind: 'resample';
      readonly by: (typeof GROUPS)[number];
      /** Whole seconds; a week by default, so that day and hour stay. */
      readonly block: number;
      readonly seed: number;
    };

/** What holds where a perturbation names none of its parameters. */
export const PERTURBATIONS = {
  shake: { kind: 'shake', submit: 30, runtime: 0, seed: 1 },
  resample: { kind: 'resample', by: 'user', block: 604_800, seed: 1 },
} as const satisfies { readonly [Kind in Perturbation['kind']]: Extract<Perturbation, { kind: Kind }> };

const RANGES: Readonly<Record<string, NumberRange>> = {
  submit: { atLeast: 0, atMost: 2 ** 52 - 1 },
  block: { atLeast: 1 },
  seed: { atLeast: 0 },
};

/**
 * Reads `shake[submit=30,runtime=0,seed=1]` or `resample[by=user,block=604800,seed=1]`; what is not named is as here.
 * @throws InputError for another name, parameter or value.
 * @example
 * console.log(parsePerturbation('resample[seed=7]').seed); // 7
 */
export function parsePerturbation(text: string): Perturbation {
  const { name, parameters } = parseNotation(text);
  if (!Object.hasOwn(PERTURBATIONS, name)) {
    throw unknownName('perturbation', name, Object.keys(PERTURBATIONS));
  }
  const { kind, ...usual } = PERTURBATIONS[name as Perturbation['kind']];
  const known = Object.keys(usual);
  const given = [...parameters].map(([key, value]) => {
    if (!known.includes(key)) throw unknownName(`parameter of ${name}`, key, known);
    return [key, readParameter(key, value, `${key} of ${name}`)];
  });
  return { kind, ...usual, ...Object.fromEntries(given) };
}

function readParameter(key: string, value: string, what: string): string | number {
  if (key === 'by') {
    if (!(GROUPS as readonly string[]).includes(value)) throw unknownName(`value of ${what}`, value, GROUPS);
    return value;
  }
  if (key !== 'runtime') return parseWholeNumber(value, what, RANGES[key]);
  const share = parseNumber(value, what, { atLeast: 0 });
  if (share < 1) return share;
  throw new InputError(`${what}: expected a share below 1, since a runtime stays above 0, found ${value}`);
}

/**
 * Writes a perturbation with all its parameters, so that `parsePerturbation` reads it back.
 * @example
 * console.log(printPerturbation(parsePerturbation('shake'))); // shake[submit=30,runtime=0,seed=1]
 */
export function printPerturbation({ kind, ...parameters }: Perturbation): string {
  return printNotation(kind, Object.entries(parameters));
}

/** A seed for replication r = 1, 2, ...: moved on by r - 1, so that the first of more replications are the same. */
export function replicateSeed(seed: number, replication: number): number {
  const moved = seed + (replication - 1);
  if (Number.isSafeInteger(moved)) return moved;
  throw new InputError(`seed ${seed} of replication ${replication} is above ${Number.MAX_SAFE_INTEGER}`);
}

/** `name[...]` for replication r = 1, 2, ...: with its seed, which is 1 where none stands, moved on by r - 1. */
export function replicateNotation(text: string, replication: number): string {
  const { name, parameters } = parseNotation(text);
  const seed = parseWholeNumber(parameters.get('seed') ?? '1', `seed of ${name}`, RANGES.seed);
  return printNotation(name, new Map([...parameters, ['seed', `${replicateSeed(seed, replication)}`]]));
}
