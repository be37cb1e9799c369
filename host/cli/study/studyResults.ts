/** What finished studies leave in their folders, and what is reported of them. */
import { join } from 'node:path';
import { type Collection, giveResults } from '../../runs/collection.js';
import type { Merged } from '../../runs/shardFolder.js';
import { type FileThread, type PdfFiles, pdfThread } from '../../show/fileThread.js';
import { drawReport, writeReport } from '../../show/fromFolder.js';
import { type Report, reportText } from '../../show/report.js';
import { SettingWriter, settingTable } from '../../show/settingTable.js';
import {
  collectionReport,
  type ReportedStudy,
  studyReport,
  writeStudyFiles,
} from '../../show/studyReport.js';
import { LINE } from '../../show/tableText.js';
import { Evaluation } from '../../study/evaluate.js';
import type { Context } from '../context.js';

/**
 * Writes tables, figures and the report of a finished study, and says the main things.
 * @param more what the JSON has besides.
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

/** Prints a report, and where its page is. */
async function printReport(report: Report, page: string, context: Context): Promise<void> {
  if (context.isQuiet) return;
  const text = reportText(report, context.colors, context.io.stdout.columns ?? LINE);
  await context.print(`${text}\n\nThe report is ${page}`);
}

/** Does something while threads write result tables and PDFs; returns when these are written, too. */
async function withWriters<Made>(
  work: (settings: SettingWriter, pdfs: FileThread<PdfFiles>) => Promise<Made>,
): Promise<Made> {
  const [settings, pdfs] = [new SettingWriter(), pdfThread()];
  try {
    const made = await work(settings, pdfs);
    await Promise.all([settings.end(), pdfs.end()]);
    return made;
  } finally {
    await Promise.all([settings.close(), pdfs.close()]);
  }
}

/** A report, and further files of its folder: texts by name. */
export interface OwnReport {
  readonly report: Report;
  readonly texts: Readonly<Record<string, Iterable<string>>>;
}

/**
 * Writes tables, figures and the report of a finished study; returns the report and where its page is.
 * @param own its report, where that is not the one of its tables and figures.
 */
export function writeStudy(
  finished: Merged,
  out: string,
  context: Context,
  own?: OwnReport,
): Promise<{ readonly report: Report; readonly page: string }> {
  return withWriters(async (settings, pdfs) => {
    if ((own?.report ?? finished.study).figures.length > 0) await pdfs.begin();
    const report = await writeTables(finished, out, context, settings, own);
    const page = await writeReport(drawReport(report), out, context.io.signal, pdfs);
    return { report, page };
  });
}

/** Writes the tables of a finished study; returns its report, which is yet to be drawn. */
async function writeTables(
  { study, plan, results }: Merged,
  out: string,
  context: Context,
  settings: SettingWriter,
  own?: OwnReport,
): Promise<Report> {
  await settings.write({ folder: out, table: settingTable(study, plan, results) });
  const report = own?.report ?? studyReport(new Evaluation(study, plan, results));
  await writeStudyFiles(out, plan, report, own?.texts);
  await context.pause();
  return report;
}

/** What a page over several studies says of all of them. */
export interface CollectionFacts {
  readonly title: string;
  readonly command: string;
  /** How many simulations they have, what several share counted once. */
  readonly simulations: number;
  /** What the JSON has besides. */
  readonly more: object;
}

/** Gives the results of all to each study, and writes their reports and the page over them; returns the exit code. */
export async function endCollection(
  collection: Collection,
  all: Merged,
  out: string,
  context: Context,
  more: object,
): Promise<number> {
  const finished = await giveResults(out, collection, all);
  const ofWorkloads = finished.filter(({ study }) => study.kind === 'workloads');
  const simulations = ofWorkloads.reduce((sum, { plan }) => sum + plan.runs.length, all.plan.runs.length);
  const { title, command } = collection;
  return reportCollection({ title, command, simulations, more }, finished, out, context);
}

/** Writes the reports of studies below a folder, and the page over them; returns the exit code. */
export async function reportCollection(
  { title, command, simulations: total, more }: CollectionFacts,
  studies: readonly Merged[],
  out: string,
  context: Context,
): Promise<number> {
  const reported: ReportedStudy[] = [];
  const pages: string[] = [];
  const progress = context.progress((done, count) => `${done} of ${count} reports`, true);
  const folderOf = ({ study }: Merged) => join(out, study.name);
  try {
    await withWriters(async (settings, pdfs) => {
      for (const [i, finished] of studies.entries()) {
        const { study, plan } = finished;
        progress.update(i, studies.length);
        const report = await writeTables(finished, folderOf(finished), context, settings);
        reported.push({ name: study.name, simulations: plan.runs.length, report });
        pages.push(await writeReport(drawReport(report), folderOf(finished), context.io.signal, pdfs));
      }
    });
  } finally {
    progress.end();
  }
  const report = collectionReport(title, reported, total, command);
  const page = await writeReport({ report, pictures: [] }, out, context.io.signal);
  if (context.isJson) {
    const each = reported.map(({ name, simulations, report: { title: heading, checks } }, i) => ({
      ...{ name, title: heading, simulations, report: pages[i], checks },
    }));
    const asked = reported.reduce((sum, { simulations }) => sum + simulations, 0);
    const counts = { simulations: total, sameSimulations: asked - total, ...more };
    await context.printJson({ title, out, report: page, ...counts, studies: each });
  } else await printReport(report, page, context);
  return 0;
}
