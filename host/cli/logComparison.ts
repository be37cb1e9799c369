/**
 * Comparison of methods over several logs: each log contributes one value per method, relative to the best
 * method on it.
 */
import { InputError, MissingEstimatesError } from '../errors.js';
import { formatCount, joinWithAnd } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import { firstElement } from '../lists.js';
import {
  makeComparisonDocumentHead,
  makeMetricVerdictsDocument,
  makeReplicatedComparisonDocument,
} from '../reports/comparisonDocument.js';
import {
  describeVerdictsByLog,
  type LogsWithComparisons,
  listCaveatsOfLogComparisons,
  makeLogTables,
} from '../reports/comparisonReport.js';
import { explainVerdictTerms, formatVerdicts } from '../reports/comparisonText.js';
import {
  describeCommonSettings,
  describeMethodDefinitions,
  findLastPathPart,
} from '../reports/simulationReport.js';
import type { CompareRequest } from '../request/request.js';
import {
  type CompleteComparisonRequest,
  type JudgedComparison,
  judgeOverLogs,
  type LogResultsWithSize,
} from '../runs/comparison.js';
import { checkMethodsFitSetting, describeMethod, makeComparisonExperiment } from '../runs/methodSelection.js';
import { type Experiment, keepMethodsAtPositions } from '../simulate/experiment.js';
import {
  addLabelsToMethods,
  describeMachinesOfMethods,
  makeMethodNamesForReports,
} from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { type Table, toDetailedCell } from '../view/table.js';
import { formatTableForTerminal, MAX_TERMINAL_LINE_WIDTH, wrapToTerminalLine } from '../view/terminal.js';
import { isModelNotation } from '../workload/models.js';
import type { CommandContext } from './context.js';
import { loadExperimentOfSettings } from './loading.js';
import { makeComparisonSettings } from './methodComparison.js';

/** Logs on which methods are compared, and the names of omitted logs. */
export interface LogsToCompare {
  readonly logs: readonly Experiment[];
  /** Names of omitted logs, whose jobs lack the requested times that some methods need. */
  readonly omitted: readonly string[];
}

/**
 * Reads several logs and checks the request before anything runs.
 * @returns the logs, with the methods that fit all of them.
 * @throws InputError for duplicate logs, models, and simulations that are impossible.
 */
export async function loadLogsToCompare(
  request: CompareRequest,
  context: CommandContext,
): Promise<LogsToCompare> {
  const { workloads } = request;
  const modelNotation = workloads.find(isModelNotation);
  if (modelNotation !== undefined) {
    throw new InputError(
      `${modelNotation} is a model, and several logs are compared; give a model by itself: --replications uses different seeds`,
    );
  }
  const loadedLogs: (Experiment | LogWithoutEstimates)[] = [];
  for (const workloadSource of workloads)
    loadedLogs.push(await loadLogToCompare({ ...request, workloads: [workloadSource] }, context));
  const { logs, omitted } = await dropLogsWithoutEstimates(loadedLogs, request, context);
  refuseRepeatedLogs(logs);
  // Methods that are named as a whole are those of every log.
  const comparableLogs = request.areNamed ? [...logs] : await keepMethodsFittingAllLogs(logs, context);
  return {
    logs: comparableLogs.map((logExperiment) => addLabelsToMethods(logExperiment, context.labels)),
    omitted,
  };
}

/** A log whose jobs lack the requested times that some methods need. */
interface LogWithoutEstimates {
  readonly source: string;
  readonly remarks: readonly string[];
  /**
   * Returns the log with the default methods that need no requested times; throws MissingEstimatesError if
   * methods were given explicitly.
   */
  readonly withOtherMethods: () => Experiment;
}

const hasEstimates = (loadedLog: Experiment | LogWithoutEstimates): loadedLog is Experiment =>
  'loaded' in loadedLog;

function loadLogToCompare(
  request: CompareRequest,
  context: CommandContext,
): Promise<Experiment | LogWithoutEstimates> {
  const [settings, requestedMethods] = makeComparisonSettings(request);
  checkMethodsFitSetting(settings, requestedMethods);
  return loadExperimentOfSettings<Experiment | LogWithoutEstimates>(settings, context, (loadedLog) => {
    try {
      return makeComparisonExperiment(settings, loadedLog, { ...requestedMethods, needsEstimates: true });
    } catch (error) {
      if (!(error instanceof MissingEstimatesError)) throw error;
      const makeWithOtherMethods = () => makeComparisonExperiment(settings, loadedLog, requestedMethods);
      return { source: settings.workload, remarks: [], withOtherMethods: makeWithOtherMethods };
    }
  });
}

/**
 * Logs with requested times, if there are at least two; otherwise all logs, with the default methods that
 * need none.
 * @throws InputError for fewer than two logs with requested times if methods were given explicitly.
 */
async function dropLogsWithoutEstimates(
  loadedLogs: readonly (Experiment | LogWithoutEstimates)[],
  { options }: CompareRequest,
  context: CommandContext,
): Promise<LogsToCompare> {
  const logExperiments = loadedLogs.filter(hasEstimates);
  const logNames = makeShortUniqueNames(
    loadedLogs.map((loadedLog) => (hasEstimates(loadedLog) ? loadedLog.settings.workload : loadedLog.source)),
  );
  const omittedLogNames = logNames.filter((_, i) => !hasEstimates(loadedLogs[i]!));
  if (omittedLogNames.length === 0) return { logs: logExperiments, omitted: omittedLogNames };
  const message = `${joinWithAnd(omittedLogNames)}: no job requests a time, by which some of the methods decide`;
  const remedy =
    options.kill === undefined
      ? '--estimates exact takes the actual runtimes of all logs as estimates'
      : '--kill needs requested times';
  if (logExperiments.length > 1) {
    await context.printMessage(
      `${message}; ${omittedLogNames.length === 1 ? 'this log is' : 'these logs are'} omitted; ${remedy}`,
    );
    return { logs: logExperiments, omitted: omittedLogNames };
  }
  const comparedLogs: Experiment[] = [];
  for (const loadedLog of loadedLogs) {
    if (hasEstimates(loadedLog)) comparedLogs.push(loadedLog);
    else
      comparedLogs.push(
        await dropEstimatingMethods(
          loadedLog,
          `${message}, so fewer than two logs are left; ${remedy}`,
          context,
        ),
      );
  }
  return { logs: comparedLogs, omitted: [] };
}

/** Restricts a log without requested times to the default methods that need none. */
async function dropEstimatingMethods(
  { withOtherMethods }: LogWithoutEstimates,
  refusalText: string,
  context: CommandContext,
): Promise<Experiment> {
  try {
    const experiment = withOtherMethods();
    for (const remark of experiment.remarks) await context.printMessageOnce(remark);
    return experiment;
  } catch (error) {
    throw error instanceof MissingEstimatesError ? new InputError(refusalText) : error;
  }
}

/** Logs, and the results of comparing methods on them. */
export interface LogComparisonResult extends LogsToCompare {
  readonly request: CompareRequest;
  readonly metrics: readonly NamedMetric[];
  readonly values: readonly LogResultsWithSize[];
  readonly comparison: JudgedComparison;
  /** Comparison on each log over its own replications; undefined if each log is simulated once. */
  readonly comparisonsByLog: readonly JudgedComparison[] | undefined;
}

/**
 * Compares methods over logs.
 * @param valuesByLog values by log, metric and method.
 * @param comparisonsByLog comparison on each log over its own replications, if any.
 */
export function compareMethodsOverLogs(
  { logs, omitted }: LogsToCompare,
  request: CompareRequest,
  comparisonRequest: CompleteComparisonRequest,
  valuesByLog: readonly (readonly (readonly number[])[])[],
  comparisonsByLog: readonly JudgedComparison[] | undefined,
): LogComparisonResult {
  const logNames = makeShortUniqueNames(logs.map(({ workload }) => workload.name));
  const logSummaries = logs.map(({ workload, grid }, i) => ({
    name: logNames[i]!,
    jobs: workload.count,
    processors: grid.capacities.reduce((sum, capacity) => sum + capacity, 0),
    values: valuesByLog[i]!,
  }));
  const comparison = judgeOverLogs(logSummaries, comparisonRequest);
  return {
    request,
    logs,
    omitted,
    metrics: comparisonRequest.metrics,
    values: logSummaries,
    comparison,
    comparisonsByLog,
  };
}

/** Names of logs without their folders, if these are distinct. */
export function makeShortUniqueNames(fileNames: readonly string[]): string[] {
  const shortNames = fileNames.map(findLastPathPart);
  return new Set(shortNames).size === fileNames.length ? shortNames : fileNames.map(makePrintableSourceName);
}

/**
 * Refuses logs with the same jobs, since a duplicate would count as a second log.
 * @throws InputError for two logs with the same jobs.
 */
function refuseRepeatedLogs(logExperiments: readonly Experiment[]): void {
  const columnsByLog = logExperiments.map(({ loaded: loadedLog }) => loadedLog.columns);
  const haveSameValues = (a: Float64Array, b: Float64Array) =>
    a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
  for (const [i, columns] of columnsByLog.entries()) {
    const firstLogWithSameJobs = columnsByLog.findIndex((otherColumns) =>
      (['submit', 'runtime', 'processors'] as const).every((fieldName) =>
        haveSameValues(columns[fieldName], otherColumns[fieldName]),
      ),
    );
    if (firstLogWithSameJobs < i) {
      const [a, b] = [firstLogWithSameJobs, i].map((logIndex) =>
        makePrintableSourceName(logExperiments[logIndex]!.workload.name),
      );
      throw new InputError(`${a} and ${b} have the same jobs; a log counts once, give one of the two`);
    }
  }
}

/** Keeps only the methods that fit all logs. */
async function keepMethodsFittingAllLogs(
  logExperiments: readonly Experiment[],
  context: CommandContext,
): Promise<Experiment[]> {
  const methodTextsByLog = logExperiments.map(({ methods }) =>
    methods.map((method) => JSON.stringify(method)),
  );
  const isInAllLogs = (methodText: string) => methodTextsByLog.every((each) => each.includes(methodText));
  const unsupportedMethods = methodTextsByLog.flat().filter((text) => !isInAllLogs(text));
  if (unsupportedMethods.length > 0) {
    const methodDescriptions = [...new Set(unsupportedMethods)].map((text) =>
      describeMethod(JSON.parse(text)),
    );
    await context.printMessage(`${methodDescriptions.join(', ')}: skipped, since not all logs support it`);
  }
  const keptMethodIndexesByLog = methodTextsByLog.map((each) =>
    each.flatMap((text, i) => (isInAllLogs(text) ? [i] : [])),
  );
  if (firstElement(keptMethodIndexesByLog).length === 0) {
    throw new InputError('no method suits all of the logs; name some with --policy or --discipline');
  }
  return logExperiments.map((experiment, log) =>
    keepMethodsAtPositions(experiment, keptMethodIndexesByLog[log]!),
  );
}

/**
 * JSON of a comparison over logs: verdicts by the first metric, then by every metric; and the values of each
 * log with, for replications, its own comparison.
 */
export function makeLogComparisonDocument({
  logs,
  omitted,
  metrics,
  values: valuesByLog,
  comparison,
  comparisonsByLog,
}: LogComparisonResult): object {
  const metricDocuments = comparison.metrics.map((metric) => {
    const document = makeMetricVerdictsDocument(metric, comparison, firstElement(logs));
    const { replications, perturb: _, ...otherFields } = document as Record<string, unknown>;
    return { logs: replications, ...otherFields };
  });
  return {
    ...firstElement(metricDocuments),
    logs: logs.map((logExperiment, i) => ({
      ...(comparisonsByLog === undefined
        ? makeComparisonDocumentHead(logExperiment)
        : makeReplicatedComparisonDocument(logExperiment, comparisonsByLog[i]!)),
      jobs: valuesByLog[i]!.jobs,
      values: Object.fromEntries(
        metrics.map(({ name: metricName }, metricIndex) => [metricName, valuesByLog[i]!.values[metricIndex]]),
      ),
    })),
    omitted,
    metrics: metricDocuments,
  };
}

/** Describes the simulated logs and the common settings. */
export function describeSettingsOverLogs({
  request: { replications: replicationCount, options },
  logs,
  omitted,
}: LogComparisonResult): string[] {
  const repetitionText =
    replicationCount === undefined ? 'once, unchanged' : `in ${formatCount(replicationCount, 'replication')}`;
  const areOnSameSites = options.sites !== undefined || options.preset !== undefined;
  const machines = describeMachinesOfMethods(firstElement(logs).configurations);
  const sitesText = areOnSameSites
    ? 'the same sites'
    : machines.length > 0
      ? 'the sites of each method'
      : 'their own machines';
  const settingsText = describeCommonSettings(firstElement(logs));
  const omittedText =
    omitted.length === 0
      ? ''
      : `, without ${joinWithAnd(omitted)}, whose jobs request no times, by which some of the methods decide`;
  return [
    `${formatCount(logs.length, 'log')} on ${sitesText}, each ${repetitionText}${omittedText}`,
    ...(settingsText === '' ? [] : [settingsText]),
  ];
}

/** Verdicts on each log; undefined without replications. */
export function makeLogsWithComparisons({
  values: valuesByLog,
  comparisonsByLog,
}: LogComparisonResult): LogsWithComparisons | undefined {
  return comparisonsByLog === undefined
    ? undefined
    : { logs: valuesByLog.map(({ name: logName }) => logName), comparisons: comparisonsByLog };
}

/** Sentence on how to get verdicts, if the results have none. */
function adviseReplications({ comparison, comparisonsByLog }: LogComparisonResult): string[] {
  const isJudged = comparison.metrics.some(({ judgement }) => judgement.isJudged);
  const isUndecided = comparisonsByLog?.some(({ metrics }) =>
    metrics.some(({ judgement }) => judgement.isJudged && !judgement.isDecided),
  );
  if (isUndecided) return ['More --replications may decide what is undecided on a log.'];
  return isJudged || comparisonsByLog !== undefined
    ? []
    : ['--replications 30 judges the methods on each log by itself; more logs give a verdict over all.'];
}

/**
 * Table without the bounds of its values, which would need several terminal lines per log; the report
 * contains them.
 */
const removeTableBounds = (table: Table): Table => ({
  ...table,
  rows: table.rows.map((cellRow) =>
    cellRow.map((cell) => {
      const { low: _, high: __, ...otherFields } = toDetailedCell(cell);
      return otherFields;
    }),
  ),
});

/** Formats the comparison over logs as text. */
export function formatLogComparison(logComparison: LogComparisonResult, { colors }: CommandContext): string {
  const { logs, metrics, values: valuesByLog, comparison, comparisonsByLog } = logComparison;
  const methodNames = makeMethodNamesForReports(firstElement(logs).configurations);
  const tables = makeLogTables(valuesByLog, metrics, methodNames, comparisonsByLog);
  const judgedLogs = makeLogsWithComparisons(logComparison);
  const formatVerdictsOnLogs = (metric: number) =>
    judgedLogs === undefined
      ? []
      : [describeVerdictsByLog(judgedLogs, metric, methodNames).map(wrapToTerminalLine).join('\n')];
  const sections = comparison.metrics.flatMap((judgedMetric, i) => [
    formatVerdicts(judgedMetric, comparison, firstElement(logs), colors),
    formatTableForTerminal(removeTableBounds(tables[i]!), colors, MAX_TERMINAL_LINE_WIDTH),
    ...formatVerdictsOnLogs(i),
  ]);
  const closingRemarks = [
    ...(judgedLogs === undefined ? [] : listCaveatsOfLogComparisons(judgedLogs)),
    ...adviseReplications(logComparison),
  ];
  const legend = [explainVerdictTerms(comparison), ...closingRemarks.map(wrapToTerminalLine)]
    .filter((text) => text !== '')
    .join('\n');
  const setting = [
    ...describeSettingsOverLogs(logComparison),
    ...describeMethodDefinitions(firstElement(logs).configurations),
  ];
  return [setting.map(wrapToTerminalLine).join('\n'), ...sections, legend].join('\n\n');
}
