/** The options of moldable jobs, checked. */

import {
  type Configuration,
  MOLDABLE_FITS,
  MOLDABLE_RULES,
  type SimulationOptions,
  type Speedup,
} from '../core/configuration.js';
import { parsePolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { parseNotation, parseNumber, printNotation, unknownName } from '../notation.js';

type Moldable = Pick<Configuration, 'moldable' | 'moldableThreshold' | 'moldableFit' | 'speedup'>;
type Others = Pick<Configuration, 'queue' | 'discipline' | 'multiSite' | 'reclaim' | 'minSpeedRatio'>;

/** A word that must be one of the keys. */
export function checkWord<Word extends string>(
  word: string,
  known: Record<Word, string>,
  kind: string,
): Word {
  if (!Object.hasOwn(known, word)) throw unknownName(kind, word, Object.keys(known));
  return word as Word;
}

/**
 * The options of moldable jobs with their defaults filled in.
 * @throws InputError for combinations that the paper does not define and values out of range.
 */
export function checkMoldable(grid: Grid, options: SimulationOptions, others: Others): Moldable {
  const moldable = checkWord(options.moldable ?? 'none', MOLDABLE_RULES, 'rule for moldable jobs');
  const moldableFit = checkWord(options.moldableFit ?? 'demand', MOLDABLE_FITS, 'fit of moldable jobs');
  const { moldableThreshold = 0, speedup = 'linear' } = options;
  if (moldable === 'none') {
    const given = moldableThreshold !== 0 || moldableFit !== 'demand' || speedup !== 'linear';
    if (given)
      throw new InputError('a threshold, fit or speed-up needs moldable jobs; choose down or up-down');
    return { moldable, moldableThreshold, moldableFit, speedup };
  }
  if (!(moldableThreshold >= 0 && moldableThreshold < Infinity)) {
    throw new InputError(`moldable threshold: expected a number of at least 0, found ${moldableThreshold}`);
  }
  if (moldable === 'up-down' && grid.capacities.length > 1) {
    throw new InputError('scaling up is for one site only; choose down, or a single site');
  }
  refuseOthers(options, others);
  if (speedup !== 'linear') checkSpeedup(speedup);
  return { moldable, moldableThreshold, moldableFit, speedup };
}

function refuseOthers(options: SimulationOptions, others: Others): void {
  const refused = {
    'a discipline but fcfs': others.discipline !== 'fcfs',
    'a queue but the shared one': others.queue !== 'shared',
    'multi-site execution': others.multiSite !== 'none',
    'a minimum speed ratio': others.minSpeedRatio > 0,
    'a policy, since the rule itself chooses the site': hasPolicy(options.policy),
  };
  const [first] = Object.entries(refused).find(([, is]) => is) ?? [];
  if (first !== undefined)
    throw new InputError(`moldable jobs do not go with ${first}; leave one of them out`);
}

/** Whether a policy is given that is not the default. */
export function hasPolicy(policy: SimulationOptions['policy']): boolean {
  const { declaration } = typeof policy === 'object' ? policy : parsePolicy(policy ?? 'best-fit');
  return declaration.name !== 'best-fit';
}

function checkSpeedup({ averageParallelism, sigma }: Speedup): void {
  if (!(averageParallelism >= 1 && averageParallelism < Infinity)) {
    throw new InputError(
      `speed-up: expected an average parallelism of at least 1, found ${averageParallelism}`,
    );
  }
  if (!(sigma >= 0 && sigma < Infinity)) {
    throw new InputError(`speed-up: expected sigma to be a number of at least 0, found ${sigma}`);
  }
}

/**
 * A speed-up from its notation: `linear`, or `downey[A=16,sigma=1]`.
 * @throws InputError for another name or parameter, or a missing one.
 */
export function parseSpeedup(text: string): 'linear' | Speedup {
  const { name, parameters } = parseNotation(text);
  if (name !== 'linear' && name !== 'downey') throw unknownName('speed-up', name, ['linear', 'downey']);
  if (name === 'linear') {
    if (parameters.size > 0) throw new InputError("speed-up 'linear' has no parameters");
    return 'linear';
  }
  for (const parameter of parameters.keys()) {
    if (!['A', 'sigma'].includes(parameter))
      throw unknownName('parameter of downey', parameter, ['A', 'sigma']);
  }
  const [averageParallelism, sigma] = ['A', 'sigma'].map((parameter) => {
    const value = parameters.get(parameter);
    if (value === undefined)
      throw new InputError(`speed-up '${text}': give A and sigma, as in downey[A=16,sigma=1]`);
    return parseNumber(value, `parameter '${parameter}' of downey`);
  });
  return { averageParallelism, sigma };
}

/** A speed-up in its notation. */
export function printSpeedup(speedup: 'linear' | Speedup): string {
  if (speedup === 'linear') return speedup;
  return printNotation('downey', [
    ['A', speedup.averageParallelism],
    ['sigma', speedup.sigma],
  ]);
}
