/** Writes the results of finished studies and comparisons into their folders, and reports them. */
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { firstElement } from '../../lists.js';
import { applyLabelsToReport, checkLabelsUsed, labelsInCommand } from '../../reports/labels.js';
import { SettingWriter, settingTable } from '../../reports/resultTable.js';
import {
  collectionReport,
  type ReportedStudy,
  studyReport,
  writeStudyFiles,
} from '../../reports/studyReport.js';
import { type EarlierRequest, earlierRequest } from '../../request/earlierRequest.js';
import { type RequestDocument, type RunsRequest, requestDocument, requestOf } from '../../request/request.js';
import { documentText } from '../../results/documents.js';
import { COMPARISON_SHAPE } from '../../results/savedFile.js';
import { type Collection, passResultsToMembers } from '../../runs/collection.js';
import { type MetricSamples, makeComparisonRequest } from '../../runs/comparison.js';
import { type Planned, planStudy } from '../../runs/planStudy.js';
import {
  COMPARISON_FILE,
  readFolderDocument,
  readStudyInFolder,
  readStudyPlan,
  studyFileToWrite,
  writeStudyFolder,
} from '../../runs/runsFolder.js';
import { checkInputs, type Merged } from '../../runs/shardFolder.js';
import { Evaluation } from '../../study/evaluate.js';
import type { Study } from '../../study/study.js';
import { type FileThread, makePdfThread, type PdfFiles } from '../../view/fileThread.js';
import { type Report, type ReportWithTexts, reportText } from '../../view/report.js';
import { drawReport, writeReport } from '../../view/reportFolder.js';
import { MAX_TERMINAL_LINE, wrapLines } from '../../view/terminal.js';
import { prepareQuestion } from '../comparisonQuestion.js';
import type { Context } from '../context.js';
import { comparedSettings } from '../methodComparison.js';

/**
 * Writes tables, figures and the report of a finished study, and says the main things.
 * @param more what else the JSON has.
 */
export async function reportResults(
  finished: Merged,
  out: string,
  context: Context,
  more: object = {},
): Promise<number> {
  const { plan } = finished;
  const { report, page } = await writeStudy(finished, out, context);
  const { tables, checks, title } = report;
  const simulations = plan.runs.length;
  if (context.isJson)
    await context.printJson({ title, out, report: page, simulations, ...more, tables, checks });
  else await printReport(report, page, context);
  return 0;
}

async function printReport(report: Report, page: string, context: Context): Promise<void> {
  if (context.isQuiet) return;
  const text = reportText(report, context.colors, context.io.stdout.columns ?? MAX_TERMINAL_LINE);
  await context.print(`${text}\n\nThe report is ${page}`);
}

/** Runs a function while threads write result tables and PDFs; returns when these are written, too. */
async function withFileWriters<Made>(
  work: (settings: SettingWriter, pdfWriter: FileThread<PdfFiles>) => Promise<Made>,
): Promise<Made> {
  const [settings, pdfs] = [new SettingWriter(), makePdfThread()];
  try {
    const made = await work(settings, pdfs);
    await Promise.all([settings.end(), pdfs.end()]);
    return made;
  } finally {
    await Promise.all([settings.close(), pdfs.close()]);
  }
}

/**
 * Writes tables, figures and the report of a finished study; returns the report and where its page is.
 * @param own its report, where that is not the one of its tables and figures.
 */
function writeStudy(
  finished: Merged,
  out: string,
  context: Context,
  own?: ReportWithTexts,
): Promise<{ readonly report: Report; readonly page: string }> {
  return withFileWriters(async (settings, pdfWriter) => {
    if ((own?.report ?? finished.study).figures.length > 0) await pdfWriter.begin();
    const report = await writeTables(finished, out, context, settings, own);
    const page = await writeReport(drawReport(report), out, context.io.signal, pdfWriter);
    return { report, page };
  });
}

/**
 * The report of a study with the labels of its methods.
 * @param isSingle false if it is one of several, which need not have every method that has a label.
 */
function labelledStudy({ study, plan, results }: Merged, context: Context, isSingle: boolean): Report {
  const { labels } = context.labelled(labelsInCommand(plan.command));
  const report = studyReport(new Evaluation(study, plan, results));
  if (isSingle) checkLabelsUsed([report], labels);
  return applyLabelsToReport(report, labels);
}

/** Writes the tables of a finished study; returns its report, which is yet to be drawn. */
async function writeTables(
  finished: Merged,
  out: string,
  context: Context,
  settings: SettingWriter,
  own?: ReportWithTexts,
  isSingle = true,
): Promise<Report> {
  const { study, plan, results } = finished;
  await settings.write({ folder: out, table: settingTable(study, plan, results) });
  const report = own?.report ?? labelledStudy(finished, context, isSingle);
  await writeStudyFiles(out, plan, report, own?.texts);
  await context.pause();
  return report;
}

/** Facts about all studies of a page that covers several. */
export interface CollectionSummary {
  readonly title: string;
  readonly command: string;
  /** Number of simulations that they have, what several share counted once. */
  readonly simulations: number;
  /** Further entries of the JSON document. */
  readonly more: object;
}

/**
 * Passes all results to their studies, and writes the reports with the page over them; returns the exit code.
 */
export async function finishCollection(
  collection: Collection,
  all: Merged,
  out: string,
  context: Context,
  more: object,
): Promise<number> {
  const finished = await passResultsToMembers(out, collection, all);
  const workloadStudies = finished.filter(({ study }) => study.kind === 'workloads');
  const simulations = workloadStudies.reduce((sum, { plan }) => sum + plan.runs.length, all.plan.runs.length);
  const { title, command } = collection;
  return reportCollection({ title, command, simulations, more }, finished, out, context);
}

/** Writes the reports of studies below a folder, and the page over them; returns the exit code. */
export async function reportCollection(
  { title, command, simulations: total, more }: CollectionSummary,
  studies: readonly Merged[],
  out: string,
  context: Context,
): Promise<number> {
  const reportedStudies: ReportedStudy[] = [];
  const pages: string[] = [];
  const progress = context.progress((done, count) => `${done} of ${count} reports`, true);
  const folderOf = ({ study }: Merged) => join(out, study.name);
  try {
    await withFileWriters(async (settings, pdfWriter) => {
      for (const [i, finished] of studies.entries()) {
        const { study, plan } = finished;
        progress.update(i, studies.length);
        const report = await writeTables(finished, folderOf(finished), context, settings, undefined, false);
        reportedStudies.push({ name: study.name, simulations: plan.runs.length, report });
        pages.push(await writeReport(drawReport(report), folderOf(finished), context.io.signal, pdfWriter));
      }
    });
  } finally {
    progress.end();
  }
  const report = collectionReport(title, reportedStudies, total, command);
  const page = await writeReport({ report, pictures: [] }, out, context.io.signal);
  if (context.isJson) {
    const each = reportedStudies.map(({ name, simulations, report: { title: heading, checks } }, i) => ({
      ...{ name, title: heading, simulations, report: pages[i], checks },
    }));
    const simulationCount = reportedStudies.reduce((sum, { simulations }) => sum + simulations, 0);
    const counts = { simulations: total, sameSimulations: simulationCount - total, ...more };
    await context.printJson({ title, out, report: page, ...counts, studies: each });
  } else await printReport(report, page, context);
  return 0;
}

// Comparisons in a folder: their methods are the parts of a study, their looks are rounds, each with a plan of more replications.

/** Saved request of a comparison, and the results of its rounds so far. */
export interface ComparisonFile {
  readonly request: RequestDocument | EarlierRequest;
  readonly result?: {
    /** Hash of the plan of the last round that is done. */
    readonly plan: string;
    /** True if no other round is needed. */
    readonly isOver: boolean;
  };
}

/** The comparison of a folder; undefined where it holds none. */
export function readComparison(folder: string): ComparisonFile | undefined {
  const path = join(folder, COMPARISON_FILE);
  const file = readFolderDocument<ComparisonFile | (EarlierRequest & Pick<ComparisonFile, 'result'>)>(
    path,
    COMPARISON_SHAPE,
  );
  if (file === undefined || 'request' in file) return file;
  const { result, ...request } = file;
  if (request.words === undefined || request.options === undefined)
    throw new InputError(`${path} has no request; delete it and repeat the command`);
  return result === undefined ? { request } : { request, result };
}

/** The request that a folder has saved, in this version or an earlier one. */
export function restoreRequest(saved: ComparisonFile['request']): Promise<RunsRequest> {
  return 'words' in saved ? earlierRequest(saved) : requestOf(saved);
}

/** Writes the comparison of a folder, whose lock the caller has. */
export async function writeComparison(folder: string, file: ComparisonFile): Promise<void> {
  await writeStudyFolder([studyFileToWrite(join(folder, COMPARISON_FILE), [documentText(file)])]);
}

/**
 * Answers the question of a folder whose round is done, writes what came of it, and says so; returns the exit code.
 * @param isLast whether the command ends with this round: of JSON it prints one document.
 */
export async function finishComparison(
  file: ComparisonFile,
  finished: Merged,
  out: string,
  context: Context,
  isLast: boolean,
): Promise<number> {
  const { plan, results } = finished;
  const request = await restoreRequest(file.request);
  await checkInputs(out, plan);
  // Remarks on the jobs were printed when the runs were planned.
  const { logs, looks, look } = await prepareQuestion(
    request,
    context.labelled(labelsInCommand(plan.command)).silent(),
  );
  const count = plan.points.length / (logs.length * firstElement(logs).methods.length);
  // Settings are ordered by method, then by replication.
  const samples: MetricSamples = ({ name }, method) =>
    plan.points.slice(method * count, (method + 1) * count).map(({ run }) => results.value(run, name));
  const { isEnough, answer } = look(samples, count);
  const isOver = isEnough || count === looks[looks.length - 1];
  const { document, text, legend = [], report } = await answer();
  await writeComparison(out, {
    request: requestDocument(request),
    result: { plan: plan.sha256, isOver, ...document },
  });
  if (!isLast && !isOver) return 0;
  const own = await report(plan);
  const { page } = await writeStudy(finished, out, context, own);
  if (context.isJson) await context.printJson(document);
  else if (!context.isQuiet) {
    const lines = legend.map((each) => wrapLines(each)).join('\n');
    await context.print([text, lines, `The report is ${page}`].filter((part) => part !== '').join('\n\n'));
  }
  return 0;
}

/**
 * The next round of the comparison in a folder, planned, where the last one is done and has not decided it.
 * @param allowCode whether functions from files that it names may run.
 */
export async function nextRound(
  folder: string,
  allowCode: boolean,
  context: Context,
): Promise<{ readonly study: Study; readonly planned: Planned } | undefined> {
  const file = readComparison(folder);
  if (file?.result === undefined || file.result.isOver) return undefined;
  const before = readStudyPlan(folder);
  if (file.result.plan !== before.sha256) return undefined;
  const request = await restoreRequest(file.request);
  if (request.command === 'simulate') return undefined;
  const [settings] = comparedSettings(request);
  const { looks } = makeComparisonRequest(settings, request);
  const done = before.draws ?? 0;
  const draws = looks.find((look) => look >= 2 * done) ?? looks[looks.length - 1]!;
  if (draws <= done) return undefined;
  await context.printMessage(`not decided yet; the next round has ${draws} replications`);
  const study = await readStudyInFolder(folder, { ...before, draws });
  const { command, options } = before;
  const input = { command, options, draws, allowCode, allowMany: true, onProgress: () => context.pause() };
  const planned = await planStudy(study, input);
  const continues = [...(before.continues ?? []), before.sha256];
  return { study, planned: { ...planned, plan: { ...planned.plan, continues } } };
}
