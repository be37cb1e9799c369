/** Pointer, wheel and keyboard input of the charts over time. */
import type { Model } from '../model.js';

/** Largest distance in pixels between press and release of a click. */
const CLICK_TOLERANCE = 4;
/** Pixels by which Page Up and Page Down scroll the lanes. */
const PAGE = 150;

/** Parts of a chart that input acts on. */
export interface InputTarget {
  readonly stage: HTMLElement;
  /** Returns the job at a position; absent for line charts. */
  readonly jobAt?: (x: number, y: number) => number | undefined;
  /** Scrolls the content; returns false if it is already at its end. */
  readonly scrollBy?: (pixels: number) => boolean;
}

/** Returns the time at a horizontal position, in seconds. */
function timeAt({ view }: Model, stage: HTMLElement, x: number): number {
  return view.from + (x / stage.clientWidth) * (view.to - view.from);
}

/**
 * Dragging moves the time range, or selects a span with Shift; the wheel with Ctrl, Alt or Cmd zooms; a click
 * selects a job or a time.
 */
export function handlePointers(
  model: Model,
  { stage, jobAt, scrollBy }: InputTarget,
  hover: (event: PointerEvent | undefined) => void,
): void {
  let dragged:
    | {
        readonly x: number;
        readonly from: number;
        readonly to: number;
        readonly isSpan: boolean;
        isMoved: boolean;
      }
    | undefined;
  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    stage.setPointerCapture(event.pointerId);
    const { from, to } = model.view;
    dragged = { x: event.offsetX, from, to, isSpan: event.shiftKey, isMoved: false };
  });
  stage.addEventListener('pointermove', (event) => {
    model.pointed = timeAt(model, stage, event.offsetX);
    model.pointerMoved.notify();
    if (dragged === undefined) return hover(event);
    const moved = event.offsetX - dragged.x;
    if (Math.abs(moved) < CLICK_TOLERANCE && !dragged.isMoved) return;
    dragged.isMoved = true;
    hover(undefined);
    if (dragged.isSpan) {
      const ends = [dragged.x, event.offsetX].map((x) => timeAt(model, stage, x));
      model.selectSpan([Math.min(...ends), Math.max(...ends)]);
      return;
    }
    const shift = (moved / stage.clientWidth) * (dragged.to - dragged.from);
    model.view.show(dragged.from - shift, dragged.to - shift);
    model.viewChanged.notify();
  });
  stage.addEventListener('pointerup', (event) => {
    const isClick = dragged !== undefined && !dragged.isMoved;
    dragged = undefined;
    if (!isClick) return;
    const job = jobAt?.(event.offsetX, event.offsetY);
    if (job === undefined) model.moveTo(timeAt(model, stage, event.offsetX));
    else model.select(job);
  });
  stage.addEventListener('pointercancel', () => {
    dragged = undefined;
  });
  stage.addEventListener('pointerleave', () => {
    hover(undefined);
    model.pointed = undefined;
    model.pointerMoved.notify();
  });
  handleZoom(model, { stage, scrollBy });
}

/** A double click or the wheel with a key held zooms; the wheel alone scrolls the lanes. */
function handleZoom(
  model: Model,
  { stage, scrollBy }: { stage: HTMLElement; scrollBy: InputTarget['scrollBy'] | undefined },
): void {
  stage.addEventListener('dblclick', (event) => {
    model.view.zoom(4, timeAt(model, stage, event.offsetX));
    model.viewChanged.notify();
  });
  stage.addEventListener(
    'wheel',
    (event) => {
      const isZoom = event.ctrlKey || event.metaKey;
      const isMove = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!isZoom && !isMove) {
        if (scrollBy?.(event.deltaY)) event.preventDefault();
        return;
      }
      event.preventDefault();
      if (isZoom) model.view.zoom(1.0015 ** -event.deltaY, timeAt(model, stage, event.offsetX));
      else model.view.move((event.deltaX || event.deltaY) / stage.clientWidth);
      model.viewChanged.notify();
    },
    { passive: false },
  );
}

/**
 * Returns the job that starts before or after the selected one; without a selection, the first or last
 * visible job.
 */
function adjacentJob(model: Model, step: 1 | -1): number | undefined {
  const { run, view, selected } = model;
  if (run === undefined) return undefined;
  const order = model.orderOf(run);
  const time = selected === undefined ? view.from : run.start[selected];
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const job = order[middle];
    const isBefore =
      run.start[job] < time || (run.start[job] === time && selected !== undefined && job < selected);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  const place = step < 0 ? low - 1 : selected === undefined ? low : low + 1;
  return order[Math.min(Math.max(place, 0), order.length - 1)];
}

/** Share of the visible time range by which a key press moves the end of a span. */
const SPAN_STEP = 0.02;

/** Moves the end of the selected span. Without a span, starts one at the selected time, or in the middle. */
function stretchSpan(model: Model, step: 1 | -1): void {
  const { view, cursor = Number.NaN } = model;
  const here = cursor >= view.from && cursor <= view.to ? cursor : (view.from + view.to) / 2;
  const [from, to] = model.span ?? [here, here];
  const end = Math.min(to + step * SPAN_STEP * (view.to - view.from), view.whole[1]);
  model.selectSpan(end > from ? [from, end] : undefined);
}

/** Handles the keys of a chart; a handled key has no other effect. */
export function handleKeys(
  model: Model,
  stage: HTMLElement,
  tell: () => void,
  scrollBy?: (pixels: number) => boolean,
): void {
  const look = (act: () => void) => () => {
    act();
    model.viewChanged.notify();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: look(() => model.view.move(-0.1)),
    ArrowRight: look(() => model.view.move(0.1)),
    ArrowUp: look(() => model.view.zoom(1.5)),
    ArrowDown: look(() => model.view.zoom(1 / 1.5)),
    '+': look(() => model.view.zoom(1.5)),
    '=': look(() => model.view.zoom(1.5)),
    '-': look(() => model.view.zoom(1 / 1.5)),
    '0': look(() => model.view.show(...model.view.whole)),
    ',': () => model.select(adjacentJob(model, -1), true),
    '.': () => model.select(adjacentJob(model, 1), true),
    Enter: tell,
    Escape: () => {
      model.selectSpan(undefined);
      model.select(undefined);
    },
    PageDown: () => scrollBy?.(PAGE),
    PageUp: () => scrollBy?.(-PAGE),
    a: look(() => model.view.move(-0.1)),
    d: look(() => model.view.move(0.1)),
    w: look(() => model.view.zoom(1.5)),
    s: look(() => model.view.zoom(1 / 1.5)),
  };
  const shifted: typeof keys = {
    ...keys,
    ArrowLeft: () => stretchSpan(model, -1),
    ArrowRight: () => stretchSpan(model, 1),
  };
  stage.addEventListener('keydown', (event) => {
    const act = (event.shiftKey ? shifted : keys)[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}
