/** Tables of a report as HTML: published numbers beside those reproduced. */

import { escapeMarkup } from '../draw/svg.js';
import {
  type DetailedCell,
  detailed,
  type ReportTable,
  type TableCell,
  type TableColumn,
} from '../draw/types.js';
import { columnFormat, type NumberFormat, valueText } from '../format/numbers.js';

/** One of the numbers of a detailed cell. */
type Detail = 'published' | 'value' | 'low' | 'high';

/** What a part is called in a table that has these. */
function partName(part: Detail, parts: readonly Detail[], { bounds }: ReportTable): string {
  if (part === 'value') return parts.includes('low') ? 'mean' : 'reproduced';
  if (part === 'published' || bounds === 'interval') return part;
  return part === 'low' ? 'min' : 'max';
}

/** A table with so many columns still fits a page; wider ones have the parts of a cell below each other. */
const MOST_COLUMNS = 9;

/** A table with so many lines is not broken over two pages. */
const MOST_KEPT_LINES = 30;

function isCompared({ rows }: ReportTable, column: number): boolean {
  return rows.some((row) => {
    const { published, low, high } = detailed(row[column]);
    return published !== undefined || low !== undefined || high !== undefined;
  });
}

/** The parts that some cell of a table has. */
function partsOf({ rows }: ReportTable): Detail[] {
  const cells = rows.flat().map(detailed);
  return (['published', 'value', 'low', 'high'] as const).filter(
    (part) => part === 'value' || cells.some((cell) => cell[part] !== undefined),
  );
}

function partText(content: number | string | null | undefined, format: NumberFormat | undefined): string {
  if (content == null || (typeof content === 'number' && !Number.isFinite(content))) return '\u2013';
  return typeof content === 'number' ? valueText(content, format) : content;
}

/** The mark behind a published number, with the word that it stands for. */
function mark(isGood: boolean, words: MarkWords): string {
  const [sign, name, word] = isGood ? ['✓', 'in', words.good] : ['✗', 'out', words.bad];
  return `<span class="${name}"><span aria-hidden="true">${sign}</span><span class="spoken"> ${word}</span></span>`;
}

interface MarkWords {
  readonly good: string;
  readonly bad: string;
}

/** What marks say: of ranges over draws, or of single numbers. */
function markWords(table: ReportTable): MarkWords {
  return partsOf(table).includes('low')
    ? { good: 'inside', bad: 'outside' }
    : { good: 'reproduced', bad: 'not reproduced' };
}

function alignedColumn(column: TableColumn, { rows }: ReportTable, index: number): TableColumn {
  const values = rows.flatMap((row) => {
    const { value, published, low, high } = detailed(row[index]);
    return [value, published, low, high].filter((part) => typeof part === 'number');
  });
  const format = columnFormat(values, column.format);
  return format === undefined ? column : { ...column, format };
}

/** Draws the cells of one table and gathers their remarks. */
class CellWriter {
  readonly table: ReportTable;
  readonly notes: string[] = [];
  readonly hasMarks: boolean;
  readonly #words: MarkWords;

  constructor(table: ReportTable) {
    this.table = table;
    this.#words = markWords(table);
    this.hasMarks = table.rows.flat().some((cell) => detailed(cell).isInside !== undefined);
  }

  /** One part of a cell as `td`, or as `th` in a heading column. */
  write(cell: TableCell, index: number, part: Detail, attributes = ''): string {
    const column = this.table.columns[index];
    const content = detailed(cell);
    const text = escapeMarkup(partText(content[part], column.format));
    const shown = part === 'value' ? this.#emphasize(text, content) : text;
    const sign = this.hasMarks && isCompared(this.table, index) ? this.#markOf(content, part) : '';
    const isNumber = typeof content[part] === 'number';
    const classes = part === 'value' ? alignOf(column) : `${alignOf(column)} ${part}`;
    const key = isNumber ? ` data-value="${content[part]}"` : '';
    const name = column.isHeading ? 'th scope="row"' : 'td';
    return `<${name} class="${classes}"${key}${attributes}>${shown}${sign}</${name.slice(0, 2)}>`;
  }

  /** The mark behind a published number; below it as much room, so that numbers align. */
  #markOf({ isInside }: DetailedCell, part: Detail): string {
    const isMarked = part === 'published' && isInside !== undefined;
    return isMarked ? mark(isInside, this.#words) : '<span class="in"></span>';
  }

  #emphasize(text: string, { isEmphasized, note }: DetailedCell): string {
    const strong = isEmphasized ? `<strong>${text}</strong>` : text;
    if (note === undefined) return strong;
    const known = this.notes.indexOf(note);
    const number = known < 0 ? this.notes.push(note) : known + 1;
    return `${strong}<sup><a href="#note-${number}-${this.table.id}">${number}</a></sup>`;
  }
}

function alignOf({ align, format }: TableColumn): 'left' | 'right' {
  return align ?? (format === undefined ? 'left' : 'right');
}

function headText({ title, unit }: TableColumn): string {
  const name = escapeMarkup(title);
  return unit === undefined ? name : `${name} <span class="unit">[${escapeMarkup(unit)}]</span>`;
}

function plainTable(table: ReportTable, writer: CellWriter): string {
  const head = table.columns.map(
    (column) => `<th scope="col" class="${alignOf(column)}">${headText(column)}</th>`,
  );
  const rows = table.rows.map(
    (row) => `<tr>${row.map((cell, i) => writer.write(cell, i, 'value')).join('')}</tr>`,
  );
  return `<thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody>`;
}

/** Every compared column in several: published, mean, min, max. */
function wideTable(table: ReportTable, writer: CellWriter, parts: readonly Detail[]): string {
  const compared = table.columns.map((_, i) => isCompared(table, i));
  const top = table.columns.map((column, i) =>
    compared[i]
      ? `<th scope="colgroup" class="group" colspan="${parts.length}">${headText(column)}</th>`
      : `<th scope="col" rowspan="2" class="${alignOf(column)}">${headText(column)}</th>`,
  );
  const below = parts
    .map((part) => `<th scope="col" class="right">${partName(part, parts, table)}</th>`)
    .join('');
  const rows = table.rows.map((row) => {
    const cells = row.map((cell, i) =>
      (compared[i] ? parts : (['value'] as const)).map((part) => writer.write(cell, i, part)).join(''),
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const second = compared.map((is) => (is ? below : '')).join('');
  return `<thead><tr>${top.join('')}</tr><tr>${second}</tr></thead><tbody>${rows.join('\n')}</tbody>`;
}

/** Every row in several lines: mean, min, max, and published where something is. */
function tallTable(table: ReportTable, writer: CellWriter, parts: readonly Detail[]): string {
  const compared = table.columns.map((_, i) => isCompared(table, i));
  const firstCompared = compared.indexOf(true);
  const head = table.columns.flatMap((column, i) => [
    ...(i === firstCompared ? ['<td></td>'] : []),
    `<th scope="col" class="${alignOf(column)}">${headText(column)}</th>`,
  ]);
  const groups = table.rows.map((row) => {
    const own = parts.filter(
      (part) => part !== 'published' || row.some((cell) => detailed(cell).published !== undefined),
    );
    const lines = own.map((part, line) => {
      const cells = row.flatMap((cell, i) => {
        const label =
          i === firstCompared
            ? [`<th scope="row" class="left part">${partName(part, parts, table)}</th>`]
            : [];
        if (compared[i]) return [...label, writer.write(cell, i, part)];
        return line === 0 ? [writer.write(cell, i, 'value', ` rowspan="${own.length}"`)] : [];
      });
      return `<tr class="${part}">${cells.join('')}</tr>`;
    });
    return `<tbody>${lines.join('\n')}</tbody>`;
  });
  return `<thead><tr>${head.join('')}</tr></thead>${groups.join('\n')}`;
}

/** How many published values lie inside our ranges, or are reproduced, and what the marks mean. */
function insideSentence(table: ReportTable): string {
  const marks = table.rows.flat().flatMap((cell) => detailed(cell).isInside ?? []);
  if (marks.length === 0) return '';
  const words = markWords(table);
  const inside = table.bounds === 'interval' ? 'the 95 % interval' : 'the range of the replications';
  const said = words.good === 'inside' ? `lie inside ${inside}` : 'are reproduced';
  const count = marks.filter((isInside) => isInside).length;
  const entry = (className: string, sign: string, word: string) =>
    `<span class="entry"><span class="${className}">${sign}</span> ${word}</span>`;
  const legend = `${entry('in', '✓', words.good)}, ${entry('out', '✗', words.bad)}`;
  return `${count} of ${marks.length} published values ${said}: ${legend}.`;
}

/** Where a table stands in its page: a figure may have the same id. */
export function tableAnchor(id: string): string {
  return `table-${id}`;
}

/** A table with its caption, in a frame that scrolls where it is too wide, and its remarks. */
export function tableHtml(given: ReportTable): string {
  const table = { ...given, columns: given.columns.map((column, i) => alignedColumn(column, given, i)) };
  const writer = new CellWriter(table);
  const parts = partsOf(table);
  const compared = table.columns.filter((_, i) => isCompared(table, i)).length;
  const width = table.columns.length + compared * (parts.length - 1);
  const isTall = compared > 0 && width > MOST_COLUMNS;
  const body =
    compared === 0 ? plainTable(table, writer) : (isTall ? tallTable : wideTable)(table, writer, parts);
  const notes = writer.notes.map(
    (note, i) => `<li id="note-${i + 1}-${table.id}">${escapeMarkup(note)}</li>`,
  );
  const sentences = [escapeMarkup(table.caption), insideSentence(table)]
    .filter((text) => text !== '')
    .join(' ');
  const kind = isTall ? 'tall' : compared > 0 ? 'wide' : 'plain';
  const lines = table.rows.length * (isTall ? parts.length : 1);
  const marked = writer.hasMarks ? ' marked' : '';
  return [
    `<figure class="table${lines > MOST_KEPT_LINES ? ' long' : ''}" id="${tableAnchor(table.id)}">`,
    `<figcaption><b id="heading-${table.id}">${escapeMarkup(table.title)}</b>${sentences === '' ? '' : `<br>${sentences}`}</figcaption>`,
    `<div class="frame" role="region" aria-labelledby="heading-${table.id}" tabindex="0">`,
    `<table class="${kind}${marked}" aria-labelledby="heading-${table.id}">${body}</table></div>`,
    notes.length === 0 ? '' : `<ol class="notes">${notes.join('')}</ol>`,
    '</figure>',
  ].join('\n');
}
