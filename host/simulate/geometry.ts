/** How much memory a simulation takes: what its configuration needs room for. */

import type { Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { type Configuration, maySplit } from '../options/configuration.js';

/** Bytes that are enough for the head of any simulation. */
export const HEAD = 65536;
/** Runs of processors that the log holds at first, per job; and parts, and stopped runs. */
const RUNS_PER_JOB = 4;
const PARTS_PER_JOB = 2;
const STOPS_PER_JOB = 1;

/** What `arrange` is told. */
export interface Geometry {
  readonly count: number;
  readonly sites: number;
  /** Processors of the grid. */
  readonly total: number;
  /** Runs of processors that the log can hold at first; 0 where processors are not tracked. */
  readonly runs: number;
  /** Parts of split jobs that their log can hold at first; 0 where jobs are not split. */
  readonly parts: number;
  /** Stopped runs that their log can hold at first; 0 where none are stopped, or processors not tracked. */
  readonly stops: number;
  /** Whether the queue is kept by ranks: in all cases but fcfs on one shared queue. */
  readonly ranks: boolean;
  /** Whether jobs away from home are kept apart, to be stopped. */
  readonly guests: boolean;
  /** Whether jobs are moldable, and whether the ends of running jobs are predicted. */
  readonly molds: boolean;
  readonly predictions: boolean;
  /** Shares of sites that can be reserved at once, 0 without backfilling; and whether data move. */
  readonly reservations: number;
  readonly transfers: boolean;
}

/** Shares of sites that waiting jobs can have reserved at once. */
function reservationsOf({ discipline, multiSiteFactor, grid }: Configuration, count: number): number {
  const shares = multiSiteFactor > 0 ? grid.capacities.length : 1;
  if (discipline === 'easy') return shares;
  return discipline === 'conservative' ? count * shares : 0;
}

/** What a configuration needs room for, with so many jobs. */
export function geometryOf(configuration: Configuration, count: number): Geometry {
  const { grid, trackProcessors, discipline, queue, reclaim, moldable } = configuration;
  const reservations = reservationsOf(configuration, count);
  const total = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (total > 0x7fffffff) throw new InputError(`sites: ${total} processors are more than a grid may have`);
  return {
    count,
    sites: grid.capacities.length,
    total,
    runs: trackProcessors ? RUNS_PER_JOB * count + 2 * total : 0,
    parts: maySplit(configuration) ? PARTS_PER_JOB * count + 2 * total : 0,
    stops: trackProcessors && reclaim ? STOPS_PER_JOB * count + total : 0,
    ranks: discipline !== 'fcfs' || queue !== 'shared',
    guests: reclaim,
    molds: moldable !== 'none',
    predictions: configuration.moldableThreshold > 0 || reservations > 0,
    reservations,
    transfers: configuration.bandwidth !== 0,
  };
}

/** Lays a simulation out at an address, where the memory for its head must be; returns its size in bytes. */
export function arrangeSimulation(core: Core, address: number, geometry: Geometry): number {
  const { count, sites, total, runs, parts, stops, ranks, guests, molds, predictions } = geometry;
  const { reservations, transfers } = geometry;
  const flags = [ranks, guests, molds, predictions].map(Number) as [number, number, number, number];
  const bytes = core.arrange(
    address,
    count,
    sites,
    total,
    runs,
    parts,
    stops,
    ...flags,
    reservations,
    Number(transfers),
  );
  return bytes >>> 0;
}
