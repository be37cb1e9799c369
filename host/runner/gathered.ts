/** Which runs of a study are done, and their values. */
import type { Study } from '../study/definition.js';
import { type Plan, planSites } from '../study/plan.js';
import { Results } from '../study/resultTable.js';
import { valueCount, WORKLOAD_METRICS } from '../study/runValues.js';
import type { Shard } from './folder.js';
import { dealShards } from './histories.js';
import type { TakeResult } from './journal.js';

/** All runs as one shard. */
export const WHOLE: Shard = { index: 1, count: 1 };

/** Which runs of a shard are done; of the whole study their values too. */
export class Gathered {
  /** Undefined for a shard. */
  readonly results: Results | undefined;
  /** How many runs the shard has. */
  readonly total: number;
  readonly #plan: Plan;
  /** Whether a run is of the shard, and whether it is done. */
  readonly #isOurs: Uint8Array;
  readonly #isDone: Uint8Array;
  #count = 0;

  constructor(study: Study, plan: Plan, { index, count }: Shard) {
    const { runs } = plan;
    this.#plan = plan;
    this.#isDone = new Uint8Array(runs.length);
    this.#isOurs = new Uint8Array(runs.length).fill(1);
    if (count > 1) {
      const shards = dealShards(runs.histories(), count);
      this.#isOurs.forEach((_, run, isOurs) => {
        isOurs[run] = Number(shards[run] === index - 1);
      });
    }
    this.total = this.#isOurs.reduce((sum, each) => sum + each, 0);
    this.results = count === 1 ? resultsFor(study, plan) : undefined;
  }

  /** How many runs are done. */
  get count(): number {
    return this.#count;
  }

  /** Takes a result from a journal. */
  readonly take: TakeResult = (id, values) => {
    const run = this.#plan.runs.find(id);
    if (run !== undefined) this.add(run, values);
  };

  /** Keeps the values of a run. */
  add(run: number, values: readonly (number | null)[]): void {
    this.#count += this.#isOurs[run] & (1 - this.#isDone[run]);
    this.#isDone[run] = 1;
    this.results?.set(run, values);
  }

  isDone(run: number): boolean {
    return this.#isDone[run] === 1;
  }

  /** Runs of the shard that are not done. */
  missing(): Uint32Array {
    const runs = new Uint32Array(this.total - this.#count);
    let length = 0;
    for (let run = 0; run < this.#isDone.length; run++) {
      if (this.#isOurs[run] === 1 && this.#isDone[run] === 0) runs[length++] = run;
    }
    return runs;
  }
}

function resultsFor({ kind }: Study, plan: Plan): Results {
  const width = kind === 'workloads' ? WORKLOAD_METRICS.length : valueCount(planSites(plan), plan.metrics);
  return new Results(plan.runs.length, width);
}
