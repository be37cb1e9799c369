/** Drawings as PDF. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { checkGiven } from '../given.js';
import { LABEL_SIZE } from './axes.js';

/** Points of a pixel: labels of drawings, 10.5 pixels high, are 8 pt. */
const POINTS = 8 / LABEL_SIZE;

/** The files of the fonts: those after which the widths of text are taken. */
async function readFonts(): Promise<[regular: Buffer, bold: Buffer]> {
  const require = createRequire(import.meta.url);
  return Promise.all([
    readFile(require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
    readFile(require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')),
  ]);
}

/** Loads the PDF library, which is large and needed for files only. */
function loadPdfModules() {
  return Promise.all([import('pdfkit'), import('svg-to-pdfkit'), readFonts()]);
}

/** Loads what makes PDFs ahead. */
export async function loadPdf(): Promise<void> {
  await loadPdfModules();
}

/**
 * A drawing as a PDF of one page of its size, its fonts embedded: the same bytes for the same drawing.
 * @param svg a picture of a report.
 * @example
 * const { pictures } = await drawFolder('my-run');
 * const pdf = await pdfOf(pictures[0].svg);
 * console.log(Buffer.from(pdf).subarray(0, 5).toString()); // %PDF-
 */
export async function pdfOf(svg: string): Promise<Uint8Array> {
  checkGiven(svg, 'drawing', 'pdfOf');
  const [{ default: PDFDocument }, { default: draw }, [regular, bold]] = await loadPdfModules();
  const [width = 0, height = 0] = ['width', 'height'].map((name) =>
    Number(new RegExp(`^<svg [^>]*?${name}="([\\d.]+)"`).exec(svg)?.[1]),
  );
  const document = new PDFDocument({
    size: [width * POINTS, height * POINTS],
    margin: 0,
    // The time would be that of the machine otherwise, and part of the id of the file.
    info: { CreationDate: new Date(0), Creator: 'gridalloc', Producer: 'gridalloc' },
  });
  document.registerFont('regular', regular);
  document.registerFont('bold', bold);
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => document.on('end', resolve).on('error', reject));
  draw(document, svg.replaceAll('currentColor', '#000000'), 0, 0, {
    fontCallback: (_, isBold) => (isBold ? 'bold' : 'regular'),
  });
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
