/**
 * What compare sets side by side: the setting where nothing else is said, the methods, what their replications come
 * to, and of many methods the one to take.
 */
import { InputError } from '../errors.js';
import { countText, formatNumber, formatPercent } from '../format/numbers.js';
import { firstElement } from '../lists.js';
import type { Settings } from '../options/options.js';
import { comparisonHead, methodDocumentEntries } from '../reports/comparisonDocument.js';
import { estimatedText, verdictLegend, verdictsText } from '../reports/comparisonText.js';
import { classTables, classTablesText } from '../reports/jobClasses.js';
import { experimentSettingText, replicatedSettingText } from '../reports/simulationReport.js';
import type { CompareRequest, Execution } from '../request/request.js';
import {
  type ComparisonRequest,
  type EstimatedMetric,
  type EstimatedResult,
  isAllDecided,
  isSequential,
  type JudgedComparison,
  makeComparisonRequest,
  type ReplicatedFacts,
} from '../runs/comparison.js';
import {
  checkMethodRequest,
  comparedExperiment,
  PAPER_SETTING_OPTIONS,
  paperSetting,
  type RequestedMethods,
} from '../runs/methodSelection.js';
import { Replicator } from '../runs/replicator.js';
import { type Experiment, requestedHomeRule, selectMethods } from '../simulate/experiment.js';
import { differingOptions, methodNames, namesForReports, withLabels } from '../simulate/methodNames.js';
import type { Metric } from '../simulate/metric.js';
import { checkMetricsExist, methodNameOfRun } from '../simulate/summary.js';
import { momentsOf } from '../statistics/bootstrap.js';
import { ERROR_PROBABILITY } from '../statistics/interval.js';
import { type Selection, selectBest } from '../statistics/judging.js';
import type { Table } from '../view/table.js';
import { type Colors, wrapLines } from '../view/terminal.js';
import { type Context, simulationProgressText } from './context.js';
import { loadExperiment } from './loading.js';

/**
 * Reads everything that a comparison names and checks it, before anything runs; says which methods are left out since they
 * do not go with what is requested.
 * @param commandRequest of one log or model.
 * @throws InputError for what cannot be simulated.
 */
export async function prepareComparison(
  commandRequest: CompareRequest,
  context: Context,
): Promise<Experiment> {
  const [settings, methods] = comparedSettings(commandRequest);
  checkMethodRequest(settings, methods);
  const experiment = await loadExperiment(settings, context, (loaded) =>
    comparedExperiment(settings, loaded, methods),
  );
  return withLabels(experiment, context.labels);
}

/** The settings that all methods have in common, with what holds by default, and the methods. */
export function comparedSettings(request: CompareRequest): [Settings, RequestedMethods] {
  const { workloads, methods, areAll, areNamed } = request;
  const [workload = PAPER_SETTING_OPTIONS.workload] = workloads;
  const options = workloads.length === 0 ? paperSetting(request.options) : request.options;
  return [
    { ...options, workload },
    { methods, areAll, areNamed },
  ];
}

/** Formats the comparison over replications as text. */
export function replicatedText(
  experiment: Experiment,
  comparison: JudgedComparison,
  { colors }: Context,
): string {
  const { metrics, looks, replications, population } = comparison;
  const endText = isAllDecided(comparison) ? 'decided' : 'undecided';
  const looksText = isSequential(comparison) ? `, ${endText} after ${countText(looks.length, 'look')}` : '';
  const tables = metrics.map((judged) => verdictsText(judged, comparison, experiment, colors));
  const head = `${formatNumber(replications)} ${population.copies}${looksText} (--perturb ${population.perturb})`;
  const names = namesForReports(experiment.configurations);
  const classes = classTables(comparison.classes, names, comparison);
  return [
    `${replicatedSettingText(experiment)}\n${wrapLines(head)}`,
    ...tables,
    ...classTablesText(classes, colors),
    verdictLegend(comparison),
  ].join('\n\n');
}

// Every metric of one simulation over replications

/**
 * Whether a metric says something of the jobs of an experiment: its topic came up, and jobs have homes where it is of these.
 * @param isVisible whether any value of it is not 0.
 */
export function isInformativeMetric(
  { settings, trace, grid }: Experiment,
  { topic, needsHomes = false }: Metric,
  isVisible: boolean,
): boolean {
  return (
    (topic === undefined || isVisible) &&
    (!needsHomes || (grid.capacities.length > 1 && requestedHomeRule(settings, trace) !== 'none'))
  );
}

/** Metrics that are informative for the jobs. */
export function informativeEstimates(
  experiment: Experiment,
  { metrics }: EstimatedResult,
): EstimatedMetric[] {
  return metrics.filter(({ metric, estimate }) =>
    isInformativeMetric(experiment, metric, estimate.high !== 0),
  );
}

/** Heading of a replicated simulation: the method, the number of replications and the population. */
export function estimatesHead(
  { configurations }: Experiment,
  { replications, population }: ReplicatedFacts,
): string {
  const method = methodNameOfRun(firstElement(configurations));
  return `${method}: ${formatNumber(replications)} ${population.copies} (--perturb ${population.perturb})`;
}

/** The tables of the classes of jobs, if requested. */
export function estimatedClasses({ configurations }: Experiment, estimated: EstimatedResult): Table[] {
  return classTables(estimated.classes, namesForReports(configurations), estimated);
}

/** Formats the replicated simulation as text. */
export function estimatesText(experiment: Experiment, estimated: EstimatedResult, colors: Colors): string {
  const messageSentences = [estimatesHead(experiment, estimated), estimated.population.caveat];
  const table = estimatedText(informativeEstimates(experiment, estimated), estimated, colors);
  const head = `${replicatedSettingText(experiment, methodNameOfRun(firstElement(experiment.configurations)))}\n${messageSentences.map(wrapLines).join('\n')}`;
  return [head, table, ...classTablesText(estimatedClasses(experiment, estimated), colors)].join('\n\n');
}

// The one method to take of many: replications of those alone that may still be the best

/** Number of replications added at a time after the first. */
const SELECTION_ROUND_REPLICATIONS = 10;

/** The result of a selection. */
interface SelectionResult extends Selection {
  /** Values by method, then by replication, as far as simulated. */
  readonly values: readonly (readonly number[])[];
}

/** Selects a method and prints it; returns the exit code. */
export async function selectMethod(
  commandRequest: CompareRequest,
  execution: Execution,
  context: Context,
): Promise<number> {
  const experiment = await prepareComparison(commandRequest, context);
  const request = makeComparisonRequest(experiment.settings, commandRequest);
  checkMetricsExist(request.metrics, experiment.configurations);
  if (request.metrics.length > 1) throw new InputError('--select-best goes by one metric; give one --metric');
  if (!(firstElement(request.within) > 0))
    throw new InputError('--select-best needs a difference that does not matter; give --within above 0');
  const { firstLook: first } = request.population;
  const most = commandRequest.replications ?? Number.POSITIVE_INFINITY;
  if (most < first)
    throw new InputError(
      `--select-best takes ${first} replications first; give --replications ${first} or more`,
    );
  const selectionResult = await selectMethodInRounds(experiment, request, most, execution, context);
  return context.printResult(
    documentOf(experiment, request, selectionResult),
    () => `${experimentSettingText(experiment)}\n\n${textOf(experiment, request, selectionResult)}`,
  );
}

/** Replicates the remaining methods in rounds, until one is left or the largest number is reached. */
async function selectMethodInRounds(
  experiment: Experiment,
  request: ComparisonRequest,
  most: number,
  { threads, sharing }: Execution,
  context: Context,
): Promise<SelectionResult> {
  const { methods } = experiment;
  const [metric, within] = [firstElement(request.metrics), firstElement(request.within)];
  const { firstLook: first } = request.population;
  const values: number[][] = methods.map(() => []);
  const progress = context.progress(simulationProgressText(0), true);
  let selection: Selection = { left: methods.map((_, i) => i), replications: methods.map(() => 0) };
  let simulations = 0;
  let done = 0;
  let delta = 0;
  while (selection.left.length > 1 && done < most) {
    const { left } = selection;
    const replicator = new Replicator(selectMethods(experiment, left), {
      metrics: [metric.name],
      sharing,
      done,
      threads,
      timeout: context.timeout,
      signal: context.io.signal,
      pause: () => context.pause(),
      onDone: () => {
        simulations += left.length;
        progress.update(simulations, undefined);
      },
    });
    try {
      const before = done;
      while (selection.left.length === left.length && done < most) {
        done = Math.min(most, Math.max(first, done + SELECTION_ROUND_REPLICATIONS));
        const found = await replicator.upTo(done);
        for (const [place, i] of left.entries())
          values[i]!.push(...found(metric.name, place).slice(values[i]!.length - before));
        if (delta === 0) delta = within * Math.abs(bestMeanOf(values, metric.better));
        if (delta === 0)
          throw new InputError(
            `--select-best: the best mean of ${metric.name} is 0, so no share of it can be taken`,
          );
        selection = selectBest(values, { better: metric.better ?? 'less', delta, first });
      }
    } finally {
      await replicator.close();
    }
  }
  progress.end();
  return { ...selection, values };
}

function bestMeanOf(values: readonly (readonly number[])[], better: 'less' | 'more' = 'less'): number {
  const means = values.map((each) => momentsOf(each).mean);
  return better === 'less' ? Math.min(...means) : Math.max(...means);
}

const countSimulations = ({ values }: SelectionResult) => values.reduce((sum, { length }) => sum + length, 0);

function documentOf(
  experiment: Experiment,
  { metrics, within: [within], population }: ComparisonRequest,
  selectionResult: SelectionResult,
): object {
  const { configurations } = experiment;
  const names = methodNames(configurations);
  const options = differingOptions(configurations);
  const { left, replications, values } = selectionResult;
  return {
    ...comparisonHead(experiment),
    perturb: population.perturb,
    metric: firstElement(metrics).name,
    within,
    level: ERROR_PROBABILITY,
    selected: left.length === 1 ? names[firstElement(left)] : null,
    simulations: countSimulations(selectionResult),
    rows: configurations.map((configuration, i) => ({
      name: names[i],
      ...methodDocumentEntries(configuration),
      options: options[i],
      isLeft: left.includes(i),
      replications: replications[i],
      values: values[i],
    })),
  };
}

function textOf(
  { configurations }: Experiment,
  { metrics, within: [within = 0], population }: ComparisonRequest,
  selectionResult: SelectionResult,
): string {
  const names = namesForReports(configurations);
  const { left, values } = selectionResult;
  const count = Math.max(...values.map(({ length }) => length));
  const share = formatPercent(within, 1).replace(/\.0+ %/, ' %');
  const over = `${formatNumber(count)} ${population.copies}`;
  const answer =
    left.length === 1
      ? `With 95 % probability ${names[firstElement(left)]} is within ${share} of the best of ${formatNumber(names.length)} methods by ${firstElement(metrics).label}, from ${over} (Kim and Nelson 2001).`
      : `${countText(left.length, 'method')} may still be the best by ${firstElement(metrics).label}: ${left.map((i) => names[i]).join(', ')}. ${over} are not enough to tell which; use more --replications or a larger --within.`;
  const simulationCountText = `${countText(countSimulations(selectionResult), 'simulation')}; ${formatNumber(count * names.length)} with all methods to the end. To see how far the others are behind, use compare --until-decided.`;
  return [answer, simulationCountText].map((each) => wrapLines(each)).join('\n');
}
