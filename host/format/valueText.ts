/** Numbers of tables and axes as text. */
import { formatDuration, formatMeasure, formatNumber, formatPercent } from './numbers.js';

/** How the numbers of a column or an axis are printed. */
export interface NumberFormat {
  /**
   * `measure`: about four digits that count; `fixed`: a fixed number of decimals; `percent`: a share of 1, times 100,
   * with the percent sign; `duration`: seconds in units that fit (`3 h 26 min`).
   */
  readonly style: 'measure' | 'fixed' | 'percent' | 'duration';
  /** Of `fixed` and `percent`; default 0. */
  readonly decimals?: number;
  /** Whether positive numbers carry a plus sign; default false. */
  readonly isSigned?: boolean;
}

const MINUS = '\u2212';
const NO_BREAK_SPACE = '\u00a0';

function unsignedText(size: number, { style, decimals = 0 }: NumberFormat): string {
  switch (style) {
    case 'measure':
      return formatMeasure(size);
    case 'fixed':
      return formatNumber(size, decimals);
    case 'percent':
      return formatPercent(size, decimals);
    case 'duration':
      return formatDuration(size);
  }
}

/** A number as a person reads it: a true minus sign, no break before a unit; without a format in shortest form. */
export function valueText(value: number, format?: NumberFormat): string {
  const size = Math.abs(value);
  const text = format === undefined ? String(size) : unsignedText(size, format);
  // What is rounded to zero has no sign.
  const isZero = !/[1-9]/.test(text);
  const sign = isZero || value === 0 ? '' : value < 0 ? MINUS : format?.isSigned ? '+' : '';
  return sign + text.replaceAll(' ', NO_BREAK_SPACE);
}

/** From such a ratio of the largest to the smallest on, numbers of one column differ in their decimals. */
const WIDE_RATIO = 1000;
const MOST_DECIMALS = 3;

/** The format for all numbers of a column: a `measure` gets as many decimals everywhere as help, so that points align. */
export function columnFormat(
  values: readonly number[],
  format: NumberFormat | undefined,
): NumberFormat | undefined {
  if (format?.style !== 'measure') return format;
  const sizes = values.map(Math.abs).filter((size) => size > 0 && Number.isFinite(size));
  if (sizes.length === 0) return format;
  const largest = sizes.reduce((a, b) => Math.max(a, b));
  const smallest = sizes.reduce((a, b) => Math.min(a, b));
  if (largest / smallest >= WIDE_RATIO) return format;
  let decimals = largest >= 1000 ? 0 : largest >= 10 ? 2 : MOST_DECIMALS;
  const isNeedless = () => sizes.every((size) => formatNumber(size, decimals).endsWith('0'));
  while (decimals > 0 && isNeedless()) decimals--;
  return { ...format, style: 'fixed', decimals };
}
