import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawFigureSvg } from '../../host/draw/figure.js';
import type { Figure } from '../../host/draw/figureModel.js';
import { pdfOf } from '../../host/draw/pdf.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const WAITS_FIGURE: Figure = {
  id: 'waits',
  title: 'Waits',
  caption: '',
  kind: 'line',
  x: { title: 'load' },
  y: { title: 'mean wait, difference to best-fit', unit: 's' },
  panels: ['(a)', '(b)'].map((title) => ({
    title,
    series: ['best-fit', 'tai2[slt=1]'].map((name, s) => ({
      name,
      points: [1, 2, 3].map((x) => ({ x, y: 10 * s - x, low: -x - 2, high: 12 })),
    })),
  })),
};

test('the same drawing gives the same bytes, without dates', async () => {
  const [firstPdf, secondPdf] = [
    await pdfOf(drawFigureSvg(WAITS_FIGURE)),
    await pdfOf(drawFigureSvg(WAITS_FIGURE)),
  ];
  expect(Buffer.compare(firstPdf, secondPdf)).toBe(0);
  const pdfAsLatin1Text = Buffer.from(firstPdf).toString('latin1');
  expect(pdfAsLatin1Text).toMatch(/^%PDF-1\.\d/);
  expect(pdfAsLatin1Text).toContain('(D:19700101000000Z)');
  expect(pdfAsLatin1Text).not.toContain(`(D:${new Date().getUTCFullYear()}`);
  expect(pdfAsLatin1Text).toMatch(/\/FontFile2 /);
  expect(pdfAsLatin1Text).not.toMatch(/\/BaseFont \/Helvetica/);
});

const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;
const isSkipped = !hasPoppler && process.env.CI === undefined;

describe.skipIf(isSkipped)(
  `PDF, read by poppler${isSkipped ? ' is skipped: there is no pdftotext' : ''}`,
  () => {
    const path = join(makeTemporaryFolder(), 'waits.pdf');
    const runProgramForOutput = (program: string, ...programWords: string[]) =>
      spawnSync(program, programWords, { encoding: 'utf8' }).stdout;

    test('has its words, one page of its size, and embedded fonts', async () => {
      const svg = drawFigureSvg(WAITS_FIGURE);
      writeFileSync(path, await pdfOf(svg));
      const extractedPdfText = runProgramForOutput('pdftotext', path, '-');
      for (const words of ['best-fit', 'tai2[slt=1]', '(a)', '(b)', 'load', '\u22125'])
        expect(extractedPdfText).toContain(words);
      const info = runProgramForOutput('pdfinfo', path);
      expect(info).toMatch(/^Pages: +1$/m);
      const [, width, height] = (/width="(\d+)" height="(\d+)"/.exec(svg) ?? []).map(Number);
      const [, pageWidth, high] = (/Page size: +([\d.]+) x ([\d.]+) pts/.exec(info) ?? []).map(Number);
      expect(pageWidth! / high!).toBeCloseTo(width! / height!, 4);
      const linesOfEmbeddedFonts = runProgramForOutput('pdffonts', path).trim().split('\n').slice(2);
      expect(linesOfEmbeddedFonts).toHaveLength(2);
      for (const font of linesOfEmbeddedFonts) expect(font).toMatch(/Arimo.* yes +yes +yes /);
    });
  },
);
