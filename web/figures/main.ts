/** Makes the figures of a report live: the script that a page of a report carries for them. */
import { DATA_CLASS } from '../../host/draw/live.js';
import type { Figure } from '../../host/draw/types.js';
import { LiveFigure } from './liveFigure.js';

for (const data of document.querySelectorAll(`script.${DATA_CLASS}`)) {
  const figure = data.closest('figure');
  const drawing = figure?.querySelector<HTMLElement>('.drawing');
  if (drawing) void new LiveFigure(JSON.parse(data.textContent) as Figure, drawing).draw();
}
