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
  const tell = (fault: string) => faults.push(`${id}: ${fault}`);
  const drawing = document.querySelector(`#${id} .drawing`);
  const drawn = [...(drawing?.querySelectorAll('svg') ?? [])].filter(
    (each) => each.getBoundingClientRect().width > 0,
  );
  const [svg] = drawn;
  if (drawn.length > 1) return [`${id}: is drawn ${drawn.length} times`];
  if (drawing == null || svg == null) return [`${id}: nothing is drawn`];
  const elementBoxOf = (element: Element) => element.getBoundingClientRect();
  const shown = (box: ElementBox) => `${[box.left, box.top, box.right, box.bottom].map(Math.round)}`;
  const isInside = (box: ElementBox, frame: ElementBox, slack: number) =>
    box.left >= frame.left - slack &&
    box.right <= frame.right + slack &&
    box.top >= frame.top - slack &&
    box.bottom <= frame.bottom + slack;
  const isVisible = (element: Element) => {
    const { display, visibility, opacity } = getComputedStyle(element);
    return display !== 'none' && visibility !== 'hidden' && opacity !== '0';
  };

  /** The box of a text is higher than its letters, so only the part with letters counts. */
  const inkBoxOf = (text: Element): ElementBox => {
    const { left, right, top, bottom } = elementBoxOf(text);
    const isRotatedText = (text.getAttribute('transform') ?? '').includes('rotate');
    const [across, down] = isRotatedText ? [0.2 * (right - left), 0] : [0, 0.2 * (bottom - top)];
    return { left: left + across, right: right - across, top: top + down, bottom: bottom - down };
  };
  const texts = [...svg.querySelectorAll('text')]
    .filter((text) => text.textContent !== '' && isVisible(text))
    .map((text) => ({ words: text.textContent ?? '', box: elementBoxOf(text), ink: inkBoxOf(text) }));
  const page = elementBoxOf(drawing);
  const paperName = elementBoxOf(svg);
  if (paperName.right > page.right + 1) tell(`is wider than its page: ${shown(paperName)} in ${shown(page)}`);
  const letterHeight = (10.5 * paperName.width) / svg.viewBox.baseVal.width;
  if (letterHeight < 8) tell(`has letters of ${letterHeight.toFixed(1)} pixels`);
  for (const { words, box } of texts)
    if (!isInside(box, paperName, 1)) tell(`'${words}' is cut: ${shown(box)} in ${shown(paperName)}`);
  for (const [i, one] of texts.entries())
    for (const other of texts.slice(0, i)) {
      const across = Math.min(one.ink.right, other.ink.right) - Math.max(one.ink.left, other.ink.left);
      const down = Math.min(one.ink.bottom, other.ink.bottom) - Math.max(one.ink.top, other.ink.top);
      if (across > 0.5 && down > 0.5) tell(`'${one.words}' lies over '${other.words}'`);
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
  const frames = [...svg.querySelectorAll('.plot-area')];
  for (const leaderLinePath of svg.querySelectorAll('.names path'))
    if (!isInside(elementBoxOf(leaderLinePath), paperName, 1))
      tell(`a name's line is outside: ${shown(elementBoxOf(leaderLinePath))}`);
  if (frames.length === 0) tell('has no frame');
  const slack = 1;
  if (figure === undefined) {
    const boxes = frames.map(elementBoxOf);
    const all: ElementBox = {
      left: Math.min(...boxes.map(({ left }) => left)),
      right: Math.max(...boxes.map(({ right }) => right)),
      top: Math.min(...boxes.map(({ top }) => top)),
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
    };
    // Marks below the lanes belong to the legend.
    for (const mark of [...svg.querySelectorAll('path')].filter(isPlotMark))
      if (elementBoxOf(mark).bottom > all.top && !isInside(elementBoxOf(mark), all, slack))
        tell(`a mark is outside: ${shown(elementBoxOf(mark))} of ${shown(all)}`);
    return faults;
  }

  if (frames.length !== figure.panels.length)
    tell(`has ${frames.length} frames for ${figure.panels.length} panels`);
  let marks = 0;
  for (const [panel, frame] of frames.entries()) {
    const plotArea = elementBoxOf(frame);
    const inside = [...(frame.parentElement?.querySelectorAll('path, line, rect') ?? [])].filter(isPlotMark);
    marks += inside.length;
    for (const mark of isPart ? [] : inside)
      if (!isInside(elementBoxOf(mark), plotArea, slack))
        tell(`a mark is outside: ${shown(elementBoxOf(mark))} of ${shown(plotArea)}`);
    const isBeside = ({ box }: { readonly box: ElementBox }) =>
      box.left >= plotArea.left - 20 && box.right <= plotArea.right + 20 && box.top >= plotArea.bottom - 1;
    const labels = figure.kind === 'dots' ? texts : texts.filter(isBeside);
    const x = figure.panels[panel]?.series.flatMap(({ points }) =>
      points.flatMap((point) => (point.y === null ? [] : [point.x])),
    );
    for (const category of new Set(x.filter((each) => typeof each === 'string')))
      if (!labels.some(({ words }) => words === category)) tell(`the category '${category}' has no name`);
    if (figure.kind !== 'bar' || figure.y.scale === 'log') continue;
    const zero = texts.find(
      ({ words, box }) =>
        /^0(?:\.0*)?%?$/.test(words) &&
        box.right <= plotArea.left &&
        box.right > plotArea.left - 20 &&
        box.bottom > plotArea.top &&
        box.top < plotArea.bottom + 8,
    );
    if (zero === undefined) {
      tell('bars stand on an axis without a 0');
      continue;
    }
    const foot = (zero.box.top + zero.box.bottom) / 2;
    for (const barElement of inside.filter((mark) => mark.classList.contains('bar'))) {
      const { top, bottom } = elementBoxOf(barElement);
      if (Math.min(Math.abs(top - foot), Math.abs(bottom - foot)) > 2)
        tell(
          `a bar from ${Math.round(top)} to ${Math.round(bottom)} does not begin at 0, ${Math.round(foot)}`,
        );
    }
  }
  if (marks === 0) tell('is empty');
  return faults;
}
