/** Pointer, wheel and keyboard input of the charts over time. */
import type { ExplorerModel } from '../model.js';

/** Largest distance in pixels between press and release of a click. */
const MAX_CLICK_MOVEMENT = 4;
/** Pixels by which Page Up and Page Down scroll the lanes. */
const SCROLL_PIXELS_PER_PAGE_KEY = 150;

/** Parts of a chart that input acts on. */
export interface ChartInputTarget {
  readonly stage: HTMLElement;
  /** Returns the job at a position; absent for line charts. */
  readonly jobAt?: (x: number, y: number) => number | undefined;
  /** Scrolls the content; returns false if it is already at its end. */
  readonly scrollBy?: (pixels: number) => boolean;
}

/** Returns the time at a horizontal position, in seconds. */
function timeAtHorizontalPosition(
  { view: visibleRange }: ExplorerModel,
  stage: HTMLElement,
  x: number,
): number {
  return visibleRange.from + (x / stage.clientWidth) * (visibleRange.to - visibleRange.from);
}

/**
 * Dragging moves the time range, or selects a span with Shift; the wheel with Ctrl, Alt or Cmd zooms; a click
 * selects a job or a time.
 */
export function handleChartPointers(
  model: ExplorerModel,
  { stage, jobAt, scrollBy }: ChartInputTarget,
  onHover: (event: PointerEvent | undefined) => void,
): void {
  let dragState:
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
    dragState = { x: event.offsetX, from, to, isSpan: event.shiftKey, isMoved: false };
  });
  stage.addEventListener('pointermove', (event) => {
    model.pointed = timeAtHorizontalPosition(model, stage, event.offsetX);
    model.pointerMoved.notify();
    if (dragState === undefined) return onHover(event);
    const draggedPixels = event.offsetX - dragState.x;
    if (Math.abs(draggedPixels) < MAX_CLICK_MOVEMENT && !dragState.isMoved) return;
    dragState.isMoved = true;
    onHover(undefined);
    if (dragState.isSpan) {
      const timesOfDragEnds = [dragState.x, event.offsetX].map((x) =>
        timeAtHorizontalPosition(model, stage, x),
      );
      model.selectSpan([Math.min(...timesOfDragEnds), Math.max(...timesOfDragEnds)]);
      return;
    }
    const shiftSeconds = (draggedPixels / stage.clientWidth) * (dragState.to - dragState.from);
    model.view.show(dragState.from - shiftSeconds, dragState.to - shiftSeconds);
    model.viewChanged.notify();
  });
  stage.addEventListener('pointerup', (event) => {
    const isClickGesture = dragState !== undefined && !dragState.isMoved;
    dragState = undefined;
    if (!isClickGesture) return;
    const job = jobAt?.(event.offsetX, event.offsetY);
    if (job === undefined) model.selectTime(timeAtHorizontalPosition(model, stage, event.offsetX));
    else model.select(job);
  });
  stage.addEventListener('pointercancel', () => {
    dragState = undefined;
  });
  stage.addEventListener('pointerleave', () => {
    onHover(undefined);
    model.pointed = undefined;
    model.pointerMoved.notify();
  });
  handleChartZoom(model, { stage, scrollBy });
}

/** A double click or the wheel with a key held zooms; the wheel alone scrolls the lanes. */
function handleChartZoom(
  model: ExplorerModel,
  { stage, scrollBy }: { stage: HTMLElement; scrollBy: ChartInputTarget['scrollBy'] | undefined },
): void {
  stage.addEventListener('dblclick', (event) => {
    model.view.zoom(4, timeAtHorizontalPosition(model, stage, event.offsetX));
    model.viewChanged.notify();
  });
  stage.addEventListener(
    'wheel',
    (event) => {
      const isZoomGesture = event.ctrlKey || event.metaKey;
      const isMoveGesture = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!isZoomGesture && !isMoveGesture) {
        if (scrollBy?.(event.deltaY)) event.preventDefault();
        return;
      }
      event.preventDefault();
      if (isZoomGesture)
        model.view.zoom(1.0015 ** -event.deltaY, timeAtHorizontalPosition(model, stage, event.offsetX));
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
function findNeighborOfSelectedJob(model: ExplorerModel, jobOrderStep: 1 | -1): number | undefined {
  const { run, view: visibleRange, selected } = model;
  if (run === undefined) return undefined;
  const jobsByStart = model.orderOf(run);
  const time = selected === undefined ? visibleRange.from : run.start[selected];
  let [low, high] = [0, jobsByStart.length];
  while (low < high) {
    const middleIndex = (low + high) >> 1;
    const job = jobsByStart[middleIndex];
    const isBefore =
      run.start[job] < time || (run.start[job] === time && selected !== undefined && job < selected);
    if (isBefore) low = middleIndex + 1;
    else high = middleIndex;
  }
  const position = jobOrderStep < 0 ? low - 1 : selected === undefined ? low : low + 1;
  return jobsByStart[Math.min(Math.max(position, 0), jobsByStart.length - 1)];
}

/** Share of the visible time range by which a key press moves the end of a span. */
const SPAN_KEY_STEP_SHARE = 0.02;

/** Moves the end of the selected span. Without a span, starts one at the selected time, or in the middle. */
function stretchSelectedSpan(model: ExplorerModel, spanStep: 1 | -1): void {
  const { view: visibleRange, cursor = Number.NaN } = model;
  const spanStart =
    cursor >= visibleRange.from && cursor <= visibleRange.to
      ? cursor
      : (visibleRange.from + visibleRange.to) / 2;
  const [from, to] = model.span ?? [spanStart, spanStart];
  const end = Math.min(
    to + spanStep * SPAN_KEY_STEP_SHARE * (visibleRange.to - visibleRange.from),
    visibleRange.whole[1],
  );
  model.selectSpan(end > from ? [from, end] : undefined);
}

/** Handles the keys of a chart; a handled key has no other effect. */
export function handleChartKeys(
  model: ExplorerModel,
  stage: HTMLElement,
  explainJob: () => void,
  scrollBy?: (pixels: number) => boolean,
): void {
  const notifyingViewChange = (changeView: () => void) => () => {
    changeView();
    model.viewChanged.notify();
  };
  const keyActions: Readonly<Record<string, () => void>> = {
    ArrowLeft: notifyingViewChange(() => model.view.move(-0.1)),
    ArrowRight: notifyingViewChange(() => model.view.move(0.1)),
    ArrowUp: notifyingViewChange(() => model.view.zoom(1.5)),
    ArrowDown: notifyingViewChange(() => model.view.zoom(1 / 1.5)),
    '+': notifyingViewChange(() => model.view.zoom(1.5)),
    '=': notifyingViewChange(() => model.view.zoom(1.5)),
    '-': notifyingViewChange(() => model.view.zoom(1 / 1.5)),
    '0': notifyingViewChange(() => model.view.show(...model.view.whole)),
    ',': () => model.select(findNeighborOfSelectedJob(model, -1), true),
    '.': () => model.select(findNeighborOfSelectedJob(model, 1), true),
    Enter: explainJob,
    Escape: () => {
      model.selectSpan(undefined);
      model.select(undefined);
    },
    PageDown: () => scrollBy?.(SCROLL_PIXELS_PER_PAGE_KEY),
    PageUp: () => scrollBy?.(-SCROLL_PIXELS_PER_PAGE_KEY),
    a: notifyingViewChange(() => model.view.move(-0.1)),
    d: notifyingViewChange(() => model.view.move(0.1)),
    w: notifyingViewChange(() => model.view.zoom(1.5)),
    s: notifyingViewChange(() => model.view.zoom(1 / 1.5)),
  };
  const actionsOfShiftedKeys: typeof keyActions = {
    ...keyActions,
    ArrowLeft: () => stretchSelectedSpan(model, -1),
    ArrowRight: () => stretchSelectedSpan(model, 1),
  };
  stage.addEventListener('keydown', (event) => {
    const act = (event.shiftKey ? actionsOfShiftedKeys : keyActions)[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}
