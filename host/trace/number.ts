/** Numbers of a log, as text. */

/** The value of a decimal number, with or without exponent; undefined for any other text and beyond the doubles. */
export function readDecimal(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text) + 0;
  return Number.isFinite(value) ? value : undefined;
}
