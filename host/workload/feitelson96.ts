/**
 * A stand-in for the rigid-job model of Feitelson (1996), whose weights are not published in full. Shape: sizes
 * harmonic of order 1.5 with powers of two preferred, two-stage hyper-exponential runtimes that grow with the
 * size, jobs run repeatedly. The weights here are calibrated on the queue lengths of Shih et al. 2010, section 5.1.
 */
import { ln, pow } from '../math/fdlibm.js';
import { stableOrder } from '../math/stableOrder.js';
import { uniformStream } from '../math/variates.js';
import { JOBS, type Model, type ModelJobs, SEED } from './model.js';

const PROCESSORS = 128;
const SIZE_ORDER = 1.5;
/** Calibrated: how much likelier a power of two from 2 up is than its neighbours. */
const POWER_OF_TWO_WEIGHT = 4;
const RUN_ORDER = 2.5;
const MOST_RUNS = 1000;
/** Calibrated: mean seconds of the short stage; the long one is 7 times as long. */
const SHORT_MEAN = 6500;
const LONG_MEAN = 7 * SHORT_MEAN;
const MOST_RUNTIME = 64800;

/** Draws 1, 2, ... with probabilities in proportion to the weights. */
function drawIndex(weights: readonly number[]): (u: number) => number {
  let total = 0;
  const sums = weights.map((weight) => {
    total += weight;
    return total;
  });
  const shares = Float64Array.from(sums, (sum) => sum / total);
  return (u) => {
    // The last share is 1.
    let low = 0;
    let high = shares.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (u < shares[middle]!) high = middle;
      else low = middle + 1;
    }
    return low + 1;
  };
}

function weights(most: number, weight: (n: number) => number): number[] {
  return Array.from({ length: most }, (_, i) => weight(i + 1));
}

const isPowerOfTwo = (n: number) => (n & (n - 1)) === 0;

/** Whole seconds, rounded up; the share of short runs falls from 0.95 to 0.75 with the size. */
function runtimeStream(seed: number): (size: number) => number {
  const uniform = uniformStream(seed, 'feitelson96 runtimes');
  return (size) => {
    const short = 0.95 - 0.2 * (size / PROCESSORS);
    for (;;) {
      const mean = uniform() < short ? SHORT_MEAN : LONG_MEAN;
      const runtime = Math.ceil(-mean * ln(1 - uniform()));
      if (runtime >= 1 && runtime <= MOST_RUNTIME) return runtime;
    }
  };
}

/** After every such share of more runs those are counted that are submitted before the next new job. */
const BETWEEN_COUNTS = 64;

type Parameter = 'arrFactor' | 'jobs' | 'seed';

/**
 * New jobs, each with its repetitions, until so many are submitted before the next new job as are asked for: the first
 * ones by submit time are all among them. A repetition is submitted one runtime after the run before it, with a runtime of its own.
 */
function make({ arrFactor, jobs, seed }: Readonly<Record<Parameter, number>>): ModelJobs {
  const sizes = uniformStream(seed, 'feitelson96 sizes');
  const runs = uniformStream(seed, 'feitelson96 repetitions');
  const gaps = uniformStream(seed, 'feitelson96 arrivals');
  const nextRuntime = runtimeStream(seed);
  const size = drawIndex(
    weights(PROCESSORS, (n) => (n > 1 && isPowerOfTwo(n) ? POWER_OF_TWO_WEIGHT : 1) * pow(n, -SIZE_ORDER)),
  );
  const runCount = drawIndex(weights(MOST_RUNS, (k) => pow(k, -RUN_ORDER)));
  const submits: number[] = [];
  const runtimes: number[] = [];
  const processors: number[] = [];
  let arrival = 0;
  let due = jobs;
  for (let i = 0; i < jobs; i++) {
    arrival -= arrFactor * ln(1 - gaps());
    if (submits.length >= due) {
      const earlier = submits.reduce((count, submit) => count + Number(submit <= arrival), 0);
      if (earlier >= jobs) break;
      due += jobs / BETWEEN_COUNTS;
    }
    const width = size(sizes());
    let submit = Math.floor(arrival);
    for (let left = runCount(runs()); left > 0; left--) {
      const runtime = nextRuntime(width);
      submits.push(submit);
      runtimes.push(runtime);
      processors.push(width);
      submit += runtime;
    }
  }
  const first = stableOrder(Float64Array.from(submits)).subarray(0, jobs);
  const inOrder = (values: readonly number[]) => new Float64Array(jobs).map((_, job) => values[first[job]!]!);
  return {
    maxProcessors: PROCESSORS,
    submit: inOrder(submits),
    runtime: inOrder(runtimes),
    processors: inOrder(processors),
  };
}

/** Feitelson96-like, calibrated: `feitelson96[arrFactor=400,jobs=30000,seed=1]`. */
export const feitelson96: Model<Parameter> = {
  name: 'feitelson96',
  description:
    'Feitelson96-like, calibrated: a stand-in for the rigid jobs of Feitelson (1996) with repeated runs, fitted to published queue lengths; 128 processors, runtimes of at most 64800 s.',
  parameters: [
    {
      name: 'arrFactor',
      default: 400,
      range: { above: 0, atMost: 1_000_000 },
      whole: false,
      description: 'mean seconds between new jobs; repeated runs come on top',
    },
    { ...JOBS, description: 'number of jobs, repeated runs included' },
    SEED,
  ],
  make,
};
