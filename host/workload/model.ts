/** What a workload model is. */
import type { NumberRange } from '../notation.js';

/** A parameter of a model, as written in `name[param=value]`. */
export interface ModelParameter {
  readonly name: string;
  readonly default: number;
  /** What it may be. */
  readonly range: NumberRange;
  /** Whether only whole numbers will do. */
  readonly whole: boolean;
  readonly description: string;
}

/** Rigid jobs in submit order: seconds, whole processors. */
export interface ModelJobs {
  readonly maxProcessors: number;
  readonly submit: Float64Array;
  readonly runtime: Float64Array;
  readonly processors: Float64Array;
}

/** A generator of jobs: the same parameter values give the same jobs on every machine. */
export interface Model {
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  readonly parameters: readonly ModelParameter[];
  /** `values` holds every parameter. Throws InputError for values that are in range but do not fit together. */
  readonly make: (values: Readonly<Record<string, number>>) => ModelJobs;
}

/** `jobs`: how many. */
export const JOBS: ModelParameter = {
  name: 'jobs',
  default: 30000,
  range: { atLeast: 1, atMost: 10_000_000 },
  whole: true,
  description: 'number of jobs',
};

/** `seed` of the random streams. */
export const SEED: ModelParameter = {
  name: 'seed',
  default: 1,
  range: { atLeast: 0 },
  whole: true,
  description: 'seed of the random streams',
};
