/**
 * Checks the drawings of a page in a browser: marks outside their frames, bars that do not begin at
 * 0, cut or overlapping texts, unnamed categories.
 */
import type { Figure } from '../../host/draw/figureModel.js';

/** A drawing to check in a browser. */
export interface DrawingRequest {
  /** Id of the drawing's HTML element. */
  readonly id: string;
  /** Figure shown by the element; undefined for other drawings. */
  readonly figure: Figure | undefined;
  /** True if only a part of the horizontal axis is shown, so that marks may be cut at its ends. */
  readonly isPart: boolean;
}

/**
 * Descriptions of the faults of a drawing. Runs inside the page, so it uses nothing from outside.
 */
export function drawingFaults({ id, figure, isPart }: DrawingRequest): string[] {
  interface ElementBox {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }
  const faults: string[] = [];
  const reportFault = (fault: string) => faults.push(`${id}: ${fault}`);
  const drawing = document.querySelector(`#${id} .drawing`);
  const drawnSvgElements = [...(drawing?.querySelectorAll('svg') ?? [])].filter(
    (svg) => svg.getBoundingClientRect().width > 0,
  );
  const [svg] = drawnSvgElements;
  if (drawnSvgElements.length > 1) return [`${id}: is drawn ${drawnSvgElements.length} times`];
  if (drawing == null || svg == null) return [`${id}: nothing is drawn`];
  const elementBoxOf = (element: Element) => element.getBoundingClientRect();
  const formatBox = (boundingBox: ElementBox) =>
    `${[boundingBox.left, boundingBox.top, boundingBox.right, boundingBox.bottom].map(Math.round)}`;
  const isInside = (boundingBox: ElementBox, frame: ElementBox, slack: number) =>
    boundingBox.left >= frame.left - slack &&
    boundingBox.right <= frame.right + slack &&
    boundingBox.top >= frame.top - slack &&
    boundingBox.bottom <= frame.bottom + slack;
  const isVisible = (element: Element) => {
    const { display, visibility, opacity } = getComputedStyle(element);
    return display !== 'none' && visibility !== 'hidden' && opacity !== '0';
  };

  /** Box of the visible letters of a text, which is lower than the box of the text element. */
  const measureInkBox = (textElement: Element): ElementBox => {
    const { left: leftEdge, right, top: topEdge, bottom } = elementBoxOf(textElement);
    const isRotatedText = (textElement.getAttribute('transform') ?? '').includes('rotate');
    const [horizontalSlack, verticalSlack] = isRotatedText
      ? [0.2 * (right - leftEdge), 0]
      : [0, 0.2 * (bottom - topEdge)];
    return {
      left: leftEdge + horizontalSlack,
      right: right - horizontalSlack,
      top: topEdge + verticalSlack,
      bottom: bottom - verticalSlack,
    };
  };
  const textElements = [...svg.querySelectorAll('text')]
    .filter((text) => text.textContent !== '' && isVisible(text))
    .map((text) => ({ words: text.textContent ?? '', box: elementBoxOf(text), ink: measureInkBox(text) }));
  const drawingBox = elementBoxOf(drawing);
  const svgBox = elementBoxOf(svg);
  if (svgBox.right > drawingBox.right + 1)
    reportFault(`is wider than its page: ${formatBox(svgBox)} in ${formatBox(drawingBox)}`);
  const letterHeight = (10.5 * svgBox.width) / svg.viewBox.baseVal.width;
  if (letterHeight < 8) reportFault(`has letters of ${letterHeight.toFixed(1)} pixels`);
  for (const { words: textElementWords, box: textBox } of textElements)
    if (!isInside(textBox, svgBox, 1))
      reportFault(`'${textElementWords}' is cut: ${formatBox(textBox)} in ${formatBox(svgBox)}`);
  for (const [i, text] of textElements.entries())
    for (const otherText of textElements.slice(0, i)) {
      const horizontalOverlap =
        Math.min(text.ink.right, otherText.ink.right) - Math.max(text.ink.left, otherText.ink.left);
      const verticalOverlap =
        Math.min(text.ink.bottom, otherText.ink.bottom) - Math.max(text.ink.top, otherText.ink.top);
      if (horizontalOverlap > 0.5 && verticalOverlap > 0.5)
        reportFault(`'${text.words}' lies over '${otherText.words}'`);
    }

  const isPlotFrame = (element: Element) => element.classList.contains('plot-area');
  const isPlotMark = (element: Element) =>
    isVisible(element) &&
    !isPlotFrame(element) &&
    !['0.35', '0.13'].includes(element.getAttribute('stroke-opacity') ?? '') &&
    element.closest('defs, clipPath, .names') === null &&
    (element.getAttribute('d') ?? 'M1,1') !== '' &&
    (elementBoxOf(element).right > elementBoxOf(element).left ||
      elementBoxOf(element).bottom > elementBoxOf(element).top);
  const plotFrameElements = [...svg.querySelectorAll('.plot-area')];
  for (const leaderLinePath of svg.querySelectorAll('.names path'))
    if (!isInside(elementBoxOf(leaderLinePath), svgBox, 1))
      reportFault(`a name's line is outside: ${formatBox(elementBoxOf(leaderLinePath))}`);
  if (plotFrameElements.length === 0) reportFault('has no frame');
  const tolerance = 1;
  if (figure === undefined) {
    const frameBoxes = plotFrameElements.map(elementBoxOf);
    const enclosingBox: ElementBox = {
      left: Math.min(...frameBoxes.map(({ left: leftEdge }) => leftEdge)),
      right: Math.max(...frameBoxes.map(({ right }) => right)),
      top: Math.min(...frameBoxes.map(({ top: topEdge }) => topEdge)),
      bottom: Math.max(...frameBoxes.map(({ bottom }) => bottom)),
    };
    // Marks below the lanes belong to the legend.
    for (const plotMark of [...svg.querySelectorAll('path')].filter(isPlotMark))
      if (
        elementBoxOf(plotMark).bottom > enclosingBox.top &&
        !isInside(elementBoxOf(plotMark), enclosingBox, tolerance)
      )
        reportFault(`a mark is outside: ${formatBox(elementBoxOf(plotMark))} of ${formatBox(enclosingBox)}`);
    return faults;
  }

  if (plotFrameElements.length !== figure.panels.length)
    reportFault(`has ${plotFrameElements.length} frames for ${figure.panels.length} panels`);
  let visibleMarkCount = 0;
  for (const [panel, frame] of plotFrameElements.entries()) {
    const plotArea = elementBoxOf(frame);
    const elementsInFrame = [...(frame.parentElement?.querySelectorAll('path, line, rect') ?? [])].filter(
      isPlotMark,
    );
    visibleMarkCount += elementsInFrame.length;
    for (const element of isPart ? [] : elementsInFrame)
      if (!isInside(elementBoxOf(element), plotArea, tolerance))
        reportFault(`a mark is outside: ${formatBox(elementBoxOf(element))} of ${formatBox(plotArea)}`);
    const isBeside = ({ box }: { readonly box: ElementBox }) =>
      box.left >= plotArea.left - 20 && box.right <= plotArea.right + 20 && box.top >= plotArea.bottom - 1;
    const labelElements = figure.kind === 'dots' ? textElements : textElements.filter(isBeside);
    const x = figure.panels[panel]?.series.flatMap(({ points: seriesPoints }) =>
      seriesPoints.flatMap((figurePoint) => (figurePoint.y === null ? [] : [figurePoint.x])),
    );
    for (const category of new Set(x.filter((category) => typeof category === 'string')))
      if (!labelElements.some(({ words: labelWords }) => labelWords === category))
        reportFault(`the category '${category}' has no name`);
    if (figure.kind !== 'bar' || figure.y.scale === 'log') continue;
    const labelOfZero = textElements.find(
      ({ words: textElementWords, box }) =>
        /^0(?:\.0*)?%?$/.test(textElementWords) &&
        box.right <= plotArea.left &&
        box.right > plotArea.left - 20 &&
        box.bottom > plotArea.top &&
        box.top < plotArea.bottom + 8,
    );
    if (labelOfZero === undefined) {
      reportFault('bars stand on an axis without a 0');
      continue;
    }
    const zeroPosition = (labelOfZero.box.top + labelOfZero.box.bottom) / 2;
    for (const barElement of elementsInFrame.filter((barCandidate) =>
      barCandidate.classList.contains('bar'),
    )) {
      const { top: topEdge, bottom } = elementBoxOf(barElement);
      if (Math.min(Math.abs(topEdge - zeroPosition), Math.abs(bottom - zeroPosition)) > 2)
        reportFault(
          `a bar from ${Math.round(topEdge)} to ${Math.round(bottom)} does not begin at 0, ${Math.round(zeroPosition)}`,
        );
    }
  }
  if (visibleMarkCount === 0) reportFault('is empty');
  return faults;
}
