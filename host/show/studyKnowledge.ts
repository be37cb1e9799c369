/** What the runs of a study decide by, where methods stand side by side that do not know the same. */
import { estimateWords, knowledgeOf, NO_ESTIMATES } from '../simulate/knowledge.js';
import { choose, type Evaluation } from '../study/evaluate.js';
import { PART_AXIS } from '../study/expand.js';
import { parametersOf } from '../study/plan.js';
import type { Label } from '../study/schema.js';
import type { TableSpec } from '../study/study.js';

type KnownBySetting = readonly { readonly labels: readonly (Label | null)[]; readonly knowledge: string }[];

/** Found once for all tables of a study. */
const found = new WeakMap<Evaluation, KnownBySetting>();

function knownBySetting(evaluation: Evaluation): KnownBySetting {
  const known = found.get(evaluation) ?? findKnown(evaluation);
  found.set(evaluation, known);
  return known;
}

/** What is known in each setting, with its labels. Settings may share a run whose jobs have the same estimates from elsewhere. */
function findKnown({ study, plan }: Evaluation): KnownBySetting {
  const { runs, points, axes, options } = plan;
  const known = new Map<string, string>();
  const place = axes.indexOf(PART_AXIS);
  return points.map(({ labels, run }) => {
    const part = study.parts.find(({ name }) => place < 0 || name === labels[place]);
    const text = options.estimates ?? part?.options.estimates;
    const estimates = text?.replace(/\{([^{}]+)\}/g, (_, axis) => `${labels[axes.indexOf(axis)]}`);
    const { policy, order, discipline, moldableThreshold } = parametersOf(runs[run]);
    const key = JSON.stringify([policy, order, discipline, moldableThreshold, estimates]);
    const decides = { policy, order, discipline, moldableThreshold };
    const knowledge = known.get(key) ?? knowledgeOf(decides, estimateWords(estimates));
    known.set(key, knowledge);
    return { labels, knowledge };
  });
}

/** The kind of what is known, without the source of estimates. */
const kindOf = (knowledge: string) => knowledge.replace(/ \(.*/, '');

/**
 * A sentence about the methods of a table, by the first of its axes that tells them apart; empty where all know the same.
 */
export function knowledgeSentence(
  evaluation: Evaluation,
  { where, rows, columns }: Pick<TableSpec, 'where' | 'rows' | 'columns'>,
): string {
  const { study, plan } = evaluation;
  if (study.kind !== 'simulations') return '';
  const points = knownBySetting(evaluation);
  if (new Set(points.map(({ knowledge }) => kindOf(knowledge))).size < 2) return '';
  const onAxes = Object.fromEntries(Object.entries(where).filter(([axis]) => plan.axes.includes(axis)));
  const { cells } = choose({ axes: plan.axes, cells: points }, onAxes);
  if (new Set(cells.map(({ knowledge }) => kindOf(knowledge))).size < 2) return '';
  for (const axis of [...rows, ...columns]) {
    const place = plan.axes.indexOf(axis);
    const byLabel = new Map<Label | null, Set<string>>();
    for (const { labels, knowledge } of place < 0 ? [] : cells) {
      byLabel.set(labels[place], (byLabel.get(labels[place]) ?? new Set()).add(knowledge));
    }
    const isTold = [...byLabel.values()].every((each) => each.size === 1);
    if (byLabel.size > 0 && isTold) return sentenceFor([...byLabel].map(([label, [one]]) => [label, one]));
  }
  return `Methods know different things: ${[...new Set(cells.map(({ knowledge }) => knowledge))].join('; ')}.`;
}

/** Labels by what is known, those that know no estimates last. */
function sentenceFor(known: readonly (readonly [Label | null, string])[]): string {
  const groups = [...new Set(known.map(([, knowledge]) => knowledge))].filter(
    (each) => each !== NO_ESTIMATES,
  );
  const labelsOf = (group: string) =>
    known.flatMap(([label, knowledge]) => (knowledge === group ? [`${label}`] : []));
  const unknowing = labelsOf(NO_ESTIMATES);
  const told = groups.map((group) => `${labelsOf(group).join('; ')}: ${group}`);
  if (unknowing.length > 0)
    told.push(`${unknowing.length > 3 ? 'all others' : unknowing.join('; ')}: ${NO_ESTIMATES}`);
  return `What methods know: ${told.join(' | ')}.`;
}
