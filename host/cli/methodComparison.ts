/**
 * Methods and settings of `compare`: default setting, comparison over replications, and selection of the best
 * of many methods.
 */
import { InputError } from '../errors.js';
import { formatCount, formatNumber, formatPercent } from '../format/numbers.js';
import { firstElement } from '../lists.js';
import type { Settings } from '../options/options.js';
import { makeComparisonDocumentHead, makeMethodEntries } from '../reports/comparisonDocument.js';
import { explainVerdictTerms, formatReplicatedMeans, formatVerdicts } from '../reports/comparisonText.js';
import { formatClassTables, makeClassTables } from '../reports/jobClasses.js';
import { formatExperimentSettings, formatReplicatedSettings } from '../reports/simulationReport.js';
import type { CompareRequest, ExecutionSettings } from '../request/request.js';
import {
  type CompleteComparisonRequest,
  completeComparisonRequest,
  type EstimatedMetric,
  type EstimatedResult,
  isComparisonDecided,
  isSequentialComparison,
  type JudgedComparison,
  type ReplicatedFacts,
} from '../runs/comparison.js';
import {
  applySettingOfShih2010,
  checkMethodsFitSetting,
  makeComparisonExperiment,
  type RequestedMethods,
  SHIH_2010_SETTING_OPTIONS,
} from '../runs/methodSelection.js';
import { ReplicationRunner } from '../runs/replicator.js';
import { type Experiment, keepMethodsAtPositions } from '../simulate/experiment.js';
import {
  addLabelsToMethods,
  findDifferingOptions,
  makeMethodNamesForReports,
  methodNames,
} from '../simulate/methodNames.js';
import type { Metric } from '../simulate/metric.js';
import { checkMetricsExist, makeRunNameOfConfiguration } from '../simulate/summary.js';
import { determineRequestedHomeRule } from '../simulate/workloadSettings.js';
import { sampleMoments } from '../statistics/bootstrap.js';
import { INTERVAL_ERROR_PROBABILITY } from '../statistics/interval.js';
import { type Selection, selectBest } from '../statistics/judging.js';
import type { Table } from '../view/table.js';
import { type TerminalColors, wrapToTerminalLine } from '../view/terminal.js';
import { type CommandContext, makeSimulationProgressText } from './context.js';
import { loadExperimentOfSettings } from './loading.js';

/**
 * Loads and checks everything that a comparison names, before anything runs; prints which methods are omitted
 * because they do not fit.
 * @param commandRequest request for one log or model.
 * @throws InputError for a simulation that is impossible.
 */
export async function loadComparisonExperiment(
  commandRequest: CompareRequest,
  context: CommandContext,
): Promise<Experiment> {
  const [settings, requestedMethods] = makeComparisonSettings(commandRequest);
  checkMethodsFitSetting(settings, requestedMethods);
  const experiment = await loadExperimentOfSettings(settings, context, (loadedLog) =>
    makeComparisonExperiment(settings, loadedLog, requestedMethods),
  );
  return addLabelsToMethods(experiment, context.labels);
}

/** Common settings of all methods, including the default setting, and the methods. */
export function makeComparisonSettings(request: CompareRequest): [Settings, RequestedMethods] {
  const { workloads, methods, areAll, areNamed } = request;
  const [workloadSource = SHIH_2010_SETTING_OPTIONS.workload] = workloads;
  const options = workloads.length === 0 ? applySettingOfShih2010(request.options) : request.options;
  return [
    { ...options, workload: workloadSource },
    { methods, areAll, areNamed },
  ];
}

/** Formats the comparison over replications as text. */
export function formatReplicatedComparison(
  experiment: Experiment,
  comparison: JudgedComparison,
  { colors }: CommandContext,
): string {
  const { metrics, looks: interimLooks, replications: replicationCount, population } = comparison;
  const decisionText = isComparisonDecided(comparison) ? 'decided' : 'undecided';
  const interimLooksText = isSequentialComparison(comparison)
    ? `, ${decisionText} after ${formatCount(interimLooks.length, 'look')}`
    : '';
  const tables = metrics.map((judgedMetric) => formatVerdicts(judgedMetric, comparison, experiment, colors));
  const headLine = `${formatNumber(replicationCount)} ${population.copies}${interimLooksText} (--perturb ${population.perturb})`;
  const methodNamesInTables = makeMethodNamesForReports(experiment.configurations);
  const classTables = makeClassTables(comparison.classes, methodNamesInTables, comparison);
  return [
    `${formatReplicatedSettings(experiment)}\n${wrapToTerminalLine(headLine)}`,
    ...tables,
    ...formatClassTables(classTables, colors),
    explainVerdictTerms(comparison),
  ].join('\n\n');
}

// Every metric of one simulation over replications

/**
 * True if a metric is informative about the jobs of an experiment: its topic occurred, and jobs have homes if
 * it needs them.
 * @param hasNonzeroValue true if any value is not 0.
 */
export function isInformativeMetric(
  { settings, trace, grid }: Experiment,
  { topic, needsHomes = false }: Metric,
  hasNonzeroValue: boolean,
): boolean {
  return (
    (topic === undefined || hasNonzeroValue) &&
    (!needsHomes || (grid.capacities.length > 1 && determineRequestedHomeRule(settings, trace) !== 'none'))
  );
}

/** Keeps the metrics that are informative about the jobs. */
export function keepInformativeEstimates(
  experiment: Experiment,
  { metrics }: EstimatedResult,
): EstimatedMetric[] {
  return metrics.filter((estimatedMetric) => {
    const { metric } = estimatedMetric;
    const { estimate } =
      metrics.find((otherMetric) => otherMetric.name === metric.shownWith) ?? estimatedMetric;
    return isInformativeMetric(experiment, metric, estimate.high !== 0);
  });
}

/** Heading of a replicated simulation: the method, the number of replications and the population. */
export function makeReplicatedSimulationHeading(
  { configurations }: Experiment,
  { replications: replicationCount, population }: ReplicatedFacts,
): string {
  const methodName = makeRunNameOfConfiguration(firstElement(configurations));
  return `${methodName}: ${formatNumber(replicationCount)} ${population.copies} (--perturb ${population.perturb})`;
}

/** Tables of the job classes, if requested. */
export function makeJobClassTables(
  { configurations }: Experiment,
  estimatedResult: EstimatedResult,
): Table[] {
  return makeClassTables(estimatedResult.classes, makeMethodNamesForReports(configurations), estimatedResult);
}

/** Formats the replicated simulation as text. */
export function formatReplicatedSimulation(
  experiment: Experiment,
  estimatedResult: EstimatedResult,
  colors: TerminalColors,
): string {
  const sentences = [
    makeReplicatedSimulationHeading(experiment, estimatedResult),
    estimatedResult.population.caveat,
  ];
  const tableText = formatReplicatedMeans(
    keepInformativeEstimates(experiment, estimatedResult),
    estimatedResult,
    colors,
  );
  const headLine = `${formatReplicatedSettings(experiment, makeRunNameOfConfiguration(firstElement(experiment.configurations)))}\n${sentences.map(wrapToTerminalLine).join('\n')}`;
  return [
    headLine,
    tableText,
    ...formatClassTables(makeJobClassTables(experiment, estimatedResult), colors),
  ].join('\n\n');
}

// The one method to take of many: replications of those alone that may still be the best

/** Number of replications added per round of a selection after the first. */
const SELECTION_ROUND_REPLICATIONS = 10;

/** Result of selecting the best method. */
interface MethodSelectionResult extends Selection {
  /** Values by method, then by replication, as far as simulated. */
  readonly values: readonly (readonly number[])[];
}

/** Selects the best method and prints it; returns the exit code. */
export async function selectAndPrintMethod(
  commandRequest: CompareRequest,
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  const experiment = await loadComparisonExperiment(commandRequest, context);
  const request = completeComparisonRequest(experiment.settings, commandRequest);
  checkMetricsExist(request.metrics, experiment.configurations);
  if (request.metrics.length > 1) throw new InputError('--select-best goes by one metric; give one --metric');
  if (!(firstElement(request.within) > 0))
    throw new InputError('--select-best needs a difference that does not matter; give --within above 0');
  const { firstLook: firstReplications } = request.population;
  const maxReplications = commandRequest.replications ?? Number.POSITIVE_INFINITY;
  if (maxReplications < firstReplications)
    throw new InputError(
      `--select-best takes ${firstReplications} replications first; give --replications ${firstReplications} or more`,
    );
  const selectionResult = await selectMethodInRounds(
    experiment,
    request,
    maxReplications,
    execution,
    context,
  );
  return context.printResult(
    makeSelectionDocument(experiment, request, selectionResult),
    () =>
      `${formatExperimentSettings(experiment)}\n\n${formatSelection(experiment, request, selectionResult)}`,
  );
}

/** Adds replications of the remaining methods in rounds, until one is left or the maximum is reached. */
async function selectMethodInRounds(
  experiment: Experiment,
  request: CompleteComparisonRequest,
  maxReplications: number,
  { threads: threadCount, sharing }: ExecutionSettings,
  context: CommandContext,
): Promise<MethodSelectionResult> {
  const { methods } = experiment;
  const [metric, within] = [firstElement(request.metrics), firstElement(request.within)];
  const { firstLook: firstReplications } = request.population;
  const valuesByMethod: number[][] = methods.map(() => []);
  const progressLine = context.startProgressLine(makeSimulationProgressText(0), true);
  let selection: Selection = { left: methods.map((_, i) => i), replications: methods.map(() => 0) };
  let simulationCount = 0;
  let done = 0;
  let delta = 0;
  while (selection.left.length > 1 && done < maxReplications) {
    const { left } = selection;
    const replicator = new ReplicationRunner(keepMethodsAtPositions(experiment, left), {
      metrics: [metric.name],
      sharing,
      done,
      threads: threadCount,
      timeout: context.timeout,
      signal: context.io.signal,
      pause: () => context.pause(),
      onDone: () => {
        simulationCount += left.length;
        progressLine.update(simulationCount, undefined);
      },
    });
    try {
      const previousCount = done;
      while (selection.left.length === left.length && done < maxReplications) {
        done = Math.min(maxReplications, Math.max(firstReplications, done + SELECTION_ROUND_REPLICATIONS));
        const valuesOfNewReplications = await replicator.upTo(done);
        for (const [indexOfLeft, i] of left.entries())
          valuesByMethod[i]!.push(
            ...valuesOfNewReplications(metric.name, indexOfLeft).slice(
              valuesByMethod[i]!.length - previousCount,
            ),
          );
        if (delta === 0) delta = within * Math.abs(findBestMean(valuesByMethod, metric.better));
        if (delta === 0)
          throw new InputError(
            `--select-best: the best mean of ${metric.name} is 0, so no share of it can be taken`,
          );
        selection = selectBest(valuesByMethod, {
          better: metric.better ?? 'less',
          delta,
          first: firstReplications,
        });
      }
    } finally {
      await replicator.close();
    }
  }
  progressLine.end();
  return { ...selection, values: valuesByMethod };
}

function findBestMean(
  valuesByMethod: readonly (readonly number[])[],
  better: 'less' | 'more' = 'less',
): number {
  const means = valuesByMethod.map((valuesOfMethod) => sampleMoments(valuesOfMethod).mean);
  return better === 'less' ? Math.min(...means) : Math.max(...means);
}

const countSimulatedReplications = ({ values: valuesByMethod }: MethodSelectionResult) =>
  valuesByMethod.reduce((sum, { length }) => sum + length, 0);

function makeSelectionDocument(
  experiment: Experiment,
  { metrics, within: [within], population }: CompleteComparisonRequest,
  selectionResult: MethodSelectionResult,
): object {
  const { configurations } = experiment;
  const namesOfMethods = methodNames(configurations);
  const options = findDifferingOptions(configurations);
  const { left: remainingMethods, replications, values: valuesByMethod } = selectionResult;
  return {
    ...makeComparisonDocumentHead(experiment),
    perturb: population.perturb,
    metric: firstElement(metrics).name,
    within,
    level: INTERVAL_ERROR_PROBABILITY,
    selected: remainingMethods.length === 1 ? namesOfMethods[firstElement(remainingMethods)] : null,
    simulations: countSimulatedReplications(selectionResult),
    rows: configurations.map((configuration, i) => ({
      name: namesOfMethods[i],
      ...makeMethodEntries(configuration),
      options: options[i],
      isLeft: remainingMethods.includes(i),
      replications: replications[i],
      values: valuesByMethod[i],
    })),
  };
}

function formatSelection(
  { configurations }: Experiment,
  { metrics, within: [within = 0], population }: CompleteComparisonRequest,
  selectionResult: MethodSelectionResult,
): string {
  const methodNamesInTables = makeMethodNamesForReports(configurations);
  const { left: remainingMethods, values: valuesByMethod } = selectionResult;
  const replicationCount = Math.max(...valuesByMethod.map(({ length }) => length));
  const marginText = formatPercent(within, 1).replace(/\.0+ %/, ' %');
  const replicationsPhrase = `${formatNumber(replicationCount)} ${population.copies}`;
  const answerSentence =
    remainingMethods.length === 1
      ? `With 95 % probability ${methodNamesInTables[firstElement(remainingMethods)]} is within ${marginText} of the best of ${formatNumber(methodNamesInTables.length)} methods by ${firstElement(metrics).label}, from ${replicationsPhrase} (Kim and Nelson 2001).`
      : `${formatCount(remainingMethods.length, 'method')} may still be the best by ${firstElement(metrics).label}: ${remainingMethods.map((i) => methodNamesInTables[i]).join(', ')}. ${replicationsPhrase} are not enough to tell which; use more --replications or a larger --within.`;
  const simulationCountText = `${formatCount(countSimulatedReplications(selectionResult), 'simulation')}; ${formatNumber(replicationCount * methodNamesInTables.length)} with all methods to the end. To see how far the others are behind, use compare --until-decided.`;
  return [answerSentence, simulationCountText].map((each) => wrapToTerminalLine(each)).join('\n');
}
