/**
 * Tables as LaTeX with the rules of booktabs, for `\input`. None is wider than the text of a page of the class article: the type
 * is smaller where that helps, long names take several lines, and what still is too wide is set in parts, one below the other.
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
  titleOf,
  withFormats,
} from './table.js';
import { type Language, legendOf, partIn } from './tableLanguage.js';

const LATEX: Language = {
  plain: latexText,
  strong: (text) => `\\textbf{${text}}`,
  noteNumber: (number) => `~(${number})`,
};

/** Width in points of the text of a page of article, and of one of its two columns. */
const [PAGE, COLUMN] = [345, 229];
/** Height of the text of a page. */
const PAGE_HEIGHT = 540;
/** Widths between columns that are tried, in 8 pt. */
const GAPS = [8, 6] as const;
/** Width between columns in the type of the document, and how much wider its text is than in 8 pt, classes with larger type included. */
const [OWN_GAP, OWN_FACTOR] = [12, 1.3];
/** Least width of a column of names that take several lines, and the most that all of a split table have. */
const [LEAST_NAMES, MOST_NAMES] = [48, 100];
/** Height of a line in 8 pt, and of the rules of a table with the space around it. */
const [LINE, RULES] = [9.6, 22];

/** Cell as LaTeX writes it: the verdict in words needs no question mark. */
function withoutQuestion(cell: DetailedCell): DetailedCell {
  if (typeof cell.value !== 'string' || cell.sign?.mark !== '?') return cell;
  const { sign: _, ...others } = cell;
  return others;
}

/** A column of a `tabular`. A column of a table may become several: published value, own value and bounds, side by side. */
interface LatexColumn {
  readonly align: 'l' | 'r';
  /** Name below the title of its group. */
  readonly name: string;
  /** Lines of each cell. */
  readonly cells: readonly (readonly string[])[];
}

/** The columns of one column of a table, below one title. */
interface Group {
  readonly title: string;
  readonly isHeading: boolean;
  readonly columns: readonly LatexColumn[];
}

/** Published value, own value and bounds side by side, as far as a column has them. */
function groupOf(table: Table, index: number): Group {
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
      partIn(LATEX, table, column, cell, part),
    );
  const boundsTitle = latexText(boundsName(table, column)).replace(' \\%', '\\,\\%');
  return {
    title: latexText(titleOf(column)),
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

const widest = (lines: readonly string[]) => Math.max(0, ...lines.map(latexWidth));
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Words of headings that are no wider stay whole. */
const WHOLE_WORD = 64;

/** A heading in lines that are no wider than what is below it, as far as its words let them be. */
const headLines = (head: string, below: number) =>
  latexLines(head, Math.max(below, Math.min(WHOLE_WORD, widest(head.split(' ')))));

/** Width of a column with the name at its head, where its group has several columns. */
function columnWidth({ name, cells }: LatexColumn, hasName: boolean): number {
  const own = widest(cells.flat());
  return hasName ? Math.max(own, widest(headLines(name, own))) : own;
}

/** Width of a group with its title. */
function groupWidth({ title, columns }: Group, gap: number): number {
  const hasNames = columns.length > 1;
  const own = sumOf(columns.map((column) => columnWidth(column, hasNames))) + gap * (columns.length - 1);
  return Math.max(own, widest(headLines(title, own)));
}

/** Width of groups side by side. */
const widthOf = (groups: readonly Group[], gap: number) =>
  sumOf(groups.map((group) => groupWidth(group, gap))) + gap * (groups.length - 1);

/** A group of names whose cells take as many lines as they need. */
function narrowed(group: Group, most: number): Group {
  const columns = group.columns.map((column) => ({
    ...column,
    cells: column.cells.map((lines) => latexLines(lines.join(' '), most)),
  }));
  return { ...group, columns };
}

const isOfNames = ({ columns }: Group) => columns.length === 1 && columns[0]!.align === 'l';

/** Groups of which those of names are narrowed, the widest first, until all fit; as far as they can be. */
function narrowedTo(groups: readonly Group[], most: number, gap: number): readonly Group[] {
  let narrow = [...groups];
  for (let limit = PAGE; limit >= LEAST_NAMES && widthOf(narrow, gap) > most; limit -= 8) {
    narrow = groups.map((group) =>
      isOfNames(group) && groupWidth(group, gap) > limit ? narrowed(group, limit) : group,
    );
  }
  return narrow;
}

/** Groups in parts that fit, each with the groups that name the rows. */
function partsThatFit(groups: readonly Group[], gap: number): (readonly Group[])[] {
  const headings = groups.filter((group, i) => group.isHeading || i === 0);
  const names = narrowedTo(headings, MOST_NAMES, gap);
  const values = groups.filter((group) => !headings.includes(group));
  const parts: Group[][] = [];
  for (const group of values) {
    const last = parts.at(-1);
    if (last !== undefined && widthOf([...last, group], gap) <= PAGE) last.push(group);
    else parts.push([...narrowedTo([...names, group], PAGE, gap)]);
  }
  return parts;
}

/** A table as it is set: in the type of the document or in 8 pt, whole or in parts. */
interface Layout {
  readonly isOwnType: boolean;
  /** Points between columns. */
  readonly gap: number;
  readonly parts: readonly (readonly Group[])[];
  /** Points across. */
  readonly width: number;
}

function layOut(groups: readonly Group[]): Layout {
  const own = OWN_FACTOR * widthOf(groups, OWN_GAP / OWN_FACTOR);
  if (own <= COLUMN) return { isOwnType: true, gap: OWN_GAP, parts: [groups], width: own };
  for (const gap of GAPS) {
    const width = widthOf(groups, gap);
    if (width <= COLUMN || (width <= PAGE && gap === GAPS[0]))
      return { isOwnType: false, gap, parts: [groups], width };
  }
  const gap = GAPS[1];
  const whole = narrowedTo(groups, PAGE, gap);
  const parts = widthOf(whole, gap) <= PAGE ? [whole] : partsThatFit(groups, gap);
  return { isOwnType: false, gap, parts, width: Math.max(...parts.map((part) => widthOf(part, gap))) };
}

/** Cells as a line of a tabular: a bracket at its beginning would be an option of the line before. */
const latexLine = (cells: readonly string[]) => `${cells.join(' & ').replace(/^(?=[[*])/, '{}')} \\\\`;

/** One line of titles; where columns have parts, a second one with their names. */
function headOf(groups: readonly Group[], gap: number): string[] {
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
          latexCell(headLines(column.name, widest(column.cells.flat())), column.align, 'b'),
        )
      : [titles[i]!],
  );
  return [latexLine(top), rules.join(' '), latexLine(below)];
}

/** A `tabular` of groups. */
function tabular(groups: readonly Group[], gap: number): string[] {
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

/** Points from the top to the bottom of a part, about. */
function heightOf(groups: readonly Group[]): number {
  const columns = groups.flatMap((group) => group.columns);
  const lines = columns[0]!.cells.map((_, row) =>
    Math.max(...columns.map(({ cells }) => cells[row]!.length)),
  );
  return LINE * (sumOf(lines) + 3) + RULES;
}

/** Text as comments of LaTeX. */
const comments = (text: string) => text.split('\n').map((line) => `% ${line}`.trimEnd());

/** What a document needs for a table, as comments. */
function needs({ isOwnType, width, parts }: Layout, hasCheckMark: boolean): string[] {
  const points = Math.ceil(width);
  const type = isOwnType ? 'in the type of the document' : `in ${TYPE_SIZE} pt type, which it sets`;
  const where =
    width <= COLUMN
      ? 'fits one of two columns'
      : `fits the text of a page (${PAGE} pt in article); in two columns put it into table*`;
  const height = sumOf(parts.map(heightOf));
  return [
    `% Needs \\usepackage{booktabs}${hasCheckMark ? ' and \\usepackage{amssymb}' : ''}.`,
    `% At most ${points} pt wide ${type}: ${where}.`,
    ...(height > PAGE_HEIGHT
      ? [
          `% About ${Math.ceil(height)} pt high, more than a page: without a table environment around it, its parts may go on to the next page.`,
        ]
      : []),
  ];
}

/**
 * A table as a `tabular` of LaTeX with the rules of booktabs, to be taken into a document by `\input`: its title, its caption and
 * what it needs are comments, its signs and notes are explained below it.
 */
export function tableLatex(input: Table): string {
  const shown = { ...input, rows: input.rows.map((row) => row.map(detailed).map(withoutQuestion)) };
  const table = withFormats(shown);
  const layout = layOut(table.columns.map((_, i) => groupOf(table, i)));
  const { isOwnType, gap, parts } = layout;
  const below = [
    latexParagraph(legendOf(table)),
    ...notesOf(table).map((note, i) => `(${i + 1})~${latexParagraph(note)}`),
  ].filter((text) => text !== '');
  const body = [
    ...parts.flatMap((part, i) => [...(i === 0 ? [] : ['\\par\\medskip']), ...tabular(part, gap)]),
    ...below.map(
      (text) =>
        `\\par\\smallskip{\\fontsize{${TYPE_SIZE}}{${LINE}}\\selectfont\\raggedright\\noindent ${text}\\par}`,
    ),
  ];
  const type = [
    `\\begingroup\\fontsize{${TYPE_SIZE}}{${LINE}}\\selectfont\\setlength{\\tabcolsep}{${gap / 2}pt}%`,
  ];
  return [
    ...comments(table.title),
    ...(table.caption === '' ? [] : comments(table.caption)),
    ...needs(
      layout,
      body.some((line) => line.includes(CHECK_MARK)),
    ),
    ...(isOwnType ? body : [...type, ...body, '\\endgroup']),
  ]
    .join('\n')
    .concat('\n');
}
