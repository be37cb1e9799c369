import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import type { LiveOptions } from '../../host/live/liveOptions.js';
import { makeRunOptionsOfSettings } from '../../host/options/configuration.js';
import { addParsedOptionTexts, optionNameOfKey, type Settings } from '../../host/options/options.js';
import { RUN_OPTIONS } from '../../host/options/runOptions.js';
import { makeExperimentOnRequestedSites } from '../../host/simulate/experiment.js';
import { collectSimulation } from '../../host/simulate/simulate.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { parseTrace } from '../../host/trace/readText.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { LOG, OPTION_SAMPLES, type OptionTexts } from '../ways/samples.js';
import { expectSameResultsAsLog, makeSubmittedJobs, simulateJobsLive } from './liveJobs.js';

/** Every option of `simulate` has the same effect on jobs that come one by one, or is refused. */

/** Reasons for which jobs that are not known beforehand cannot have an option. */
const OPTIONS_TO_REFUSE = ['queue', 'reclaim'];

test.each(Object.keys(RUN_OPTIONS))('%s', (key) => {
  const optionName = optionNameOfKey(key as keyof typeof RUN_OPTIONS);
  const samples = OPTION_SAMPLES[optionName]!.settings.map((optionTexts: OptionTexts) =>
    addParsedOptionTexts({ workload: 'log' }, optionTexts),
  );
  expect(samples.length).toBeGreaterThan(0);
  const random = new SeededDraws(key.length);
  const refusalBySample = samples.map((settings: Settings) => {
    const experiment = makeExperimentOnRequestedSites(settings, parseTrace(LOG), [{}], {
      processorSets: true,
    });
    const { workload } = experiment;
    const [configuration] = experiment.configurations;
    const options: LiveOptions = { ...makeRunOptionsOfSettings(settings), processorSets: true };
    const arePartitionsByNumber = /(?:^|;)\d+=/.test(configuration!.partitionSites);
    const { names: namesByKind, ...numbered } = workload;
    const jobs = makeSubmittedJobs(
      arePartitionsByNumber ? numbered : workload,
      configuration!.bandwidth !== 0,
    );
    let resultOfLiveSimulation: ReturnType<typeof simulateJobsLive>;
    try {
      resultOfLiveSimulation = simulateJobsLive(configuration!.grid, options, jobs, random);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      expect(error.message).toMatch(
        new RegExp(`^LiveSimulation, ${key === 'reclaim' ? 'queue' : key}: .*[^.]$`),
      );
      return true;
    }
    const simulator = new Simulator(workload);
    simulator.begin(configuration!);
    simulator.run();
    const { schedule, summary: simulationSummary } = collectSimulation(simulator);
    expectSameResultsAsLog(resultOfLiveSimulation, schedule, simulationSummary, JSON.stringify(settings));
    return false;
  });
  expect(refusalBySample.every((isSampleRefused) => isSampleRefused)).toBe(OPTIONS_TO_REFUSE.includes(key));
});
