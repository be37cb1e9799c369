import { expect, test } from 'vitest';
import { formatValue } from '../../host/format/numbers.js';
import { formatTableAsCsv, formatTableAsMarkdown, makeFilesOfTable } from '../../host/view/files.js';
import { makeTableHtml } from '../../host/view/htmlTable.js';
import type { CellSign, Table } from '../../host/view/table.js';
import { formatTableAsLatex } from '../../host/view/tableLatex.js';
import { formatTableForTerminal, makeTerminalColors } from '../../host/view/terminal.js';
import { parseMarkup } from '../draw/wellFormed.js';

/** Tests one table written as text, HTML, CSV and in other formats. */

const UNDECIDED_SIGN: CellSign = { mark: '~', meaning: 'undecided' };
const TABLE: Table = {
  id: 'waits',
  title: 'Waits & more',
  caption: 'By load, 50 % of_all.',
  bounds: 'interval',
  columns: [
    { title: 'method', isHeading: true },
    { title: 'mean wait', unit: 's', format: { style: 'fixed', decimals: 1 } },
    { title: 'gain', format: { style: 'percent', isSigned: true } },
    { title: 'sign' },
  ],
  rows: [
    ['a_b | <c>', { value: 1234.56, low: -1200, high: 1300, published: '1,2', isInside: true }, 0.25, null],
    [
      'best',
      { value: 7, low: 6, high: 9, isEmphasized: true, note: 'of 3 runs' },
      -0.5,
      { value: null, sign: UNDECIDED_SIGN },
    ],
  ],
};
const plainColors = makeTerminalColors(false);

test('a terminal has lines of details, signs, notes and what they mean', () => {
  expect(formatTableForTerminal(TABLE, plainColors).split('\n')).toEqual([
    'Waits & more',
    'method                 mean wait [s]   gain  sign',
    'a_b | <c>                    1,234.6  +25 %  \u2013',
    '  95 % interval  \u22121,200.0 .. 1,300.0',
    '  published                    1,2 ✓',
    'best                         7.0 (1)  \u221250 %  ~',
    '  95 % interval           6.0 .. 9.0',
    '(1) of 3 runs',
    '✓ inside, ✗ outside, ~ undecided',
  ]);
});

test('bounds are beside their values on request, and a narrow terminal breaks headings', () => {
  const tableWithDetailsBeside: Table = { ...TABLE, details: 'beside' };
  expect(formatTableForTerminal(tableWithDetailsBeside, plainColors).split('\n')[1]).toBe(
    'method       mean wait [s]        95 % interval   gain  sign',
  );
  expect(formatTableForTerminal(tableWithDetailsBeside, plainColors).split('\n')[1].length).toBeGreaterThan(
    55,
  );
  const narrowLines = formatTableForTerminal(tableWithDetailsBeside, plainColors, 55).split('\n');
  expect(Math.max(...narrowLines.map((narrowLine) => narrowLine.length))).toBeLessThanOrEqual(55);
});

test('CSV has all digits, and a column for each part', () => {
  expect(formatTableAsCsv(TABLE)).toBe(
    'method,mean wait,"mean wait, published","mean wait, low","mean wait, high",gain,sign\n' +
      'a_b | <c>,1234.56,"1,2",-1200,1300,0.25,\n' +
      'best,7,,6,9,-0.5,~\n',
  );
});

test('in Markdown no text becomes markup', () => {
  expect(formatTableAsMarkdown(TABLE).replaceAll('\u00a0', ' ')).toBe(
    [
      '# Waits &amp; more\n\nBy load, 50 % of_all.\n',
      '| method | mean wait [s] | gain | sign |',
      '| :-- | --: | --: | :-- |',
      '| a_b \\| &lt;c> | 1,234.6 (\u22121,200.0 to 1,300.0), published 1,2 ✓ | +25 % | \u2013 |',
      '| best | **7.0** (1) (6.0 to 9.0) | \u221250 % | ~ |',
      '\n1 of 1 published values lie inside the 95 % interval. ✓ inside, ✗ outside, ~ undecided.',
      '\n(1) of 3 runs\n',
    ].join('\n'),
  );
});

test('LaTeX is a tabular with the rules of booktabs, every character escaped', () => {
  expect(formatTableAsLatex(TABLE)).toBe(
    [
      '% Waits & more',
      '% By load, 50 % of_all.',
      '% Needs \\usepackage{booktabs} and \\usepackage{amssymb}.',
      '% At most 256 pt wide in 8 pt type, which it sets: fits the text of a page (345 pt in article); in two columns put it into table*.',
      '\\begingroup\\fontsize{8}{9.6}\\selectfont\\setlength{\\tabcolsep}{4pt}%',
      '\\noindent\\begin{tabular}{@{}lrrrrl@{}}',
      '\\toprule',
      ' & \\multicolumn{3}{c}{mean wait [s]} &  &  \\\\',
      '\\cmidrule(lr){2-4}',
      'method & published & mean & 95\\,\\% interval & gain & sign \\\\',
      '\\midrule',
      'a\\_b \\textbar{} \\textless{}c\\textgreater{} & 1,2 $\\checkmark$ & 1,234.6 & $-$1,200.0 to 1,300.0 & +25~\\% & -- \\\\',
      'best & -- & \\textbf{7.0}~(1) & 6.0 to 9.0 & $-$50~\\% & \\textasciitilde{} \\\\',
      '\\bottomrule',
      '\\end{tabular}',
      '\\par\\smallskip{\\fontsize{8}{9.6}\\selectfont\\raggedright\\noindent 1 of 1 published values lie inside the 95 \\% interval. $\\checkmark$ inside, $\\times$ outside, \\textasciitilde{} undecided.\\par}',
      '\\par\\smallskip{\\fontsize{8}{9.6}\\selectfont\\raggedright\\noindent (1)~of 3 runs\\par}',
      '\\endgroup',
      '',
    ].join('\n'),
  );
  const latexOfHostileTexts = formatTableAsLatex({
    ...TABLE,
    title: 'a\nb',
    rows: [['[\\&%$#_{}~^"\n]', 1, 1, '\u00b1']],
  });
  expect(latexOfHostileTexts).toContain('% a\n% b\n');
  expect(latexOfHostileTexts).toContain(
    "\n{}[\\textbackslash{}\\&\\%\\$\\#\\_\\{\\}\\textasciitilde{}\\textasciicircum{}'' ] & 1.0 & +100~\\% & $\\pm$ \\\\\n",
  );
});

test('HTML says what signs mean, to screen readers too', () => {
  const html = makeTableHtml(TABLE);
  parseMarkup(html);
  expect(html).toContain('✓</span> inside</span>');
  expect(html).toContain('<span aria-hidden="true">~</span><span class="spoken"> undecided</span>');
  expect(html).not.toContain('<c>');
});

test('a table without details, signs and notes has nothing below it', () => {
  const table: Table = {
    ...TABLE,
    title: '',
    caption: '',
    columns: TABLE.columns.slice(0, 1),
    rows: [['x']],
  };
  expect(formatTableForTerminal(table, plainColors)).toBe('method\nx');
  expect(makeFilesOfTable(table).map(({ name: fileName }) => fileName)).toEqual([
    'waits.csv',
    'waits.md',
    'waits.tex',
  ]);
  expect(formatTableAsLatex(table)).not.toContain('\\par');
});

test('columns without room follow below, with the headings of the rows', () => {
  for (let methods = 1; methods <= 12; methods++) {
    const methodNames = Array.from({ length: methods }, (_, i) => `method-${i}`);
    const table: Table = {
      ...TABLE,
      columns: [
        { title: 'class', isHeading: true },
        { title: 'jobs' },
        ...methodNames.map((title) => ({ title, format: { style: 'fixed' } as const })),
      ],
      rows: ['short', 'long'].map((name, row) => [
        name,
        31 * row,
        ...methodNames.map((_, i) => ({ value: 1e6 * (i + 1), low: 1e6 * i, high: 1e7 * i })),
      ]),
    };
    const lines = formatTableForTerminal(table, plainColors, 80).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const classLines = lines.filter((line) => line.startsWith('class'));
    expect(lines.filter((line) => line.startsWith('short'))).toHaveLength(classLines.length);
    expect(classLines.join(' ').match(/method-\d+|jobs/g)).toEqual(['jobs', ...methodNames]);
    expect(
      formatTableForTerminal(table, plainColors)
        .split('\n')
        .filter((line) => line.startsWith('class')),
    ).toHaveLength(1);
  }
});

/** Values of several magnitudes; those in a row are close to each other. */
const VALUE_MAGNITUDES = [0.02, 3, 28, 610, 5000, 40_000];
const rowsOf = (firstValuesOfRows: readonly number[], relativeValueDistance: number): number[][] =>
  firstValuesOfRows.map((size) => [
    size,
    size * (1 + relativeValueDistance),
    size * (1 + 3 * relativeValueDistance),
  ]);

test.each(
  VALUE_MAGNITUDES.flatMap((firstRowMagnitude) =>
    VALUE_MAGNITUDES.map((large) => [firstRowMagnitude, large]),
  ),
)(
  'different values of a row of about %d do not look equal beside rows of about %d',
  (firstRowMagnitude, large) => {
    for (const relativeValueDistance of [0.002, 0.01, 0.04, 0.2]) {
      const rows = rowsOf([firstRowMagnitude, large], relativeValueDistance);
      const table: Table = {
        ...{ id: 'sizes', title: '', caption: '' },
        columns: [
          { title: 'log', isHeading: true },
          ...['easy', 'fcfs', 'sjf'].map((title) => ({ title, format: { style: 'measure' } as const })),
        ],
        rows: rows.map((row, i) => [`log ${i}`, ...row]),
      };
      const printedCellsByRow = formatTableForTerminal(table, plainColors)
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ {2,}/).slice(1));
      const cells = [...formatTableAsMarkdown(table).matchAll(/^\| log \d \|(.*)\|$/gm)].map(([, row]) =>
        row!.split('|'),
      );
      for (const [i, row] of rows.entries()) {
        const separatelyFormattedTexts = new Set(
          row.map((value) => formatValue(value, { style: 'measure' })),
        );
        for (const shownTexts of [printedCellsByRow[i]!, cells[i]!])
          expect(new Set(shownTexts).size).toBeGreaterThanOrEqual(separatelyFormattedTexts.size);
      }
    }
  },
);

test('columns in other units, and values that are equal, keep one number of decimals', () => {
  const measure = (title: string, measureUnit: string) => ({
    title,
    unit: measureUnit,
    format: { style: 'measure' } as const,
  });
  const table: Table = {
    ...{ id: 'units', title: '', caption: '' },
    columns: [measure('wait', 's'), measure('jobs', 'jobs'), measure('run', 's')],
    rows: [
      [28.4, 28.1, 28.4],
      [15_000, 15_000, 14_000],
    ],
  };
  expect(formatTableForTerminal(table, plainColors).split('\n')[1]!.trim().split(/ +/)).toEqual([
    '28',
    '28',
    '28',
  ]);
});
