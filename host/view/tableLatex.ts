/**
 * Tables as LaTeX with booktabs rules, for `\input`. Every table fits the text width of the class article:
 * by smaller type, by wrapping long names or, if needed, by splitting it into parts below each other.
 */
import {
  CHECK_MARK,
  latexCell,
  latexLines,
  latexParagraph,
  latexText,
  latexWidth,
  TYPE_SIZE,
} from './latexText.js';
import {
  alignOf,
  boundsName,
  boundsText,
  type CellPart,
  type DetailedCell,
  detailed,
  notesOf,
  partName,
  partsOf,
  type Table,
  titleOfRule,
  withFormats,
} from './table.js';
import { legendOf, partIn, type TableLanguage } from './tableLanguage.js';

const LATEX_LANGUAGE: TableLanguage = {
  plain: latexText,
  strong: (text) => `\\textbf{${text}}`,
  noteNumber: (number) => `~(${number})`,
};

/** Width in points of the text of an article page, and of one of its two columns. */
const [PAGE_WIDTH, COLUMN_WIDTH] = [345, 229];
/** Height in points of the text of an article page. */
const PAGE_HEIGHT = 540;
/** Column gaps in points that are tried at 8 pt. */
const COLUMN_GAPS = [8, 6] as const;
/**
 * Column gap in points at the document's own type size, and factor by which text is wider there than at 8
 * pt.
 */
const [SMALL_TYPE_GAP, SMALL_TYPE_FACTOR] = [12, 1.3];
/**
 * Smallest width in points of a wrapped column of names, and largest width of all of them in a split table.
 */
const [MIN_NAMES_WIDTH, MAX_NAMES_WIDTH] = [48, 100];
/** Height in points of a line at 8 pt, and of the rules and space around a table. */
const [LINE_HEIGHT, RULES_HEIGHT] = [9.6, 22];

/** Cell without the question mark sign, which the verdict in words makes redundant. */
function withoutQuestion(cell: DetailedCell): DetailedCell {
  if (typeof cell.value !== 'string' || cell.sign?.mark !== '?') return cell;
  const { sign: _, ...others } = cell;
  return others;
}

/**
 * Column of a LaTeX `tabular`. One table column may become several: published value, own value and bounds.
 */
interface LatexColumn {
  readonly align: 'l' | 'r';
  /** Heading below the title of its group; may be empty. */
  readonly name: string;
  /** Lines of each cell. */
  readonly cells: readonly (readonly string[])[];
}

/** LaTeX columns that belong to one table column, with their common title. */
interface ColumnGroup {
  readonly title: string;
  readonly isHeading: boolean;
  readonly columns: readonly LatexColumn[];
}

/** LaTeX columns for one table column: published value, own value and bounds, as far as present. */
function groupOfColumn(table: Table, index: number): ColumnGroup {
  const column = table.columns[index]!;
  const align = alignOf(column) === 'left' ? 'l' : 'r';
  const parts = partsOf(table);
  const cells = table.rows.map((row) => detailed(row[index]!));
  const columnOf = (name: string, text: (cell: DetailedCell) => string): LatexColumn => ({
    align,
    name,
    cells: cells.map((cell) => [text(cell)]),
  });
  const ofPart = (part: CellPart) =>
    columnOf(latexText(partName(part, parts, table, column)), (cell) =>
      partIn(LATEX_LANGUAGE, table, column, cell, part),
    );
  const boundsTitle = latexText(boundsName(table, column)).replace(' \\%', '\\,\\%');
  return {
    title: latexText(titleOfRule(column)),
    isHeading: column.isHeading ?? false,
    columns: [
      ...(cells.some(({ published }) => published !== undefined) ? [ofPart('published')] : []),
      ofPart('value'),
      ...(cells.some(({ low }) => low !== undefined)
        ? [columnOf(boundsTitle, (cell) => latexText(boundsText(cell, column.format)))]
        : []),
    ],
  };
}

const widestText = (lines: readonly string[]) => Math.max(0, ...lines.map(latexWidth));
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Width in points up to which a heading word is not broken. */
const WHOLE_WORD = 64;

/** Breaks a heading into lines no wider than the cells below, as far as its words allow. */
const headLines = (head: string, below: number) =>
  latexLines(head, Math.max(below, Math.min(WHOLE_WORD, widestText(head.split(' ')))));

/** Width in points of a column, including its own heading if its group has several columns. */
function columnWidth({ name, cells }: LatexColumn, hasName: boolean): number {
  const own = widestText(cells.flat());
  return hasName ? Math.max(own, widestText(headLines(name, own))) : own;
}

/** Width in points of a column group, including its title. */
function groupWidth({ title, columns }: ColumnGroup, gap: number): number {
  const hasNames = columns.length > 1;
  const own = sumOf(columns.map((column) => columnWidth(column, hasNames))) + gap * (columns.length - 1);
  return Math.max(own, widestText(headLines(title, own)));
}

/** Width in points of several column groups side by side. */
const widthOf = (groups: readonly ColumnGroup[], gap: number) =>
  sumOf(groups.map((group) => groupWidth(group, gap))) + gap * (groups.length - 1);

/** Column group of names, wrapped to at most `most` points. */
function narrowNames(group: ColumnGroup, most: number): ColumnGroup {
  const columns = group.columns.map((column) => ({
    ...column,
    cells: column.cells.map((lines) => latexLines(lines.join(' '), most)),
  }));
  return { ...group, columns };
}

const isOfNames = ({ columns }: ColumnGroup) => columns.length === 1 && columns[0]!.align === 'l';

/**
 * Wraps columns of names, the widest first, until all groups fit into `most` points or nothing more can be
 * wrapped.
 */
function narrowNamesTo(groups: readonly ColumnGroup[], most: number, gap: number): readonly ColumnGroup[] {
  let narrow = [...groups];
  for (let limit = PAGE_WIDTH; limit >= MIN_NAMES_WIDTH && widthOf(narrow, gap) > most; limit -= 8) {
    narrow = groups.map((group) =>
      isOfNames(group) && groupWidth(group, gap) > limit ? narrowNames(group, limit) : group,
    );
  }
  return narrow;
}

/** Splits column groups into parts that fit the page; each part repeats the heading columns. */
function partsThatFit(groups: readonly ColumnGroup[], gap: number): (readonly ColumnGroup[])[] {
  const headings = groups.filter((group, i) => group.isHeading || i === 0);
  const names = narrowNamesTo(headings, MAX_NAMES_WIDTH, gap);
  const values = groups.filter((group) => !headings.includes(group));
  const parts: ColumnGroup[][] = [];
  for (const group of values) {
    const last = parts.at(-1);
    if (last !== undefined && widthOf([...last, group], gap) <= PAGE_WIDTH) last.push(group);
    else parts.push([...narrowNamesTo([...names, group], PAGE_WIDTH, gap)]);
  }
  return parts;
}

/** Chosen layout of a table: in document type or 8 pt, whole or in parts. */
interface TableLayout {
  readonly isOwnType: boolean;
  /** Gap between columns in points. */
  readonly gap: number;
  readonly parts: readonly (readonly ColumnGroup[])[];
  /** Width in points. */
  readonly width: number;
}

function layOutTable(groups: readonly ColumnGroup[]): TableLayout {
  const own = SMALL_TYPE_FACTOR * widthOf(groups, SMALL_TYPE_GAP / SMALL_TYPE_FACTOR);
  if (own <= COLUMN_WIDTH) return { isOwnType: true, gap: SMALL_TYPE_GAP, parts: [groups], width: own };
  for (const gap of COLUMN_GAPS) {
    const width = widthOf(groups, gap);
    if (width <= COLUMN_WIDTH || (width <= PAGE_WIDTH && gap === COLUMN_GAPS[0]))
      return { isOwnType: false, gap, parts: [groups], width };
  }
  const gap = COLUMN_GAPS[1];
  const whole = narrowNamesTo(groups, PAGE_WIDTH, gap);
  const parts = widthOf(whole, gap) <= PAGE_WIDTH ? [whole] : partsThatFit(groups, gap);
  return { isOwnType: false, gap, parts, width: Math.max(...parts.map((part) => widthOf(part, gap))) };
}

/**
 * Cells as a line of a `tabular`; a leading bracket is protected, since LaTeX would read it as an option of
 * the previous line.
 */
const latexLine = (cells: readonly string[]) => `${cells.join(' & ').replace(/^(?=[[*])/, '{}')} \\\\`;

/** Heading lines of a table: titles and, if columns have parts, a second line with the names of the parts. */
function headOf(groups: readonly ColumnGroup[], gap: number): string[] {
  const isSplit = groups.map(({ columns }) => columns.length > 1);
  const titles = groups.map((group, i) => {
    const [first] = group.columns as readonly [LatexColumn];
    const below = isSplit[i] ? groupWidth({ ...group, title: '' }, gap) : columnWidth(first, false);
    return latexCell(headLines(group.title, below), isSplit[i] ? 'c' : first.align, 'b');
  });
  if (!isSplit.includes(true)) return [latexLine(titles)];
  const top = titles.map((title, i) => {
    if (!isSplit[i]) return '';
    const ends = [i === 0 ? '@{}' : '', i === titles.length - 1 ? '@{}' : ''];
    return `\\multicolumn{${groups[i]!.columns.length}}{${ends.join('c')}}{${title}}`;
  });
  const rules = groups.flatMap(({ columns: { length } }, i) => {
    const first = groups.slice(0, i).reduce((sum, { columns }) => sum + columns.length, 1);
    return length > 1 ? [`\\cmidrule(lr){${first}-${first + length - 1}}`] : [];
  });
  const below = groups.flatMap(({ columns }, i) =>
    isSplit[i]
      ? columns.map((column) =>
          latexCell(headLines(column.name, widestText(column.cells.flat())), column.align, 'b'),
        )
      : [titles[i]!],
  );
  return [latexLine(top), rules.join(' '), latexLine(below)];
}

/** LaTeX `tabular` environment of column groups. */
function tabularEnvironment(groups: readonly ColumnGroup[], gap: number): string[] {
  const columns = groups.flatMap((group) => group.columns);
  const rows = columns[0]!.cells.map((_, row) =>
    latexLine(columns.map(({ align, cells }) => latexCell(cells[row]!, align))),
  );
  return [
    `\\noindent\\begin{tabular}{@{}${columns.map(({ align }) => align).join('')}@{}}`,
    '\\toprule',
    ...headOf(groups, gap),
    '\\midrule',
    ...rows,
    '\\bottomrule',
    '\\end{tabular}',
  ];
}

/** Approximate height in points of one part of a split table. */
function heightOf(groups: readonly ColumnGroup[]): number {
  const columns = groups.flatMap((group) => group.columns);
  const lines = columns[0]!.cells.map((_, row) =>
    Math.max(...columns.map(({ cells }) => cells[row]!.length)),
  );
  return LINE_HEIGHT * (sumOf(lines) + 3) + RULES_HEIGHT;
}

/** Text as LaTeX comment lines. */
const latexComments = (text: string) => text.split('\n').map((line) => `% ${line}`.trimEnd());

/** LaTeX comments that list the packages and type size a table needs. */
function needs({ isOwnType, width, parts }: TableLayout, hasCheckMark: boolean): string[] {
  const points = Math.ceil(width);
  const type = isOwnType ? 'in the type of the document' : `in ${TYPE_SIZE} pt type, which it sets`;
  const location =
    width <= COLUMN_WIDTH
      ? 'fits one of two columns'
      : `fits the text of a page (${PAGE_WIDTH} pt in article); in two columns put it into table*`;
  const height = sumOf(parts.map(heightOf));
  return [
    `% Needs \\usepackage{booktabs}${hasCheckMark ? ' and \\usepackage{amssymb}' : ''}.`,
    `% At most ${points} pt wide ${type}: ${location}.`,
    ...(height > PAGE_HEIGHT
      ? [
          `% About ${Math.ceil(height)} pt high, more than a page: without a table environment around it, its parts may go on to the next page.`,
        ]
      : []),
  ];
}

/**
 * Table as LaTeX for `\input`: a `tabular` with booktabs rules. Title, caption and required packages are
 * comments; signs and notes are explained below.
 */
export function tableLatex(input: Table): string {
  const shown = { ...input, rows: input.rows.map((row) => row.map(detailed).map(withoutQuestion)) };
  const table = withFormats(shown);
  const layout = layOutTable(table.columns.map((_, i) => groupOfColumn(table, i)));
  const { isOwnType, gap, parts } = layout;
  const below = [
    latexParagraph(legendOf(table)),
    ...notesOf(table).map((note, i) => `(${i + 1})~${latexParagraph(note)}`),
  ].filter((text) => text !== '');
  const body = [
    ...parts.flatMap((part, i) => [...(i === 0 ? [] : ['\\par\\medskip']), ...tabularEnvironment(part, gap)]),
    ...below.map(
      (text) =>
        `\\par\\smallskip{\\fontsize{${TYPE_SIZE}}{${LINE_HEIGHT}}\\selectfont\\raggedright\\noindent ${text}\\par}`,
    ),
  ];
  const type = [
    `\\begingroup\\fontsize{${TYPE_SIZE}}{${LINE_HEIGHT}}\\selectfont\\setlength{\\tabcolsep}{${gap / 2}pt}%`,
  ];
  return [
    ...latexComments(table.title),
    ...(table.caption === '' ? [] : latexComments(table.caption)),
    ...needs(
      layout,
      body.some((line) => line.includes(CHECK_MARK)),
    ),
    ...(isOwnType ? body : [...type, ...body, '\\endgroup']),
  ]
    .join('\n')
    .concat('\n');
}
