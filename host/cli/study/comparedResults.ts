/**
 * A comparison over replications as a study in a folder: its methods are the parts, its looks are rounds, each of which
 * has a plan of more replications.
 */
import { join } from 'node:path';
import { firstOf } from '../../lists.js';
import { documentText } from '../../results/documents.js';
import { askedComparison, type Samples } from '../../runs/comparison.js';
import { type Planned, planStudy } from '../../runs/planStudy.js';
import {
  COMPARISON_FILE,
  readBeside,
  readStudyOf,
  readStudyPlan,
  studyFile,
  writeStudyFolder,
} from '../../runs/runsFolder.js';
import type { Merged } from '../../runs/shardFolder.js';
import { wrapped } from '../../show/tableText.js';
import type { Study } from '../../study/study.js';
import { askedIn, type KeptWords, readCodeOf } from '../asked.js';
import { comparedSettings } from '../compared.js';
import type { Context } from '../context.js';
import { prepareQuestion } from '../questions.js';
import { writeStudy } from './studyResults.js';

/** What a folder keeps of a question that its runs answer: its words, and what came of the rounds so far. */
export interface ComparisonFile extends KeptWords {
  readonly result?: {
    /** Hash of the plan of the last round that is done. */
    readonly plan: string;
    /** Whether no other round is needed. */
    readonly isOver: boolean;
  };
}

/** The comparison of a folder; undefined where it holds none. */
export function readComparison(folder: string): ComparisonFile | undefined {
  const file = readBeside<Omit<ComparisonFile, 'command'>>(join(folder, COMPARISON_FILE));
  // Those of earlier versions do not say the command.
  return file && { command: 'compare', ...file };
}

/** Writes the comparison of a folder, whose lock the caller has. */
export async function writeComparison(folder: string, file: ComparisonFile): Promise<void> {
  await writeStudyFolder([studyFile(join(folder, COMPARISON_FILE), [documentText(file)])]);
}

/**
 * Answers the question of a folder whose round is done, writes what came of it, and says so; returns the exit code.
 * @param isLast whether the command ends with this round: of JSON it prints one document.
 */
export async function endComparison(
  file: ComparisonFile,
  finished: Merged,
  out: string,
  context: Context,
  isLast: boolean,
): Promise<number> {
  const { plan, results } = finished;
  const asked = askedIn(file);
  await readCodeOf(asked.texts, asked.named);
  // What is to be known of the jobs was said when the runs were planned.
  const { logs, looks, look } = await prepareQuestion(asked, context.silent());
  const count = plan.points.length / (logs.length * firstOf(logs).methods.length);
  // Settings come method by method, those of a method replication by replication.
  const samples: Samples = ({ name }, method) =>
    plan.points.slice(method * count, (method + 1) * count).map(({ run }) => results.value(run, name));
  const { isEnough, answer } = look(samples, count);
  const isOver = isEnough || count === looks[looks.length - 1];
  const { document, text, legend = [], report } = await answer();
  const { command, words, options } = file;
  await writeComparison(out, {
    command,
    words,
    options,
    result: { plan: plan.sha256, isOver, ...document },
  });
  if (!isLast && !isOver) return 0;
  const own = await report(plan);
  const { page } = await writeStudy(finished, out, context, own);
  if (context.isJson) await context.printJson(document);
  else if (!context.isQuiet) {
    const lines = legend.map((each) => wrapped(each)).join('\n');
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
  const asked = askedIn(file);
  const [settings] = comparedSettings(asked);
  const { looks } = askedComparison(settings, asked);
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
