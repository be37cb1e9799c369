/** Page elements: buttons, selects, tooltip, legend, axis zoom buttons. */
import { moveAxisRange, type ValueRange, zoomAxisRange } from './range.js';

/** Creates an element with properties and children. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tagName: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tagName), properties);
  element.append(...children);
  return element;
}

/** Creates a button with a tooltip. */
export function createButton(labelText: string, title: string, onclick: () => void): HTMLButtonElement {
  return createElement('button', { type: 'button', title, onclick }, labelText);
}

/** Calls back when an element's width changes. */
export function observeWidth(element: HTMLElement, onWidthChange: () => void): void {
  let width = element.clientWidth;
  new ResizeObserver(() => {
    // An element of width 0 is hidden, so nothing is reported.
    if (element.clientWidth === width || element.clientWidth === 0) return;
    width = element.clientWidth;
    onWidthChange();
  }).observe(element);
}

/** Creates a labelled select with one entry for each text. */
export function createLabelledSelect(
  selectName: string,
  optionTexts: readonly string[],
  onChoose: (index: number) => void,
) {
  const selectElement = createElement(
    'select',
    {},
    ...optionTexts.map((text) => createElement('option', {}, text)),
  );
  selectElement.onchange = () => onChoose(selectElement.selectedIndex);
  return {
    select: selectElement,
    label: createElement('label', { hidden: optionTexts.length < 2 }, `${selectName} `, selectElement),
  };
}

/** Distance in pixels between pointer and tooltip. */
const TOOLTIP_DISTANCE_PIXELS = 14;

export class FigureTooltip {
  readonly #tooltipElement = createElement('div', { className: 'tooltip', hidden: true });

  constructor(page: HTMLElement) {
    this.#tooltipElement.setAttribute('role', 'status');
    page.append(this.#tooltipElement);
  }

  hideTooltip(): void {
    this.#tooltipElement.hidden = true;
  }

  /**
   * Shows a text at an event's position: the title in the first line, then one name and value per line,
   * separated by a tab.
   */
  show({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>, story: string): void {
    const [title = '', ...lines] = story.split('\n');
    const nameAndValueElements = lines.flatMap((line) => {
      const [name = '', value = ''] = line.split('\t');
      return [createElement('dt', {}, name), createElement('dd', {}, value)];
    });
    this.#tooltipElement.hidden = false;
    this.#tooltipElement.replaceChildren(
      createElement('b', {}, title),
      createElement('dl', {}, ...nameAndValueElements),
    );
    const { offsetWidth, offsetHeight } = this.#tooltipElement;
    const tooltipLeftEdge =
      clientX + TOOLTIP_DISTANCE_PIXELS + offsetWidth > innerWidth
        ? clientX - TOOLTIP_DISTANCE_PIXELS - offsetWidth
        : clientX + TOOLTIP_DISTANCE_PIXELS;
    const top = Math.min(clientY + TOOLTIP_DISTANCE_PIXELS, innerHeight - offsetHeight - 2);
    Object.assign(this.#tooltipElement.style, {
      left: `${Math.max(0, tooltipLeftEdge)}px`,
      top: `${Math.max(0, top)}px`,
    });
  }
}

/** Legend entry: a name and a sample of its look. */
export interface FigureLegendEntry {
  readonly name: string;
  readonly color: string;
  /** Marker character; default a square. */
  readonly marker?: string | undefined;
}

/**
 * Legend of toggle buttons: a pressed button's series is visible. Hidden if there are fewer than two entries
 * to distinguish.
 */
export class LegendToggleButtons {
  readonly element: HTMLElement;
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #onHide: (hiddenNames: ReadonlySet<string>) => void;
  #hidden: ReadonlySet<string> = new Set();

  /** @param onPointedEntryChange called with the entry under the pointer or with the focus. */
  constructor(
    entries: readonly FigureLegendEntry[],
    onHiddenNamesChange: (hiddenNames: ReadonlySet<string>) => void,
    onPointedEntryChange: (entryIndex: number | undefined) => void,
  ) {
    this.#onHide = onHiddenNamesChange;
    for (const [i, { name: legendEntryName, color: legendEntryColor, marker = '■' }] of entries.entries()) {
      const legendButton = createButton(
        '',
        'show it alone, or all again; with Shift, show or hide it beside the others',
        () => {},
      );
      legendButton.onclick = ({ shiftKey }) => this.#toggleEntry(legendEntryName, shiftKey);
      legendButton.onpointerenter = legendButton.onfocus = () => onPointedEntryChange(i);
      legendButton.onpointerleave = legendButton.onblur = () => onPointedEntryChange(undefined);
      const markerSample = createElement('span', { className: 'sample' }, marker);
      markerSample.style.color = legendEntryColor;
      markerSample.setAttribute('aria-hidden', 'true');
      legendButton.append(markerSample, legendEntryName);
      this.#buttons.set(legendEntryName, legendButton);
    }
    const isHidden = entries.length < 2;
    this.element = createElement('div', { className: 'legend', hidden: isHidden }, ...this.#buttons.values());
  }

  /** Updates the buttons to the hidden names; names that are not present have no button. */
  show(
    hiddenNames: ReadonlySet<string>,
    presentSeriesNames: ReadonlySet<string> = new Set(this.#buttons.keys()),
  ): void {
    this.#hidden = hiddenNames;
    for (const [name, entry] of this.#buttons) {
      entry.hidden = !presentSeriesNames.has(name);
      entry.setAttribute('aria-pressed', String(!hiddenNames.has(name)));
    }
  }

  #toggleEntry(seriesName: string, shouldKeepOthers: boolean): void {
    const seriesNames = [...this.#buttons.keys()];
    const isOnlyVisibleSeries = !this.#hidden.has(seriesName) && this.#hidden.size === seriesNames.length - 1;
    if (!shouldKeepOthers) {
      this.#onHide(new Set(isOnlyVisibleSeries ? [] : seriesNames.filter((each) => each !== seriesName)));
      return;
    }
    const nextHiddenNames = new Set(this.#hidden);
    if (!nextHiddenNames.delete(seriesName)) nextHiddenNames.add(seriesName);
    this.#onHide(nextHiddenNames);
  }
}

/** Zoom factors of the + and - buttons, and the step of the arrows, as shares of the visible part. */
const [ZOOM_IN, ZOOM_OUT, MOVE_STEP] = [1 / 2, 2, 1 / 2];

/** Buttons that zoom and move a horizontal axis. */
export class AxisZoomButtons {
  readonly buttons: readonly HTMLButtonElement[];
  readonly #moveButtons: readonly HTMLButtonElement[];
  readonly #wholeRange: ValueRange;
  #range: ValueRange;

  /** @param onRangeChange called with the new range; undefined for the whole axis. */
  constructor(
    wholeRange: ValueRange,
    isLogarithmic: boolean,
    onRangeChange: (range: ValueRange | undefined) => void,
  ) {
    this.#wholeRange = wholeRange;
    this.#range = wholeRange;
    const makeMoveHandler = (rangeShare: number) => () =>
      onRangeChange(moveAxisRange(this.#range, wholeRange, rangeShare, isLogarithmic));
    const makeZoomHandler = (scaleFactor: number) => () =>
      onRangeChange(zoomAxisRange(this.#range, wholeRange, scaleFactor, isLogarithmic));
    this.#moveButtons = [
      createButton('−', 'show more of the horizontal axis', makeZoomHandler(ZOOM_OUT)),
      createButton('◂', 'move to the left', makeMoveHandler(-MOVE_STEP)),
      createButton('▸', 'move to the right', makeMoveHandler(MOVE_STEP)),
      createButton('all', 'show all of the horizontal axis', () => onRangeChange(undefined)),
    ];
    this.buttons = [
      createButton('+', 'show less of the horizontal axis, around its middle', makeZoomHandler(ZOOM_IN)),
      ...this.#moveButtons,
    ];
  }

  /** Updates the buttons to the visible range. */
  show(shownRange: ValueRange | undefined): void {
    this.#range = shownRange ?? this.#wholeRange;
    for (const axisMoveButton of this.#moveButtons) axisMoveButton.disabled = shownRange === undefined;
  }
}
