/** What compare sets side by side: the setting where nothing else is said, the methods, and what their replications come to. */
import { countOf, formatNumber } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import type { Settings } from '../options/options.js';
import {
  type AskedMethods,
  checkAsked,
  comparedExperiment,
  PAPER,
  usualSetting,
} from '../runs/comparedMethods.js';
import {
  type Estimated,
  type EstimatedMetric,
  isAllDecided,
  isSequential,
  type JudgedComparison,
  type Replicated,
} from '../runs/comparison.js';
import { classDocument, classTables, classText } from '../show/classTables.js';
import {
  estimatedDocument,
  estimatedText,
  judgedDocument,
  judgedLegend,
  judgedText,
} from '../show/replicationsText.js';
import { replicatedSettingText } from '../show/settingText.js';
import type { Table } from '../show/table.js';
import { type Colors, wrapped } from '../show/tableText.js';
import type { Experiment } from '../simulate/experiment.js';
import { methodNames } from '../simulate/methodNames.js';
import type { Metric } from '../simulate/metric.js';
import { homeRuleOf } from '../simulate/prepare.js';
import { nameOfRun } from '../simulate/summary.js';
import { comparedMethods, prepared, readSettings } from './asked.js';
import type { Asked } from './asking.js';
import type { Context } from './context.js';

/**
 * Reads everything that a comparison names and checks it, before anything runs; says which methods are left out since they
 * do not go with what is asked for.
 * @param asked of one log or model.
 * @throws InputError for what cannot be simulated.
 */
export async function prepareComparison(asked: Asked, context: Context): Promise<Experiment> {
  const [settings, methods] = comparedSettings(asked);
  checkAsked(settings, methods);
  return prepared(settings, context, (loaded) => comparedExperiment(settings, loaded, methods));
}

/** The settings that all methods have in common, with what holds where nothing is said, and the methods. */
export function comparedSettings({ sources, texts, named }: Asked): [Settings, AskedMethods] {
  const [source = PAPER.workload] = sources;
  const { common, ...methods } = comparedMethods({ ...usualSetting(source, texts), ...texts }, named);
  return [readSettings(source, common), methods];
}

/** What documents tell of an experiment. */
type Told = Pick<Experiment, 'workload' | 'grid' | 'configurations' | 'knowledge'>;

/** What is the same in every document of a comparison. */
export function comparedHead({ workload, grid: { capacities, speeds } }: Told): object {
  return { workload: workload.name, capacities, speeds };
}

/** A comparison over replications as a document. */
export function replicatedDocument(experiment: Told, comparison: JudgedComparison): object {
  const { metrics, looks, replications, population } = comparison;
  const documents = metrics.map((judged) =>
    judgedDocument(judged, comparison, experiment.configurations, experiment.knowledge),
  );
  const sequence = {
    ...(isSequential(comparison) ? { looks } : {}),
    ...(comparison.classes === undefined ? {} : { classes: classDocument(comparison.classes) }),
  };
  const several = { replications, perturb: population.perturb, metrics: documents };
  return { ...comparedHead(experiment), ...(documents.length === 1 ? documents[0] : several), ...sequence };
}

/** The same for a person. */
export function replicatedText(
  experiment: Experiment,
  comparison: JudgedComparison,
  { colors }: Context,
): string {
  const { metrics, looks, replications, population } = comparison;
  const ended = isAllDecided(comparison) ? 'decided' : 'undecided';
  const looked = isSequential(comparison) ? `, ${ended} after ${countOf(looks.length, 'look')}` : '';
  const tables = metrics.map((judged) =>
    judgedText(judged, comparison, experiment.configurations, experiment.knowledge, colors),
  );
  const head = `${formatNumber(replications)} ${population.copies}${looked} (--perturb ${population.perturb})`;
  const names = methodNames(experiment.configurations);
  const classes = classTables(comparison.classes ?? [], names, replications, population);
  return [
    `${replicatedSettingText(experiment)}\n${wrapped(head)}`,
    ...tables,
    ...classText(classes, colors),
    judgedLegend(comparison),
  ].join('\n\n');
}

// Every metric of one simulation over replications: for a person, and as a document.

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
