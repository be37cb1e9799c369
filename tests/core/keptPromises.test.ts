import { expect, test } from 'vitest';
import { type CoreBuild, openCore } from '../../host/core/module.js';
import { putJobTableAtMemoryStart } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { randomKeptCase } from '../reference/cases/keptReservations.js';
import { addOrderKeys } from '../reference/simulator/orderKeys.js';
import { type ReferenceOptions, simulateGrid } from '../reference/simulator/reference.js';
import type { ReferenceJob } from '../reference/simulator/types.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests the guarantee of reservations: if no job exceeds its estimate, no job starts later than the
 * reservation made at its submission.
 */

/** Functions that change a job so that its runtime does not exceed its estimate, by name. */
const ESTIMATE_CORRECTIONS = {
  exact: (job: ReferenceJob) => ({ ...job, estimate: job.runtime }),
  raised: (job: ReferenceJob) => ({ ...job, estimate: Math.max(job.estimate, job.runtime) }),
  /** Equals `--kill at-estimate`: a job runs no longer than its estimate. */
  killed: (job: ReferenceJob) => ({ ...job, runtime: Math.min(job.estimate, job.runtime) }),
} satisfies Record<string, (job: ReferenceJob) => ReferenceJob>;
const ESTIMATE_CORRECTION_NAMES = Object.keys(ESTIMATE_CORRECTIONS) as (keyof typeof ESTIMATE_CORRECTIONS)[];

/**
 * A case in which reservations must be kept: fixed queue order, no policy that delays jobs, no
 * estimates from recent jobs.
 */
function drawCaseWithPromises(
  seed: number,
): RandomCase & { readonly correction: keyof typeof ESTIMATE_CORRECTIONS } {
  const { jobs, options } = randomKeptCase(seed);
  const way = ESTIMATE_CORRECTION_NAMES[seed % ESTIMATE_CORRECTION_NAMES.length]!;
  const optionsWithPromises: ReferenceOptions = {
    ...options,
    order: options.order === 'wfp3' ? undefined : options.order,
    choose: undefined,
    recent: undefined,
    queue: 'shared',
  };
  return {
    jobs: addOrderKeys(jobs.map(ESTIMATE_CORRECTIONS[way]), optionsWithPromises),
    options: optionsWithPromises,
    correction: way,
  };
}

test(
  'no job starts after its first reservation, in the reference and in both builds',
  () => {
    const coreBuilds = (['release', 'checked'] as const).map((build) => [build, openCore(build)] as const);
    const countByKind = {
      exact: 0,
      raised: 0,
      killed: 0,
      earlier: 0,
      severalSites: 0,
      policy: 0,
      ordered: 0,
    };
    for (const seed of listCaseSeeds(1000)) {
      const { jobs, options, correction: way } = drawCaseWithPromises(seed);
      const { jobs: runJobs, movedReservations } = simulateGrid(jobs, options);
      const promisedStarts = runJobs.map((job) => job.promised!);
      const findLateJob = (start: ArrayLike<number>) =>
        promisedStarts.findIndex((time, job) => start[job]! > time);
      const checkPromises = (location: CoreBuild | 'reference', start: ArrayLike<number>) => {
        const job = findLateJob(start);
        if (job >= 0) {
          const descriptionOfBrokenPromise = `job ${job + 1} starts at ${start[job]}, promised for ${promisedStarts[job]}`;
          throw new Error(`case ${seed}, ${way}, ${location}: ${descriptionOfBrokenPromise}`);
        }
      };
      checkPromises(
        'reference',
        runJobs.map(({ start }) => start),
      );
      expect(movedReservations, `case ${seed}`).toBe(0);
      for (const [build, core] of coreBuilds) {
        const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
        const simulator = new Simulator(workload, putJobTableAtMemoryStart(core, workload));
        simulator.begin(makeConfigurationFromReference(options, false));
        simulator.run();
        const actualSchedule = simulator.schedule();
        simulator.dispose();
        expect([...actualSchedule.promised!], `case ${seed}, ${build} build`).toEqual(promisedStarts);
        checkPromises(build, actualSchedule.start);
      }
      countByKind[way]++;
      countByKind.earlier += runJobs.filter(({ start }, job) => start < promisedStarts[job]!).length;
      countByKind.severalSites += Number(options.capacities.length > 1);
      countByKind.policy += Number(options.withPolicy && options.capacities.length > 1);
      countByKind.ordered += Number(options.order !== undefined);
    }
    if (doesRunCoverRareCases)
      for (const times of Object.values(countByKind)) expect(times).toBeGreaterThan(50);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
