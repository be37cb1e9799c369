/** The span of time that all charts show: zoomed and moved, never beyond the simulation. */

/** The least that can be looked at, in seconds. */
const SHORTEST = 1;

/** A span inside another. */
export class TimeView {
  #whole: readonly [number, number] = [0, 1];
  from = 0;
  to = 1;

  /** Everything there is to see; shows all of it. */
  setWhole(from: number, to: number): void {
    this.#whole = [from, Math.max(to, from + SHORTEST)];
    this.show(...this.#whole);
  }

  /** The first submit and the last end. */
  get whole(): readonly [number, number] {
    return this.#whole;
  }

  /** Shows a span, shifted into the whole where it lies beyond. */
  show(from: number, to: number): void {
    const [least, most] = this.#whole;
    const length = Math.min(Math.max(to - from, SHORTEST), most - least);
    this.from = Math.min(Math.max(from, least), most - length);
    this.to = this.from + length;
  }

  /** Shows `1 / factor` of what is shown, with a time staying where it is. */
  zoom(factor: number, around = (this.from + this.to) / 2): void {
    const length = Math.max((this.to - this.from) / factor, SHORTEST);
    const share = (around - this.from) / (this.to - this.from);
    this.show(around - share * length, around + (1 - share) * length);
  }

  /** Moves by a share of what is shown. */
  move(share: number): void {
    const shift = share * (this.to - this.from);
    this.show(this.from + shift, this.to + shift);
  }

  /** Moves as little as needed for a span to be seen, and wide enough to see it well. */
  reveal(from: number, to: number): void {
    const length = Math.min(this.to - this.from, Math.max((to - from) * 12, 60));
    const middle = (from + to) / 2;
    const isSeen = from >= this.from && to <= this.to && to - from >= (this.to - this.from) / 200;
    if (!isSeen) this.show(middle - length / 2, middle + length / 2);
  }
}
