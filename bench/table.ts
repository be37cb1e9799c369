/** Tables of benchmarks for the terminal. */
import { formatTerminalTable, makeTerminalColors } from '../host/view/terminal.js';

/** Formats rows under a heading, the first column as text and the others as numbers. */
export function formatBenchTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return formatTerminalTable(
    headings.map((heading, i) => ({ heading, align: i === 0 ? 'left' : 'right' })),
    rows.map((row) => row.map(String)),
    makeTerminalColors(false),
  );
}
