/** How long studies will take, measured on a few of their runs before they begin. */
import { timeOfJobs } from '../simulate/cost.js';
import { parametersOf, runConfiguration } from '../study/plan.js';
import { joinRuns } from './joinedRuns.js';
import type { Planned } from './planStudy.js';

/** Jobs of all runs together from which on it is worth while to measure. */
const MANY_JOBS = 5e7;
/** Seconds that measuring takes at most, but for what is begun; and runs that are looked at. */
const PATIENCE = 2;
const MOST_SAMPLES = 16;
/** Steps of the golden section: whatever is begun of them is spread over all. */
const STEP = 0.6180339887498949;
/** What studies that run as one come to. */
export interface Extent {
  readonly simulations: number;
  /** Jobs that all of them simulate together. */
  readonly jobs: number;
  /** How long they take; undefined where all of them are soon done, and where they ask functions from files. */
  readonly expected: ExpectedTime | undefined;
}

/** An expectation, and on how many runs it stands. */
export interface ExpectedTime {
  /** In one thread, every run by itself. */
  readonly seconds: number;
  readonly samples: number;
}

/**
 * What studies come to; how long that takes is measured on runs that are spread over all, each workload made once.
 * @param sharing whether what several of them simulate counts once.
 */
export async function extentOf(studies: readonly Planned[], sharing: boolean): Promise<Extent> {
  const { runs, workloads, jobsOf, code } = joinRuns(studies, sharing);
  const all = runs.reduce((sum, { workload }) => sum + workloads[workload]!.jobs, 0);
  const of = { simulations: runs.length, jobs: all };
  if (all < MANY_JOBS || code.length > 0) return { ...of, expected: undefined };
  const began = performance.now();
  let [jobs, milliseconds, making, samples] = [0, 0, 0, 0];
  const isPatient = () => performance.now() - began < PATIENCE * 1000;
  while (samples < MOST_SAMPLES && (samples === 0 || isPatient())) {
    const run = runs[Math.floor(((samples * STEP) % 1) * runs.length)]!;
    const start = performance.now();
    const workload = await jobsOf(run.workload);
    making += performance.now() - start;
    const timed = timeOfJobs(workload, runConfiguration(parametersOf(run)), isPatient);
    jobs += timed.jobs;
    milliseconds += timed.milliseconds;
    samples++;
  }
  const seconds = ((milliseconds / jobs) * all + (making / samples) * workloads.length) / 1000;
  return { ...of, expected: { seconds, samples } };
}
