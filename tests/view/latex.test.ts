import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { escapeLatex, measureLatexWidth, wrapLatexLines } from '../../host/view/latexText.js';
import type { Table } from '../../host/view/table.js';
import { formatTableAsLatex } from '../../host/view/tableLatex.js';
import { runGridalloc, writeStudyFile } from '../runs/childProcess.js';
import { makeSmallLogText, reduceStudy } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const areLatexTestsSkipped = spawnSync('pdflatex', ['--version']).error !== undefined;
const SKIPPED_TEST_SUFFIX = areLatexTestsSkipped ? ' is skipped: there is no pdflatex' : '';

/** All printable ASCII characters, and the other characters used in tables. */
const ASCII_CHARACTERS = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
const SIGN_CHARACTERS = `${ASCII_CHARACTERS} \u2212\u2013\u00a0\u00d7\u00b1\u2192\u2264\u2265\u2026\u2713\u2717\u2248é`;

const TABLE: Table = {
  id: 'signs',
  title: `Signs ${SIGN_CHARACTERS}`,
  caption: 'A line\nand another, with a % in it.',
  columns: [
    { title: 'method_of & more', isHeading: true },
    { title: 'wait', unit: 's', format: { style: 'measure' } },
    { title: 'share', format: { style: 'percent', decimals: 1, isSigned: true } },
  ],
  rows: [
    [
      SIGN_CHARACTERS,
      { value: 1234.5, low: -1, high: 2, note: SIGN_CHARACTERS },
      { value: -0.1, low: -0.2, high: 0 },
    ],
    [
      '[a]',
      { value: 3, published: '0.9', isInside: true },
      { value: null, sign: { mark: '≈', meaning: 'near' } },
    ],
    ...Array.from({ length: 60 }, (_, i) => [`*row ${i}`, i / 7, i / 60]),
  ],
  bounds: 'interval',
};

/** A table of eight methods with long names, too wide for a page unless it is divided. */
const WIDE_TABLE: Table = {
  id: 'wide',
  title: 'Wide',
  caption: '',
  columns: [
    { title: 'metric', isHeading: true },
    ...Array.from({ length: 8 }, (_, i) => ({
      title: `easy backfill processors*estimate${i}, queue per-home`,
      format: { style: 'measure' } as const,
    })),
  ],
  rows: Array.from({ length: 9 }, (_, i) => [
    `a metric with a rather long label, number ${i}, of the jobs that ended`,
    ...Array.from({ length: 8 }, (_, j) => ({ value: 1e5 * (i + j), low: -123_456.78, high: 1_234_567.8 })),
  ]),
  bounds: 'joint',
};

test('a wide table is cut into parts, and says how wide they are', () => {
  const latexOfTable = formatTableAsLatex(WIDE_TABLE);
  const [, width] = /% At most (\d+) pt wide in 8 pt type/.exec(latexOfTable)!;
  expect(Number(width)).toBeLessThanOrEqual(345);
  expect(latexOfTable.match(/\\begin\{tabular\}\{@\{\}l/g)!.length).toBeGreaterThan(2);
  expect(latexOfTable.match(/number 8, of/g)!.length).toBe(latexOfTable.match(/\\bottomrule/g)!.length);
});

test('a narrow table has the type of its document', () => {
  const latexOfTable = formatTableAsLatex({
    ...WIDE_TABLE,
    columns: WIDE_TABLE.columns.slice(0, 1),
    rows: [['x']],
  });
  expect(latexOfTable).not.toContain('fontsize');
  expect(latexOfTable).toContain(
    '% At most 31 pt wide in the type of the document: fits one of two columns.',
  );
});

test('check marks are check marks, and an undecided method has no question mark', () => {
  const verdicts: Table = {
    ...WIDE_TABLE,
    columns: [{ title: 'verdict' }],
    rows: [
      [{ value: 'best', sign: { mark: '✓', meaning: 'best: the best' } }],
      [{ value: 'undecided', sign: { mark: '?', meaning: 'undecided: either' } }],
    ],
  };
  const latexOfTable = formatTableAsLatex(verdicts);
  expect(latexOfTable).toContain('% Needs \\usepackage{booktabs} and \\usepackage{amssymb}.');
  expect(latexOfTable).toContain('best $\\checkmark$ \\\\\nundecided \\\\\n');
  expect(latexOfTable).not.toMatch(/surd|[?]/);
});

test('lines end between words, and behind commas of long words', () => {
  expect(wrapLatexLines('one two three', 40)).toEqual(['one two', 'three']);
  expect(wrapLatexLines('draw[sh=0.12,seed=1]', 40)).toEqual(['draw[sh=', '0.12,seed=', '1]']);
  expect(wrapLatexLines(escapeLatex('a_b & c'), 14)).toEqual(['a\\_b', '\\& c']);
  expect(wrapLatexLines('12345', 9)).toEqual(['12', '34', '5']);
});

/** A LaTeX document class, and whether it has two columns. */
interface LatexPaperClass {
  readonly begin: string;
  readonly isDouble: boolean;
}

const LATEX_PAPER_CLASSES: readonly LatexPaperClass[] = [
  { begin: '\\documentclass{article}', isDouble: false },
  { begin: '\\documentclass[twocolumn]{article}', isDouble: true },
  { begin: '\\documentclass{IEEEtran}', isDouble: true },
];

describe.skipIf(areLatexTestsSkipped)(`LaTeX${SKIPPED_TEST_SUFFIX}`, { timeout: 240_000 }, () => {
  const folder = makeTemporaryFolder();
  const isIeeeClassInstalled = spawnSync('kpsewhich', ['IEEEtran.cls', 'ptmr7t.tfm']).status === 0;

  /**
   * Typesets a document and returns its log. Boxes that are too wide, and type below 7 pt, are
   * errors.
   */
  function compileProgram(begin: string, documentBodyLines: readonly string[]): string {
    const lines = [
      begin,
      '\\pdfcompresslevel=0 \\pdfobjcompresslevel=0',
      '\\usepackage{booktabs}',
      '\\usepackage{amssymb}',
      '\\usepackage{graphicx}',
      '\\begin{document}',
      ...documentBodyLines,
      '\\end{document}',
    ];
    writeFileSync(join(folder, 'paper.tex'), lines.join('\n'));
    const programWords = ['-interaction=nonstopmode', '-halt-on-error', 'paper.tex'];
    const { status, stdout } = spawnSync('pdflatex', programWords, { cwd: folder, encoding: 'utf8' });
    expect(stdout.match(/^!.*(?:\n.*){3}/gm) ?? []).toEqual([]);
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/Output written on paper\.pdf/);
    expect(stdout.match(/^Overfull \\hbox.*\n.*/gm) ?? []).toEqual([]);
    const pdfText = readFileSync(join(folder, 'paper.pdf'), 'latin1');
    const fontSizes = [...pdfText.matchAll(/\/F\d+ ([\d.]+) Tf/g)].map(([, size]) => Number(size));
    expect(fontSizes.length).toBeGreaterThan(0);
    // TeX's 7 pt are 6.97 PDF points. The size of captions is set by the document class.
    const hasCaption = documentBodyLines.some((line) => line.includes('\\caption'));
    if (!hasCaption) expect(Math.min(...fontSizes)).toBeGreaterThanOrEqual(6.97);
    return stdout;
  }

  /** A table in the LaTeX environment that its comments require. */
  function makeLatexForTable({ isDouble }: LatexPaperClass, path: string): string {
    const latexOfTable = readFileSync(join(folder, path), 'utf8');
    if (latexOfTable.includes('% About'))
      return `${isDouble ? '\\onecolumn' : ''}\\input{${path}}\\clearpage`;
    const latexEnvironmentName = isDouble && latexOfTable.includes('table*') ? 'table*' : 'table';
    return `\\begin{${latexEnvironmentName}}\\input{${path}}\\end{${latexEnvironmentName}}\\clearpage`;
  }

  /** LaTeX for a figure of column width or page width; both must have type of at least 7 pt. */
  function makeLatexForFigure({ isDouble }: LatexPaperClass, path: string): string {
    const isFigureOfColumnWidth = path.endsWith('-column.pdf');
    if (!isFigureOfColumnWidth && !isDouble) return '';
    const [, width = '0'] = /\/MediaBox \[0 0 ([\d.]+)/.exec(readFileSync(path, 'latin1')) ?? [];
    expect(Number(width)).toBeGreaterThan(isFigureOfColumnWidth ? 200 : 450);
    expect(Number(width)).toBeLessThanOrEqual(isFigureOfColumnWidth ? 244.9 : 504);
    const latexEnvironmentName = isFigureOfColumnWidth ? 'figure' : 'figure*';
    return `\\begin{${latexEnvironmentName}}\\centering\\includegraphics${isDouble ? '[width=\\linewidth]' : ''}{${path}}\\end{${latexEnvironmentName}}\\clearpage`;
  }

  /**
   * Typesets tables and figures in every document class, and each table in a box of its stated
   * width.
   */
  function compileTablesAndFigures(tables: readonly string[], figures: readonly string[]): void {
    for (const latexPaperClass of LATEX_PAPER_CLASSES.filter(
      ({ begin }) => isIeeeClassInstalled || !begin.includes('IEEE'),
    )) {
      const documentBodyLines = [
        ...figures.map((path) => makeLatexForFigure(latexPaperClass, path)),
        ...tables.map((path) => makeLatexForTable(latexPaperClass, path)),
      ];
      compileProgram(latexPaperClass.begin, ['x\\par', ...documentBodyLines]);
    }
    const boxes = tables.map((path) => {
      const [, width] = /% At most (\d+) pt/.exec(readFileSync(join(folder, path), 'utf8'))!;
      return `\\noindent\\begin{minipage}{${width}pt}\\input{${path}}\\end{minipage}\\clearpage`;
    });
    compileProgram('\\documentclass{article}', boxes);
  }

  const listFilesIn = (resultFolder: string, textPart: string, ending: string) =>
    readdirSync(join(folder, resultFolder, textPart)).filter((name) => name.endsWith(ending));

  /** Typesets all tables and figures of a folder. */
  function compileResultFolder(resultFolder: string): void {
    const tables = listFilesIn(resultFolder, 'tables', '.tex').map(
      (name) => `${resultFolder}/tables/${name}`,
    );
    const figures = listFilesIn(resultFolder, 'figures', '.pdf').map((name) =>
      join(folder, resultFolder, 'figures', name),
    );
    expect(Math.min(tables.length, figures.length)).toBeGreaterThan(0);
    compileTablesAndFigures(tables, figures);
  }

  test('of tables with any signs, notes, bounds, many rows, and many columns', () => {
    for (const table of [TABLE, WIDE_TABLE])
      writeFileSync(join(folder, `${table.id}.tex`), formatTableAsLatex(table));
    compileTablesAndFigures(['signs.tex', 'wide.tex'], []);
  });

  test('text is no wider than its measure', () => {
    const textList = [...ASCII_CHARACTERS.slice(1)].map(escapeLatex);
    const boxes = textList.map((text) => `\\noindent\\hbox to ${measureLatexWidth(text)}pt{${text}}\\par`);
    compileProgram('\\documentclass{article}', ['\\fontsize{8}{10}\\selectfont', ...boxes]);
  });

  test('of comparisons and sweeps', async () => {
    const logFile = join(folder, 'small.swf');
    writeFileSync(logFile, makeSmallLogText());
    const commandCases = [
      ['compare', logFile, '--replications', '10', '--metric', 'meanWait,utilization'],
      ['compare', logFile, '--sites', '64,64,128', '--speeds', '1,2,1.5', '--replications', '10'],
      ['simulate', logFile, '--replications', '3'],
      ['compare', logFile],
      ['sweep', logFile, '--vary', 'load=1,2', '--vary', 'discipline=fcfs,easy', '--replications', '3'],
    ];
    for (const [i, words] of commandCases.entries()) {
      const resultFolder = `out-${i}`;
      const { exitCode, stderr } = await runGridalloc([
        ...words,
        '--out',
        join(folder, resultFolder),
        '--quiet',
        '--threads',
        '1',
      ]);
      expect(exitCode, stderr).toBe(0);
      compileResultFolder(resultFolder);
      const figures = listFilesIn(resultFolder, 'figures', '.pdf');
      for (const figureFileName of listFilesIn(resultFolder, 'figures', '.svg'))
        expect(figures).toContain(figureFileName.replace('.svg', '-column.pdf'));
    }
  });

  test('of the documents of the tutorial', async () => {
    const logFile = join(folder, 'small.swf');
    writeFileSync(logFile, makeSmallLogText());
    const programWords = ['compare', logFile, '--replications', '10', '--metric', 'meanWait'];
    const resultFolder = join(folder, 'compared');
    const { exitCode, stderr } = await runGridalloc([
      ...programWords,
      '--out',
      resultFolder,
      '--quiet',
      '--threads',
      '1',
    ]);
    expect(exitCode, stderr).toBe(0);
    const page = readFileSync('docs/tutorial.md', 'utf8');
    const documents = [...page.matchAll(/```latex\n(\\documentclass.*?)```/gs)].map(([, text]) => text!);
    expect(documents.length).toBe(2);
    for (const text of documents) {
      const [begin = '', ...lines] = text.split('\n');
      if (begin.includes('IEEE') && !isIeeeClassInstalled) continue;
      const linesInsideDocument = lines.filter(
        (line) => !/^\\usepackage|^\\(?:begin|end)\{document\}/.test(line),
      );
      compileProgram(begin, linesInsideDocument);
      compileProgram(
        begin,
        linesInsideDocument.filter((line) => !line.includes('\\caption')),
      );
      if (begin.includes('IEEE')) compileProgram('\\documentclass[twocolumn]{article}', linesInsideDocument);
    }
  });

  test('of a study of a paper', async () => {
    const file = writeStudyFile(
      folder,
      reduceStudy('shih2010-table15-lublin99', { draws: 2, jobs: 200 }),
      'small.yaml',
    );
    const resultFolder = join(folder, 'study');
    const { exitCode, stderr } = await runGridalloc([
      'study',
      'run',
      file,
      '--out',
      resultFolder,
      '--quiet',
      '--yes',
    ]);
    expect(exitCode, stderr).toBe(0);
    compileResultFolder('study');
  });
});
