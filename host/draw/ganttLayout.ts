/** Geometry of drawings with time to the right and the processors of all sites downwards. */
import type { HeldProcessors } from '../results/finishedJobs.js';

/** A span of time in seconds on the clock of the log. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The stripe of one site. */
export interface SiteLane {
  /** Its first processor, numbered through the grid from 0. */
  readonly first: number;
  readonly capacity: number;
  readonly top: number;
  readonly height: number;
}

/** Between two lanes. */
const LANE_GAP = 6;

/** Lanes from `top` downwards, as high as sites have processors, none lower than `least` pixels. */
export function siteLanes(
  capacities: readonly number[],
  top: number,
  perProcessor: number,
  least: number,
): SiteLane[] {
  const lanes: SiteLane[] = [];
  let first = 0;
  let y = top;
  for (const capacity of capacities) {
    const height = Math.max(least, capacity * perProcessor);
    lanes.push({ first, capacity, top: y, height });
    first += capacity;
    y += height + LANE_GAP;
  }
  return lanes;
}

/** A block of neighbouring processors that are held for a while, in pixels. */
export interface GanttBlock {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where time stands from left to right. */
export interface TimeScale extends TimeWindow {
  readonly left: number;
  readonly width: number;
}

/** The x of a time, kept within the window. */
export function timeX(time: number, { from, to, left, width }: TimeScale): number {
  const inside = Math.min(Math.max(time, from), to);
  return left + ((inside - from) / (to - from)) * width;
}

/** Those of jobs or stopped runs that hold processors at some time inside a window. */
export function heldWithin<Held extends HeldProcessors>(
  held: readonly Held[],
  { from, to }: TimeWindow,
): Held[] {
  return held.filter(({ start, end }) => start < to && end > from);
}

/** The blocks of one job or stopped run: one per run of processors, cut where a lane ends. */
export function heldBlocks(job: HeldProcessors, lanes: readonly SiteLane[], scale: TimeScale): GanttBlock[] {
  const x = timeX(job.start, scale);
  const width = timeX(job.end, scale) - x;
  return job.runs.flatMap(([first, last]) =>
    lanes.flatMap((lane): GanttBlock[] => {
      const from = Math.max(first, lane.first);
      const to = Math.min(last + 1, lane.first + lane.capacity);
      if (from >= to) return [];
      const perProcessor = lane.height / lane.capacity;
      return [
        { x, y: lane.top + (from - lane.first) * perProcessor, width, height: (to - from) * perProcessor },
      ];
    }),
  );
}

/** Processors of a lane in use by one job or stopped run. */
export function laneProcessors(job: HeldProcessors, { first, capacity }: SiteLane): number {
  return job.runs.reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(to + 1, first + capacity) - Math.max(from, first)),
    0,
  );
}
