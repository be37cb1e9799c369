/** Tables as files that other programs read: CSV, Markdown, LaTeX. */
import { csvLine, type Scalar } from '../format/csv.js';
import {
  alignOf,
  boundsName,
  boundsText,
  type CellPart,
  type DetailedCell,
  detailed,
  insideText,
  notesOf,
  partName,
  partsOf,
  partText,
  signOf,
  signsOf,
  type Table,
  type TableColumn,
  titleOf,
  withFormats,
} from './table.js';

/** The values of a table in full digits; the further parts of a column in columns of their own behind it. */
export function tableCsv(table: Table): string {
  const { columns, rows } = table;
  const parts = (['published', 'low', 'high'] as const).map(
    (part) => [part, partName(part, [], table)] as const,
  );
  const present = columns.map((_, i) =>
    parts.filter(([part]) => rows.some((row) => detailed(row[i]!)[part] !== undefined)),
  );
  const head = columns.flatMap(({ title }, i) => [
    title,
    ...present[i]!.map(([, name]) => `${title}, ${name}`),
  ]);
  const body = rows.map((row) =>
    row
      .map(detailed)
      .flatMap((cell, i): Scalar[] => [
        cell.value ?? cell.sign?.mark ?? null,
        ...present[i]!.map(([part]) => cell[part] ?? null),
      ]),
  );
  return [head, ...body].map(csvLine).join('');
}

/** The folder of tables, beside the page. */
export const TABLE_FOLDER = 'tables';

/** Notation of a language for plain text, emphasis and numbers of notes. */
interface Language {
  readonly plain: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly noteNumber: (number: number) => string;
}

/** The words of one part of a cell in a language: emphasized, with its sign, and the numbers of its notes. */
function partIn(
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
function legendOf(table: Table): string {
  const signs = signsOf(table).map(({ mark, meaning }) => `${mark} ${meaning}`);
  const inside = insideText(table);
  return [
    ...(inside === '' ? [] : [`${inside}.`]),
    ...(signs.length === 0 ? [] : [`${signs.join(', ')}.`]),
  ].join(' ');
}

/** Text as Markdown takes it, which would take what looks like HTML for that. */
function markdownText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const MARKDOWN: Language = {
  plain: (text) => markdownText(text).replaceAll('|', '\\|'),
  strong: (text) => `**${text}**`,
  noteNumber: (number) => ` (${number})`,
};

function markdownCell(table: Table, column: TableColumn, cell: DetailedCell): string {
  const own = partIn(MARKDOWN, table, column, cell, 'value');
  const bounds = boundsText(cell, column.format);
  const range = bounds === '' ? '' : ` (${bounds})`;
  const published =
    cell.published === undefined ? '' : `, published ${partIn(MARKDOWN, table, column, cell, 'published')}`;
  return own + range + published;
}

/** A table as Markdown under a heading: each cell with its bounds and what was published. */
export function tableMarkdown(input: Table): string {
  const table = withFormats(input);
  const { title, caption, columns, rows } = table;
  const head = columns.map((column) => MARKDOWN.plain(titleOf(column)));
  const rule = columns.map((column) => (alignOf(column) === 'left' ? ':--' : '--:'));
  const body = rows.map((row) => row.map((cell, i) => markdownCell(table, columns[i]!, detailed(cell))));
  const lines = [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`);
  const notes = notesOf(table).map((note, i) => `(${i + 1}) ${note}`);
  const prose = (texts: readonly string[]) => texts.filter((text) => text !== '').map(markdownText);
  return [
    `# ${markdownText(title)}`,
    ...prose([caption.trim()]),
    lines.join('\n'),
    ...prose([legendOf(table), ...notes]),
  ]
    .join('\n\n')
    .concat('\n');
}

const LATEX_SIGNS: Readonly<Record<string, string>> = {
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '{': '\\{',
  '}': '\\}',
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "''",
  '\u2212': '$-$',
  '\u2013': '--',
  '\u00a0': '~',
  '\u00d7': '$\\times$',
  '\u00b1': '$\\pm$',
  '\u2192': '$\\to$',
  '\u2264': '$\\le$',
  '\u2265': '$\\ge$',
  '\u2026': '\\dots{}',
  '\u2248': '$\\approx$',
  '\u2713': '$\\surd$',
  '\u2717': '$\\times$',
};
const LATEX_SPECIAL = new RegExp(
  `[${Object.keys(LATEX_SIGNS).join('').replace('\\', '\\\\').replace('^', '\\^')}]`,
  'g',
);

/** Text as LaTeX sets it in any document, in one line. */
function latexText(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(LATEX_SPECIAL, (found) => LATEX_SIGNS[found] ?? found);
}

const LATEX: Language = {
  plain: latexText,
  strong: (text) => `\\textbf{${text}}`,
  noteNumber: (number) => `\\textsuperscript{${number}}`,
};

/** A column of LaTeX; a column of a table may become several. */
interface LatexColumn {
  /** Name below the title of the column. */
  readonly name: string;
  readonly text: (cell: DetailedCell) => string;
}

/** Published value, own value and bounds side by side, as far as a column has them. */
function latexColumns(table: Table, index: number): LatexColumn[] {
  const column = table.columns[index]!;
  const parts = partsOf(table);
  const cells = table.rows.map((row) => detailed(row[index]!));
  const ofPart = (part: CellPart): LatexColumn => ({
    name: partName(part, parts, table, column),
    text: (cell) => partIn(LATEX, table, column, cell, part),
  });
  return [
    ...(cells.some(({ published }) => published !== undefined) ? [ofPart('published')] : []),
    ofPart('value'),
    ...(cells.some(({ low }) => low !== undefined)
      ? [
          {
            name: latexText(boundsName(table, column)).replace(' \\%', '\\,\\%'),
            text: (cell: DetailedCell) => latexText(boundsText(cell, column.format)),
          },
        ]
      : []),
  ];
}

/** Cells as a line of a tabular: a bracket at its beginning would be an option of the line before. */
const latexLine = (cells: readonly string[]) => `${cells.join(' & ').replace(/^(?=[[*])/, '{}')} \\\\`;

/** One line of titles; where columns have parts, a second one with their names. */
function latexHead({ columns }: Table, groups: readonly LatexColumn[][]): string[] {
  const heads = columns.map((column) => latexText(titleOf(column)));
  const isSplit = groups.map(({ length }) => length > 1);
  if (!isSplit.includes(true)) return [latexLine(heads)];
  const top = heads.map((head, i) => (isSplit[i] ? `\\multicolumn{${groups[i]!.length}}{c}{${head}}` : ''));
  const rules = groups.flatMap(({ length }, i) => {
    const first = groups.slice(0, i).reduce((sum, group) => sum + group.length, 1);
    return length > 1 ? [`\\cmidrule(lr){${first}-${first + length - 1}}`] : [];
  });
  const below = groups.flatMap((group, i) => (isSplit[i] ? group.map(({ name }) => name) : [heads[i]!]));
  return [latexLine(top), rules.join(' '), latexLine(below)];
}

/** Text as comments of LaTeX. */
const comments = (text: string) => text.split('\n').map((line) => `% ${line}`.trimEnd());

/**
 * A table as a `tabular` of LaTeX with the rules of booktabs, to be taken into a document by `\input`: its title and
 * caption are comments, its signs and notes are explained below it.
 */
export function tableLatex(input: Table): string {
  const table = withFormats(input);
  const { title, caption, columns, rows } = table;
  const groups = columns.map((_, i) => latexColumns(table, i));
  const aligns = columns.flatMap((column, i) =>
    groups[i]!.map(() => (alignOf(column) === 'left' ? 'l' : 'r')),
  );
  const body = rows.map((row) =>
    latexLine(row.flatMap((cell, i) => groups[i]!.map(({ text }) => text(detailed(cell))))),
  );
  const below = [
    latexText(legendOf(table)),
    ...notesOf(table).map((note, i) => `${LATEX.noteNumber(i + 1)}~${latexText(note)}`),
  ].filter((text) => text !== '');
  return [
    ...comments(title),
    ...(caption === '' ? [] : comments(caption)),
    '% Needs \\usepackage{booktabs}.',
    `\\begin{tabular}{@{}${aligns.join('')}@{}}`,
    '\\toprule',
    ...latexHead(table, groups),
    '\\midrule',
    ...body,
    '\\bottomrule',
    '\\end{tabular}',
    ...below.map((text) => `\\par\\smallskip{\\footnotesize ${text}\\par}`),
  ]
    .join('\n')
    .concat('\n');
}

/** Formats of tables: file ending, audience, and writer. */
export const TABLE_FORMATS = [
  { ending: 'csv', meaning: 'CSV', textOf: tableCsv },
  { ending: 'md', meaning: 'Markdown', textOf: tableMarkdown },
  { ending: 'tex', meaning: 'LaTeX', textOf: tableLatex },
] as const;

/** The files of a table by name: `ID.csv` and the like. */
export function tableFiles(table: Table): { readonly name: string; readonly text: string }[] {
  return TABLE_FORMATS.map(({ ending, textOf }) => ({ name: `${table.id}.${ending}`, text: textOf(table) }));
}

// Values of methods by replication as CSV

/** File of the values of each method in each replication. */
export const VALUES_FILE = 'values.csv';

/** Values of one metric by method, then by replication. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly (readonly number[])[];
}

/** Columns that replace the number of the replication: their headings, and their cells by line. */
export interface LineColumns {
  readonly headings: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
}

/** The lines of values.csv: method, replication from 1 (or other columns), metrics; an empty cell is no value. */
export function* valueLines(
  names: readonly string[],
  metrics: readonly NamedValues[],
  { headings, lines }: LineColumns = {
    headings: ['replication'],
    lines: (metrics[0]?.values[0] ?? []).map((_, i) => [i + 1]),
  },
): Generator<string> {
  yield csvLine(['method', ...headings, ...metrics.map(({ name }) => name)]);
  for (const [method, name] of names.entries())
    for (const [i, line] of lines.entries()) {
      const values = metrics.map(({ values: all }) => all[method]![i] ?? Number.NaN);
      yield csvLine([name, ...line, ...values.map((value) => (Number.isNaN(value) ? null : value))]);
    }
}
