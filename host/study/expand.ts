/** Expands the axes of a study into settings and parses their options. */
import { InputError, prefixErrorWithLocation } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import { parseNumberOrNaN, splitRangeNotation, unknownNameError } from '../notation.js';
import { isAbsentOptionText, OPTIONS, parseOptionText, type Settings } from '../options/options.js';
import type {
  Label,
  OptionTexts,
  ParsedStudyPart,
  RawAxisValues,
  Replications,
  StudyKeys,
} from './schema.js';

/** Value of an axis: its label, and the text that replaces `{axis}` in options. */
export interface AxisEntry {
  readonly label: Label;
  readonly text: string;
  /** Place in the file, for error messages: `file, line 12`. */
  readonly place: string;
  /** Values of the joined options in order, for axes such as `sites+speeds`. */
  readonly joined?: readonly AxisEntry[];
}

/** Axis with all its values. */
export interface Axis {
  readonly name: string;
  readonly entries: readonly AxisEntry[];
}

/** Part of a study: options and axes whose combinations are simulated. */
export interface Part {
  /** Label on the axis `part`; undefined if the study has one part. */
  readonly name: string | undefined;
  readonly options: OptionTexts;
  /** Returns the position of an option in the file, for error messages. */
  readonly place: (option: string) => string;
  readonly axes: readonly Axis[];
}

/** Name of the axis of parts; VARIANT_AXIS_NAME is that of alternatives such as `ti[slt=1|2]`. */
export const PART_AXIS_NAME = 'part';
export const VARIANT_AXIS_NAME = 'variant';

/** Name of the axis of home sites; its first label is the entire grid. */
export const HOME_SITE_AXIS_NAME = 'home site';
export const ENTIRE_GRID_LABEL = 'entire grid';

/** Replications of a study, with their key in the study file. */
export type ReplicationsWithKey = Replications & { readonly key: 'replications' | 'draws' };

/**
 * Parts of a study with their options and axes.
 * @param replaced options overridden by the user.
 * @throws InputError for an unknown option, and for an axis that conflicts with replications.
 */
export function makeStudyParts(
  { simulate, axes, parts }: Pick<StudyKeys, 'simulate' | 'axes' | 'parts'>,
  replications: ReplicationsWithKey | undefined,
  replaced: OptionTexts,
  locate: (path: readonly (string | number)[]) => string,
): Part[] {
  const counted = replications?.count === undefined ? undefined : replications;
  const named: (readonly [string | undefined, Partial<ParsedStudyPart>])[] =
    parts === undefined ? [[undefined, {}]] : Object.entries(parts);
  return named.map(([name, own]) => {
    const path = name === undefined ? [] : ['parts', name];
    const isGivenByPart = (key: 'simulate' | 'axes', entry: string) => own[key]?.[entry] !== undefined;
    const all = { ...axes, ...own.axes };
    if (counted !== undefined && counted.axis in all) {
      throw new InputError(
        `${locate([counted.key])}: '${counted.axis}' is an axis already, whose values are the replications without count`,
      );
    }
    const input = { ...simulate, ...own.simulate, ...replaced };
    const options = replications === undefined ? input : addReplicationAxis(input, all, replications);
    const place = (option: string) => {
      if (option in replaced) return `--set ${option}`;
      return locate([...(isGivenByPart('simulate', option) ? path : []), 'simulate', option]);
    };
    for (const option of Object.keys(options)) {
      if (Object.hasOwn(OPTIONS, option)) continue;
      throw prefixErrorWithLocation(unknownNameError('option', option, Object.keys(OPTIONS)), place(option));
    }
    const written = Object.entries(all).map(([axis, values]) =>
      makeJoinedAxis(
        makeAxisWithLabels(axis, values, (key) =>
          locate([...(isGivenByPart('axes', axis) ? path : []), 'axes', axis, key]),
        ),
      ),
    );
    const names = written.flatMap(({ name: axis }) => optionNamesOfAxis(axis));
    const [twice] = names.filter((each, i) => names.indexOf(each) < i);
    if (twice !== undefined)
      throw new InputError(
        `${locate([...path, 'axes'])}: '${twice}' is on two axes; leave it on one of them`,
      );
    const drawn =
      counted === undefined
        ? []
        : [makeAxisWithLabels(counted.axis, `1..${counted.count}`, () => locate([counted.key]))];
    return { name, options, place, axes: [...written, ...drawn] };
  });
}

/** Adds the replication number to options, unless an option uses its axis or the study has `draws`. */
function addReplicationAxis(
  options: OptionTexts,
  axes: StudyKeys['axes'],
  { axis, key }: ReplicationsWithKey,
): OptionTexts {
  const isPlaceholderUsed = JSON.stringify([options, axes]).includes(`{${axis}}`);
  return isPlaceholderUsed || key === 'draws' ? options : { ...options, replication: `{${axis}}` };
}

/** Separator between axis names, and values, that vary together; surrounded by blanks. */
const AXIS_JOIN_CHARACTER = '+';
const splitJoinedValues = (text: string) => (text.includes(' : ') ? text.split(' : ') : text.split(':'));

/** Option names to which an axis gives values: its own, or the joined ones. */
export function optionNamesOfAxis(name: string): string[] {
  return name.split(AXIS_JOIN_CHARACTER);
}

/**
 * Axis whose values are those of several options.
 * @throws InputError for a value with too many or too few parts.
 */
function makeJoinedAxis({ name, entries }: Axis): Axis {
  const names = optionNamesOfAxis(name);
  if (names.length === 1) return { name, entries };
  return {
    name,
    entries: entries.map(({ label, text, place }) => {
      const texts = splitJoinedValues(text).map((each) => each.trim());
      if (texts.length !== names.length || texts.includes(''))
        throw new InputError(
          `${place}: '${text}' is not a value of ${names.join(' and ')}; expected ${names.length} values with a colon between (or ' : ')`,
        );
      return { label, text, place, joined: texts.map((each) => ({ label: each, text: each, place })) };
    }),
  };
}

/**
 * Axis with all labels written out.
 * @param placeOf position of a value by its key, for errors.
 * @throws InputError for ranges or permutations with too many values or none.
 */
function makeAxisWithLabels(
  name: string,
  values: RawAxisValues,
  placeOf: (key: string | number) => string,
): Axis {
  const entry = (label: Label, text: Label, place: string) => ({ label, text: String(text), place });
  const [, permuted] = /^permutations\[(.+)\]$/.exec(String(values)) ?? [];
  if (permuted !== undefined) {
    const place = placeOf(0);
    return { name, entries: listPermutations(permuted, place).map((text) => entry(text, text, place)) };
  }
  if (typeof values === 'string') {
    const place = placeOf(0);
    return { name, entries: expandNumberRange(values, place).map((label) => entry(label, label, place)) };
  }
  if (Array.isArray(values)) {
    return { name, entries: (values as Label[]).map((label, i) => entry(label, label, placeOf(i))) };
  }
  return { name, entries: Object.entries(values).map(([label, text]) => entry(label, text, placeOf(label))) };
}

/** Largest number of labels of an axis and of settings of a study. */
const MAX_AXIS_LABELS = 1_000_000;

/** Numbers of a range `first..last` or `first..last:step`. */
function expandNumberRange(text: string, place: string): number[] {
  const [bounds = '', width = '1'] = text.split(':');
  const [first = Number.NaN, last = Number.NaN] = splitRangeNotation(bounds)?.map(parseRangeBound) ?? [];
  const step = parseRangeBound(width);
  const hasKnownStep = text.includes(':') || (Number.isSafeInteger(first) && Number.isSafeInteger(last));
  if (![first, last].every(Number.isFinite) || !(step > 0) || !hasKnownStep) {
    throw new InputError(
      `${place}: ${text} is not a range; expected whole numbers such as 1..10, or a step above 0 as in 0.5..0.9:0.1`,
    );
  }
  // Tolerance for steps such as 0.1, which are inexact.
  const count = Math.floor(Math.abs(last - first) / step + 1e-9) + 1;
  if (!(count <= MAX_AXIS_LABELS)) {
    throw new InputError(
      `${place}: ${text} are ${formatNumber(count)} values; expected at most ${formatNumber(MAX_AXIS_LABELS)}`,
    );
  }
  const decimals = Math.max(...[first, step].map(countDecimalsOfNumber));
  const signedStep = first <= last ? step : -step;
  return Array.from({ length: count }, (_, i) => Number((first + signedStep * i).toFixed(decimals)));
}

/** Number in a range: plain, a share such as `70%`, or a duration in seconds. */
function parseRangeBound(text: string): number {
  const value = parseNumberOrNaN(text);
  return Number.isNaN(value) ? parseNumberOrNaN(text, { isTime: true }) : value;
}

/** Number of decimals in the shortest form of a number, at most 100. */
function countDecimalsOfNumber(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const places = (digits.split('.')[1] ?? '').length - Number(exponent);
  return Math.min(100, Math.max(0, places));
}

/** Largest list for which permutations are generated. */
const MAX_PERMUTED_ENTRIES = 8;

/** Distinct permutations of comma-separated numbers, in lexicographic order of positions. */
function listPermutations(list: string, place: string): string[] {
  const values = list.split(',').map((value) => value.trim());
  if (values.length > MAX_PERMUTED_ENTRIES) {
    throw new InputError(
      `${place}: permutations of ${values.length} values are too many; expected at most ${MAX_PERMUTED_ENTRIES} values`,
    );
  }
  const orders = (rest: readonly string[]): string[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((first, i) => orders(rest.toSpliced(i, 1)).map((order) => [first, ...order]));
  return [...new Set(orders(values).map((order) => order.join(',')))];
}

/** Setting: one label per axis (null if its part lacks the axis), and options without placeholders. */
export interface StudySetting {
  readonly labels: readonly (Label | null)[];
  readonly options: OptionTexts;
  /** Returns the position of an option in the file. */
  readonly locate: (option: string) => string;
}

/** Parts of a study. */
type StudyParts = { readonly parts: readonly Part[] };

const PLACEHOLDER_PATTERN = /\{([A-Za-z][A-Za-z0-9-]*)\}/g;
const TRACE_PLACEHOLDER = '$TRACE';
const MAX_PLACEHOLDER_DEPTH = 5;

/**
 * Axes of all parts in order of appearance; `part` comes first if there are several parts, `variant` last.
 */
export function axisNamesOfStudy({ parts }: StudyParts): string[] {
  const names = parts.flatMap(({ axes }) => axes.map(({ name }) => name));
  const hasMethodVariants = parts.some(({ options, axes }) =>
    [...Object.values(options), ...axes.flatMap(({ entries }) => entries.map(({ text }) => text))].some(
      (text) => text.includes('|'),
    ),
  );
  return [
    ...(parts.some(({ name }) => name !== undefined) ? [PART_AXIS_NAME] : []),
    ...new Set(names),
    ...(hasMethodVariants ? [VARIANT_AXIS_NAME] : []),
  ];
}

/** Names of the options whose texts vary along an axis. */
export function optionsVaryingAlongAxis({ parts }: StudyParts, axis: string): string[] {
  const found = new Set<string>();
  for (const { options, axes } of parts) {
    const names = new Set(optionNamesOfAxis(axis));
    const isPlaceholderUsed = (text: string) =>
      [...text.matchAll(PLACEHOLDER_PATTERN)].some(([, name]) => names.has(name!));
    for (let before = -1; before < names.size; ) {
      before = names.size;
      for (const each of axes)
        if (each.entries.some(({ text }) => isPlaceholderUsed(text)))
          for (const name of optionNamesOfAxis(each.name)) names.add(name);
    }
    for (const [name, text] of Object.entries(options)) if (isPlaceholderUsed(text)) found.add(name);
    for (const name of names) if (Object.hasOwn(OPTIONS, name)) found.add(name);
  }
  return [...found];
}

/** Number of settings, not counting alternatives within options. */
export function countSettings({ parts }: StudyParts): number {
  return parts.reduce(
    (sum, { axes }) => sum + axes.reduce((product, { entries }) => product * entries.length, 1),
    0,
  );
}

/**
 * All settings, by part, with the last axis varying fastest.
 * @param trace path for `$TRACE`.
 * @throws InputError for placeholders without an axis, or a missing trace.
 */
export function* expandStudy(study: StudyParts, trace: string | undefined): Generator<StudySetting> {
  const axes = axisNamesOfStudy(study);
  for (const part of study.parts) {
    const names = part.axes.map(({ name }) => name);
    const options = Object.keys(part.options).map((option) => new StudyPartOption(part, option, trace));
    for (const chosen of cartesianProduct(part.axes.map(({ entries }) => entries))) {
      const values = new Map(names.map((name, i) => [name, chosen[i]!]));
      for (const [i, name] of names.entries()) {
        chosen[i]!.joined?.forEach((entry, at) => {
          values.set(optionNamesOfAxis(name)[at]!, entry);
        });
      }
      yield* expandSettingsOfPart(part, options, axes, values);
    }
  }
}

/** All combinations of one element per list, with the last list varying fastest. */
function* cartesianProduct<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const position = lists.map(() => 0);
  for (;;) {
    yield lists.map((list, i) => list[position[i]!]!);
    let last = lists.length - 1;
    while (last >= 0 && ++position[last]! === lists[last]!.length) position[last--] = 0;
    if (last < 0) return;
  }
}

type AxisEntryByAxisName = ReadonlyMap<string, AxisEntry>;

/** Option of a part; its texts are recomputed only if the axes it uses change. */
class StudyPartOption {
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

  /** Texts of the option, one per alternative. */
  texts(values: AxisEntryByAxisName): readonly string[] {
    if (this.#texts.length > 0 && this.#isAsBefore(values)) return this.#texts;
    this.#taken.clear();
    const place = () => locateOptionInStudyFile(this.#part, this.name, values);
    const text = fillPlaceholders(this.#part.options[this.name]!, values, this.#taken, place);
    this.#texts = expandBracedAlternatives(replaceTracePlaceholder(text, this.#trace, place));
    return this.#texts;
  }

  #isAsBefore(values: AxisEntryByAxisName): boolean {
    for (const [axis, entry] of this.#taken) if (values.get(axis) !== entry) return false;
    return true;
  }
}

function* expandSettingsOfPart(
  part: Part,
  input: readonly StudyPartOption[],
  axes: readonly string[],
  values: AxisEntryByAxisName,
): Generator<StudySetting> {
  const locate = (option: string) => locateOptionInStudyFile(part, option, values);
  const texts = input.map((option) => option.texts(values));
  const labels = axes.map((axis) =>
    axis === PART_AXIS_NAME ? (part.name ?? null) : (values.get(axis)?.label ?? null),
  );
  for (const chosen of cartesianProduct(texts)) {
    const options: Record<string, string> = {};
    for (const [i, { name }] of input.entries()) options[name] = chosen[i]!;
    const varied = chosen.filter((_, i) => texts[i]!.length > 1);
    if (axes.at(-1) === VARIANT_AXIS_NAME) labels[axes.length - 1] = varied.join(' ');
    yield { labels: [...labels], options, locate };
  }
}

/**
 * Replaces placeholders in a text.
 * @param taken receives the axes used.
 */
function fillPlaceholders(
  text: string,
  values: AxisEntryByAxisName,
  taken: Map<string, AxisEntry>,
  place: () => string,
): string {
  let filled = text;
  for (let depth = 0; filled.includes('{'); depth++) {
    const before = filled;
    filled = filled.replace(PLACEHOLDER_PATTERN, (_, axis: string) => {
      const entry = values.get(axis);
      if (entry === undefined)
        throw new InputError(`${place()}: ${unknownNameError('axis', axis, values.keys()).message}`);
      taken.set(axis, entry);
      return entry.text;
    });
    if (filled === before || depth === MAX_PLACEHOLDER_DEPTH)
      throw new InputError(`${place()}: cannot fill the places {...} in '${text}'`);
  }
  return filled;
}

function replaceTracePlaceholder(text: string, trace: string | undefined, place: () => string): string {
  if (!text.includes(TRACE_PLACEHOLDER)) return text;
  if (trace === undefined) {
    throw new InputError(
      `${place()}: this study needs a job log; name it with --trace FILE.swf.gz (docs/traces.md says where to get logs)`,
    );
  }
  return text.replaceAll(TRACE_PLACEHOLDER, trace);
}

/**
 * Alternatives in a text, such as the four of `ti[sht=1|2,slt=3|4]`; the last list varies fastest. Bars
 * outside brackets have no meaning.
 */
function expandBracedAlternatives(text: string): string[] {
  const list = findFirstBracedList(text);
  if (list === undefined) return [text];
  const before = text.slice(0, list.from);
  const behind = text.slice(list.from + list.text.length);
  return list.text.split('|').flatMap((value) => expandBracedAlternatives(before + value + behind));
}

/**
 * Position of the first list of alternatives in a text: values separated by bars within brackets. Scans
 * from the end to match brackets.
 */
function findFirstBracedList(text: string): { readonly from: number; readonly text: string } | undefined {
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

/** Position of an option in the file: of the first axis value it uses, or of the option itself. */
function locateOptionInStudyFile(part: Part, option: string, values: AxisEntryByAxisName): string {
  const [, axis] = (part.options[option] ?? '').match(new RegExp(PLACEHOLDER_PATTERN.source)) ?? [];
  return values.get(axis ?? '')?.place ?? part.place(option);
}

/**
 * Parses the options of a setting.
 * @throws InputError for invalid texts or a missing workload.
 */
export function parseSettingOptions({ options, locate }: Pick<StudySetting, 'options' | 'locate'>): Settings {
  const settings: Partial<Settings> = {};
  for (const [name, text] of Object.entries(options)) {
    if (isAbsentOptionText(name, text)) continue;
    try {
      Object.assign(settings, parseOptionText(name, text));
    } catch (error) {
      throw prefixErrorWithLocation(error, locate(name));
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
