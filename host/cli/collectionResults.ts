/** What several studies that were run as one leave in their folders, and say. */
import { join } from 'node:path';
import type { Figure } from '../draw/types.js';
import { collectionReport, type ReportedStudy } from '../report/collectionReport.js';
import { type DrawnReport, drawReport, writeReport } from '../report/fromFolder.js';
import { SettingWriter } from '../report/settingWriter.js';
import { type Collection, giveResults } from '../runner/collection.js';
import type { Merged } from '../runner/merge.js';
import { Threads } from '../runner/threads.js';
import { reportText } from '../text/report.js';
import type { Arguments } from './arguments.js';
import type { Context } from './context.js';
import { writeTables } from './studyResults.js';

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
  args: Arguments,
  context: Context,
  more: object,
): Promise<number> {
  const finished = await giveResults(out, collection, all);
  const ofWorkloads = finished.filter(({ study }) => study.kind === 'workloads');
  const simulations = ofWorkloads.reduce((sum, { plan }) => sum + plan.runs.length, all.plan.runs.length);
  const { title, command } = collection;
  return reportCollection({ title, command, simulations, more }, finished, out, args, context);
}

/** Writes the reports of studies below a folder, and the page over them; returns the exit code. */
export async function reportCollection(
  { title, command, simulations: total, more }: CollectionFacts,
  studies: readonly Merged[],
  out: string,
  args: Arguments,
  context: Context,
): Promise<number> {
  const reported: ReportedStudy[] = [];
  const drawn: Promise<DrawnReport>[] = [];
  const pages: string[] = [];
  const progress = context.progress((done, count) => `${done} of ${count} reports`, true);
  // Figures are drawn, and long tables written, while the tables of the next study are made.
  const settings = new SettingWriter();
  const drawing = new Threads<Figure, string>('../report/drawThread.js', 1, undefined);
  const folderOf = ({ study }: Merged) => join(out, study.name);
  try {
    for (const [i, finished] of studies.entries()) {
      const { study, plan } = finished;
      progress.update(i, studies.length);
      const report = await writeTables(finished, folderOf(finished), context, settings);
      reported.push({ name: study.name, simulations: plan.runs.length, report });
      drawn.push(drawReport(report, (figure) => drawing.one(figure)));
    }
    for (const [i, finished] of studies.entries())
      pages.push(await writeReport(await drawn[i], folderOf(finished), context.io.signal));
    await settings.end();
  } finally {
    progress.end();
    // What is still being drawn when something else has failed is given up.
    await Promise.allSettled([drawing.close(), settings.close(), ...drawn]);
  }
  const report = collectionReport(title, reported, total, command);
  const page = await writeReport({ report, pictures: [] }, out, context.io.signal);
  if (args.has('json')) {
    const each = reported.map(({ name, simulations, report: { title: heading, checks } }, i) => ({
      ...{ name, title: heading, simulations, report: pages[i], checks },
    }));
    const asked = reported.reduce((sum, { simulations }) => sum + simulations, 0);
    const counts = { simulations: total, sameSimulations: asked - total, ...more };
    await context.printJson({ title, out, report: page, ...counts, studies: each });
  } else if (!args.has('quiet'))
    await context.print(`${reportText(report, context.colors)}\n\nThe report is ${page}`);
  return 0;
}
