/** How long studies will take, measured on a few of their runs before they begin. */
import { Simulator } from '../simulate/simulator.js';
import { runConfiguration } from '../study/plan.js';
import type { Planned } from './planStudy.js';
import { runsToDo } from './twins.js';

/** Jobs of all runs together from which on it is worth while to measure. */
const MANY_JOBS = 5e7;
/** Seconds that measuring takes at most, but for what is begun; and runs that are looked at. */
const PATIENCE = 2;
const MOST_SAMPLES = 16;
/** Steps of the golden section: whatever is begun of them is spread over all. */
const STEP = 0.6180339887498949;
/** So many looks at the clock in a run. */
const SLICES = 50;

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
  const different = runsToDo(studies, sharing);
  const workloads = new Set<string>();
  let [simulations, all] = [0, 0];
  different.forEach((runs, study) => {
    const { plan } = studies[study];
    for (const run of runs) {
      const workload = plan.workloads[plan.runs.workload(run)];
      workloads.add(workload.sha256);
      all += workload.jobs;
      simulations++;
    }
  });
  const of = { simulations, jobs: all };
  if (all < MANY_JOBS || studies.some(({ code }) => code.length > 0)) return { ...of, expected: undefined };
  const began = performance.now();
  let [jobs, milliseconds, making, samples] = [0, 0, 0, 0];
  const isPatient = () => performance.now() - began < PATIENCE * 1000;
  while (samples < MOST_SAMPLES && (samples === 0 || isPatient())) {
    let study = 0;
    let place = Math.floor(((samples * STEP) % 1) * simulations);
    while (place >= different[study].length) place -= different[study++].length;
    const run = different[study][place];
    const { plan, jobsOf } = studies[study];
    const start = performance.now();
    const workload = await jobsOf(plan.runs.workload(run));
    const simulator = new Simulator(workload);
    simulator.begin(runConfiguration(plan.runs.parameters(run)));
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
  const seconds = ((milliseconds / jobs) * all + (making / samples) * workloads.size) / 1000;
  return { ...of, expected: { seconds, samples } };
}
