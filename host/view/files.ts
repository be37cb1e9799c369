/** Tables as files that other programs read: CSV and Markdown; tableLatex.ts writes LaTeX. */
import { csvLine, type Scalar } from '../format/csv.js';
import {
  alignOf,
  boundsText,
  type DetailedCell,
  detailed,
  notesOf,
  partName,
  type Table,
  type TableColumn,
  titleOf,
  withFormats,
} from './table.js';
import { type Language, legendOf, partIn } from './tableLanguage.js';
import { tableLatex } from './tableLatex.js';

/** The values of a table in full digits; the further parts of a column in columns of their own behind it. */
export function tableCsv(table: Table): string {
  const { columns, rows } = table;
  const parts = (['published', 'low', 'high'] as const).map(
    (part) => [part, partName(part, [], table)] as const,
  );
  const present = columns.map((_, i) =>
    parts.filter(([part]) => rows.some((row) => detailed(row[i]!)[part] !== undefined)),
  );
  const head = columns.flatMap(({ title }, i) => [
    title,
    ...present[i]!.map(([, name]) => `${title}, ${name}`),
  ]);
  const body = rows.map((row) =>
    row
      .map(detailed)
      .flatMap((cell, i): Scalar[] => [
        cell.value ?? cell.sign?.mark ?? null,
        ...present[i]!.map(([part]) => cell[part] ?? null),
      ]),
  );
  return [head, ...body].map(csvLine).join('');
}

/** The folder of tables, beside the page. */
export const TABLE_FOLDER = 'tables';

/** Text as Markdown takes it, which would take what looks like HTML for that. */
function markdownText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const MARKDOWN: Language = {
  plain: (text) => markdownText(text).replaceAll('|', '\\|'),
  strong: (text) => `**${text}**`,
  noteNumber: (number) => ` (${number})`,
};

function markdownCell(table: Table, column: TableColumn, cell: DetailedCell): string {
  const own = partIn(MARKDOWN, table, column, cell, 'value');
  const bounds = boundsText(cell, column.format);
  const range = bounds === '' ? '' : ` (${bounds})`;
  const published =
    cell.published === undefined ? '' : `, published ${partIn(MARKDOWN, table, column, cell, 'published')}`;
  return own + range + published;
}

/** A table as Markdown under a heading: each cell with its bounds and what was published. */
export function tableMarkdown(input: Table): string {
  const table = withFormats(input);
  const { title, caption, columns, rows } = table;
  const head = columns.map((column) => MARKDOWN.plain(titleOf(column)));
  const rule = columns.map((column) => (alignOf(column) === 'left' ? ':--' : '--:'));
  const body = rows.map((row) => row.map((cell, i) => markdownCell(table, columns[i]!, detailed(cell))));
  const lines = [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`);
  const notes = notesOf(table).map((note, i) => `(${i + 1}) ${note}`);
  const prose = (texts: readonly string[]) => texts.filter((text) => text !== '').map(markdownText);
  return [
    `# ${markdownText(title)}`,
    ...prose([caption.trim()]),
    lines.join('\n'),
    ...prose([legendOf(table), ...notes]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Formats of tables: file ending, audience, and writer. */
export const TABLE_FORMATS = [
  { ending: 'csv', meaning: 'CSV', textOf: tableCsv },
  { ending: 'md', meaning: 'Markdown', textOf: tableMarkdown },
  { ending: 'tex', meaning: 'LaTeX', textOf: tableLatex },
] as const;

/** The files of a table by name: `ID.csv` and the like. */
export function tableFiles(table: Table): { readonly name: string; readonly text: string }[] {
  return TABLE_FORMATS.map(({ ending, textOf }) => ({ name: `${table.id}.${ending}`, text: textOf(table) }));
}

// Values of methods by replication as CSV

/** File of the values of each method in each replication. */
export const VALUES_FILE = 'values.csv';

/** Values of one metric by method, then by replication. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly (readonly number[])[];
}

/** Columns that replace the number of the replication: their headings, and their cells by line. */
export interface LineColumns {
  readonly headings: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
}

/** The lines of values.csv: method, replication from 1 (or other columns), metrics; an empty cell is no value. */
export function* valueLines(
  names: readonly string[],
  metrics: readonly NamedValues[],
  { headings, lines }: LineColumns = {
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
