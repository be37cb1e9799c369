/**
 * A comparison over replications as a study in a folder: its methods are the parts, its looks are rounds, each of which
 * has a plan of more replications.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstOf } from '../../lists.js';
import { documentText, formatOf } from '../../results/documents.js';
import {
  endOfComparison,
  estimatedOf,
  isDecided,
  judgeAtLooks,
  type Samples,
} from '../../runs/comparison.js';
import type { Merged } from '../../runs/merge.js';
import { type Planned, planStudy } from '../../runs/planStudy.js';
import {
  COMPARISON_FILE,
  readStudyOf,
  readStudyPlan,
  studyFile,
  writeStudyFolder,
} from '../../runs/runsFolder.js';
import { reportText } from '../../show/report.js';
import { LINE } from '../../show/tableText.js';
import { estimateMean } from '../../statistics/interval.js';
import type { Study } from '../../study/study.js';
import { prepareExperiment, readSettings } from '../asked.js';
import { askedMethods, readCodeOf } from '../askedMethods.js';
import { Arguments } from '../command.js';
import { textsOf } from '../commandOptions.js';
import {
  type Compared,
  comparedSettings,
  prepareComparison,
  replicatedDocument,
  replicatedText,
} from '../compared.js';
import { judgedLogs, logsDocument, logsText, prepareLogs } from '../comparedLogs.js';
import type { Context } from '../context.js';
import { estimatesDocument, estimatesText } from '../estimated.js';
import { classesAsked, comparisonAskedBy, isReplicated } from '../replicated.js';
import { runToEnd } from '../simulated.js';
import { estimatedFolder, judgedFolder, logsFolder, plainDocument, plainFolder } from './comparedFolder.js';
import { type OwnReport, writeStudy } from './studyResults.js';

/** What is asked for in a folder: a comparison, with or without replications, or replications of one simulation. */
export interface Asked {
  readonly command: 'compare' | 'simulate';
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** It as its folder keeps it, with what came of the rounds so far. */
export interface ComparisonFile extends Asked {
  readonly result?: {
    /** Hash of the plan of the last round that is done. */
    readonly plan: string;
    /** Whether no other round is needed. */
    readonly isOver: boolean;
  };
}

/** The comparison of a folder; undefined where it holds none. */
export function readComparison(folder: string): ComparisonFile | undefined {
  const path = join(folder, COMPARISON_FILE);
  if (!existsSync(path)) return undefined;
  const file = JSON.parse(readFileSync(path, 'utf8')) as Omit<ComparisonFile, 'command'>;
  formatOf(file, path);
  // Those of earlier versions do not say it.
  return { command: 'compare', ...file };
}

/** Writes the comparison of a folder, whose lock the caller has. */
export async function writeComparison(folder: string, file: ComparisonFile): Promise<void> {
  await writeStudyFolder([studyFile(join(folder, COMPARISON_FILE), [documentText(file)])]);
}

const argumentsOf = ({ words, options }: Asked) => new Arguments(new Map(Object.entries(options)), words);

/**
 * Reads everything that is asked for and checks it, before anything runs.
 * @returns the log that methods are compared on, or several.
 * @throws InputError as `prepareExperiment`.
 */
export async function prepareAsked(asked: Asked, context: Context): Promise<Compared[]> {
  const args = argumentsOf(asked);
  if (asked.command === 'compare')
    return asked.words.length > 1 ? prepareLogs(args, context) : [await prepareComparison(args, context)];
  const texts = textsOf(args);
  const settings = readSettings(firstOf(asked.words), texts);
  return [{ args, experiment: await prepareExperiment(settings, context, askedMethods(texts)) }];
}

/**
 * Judges the methods of a comparison whose round is done, writes what came of it, and says so; returns the exit code.
 * @param isLast whether the command ends with this round: of JSON it prints one document.
 */
export async function endComparison(
  file: ComparisonFile,
  finished: Merged,
  out: string,
  context: Context,
  isLast: boolean,
): Promise<number> {
  await readCodeOf(argumentsOf(file));
  // What is to be known of the jobs was said when the runs were planned.
  const compared = await prepareAsked(file, context.silent());
  const { document, text, own, isOver } = await endOf(file, compared, finished, context);
  const { command, words, options } = file;
  const result = { plan: finished.plan.sha256, isOver, ...document };
  await writeComparison(out, { command, words, options, result });
  if (!isLast && !isOver) return 0;
  const { page } = await writeStudy(finished, out, context, own);
  if (context.isJson) await context.printJson(document);
  else if (!context.isQuiet) await context.print(`${text}\n\nThe report is ${page}`);
  return 0;
}

/** What came of a round. */
interface Ended {
  readonly document: object;
  readonly text: string;
  readonly own: OwnReport;
  readonly isOver: boolean;
}

async function endOf(
  { command }: Asked,
  logs: readonly Compared[],
  { plan, results }: Merged,
  context: Context,
): Promise<Ended> {
  const { args, experiment } = firstOf(logs);
  const methods = experiment.methods.length;
  const count = plan.points.length / (logs.length * methods);
  // Settings come method by method, those of a method replication by replication.
  const samples: Samples = ({ name }, method) =>
    plan.points.slice(method * count, (method + 1) * count).map(({ run }) => results.value(run, name));
  if (logs.length > 1) {
    // Log by log, and those of a log method by method.
    const asked = comparisonAskedBy(args, experiment.settings);
    const values = logs.map((_, log) =>
      asked.metrics.map((metric) =>
        experiment.methods.map((_, method) => estimateMean(samples(metric, log * methods + method)).mean),
      ),
    );
    const compared = judgedLogs(logs, asked, values);
    const text = logsText(compared, context);
    return { document: logsDocument(compared), text, own: logsFolder(compared, plan), isOver: true };
  }
  if (command === 'simulate') {
    const estimated = estimatedOf(experiment, classesAsked(args), samples);
    const document = estimatesDocument(experiment, estimated);
    const text = estimatesText(experiment, estimated, context.colors);
    return {
      document,
      text,
      own: estimatedFolder({ args, experiment }, estimated, samples, plan),
      isOver: true,
    };
  }
  if (!isReplicated(args)) {
    const own = plainFolder({ args, experiment }, samples, plan);
    const document = plainDocument({ args, experiment }, samples);
    const shown = { ...own.report, tables: own.report.tables.slice(0, 1) };
    return { document, text: reportText(shown, context.colors, LINE), own, isOver: true };
  }
  const asked = comparisonAskedBy(args, experiment.settings);
  const judgements = judgeAtLooks(asked, methods, count, samples);
  const comparison = await endOfComparison(
    experiment,
    asked,
    judgements,
    samples,
    (simulator, configuration) => runToEnd(simulator, configuration, context),
  );
  return {
    document: replicatedDocument(experiment, comparison),
    text: replicatedText(experiment, comparison, context),
    own: judgedFolder({ args, experiment }, comparison, samples, plan),
    isOver: isDecided(judgements) || count === asked.looks[asked.looks.length - 1],
  };
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
  const [args, settings] = comparedSettings(argumentsOf(file));
  const { looks } = comparisonAskedBy(args, settings);
  const done = before.draws ?? 0;
  const draws = looks.find((look) => look >= 2 * done) ?? looks[looks.length - 1]!;
  if (draws <= done) return undefined;
  await context.say(`not decided yet; the next round has ${draws} replications`);
  const study = await readStudyOf(folder, { ...before, draws });
  const { command, options } = before;
  const given = { command, options, draws, allowCode, allowMany: true, onProgress: () => context.pause() };
  const planned = await planStudy(study, given);
  const continues = [...(before.continues ?? []), before.sha256];
  return { study, planned: { ...planned, plan: { ...planned.plan, continues } } };
}
