/** The distribution of the jobs of a run, and the jobs class by class, for a person at a terminal. */
import { valueText } from '../format/numbers.js';
import { type Colors, formatTable } from '../format/table.js';
import { distributionTables } from '../report/distributionTables.js';
import type { Summary } from '../simulate/summary.js';

/** The tables of a summary beyond its means, as text; empty where it has none. */
export function distributionText(summary: Summary, isAsLogged: boolean, colors: Colors): string {
  const texts = distributionTables(summary, isAsLogged).map(({ columns, rows }) =>
    formatTable(
      columns.map(({ title }) => ({ heading: title })),
      rows.map((row) =>
        row.map((cell, i) => {
          const { format } = columns[i];
          return typeof cell === 'number' && format !== undefined ? valueText(cell, format) : String(cell);
        }),
      ),
      colors,
    ),
  );
  return texts.join('\n\n');
}
