/** Reads report.json, draws its figures, and writes the page and figure files of a report folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkArgument } from '../arguments.js';
import { drawForPapers } from '../draw/drawing.js';
import { assignPageWideSeriesLooks } from '../draw/figureModel.js';
import { InputError } from '../errors.js';
import {
  FIGURES_FOLDER_NAME,
  makeTextResultFile,
  REPORT_PAGE_FILE,
  writeResultFolder,
} from '../results/resultFolder.js';
import { REPORT_SHAPE, readCheckedDocument } from '../results/savedFile.js';
import { makeDrawingTable } from './drawingTable.js';
import { formatTableAsCsv } from './files.js';
import { type FileThread, type PdfFiles, writePdfs } from './fileThread.js';
import { makePictureOfDrawing, type Picture, renderReportPage } from './html.js';
import { REPORT_FILE, type Report, type ReportCheck, VERDICT_SIGNS, type Verdict } from './report.js';

/** Compressed bundle of web/figures, the code of interactive figures. */
const INTERACTIVE_FIGURES_CODE_FILE = new URL('../../build/figures.js.gz', import.meta.url);

/** Report and its drawings as SVG. */
export interface DrawnReport {
  readonly report: Report;
  readonly pictures: readonly Picture[];
}

/**
 * Draws the figures of a report.
 * @example
 * const study = await readStudy('my.yaml');
 * const { plan, results } = await runStudy(study, {}, { out: 'results/my', threads: 2 });
 * const report = studyReport(new Evaluation(study, plan, results));
 * await writeReport(drawReport(report), 'results/my');
 */
export function drawReport(report: Report): DrawnReport {
  checkArgument(report, 'report', 'drawReport');
  return { report, pictures: assignPageWideSeriesLooks(report.figures).map(makePictureOfDrawing) };
}

/** Drawings for papers: as wide as a page, and as one column. */
function drawFiguresForPrint({ id, svg, live }: Picture): PdfFiles['figures'] {
  if (live === undefined) return [{ id, svg }];
  const { page, column } = drawForPapers(live);
  return [{ id, svg: page }, ...(column === undefined ? [] : [{ id: `${id}-column`, svg: column }])];
}

/**
 * Writes report.html to a folder, and its figures as figures/*.svg, *.pdf (7 inches wide), *-column.pdf (3.4
 * inches) and *.csv.
 * @param pdfWriter thread that writes the PDF files; without it they are written before this function
 * returns.
 * @returns the path of the page.
 * @throws InputError if the folder is not writable, OutputError if writing fails midway.
 * @example
 * const drawn = await drawFolder('my-run');
 * console.log(await writeReport(drawn, 'my-run')); // my-run/report.html
 */
export async function writeReport(
  drawn: DrawnReport,
  folder: string,
  signal?: AbortSignal,
  pdfWriter?: FileThread<PdfFiles>,
): Promise<string> {
  checkArgument(drawn, 'drawnReport', 'writeReport, drawn');
  const { report, pictures } = drawn;
  const drawingFiles = pictures.flatMap(({ id: pictureId, svg, live }) => [
    makeTextResultFile(`${pictureId}.svg`, () => [`${svg}\n`]),
    ...(live === undefined
      ? []
      : [makeTextResultFile(`${pictureId}.csv`, () => [formatTableAsCsv(makeDrawingTable(live))])]),
  ]);
  if (drawingFiles.length > 0)
    await writeResultFolder(join(folder, FIGURES_FOLDER_NAME), drawingFiles, signal);
  const figures = pictures.flatMap(drawFiguresForPrint);
  if (figures.length > 0) await (pdfWriter?.begin({ folder, figures }) ?? writePdfs({ folder, figures }));
  await writeResultFolder(
    folder,
    [makeTextResultFile(REPORT_PAGE_FILE, () => [makeReportPage({ report, pictures })])],
    signal,
  );
  return join(folder, REPORT_PAGE_FILE);
}

/** HTML page of a report, with the code for interactive figures if it has any. */
export function makeReportPage({ report, pictures }: DrawnReport): string {
  const hasLiveFigures = pictures.some(({ live }) => live !== undefined);
  return renderReportPage(
    report,
    pictures,
    hasLiveFigures ? readFileSync(INTERACTIVE_FIGURES_CODE_FILE) : undefined,
  );
}

const SAFE_ID_PATTERN = /^[A-Za-z][A-Za-z0-9-]*$/;

/** First error in the tables and figures of a stored report; undefined if there is none. */
function findReportEntryError({ tables, figures }: Pick<Report, 'tables' | 'figures'>): string | undefined {
  for (const [kind, entries] of [['table', tables] as const, ['figure', figures] as const]) {
    const ids = new Set<string>();
    for (const { id } of entries) {
      if (!SAFE_ID_PATTERN.test(id)) return `'${id}' is not the id of a ${kind}`;
      if (ids.has(id)) return `the id ${id} appears twice among its ${kind}s`;
      ids.add(id);
    }
  }
  for (const { id: tableId, columns: tableColumns, rows: tableRows } of tables) {
    const row = tableRows.findIndex((cells) => cells.length !== tableColumns.length);
    if (row !== -1) return `table ${tableId}, row ${row + 1}: expected one cell per column`;
  }
  const figure = figures.find(({ panels }) => panels.length === 0);
  return figure === undefined ? undefined : `figure ${figure.id}: expected at least one panel`;
}

/** Contents of report.json in any supported version. */
interface SavedReport extends Omit<Report, 'files' | 'checks'> {
  readonly files?: Report['files'];
  readonly checks: readonly (Omit<ReportCheck, 'verdict'> & {
    readonly verdict?: Verdict;
    readonly isTrue?: boolean;
  })[];
}

/**
 * Converts the parsed report.json to a report.
 * @throws InputError naming the file and what is wrong.
 */
function parseReport(document: SavedReport, path: string): Report {
  const entryError = findReportEntryError(document);
  if (entryError !== undefined)
    throw new InputError(`${path} is not a report of gridalloc: ${entryError}; run the study again`);
  // Older versions store no file list, and for checks only true or false.
  const { files = [], checks, ...report } = document;
  const parseVerdictOfCheck = (reportCheck: SavedReport['checks'][number]): Verdict =>
    reportCheck.verdict !== undefined && Object.hasOwn(VERDICT_SIGNS, reportCheck.verdict)
      ? reportCheck.verdict
      : reportCheck.isTrue === true
        ? 'confirmed'
        : 'contradicted';
  return {
    ...report,
    files,
    checks: checks.map((check) => ({ ...check, verdict: parseVerdictOfCheck(check) })),
  };
}

/**
 * Reads the report in the folder of a finished study, sweep or comparison; undefined for any other folder.
 * @throws InputError if it is damaged.
 */
export async function readReportOfFolder(folder: string): Promise<Report | undefined> {
  const path = join(folder, REPORT_FILE);
  const document = await readCheckedDocument<SavedReport>(path, REPORT_SHAPE);
  return document === undefined ? undefined : parseReport(document, path);
}
