/** Compares the results of forks with those of the simulations that they come from. */
import { type Core, loadCoreConstants } from '../../host/core/module.js';
import type { Configuration } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { expectSame } from '../expectSame.js';

const metricNames = Object.keys(loadCoreConstants().Metric).filter(
  (name): name is Exclude<keyof Core['Metric'], 'COUNT'> => name !== 'COUNT',
);

/** Pseudo-random whole number from 0 to `upperBound` - 1, determined by the seed. */
export function computePseudoRandom(upperBound: number, seed: number): number {
  return Math.abs(Math.imul(seed, 2_654_435_761) >> 4) % upperBound;
}

/** All results of a finished simulation: schedule, logs and metrics. */
export function readAllResults(simulator: Simulator, hasProcessorSets: boolean) {
  const {
    start,
    execution,
    site,
    held: heldProcessors,
    promised: promisedStarts,
    estimate,
    parts: allocatedParts,
    stops,
  } = simulator.schedule();
  const processorSets = hasProcessorSets ? simulator.processorSets() : undefined;
  const perSite = (['SiteBusy', 'SiteJobs', 'HomeResponse', 'HomeJobs'] as const).map((name) => [
    ...simulator.perSite(name),
  ]);
  return {
    metrics: [...metricNames.map((metricName) => simulator.metric(metricName)), ...perSite.flat()],
    jobs: {
      ...{ start, execution, site, held: heldProcessors, promised: promisedStarts, estimate },
      ...{ firstPart: allocatedParts?.firstPart, firstPair: processorSets?.firstPair },
    },
    logs: { parts: allocatedParts?.pairs, runs: processorSets?.pairs, ...stops },
  };
}

export type Results = ReturnType<typeof readAllResults>;

/** Numbers of entries in a simulation's logs of processors, parts and preemptions. */
export function readLogLengths(simulator: Simulator, hasProcessorSets: boolean) {
  const { parts: allocatedParts, stops } = simulator.schedule();
  const stopColumnLengths =
    stops && Object.fromEntries(Object.entries(stops).map(([name, { length }]) => [name, length]));
  const pairCount = hasProcessorSets ? simulator.processorSets().pairs.length : 0;
  return { parts: allocatedParts?.pairs.length ?? 0, runs: pairCount, ...stopColumnLengths } as Record<
    string,
    number
  >;
}

/**
 * Compares the results of a fork with an uninterrupted run: all metrics, jobs that started later,
 * and later log entries.
 */
export function expectSameResultsAfter(
  actualResults: Results,
  expectedResults: Results,
  time: number,
  logLengthsAtFork: Record<string, number>,
): void {
  expectSame(actualResults.metrics, expectedResults.metrics);
  const jobsStartedLater = [...expectedResults.jobs.start.keys()].filter(
    (job) => expectedResults.jobs.start[job] > time,
  );
  for (const columnName of Object.keys(expectedResults.jobs) as (keyof Results['jobs'])[]) {
    const of = (resultsToReduce: Results) =>
      jobsStartedLater.map((job) => resultsToReduce.jobs[columnName]?.[job]);
    expectSame(of(actualResults), of(expectedResults), columnName);
  }
  for (const [logName, logValues] of Object.entries(expectedResults.logs)) {
    const of = (resultsToReduce: Results) => [
      ...(resultsToReduce.logs[logName as keyof Results['logs']] ?? []),
    ];
    expectSame(
      of(actualResults).slice(logLengthsAtFork[logName]),
      [...(logValues ?? [])].slice(logLengthsAtFork[logName]),
      logName,
    );
  }
}

/** A new simulator with the same jobs and sites as another, begun with a configuration. */
export function beginForkTarget(sharedSimulator: Simulator, configuration: Configuration): Simulator {
  const simulator = new Simulator(sharedSimulator.workload, sharedSimulator);
  simulator.begin(configuration);
  return simulator;
}
