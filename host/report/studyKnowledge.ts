/** What the runs of a study decide by, where methods stand side by side that do not know the same. */
import { estimateWords, knowledgeOf, NO_ESTIMATES } from '../simulate/knowledge.js';
import type { Label, TableSpec } from '../study/definition.js';
import { choose, type Evaluation } from '../study/evaluate.js';
import type { Plan } from '../study/plan.js';

/** What each run knows, in order. */
function knowledgeOfRuns({ runs, sources }: Plan): string[] {
  const known = new Map<string, string>();
  return Array.from({ length: runs.length }, (_, run) => {
    const [policy, order] = [runs.parameter(run, 'policy'), runs.parameter(run, 'order')];
    const discipline = runs.parameter(run, 'discipline');
    const moldableThreshold = runs.parameter(run, 'moldableThreshold');
    const estimates = estimateWords(sources.at(runs.workload(run)).estimates);
    const key = JSON.stringify([policy, order, discipline, moldableThreshold, estimates]);
    const found = known.get(key) ?? knowledgeOf({ policy, order, discipline, moldableThreshold }, estimates);
    known.set(key, found);
    return found;
  });
}

/** The kind of what is known, without the source of estimates. */
const kindOf = (knowledge: string) => knowledge.replace(/ \(.*/, '');

/**
 * A sentence about the methods of a table, by the first of its axes that tells them apart; empty where all know the same, and
 * for plans of earlier versions, which do not say where estimates were from.
 */
export function knowledgeSentence(
  { study, plan }: Evaluation,
  { where, rows, columns }: Pick<TableSpec, 'where' | 'rows' | 'columns'>,
): string {
  if (study.kind !== 'simulations' || plan.sources.length < plan.workloads.length) return '';
  const known = knowledgeOfRuns(plan);
  if (new Set(known.map(kindOf)).size < 2) return '';
  const points = Array.from(plan.points, ({ labels, run }) => ({ labels, knowledge: known[run] }));
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
