/** Drawings as PDF files. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { checkArgument } from '../arguments.js';
import { LABEL_FONT_SIZE } from './axes.js';

/** Points per pixel: labels are 10.5 pixels high and become 8 pt. */
const PDF_POINTS_PER_PIXEL = 8 / LABEL_FONT_SIZE;

/** Reads the embedded fonts, whose character widths the layout assumes. */
async function readEmbeddedFonts(): Promise<[regular: Buffer, bold: Buffer]> {
  const require = createRequire(import.meta.url);
  return Promise.all([
    readFile(require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
    readFile(require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')),
  ]);
}

/** Loads the PDF library on demand, since it is large and only files need it. */
function loadPdfModules() {
  return Promise.all([import('pdfkit'), import('svg-to-pdfkit'), readEmbeddedFonts()]);
}

/** Loads the PDF library and fonts in advance. */
export async function loadPdfWriter(): Promise<void> {
  await loadPdfModules();
}

/**
 * Converts a drawing to a one-page PDF of the same size with embedded fonts; equal drawings give equal bytes.
 * @param svg drawing of a report.
 * @example
 * const { pictures } = await drawFolder('my-run');
 * const pdf = await pdfOf(pictures[0].svg);
 * console.log(Buffer.from(pdf).subarray(0, 5).toString()); // %PDF-
 */
export async function pdfOf(svg: string): Promise<Uint8Array> {
  checkArgument(svg, 'drawing', 'pdfOf');
  const [{ default: PDFDocument }, { default: draw }, [regular, bold]] = await loadPdfModules();
  const [width = 0, height = 0] = ['width', 'height'].map((attributeName) =>
    Number(new RegExp(`^<svg [^>]*?${attributeName}="([\\d.]+)"`).exec(svg)?.[1]),
  );
  const document = new PDFDocument({
    size: [width * PDF_POINTS_PER_PIXEL, height * PDF_POINTS_PER_PIXEL],
    margin: 0,
    // A fixed date: the current time would change the file and its id.
    info: { CreationDate: new Date(0), Creator: 'gridalloc', Producer: 'gridalloc' },
  });
  document.registerFont('regular', regular);
  document.registerFont('bold', bold);
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => document.on('end', resolve).on('error', reject));
  draw(document, svg.replaceAll('currentColor', '#000000'), 0, 0, {
    fontCallback: (_, isBoldFont) => (isBoldFont ? 'bold' : 'regular'),
  });
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
