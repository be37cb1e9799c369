/** What a workload model is. */
import type { NumberRange } from '../notation.js';

/** A parameter of a model, as written in `name[param=value]`. */
export interface ModelParameter<Name extends string = string> {
  readonly name: Name;
  /** What holds when it is not given. */
  readonly default: number;
  /** What it may be. */
  readonly range: NumberRange;
  /** Whether only whole numbers will do. */
  readonly whole: boolean;
  readonly description: string;
}

/** Rigid jobs in submit order: seconds, whole processors. */
export interface ModelJobs {
  /** Processors of the machine that the model is of. */
  readonly maxProcessors: number;
  /** Seconds, not descending. */
  readonly submit: Float64Array;
  /** Seconds. */
  readonly runtime: Float64Array;
  /** Processors of each job. */
  readonly processors: Float64Array;
}

/** A generator of jobs: the same parameter values give the same jobs on every machine. */
export interface Model<Name extends string = string> {
  /** As in `name[parameter=value]`. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** In the order in which they are printed. */
  readonly parameters: readonly ModelParameter<Name>[];
  /** `values` holds every parameter. Throws InputError for values that are in range but do not fit together. */
  make(values: Readonly<Record<Name, number>>): ModelJobs;
}

/** `jobs`: how many. */
export const JOBS: ModelParameter<'jobs'> = {
  name: 'jobs',
  default: 30000,
  range: { atLeast: 1, atMost: 10_000_000 },
  whole: true,
  description: 'number of jobs',
};

/** `seed` of the random streams. */
export const SEED: ModelParameter<'seed'> = {
  name: 'seed',
  default: 1,
  range: { atLeast: 0 },
  whole: true,
  description: 'seed of the random streams',
};
