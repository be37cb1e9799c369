import { Discipline, Order } from './abi';

/** What disciplines do, and orders, so that nothing goes by where they stand in their lists. */

/** Whether jobs start at predicted times, by their estimates. */
@inline
export function plansAhead(discipline: Discipline): bool {
  return discipline === Discipline.Easy || discipline === Discipline.Conservative;
}

/** Whether the first job that cannot start keeps those behind it waiting, which are else tried too. */
@inline
export function blocks(discipline: Discipline): bool {
  return discipline === Discipline.FirstComeFirstServed;
}

/** Whether the keys of an order change with time. */
@inline
export function ages(order: Order): bool {
  return order === Order.Wfp3;
}
