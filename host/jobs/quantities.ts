/** Quantities of a job that follow from its times: wait, response and bounded slowdown. */
import { coreConstants } from '../core/module.js';
import {
  QUANTITY_BOUNDED_SLOWDOWN,
  QUANTITY_RESPONSE,
  QUANTITY_WAIT,
  quantityOfJob as quantityByNumber,
} from '../loops/loops.js';

/** Quantities of a job that have distributions. */
export const QUANTITIES = ['wait', 'response', 'boundedSlowdown'] as const;
/** Quantity of a job that has a distribution: a word of `QUANTITIES`. */
export type Quantity = (typeof QUANTITIES)[number];

/** Number of each quantity in the compiled loops. */
export const COMPILED_QUANTITY_NUMBERS: Readonly<Record<Quantity, number>> = {
  wait: QUANTITY_WAIT,
  response: QUANTITY_RESPONSE,
  boundedSlowdown: QUANTITY_BOUNDED_SLOWDOWN,
};

/** Computes a quantity of one job from its times in seconds. */
export function quantityOfJob(quantity: Quantity, submit: number, start: number, execution: number): number {
  return quantityByNumber(
    COMPILED_QUANTITY_NUMBERS[quantity],
    submit,
    start,
    execution,
    slowdownExecutionBound(),
  );
}

let cachedSlowdownExecutionBound: number | undefined;

/** Lower bound of the execution time in bounded slowdowns, in seconds. */
export function slowdownExecutionBound(): number {
  cachedSlowdownExecutionBound ??= coreConstants().Limit.BoundedExecution;
  return cachedSlowdownExecutionBound;
}
