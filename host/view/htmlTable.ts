/** Renders tables as HTML: published values beside reproduced ones, marks with explanations, notes. */
import { escapeMarkup } from '../draw/svg.js';
import { capitalizeFirst } from '../format/numbers.js';
import {
  addColumnFormats,
  alignmentOfColumn,
  type CellSign,
  cellPartsOfTable,
  commonColumnDescription,
  type DetailedCell,
  describeReproducedValues,
  displayNameOfCellPart,
  distinctNotesOfTable,
  formatCellPart,
  hasDetailedCells,
  signOfCellPart,
  signsOfTable,
  type Table,
  type TableCell,
  type TableCellPart,
  type TableColumn,
  toDetailedCell,
} from './table.js';
import { MAX_COLUMNS_OF_NARROW_TABLE } from './tokens.js';

/**
 * Largest number of HTML columns for which the parts of a cell (value, bounds) are side by side; wider tables
 * stack them.
 */
const MAX_TABLE_COLUMNS = 9;

/** Largest number of lines of a table that printing keeps on one page. */
const MAX_UNBROKEN_TABLE_LINES = 30;

const GRIDALLOC_COMMAND_PATTERN = /^gridalloc /;

/** HTML of a sign behind a value; its meaning is read by screen readers only. */
function signMarkHtml({ mark, meaning, tone }: CellSign): string {
  const spokenMeaning = `<span class="spoken"> ${escapeMarkup(meaning)}</span>`;
  return `<span class="${cssClassOfTone(tone)}"><span aria-hidden="true">${escapeMarkup(mark)}</span>${spokenMeaning}</span>`;
}

const cssClassOfTone = (tone: CellSign['tone']) => (tone === 'good' ? 'in' : tone === 'bad' ? 'out' : 'sign');

/** Writes the cells of one table as HTML. */
class HtmlCellWriter {
  readonly table: Table;
  readonly notes: readonly string[];
  readonly hasSigns: boolean;
  /** True if cells carry their column name, for narrow screens that show each row as a card. */
  readonly #hasCardLabels: boolean;
  /** Cell parts named in a card; empty if the parts have rows of their own. */
  readonly #labelledParts: readonly TableCellPart[];
  /** True if there are several heading columns; a single one is the title of a card. */
  readonly #hasHeadings: boolean;

  constructor(table: Table, labelledParts: readonly TableCellPart[], width: number) {
    this.table = table;
    this.#labelledParts = labelledParts;
    this.#hasHeadings = table.columns.filter(({ isHeading }) => isHeading).length > 1;
    this.#hasCardLabels = width > MAX_COLUMNS_OF_NARROW_TABLE;
    this.notes = distinctNotesOfTable(table);
    this.hasSigns = signsOfTable(table).length > 0;
  }

  /** HTML of one part of a cell: `td`, or `th` in a heading column. */
  write(cell: TableCell, index: number, part: TableCellPart, attributes = ''): string {
    const column = this.table.columns[index]!;
    const cellContent = toDetailedCell(cell);
    const plain = escapeMarkup(formatCellPart(cellContent[part], column.format));
    const markup = GRIDALLOC_COMMAND_PATTERN.test(plain)
      ? `<code title="a click selects it">${plain}</code>`
      : plain;
    const isSignWithoutValue = cellContent[part] === null && cellContent.sign !== undefined;
    const styledText =
      part === 'value' ? this.#emphasize(isSignWithoutValue ? '' : markup, cellContent) : markup;
    const sign = this.hasSigns && this.#reservesSignSpace(index) ? this.#signHtml(cellContent, part) : '';
    const isNumber = typeof cellContent[part] === 'number';
    const classes = part === 'value' ? alignmentOfColumn(column) : `${alignmentOfColumn(column)} ${part}`;
    const valueAttribute = isNumber ? ` data-value="${cellContent[part]}"` : '';
    const cellTag = column.isHeading ? 'th scope="row"' : 'td';
    const isRowTitle = column.isHeading && !this.#hasHeadings;
    const label = isRowTitle || !this.#hasCardLabels ? '' : this.#cardLabelAttribute(column, index, part);
    return `<${cellTag} class="${classes}"${valueAttribute}${label}${attributes}>${styledText}${sign}</${cellTag.slice(0, 2)}>`;
  }

  #cardLabelAttribute(column: TableColumn, index: number, part: TableCellPart): string {
    const isNamed = hasDetailedCells(this.table, index) && this.#labelledParts.includes(part);
    const partSuffix = isNamed
      ? `, ${displayNameOfCellPart(part, this.#labelledParts, this.table, column)}`
      : '';
    const unit = column.unit === undefined ? '' : ` [${column.unit}]`;
    const cardLabel = `${column.title}${unit}${partSuffix}`;
    return cardLabel === '' ? '' : ` data-label="${escapeMarkup(cardLabel)}"`;
  }

  /** True if numbers in a column leave room for a sign: the column contains signs or cells with details. */
  #reservesSignSpace(index: number): boolean {
    const columnHasSigns = this.table.rows.some((row) => toDetailedCell(row[index]!).sign !== undefined);
    return columnHasSigns || hasDetailedCells(this.table, index);
  }

  /** HTML of the sign behind a cell part, or a blank of the same width, so that numbers align. */
  #signHtml(cell: DetailedCell, part: TableCellPart): string {
    const sign = signOfCellPart(this.table, cell, part);
    return sign === undefined ? '<span class="in"></span>' : signMarkHtml(sign);
  }

  #emphasize(text: string, { isEmphasized, note }: DetailedCell): string {
    const strongText = isEmphasized ? `<strong>${text}</strong>` : text;
    if (note === undefined) return strongText;
    const number = this.notes.indexOf(note) + 1;
    return `${strongText}<sup><a href="#note-${number}-${this.table.id}">${number}</a></sup>`;
  }
}

function columnHeadingText({ title: columnTitle, unit: columnUnit }: TableColumn): string {
  const escapedTitle = escapeMarkup(columnTitle);
  return columnUnit === undefined
    ? escapedTitle
    : `${escapedTitle} <span class="unit">[${escapeMarkup(columnUnit)}]</span>`;
}

const columnHeadingHtml = (column: TableColumn): string =>
  column.title === ''
    ? '<td></td>'
    : `<th scope="col" class="${alignmentOfColumn(column)}">${columnHeadingText(column)}</th>`;

/** HTML body of a table; a row of totals goes into `tfoot`. */
function tableBodyHtml({ hasTotal = false }: Table, rows: readonly string[], isGrouped = false): string {
  const bodyRows = hasTotal ? rows.slice(0, -1) : rows;
  const body = isGrouped
    ? bodyRows.map((lines) => `<tbody>${lines}</tbody>`).join('\n')
    : `<tbody>${bodyRows.join('\n')}</tbody>`;
  return hasTotal ? `${body}<tfoot>${rows.at(-1)}</tfoot>` : body;
}

/** Table with one line per row; columns with bounds become several: published, mean, min, max. */
function flatTableHtml(table: Table, writer: HtmlCellWriter, parts: readonly TableCellPart[]): string {
  const isDetailedColumn = table.columns.map((_, i) => hasDetailedCells(table, i));
  const isHeadingSplit = isDetailedColumn.includes(true);
  const topHeadings = table.columns.map((column, i) => {
    if (!isHeadingSplit) return columnHeadingHtml(column);
    return isDetailedColumn[i]
      ? `<th scope="colgroup" class="group" colspan="${parts.length}">${columnHeadingText(column)}</th>`
      : `<th scope="col" rowspan="2" class="${alignmentOfColumn(column)}">${columnHeadingText(column)}</th>`;
  });
  const partHeadings = table.columns.flatMap((column, i) =>
    isDetailedColumn[i]
      ? parts.map(
          (part) => `<th scope="col" class="right">${displayNameOfCellPart(part, parts, table, column)}</th>`,
        )
      : [],
  );
  const rows = table.rows.map((row) => {
    const cells = row.flatMap((cell, i) =>
      (isDetailedColumn[i] ? parts : (['value'] as const)).map((part) => writer.write(cell, i, part)),
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const partHeadingRow = isHeadingSplit ? `<tr>${partHeadings.join('')}</tr>` : '';
  return `<thead><tr>${topHeadings.join('')}</tr>${partHeadingRow}</thead>${tableBodyHtml(table, rows)}`;
}

/** Table with several lines per row: mean, min, max and, if any, published. */
function tallTableHtml(table: Table, writer: HtmlCellWriter, parts: readonly TableCellPart[]): string {
  const isDetailedColumn = table.columns.map((_, i) => hasDetailedCells(table, i));
  const firstComparedColumn = isDetailedColumn.indexOf(true);
  const commonDescription = commonColumnDescription(table);
  const head = table.columns.flatMap((column, i) => [
    ...(i === firstComparedColumn ? ['<td></td>'] : []),
    columnHeadingHtml(column),
  ]);
  const groups = table.rows.map((row) => {
    const cells = row.map(toDetailedCell);
    // Columns whose bounds always equal the value need no lines for them.
    const isConstantColumn = cells.every(
      ({ value: cellValue, low, high }) =>
        (low ?? cellValue) === cellValue && (high ?? cellValue) === cellValue,
    );
    const partsWithLines = parts.filter((part) =>
      part === 'published'
        ? cells.some(({ published }) => published !== undefined)
        : part === 'value' || !isConstantColumn,
    );
    const lines = partsWithLines.map((part, line) => {
      const cells = row.flatMap((cell, i) => {
        const label =
          i === firstComparedColumn
            ? [
                `<th scope="row" class="left part">${displayNameOfCellPart(part, parts, table, commonDescription)}</th>`,
              ]
            : [];
        if (isDetailedColumn[i]) return [...label, writer.write(cell, i, part)];
        return line === 0 ? [writer.write(cell, i, 'value', ` rowspan="${partsWithLines.length}"`)] : [];
      });
      return `<tr class="${part}">${cells.join('')}</tr>`;
    });
    return lines.join('\n');
  });
  return `<thead><tr>${head.join('')}</tr></thead>${tableBodyHtml(table, groups, true)}`;
}

/** Sentence with the number of published values that were reproduced, and the meaning of the signs. */
function signLegendSentence(table: Table): string {
  const entries = signsOfTable(table).map(
    ({ mark, meaning, tone }) =>
      `<span class="entry"><span class="${cssClassOfTone(tone)}">${escapeMarkup(mark)}</span> ${escapeMarkup(meaning)}</span>`,
  );
  const reproducedSentence = describeReproducedValues(table);
  return [reproducedSentence, entries.join(', ')]
    .filter((sentence) => sentence !== '')
    .join(': ')
    .concat(entries.length > 0 ? '.' : '');
}

/** HTML id of a table; distinct from that of a figure with the same id. */
export function tableAnchorId(id: string): string {
  return `table-${id}`;
}

/** Table as HTML with caption and remarks, in a frame that scrolls horizontally if needed. */
export function tableHtml(input: Table): string {
  const table = addColumnFormats(input);
  const parts = cellPartsOfTable(table);
  const detailedColumnCount = table.columns.filter((_, i) => hasDetailedCells(table, i)).length;
  const width = table.columns.length + detailedColumnCount * (parts.length - 1);
  const isTallTable = detailedColumnCount > 0 && width > MAX_TABLE_COLUMNS;
  const writer = new HtmlCellWriter(table, isTallTable ? [] : parts, width);
  const body = (isTallTable ? tallTableHtml : flatTableHtml)(table, writer, parts);
  const notes = writer.notes.map(
    (note, i) => `<li id="note-${i + 1}-${table.id}">${escapeMarkup(note)}</li>`,
  );
  const times = table.times === undefined ? '' : `${capitalizeFirst(table.times)}.`;
  const captionHtml = [escapeMarkup(times), escapeMarkup(table.caption), signLegendSentence(table)]
    .filter((sentence) => sentence !== '')
    .join(' ');
  const tableClass = isTallTable ? 'tall' : detailedColumnCount > 0 ? 'wide' : 'plain';
  const lines = table.rows.length * (isTallTable ? parts.length : 1);
  const signsClass = writer.hasSigns ? ' marked' : '';
  const cardsClass = width > MAX_COLUMNS_OF_NARROW_TABLE ? ' cards' : '';
  return [
    `<figure class="table${lines > MAX_UNBROKEN_TABLE_LINES ? ' long' : ''}" id="${tableAnchorId(table.id)}">`,
    `<figcaption><b id="heading-${table.id}">${escapeMarkup(table.title)}</b>${captionHtml === '' ? '' : `<br>${captionHtml}`}</figcaption>`,
    `<div class="frame" role="region" aria-labelledby="heading-${table.id}" tabindex="0">`,
    `<table class="${tableClass}${signsClass}${cardsClass}" aria-labelledby="heading-${table.id}">${body}</table></div>`,
    notes.length === 0 ? '' : `<ol class="notes">${notes.join('')}</ol>`,
    '</figure>',
  ].join('\n');
}
