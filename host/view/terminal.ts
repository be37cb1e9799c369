/** Tables and colours for terminals: bold headings, aligned columns, no boxes. */
import pc from 'picocolors';
import { firstElement } from '../lists.js';
import {
  addColumnFormats,
  boundsDisplayName,
  chooseAlignmentOfColumn,
  chooseSignOfCellPart,
  collectNotesOfTable,
  collectSignsOfTable,
  type DetailedCell,
  findCommonColumnDescription,
  formatCellBounds,
  formatCellPart,
  formatColumnTitleWithUnit,
  type Table,
  type TableCellPart,
  toDetailedCell,
} from './table.js';

/** Terminal column: heading and alignment of its cells (default: right). */
export interface TerminalColumn {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /**
   * Largest width in characters if the table has to fit a given width; longer cells are wrapped. Absent:
   * unlimited.
   */
  readonly most?: number;
}

/** Number of characters per line that fits every terminal. */
export const MAX_TERMINAL_LINE_WIDTH = 80;

const TERMINAL_COLUMN_GAP = '  ';
/** Smallest width in characters to which the last column of a terminal table is wrapped. */
const MIN_FOLDED_COLUMN_WIDTH = 24;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
const COLOR_CODE_PATTERN = /\u001b\[[\d;]*m/g;
const COMBINING_MARK_PATTERN = /\p{Mark}/gu;
const WIDE_CHARACTER_PATTERN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/gu;

/** Display width of a line in terminal columns. */
function measureTerminalTextWidth(lineText: string): number {
  const visibleText = lineText
    .replaceAll(COLOR_CODE_PATTERN, '')
    .replaceAll(COMBINING_MARK_PATTERN, '')
    .replaceAll(WIDE_CHARACTER_PATTERN, '  ');
  return [...visibleText].length;
}

function alignTextLines(cellText: string, width: number, align: 'left' | 'right'): string {
  const paddingBlanks = ' '.repeat(Math.max(0, width - measureTerminalTextWidth(cellText)));
  return align === 'left' ? cellText + paddingBlanks : paddingBlanks + cellText;
}

const computeColumnWidths = (rows: readonly (readonly string[])[]) =>
  firstElement(rows).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, measureTerminalTextWidth(row[column]!)), 0),
  );

/**
 * Aligns rows in columns; if a total width is given, columns with a largest width and the last column are
 * wrapped.
 */
function alignColumns(
  terminalColumns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  width?: number,
): string {
  const naturalWidths = computeColumnWidths(rows);
  const widths =
    width === undefined
      ? naturalWidths
      : naturalWidths.map((naturalWidth, i) =>
          Math.min(naturalWidth, terminalColumns[i]!.most ?? naturalWidth),
        );
  const lastIndex = terminalColumns.length - 1;
  const remainingWidth = widths
    .slice(0, -1)
    .reduce((widthLeft, columnWidth) => widthLeft - columnWidth - TERMINAL_COLUMN_GAP.length, width ?? 0);
  if (width !== undefined)
    widths[lastIndex] = Math.min(widths[lastIndex]!, Math.max(MIN_FOLDED_COLUMN_WIDTH, remainingWidth));
  const formatTextLine = (cells: readonly string[]) =>
    cells
      .map((cellText, i) => alignTextLines(cellText, widths[i]!, terminalColumns[i]!.align ?? 'right'))
      .join(TERMINAL_COLUMN_GAP)
      .trimEnd();
  return rows
    .flatMap((row) => {
      const cellLines = row.map((cellText, i) => {
        if (width === undefined || (i < lastIndex && terminalColumns[i]!.most === undefined))
          return [cellText];
        return i === 0
          ? wrapWithHangingIndent(cellText, widths[i]!)
          : wrapText(cellText, widths[i]!).split('\n');
      });
      const lineCount = Math.max(...cellLines.map(({ length }) => length));
      return Array.from({ length: lineCount }, (_, i) =>
        formatTextLine(cellLines.map((cellLine) => cellLine[i] ?? '')),
      );
    })
    .join('\n');
}

/** Heading lines: one if the table fits the width, otherwise headings are wrapped to narrow the columns. */
function makeHeadingLines(
  terminalColumns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  width = Infinity,
): string[][] {
  const headings = terminalColumns.map(({ heading }) => heading);
  const computeTotalWidth = (widths: readonly number[]) =>
    widths.reduce(
      (sum, columnWidth) => sum + columnWidth + TERMINAL_COLUMN_GAP.length,
      -TERMINAL_COLUMN_GAP.length,
    );
  const naturalWidths = rows.length === 0 ? headings.map(() => 0) : computeColumnWidths(rows);
  const bodyWidths =
    width === Infinity
      ? naturalWidths
      : naturalWidths.map((naturalWidth, i) =>
          Math.min(naturalWidth, terminalColumns[i]!.most ?? naturalWidth),
        );
  if (
    computeTotalWidth(
      bodyWidths.map((bodyWidth, i) => Math.max(bodyWidth, measureTerminalTextWidth(headings[i]!))),
    ) <= width
  )
    return [headings];
  const wrappedHeadings = headings.map((heading, i) => {
    const wordWidths = heading.split(' ').map(measureTerminalTextWidth);
    return wrapText(heading, Math.max(bodyWidths[i]!, ...wordWidths)).split('\n');
  });
  const height = Math.max(...wrappedHeadings.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    wrappedHeadings.map((lines) => lines[line - height + lines.length] ?? ''),
  );
}

/**
 * Formats a table with bold headings, without a final line end. If a width is given, long headings and the
 * last column are wrapped.
 */
export function formatTerminalTable(
  terminalColumns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  colors: TerminalColors,
  width?: number,
): string {
  const formattedHeadingLines = makeHeadingLines(terminalColumns, rows, width).map((headingLine) =>
    headingLine.map((heading) => (heading === '' ? '' : colors.bold(heading))),
  );
  return alignColumns(terminalColumns, [...formattedHeadingLines, ...rows], width);
}

/** Wraps text to a width in characters; lines after the first are indented by two blanks. */
function wrapWithHangingIndent(longText: string, width: number): string[] {
  if (measureTerminalTextWidth(longText) <= width) return [longText];
  const [firstLine = '', ...furtherLines] = wrapText(longText, width - 2).split('\n');
  return [firstLine, ...furtherLines.map((furtherLine) => `  ${furtherLine}`)];
}

/**
 * Narrows text columns one after another from the right until the table fits a width, but never below the
 * longest word.
 */
function narrowTableColumns(
  terminalColumns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): TerminalColumn[] {
  const naturalWidths = computeColumnWidths([terminalColumns.map(({ heading }) => heading), ...rows]);
  let excessWidth =
    naturalWidths.reduce(
      (sum, naturalWidth) => sum + naturalWidth + TERMINAL_COLUMN_GAP.length,
      -TERMINAL_COLUMN_GAP.length,
    ) - width;
  const narrowedColumns = [...terminalColumns];
  for (let i = terminalColumns.length - 1; i >= 0 && excessWidth > 0; i--) {
    const terminalColumn = terminalColumns[i]!;
    if (terminalColumn.align !== 'left') continue;
    const wordWidths = rows.flatMap((row) =>
      row[i]!.split(' ').map((word) => measureTerminalTextWidth(word) + (i === 0 ? 2 : 0)),
    );
    const maxWidth = Math.max(
      naturalWidths[i]! - excessWidth,
      measureTerminalTextWidth(terminalColumn.heading),
      ...wordWidths,
    );
    excessWidth -= naturalWidths[i]! - maxWidth;
    narrowedColumns[i] = { ...terminalColumn, most: maxWidth };
  }
  return narrowedColumns;
}

/** Width in terminal columns of the longest line of a text. */
const measureLongestLineWidth = (cellText: string) =>
  cellText.split('\n').reduce((widest, line) => Math.max(widest, measureTerminalTextWidth(line)), 0);

/** Function that fits columns to a width, given their rows. */
type TerminalTableFitter = (
  columns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
) => readonly TerminalColumn[];

/**
 * Formats a table that is too wide as several tables below each other, each with the heading columns, which
 * name the rows.
 * The columns of a group stay together.
 * @param headingGroupCount number of column groups, from the left, that are repeated in every table.
 * @param fitColumns narrows columns to the width.
 */
function formatFoldedTable(
  columnGroups: readonly (readonly TerminalColumn[])[],
  headingGroupCount: number,
  rows: readonly (readonly string[])[],
  colors: TerminalColors,
  width: number | undefined,
  fitColumns: TerminalTableFitter = (terminalColumns) => terminalColumns,
): string {
  const groupedColumns = columnGroups.flatMap((columnsOfGroup, i) =>
    columnsOfGroup.map((terminalColumn) => ({ column: terminalColumn, groupIndex: i })),
  );
  const formatColumnGroups = (chosenGroups: readonly number[]) => {
    const columnIndices = groupedColumns.flatMap(({ groupIndex }, columnIndex) =>
      chosenGroups.includes(groupIndex) ? [columnIndex] : [],
    );
    const shownRows = rows.map((row) => columnIndices.map((columnIndex) => row[columnIndex]!));
    const terminalColumns = columnIndices.map((columnIndex) => groupedColumns[columnIndex]!.column);
    return formatTerminalTable(fitColumns(terminalColumns, shownRows), shownRows, colors, width);
  };
  const maxWidth = width ?? Infinity;
  const groupIndices = columnGroups.map((_, i) => i);
  const undividedText = formatColumnGroups(groupIndices);
  if (headingGroupCount === 0 || measureLongestLineWidth(undividedText) <= maxWidth) return undividedText;
  const nameGroups = groupIndices.slice(0, headingGroupCount);
  const widthsByGroups = new Map<string, number>();
  const measureWidthOfGroups = (chosenGroups: readonly number[]) => {
    const groupsKey = chosenGroups.join();
    const width =
      widthsByGroups.get(groupsKey) ??
      measureLongestLineWidth(formatColumnGroups([...nameGroups, ...chosenGroups]));
    widthsByGroups.set(groupsKey, width);
    return width;
  };
  const divideWithinWidth = (widthLimit: number) => {
    const groupIndicesByPart: number[][] = [];
    for (const i of groupIndices.slice(headingGroupCount)) {
      const groupIndicesOfLastPart = groupIndicesByPart[groupIndicesByPart.length - 1];
      if (
        groupIndicesOfLastPart !== undefined &&
        measureWidthOfGroups([...groupIndicesOfLastPart, i]) <= widthLimit
      )
        groupIndicesOfLastPart.push(i);
      else groupIndicesByPart.push([i]);
    }
    return groupIndicesByPart;
  };
  // Uses as few parts as possible, about equally wide.
  let parts = divideWithinWidth(maxWidth);
  for (let widthLimit = maxWidth - 1; widthLimit > 0; widthLimit--) {
    const narrowerParts = divideWithinWidth(widthLimit);
    if (narrowerParts.length > parts.length) break;
    parts = narrowerParts;
  }
  return parts.map((part) => formatColumnGroups([...nameGroups, ...part])).join('\n\n');
}

/** Narrows columns to 80 characters, unless unbreakable headings are too wide. */
function fitTableToWidth(
  terminalColumns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
): TerminalColumn[] {
  const findLongestWord = (heading: string) =>
    heading.split(' ').reduce((a, b) => (b.length > a.length ? b : a));
  const columnsWithLongestWord = terminalColumns.map((terminalColumn) => ({
    ...terminalColumn,
    heading: findLongestWord(terminalColumn.heading),
  }));
  return narrowTableColumns(columnsWithLongestWord, rows, MAX_TERMINAL_LINE_WIDTH).map(
    (terminalColumn, i) => ({
      ...terminalColumn,
      heading: terminalColumns[i]!.heading,
    }),
  );
}

/**
 * Formats a table in 80 characters: long row names are wrapped, and columns that still do not fit follow
 * below. A column without heading stays with the one before.
 */
export function formatFittedTable(
  terminalColumns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  colors: TerminalColors,
): string {
  const columnGroups: TerminalColumn[][] = [];
  for (const terminalColumn of terminalColumns) {
    const lastGroup = columnGroups[columnGroups.length - 1];
    if (terminalColumn.heading === '' && lastGroup !== undefined) lastGroup.push(terminalColumn);
    else columnGroups.push([terminalColumn]);
  }
  return formatFoldedTable(columnGroups, 1, rows, colors, MAX_TERMINAL_LINE_WIDTH, fitTableToWidth);
}

/** Wraps words to a width in characters; a longer word gets its own line, and no line starts with `%`. */
export function wrapText(longText: string, width: number): string {
  const lines = [''];
  for (const word of longText.split(/ (?!%)/)) {
    const line = lines[lines.length - 1]!;
    if (line !== '' && measureTerminalTextWidth(line) + 1 + measureTerminalTextWidth(word) > width)
      lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

export const wrapToTerminalLine = (longSentence: string) => wrapText(longSentence, MAX_TERMINAL_LINE_WIDTH);

/**
 * Formats facts as lines: label, first value (numbers aligned), further text. With a width, the further
 * text is wrapped.
 */
export function formatFactsForTerminal(
  facts: readonly (readonly [label: string, value: string, remark?: string])[],
  colors: TerminalColors,
  width?: number,
): string {
  return alignColumns(
    [{ heading: '', align: 'left' }, { heading: '' }, { heading: '', align: 'left' }],
    facts.map(([label, valueText, remark = '']) => [label, valueText, remark && colors.dim(remark)]),
    width,
  );
}

/** Functions that colour text for a terminal or, if colours are off, return it unchanged. */
export type TerminalColors = ReturnType<typeof pc.createColors>;

/** Colour functions; without `areColorsEnabled` they return text unchanged. */
export function makeTerminalColors(areColorsEnabled: boolean): TerminalColors {
  return pc.createColors(areColorsEnabled);
}

/** Terminal column of a table; one table column may become several. */
interface TerminalTextColumn extends TerminalColumn {
  readonly formatCell: (cell: DetailedCell) => string;
}

/** Text with ordinary blanks instead of non-breaking ones, for wrapping and searching. */
const replaceNoBreakSpaces = (spacedText: string) => spacedText.replaceAll('\u00a0', ' ');

/** Separator between the lower and the upper bound of a cell. */
const BOUNDS_SEPARATOR = ' .. ';

/**
 * Cell part with its sign, or padded by the width of a sign if other cells of the column have one, so that
 * numbers align.
 */
function formatCellWithSign(
  table: Table,
  index: number,
  cell: DetailedCell,
  cellPart: TableCellPart,
): string {
  const content = cell[cellPart];
  const cellSign = chooseSignOfCellPart(table, cell, cellPart);
  if (content === undefined || (content === null && cellSign !== undefined)) return cellSign?.mark ?? '';
  const cellText = formatCellPart(content, table.columns[index]!.format);
  const columnHasSigns = table.rows.some((cellRow) => {
    const detailedCell = toDetailedCell(cellRow[index]!);
    return detailedCell.value !== null && chooseSignOfCellPart(table, detailedCell, cellPart) !== undefined;
  });
  return columnHasSigns ? `${cellText} ${cellSign?.mark ?? ' '}` : cellText;
}

function makeTerminalTextColumns(table: Table, index: number, colors: TerminalColors): TerminalTextColumn[] {
  const tableColumn = table.columns[index]!;
  const { most } = tableColumn;
  const valueColumn: TerminalTextColumn = {
    heading: formatColumnTitleWithUnit(tableColumn),
    align: chooseAlignmentOfColumn(tableColumn),
    ...(most === undefined ? {} : { most }),
    formatCell: (cell) => {
      const noteReference =
        cell.note === undefined ? '' : ` (${collectNotesOfTable(table).indexOf(cell.note) + 1})`;
      const cellText = formatCellWithSign(table, index, cell, 'value') + noteReference;
      const coloredText = cell.sign?.tone === 'good' ? colors.green(cellText) : cellText;
      return cell.isEmphasized ? colors.bold(coloredText) : coloredText;
    },
  };
  const areBoundsShown = table.rows.some((cellRow) => toDetailedCell(cellRow[index]!).low !== undefined);
  if (table.details !== 'beside' || !areBoundsShown) return [valueColumn];
  return [
    valueColumn,
    {
      heading: boundsDisplayName(table, tableColumn),
      formatCell: (cell) => formatCellBounds(cell, tableColumn.format, BOUNDS_SEPARATOR),
    },
  ];
}

/** Lines with the details of a row, dimmed, each after its name. */
function formatRowDetails(
  table: Table,
  cellRow: readonly DetailedCell[],
  columns: readonly TerminalTextColumn[][],
  colors: TerminalColors,
) {
  const { columns: tableColumns, details } = table;
  const boundsTexts = cellRow.map((cell, i) =>
    details === 'beside' ? '' : formatCellBounds(cell, tableColumns[i]!.format, BOUNDS_SEPARATOR),
  );
  const publishedTexts = cellRow.map((cell, i) => formatCellWithSign(table, i, cell, 'published'));
  const makeDetailLine = (lineName: string, texts: readonly string[]) =>
    texts.every((text) => text === '')
      ? []
      : [
          texts
            .flatMap((text, i) => [i === 0 ? `  ${lineName}` : text, ...columns[i]!.slice(1).map(() => '')])
            .map(colors.dim),
        ];
  return [
    ...makeDetailLine(boundsDisplayName(table, findCommonColumnDescription(table)), boundsTexts),
    ...makeDetailLine('published', publishedTexts),
  ];
}

/**
 * Formats a table as terminal text: bold title, rows with details, notes and the meaning of marks.
 * @param width terminal width in characters: headings and the last column are wrapped, and columns that do
 * not fit follow below beside repeated row headings. Absent: unlimited.
 */
export function formatTableForTerminal(inputTable: Table, colors: TerminalColors, width?: number): string {
  const table = addColumnFormats(inputTable);
  const columns = table.columns.map((_, i) => makeTerminalTextColumns(table, i, colors));
  const headingColumnCount = table.columns.filter(({ isHeading }) => isHeading).length;
  const textRows = table.rows.flatMap((cells) => {
    const cellRow = cells.map(toDetailedCell);
    const cellTexts = cellRow.flatMap((cell, i) => columns[i]!.map(({ formatCell }) => formatCell(cell)));
    return [cellTexts, ...formatRowDetails(table, cellRow, columns, colors)];
  });
  const signExplanations = collectSignsOfTable(table).map(({ mark, meaning }) => `${mark} ${meaning}`);
  const textsBelow = [
    ...collectNotesOfTable(table).map((note, i) => `(${i + 1}) ${note}`),
    ...(signExplanations.length > 0 ? [signExplanations.join(', ')] : []),
  ];
  const rowsWithPlainSpaces = textRows.map((cells) => cells.map(replaceNoBreakSpaces));
  return [
    ...(table.title === '' ? [] : [colors.bold(wrapText(table.title, width ?? Infinity))]),
    ...(table.times === undefined ? [] : [wrapText(table.times, width ?? Infinity)]),
    formatFoldedTable(columns, headingColumnCount, rowsWithPlainSpaces, colors, width),
    ...textsBelow.map((textBelow) => colors.dim(wrapText(textBelow, width ?? Infinity))),
  ].join('\n');
}
