/** The charts over time, one below the other on one axis, which stays in sight above them. */

import { textOn } from '../../../host/draw/timeColors.js';
import { formatNumber } from '../../../host/format/numbers.js';
import { runLook } from '../charts/looks.js';
import { Overview } from '../charts/overview.js';
import { TimeAxis } from '../charts/timeAxis.js';
import { type Quantity, TimeLines } from '../charts/timeLines.js';
import type { Controller } from '../controller.js';
import { chip, h } from '../dom.js';
import { GanttChart } from '../gantt/chart.js';
import { handleKeys, handlePointers } from '../gantt/hands.js';
import { type Model, themeNow } from '../model.js';
import type { RunData } from '../protocol.js';
import { Tooltip } from './tooltip.js';

const QUEUE: Quantity = {
  title: 'Queue',
  unit: '[waiting jobs]',
  of: ({ waiting }) => waiting,
  per: () => 1,
};
const processorsOf = ({ capacities }: RunData) => capacities.reduce((sum, capacity) => sum + capacity, 0);
const USE: Quantity = {
  title: 'Utilization',
  unit: '[%]',
  of: ({ busy }) => busy,
  per: (run) => processorsOf(run) / 100,
  most: 100,
};

/** What the page shows of time, and those who measure it. */
export interface Charts {
  readonly element: HTMLElement;
  readonly gantts: readonly [GanttChart, GanttChart];
}

/** Draws when the browser is about to show something, once for however many changes. */
function onFrame(draw: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      draw();
    });
  };
}

/** The colours of the jobs, in a row: a scale with its bounds inside, or names beside squares. */
function colorLegend({ colors: { keys, ends } }: GanttChart): HTMLElement {
  if (ends === undefined) return h('div', { className: 'legend' }, ...keys.map(key));
  const cells = keys.map(({ name, short, color }) => {
    const cell = h('i', { title: name }, short ?? '');
    [cell.style.background, cell.style.color] = [color, textOn(color)];
    return cell;
  });
  return h('div', { className: 'legend scale' }, ends[0], ...cells, ends[1]);
}

const key = ({ name, color }: { name: string; color: string }) =>
  h('span', { className: 'key' }, chip(color), name);

/** What the runs shown are at the time under the pointer, or else at the moment that is looked at; and a line there. */
class Values {
  readonly element = h('div', { className: 'values' });
  readonly hair = h('div', { className: 'hair', hidden: true, 'aria-hidden': 'true' });
  readonly #model: Model;
  #said: readonly unknown[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  /** @param stages of the first and the last chart, over which the line stands. */
  draw(stage: HTMLElement, last: HTMLElement): void {
    const { shown, runs, view, cursor, pointed } = this.#model;
    const isSeen = cursor !== undefined && cursor >= view.from && cursor <= view.to;
    const time = pointed ?? (isSeen ? cursor : undefined);
    this.hair.hidden = pointed === undefined || stage.clientWidth === 0;
    if (pointed !== undefined) {
      const x = ((pointed - view.from) / (view.to - view.from)) * stage.clientWidth;
      this.hair.style.top = `${stage.offsetTop}px`;
      this.hair.style.height = `${last.offsetTop + last.offsetHeight - stage.offsetTop}px`;
      this.hair.style.transform = `translateX(${(stage.offsetLeft + x).toFixed(1)}px)`;
    }
    const places = shown.filter((place) => runs[place] !== undefined);
    const said = [runs, ...places, time, themeNow()];
    if (said.length === this.#said.length && said.every((each, i) => each === this.#said[i])) return;
    this.#said = said;
    const when = h('span', { className: 'time' }, time === undefined ? '' : this.#model.when(time));
    this.element.replaceChildren(...places.map((place) => this.#textOf(place, time)), when);
  }

  #textOf(place: number, time: number | undefined): HTMLElement {
    const run = this.#model.runs[place];
    const look = chip(runLook(place, themeNow()).color);
    const name = h('span', { className: 'key' }, look, h('b', {}, run.label));
    if (time === undefined) return name;
    const waiting = formatNumber(this.#model.stepsOf(run.waiting).at(time));
    const running = formatNumber(this.#model.runningAt(run, time));
    const used = (100 * this.#model.stepsOf(run.busy).at(time)) / processorsOf(run);
    name.append(` ${waiting} waiting, ${running} running, ${formatNumber(used)} % in use`);
    return name;
  }
}

const HINT =
  'Drag to move, with Shift to select a span; double-click or Ctrl + wheel to zoom. Keys: arrows or W A S D, + − 0, Shift and arrows for a span, comma and full stop from job to job, Enter for its story.';

/** All charts over time. */
export function chartsPanel(controller: Controller, tell: () => void): Charts {
  const { model } = controller;
  const gantts = [new GanttChart(model, 0), new GanttChart(model, 1)] as const;
  const lines = [new TimeLines(model, QUEUE), new TimeLines(model, USE)];
  const axis = new TimeAxis(model);
  const overview = new Overview(model);
  const tooltip = new Tooltip(controller);
  const legend = h('div');
  const head = new Values(model);
  let legendOf: unknown;
  const drawLegend = () => {
    const { keys } = gantts[0].colors;
    if (keys === legendOf) return;
    legendOf = keys;
    legend.replaceChildren(colorLegend(gantts[0]));
  };
  const draw = onFrame(() => {
    const [{ stage }] = gantts;
    for (const chart of [...gantts, ...lines]) chart.draw();
    axis.width = stage.clientWidth;
    axis.draw();
    overview.draw(stage.clientWidth);
    drawLegend();
    head.draw(gantts[0].stage, lines[1].stage);
  });
  const mark = onFrame(() => {
    for (const gantt of gantts) gantt.mark();
    for (const line of lines) line.draw();
    head.draw(gantts[0].stage, lines[1].stage);
  });
  for (const gantt of gantts) {
    const jobAt = (x: number, y: number) => gantt.jobAt(x, y);
    const scrollBy = (pixels: number) => gantt.scrollBy(pixels);
    handlePointers(model, { stage: gantt.stage, jobAt, scrollBy }, (event) => tooltip.hover(gantt, event));
    handleKeys(model, gantt.stage, tell, scrollBy);
  }
  for (const { stage } of lines) handlePointers(model, { stage }, () => {});
  handleKeys(model, overview.stage, tell);
  let timer = 0;
  model.looked.on(() => {
    draw();
    clearTimeout(timer);
    timer = window.setTimeout(() => controller.remember(), 300);
  });
  model.answered.on(draw);
  model.moved.on(mark);
  model.spanned.on(mark);
  model.hinted.on(onFrame(() => head.draw(gantts[0].stage, lines[1].stage)));
  model.chosen.on(() => {
    if (model.selected !== undefined) gantts[0].reveal(model.selected);
    mark();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  const sticky = h('div', { className: 'chart-head' }, head.element, legend, overview.element, axis.element);
  const element = h(
    'section',
    { className: 'card charts', 'aria-label': 'Charts over time' },
    h('h2', { className: 'visually-hidden' }, 'Charts over time'),
    sticky,
    ...gantts.map((gantt) => gantt.element),
    ...lines.map((line) => line.element),
    h('p', { className: 'hint' }, HINT),
    head.hair,
    tooltip.element,
  );
  new ResizeObserver(draw).observe(element);
  new ResizeObserver(() => element.style.setProperty('--head', `${sticky.offsetHeight}px`)).observe(sticky);
  return { element, gantts };
}
