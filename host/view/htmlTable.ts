/** Renders tables as HTML: published values beside reproduced ones, marks with explanations, notes. */
import { escapeMarkup } from '../draw/svg.js';
import { capitalizeFirst } from '../format/numbers.js';
import {
  addColumnFormats,
  type CellSign,
  chooseAlignmentOfColumn,
  chooseDisplayNameOfCellPart,
  chooseSignOfCellPart,
  collectNotesOfTable,
  collectSignsOfTable,
  type DetailedCell,
  describeReproducedValues,
  findCommonColumnDescription,
  formatCellPart,
  hasDetailedCells,
  listCellPartsOfTable,
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
function makeSignMarkHtml({ mark, meaning, tone }: CellSign): string {
  const spokenMeaningHtml = `<span class="spoken"> ${escapeMarkup(meaning)}</span>`;
  return `<span class="${chooseCssClassOfTone(tone)}"><span aria-hidden="true">${escapeMarkup(mark)}</span>${spokenMeaningHtml}</span>`;
}

const chooseCssClassOfTone = (tone: CellSign['tone']) =>
  tone === 'good' ? 'in' : tone === 'bad' ? 'out' : 'sign';

/** Writes the cells of one table as HTML. */
class HtmlCellWriter {
  readonly table: Table;
  readonly notes: readonly string[];
  readonly hasSigns: boolean;
  /** True if cells carry their column name, for narrow screens that show each row as a card. */
  readonly #hasCardLabels: boolean;
  /** Parts of a cell (such as mean and limits) that a card of a narrow page labels; empty if each has a row. */
  readonly #labelledParts: readonly TableCellPart[];
  /** True if there are several heading columns; a single one is the title of a card. */
  readonly #hasHeadings: boolean;

  constructor(table: Table, labelledCellParts: readonly TableCellPart[], columnCount: number) {
    this.table = table;
    this.#labelledParts = labelledCellParts;
    this.#hasHeadings = table.columns.filter(({ isHeading }) => isHeading).length > 1;
    this.#hasCardLabels = columnCount > MAX_COLUMNS_OF_NARROW_TABLE;
    this.notes = collectNotesOfTable(table);
    this.hasSigns = collectSignsOfTable(table).length > 0;
  }

  /** HTML of one part of a cell: `td`, or `th` in a heading column. */
  write(cell: TableCell, index: number, cellPart: TableCellPart, attributesText = ''): string {
    const tableColumn = this.table.columns[index]!;
    const cellContent = toDetailedCell(cell);
    const escapedText = escapeMarkup(formatCellPart(cellContent[cellPart], tableColumn.format));
    const contentHtml = GRIDALLOC_COMMAND_PATTERN.test(escapedText)
      ? `<code title="a click selects it">${escapedText}</code>`
      : escapedText;
    const isSignWithoutValue = cellContent[cellPart] === null && cellContent.sign !== undefined;
    const styledText =
      cellPart === 'value'
        ? this.#emphasize(isSignWithoutValue ? '' : contentHtml, cellContent)
        : contentHtml;
    const cellSign =
      this.hasSigns && this.#reservesSignSpace(index) ? this.#signHtml(cellContent, cellPart) : '';
    const isNumber = typeof cellContent[cellPart] === 'number';
    const classNames =
      cellPart === 'value'
        ? chooseAlignmentOfColumn(tableColumn)
        : `${chooseAlignmentOfColumn(tableColumn)} ${cellPart}`;
    const valueAttribute = isNumber ? ` data-value="${cellContent[cellPart]}"` : '';
    const cellTag = tableColumn.isHeading ? 'th scope="row"' : 'td';
    const isRowTitle = tableColumn.isHeading && !this.#hasHeadings;
    const labelAttribute =
      isRowTitle || !this.#hasCardLabels ? '' : this.#cardLabelAttribute(tableColumn, index, cellPart);
    return `<${cellTag} class="${classNames}"${valueAttribute}${labelAttribute}${attributesText}>${styledText}${cellSign}</${cellTag.slice(0, 2)}>`;
  }

  #cardLabelAttribute(tableColumn: TableColumn, index: number, cellPart: TableCellPart): string {
    const isPartNamed = hasDetailedCells(this.table, index) && this.#labelledParts.includes(cellPart);
    const partSuffix = isPartNamed
      ? `, ${chooseDisplayNameOfCellPart(cellPart, this.#labelledParts, this.table, tableColumn)}`
      : '';
    const unitSuffix = tableColumn.unit === undefined ? '' : ` [${tableColumn.unit}]`;
    const cardLabel = `${tableColumn.title}${unitSuffix}${partSuffix}`;
    return cardLabel === '' ? '' : ` data-label="${escapeMarkup(cardLabel)}"`;
  }

  /** True if numbers in a column leave room for a sign: the column contains signs or cells with details. */
  #reservesSignSpace(index: number): boolean {
    const columnHasSigns = this.table.rows.some(
      (cellRow) => toDetailedCell(cellRow[index]!).sign !== undefined,
    );
    return columnHasSigns || hasDetailedCells(this.table, index);
  }

  /** HTML of the sign behind a cell part, or a blank of the same width, so that numbers align. */
  #signHtml(cell: DetailedCell, cellPart: TableCellPart): string {
    const cellSign = chooseSignOfCellPart(this.table, cell, cellPart);
    return cellSign === undefined ? '<span class="in"></span>' : makeSignMarkHtml(cellSign);
  }

  #emphasize(cellText: string, { isEmphasized, note }: DetailedCell): string {
    const strongText = isEmphasized ? `<strong>${cellText}</strong>` : cellText;
    if (note === undefined) return strongText;
    const noteNumber = this.notes.indexOf(note) + 1;
    return `${strongText}<sup><a href="#note-${noteNumber}-${this.table.id}">${noteNumber}</a></sup>`;
  }
}

function formatColumnHeadingText({ title: columnTitle, unit: columnUnit }: TableColumn): string {
  const escapedTitle = escapeMarkup(columnTitle);
  return columnUnit === undefined
    ? escapedTitle
    : `${escapedTitle} <span class="unit">[${escapeMarkup(columnUnit)}]</span>`;
}

const formatColumnHeading = (tableColumn: TableColumn): string =>
  tableColumn.title === ''
    ? '<td></td>'
    : `<th scope="col" class="${chooseAlignmentOfColumn(tableColumn)}">${formatColumnHeadingText(tableColumn)}</th>`;

/** HTML body of a table; a row of totals goes into `tfoot`. */
function makeTableBodyHtml(
  { hasTotal = false }: Table,
  rows: readonly string[],
  areRowsGrouped = false,
): string {
  const bodyRows = hasTotal ? rows.slice(0, -1) : rows;
  const tableBody = areRowsGrouped
    ? bodyRows.map((rowsHtml) => `<tbody>${rowsHtml}</tbody>`).join('\n')
    : `<tbody>${bodyRows.join('\n')}</tbody>`;
  return hasTotal ? `${tableBody}<tfoot>${rows.at(-1)}</tfoot>` : tableBody;
}

/** Table with one line per row; columns with bounds become several: published, mean, min, max. */
function makeFlatTableHtml(
  table: Table,
  writer: HtmlCellWriter,
  cellParts: readonly TableCellPart[],
): string {
  const hasDetailsByColumn = table.columns.map((_, i) => hasDetailedCells(table, i));
  const isHeadingSplit = hasDetailsByColumn.includes(true);
  const topHeadings = table.columns.map((tableColumn, i) => {
    if (!isHeadingSplit) return formatColumnHeading(tableColumn);
    return hasDetailsByColumn[i]
      ? `<th scope="colgroup" class="group" colspan="${cellParts.length}">${formatColumnHeadingText(tableColumn)}</th>`
      : `<th scope="col" rowspan="2" class="${chooseAlignmentOfColumn(tableColumn)}">${formatColumnHeadingText(tableColumn)}</th>`;
  });
  const partHeadings = table.columns.flatMap((tableColumn, i) =>
    hasDetailsByColumn[i]
      ? cellParts.map(
          (cellPart) =>
            `<th scope="col" class="right">${chooseDisplayNameOfCellPart(cellPart, cellParts, table, tableColumn)}</th>`,
        )
      : [],
  );
  const rows = table.rows.map((cellRow) => {
    const cells = cellRow.flatMap((cell, i) =>
      (hasDetailsByColumn[i] ? cellParts : (['value'] as const)).map((cellPart) =>
        writer.write(cell, i, cellPart),
      ),
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const partHeadingRow = isHeadingSplit ? `<tr>${partHeadings.join('')}</tr>` : '';
  return `<thead><tr>${topHeadings.join('')}</tr>${partHeadingRow}</thead>${makeTableBodyHtml(table, rows)}`;
}

/** Table with several lines per row: mean, min, max and, if any, published. */
function makeTallTableHtml(
  table: Table,
  writer: HtmlCellWriter,
  cellParts: readonly TableCellPart[],
): string {
  const hasDetailsByColumn = table.columns.map((_, i) => hasDetailedCells(table, i));
  const firstComparedColumnIndex = hasDetailsByColumn.indexOf(true);
  const commonDescription = findCommonColumnDescription(table);
  const headCells = table.columns.flatMap((tableColumn, i) => [
    ...(i === firstComparedColumnIndex ? ['<td></td>'] : []),
    formatColumnHeading(tableColumn),
  ]);
  const rowGroups = table.rows.map((cellRow) => {
    const detailedCells = cellRow.map(toDetailedCell);
    // Columns whose bounds always equal the value need no lines for them.
    const isConstantColumn = detailedCells.every(
      ({ value: cellValue, low, high }) =>
        (low ?? cellValue) === cellValue && (high ?? cellValue) === cellValue,
    );
    const partsWithLines = cellParts.filter((cellPart) =>
      cellPart === 'published'
        ? detailedCells.some(({ published }) => published !== undefined)
        : cellPart === 'value' || !isConstantColumn,
    );
    const rowLines = partsWithLines.map((cellPart, lineIndex) => {
      const cells = cellRow.flatMap((cell, i) => {
        const partHeading =
          i === firstComparedColumnIndex
            ? [
                `<th scope="row" class="left part">${chooseDisplayNameOfCellPart(cellPart, cellParts, table, commonDescription)}</th>`,
              ]
            : [];
        if (hasDetailsByColumn[i]) return [...partHeading, writer.write(cell, i, cellPart)];
        return lineIndex === 0 ? [writer.write(cell, i, 'value', ` rowspan="${partsWithLines.length}"`)] : [];
      });
      return `<tr class="${cellPart}">${cells.join('')}</tr>`;
    });
    return rowLines.join('\n');
  });
  return `<thead><tr>${headCells.join('')}</tr></thead>${makeTableBodyHtml(table, rowGroups, true)}`;
}

/** Sentence with the number of published values that were reproduced, and the meaning of the signs. */
function makeSignLegendSentence(table: Table): string {
  const signEntries = collectSignsOfTable(table).map(
    ({ mark, meaning, tone }) =>
      `<span class="entry"><span class="${chooseCssClassOfTone(tone)}">${escapeMarkup(mark)}</span> ${escapeMarkup(meaning)}</span>`,
  );
  const reproducedSentence = describeReproducedValues(table);
  return [reproducedSentence, signEntries.join(', ')]
    .filter((sentence) => sentence !== '')
    .join(': ')
    .concat(signEntries.length > 0 ? '.' : '');
}

/** HTML id of a table; distinct from that of a figure with the same id. */
export function makeTableAnchorId(id: string): string {
  return `table-${id}`;
}

/** Table as HTML with caption and remarks, in a frame that scrolls horizontally if needed. */
export function makeTableHtml(inputTable: Table): string {
  const table = addColumnFormats(inputTable);
  const cellParts = listCellPartsOfTable(table);
  const detailedColumnCount = table.columns.filter((_, i) => hasDetailedCells(table, i)).length;
  const columnCount = table.columns.length + detailedColumnCount * (cellParts.length - 1);
  const isTallTable = detailedColumnCount > 0 && columnCount > MAX_TABLE_COLUMNS;
  const writer = new HtmlCellWriter(table, isTallTable ? [] : cellParts, columnCount);
  const tableBody = (isTallTable ? makeTallTableHtml : makeFlatTableHtml)(table, writer, cellParts);
  const notes = writer.notes.map(
    (note, i) => `<li id="note-${i + 1}-${table.id}">${escapeMarkup(note)}</li>`,
  );
  const timesParagraph = table.times === undefined ? '' : `${capitalizeFirst(table.times)}.`;
  const captionHtml = [
    escapeMarkup(timesParagraph),
    escapeMarkup(table.caption),
    makeSignLegendSentence(table),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
  const tableCssClass = isTallTable ? 'tall' : detailedColumnCount > 0 ? 'wide' : 'plain';
  const lineCount = table.rows.length * (isTallTable ? cellParts.length : 1);
  const signsCssClass = writer.hasSigns ? ' marked' : '';
  const cardsCssClass = columnCount > MAX_COLUMNS_OF_NARROW_TABLE ? ' cards' : '';
  return [
    `<figure class="table${lineCount > MAX_UNBROKEN_TABLE_LINES ? ' long' : ''}" id="${makeTableAnchorId(table.id)}">`,
    `<figcaption><b id="heading-${table.id}">${escapeMarkup(table.title)}</b>${captionHtml === '' ? '' : `<br>${captionHtml}`}</figcaption>`,
    `<div class="frame" role="region" aria-labelledby="heading-${table.id}" tabindex="0">`,
    `<table class="${tableCssClass}${signsCssClass}${cardsCssClass}" aria-labelledby="heading-${table.id}">${tableBody}</table></div>`,
    notes.length === 0 ? '' : `<ol class="notes">${notes.join('')}</ol>`,
    '</figure>',
  ].join('\n');
}
