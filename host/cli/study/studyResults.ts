/** Writes the results of finished studies and comparisons to their folders, and prints a summary. */
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { firstElement } from '../../lists.js';
import { applyLabelsToReport, checkAllLabelsUsed, parseLabelsOfCommand } from '../../reports/labels.js';
import { makeStudyResultTable, ResultTableWriter } from '../../reports/resultTable.js';
import {
  makeCollectionReport,
  type StudyOfCollection,
  studyReport,
  writeStudyReportFiles,
} from '../../reports/studyReport.js';
import { convertEarlierRequest, type RequestOfEarlierVersion } from '../../request/earlierRequest.js';
import {
  type RequestDocument,
  restoreRequestFromDocument,
  type SimulateOrCompareRequest,
  serializeRequestOptions,
} from '../../request/request.js';
import { stringifyDocument } from '../../results/documents.js';
import { COMPARISON_SHAPE } from '../../results/savedFile.js';
import { distributeCollectionResults, type StudyCollection } from '../../runs/collection.js';
import { completeComparisonRequest, type MetricSamples } from '../../runs/comparison.js';
import { type Planned, planStudy } from '../../runs/planStudy.js';
import {
  COMPARISON_FILE_NAME,
  makeStudyFile,
  readFolderDocument,
  readStudyOfFolder,
  readStudyPlan,
  writeStudyFilesAtomically,
} from '../../runs/runsFolder.js';
import { checkPlanInputsUnchanged, type Merged } from '../../runs/shardFolder.js';
import { Evaluation } from '../../study/evaluate.js';
import type { Study } from '../../study/study.js';
import { type FileThread, makePdfThread, type PdfFiles } from '../../view/fileThread.js';
import { formatReport, type Report, type ReportWithTextFiles } from '../../view/report.js';
import { drawReport, writeReport } from '../../view/reportFolder.js';
import { MAX_TERMINAL_LINE_WIDTH, wrapToTerminalLine } from '../../view/terminal.js';
import { prepareEvaluation } from '../comparisonQuestion.js';
import type { CommandContext } from '../context.js';
import { makeComparisonSettings } from '../methodComparison.js';

/**
 * Writes tables, figures and the report of a finished study, and prints a summary.
 * @param extraEntries additional entries of the JSON document.
 */
export async function reportStudyResults(
  mergedStudy: Merged,
  out: string,
  context: CommandContext,
  extraEntries: object = {},
): Promise<number> {
  const { plan } = mergedStudy;
  const { report, pagePath } = await writeStudyResults(mergedStudy, out, context);
  const { tables, checks, title: reportTitle } = report;
  const simulationCount = plan.runs.length;
  if (context.isJson)
    await context.printJson({
      title: reportTitle,
      out,
      report: pagePath,
      simulations: simulationCount,
      ...extraEntries,
      tables,
      checks,
    });
  else await printStudyReport(report, pagePath, context);
  return 0;
}

async function printStudyReport(report: Report, pagePath: string, context: CommandContext): Promise<void> {
  if (context.isQuiet) return;
  const reportText = formatReport(
    report,
    context.colors,
    context.io.stdout.columns ?? MAX_TERMINAL_LINE_WIDTH,
  );
  await context.print(`${reportText}\n\nThe report is ${pagePath}`);
}

/** Runs a function while threads write result tables and PDFs; returns when these are complete. */
async function withFileWriters<Made>(
  runAction: (tableWriter: ResultTableWriter, pdfWriter: FileThread<PdfFiles>) => Promise<Made>,
): Promise<Made> {
  const [tableWriter, pdfs] = [new ResultTableWriter(), makePdfThread()];
  try {
    const actionResult = await runAction(tableWriter, pdfs);
    await Promise.all([tableWriter.end(), pdfs.end()]);
    return actionResult;
  } finally {
    await Promise.all([tableWriter.close(), pdfs.close()]);
  }
}

/**
 * Writes tables, figures and the report of a finished study; returns the report and the path of its page.
 * @param customReport report to write instead of the study's standard one.
 */
function writeStudyResults(
  mergedStudy: Merged,
  out: string,
  context: CommandContext,
  customReport?: ReportWithTextFiles,
): Promise<{ readonly report: Report; readonly pagePath: string }> {
  return withFileWriters(async (tableWriter, pdfWriter) => {
    if ((customReport?.report ?? mergedStudy.study).figures.length > 0) await pdfWriter.begin();
    const report = await writeStudyTables(mergedStudy, out, context, tableWriter, customReport);
    const pagePath = await writeReport(drawReport(report), out, context.io.signal, pdfWriter);
    return { report, pagePath };
  });
}

/**
 * Report of a study with the labels of its methods.
 * @param isSingle false for one of several studies, which need not contain every labelled method.
 */
function applyLabelsToStudyReport(
  { study, plan, results }: Merged,
  context: CommandContext,
  isSingle: boolean,
): Report {
  const { labels: methodLabels } = context.withMethodLabels(parseLabelsOfCommand(plan.command));
  const report = studyReport(new Evaluation(study, plan, results));
  if (isSingle) checkAllLabelsUsed([report], methodLabels);
  return applyLabelsToReport(report, methodLabels);
}

/** Writes the tables of a finished study; returns its report, to be drawn later. */
async function writeStudyTables(
  mergedStudy: Merged,
  out: string,
  context: CommandContext,
  tableWriter: ResultTableWriter,
  customReport?: ReportWithTextFiles,
  isSingle = true,
): Promise<Report> {
  const { study, plan, results } = mergedStudy;
  await tableWriter.write({ folder: out, table: makeStudyResultTable(study, plan, results) });
  const report = customReport?.report ?? applyLabelsToStudyReport(mergedStudy, context, isSingle);
  await writeStudyReportFiles(out, plan, report, customReport?.texts);
  await context.pause();
  return report;
}

/** Facts about all studies of a common page. */
export interface StudyCollectionSummary {
  readonly title: string;
  readonly command: string;
  /** Number of distinct simulations of all studies. */
  readonly simulations: number;
  /** Additional entries of the JSON document. */
  readonly more: object;
}

/**
 * Distributes results to the studies of a collection, and writes their reports and the common page; returns
 * the exit code.
 */
export async function finishStudyCollection(
  collection: StudyCollection,
  mergedResults: Merged,
  out: string,
  context: CommandContext,
  extraEntries: object,
): Promise<number> {
  const finishedStudies = await distributeCollectionResults(out, collection, mergedResults);
  const workloadStudies = finishedStudies.filter(({ study }) => study.kind === 'workloads');
  const simulationCount = workloadStudies.reduce(
    (sum, { plan }) => sum + plan.runs.length,
    mergedResults.plan.runs.length,
  );
  const { title, command } = collection;
  return reportStudyCollection(
    { title, command, simulations: simulationCount, more: extraEntries },
    finishedStudies,
    out,
    context,
  );
}

/** Writes the reports of the studies in a folder and the common page; returns the exit code. */
export async function reportStudyCollection(
  { title, command, simulations: total, more }: StudyCollectionSummary,
  studies: readonly Merged[],
  out: string,
  context: CommandContext,
): Promise<number> {
  const reportedStudies: StudyOfCollection[] = [];
  const pagePaths: string[] = [];
  const progressLine = context.startProgressLine((done, count) => `${done} of ${count} reports`, true);
  const folderOfStudy = ({ study }: Merged) => join(out, study.name);
  try {
    await withFileWriters(async (tableWriter, pdfWriter) => {
      for (const [i, mergedStudy] of studies.entries()) {
        const { study, plan } = mergedStudy;
        progressLine.update(i, studies.length);
        const report = await writeStudyTables(
          mergedStudy,
          folderOfStudy(mergedStudy),
          context,
          tableWriter,
          undefined,
          false,
        );
        reportedStudies.push({ name: study.name, simulations: plan.runs.length, report });
        pagePaths.push(
          await writeReport(drawReport(report), folderOfStudy(mergedStudy), context.io.signal, pdfWriter),
        );
      }
    });
  } finally {
    progressLine.end();
  }
  const report = makeCollectionReport(title, reportedStudies, total, command);
  const pagePath = await writeReport({ report, pictures: [] }, out, context.io.signal);
  if (context.isJson) {
    const studyDocuments = reportedStudies.map(
      ({ name: studyName, simulations: simulationCount, report: { title: heading, checks } }, i) => ({
        ...{ name: studyName, title: heading, simulations: simulationCount, report: pagePaths[i], checks },
      }),
    );
    const simulationCount = reportedStudies.reduce(
      (sum, { simulations: simulationCount }) => sum + simulationCount,
      0,
    );
    const studyCounts = { simulations: total, sameSimulations: simulationCount - total, ...more };
    await context.printJson({ title, out, report: pagePath, ...studyCounts, studies: studyDocuments });
  } else await printStudyReport(report, pagePath, context);
  return 0;
}

// Comparisons in a folder: their methods are the parts of a study, their looks are rounds, each with a plan of more replications.

/** Saved request of a comparison, and the results of its rounds so far. */
export interface SavedComparison {
  readonly request: RequestDocument | RequestOfEarlierVersion;
  readonly result?: {
    /** Hash of the plan of the last finished round. */
    readonly plan: string;
    /** True if no further round is needed. */
    readonly isOver: boolean;
  };
}

/** Reads the saved comparison of a folder; undefined if there is none. */
export function readSavedComparison(folder: string): SavedComparison | undefined {
  const path = join(folder, COMPARISON_FILE_NAME);
  const file = readFolderDocument<
    SavedComparison | (RequestOfEarlierVersion & Pick<SavedComparison, 'result'>)
  >(path, COMPARISON_SHAPE);
  if (file === undefined || 'request' in file) return file;
  const { result, ...request } = file;
  if (request.words === undefined || request.options === undefined)
    throw new InputError(`${path} has no request; delete it and repeat the command`);
  return result === undefined ? { request } : { request, result };
}

/** Restores the request saved in a folder by this or an earlier version. */
export function restoreSavedRequest(
  savedRequest: SavedComparison['request'],
): Promise<SimulateOrCompareRequest> {
  return 'words' in savedRequest
    ? convertEarlierRequest(savedRequest)
    : restoreRequestFromDocument(savedRequest);
}

/** Writes the comparison of a folder; the caller holds its lock. */
export async function writeSavedComparison(folder: string, comparison: SavedComparison): Promise<void> {
  await writeStudyFilesAtomically([
    makeStudyFile(join(folder, COMPARISON_FILE_NAME), [stringifyDocument(comparison)]),
  ]);
}

/**
 * Evaluates a comparison after a finished round, and writes and prints the results; returns the exit code.
 * @param isLast true if the command ends with this round; with JSON, only the last round is printed.
 */
export async function finishComparisonRound(
  comparison: SavedComparison,
  mergedStudy: Merged,
  out: string,
  context: CommandContext,
  isLast: boolean,
): Promise<number> {
  const { plan, results } = mergedStudy;
  const request = await restoreSavedRequest(comparison.request);
  await checkPlanInputsUnchanged(out, plan);
  // Remarks on the jobs were printed when the runs were planned.
  const {
    logs,
    looks: interimLooks,
    look,
  } = await prepareEvaluation(
    request,
    context.withMethodLabels(parseLabelsOfCommand(plan.command)).withoutMessages(),
  );
  const pointCountPerMethod = plan.points.length / (logs.length * firstElement(logs).methods.length);
  // Settings are ordered by method, then by replication.
  const samplesOf: MetricSamples = ({ name: metricName }, method) =>
    plan.points
      .slice(method * pointCountPerMethod, (method + 1) * pointCountPerMethod)
      .map(({ run }) => results.value(run, metricName));
  const { isEnough, computeAnswer } = look(samplesOf, pointCountPerMethod);
  const isOver = isEnough || pointCountPerMethod === interimLooks[interimLooks.length - 1];
  const { document, text: outputText, legend = [], report } = await computeAnswer();
  await writeSavedComparison(out, {
    request: serializeRequestOptions(request),
    result: { plan: plan.sha256, isOver, ...document },
  });
  if (!isLast && !isOver) return 0;
  const customReport = await report(plan);
  const { pagePath } = await writeStudyResults(mergedStudy, out, context, customReport);
  if (context.isJson) await context.printJson(document);
  else if (!context.isQuiet) {
    const legendText = legend.map((each) => wrapToTerminalLine(each)).join('\n');
    await context.print(
      [outputText, legendText, `The report is ${pagePath}`].filter((part) => part !== '').join('\n\n'),
    );
  }
  return 0;
}

/**
 * Plans the next round of the comparison in a folder, if the last one is finished and undecided.
 * @param isCodeAllowed true if code files named by the folder may run.
 */
export async function planNextComparisonRound(
  folder: string,
  isCodeAllowed: boolean,
  context: CommandContext,
): Promise<{ readonly study: Study; readonly planned: Planned } | undefined> {
  const comparison = readSavedComparison(folder);
  if (comparison?.result === undefined || comparison.result.isOver) return undefined;
  const previousPlan = readStudyPlan(folder);
  if (comparison.result.plan !== previousPlan.sha256) return undefined;
  const request = await restoreSavedRequest(comparison.request);
  if (request.command === 'simulate') return undefined;
  const [settings] = makeComparisonSettings(request);
  const { looks: interimLooks } = completeComparisonRequest(settings, request);
  const finishedReplicationCount = previousPlan.draws ?? 0;
  const nextReplicationCount =
    interimLooks.find((lookReplicationCount) => lookReplicationCount >= 2 * finishedReplicationCount) ??
    interimLooks[interimLooks.length - 1]!;
  if (nextReplicationCount <= finishedReplicationCount) return undefined;
  await context.printMessage(`not decided yet; the next round has ${nextReplicationCount} replications`);
  const study = await readStudyOfFolder(folder, { ...previousPlan, draws: nextReplicationCount });
  const { command, options } = previousPlan;
  const planOptions = {
    command,
    options,
    draws: nextReplicationCount,
    allowCode: isCodeAllowed,
    allowMany: true,
    onProgress: () => context.pause(),
  };
  const plannedStudy = await planStudy(study, planOptions);
  const earlierPlanHashes = [...(previousPlan.continues ?? []), previousPlan.sha256];
  return {
    study,
    planned: { ...plannedStudy, plan: { ...plannedStudy.plan, continues: earlierPlanHashes } },
  };
}
