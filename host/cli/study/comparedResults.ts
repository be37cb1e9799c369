/**
 * A comparison over replications as a study in a folder: its methods are the parts, its looks are rounds, each of which
 * has a plan of more replications.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentText, formatOf } from '../../results/documents.js';
import type { Merged } from '../../runs/merge.js';
import { type Planned, planStudy } from '../../runs/planStudy.js';
import {
  COMPARISON_FILE,
  readStudyOf,
  readStudyPlan,
  studyFile,
  writeStudyFolder,
} from '../../runs/runsFolder.js';
import type { Study } from '../../study/study.js';
import { readCodeOf } from '../askedMethods.js';
import { Arguments } from '../command.js';
import { comparedSettings, prepareComparison, replicatedDocument, replicatedText } from '../compared.js';
import type { Context } from '../context.js';
import { askedComparison, endOfComparison, isDecided, judgeAtLooks, type Samples } from '../replicated.js';
import { writeStudy } from './studyResults.js';

/** A comparison as its folder keeps it: what compare was given, and what came of the rounds so far. */
export interface ComparisonFile {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, readonly string[]>>;
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
  const file = JSON.parse(readFileSync(path, 'utf8')) as ComparisonFile;
  formatOf(file, path);
  return file;
}

/** Writes the comparison of a folder, whose lock the caller has. */
export async function writeComparison(folder: string, file: ComparisonFile): Promise<void> {
  await writeStudyFolder([studyFile(join(folder, COMPARISON_FILE), [documentText(file)])]);
}

const argumentsOf = ({ words, options }: ComparisonFile) =>
  new Arguments(new Map(Object.entries(options)), words);

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
  const given = argumentsOf(file);
  await readCodeOf(given);
  const { experiment } = await prepareComparison(given, context);
  const asked = askedComparison(given, experiment.settings);
  const { plan, results } = finished;
  const count = plan.points.length / experiment.methods.length;
  // Settings come method by method, those of a method replication by replication.
  const samples: Samples = ({ name }, method) =>
    plan.points.slice(method * count, (method + 1) * count).map(({ run }) => results.value(run, name));
  const judgements = judgeAtLooks(asked, experiment.methods.length, count, samples);
  const comparison = await endOfComparison(experiment, asked, judgements, samples, context);
  const isOver = isDecided(judgements) || count === asked.looks[asked.looks.length - 1];
  const document = replicatedDocument(experiment, comparison);
  const { page } = await writeStudy(finished, out, context);
  const { words, options } = file;
  await writeComparison(out, { words, options, result: { plan: plan.sha256, isOver, ...document } });
  if (!context.isJson)
    await context.print(`${replicatedText(experiment, comparison, given, context)}\n\nThe report is ${page}`);
  else if (isLast || isOver) await context.printJson(document);
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
  const [args, settings] = comparedSettings(argumentsOf(file));
  const { looks } = askedComparison(args, settings);
  const done = before.draws ?? 0;
  const draws = looks.find((look) => look >= 2 * done) ?? looks[looks.length - 1];
  if (draws <= done) return undefined;
  await context.say(`not decided yet; the next round has ${draws} replications`);
  const study = await readStudyOf(folder, { ...before, draws });
  const { command, options } = before;
  const given = { command, options, draws, allowCode, allowMany: true, onProgress: () => context.pause() };
  const planned = await planStudy(study, given);
  const continues = [...(before.continues ?? []), before.sha256];
  return { study, planned: { ...planned, plan: { ...planned.plan, continues } } };
}
