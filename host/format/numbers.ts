/** Formats numbers for readers. Only tables use these formats; files contain full precision. */
import { lastElement, minAndMax } from '../lists.js';

/** Converts a nonnegative number to units of its last decimal, rounding half up. */
function roundToDecimalUnits(roundedNumber: number, decimals: number): bigint {
  const [mantissa = '', exponent = '0'] = String(roundedNumber).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const keptDigitCount = whole.length + Number(exponent) + decimals;
  if (keptDigitCount < 0) return 0n;
  return (
    BigInt(digits.slice(0, keptDigitCount).padEnd(keptDigitCount, '0')) +
    (digits.charAt(keptDigitCount) >= '5' ? 1n : 0n)
  );
}

/**
 * Formats a number with thousands separators and a fixed number of decimals: `12,345.67`. (`toLocaleString`
 * gives the same, but loads locale data for the first number.)
 */
export function formatNumber(printedNumber: number, decimals = 0): string {
  if (!Number.isFinite(printedNumber)) return printedNumber.toLocaleString('en-US');
  const digitsOfDecimalUnits = String(roundToDecimalUnits(Math.abs(printedNumber), decimals)).padStart(
    decimals + 1,
    '0',
  );
  const wholePartText = digitsOfDecimalUnits
    .slice(0, digitsOfDecimalUnits.length - decimals)
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  const signText = printedNumber < 0 || Object.is(printedNumber, -0) ? '-' : '';
  return (
    signText + (decimals === 0 ? wholePartText : `${wholePartText}.${digitsOfDecimalUnits.slice(-decimals)}`)
  );
}

/** Formats a count with its noun: `1 job`, `2 jobs`. */
export function formatCount(
  thingCount: number,
  singularNoun: string,
  pluralNoun = `${singularNoun}s`,
): string {
  return `${formatNumber(thingCount)} ${thingCount === 1 ? singularNoun : pluralNoun}`;
}

/** Capitalizes the first letter of a text. */
export const capitalizeFirst = (sentence: string) => sentence.slice(0, 1).toUpperCase() + sentence.slice(1);

/** Joins names: `A, B and C`. */
export function joinWithAnd(joinedTexts: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  return joinedTexts.length < 2
    ? joinedTexts.join('')
    : `${joinedTexts.slice(0, -1).join(', ')} ${conjunction} ${joinedTexts[joinedTexts.length - 1]}`;
}

/**
 * Formats a number with about four significant digits and no useless decimals: `1,127`, `98.53`, `0.913`,
 * `8`.
 */
export function formatMeasurement(measuredNumber: number): string {
  const absoluteValue = Math.abs(measuredNumber);
  if (Number.isInteger(measuredNumber) || absoluteValue >= 1000) return formatNumber(measuredNumber);
  return formatNumber(measuredNumber, absoluteValue >= 10 ? 2 : 3);
}

/** Formats a share as percentage: `83.2 %`. */
export function formatPercent(share: number, decimals = 1): string {
  return `${formatNumber(share * 100, decimals)} %`;
}

/** Units of time with the next smaller unit and the length in seconds. */
const DURATION_UNITS = [
  { large: 'd', length: 86_400, small: 'h', part: 3600 },
  { large: 'h', length: 3600, small: 'min', part: 60 },
  { large: 'min', length: 60, small: 's', part: 1 },
];

/** Length in seconds from which durations are shown in minutes, hours and days. */
export const LONG_DURATION_SECONDS = 600;

/** Formats seconds in the two largest units: `3 h 26 min`, `2 d 4 h`, `12.3 s`. */
export function formatDuration(seconds: number): string {
  if (Math.abs(seconds) < 60) return `${formatNumber(seconds, Number.isInteger(seconds) ? 0 : 1)} s`;
  const unit =
    DURATION_UNITS.find(({ length }) => Math.abs(seconds) >= length) ?? lastElement(DURATION_UNITS);
  const { large, length, small, part } = unit;
  const partCount = Math.round(Math.abs(seconds) / part);
  const remainingPartCount = partCount % (length / part);
  const wholeUnitCount = (partCount - remainingPartCount) / (length / part);
  const numberText = `${formatNumber(wholeUnitCount)} ${large}${remainingPartCount > 0 ? ` ${remainingPartCount} ${small}` : ''}`;
  return seconds < 0 ? `-${numberText}` : numberText;
}

/**
 * Formats seconds exactly: to the minute from an hour on, below to the second or a smaller unit: `26 min 29
 * s`, `23 h 28 min`, `3 d 20 h 13 min`.
 * @param finestUnit smallest unit in seconds, at most 60.
 */
export function formatFullDuration(seconds: number, finestUnit = 60): string {
  const absoluteValue = Math.abs(seconds);
  const secondsOfSmallestUnit = Math.min(
    finestUnit,
    absoluteValue >= 3600 ? 60 : absoluteValue >= 60 ? 1 : 0.1,
  );
  const roundedSeconds = Math.round(absoluteValue / secondsOfSmallestUnit) * secondsOfSmallestUnit;
  const lengths = roundedSeconds >= 86_400 ? [86_400, 3600, 60] : [3600, 60];
  let remainingSeconds = roundedSeconds;
  const unitCountTexts = lengths.map((length) => {
    const unitCount = Math.floor(remainingSeconds / length + 1e-9);
    remainingSeconds -= unitCount * length;
    return `${unitCount} ${length === 60 ? 'min' : length === 3600 ? 'h' : 'd'}`;
  });
  const decimals =
    secondsOfSmallestUnit < 1 && Math.abs(remainingSeconds - Math.round(remainingSeconds)) > 1e-6
      ? secondsOfSmallestUnit < 0.1
        ? 2
        : 1
      : 0;
  const shownDurationParts = [
    ...unitCountTexts,
    `${formatNumber(Math.max(0, remainingSeconds), decimals)} s`,
  ].filter((text) => !text.startsWith('0 '));
  return (seconds < 0 ? '-' : '') + (shownDurationParts.length === 0 ? '0 s' : shownDurationParts.join(' '));
}

/** Formats the durations of table rows with enough precision to distinguish different ones. */
export function formatDistinctDurations(seconds: readonly number[]): string[] {
  const differentDurationCount = new Set(seconds).size;
  const formatDurationsTo = (finestUnit: number) =>
    seconds.map((duration) => formatFullDuration(duration, finestUnit));
  const finestUnit =
    [60, 1].find((part) => new Set(formatDurationsTo(part)).size === differentDurationCount) ?? 0.01;
  return formatDurationsTo(finestUnit);
}

/**
 * Formats a range of times in seconds, `8 h 51 min to 10 h 12 min`; undefined if one is negative or all are
 * short.
 */
export function formatDurationSpan(seconds: readonly number[]): string | undefined {
  const [least, most] = minAndMax(seconds);
  if (!(least >= 0 && most >= LONG_DURATION_SECONDS)) return undefined;
  return [...new Set([least, most].map(formatDuration))].join(' to ');
}

/** Formats a time in seconds since 1970 as `1998-04-24 18:11` (UTC). */
export function formatUtcDate(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/** Number format of a column or axis. */
export interface NumberFormat {
  /**
   * Style: `measure`: about four significant digits; `fixed`: a fixed number of decimals; `percent`: a share,
   * multiplied by 100, with percent sign; `duration`: seconds in suitable units (`3 h 26 min`).
   */
  readonly style: 'measure' | 'fixed' | 'percent' | 'duration';
  /** Number of decimals for `fixed` and `percent`; default 0. */
  readonly decimals?: number;
  /** True if positive numbers carry a plus sign; default false. */
  readonly isSigned?: boolean;
}

const MINUS_SIGN = '\u2212';
const NO_BREAK_SPACE = '\u00a0';

function formatUnsignedNumber(absoluteValue: number, { style, decimals = 0 }: NumberFormat): string {
  switch (style) {
    case 'measure':
      return formatMeasurement(absoluteValue);
    case 'fixed':
      return formatNumber(absoluteValue, decimals);
    case 'percent':
      return formatPercent(absoluteValue, decimals);
    case 'duration':
      return formatDuration(absoluteValue);
  }
}

/**
 * Formats a number for readers, with a true minus sign and a non-breaking space before the unit; without a
 * format in its shortest form.
 */
export function formatValue(value: number, numberFormat?: NumberFormat): string {
  const absoluteValue = Math.abs(value);
  const numberText =
    numberFormat === undefined ? String(absoluteValue) : formatUnsignedNumber(absoluteValue, numberFormat);
  // Numbers rounded to zero have no sign.
  const isRoundedToZero = !/[1-9]/.test(numberText);
  const signText =
    isRoundedToZero || value === 0 ? '' : value < 0 ? MINUS_SIGN : numberFormat?.isSigned ? '+' : '';
  return signText + numberText.replaceAll(' ', NO_BREAK_SPACE);
}

/** Ratio of the largest to the smallest number above which numbers of one column have different decimals. */
const MIN_WIDE_RANGE_RATIO = 1000;
const MAX_TABLE_COLUMN_DECIMALS = 3;

/**
 * Common format for the numbers of a column: with `measure`, all get the same number of decimals, so that
 * decimal points align.
 */
export function findCommonColumnFormat(
  columnValues: readonly number[],
  numberFormat: NumberFormat | undefined,
): NumberFormat | undefined {
  if (numberFormat?.style !== 'measure') return numberFormat;
  const absoluteValues = columnValues.map(Math.abs).filter((size) => size > 0 && Number.isFinite(size));
  if (absoluteValues.length === 0) return numberFormat;
  const largestValue = absoluteValues.reduce((a, b) => Math.max(a, b));
  const smallestValue = absoluteValues.reduce((a, b) => Math.min(a, b));
  if (largestValue / smallestValue >= MIN_WIDE_RANGE_RATIO) return numberFormat;
  let decimals = largestValue >= 1000 ? 0 : largestValue >= 10 ? 2 : MAX_TABLE_COLUMN_DECIMALS;
  const hasRedundantDecimal = () =>
    absoluteValues.every((size) => formatNumber(size, decimals).endsWith('0'));
  while (decimals > 0 && hasRedundantDecimal()) decimals--;
  return { ...numberFormat, style: 'fixed', decimals };
}
