/** A finished study as a report: its tables, figures and checks, and what produced them. */

import { join } from 'node:path';
import { formatNumber } from '../format/numbers.js';
import { sourceWord } from '../format/text.js';
import { checkGiven } from '../given.js';
import { documentText, packageVersion } from '../results/documents.js';
import { PAGE_FILE } from '../results/resultFolder.js';
import { MOST_RUNS } from '../runs/planStudy.js';
import { studyFile, writeStudyFolder } from '../runs/runsFolder.js';
import type { Evaluation } from '../study/evaluate.js';
import type { Plan } from '../study/plan.js';
import type { OptionTexts } from '../study/schema.js';
import { type Study, workloadsWithoutEstimates } from '../study/study.js';
import {
  countedVerdicts,
  filesBeside,
  REPORT_FILE,
  type Report,
  type ReportFact,
  reportOf,
} from './report.js';
import { countInside, studyCheck } from './studyChecks.js';
import { studyFigure } from './studyFigures.js';
import { boundsShown, conclusions, studyTables } from './studyTables.js';
import { boundsName, type Table } from './table.js';
import { TABLE_FOLDER, tableFiles } from './tableFiles.js';

/**
 * The report of a study.
 * @returns tables, figures and checks as data, which `drawFolder` draws.
 * @example
 * const study = await readStudy('my.yaml');
 * const { plan, results } = await runStudy(study, {}, { out: 'results/my', threads: 2 });
 * console.log(studyReport(new Evaluation(study, plan, results)).title); // Responses by load
 */
export function studyReport(evaluation: Evaluation): Report {
  checkGiven(evaluation, 'evaluation', 'studyReport');
  const { study, plan } = evaluation;
  const tables = study.tables.flatMap((spec) => studyTables(evaluation, spec));
  return {
    title: study.title,
    description: study.description.trim(),
    source: study.source,
    highlights: highlights(evaluation, tables),
    tables,
    figures: study.figures.map((spec) => studyFigure(evaluation, spec)),
    checks: study.checks.map((check) => studyCheck(evaluation, check, tables)),
    notes: study.notes,
    commands: [studyCommand(plan)],
    environment: [...settingFacts(study, plan), ...environmentFacts(plan)],
    files: filesBeside(STUDY_FILES, tables),
  };
}

/** What stands in the folder of a study beside its report. */
const STUDY_FILES = {
  'study.yaml': 'the study: every setting, measure, table and figure',
  'results.csv': 'all parameters and metrics of every run',
  'results.parquet': 'the same as Parquet',
  'environment.json': 'versions, hashes, workloads',
};

function highlights(evaluation: Evaluation, tables: readonly Table[]): ReportFact[] {
  const { study, plan } = evaluation;
  const what = study.kind === 'workloads' ? 'Workloads' : 'Simulations';
  const { inside, published } = countInside(tables);
  const jobs = plan.runs.reduce((sum, { workload }) => sum + plan.workloads[workload]!.jobs, 0);
  const draws = study.draws === undefined ? 1 : evaluation.labels(study.draws.axis).length;
  return [
    { label: what, value: formatNumber(plan.runs.length) },
    ...(study.kind === 'workloads' ? [] : [{ label: 'Jobs simulated', value: formatNumber(jobs) }]),
    ...(study.draws === undefined ? [] : [{ label: 'Replications', value: formatNumber(draws) }]),
    ...estimatesFact(plan),
    ...study.tables.flatMap((spec) => conclusions(evaluation, spec)),
    ...(published === 0
      ? []
      : [
          {
            label:
              draws === 1
                ? 'Published cells reproduced'
                : study.draws?.shows === 'interval'
                  ? `Published cells inside the ${boundsName(boundsShown(evaluation))}`
                  : 'Published cells inside the range of replications',
            value: `${inside} of ${published}`,
          },
        ]),
  ];
}

/** How many jobs have their runtime for an estimate where estimates decide; nothing where all have one of their own. */
function estimatesFact(plan: Plan): ReportFact[] {
  const workloads = workloadsWithoutEstimates(plan);
  if (workloads.length === 0) return [];
  const sum = (key: 'withoutEstimate' | 'kept') =>
    formatNumber(workloads.reduce((total, { accounting }) => total + accounting[key], 0));
  return [
    {
      label: 'Jobs whose runtime stands in as the estimate',
      value: `${sum('withoutEstimate')} of ${sum('kept')}`,
    },
  ];
}

/** The command that runs a study again. */
function studyCommand({ command, trace, draws, options, runs }: Plan): string {
  const words = [
    ...command,
    ...(trace === null ? [] : ['--trace', trace]),
    ...(draws === null ? [] : ['--draws', String(draws)]),
    ...Object.entries(options).flatMap(([name, text]) => ['--set', `${name}=${text}`]),
    ...(runs.length > MOST_RUNS ? ['--yes'] : []),
    ...(namesCode(command, runs) ? ['--allow-code'] : []),
  ];
  return shellLine(words);
}

/** Words behind `gridalloc` as a line for a shell. */
export function shellLine(words: readonly string[]): string {
  return ['gridalloc', ...words.map(sourceWord)].join(' ');
}

/** Whether a study names files with functions; what a sweep names stands on the command line itself. */
function namesCode([name]: Plan['command'], runs: Plan['runs']): boolean {
  if (name === 'sweep') return false;
  return runs.some(({ common }) => common.code !== undefined);
}

/** What decided the results besides the study: no dates, no durations, so that the same results have the same facts. */
function environmentDocument(plan: Plan): object {
  const speeds = new Set(plan.runs.map(({ common }) => common.speeds.join(',')));
  return {
    gridalloc: packageVersion(),
    coreBuild: 'shared',
    coreSha256: plan.coreSha256,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    plan: plan.sha256,
    trace: plan.trace,
    draws: plan.draws,
    options: plan.options,
    workloads: plan.workloads.map(({ name, sha256, jobs, accounting }) => ({
      name,
      sha256,
      jobs,
      accounting,
    })),
    speeds: [...speeds],
  };
}

/** The options that all settings of a study share; not those that are an axis. */
function settingFacts({ parts }: Study, plan: Plan): ReportFact[] {
  const [first, ...others] = parts;
  const isShared = ([name, text]: readonly [string, string]) =>
    others.every(({ options }: { options: OptionTexts }) => options[name] === text);
  return Object.entries({ ...first?.options, ...plan.options })
    .filter((option) => isShared(option) && !/^\{[\w-]+\}$/.test(option[1]))
    .map(([label, value]) => ({ label, value }));
}

/** Versions, and the hashes of what was simulated. */
export function environmentFacts(plan: Plan): ReportFact[] {
  return [
    { label: 'gridalloc', value: packageVersion() },
    { label: 'Core, build for threads (SHA-256)', value: plan.coreSha256 },
    { label: 'Node', value: process.version },
    { label: 'Plan (SHA-256)', value: plan.sha256 },
    ...plan.workloads.slice(0, 20).map(({ name, jobs, sha256 }) => ({
      label: `${name}, ${formatNumber(jobs)} jobs (SHA-256)`,
      value: sha256,
    })),
  ];
}

// The files of a finished study beside its result table: the tables and figures as data.

/**
 * Writes the tables, report.json and environment.json into the folder of a study.
 * @param texts further files by name.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writeStudyFiles(
  folder: string,
  plan: Plan,
  report: Report,
  texts: Readonly<Record<string, Iterable<string>>> = {},
): Promise<void> {
  const text = (name: string, pieces: Iterable<string>) => studyFile(join(folder, name), pieces);
  const json = (name: string, document: unknown) => text(name, [documentText(document)]);
  await writeStudyFolder([
    ...report.tables.flatMap(tableFiles).map((file) => text(join(TABLE_FOLDER, file.name), [file.text])),
    ...Object.entries(texts).map(([name, pieces]) => text(name, pieces)),
    json('environment.json', environmentDocument(plan)),
    json(REPORT_FILE, report),
  ]);
}

// One page over the reports of several studies.

/** A study that was run with others. */
export interface ReportedStudy {
  /** Its name, which is that of its folder too. */
  readonly name: string;
  readonly simulations: number;
  readonly report: Report;
}

/**
 * The page over the reports of studies whose folders stand beside it.
 * @param simulations how many different ones they have.
 */
export function collectionReport(
  title: string,
  studies: readonly ReportedStudy[],
  simulations: number,
  command: string,
): Report {
  const asked = studies.reduce((sum, each) => sum + each.simulations, 0);
  return reportOf({
    title,
    description: 'Studies that were run together: what several of them simulate has the same id in all.',
    highlights: [
      { label: 'Studies', value: formatNumber(studies.length) },
      { label: 'Simulations', value: formatNumber(simulations) },
      { label: 'Asked for more than once', value: formatNumber(asked - simulations) },
    ],
    tables: [
      {
        id: 'studies',
        title: 'Studies',
        caption: '',
        columns: [
          { title: 'study', isHeading: true },
          { title: 'what it is' },
          { title: 'simulations', format: { style: 'fixed', decimals: 0 } },
          { title: 'checks' },
        ],
        rows: studies.map(({ name, simulations, report }) => [
          name,
          report.title,
          simulations,
          report.checks.length === 0 ? null : countedVerdicts(report.checks),
        ]),
      },
    ],
    checks: studies.flatMap(({ name, report }) =>
      report.checks.map((check) => ({ ...check, sentence: `${name}: ${check.sentence}` })),
    ),
    commands: [command],
    files: studies.map(({ name, report }) => ({ path: `${name}/${PAGE_FILE}`, meaning: report.title })),
  });
}
