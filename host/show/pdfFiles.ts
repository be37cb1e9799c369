/** The figures of a report as PDF, for papers. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPdf, pdfOf } from '../draw/pdf.js';
import { PLOT_FOLDER, writeResultFolder } from '../results/resultFolder.js';
import { FileThread, writing } from './fileThread.js';

/** Figures, and the folder of their report: plain data, which a thread may be given. */
export interface PdfFiles {
  readonly folder: string;
  readonly figures: readonly { readonly id: string; readonly svg: string }[];
}

/**
 * Writes each figure as a PDF beside its SVG.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writePdfs({ folder, figures }: PdfFiles): Promise<void> {
  const files = figures.map(({ id, svg }) => ({
    name: `${id}.pdf`,
    write: async (path: string) => writeFile(path, await pdfOf(svg)),
  }));
  if (files.length > 0) await writeResultFolder(join(folder, PLOT_FOLDER), files);
}

/** The same in a thread; without figures it loads what that takes. */
export const writePdfsTask = writing(async (files: PdfFiles | undefined) =>
  files === undefined ? loadPdf() : writePdfs(files),
);

/** A thread that writes figures as PDF while reports are made. */
export const pdfThread = () =>
  new FileThread<PdfFiles>({ module: '../show/pdfFiles.js', name: 'writePdfsTask' });
