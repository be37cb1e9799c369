/** Where a simulation stands in memory, and how much it takes there. */

import type { Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { type Configuration, setCoreOptions } from '../options/configuration.js';
import { accept } from './refusal.js';

const MOST_PROCESSORS = 0x7fffffff;

/**
 * Sets the options of a simulation at an address, where the memory for its head (`Limit.HeadBytes`) must be there,
 * and lays it out for them and so many jobs.
 * @returns its size in bytes; one that would reach beyond 4 GiB is not laid out.
 * @throws InputError when the core refuses an option.
 */
export function layOut(core: Core, block: number, count: number, configuration: Configuration): number {
  const { capacities } = configuration.grid;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (processors > MOST_PROCESSORS) {
    throw new InputError(`sites: ${processors} processors are more than a grid may have`);
  }
  core.prepare(block);
  setCoreOptions(configuration, (name, value) => core.setOption(block, core.Option[name], value));
  const status = core.fitRoom(block, count, capacities.length, processors);
  accept(core, status, { option: core.scalar(block, core.Scalar.RefusedOption) });
  return core.arrange(block);
}
