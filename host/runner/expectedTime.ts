/** How long a study will take, measured on a few of its runs before it begins. */
import { Simulator } from '../simulate/simulator.js';
import { runConfiguration } from '../study/plan.js';
import type { Planned } from './planStudy.js';

/** Jobs of all runs together from which on it is worth while to measure. */
const MANY_JOBS = 5e7;
/** Seconds that measuring takes at most, but for what is begun; and runs that are looked at. */
const PATIENCE = 2;
const MOST_SAMPLES = 64;
/** Steps of the golden section: whatever is begun of them is spread over all. */
const STEP = 0.6180339887498949;
/** So many looks at the clock in a run. */
const SLICES = 50;

/** An expectation, and on how many runs it stands. */
export interface ExpectedTime {
  /** In one thread, every run by itself. */
  readonly seconds: number;
  readonly samples: number;
}

/** Jobs that all runs of a plan simulate together. */
export function jobsOfRuns({ runs, workloads }: Planned['plan']): number {
  let jobs = 0;
  for (let run = 0; run < runs.length; run++) jobs += workloads[runs.workload(run)].jobs;
  return jobs;
}

/**
 * The seconds that runs take, from some that are spread over the plan; undefined where all of them are soon done, and where they ask
 * functions from files. Making jobs counts too, once for each workload.
 */
export async function expectedTime({ plan, jobsOf, code }: Planned): Promise<ExpectedTime | undefined> {
  const { runs, workloads } = plan;
  const all = jobsOfRuns(plan);
  if (all < MANY_JOBS || code.length > 0) return undefined;
  const began = performance.now();
  let [jobs, milliseconds, making, samples] = [0, 0, 0, 0];
  const isPatient = () => performance.now() - began < PATIENCE * 1000;
  while (samples < MOST_SAMPLES && (samples === 0 || isPatient())) {
    const run = Math.floor(((samples * STEP) % 1) * runs.length);
    const start = performance.now();
    const workload = await jobsOf(runs.workload(run));
    const simulator = new Simulator(workload);
    simulator.begin(runConfiguration(runs.parameters(run)));
    const made = performance.now();
    const first = workload.submit[0];
    const span = workload.submit[workload.count - 1] - first;
    let isDone = false;
    for (let slice = 1; !isDone && (slice < 3 || isPatient()); slice++) {
      isDone = simulator.runUntil(slice < SLICES ? first + (span * slice) / SLICES : Infinity);
    }
    jobs += isDone ? workload.count : simulator.progress.submitted;
    milliseconds += performance.now() - made;
    making += made - start;
    samples++;
  }
  const seconds = ((milliseconds / jobs) * all + (making / samples) * workloads.length) / 1000;
  return { seconds, samples };
}
