/** The Gantt charts as they are seen, as a drawing: colours with their legend, both runs, the time axis. */
import { timeTicks } from '../../../host/draw/axes.js';
import { tokens } from '../charts/tokens.js';
import { svg } from '../dom.js';
import type { Model } from '../model.js';
import type { BlockIndex } from './blockIndex.js';
import type { GanttChart } from './chart.js';
import { colorOf, type Key } from './inks.js';

const [LEFT, TOP, TITLE, AXIS, PAD] = [90, 34, 24, 28, 10];
const FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif";
/** More blocks are a picture of their pixels. */
const MOST = 20_000;
/** Pixels of a character, and of a row of the legend. */
const [CHARACTER, ROW] = [6, 18];

function textAt(
  words: string,
  x: number,
  y: number,
  more: Readonly<Record<string, string>> = {},
): SVGElement {
  const element = svg('text', { x, y, 'font-size': 11, fill: tokens().ink, ...more });
  element.textContent = words;
  return element;
}

/** The legend, in as many rows as it takes to be no wider than the charts; and how much higher it is than one row. */
function legendOf(
  { keys, ends }: GanttChart['colors'],
  width: number,
): { readonly shapes: readonly SVGElement[]; readonly more: number } {
  let [x, more] = [LEFT, 0];
  /** Goes to the next row where a text with its box has no room. */
  const place = (words: string, box: number) => {
    const own = box + CHARACTER * words.length + 12;
    if (x > LEFT && x + own > LEFT + width) [x, more] = [LEFT, more + ROW];
    x += own;
    return { left: x - own, top: 12 + more };
  };
  const said = (words: string) => {
    const { left, top } = place(words, 0);
    return textAt(words, left, top + 9);
  };
  const cell = ({ name, short, color }: Key) => {
    const { left, top } = place(short ?? name, 16);
    const box = svg('rect', { x: left, y: top, width: 12, height: 12, fill: color });
    return [box, textAt(short ?? name, left + 16, top + 9)];
  };
  const shapes = [
    ...(ends === undefined ? [] : [said(`${ends[0]}:`)]),
    ...keys.flatMap(cell),
    ...(ends === undefined ? [] : [said(`: ${ends[1]}`)]),
  ];
  return { shapes, more };
}

/** The blocks of a chart from a height on; pixels where there are too many. */
function blocksOf(model: Model, chart: GanttChart, y: number): SVGElement[] {
  const { index, lanes, inks, scale, width, height, canvas } = chart.seen;
  const { from, to } = model.view;
  const places: number[] = [];
  index.each(from, to, (block) => places.push(block));
  if (places.length > MOST)
    return [svg('image', { x: LEFT, y, width, height, href: canvas.toDataURL('image/png') })];
  const back = lanes.map((lane) =>
    svg('rect', {
      ...{ x: LEFT, y: y + lane.top / scale, width, height: lane.height / scale },
      fill: colorOf(inks.free),
    }),
  );
  return [...back, ...places.map((block) => rectOf({ index, lanes, inks, scale, width }, model, block, y))];
}

function rectOf(
  {
    index,
    lanes,
    inks,
    scale,
    width,
  }: Pick<GanttChart['seen'], 'lanes' | 'inks' | 'scale' | 'width'> & {
    readonly index: BlockIndex;
  },
  { view, outcome }: Model,
  block: number,
  y: number,
): SVGElement {
  const { job, site, start, end, first, after } = index.blocks;
  const x = (time: number) =>
    ((Math.min(Math.max(time, view.from), view.to) - view.from) / (view.to - view.from)) * width;
  const lane = lanes[site[block]];
  const high = lane.height / lane.capacity / scale;
  const [left, right] = [x(start[block]), x(end[block])];
  const box = svg('rect', {
    x: (LEFT + left).toFixed(2),
    y: (y + lane.top / scale + (first[block] - lane.first) * high).toFixed(2),
    width: Math.max(right - left, 0.2).toFixed(2),
    height: (high * (after[block] - first[block])).toFixed(2),
    fill: colorOf(inks.fills[inks.kindOf[job[block]]]),
  });
  const title = svg('title', {});
  title.textContent = `job ${outcome?.jobs.names[job[block]] ?? ''}`;
  box.append(title);
  return box;
}

/** Names of sites beside their lanes, where these are high enough. */
function namesOf(chart: GanttChart, y: number): SVGElement[] {
  const { lanes, scale, height } = chart.seen;
  return lanes.flatMap((lane, site) => {
    const middle = (lane.top + lane.height / 2) / scale;
    if (lane.height / scale < 11 || middle < 0 || middle > height) return [];
    return [textAt(`site ${site + 1}`, LEFT - 8, y + middle + 4, { 'text-anchor': 'end' })];
  });
}

/** The time axis below the charts. */
function axisOf({ view, outcome }: Model, width: number, y: number): SVGElement[] {
  const [origin = 0] = outcome?.jobs.submit ?? [];
  const beginning = outcome?.unixStartTime === undefined ? undefined : outcome.unixStartTime + origin;
  const { ticks, title } = timeTicks(view.from - origin, view.to - origin, beginning);
  const marks = ticks.flatMap(({ value, label }) => {
    const x = LEFT + ((value + origin - view.from) / (view.to - view.from)) * width;
    const line = svg('line', { x1: x, x2: x, y1: y, y2: y + 5, stroke: tokens().muted });
    // The last label ends with the picture.
    const most = LEFT + width + PAD - (CHARACTER * label.length) / 2;
    return [line, textAt(label, Math.min(x, most), y + 16, { 'text-anchor': 'middle' })];
  });
  return [...marks, textAt(title, LEFT + width, y + 30, { 'text-anchor': 'end' })];
}

/** The charts that are shown, as text of an SVG file. */
export function ganttPicture(model: Model, charts: readonly GanttChart[]): string {
  const shown = charts.filter((chart) => chart.run !== undefined);
  const { width, height } = shown[0].seen;
  const legend = legendOf(shown[0].colors, width);
  const top = TOP + legend.more;
  const whole = {
    width: LEFT + width + 2 * PAD,
    height: top + shown.length * (TITLE + height + PAD) + AXIS + PAD,
  };
  const clip = svg('clipPath', { id: 'stage' }, svg('rect', { x: LEFT, y: 0, width, height: whole.height }));
  const parts = shown.flatMap((chart, i) => {
    const y = top + i * (TITLE + height + PAD) + TITLE;
    const title = textAt(chart.run?.label ?? '', LEFT, y - 7, { 'font-weight': 'bold', 'font-size': '12' });
    return [
      title,
      ...namesOf(chart, y),
      svg('g', { 'clip-path': 'url(#stage)' }, ...blocksOf(model, chart, y)),
    ];
  });
  const picture = svg(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${whole.width} ${whole.height}`,
      ...whole,
      'font-family': FONT,
    },
    svg('rect', { ...whole, fill: tokens().card }),
    svg('defs', {}, clip),
    ...legend.shapes,
    ...parts,
    ...axisOf(model, width, whole.height - AXIS - PAD),
  );
  return new XMLSerializer().serializeToString(picture);
}

/** A drawing as PNG, with twice as many pixels. */
export async function pngOf(drawing: string): Promise<Blob | null> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }));
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [2 * image.naturalWidth, 2 * image.naturalHeight];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}
