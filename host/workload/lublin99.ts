/**
 * The rigid-job model of Lublin and Feitelson (2003, "The workload on parallel supercomputers"), one stream of
 * jobs without types, as Shih et al. 2010, section 5.1 use it.
 */
import { InputError } from '../errors.js';
import { exp, ln, pow } from '../math/fdlibm.js';
import { gammaStream, uniformStream } from '../math/variates.js';
import { JOBS, type Model, type ModelJobs, SEED } from './model.js';

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

const BUCKET_SECONDS = 1800;
/**
 * The daily cycle: weights of the half hours from midnight on, their mean 1. A gamma distribution of shape 8.1737
 * and scale 3.9631 gives them to the half hours 11 to 58, of which the last ten are the first of the next day.
 */
export const CYCLE_WEIGHTS = [
  0.5078207247255986, 0.4561218769284872, 0.4085118483667788, 0.36486322839408714, 0.32501459770635954,
  0.28877929845836275, 0.2559530928877304, 0.2263207416292902, 0.19966155782334316, 0.17575401034527052,
  0.1649178732441603, 0.2388954018543219, 0.329301829015459, 0.43511123245615724, 0.554304347782545,
  0.6840301888002781, 0.8208241814445979, 0.9608534105874831, 1.1001629052268167, 1.2349022689075002,
  1.3615181376252665, 1.4769039881822004, 1.5785041251709733, 1.6643729246083057, 1.7331935035307788,
  1.784261965449606, 1.8174443822054425, 1.8331139006295927, 1.8320750068055764, 1.8154812301274579,
  1.7847515878593136, 1.7414899917823867, 1.6874107629163853, 1.6242723992616046, 1.5538208599075976,
  1.4777428901905345, 1.3976293239142137, 1.3149478551608373, 1.2310244612094394, 1.1470324622399724,
  1.0639881034418985, 0.9827515212931273, 0.90403198964202, 0.8283964162369131, 0.7562801622581221,
  0.6879993744621844, 0.6237641424150463, 0.5636919148885727,
];

/** Job sizes: serial, or 2^x with x from two uniform stages, rounded for the power-of-two share. */
function sizeStream(seed: number, processors: number): () => number {
  const uniform = uniformStream(seed, 'lublin99 sizes');
  const high = ln(processors) / ln(2);
  const middle = high - SIZE_MIDDLE_BELOW_HIGH;
  return () => {
    const u = uniform();
    if (u <= SERIAL) return 1;
    const isLower = uniform() <= LOWER_STAGE;
    const from = isLower ? SIZE_LOW : middle;
    const to = isLower ? middle : high;
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

/**
 * Submit times in whole seconds. A gap is worth points; a half hour takes as many points as its weight, and
 * the clock moves until they are spent. What is left of them counts for the next gap.
 */
function submitTimes(seed: number, aarr: number, jobs: number): Float64Array {
  const gamma = gammaStream(seed, 'lublin99 arrivals');
  const times = new Float64Array(jobs);
  let time = 0;
  let bucket = 0;
  let points = 0;
  let remainder = 0;
  for (let job = 0; job < jobs; job++) {
    let logGap: number;
    do logGap = gamma(aarr * GAP_RATIO, GAP_SCALE);
    while (logGap > MOST_LOG_GAP);
    points += exp(logGap) / BUCKET_SECONDS;
    let gap = 0;
    while (points > CYCLE_WEIGHTS[bucket]!) {
      points -= CYCLE_WEIGHTS[bucket]!;
      bucket = (bucket + 1) % CYCLE_WEIGHTS.length;
      gap += BUCKET_SECONDS;
    }
    const used = points / CYCLE_WEIGHTS[bucket]!;
    gap += BUCKET_SECONDS * (used - remainder);
    remainder = used;
    time = Math.floor(time + gap);
    times[job] = time;
  }
  return times;
}

type Parameter = 'aarr' | 'jobs' | 'seed' | 'processors';

function make({ aarr, jobs, seed, processors }: Readonly<Record<Parameter, number>>): ModelJobs {
  if ((processors & (processors - 1)) !== 0) {
    throw new InputError(`processors of lublin99: expected a power of two, found ${processors}`);
  }
  const nextSize = sizeStream(seed, processors);
  const nextRuntime = runtimeStream(seed);
  const size = new Float64Array(jobs).map(nextSize);
  return {
    maxProcessors: processors,
    submit: submitTimes(seed, aarr, jobs),
    runtime: size.map((processorsOfJob) => nextRuntime(processorsOfJob)),
    processors: size,
  };
}

/** Lublin99: `lublin99[aarr=9.5,jobs=30000,seed=1,processors=128]`. */
export const lublin99: Model<Parameter> = {
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
