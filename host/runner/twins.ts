/** Runs that several studies have: simulated for the first of them, kept by all. */
import type { RunValues } from './execute.js';
import type { Gathered } from './gathered.js';
import type { RunPlace } from './histories.js';
import type { Planned } from './planStudy.js';

/** A study whose runs are gathered. */
export interface GatheredStudy {
  readonly planned: Planned;
  readonly gathered: Gathered;
}

/** A run in all studies that have it, and its values. */
export type SameRuns = readonly [places: readonly RunPlace[], values: ArrayLike<number>];

/** Which runs of some studies are to be done, and which other studies have them. */
export class Twins {
  /** By study the runs that are to be done for it. */
  readonly missing: readonly Uint32Array[];
  /** How many runs the studies have, those that are done as one counted once. */
  readonly total: number;
  /** Values that one study holds already, for others that have the same runs. */
  readonly known: readonly SameRuns[];
  /** By the study and the run that is done for it: the others that are the same. */
  readonly #others: readonly Map<number, RunPlace[]>[];

  /**
   * @param studies none a shard, if there are several.
   * @param sharing whether a run of several studies is done once; else no study has part in those of others.
   */
  constructor(studies: readonly GatheredStudy[], sharing: boolean) {
    const all = studies.map(({ gathered }) => gathered.missing());
    this.#others = studies.map(() => new Map<number, RunPlace[]>());
    if (!sharing || studies.length === 1) {
      this.missing = all;
      this.total = studies.reduce((sum, { gathered }) => sum + gathered.total, 0);
      this.known = [];
      return;
    }
    const keyOf = keysOf(studies);
    const done = new Map<string, RunPlace>();
    studies.forEach(({ planned, gathered }, study) => {
      for (let run = 0; run < planned.plan.runs.length; run++) {
        if (gathered.isDone(run)) done.set(keyOf(study, run), [study, run]);
      }
    });
    const firsts = new Map<string, RunPlace>();
    const known: SameRuns[] = [];
    this.missing = all.map((runs, study) =>
      runs.filter((run) => {
        const key = keyOf(study, run);
        const twin = done.get(key);
        const first = firsts.get(key);
        if (twin !== undefined) known.push([[[study, run]], valuesOf(studies, twin)]);
        else if (first === undefined) firsts.set(key, [study, run]);
        else this.#add(first, [study, run]);
        return twin === undefined && first === undefined;
      }),
    );
    this.total = firsts.size + done.size;
    this.known = known;
  }

  #add([study, run]: RunPlace, twin: RunPlace): void {
    const twins = this.#others[study].get(run);
    if (twins === undefined) this.#others[study].set(run, [twin]);
    else twins.push(twin);
  }

  /** The runs of a batch with those that are the same. */
  of(batch: readonly RunValues[]): SameRuns[] {
    return batch.map(([place, values]) => {
      const [study, run] = place;
      return [[place, ...(this.#others[study].get(run) ?? [])], values];
    });
  }
}

/** By study its runs; with sharing without those that a study before it has. */
export function runsToDo(planned: readonly Planned[], sharing: boolean): Uint32Array[] {
  const all = planned.map(({ plan }) => Uint32Array.from({ length: plan.runs.length }, (_, run) => run));
  if (!sharing || planned.length === 1) return all;
  const keyOf = keysOf(planned.map((each) => ({ planned: each })));
  const keys = new Set<string>();
  return all.map((runs, study) =>
    runs.filter((run) => {
      const before = keys.size;
      return keys.add(keyOf(study, run)).size > before;
    }),
  );
}

/** What tells runs apart: their ids say all that decides them, and the studies what is kept of them. */
function keysOf(studies: readonly Pick<GatheredStudy, 'planned'>[]): (study: number, run: number) => string {
  const kinds = studies.map(({ planned }) => String(planned.plan.metrics));
  const kind = kinds.map((metrics) => kinds.indexOf(metrics));
  return (study, run) => studies[study].planned.plan.runs.id(run) + kind[study];
}

function valuesOf(studies: readonly GatheredStudy[], [study, run]: RunPlace): readonly number[] {
  const { results } = studies[study].gathered;
  if (results === undefined) throw new Error('a shard holds no values');
  return results.values(run);
}
