/** What surrounds drawings of jobs over time: the sites at the left, the time below, a legend above. */

import { formatNumber } from '../format/numbers.js';
import type { SiteLane, TimeScale } from './ganttLayout.js';
import { timeX } from './ganttLayout.js';
import { placeEntries } from './legend.js';
import { escapeMarkup } from './markup.js';
import { INK } from './palette.js';
import { coordinate } from './svgText.js';
import { textWidth } from './textWidth.js';
import { roundTicks, timeUnitFor } from './timeUnit.js';

/** Size of all text, and width of all drawings, in pixels. */
export const FONT_SIZE = 10.5;
export const DRAWING_WIDTH = 780;
/** Width left of the lanes. */
export const LEFT = 92;
export const RIGHT = 14;
/** Height below the lanes. */
export const BELOW = 38;

/** Text at a place. */
export function textAt(
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string {
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text x="${coordinate(x)}" y="${coordinate(y)}"${place}>${escapeMarkup(text)}</text>`;
}

/** Names of sites and outlines of lanes. A lane too low for two lines has the size behind the name. */
function laneFrames(lanes: readonly SiteLane[], { left, width }: TimeScale): string {
  return lanes
    .map(({ top, height, capacity }, site) => {
      const middle = top + height / 2 + 3.5;
      const size = `${formatNumber(capacity)} proc.`;
      const names =
        height >= 28
          ? textAt(left - 8, middle - 7, `site ${site + 1}`, 'end') +
            textAt(left - 8, middle + 7, size, 'end')
          : textAt(left - 8, middle, `site ${site + 1}, ${size}`, 'end');
      const [x, y, w, h] = [left, top, width, height].map(coordinate);
      return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${INK}" stroke-opacity="0.35"/>${names}`;
    })
    .join('');
}

/** Ticks, their numbers and the name of the time axis, counted from `origin`. */
function timeAxis(scale: TimeScale, bottom: number, origin: number): string {
  const unit = timeUnitFor(scale.to - origin);
  const [low, high] = [scale.from, scale.to].map((time) => (time - origin) / unit.seconds);
  const ticks = roundTicks(low, high, 8).map((tick) => {
    const x = timeX(origin + tick * unit.seconds, scale);
    const line = `<path d="M${coordinate(x)} ${coordinate(bottom)}v4" stroke="${INK}" stroke-opacity="0.35"/>`;
    return (
      line + textAt(x, bottom + 15, tick.toLocaleString('en-US', { maximumFractionDigits: 6 }), 'middle')
    );
  });
  const title = textAt(
    scale.left + scale.width / 2,
    bottom + 31,
    `time since the first submit [${unit.name}]`,
    'middle',
  );
  return ticks.join('') + title;
}

/** An entry of a legend. */
export interface LegendEntry {
  readonly color: string;
  readonly opacity?: number;
  /** What stands at the middle of the sample's right edge; nothing by default. */
  readonly endMark?: (x: number, y: number) => string;
  readonly name: string;
}

/** Height of one row of a legend. */
export const LEGEND_ROW = 18;
/** Width of a sample, where the name begins behind it, and from a name to the next sample. */
const SAMPLE = 14;
const NAME = 19;
const GAP = 16;

/** Coloured squares with their names, in rows from the left; returns the rows' number too. */
export function squareLegend(entries: readonly LegendEntry[]): { markup: string; rows: number } {
  const widths = entries.map(({ name }) => NAME + textWidth(name, FONT_SIZE));
  const { places, rows } = placeEntries(widths, GAP, DRAWING_WIDTH - LEFT - RIGHT);
  const drawn = entries.map(({ color, opacity = 1, endMark, name }, i) => {
    const [x, y] = [LEFT + places[i].left, places[i].row * LEGEND_ROW + 4];
    const box = `<rect x="${coordinate(x)}" y="${y}" width="${SAMPLE}" height="10" fill="${color}" fill-opacity="${opacity}" stroke="${INK}" stroke-opacity="0.35"/>`;
    return box + (endMark?.(x + SAMPLE, y + 5) ?? '') + textAt(x + NAME, y + 9, name);
  });
  return { markup: drawn.join(''), rows };
}

/** Legend, drawing, lanes and time axis, and the end of the SVG. */
export function drawingFrame(
  lanes: readonly SiteLane[],
  scale: TimeScale,
  origin: number,
  legend: string,
  drawing: string,
): string {
  const { top, height } = lanes[lanes.length - 1];
  const words = legend + laneFrames(lanes, scale) + timeAxis(scale, top + height, origin);
  const text = `<g font-size="${FONT_SIZE}px" fill="${INK}">${words}</g>`;
  return `<g font-size="${FONT_SIZE}px">${drawing}</g>${text}</svg>`;
}
