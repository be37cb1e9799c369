/** Every metric of one simulation over replications: for a person, and as a document. */

import { formatNumber } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import type { Estimated, EstimatedMetric, Replicated } from '../runs/comparison.js';
import { classDocument, classTables, classText } from '../show/classTables.js';
import { estimatedDocument, estimatedText } from '../show/replicationsText.js';
import { replicatedSettingText } from '../show/settingText.js';
import type { Table } from '../show/table.js';
import type { Colors } from '../show/tableText.js';
import { wrapped } from '../show/tableText.js';
import type { Experiment } from '../simulate/experiment.js';
import { methodNames } from '../simulate/methodNames.js';
import type { Metric } from '../simulate/metric.js';
import { homeRuleOf } from '../simulate/prepare.js';
import { nameOfRun } from '../simulate/summary.js';

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
  const configuration = firstOf(experiment.configurations);
  const document = estimatedDocument(estimated.metrics, estimated, configuration);
  const { classes } = estimated;
  return {
    workload: experiment.workload.name,
    ...document,
    ...(classes === undefined ? {} : { classes: classDocument(classes) }),
  };
}

/** What the replications of one simulation are: the method, their number, over what they hold. */
export function estimatesHead(
  { configurations }: Experiment,
  { replications, population }: Replicated,
): string {
  const method = nameOfRun(firstOf(configurations));
  return `${method}: ${formatNumber(replications)} ${population.copies} (--perturb ${population.perturb})`;
}

/** The tables of the classes of jobs, where they are asked for. */
export function estimatedClasses(
  { configurations }: Experiment,
  { classes = [], replications, population }: Estimated,
): Table[] {
  return classTables(classes, methodNames(configurations), replications, population);
}

/** The same for a person. */
export function estimatesText(experiment: Experiment, estimated: Estimated, colors: Colors): string {
  const sentences = [estimatesHead(experiment, estimated), estimated.population.caveat];
  const table = estimatedText(shownEstimates(experiment, estimated), estimated, colors);
  const head = `${replicatedSettingText(experiment, nameOfRun(firstOf(experiment.configurations)))}\n${sentences.map(wrapped).join('\n')}`;
  return [head, table, ...classText(estimatedClasses(experiment, estimated), colors)].join('\n\n');
}
