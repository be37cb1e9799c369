/** Makes the figures of a report live, each when it comes near: the script that a page of a report carries for them. */
import { DATA_CLASS, type LiveData } from '../../host/draw/live.js';
import { LiveDrawing } from './liveDrawing.js';
import { LiveFigure } from './liveFigure.js';
import { Tooltip } from './tooltip.js';

/** Pixels from what is seen at which a figure becomes live. */
const NEAR = '600px';

const tooltip = new Tooltip(document.body);

function enliven(figure: Element): void {
  const data = figure.querySelector(`script.${DATA_CLASS}`);
  const drawing = figure.querySelector<HTMLElement>('.drawing');
  if (data === null || drawing === null) return;
  const live = JSON.parse(data.textContent) as LiveData;
  if ('panels' in live) void new LiveFigure(live, drawing, tooltip).draw();
  else new LiveDrawing(live, drawing, tooltip).draw();
}

const watch = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      enliven(target);
    }
  },
  { rootMargin: NEAR },
);
for (const figure of document.querySelectorAll(`figure:has(script.${DATA_CLASS})`)) watch.observe(figure);
