/** Numbers as a paper prints them, and whether the one reproduced comes out the same. */
import { InputError } from '../errors.js';
import type { Published } from './definition.js';

/** A number as printed, such as `19.8` or `-473%`; `where` names the place for the error. */
export function publishedNumber(printed: number | string, where: string): Published {
  const text = String(printed).trim();
  const match = /^[+-]?\d+(?:\.(\d+))?\s*(%?)$/.exec(text);
  if (match === null)
    throw new InputError(`${where}: expected a number as printed, such as 19.8 or -473%, found '${text}'`);
  const isPercent = match[2] === '%';
  const number = Number.parseFloat(text);
  return { text, value: isPercent ? number / 100 : number, decimals: match[1]?.length ?? 0, isPercent };
}

/** Whether a value gives the printed digits, rounded or cut off: papers do either. */
export function isReproduced(value: number, { text, decimals, isPercent }: Published): boolean {
  const scale = 10 ** decimals;
  const shown = (isPercent ? value * 100 : value) * scale;
  const printed = Math.round(Number.parseFloat(text) * scale);
  // A value that is a printed number but for its last bits counts as that number.
  const near = Math.round(shown);
  return (
    printed === near || printed === Math.trunc(shown) || Math.abs(shown - printed) < 1e-9 * Math.abs(printed)
  );
}
