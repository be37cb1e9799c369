/** Buttons that choose the part of a horizontal axis. */
import { button } from './elements.js';
import { moved, type Range, zoomed } from './range.js';

/** A press on + shows half, on an arrow moves by a half. */
const [CLOSER, FURTHER, STEP] = [1 / 2, 2, 1 / 2];

/** The buttons, for an axis that is shown from its least to its largest value at first. */
export class ZoomButtons {
  readonly buttons: readonly HTMLButtonElement[];
  readonly #inside: readonly HTMLButtonElement[];
  #range: Range;

  /** @param onRange hears the part that is wanted; undefined: all. */
  constructor(all: Range, isLog: boolean, onRange: (range: Range | undefined) => void) {
    this.#range = all;
    const to = (share: number) => () => onRange(moved(this.#range, all, share, isLog));
    const by = (factor: number) => () => onRange(zoomed(this.#range, all, factor, isLog));
    this.#inside = [
      button('−', 'show more of the horizontal axis', by(FURTHER)),
      button('◂', 'move to the left', to(-STEP)),
      button('▸', 'move to the right', to(STEP)),
      button('all', 'show all of the horizontal axis', () => onRange(undefined)),
    ];
    this.buttons = [
      button('+', 'show less of the horizontal axis, around its middle', by(CLOSER)),
      ...this.#inside,
    ];
    this.show(undefined, all);
  }

  /** Takes what is shown now. */
  show(range: Range | undefined, all: Range): void {
    this.#range = range ?? all;
    for (const each of this.#inside) each.disabled = range === undefined;
  }
}
