/** Tests of the core's records of outages: processors taken, and jobs ended. */
import { expect, test } from 'vitest';
import type { CoreBuild } from '../../host/core/module.js';
import {
  countProcessors,
  joinStepsIntoAbsences,
  makeAbsenceStepsOfOutages,
} from '../../host/results/capacity.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { areStartPromisesKept, randomOutageCase } from '../reference/cases/outages.js';
import {
  listPreemptedRuns,
  listProcessorsOfJobs,
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
} from './simulateCore.js';

const BUILDS: readonly CoreBuild[] = ['release', 'checked'];

function runSimulation({ jobs, options }: RandomCase, coreBuild: CoreBuild): Simulator {
  const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options), coreBuild);
  simulator.begin(makeConfigurationFromReference(options, true));
  simulator.run();
  return simulator;
}

/** Lists every run of every job, with its processors, start and end. */
function listAllRunsWithProcessors(simulator: Simulator) {
  const { start, execution } = simulator.schedule();
  const lastRunsWithProcessors = listProcessorsOfJobs(simulator).map((processors, job) => {
    return { processors, start: start[job]!, end: start[job]! + execution[job]! };
  });
  return [...lastRunsWithProcessors, ...listPreemptedRuns(simulator)].filter(
    ({ processors }) => processors.length > 0,
  );
}

test(
  'outages and jobs never have the same processor, and outages have as many as the core counts',
  () => {
    let absences = 0;
    for (const seed of listCaseSeeds(1500)) {
      const randomCase = randomOutageCase(seed);
      for (const build of BUILDS) {
        const simulator = runSimulation(randomCase, build);
        const { outages } = simulator.schedule();
        if (outages === undefined) continue;
        const runs = listAllRunsWithProcessors(simulator);
        const untilTime = Math.max(...runs.map(({ end }) => end));
        const absencesFromOutageEffects = joinStepsIntoAbsences(
          makeAbsenceStepsOfOutages(outages, simulator.processorSets()),
          untilTime,
        );
        absences += absencesFromOutageEffects.length;
        for (const { start, end, runs: ranges } of absencesFromOutageEffects) {
          const isProcessorAbsent = (processor: number) =>
            ranges.some(
              ([firstProcessor, lastProcessor]) => processor >= firstProcessor && processor <= lastProcessor,
            );
          const overlappingRuns = runs.filter(
            (run) => run.start < end && run.end > start && run.end > run.start,
          );
          expect(
            overlappingRuns.flatMap(({ processors }) => processors.filter(isProcessorAbsent)),
            `case ${seed}`,
          ).toEqual([]);
        }
        const firstSubmit = randomCase.jobs[0]!.submit;
        const seconds = randomCase.options.capacities.map((_, site) =>
          absencesFromOutageEffects
            .filter((absence) => absence.site === site)
            .reduce(
              (sum, { start, end, runs: ranges }) =>
                sum + countProcessors(ranges) * (end - Math.max(start, firstSubmit)),
              0,
            ),
        );
        const outageSecondsFromCore = simulator.outageSeconds() ?? [];
        for (const [site, each] of seconds.entries())
          expect(each, `case ${seed}`).toBeCloseTo(outageSecondsFromCore[site]!, 3);
      }
    }
    if (doesRunCoverRareCases) expect(absences).toBeGreaterThan(1000);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
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
  const punctualJobs = jobs.map((job) => ({ ...job, estimate: Math.max(1, job.runtime, job.estimate) }));
  return { jobs: punctualJobs, options: { ...options, outages } };
}

/** Number of runs that outages stopped or ended. */
function countRunsEndedByOutages(simulator: Simulator): number {
  const { stops, outages } = simulator.schedule();
  return (stops?.job.length ?? 0) + (outages?.endedJobs.length ?? 0);
}

test(
  'planned outages stop no job that ends by its estimate, under easy and conservative',
  () => {
    let [cases, unplannedStops] = [0, 0];
    for (const seed of listCaseSeeds(2500)) {
      const caseWithPlannedOutages = makePunctualCase(seed, true);
      const caseWithUnplannedOutages = makePunctualCase(seed, false);
      if (caseWithPlannedOutages === undefined || caseWithUnplannedOutages === undefined) continue;
      expect(areStartPromisesKept(caseWithPlannedOutages), `case ${seed}`).toBe(true);
      for (const build of BUILDS) {
        expect(countRunsEndedByOutages(runSimulation(caseWithPlannedOutages, build)), `case ${seed}`).toBe(0);
        unplannedStops += countRunsEndedByOutages(runSimulation(caseWithUnplannedOutages, build));
      }
      cases += 1;
    }
    if (!doesRunCoverRareCases) return;
    expect(cases).toBeGreaterThan(300);
    // Without advance knowledge of the outages, the same schedule has jobs that they stop.
    expect(unplannedStops).toBeGreaterThan(300);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
