/** From the axes of a study to its settings, in order. */
import { InputError } from '../errors.js';
import { unknownName } from '../notation.js';
import {
  type AxisEntry,
  type Label,
  type OptionTexts,
  PART_AXIS,
  type Part,
  type Study,
  VARIANT_AXIS,
} from './definition.js';

/** One setting: its label on every axis (null where its part has no such axis), and its options without placeholders. */
export interface Setting {
  readonly labels: readonly (Label | null)[];
  readonly options: OptionTexts;
  /** Where an option comes from. */
  readonly locate: (option: string) => string;
}

const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9-]*)\}/g;
const TRACE = '$TRACE';
const DEEPEST = 5;

/** The axes of all parts, those named first first. With several parts, `part` leads; `variant` ends the list. */
export function axesOf({ parts }: Pick<Study, 'parts'>): string[] {
  const names = parts.flatMap(({ axes }) => axes.map(({ name }) => name));
  const hasVariants = parts.some(({ options, axes }) =>
    [...Object.values(options), ...axes.flatMap(({ entries }) => entries.map(({ text }) => text))].some(
      (text) => text.includes('|'),
    ),
  );
  return [
    ...(parts.some(({ name }) => name !== undefined) ? [PART_AXIS] : []),
    ...new Set(names),
    ...(hasVariants ? [VARIANT_AXIS] : []),
  ];
}

/** How many settings there are, lists within options not counted. */
export function countSettings({ parts }: Study): number {
  return parts.reduce(
    (sum, { axes }) => sum + axes.reduce((product, { entries }) => product * entries.length, 1),
    0,
  );
}

/**
 * All settings, part by part, the last axis changing fastest.
 * @param trace what `$TRACE` stands for.
 * @throws InputError for placeholders without an axis, or a missing trace.
 */
export function* expandStudy(study: Study, trace: string | undefined): Generator<Setting> {
  const axes = axesOf(study);
  for (const part of study.parts) {
    for (const chosen of product(part)) yield* settingsOf(part, axes, chosen, trace);
  }
}

function* product({ axes }: Part): Generator<AxisEntry[]> {
  const position = axes.map(() => 0);
  for (;;) {
    yield axes.map(({ entries }, i) => entries[position[i]]);
    let axis = axes.length - 1;
    while (axis >= 0 && ++position[axis] === axes[axis].entries.length) position[axis--] = 0;
    if (axis < 0) return;
  }
}

function* settingsOf(
  part: Part,
  axes: readonly string[],
  chosen: readonly AxisEntry[],
  trace: string | undefined,
): Generator<Setting> {
  const values = new Map(part.axes.map(({ name }, i) => [name, chosen[i]]));
  const locate = (option: string) => placeOf(part, option, values);
  const filled = Object.entries(part.options).map(([option, text]) => {
    const whole = fillTrace(
      fill(text, values, () => locate(option)),
      trace,
      () => locate(option),
    );
    return [option, alternatives(whole)] as const;
  });
  const labels = axes.map((axis) =>
    axis === PART_AXIS ? (part.name ?? null) : (values.get(axis)?.label ?? null),
  );
  for (const options of choices(filled)) {
    const varied = filled.flatMap(([option, texts]) => (texts.length > 1 ? [options[option]] : []));
    if (axes.at(-1) === VARIANT_AXIS) labels[axes.length - 1] = varied.join(' ');
    yield { labels: [...labels], options, locate };
  }
}

function* choices(
  filled: readonly (readonly [string, readonly string[]])[],
): Generator<Record<string, string>> {
  if (filled.length === 0) {
    yield {};
    return;
  }
  const [[option, texts], ...rest] = filled;
  for (const text of texts) for (const others of choices(rest)) yield { [option]: text, ...others };
}

function fill(text: string, values: ReadonlyMap<string, AxisEntry>, place: () => string): string {
  let filled = text;
  for (let depth = 0; filled.includes('{'); depth++) {
    const before = filled;
    filled = filled.replace(PLACEHOLDER, (_, axis: string) => {
      const entry = values.get(axis);
      if (entry === undefined)
        throw new InputError(`${place()}: ${unknownName('axis', axis, values.keys()).message}`);
      return entry.text;
    });
    if (filled === before || depth === DEEPEST)
      throw new InputError(`${place()}: cannot fill the places {...} in '${text}'`);
  }
  return filled;
}

function fillTrace(text: string, trace: string | undefined, place: () => string): string {
  if (!text.includes(TRACE)) return text;
  if (trace === undefined) {
    throw new InputError(`${place()}: this study needs a job log; name it with --trace FILE.swf.gz`);
  }
  return text.replaceAll(TRACE, trace);
}

/** `ti[sht=1|2,slt=3|4]` as its four readings; the last list changes fastest. Bars outside brackets say nothing. */
function alternatives(text: string): string[] {
  const list = /([^[\],=]*\|[^[\],=]*)(?=[^[]*\])/.exec(text);
  if (list === null) return [text];
  const before = text.slice(0, list.index);
  const behind = text.slice(list.index + list[1].length);
  return list[1].split('|').flatMap((value) => alternatives(before + value + behind));
}

/** Where an option's text comes from: the value of the first axis that it takes, or where the option itself stands. */
function placeOf(part: Part, option: string, values: ReadonlyMap<string, AxisEntry>): string {
  const [, axis] = (part.options[option] ?? '').match(new RegExp(PLACEHOLDER.source)) ?? [];
  return values.get(axis ?? '')?.place ?? part.place(option);
}
