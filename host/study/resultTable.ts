/** The numbers that a study keeps of its runs. */

/** What `Results` hold, in memory that threads share where there are any. */
export interface ResultData {
  /** Those of a run stand one behind the other. */
  readonly values: Float64Array;
  /** How many a run has. */
  readonly lengths: Uint32Array;
  /** Room for those of a run. */
  readonly width: number;
}

/** Values of the runs of a plan, 8 bytes each: a row for each run, in the order of that run's metric names. */
export class Results {
  /** What another thread makes the same results of. */
  readonly data: ResultData;
  readonly #values: Float64Array;
  readonly #lengths: Uint32Array;
  readonly #width: number;

  /** @param data of other results, which these share. */
  constructor(runs: number, width: number, data = roomFor(runs, width)) {
    this.data = data;
    this.#values = data.values;
    this.#lengths = data.lengths;
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

function roomFor(runs: number, width: number): ResultData {
  const Memory = globalThis.SharedArrayBuffer ?? ArrayBuffer;
  const values = new Float64Array(new Memory(runs * width * Float64Array.BYTES_PER_ELEMENT));
  return { values, lengths: new Uint32Array(new Memory(runs * Uint32Array.BYTES_PER_ELEMENT)), width };
}
