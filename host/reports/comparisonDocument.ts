/** Comparisons and replications as JSON documents, and the ranking of methods in one simulation each. */
import { printPolicy } from '../core/policies.js';
import { firstElement } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import { printOrder } from '../options/order.js';
import type { ClassResults } from '../runs/classResults.js';
import {
  type EstimatedResult,
  isSequentialComparison,
  type JudgedComparison,
  type JudgedMetric,
  type ReplicatedFacts,
} from '../runs/comparison.js';
import type { Experiment } from '../simulate/experiment.js';
import { describeMachinesOfMethods, findDifferingOptions, methodNames } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { METRICS_BY_SUMMARY_PART } from '../simulate/metrics.js';
import { formatRunName, improvementRatio, type SummaryWithTrialDetail } from '../simulate/summary.js';
import type { MeanEstimate } from '../statistics/interval.js';
import { findClearlyBestValue } from '../statistics/samples.js';
import { differencesOverLogPieces } from './verdicts.js';

/**
 * Common beginning of all comparison documents: jobs and sites, and the sites of each method if they
 * differ.
 */
export function makeComparisonDocumentHead({
  workload,
  grid: { capacities, speeds },
  configurations,
}: Pick<Experiment, 'workload' | 'grid' | 'configurations'>) {
  const machines = describeMachinesOfMethods(configurations).map(({ name, grid }) => ({
    ...{ name, capacities: grid.capacities, speeds: grid.speeds },
  }));
  return { workload: workload.name, capacities, speeds, ...(machines.length > 0 && { machines }) };
}

/** JSON fields that identify a method: discipline, order and policy. */
export const makeMethodEntries = ({ policy, discipline, order }: Configuration) => ({
  policy: printPolicy(policy),
  discipline,
  order: printOrder(order),
});

const makeMeanIntervalDocumentEntries = ({ mean, standardDeviation, low, high, method }: MeanEstimate) => ({
  ...{ mean, standardDeviation, low, high },
  interval: method,
});

/**
 * JSON of a comparison by one metric: per method its verdict, its information on runtimes and its values by
 * replication.
 */
export function makeMetricVerdictsDocument(
  judgedMetric: JudgedMetric,
  { replications: replicationCount, population }: ReplicatedFacts,
  { configurations, knowledge }: Pick<Experiment, 'configurations' | 'knowledge'>,
): object {
  const { name: metricName, values: metricValues, estimates, within, judgement, spans } = judgedMetric;
  const {
    methods,
    level,
    limits,
    isJudged,
    isDecided,
    skewed: skewedDifferences,
    leastDifference,
  } = judgement;
  const differencesByLogPiece = differencesOverLogPieces(judgedMetric);
  const methodLabels = methodNames(configurations);
  const options = findDifferingOptions(configurations);
  return {
    replications: replicationCount,
    perturb: population.perturb,
    metric: metricName,
    ...{
      within,
      level,
      limits,
      judged: isJudged,
      decided: isDecided,
      leastDifference,
      skewed: skewedDifferences,
    },
    ...(spans && { spans: firstElement(spans.values).length, spanSeconds: spans.seconds }),
    rows: methods.map(
      ({ bestIn, verdict, couldBeBest, sameAs, behindObserved, behind: differenceBounds }, i) => ({
        name: methodLabels[i],
        ...makeMethodEntries(configurations[i]!),
        options: options[i],
        knowledge: knowledge[i],
        ...makeMeanIntervalDocumentEntries(estimates[i]!),
        ...{ bestIn, verdict, couldBeBest, sameAs, behindObserved },
        behindLow: differenceBounds?.low ?? null,
        behindHigh: differenceBounds?.high ?? null,
        values: metricValues[i],
        ...(spans && { spans: { ...differencesByLogPiece[i], values: spans.values[i] } }),
      }),
    ),
  };
}

/** JSON of a comparison over replications: verdicts by the first metric, then by every metric. */
export function makeReplicatedComparisonDocument(
  experiment: Pick<Experiment, 'workload' | 'grid' | 'configurations' | 'knowledge'>,
  comparison: JudgedComparison,
): object {
  const { looks, classes } = comparison;
  const metrics = comparison.metrics.map((judgedMetric) =>
    makeMetricVerdictsDocument(judgedMetric, comparison, experiment),
  );
  return {
    ...makeComparisonDocumentHead(experiment),
    ...firstElement(metrics),
    metrics,
    ...(isSequentialComparison(comparison) && { looks }),
    ...(classes && { classes: makeJobClassResultsDocument(classes) }),
  };
}

/** JSON of one method over replications: means with intervals. */
export function makeReplicatedSimulationDocument(
  { workload, configurations }: Pick<Experiment, 'workload' | 'configurations'>,
  { replications: replicationCount, population, metrics, classes }: EstimatedResult,
): object {
  return {
    workload: workload.name,
    replications: replicationCount,
    perturb: population.perturb,
    ...makeMethodEntries(firstElement(configurations)),
    metrics: metrics.map(({ name: metricName, estimate, values: metricValues }) => ({
      ...{ metric: metricName, ...makeMeanIntervalDocumentEntries(estimate), values: metricValues },
    })),
    ...(classes && { classes: makeJobClassResultsDocument(classes) }),
  };
}

/** Method of a comparison with the summary of its single simulation. */
export interface ComparedMethodRun {
  readonly configuration: Configuration;
  readonly summary: SummaryWithTrialDetail<object>;
  /** Values of the requested metrics. */
  readonly values?: readonly number[];
  /** Information on runtimes that the method uses, such as `requested times`. */
  readonly knowledge?: string;
  /** Wall-clock nanoseconds per job; absent if not timed. */
  readonly nanosecondsPerJob?: number;
}

/** Compared run with its rank. */
export interface RankedComparedRun extends ComparedMethodRun {
  /**
   * Improvement of the mean response time over the better of best-fit and fastest-first, as a share; absent
   * if either did not run.
   */
  readonly improvementRatio?: number;
  /** True if the mean response time is better than all others by more than the noise of one sample. */
  readonly isBest: boolean;
}

/**
 * Marks the best run; if methods differ only in policy, also computes the improvement over the better of
 * best-fit and fastest-first.
 */
export function rankRunsByResponse(comparedRuns: readonly ComparedMethodRun[]): RankedComparedRun[] {
  const meanResponseTimes = comparedRuns.map(({ summary: runSummary }) => runSummary.averageResponseTime);
  const bestIndex = findClearlyBestValue(
    meanResponseTimes,
    'less',
    METRICS_BY_SUMMARY_PART.run.averageResponseTime,
  );
  const differingMethodOptions = findDifferingOptions(comparedRuns.map(({ configuration }) => configuration));
  const doRunsDifferInPoliciesAlone = differingMethodOptions.every((options) =>
    Object.keys(options).every((optionName) => optionName === 'policy'),
  );
  const [bestFit, fastestFirst] = ['best-fit', 'fastest-first'].map(
    (policyName) =>
      meanResponseTimes[
        comparedRuns.findIndex(({ configuration }) => configuration.policy.declaration.name === policyName)
      ],
  );
  return comparedRuns.map((comparedRun, i) => {
    const isBest = i === bestIndex;
    if (bestFit === undefined || fastestFirst === undefined || !doRunsDifferInPoliciesAlone)
      return { ...comparedRun, isBest };
    return {
      ...comparedRun,
      isBest,
      improvementRatio: improvementRatio(meanResponseTimes[i]!, bestFit, fastestFirst),
    };
  });
}

/**
 * JSON of methods in one simulation each: summaries, requested metrics, improvement ratio, time per job and
 * job classes.
 */
export function makeUnperturbedComparison(
  experiment: Pick<Experiment, 'workload' | 'grid' | 'configurations'>,
  rankedRuns: readonly RankedComparedRun[],
  metrics: readonly NamedMetric[] = [],
  resultsByClassification?: readonly ClassResults[],
): object {
  const configurations = rankedRuns.map(({ configuration }) => configuration);
  const methodLabels = methodNames(configurations);
  const options = findDifferingOptions(configurations);
  const makeRunDocument = (rankedRun: RankedComparedRun, i: number) => {
    const {
      configuration,
      summary: runSummary,
      values = [],
      knowledge,
      improvementRatio,
      nanosecondsPerJob,
    } = rankedRun;
    const requestedMetricEntries = metrics.map(
      ({ name: metricName }, metric) => [metricName, values[metric]] as const,
    );
    return {
      ...runSummary,
      method: formatRunName(runSummary, configuration),
      name: methodLabels[i],
      discipline: configuration.discipline,
      order: printOrder(configuration.order),
      options: options[i],
      ...(metrics.length > 0 && { metrics: Object.fromEntries(requestedMetricEntries) }),
      ...(knowledge !== undefined && { knowledge }),
      ...(improvementRatio !== undefined && { improvementRatio }),
      ...(nanosecondsPerJob !== undefined && { nanosecondsPerJob }),
    };
  };
  return {
    ...makeComparisonDocumentHead(experiment),
    runs: rankedRuns.map(makeRunDocument),
    ...(resultsByClassification && { classes: makeJobClassResultsDocument(resultsByClassification) }),
  };
}

/** JSON of the job classes: means with intervals, in the order of the methods. */
function makeJobClassResultsDocument(classResults: readonly ClassResults[]): object {
  const classesByClassification = classResults.map(({ by: classAttribute, metrics, classes }) => {
    const classDocuments = classes.map(({ name: className, jobs, estimates, differences }) => {
      const means = estimates.map((estimatesOfMetric) =>
        estimatesOfMetric.map(
          (estimate) => estimate && { mean: estimate.mean, low: estimate.low, high: estimate.high },
        ),
      );
      const makeEntriesByMetric = <Value>(metricValues: readonly Value[]) =>
        Object.fromEntries(metrics.map((metric, i) => [metric, metricValues[i]]));
      return {
        ...{ name: className, jobs, ...makeEntriesByMetric(means) },
        ...(differences && { differences: makeEntriesByMetric(differences) }),
      };
    });
    return [classAttribute, classDocuments] as const;
  });
  return Object.fromEntries(classesByClassification);
}
