/** The part of an axis that tells most values apart. */
import type { FigureAxis } from '../draw/figureModel.js';
import type { Behind } from './verdictSigns.js';

/** A value that is so many times the next stands at the edge of its axis, so that the others are told apart. */
const FAR = 5;

/** The part of an axis on which most values stand, where few are far beyond it; nothing else. Values and bounds are in the unit of the axis. */
export function shownRange(values: readonly Behind[]): Pick<FigureAxis, 'range'> {
  const ends = values.map(({ value, high = value }) => high).sort((a, b) => a - b);
  let last = ends.length - 1;
  while (2 * last > ends.length && ends[last - 1]! > 0 && ends[last]! > FAR * ends[last - 1]!) last--;
  if (last === ends.length - 1) return {};
  const lows = values.filter(({ value }) => value <= ends[last]!).map(({ value, low = value }) => low);
  return { range: [Math.min(...lows), ends[last]!] };
}
