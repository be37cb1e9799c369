/** Means with their intervals, one below the other on one scale. */
import { svg } from '../dom.js';
import { themeNow } from '../model.js';
import type { ReplicatedRow } from '../protocol.js';
import { runLook } from './looks.js';

const [WIDTH, HEIGHT, PAD] = [220, 22, 8];

/** The picture of a row, on the scale of all of them. */
export function intervalPicture(rows: readonly ReplicatedRow[], place: number): SVGElement {
  const low = Math.min(...rows.map((row) => row.low));
  const high = Math.max(...rows.map((row) => row.high));
  const x = (value: number) => PAD + ((value - low) / (high - low || 1)) * (WIDTH - 2 * PAD);
  const row = rows[place];
  const { color } = runLook(place, themeNow());
  const middle = HEIGHT / 2;
  return svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true', class: 'interval' },
    svg('line', {
      x1: x(row.low),
      x2: x(row.high),
      y1: middle,
      y2: middle,
      stroke: color,
      'stroke-width': 2,
    }),
    svg('line', { x1: x(row.low), x2: x(row.low), y1: 6, y2: HEIGHT - 6, stroke: color, 'stroke-width': 2 }),
    svg('line', {
      x1: x(row.high),
      x2: x(row.high),
      y1: 6,
      y2: HEIGHT - 6,
      stroke: color,
      'stroke-width': 2,
    }),
    svg('circle', { cx: x(row.mean), cy: middle, r: 4.5, fill: color }),
  );
}
