/** The charts over time, one below the other on one axis. */

import { runLook } from '../charts/looks.js';
import { TimeAxis } from '../charts/timeAxis.js';
import { type Quantity, TimeLines } from '../charts/timeLines.js';
import type { Controller } from '../controller.js';
import { button, h } from '../dom.js';
import { GanttChart } from '../gantt/chart.js';
import { handleKeys, handlePointers } from '../gantt/hands.js';
import { themeNow } from '../model.js';
import { Tooltip } from './tooltip.js';

const QUEUE: Quantity = {
  title: 'Queue',
  unit: '[waiting jobs]',
  of: ({ waiting }) => waiting,
  per: () => 1,
};
const USE: Quantity = {
  title: 'Utilization',
  unit: '[%]',
  of: ({ busy }) => busy,
  per: ({ outcome }) => (outcome?.capacities.reduce((sum, capacity) => sum + capacity, 0) ?? 1) / 100,
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

/** All charts over time. */
export function chartsPanel(controller: Controller): Charts {
  const { model } = controller;
  const gantts = [new GanttChart(model, 0), new GanttChart(model, 1)] as const;
  const lines = [new TimeLines(model, QUEUE), new TimeLines(model, USE)];
  const axis = new TimeAxis(model);
  const tooltip = new Tooltip(controller);
  const legend = h('div', { className: 'legend' });
  const runLegend = h('div', { className: 'legend' });
  const chip = (color: string, name: string) => {
    const square = h('span', { className: 'chip', 'aria-hidden': 'true' });
    square.style.background = color;
    return h('span', { className: 'key' }, square, name);
  };
  const drawLegends = () => {
    const text = gantts[0].keys.map(({ name, color }) => chip(color, name));
    legend.replaceChildren(...text);
    const shown = model.shown.filter((place) => place >= 0);
    runLegend.replaceChildren(
      ...shown.map((place) => chip(runLook(place, themeNow()).color, model.runs[place]?.label ?? '')),
    );
  };
  const draw = onFrame(() => {
    for (const chart of [...gantts, ...lines]) chart.draw();
    axis.draw();
    drawLegends();
  });
  const mark = onFrame(() => {
    for (const gantt of gantts) gantt.mark();
    for (const line of lines) line.draw();
  });
  for (const gantt of gantts) {
    const jobAt = (x: number, y: number) => gantt.jobAt(x, y);
    handlePointers(model, { stage: gantt.stage, jobAt }, (event) => tooltip.hover(gantt, event));
    handleKeys(model, gantt.stage, () =>
      document.getElementById('story')?.scrollIntoView({ block: 'nearest' }),
    );
  }
  for (const { stage } of lines) handlePointers(model, { stage }, () => {});
  let timer = 0;
  model.looked.on(() => {
    draw();
    clearTimeout(timer);
    timer = window.setTimeout(() => controller.remember(), 300);
  });
  model.answered.on(draw);
  model.moved.on(mark);
  model.chosen.on(mark);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  const hint =
    'Drag to move, double-click or Ctrl + wheel to zoom; with the chart in focus arrow keys, + and −, comma and full stop from job to job.';
  const element = h(
    'section',
    { className: 'card wide charts' },
    legend,
    ...gantts.map((gantt) => gantt.element),
    runLegend,
    ...lines.map((line) => line.element),
    axis.element,
    h('p', { className: 'hint' }, hint),
    tooltip.element,
  );
  new ResizeObserver(draw).observe(element);
  const theme = button(
    '◐',
    () => {
      document.documentElement.dataset.theme = themeNow() === 'dark' ? 'light' : 'dark';
      model.asked.tell();
      model.answered.tell();
    },
    'Light or dark',
    'quiet',
  );
  document.querySelector('header .actions')?.append(theme);
  return { element, gantts };
}
