/** Quantities of a job that follow from its times: wait, response and bounded slowdown. */
import { coreConstants } from '../core/module.js';
import { BOUNDED_SLOWDOWN, quantityOf as quantityByNumber, RESPONSE, WAIT } from '../loops/loops.js';

/** Quantities of a job that have distributions. */
export const QUANTITIES = ['wait', 'response', 'boundedSlowdown'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** Number of each quantity in the compiled loops. */
export const QUANTITY_NUMBERS: Readonly<Record<Quantity, number>> = {
  wait: WAIT,
  response: RESPONSE,
  boundedSlowdown: BOUNDED_SLOWDOWN,
};

/** Computes a quantity of one job from its times in seconds. */
export function quantityOf(quantity: Quantity, submit: number, start: number, execution: number): number {
  return quantityByNumber(QUANTITY_NUMBERS[quantity], submit, start, execution, boundedExecution());
}

let knownBound: number | undefined;

/** Seconds as which shorter executions count in bounded slowdowns. */
export function boundedExecution(): number {
  knownBound ??= coreConstants().Limit.BoundedExecution;
  return knownBound;
}
