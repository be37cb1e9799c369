/** How long whole runs take per job while so many jobs run at a time. */
import { uniformOf } from '../math/splitmix64.js';
import { makeConfiguration } from '../options/configuration.js';
import { Simulator } from '../simulate/simulator.js';
import type { Workload } from '../workload/workload.js';

const SITES = 5;
/** Jobs of a run at least, and so many times those that run at once, most of whom must end before the run does. */
const LEAST_JOBS = 20_000;
const GENERATIONS = 4;

/** A grid of five sites with room for a quarter more jobs of one processor than run on an average. */
export class RunBench {
  readonly #simulator: Simulator;
  readonly #capacities: number[];
  readonly #jobs: number;

  /** @param running how many jobs run at a time. */
  constructor(running: number) {
    const capacity = Math.ceil((1.25 * running) / SITES);
    this.#capacities = Array.from({ length: SITES }, () => capacity);
    this.#jobs = Math.max(LEAST_JOBS, GENERATIONS * running);
    const jobs = Array.from({ length: this.#jobs }, (_, i) => ({
      submit: i,
      runtime: Math.round(running * (0.5 + uniformOf(1, i + 1))),
      processors: 1,
    }));
    this.#simulator = new Simulator(workloadOf(jobs));
  }

  /** Nanoseconds per job of each of so many runs of a policy, after one that is not timed. */
  measure(policy: string, runs: number): number[] {
    const grid = { capacities: this.#capacities, speeds: [0.9, 1.1, 1, 0.95, 1.05] };
    const configuration = makeConfiguration(grid, { policy, timeResolution: 'nearest' });
    const times = Array.from({ length: runs + 1 }, () => {
      this.#simulator.begin(configuration);
      const began = performance.now();
      this.#simulator.runUntil(Number.POSITIVE_INFINITY);
      return ((performance.now() - began) * 1e6) / this.#jobs;
    });
    return times.slice(1);
  }
}

// Jobs of which measurements are made.

/** A workload of jobs in the order of their submits, all of the first site. */
export function workloadOf(
  jobs: readonly { submit: number; runtime: number; processors: number }[],
): Workload {
  const count = jobs.length;
  const runtime = Float64Array.from(jobs, (job) => job.runtime);
  const none = { dropped: [], oversizeJobs: [], withoutEstimate: 0, split: { jobs: 0, pieces: 0 } };
  return {
    name: 'bench',
    count,
    job: Float64Array.from(jobs, (_, i) => i + 1),
    submit: Float64Array.from(jobs, (job) => job.submit),
    runtime,
    estimate: runtime,
    processors: Int32Array.from(jobs, (job) => job.processors),
    home: new Int32Array(count),
    accounting: { read: count, kept: count, ...none },
  };
}
