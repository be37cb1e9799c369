/** Simulates and compares methods over replications, with the code of `gridalloc compare --replications`. */

import { quoteShellWord } from '../../../host/format/text.js';
import { formatOptionsAsCommandLineWords } from '../../../host/options/document.js';
import {
  describeVerdicts,
  formatDifferenceToBest,
  makeDifferenceFigure,
  makeMethodMeansFigure,
  notesOnJudgement,
  verdictWord,
} from '../../../host/reports/verdicts.js';
import {
  makeReplicatedJobsRecipe,
  makeReplicationRuns,
  ReplicatedJobsMaker,
} from '../../../host/runs/replications.js';
import { runListInThisThread } from '../../../host/runs/runList.js';
import { makePerturbationOfReplication } from '../../../host/simulate/experiment.js';
import { methodNames } from '../../../host/simulate/methodNames.js';
import { checkMetricsExist, SCALAR_METRICS, type ScalarMetric } from '../../../host/simulate/summary.js';
import { estimateMean } from '../../../host/statistics/interval.js';
import { judgeMethods } from '../../../host/statistics/judging.js';
import { defaultEquivalenceMargin, populationOfSettings } from '../../../host/statistics/population.js';
import { nameMeanInterval } from '../../../host/statistics/samples.js';
import { valuePositionsByMetric } from '../../../host/study/runValues.js';
import type { ExplorerSetup, ReplicatedMethodComparison, Texts } from '../protocol.js';
import { type ExplorerExperiment, loadExplorerExperiment, type OpenedLog } from './experiment.js';

let cachedExperiment:
  | { readonly key: string; readonly experiment: ExplorerExperiment; readonly jobs: ReplicatedJobsMaker }
  | undefined;

/** Simulates all methods of a setup on one replication (numbered from 1), and returns the metrics of each. */
export function simulateReplication(
  setup: ExplorerSetup,
  openedLog: OpenedLog | null,
  replication: number,
): number[][] {
  const setupKey = JSON.stringify(setup);
  if (cachedExperiment?.key !== setupKey) {
    const experiment = loadExplorerExperiment(setup, openedLog);
    cachedExperiment = {
      key: setupKey,
      experiment,
      jobs: new ReplicatedJobsMaker(makeReplicatedJobsRecipe(experiment)),
    };
  }
  const { experiment, jobs } = cachedExperiment;
  const replicationRuns = makeReplicationRuns(experiment, [], replication, replication);
  return runListInThisThread(replicationRuns, (workloadIndex) => jobs.simulator(workloadIndex), true);
}

/**
 * Returns the command line that compares the methods. Methods that differ only in policy are given by their
 * policies, others as a whole.
 */
export function makeCompareCommand(
  { setup, loaded: loadedLog, settings, grid }: ExplorerExperiment,
  ...otherCommandWords: readonly string[]
): string {
  const { workload: _, ...options } = setup.options;
  const logName =
    makePerturbationOfReplication({ ...settings, replication: 1 }) === undefined
      ? loadedLog.source
      : setup.options.workload;
  const explicitOptions = { sites: grid.capacities.join(','), ...options };
  const { methods } = setup;
  const policies = methods.flatMap(({ policy }) => (policy === undefined ? [] : [policy]));
  const areMethodsEqualButPolicy =
    policies.length === methods.length &&
    new Set(methods.map((method) => JSON.stringify({ ...method, policy: '' }))).size === 1;
  const describeMethodCompletely = (method: Texts) =>
    Object.entries({ ...('discipline' in method ? {} : { discipline: 'fcfs' }), ...method })
      .map(([name, text]) => `${name}=${text}`)
      .join(', ');
  const methodWords = areMethodsEqualButPolicy
    ? formatOptionsAsCommandLineWords({ ...explicitOptions, ...methods[0], policy: policies.join(',') })
    : [
        ...formatOptionsAsCommandLineWords(explicitOptions),
        ...methods.flatMap((method) => ['--method', describeMethodCompletely(method)]),
      ];
  const commandWords = [logName, ...methodWords, ...otherCommandWords, '--json'];
  return ['gridalloc compare', ...commandWords.map(quoteShellWord)].join(' ');
}

/** Remark of the page, which tests each metric separately on the same replications. */
const SEPARATE_TESTS_REMARK =
  'Each metric is judged by itself, with 95 % for it alone; compare judges several together (--metric a,b).';

/**
 * Compares the methods by one metric over the replications.
 * @param requestedEquivalenceMargin equivalence margin as a share of the best mean; default as for `compare`.
 * @throws InputError for a metric that a method does not have.
 */
export function judgeReplications(
  experiment: ExplorerExperiment,
  values: readonly (readonly (readonly number[])[])[],
  metricName: string,
  requestedEquivalenceMargin?: number,
): ReplicatedMethodComparison {
  const metric = SCALAR_METRICS.find((candidate) => candidate.name === metricName) as ScalarMetric;
  checkMetricsExist([metric], experiment.configurations);
  const metricValuePosition = valuePositionsByMetric('simulations', experiment.grid.capacities.length).get(
    metricName,
  ) as number;
  const samples = experiment.methods.map((_, i) => values.map((metrics) => metrics[i][metricValuePosition]));
  const population = populationOfSettings(experiment.settings);
  const margin = requestedEquivalenceMargin ?? defaultEquivalenceMargin(metric, population);
  const judgement = judgeMethods(samples, {
    better: metric.better ?? 'less',
    within: margin,
    fewest: population.fewest,
  });
  const estimates = samples.map(estimateMean);
  const judgedMetric = { name: metricName, metric, values: samples, estimates, within: margin, judgement };
  const replications = values.length;
  const comparison = { replications, population, metrics: [judgedMetric], looks: [replications] };
  const names = methodNames(experiment.configurations);
  return {
    metric: metricName,
    unit: metric.unit ?? '',
    format: metric.format,
    within: margin,
    verdict: describeVerdicts(judgement, names, population),
    notes: [
      ...notesOnJudgement(judgement, names, metricName, population),
      ...(judgement.isJudged ? [SEPARATE_TESTS_REMARK] : []),
      population.caveat,
    ],
    interval: nameMeanInterval(population, replications),
    rows: judgement.methods.map((judgedMethod, methodIndex) => {
      const { mean, low, high } = estimates[methodIndex];
      return {
        label: names[methodIndex],
        mean,
        low,
        high,
        differenceToBest: formatDifferenceToBest(judgedMethod, judgement),
        bestIn: judgedMethod.bestIn,
        verdict: verdictWord(judgedMethod),
      };
    }),
    figures: [makeDifferenceFigure, makeMethodMeansFigure].map((makeFigure) =>
      makeFigure(judgedMetric, names, comparison),
    ),
    values: samples,
    command: makeCompareCommand(
      experiment,
      ...['--replications', `${replications}`, '--metric', metricName],
      ...(requestedEquivalenceMargin === undefined ? [] : ['--within', `${requestedEquivalenceMargin}`]),
    ),
  };
}
