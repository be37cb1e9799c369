/**
 * Parses text typed by users: the notation `name[param=value,param=value]` for models, policies and speed
 * vectors, names from a known set, and numbers. Errors are InputErrors.
 */
import { InputError } from './errors.js';

/** Parsed notation `name[param=value,...]`. Parameters keep their order. */
export interface ParsedNotation {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const NOTATION_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/**
 * Splits a text at separators outside brackets.
 * @example
 * splitUnbracketed('ai+ti[a=1+2]', '+'); // ['ai', 'ti[a=1+2]']
 */
export function splitOutsideBrackets(listText: string, separator: string): string[] {
  const splitParts = [''];
  let bracketDepth = 0;
  for (const letter of listText) {
    if (letter === '[' || letter === '(') bracketDepth++;
    if (letter === ']' || letter === ')') bracketDepth--;
    if (letter === separator && bracketDepth === 0) splitParts.push('');
    else splitParts[splitParts.length - 1] += letter;
  }
  return splitParts;
}

/** Removes square brackets around a whole text: `[a=1;b=2]` becomes `a=1;b=2`; other texts are only trimmed. */
export function removeEnclosingBrackets(text: string): string {
  const trimmedText = text.trim();
  if (!trimmedText.startsWith('[') || !trimmedText.endsWith(']')) return trimmedText;
  let bracketDepth = 0;
  for (let i = 0; i < trimmedText.length - 1; i++) {
    if (trimmedText[i] === '[') bracketDepth++;
    if (trimmedText[i] === ']') bracketDepth--;
    // The first bracket ends before the text does.
    if (bracketDepth === 0) return trimmedText;
  }
  return trimmedText.slice(1, -1).trim();
}

/**
 * Splits a list of values of an option at its semicolons; a list without any, at its commas. A value in square
 * brackets may contain both and loses its brackets.
 * @example
 * splitListedValues('none,[a=1;b=2]'); // ['none', 'a=1;b=2']
 */
export function splitListedValues(listText: string): string[] {
  const semicolonParts = splitOutsideBrackets(listText, ';');
  const listParts = semicolonParts.length > 1 ? semicolonParts : splitOutsideBrackets(listText, ',');
  return listParts.map(removeEnclosingBrackets).filter((part) => part !== '');
}

/** Pattern of a value: brackets are balanced, and `=` occurs only inside them. */
const NOTATION_VALUE_PATTERN = /^(?:[^=[\]]|\[[^[\]]*\])+$/;

/**
 * Parses `name` or `name[param=value,...]`; surrounding spaces are ignored. Values may contain brackets.
 * @throws InputError for a text of another form or a repeated parameter.
 */
export function parseNotation(notationText: string): ParsedNotation {
  const patternMatch = /^([^[\]]*)(?:\[(.*)\])?$/s.exec(notationText.trim());
  const notationName = patternMatch?.[1]?.trim() ?? '';
  if (patternMatch === null || !NOTATION_NAME_PATTERN.test(notationName)) {
    throw new InputError(`cannot read '${notationText}': expected name or name[param=value,...]`);
  }
  const parameters = new Map<string, string>();
  for (const part of patternMatch[2] === undefined ? [] : splitOutsideBrackets(patternMatch[2], ',')) {
    const [, key, valueText] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/s.exec(part) ?? [];
    if (
      key === undefined ||
      valueText === undefined ||
      !NOTATION_NAME_PATTERN.test(key) ||
      !NOTATION_VALUE_PATTERN.test(valueText)
    ) {
      throw new InputError(
        `cannot read '${notationText}': expected param=value in the brackets, found '${part.trim()}'`,
      );
    }
    if (parameters.has(key))
      throw new InputError(`cannot read '${notationText}': parameter '${key}' is given twice`);
    parameters.set(key, valueText);
  }
  return { name: notationName, parameters };
}

/**
 * Formats `name`, or `name[param=value,...]` if there are parameters, with numbers in shortest form.
 * parseNotation reads it back.
 */
export function printNotation(
  notationName: string,
  parameterEntries: Iterable<readonly [string, string | number]> = [],
): string {
  const parameterTexts = [...parameterEntries].map(([key, value]) => `${key}=${value}`);
  return parameterTexts.length === 0 ? notationName : `${notationName}[${parameterTexts.join(',')}]`;
}

/** Edit distance: insertions, deletions, replacements and exchanges of two neighbours each cost 1. */
function computeEditDistance(a: string, b: string): number {
  let distanceRowBeforeLast: number[] = [];
  let lastDistanceRow = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replacementCost = lastDistanceRow[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replacementCost, lastDistanceRow[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, distanceRowBeforeLast[j - 2]! + 1);
      }
    }
    distanceRowBeforeLast = lastDistanceRow;
    lastDistanceRow = row;
  }
  return lastDistanceRow[b.length]!;
}

/**
 * Known name with the smallest edit distance, ignoring case (ties: the first); undefined if more than a third
 * of the letters differ, or more than `maxDistance` edits are needed.
 */
export function findNearestName(
  unknownName: string,
  knownNames: Iterable<string>,
  maxDistance = Number.POSITIVE_INFINITY,
): string | undefined {
  let nearestNameSoFar: string | undefined;
  let leastEditDistance = Math.min(maxDistance, Math.max(1, Math.floor(unknownName.length / 3))) + 1;
  for (const knownName of knownNames) {
    const nameDistance = computeEditDistance(unknownName.toLowerCase(), knownName.toLowerCase());
    if (nameDistance < leastEditDistance) {
      leastEditDistance = nameDistance;
      nearestNameSoFar = knownName;
    }
  }
  return nearestNameSoFar;
}

/** Error for an unknown name: `unknown policy 'bestfit'; did you mean 'best-fit'? Known: ...`. */
export function makeUnknownNameError(
  nameKind: string,
  unknownName: string,
  knownNames: Iterable<string>,
): InputError {
  return new InputError(
    `unknown ${nameKind} '${unknownName}'${listKnownNames(unknownName, [...knownNames])}`,
  );
}

/** Maximum number of known names that an error lists besides the nearest one. */
const MAX_LISTED_NAMES = 20;

/** Hint for an unknown name: the nearest known name and the first few, or all names if none is near. */
export function listKnownNames(name: string, knownNames: readonly string[]): string {
  const distinctNames = [...new Set(knownNames)];
  const near = formatNameSuggestion(name, knownNames);
  const unlistedNameCount = near === '' ? 0 : distinctNames.length - MAX_LISTED_NAMES;
  const listedNames =
    unlistedNameCount > 0
      ? [...distinctNames.slice(0, MAX_LISTED_NAMES), `and ${unlistedNameCount} more`]
      : distinctNames;
  return `${near || '.'} Known: ${listedNames.join(', ')}`;
}

/**
 * Suggestion for an unknown name: `; did you mean 'best-fit'?`, or empty if no known name is near.
 * @param maxDistance largest number of edits between the two names.
 */
export function formatNameSuggestion(
  unknownName: string,
  known: readonly string[],
  print = (nearName: string) => `'${nearName}'`,
  maxDistance = Number.POSITIVE_INFINITY,
): string {
  const close = findNearestName(unknownName, known, maxDistance);
  return close === undefined ? '' : formatPrintedSuggestion([print(close)]);
}

/** Suggestion of given names: `; did you mean 'meanWait' or 'maxWait'?`, or empty. */
export function formatPrintedSuggestion(suggestedNameTexts: readonly string[]): string {
  return suggestedNameTexts.length === 0 ? '' : `; did you mean ${suggestedNameTexts.join(' or ')}?`;
}

/**
 * Refuses unknown names, so that misspelt ones are noticed.
 * @param nameKind kind of the names, for errors.
 * @throws InputError with the nearest known name.
 */
export function checkKnownNames(
  usedNames: Iterable<string>,
  known: readonly string[],
  nameKind: string,
): void {
  for (const checkedName of usedNames)
    if (!known.includes(checkedName)) throw makeUnknownNameError(nameKind, checkedName, known);
}

/** Bounds and kind of a number typed by users. */
export interface NumberRange {
  /** True for a time in seconds, which also accepts `7d` and `1h30m`. */
  readonly isTime?: boolean;
  /** Word that is accepted in place of the number, for errors. */
  readonly word?: string;
  readonly atLeast?: number;
  readonly above?: number;
  readonly atMost?: number;
}

function describeNumberRange({ atLeast, above, atMost }: NumberRange): string {
  const lowerBoundText =
    atLeast !== undefined ? ` of at least ${atLeast}` : above !== undefined ? ` above ${above}` : '';
  if (atMost === undefined) return lowerBoundText;
  return `${lowerBoundText}${lowerBoundText === '' ? ' of' : ' and'} at most ${atMost}`;
}

function isInNumberRange(testedNumber: number, { atLeast, above, atMost }: NumberRange): boolean {
  return (
    testedNumber >= (atLeast ?? -Infinity) &&
    testedNumber > (above ?? -Infinity) &&
    testedNumber <= (atMost ?? Infinity)
  );
}

const describeWordAlternative = ({ word }: NumberRange): string => (word === undefined ? '' : `${word} or `);

/**
 * Checks that a number is finite and within a range.
 * @param errorContext name of the option or field in errors.
 * @throws InputError otherwise.
 */
export function checkFiniteNumberInRange(
  checkedNumber: number,
  errorContext: string,
  allowedRange: NumberRange,
): number {
  if (Number.isFinite(checkedNumber) && isInNumberRange(checkedNumber, allowedRange)) return checkedNumber;
  throw new InputError(
    `${errorContext}: expected ${describeWordAlternative(allowedRange)}a number${describeNumberRange(allowedRange)}, found ${checkedNumber}`,
  );
}

const SECONDS_PER_UNIT = { s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 };
const DURATION_PATTERN = /(\d+\.?\d*|\.\d+)(min|[smhdw])/gy;

/**
 * Parses a duration such as `7d` or `1h30m` as seconds, with units w, d, h, min or m, and s; NaN for other
 * texts.
 */
export function parseDuration(durationText: string): number {
  let seconds = 0;
  let end = 0;
  for (const [part, numberText, unit] of durationText.trim().matchAll(DURATION_PATTERN)) {
    seconds += Number(numberText) * SECONDS_PER_UNIT[unit as keyof typeof SECONDS_PER_UNIT];
    end += part.length;
  }
  return end > 0 && end === durationText.trim().length ? seconds : Number.NaN;
}

/**
 * Parses `1998-05-01` or `1998-05-01T12:00` (optionally with seconds, UTC) as seconds since 1970; NaN for
 * other texts.
 */
export function parseDateAsSeconds(dateText: string): number {
  const [, day, clockText = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?))?$/.exec(dateText.trim()) ?? [];
  const milliseconds = day === undefined ? Number.NaN : Date.parse(`${day}T${clockText}Z`);
  // Some engines take 30 February for a day in March.
  const isRealDate =
    Number.isFinite(milliseconds) && new Date(milliseconds).toISOString().startsWith(day ?? '');
  return isRealDate ? milliseconds / 1000 : Number.NaN;
}

/** Formats a date as briefly as possible, for `parseDateAsSeconds`. */
export function printDateAsShortAsPossible(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace(/(?:T00:00:00|:00)?\.000Z$/, '');
}

/**
 * Formats a duration for `parseDuration`, such as `7d` or `1h30m`; below a minute, and with a fraction, as
 * number of seconds.
 */
export function printDuration(seconds: number): string {
  if (!Number.isSafeInteger(seconds) || seconds < SECONDS_PER_UNIT.m) return String(seconds);
  let remainingSeconds = seconds;
  return (['d', 'h', 'm', 's'] as const)
    .map((unit) => {
      const unitCount = Math.floor(remainingSeconds / SECONDS_PER_UNIT[unit]);
      remainingSeconds -= unitCount * SECONDS_PER_UNIT[unit];
      return unitCount === 0 ? '' : `${unitCount}${unit}`;
    })
    .join('');
}

const NUMBER_PATTERN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WHOLE_NUMBER_PATTERN = /^[+-]?(\d+|\d+\.?\d*e\+?\d+)$/i;

/**
 * Parses a number such as `1e3`; NaN for other texts. `7 %` is the double nearest to 0.07; as a time, `7d` is
 * accepted.
 */
export function parseNumberOrNaN(numberText: string, { isTime }: NumberRange = {}): number {
  if (NUMBER_PATTERN.test(numberText)) return Number(numberText);
  if (isTime) return parseDuration(numberText);
  const [, percent = ''] = /^(.*?)\s*%$/.exec(numberText) ?? [];
  return NUMBER_PATTERN.test(percent)
    ? /e/i.test(percent)
      ? Number(percent) / 100
      : Number(`${percent}e-2`)
    : Number.NaN;
}

/**
 * Parses a whole number such as `100` or `1e5`; NaN for other texts and for numbers too large to be exact.
 */
export function parseWholeNumberOrNaN(wholeNumberText: string): number {
  const wholeNumber = WHOLE_NUMBER_PATTERN.test(wholeNumberText) ? Number(wholeNumberText) : Number.NaN;
  return Number.isSafeInteger(wholeNumber) ? wholeNumber : Number.NaN;
}

/**
 * Splits a range `FROM..TO` or `FROM-TO` into its ends as texts. A hyphen at the front of an end, or behind
 * the `e` of an exponent, is a sign. Undefined for other texts.
 */
export function splitRangeNotation(rangeText: string): readonly [from: string, to: string] | undefined {
  const [, fromText, toText] = /^\s*(.+?)\s*\.\.\s*(.+?)\s*$/.exec(rangeText) ?? [];
  if (fromText !== undefined && toText !== undefined) return [fromText, toText];
  const [, firstText, lastText] =
    /^\s*(-?(?:[\d.]+e-|[^-])+?)\s*(?<!\de)-\s*(.+?)\s*$/i.exec(rangeText) ?? [];
  return firstText === undefined || lastText === undefined ? undefined : [firstText, lastText];
}

function makeNumberError(
  numberText: string,
  errorContext: string,
  numberKind: string,
  allowedRange: NumberRange,
): InputError {
  const [of, units] = allowedRange.isTime ? [' of seconds', ', or a time such as 7d or 1h30m'] : ['', ''];
  const rangeDescription = allowedRange.isTime
    ? describeNumberRange(allowedRange).replace(/^ of/, ',')
    : describeNumberRange(allowedRange);
  return new InputError(
    `${errorContext}: expected ${describeWordAlternative(allowedRange)}a ${numberKind}${of}${rangeDescription}${units}, found '${numberText}'`,
  );
}

/**
 * Parses a finite number within a range, such as `2`, `-0.5` or `1e6`, or `70%` (0.7); a time in seconds also
 * accepts `7d` or `1h30m`.
 * @param errorContext name of the option or field in errors, for instance `--load`.
 */
export function parseNumber(
  numberText: string,
  errorContext: string,
  allowedRange: NumberRange = {},
): number {
  const parsedNumber = parseNumberOrNaN(numberText.trim(), allowedRange);
  if (Number.isFinite(parsedNumber) && isInNumberRange(parsedNumber, allowedRange)) return parsedNumber;
  throw makeNumberError(numberText, errorContext, 'number', allowedRange);
}

/**
 * Parses a whole number such as `100` or `1e5`, exact in a double, within a range; times and `errorContext` as for
 * parseNumber.
 */
export function parseWholeNumber(
  wholeNumberText: string,
  errorContext: string,
  numberRange: NumberRange = {},
): number {
  const isNumberNotation = numberRange.isTime || WHOLE_NUMBER_PATTERN.test(wholeNumberText.trim());
  const parsedNumber = isNumberNotation ? parseNumberOrNaN(wholeNumberText.trim(), numberRange) : Number.NaN;
  if (Number.isSafeInteger(parsedNumber) && isInNumberRange(parsedNumber, numberRange)) return parsedNumber;
  throw makeNumberError(wholeNumberText, errorContext, 'whole number', numberRange);
}

/** Parses numbers separated by commas, each within a range; errors name the entry, counted from 1. */
export function parseNumberList(
  numberListText: string,
  errorContext: string,
  numberRange: NumberRange = {},
): number[] {
  return numberListText
    .split(',')
    .map((part, i) => parseNumber(part, `${errorContext}, entry ${i + 1}`, numberRange));
}

/** Parses whole numbers separated by commas, each within a range; errors name the entry, counted from 1. */
export function parseWholeNumberList(
  wholeNumberListText: string,
  errorContext: string,
  numberRange: NumberRange = {},
): number[] {
  return wholeNumberListText
    .split(',')
    .map((part, i) => parseWholeNumber(part, `${errorContext}, entry ${i + 1}`, numberRange));
}
