/** Tables as HTML: published beside reproduced values, signs with explanations, notes. */
import { escapeMarkup } from '../draw/svg.js';
import { capitalizeFirst } from '../format/numbers.js';
import {
  alignOf,
  type CellPart,
  type CellSign,
  commonOf,
  type DetailedCell,
  detailed,
  hasParts,
  insideText,
  notesOf,
  partName,
  partsOf,
  partText,
  signOf,
  signsOf,
  type Table,
  type TableCell,
  type TableColumn,
  withFormats,
} from './table.js';
import { MAX_NARROW } from './tokens.js';

/** Largest number of columns for which the parts of a cell are side by side; wider tables stack them. */
const MAX_COLUMNS = 9;

/** Largest number of lines that are kept on one printed page. */
const MAX_KEPT_LINES = 30;

const COMMAND_PATTERN = /^gridalloc /;

/** HTML of a sign behind a value, with its meaning for screen readers. */
function markHtml({ mark, meaning, tone }: CellSign): string {
  const spoken = `<span class="spoken"> ${escapeMarkup(meaning)}</span>`;
  return `<span class="${toneClass(tone)}"><span aria-hidden="true">${escapeMarkup(mark)}</span>${spoken}</span>`;
}

const toneClass = (tone: CellSign['tone']) => (tone === 'good' ? 'in' : tone === 'bad' ? 'out' : 'sign');

/** Draws the cells of one table. */
class CellWriter {
  readonly table: Table;
  readonly notes: readonly string[];
  readonly hasMarks: boolean;
  /** True if cells carry their column name, for narrow screens that show each row as a card. */
  readonly #isNamed: boolean;
  /** Cell parts named in a card; empty if the parts have rows of their own. */
  readonly #named: readonly CellPart[];
  /** True if there are several heading columns; a single one is the title of a card. */
  readonly #hasHeadings: boolean;

  constructor(table: Table, named: readonly CellPart[], width: number) {
    this.table = table;
    this.#named = named;
    this.#hasHeadings = table.columns.filter(({ isHeading }) => isHeading).length > 1;
    this.#isNamed = width > MAX_NARROW;
    this.notes = notesOf(table);
    this.hasMarks = signsOf(table).length > 0;
  }

  /** HTML of one part of a cell: `td`, or `th` in a heading column. */
  write(cell: TableCell, index: number, part: CellPart, attributes = ''): string {
    const column = this.table.columns[index]!;
    const content = detailed(cell);
    const plain = escapeMarkup(partText(content[part], column.format));
    const text = COMMAND_PATTERN.test(plain) ? `<code title="a click selects it">${plain}</code>` : plain;
    const isSignAlone = content[part] === null && content.sign !== undefined;
    const shown = part === 'value' ? this.#emphasize(isSignAlone ? '' : text, content) : text;
    const sign = this.hasMarks && this.#isMarked(index) ? this.#markOf(content, part) : '';
    const isNumber = typeof content[part] === 'number';
    const classes = part === 'value' ? alignOf(column) : `${alignOf(column)} ${part}`;
    const key = isNumber ? ` data-value="${content[part]}"` : '';
    const name = column.isHeading ? 'th scope="row"' : 'td';
    const isTitle = column.isHeading && !this.#hasHeadings;
    const label = isTitle || !this.#isNamed ? '' : this.#label(column, index, part);
    return `<${name} class="${classes}"${key}${label}${attributes}>${shown}${sign}</${name.slice(0, 2)}>`;
  }

  #label(column: TableColumn, index: number, part: CellPart): string {
    const isNamed = hasParts(this.table, index) && this.#named.includes(part);
    const own = isNamed ? `, ${partName(part, this.#named, this.table, column)}` : '';
    const unit = column.unit === undefined ? '' : ` [${column.unit}]`;
    const words = `${column.title}${unit}${own}`;
    return words === '' ? '' : ` data-label="${escapeMarkup(words)}"`;
  }

  /** True if a column, or one aligned with it, contains signs. */
  #isMarked(index: number): boolean {
    const hasSigns = this.table.rows.some((row) => detailed(row[index]!).sign !== undefined);
    return hasSigns || hasParts(this.table, index);
  }

  /** HTML of the sign behind a cell part, or a blank of the same width, so that numbers align. */
  #markOf(cell: DetailedCell, part: CellPart): string {
    const sign = signOf(this.table, cell, part);
    return sign === undefined ? '<span class="in"></span>' : markHtml(sign);
  }

  #emphasize(text: string, { isEmphasized, note }: DetailedCell): string {
    const strong = isEmphasized ? `<strong>${text}</strong>` : text;
    if (note === undefined) return strong;
    const number = this.notes.indexOf(note) + 1;
    return `${strong}<sup><a href="#note-${number}-${this.table.id}">${number}</a></sup>`;
  }
}

function headText({ title, unit }: TableColumn): string {
  const name = escapeMarkup(title);
  return unit === undefined ? name : `${name} <span class="unit">[${escapeMarkup(unit)}]</span>`;
}

const columnHead = (column: TableColumn): string =>
  column.title === '' ? '<td></td>' : `<th scope="col" class="${alignOf(column)}">${headText(column)}</th>`;

/** HTML body of a table; a row of totals goes into `tfoot`. */
function bodyHtml({ hasTotal = false }: Table, rows: readonly string[], isGroupedFigure = false): string {
  const own = hasTotal ? rows.slice(0, -1) : rows;
  const body = isGroupedFigure
    ? own.map((lines) => `<tbody>${lines}</tbody>`).join('\n')
    : `<tbody>${own.join('\n')}</tbody>`;
  return hasTotal ? `${body}<tfoot>${rows.at(-1)}</tfoot>` : body;
}

/** Table with one line per row; columns with bounds become several: published, mean, min, max. */
function flatTable(table: Table, writer: CellWriter, parts: readonly CellPart[]): string {
  const compared = table.columns.map((_, i) => hasParts(table, i));
  const isSplit = compared.includes(true);
  const top = table.columns.map((column, i) => {
    if (!isSplit) return columnHead(column);
    return compared[i]
      ? `<th scope="colgroup" class="group" colspan="${parts.length}">${headText(column)}</th>`
      : `<th scope="col" rowspan="2" class="${alignOf(column)}">${headText(column)}</th>`;
  });
  const second = table.columns.flatMap((column, i) =>
    compared[i]
      ? parts.map((part) => `<th scope="col" class="right">${partName(part, parts, table, column)}</th>`)
      : [],
  );
  const rows = table.rows.map((row) => {
    const cells = row.flatMap((cell, i) =>
      (compared[i] ? parts : (['value'] as const)).map((part) => writer.write(cell, i, part)),
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const below = isSplit ? `<tr>${second.join('')}</tr>` : '';
  return `<thead><tr>${top.join('')}</tr>${below}</thead>${bodyHtml(table, rows)}`;
}

/** Table with several lines per row: mean, min, max and, if any, published. */
function tallTable(table: Table, writer: CellWriter, parts: readonly CellPart[]): string {
  const compared = table.columns.map((_, i) => hasParts(table, i));
  const firstCompared = compared.indexOf(true);
  const alike = commonOf(table);
  const head = table.columns.flatMap((column, i) => [
    ...(i === firstCompared ? ['<td></td>'] : []),
    columnHead(column),
  ]);
  const groups = table.rows.map((row) => {
    const cells = row.map(detailed);
    // Columns whose bounds always equal the value need no lines for them.
    const isConstant = cells.every(
      ({ value, low, high }) => (low ?? value) === value && (high ?? value) === value,
    );
    const own = parts.filter((part) =>
      part === 'published'
        ? cells.some(({ published }) => published !== undefined)
        : part === 'value' || !isConstant,
    );
    const lines = own.map((part, line) => {
      const cells = row.flatMap((cell, i) => {
        const label =
          i === firstCompared
            ? [`<th scope="row" class="left part">${partName(part, parts, table, alike)}</th>`]
            : [];
        if (compared[i]) return [...label, writer.write(cell, i, part)];
        return line === 0 ? [writer.write(cell, i, 'value', ` rowspan="${own.length}"`)] : [];
      });
      return `<tr class="${part}">${cells.join('')}</tr>`;
    });
    return lines.join('\n');
  });
  return `<thead><tr>${head.join('')}</tr></thead>${bodyHtml(table, groups, true)}`;
}

/** Sentence with the number of published values that were reproduced, and the meaning of the signs. */
function signSentence(table: Table): string {
  const entries = signsOf(table).map(
    ({ mark, meaning, tone }) =>
      `<span class="entry"><span class="${toneClass(tone)}">${escapeMarkup(mark)}</span> ${escapeMarkup(meaning)}</span>`,
  );
  const inside = insideText(table);
  return [inside, entries.join(', ')]
    .filter((text) => text !== '')
    .join(': ')
    .concat(entries.length > 0 ? '.' : '');
}

/** HTML id of a table; distinct from that of a figure with the same id. */
export function tableAnchor(id: string): string {
  return `table-${id}`;
}

/** Table as HTML with caption and remarks, in a frame that scrolls horizontally if needed. */
export function tableHtml(input: Table): string {
  const table = withFormats(input);
  const parts = partsOf(table);
  const compared = table.columns.filter((_, i) => hasParts(table, i)).length;
  const width = table.columns.length + compared * (parts.length - 1);
  const isTall = compared > 0 && width > MAX_COLUMNS;
  const writer = new CellWriter(table, isTall ? [] : parts, width);
  const body = (isTall ? tallTable : flatTable)(table, writer, parts);
  const notes = writer.notes.map(
    (note, i) => `<li id="note-${i + 1}-${table.id}">${escapeMarkup(note)}</li>`,
  );
  const times = table.times === undefined ? '' : `${capitalizeFirst(table.times)}.`;
  const messageSentences = [escapeMarkup(times), escapeMarkup(table.caption), signSentence(table)]
    .filter((text) => text !== '')
    .join(' ');
  const kind = isTall ? 'tall' : compared > 0 ? 'wide' : 'plain';
  const lines = table.rows.length * (isTall ? parts.length : 1);
  const marked = writer.hasMarks ? ' marked' : '';
  const cards = width > MAX_NARROW ? ' cards' : '';
  return [
    `<figure class="table${lines > MAX_KEPT_LINES ? ' long' : ''}" id="${tableAnchor(table.id)}">`,
    `<figcaption><b id="heading-${table.id}">${escapeMarkup(table.title)}</b>${messageSentences === '' ? '' : `<br>${messageSentences}`}</figcaption>`,
    `<div class="frame" role="region" aria-labelledby="heading-${table.id}" tabindex="0">`,
    `<table class="${kind}${marked}${cards}" aria-labelledby="heading-${table.id}">${body}</table></div>`,
    notes.length === 0 ? '' : `<ol class="notes">${notes.join('')}</ol>`,
    '</figure>',
  ].join('\n');
}
