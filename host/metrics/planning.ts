/** The options of backfilling, checked (Zhang et al. 2006). */

import { type Configuration, RUNTIME_REFERENCES, SELECTIONS, type Transfers } from '../core/configuration.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { checkPairs, type Pairs } from '../grid/pairs.js';
import { checkWord, hasPolicy } from './moldable.js';
import type { SimulationOptions } from './simulate.js';

type Planning = Pick<
  Configuration,
  'select' | 'multiSiteFactor' | 'runtimeReference' | 'interval' | 'transfers'
>;
type Others = Pick<
  Configuration,
  'queue' | 'discipline' | 'multiSite' | 'reclaim' | 'minSpeedRatio' | 'moldable'
>;

/** Sets of more sites than this are too many to look at one by one. */
const MOST_SITES_OF_SETS = 16;

/** Whether a discipline plans ahead by the estimates. */
export function isBackfilling(discipline: Configuration['discipline']): boolean {
  return discipline === 'easy' || discipline === 'conservative';
}

/**
 * The options of backfilling with their defaults filled in.
 * @throws InputError for combinations that no paper defines and values out of range.
 */
export function checkPlanning(grid: Grid, options: SimulationOptions, others: Others): Planning {
  const select = checkWord(options.select ?? 'greedy', SELECTIONS, 'resource selection');
  const reference = checkWord(options.runtimeReference ?? 'speed1', RUNTIME_REFERENCES, 'runtime reference');
  const { multiSiteFactor = 0, interval = 0 } = options;
  if (multiSiteFactor !== 0 && !(multiSiteFactor >= 1 && multiSiteFactor < Infinity)) {
    throw new InputError(`multi-site factor: expected a number of at least 1, found ${multiSiteFactor}`);
  }
  if (!(interval >= 0 && interval < Infinity)) {
    throw new InputError(`interval: expected a number of seconds above 0, found ${interval}`);
  }
  const given: Given = {
    'a resource selection': options.select !== undefined,
    'a multi-site factor': multiSiteFactor !== 0,
    'an interval': interval !== 0,
    'a bandwidth': options.bandwidth !== undefined,
    'a latency': options.latency !== undefined,
    'runtimes that refer to the home site': reference === 'home',
  };
  if (isBackfilling(others.discipline)) refuseOthers(options, others, given);
  else refuseWithoutBackfilling(given);
  if (select === 'optimal' && multiSiteFactor > 0 && grid.capacities.length > MOST_SITES_OF_SETS) {
    throw new InputError(
      `resource selection optimal looks at every set of sites, at most ${MOST_SITES_OF_SETS} sites, found ${grid.capacities.length}; take greedy`,
    );
  }
  return {
    select,
    multiSiteFactor,
    runtimeReference: reference,
    interval,
    transfers: checkTransfers(grid, options.bandwidth, options.latency),
  };
}

type Given = { readonly [what: string]: boolean };

/** The first that is given, in words. */
function firstOf(given: Given): string | undefined {
  return Object.entries(given).find(([, is]) => is)?.[0];
}

function refuseWithoutBackfilling(given: Given): void {
  const first = firstOf(given);
  if (first !== undefined) throw new InputError(`${first} needs the discipline easy or conservative`);
}

function refuseOthers(options: SimulationOptions, others: Others, given: Given): void {
  const first = firstOf({
    'queues per home site': others.queue === 'per-home',
    'multi-site execution; a multi-site factor splits jobs': others.multiSite !== 'none',
    'a minimum speed ratio': others.minSpeedRatio > 0,
    'a policy, since its resource selection chooses the sites': hasPolicy(options.policy),
  });
  if (first !== undefined) {
    throw new InputError(
      `the discipline ${others.discipline} does not go with ${first}; leave one of them out`,
    );
  }
  if (others.queue !== 'independent') return;
  const { 'a resource selection': selection, 'a multi-site factor': factor, 'an interval': interval } = given;
  const second = firstOf({
    'a resource selection': selection,
    'a multi-site factor': factor,
    'an interval': interval,
  });
  if (second !== undefined) throw new InputError(`independent sites do not go with ${second}`);
}

function checkTransfers(grid: Grid, bandwidth?: Pairs, latency?: Pairs): Transfers | undefined {
  if (bandwidth === undefined) {
    if (latency !== undefined) throw new InputError('a latency needs a bandwidth too');
    return undefined;
  }
  return {
    bandwidth: checkPairs(bandwidth, grid, 'bandwidth', {
      expected: 'bytes per second above 0',
      holds: (value) => value > 0 && value < Infinity,
    }),
    latency: checkPairs(latency ?? 0, grid, 'latency', {
      expected: 'seconds of at least 0',
      holds: (value) => value >= 0 && value < Infinity,
    }),
  };
}
