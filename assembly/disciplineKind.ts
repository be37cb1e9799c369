import { Discipline } from './abi';

/** What disciplines do, so that nothing goes by their order. */

/** How many there are. */
export const DISCIPLINES: i32 = Discipline.Conservative + 1;

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
