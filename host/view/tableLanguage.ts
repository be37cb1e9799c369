/** Rendering of table cells shared by Markdown and LaTeX: text, emphasis, signs, notes and bounds. */
import {
  cellPartText,
  type DetailedCell,
  insideBoundsText,
  notesOfTable,
  signOfPart,
  signsOfTable,
  type Table,
  type TableCellPart,
  type TableColumn,
} from './table.js';

/** Functions with which an output language writes text, emphasis and note numbers. */
export interface TableLanguage {
  readonly plain: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly noteNumber: (number: number) => string;
}

/** One part of a cell in an output language, with emphasis, sign and note numbers. */
export function cellPartIn(
  { plain, strong, noteNumber }: TableLanguage,
  table: Table,
  column: TableColumn,
  cell: DetailedCell,
  part: TableCellPart,
): string {
  const sign = signOfPart(table, cell, part);
  const isSignWithoutValue = cell[part] === null && sign !== undefined;
  const text = isSignWithoutValue ? '' : plain(cellPartText(cell[part], column.format));
  const shown = part === 'value' && cell.isEmphasized ? strong(text) : text;
  const mark = sign === undefined ? '' : `${isSignWithoutValue ? '' : ' '}${plain(sign.mark)}`;
  const hasCellNote = part === 'value' && cell.note !== undefined;
  return shown + mark + (hasCellNote ? noteNumber(notesOfTable(table).indexOf(cell.note as string) + 1) : '');
}

/** Sentences below a table: meaning of its signs, and number of reproduced values. */
export function signLegendOf(table: Table): string {
  const signs = signsOfTable(table).map(({ mark, meaning }) => `${mark} ${meaning}`);
  const inside = insideBoundsText(table);
  return [
    ...(inside === '' ? [] : [`${inside}.`]),
    ...(signs.length === 0 ? [] : [`${signs.join(', ')}.`]),
  ].join(' ');
}
