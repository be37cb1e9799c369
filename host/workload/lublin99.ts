/**
 * The rigid-job model of Lublin and Feitelson (2003, "The workload on parallel supercomputers"), one stream of
 * jobs without types, as Shih et al. 2010, section 5.1 use it.
 */
import exp from '@stdlib/math-base-special-exp';
import ln from '@stdlib/math-base-special-ln';
import pow from '@stdlib/math-base-special-pow';
import gammaCdf from '@stdlib/stats-base-dists-gamma-cdf';
import { InputError } from '../errors.js';
import { JOBS, type Model, type ModelJobs, SEED } from './model.js';
import { gammaStream, uniformStream } from './random.js';

const SERIAL = 0.244;
const POWER_OF_TWO = 0.576;
/** log2 of the size: two uniform stages, the lower one taken with probability LOWER_STAGE. */
const SIZE_LOW = 0.8;
const SIZE_MIDDLE_BELOW_HIGH = 2.5;
const LOWER_STAGE = 0.86;

/** Natural logarithm of the runtime: one of two gamma distributions, the first with probability a + b x size. */
const SHORT = { shape: 4.2, scale: 0.94 };
const LONG = { shape: 312, scale: 0.03 };
const SHORT_PER_SIZE = -0.0054;
const SHORT_BASE = 0.78;
const MOST_LOG_RUNTIME = 12;

/** Natural logarithm of the gap: gamma with shape aarr x GAP_RATIO. */
const GAP_RATIO = 1.0225;
const GAP_SCALE = 0.4871;
const MOST_LOG_GAP = 13;

/** The daily cycle: weights of the 48 half hours, from a gamma distribution over the half hours 11 to 58. */
const BUCKETS = 48;
const BUCKET_SECONDS = 1800;
const CYCLE = { shape: 8.1737, scale: 3.9631, start: 11 };

/** Job sizes: serial, or 2^x with x from two uniform stages, rounded for the power-of-two share. */
function sizeStream(seed: number, processors: number): () => number {
  const uniform = uniformStream(seed, 'lublin99 sizes');
  const high = ln(processors) / ln(2);
  const middle = high - SIZE_MIDDLE_BELOW_HIGH;
  return () => {
    const u = uniform();
    if (u <= SERIAL) return 1;
    const [from, to] = uniform() <= LOWER_STAGE ? [SIZE_LOW, middle] : [middle, high];
    const x = from + (to - from) * uniform();
    return Math.floor(pow(2, u <= SERIAL + POWER_OF_TWO ? Math.floor(x + 0.5) : x) + 0.5);
  };
}

/** Whole seconds for a job of the given size; wider jobs are long more often. */
function runtimeStream(seed: number): (size: number) => number {
  const uniform = uniformStream(seed, 'lublin99 runtime stages');
  const gamma = gammaStream(seed, 'lublin99 runtimes');
  return (size) => {
    const share = Math.min(1, Math.max(0, SHORT_PER_SIZE * size + SHORT_BASE));
    for (;;) {
      const stage = uniform() <= share ? SHORT : LONG;
      const logRuntime = gamma(stage.shape, stage.scale);
      if (logRuntime <= MOST_LOG_RUNTIME) return Math.floor(exp(logRuntime));
    }
  };
}

/** Weights of the half hours of a day, their mean 1. */
function cycleWeights(): Float64Array {
  const weights = new Float64Array(BUCKETS);
  const below = (x: number) => gammaCdf(x, CYCLE.shape, 1 / CYCLE.scale);
  for (let i = CYCLE.start; i < CYCLE.start + BUCKETS; i++) {
    weights[(i - 1) % BUCKETS] = below(i + 0.5) - below(i - 0.5);
  }
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / BUCKETS;
  return weights.map((weight) => weight / mean);
}

/**
 * Submit times in whole seconds. A gap is worth points; a half hour takes as many points as its weight, and
 * the clock moves until they are spent. What is left of them counts for the next gap.
 */
function arrivalStream(seed: number, aarr: number): () => number {
  const gamma = gammaStream(seed, 'lublin99 arrivals');
  const weights = cycleWeights();
  let time = 0;
  let bucket = 0;
  let points = 0;
  let remainder = 0;
  return () => {
    let logGap: number;
    do logGap = gamma(aarr * GAP_RATIO, GAP_SCALE);
    while (logGap > MOST_LOG_GAP);
    points += exp(logGap) / BUCKET_SECONDS;
    let gap = 0;
    while (points > weights[bucket]) {
      points -= weights[bucket];
      bucket = (bucket + 1) % BUCKETS;
      gap += BUCKET_SECONDS;
    }
    const used = points / weights[bucket];
    gap += BUCKET_SECONDS * (used - remainder);
    remainder = used;
    time = Math.floor(time + gap);
    return time;
  };
}

function make({ aarr, jobs, seed, processors }: Readonly<Record<string, number>>): ModelJobs {
  if ((processors & (processors - 1)) !== 0) {
    throw new InputError(`processors of lublin99: expected a power of two, found ${processors}`);
  }
  const nextSize = sizeStream(seed, processors);
  const nextRuntime = runtimeStream(seed);
  const nextArrival = arrivalStream(seed, aarr);
  const size = Float64Array.from({ length: jobs }, nextSize);
  return {
    maxProcessors: processors,
    submit: Float64Array.from({ length: jobs }, nextArrival),
    runtime: size.map((processorsOfJob) => nextRuntime(processorsOfJob)),
    processors: size,
  };
}

/** Lublin99: `lublin99[aarr=9.5,jobs=30000,seed=1,processors=128]`. */
export const lublin99: Model = {
  name: 'lublin99',
  description:
    'Lublin99, the rigid jobs of Lublin and Feitelson (2003) without types: log-uniform sizes with many powers of two, hyper-gamma runtimes of at most 162754 s, gamma gaps with a daily cycle.',
  parameters: [
    {
      name: 'aarr',
      default: 9.5,
      range: { above: 0, atMost: 20 },
      whole: false,
      description: 'shape of the gaps between jobs: the larger, the longer the gaps',
    },
    JOBS,
    SEED,
    {
      name: 'processors',
      default: 128,
      range: { atLeast: 16, atMost: 65536 },
      whole: true,
      description: 'processors of the machine, a power of two; the widest job',
    },
  ],
  make,
};
