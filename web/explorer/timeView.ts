/**
 * Visible time range of all charts; it can be zoomed and moved, but not beyond the simulation. Times in
 * seconds.
 */

/** Shortest visible range in seconds. */
const MIN_VISIBLE_SECONDS = 1;

export class VisibleTimeRange {
  #whole: readonly [number, number] = [0, 1];
  from = 0;
  to = 1;

  /** Sets the whole range, and makes all of it visible. */
  setWholeRange(from: number, to: number): void {
    this.#whole = [from, Math.max(to, from + MIN_VISIBLE_SECONDS)];
    this.show(...this.#whole);
  }

  /** Whole range: first submission and last end. */
  get whole(): readonly [number, number] {
    return this.#whole;
  }

  /** Shows a range, shifted to lie inside the whole one. */
  show(from: number, to: number): void {
    const [earliest, latest] = this.#whole;
    const length = Math.min(Math.max(to - from, MIN_VISIBLE_SECONDS), latest - earliest);
    this.from = Math.min(Math.max(from, earliest), latest - length);
    this.to = this.from + length;
  }

  /** Divides the length of the visible range by `scaleFactor`, around a fixed time. */
  zoom(scaleFactor: number, fixedTime = (this.from + this.to) / 2): void {
    const length = Math.max((this.to - this.from) / scaleFactor, MIN_VISIBLE_SECONDS);
    const shareBeforeFixedTime = (fixedTime - this.from) / (this.to - this.from);
    this.show(fixedTime - shareBeforeFixedTime * length, fixedTime + (1 - shareBeforeFixedTime) * length);
  }

  /** Moves by a share of the visible length. */
  move(visibleShare: number): void {
    const shift = visibleShare * (this.to - this.from);
    this.show(this.from + shift, this.to + shift);
  }

  /** Moves as little as needed to show a span, and zooms in if the span would be too small. */
  moveSpanIntoView(from: number, to: number): void {
    const length = Math.min(this.to - this.from, Math.max((to - from) * 12, 60));
    const middleTime = (from + to) / 2;
    const isVisible = from >= this.from && to <= this.to && to - from >= (this.to - this.from) / 200;
    if (!isVisible) this.show(middleTime - length / 2, middleTime + length / 2);
  }
}
