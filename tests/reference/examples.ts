import { type ReferenceJob, type ReferenceOptions, simulateReference } from './simulator/reference.js';

/** A job of an example computed by hand; its estimate is its runtime by default. */
export function makeExampleJob(
  submit: number,
  runtime: number,
  processors: number,
  home = 0,
  estimate = runtime,
): ReferenceJob {
  return { submit, runtime, estimate, processors, home };
}

/** Options for sites of speed 1 and load 1 under best-fit and FCFS, with some changes. */
export function makeReferenceOptions(
  changes: Partial<ReferenceOptions> & { capacities: number[] },
): ReferenceOptions {
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

/** Runs the reference simulator with the options of `makeReferenceOptions`. */
export function runReferenceSimulator(
  jobs: ReferenceJob[],
  changes: Partial<ReferenceOptions> & { capacities: number[] },
) {
  return simulateReference(jobs, makeReferenceOptions(changes));
}
