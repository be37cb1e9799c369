import { applyCapacityChange, type OutageCapacityChange, recordProcessorsInOutage } from './outages.js';
import {
  cancellationTimeOfJob,
  cancelWaitingJob,
  findNextJobToCancel,
  findNextJobToFinish,
  finishJob,
  type JobRecord,
  releaseTimeOfJob,
  type Simulation,
  submitNextJob,
} from './simulation.js';
import type { ReferenceOptions } from './types.js';

/** The submission, the cancellation while waiting, or the end of a job. */
export interface SimulationEvent {
  time: number;
  /** The submitted job; undefined for other events. */
  submitted?: JobRecord | undefined;
  /** The job that is cancelled while it waits; undefined for other events. */
  left?: JobRecord | undefined;
  /** The begin or the end of an outage; undefined for other events. */
  capacity?: OutageCapacityChange | undefined;
  handle: () => void;
}

/**
 * The next event, at infinity if there is none. At equal times submissions come first, then
 * cancellations, then ends; if passes follow whole instants, ends come before the other two. Capacity
 * changes come last.
 */
export function findNextEvent(simulation: Simulation): SimulationEvent {
  const finishingJob = findNextJobToFinish(simulation);
  const submitted = simulation.coming.at(-1);
  const submitTime = submitted?.submit ?? Number.POSITIVE_INFINITY;
  const finishTime =
    finishingJob === undefined ? Number.POSITIVE_INFINITY : releaseTimeOfJob(simulation, finishingJob);
  const { instant, reservations } = simulation.options;
  const isPerEvent = instant === 'per-event' && !doPassesHaveOwnTimes(simulation.options);
  const doesSubmissionComeFirst = isPerEvent || reservations === 'kept';
  const left = findNextJobToCancel(simulation);
  const leaveTime = left === undefined ? Number.POSITIVE_INFINITY : cancellationTimeOfJob(left);
  const [capacity] = simulation.capacityChanges;
  const capacityChangeTime = capacity?.time ?? Number.POSITIVE_INFINITY;
  const time = Math.min(submitTime, leaveTime, finishTime, capacityChangeTime);
  const events: { [kind: string]: SimulationEvent } = {
    submission: { time: submitTime, submitted, handle: () => submitNextJob(simulation) },
    cancellation: { time: leaveTime, left, handle: () => cancelWaitingJob(simulation, left!) },
    end: { time: finishTime, handle: () => finishJob(simulation, finishingJob!) },
    capacity: { time: capacityChangeTime, capacity, handle: () => handleNextCapacityChange(simulation) },
  };
  const order = doesSubmissionComeFirst
    ? ['submission', 'cancellation', 'end']
    : ['end', 'submission', 'cancellation'];
  return events[[...order, 'capacity'].find((kind) => events[kind]!.time === time)!]!;
}

function handleNextCapacityChange(simulation: Simulation): void {
  const change = simulation.capacityChanges.shift()!;
  applyCapacityChange(simulation, change);
  recordProcessorsInOutage(simulation, change.time);
}

/**
 * Returns true if passes have times of their own: main passes with delays or gaps, or backfill
 * passes at an interval.
 */
export function doPassesHaveOwnTimes(options: ReferenceOptions): boolean {
  const { passDelay, passGap, backfillInterval } = options;
  return [passDelay, passGap, backfillInterval].some((each) => each !== undefined);
}

/** Applies the changes of site speeds that are due before a time. */
export function applySpeedChangesBefore({ options, grid }: Simulation, time: number): void {
  while (options.changes !== undefined && options.changes.length > 0 && options.changes[0]!.time < time) {
    options.speeds = options.changes.shift()!.speeds;
    options.heterogeneity = undefined;
    for (const site of grid) site.speed = options.speeds[site.index]!;
  }
}
