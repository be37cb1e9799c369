/** Every metric of one simulation over replications: for a person, and as a document. */
import { countOf, formatNumber } from '../format/numbers.js';
import type { Estimated, EstimatedMetric, Replicated } from '../runs/comparison.js';
import { estimatedDocument, estimatedText, wrapped } from '../show/replicationsText.js';
import type { Colors } from '../show/tableText.js';
import type { Experiment } from '../simulate/experiment.js';
import type { Metric } from '../simulate/metric.js';
import { homeRuleOf } from '../simulate/prepare.js';
import { methodOf } from '../simulate/summary.js';
import { sourceName } from '../trace/quote.js';

/**
 * Whether a metric says something of the jobs of an experiment: its topic came up, and jobs have homes where it is of these.
 * @param isSeen whether any value of it is not 0.
 */
export function isTelling(
  { settings, trace }: Experiment,
  { topic, needsHomes = false }: Metric,
  isSeen: boolean,
): boolean {
  return (topic === undefined || isSeen) && (!needsHomes || homeRuleOf(settings, trace) !== 'none');
}

/** The metrics that say something of the jobs. */
export function shownEstimates(experiment: Experiment, { metrics }: Estimated): EstimatedMetric[] {
  return metrics.filter(({ metric, estimate }) => isTelling(experiment, metric, estimate.high !== 0));
}

/** The document of one simulation over replications. */
export function estimatesDocument(experiment: Experiment, estimated: Estimated): object {
  const [configuration] = experiment.configurations;
  const document = estimatedDocument(estimated.metrics, estimated, configuration);
  return { workload: experiment.workload.name, ...document };
}

/** What the replications of one simulation are: the method, their number, over what they hold. */
export function estimatesHead(
  { configurations, workload }: Experiment,
  { replications, population }: Replicated,
): string {
  return (
    `${methodOf(configurations[0])}: ${formatNumber(replications)} ${population.copies} (--perturb ${population.perturb}), ` +
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`
  );
}

/** The same for a person. */
export function estimatesText(experiment: Experiment, estimated: Estimated, colors: Colors): string {
  const head = wrapped(estimatesHead(experiment, estimated));
  const table = estimatedText(shownEstimates(experiment, estimated), estimated, colors);
  return `${head}\n${wrapped(estimated.population.caveat)}\n\n${table}`;
}
