/**
 * Overview strip of the whole time range, with a window around the visible part that can be moved and
 * redrawn.
 */
import { createElement } from '../dom.js';
import { currentTheme, type ExplorerModel } from '../model.js';
import { colorAndDashOfRun } from './looks.js';
import { readCurrentStyleTokens } from './tokens.js';

/** Smallest window, in pixels, that a drag can draw. */
const MIN_DRAGGED_WINDOW_WIDTH = 4;

/**
 * Overview strip: the number of waiting jobs in each visible run, and marks below at times when a job starts
 * in one run but not in the other.
 */
export class OverviewStrip {
  readonly element: HTMLElement;
  readonly #model: ExplorerModel;
  readonly #canvas = createElement('canvas');
  readonly #window = createElement('div', { className: 'window' });
  readonly #stage: HTMLElement;
  #lastDrawnState: readonly unknown[] = [];

  constructor(model: ExplorerModel) {
    this.#model = model;
    this.#stage = createElement(
      'div',
      {
        className: 'stage',
        tabIndex: 0,
        role: 'application',
        'aria-label': 'All of the time. Arrow keys move what is shown, plus and minus zoom.',
        title: 'All of the time: drag the window, or draw another',
      },
      this.#canvas,
      this.#window,
    );
    this.element = createElement(
      'div',
      { className: 'overview chart-row' },
      createElement(
        'div',
        { className: 'site-names' },
        createElement('small', { className: 'axis-title' }, 'all'),
      ),
      this.#stage,
    );
    this.#listenToPointer();
  }

  /** Element that receives keyboard events. */
  get stage(): HTMLElement {
    return this.#stage;
  }

  /** Draws the window, and the strip if its content has changed. */
  draw(width: number): void {
    const { runs, shown: shownRuns, view: visibleRange } = this.#model;
    const drawingInputs = [
      ...shownRuns.map((runIndex) => runs[runIndex]),
      ...visibleRange.whole,
      width,
      currentTheme(),
    ];
    if (!drawingInputs.every((part, i) => part === this.#lastDrawnState[i])) {
      this.#lastDrawnState = drawingInputs;
      this.#paint(width);
    }
    const [from, to] = visibleRange.whole;
    const x = (time: number) => ((time - from) / (to - from)) * width;
    const { style } = this.#window;
    style.transform = `translateX(${x(visibleRange.from).toFixed(1)}px)`;
    style.width = `${Math.max(x(visibleRange.to) - x(visibleRange.from), 3).toFixed(1)}px`;
  }

  #paint(width: number): void {
    const { runs, shown: shownRuns, view: visibleRange } = this.#model;
    const height = this.#stage.clientHeight;
    const scale = Math.min(devicePixelRatio, 2);
    [this.#canvas.width, this.#canvas.height] = [width * scale, height * scale];
    const context = this.#canvas.getContext('2d') as CanvasRenderingContext2D;
    context.scale(scale, scale);
    const [from, to] = visibleRange.whole;
    const runIndices = shownRuns.filter((runIndex) => runs[runIndex] !== undefined);
    const runCurves = runIndices.map((runIndex) =>
      this.#model.stepFunctionIndexOf(runs[runIndex].waiting).samples(from, to, Math.ceil(width)),
    );
    const maxValue = Math.max(
      1,
      ...runCurves.map(({ mean }) =>
        mean.reduce((largest, meanOfSample) => Math.max(largest, meanOfSample), 0),
      ),
    );
    const bottom = height - 5;
    runCurves.forEach(({ mean }, i) => {
      context.strokeStyle = colorAndDashOfRun(runIndices[i], currentTheme()).color;
      context.beginPath();
      mean.forEach((value, x) => {
        context.lineTo(x, bottom - (value / maxValue) * (bottom - 2));
      });
      context.stroke();
    });
    context.fillStyle = readCurrentStyleTokens().muted;
    for (const time of this.#model.disagreements()) {
      context.fillRect(Math.floor(((time - from) / (to - from)) * width), height - 4, 1, 4);
    }
  }

  #listenToPointer(): void {
    const { view: visibleRange, viewChanged } = this.#model;
    let dragStartState:
      | { readonly time: number; readonly windowFrom: number; readonly isWindow: boolean }
      | undefined;
    const timeAtPosition = (x: number) => {
      const [from, to] = visibleRange.whole;
      return from + (x / this.#stage.clientWidth) * (to - from);
    };
    this.#stage.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.#stage.setPointerCapture(event.pointerId);
      const pointedTime = timeAtPosition(event.offsetX);
      const showsWholeRange =
        visibleRange.from <= visibleRange.whole[0] && visibleRange.to >= visibleRange.whole[1];
      dragStartState = {
        time: pointedTime,
        windowFrom: visibleRange.from,
        isWindow: !showsWholeRange && pointedTime >= visibleRange.from && pointedTime <= visibleRange.to,
      };
    });
    this.#stage.addEventListener('pointermove', (event) => {
      if (dragStartState === undefined) return;
      const draggedTime = timeAtPosition(event.offsetX);
      const secondsPerPixel = (visibleRange.whole[1] - visibleRange.whole[0]) / this.#stage.clientWidth;
      if (dragStartState.isWindow) {
        const from = dragStartState.windowFrom + draggedTime - dragStartState.time;
        visibleRange.show(from, from + (visibleRange.to - visibleRange.from));
      } else if (Math.abs(draggedTime - dragStartState.time) >= MIN_DRAGGED_WINDOW_WIDTH * secondsPerPixel) {
        visibleRange.show(
          Math.min(draggedTime, dragStartState.time),
          Math.max(draggedTime, dragStartState.time),
        );
      } else return;
      viewChanged.notify();
    });
    for (const end of ['pointerup', 'pointercancel'] as const)
      this.#stage.addEventListener(end, () => {
        dragStartState = undefined;
      });
  }
}
