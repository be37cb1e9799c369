/** A report for a terminal: its tables and its checks. */
import { type Report, type ReportCheck, VERDICT_SIGNS } from './report.js';
import { type Colors, tableText } from './tableText.js';

/** Characters of a line of text. */
const TEXT_WIDTH = 80;

function checkText({ sentence, verdict, evidence }: ReportCheck): string {
  return `${VERDICT_SIGNS[verdict]} ${verdict.padEnd('contradicted'.length)}  ${sentence}${evidence === '' ? '' : `: ${evidence}`}`;
}

/** Facts on one line, or where that is too long each on its own. */
function highlightText(highlights: Report['highlights']): string {
  const facts = highlights.map(({ label, value }) => `${label}: ${value}`);
  const line = facts.join('; ');
  return line.length <= TEXT_WIDTH ? line : facts.join('\n');
}

/**
 * Tables, checks and highlights of a report; without a line end.
 * @param width of the terminal, into which tables are fitted as far as they can be, if given.
 */
export function reportText({ tables, checks, highlights }: Report, colors: Colors, width?: number): string {
  const parts = [
    ...tables.map((table) => tableText(table, colors, width)),
    checks.map(checkText).join('\n'),
    highlightText(highlights),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
