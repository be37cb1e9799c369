/** Quantities of a job that follow from its times: wait, response and bounded slowdown. */
import { coreConstants } from '../core/module.js';
import {
  quantityOfJob as quantityByNumber,
  RESPONSE_QUANTITY,
  SLOWDOWN_QUANTITY,
  WAIT_QUANTITY,
} from '../loops/loops.js';

/** Quantities of a job that have distributions. */
export const QUANTITIES = ['wait', 'response', 'boundedSlowdown'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** Number of each quantity in the compiled loops. */
export const CORE_QUANTITY_NUMBERS: Readonly<Record<Quantity, number>> = {
  wait: WAIT_QUANTITY,
  response: RESPONSE_QUANTITY,
  boundedSlowdown: SLOWDOWN_QUANTITY,
};

/** Computes a quantity of one job from its times in seconds. */
export function quantityOfJob(quantity: Quantity, submit: number, start: number, execution: number): number {
  return quantityByNumber(CORE_QUANTITY_NUMBERS[quantity], submit, start, execution, executionBound());
}

let cachedExecutionBound: number | undefined;

/** Seconds as which shorter executions count in bounded slowdowns. */
export function executionBound(): number {
  cachedExecutionBound ??= coreConstants().Limit.BoundedExecution;
  return cachedExecutionBound;
}
