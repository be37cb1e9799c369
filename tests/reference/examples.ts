import { type ReferenceJob, type ReferenceOptions, simulateReference } from './simulator/reference.js';

/** A job of a hand-computed example; its estimate is its runtime unless given. */
export function job(
  submit: number,
  runtime: number,
  processors: number,
  home = 0,
  estimate = runtime,
): ReferenceJob {
  return { submit, runtime, estimate, processors, home };
}

/** Sites of speed 1 and load 1 with best-fit, first come first served, but for the changes. */
export function optionsWith(changes: Partial<ReferenceOptions> & { capacities: number[] }): ReferenceOptions {
  const ones = changes.capacities.map(() => 1);
  return {
    speeds: ones,
    load: ones,
    policy: 'best-fit',
    parameters: {},
    resolution: 'exact',
    instant: 'per-event',
    minSpeedRatio: 0,
    ...changes,
  };
}

/** A run with such options. */
export function run(jobs: ReferenceJob[], changes: Partial<ReferenceOptions> & { capacities: number[] }) {
  return simulateReference(jobs, optionsWith(changes));
}
