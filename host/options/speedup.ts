/** How much faster a moldable job runs on more processors. */
import { InputError } from '../errors.js';
import { checkNumber, parseNotation, parseNumber, printNotation, unknownName } from '../notation.js';

/** Parameters of Downey's speed-up: average parallelism and its variation (Downey 1997). */
export interface Downey {
  /** At least 1. */
  readonly averageParallelism: number;
  /** At least 0. */
  readonly sigma: number;
}

/** Linear, or Downey's model. */
export type Speedup = 'linear' | Downey;

const A = { atLeast: 1 };
const SIGMA = { atLeast: 0 };
const PARAMETERS = ['A', 'sigma'];

/**
 * A speed-up from its notation: `linear`, or `downey[A=16,sigma=1]`.
 * @throws InputError for another name or parameter, a missing one, or one out of range.
 */
export function parseSpeedup(text: string, what: string): Speedup {
  const { name, parameters } = parseNotation(text);
  if (name !== 'linear' && name !== 'downey') throw unknownName('speed-up', name, ['linear', 'downey']);
  if (name === 'linear') {
    if (parameters.size > 0) throw new InputError("speed-up 'linear' has no parameters");
    return 'linear';
  }
  for (const parameter of parameters.keys()) {
    if (!PARAMETERS.includes(parameter)) throw unknownName('parameter of downey', parameter, PARAMETERS);
  }
  const [averageParallelism, sigma] = PARAMETERS.map((parameter) => {
    const value = parameters.get(parameter);
    if (value === undefined)
      throw new InputError(`speed-up '${text}': give A and sigma, as in downey[A=16,sigma=1]`);
    return parseNumber(value, `parameter '${parameter}' of downey`);
  });
  return checkSpeedup({ averageParallelism, sigma }, what);
}

/**
 * A speed-up whose parameters are in range.
 * @throws InputError otherwise.
 */
export function checkSpeedup(speedup: Speedup, what: string): Speedup {
  if (speedup === 'linear') return speedup;
  checkNumber(speedup.averageParallelism, `${what}, average parallelism A`, A);
  checkNumber(speedup.sigma, `${what}, sigma`, SIGMA);
  return speedup;
}

/** A speed-up in its notation. */
export function printSpeedup(speedup: Speedup): string {
  if (speedup === 'linear') return speedup;
  const { averageParallelism, sigma } = speedup;
  return printNotation('downey', [
    ['A', averageParallelism],
    ['sigma', sigma],
  ]);
}
