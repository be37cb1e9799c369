/** What pointers, wheels and keys do to charts over time. */
import type { Model } from '../model.js';

/** Pixels that a pointer may move between press and release for it to be a click. */
const STILL = 4;

/** What a chart gives for it. */
export interface Handled {
  readonly stage: HTMLElement;
  /** The job at a place; charts of lines have none. */
  readonly jobAt?: (x: number, y: number) => number | undefined;
}

/** The time at a place of a stage. */
function timeAt({ view }: Model, stage: HTMLElement, x: number): number {
  return view.from + (x / stage.clientWidth) * (view.to - view.from);
}

/** Drags move, wheels with a key held zoom, clicks choose a job or a moment. */
export function handlePointers(
  model: Model,
  { stage, jobAt }: Handled,
  hover: (event: PointerEvent | undefined) => void,
): void {
  let dragged:
    | { readonly x: number; readonly from: number; readonly to: number; isMoved: boolean }
    | undefined;
  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    stage.setPointerCapture(event.pointerId);
    dragged = { x: event.offsetX, from: model.view.from, to: model.view.to, isMoved: false };
  });
  stage.addEventListener('pointermove', (event) => {
    if (dragged === undefined) return hover(event);
    const moved = event.offsetX - dragged.x;
    if (Math.abs(moved) < STILL && !dragged.isMoved) return;
    dragged.isMoved = true;
    hover(undefined);
    const shift = (moved / stage.clientWidth) * (dragged.to - dragged.from);
    model.view.show(dragged.from - shift, dragged.to - shift);
    model.looked.tell();
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
  stage.addEventListener('pointerleave', () => hover(undefined));
  stage.addEventListener('dblclick', (event) => {
    model.view.zoom(4, timeAt(model, stage, event.offsetX));
    model.looked.tell();
  });
  stage.addEventListener(
    'wheel',
    (event) => {
      const isZoom = event.ctrlKey || event.metaKey;
      const isMove = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!isZoom && !isMove) return;
      event.preventDefault();
      if (isZoom) model.view.zoom(1.0015 ** -event.deltaY, timeAt(model, stage, event.offsetX));
      else model.view.move((event.deltaX || event.deltaY) / stage.clientWidth);
      model.looked.tell();
    },
    { passive: false },
  );
}

/** Jobs in the order of their starts. */
function neighbour(model: Model, step: 1 | -1): number | undefined {
  const { run, view, selected } = model;
  if (run === undefined) return undefined;
  const here = selected === undefined ? view.from : run.start[selected];
  let best: number | undefined;
  const before = (a: number, b: number) => run.start[a] - run.start[b] || a - b;
  for (let job = 0; job < run.start.length; job++) {
    const side = selected === undefined ? run.start[job] - here : before(job, selected);
    if (side * step < 0 || job === selected || (side === 0 && selected !== undefined)) continue;
    if (best === undefined || before(job, best) * step < 0) best = job;
  }
  return best;
}

/** Keys of a chart; each that is taken does nothing else. */
export function handleKeys(model: Model, stage: HTMLElement, tell: () => void): void {
  const look = (act: () => void) => () => {
    act();
    model.looked.tell();
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
    ',': () => model.select(neighbour(model, -1), true),
    '.': () => model.select(neighbour(model, 1), true),
    Enter: tell,
    Escape: () => model.select(undefined),
  };
  stage.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}
