/** Runs to be done, whoever asks for them and wherever their values go: dealt out by their jobs, and by what they have in common. */
import { firstOf } from '../lists.js';
import type { Simulator } from '../simulate/simulator.js';
import { historiesOf, type PlannedRun, parametersOf } from '../study/plan.js';
import { groupValues, type RunGroup } from './runTask.js';

/** Runs, each a setting with a workload; a run is known by its place. */
export interface RunList {
  readonly runs: readonly Pick<PlannedRun, 'workload' | 'policy' | 'common'>[];
  /** Names of metrics of every job that are kept of each run; one object for all runs of which that is the same. */
  readonly wanted: readonly { readonly jobMetrics: readonly string[] }[];
}

/** Runs that begin as one, in order: their places in a list. */
export type History = readonly number[];

/** Histories by their workloads. */
export type Histories = ReadonlyMap<number, readonly History[]>;

/**
 * The histories of some runs of a list.
 * @param areShared whether runs begin as one at all; otherwise each is a history of its own.
 */
export function groupRuns(
  { runs, wanted }: RunList,
  places: Iterable<number>,
  areShared: boolean,
): Histories {
  const numbers = historiesOf(runs);
  const byWorkload = new Map<number, number[][]>();
  const known = new Map<string, number[]>();
  for (const place of places) {
    const key = areShared ? [numbers[place], ...wanted[place]!.jobMetrics].join() : `${place}`;
    const history = known.get(key);
    if (history !== undefined) {
      history.push(place);
      continue;
    }
    const begun = [place];
    known.set(key, begun);
    const { workload } = runs[place]!;
    const histories = byWorkload.get(workload);
    if (histories === undefined) byWorkload.set(workload, [begun]);
    else histories.push(begun);
  }
  return byWorkload;
}

/** Cuts runs into so many parts, one after the other, as equal as can be; none is empty. */
export function cutRuns(runs: History, parts: number): History[] {
  const count = Math.min(parts, runs.length);
  return Array.from({ length: count }, (_, i) =>
    runs.slice(Math.floor((i * runs.length) / count), Math.floor(((i + 1) * runs.length) / count)),
  );
}

/** Jobs simulated in one batch, about, unless one history has more: a tenth of a second without sharing. */
const JOBS_PER_BATCH = 1_200_000;
/** Runs of a batch at most: batches, not the study, are what is in memory at once. */
export const RUNS_PER_BATCH = 256;
/** The runs left of a workload are dealt out in so many batches per thread, so that none is late at the end. */
const SHARES = 3;

/**
 * The histories of a workload in batches. Fewer histories than threads are cut, so that all threads are busy to the end.
 * @param left how many histories there are, with those of workloads to come.
 */
export function* batchesOf(
  histories: readonly History[],
  { jobs, threads, left }: { readonly jobs: number; readonly threads: number; readonly left: number },
): Generator<readonly History[]> {
  let runsLeft = lengthOf(histories);
  let batch: History[] = [];
  for (const [i, history] of histories.entries()) {
    const parts = Math.max(Math.ceil(threads / (left - i)), Math.ceil(history.length / RUNS_PER_BATCH));
    for (const part of cutRuns(history, parts)) {
      const share = Math.ceil(runsLeft / (SHARES * threads));
      const most = Math.min(share, RUNS_PER_BATCH, Math.ceil(JOBS_PER_BATCH / jobs));
      if (batch.length > 0 && lengthOf(batch) + part.length > most) {
        yield batch;
        runsLeft -= lengthOf(batch);
        batch = [];
      }
      batch.push(part);
    }
  }
  yield batch;
}

/** How many runs some histories have. */
export function lengthOf(histories: readonly History[]): number {
  return histories.reduce((sum, { length }) => sum + length, 0);
}

/** What a thread is told of a history. */
export function groupOf({ runs, wanted }: RunList, history: History): RunGroup {
  const first = firstOf(history);
  const policies = history.map((run) => runs[run]!.policy);
  return { parameters: parametersOf(runs[first]!), policies, jobMetrics: wanted[first]!.jobMetrics };
}

/** The values of all runs of a list, which have the same jobs, by a simulator of these. */
export function valuesHere(list: RunList, simulator: Simulator, areShared: boolean): number[][] {
  const values: number[][] = [];
  for (const history of [...groupRuns(list, list.runs.keys(), areShared).values()].flat()) {
    const places = history.values();
    for (const each of groupValues(simulator, groupOf(list, history)))
      values[places.next().value as number] = each;
  }
  return values;
}
