/** Users and groups that orders name by number. */
import { InputError } from '../errors.js';
import type { Configuration } from '../options/configuration.js';
import { isFunctionOrder, type Order, parseOrderExpression, printOrder } from '../options/order.js';
import type { Workload } from '../workload/workload.js';

const CHECKED_OWNER_COLUMNS = ['user', 'group'] as const;

/**
 * Checks that each user and group with which an order compares is one of some job. Unknown names are refused
 * when keys are computed.
 * @throws InputError for a number that no job has.
 */
export function checkUsersOfOrders(
  { name: workloadName, log }: Pick<Workload, 'name' | 'log'>,
  { order, backfillOrder }: Pick<Configuration, 'order' | 'backfillOrder'>,
): void {
  for (const usedOrder of [order, backfillOrder])
    for (const column of CHECKED_OWNER_COLUMNS) {
      const ownerNumberWithoutJobs = listComparedNumbers(usedOrder, column).find(
        (number) => log?.[column].includes(number) === false,
      );
      if (ownerNumberWithoutJobs !== undefined)
        throw new InputError(
          `order ${printOrder(usedOrder)}: no job of ${workloadName} is of ${column} ${ownerNumberWithoutJobs}`,
        );
    }
}

function listComparedNumbers(order: Order, column: (typeof CHECKED_OWNER_COLUMNS)[number]): number[] {
  if (order === 'none' || isFunctionOrder(order)) return [];
  const { comparedNumbers } = parseOrderExpression(order as string);
  return comparedNumbers.flatMap((comparedNumber) =>
    comparedNumber.column === column ? [comparedNumber.number] : [],
  );
}
