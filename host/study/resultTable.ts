/** The numbers that a study keeps of its runs. */

/** Values of the runs of a plan, 8 bytes each: a row for each run, in the order of that run's metric names. */
export class Results {
  readonly #values: Float64Array;
  /** Values that a run has, and room for those of the run that has the most. */
  readonly #lengths: Uint32Array;
  readonly #width: number;

  constructor(runs: number, width: number) {
    this.#values = new Float64Array(runs * width);
    this.#lengths = new Uint32Array(runs);
    this.#width = width;
  }

  /** How many runs there are. */
  get length(): number {
    return this.#lengths.length;
  }

  /** Keeps the values of a run; null is what JSON makes of a number that is not finite. */
  set(run: number, values: ArrayLike<number | null>): void {
    const from = run * this.#width;
    for (let i = 0; i < values.length; i++) this.#values[from + i] = values[i] ?? Number.NaN;
    this.#lengths[run] = values.length;
  }

  /** One value of a run; NaN where it has none. */
  value(run: number, position: number): number {
    const isThere = position >= 0 && position < this.#lengths[run];
    return isThere ? this.#values[run * this.#width + position] : Number.NaN;
  }

  /** All values of a run. */
  values(run: number): number[] {
    const from = run * this.#width;
    return [...this.#values.subarray(from, from + this.#lengths[run])];
  }
}
