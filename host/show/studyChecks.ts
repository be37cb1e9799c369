/** What the checks of a study come to, with the numbers behind them. */

import { valueText } from '../format/numbers.js';
import {
  boundsTogether,
  choose,
  differenceOf,
  type Evaluation,
  type MeasuredValue,
  shifted,
  signed,
} from '../study/evaluate.js';
import type { CheckSpec, Label } from '../study/schema.js';
import { labelKey } from '../study/steps.js';
import type { ReportCheck, Verdict } from './report.js';
import { labelText, populationIn } from './studyTables.js';
import { detailed, type Table } from './table.js';

type OrderTest = Extract<CheckSpec['test'], { kind: 'order' }>;
type BoundTest = Extract<CheckSpec['test'], { kind: 'bound' }>;

/** Holds a check against the results. */
export function studyCheck(
  evaluation: Evaluation,
  { sentence, test }: CheckSpec,
  tables: readonly Table[],
): ReportCheck {
  if (test.kind === 'order') return { sentence, ...orderCheck(evaluation, test) };
  if (test.kind === 'bound') return { sentence, ...boundCheck(evaluation, test) };
  const table = tables.find(({ id }) => id === test.table);
  const { inside, published } = countInside(table === undefined ? [] : [table]);
  return {
    sentence,
    verdict: plainly(inside === published),
    evidence: `${inside} of ${published} published cells`,
  };
}

/** The verdict where nothing tells how sure the numbers are. */
const plainly = (holds: boolean): Verdict => (holds ? 'confirmed' : 'contradicted');

/** How many published cells of tables lie inside our range, or are reproduced. */
export function countInside(tables: readonly Table[]): { inside: number; published: number } {
  const cells = tables.flatMap(({ rows }) => rows.flat().map(detailed));
  const compared = cells.filter(({ published }) => published !== undefined);
  return { inside: compared.filter(({ isInside }) => isInside === true).length, published: compared.length };
}

function orderCheck(evaluation: Evaluation, test: OrderTest): Omit<ReportCheck, 'sentence'> {
  const settings = [...settingsOf(evaluation, test).values()];
  const sign = test.direction === 'ascending' ? 1 : -1;
  if (hasIntervals(evaluation)) {
    const steps = settings.map((values) =>
      values.slice(1).map((value, i) => {
        const before = values[i];
        return value === undefined || before === undefined
          ? { value: Number.NaN }
          : signed(differenceOf(value, before), sign);
      }),
    );
    return sureCheck(evaluation, test.measure, steps, 'difference');
  }
  const isOrdered = (values: readonly (number | undefined)[]) =>
    values.every((value, i) => i === 0 || sign * ((value ?? Number.NaN) - (values[i - 1] ?? Number.NaN)) > 0);
  const holding = settings.filter((values) => isOrdered(values.map((each) => each?.value))).length;
  const draws = settings[0]?.[0]?.draws?.length ?? 0;
  const inAll = Array.from({ length: draws }, (_, draw) =>
    settings.every((values) => isOrdered(values.map((each) => each?.draws?.[draw]))),
  ).filter(Boolean).length;
  // Of one setting the verdict beside the sentence says it all.
  const isOne = settings.length === 1;
  const times = isOne ? [] : [`confirmed in ${holding} of ${settings.length} settings`];
  const each = draws > 1 ? [`${isOne ? '' : 'in all of them '}in ${inAll} of ${draws} replications`] : [];
  return {
    verdict: plainly(settings.length > 0 && holding === settings.length),
    evidence: [...times, ...each].join('; '),
  };
}

/** Whether the study has replications, and says how sure their means are. */
function hasIntervals(evaluation: Evaluation): boolean {
  const { draws } = evaluation.study;
  return draws?.shows === 'interval' && evaluation.labels(draws.axis).length > 1;
}

/**
 * Whether numbers are surely above 0: a setting confirms a check where the intervals of all of its numbers are above 0,
 * contradicts it where one is below, and is open else. The intervals of all numbers hold together, with 95 %.
 */
function sureCheck(
  evaluation: Evaluation,
  measure: string,
  settings: readonly (readonly MeasuredValue[])[],
  what: 'difference' | 'distance to the bound',
): Omit<ReportCheck, 'sentence'> {
  const { study } = evaluation;
  // A bound may be met exactly; in an order nothing is equal.
  const isAbove = (number = Number.NaN) => (what === 'difference' ? number > 0 : number >= 0);
  const together = settings.flat().length;
  const bounds = settings.map((numbers) => numbers.map((each) => boundsTogether(each, together)));
  const confirmed = bounds.filter((each) => each.every(({ low }) => isAbove(low))).length;
  const contradicted = bounds.filter((each) => each.some(({ high }) => high < 0)).length;
  const open = settings.length - confirmed - contradicted;
  const count = settings[0]?.[0]?.draws?.length ?? 0;
  const inAll = Array.from({ length: count }, (_, draw) =>
    settings.every((numbers) => numbers.every(({ draws }) => isAbove(draws?.[draw]))),
  ).filter(Boolean).length;
  const { fewest, copies } = populationIn(evaluation);
  const among = `${inAll} of ${count} ${copies}`;
  if (count < fewest) {
    return {
      verdict: 'open',
      evidence: `not judged below ${fewest} replications; in all settings in ${among}`,
    };
  }
  const isConfirmed = settings.length > 0 && confirmed === settings.length;
  const verdict = isConfirmed ? 'confirmed' : contradicted > 0 ? 'contradicted' : 'open';
  const [setting] = settings;
  if (setting !== undefined && settings.length === 1) {
    const [own] = bounds as [(typeof bounds)[number]];
    const least = own.reduce((lowest, { low }, i) => (low < own[lowest]!.low ? i : lowest), 0);
    const { low, high } = own[least]!;
    const { format, unit = '' } = study.measures.find(({ name }) => name === measure) ?? {};
    const text = (value = Number.NaN) => `${valueText(value, format)}${unit === '' ? '' : ` ${unit}`}`;
    const which = setting.length > 1 ? `least ${what}` : what;
    const interval = setting.length > 1 ? `with 95 % for all ${setting.length} together` : '95 % interval';
    return {
      verdict,
      evidence: `${which} ${text(setting[least]!.value)} (${interval} ${text(low)} to ${text(high)}); in ${among}`,
    };
  }
  return {
    verdict,
    evidence:
      `confirmed in ${confirmed} of ${settings.length} settings by intervals that hold together with 95 %, contradicted in ${contradicted}, ` +
      `open in ${open}; in all of them in ${among}`,
  };
}

/** So many settings that are against a check are named. */
const MOST_NAMED = 6;

function boundCheck(
  evaluation: Evaluation,
  { measure, where, direction, bound }: BoundTest,
): Omit<ReportCheck, 'sentence'> {
  const sign = direction === 'atLeast' ? 1 : -1;
  const { axes, cells: settings } = choose(evaluation.measure(measure), where);
  if (hasIntervals(evaluation)) {
    const above = settings.map(({ value }) => [signed(shifted(value, -bound), sign)]);
    return sureCheck(evaluation, measure, above, 'distance to the bound');
  }
  const against = settings.filter(({ value }) => !(sign * (value.value - bound) >= 0));
  const verdict = plainly(settings.length > 0 && against.length === 0);
  const isOpen = (axis: number) => where[axes[axis]!]?.length !== 1;
  const names = against.map(({ labels }) => labelText(labels.filter((_, axis) => isOpen(axis))));
  const named = names.length > 0 && names.length <= MOST_NAMED ? `, not in ${names.join('; ')}` : '';
  const holding = settings.length - against.length;
  return { verdict, evidence: `confirmed in ${holding} of ${settings.length} settings${named}` };
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
