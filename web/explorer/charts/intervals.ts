/** Means with their intervals, one below the other on one scale. */
import { durationTicks, labelsWithRoom, type NumberScale, numberScale } from '../../../host/draw/axes.js';
import { formatMeasure } from '../../../host/format/numbers.js';
import { shownRange } from '../../../host/show/verdictText.js';
import { svg } from '../dom.js';
import { themeNow } from '../model.js';
import type { Replicated, ReplicatedRow } from '../protocol.js';
import { runLook } from './looks.js';

const [WIDTH, HEIGHT, PAD] = [220, 22, 8];

/** Where values lie, on the scale of all rows. */
function scaleOf(rows: readonly ReplicatedRow[]): NumberScale {
  const { range } = shownRange(rows.map(({ mean, low, high }) => ({ value: mean, low, high })));
  const [low, high] = range ?? [
    Math.min(...rows.map((row) => row.low)),
    Math.max(...rows.map((row) => row.high)),
  ];
  return numberScale([low, high > low ? high : low + 1], [PAD, WIDTH - PAD]);
}

/** The axis below the rows: of times in round minutes, hours or days. */
export function intervalAxis({ rows, unit }: Pick<Replicated, 'rows' | 'unit'>): SVGElement {
  const x = scaleOf(rows);
  const numbers = () => x.ticks(3).map((value) => ({ value, label: formatMeasure(value) }));
  const times = unit === 's' ? durationTicks(x, 3, false) : [];
  const ticks = times.length > 1 ? times : numbers();
  const marks = ticks.map(({ value }) =>
    svg('line', { x1: x(value), x2: x(value), y1: 0, y2: 5, class: 'tick' }),
  );
  const names = labelsWithRoom(ticks, x, [0, WIDTH]).map(({ label, middle }) => {
    const name = svg('text', { x: middle, y: 18, 'text-anchor': 'middle' });
    name.textContent = label;
    return name;
  });
  const line = svg('line', { x1: PAD, x2: WIDTH - PAD, y1: 0.5, y2: 0.5, class: 'tick' });
  return svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true', class: 'interval' },
    line,
    ...marks,
    ...names,
  );
}

/** The picture of a row, on the scale of all of them. */
export function intervalPicture(rows: readonly ReplicatedRow[], place: number): SVGElement {
  const x = scaleOf(rows);
  const row = rows[place];
  const { color } = runLook(place, themeNow());
  const middle = HEIGHT / 2;
  const end = x.range()[1];
  // Far beyond the others: an arrow at the edge.
  if (x(row.mean) > end)
    return svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true', class: 'interval' },
      svg('path', { d: `M${end} ${middle}l-9 -5v10z`, fill: color }),
    );
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
