/** What the checks of a study come to, with the numbers behind them. */

import { detailed, type ReportCheck, type ReportTable } from '../draw/types.js';
import type { CheckSpec, Label } from '../study/definition.js';
import { choose, type Evaluation, labelKey, type MeasuredValue } from '../study/evaluate.js';
import { labelText } from './studyTables.js';

type OrderTest = Extract<CheckSpec['test'], { kind: 'order' }>;
type BoundTest = Extract<CheckSpec['test'], { kind: 'bound' }>;

/** Holds a check against the results. */
export function studyCheck(
  evaluation: Evaluation,
  { sentence, test }: CheckSpec,
  tables: readonly ReportTable[],
): ReportCheck {
  if (test.kind === 'order') return { sentence, ...orderCheck(evaluation, test) };
  if (test.kind === 'bound') return { sentence, ...boundCheck(evaluation, test) };
  const table = tables.find(({ id }) => id === test.table);
  const { inside, published } = countInside(table === undefined ? [] : [table]);
  return { sentence, isTrue: inside === published, evidence: `${inside} of ${published} published cells` };
}

/** How many published cells of tables lie inside our range, or are reproduced. */
export function countInside(tables: readonly ReportTable[]): { inside: number; published: number } {
  const cells = tables.flatMap(({ rows }) => rows.flat().map(detailed));
  const compared = cells.filter(({ published }) => published !== undefined);
  return { inside: compared.filter(({ isInside }) => isInside === true).length, published: compared.length };
}

function orderCheck(evaluation: Evaluation, test: OrderTest): Omit<ReportCheck, 'sentence'> {
  const settings = [...settingsOf(evaluation, test).values()];
  const sign = test.direction === 'ascending' ? 1 : -1;
  const isOrdered = (values: readonly (number | undefined)[]) =>
    values.every((value, i) => i === 0 || sign * ((value ?? Number.NaN) - (values[i - 1] ?? Number.NaN)) > 0);
  const holding = settings.filter((values) => isOrdered(values.map((each) => each?.value))).length;
  const draws = settings[0]?.[0]?.draws?.length ?? 0;
  const inAll = Array.from({ length: draws }, (_, draw) =>
    settings.every((values) => isOrdered(values.map((each) => each?.draws?.[draw]))),
  ).filter(Boolean).length;
  const times =
    settings.length === 1
      ? holding === 1
        ? 'confirmed'
        : 'not confirmed'
      : `confirmed in ${holding} of ${settings.length} settings`;
  const each =
    draws > 1
      ? `; ${settings.length === 1 ? '' : 'in all of them '}in ${inAll} of ${draws} replications`
      : '';
  return { isTrue: settings.length > 0 && holding === settings.length, evidence: times + each };
}

/** So many settings that are against a check are named. */
const MOST_NAMED = 6;

function boundCheck(
  evaluation: Evaluation,
  { measure, where, direction, bound }: BoundTest,
): Omit<ReportCheck, 'sentence'> {
  const sign = direction === 'atLeast' ? 1 : -1;
  const { axes, cells: settings } = choose(evaluation.measure(measure), where);
  const against = settings.filter(({ value }) => !(sign * (value.value - bound) >= 0));
  const isTrue = settings.length > 0 && against.length === 0;
  const isOpen = (axis: number) => where[axes[axis]]?.length !== 1;
  const names = against.map(({ labels }) => labelText(labels.filter((_, axis) => isOpen(axis))));
  const named = names.length > 0 && names.length <= MOST_NAMED ? `, not in ${names.join('; ')}` : '';
  const holding = settings.length - against.length;
  return { isTrue, evidence: `confirmed in ${holding} of ${settings.length} settings${named}` };
}

/** For each setting the values along the labels of the test. */
function settingsOf(
  evaluation: Evaluation,
  { measure, where, axis, labels }: OrderTest,
): Map<string, (MeasuredValue | undefined)[]> {
  const { axes, cells } = choose(evaluation.measure(measure), where);
  const position = axes.indexOf(axis);
  const names = labels.map(String);
  const settings = new Map<string, (MeasuredValue | undefined)[]>();
  for (const { labels: own, value } of cells) {
    const index = names.indexOf(String(own[position] ?? ''));
    if (index < 0) continue;
    const key = labelKey(own.filter((_: Label | null, i) => i !== position));
    const values = settings.get(key) ?? Array.from<MeasuredValue | undefined>({ length: names.length });
    values[index] = value;
    settings.set(key, values);
  }
  return settings;
}
