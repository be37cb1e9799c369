/** Parts of table cells in the languages of files: text, emphasis, signs, notes and bounds. */
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

/** How a language writes what a table has in addition to plain text. */
export interface Language {
  readonly plain: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly noteNumber: (number: number) => string;
}

/** The words of one part of a cell in a language: emphasized, with its sign, and the numbers of its notes. */
export function partIn(
  { plain, strong, noteNumber }: Language,
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

/** Sentences below a table: what its signs mean, how many published values are met. */
export function legendOf(table: Table): string {
  const signs = signsOf(table).map(({ mark, meaning }) => `${mark} ${meaning}`);
  const inside = insideText(table);
  return [
    ...(inside === '' ? [] : [`${inside}.`]),
    ...(signs.length === 0 ? [] : [`${signs.join(', ')}.`]),
  ].join(' ');
}
