/** The offered load of a run, from work that is added up once for runs that it is the same for. */
import { offeredLoad, workOf } from './offeredLoad.js';
import type { Simulator } from './simulator.js';

/** Of each simulator the work of its jobs, by what decides that besides them. */
const known = new WeakMap<Simulator, Map<string, number>>();

/** The offered load of the jobs of a simulator on its grid. */
export function offeredBy(simulator: Simulator): number {
  const { grid, load, runtimeReference } = simulator.configuration;
  const decided = JSON.stringify([load, runtimeReference === 'home' ? grid.speeds : []]);
  const works = known.get(simulator) ?? new Map<string, number>();
  known.set(simulator, works);
  const jobs = simulator.jobColumns();
  const work = works.get(decided) ?? workOf(jobs, simulator.configuration);
  works.set(decided, work);
  return offeredLoad(jobs, simulator.configuration, work);
}
