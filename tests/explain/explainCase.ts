/** Explains jobs of small cases without files. */

import { explainJob } from '../../host/explain/explain.js';
import type { Explanation } from '../../host/explain/explanation.js';
import { Recorder } from '../../host/simulate/recorder.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from '../core/simulateCore.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomBackfillingCase } from '../reference/cases/backfilling.js';
import { randomCoallocationCase } from '../reference/cases/coallocation.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { randomKeptPassCase } from '../reference/cases/keptPasses.js';
import { randomKeptCase } from '../reference/cases/keptReservations.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomMoldableCase } from '../reference/cases/moldable.js';
import { randomOneMachineCase } from '../reference/cases/oneMachine.js';
import { randomNodePlanCase, randomPassCase } from '../reference/cases/passes.js';
import { randomSafeCase } from '../reference/cases/safeBackfilling.js';
import type { ReferenceJob, ReferenceOptions } from '../reference/simulator/reference.js';

/** Generators of random cases whose jobs are explained, by name. */
export const EXPLAINED_CASE_KINDS: Readonly<Record<string, (seed: number) => RandomCase>> = {
  allocators: randomAllocatorCase,
  'load sharing': randomLoadSharingCase,
  'moldable jobs': randomMoldableCase,
  'co-allocation': randomCoallocationCase,
  'backfilling with a policy': randomSafeCase,
  backfilling: randomBackfillingCase,
  'one machine': randomOneMachineCase,
  'kept reservations': randomKeptCase,
  'passes at times of their own': randomPassCase,
  'plans by nodes': randomNodePlanCase,
  'kept reservations in passes': randomKeptPassCase,
};

/** Simulates a case while recording one job, and explains that job. */
export function recordAndExplainJob(
  jobs: readonly ReferenceJob[],
  options: ReferenceOptions,
  job: number,
  entryCapacity = 1 << 15,
) {
  const recorder = new Recorder(makeWorkloadOfReferenceJobs(jobs, 'case', options), job, entryCapacity);
  recorder.simulator.begin(makeConfigurationFromReference(options, false));
  recorder.simulator.run();
  return { recorder, explanation: explainJob(recorder, job) };
}

/** A job in short: submit, runtime, processors, home site from 1, estimate. */
export type ShortJobTuple = readonly [
  submit: number,
  runtime: number,
  processors: number,
  home?: number,
  estimate?: number,
];

/** Explains a job (numbered from 1) of a list of short jobs. Default: best-fit and FCFS. */
export function explainShortJobs(
  jobs: readonly ShortJobTuple[],
  job: number,
  options: Partial<ReferenceOptions> & Pick<ReferenceOptions, 'capacities'>,
): Explanation {
  const fullJobRows = jobs.map(([submit, runtime, processors, home = 1, estimate = runtime]) => {
    return { submit, runtime, processors, home: home - 1, estimate };
  });
  const allOptions: ReferenceOptions = {
    speeds: options.capacities.map(() => 1),
    load: options.capacities.map(() => 1),
    policy: 'best-fit',
    parameters: {},
    resolution: 'exact',
    instant: 'per-event',
    minSpeedRatio: 0,
    ...options,
  };
  return recordAndExplainJob(fullJobRows, allOptions, job - 1).explanation;
}
