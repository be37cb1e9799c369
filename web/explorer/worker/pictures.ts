/** What pictures need of a finished run, as columns that can be handed over without a copy. */
import { busyProcessors, cumulativeShares, waitingJobs } from '../../../host/draw/timeline.js';
import type { FinishedJob, HeldProcessors, StoppedRun } from '../../../host/results/finishedJobs.js';
import type { Simulation } from '../../../host/simulate/simulate.js';
import { jobNames, type Workload } from '../../../host/workload/workload.js';
import type { Blocks, JobColumns, RunData } from '../protocol.js';

/** What became of the jobs: all that their pictures go by. */
export type Pictured = Pick<Simulation, 'workload' | 'grid' | 'schedule' | 'processorSets'>;

/** A column of the log where it says anything. */
function known(column: Float64Array | undefined): Float64Array | undefined {
  return column?.some((value) => value >= 0) ? column : undefined;
}

/** The columns of jobs that all runs have in common. */
export function jobColumns(workload: Workload, hasHomes: boolean): JobColumns {
  const user = known(workload.log?.user);
  const queue = known(workload.log?.queue);
  return {
    count: workload.count,
    names: jobNames(workload),
    submit: workload.submit,
    requested: workload.processors,
    home: workload.home,
    ...(user === undefined ? {} : { user }),
    ...(queue === undefined ? {} : { queue }),
    ...(workload.names === undefined ? {} : { called: workload.names }),
    hasHomes,
  };
}

/** The runs of processors that begin with a pair, and are so many processors together. */
function eachRun(
  pairs: Int32Array,
  firstPair: number,
  held: number,
  visit: (first: number, last: number) => void,
): void {
  for (let pair = firstPair, left = held; left > 0; pair++) {
    visit(pairs[2 * pair], pairs[2 * pair + 1]);
    left -= pairs[2 * pair + 1] - pairs[2 * pair] + 1;
  }
}

/** Blocks one after the other, in columns that grow. */
class GrowingBlocks {
  #count = 0;
  #integers = new Int32Array(5 << 12);
  #times = new Float64Array(2 << 12);

  add(
    job: number,
    site: number,
    first: number,
    after: number,
    stopped: number,
    from: number,
    to: number,
  ): void {
    const [at, when] = [5 * this.#count, 2 * this.#count];
    if (at === this.#integers.length) this.#grow();
    this.#integers[at] = job;
    this.#integers[at + 1] = site;
    this.#integers[at + 2] = first;
    this.#integers[at + 3] = after;
    this.#integers[at + 4] = stopped;
    this.#times[when] = from;
    this.#times[when + 1] = to;
    this.#count++;
  }

  #grow(): void {
    const [integers, times] = [this.#integers, this.#times];
    this.#integers = new Int32Array(2 * integers.length);
    this.#integers.set(integers);
    this.#times = new Float64Array(2 * times.length);
    this.#times.set(times);
  }

  /** All of them by their start. */
  sorted(): Blocks {
    const [integers, times, count] = [this.#integers, this.#times, this.#count];
    const order = new Uint32Array(count);
    for (let i = 0; i < count; i++) order[i] = i;
    order.sort((a, b) => times[2 * a] - times[2 * b]);
    const take = <Column extends Int32Array | Uint8Array | Float64Array>(
      column: Column,
      values: Int32Array | Float64Array,
      [width, place]: readonly [number, number],
    ) => {
      for (let i = 0; i < count; i++) column[i] = values[width * order[i] + place];
      return column;
    };
    return {
      job: take(new Int32Array(count), integers, [5, 0]),
      site: take(new Int32Array(count), integers, [5, 1]),
      start: take(new Float64Array(count), times, [2, 0]),
      end: take(new Float64Array(count), times, [2, 1]),
      first: take(new Int32Array(count), integers, [5, 2]),
      after: take(new Int32Array(count), integers, [5, 3]),
      stopped: take(new Uint8Array(count), integers, [5, 4]),
    };
  }
}

/** Blocks by their start; cut where a site ends. */
function blocksOf({ workload, grid, schedule, processorSets }: Pictured): Blocks {
  if (processorSets === undefined) throw new Error('processors were not tracked');
  const { start, execution, held, stops } = schedule;
  const { firstPair, pairs } = processorSets;
  const blocks = new GrowingBlocks();
  const ends: number[] = [];
  for (const capacity of grid.capacities) ends.push((ends.at(-1) ?? 0) + capacity);
  const add = (job: number, from: number, to: number, stopped: number, first: number, last: number) => {
    for (let processor = first; processor <= last; ) {
      const site = ends.findIndex((end) => processor < end);
      const after = Math.min(last + 1, ends[site]);
      blocks.add(job, site, processor, after, stopped, from, to);
      processor = after;
    }
  };
  for (let job = 0; job < workload.count; job++) {
    const end = start[job] + execution[job];
    eachRun(pairs, firstPair[job], held[job], (first, last) => add(job, start[job], end, 0, first, last));
  }
  stops?.job.forEach((job, i) => {
    const runs = (first: number, last: number) => add(job, stops.start[i], stops.end[i], 1, first, last);
    eachRun(pairs, stops.firstPair[i], workload.processors[job], runs);
  });
  return blocks.sorted();
}

/** The jobs as pictures of files take them. */
function finishedJobs({ workload, schedule, processorSets }: Pictured): {
  readonly jobs: readonly FinishedJob[];
  readonly stopped: readonly StoppedRun[];
} {
  const names = jobNames(workload);
  const { start, execution, held, stops } = schedule;
  const runsOf = (firstPair: number, width: number): HeldProcessors['runs'] => {
    const runs: [number, number][] = [];
    if (processorSets !== undefined)
      eachRun(processorSets.pairs, firstPair, width, (...run) => runs.push(run));
    return runs;
  };
  const jobs = names.map((name, i) => ({
    name,
    submit: workload.submit[i],
    start: start[i],
    end: start[i] + execution[i],
    processors: held[i],
    requested: workload.processors[i],
    home: workload.home[i],
    runs: runsOf(processorSets?.firstPair[i] ?? 0, held[i]),
  }));
  const stopped = Array.from(stops?.job ?? [], (job, i): StoppedRun => {
    const { start: from, end, firstPair } = stops as NonNullable<typeof stops>;
    const processors = workload.processors[job];
    const runs = runsOf(firstPair[i], processors);
    return { job: jobs[job], start: from[i], end: end[i], processors, runs };
  });
  return { jobs, stopped };
}

/** Executions shorter than this count as this long in a bounded slowdown, in seconds. */
const SHORTEST = 10;

/** What charts show of a run. */
export function chartsOf(
  pictured: Pictured,
): Pick<RunData, 'blocks' | 'waiting' | 'busy' | 'waits' | 'slowdowns'> {
  const { jobs, stopped } = finishedJobs({ ...pictured, processorSets: undefined as never });
  const slowdowns = jobs.map(({ submit, start, end }) =>
    Math.max(1, (end - submit) / Math.max(SHORTEST, end - start)),
  );
  const waits = jobs.map(({ submit, start }) => start - submit);
  const largest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 1);
  return {
    blocks: blocksOf(pictured),
    waiting: waitingJobs(jobs, stopped),
    busy: busyProcessors([...jobs, ...stopped]),
    waits: cumulativeShares(waits, 1, largest(waits)),
    slowdowns: cumulativeShares(slowdowns, 1, largest(slowdowns)),
  };
}
