/** Limits on the resources that the running jobs of a user or group may hold at once. */
import { InputError } from '../errors.js';
import { checkFiniteNumberInRange, makeUnknownNameError, parseWholeNumber } from '../notation.js';

/** Limit on the running jobs of each user or group, or of a particular one. */
export interface RunningLimit {
  readonly by: 'user' | 'group';
  /**
   * Name or number in the log of the user or group; absent: the limit applies to all without a limit of their
   * own.
   */
  readonly name?: string;
  /** Limited quantity: number of jobs or of processors. */
  readonly of: 'jobs' | 'processors';
  /** Maximum value. */
  readonly most: number;
}

/** Limits as the library accepts them: a text such as `user.processors=64;user.jobs=10`, or an object. */
export type RunningLimitInput = string | Readonly<Record<string, number>>;

/** Notation for the absence of limits. */
export const NO_LIMITS_NOTATION = 'none';

const LIMIT_NAMES = ['user.jobs', 'user.processors', 'group.jobs', 'group.processors'] as const;
/** Pattern of `user.jobs`, or `user[physics].jobs` for a particular user. */
const LIMIT_NAME_PATTERN = /^(user|group)(?:\[([^\]]+)\])?\.(jobs|processors)$/;
const LIMIT_NUMBER_RANGE = { atLeast: 1, atMost: 2 ** 31 - 1 };

/**
 * Checks limits and returns their canonical notation.
 * @throws InputError for an unknown name, a repeated name, or a value out of range.
 */
export function checkRunningLimits(limitsInput: RunningLimitInput, errorContext: string): string {
  const limitEntries =
    typeof limitsInput === 'string'
      ? parseLimitEntriesOfText(limitsInput, errorContext)
      : listLimitEntriesOfObject(limitsInput, errorContext);
  const limitsByName = new Map<string, number>();
  for (const [name, value] of limitEntries) {
    if (!LIMIT_NAME_PATTERN.test(name)) throw makeUnknownNameError(errorContext, name, LIMIT_NAMES);
    if (limitsByName.has(name)) throw new InputError(`${errorContext}: ${name} is given twice`);
    limitsByName.set(name, value);
  }
  const sortedLimitNames = [...limitsByName.keys()].sort(compareLimitNames);
  return sortedLimitNames.length === 0
    ? NO_LIMITS_NOTATION
    : sortedLimitNames.map((limitName) => `${limitName}=${limitsByName.get(limitName)}`).join(';');
}

/** Sort order of limits in a notation: general limits first, then by name. */
function compareLimitNames(firstLimitName: string, secondLimitName: string): number {
  const [placeOfOne, placeOfOther] = [firstLimitName, secondLimitName].map((limitName) => {
    const nameIndex = (LIMIT_NAMES as readonly string[]).indexOf(limitName);
    return nameIndex < 0 ? LIMIT_NAMES.length : nameIndex;
  }) as [number, number];
  return (
    placeOfOne - placeOfOther ||
    Number(firstLimitName > secondLimitName) - Number(firstLimitName < secondLimitName)
  );
}

function listLimitEntriesOfObject(
  limitsInput: Readonly<Record<string, number>>,
  errorContext: string,
): [string, number][] {
  if (typeof limitsInput !== 'object' || limitsInput === null) {
    throw new InputError(
      `${errorContext}: expected text such as user.jobs=10, or an object, found ${limitsInput}`,
    );
  }
  return Object.entries(limitsInput).map(([name, value]) => {
    if (typeof value === 'number' && value % 1 !== 0) {
      throw new InputError(`${errorContext} ${name}: expected a whole number, found ${value}`);
    }
    return [name, checkFiniteNumberInRange(value, `${errorContext} ${name}`, LIMIT_NUMBER_RANGE)];
  });
}

function parseLimitEntriesOfText(limitText: string, errorContext: string): [string, number][] {
  if (limitText === NO_LIMITS_NOTATION) return [];
  return limitText.split(/[;,+]/).map((part) => {
    const equalsSignPosition = part.lastIndexOf('=');
    const limitName = part.slice(0, equalsSignPosition).trim();
    if (equalsSignPosition < 0) {
      throw new InputError(
        `${errorContext}: expected a limit such as user.processors=64 or user[alice].jobs=2, found '${part.trim()}'`,
      );
    }
    return [
      limitName,
      parseWholeNumber(
        part.slice(equalsSignPosition + 1).trim(),
        `${errorContext} ${limitName}`,
        LIMIT_NUMBER_RANGE,
      ),
    ];
  });
}

/** Parses a notation returned by `checkRunningLimits`. */
export function parseRunningLimits(notation: string): RunningLimit[] {
  if (notation === NO_LIMITS_NOTATION) return [];
  return notation.split(';').map((part) => {
    const equalsSignPosition = part.lastIndexOf('=');
    const [, ownerKind, name, limitedQuantity] = LIMIT_NAME_PATTERN.exec(part.slice(0, equalsSignPosition))!;
    return {
      by: ownerKind as RunningLimit['by'],
      of: limitedQuantity as RunningLimit['of'],
      most: Number(part.slice(equalsSignPosition + 1)),
      ...(name !== undefined && { name }),
    };
  });
}
