/** The distribution of the jobs of a run, and the jobs class by class, for a person at a terminal. */
import type { Summary } from '../simulate/summary.js';
import { distributionTables } from './distributionTables.js';
import { type Colors, tableText } from './tableText.js';

/** The tables of a summary beyond its means, as text; empty where it has none. */
export function distributionText(
  summary: Summary,
  isAsLogged: boolean,
  colors: Colors,
  width?: number,
): string {
  return distributionTables(summary, isAsLogged)
    .map((table) => tableText({ ...table, title: '' }, colors, width))
    .join('\n\n');
}
