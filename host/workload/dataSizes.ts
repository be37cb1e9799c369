/**
 * Input data of jobs in bytes, copied when a job runs outside its home site (Zhang et al. 2006, section 3.2).
 */
import { InputError } from '../errors.js';
import { makeGammaStream, makeUniformStream } from '../math/random.js';
import { makeUnknownNameError, parseNotation, parseNumber, parseWholeNumber } from '../notation.js';
import type { Workload } from './workload.js';

/** Distribution of input data per job: constant, uniform between two sizes, or exponential with a mean. */
export type DataSizeDistribution =
  | { readonly kind: 'constant'; readonly bytes: number }
  | { readonly kind: 'uniform'; readonly from: number; readonly to: number; readonly seed: number }
  | { readonly kind: 'exponential'; readonly mean: number; readonly seed: number };

const DATA_SIZE_PARAMETERS = { uniform: ['from', 'to', 'seed'], exponential: ['mean', 'seed'] } as const;

/**
 * Parses data sizes: a number of bytes, `uniform[from=0,to=1e6,seed=1]` or `exponential[mean=1e6,seed=1]`.
 * @throws InputError for an unknown name or parameter, a missing parameter, or a negative size.
 */
export function parseDataSizes(dataSizesText: string, errorContext: string): DataSizeDistribution {
  if (/^[+-]?[\d.]/.test(dataSizesText.trim())) {
    return { kind: 'constant', bytes: parseNumber(dataSizesText, errorContext, { atLeast: 0 }) };
  }
  const { name: notationName, parameters } = parseNotation(dataSizesText);
  if (notationName !== 'uniform' && notationName !== 'exponential') {
    throw makeUnknownNameError(
      `distribution of ${errorContext}`,
      notationName,
      Object.keys(DATA_SIZE_PARAMETERS),
    );
  }
  const parameterNames: readonly string[] = DATA_SIZE_PARAMETERS[notationName];
  for (const parameterName of parameters.keys()) {
    if (!parameterNames.includes(parameterName))
      throw makeUnknownNameError(`parameter of ${notationName}`, parameterName, parameterNames);
  }
  const parseByteParameter = (parameterName: string) => {
    const parameterText = parameters.get(parameterName);
    if (parameterText === undefined)
      throw new InputError(`${errorContext}: ${notationName} needs the parameter ${parameterName}`);
    return parseNumber(parameterText, `${errorContext}, parameter '${parameterName}' of ${notationName}`, {
      atLeast: 0,
    });
  };
  const seed = parseWholeNumber(
    parameters.get('seed') ?? '1',
    `${errorContext}, parameter 'seed' of ${notationName}`,
    {
      atLeast: 0,
    },
  );
  if (notationName === 'exponential') return { kind: notationName, mean: parseByteParameter('mean'), seed };
  const [from, to] = [parseByteParameter('from'), parseByteParameter('to')];
  if (to < from)
    throw new InputError(`${errorContext}: expected 'to' to be at least 'from', found ${from} to ${to}`);
  return { kind: notationName, from, to, seed };
}

/** Formats data sizes for `parseDataSizes`. */
export function printDataSizes(dataSizes: DataSizeDistribution): string {
  if (dataSizes.kind === 'constant') return String(dataSizes.bytes);
  const { kind, ...parameters } = dataSizes;
  const parameterTexts = Object.entries(parameters).map(
    ([parameterName, parameterValue]) => `${parameterName}=${parameterValue}`,
  );
  return `${kind}[${parameterTexts.join(',')}]`;
}

function makeDataSizeStream(dataSizes: DataSizeDistribution): () => number {
  switch (dataSizes.kind) {
    case 'constant':
      return () => dataSizes.bytes;
    case 'uniform': {
      const drawUniform = makeUniformStream(dataSizes.seed, 'data');
      return () => dataSizes.from + (dataSizes.to - dataSizes.from) * drawUniform();
    }
    case 'exponential': {
      // A gamma distribution of shape 1 is an exponential one.
      const drawGamma = makeGammaStream(dataSizes.seed, 'data');
      return () => drawGamma(1, dataSizes.mean);
    }
  }
}

/** Adds data sizes in bytes to a workload. */
export function addDataSizes(workload: Workload, dataSizes: DataSizeDistribution): Workload {
  return makeDataSizeAdder(dataSizes)(workload);
}

/** Function that adds data sizes to workloads, which are consecutive parts of one log. */
export function makeDataSizeAdder(sizeDistribution: DataSizeDistribution): (workload: Workload) => Workload {
  const drawDataSize = makeDataSizeStream(sizeDistribution);
  return (workload) => ({ ...workload, data: Float64Array.from({ length: workload.count }, drawDataSize) });
}
