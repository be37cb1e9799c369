/** What pictures need of a finished run, as columns that can be handed over without a copy. */
import { accumulate, cumulativeShares } from '../../../host/draw/timeline.js';
import { stableOrder } from '../../../host/math/stableOrder.js';
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
    const starts = new Float64Array(count);
    for (let i = 0; i < count; i++) starts[i] = times[2 * i];
    const order = stableOrder(starts);
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
    let site = 0;
    for (let processor = first; processor <= last; ) {
      while (processor >= ends[site]) site++;
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

type Stops = NonNullable<Pictured['schedule']['stops']>;
/** A number of one of the runs that were stopped. */
type OfRun = (place: number, stops: Stops) => number;

/** Executions shorter than this count as this long in a bounded slowdown, in seconds. */
const SHORTEST = 10;

/** What charts show of a run. */
export function chartsOf(
  pictured: Pictured,
): Pick<RunData, 'blocks' | 'waiting' | 'busy' | 'waits' | 'slowdowns'> {
  const { workload, schedule } = pictured;
  const { submit, count } = workload;
  const { start, execution, held, stops } = schedule;
  const end = start.map((at, job) => at + execution[job]);
  const waits = start.map((at, job) => at - submit[job]);
  const slowdowns = end.map((at, job) =>
    Math.max(1, (at - submit[job]) / Math.max(SHORTEST, at - start[job])),
  );
  const largest = (values: Float64Array) => values.reduce((most, value) => Math.max(most, value), 1);
  // After the jobs come the runs that were stopped: they hold processors, and their jobs do not wait meanwhile.
  const stopped = stops?.job.length ?? 0;
  const of = (jobs: (job: number) => number, runs: (place: number, stops: Stops) => number) => (i: number) =>
    i < count ? jobs(i) : runs(i - count, stops as Stops);
  const startOf: OfRun = (place, stops) => stops.start[place];
  const endOf: OfRun = (place, stops) => stops.end[place];
  return {
    blocks: blocksOf(pictured),
    waiting: accumulate(
      count + stopped,
      of((job) => submit[job], startOf),
      of((job) => start[job], endOf),
      of(
        () => 1,
        () => -1,
      ),
    ),
    busy: accumulate(
      count + stopped,
      of((job) => start[job], startOf),
      of((job) => end[job], endOf),
      of(
        (job) => held[job],
        (place, { job }) => workload.processors[job[place]],
      ),
    ),
    waits: cumulativeShares(waits, 1, largest(waits)),
    slowdowns: cumulativeShares(slowdowns, 1, largest(slowdowns)),
  };
}
