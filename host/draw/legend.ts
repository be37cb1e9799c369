/** The legend of a drawing: samples with the names behind them, in rows from the left. */
import { LABEL_SIZE, textAt } from './axes.js';
import { textWidth } from './svg.js';

/** An entry of a legend. */
export interface LegendEntry {
  readonly name: string;
  /** What is drawn before the name, from a place on to the right; y is the middle of the row. */
  readonly sample: (x: number, y: number) => string;
}

/** A legend that is drawn. */
export interface Legend {
  readonly markup: string;
  readonly width: number;
  readonly height: number;
}

const ROW = 18;
/** Between a sample and its name, and from a name to the next sample. */
const [NAME_GAP, GAP] = [6, 16];

/**
 * Draws a legend, one entry behind the other in as many rows as it takes.
 * @param sampleWidth room for each sample.
 * @param left where rows begin, and how wide they may be.
 */
export function drawLegend(
  entries: readonly LegendEntry[],
  sampleWidth: number,
  left: number,
  most: number,
): Legend {
  let [x, row, width] = [0, 0, 0];
  const drawn = entries.map(({ name, sample }) => {
    const own = sampleWidth + NAME_GAP + textWidth(name, LABEL_SIZE);
    if (x > 0 && x + own > most) [x, row] = [0, row + 1];
    const [begin, middle] = [left + x, (row + 0.5) * ROW];
    width = Math.max(width, x + own);
    x += own + GAP;
    return sample(begin, middle) + textAt(begin + sampleWidth + NAME_GAP, middle + 4, name);
  });
  return { markup: drawn.join(''), width, height: entries.length === 0 ? 0 : (row + 1) * ROW };
}
