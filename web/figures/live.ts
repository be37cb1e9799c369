/**
 * Interactive drawing: values under the pointer, series that can be hidden, and a zoomable horizontal axis.
 */
import { VALUES_TABLE_CLASS } from '../../host/draw/drawing.js';
import { TABLE_INSERTED_EVENT } from '../../host/view/htmlStyle.js';
import { makeTableHtml } from '../../host/view/htmlTable.js';
import type { Table } from '../../host/view/table.js';
import {
  AxisZoomButtons,
  createButton,
  createElement,
  createLabelledSelect,
  type FigureLegendEntry,
  type FigureTooltip,
  LegendToggleButtons,
  observeWidth,
} from './page.js';
import type { ValueRange } from './range.js';
import { createSaveButtons } from './saving.js';

/** Reader's settings that every kind of drawing has. */
export interface DrawingViewSettings {
  readonly hidden: ReadonlySet<string>;
  /** Visible part of the horizontal axis; undefined for all of it. */
  readonly range: ValueRange | undefined;
}

/** Selection of one of several texts. */
export interface FigureSelectOption {
  readonly name: string;
  readonly texts: readonly string[];
  readonly chosen: () => number;
  readonly choose: (index: number) => void;
}

/** Content of an interactive drawing. */
export interface InteractiveFigureContent {
  readonly title: string;
  readonly legend: readonly FigureLegendEntry[];
  /** Whole horizontal axis; undefined if it cannot be zoomed. */
  readonly wholeRange: ValueRange | undefined;
  /** True if the horizontal axis is logarithmic. */
  readonly isLog: boolean;
  /** Additional settings, specific to this drawing. */
  readonly options: readonly FigureSelectOption[];
  /** Switch of a logarithmic vertical axis; absent if the values do not allow one. */
  readonly logScale?: {
    readonly isOn: () => boolean;
    readonly isPossible: () => boolean;
    readonly turn: () => void;
  };
  /** Returns the legend names that occur in the current data. */
  readonly presentNames: () => ReadonlySet<string>;
  readonly draw: (width: number, viewSettings: DrawingViewSettings) => string;
  /** Returns the visible drawing as a separate SVG with its legend. */
  readonly drawStandalone: (viewSettings: DrawingViewSettings) => string;
  /** Returns the visible values as a table. */
  readonly table: (viewSettings: DrawingViewSettings) => Table;
  /** Values of the horizontal axis at which the keyboard stops, ascending; empty if it stops at markers. */
  readonly keyboardStops: (viewSettings: DrawingViewSettings) => readonly number[];
  /** Describes a position of a panel that has no marker. */
  readonly describe: (
    panel: number,
    position: number,
    viewSettings: DrawingViewSettings,
  ) => string | undefined;
}

/** Largest distance in pixels between the pointer and a marker for a hit. */
const POINTER_HIT_DISTANCE = 30;

/** Smallest movement in pixels that counts as a drag and not as a click. */
const MIN_DRAG_DISTANCE_PIXELS = 5;

/** Width of printed drawings in pixels. */
const PRINTED_DRAWING_WIDTH_PIXELS = 660;

/** Keyboard stop and its description; its vertical line crosses the area. */
interface FigureKeyboardStop {
  readonly x: number;
  readonly y: number;
  readonly story: string;
  readonly area: DOMRect;
}

/** Horizontal axis of a panel on the screen. */
interface ScreenPanelAxis {
  readonly panel: number;
  readonly area: DOMRect;
  readonly domain: ValueRange;
}

/** Replaces a static drawing by an interactive one. */
export class InteractiveDrawing {
  readonly #content: InteractiveFigureContent;
  readonly #canvas = createElement('div', { className: 'live' });
  readonly #zoomSelection = createElement('div', { className: 'part-marked' });
  readonly #tooltip: FigureTooltip;
  readonly #controls: (() => void)[] = [];
  #viewSettings: DrawingViewSettings = { hidden: new Set(), range: undefined };
  readonly #pointerLine = createElement('div', { className: 'hair' });
  #valuesDetails: HTMLDetailsElement | undefined;
  /** True if the table of values is out of date. */
  #isTableStale = true;
  #stopIndex = -1;
  #pointedSeries: number | undefined;
  #drag: (ScreenPanelAxis & { readonly x: number }) | undefined;

  constructor(content: InteractiveFigureContent, figureContainer: HTMLElement, tooltip: FigureTooltip) {
    this.#content = content;
    this.#tooltip = tooltip;
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.tabIndex = 0;
    this.#canvas.setAttribute(
      'aria-label',
      `${content.title}: arrow keys read values out; the table has all values`,
    );
    figureContainer.replaceChildren(this.#makeControls(), this.#canvas);
    this.#addValues(figureContainer);
    const listenOnCanvas = <K extends keyof HTMLElementEventMap>(
      type: K,
      handleEvent: (event: HTMLElementEventMap[K]) => void,
    ) => this.#canvas.addEventListener(type, handleEvent);
    listenOnCanvas('pointerdown', (event) => this.#beginDrag(event));
    listenOnCanvas('pointermove', (event) =>
      this.#drag === undefined ? this.#describeAtPointer(event) : this.#moveDrag(event),
    );
    listenOnCanvas('pointerup', (event) => this.#endDrag(event));
    listenOnCanvas('pointercancel', () => this.#stopDrag());
    const onLeave = () => {
      tooltip.hideTooltip();
      this.#pointerLine.remove();
      this.#highlight(undefined);
    };
    listenOnCanvas('pointerleave', onLeave);
    listenOnCanvas('blur', onLeave);
    listenOnCanvas('keydown', (event) => this.#handleKey(event));
    observeWidth(this.#canvas, () => this.#draw());
    // A printed page has a fixed width, for which the drawing is made again.
    window.addEventListener('beforeprint', () => this.#draw(PRINTED_DRAWING_WIDTH_PIXELS));
    window.addEventListener('afterprint', () => this.#draw());
    this.#draw();
  }

  /** Creates the selects, buttons and legend, which follow the reader's settings. */
  #makeControls(): HTMLElement {
    const { options, logScale, wholeRange, isLog, legend, presentNames } = this.#content;
    const optionLabelElements = options.map(
      ({ name: optionName, texts: optionTexts, chosen: chosenIndexOf, choose }) => {
        const { select, label } = createLabelledSelect(optionName, optionTexts, (index) => {
          choose(index);
          this.#redraw();
        });
        this.#controls.push(() => {
          select.selectedIndex = chosenIndexOf();
        });
        return label;
      },
    );
    const controlButtons: HTMLButtonElement[] = [];
    if (logScale !== undefined) {
      const logButton = createButton('log', 'a logarithmic axis of values', () => {
        logScale.turn();
        this.#redraw();
      });
      this.#controls.push(() => {
        logButton.disabled = !logScale.isPossible() && !logScale.isOn();
        logButton.setAttribute('aria-pressed', String(logScale.isOn()));
      });
      controlButtons.push(logButton);
    }
    if (wholeRange !== undefined) {
      const axisZoomButtons = new AxisZoomButtons(wholeRange, isLog, (range) =>
        this.#changeSettings({ range }),
      );
      this.#controls.push(() => axisZoomButtons.show(this.#viewSettings.range));
      controlButtons.push(...axisZoomButtons.buttons);
    }
    const legendToggleButtons = new LegendToggleButtons(
      legend,
      (hiddenSeriesNames) => this.#changeSettings({ hidden: hiddenSeriesNames }),
      (series) => this.#highlight(series),
    );
    this.#controls.push(() => legendToggleButtons.show(this.#viewSettings.hidden, presentNames()));
    const buttonGroupElement = createElement('span', { className: 'buttons' }, ...controlButtons);
    return createElement(
      'div',
      { className: 'controls' },
      ...optionLabelElements.filter(({ hidden }) => !hidden),
      buttonGroupElement,
      legendToggleButtons.element,
    );
  }

  #changeSettings(changedViewSettings: Partial<DrawingViewSettings>): void {
    this.#viewSettings = { ...this.#viewSettings, ...changedViewSettings };
    this.#redraw();
  }

  /** Redraws with the current settings, and updates the table of values if it is open. */
  #redraw(): void {
    this.#draw();
    this.#isTableStale = true;
    if (this.#valuesDetails?.open === true) this.#fillValues();
  }

  #draw(width = this.#canvas.clientWidth): void {
    this.#canvas.innerHTML = this.#content.draw(width, this.#viewSettings);
    // Removes titles, because browsers show them late and beside the page's own tooltip.
    for (const title of this.#canvas.querySelectorAll('path > title')) {
      const { parentElement: mark, textContent } = title;
      if (mark !== null) mark.dataset.story = textContent.split(/: |, /).join('\n');
      title.remove();
    }
    // The enclosing element already labels the drawing, so the drawing's own label is removed.
    this.#canvas.querySelector('svg > title')?.remove();
    const svg = this.#canvas.querySelector('svg');
    svg?.removeAttribute('aria-labelledby');
    svg?.setAttribute('aria-hidden', 'true');
    for (const updateControl of this.#controls) updateControl();
  }

  /** Adds a table of values, filled when it is opened, and buttons that save the visible part. */
  #addValues(figureContainer: HTMLElement): void {
    const { drawStandalone, table: makeTable } = this.#content;
    this.#valuesDetails = figureContainer.parentElement?.querySelector(`.${VALUES_TABLE_CLASS}`) ?? undefined;
    // Fills the table before `toggle`, because the focus may already be inside by then; `toggle` is needed
    // when a text search opens it without a click.
    this.#valuesDetails?.querySelector('summary')?.addEventListener('click', () => this.#fillValues());
    this.#valuesDetails?.addEventListener('toggle', () => this.#fillValues());
    const id = figureContainer.parentElement?.id.replace(/^figure-/, '') ?? 'figure';
    const links = figureContainer.parentElement?.querySelector('.data');
    links?.append(
      createSaveButtons(
        id,
        () => drawStandalone(this.#viewSettings),
        () => makeTable(this.#viewSettings),
      ),
    );
  }

  #fillValues(): void {
    const valuesTableContainer = this.#valuesDetails?.querySelector('div');
    if (!this.#isTableStale || valuesTableContainer === null || valuesTableContainer === undefined) return;
    this.#isTableStale = false;
    valuesTableContainer.innerHTML = makeTableHtml(this.#content.table(this.#viewSettings));
    valuesTableContainer
      .querySelector('table')
      ?.dispatchEvent(new Event(TABLE_INSERTED_EVENT, { bubbles: true }));
  }

  /** Moves between values with the arrow keys, and announces each. */
  #handleKey(event: KeyboardEvent): void {
    const keyboardStopOffset = {
      ArrowRight: 1,
      ArrowDown: 1,
      ArrowLeft: -1,
      ArrowUp: -1,
      Home: -Infinity,
      End: Infinity,
    }[event.key];
    if (keyboardStopOffset === undefined) return;
    const stops = this.#keyboardStops();
    if (stops.length === 0) return;
    event.preventDefault();
    this.#stopIndex = Math.min(stops.length - 1, Math.max(0, this.#stopIndex + keyboardStopOffset));
    const { x, y, story, area } = stops[this.#stopIndex] as FigureKeyboardStop;
    this.#canvas.scrollIntoView({ block: 'nearest' });
    this.#placePointerLine(x, area);
    this.#tooltip.show({ clientX: x, clientY: y }, story);
  }

  /** Returns all keyboard stops, panel by panel, from left to right. */
  #keyboardStops(): FigureKeyboardStop[] {
    const elementsWithStory = [...this.#canvas.querySelectorAll<SVGElement>('[data-story]')];
    if (elementsWithStory.length > 0)
      return elementsWithStory.map((mark) => {
        const area = mark.getBoundingClientRect();
        const { left: leftEdge, right, top: topEdge, bottom } = area;
        return {
          x: (leftEdge + right) / 2,
          y: (topEdge + bottom) / 2,
          story: mark.dataset.story ?? '',
          area,
        };
      });
    const { keyboardStops, describe } = this.#content;
    return this.#screenAxes().flatMap((panelAxis) =>
      keyboardStops(this.#viewSettings).flatMap((axisValue): FigureKeyboardStop[] => {
        const { panel, area } = panelAxis;
        const x = this.#pixelAt(panelAxis, axisValue);
        const story =
          x < area.left - 1 || x > area.right + 1
            ? undefined
            : describe(panel, axisValue, this.#viewSettings);
        return story === undefined ? [] : [{ x, y: area.top, story, area }];
      }),
    );
  }

  /** Draws a vertical line through a panel at the described values. */
  #placePointerLine(x: number, panelRectangle: DOMRect): void {
    const canvasRectangle = this.#canvas.getBoundingClientRect();
    Object.assign(this.#pointerLine.style, {
      left: `${x - canvasRectangle.left}px`,
      top: `${panelRectangle.top - canvasRectangle.top}px`,
      height: `${panelRectangle.height}px`,
    });
    this.#canvas.append(this.#pointerLine);
  }

  /** Highlights one series: its band appears, the others fade. */
  #highlight(series: number | undefined): void {
    if (series === this.#pointedSeries) return;
    this.#pointedSeries = series;
    const seriesLayers = [...this.#canvas.querySelectorAll<SVGElement>('[data-series]')];
    const isKnown = seriesLayers.some(({ dataset }) => dataset.series === String(series));
    for (const layer of seriesLayers) {
      const isLayerOfPointedSeries = isKnown && layer.dataset.series === String(series);
      layer.classList.toggle('pale', isKnown && !isLayerOfPointedSeries);
      layer.classList.toggle('pointed', isLayerOfPointedSeries);
    }
  }

  /** Returns the series of the marker nearest to the pointer; undefined if none is near. */
  #seriesNear({ clientX, clientY }: MouseEvent): number | undefined {
    const distancesToMarkers = [...this.#canvas.querySelectorAll<SVGElement>('[data-series] .marker')].map(
      (markerElement) => {
        const { left: leftEdge, right, top: topEdge, bottom } = markerElement.getBoundingClientRect();
        const distanceToMarker = Math.hypot(
          (leftEdge + right) / 2 - clientX,
          (topEdge + bottom) / 2 - clientY,
        );
        return {
          distance: distanceToMarker,
          series: Number(markerElement.closest<SVGElement>('[data-series]')?.dataset.series),
        };
      },
    );
    const nearest = distancesToMarkers.reduce(
      (nearestMarkerSoFar, candidate) =>
        candidate.distance < nearestMarkerSoFar.distance ? candidate : nearestMarkerSoFar,
      {
        distance: POINTER_HIT_DISTANCE,
        series: -1,
      },
    );
    return nearest.series < 0 ? undefined : nearest.series;
  }

  /** Returns the panels with a numeric horizontal axis. */
  #screenAxes(): ScreenPanelAxis[] {
    return [...this.#canvas.querySelectorAll<SVGElement>('.plot-area')].flatMap((frame, panel) => {
      const [from, to] = (frame.dataset.domain ?? '').split(' ').map(Number);
      return from === undefined || to === undefined
        ? []
        : [{ panel, area: frame.getBoundingClientRect(), domain: [from, to] as const }];
    });
  }

  /** Returns the panel under the pointer. */
  #axisAt({ clientX: x, clientY: y }: MouseEvent): ScreenPanelAxis | undefined {
    return this.#screenAxes().find(
      ({ area }) => x >= area.left && x <= area.right && y >= area.top && y <= area.bottom,
    );
  }

  /** Converts a value of a panel's axis to a horizontal page position in pixels. */
  #pixelAt({ area, domain: [from, to] }: ScreenPanelAxis, axisValue: number): number {
    const toAxisScale = (axisValue: number) => (this.#content.isLog ? Math.log(axisValue) : axisValue);
    return (
      area.left +
      ((toAxisScale(axisValue) - toAxisScale(from)) / (toAxisScale(to) - toAxisScale(from))) * area.width
    );
  }

  /** Converts a horizontal page position in pixels to a value of a panel's axis. */
  #valueAt({ area, domain: [from, to] }: ScreenPanelAxis, x: number): number {
    const shareOfAxisLength = Math.min(1, Math.max(0, (x - area.left) / area.width));
    return this.#content.isLog
      ? from * (to / from) ** shareOfAxisLength
      : from + shareOfAxisLength * (to - from);
  }

  #describeAtPointer(event: PointerEvent): void {
    this.#highlight(this.#seriesNear(event));
    const storyOfEventTarget = (event.target as SVGElement).dataset.story;
    const panelAxis = this.#axisAt(event);
    const story =
      storyOfEventTarget ??
      (panelAxis &&
        this.#content.describe(panelAxis.panel, this.#valueAt(panelAxis, event.clientX), this.#viewSettings));
    if (story === undefined) this.#tooltip.hideTooltip();
    else this.#tooltip.show(event, story);
  }

  #beginDrag(event: PointerEvent): void {
    // A finger drag scrolls the page, so it selects no range.
    if (event.button !== 0 || event.pointerType === 'touch' || this.#content.wholeRange === undefined) return;
    const panelAxis = this.#axisAt(event);
    if (panelAxis === undefined) return;
    this.#drag = { ...panelAxis, x: event.clientX };
    this.#canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  #moveDrag({ clientX }: PointerEvent): void {
    if (this.#drag === undefined) return;
    const { area, x } = this.#drag;
    const canvasRectangle = this.#canvas.getBoundingClientRect();
    const leftOfZoomSelection = Math.max(Math.min(x, clientX), area.left);
    const right = Math.min(Math.max(x, clientX), area.right);
    Object.assign(this.#zoomSelection.style, {
      left: `${leftOfZoomSelection - canvasRectangle.left}px`,
      width: `${Math.max(0, right - leftOfZoomSelection)}px`,
      top: `${area.top - canvasRectangle.top}px`,
      height: `${area.height}px`,
    });
    this.#canvas.append(this.#zoomSelection);
  }

  #endDrag({ clientX }: PointerEvent): void {
    const finishedDrag = this.#drag;
    this.#stopDrag();
    if (finishedDrag === undefined || Math.abs(clientX - finishedDrag.x) < MIN_DRAG_DISTANCE_PIXELS) return;
    const from = this.#valueAt(finishedDrag, Math.min(finishedDrag.x, clientX));
    const to = this.#valueAt(finishedDrag, Math.max(finishedDrag.x, clientX));
    if (to > from) this.#changeSettings({ range: [from, to] });
  }

  #stopDrag(): void {
    this.#drag = undefined;
    this.#zoomSelection.remove();
  }
}
