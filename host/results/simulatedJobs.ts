/** Jobs of a simulation as typed arrays by attribute, for table libraries. */
import { checkArgument } from '../arguments.js';
import { type JobColumns, makeAttributeColumns } from '../jobs/attributes.js';
import type { Simulation } from '../simulate/simulate.js';

/**
 * Returns the jobs of a simulation as typed arrays by attribute, in the order of `workload.job`. Each array
 * is one block of memory, which Arrow and data frame libraries use without copying. Existing columns of the
 * simulation are shared, not copied. The names are the columns of `gridalloc jobs`, where sites are numbered
 * from 1.
 * @example
 * const { wait, site } = jobColumns(simulate(workload, grid));
 * console.log(wait.length, Math.max(...site)); // 200 1
 */
export function jobColumns(simulation: Simulation): JobColumns {
  checkArgument(simulation, 'simulation', 'jobColumns');
  const { count: jobCount } = simulation.workload;
  return makeAttributeColumns(jobCount, ({ readSimulated }) =>
    readSimulated?.(simulation),
  ) as unknown as JobColumns;
}
