/** Prepares the chart data of a finished run, in columns that are transferred to the page without a copy. */
import {
  availableProcessorsOverTime,
  cumulativeDistributionCurve,
  stepFunctionOfSpans,
} from '../../../host/draw/timeline.js';
import { quantityOfJob } from '../../../host/jobs/quantities.js';
import { stableSortOrder } from '../../../host/math/stableOrder.js';
import { absencesFromSteps, stepsOfOutageEffects } from '../../../host/results/capacity.js';
import type { Simulation } from '../../../host/simulate/simulate.js';
import { uniqueJobNames, type Workload } from '../../../host/workload/workload.js';
import type { FinishedRunData, GanttBlockColumns, SharedJobColumns } from '../protocol.js';

/** Schedule data that charts need. */
export type ChartScheduleData = Pick<Simulation, 'workload' | 'grid' | 'schedule' | 'processorSets'>;

/** Returns a column of the log; undefined if all its values are missing (-1). */
function columnUnlessAllMissing(column: Float64Array | undefined): Float64Array | undefined {
  return column?.some((value) => value >= 0) ? column : undefined;
}

/** Returns the job attributes that all runs share. */
export function makeSharedJobColumns(workload: Workload, hasHomeSites: boolean): SharedJobColumns {
  const user = columnUnlessAllMissing(workload.log?.user);
  const queue = columnUnlessAllMissing(workload.log?.queue);
  return {
    count: workload.count,
    names: uniqueJobNames(workload),
    submit: workload.submit,
    requested: workload.processors,
    home: workload.home,
    ...(user === undefined ? {} : { user }),
    ...(queue === undefined ? {} : { queue }),
    ...(workload.names === undefined ? {} : { numberNames: workload.names }),
    hasHomes: hasHomeSites,
  };
}

/** Growing list of blocks, stored in columns. */
class GrowingGanttBlocks {
  #count = 0;
  #job: Int32Array;
  #site: Int32Array;
  #start: Float64Array;
  #end: Float64Array;
  #first: Int32Array;
  #after: Int32Array;
  #stopped: Uint8Array;

  /** @param expected initial capacity, in blocks. */
  constructor(expected: number) {
    this.#job = new Int32Array(expected);
    this.#site = new Int32Array(expected);
    this.#start = new Float64Array(expected);
    this.#end = new Float64Array(expected);
    this.#first = new Int32Array(expected);
    this.#after = new Int32Array(expected);
    this.#stopped = new Uint8Array(expected);
  }

  add(
    job: number,
    site: number,
    first: number,
    after: number,
    stopped: number,
    from: number,
    to: number,
  ): void {
    const at = this.#count++;
    if (at === this.#job.length) this.#grow();
    this.#job[at] = job;
    this.#site[at] = site;
    this.#start[at] = from;
    this.#end[at] = to;
    this.#first[at] = first;
    this.#after[at] = after;
    this.#stopped[at] = stopped;
  }

  #grow(): void {
    this.#job = copyToDoubledLength(this.#job);
    this.#site = copyToDoubledLength(this.#site);
    this.#start = copyToDoubledLength(this.#start);
    this.#end = copyToDoubledLength(this.#end);
    this.#first = copyToDoubledLength(this.#first);
    this.#after = copyToDoubledLength(this.#after);
    this.#stopped = copyToDoubledLength(this.#stopped);
  }

  /** Returns the blocks without the spare capacity, which would be transferred with them. */
  all(): GanttBlockColumns {
    const all = <Column extends Int32Array | Float64Array | Uint8Array>(column: Column) =>
      (column.length === this.#count ? column : column.slice(0, this.#count)) as Column;
    return {
      job: all(this.#job),
      site: all(this.#site),
      start: all(this.#start),
      end: all(this.#end),
      first: all(this.#first),
      after: all(this.#after),
      stopped: all(this.#stopped),
    };
  }
}

function copyToDoubledLength<Column extends Int32Array | Float64Array | Uint8Array>(column: Column): Column {
  const more = new (column.constructor as new (length: number) => Column)(2 * column.length + 1);
  more.set(column);
  return more;
}

/** Returns the blocks ordered by start; a range of processors is cut where a site ends. */
function makeGanttBlocks({ workload, grid, schedule, processorSets }: ChartScheduleData): GanttBlockColumns {
  if (processorSets === undefined) throw new Error('processors were not tracked');
  const { start, execution, held, stops } = schedule;
  const { firstPair, pairs } = processorSets;
  const { count, processors } = workload;
  // Usually one block per processor range, because few ranges cross sites.
  const blocks = new GrowingGanttBlocks(pairs.length / 2);
  const ends: number[] = [];
  for (const capacity of grid.capacities) ends.push((ends.at(-1) ?? 0) + capacity);
  const add = (job: number, from: number, to: number, stopped: number, pair: number, width: number) => {
    for (let at = 2 * pair, left = width; left > 0; at += 2) {
      const last = pairs[at + 1];
      left -= last - pairs[at] + 1;
      let site = 0;
      for (let first = pairs[at]; first <= last; ) {
        while (first >= ends[site]) site++;
        const after = Math.min(last + 1, ends[site]);
        blocks.add(job, site, first, after, stopped, from, to);
        first = after;
      }
    }
  };
  // Executions that ended by preemption follow the jobs.
  const begun = new Float64Array(count + (stops?.job.length ?? 0));
  begun.set(start);
  if (stops !== undefined) begun.set(stops.start, count);
  for (const one of stableSortOrder(begun)) {
    if (one < count) add(one, start[one], start[one] + execution[one], 0, firstPair[one], held[one]);
    else if (stops !== undefined) {
      const run = one - count;
      const job = stops.job[run];
      add(job, stops.start[run], stops.end[run], 1, stops.firstPair[run], processors[job]);
    }
  }
  return blocks.all();
}

/** Concatenates columns. */
function concatenateColumns(column: Float64Array, appended: ArrayLike<number> = []): Float64Array {
  if (appended.length === 0) return column;
  const all = new Float64Array(column.length + appended.length);
  all.set(column);
  all.set(appended, column.length);
  return all;
}

/** Returns the largest value, but at least 1. */
function maxAtLeastOne(values: Float64Array): number {
  let most = 1;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** Returns what outages had during a run that ends at a time; empty without outages. */
function absencesOfRun(
  { workload, grid, schedule: { outages }, processorSets }: ChartScheduleData,
  to: number,
): Pick<FinishedRunData, 'absences' | 'available'> {
  if (outages === undefined || processorSets === undefined) return {};
  const absences = absencesFromSteps(stepsOfOutageEffects(outages, processorSets), to);
  const processors = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const available = availableProcessorsOverTime(absences, processors, { from: workload.submit[0], to });
  return available === undefined ? {} : { absences, available };
}

/** Returns the chart data of a run. */
export function makeChartDataOfRun(
  pictured: ChartScheduleData,
): Pick<FinishedRunData, 'blocks' | 'waiting' | 'busy' | 'absences' | 'available' | 'waits' | 'slowdowns'> {
  const { workload, schedule } = pictured;
  const { submit, count, processors } = workload;
  const { start, execution, held, stops } = schedule;
  const [end, waits, slowdowns] = [0, 1, 2].map(() => new Float64Array(count));
  for (let job = 0; job < count; job++) {
    end[job] = start[job] + execution[job];
    waits[job] = start[job] - submit[job];
    slowdowns[job] = quantityOfJob('boundedSlowdown', submit[job], start[job], execution[job]);
  }
  // Executions that ended by preemption follow the jobs: they hold processors, and their jobs do not wait
  // meanwhile.
  const stopped = stops?.job.length ?? 0;
  const ones = new Float64Array(count).fill(1);
  return {
    blocks: makeGanttBlocks(pictured),
    ...absencesOfRun(
      pictured,
      end.reduce((latest, time) => Math.max(latest, time), 0),
    ),
    waiting: stepFunctionOfSpans({
      from: concatenateColumns(submit, stops?.start),
      to: concatenateColumns(start, stops?.end),
      amount: concatenateColumns(ones, new Float64Array(stopped).fill(-1)),
    }),
    busy: stepFunctionOfSpans({
      from: concatenateColumns(start, stops?.start),
      to: concatenateColumns(end, stops?.end),
      amount: concatenateColumns(
        Float64Array.from(held),
        stops?.job.map((job) => processors[job]),
      ),
    }),
    waits: cumulativeDistributionCurve(waits, 1, maxAtLeastOne(waits)),
    slowdowns: cumulativeDistributionCurve(slowdowns, 1, maxAtLeastOne(slowdowns)),
  };
}
