/** A Gantt chart by site on a canvas: drawn from pixels, with what is chosen on a second canvas above. */
import { formatNumber } from '../../../host/format/numbers.js';
import { h } from '../dom.js';
import { type Model, themeNow } from '../model.js';
import type { RunData } from '../protocol.js';
import { jobFacts } from '../words.js';
import { type Colored, colorRun } from './inks.js';
import { type Lane, lanesOf, processorAt } from './lanes.js';
import { Raster } from './raster.js';

/** How near a pointer must come to a block, in pixels. */
const REACH = 2;
const FONT = '10px system-ui, sans-serif';

/** One of the two charts. */
export class GanttChart {
  readonly element: HTMLElement;
  readonly #model: Model;
  readonly #place: 0 | 1;
  readonly #bars = h('canvas', { className: 'bars' });
  readonly #marks = h('canvas', { className: 'marks' });
  readonly #stage: HTMLElement;
  readonly #names = h('div', { className: 'site-names' });
  readonly #title = h('h3');
  #raster: Raster | undefined;
  #lanes: Lane[] = [];
  #colored: { readonly key: unknown[]; readonly colored: Colored } | undefined;
  /** Milliseconds that drawings took, the latest last. */
  readonly drawings: number[] = [];

  constructor(model: Model, place: 0 | 1) {
    this.#model = model;
    this.#place = place;
    this.#stage = h(
      'div',
      {
        className: 'stage',
        tabIndex: 0,
        role: 'application',
        'aria-roledescription': 'Gantt chart',
      },
      this.#bars,
      this.#marks,
    );
    this.element = h(
      'section',
      { className: 'gantt' },
      this.#title,
      h('div', { className: 'chart-row' }, this.#names, this.#stage),
    );
  }

  /** Where pointers and keys go. */
  get stage(): HTMLElement {
    return this.#stage;
  }

  /** The run that it shows. */
  get run(): RunData | undefined {
    return this.#model.runs[this.#model.shown[this.#place]];
  }

  /** The kinds of jobs with their colours. */
  get keys(): Colored['keys'] {
    return this.#colors()?.keys ?? [];
  }

  /** Draws all of it. */
  draw(): void {
    const { outcome, view } = this.#model;
    const { run } = this;
    this.element.hidden = run === undefined;
    if (run === undefined || outcome === undefined) return;
    const [width, height] = [this.#stage.clientWidth, this.#stage.clientHeight];
    if (width === 0) return;
    const begin = performance.now();
    const scale = Math.min(devicePixelRatio, 2);
    const size = [Math.round(width * scale), Math.round(height * scale)] as const;
    if (this.#raster?.image.width !== size[0] || this.#raster.image.height !== size[1]) {
      this.#raster = new Raster(...size);
      for (const canvas of [this.#bars, this.#marks]) [canvas.width, canvas.height] = size;
    }
    this.#lanes = lanesOf(outcome.capacities, size[1]);
    const { inks } = this.#colors() as Colored;
    const labels = this.#raster.paint(
      this.#model.indexOf(run),
      { from: view.from, to: view.to, lanes: this.#lanes },
      inks,
      scale,
    );
    const context = this.#bars.getContext('2d') as CanvasRenderingContext2D;
    context.putImageData(this.#raster.image, 0, 0);
    context.font = FONT.replace('10', String(10 * scale));
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const { x, y, width: room, job } of labels) {
      const name = outcome.jobs.names[job];
      if (name.length * 6 * scale > room - 4) continue;
      context.fillStyle = textOn(inks.fills[inks.kindOf[job]]);
      context.fillText(name, x, y);
    }
    this.drawings.push(performance.now() - begin);
    this.#describe(run);
    this.mark();
  }

  /** Draws what is chosen, and the moment that is looked at. */
  mark(): void {
    const { run } = this;
    const { view, cursor, selected, hovered } = this.#model;
    const context = this.#marks.getContext('2d');
    if (run === undefined || context === null) return;
    const { width, height } = this.#marks;
    const x = (time: number) => ((time - view.from) / (view.to - view.from)) * width;
    const style = getComputedStyle(this.element);
    context.clearRect(0, 0, width, height);
    const index = this.#model.indexOf(run);
    for (const [job, line] of [
      [hovered, 1.5],
      [selected, 3],
    ] as const) {
      if (job === undefined) continue;
      context.lineWidth = line * Math.min(devicePixelRatio, 2);
      context.strokeStyle = style.getPropertyValue('--ink');
      for (const block of index.of(job)) {
        const { start, end, first, after, site } = index.blocks;
        const lane = this.#lanes[site[block]];
        const perProcessor = lane.height / lane.capacity;
        const top = lane.top + (first[block] - lane.first) * perProcessor;
        const wide = Math.max(x(end[block]) - x(start[block]), 3);
        const high = Math.max((after[block] - first[block]) * perProcessor, 3);
        context.strokeRect(x(start[block]), top, wide, high);
      }
    }
    const { forkedAt } = run;
    if (forkedAt !== undefined) line(context, x(forkedAt), height, style.getPropertyValue('--muted'), [4, 4]);
    if (cursor !== undefined) line(context, x(cursor), height, style.getPropertyValue('--accent'), []);
  }

  /** The job at a place of the stage, in pixels of the page; undefined: none. */
  jobAt(x: number, y: number): number | undefined {
    const { run } = this;
    if (run === undefined) return undefined;
    const { view } = this.#model;
    const perPixel = (view.to - view.from) / this.#stage.clientWidth;
    const scale = this.#bars.height / this.#stage.clientHeight;
    const index = this.#model.indexOf(run);
    const processor = processorAt(this.#lanes, y * scale);
    const block = index.at(view.from + x * perPixel, processor, REACH * perPixel);
    return block < 0 ? undefined : index.blocks.job[block];
  }

  /** The middle of the largest block of a job, in pixels of the stage. */
  placeOf(job: number): readonly [x: number, y: number] | undefined {
    const { run } = this;
    if (run === undefined) return undefined;
    const { blocks, of } = { blocks: this.#model.indexOf(run).blocks, of: this.#model.indexOf(run).of(job) };
    const [block] = of;
    if (block === undefined) return undefined;
    const { view } = this.#model;
    const lane = this.#lanes[blocks.site[block]];
    const middle = (blocks.start[block] + blocks.end[block]) / 2;
    const processor = (blocks.first[block] + blocks.after[block]) / 2 - lane.first;
    const scale = this.#bars.height / this.#stage.clientHeight;
    return [
      ((middle - view.from) / (view.to - view.from)) * this.#stage.clientWidth,
      (lane.top + (processor / lane.capacity) * lane.height) / scale,
    ];
  }

  #colors(): Colored | undefined {
    const { outcome, coloring, matches, runs, shown } = this.#model;
    const { run } = this;
    if (run === undefined || outcome === undefined) return undefined;
    const theme = themeNow();
    const other = runs[shown[1 - this.#place]];
    const key = [outcome.jobs, run, other, coloring, matches, theme];
    if (this.#colored?.key.every((each, i) => each === key[i])) return this.#colored.colored;
    const dimmed = matches && ((job: number) => !matches.has(job));
    this.#colored = { key, colored: colorRun(coloring, theme, { jobs: outcome.jobs, run, other, dimmed }) };
    return this.#colored.colored;
  }

  #describe(run: RunData): void {
    const { outcome, selected } = this.#model;
    if (outcome === undefined) return;
    if (this.#title.textContent !== run.label) this.#title.textContent = run.label;
    const label = `Gantt chart of ${run.label}: ${formatNumber(outcome.jobs.count)} jobs by site. Arrow keys move, plus and minus zoom, comma and full stop go from job to job, Enter tells its story.`;
    const said =
      selected === undefined ? label : `${label} Chosen: ${jobFacts(outcome, run, selected).join(', ')}.`;
    if (this.#stage.getAttribute('aria-label') !== said) this.#stage.setAttribute('aria-label', said);
    const names = outcome.capacities.map((capacity, site) => {
      const speed = outcome.speeds[site] === 1 ? '' : ` × ${Number(outcome.speeds[site].toPrecision(3))}`;
      return [`site ${site + 1}`, `${formatNumber(capacity)}${speed}`];
    });
    const scale = this.#bars.height / this.#stage.clientHeight;
    this.#names.replaceChildren(
      ...names.map(([name, size], site) => {
        const { top, height } = this.#lanes[site];
        const isLow = height / scale < 26;
        const element = h(
          'div',
          { className: 'site-name', title: `${name}: ${size} processors × speed` },
          h('b', {}, name),
          !isLow && h('span', {}, size),
        );
        element.style.top = `${top / scale}px`;
        element.style.height = `${height / scale}px`;
        return element;
      }),
    );
  }
}

function line(
  context: CanvasRenderingContext2D,
  x: number,
  height: number,
  color: string,
  dash: number[],
): void {
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
  context.setLineDash([]);
}

/** Black or white, whichever is read more easily on a colour. */
function textOn(pixel: number): string {
  const light = 0.3 * (pixel & 255) + 0.59 * ((pixel >>> 8) & 255) + 0.11 * ((pixel >>> 16) & 255);
  return light > 140 ? '#000' : '#fff';
}
