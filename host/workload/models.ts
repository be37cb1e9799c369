/**
 * Workload models, which generate random logs: their interface, the two included models, and the generated
 * logs.
 */

import { checkArgument } from '../arguments.js';
import { InputError } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import { exp, naturalLogarithm, pow } from '../math/fdlibm.js';
import { makeGammaStream, makeUniformStream } from '../math/random.js';
import {
  makeUnknownNameError,
  type NumberRange,
  parseNotation,
  parseNumber,
  parseWholeNumber,
  printNotation,
} from '../notation.js';
import { parseHeader, SWF_FIELDS, type SwfField, type Trace, type TraceHeader } from '../trace/trace.js';
import { PendingRuns } from './pendingRuns.js';

/** Declaration of a model's parameter: its name in `name[param=value]`, its default and its allowed values. */
export interface ModelParameter<Name extends string = string> {
  readonly name: Name;
  /** Default value. */
  readonly default: number;
  /** Allowed range. */
  readonly range: NumberRange;
  /** True if the value must be a whole number. */
  readonly whole: boolean;
  readonly description: string;
}

/** Generated rigid jobs in submit order: times in seconds, whole numbers of processors. */
export interface ModelJobs {
  /** Number of processors of the modelled machine. */
  readonly maxProcessors: number;
  /** Submit times in seconds, ascending. */
  readonly submit: Float64Array;
  /** Runtimes in seconds. */
  readonly runtime: Float64Array;
  /** Number of processors of each job. */
  readonly processors: Float64Array;
}

/** Generated jobs as a stream, of which only some are in memory. */
export interface ModelJobStream {
  /** Number of processors of the modelled machine. */
  readonly maxProcessors: number;
  /** Generates the next jobs and writes them to the columns, from index 0 on, until these are full. */
  draw(columns: Omit<ModelJobs, 'maxProcessors'>): void;
}

/** A workload model; equal parameters give equal jobs on every machine. */
export interface Model<Name extends string = string> {
  /** Name in the notation `name[parameter=value]`. */
  readonly name: string;
  /** Description in one sentence. */
  readonly description: string;
  /** Parameters in printing order. */
  readonly parameters: readonly ModelParameter<Name>[];
  /**
   * Generates jobs; `parameterValues` contains every parameter.
   * @throws InputError for values that are incompatible with each other.
   */
  make(parameterValues: Readonly<Record<Name, number>>): ModelJobs;
  /** Opens a stream of the same jobs, without an end; throws like `make`. */
  open(values: Readonly<Record<Name, number>>): ModelJobStream;
}

/** Columns for a number of generated jobs. */
function makeModelColumns(jobCount: number): Omit<ModelJobs, 'maxProcessors'> {
  const makeColumn = () => new Float64Array(jobCount);
  return { submit: makeColumn(), runtime: makeColumn(), processors: makeColumn() };
}

/** Generates a number of jobs at once. */
function drawModelJobs({ maxProcessors, draw }: ModelJobStream, jobCount: number): ModelJobs {
  const columns = makeModelColumns(jobCount);
  draw(columns);
  return { maxProcessors, ...columns };
}

/** Parameter `jobs`: number of jobs. */
export const MODEL_JOBS_PARAMETER: ModelParameter<'jobs'> = {
  name: 'jobs',
  default: 30000,
  range: { atLeast: 1, atMost: 1_000_000_000 },
  whole: true,
  description: 'number of jobs',
};

/** Maximum number of generated jobs that are in memory at once. */
const MAX_MODEL_JOBS_IN_MEMORY = 10_000_000;

/** Parameter `seed` of the random streams. */
export const MODEL_SEED_PARAMETER: ModelParameter<'seed'> = {
  name: 'seed',
  default: 1,
  range: { atLeast: 0 },
  whole: true,
  description: 'seed of the random streams',
};

/*
 * Feitelson96: a stand-in for the rigid-job model of Feitelson (1996), whose weights are not published in full. Shape: sizes
 * harmonic of order 1.5 with powers of two preferred, two-stage hyper-exponential runtimes that grow with the size, jobs run
 * repeatedly. The weights here are calibrated on the queue lengths of Shih et al. 2010, section 5.1.
 */

const FEITELSON_MACHINE_PROCESSORS = 128;
const FEITELSON_SIZE_POWER = 1.5;
/** Calibrated weight of powers of two (from 2 on) relative to neighbouring sizes. */
const FEITELSON_POWER_OF_TWO_WEIGHT = 4;
const FEITELSON_REPETITION_POWER = 2.5;
const FEITELSON_MAX_REPETITIONS = 1000;
/** Calibrated mean of the short runtime stage in seconds; the mean of the long stage is 7 times as large. */
const FEITELSON_SHORT_RUNTIME_MEAN = 6500;
const FEITELSON_LONG_RUNTIME_MEAN = 7 * FEITELSON_SHORT_RUNTIME_MEAN;
const FEITELSON_MAX_RUNTIME = 64800;

/**
 * Function that maps a uniform random number in [0, 1) to 1, 2, ..., with probabilities proportional to the
 * weights.
 */
function makeWeightedRankSampler(weights: readonly number[]): (u: number) => number {
  let totalWeight = 0;
  const cumulativeWeights = weights.map((weight) => {
    totalWeight += weight;
    return totalWeight;
  });
  const shares = Float64Array.from(cumulativeWeights, (sum) => sum / totalWeight);
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

function computeWeightsUpTo(largestSize: number, weightOf: (n: number) => number): number[] {
  return Array.from({ length: largestSize }, (_, i) => weightOf(i + 1));
}

const isPowerOfTwo = (n: number) => (n & (n - 1)) === 0;

/**
 * Runtimes in whole seconds, rounded up; the share of short runs falls from 0.95 to 0.75 with increasing
 * size.
 */
function makeFeitelson96RuntimeSampler(seed: number): (size: number) => number {
  const drawUniform = makeUniformStream(seed, 'feitelson96 runtimes');
  return (size) => {
    const shortRuntimeShare = 0.95 - 0.2 * (size / FEITELSON_MACHINE_PROCESSORS);
    for (;;) {
      const mean =
        drawUniform() < shortRuntimeShare ? FEITELSON_SHORT_RUNTIME_MEAN : FEITELSON_LONG_RUNTIME_MEAN;
      const runtime = Math.ceil(-mean * naturalLogarithm(1 - drawUniform()));
      if (runtime >= 1 && runtime <= FEITELSON_MAX_RUNTIME) return runtime;
    }
  };
}

type Feitelson96Parameter = 'arrFactor' | 'jobs' | 'seed';

/**
 * Generates new jobs with their repetitions. A repetition is submitted when the previous run would end, and has
 * its own runtime. Runs submitted at the same time are in the order of their generation.
 */
function openFeitelson96JobStream({
  arrFactor,
  seed,
}: Readonly<Record<Feitelson96Parameter, number>>): ModelJobStream {
  const drawSizeQuantile = makeUniformStream(seed, 'feitelson96 sizes');
  const drawRepetitionQuantile = makeUniformStream(seed, 'feitelson96 repetitions');
  const drawArrivalGapQuantile = makeUniformStream(seed, 'feitelson96 arrivals');
  const drawRuntimeOfSize = makeFeitelson96RuntimeSampler(seed);
  const chooseSizeOfQuantile = makeWeightedRankSampler(
    computeWeightsUpTo(
      FEITELSON_MACHINE_PROCESSORS,
      (n) => (n > 1 && isPowerOfTwo(n) ? FEITELSON_POWER_OF_TWO_WEIGHT : 1) * pow(n, -FEITELSON_SIZE_POWER),
    ),
  );
  const chooseRunCountOfQuantile = makeWeightedRankSampler(
    computeWeightsUpTo(FEITELSON_MAX_REPETITIONS, (k) => pow(k, -FEITELSON_REPETITION_POWER)),
  );
  const pendingRuns = new PendingRuns();
  const drawNextArrival = (arrival: number) =>
    arrival - arrFactor * naturalLogarithm(1 - drawArrivalGapQuantile());
  let arrival = drawNextArrival(0);
  const addNewJob = () => {
    const width = chooseSizeOfQuantile(drawSizeQuantile());
    let submit = Math.floor(arrival);
    for (
      let remainingRunCount = chooseRunCountOfQuantile(drawRepetitionQuantile());
      remainingRunCount > 0;
      remainingRunCount--
    ) {
      const runtime = drawRuntimeOfSize(width);
      pendingRuns.add(submit, runtime, width);
      submit += runtime;
    }
    arrival = drawNextArrival(arrival);
  };
  return {
    maxProcessors: FEITELSON_MACHINE_PROCESSORS,
    draw: ({ submit, runtime, processors }) => {
      for (let i = 0; i < submit.length; i++) {
        // Runs of later jobs are submitted at the next arrival or afterwards.
        while (pendingRuns.earliestSubmit > Math.floor(arrival)) addNewJob();
        const pendingRun = pendingRuns.takeEarliest();
        submit[i] = pendingRun.submit;
        runtime[i] = pendingRun.runtime;
        processors[i] = pendingRun.processors;
      }
    },
  };
}

/** Calibrated model similar to Feitelson96, by notation `feitelson96[arrFactor=400,jobs=30000,seed=1]`. */
export const FEITELSON96_MODEL: Model<Feitelson96Parameter> = {
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
    { ...MODEL_JOBS_PARAMETER, description: 'number of jobs, repeated runs included' },
    MODEL_SEED_PARAMETER,
  ],
  make: (parameterValues) => drawModelJobs(openFeitelson96JobStream(parameterValues), parameterValues.jobs),
  open: openFeitelson96JobStream,
};

/*
 * Lublin99: the rigid-job model of Lublin and Feitelson (2003, "The workload on parallel supercomputers"), one stream of
 * jobs without types, as Shih et al. 2010, section 5.1 use it.
 */

const LUBLIN_SERIAL_SHARE = 0.244;
const LUBLIN_POWER_OF_TWO_SHARE = 0.576;
/**
 * Log2 of a parallel job's size: two uniform stages, from 0.8 to a middle 2.5 below the maximum, and from
 * there to the maximum; the lower one has probability 0.86.
 */
const LUBLIN_MIN_LOG2_SIZE = 0.8;
const LUBLIN_MIDDLE_BELOW_MAX_LOG2_SIZE = 2.5;
const LUBLIN_LOWER_SIZE_STAGE_SHARE = 0.86;

/**
 * Distribution of the natural logarithm of the runtime: one of two gamma distributions, the first with
 * probability 0.78 - 0.0054 x size.
 */
const LUBLIN_SHORT_RUNTIME_GAMMA = { shape: 4.2, scale: 0.94 };
const LUBLIN_LONG_RUNTIME_GAMMA = { shape: 312, scale: 0.03 };
const LUBLIN_SHORT_SHARE_SLOPE = -0.0054;
const LUBLIN_SHORT_SHARE_AT_ZERO = 0.78;
const LUBLIN_MAX_LOG_RUNTIME = 12;

/**
 * Natural logarithm of the gap between arrivals: a gamma distribution with shape aarr x 1.0225 and scale
 * 0.4871, cut off at 13.
 */
const LUBLIN_ARRIVAL_GAP_RATIO = 1.0225;
const LUBLIN_ARRIVAL_GAP_SCALE = 0.4871;
const LUBLIN_MAX_LOG_ARRIVAL_GAP = 13;

const LUBLIN_DAILY_CYCLE_BUCKET_SECONDS = 1800;
/**
 * Daily cycle: weights of the half hours from midnight on, with mean 1. They follow a gamma distribution of
 * shape 8.1737 and scale 3.9631 over the half hours 11 to 58, the last ten of which belong to the next day.
 */
export const LUBLIN_DAILY_CYCLE_WEIGHTS = [
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

/** Draws job sizes: serial, or 2^x with x from two uniform stages, rounded for the share of powers of two. */
function makeLublin99SizeSampler(seed: number, processors: number): () => number {
  const drawUniform = makeUniformStream(seed, 'lublin99 sizes');
  const high = naturalLogarithm(processors) / naturalLogarithm(2);
  const middle = high - LUBLIN_MIDDLE_BELOW_MAX_LOG2_SIZE;
  return () => {
    const u = drawUniform();
    if (u <= LUBLIN_SERIAL_SHARE) return 1;
    const isLowerStage = drawUniform() <= LUBLIN_LOWER_SIZE_STAGE_SHARE;
    const from = isLowerStage ? LUBLIN_MIN_LOG2_SIZE : middle;
    const to = isLowerStage ? middle : high;
    const x = from + (to - from) * drawUniform();
    return Math.floor(
      pow(2, u <= LUBLIN_SERIAL_SHARE + LUBLIN_POWER_OF_TWO_SHARE ? Math.floor(x + 0.5) : x) + 0.5,
    );
  };
}

/** Draws runtimes in whole seconds for a job size; wider jobs are more often long. */
function makeLublin99RuntimeSampler(seed: number): (size: number) => number {
  const drawUniform = makeUniformStream(seed, 'lublin99 runtime stages');
  const drawGamma = makeGammaStream(seed, 'lublin99 runtimes');
  return (size) => {
    const shortRuntimeShare = Math.min(
      1,
      Math.max(0, LUBLIN_SHORT_SHARE_SLOPE * size + LUBLIN_SHORT_SHARE_AT_ZERO),
    );
    for (;;) {
      const runtimeGamma =
        drawUniform() <= shortRuntimeShare ? LUBLIN_SHORT_RUNTIME_GAMMA : LUBLIN_LONG_RUNTIME_GAMMA;
      const logOfRuntime = drawGamma(runtimeGamma.shape, runtimeGamma.scale);
      if (logOfRuntime <= LUBLIN_MAX_LOG_RUNTIME) return Math.floor(exp(logOfRuntime));
    }
  };
}

/**
 * Draws submit times in whole seconds. The gap to the next job in half hours is a number of points; every
 * half hour of the day uses up points equal to its weight, and the clock advances until none are left.
 */
function makeLublin99SubmitSampler(seed: number, aarr: number): () => number {
  const drawGamma = makeGammaStream(seed, 'lublin99 arrivals');
  let time = 0;
  let bucket = 0;
  let remainingGapPoints = 0;
  let usedShareOfBucket = 0;
  return () => {
    let logOfGap: number;
    do logOfGap = drawGamma(aarr * LUBLIN_ARRIVAL_GAP_RATIO, LUBLIN_ARRIVAL_GAP_SCALE);
    while (logOfGap > LUBLIN_MAX_LOG_ARRIVAL_GAP);
    remainingGapPoints += exp(logOfGap) / LUBLIN_DAILY_CYCLE_BUCKET_SECONDS;
    let submitGap = 0;
    while (remainingGapPoints > LUBLIN_DAILY_CYCLE_WEIGHTS[bucket]!) {
      remainingGapPoints -= LUBLIN_DAILY_CYCLE_WEIGHTS[bucket]!;
      bucket = (bucket + 1) % LUBLIN_DAILY_CYCLE_WEIGHTS.length;
      submitGap += LUBLIN_DAILY_CYCLE_BUCKET_SECONDS;
    }
    const usedShare = remainingGapPoints / LUBLIN_DAILY_CYCLE_WEIGHTS[bucket]!;
    submitGap += LUBLIN_DAILY_CYCLE_BUCKET_SECONDS * (usedShare - usedShareOfBucket);
    usedShareOfBucket = usedShare;
    time = Math.floor(time + submitGap);
    return time;
  };
}

type Lublin99Parameter = 'aarr' | 'jobs' | 'seed' | 'processors';

function openLublin99JobStream({
  aarr,
  seed,
  processors: maxProcessors,
}: Readonly<Record<Lublin99Parameter, number>>): ModelJobStream {
  if ((maxProcessors & (maxProcessors - 1)) !== 0) {
    throw new InputError(`processors of lublin99: expected a power of two, found ${maxProcessors}`);
  }
  const drawJobSize = makeLublin99SizeSampler(seed, maxProcessors);
  const drawRuntimeOfSize = makeLublin99RuntimeSampler(seed);
  const drawSubmitTime = makeLublin99SubmitSampler(seed, aarr);
  return {
    maxProcessors,
    draw: ({ submit, runtime, processors }) => {
      for (let i = 0; i < submit.length; i++) {
        submit[i] = drawSubmitTime();
        processors[i] = drawJobSize();
        runtime[i] = drawRuntimeOfSize(processors[i]!);
      }
    },
  };
}

/** Model Lublin99, by notation `lublin99[aarr=9.5,jobs=30000,seed=1,processors=128]`. */
export const LUBLIN99_MODEL: Model<Lublin99Parameter> = {
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
    MODEL_JOBS_PARAMETER,
    MODEL_SEED_PARAMETER,
    {
      name: 'processors',
      default: 128,
      range: { atLeast: 16, atMost: 65536 },
      whole: true,
      description: 'processors of the machine, a power of two; the largest job',
    },
  ],
  make: (parameterValues) => drawModelJobs(openLublin99JobStream(parameterValues), parameterValues.jobs),
  open: openLublin99JobStream,
};

// Models by name, and logs made by them

/** All models, in the order of the papers' tables. */
export const MODELS: readonly Model[] = [FEITELSON96_MODEL, LUBLIN99_MODEL];

/** True if a text names a model, with or without parameters (otherwise it is a file). */
export function isModelNotation(modelText: string): boolean {
  return MODELS.some(
    ({ name: modelName }) => modelText.trim() === modelName || modelText.trim().startsWith(`${modelName}[`),
  );
}

function parseModelNotation(modelText: string): { model: Model; values: Record<string, number> } {
  const { name: notationName, parameters } = parseNotation(modelText);
  const model = MODELS.find((candidate) => candidate.name === notationName);
  if (model === undefined) {
    throw makeUnknownNameError(
      'model',
      notationName,
      MODELS.map((knownModel) => knownModel.name),
    );
  }
  const parameterNames = model.parameters.map((parameter) => parameter.name);
  for (const key of parameters.keys()) {
    if (!parameterNames.includes(key))
      throw makeUnknownNameError(`parameter of ${notationName}`, key, parameterNames);
  }
  const parameterValues: Record<string, number> = {};
  for (const parameter of model.parameters) {
    const parameterText = parameters.get(parameter.name);
    const parse = parameter.whole ? parseWholeNumber : parseNumber;
    parameterValues[parameter.name] =
      parameterText === undefined
        ? parameter.default
        : parse(parameterText, `${parameter.name} of ${notationName}`, parameter.range);
  }
  return { model, values: parameterValues };
}

function makeModelHeader(
  modelSource: string,
  description: string,
  jobCount: number,
  processors: number,
): TraceHeader {
  const headerEntries = [
    ['Version', '2.2'],
    ['Computer', 'none: jobs of a workload model'],
    ['Information', description],
    ['Conversion', `generated as ${modelSource}`],
    ['MaxJobs', `${jobCount}`],
    ['MaxRecords', `${jobCount}`],
    ['UnixStartTime', '0'],
    ['MaxNodes', `${processors}`],
    ['MaxProcs', `${processors}`],
  ];
  return parseHeader(headerEntries.map(([key, valueText]) => `; ${key}: ${valueText}`));
}

/**
 * Generates the log of a model, given as `name` or `name[param=value,...]`. `source` is the notation with all
 * parameters; the header names the model. Estimates, users and queues are unknown; all jobs completed.
 * @throws InputError for unknown models or parameters and values out of range.
 * @example
 * console.log(makeModelTrace('feitelson96[jobs=10]').count); // 10
 */
export function makeModelTrace(text: string): Trace {
  checkArgument(text, 'text', 'makeModelTrace');
  const openedModel = openModelTrace(text);
  if (openedModel.count > MAX_MODEL_JOBS_IN_MEMORY) {
    throw new InputError(
      `jobs of ${text}: at most ${formatNumber(MAX_MODEL_JOBS_IN_MEMORY)} are in memory at once; generate fewer, or simulate them with --stream`,
    );
  }
  return openedModel.next(openedModel.count);
}

/** Generated log as a stream of pieces. */
export interface ModelTracePieces extends Pick<Trace, 'source' | 'header' | 'count'> {
  /** Generates the next records, as a log with the header of the whole log. */
  next(recordCount: number): Trace;
}

/** Opens the log of a model, like `makeModelTrace`, to generate it piece by piece; throws like it. */
export function openModelTrace(modelText: string): ModelTracePieces {
  const { model, values } = parseModelNotation(modelText);
  const { maxProcessors, draw } = model.open(values);
  const jobCount = values.jobs as number;
  const modelNotation = printNotation(model.name, Object.entries(values));
  const header = makeModelHeader(modelNotation, model.description, jobCount, maxProcessors);
  let firstJob = 1;
  const makeNextTracePiece = (recordCount: number) => {
    const columns = makeModelColumns(recordCount);
    draw(columns);
    const { submit, runtime, processors } = columns;
    const knownColumns: Partial<Record<SwfField, Float64Array>> = {
      job: submit.map((_, i) => firstJob + i),
      submit,
      runtime,
      processors,
      requestedProcessors: processors,
      status: new Float64Array(recordCount).fill(1),
    };
    firstJob += recordCount;
    const unknown = new Float64Array(recordCount).fill(-1);
    return {
      source: modelNotation,
      header,
      count: recordCount,
      columns: Object.fromEntries(
        SWF_FIELDS.map((field) => [field, knownColumns[field] ?? unknown]),
      ) as Trace['columns'],
    };
  };
  return { source: modelNotation, header, count: jobCount, next: makeNextTracePiece };
}
