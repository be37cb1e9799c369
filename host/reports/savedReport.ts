/** Reports of folders: of a finished simulation or a finished study. */
import { readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BenchResult } from '../bench/bench.js';
import { ofOnePage } from '../draw/figureModel.js';
import type { TimeWindow } from '../draw/timeChart.js';
import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { checkGiven } from '../given.js';
import { savedTexts, settingsText } from '../options/document.js';
import {
  type FinishedJob,
  readFinishedJobs,
  readStoppedRuns,
  type StoppedRun,
  startDateOf,
} from '../results/finishedJobs.js';
import {
  CONFIG_FILE,
  PAGE_FILE,
  PLOT_FOLDER,
  runsIn,
  STOPS_FILE,
  textFile,
  writeResultFolder,
} from '../results/resultFolder.js';
import { BENCH, CONFIG, REPORT, readDocument, SUMMARY } from '../results/savedFile.js';
import { runName, type Summary, shownMetrics } from '../simulate/summary.js';
import { drawingTable } from '../view/drawingTable.js';
import { tableCsv } from '../view/files.js';
import { type FileThread, type PdfFiles, writePdfs } from '../view/fileThread.js';
import { type Picture, pictureOf, renderHtml } from '../view/html.js';
import { REPORT_FILE, type Report, type ReportCheck, VERDICT_SIGNS, type Verdict } from '../view/report.js';
import { BENCH_FILE, benchReport } from './benchReport.js';
import { plainReport } from './comparisonReport.js';
import { simulationPictures } from './simulationFigures.js';
import {
  hasHomes,
  type SimulationConfig,
  settingFacts,
  shortName,
  simulationReport,
} from './simulationReport.js';

/** web/figures, bundled and packed. */
const LIVE_CODE = new URL('../../build/figures.js.gz', import.meta.url);

/** A report with its drawings. */
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
  checkGiven(report, 'report', 'drawReport');
  return { report, pictures: ofOnePage(report.figures).map(pictureOf) };
}

const CONFIG_KEYS = ['gridalloc', 'shell', 'workload'] as const;

/** The stopped runs of a simulation; none where an earlier version has left them out of the folder. */
async function stoppedRunsOf(
  folder: string,
  { restarts }: Summary,
  jobs: readonly FinishedJob[],
): Promise<StoppedRun[]> {
  const path = join(folder, STOPS_FILE);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere || !restarts) return [];
  const stopped = await readStoppedRuns(path, jobs);
  if (stopped.length !== restarts) {
    throw new InputError(
      `${path} holds ${stopped.length} stopped runs, summary.json ${restarts}; run the simulation again`,
    );
  }
  return stopped;
}

/** The part of a simulation to be drawn. */
export interface AskedWindow extends TimeWindow {
  /** True if its times are seconds since 1970; default seconds since the first submit. */
  readonly isDated?: boolean;
}

/** The first submit of a simulation in seconds since 1970, where the header of its log says when that began. */
export async function beginningOf(folder: string, jobs: readonly FinishedJob[]): Promise<number | undefined> {
  const startDate = await startDateOf(folder);
  if (startDate === undefined) return undefined;
  return jobs.reduce((least, { submit }) => Math.min(least, submit), Infinity) + startDate;
}

async function drawSimulation(
  folder: string,
  config: SimulationConfig,
  request?: AskedWindow,
): Promise<DrawnReport> {
  const results = await readDocument<Summary>(join(folder, 'summary.json'), SUMMARY);
  const isComplete = CONFIG_KEYS.every((key) => config[key] !== undefined);
  if (!isComplete || results === undefined) {
    throw new InputError(
      `${folder} is not a complete folder of gridalloc simulate --out: ${CONFIG_FILE} or summary.json lacks entries; run the simulation again`,
    );
  }
  const capacities = results.sites.map(({ capacity }) => capacity);
  const jobs = await readFinishedJobs(join(folder, 'jobs.csv'));
  const stopped = await stoppedRunsOf(folder, results, jobs);
  const beginning = await beginningOf(folder, jobs);
  if (request?.isDated && beginning === undefined) {
    throw new InputError(
      `the log of ${folder} does not say when it began (UnixStartTime); give times since its first submit, such as 100d,101d`,
    );
  }
  const shift = request?.isDated ? (beginning ?? 0) : 0;
  const window = request && { from: Math.max(0, request.from - shift), to: request.to - shift };
  const pictures = simulationPictures({ jobs, stopped, capacities, window, beginning });
  return { report: simulationReport(results, config, stopped), pictures };
}

/**
 * The report of the folder of a finished study, a sweep or a comparison; undefined for another folder.
 * @throws InputError where it is spoilt.
 */
export async function readReport(folder: string): Promise<Report | undefined> {
  const path = join(folder, REPORT_FILE);
  const document = await readDocument<SavedReport>(path, REPORT);
  return document === undefined ? undefined : checkReport(document, path);
}

/** The report of what `bench` has written; undefined for another folder. */
async function readBench(folder: string): Promise<Report | undefined> {
  const result = await readDocument<BenchResult>(join(folder, BENCH_FILE), BENCH);
  return result === undefined ? undefined : benchReport(result);
}

/**
 * Reads a folder and draws its report.
 * @param window the part that is drawn; for simulations only.
 * @throws InputError when the folder holds neither a finished study nor a finished simulation, or damaged files.
 */
export async function drawFolder(folder: string, window?: AskedWindow): Promise<DrawnReport> {
  checkGiven(folder, 'text', 'drawFolder');
  const report = (await readReport(folder)) ?? (await readBench(folder)) ?? (await methodsReport(folder));
  if (report !== undefined) {
    if (window !== undefined)
      throw new InputError(`${folder} holds no single simulation, and so has no time window; omit it`);
    return drawReport(report);
  }
  const config = await readDocument<SimulationConfig>(join(folder, CONFIG_FILE), CONFIG);
  if (config === undefined) {
    throw new InputError(
      `${folder} holds neither ${REPORT_FILE} of a finished study nor ${CONFIG_FILE} of a finished simulation; ` +
        'give a folder that gridalloc simulate --out or gridalloc study run has written',
    );
  }
  return drawSimulation(folder, config, window);
}

/**
 * Writes report.html into a folder, and its figures as figures/*.svg, *.pdf and *.csv.
 * @param pdfs a thread that writes these; without it they are written before this returns.
 * @returns the path of the page.
 * @throws InputError when the folder may not be written, OutputError when writing fails midway.
 * @example
 * const drawn = await drawFolder('my-run');
 * console.log(await writeReport(drawn, 'my-run')); // my-run/report.html
 */
export async function writeReport(
  drawn: DrawnReport,
  folder: string,
  signal?: AbortSignal,
  pdfs?: FileThread<PdfFiles>,
): Promise<string> {
  checkGiven(drawn, 'drawnReport', 'writeReport, drawn');
  const { report, pictures } = drawn;
  const drawings = pictures.flatMap(({ id, svg, live }) => [
    textFile(`${id}.svg`, () => [`${svg}\n`]),
    ...(live === undefined ? [] : [textFile(`${id}.csv`, () => [tableCsv(drawingTable(live))])]),
  ]);
  if (drawings.length > 0) await writeResultFolder(join(folder, PLOT_FOLDER), drawings, signal);
  const figures = pictures.map(({ id, svg }) => ({ id, svg }));
  if (figures.length > 0) await (pdfs?.begin({ folder, figures }) ?? writePdfs({ folder, figures }));
  await writeResultFolder(folder, [textFile(PAGE_FILE, () => [reportPage({ report, pictures })])], signal);
  return join(folder, PAGE_FILE);
}

/** The page of a report, with what makes its drawings live, if it has any. */
export function reportPage({ report, pictures }: DrawnReport): string {
  const isLive = pictures.some(({ live }) => live !== undefined);
  return renderHtml(report, pictures, isLive ? readFileSync(LIVE_CODE) : undefined);
}

const ID = /^[A-Za-z][A-Za-z0-9-]*$/;

/** Error in the tables and figures of a report; undefined if there is none. */
function entriesFault({ tables, figures }: Pick<Report, 'tables' | 'figures'>): string | undefined {
  for (const [kind, entries] of [['table', tables] as const, ['figure', figures] as const]) {
    const ids = new Set<string>();
    for (const { id } of entries) {
      if (!ID.test(id)) return `'${id}' is not the id of a ${kind}`;
      if (ids.has(id)) return `the id ${id} appears twice among its ${kind}s`;
      ids.add(id);
    }
  }
  for (const { id, columns, rows } of tables) {
    const row = rows.findIndex((cells) => cells.length !== columns.length);
    if (row !== -1) return `table ${id}, row ${row + 1}: expected one cell per column`;
  }
  const figure = figures.find(({ panels }) => panels.length === 0);
  return figure === undefined ? undefined : `figure ${figure.id}: expected at least one panel`;
}

/** Contents of report.json, of this version or an earlier one. */
interface SavedReport extends Omit<Report, 'files' | 'checks'> {
  readonly files?: Report['files'];
  readonly checks: readonly (Omit<ReportCheck, 'verdict'> & {
    readonly verdict?: Verdict;
    readonly isTrue?: boolean;
  })[];
}

/**
 * The document as a Report.
 * @throws InputError naming the file and what is wrong.
 */
function checkReport(document: SavedReport, path: string): Report {
  const fault = entriesFault(document);
  if (fault !== undefined)
    throw new InputError(`${path} is not a report of gridalloc: ${fault}; run the study again`);
  // Reports of earlier versions name no files, and say of a statement only whether it is true.
  const { files = [], checks, ...report } = document;
  const verdictOf = (check: SavedReport['checks'][number]): Verdict =>
    check.verdict !== undefined && Object.hasOwn(VERDICT_SIGNS, check.verdict)
      ? check.verdict
      : check.isTrue === true
        ? 'confirmed'
        : 'contradicted';
  return { ...report, files, checks: checks.map((check) => ({ ...check, verdict: verdictOf(check) })) };
}

// Folders in which `gridalloc simulate` has left a folder for each of several policies.

interface FolderRun {
  readonly folder: string;
  readonly summary: Summary;
  readonly config: SimulationConfig;
}

async function readRun(folder: string): Promise<FolderRun> {
  const summary = await readDocument<Summary>(join(folder, 'summary.json'), SUMMARY);
  const config = (await readDocument<SimulationConfig>(
    join(folder, CONFIG_FILE),
    CONFIG,
  )) as SimulationConfig;
  if (summary?.sites === undefined)
    throw new InputError(`${folder} holds no summary.json of a simulation; run the simulation again`);
  return { folder, summary, config };
}

/** True if runs are of the same jobs, so that their metrics can be side by side. */
function checkSameJobs(runs: readonly FolderRun[]): void {
  const [first, ...others] = runs;
  const other = others.find(({ config }) => config.workload.jobsSha256 !== first?.config.workload.jobsSha256);
  if (other !== undefined)
    throw new InputError(
      `${other.folder} and ${first?.folder} are simulations of different jobs; give the folders one by one`,
    );
}

/**
 * The report of the simulations in a folder as methods side by side.
 * @returns undefined for a folder that holds none, or is a simulation itself.
 * @throws InputError where they are of different jobs, or a folder is incomplete.
 */
async function methodsReport(folder: string): Promise<Report | undefined> {
  const folders = runsIn(folder).filter((each) => each !== folder);
  const runs = await Promise.all(folders.map(readRun));
  const [first] = runs;
  if (first === undefined) return undefined;
  checkSameJobs(runs);
  const names = runs.map(({ summary, config }) => runName(summary, config));
  const isTold = new Set(names).size === names.length;
  const valued = runs.map(({ summary, config }) => shownMetrics(summary, hasHomes(config)));
  const shared = valued[0]!.filter(({ metric }) =>
    valued.every((metrics) => metrics.some((each) => each.metric.name === metric.name)),
  );
  const { summary, config } = first;
  const { home: _, policy: _policy, ...texts } = savedTexts(config);
  const settings = settingsText(texts, names[0]!);
  const report = plainReport({
    names: isTold ? names : folders.map((each) => basename(each)),
    setting: [
      `${countOf(summary.jobs, 'job')} of ${shortName(summary.workload)}`,
      ...(settings === '' ? [] : [settings]),
    ].join('\n'),
    workload: shortName(summary.workload),
    jobs: summary.jobs,
    commands: runs.flatMap(({ config: { shell } }) => shell ?? []),
    environment: settingFacts(summary, config),
    metrics: shared.map(({ metric }) => ({
      ...metric,
      values: valued.map((metrics) => [
        metrics.find((each) => each.metric.name === metric.name)?.value ?? Number.NaN,
      ]),
    })),
    requestedMetrics: [],
    more: [],
  });
  const files = folders.map((each, i) => ({
    path: `${basename(each)}/${CONFIG_FILE}`,
    meaning: `${names[i]}: every option, beside its jobs.csv; gridalloc report ${basename(each)} draws it`,
  }));
  return { ...report, files };
}
