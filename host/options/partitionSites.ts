/** The option partitionSites: the sites that the jobs of each partition may use. */
import { InputError } from '../errors.js';
import { parseWholeNumber } from '../notation.js';
import { defineCustomOption } from './kinds.js';

/**
 * Sites of partitions as the library accepts them: a text such as `short=1+2;long=2+3`, or lists of sites by
 * partition.
 */
export type PartitionSitesInput = string | Readonly<Record<string, readonly number[]>>;

/** Notation without restrictions: all jobs may use all sites. */
export const NO_PARTITION_SITES_NOTATION = 'none';

const SITE_NUMBER_RANGE = { atLeast: 1, atMost: 2 ** 31 - 1 };
const PARTITION_SITES_EXAMPLE = 'short=1+2;long=2+3';

/** Option that restricts partitions to sites. */
export const PARTITION_OPTIONS = {
  /** Sites that the jobs of partitions may use, such as `short=1+2;long=2+3`. */
  partitionSites: defineCustomOption<string, PartitionSitesInput>({
    heading: 'Grid',
    help: `sites that the jobs of a partition or queue of the log may use: ${PARTITION_SITES_EXAMPLE}; jobs of others may use all`,
    default: NO_PARTITION_SITES_NOTATION,
    otherwise: 'all sites',
    isRepeatable: true,
    read: checkPartitionSites,
    check: checkPartitionSites,
  }),
};

/**
 * Checks the sites of partitions and returns their notation, with partitions in the given order and sites
 * ascending.
 * @throws InputError for a partition without sites or a repeated one, or a site that is not a whole number
 * from 1 on.
 */
function checkPartitionSites(givenPartitionSites: PartitionSitesInput, errorContext: string): string {
  const partitionEntries =
    typeof givenPartitionSites === 'string'
      ? parsePartitionEntriesOfText(givenPartitionSites, errorContext)
      : listPartitionEntriesOfObject(givenPartitionSites, errorContext);
  const partitionNames = new Set<string>();
  for (const [name, sites] of partitionEntries) {
    if (name === '' || /[=;,]/.test(name)) {
      throw new InputError(
        `${errorContext}: '${name}' cannot be the name of a partition in a notation such as ${PARTITION_SITES_EXAMPLE}`,
      );
    }
    if (partitionNames.has(name)) throw new InputError(`${errorContext}: partition ${name} is given twice`);
    if (sites.length === 0) throw new InputError(`${errorContext}: partition ${name} has no sites`);
    partitionNames.add(name);
  }
  if (partitionEntries.length === 0) return NO_PARTITION_SITES_NOTATION;
  return partitionEntries
    .map(([name, sites]) => `${name}=${[...new Set(sites)].sort(compareNumbers).join('+')}`)
    .join(';');
}

const compareNumbers = (firstSite: number, secondSite: number) => firstSite - secondSite;

function parsePartitionEntriesOfText(partitionText: string, errorContext: string): [string, number[]][] {
  if (partitionText === NO_PARTITION_SITES_NOTATION) return [];
  return partitionText.split(/[;,]/).map((part) => {
    const equalsSignPosition = part.lastIndexOf('=');
    if (equalsSignPosition < 0) {
      throw new InputError(
        `${errorContext}: expected partitions and their sites such as ${PARTITION_SITES_EXAMPLE}, found '${part.trim()}'`,
      );
    }
    const partitionName = part.slice(0, equalsSignPosition).trim();
    const sites = part.slice(equalsSignPosition + 1).split('+');
    return [
      partitionName,
      sites.map((siteText) =>
        parseWholeNumber(siteText.trim(), `${errorContext} ${partitionName}`, SITE_NUMBER_RANGE),
      ),
    ];
  });
}

function listPartitionEntriesOfObject(
  partitionInput: Readonly<Record<string, readonly number[]>>,
  errorContext: string,
): [string, number[]][] {
  if (typeof partitionInput !== 'object' || partitionInput === null) {
    throw new InputError(
      `${errorContext}: expected text such as ${PARTITION_SITES_EXAMPLE}, or lists of sites, found ${partitionInput}`,
    );
  }
  return Object.entries(partitionInput).map(([name, sites]) => {
    if (!Array.isArray(sites))
      throw new InputError(`${errorContext} ${name}: expected a list of sites, found ${sites}`);
    return [
      name,
      sites.map((site) => parseWholeNumber(String(site), `${errorContext} ${name}`, SITE_NUMBER_RANGE)),
    ];
  });
}

/** Parses a checked notation: sites, from 1, by name or number of the partition. */
export function parsePartitionSites(notation: string): Map<string, readonly number[]> {
  return new Map(parsePartitionEntriesOfText(notation, 'partition sites'));
}
