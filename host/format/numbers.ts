/** Numbers as a person reads them. Tables only: files carry numbers in full. */

/** With a comma every three digits and a fixed number of decimals: `12,345.67`. */
export function formatNumber(value: number, decimals = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** `1 job`, `2 jobs`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/** A number with about four digits that count, and never more decimals than help: `1,127`, `98.53`, `0.913`, `8`. */
export function formatMeasure(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 1000) return formatNumber(value);
  return formatNumber(value, size >= 10 ? 2 : 3);
}

/** A share of 1 in percent: `83.2 %`. */
export function formatPercent(share: number, decimals = 1): string {
  return `${formatNumber(share * 100, decimals)} %`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
];

/** Seconds in the two largest units that fit: `3 h 26 min`, `2 d 4 h`, `12.3 s`. */
export function formatDuration(seconds: number): string {
  if (Math.abs(seconds) < 60) return `${formatNumber(seconds, Number.isInteger(seconds) ? 0 : 1)} s`;
  const units = [...UNITS, ['s', 1] as const];
  const first = units.findIndex(([, length]) => Math.abs(seconds) >= length);
  const [large, small] = [units[first], units[first + 1]];
  let rest = Math.round(Math.abs(seconds) / small[1]);
  const perLarge = large[1] / small[1];
  const whole = Math.floor(rest / perLarge);
  rest -= whole * perLarge;
  const text = `${formatNumber(whole)} ${large[0]}${rest > 0 ? ` ${rest} ${small[0]}` : ''}`;
  return seconds < 0 ? `-${text}` : text;
}
