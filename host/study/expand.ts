/** Expands the axes of a study into its settings, in order, and parses the texts of their options. */
import { InputError, located } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import { numberOf, rangeEnds, unknownName } from '../notation.js';
import { isAbsent, OPTIONS, readOption, type Settings } from '../options/options.js';
import type { Label, OptionTexts, RawAxis, Replications, StudyKeys, StudyPart } from './schema.js';

/** One value of an axis: its label, and the text that takes the place of `{axis}` in the options. */
export interface AxisEntry {
  readonly label: Label;
  readonly text: string;
  /** Place in the file, for error messages: `file, line 12`. */
  readonly place: string;
  /** Value of each option in order, if the axis is of several options, such as `sites+speeds`. */
  readonly joined?: readonly AxisEntry[];
}

/** An axis with all its values. */
export interface Axis {
  readonly name: string;
  readonly entries: readonly AxisEntry[];
}

/** Settings that belong together: the product of the axes, each value put into the options. */
export interface Part {
  /** Label on the axis `part`; undefined when the study has only one part. */
  readonly name: string | undefined;
  readonly options: OptionTexts;
  /** Place of each option in the file, or where it would be. */
  readonly place: (option: string) => string;
  readonly axes: readonly Axis[];
}

/** The axis that distinguishes parts, and the axis of the alternatives in lists such as `ti[slt=1|2]`. */
export const PART_AXIS = 'part';
export const VARIANT_AXIS = 'variant';

/** The axis of a measure by home site: the entire grid, then each site that has jobs. */
export const HOME_AXIS = 'home site';
export const ENTIRE_GRID = 'entire grid';

/** The replications of a study, and the key under which its file has them. */
export type GivenReplications = Replications & { readonly key: 'replications' | 'draws' };

/**
 * The parts of a study: options and axes of the whole and of each, with the axis of the replications.
 * @param replaced options that the user has put in the place of the study's.
 * @throws InputError for an unknown option, and for an axis that replications with a count already have.
 */
export function partsFrom(
  { simulate, axes, parts }: Pick<StudyKeys, 'simulate' | 'axes' | 'parts'>,
  replications: GivenReplications | undefined,
  replaced: OptionTexts,
  locate: (path: readonly (string | number)[]) => string,
): Part[] {
  const counted = replications?.count === undefined ? undefined : replications;
  const named: (readonly [string | undefined, Partial<StudyPart>])[] =
    parts === undefined ? [[undefined, {}]] : Object.entries(parts);
  return named.map(([name, own]) => {
    const path = name === undefined ? [] : ['parts', name];
    const isOwn = (key: 'simulate' | 'axes', entry: string) => own[key]?.[entry] !== undefined;
    const all = { ...axes, ...own.axes };
    if (counted !== undefined && counted.axis in all) {
      throw new InputError(
        `${locate([counted.key])}: '${counted.axis}' is an axis already, whose values are the replications without count`,
      );
    }
    const input = { ...simulate, ...own.simulate, ...replaced };
    const options = replications === undefined ? input : withReplication(input, all, replications);
    const place = (option: string) => {
      if (option in replaced) return `--set ${option}`;
      return locate([...(isOwn('simulate', option) ? path : []), 'simulate', option]);
    };
    for (const option of Object.keys(options)) {
      if (Object.hasOwn(OPTIONS, option)) continue;
      throw located(unknownName('option', option, Object.keys(OPTIONS)), place(option));
    }
    const written = Object.entries(all).map(([axis, values]) =>
      joinedAxis(
        axisFrom(axis, values, (key) => locate([...(isOwn('axes', axis) ? path : []), 'axes', axis, key])),
      ),
    );
    const names = written.flatMap(({ name: axis }) => joinedNames(axis));
    const [twice] = names.filter((each, i) => names.indexOf(each) < i);
    if (twice !== undefined)
      throw new InputError(
        `${locate([...path, 'axes'])}: '${twice}' is on two axes; leave it on one of them`,
      );
    const drawn =
      counted === undefined
        ? []
        : [axisFrom(counted.axis, `1..${counted.count}`, () => locate([counted.key]))];
    return { name, options, place, axes: [...written, ...drawn] };
  });
}

/** Options with the number of the replication, unless an option uses its axis or the study has `draws`. */
function withReplication(
  options: OptionTexts,
  axes: StudyKeys['axes'],
  { axis, key }: GivenReplications,
): OptionTexts {
  const isUsed = JSON.stringify([options, axes]).includes(`{${axis}}`);
  return isUsed || key === 'draws' ? options : { ...options, replication: `{${axis}}` };
}

/**
 * Separator between names of axes whose values vary together, and between these values; blanks must surround it.
 */
const JOIN = '+';
const joins = (text: string) => (text.includes(' : ') ? text.split(' : ') : text.split(':'));

/** The names that an axis gives values to: its own, or those that it joins. */
export function joinedNames(name: string): string[] {
  return name.split(JOIN);
}

/**
 * An axis whose values are those of several names.
 * @throws InputError for a value that has more or fewer.
 */
function joinedAxis({ name, entries }: Axis): Axis {
  const names = joinedNames(name);
  if (names.length === 1) return { name, entries };
  return {
    name,
    entries: entries.map(({ label, text, place }) => {
      const texts = joins(text).map((each) => each.trim());
      if (texts.length !== names.length || texts.includes(''))
        throw new InputError(
          `${place}: '${text}' is not a value of ${names.join(' and ')}; expected ${names.length} values with a colon between (or ' : ')`,
        );
      return { label, text, place, joined: texts.map((each) => ({ label: each, text: each, place })) };
    }),
  };
}

/**
 * An axis with all its labels written out.
 * @param placeOf where the value at a key is, for errors.
 * @throws InputError for a range or permutations of too many values, or none.
 */
function axisFrom(name: string, values: RawAxis, placeOf: (key: string | number) => string): Axis {
  const entry = (label: Label, text: Label, place: string) => ({ label, text: String(text), place });
  const [, permuted] = /^permutations\[(.+)\]$/.exec(String(values)) ?? [];
  if (permuted !== undefined) {
    const place = placeOf(0);
    return { name, entries: permutations(permuted, place).map((text) => entry(text, text, place)) };
  }
  if (typeof values === 'string') {
    const place = placeOf(0);
    return { name, entries: range(values, place).map((label) => entry(label, label, place)) };
  }
  if (Array.isArray(values)) {
    return { name, entries: (values as Label[]).map((label, i) => entry(label, label, placeOf(i))) };
  }
  return { name, entries: Object.entries(values).map(([label, text]) => entry(label, text, placeOf(label))) };
}

/** Largest number of labels of an axis, which is that of settings of a study. */
const MAX_LABELS = 1_000_000;

/** The numbers of `first..last` or `first..last:step`, in whole multiples of the step from the first on. */
function range(text: string, place: string): number[] {
  const [bounds = '', width = '1'] = text.split(':');
  const [first = Number.NaN, last = Number.NaN] = rangeEnds(bounds)?.map(boundOf) ?? [];
  const step = boundOf(width);
  const isWhole = text.includes(':') || (Number.isSafeInteger(first) && Number.isSafeInteger(last));
  if (![first, last].every(Number.isFinite) || !(step > 0) || !isWhole) {
    throw new InputError(
      `${place}: ${text} is not a range; expected whole numbers such as 1..10, or a step above 0 as in 0.5..0.9:0.1`,
    );
  }
  // Numbers such as 0.1 are not exact, so the last may be missed by little.
  const count = Math.floor(Math.abs(last - first) / step + 1e-9) + 1;
  if (!(count <= MAX_LABELS)) {
    throw new InputError(
      `${place}: ${text} are ${formatNumber(count)} values; expected at most ${formatNumber(MAX_LABELS)}`,
    );
  }
  const decimals = Math.max(...[first, step].map(decimalsOf));
  const direction = first <= last ? step : -step;
  return Array.from({ length: count }, (_, i) => Number((first + direction * i).toFixed(decimals)));
}

/** A number, a share such as `70%`, or the seconds of a duration. */
function boundOf(text: string): number {
  const value = numberOf(text);
  return Number.isNaN(value) ? numberOf(text, { isTime: true }) : value;
}

/** Number of decimals that the shortest form of a number has, without exponent; `toFixed` writes no more than 100. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const places = (digits.split('.')[1] ?? '').length - Number(exponent);
  return Math.min(100, Math.max(0, places));
}

/** Largest list whose permutations are taken; more would be millions of settings. */
const MAX_PERMUTED = 8;

/** The distinct orders of numbers separated by commas, in lexicographic order of their places in the list. */
function permutations(list: string, place: string): string[] {
  const values = list.split(',').map((value) => value.trim());
  if (values.length > MAX_PERMUTED) {
    throw new InputError(
      `${place}: permutations of ${values.length} values are too many; expected at most ${MAX_PERMUTED} values`,
    );
  }
  const orders = (rest: readonly string[]): string[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((first, i) => orders(rest.toSpliced(i, 1)).map((order) => [first, ...order]));
  return [...new Set(orders(values).map((order) => order.join(',')))];
}

/** One setting: its label on every axis (null where its part has no such axis), and its options without placeholders. */
export interface Setting {
  readonly labels: readonly (Label | null)[];
  readonly options: OptionTexts;
  /** Place of an option's text in the file. */
  readonly locate: (option: string) => string;
}

/** Settings that belong together, part by part. */
type Parts = { readonly parts: readonly Part[] };

const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9-]*)\}/g;
const TRACE = '$TRACE';
const DEEPEST = 5;

/** The axes of all parts, those named first first. With several parts, `part` leads; `variant` ends the list. */
export function axesOf({ parts }: Parts): string[] {
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

/** Names of the options whose texts change along an axis: it is named like them, or a placeholder in them names it. */
export function optionsAlong({ parts }: Parts, axis: string): string[] {
  const found = new Set<string>();
  for (const { options, axes } of parts) {
    const names = new Set(joinedNames(axis));
    const isUsed = (text: string) => [...text.matchAll(PLACEHOLDER)].some(([, name]) => names.has(name!));
    for (let before = -1; before < names.size; ) {
      before = names.size;
      for (const each of axes)
        if (each.entries.some(({ text }) => isUsed(text)))
          for (const name of joinedNames(each.name)) names.add(name);
    }
    for (const [name, text] of Object.entries(options)) if (isUsed(text)) found.add(name);
    for (const name of names) if (Object.hasOwn(OPTIONS, name)) found.add(name);
  }
  return [...found];
}

/** Number of settings, lists within options not counted. */
export function countSettings({ parts }: Parts): number {
  return parts.reduce(
    (sum, { axes }) => sum + axes.reduce((product, { entries }) => product * entries.length, 1),
    0,
  );
}

/**
 * All settings, part by part, the last axis changing fastest.
 * @param trace what `$TRACE` means.
 * @throws InputError for placeholders without an axis, or a missing trace.
 */
export function* expandStudy(study: Parts, trace: string | undefined): Generator<Setting> {
  const axes = axesOf(study);
  for (const part of study.parts) {
    const names = part.axes.map(({ name }) => name);
    const options = Object.keys(part.options).map((option) => new PartOption(part, option, trace));
    for (const chosen of product(part.axes.map(({ entries }) => entries))) {
      const values = new Map(names.map((name, i) => [name, chosen[i]!]));
      for (const [i, name] of names.entries()) {
        chosen[i]!.joined?.forEach((entry, at) => {
          values.set(joinedNames(name)[at]!, entry);
        });
      }
      yield* settingsIn(part, options, axes, values);
    }
  }
}

/** All ways to take one of each list, the last list changing fastest. */
function* product<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const position = lists.map(() => 0);
  for (;;) {
    yield lists.map((list, i) => list[position[i]!]!);
    let last = lists.length - 1;
    while (last >= 0 && ++position[last]! === lists[last]!.length) position[last--] = 0;
    if (last < 0) return;
  }
}

type Values = ReadonlyMap<string, AxisEntry>;

/** An option of a part, filled again where the axes that it takes have other values than before. */
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

  /** Texts of the option, one for each alternative. */
  texts(values: Values): readonly string[] {
    if (this.#texts.length > 0 && this.#isAsBefore(values)) return this.#texts;
    this.#taken.clear();
    const place = () => placeOf(this.#part, this.name, values);
    const text = fill(this.#part.options[this.name]!, values, this.#taken, place);
    this.#texts = alternatives(fillTrace(text, this.#trace, place));
    return this.#texts;
  }

  #isAsBefore(values: Values): boolean {
    for (const [axis, entry] of this.#taken) if (values.get(axis) !== entry) return false;
    return true;
  }
}

function* settingsIn(
  part: Part,
  input: readonly PartOption[],
  axes: readonly string[],
  values: Values,
): Generator<Setting> {
  const locate = (option: string) => placeOf(part, option, values);
  const texts = input.map((option) => option.texts(values));
  const labels = axes.map((axis) =>
    axis === PART_AXIS ? (part.name ?? null) : (values.get(axis)?.label ?? null),
  );
  for (const chosen of product(texts)) {
    const options: Record<string, string> = {};
    for (const [i, { name }] of input.entries()) options[name] = chosen[i]!;
    const varied = chosen.filter((_, i) => texts[i]!.length > 1);
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
    throw new InputError(
      `${place()}: this study needs a job log; name it with --trace FILE.swf.gz (docs/traces.md says where to get logs)`,
    );
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

/** Place of an option's text: the value of the first axis that it takes, or the option itself. */
function placeOf(part: Part, option: string, values: Values): string {
  const [, axis] = (part.options[option] ?? '').match(new RegExp(PLACEHOLDER.source)) ?? [];
  return values.get(axis ?? '')?.place ?? part.place(option);
}

/**
 * Reads the options of a setting.
 * @throws InputError for a text that an option does not take, or no workload.
 */
export function settingsOf({ options, locate }: Pick<Setting, 'options' | 'locate'>): Settings {
  const settings: Partial<Settings> = {};
  for (const [name, text] of Object.entries(options)) {
    if (isAbsent(name, text)) continue;
    try {
      Object.assign(settings, readOption(name, text));
    } catch (error) {
      throw located(error, locate(name));
    }
  }
  const { workload } = settings;
  if (workload === undefined) {
    throw new InputError(
      `${locate('workload')}: simulate needs a workload: a log, $TRACE, or a model such as lublin99`,
    );
  }
  return { ...settings, workload };
}
