/**
 * A comparison over replications as a study in a folder: its methods are the parts, its looks are rounds, each of which
 * has a plan of more replications.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentText, formatOf } from '../results/documents.js';
import {
  COMPARISON_FILE,
  readStudyOf,
  readStudyPlan,
  studyFile,
  writeStudyFolder,
} from '../runner/folder.js';
import type { Merged } from '../runner/merge.js';
import { type Planned, planStudy } from '../runner/planStudy.js';
import type { Study } from '../study/definition.js';
import { metricPosition } from '../study/runValues.js';
import { Arguments } from './arguments.js';
import { readCodeOf } from './code.js';
import { prepareComparison, replicatedDocument, replicatedText } from './compared.js';
import type { Context } from './context.js';
import { askedComparison, isToldApart, judgeComparison, type Samples } from './replicated.js';
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
  args: Arguments,
  context: Context,
  isLast: boolean,
): Promise<number> {
  const given = argumentsOf(file);
  await readCodeOf(given);
  const { experiment } = await prepareComparison(given, context);
  const asked = askedComparison(given);
  const { plan, results } = finished;
  const count = plan.points.length / experiment.methods.length;
  const sites = experiment.grid.capacities.length;
  // Settings stand method by method, in each replication by replication.
  const samples: Samples = ({ name }, method) => {
    const position = metricPosition(name, 'simulations')(sites);
    return Array.from({ length: count }, (_, replication) =>
      results.value(plan.points.run(method * count + replication), position),
    );
  };
  const comparison = judgeComparison(experiment, asked, count, samples);
  const isOver = isToldApart(comparison) || count === asked.looks[asked.looks.length - 1].replications;
  const document = replicatedDocument(experiment, comparison);
  const { page } = await writeStudy(finished, out, context);
  const { words, options } = file;
  await writeComparison(out, { words, options, result: { plan: plan.sha256, isOver, ...document } });
  if (!args.has('json'))
    await context.print(`${replicatedText(experiment, comparison, context)}\n\nThe report is ${page}`);
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
  const { looks } = askedComparison(argumentsOf(file));
  const look = looks.find(({ replications }) => replications > (before.draws ?? 0));
  if (look === undefined) return undefined;
  const draws = look.replications;
  await context.say(`not decided yet; the next round has ${draws} replications`);
  const study = await readStudyOf(folder, { ...before, draws });
  const { command, options } = before;
  const given = { command, options, draws, allowCode, allowMany: true, onProgress: () => context.pause() };
  const planned = await planStudy(study, given);
  const continues = [...(before.continues ?? []), before.sha256];
  return { study, planned: { ...planned, plan: { ...planned.plan, continues } } };
}
