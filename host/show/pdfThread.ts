/** A thread that writes figures as PDF. */
import { type Fault, faultOf } from '../code/fault.js';
import { loadPdf } from '../draw/pdf.js';
import { type PdfFiles, writePdfs } from './pdfFiles.js';

/** Writes figures; without any it loads what that takes. Returns what was wrong. */
export default async function write(files: PdfFiles | undefined): Promise<Fault | undefined> {
  try {
    await (files === undefined ? loadPdf() : writePdfs(files));
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}
