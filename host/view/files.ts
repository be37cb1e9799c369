/** Tables as CSV and Markdown files; tableLatex.ts writes LaTeX. */
import { csvLine, type Scalar } from '../format/csv.js';
import {
  alignmentOf,
  boundsTextOf,
  cellPartName,
  type DetailedCell,
  detailedCell,
  notesOfTable,
  type Table,
  type TableColumn,
  titleOfRule,
  withFormats,
} from './table.js';
import { cellPartIn, signLegendOf, type TableLanguage } from './tableLanguage.js';
import { tableLatex } from './tableLatex.js';

/** Table as CSV with unrounded values; bounds and published values have columns of their own. */
export function tableAsCsv(table: Table): string {
  const { columns, rows } = table;
  const parts = (['published', 'low', 'high'] as const).map(
    (part) => [part, cellPartName(part, [], table)] as const,
  );
  const present = columns.map((_, i) =>
    parts.filter(([part]) => rows.some((row) => detailedCell(row[i]!)[part] !== undefined)),
  );
  const head = columns.flatMap(({ title }, i) => [
    title,
    ...present[i]!.map(([, name]) => `${title}, ${name}`),
  ]);
  const body = rows.map((row) =>
    row
      .map(detailedCell)
      .flatMap((cell, i): Scalar[] => [
        cell.value ?? cell.sign?.mark ?? null,
        ...present[i]!.map(([part]) => cell[part] ?? null),
      ]),
  );
  return [head, ...body].map(csvLine).join('');
}

/** Name of the folder with the tables of a report, beside its page. */
export const TABLE_FOLDER = 'tables';

/** Escapes text for Markdown, including what it would read as HTML. */
function escapeMarkdown(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const MARKDOWN_LANGUAGE: TableLanguage = {
  plain: (text) => escapeMarkdown(text).replaceAll('|', '\\|'),
  strong: (text) => `**${text}**`,
  noteNumber: (number) => ` (${number})`,
};

function markdownTableCell(table: Table, column: TableColumn, cell: DetailedCell): string {
  const own = cellPartIn(MARKDOWN_LANGUAGE, table, column, cell, 'value');
  const bounds = boundsTextOf(cell, column.format);
  const range = bounds === '' ? '' : ` (${bounds})`;
  const published =
    cell.published === undefined
      ? ''
      : `, published ${cellPartIn(MARKDOWN_LANGUAGE, table, column, cell, 'published')}`;
  return own + range + published;
}

/** Table as Markdown with a heading; cells include their bounds and published values. */
export function tableAsMarkdown(input: Table): string {
  const table = withFormats(input);
  const { title, caption, columns, rows } = table;
  const head = columns.map((column) => MARKDOWN_LANGUAGE.plain(titleOfRule(column)));
  const rule = columns.map((column) => (alignmentOf(column) === 'left' ? ':--' : '--:'));
  const body = rows.map((row) =>
    row.map((cell, i) => markdownTableCell(table, columns[i]!, detailedCell(cell))),
  );
  const lines = [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`);
  const notes = notesOfTable(table).map((note, i) => `(${i + 1}) ${note}`);
  const paragraphsOf = (texts: readonly string[]) => texts.filter((text) => text !== '').map(escapeMarkdown);
  return [
    `# ${escapeMarkdown(title)}`,
    ...paragraphsOf([caption.trim()]),
    lines.join('\n'),
    ...paragraphsOf([signLegendOf(table), ...notes]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Formats of tables: file ending, audience, and writer. */
export const TABLE_FORMATS = [
  { ending: 'csv', meaning: 'CSV', textOf: tableAsCsv },
  { ending: 'md', meaning: 'Markdown', textOf: tableAsMarkdown },
  { ending: 'tex', meaning: 'LaTeX', textOf: tableLatex },
] as const;

/** Files of a table with their contents: `ID.csv`, `ID.md` and `ID.tex`. */
export function filesOfTable(table: Table): { readonly name: string; readonly text: string }[] {
  return TABLE_FORMATS.map(({ ending, textOf }) => ({ name: `${table.id}.${ending}`, text: textOf(table) }));
}

// Values of methods by replication as a CSV file.

/** Name of the file with each method's values in every replication. */
export const VALUES_FILE_NAME = 'values.csv';

/** Values of one metric: per method, a list by replication. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly (readonly number[])[];
}

/** Columns that replace the replication number: headings, and cells per line. */
export interface ValueLineColumns {
  readonly headings: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
}

/**
 * Lines of values.csv: method, replication from 1 (or other columns), metrics; an empty cell means no
 * value.
 */
export function* valueLines(
  names: readonly string[],
  metrics: readonly NamedValues[],
  { headings, lines }: ValueLineColumns = {
    headings: ['replication'],
    lines: (metrics[0]?.values[0] ?? []).map((_, i) => [i + 1]),
  },
): Generator<string> {
  yield csvLine(['method', ...headings, ...metrics.map(({ name }) => name)]);
  for (const [method, name] of names.entries())
    for (const [i, line] of lines.entries()) {
      const values = metrics.map(({ values: all }) => all[method]![i] ?? Number.NaN);
      yield csvLine([name, ...line, ...values.map((value) => (Number.isNaN(value) ? null : value))]);
    }
}
