/** Prepares the chart data of a finished run, in columns that are transferred to the page without a copy. */
import {
  availableProcessorsOverTime,
  makeCumulativeDistributionCurve,
  makeStepFunctionOfSpans,
} from '../../../host/draw/timeline.js';
import { computeQuantityOfJob } from '../../../host/jobs/quantities.js';
import { computeStableSortOrder } from '../../../host/math/stableOrder.js';
import { joinStepsIntoAbsences, makeAbsenceStepsOfOutages } from '../../../host/results/capacity.js';
import type { Simulation } from '../../../host/simulate/simulate.js';
import { makeUniqueJobNames, type Workload } from '../../../host/workload/workload.js';
import type { FinishedRunData, GanttBlockColumns, SharedJobColumns } from '../protocol.js';

/** Schedule data that charts need. */
export type ChartScheduleData = Pick<Simulation, 'workload' | 'grid' | 'schedule' | 'processorSets'>;

/** Returns a column of the log; undefined if all its values are missing (-1). */
function omitColumnIfAllMissing(column: Float64Array | undefined): Float64Array | undefined {
  return column?.some((value) => value >= 0) ? column : undefined;
}

/** Returns the job attributes that all runs share. */
export function makeSharedJobColumns(workload: Workload, hasHomeSites: boolean): SharedJobColumns {
  const user = omitColumnIfAllMissing(workload.log?.user);
  const queue = omitColumnIfAllMissing(workload.log?.queue);
  return {
    count: workload.count,
    names: makeUniqueJobNames(workload),
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
  #firstProcessor: Int32Array;
  #endProcessor: Int32Array;
  #stopped: Uint8Array;

  /** @param expected initial capacity, in blocks. */
  constructor(expected: number) {
    this.#job = new Int32Array(expected);
    this.#site = new Int32Array(expected);
    this.#start = new Float64Array(expected);
    this.#end = new Float64Array(expected);
    this.#firstProcessor = new Int32Array(expected);
    this.#endProcessor = new Int32Array(expected);
    this.#stopped = new Uint8Array(expected);
  }

  /**
   * Adds a block of the processors from `firstProcessor` up to, without, `endProcessor`.
   * @param preemptedFlag 1 if the execution ended by preemption, otherwise 0.
   */
  add(
    job: number,
    site: number,
    firstProcessor: number,
    endProcessor: number,
    preemptedFlag: number,
    from: number,
    to: number,
  ): void {
    const blockIndex = this.#count++;
    if (blockIndex === this.#job.length) this.#grow();
    this.#job[blockIndex] = job;
    this.#site[blockIndex] = site;
    this.#start[blockIndex] = from;
    this.#end[blockIndex] = to;
    this.#firstProcessor[blockIndex] = firstProcessor;
    this.#endProcessor[blockIndex] = endProcessor;
    this.#stopped[blockIndex] = preemptedFlag;
  }

  #grow(): void {
    this.#job = copyToDoubledLength(this.#job);
    this.#site = copyToDoubledLength(this.#site);
    this.#start = copyToDoubledLength(this.#start);
    this.#end = copyToDoubledLength(this.#end);
    this.#firstProcessor = copyToDoubledLength(this.#firstProcessor);
    this.#endProcessor = copyToDoubledLength(this.#endProcessor);
    this.#stopped = copyToDoubledLength(this.#stopped);
  }

  /** Returns the blocks without the spare capacity, which would be transferred with them. */
  all(): GanttBlockColumns {
    const trimToUsedLength = <Column extends Int32Array | Float64Array | Uint8Array>(column: Column) =>
      (column.length === this.#count ? column : column.slice(0, this.#count)) as Column;
    return {
      job: trimToUsedLength(this.#job),
      site: trimToUsedLength(this.#site),
      start: trimToUsedLength(this.#start),
      end: trimToUsedLength(this.#end),
      first: trimToUsedLength(this.#firstProcessor),
      after: trimToUsedLength(this.#endProcessor),
      stopped: trimToUsedLength(this.#stopped),
    };
  }
}

function copyToDoubledLength<Column extends Int32Array | Float64Array | Uint8Array>(column: Column): Column {
  const doubledColumn = new (column.constructor as new (length: number) => Column)(2 * column.length + 1);
  doubledColumn.set(column);
  return doubledColumn;
}

/** Returns the blocks ordered by start; a range of processors is cut where a site ends. */
function makeGanttBlocks({ workload, grid, schedule, processorSets }: ChartScheduleData): GanttBlockColumns {
  if (processorSets === undefined) throw new Error('processors were not tracked');
  const { start, execution, held: heldProcessors, stops } = schedule;
  const { firstPair, pairs } = processorSets;
  const { count: jobCount, processors } = workload;
  // Usually one block per processor range, because few ranges cross sites.
  const blocks = new GrowingGanttBlocks(pairs.length / 2);
  const endProcessorBySite: number[] = [];
  for (const capacity of grid.capacities)
    endProcessorBySite.push((endProcessorBySite.at(-1) ?? 0) + capacity);
  const addBlock = (
    job: number,
    from: number,
    to: number,
    preemptedFlag: number,
    pair: number,
    width: number,
  ) => {
    for (let pairIndex = 2 * pair, remainingProcessors = width; remainingProcessors > 0; pairIndex += 2) {
      const lastProcessor = pairs[pairIndex + 1];
      remainingProcessors -= lastProcessor - pairs[pairIndex] + 1;
      let site = 0;
      for (let firstProcessor = pairs[pairIndex]; firstProcessor <= lastProcessor; ) {
        while (firstProcessor >= endProcessorBySite[site]) site++;
        const endProcessor = Math.min(lastProcessor + 1, endProcessorBySite[site]);
        blocks.add(job, site, firstProcessor, endProcessor, preemptedFlag, from, to);
        firstProcessor = endProcessor;
      }
    }
  };
  // Executions that ended by preemption follow the jobs.
  const startTimes = new Float64Array(jobCount + (stops?.job.length ?? 0));
  startTimes.set(start);
  if (stops !== undefined) startTimes.set(stops.start, jobCount);
  for (const executionIndex of computeStableSortOrder(startTimes)) {
    if (executionIndex < jobCount)
      addBlock(
        executionIndex,
        start[executionIndex],
        start[executionIndex] + execution[executionIndex],
        0,
        firstPair[executionIndex],
        heldProcessors[executionIndex],
      );
    else if (stops !== undefined) {
      const preemptionIndex = executionIndex - jobCount;
      const job = stops.job[preemptionIndex];
      addBlock(
        job,
        stops.start[preemptionIndex],
        stops.end[preemptionIndex],
        1,
        stops.firstPair[preemptionIndex],
        processors[job],
      );
    }
  }
  return blocks.all();
}

/** Returns a column with values appended. */
function concatenateColumns(column: Float64Array, appendedValues: ArrayLike<number> = []): Float64Array {
  if (appendedValues.length === 0) return column;
  const concatenatedColumn = new Float64Array(column.length + appendedValues.length);
  concatenatedColumn.set(column);
  concatenatedColumn.set(appendedValues, column.length);
  return concatenatedColumn;
}

/** Returns the largest value, but at least 1. */
function maximumOfValuesAndOne(values: Float64Array): number {
  let maximum = 1;
  for (const value of values) maximum = Math.max(maximum, value);
  return maximum;
}

/**
 * Returns the absences of processors because of outages, and the available processors over time, in
 * a run that ends at a time; empty without outages.
 */
function makeAbsencesOfRun(
  { workload, grid, schedule: { outages }, processorSets }: ChartScheduleData,
  to: number,
): Pick<FinishedRunData, 'absences' | 'available'> {
  if (outages === undefined || processorSets === undefined) return {};
  const absences = joinStepsIntoAbsences(makeAbsenceStepsOfOutages(outages, processorSets), to);
  const processors = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const availableProcessors = availableProcessorsOverTime(absences, processors, {
    from: workload.submit[0],
    to,
  });
  return availableProcessors === undefined ? {} : { absences, available: availableProcessors };
}

/** Returns the chart data of a run. */
export function makeChartDataOfRun(
  simulation: ChartScheduleData,
): Pick<FinishedRunData, 'blocks' | 'waiting' | 'busy' | 'absences' | 'available' | 'waits' | 'slowdowns'> {
  const { workload, schedule } = simulation;
  const { submit, count: jobCount, processors } = workload;
  const { start, execution, held: heldProcessors, stops } = schedule;
  const [end, waits, slowdowns] = [0, 1, 2].map(() => new Float64Array(jobCount));
  for (let job = 0; job < jobCount; job++) {
    end[job] = start[job] + execution[job];
    waits[job] = start[job] - submit[job];
    slowdowns[job] = computeQuantityOfJob('boundedSlowdown', submit[job], start[job], execution[job]);
  }
  // Executions that ended by preemption follow the jobs: they hold processors, and their jobs do not wait
  // meanwhile.
  const preemptionCount = stops?.job.length ?? 0;
  const amountOfOnePerJob = new Float64Array(jobCount).fill(1);
  return {
    blocks: makeGanttBlocks(simulation),
    ...makeAbsencesOfRun(
      simulation,
      end.reduce((latest, time) => Math.max(latest, time), 0),
    ),
    waiting: makeStepFunctionOfSpans({
      from: concatenateColumns(submit, stops?.start),
      to: concatenateColumns(start, stops?.end),
      amount: concatenateColumns(amountOfOnePerJob, new Float64Array(preemptionCount).fill(-1)),
    }),
    busy: makeStepFunctionOfSpans({
      from: concatenateColumns(start, stops?.start),
      to: concatenateColumns(end, stops?.end),
      amount: concatenateColumns(
        Float64Array.from(heldProcessors),
        stops?.job.map((job) => processors[job]),
      ),
    }),
    waits: makeCumulativeDistributionCurve(waits, 1, maximumOfValuesAndOne(waits)),
    slowdowns: makeCumulativeDistributionCurve(slowdowns, 1, maximumOfValuesAndOne(slowdowns)),
  };
}
