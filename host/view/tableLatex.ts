/**
 * Tables as LaTeX with booktabs rules, for `\input`. Every table fits the text width of the class article:
 * by smaller type, by wrapping long names or, if needed, by splitting it into parts below each other.
 */
import {
  escapeLatex,
  formatLatexCell,
  formatLatexParagraph,
  LATEX_CHECK_MARK,
  LATEX_FONT_SIZE,
  measureLatexWidth,
  wrapLatexLines,
} from './latexText.js';
import {
  addColumnFormats,
  boundsDisplayName,
  chooseAlignmentOfColumn,
  chooseDisplayNameOfCellPart,
  collectNotesOfTable,
  type DetailedCell,
  formatCellBounds,
  formatColumnTitleWithUnit,
  listCellPartsOfTable,
  type Table,
  type TableCellPart,
  toDetailedCell,
} from './table.js';
import { describeTableSigns, formatCellPartInLanguage, type TableOutputLanguage } from './tableLanguage.js';

const LATEX_LANGUAGE: TableOutputLanguage = {
  formatPlain: escapeLatex,
  formatStrong: (strongText) => `\\textbf{${strongText}}`,
  formatNoteNumber: (noteNumber) => `~(${noteNumber})`,
};

/** Width in points of the text of an article page, and of one of its two columns. */
const [PAGE_WIDTH, COLUMN_WIDTH] = [345, 229];
/** Height in points of the text of an article page. */
const LATEX_PAGE_HEIGHT = 540;
/** Column gaps in points that are tried at 8 pt. */
const LATEX_COLUMN_GAPS = [8, 6] as const;
/**
 * Column gap in points at the document's own type size, and factor by which text is wider there than at 8
 * pt.
 */
const [DOCUMENT_TYPE_GAP, DOCUMENT_TYPE_FACTOR] = [12, 1.3];
/**
 * Smallest width in points of a wrapped column of names, and largest width of all of them in a split table.
 */
const [MIN_NAMES_WIDTH, MAX_NAMES_WIDTH] = [48, 100];
/** Height in points of a line at 8 pt, and of the rules and space around a table. */
const [LINE_HEIGHT, RULES_HEIGHT] = [9.6, 22];

/**
 * Cell without a question mark as its sign if its value is a text, since the verdict in words says
 * the same.
 */
function removeQuestionMarkSign(cell: DetailedCell): DetailedCell {
  if (typeof cell.value !== 'string' || cell.sign?.mark !== '?') return cell;
  const { sign: _, ...otherFields } = cell;
  return otherFields;
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
interface LatexColumnGroup {
  readonly title: string;
  readonly isHeading: boolean;
  readonly columns: readonly LatexColumn[];
}

/** LaTeX columns for one table column: published value, own value and bounds, as far as present. */
function makeLatexColumnGroup(table: Table, index: number): LatexColumnGroup {
  const tableColumn = table.columns[index]!;
  const align = chooseAlignmentOfColumn(tableColumn) === 'left' ? 'l' : 'r';
  const cellParts = listCellPartsOfTable(table);
  const detailedCells = table.rows.map((cellRow) => toDetailedCell(cellRow[index]!));
  const makeColumn = (columnName: string, formatCell: (cell: DetailedCell) => string): LatexColumn => ({
    align,
    name: columnName,
    cells: detailedCells.map((cell) => [formatCell(cell)]),
  });
  const makeColumnOfPart = (cellPart: TableCellPart) =>
    makeColumn(escapeLatex(chooseDisplayNameOfCellPart(cellPart, cellParts, table, tableColumn)), (cell) =>
      formatCellPartInLanguage(LATEX_LANGUAGE, table, tableColumn, cell, cellPart),
    );
  const boundsColumnTitle = escapeLatex(boundsDisplayName(table, tableColumn)).replace(' \\%', '\\,\\%');
  return {
    title: escapeLatex(formatColumnTitleWithUnit(tableColumn)),
    isHeading: tableColumn.isHeading ?? false,
    columns: [
      ...(detailedCells.some(({ published }) => published !== undefined)
        ? [makeColumnOfPart('published')]
        : []),
      makeColumnOfPart('value'),
      ...(detailedCells.some(({ low }) => low !== undefined)
        ? [makeColumn(boundsColumnTitle, (cell) => escapeLatex(formatCellBounds(cell, tableColumn.format)))]
        : []),
    ],
  };
}

const findWidestLineWidth = (lines: readonly string[]) => Math.max(0, ...lines.map(measureLatexWidth));
const sumNumbers = (summands: readonly number[]) => summands.reduce((sum, value) => sum + value, 0);

/** Width in points up to which a heading word is not broken. */
const MAX_UNBROKEN_WORD_WIDTH = 64;

/** Breaks a heading into lines no wider than the cells below, as far as its words allow. */
const wrapLatexHeading = (headingText: string, bodyWidth: number) =>
  wrapLatexLines(
    headingText,
    Math.max(bodyWidth, Math.min(MAX_UNBROKEN_WORD_WIDTH, findWidestLineWidth(headingText.split(' ')))),
  );

/** Width in points of a column, including its own heading if its group has several columns. */
function computeLatexColumnWidth(
  { name: columnName, cells: columnCells }: LatexColumn,
  hasColumnName: boolean,
): number {
  const bodyWidth = findWidestLineWidth(columnCells.flat());
  return hasColumnName
    ? Math.max(bodyWidth, findWidestLineWidth(wrapLatexHeading(columnName, bodyWidth)))
    : bodyWidth;
}

/** Width in points of a column group, including its title. */
function computeLatexColumnGroupWidth(
  { title: groupTitle, columns: groupColumns }: LatexColumnGroup,
  gap: number,
): number {
  const hasColumnNames = groupColumns.length > 1;
  const columnsWidth =
    sumNumbers(groupColumns.map((column) => computeLatexColumnWidth(column, hasColumnNames))) +
    gap * (groupColumns.length - 1);
  return Math.max(columnsWidth, findWidestLineWidth(wrapLatexHeading(groupTitle, columnsWidth)));
}

/** Width in points of several column groups side by side. */
const computeWidthOfColumnGroups = (columnGroups: readonly LatexColumnGroup[], gap: number) =>
  sumNumbers(columnGroups.map((columnGroup) => computeLatexColumnGroupWidth(columnGroup, gap))) +
  gap * (columnGroups.length - 1);

/** Column group of names, with cells wrapped to at most `maxWidth` points. */
function wrapNameColumnGroup(columnGroup: LatexColumnGroup, maxWidth: number): LatexColumnGroup {
  const columns = columnGroup.columns.map((column) => ({
    ...column,
    cells: column.cells.map((lines) => wrapLatexLines(lines.join(' '), maxWidth)),
  }));
  return { ...columnGroup, columns };
}

const isNameColumnGroup = ({ columns: groupColumns }: LatexColumnGroup) =>
  groupColumns.length === 1 && groupColumns[0]!.align === 'l';

/**
 * Wraps columns of names, the widest first, until all groups fit into `maxWidth` points or nothing more can
 * be wrapped.
 */
function wrapNameColumnsToWidth(
  columnGroups: readonly LatexColumnGroup[],
  maxWidth: number,
  gap: number,
): readonly LatexColumnGroup[] {
  let narrowedGroups = [...columnGroups];
  for (
    let widthLimit = PAGE_WIDTH;
    widthLimit >= MIN_NAMES_WIDTH && computeWidthOfColumnGroups(narrowedGroups, gap) > maxWidth;
    widthLimit -= 8
  ) {
    narrowedGroups = columnGroups.map((columnGroup) =>
      isNameColumnGroup(columnGroup) && computeLatexColumnGroupWidth(columnGroup, gap) > widthLimit
        ? wrapNameColumnGroup(columnGroup, widthLimit)
        : columnGroup,
    );
  }
  return narrowedGroups;
}

/** Splits column groups into parts that fit the page; each part repeats the heading columns. */
function splitIntoFittingParts(
  columnGroups: readonly LatexColumnGroup[],
  gap: number,
): (readonly LatexColumnGroup[])[] {
  const headings = columnGroups.filter((columnGroup, i) => columnGroup.isHeading || i === 0);
  const nameGroups = wrapNameColumnsToWidth(headings, MAX_NAMES_WIDTH, gap);
  const valueGroups = columnGroups.filter((columnGroup) => !headings.includes(columnGroup));
  const layoutParts: LatexColumnGroup[][] = [];
  for (const valueGroup of valueGroups) {
    const groupsOfLastPart = layoutParts.at(-1);
    if (
      groupsOfLastPart !== undefined &&
      computeWidthOfColumnGroups([...groupsOfLastPart, valueGroup], gap) <= PAGE_WIDTH
    )
      groupsOfLastPart.push(valueGroup);
    else layoutParts.push([...wrapNameColumnsToWidth([...nameGroups, valueGroup], PAGE_WIDTH, gap)]);
  }
  return layoutParts;
}

/**
 * Layout of a LaTeX table: in the type size of the document or in 8 pt, whole or in parts below each other.
 */
interface LatexTableLayout {
  /** True if the table is set in the type size of the document; false: in 8 pt. */
  readonly isDocumentTypeSize: boolean;
  /** Gap between columns in points. */
  readonly gap: number;
  readonly parts: readonly (readonly LatexColumnGroup[])[];
  /** Width in points. */
  readonly width: number;
}

function layOutLatexTable(columnGroups: readonly LatexColumnGroup[]): LatexTableLayout {
  const documentTypeWidth =
    DOCUMENT_TYPE_FACTOR * computeWidthOfColumnGroups(columnGroups, DOCUMENT_TYPE_GAP / DOCUMENT_TYPE_FACTOR);
  if (documentTypeWidth <= COLUMN_WIDTH)
    return {
      isDocumentTypeSize: true,
      gap: DOCUMENT_TYPE_GAP,
      parts: [columnGroups],
      width: documentTypeWidth,
    };
  for (const gap of LATEX_COLUMN_GAPS) {
    const width = computeWidthOfColumnGroups(columnGroups, gap);
    if (width <= COLUMN_WIDTH || (width <= PAGE_WIDTH && gap === LATEX_COLUMN_GAPS[0]))
      return { isDocumentTypeSize: false, gap, parts: [columnGroups], width };
  }
  const gap = LATEX_COLUMN_GAPS[1];
  const wrappedGroups = wrapNameColumnsToWidth(columnGroups, PAGE_WIDTH, gap);
  const layoutParts =
    computeWidthOfColumnGroups(wrappedGroups, gap) <= PAGE_WIDTH
      ? [wrappedGroups]
      : splitIntoFittingParts(columnGroups, gap);
  return {
    isDocumentTypeSize: false,
    gap,
    parts: layoutParts,
    width: Math.max(...layoutParts.map((columnGroups) => computeWidthOfColumnGroups(columnGroups, gap))),
  };
}

/**
 * Cells as a line of a `tabular`; a leading bracket is protected, since LaTeX would read it as an option of
 * the previous line.
 */
const formatLatexRow = (cells: readonly string[]) => `${cells.join(' & ').replace(/^(?=[[*])/, '{}')} \\\\`;

/** Heading lines of a table: titles and, if columns have parts, a second line with the names of the parts. */
function formatLatexHeading(columnGroups: readonly LatexColumnGroup[], gap: number): string[] {
  const isHeadingSplit = columnGroups.map(({ columns: groupColumns }) => groupColumns.length > 1);
  const titles = columnGroups.map((columnGroup, i) => {
    const [firstColumn] = columnGroup.columns as readonly [LatexColumn];
    const bodyWidth = isHeadingSplit[i]
      ? computeLatexColumnGroupWidth({ ...columnGroup, title: '' }, gap)
      : computeLatexColumnWidth(firstColumn, false);
    return formatLatexCell(
      wrapLatexHeading(columnGroup.title, bodyWidth),
      isHeadingSplit[i] ? 'c' : firstColumn.align,
      'b',
    );
  });
  if (!isHeadingSplit.includes(true)) return [formatLatexRow(titles)];
  const topHeadings = titles.map((title, i) => {
    if (!isHeadingSplit[i]) return '';
    const columnPadding = [i === 0 ? '@{}' : '', i === titles.length - 1 ? '@{}' : ''];
    return `\\multicolumn{${columnGroups[i]!.columns.length}}{${columnPadding.join('c')}}{${title}}`;
  });
  const ruleCommands = columnGroups.flatMap(({ columns: { length } }, i) => {
    const firstColumnNumber = columnGroups
      .slice(0, i)
      .reduce((sum, { columns: groupColumns }) => sum + groupColumns.length, 1);
    return length > 1 ? [`\\cmidrule(lr){${firstColumnNumber}-${firstColumnNumber + length - 1}}`] : [];
  });
  const partHeadings = columnGroups.flatMap(({ columns: groupColumns }, i) =>
    isHeadingSplit[i]
      ? groupColumns.map((column) =>
          formatLatexCell(
            wrapLatexHeading(column.name, findWidestLineWidth(column.cells.flat())),
            column.align,
            'b',
          ),
        )
      : [titles[i]!],
  );
  return [formatLatexRow(topHeadings), ruleCommands.join(' '), formatLatexRow(partHeadings)];
}

/** LaTeX `tabular` environment of column groups. */
function formatTabularEnvironment(columnGroups: readonly LatexColumnGroup[], gap: number): string[] {
  const columns = columnGroups.flatMap((columnGroup) => columnGroup.columns);
  const rows = columns[0]!.cells.map((_, row) =>
    formatLatexRow(columns.map(({ align, cells: columnCells }) => formatLatexCell(columnCells[row]!, align))),
  );
  return [
    `\\noindent\\begin{tabular}{@{}${columns.map(({ align }) => align).join('')}@{}}`,
    '\\toprule',
    ...formatLatexHeading(columnGroups, gap),
    '\\midrule',
    ...rows,
    '\\bottomrule',
    '\\end{tabular}',
  ];
}

/** Approximate height in points of one part of a split table. */
function estimateLatexTableHeight(columnGroups: readonly LatexColumnGroup[]): number {
  const columns = columnGroups.flatMap((columnGroup) => columnGroup.columns);
  const lineCounts = columns[0]!.cells.map((_, row) =>
    Math.max(...columns.map(({ cells: columnCells }) => columnCells[row]!.length)),
  );
  return LINE_HEIGHT * (sumNumbers(lineCounts) + 3) + RULES_HEIGHT;
}

/** Text as LaTeX comment lines. */
const formatLatexComment = (commentText: string) =>
  commentText.split('\n').map((line) => `% ${line}`.trimEnd());

/** LaTeX comments that list the packages and type size a table needs. */
function makeLatexRequirementComments(
  { isDocumentTypeSize, width, parts: tableParts }: LatexTableLayout,
  hasCheckMark: boolean,
): string[] {
  const widthPoints = Math.ceil(width);
  const typeSizeDescription = isDocumentTypeSize
    ? 'in the type of the document'
    : `in ${LATEX_FONT_SIZE} pt type, which it sets`;
  const fitDescription =
    width <= COLUMN_WIDTH
      ? 'fits one of two columns'
      : `fits the text of a page (${PAGE_WIDTH} pt in article); in two columns put it into table*`;
  const height = sumNumbers(tableParts.map(estimateLatexTableHeight));
  return [
    `% Needs \\usepackage{booktabs}${hasCheckMark ? ' and \\usepackage{amssymb}' : ''}.`,
    `% At most ${widthPoints} pt wide ${typeSizeDescription}: ${fitDescription}.`,
    ...(height > LATEX_PAGE_HEIGHT
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
export function formatTableAsLatex(inputTable: Table): string {
  const tableToPrint = {
    ...inputTable,
    rows: inputTable.rows.map((cellRow) => cellRow.map(toDetailedCell).map(removeQuestionMarkSign)),
  };
  const table = addColumnFormats(tableToPrint);
  const layout = layOutLatexTable(table.columns.map((_, i) => makeLatexColumnGroup(table, i)));
  const { isDocumentTypeSize, gap, parts: tableParts } = layout;
  const textsBelow = [
    formatLatexParagraph(describeTableSigns(table)),
    ...collectNotesOfTable(table).map((note, i) => `(${i + 1})~${formatLatexParagraph(note)}`),
  ].filter((textBelow) => textBelow !== '');
  const bodyLines = [
    ...tableParts.flatMap((columnGroups, i) => [
      ...(i === 0 ? [] : ['\\par\\medskip']),
      ...formatTabularEnvironment(columnGroups, gap),
    ]),
    ...textsBelow.map(
      (textBelow) =>
        `\\par\\smallskip{\\fontsize{${LATEX_FONT_SIZE}}{${LINE_HEIGHT}}\\selectfont\\raggedright\\noindent ${textBelow}\\par}`,
    ),
  ];
  const typeSizeCommands = [
    `\\begingroup\\fontsize{${LATEX_FONT_SIZE}}{${LINE_HEIGHT}}\\selectfont\\setlength{\\tabcolsep}{${gap / 2}pt}%`,
  ];
  return [
    ...formatLatexComment(table.title),
    ...(table.caption === '' ? [] : formatLatexComment(table.caption)),
    ...makeLatexRequirementComments(
      layout,
      bodyLines.some((line) => line.includes(LATEX_CHECK_MARK)),
    ),
    ...(isDocumentTypeSize ? bodyLines : [...typeSizeCommands, ...bodyLines, '\\endgroup']),
  ]
    .join('\n')
    .concat('\n');
}
