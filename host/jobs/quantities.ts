/** Quantities of a job that follow from its times: wait, response and bounded slowdown. */
import { loadCoreConstants } from '../core/module.js';
import {
  QUANTITY_BOUNDED_SLOWDOWN,
  QUANTITY_RESPONSE,
  QUANTITY_WAIT,
  quantityOfJob as quantityByNumber,
} from '../loops/loops.js';

/** Quantities of a job that have distributions. */
export const JOB_QUANTITIES = ['wait', 'response', 'boundedSlowdown'] as const;
/** Quantity of a job that has a distribution: a word of `JOB_QUANTITIES`. */
export type JobQuantity = (typeof JOB_QUANTITIES)[number];

/** Number of each quantity in the compiled loops. */
export const NUMBER_OF_QUANTITY_IN_LOOPS: Readonly<Record<JobQuantity, number>> = {
  wait: QUANTITY_WAIT,
  response: QUANTITY_RESPONSE,
  boundedSlowdown: QUANTITY_BOUNDED_SLOWDOWN,
};

/** Computes a quantity of one job from its times in seconds. */
export function computeQuantityOfJob(
  quantity: JobQuantity,
  submit: number,
  start: number,
  execution: number,
): number {
  return quantityByNumber(
    NUMBER_OF_QUANTITY_IN_LOOPS[quantity],
    submit,
    start,
    execution,
    getSlowdownExecutionBound(),
  );
}

let cachedSlowdownExecutionBound: number | undefined;

/** Lower bound of the execution time in bounded slowdowns, in seconds. */
export function getSlowdownExecutionBound(): number {
  cachedSlowdownExecutionBound ??= loadCoreConstants().Limit.BoundedExecution;
  return cachedSlowdownExecutionBound;
}
