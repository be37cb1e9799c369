/** Rendering of table cells shared by Markdown and LaTeX: text, emphasis, signs, notes and bounds. */
import {
  type CellPart,
  type DetailedCell,
  insideText,
  notesOf,
  partText,
  signOf,
  signsOf,
  type Table,
  type TableColumn,
} from './table.js';

/** Functions with which an output language writes text, emphasis and note numbers. */
export interface TableLanguage {
  readonly plain: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly noteNumber: (number: number) => string;
}

/** One part of a cell in an output language, with emphasis, sign and note numbers. */
export function partIn(
  { plain, strong, noteNumber }: TableLanguage,
  table: Table,
  column: TableColumn,
  cell: DetailedCell,
  part: CellPart,
): string {
  const sign = signOf(table, cell, part);
  const isSignAlone = cell[part] === null && sign !== undefined;
  const text = isSignAlone ? '' : plain(partText(cell[part], column.format));
  const shown = part === 'value' && cell.isEmphasized ? strong(text) : text;
  const mark = sign === undefined ? '' : `${isSignAlone ? '' : ' '}${plain(sign.mark)}`;
  const hasNote = part === 'value' && cell.note !== undefined;
  return shown + mark + (hasNote ? noteNumber(notesOf(table).indexOf(cell.note as string) + 1) : '');
}

/** Sentences below a table: meaning of its signs, and number of reproduced values. */
export function legendOf(table: Table): string {
  const signs = signsOf(table).map(({ mark, meaning }) => `${mark} ${meaning}`);
  const inside = insideText(table);
  return [
    ...(inside === '' ? [] : [`${inside}.`]),
    ...(signs.length === 0 ? [] : [`${signs.join(', ')}.`]),
  ].join(' ');
}
