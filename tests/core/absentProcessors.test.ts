/** Tests of the core's records of outages: processors taken, and jobs ended. */
import { expect, test } from 'vitest';
import type { CoreBuild } from '../../host/core/module.js';
import { absencesFromSteps, countProcessors, stepsOfOutageEffects } from '../../host/results/capacity.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { caseSeeds, doesRunCoverRareCases, RANDOM_TEST_TIMEOUT } from '../cases.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { areStartPromisesKept, randomOutageCase } from '../reference/cases/outages.js';
import {
  configurationOfReferenceOptions,
  listPreemptedRuns,
  processorLists,
  workloadOfReferenceJobs,
} from './simulateCore.js';

const BUILDS: readonly CoreBuild[] = ['release', 'checked'];

function simulated({ jobs, options }: RandomCase, coreBuild: CoreBuild): Simulator {
  const simulator = new Simulator(workloadOfReferenceJobs(jobs, 'case', options), coreBuild);
  simulator.begin(configurationOfReferenceOptions(options, true));
  simulator.run();
  return simulator;
}

/** Lists every run of every job, with its processors, start and end. */
function listRunsOfJobs(simulator: Simulator) {
  const { start, execution } = simulator.schedule();
  const processorsOfLastRun = processorLists(simulator).map((processors, job) => {
    return { processors, start: start[job]!, end: start[job]! + execution[job]! };
  });
  return [...processorsOfLastRun, ...listPreemptedRuns(simulator)].filter(
    ({ processors }) => processors.length > 0,
  );
}

test(
  'outages and jobs never have the same processor, and outages have as many as the core counts',
  () => {
    let absences = 0;
    for (const seed of caseSeeds(1500)) {
      const randomCase = randomOutageCase(seed);
      for (const build of BUILDS) {
        const simulator = simulated(randomCase, build);
        const { outages } = simulator.schedule();
        if (outages === undefined) continue;
        const runs = listRunsOfJobs(simulator);
        const untilTime = Math.max(...runs.map(({ end }) => end));
        const foundAbsences = absencesFromSteps(
          stepsOfOutageEffects(outages, simulator.processorSets()),
          untilTime,
        );
        absences += foundAbsences.length;
        for (const { start, end, runs: ranges } of foundAbsences) {
          const isAway = (processor: number) =>
            ranges.some(
              ([firstProcessor, lastProcessor]) => processor >= firstProcessor && processor <= lastProcessor,
            );
          const overlappingRuns = runs.filter(
            (run) => run.start < end && run.end > start && run.end > run.start,
          );
          expect(
            overlappingRuns.flatMap(({ processors }) => processors.filter(isAway)),
            `case ${seed}`,
          ).toEqual([]);
        }
        const firstSubmit = randomCase.jobs[0]!.submit;
        const seconds = randomCase.options.capacities.map((_, site) =>
          foundAbsences
            .filter((absence) => absence.site === site)
            .reduce(
              (sum, { start, end, runs: ranges }) =>
                sum + countProcessors(ranges) * (end - Math.max(start, firstSubmit)),
              0,
            ),
        );
        const countedSeconds = simulator.outageSeconds() ?? [];
        for (const [site, each] of seconds.entries())
          expect(each, `case ${seed}`).toBeCloseTo(countedSeconds[site]!, 3);
      }
    }
    if (doesRunCoverRareCases) expect(absences).toBeGreaterThan(1000);
  },
  RANDOM_TEST_TIMEOUT,
);

/**
 * A random case under EASY or conservative backfilling whose jobs end exactly at their estimates; undefined
 * for other disciplines.
 */
function makePunctualCase(seed: number, isPlanned: boolean): RandomCase | undefined {
  const { jobs, options } = randomOutageCase(seed);
  if (options.discipline !== 'easy' && options.discipline !== 'conservative') return undefined;
  if (options.recent !== undefined || options.onOutage === 'drain') return undefined;
  const outages = (options.outages ?? []).map((outage) => ({ ...outage, isPlanned }));
  const punctual = jobs.map((job) => ({ ...job, estimate: Math.max(1, job.runtime, job.estimate) }));
  return { jobs: punctual, options: { ...options, outages } };
}

/** Number of runs that outages stopped or ended. */
function countStops(simulator: Simulator): number {
  const { stops, outages } = simulator.schedule();
  return (stops?.job.length ?? 0) + (outages?.endedJobs.length ?? 0);
}

test(
  'planned outages stop no job that ends by its estimate, under easy and conservative',
  () => {
    let [cases, unplannedStops] = [0, 0];
    for (const seed of caseSeeds(2500)) {
      const plannedCase = makePunctualCase(seed, true);
      const caseWithoutPlan = makePunctualCase(seed, false);
      if (plannedCase === undefined || caseWithoutPlan === undefined) continue;
      expect(areStartPromisesKept(plannedCase), `case ${seed}`).toBe(true);
      for (const build of BUILDS) {
        expect(countStops(simulated(plannedCase, build)), `case ${seed}`).toBe(0);
        unplannedStops += countStops(simulated(caseWithoutPlan, build));
      }
      cases += 1;
    }
    if (!doesRunCoverRareCases) return;
    expect(cases).toBeGreaterThan(300);
    // Without advance knowledge of the outages, the same schedule has jobs that they stop.
    expect(unplannedStops).toBeGreaterThan(300);
  },
  RANDOM_TEST_TIMEOUT,
);
