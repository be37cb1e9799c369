/** The options of backfilling, checked (Zhang et al. 2006). */

import {
  type Configuration,
  isBackfilling,
  RUNTIME_REFERENCES,
  SELECTIONS,
  type SimulationOptions,
} from '../core/configuration.js';
import { openCore } from '../core/module.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { checkPairs } from '../grid/pairs.js';
import { checkWord, hasPolicy } from './moldable.js';

type Planning = Pick<
  Configuration,
  'select' | 'multiSiteFactor' | 'runtimeReference' | 'interval' | 'bandwidth' | 'latency'
>;
type Others = Pick<
  Configuration,
  'queue' | 'discipline' | 'multiSite' | 'reclaim' | 'minSpeedRatio' | 'moldable'
>;

/**
 * The options of backfilling with their defaults filled in.
 * @throws InputError for combinations that no paper defines and values out of range.
 */
export function checkPlanning(grid: Grid, options: SimulationOptions, others: Others): Planning {
  const plans = isBackfilling(others.discipline);
  const chosen = checkWord(options.select ?? 'none', SELECTIONS, 'resource selection');
  const select = plans && chosen === 'none' && others.queue !== 'independent' ? 'greedy' : chosen;
  const reference = checkWord(options.runtimeReference ?? 'speed1', RUNTIME_REFERENCES, 'runtime reference');
  const { multiSiteFactor = 0, interval = 0 } = options;
  if (multiSiteFactor !== 0 && !(multiSiteFactor >= 1 && multiSiteFactor < Infinity)) {
    throw new InputError(`multi-site factor: expected a number of at least 1, found ${multiSiteFactor}`);
  }
  if (!(interval >= 0 && interval < Infinity)) {
    throw new InputError(`interval: expected a number of seconds above 0, found ${interval}`);
  }
  const given: Given = {
    'a resource selection': chosen !== 'none',
    'a multi-site factor': multiSiteFactor !== 0,
    'an interval': interval !== 0,
    'a bandwidth': (options.bandwidth ?? 0) !== 0,
    'a latency': (options.latency ?? 0) !== 0,
    'a runtime reference of home': reference === 'home',
  };
  if (plans) refuseOthers(options, others, given);
  else refuseWithoutBackfilling(given);
  if (select === 'optimal' && multiSiteFactor > 0) checkSets(grid);
  return {
    select,
    multiSiteFactor,
    runtimeReference: reference,
    interval,
    ...checkTransfers(grid, options),
  };
}

/** All sets of sites can be looked at in a small grid only. */
function checkSets({ capacities: { length: count } }: Grid): void {
  const most = openCore().Limit.SitesOfSets;
  if (count <= most) return;
  throw new InputError(
    `resource selection optimal looks at every set of sites, at most ${most} sites, found ${count}; take greedy`,
  );
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

function checkTransfers(
  grid: Grid,
  { bandwidth = 0, latency = 0 }: SimulationOptions,
): Pick<Planning, 'bandwidth' | 'latency'> {
  if (bandwidth === 0) {
    if (latency !== 0) throw new InputError('a latency says nothing without a bandwidth; give that too');
    return { bandwidth, latency };
  }
  return {
    bandwidth: checkPairs(bandwidth, grid, 'bandwidth', {
      expected: 'bytes per second above 0',
      holds: (value) => value > 0 && value < Infinity,
    }),
    latency: checkPairs(latency, grid, 'latency', {
      expected: 'seconds of at least 0',
      holds: (value) => value >= 0 && value < Infinity,
    }),
  };
}
