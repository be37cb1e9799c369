/** The files of a finished study beside its result table: the tables and figures as data. */
import { join } from 'node:path';
import { documentText } from '../results/documents.js';
import { studyFile, writeStudyFolder } from '../runs/runsFolder.js';
import type { Plan } from '../study/plan.js';
import { TABLE_FOLDER } from './html.js';
import { REPORT_FILE, type Report } from './report.js';
import { environmentDocument } from './studyReport.js';
import { tableFiles } from './tableFiles.js';

/**
 * Writes the tables, report.json and environment.json into the folder of a study.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writeStudyFiles(folder: string, plan: Plan, report: Report): Promise<void> {
  const text = (name: string, pieces: Iterable<string>) => studyFile(join(folder, name), pieces);
  const json = (name: string, document: unknown) => text(name, [documentText(document)]);
  await writeStudyFolder([
    ...report.tables.flatMap(tableFiles).map((file) => text(join(TABLE_FOLDER, file.name), [file.text])),
    json('environment.json', environmentDocument(plan)),
    json(REPORT_FILE, report),
  ]);
}
