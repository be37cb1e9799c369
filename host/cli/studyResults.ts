/** What a finished study leaves in its folder, and says. */
import type { Report } from '../draw/types.js';
import { drawReport, writeReport } from '../report/fromFolder.js';
import { settingTable } from '../report/settingTable.js';
import { SettingWriter } from '../report/settingWriter.js';
import { writeStudyFiles } from '../report/studyFiles.js';
import { studyReport } from '../report/studyReport.js';
import type { Merged } from '../runner/merge.js';
import { Evaluation } from '../study/evaluate.js';
import { reportText } from '../text/report.js';
import type { Arguments } from './arguments.js';
import type { Context } from './context.js';

/**
 * Writes tables, plots and the report of a finished study, and says the main things.
 * @param more what the JSON has besides.
 */
export async function reportResults(
  finished: Merged,
  out: string,
  args: Arguments,
  context: Context,
  more: object = {},
): Promise<number> {
  const { plan } = finished;
  const { report, page } = await writeStudy(finished, out, context);
  const { tables, checks, title } = report;
  const simulations = plan.runs.length;
  if (args.has('json'))
    await context.printJson({ title, out, report: page, simulations, ...more, tables, checks });
  else if (!args.has('quiet'))
    await context.print(`${reportText(report, context.colors)}\n\nThe report is ${page}`);
  return 0;
}

/** Writes tables, plots and the report of a finished study; returns the report and where its page is. */
export async function writeStudy(
  finished: Merged,
  out: string,
  context: Context,
): Promise<{ readonly report: Report; readonly page: string }> {
  const settings = new SettingWriter();
  try {
    const report = await writeTables(finished, out, context, settings);
    const page = await writeReport(await drawReport(report), out, context.io.signal);
    await settings.end();
    return { report, page };
  } finally {
    await settings.close();
  }
}

/** Writes the tables of a finished study; returns its report, which is yet to be drawn. */
export async function writeTables(
  { study, plan, results }: Merged,
  out: string,
  context: Context,
  settings: SettingWriter,
): Promise<Report> {
  await settings.write({ folder: out, table: settingTable(study, plan, results) });
  const report = studyReport(new Evaluation(study, plan, results));
  await writeStudyFiles(out, plan, report);
  await context.pause();
  return report;
}
