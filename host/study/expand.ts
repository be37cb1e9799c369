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
    const names = part.axes.map(({ name }) => name);
    const options = Object.keys(part.options).map((option) => new PartOption(part, option, trace));
    for (const chosen of product(part.axes.map(({ entries }) => entries))) {
      yield* settingsOf(part, options, axes, new Map(names.map((name, i) => [name, chosen[i]])));
    }
  }
}

/** All ways to take one of each list, the last list changing fastest. */
function* product<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const position = lists.map(() => 0);
  for (;;) {
    yield lists.map((list, i) => list[position[i]]);
    let last = lists.length - 1;
    while (last >= 0 && ++position[last] === lists[last].length) position[last--] = 0;
    if (last < 0) return;
  }
}

type Values = ReadonlyMap<string, AxisEntry>;

/** An option of a part, filled anew where the axes that it takes have other values than before. */
class PartOption {
  readonly name: string;
  readonly #part: Part;
  readonly #trace: string | undefined;
  readonly #taken = new Map<string, AxisEntry>();
  #texts: readonly string[] = [];

  constructor(part: Part, name: string, trace: string | undefined) {
    this.#part = part;
    this.name = name;
    this.#trace = trace;
  }

  /** Its readings, one for each alternative. */
  texts(values: Values): readonly string[] {
    if (this.#texts.length > 0 && this.#isAsBefore(values)) return this.#texts;
    this.#taken.clear();
    const place = () => placeOf(this.#part, this.name, values);
    const text = fill(this.#part.options[this.name], values, this.#taken, place);
    this.#texts = alternatives(fillTrace(text, this.#trace, place));
    return this.#texts;
  }

  #isAsBefore(values: Values): boolean {
    for (const [axis, entry] of this.#taken) if (values.get(axis) !== entry) return false;
    return true;
  }
}

function* settingsOf(
  part: Part,
  given: readonly PartOption[],
  axes: readonly string[],
  values: Values,
): Generator<Setting> {
  const locate = (option: string) => placeOf(part, option, values);
  const texts = given.map((option) => option.texts(values));
  const labels = axes.map((axis) =>
    axis === PART_AXIS ? (part.name ?? null) : (values.get(axis)?.label ?? null),
  );
  for (const chosen of product(texts)) {
    const options: Record<string, string> = {};
    for (const [i, { name }] of given.entries()) options[name] = chosen[i];
    const varied = chosen.filter((_, i) => texts[i].length > 1);
    if (axes.at(-1) === VARIANT_AXIS) labels[axes.length - 1] = varied.join(' ');
    yield { labels: [...labels], options, locate };
  }
}

/** @param taken is given the axes whose values it takes. */
function fill(text: string, values: Values, taken: Map<string, AxisEntry>, place: () => string): string {
  let filled = text;
  for (let depth = 0; filled.includes('{'); depth++) {
    const before = filled;
    filled = filled.replace(PLACEHOLDER, (_, axis: string) => {
      const entry = values.get(axis);
      if (entry === undefined)
        throw new InputError(`${place()}: ${unknownName('axis', axis, values.keys()).message}`);
      taken.set(axis, entry);
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
  const list = firstList(text);
  if (list === undefined) return [text];
  const before = text.slice(0, list.from);
  const behind = text.slice(list.from + list.text.length);
  return list.text.split('|').flatMap((value) => alternatives(before + value + behind));
}

/** The first list in a text: values with bars between them, within brackets. Walked from the end, which knows of a bracket whether it closes. */
function firstList(text: string): { readonly from: number; readonly text: string } | undefined {
  let from = text.length;
  let isInside = false;
  let first: { readonly from: number; readonly text: string } | undefined;
  for (const part of text.includes('|') ? text.split(/([[\],=])/).reverse() : []) {
    from -= part.length;
    if (part === '[' || part === ']') isInside = part === ']';
    else if (isInside && part.includes('|')) first = { from, text: part };
  }
  return first;
}

/** Where an option's text comes from: the value of the first axis that it takes, or where the option itself stands. */
function placeOf(part: Part, option: string, values: Values): string {
  const [, axis] = (part.options[option] ?? '').match(new RegExp(PLACEHOLDER.source)) ?? [];
  return values.get(axis ?? '')?.place ?? part.place(option);
}
