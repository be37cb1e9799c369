/** Comparisons and replications as numbers: the JSON documents, and values.csv. */
import { printPolicy } from '../core/policies.js';
import { csvLine } from '../format/csv.js';
import { firstOf } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import { printOrder } from '../options/order.js';
import type { ClassResults } from '../runs/classResults.js';
import type { Estimated, JudgedComparison, JudgedMetric, Replicated } from '../runs/comparison.js';
import { isSequential } from '../runs/comparison.js';
import type { Experiment } from '../simulate/experiment.js';
import { differingOptions, methodNames } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { runName } from '../simulate/summary.js';
import type { MeanEstimate } from '../statistics/interval.js';
import type { RankedRun } from './comparisonText.js';
import { pieceDifferences } from './verdicts.js';

/** Jobs and sites, which every document of a comparison begins with. */
export const comparedHead = ({
  workload,
  grid: { capacities, speeds },
}: Pick<Experiment, 'workload' | 'grid'>) => ({ workload: workload.name, capacities, speeds });

/** Discipline, order and policy of a method. */
export const methodEntries = ({ policy, discipline, order }: Configuration) => ({
  policy: printPolicy(policy),
  discipline,
  order: printOrder(order),
});

const intervalEntries = ({ mean, standardDeviation, low, high, method }: MeanEstimate) => ({
  ...{ mean, standardDeviation, low, high },
  interval: method,
});

/** A comparison by one metric: a row for each method, with the information it uses and its value in each replication. */
export function verdictsDocument(
  judgedMetric: JudgedMetric,
  { replications, population }: Replicated,
  { configurations, knowledge }: Pick<Experiment, 'configurations' | 'knowledge'>,
): object {
  const { name, values, estimates, within, judgement, spans } = judgedMetric;
  const { methods, level, limits, isJudged, isDecided, skewed, leastDifference } = judgement;
  const inSpans = pieceDifferences(judgedMetric);
  const names = methodNames(configurations);
  const options = differingOptions(configurations);
  return {
    replications,
    perturb: population.perturb,
    metric: name,
    ...{ within, level, limits, judged: isJudged, decided: isDecided, leastDifference, skewed },
    ...(spans && { spans: firstOf(spans.values).length, spanSeconds: spans.seconds }),
    rows: methods.map(({ bestIn, verdict, couldBeBest, sameAs, behindObserved, behind }, i) => ({
      name: names[i],
      ...methodEntries(configurations[i]!),
      options: options[i],
      knowledge: knowledge[i],
      ...intervalEntries(estimates[i]!),
      ...{ bestIn, verdict, couldBeBest, sameAs, behindObserved },
      behindLow: behind?.low ?? null,
      behindHigh: behind?.high ?? null,
      values: values[i],
      ...(spans && { spans: { ...inSpans[i], values: spans.values[i] } }),
    })),
  };
}

/** A comparison over replications: the verdicts by the first metric, and a list of those by every metric. */
export function replicatedDocument(
  experiment: Pick<Experiment, 'workload' | 'grid' | 'configurations' | 'knowledge'>,
  comparison: JudgedComparison,
): object {
  const { looks, classes } = comparison;
  const metrics = comparison.metrics.map((judged) => verdictsDocument(judged, comparison, experiment));
  return {
    ...comparedHead(experiment),
    ...firstOf(metrics),
    metrics,
    ...(isSequential(comparison) && { looks }),
    ...(classes && { classes: classDocument(classes) }),
  };
}

/** One method over replications. */
export function estimatesDocument(
  { workload, configurations }: Pick<Experiment, 'workload' | 'configurations'>,
  { replications, population, metrics, classes }: Estimated,
): object {
  return {
    workload: workload.name,
    replications,
    perturb: population.perturb,
    ...methodEntries(firstOf(configurations)),
    metrics: metrics.map(({ name, estimate, values }) => ({
      ...{ metric: name, ...intervalEntries(estimate), values },
    })),
    ...(classes && { classes: classDocument(classes) }),
  };
}

/**
 * Methods in one simulation each: the summaries, each with what identifies its method, the metrics requested, and its
 * ratio and its time where there is one; and the classes of jobs requested.
 */
export function plainDocument(
  experiment: Pick<Experiment, 'workload' | 'grid'>,
  runs: readonly RankedRun[],
  metrics: readonly NamedMetric[] = [],
  classes?: readonly ClassResults[],
): object {
  const configurations = runs.map(({ configuration }) => configuration);
  const names = methodNames(configurations);
  const options = differingOptions(configurations);
  const document = (run: RankedRun, i: number) => {
    const { configuration, summary, values = [], knowledge, improvementRatio, nanosecondsPerJob } = run;
    const requested = metrics.map(({ name }, metric) => [name, values[metric]] as const);
    return {
      ...summary,
      method: runName(summary, configuration),
      name: names[i],
      discipline: configuration.discipline,
      order: printOrder(configuration.order),
      options: options[i],
      ...(metrics.length > 0 && { metrics: Object.fromEntries(requested) }),
      ...(knowledge !== undefined && { knowledge }),
      ...(improvementRatio !== undefined && { improvementRatio }),
      ...(nanosecondsPerJob !== undefined && { nanosecondsPerJob }),
    };
  };
  return {
    ...comparedHead(experiment),
    runs: runs.map(document),
    ...(classes && { classes: classDocument(classes) }),
  };
}

/** The means of each class of jobs with their intervals, in the order of the methods. */
function classDocument(results: readonly ClassResults[]): object {
  const means = results.map(({ by, metrics, classes }) => {
    const rows = classes.map(({ name, jobs, estimates }) => {
      const own = estimates.map((each) =>
        each.map((estimate) => estimate && { mean: estimate.mean, low: estimate.low, high: estimate.high }),
      );
      return { name, jobs, ...Object.fromEntries(metrics.map((metric, i) => [metric, own[i]])) };
    });
    return [by, rows] as const;
  });
  return Object.fromEntries(means);
}

/** File of the values of each method in each replication. */
export const VALUES_FILE = 'values.csv';

/** Values of one metric by method, then by replication. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly (readonly number[])[];
}

/** Columns that replace the number of the replication: their headings, and their cells by line. */
export interface LineColumns {
  readonly headings: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
}

/** The lines of values.csv: method, replication from 1 (or other columns), metrics; an empty cell is no value. */
export function* valueLines(
  names: readonly string[],
  metrics: readonly NamedValues[],
  { headings, lines }: LineColumns = {
    headings: ['replication'],
    lines: (metrics[0]?.values[0] ?? []).map((_, i) => [i + 1]),
  },
): Generator<string> {
  yield csvLine(['method', ...headings, ...metrics.map(({ name }) => name)]);
  for (const [method, name] of names.entries())
    for (const [i, line] of lines.entries()) {
      const values = metrics.map(({ values: all }) => all[method]![i] ?? Number.NaN);
      yield csvLine([name, ...line, ...values.map((value) => (Number.isNaN(value) ? null : value))]);
    }
}
