/** Outages that a live simulation learns of while it runs. */
import { describeReceivedValue } from '../arguments.js';
import type { LiveOutage as CoreOutage } from '../core/live.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import { checkKnownNames } from '../notation.js';
import type { Configuration } from '../options/configuration.js';

/** Outage of processors of a site. Times are in seconds. */
export interface LiveOutage {
  /** Site, from 1. */
  readonly site: number;
  /** Begin; Infinity: the outage does not take place. */
  readonly from: number;
  /** End. Default: Infinity, the processors do not return. */
  readonly to?: number | undefined;
  /** Number of processors. Default: all of the site. */
  readonly processors?: number | undefined;
  /** True if plans know the outage before it begins. Default: false. */
  readonly isPlanned?: boolean | undefined;
  /** First affected processor of the site, from 0; with the option `planBy: 'node'`. Default: 0. */
  readonly firstProcessor?: number | undefined;
}

const isTime = (timeValue: unknown) => typeof timeValue === 'number' && timeValue >= 0;
const isWhole = (numberValue: unknown, minimum: number) =>
  Number.isInteger(numberValue) && Number(numberValue) >= minimum;

/** Fields of an outage: what is expected, and the check. */
const OUTAGE_FIELDS: Readonly<Record<keyof LiveOutage, readonly [string, (value: unknown) => boolean]>> = {
  site: ['the number of a site, from 1', (value) => isWhole(value, 1)],
  from: ['a number of seconds, or Infinity', isTime],
  to: ['a number of seconds, or Infinity', isTime],
  processors: ['a whole number of at least 1', (value) => isWhole(value, 1)],
  isPlanned: ['true or false', (value) => typeof value === 'boolean'],
  firstProcessor: ['a whole number of at least 0', (value) => isWhole(value, 0)],
};

/**
 * Checks the fields of an outage, which may be changes of one, one by one.
 * @throws InputError for an unknown name or an invalid value.
 */
export function checkOutageFields(outage: Partial<LiveOutage>, callName: string): void {
  if (typeof outage !== 'object' || outage === null || Array.isArray(outage)) {
    const receivedText = describeReceivedValue(outage);
    throw new InputError(
      `${callName}: expected an outage such as { site: 1, from: 60, to: 90 }, found ${receivedText}`,
    );
  }
  checkKnownNames(Object.keys(outage), Object.keys(OUTAGE_FIELDS), 'field of an outage');
  for (const [field, [expected, isValid]] of Object.entries(OUTAGE_FIELDS)) {
    const fieldValue = outage[field as keyof LiveOutage];
    if (fieldValue !== undefined && !isValid(fieldValue))
      throw new InputError(
        `${callName}, ${field}: expected ${expected}, found ${describeReceivedValue(fieldValue)}`,
      );
  }
}

/**
 * Converts an outage for the core.
 * @throws InputError for a missing field, an unknown site, too many processors, or an end before the begin.
 */
export function convertOutageForCore(
  outage: LiveOutage,
  { grid, planBy }: Pick<Configuration, 'grid' | 'planBy'>,
  callName: string,
): CoreOutage {
  for (const field of ['site', 'from'] as const)
    if (outage[field] === undefined)
      throw new InputError(`${callName}, ${field}: expected ${OUTAGE_FIELDS[field][0]}, found undefined`);
  const { site, from, to = Number.POSITIVE_INFINITY, isPlanned = false, firstProcessor } = outage;
  const capacity = grid.capacities[site - 1];
  if (capacity === undefined) {
    const siteCountText = formatCount(grid.capacities.length, 'site');
    throw new InputError(
      `${callName}: there is no site ${site}; the grid has ${siteCountText}, numbered from 1`,
    );
  }
  const { processors = capacity } = outage;
  if (processors + (firstProcessor ?? 0) > capacity)
    throw new InputError(
      `${callName}: it takes ${formatCount(processors, 'processor')}${firstProcessor ? ` from number ${firstProcessor} on` : ''}, and site ${site} has ${capacity}; give fewer`,
    );
  if (firstProcessor !== undefined && planBy !== 'node')
    throw new InputError(
      `${callName}, firstProcessor: only plans by nodes know it; omit it, or give planBy: 'node'`,
    );
  if (from < Number.POSITIVE_INFINITY && !(to > from))
    throw new InputError(`${callName}: it ends at ${to}, not after its begin at ${from}; give a later end`);
  return { site: site - 1, from, to, processors, isPlanned, firstProcessor: firstProcessor ?? 0 };
}
