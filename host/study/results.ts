/** Values kept of the runs of a plan. */
import { computeMaxSiteCountOfPlan, type Plan } from './plan.js';
import {
  countKeptValuesOfRun,
  selectClassMetricsByName,
  valuePositionsByMetric,
  WORKLOAD_STATISTIC_NAMES,
} from './runValues.js';
import type { Study } from './study.js';

/** Memory in which `Results` keep the values of runs; shared memory if there are threads. */
export interface ResultData {
  /** Values of all runs, `width` doubles per run. */
  readonly values: Float64Array;
  /** Number of values of each run; 0 if it is not finished. */
  readonly lengths: Uint32Array;
  /** Number of doubles reserved per run. */
  readonly width: number;
}

/** Value of a run by position; NaN if missing. */
export function readResultValueAt(
  { values, lengths, width }: ResultData,
  runIndex: number,
  position: number,
): number {
  return position >= 0 && position < lengths[runIndex]! ? values[runIndex * width + position]! : Number.NaN;
}

/** Values of finished runs. */
export class Results {
  /** Storage, readable by other threads. */
  readonly data: ResultData;
  readonly #kind: Study['kind'];
  readonly #runs: Plan['runs'];
  readonly #classMetrics: readonly string[];
  /** Run indices by id, while results are missing. */
  #byId: ReadonlyMap<string, number> | undefined;
  #count = 0;

  /** @param kind kind of the study. */
  constructor(kind: Study['kind'], { runs, metrics }: Pick<Plan, 'runs' | 'metrics'>) {
    this.#kind = kind;
    this.#runs = runs;
    this.#classMetrics = selectClassMetricsByName(metrics);
    const isWorkloadStudy = kind === 'workloads';
    const width = isWorkloadStudy
      ? WORKLOAD_STATISTIC_NAMES.length
      : countKeptValuesOfRun(computeMaxSiteCountOfPlan({ runs }), metrics);
    const Memory = globalThis.SharedArrayBuffer ?? ArrayBuffer;
    const resultValues = new Float64Array(new Memory(runs.length * width * Float64Array.BYTES_PER_ELEMENT));
    const lengths = new Uint32Array(new Memory(runs.length * Uint32Array.BYTES_PER_ELEMENT));
    this.data = { values: resultValues, lengths, width };
  }

  /** Number of runs. */
  get length(): number {
    return this.#runs.length;
  }

  /** Number of finished runs. */
  get count(): number {
    return this.#count;
  }

  /** Stores the values of a run; null stands for a non-finite number. */
  set(runIndex: number, runValues: ArrayLike<number | null>): void {
    const from = runIndex * this.data.width;
    for (let i = 0; i < runValues.length; i++) this.data.values[from + i] = runValues[i] ?? Number.NaN;
    if (!this.isDone(runIndex)) this.#count++;
    this.data.lengths[runIndex] = runValues.length;
    if (this.#count === this.length) this.#byId = undefined;
  }

  /** Stores the values of a run by id, if it is in the plan. */
  readonly take = (id: string, values: ArrayLike<number | null>): void => {
    const runIndex = this.#indexOfRun(id);
    if (runIndex !== undefined) this.set(runIndex, values);
  };

  /** True if the results of a run are known. */
  isDone(runIndex: number): boolean {
    return this.data.lengths[runIndex]! > 0;
  }

  /** Indices of unfinished runs. */
  missing(): number[] {
    return [...this.#runs.keys()].filter((runIndex) => !this.isDone(runIndex));
  }

  /** Value of a run by metric name; NaN if missing. */
  value(runIndex: number, metric: string): number {
    const { sites } = this.#runs[runIndex]!.common;
    return readResultValueAt(
      this.data,
      runIndex,
      valuePositionsByMetric(this.#kind, sites.length, this.#classMetrics).get(metric) ?? -1,
    );
  }

  /** All values of a run, in the order of `valuePositionsByMetric`. */
  values(runIndex: number): number[] {
    const from = runIndex * this.data.width;
    return [...this.data.values.subarray(from, from + this.data.lengths[runIndex]!)];
  }

  /** All values of a run by id; undefined if unfinished or unknown. */
  valuesOf(id: string): number[] | undefined {
    const runIndex = this.#indexOfRun(id);
    return runIndex === undefined || !this.isDone(runIndex) ? undefined : this.values(runIndex);
  }

  #indexOfRun(id: string): number | undefined {
    this.#byId ??= new Map(this.#runs.map((plannedRun, runIndex) => [plannedRun.id, runIndex]));
    return this.#byId.get(id);
  }
}
