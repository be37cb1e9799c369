/** The offered load of a run, computed once for runs that it is the same for. */
import { offeredLoad } from './offeredLoad.js';
import type { Simulator } from './simulator.js';

/** Of each simulator the last that was computed, with what decided it besides the jobs. */
const known = new WeakMap<Simulator, { readonly decided: string; readonly value: number }>();

/** The offered load of the jobs of a simulator on its grid: many runs differ in nothing of what decides it. */
export function offeredBy(simulator: Simulator): number {
  const { grid, load, runtimeReference } = simulator.configuration;
  const decided = JSON.stringify([grid.capacities, grid.speeds, load, runtimeReference]);
  const last = known.get(simulator);
  if (last?.decided === decided) return last.value;
  const value = offeredLoad(simulator.jobColumns(), simulator.configuration);
  known.set(simulator, { decided, value });
  return value;
}
