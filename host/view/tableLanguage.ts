/** Rendering of table cells shared by Markdown and LaTeX: text, emphasis, signs, notes and bounds. */
import {
  chooseSignOfCellPart,
  collectNotesOfTable,
  collectSignsOfTable,
  type DetailedCell,
  describeReproducedValues,
  formatCellPart,
  type Table,
  type TableCellPart,
  type TableColumn,
} from './table.js';

/** How an output language (Markdown or LaTeX) writes plain text, emphasized text and note numbers. */
export interface TableOutputLanguage {
  readonly formatPlain: (text: string) => string;
  readonly formatStrong: (text: string) => string;
  readonly formatNoteNumber: (number: number) => string;
}

/** One part of a cell in an output language, with emphasis, sign and note numbers. */
export function formatCellPartInLanguage(
  { formatPlain, formatStrong, formatNoteNumber }: TableOutputLanguage,
  table: Table,
  tableColumn: TableColumn,
  cell: DetailedCell,
  cellPart: TableCellPart,
): string {
  const cellSign = chooseSignOfCellPart(table, cell, cellPart);
  const isSignWithoutValue = cell[cellPart] === null && cellSign !== undefined;
  const cellText = isSignWithoutValue ? '' : formatPlain(formatCellPart(cell[cellPart], tableColumn.format));
  const styledText = cellPart === 'value' && cell.isEmphasized ? formatStrong(cellText) : cellText;
  const mark = cellSign === undefined ? '' : `${isSignWithoutValue ? '' : ' '}${formatPlain(cellSign.mark)}`;
  const hasCellNote = cellPart === 'value' && cell.note !== undefined;
  return (
    styledText +
    mark +
    (hasCellNote ? formatNoteNumber(collectNotesOfTable(table).indexOf(cell.note as string) + 1) : '')
  );
}

/** Sentences below a table: meaning of its signs, and number of reproduced values. */
export function describeTableSigns(table: Table): string {
  const signExplanations = collectSignsOfTable(table).map(({ mark, meaning }) => `${mark} ${meaning}`);
  const reproducedSentence = describeReproducedValues(table);
  return [
    ...(reproducedSentence === '' ? [] : [`${reproducedSentence}.`]),
    ...(signExplanations.length === 0 ? [] : [`${signExplanations.join(', ')}.`]),
  ].join(' ');
}
