import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableLatex } from '../../host/view/files.js';
import type { Table } from '../../host/view/table.js';
import { gridalloc, studyFile } from '../runs/childProcess.js';
import { smallLog, smallStudy } from '../smallStudies.js';
import { temporaryFolder } from '../temporaryFolder.js';

const isSkipped = spawnSync('pdflatex', ['--version']).error !== undefined;
const SKIPPED = isSkipped ? ' is skipped: there is no pdflatex' : '';

/** Every printable sign of ASCII, and the others that tables have. */
const SIGNS = `${Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')} \u2212\u2013\u00a0\u00d7\u00b1\u2192\u2264\u2265\u2026\u2713\u2717\u2248é`;

const TABLE: Table = {
  id: 'signs',
  title: `Signs ${SIGNS}`,
  caption: 'A line\nand another, with a % in it.',
  columns: [
    { title: 'method_of & more', isHeading: true },
    { title: 'wait', unit: 's', format: { style: 'measure' } },
    { title: 'share', format: { style: 'percent', decimals: 1, isSigned: true } },
  ],
  rows: [
    [SIGNS, { value: 1234.5, low: -1, high: 2, note: SIGNS }, { value: -0.1, low: -0.2, high: 0 }],
    [
      '[a]',
      { value: 3, published: '0.9', isInside: true },
      { value: null, sign: { mark: '≈', meaning: 'near' } },
    ],
    ...Array.from({ length: 60 }, (_, i) => [`*row ${i}`, i / 7, i / 60]),
  ],
  bounds: 'interval',
};

describe.skipIf(isSkipped)(`LaTeX${SKIPPED}`, { timeout: 120_000 }, () => {
  const folder = temporaryFolder();

  /** A document of ten lines that takes tables and figures in, set by pdflatex. */
  function compile(tables: readonly string[], figures: readonly string[]): void {
    const lines = [
      '\\documentclass{article}',
      '\\usepackage{booktabs}',
      '\\usepackage{graphicx}',
      '\\begin{document}',
      ...tables.map((path) => `\\begin{table}\\input{${path}}\\end{table}\\clearpage`),
      ...figures.map((path) => `\\includegraphics[width=\\linewidth]{${path}}`),
      '\\end{document}',
    ];
    writeFileSync(join(folder, 'paper.tex'), lines.join('\n'));
    const words = ['-interaction=nonstopmode', '-halt-on-error', 'paper.tex'];
    const { status, stdout } = spawnSync('pdflatex', words, { cwd: folder, encoding: 'utf8' });
    expect(stdout.match(/^!.*(?:\n.*){3}/gm) ?? []).toEqual([]);
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/Output written on paper\.pdf/);
  }

  const filesIn = (out: string, part: string, ending: string) =>
    readdirSync(join(out, part)).flatMap((name) => (name.endsWith(ending) ? [join(out, part, name)] : []));

  /** Compiles all tables and figures of a folder. */
  function compileFolder(out: string): void {
    const [tables, figures] = [filesIn(out, 'tables', '.tex'), filesIn(out, 'figures', '.pdf')];
    expect(Math.min(tables.length, figures.length)).toBeGreaterThan(0);
    compile(tables, figures);
  }

  test('of tables with any signs, notes, bounds, and many rows', () => {
    writeFileSync(join(folder, 'signs.tex'), tableLatex(TABLE));
    compile(['signs.tex'], []);
  });

  test('of comparisons and sweeps', async () => {
    const log = join(folder, 'small.swf');
    writeFileSync(log, smallLog());
    for (const [i, words] of [
      ['compare', log, '--replications', '10', '--metric', 'meanWait,utilization'],
      ['simulate', log, '--replications', '3'],
      ['compare', log],
      ['sweep', log, '--vary', 'load=1,2', '--vary', 'discipline=fcfs,easy', '--replications', '3'],
    ].entries()) {
      const out = join(folder, `out-${i}`);
      const { code, stderr } = await gridalloc([...words, '--out', out, '--quiet', '--threads', '1']);
      expect(code, stderr).toBe(0);
      compileFolder(out);
    }
  });

  test('of a study of a paper', async () => {
    const file = studyFile(
      folder,
      smallStudy('shih2010-table15-lublin99', { draws: 2, jobs: 200 }),
      'small.yaml',
    );
    const out = join(folder, 'study');
    const { code, stderr } = await gridalloc(['study', 'run', file, '--out', out, '--quiet', '--yes']);
    expect(code, stderr).toBe(0);
    compileFolder(out);
  });
});
