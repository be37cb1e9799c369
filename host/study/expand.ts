/** Expands the axes of a study into settings and parses their options. */
import { InputError, prefixErrorWithLocation } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import { makeUnknownNameError, parseNumberOrNaN, splitRangeNotation } from '../notation.js';
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
export interface StudyAxis {
  readonly name: string;
  readonly entries: readonly AxisEntry[];
}

/** Part of a study: options and axes whose combinations are simulated. */
export interface StudyPart {
  /** Label on the axis `part`; undefined if the study has one part. */
  readonly name: string | undefined;
  readonly options: OptionTexts;
  /** Returns the position of an option in the file, for error messages. */
  readonly locateOption: (option: string) => string;
  readonly axes: readonly StudyAxis[];
}

/** Name of the axis whose labels are the parts of a study. */
export const PART_AXIS_NAME = 'part';
/** Name of the axis whose labels are the alternatives within options, such as those of `ti[slt=1|2]`. */
export const VARIANT_AXIS_NAME = 'variant';

/** Name of the axis of home sites; its first label is the entire grid. */
export const HOME_SITE_AXIS_NAME = 'home site';
export const ENTIRE_GRID_LABEL = 'entire grid';

/** Replications of a study, with their key in the study file. */
export type ReplicationsWithKey = Replications & { readonly key: 'replications' | 'draws' };

/**
 * Parts of a study with their options and axes.
 * @param replacedOptionTexts options overridden by the user.
 * @throws InputError for an unknown option, and for an axis that conflicts with replications.
 */
export function makeStudyParts(
  { simulate, axes, parts }: Pick<StudyKeys, 'simulate' | 'axes' | 'parts'>,
  replications: ReplicationsWithKey | undefined,
  replacedOptionTexts: OptionTexts,
  locate: (documentPath: readonly (string | number)[]) => string,
): StudyPart[] {
  const generatedReplications = replications?.count === undefined ? undefined : replications;
  const namedParts: (readonly [string | undefined, Partial<ParsedStudyPart>])[] =
    parts === undefined ? [[undefined, {}]] : Object.entries(parts);
  return namedParts.map(([name, partKeys]) => {
    const path = name === undefined ? [] : ['parts', name];
    const isGivenByPart = (sectionKey: 'simulate' | 'axes', entryName: string) =>
      partKeys[sectionKey]?.[entryName] !== undefined;
    const axisValuesByName = { ...axes, ...partKeys.axes };
    if (generatedReplications !== undefined && generatedReplications.axis in axisValuesByName) {
      throw new InputError(
        `${locate([generatedReplications.key])}: '${generatedReplications.axis}' is an axis already, whose values are the replications without count`,
      );
    }
    const mergedOptions = { ...simulate, ...partKeys.simulate, ...replacedOptionTexts };
    const options =
      replications === undefined
        ? mergedOptions
        : addReplicationAxis(mergedOptions, axisValuesByName, replications);
    const locateOption = (option: string) => {
      if (option in replacedOptionTexts) return `--set ${option}`;
      return locate([...(isGivenByPart('simulate', option) ? path : []), 'simulate', option]);
    };
    for (const option of Object.keys(options)) {
      if (Object.hasOwn(OPTIONS, option)) continue;
      throw prefixErrorWithLocation(
        makeUnknownNameError('option', option, Object.keys(OPTIONS)),
        locateOption(option),
      );
    }
    const explicitAxes = Object.entries(axisValuesByName).map(([axisName, values]) =>
      makeJoinedAxis(
        makeAxisWithLabels(axisName, values, (key) =>
          locate([...(isGivenByPart('axes', axisName) ? path : []), 'axes', axisName, key]),
        ),
      ),
    );
    const axisNames = explicitAxes.flatMap(({ name: axisName }) => listOptionNamesOfAxis(axisName));
    const [repeatedName] = axisNames.filter((axisName, i) => axisNames.indexOf(axisName) < i);
    if (repeatedName !== undefined)
      throw new InputError(
        `${locate([...path, 'axes'])}: '${repeatedName}' is on two axes; leave it on one of them`,
      );
    const replicationAxes =
      generatedReplications === undefined
        ? []
        : [
            makeAxisWithLabels(generatedReplications.axis, `1..${generatedReplications.count}`, () =>
              locate([generatedReplications.key]),
            ),
          ];
    return { name, options, locateOption, axes: [...explicitAxes, ...replicationAxes] };
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
const splitJoinedValues = (valueText: string) =>
  valueText.includes(' : ') ? valueText.split(' : ') : valueText.split(':');

/** Option names to which an axis gives values: its own, or the joined ones. */
export function listOptionNamesOfAxis(axisName: string): string[] {
  return axisName.split(AXIS_JOIN_CHARACTER);
}

/**
 * Axis whose values are those of several options.
 * @throws InputError for a value with too many or too few parts.
 */
function makeJoinedAxis({ name: axisName, entries: axisValues }: StudyAxis): StudyAxis {
  const axisNames = listOptionNamesOfAxis(axisName);
  if (axisNames.length === 1) return { name: axisName, entries: axisValues };
  return {
    name: axisName,
    entries: axisValues.map(({ label: valueLabel, text: valueText, place: placeInFile }) => {
      const joinedTexts = splitJoinedValues(valueText).map((joinedValue) => joinedValue.trim());
      if (joinedTexts.length !== axisNames.length || joinedTexts.includes(''))
        throw new InputError(
          `${placeInFile}: '${valueText}' is not a value of ${axisNames.join(' and ')}; expected ${axisNames.length} values with a colon between (or ' : ')`,
        );
      return {
        label: valueLabel,
        text: valueText,
        place: placeInFile,
        joined: joinedTexts.map((part) => ({ label: part, text: part, place: placeInFile })),
      };
    }),
  };
}

/**
 * Axis with all labels written out.
 * @param locateValue position of a value by its key, for errors.
 * @throws InputError for ranges or permutations with too many values or none.
 */
function makeAxisWithLabels(
  axisName: string,
  axisValues: RawAxisValues,
  locateValue: (key: string | number) => string,
): StudyAxis {
  const makeAxisEntry = (valueLabel: Label, valueText: Label, placeInFile: string) => ({
    label: valueLabel,
    text: String(valueText),
    place: placeInFile,
  });
  const [, permutedList] = /^permutations\[(.+)\]$/.exec(String(axisValues)) ?? [];
  if (permutedList !== undefined) {
    const valueLocation = locateValue(0);
    return {
      name: axisName,
      entries: listPermutations(permutedList, valueLocation).map((permutation) =>
        makeAxisEntry(permutation, permutation, valueLocation),
      ),
    };
  }
  if (typeof axisValues === 'string') {
    const valueLocation = locateValue(0);
    return {
      name: axisName,
      entries: expandNumberRange(axisValues, valueLocation).map((label) =>
        makeAxisEntry(label, label, valueLocation),
      ),
    };
  }
  if (Array.isArray(axisValues)) {
    return {
      name: axisName,
      entries: (axisValues as Label[]).map((label, i) => makeAxisEntry(label, label, locateValue(i))),
    };
  }
  return {
    name: axisName,
    entries: Object.entries(axisValues).map(([label, axisValueText]) =>
      makeAxisEntry(label, axisValueText, locateValue(label)),
    ),
  };
}

/** Largest number of labels of an axis and of settings of a study. */
const MAX_AXIS_LABELS = 1_000_000;

/** Numbers of a range `first..last` or `first..last:step`. */
function expandNumberRange(rangeText: string, rangeLocation: string): number[] {
  const [boundsText = '', stepText = '1'] = rangeText.split(':');
  const [first = Number.NaN, last = Number.NaN] = splitRangeNotation(boundsText)?.map(parseRangeBound) ?? [];
  const rangeStep = parseRangeBound(stepText);
  const hasKnownStep = rangeText.includes(':') || (Number.isSafeInteger(first) && Number.isSafeInteger(last));
  if (![first, last].every(Number.isFinite) || !(rangeStep > 0) || !hasKnownStep) {
    throw new InputError(
      `${rangeLocation}: ${rangeText} is not a range; expected whole numbers such as 1..10, or a step above 0 as in 0.5..0.9:0.1`,
    );
  }
  // Tolerance for steps such as 0.1, which are inexact.
  const rangeValueCount = Math.floor(Math.abs(last - first) / rangeStep + 1e-9) + 1;
  if (!(rangeValueCount <= MAX_AXIS_LABELS)) {
    throw new InputError(
      `${rangeLocation}: ${rangeText} are ${formatNumber(rangeValueCount)} values; expected at most ${formatNumber(MAX_AXIS_LABELS)}`,
    );
  }
  const decimals = Math.max(...[first, rangeStep].map(countDecimalsOfNumber));
  const signedStep = first <= last ? rangeStep : -rangeStep;
  return Array.from({ length: rangeValueCount }, (_, i) =>
    Number((first + signedStep * i).toFixed(decimals)),
  );
}

/** Number in a range: plain, a share such as `70%`, or a duration in seconds. */
function parseRangeBound(rangeBoundText: string): number {
  const parsedNumber = parseNumberOrNaN(rangeBoundText);
  return Number.isNaN(parsedNumber) ? parseNumberOrNaN(rangeBoundText, { isTime: true }) : parsedNumber;
}

/** Number of decimals in the shortest form of a number, at most 100. */
function countDecimalsOfNumber(axisValue: number): number {
  const [digits = '', exponent = '0'] = String(axisValue).split('e');
  const decimalPlaces = (digits.split('.')[1] ?? '').length - Number(exponent);
  return Math.min(100, Math.max(0, decimalPlaces));
}

/** Largest list for which permutations are generated. */
const MAX_PERMUTED_ENTRIES = 8;

/** Distinct permutations of comma-separated numbers, in lexicographic order of positions. */
function listPermutations(listText: string, listLocation: string): string[] {
  const values = listText.split(',').map((listItem) => listItem.trim());
  if (values.length > MAX_PERMUTED_ENTRIES) {
    throw new InputError(
      `${listLocation}: permutations of ${values.length} values are too many; expected at most ${MAX_PERMUTED_ENTRIES} values`,
    );
  }
  const listPermutationsOfEntries = (remainingEntries: readonly string[]): string[][] =>
    remainingEntries.length === 0
      ? [[]]
      : remainingEntries.flatMap((first, i) =>
          listPermutationsOfEntries(remainingEntries.toSpliced(i, 1)).map((order) => [first, ...order]),
        );
  return [...new Set(listPermutationsOfEntries(values).map((order) => order.join(',')))];
}

/** Setting: one label per axis (null if its part lacks the axis), and options without placeholders. */
export interface StudySetting {
  readonly labels: readonly (Label | null)[];
  readonly options: OptionTexts;
  /** Returns the position of an option in the file. */
  readonly locate: (option: string) => string;
}

/** Parts of a study. */
type StudyParts = { readonly parts: readonly StudyPart[] };

const PLACEHOLDER_PATTERN = /\{([A-Za-z][A-Za-z0-9-]*)\}/g;
const TRACE_PLACEHOLDER = '$TRACE';
const MAX_PLACEHOLDER_DEPTH = 5;

/**
 * Axes of all parts in order of appearance; `part` comes first if there are several parts, `variant` last.
 */
export function listAxisNamesOfStudy({ parts: studyParts }: StudyParts): string[] {
  const axisNames = studyParts.flatMap(({ axes }) => axes.map(({ name: axisName }) => axisName));
  const hasMethodVariants = studyParts.some(({ options, axes }) =>
    [
      ...Object.values(options),
      ...axes.flatMap(({ entries: axisValues }) => axisValues.map(({ text: valueText }) => valueText)),
    ].some((entryText) => entryText.includes('|')),
  );
  return [
    ...(studyParts.some(({ name: partName }) => partName !== undefined) ? [PART_AXIS_NAME] : []),
    ...new Set(axisNames),
    ...(hasMethodVariants ? [VARIANT_AXIS_NAME] : []),
  ];
}

/** Names of the options whose texts vary along an axis. */
export function listOptionsVaryingAlongAxis({ parts: studyParts }: StudyParts, axisName: string): string[] {
  const varyingOptionNames = new Set<string>();
  for (const { options, axes } of studyParts) {
    const axisNames = new Set(listOptionNamesOfAxis(axisName));
    const isPlaceholderUsed = (template: string) =>
      [...template.matchAll(PLACEHOLDER_PATTERN)].some(([, name]) => axisNames.has(name!));
    for (let previousSize = -1; previousSize < axisNames.size; ) {
      previousSize = axisNames.size;
      for (const otherAxis of axes)
        if (otherAxis.entries.some(({ text: valueText }) => isPlaceholderUsed(valueText)))
          for (const optionName of listOptionNamesOfAxis(otherAxis.name)) axisNames.add(optionName);
    }
    for (const [optionName, optionText] of Object.entries(options))
      if (isPlaceholderUsed(optionText)) varyingOptionNames.add(optionName);
    for (const optionName of axisNames)
      if (Object.hasOwn(OPTIONS, optionName)) varyingOptionNames.add(optionName);
  }
  return [...varyingOptionNames];
}

/** Number of settings, not counting alternatives within options. */
export function countSettings({ parts: studyParts }: StudyParts): number {
  return studyParts.reduce(
    (sum, { axes }) =>
      sum + axes.reduce((product, { entries: axisValues }) => product * axisValues.length, 1),
    0,
  );
}

/**
 * All settings, by part, with the last axis varying fastest.
 * @param traceSource path for `$TRACE`.
 * @throws InputError for placeholders without an axis, or a missing trace.
 */
export function* expandStudy(study: StudyParts, traceSource: string | undefined): Generator<StudySetting> {
  const axes = listAxisNamesOfStudy(study);
  for (const studyPart of study.parts) {
    const axisNames = studyPart.axes.map(({ name: axisName }) => axisName);
    const options = Object.keys(studyPart.options).map(
      (option) => new StudyPartOption(studyPart, option, traceSource),
    );
    for (const combination of generateCartesianProduct(
      studyPart.axes.map(({ entries: axisValues }) => axisValues),
    )) {
      const entryByAxis = new Map(axisNames.map((axisName, i) => [axisName, combination[i]!]));
      for (const [i, name] of axisNames.entries()) {
        combination[i]!.joined?.forEach((axisEntry, at) => {
          entryByAxis.set(listOptionNamesOfAxis(name)[at]!, axisEntry);
        });
      }
      yield* expandSettingsOfPart(studyPart, options, axes, entryByAxis);
    }
  }
}

/** All combinations of one element per list, with the last list varying fastest. */
function* generateCartesianProduct<T>(valueLists: readonly (readonly T[])[]): Generator<T[]> {
  const position = valueLists.map(() => 0);
  for (;;) {
    yield valueLists.map((list, i) => list[position[i]!]!);
    let listIndex = valueLists.length - 1;
    while (listIndex >= 0 && ++position[listIndex]! === valueLists[listIndex]!.length)
      position[listIndex--] = 0;
    if (listIndex < 0) return;
  }
}

type AxisEntryByAxisName = ReadonlyMap<string, AxisEntry>;

/** Option of a part; its texts are recomputed only if the axes it uses change. */
class StudyPartOption {
  readonly name: string;
  readonly #part: StudyPart;
  readonly #trace: string | undefined;
  readonly #usedEntries = new Map<string, AxisEntry>();
  #texts: readonly string[] = [];

  constructor(studyPart: StudyPart, optionName: string, traceSource: string | undefined) {
    this.#part = studyPart;
    this.name = optionName;
    this.#trace = traceSource;
  }

  /** Texts of the option, one per alternative. */
  texts(entryByAxis: AxisEntryByAxisName): readonly string[] {
    if (this.#texts.length > 0 && this.#areEntriesUnchanged(entryByAxis)) return this.#texts;
    this.#usedEntries.clear();
    const locatePart = () => locateOptionInStudyFile(this.#part, this.name, entryByAxis);
    const filledText = fillPlaceholders(
      this.#part.options[this.name]!,
      entryByAxis,
      this.#usedEntries,
      locatePart,
    );
    this.#texts = expandBracketedAlternatives(replaceTracePlaceholder(filledText, this.#trace, locatePart));
    return this.#texts;
  }

  #areEntriesUnchanged(entryByAxis: AxisEntryByAxisName): boolean {
    for (const [axisName, entry] of this.#usedEntries) if (entryByAxis.get(axisName) !== entry) return false;
    return true;
  }
}

function* expandSettingsOfPart(
  studyPart: StudyPart,
  partOptions: readonly StudyPartOption[],
  axes: readonly string[],
  entryByAxis: AxisEntryByAxisName,
): Generator<StudySetting> {
  const locate = (option: string) => locateOptionInStudyFile(studyPart, option, entryByAxis);
  const optionTexts = partOptions.map((partOption) => partOption.texts(entryByAxis));
  const pointLabels = axes.map((axisName) =>
    axisName === PART_AXIS_NAME ? (studyPart.name ?? null) : (entryByAxis.get(axisName)?.label ?? null),
  );
  for (const combination of generateCartesianProduct(optionTexts)) {
    const options: Record<string, string> = {};
    for (const [i, { name }] of partOptions.entries()) options[name] = combination[i]!;
    const variantTexts = combination.filter((_, i) => optionTexts[i]!.length > 1);
    if (axes.at(-1) === VARIANT_AXIS_NAME) pointLabels[axes.length - 1] = variantTexts.join(' ');
    yield { labels: [...pointLabels], options, locate };
  }
}

/**
 * Replaces placeholders in a text.
 * @param usedEntries receives the axes used.
 */
function fillPlaceholders(
  template: string,
  entryByAxis: AxisEntryByAxisName,
  usedEntries: Map<string, AxisEntry>,
  locateText: () => string,
): string {
  let partlyFilledText = template;
  for (let nestingDepth = 0; partlyFilledText.includes('{'); nestingDepth++) {
    const previousText = partlyFilledText;
    partlyFilledText = partlyFilledText.replace(PLACEHOLDER_PATTERN, (_, axisName: string) => {
      const axisEntry = entryByAxis.get(axisName);
      if (axisEntry === undefined)
        throw new InputError(
          `${locateText()}: ${makeUnknownNameError('axis', axisName, entryByAxis.keys()).message}`,
        );
      usedEntries.set(axisName, axisEntry);
      return axisEntry.text;
    });
    if (partlyFilledText === previousText || nestingDepth === MAX_PLACEHOLDER_DEPTH)
      throw new InputError(`${locateText()}: cannot fill the places {...} in '${template}'`);
  }
  return partlyFilledText;
}

function replaceTracePlaceholder(
  template: string,
  traceSource: string | undefined,
  locateTrace: () => string,
): string {
  if (!template.includes(TRACE_PLACEHOLDER)) return template;
  if (traceSource === undefined) {
    throw new InputError(
      `${locateTrace()}: this study needs a job log; name it with --trace FILE.swf.gz (docs/traces.md says where to get logs)`,
    );
  }
  return template.replaceAll(TRACE_PLACEHOLDER, traceSource);
}

/**
 * Alternatives in a text, such as the four of `ti[sht=1|2,slt=3|4]`; the last list varies fastest. Bars
 * outside brackets have no meaning.
 */
function expandBracketedAlternatives(template: string): string[] {
  const firstBracketedList = findFirstBracketedList(template);
  if (firstBracketedList === undefined) return [template];
  const textBeforeList = template.slice(0, firstBracketedList.from);
  const textAfterList = template.slice(firstBracketedList.from + firstBracketedList.text.length);
  return firstBracketedList.text
    .split('|')
    .flatMap((valueText) => expandBracketedAlternatives(textBeforeList + valueText + textAfterList));
}

/**
 * Position of the first list of alternatives in a text: values separated by bars within brackets. Scans
 * from the end to match brackets.
 */
function findFirstBracketedList(
  template: string,
): { readonly from: number; readonly text: string } | undefined {
  let from = template.length;
  let isInsideBrackets = false;
  let firstBracketedList: { readonly from: number; readonly text: string } | undefined;
  for (const part of template.includes('|') ? template.split(/([[\],=])/).reverse() : []) {
    from -= part.length;
    if (part === '[' || part === ']') isInsideBrackets = part === ']';
    else if (isInsideBrackets && part.includes('|')) firstBracketedList = { from, text: part };
  }
  return firstBracketedList;
}

/** Position of an option in the file: of the first axis value it uses, or of the option itself. */
function locateOptionInStudyFile(
  studyPart: StudyPart,
  option: string,
  entryByAxis: AxisEntryByAxisName,
): string {
  const [, axisName] = (studyPart.options[option] ?? '').match(new RegExp(PLACEHOLDER_PATTERN.source)) ?? [];
  return entryByAxis.get(axisName ?? '')?.place ?? studyPart.locateOption(option);
}

/**
 * Parses the options of a setting.
 * @throws InputError for invalid texts or a missing workload.
 */
export function parseSettingOptions({ options, locate }: Pick<StudySetting, 'options' | 'locate'>): Settings {
  const settings: Partial<Settings> = {};
  for (const [optionName, optionText] of Object.entries(options)) {
    if (isAbsentOptionText(optionName, optionText)) continue;
    try {
      Object.assign(settings, parseOptionText(optionName, optionText));
    } catch (error) {
      throw prefixErrorWithLocation(error, locate(optionName));
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
