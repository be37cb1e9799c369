/** Where a simulation stands in memory, and how much it takes there. */

import type { Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { type Configuration, setCoreOptions } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import { accept } from './refusal.js';

const MOST_PROCESSORS = 0x7fffffff;

/** How allocators look for a site: one by one, or by an index of what is free. The answers are the same. */
export type SiteSearch = 'scan' | 'index';

/**
 * Sets the options of a simulation at an address, where the memory for its head (`Limit.HeadBytes`) must be there,
 * and lays it out for them and the jobs.
 * @param search how sites are searched, where the core is not to choose by their number.
 * @param policies how many policies it is to run together.
 * @returns its size in bytes; one that would reach beyond 4 GiB is not laid out.
 * @throws InputError when the core refuses an option.
 */
export function layOut(
  core: Core,
  block: number,
  {
    count,
    recent,
  }: Pick<Workload, 'count'> & { readonly recent?: Pick<NonNullable<Workload['recent']>, 'n'> },
  configuration: Configuration,
  search?: SiteSearch,
  policies = 0,
): number {
  const { capacities } = configuration.grid;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (processors > MOST_PROCESSORS) {
    throw new InputError(`sites: ${processors} processors are more than a grid may have`);
  }
  core.prepare(block);
  setCoreOptions(configuration, (name, value) => core.setOption(block, core.Option[name], value));
  core.setOption(block, core.Option.RecentJobs, recent?.n ?? 0);
  const status = core.fitRoom(block, count, capacities.length, processors);
  accept(core, status, { option: core.scalar(block, core.Scalar.RefusedOption) });
  if (search !== undefined) core.setRoom(block, core.Room.Index, search === 'index' ? 1 : 0);
  if (policies > 0) core.setRoom(block, core.Room.Policies, policies);
  return core.arrange(block);
}

/** Bytes that the histories of policies that are run together may take, beyond which it is not worth it. */
const MOST_HISTORY_BYTES = 2 ** 25;
/** Histories at most, and bytes of each for every job that runs. */
const MOST_HISTORIES = 64;
const RUNNING_BYTES = 16;

/**
 * How many of some policies a simulation may be laid out to run together: all, or none where the core would not, or
 * where too many jobs may run at once.
 */
export function policiesTogether({ grid, discipline, queue }: Configuration, policies: number): number {
  if (policies < 2 || discipline !== 'fcfs' || queue !== 'shared') return 0;
  const running = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const bytes = Math.min(policies, MOST_HISTORIES) * running * RUNNING_BYTES;
  return bytes <= MOST_HISTORY_BYTES ? policies : 0;
}

/**
 * How many entries the logs of a simulation had better have: twice those that another (or the same) has in them, and
 * room for one event more.
 * @returns the entries, and the bytes that must be there before the logs are extended.
 */
export function longerLogs(
  core: Core,
  block: number,
  source: number,
): { runs: number; parts: number; stops: number; bytes: number } {
  const { Room, Scalar } = core;
  const total = core.room(block, Room.Processors);
  const longer = (room: number, length: number) => {
    const entries = core.room(block, room);
    // One log may be full while another is not, and none may shrink.
    return entries === 0 ? 0 : Math.max(entries, 2 * (core.scalar(source, length) + total));
  };
  const runs = longer(Room.Runs, Scalar.LogLength);
  const parts = longer(Room.Parts, Scalar.PartsLength);
  const stops = longer(Room.Stops, Scalar.StopsLength);
  return { runs, parts, stops, bytes: core.scalar(block, Scalar.Bytes) + 8 * (runs + parts) + 32 * stops };
}
