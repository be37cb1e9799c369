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

/** Blocks by their start; cut where a site ends. */
function blocksOf({ workload, grid, schedule, processorSets }: Pictured): Blocks {
  if (processorSets === undefined) throw new Error('processors were not tracked');
  const { start, execution, held, stops } = schedule;
  const { firstPair, pairs } = processorSets;
  const columns: number[][] = [[], [], [], [], [], [], []];
  const ends: number[] = [];
  for (const capacity of grid.capacities) ends.push((ends.at(-1) ?? 0) + capacity);
  const add = (
    job: number,
    from: number,
    to: number,
    stopped: number,
    [first, last]: readonly [number, number],
  ) => {
    for (let processor = first; processor <= last; ) {
      const site = ends.findIndex((end) => processor < end);
      const after = Math.min(last + 1, ends[site]);
      [job, site, from, to, processor, after, stopped].forEach((value, i) => {
        columns[i].push(value);
      });
      processor = after;
    }
  };
  for (let job = 0; job < workload.count; job++) {
    const end = start[job] + execution[job];
    eachRun(pairs, firstPair[job], held[job], (first, last) => add(job, start[job], end, 0, [first, last]));
  }
  stops?.job.forEach((job, i) => {
    const runs = (first: number, last: number) => add(job, stops.start[i], stops.end[i], 1, [first, last]);
    eachRun(pairs, stops.firstPair[i], workload.processors[job], runs);
  });
  const order = Uint32Array.from(columns[2], (_, i) => i).sort((a, b) => columns[2][a] - columns[2][b]);
  const [job, site, from, to, first, after, stopped] = columns;
  const integers = (values: readonly number[]) => Int32Array.from(order, (i) => values[i]);
  return {
    job: integers(job),
    site: integers(site),
    start: Float64Array.from(order, (i) => from[i]),
    end: Float64Array.from(order, (i) => to[i]),
    first: integers(first),
    after: integers(after),
    stopped: Uint8Array.from(order, (i) => stopped[i]),
  };
}

/** The jobs as pictures of files take them. */
export function finishedJobs({ workload, schedule, processorSets }: Pictured): {
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
