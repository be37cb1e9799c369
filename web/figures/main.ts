/** Script inside report pages: makes each figure interactive when it comes near the visible part. */
import { FIGURE_DATA_CLASS, parseDrawing } from '../../host/draw/drawing.js';
import { InteractiveDrawing } from './live.js';
import { FigureTooltip } from './page.js';
import { makeFigureInteractiveContent, makeTimeDrawingInteractive } from './subjects.js';

/**
 * Distance to the visible part at which a figure becomes interactive. Larger on narrow screens, where the
 * static figures are too small to read.
 */
const FIGURE_ACTIVATION_MARGIN = matchMedia('(max-width: 40rem)').matches ? '4000px' : '600px';

const figureTooltip = new FigureTooltip(document.body);

function makeFigureInteractive(figure: Element): void {
  const figureDataScript = figure.querySelector(`script.${FIGURE_DATA_CLASS}`);
  const drawing = figure.querySelector<HTMLElement>('.drawing');
  if (figureDataScript === null || drawing === null) return;
  const drawingData = parseDrawing(figureDataScript.textContent);
  new InteractiveDrawing(
    'panels' in drawingData
      ? makeFigureInteractiveContent(drawingData)
      : makeTimeDrawingInteractive(drawingData),
    drawing,
    figureTooltip,
  );
}

const figureVisibilityObserver = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      figureVisibilityObserver.unobserve(target);
      makeFigureInteractive(target);
    }
  },
  { rootMargin: FIGURE_ACTIVATION_MARGIN },
);
for (const figure of document.querySelectorAll(`figure:has(script.${FIGURE_DATA_CLASS})`))
  figureVisibilityObserver.observe(figure);
