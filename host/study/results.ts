/** The numbers that are kept of the runs of a plan. */
import { type Plan, planSites } from './plan.js';
import { classMetricsIn, valueCount, valuePlaces, WORKLOAD_METRICS } from './runValues.js';
import type { Study } from './study.js';

/** Data of `Results`, in memory that threads share if there are any. */
export interface ResultData {
  /** The values of a run are side by side. */
  readonly values: Float64Array;
  /** Number of values of each run; 0 before the run is done. */
  readonly lengths: Uint32Array;
  /** Room for those of a run. */
  readonly width: number;
}

/** A value of a run by its place; NaN where it has none. */
export function valueAt({ values, lengths, width }: ResultData, run: number, place: number): number {
  return place >= 0 && place < lengths[run]! ? values[run * width + place]! : Number.NaN;
}

/** The values of the runs of a plan that are done, 8 bytes each. */
export class Results {
  /** Data that other threads read too. */
  readonly data: ResultData;
  readonly #kind: Study['kind'];
  readonly #runs: Plan['runs'];
  readonly #classMetrics: readonly string[];
  /** Places of runs by their ids, as long as any is missing. */
  #byId: ReadonlyMap<string, number> | undefined;
  #count = 0;

  /** @param kind that of the study. */
  constructor(kind: Study['kind'], { runs, metrics }: Pick<Plan, 'runs' | 'metrics'>) {
    this.#kind = kind;
    this.#runs = runs;
    this.#classMetrics = classMetricsIn(metrics);
    const isOfJobs = kind === 'workloads';
    const width = isOfJobs ? WORKLOAD_METRICS.length : valueCount(planSites({ runs }), metrics);
    const Memory = globalThis.SharedArrayBuffer ?? ArrayBuffer;
    const values = new Float64Array(new Memory(runs.length * width * Float64Array.BYTES_PER_ELEMENT));
    const lengths = new Uint32Array(new Memory(runs.length * Uint32Array.BYTES_PER_ELEMENT));
    this.data = { values, lengths, width };
  }

  /** Number of runs. */
  get length(): number {
    return this.#runs.length;
  }

  /** Number of runs that are done. */
  get count(): number {
    return this.#count;
  }

  /** Keeps the values of a run; null is what JSON makes of a number that is not finite. */
  set(run: number, values: ArrayLike<number | null>): void {
    const from = run * this.data.width;
    for (let i = 0; i < values.length; i++) this.data.values[from + i] = values[i] ?? Number.NaN;
    if (!this.isDone(run)) this.#count++;
    this.data.lengths[run] = values.length;
    if (this.#count === this.length) this.#byId = undefined;
  }

  /** Keeps the values of the run with an id, where it is one of the plan. */
  readonly take = (id: string, values: ArrayLike<number | null>): void => {
    const run = this.#placeOf(id);
    if (run !== undefined) this.set(run, values);
  };

  /** True if a run is done. */
  isDone(run: number): boolean {
    return this.data.lengths[run]! > 0;
  }

  /** The runs that are not done. */
  missing(): number[] {
    return [...this.#runs.keys()].filter((run) => !this.isDone(run));
  }

  /** A value of a run by the name of its metric; NaN where it has none. */
  value(run: number, metric: string): number {
    const { sites } = this.#runs[run]!.common;
    return valueAt(
      this.data,
      run,
      valuePlaces(this.#kind, sites.length, this.#classMetrics).get(metric) ?? -1,
    );
  }

  /** All values of a run, in the order of `valuePlaces`. */
  values(run: number): number[] {
    const from = run * this.data.width;
    return [...this.data.values.subarray(from, from + this.data.lengths[run]!)];
  }

  /** All values of the run with an id; undefined where it is not done, or none of the plan. */
  valuesOf(id: string): number[] | undefined {
    const run = this.#placeOf(id);
    return run === undefined || !this.isDone(run) ? undefined : this.values(run);
  }

  #placeOf(id: string): number | undefined {
    this.#byId ??= new Map(this.#runs.map((each, run) => [each.id, run]));
    return this.#byId.get(id);
  }
}
