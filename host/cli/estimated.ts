/** Every metric of one simulation over replications: for a person, and as a document. */
import { countOf, formatNumber } from '../format/numbers.js';
import {
  type EstimatedMetric,
  estimatedDocument,
  estimatedText,
  type Replicated,
  wrapped,
} from '../show/replicationsText.js';
import type { Colors } from '../show/tableText.js';
import type { Metric } from '../simulate/metric.js';
import { SCALAR_METRICS } from '../simulate/metricValues.js';
import { homeRuleOf } from '../simulate/prepare.js';
import { methodOf } from '../simulate/summary.js';
import { estimateMean } from '../statistics/interval.js';
import { populationOf } from '../statistics/population.js';
import { sourceName } from '../trace/quote.js';
import type { CommandExperiment } from './asked.js';
import type { Context } from './context.js';
import { type Replications, runReplications, type Samples } from './replicated.js';

/** What replications of one simulation come to. */
export interface Estimated extends Replicated {
  readonly metrics: readonly EstimatedMetric[];
}

/** Every metric of the one method of an experiment, from its values by replication. */
export function estimatedOf(experiment: CommandExperiment, samples: Samples): Estimated {
  const metrics = SCALAR_METRICS.map((metric) => ({
    name: metric.name,
    metric,
    estimate: estimateMean(samples(metric, 0)),
  }));
  const replications = samples(SCALAR_METRICS[0], 0).length;
  return { replications, population: populationOf(experiment.settings), metrics };
}

/**
 * Whether a metric says something of the jobs of an experiment: its topic came up, and jobs have homes where it is of these.
 * @param isSeen whether any value of it is not 0.
 */
export function isTelling(
  { settings, trace }: CommandExperiment,
  { topic, needsHomes = false }: Metric,
  isSeen: boolean,
): boolean {
  return (topic === undefined || isSeen) && (!needsHomes || homeRuleOf(settings, trace) !== 'none');
}

/** The metrics that say something of the jobs. */
export function shownEstimates(experiment: CommandExperiment, { metrics }: Estimated): EstimatedMetric[] {
  return metrics.filter(({ metric, estimate }) => isTelling(experiment, metric, estimate.high !== 0));
}

/** The document of one simulation over replications. */
export function estimatesDocument(experiment: CommandExperiment, estimated: Estimated): object {
  const [configuration] = experiment.configurations;
  const document = estimatedDocument(estimated.metrics, estimated, configuration);
  return { workload: experiment.workload.name, ...document };
}

/** What the replications of one simulation are: the method, their number, over what they hold. */
export function estimatesHead(
  { configurations, workload }: CommandExperiment,
  { replications, population }: Replicated,
): string {
  return (
    `${methodOf(configurations[0])}: ${formatNumber(replications)} ${population.copies} (--perturb ${population.perturb}), ` +
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`
  );
}

/** The same for a person. */
export function estimatesText(experiment: CommandExperiment, estimated: Estimated, colors: Colors): string {
  const head = wrapped(estimatesHead(experiment, estimated));
  const table = estimatedText(shownEstimates(experiment, estimated), estimated, colors);
  return `${head}\n${wrapped(estimated.population.caveat)}\n\n${table}`;
}

/** Every metric of the one method of an experiment, over replications. */
export async function estimateReplications(
  experiment: CommandExperiment,
  { replications, threads, sharing }: Replications,
  context: Context,
): Promise<Estimated> {
  const { samples } = await runReplications(
    experiment,
    { threads, sharing },
    context,
    SCALAR_METRICS,
    [replications],
    () => true,
  );
  return estimatedOf(experiment, samples);
}
