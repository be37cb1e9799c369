/** Tables as CSV and Markdown files; tableLatex.ts writes LaTeX. */
import { formatCsvLine, type ResultTableValue } from '../format/csv.js';
import {
  addColumnFormats,
  chooseAlignmentOfColumn,
  chooseDisplayNameOfCellPart,
  collectNotesOfTable,
  type DetailedCell,
  formatCellBounds,
  formatColumnTitleWithUnit,
  type Table,
  type TableColumn,
  toDetailedCell,
} from './table.js';
import { describeTableSigns, formatCellPartInLanguage, type TableOutputLanguage } from './tableLanguage.js';
import { formatTableAsLatex } from './tableLatex.js';

/** Table as CSV with unrounded values; bounds and published values have columns of their own. */
export function formatTableAsCsv(table: Table): string {
  const { columns: tableColumns, rows: tableRows } = table;
  const boundParts = (['published', 'low', 'high'] as const).map(
    (cellPart) => [cellPart, chooseDisplayNameOfCellPart(cellPart, [], table)] as const,
  );
  const cellPartsByColumn = tableColumns.map((_, i) =>
    boundParts.filter(([cellPart]) =>
      tableRows.some((cellRow) => toDetailedCell(cellRow[i]!)[cellPart] !== undefined),
    ),
  );
  const headings = tableColumns.flatMap(({ title: columnTitle }, i) => [
    columnTitle,
    ...cellPartsByColumn[i]!.map(([, name]) => `${columnTitle}, ${name}`),
  ]);
  const bodyRows = tableRows.map((cellRow) =>
    cellRow
      .map(toDetailedCell)
      .flatMap((cell, i): ResultTableValue[] => [
        cell.value ?? cell.sign?.mark ?? null,
        ...cellPartsByColumn[i]!.map(([cellPart]) => cell[cellPart] ?? null),
      ]),
  );
  return [headings, ...bodyRows].map(formatCsvLine).join('');
}

/** Name of the folder with the tables of a report, beside its page. */
export const REPORT_TABLES_FOLDER = 'tables';

/** Escapes text for Markdown, including the characters `&` and `<`, which Markdown reads as HTML. */
function escapeMarkdown(plainText: string): string {
  return plainText.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const MARKDOWN_LANGUAGE: TableOutputLanguage = {
  formatPlain: (plainText) => escapeMarkdown(plainText).replaceAll('|', '\\|'),
  formatStrong: (strongText) => `**${strongText}**`,
  formatNoteNumber: (noteNumber) => ` (${noteNumber})`,
};

function formatMarkdownCell(table: Table, tableColumn: TableColumn, cell: DetailedCell): string {
  const valueText = formatCellPartInLanguage(MARKDOWN_LANGUAGE, table, tableColumn, cell, 'value');
  const bounds = formatCellBounds(cell, tableColumn.format);
  const boundsText = bounds === '' ? '' : ` (${bounds})`;
  const publishedText =
    cell.published === undefined
      ? ''
      : `, published ${formatCellPartInLanguage(MARKDOWN_LANGUAGE, table, tableColumn, cell, 'published')}`;
  return valueText + boundsText + publishedText;
}

/** Table as Markdown with a heading; cells include their bounds and published values. */
export function formatTableAsMarkdown(inputTable: Table): string {
  const table = addColumnFormats(inputTable);
  const { title: tableTitle, caption, columns: tableColumns, rows: tableRows } = table;
  const headRow = tableColumns.map((tableColumn) =>
    MARKDOWN_LANGUAGE.formatPlain(formatColumnTitleWithUnit(tableColumn)),
  );
  const alignmentMarks = tableColumns.map((tableColumn) =>
    chooseAlignmentOfColumn(tableColumn) === 'left' ? ':--' : '--:',
  );
  const bodyRows = tableRows.map((cellRow) =>
    cellRow.map((cell, i) => formatMarkdownCell(table, tableColumns[i]!, toDetailedCell(cell))),
  );
  const lines = [headRow, alignmentMarks, ...bodyRows].map((cells) => `| ${cells.join(' | ')} |`);
  const notes = collectNotesOfTable(table).map((note, i) => `(${i + 1}) ${note}`);
  const escapeNonEmptyParagraphs = (texts: readonly string[]) =>
    texts.filter((paragraph) => paragraph !== '').map(escapeMarkdown);
  return [
    `# ${escapeMarkdown(tableTitle)}`,
    ...escapeNonEmptyParagraphs([caption.trim()]),
    lines.join('\n'),
    ...escapeNonEmptyParagraphs([describeTableSigns(table), ...notes]),
  ]
    .join('\n\n')
    .concat('\n');
}

/**
 * File formats of tables: file name ending, name of the format, and the function that writes it.
 */
export const TABLE_FILE_FORMATS = [
  { ending: 'csv', meaning: 'CSV', textOf: formatTableAsCsv },
  { ending: 'md', meaning: 'Markdown', textOf: formatTableAsMarkdown },
  { ending: 'tex', meaning: 'LaTeX', textOf: formatTableAsLatex },
] as const;

/** Files of a table with their contents: `ID.csv`, `ID.md` and `ID.tex`. */
export function makeFilesOfTable(table: Table): { readonly name: string; readonly text: string }[] {
  return TABLE_FILE_FORMATS.map(({ ending, textOf }) => ({
    name: `${table.id}.${ending}`,
    text: textOf(table),
  }));
}

// Values of methods by replication as a CSV file.

/** Name of the file with each method's values in every replication. */
export const VALUES_FILE_NAME = 'values.csv';

/** Values of one metric: a list of replications per method. */
export interface NamedMetricValues {
  readonly name: string;
  readonly values: readonly (readonly number[])[];
}

/** Columns of values.csv that replace the replication number: headings, and cells per line. */
export interface ValuesFileColumns {
  readonly headings: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
}

/**
 * Lines of values.csv: method, replication from 1 (or other columns), metrics; an empty cell means no
 * value.
 */
export function* formatValuesFile(
  methodNames: readonly string[],
  metrics: readonly NamedMetricValues[],
  { headings, lines }: ValuesFileColumns = {
    headings: ['replication'],
    lines: (metrics[0]?.values[0] ?? []).map((_, i) => [i + 1]),
  },
): Generator<string> {
  yield formatCsvLine(['method', ...headings, ...metrics.map(({ name: metricName }) => metricName)]);
  for (const [method, name] of methodNames.entries())
    for (const [i, line] of lines.entries()) {
      const valuesByMetric = metrics.map(({ values: all }) => all[method]![i] ?? Number.NaN);
      yield formatCsvLine([
        name,
        ...line,
        ...valuesByMetric.map((value) => (Number.isNaN(value) ? null : value)),
      ]);
    }
}
