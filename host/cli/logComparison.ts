/** Several logs set side by side by compare: each log is one value of each method, relative to the best method on it. */
import { InputError, MissingEstimatesError } from '../errors.js';
import { countText, enumerationText } from '../format/numbers.js';
import { printableSourceName } from '../format/text.js';
import { firstElement } from '../lists.js';
import { comparisonHead, replicatedDocument, verdictsDocument } from '../reports/comparisonDocument.js';
import { type JudgedLogs, logCaveats, logTables, logVerdictTexts } from '../reports/comparisonReport.js';
import { verdictLegend, verdictsText } from '../reports/comparisonText.js';
import { commonSettings, definitionLines, shortName } from '../reports/simulationReport.js';
import type { CompareRequest } from '../request/request.js';
import {
  type ComparisonRequest,
  type JudgedComparison,
  judgeOverLogs,
  type MeasuredLog,
} from '../runs/comparison.js';
import { checkMethodRequest, comparedExperiment, methodText } from '../runs/methodSelection.js';
import { type Experiment, selectMethods } from '../simulate/experiment.js';
import { machineNames, namesForReports, withLabels } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { detailedCell, type Table } from '../view/table.js';
import { MAX_TERMINAL_LINE, parquetTableAsCsv, wrapLines } from '../view/terminal.js';
import { isModelText } from '../workload/models.js';
import type { Context } from './context.js';
import { loadExperiment } from './loading.js';
import { comparedSettings } from './methodComparison.js';

/** Logs to compare methods on, and the names of those that are omitted. */
export interface PreparedLogs {
  readonly logs: readonly Experiment[];
  /** Logs whose jobs request no times, by which some of the methods decide. */
  readonly omitted: readonly string[];
}

/**
 * Reads several logs and checks what is asked of them, before anything runs.
 * @returns them with the methods that go with all.
 * @throws InputError for copies of one log, models, and what cannot be simulated.
 */
export async function prepareLogs(request: CompareRequest, context: Context): Promise<PreparedLogs> {
  const { workloads } = request;
  const model = workloads.find(isModelText);
  if (model !== undefined) {
    throw new InputError(
      `${model} is a model, and several logs are compared; give a model by itself: --replications uses different seeds`,
    );
  }
  const all: (Experiment | LogWithoutEstimates)[] = [];
  for (const workload of workloads)
    all.push(await prepareLog({ ...request, workloads: [workload] }, context));
  const { logs, omitted } = await withoutUnestimatedLogs(all, request, context);
  refuseDuplicateLogs(logs);
  // Methods that are named as a whole are those of every log.
  const common = request.areNamed ? [...logs] : await keepCommonMethods(logs, context);
  return { logs: common.map((log) => withLabels(log, context.labels)), omitted };
}

/** A log whose jobs request no times, by which some of the methods decide. */
interface LogWithoutEstimates {
  readonly source: string;
  readonly remarks: readonly string[];
  /** The log with the default methods that do without; throws MissingEstimates where methods are named. */
  readonly withOtherMethods: () => Experiment;
}

const hasEstimates = (log: Experiment | LogWithoutEstimates): log is Experiment => 'loaded' in log;

function prepareLog(request: CompareRequest, context: Context): Promise<Experiment | LogWithoutEstimates> {
  const [settings, methods] = comparedSettings(request);
  checkMethodRequest(settings, methods);
  return loadExperiment<Experiment | LogWithoutEstimates>(settings, context, (loaded) => {
    try {
      return comparedExperiment(settings, loaded, { ...methods, needsEstimates: true });
    } catch (error) {
      if (!(error instanceof MissingEstimatesError)) throw error;
      const withOtherMethods = () => comparedExperiment(settings, loaded, methods);
      return { source: settings.workload, remarks: [], withOtherMethods };
    }
  });
}

/**
 * The logs whose jobs request times, if they are two or more; else all logs, with the default methods that do without.
 * @throws InputError for fewer than two of such logs where methods are named.
 */
async function withoutUnestimatedLogs(
  all: readonly (Experiment | LogWithoutEstimates)[],
  { options }: CompareRequest,
  context: Context,
): Promise<PreparedLogs> {
  const logs = all.filter(hasEstimates);
  const names = shortUniqueNames(all.map((log) => (hasEstimates(log) ? log.settings.workload : log.source)));
  const omitted = names.filter((_, i) => !hasEstimates(all[i]!));
  if (omitted.length === 0) return { logs, omitted };
  const message = `${enumerationText(omitted)}: no job requests a time, by which some of the methods decide`;
  const remedy =
    options.kill === undefined
      ? '--estimates exact takes the actual runtimes of all logs as estimates'
      : '--kill needs requested times';
  if (logs.length > 1) {
    await context.printMessage(
      `${message}; ${omitted.length === 1 ? 'this log is' : 'these logs are'} omitted; ${remedy}`,
    );
    return { logs, omitted };
  }
  const otherEntries: Experiment[] = [];
  for (const log of all) {
    if (hasEstimates(log)) otherEntries.push(log);
    else
      otherEntries.push(
        await dropEstimatingMethods(log, `${message}, so fewer than two logs are left; ${remedy}`, context),
      );
  }
  return { logs: otherEntries, omitted: [] };
}

/** A log without requested times under the default methods that do without. */
async function dropEstimatingMethods(
  { withOtherMethods }: LogWithoutEstimates,
  refusal: string,
  context: Context,
): Promise<Experiment> {
  try {
    const experiment = withOtherMethods();
    for (const remark of experiment.remarks) await context.printMessageOnce(remark);
    return experiment;
  } catch (error) {
    throw error instanceof MissingEstimatesError ? new InputError(refusal) : error;
  }
}

/** Logs, and what came of comparing methods on them. */
export interface ComparedLogs extends PreparedLogs {
  readonly request: CompareRequest;
  readonly metrics: readonly NamedMetric[];
  readonly values: readonly MeasuredLog[];
  readonly comparison: JudgedComparison;
  /** The methods judged on each log by its own replications; undefined where each log is simulated once. */
  readonly ofLogs: readonly JudgedComparison[] | undefined;
}

/**
 * The methods judged over logs.
 * @param values by log, then by metric, then by method.
 * @param ofLogs the methods judged on each log by its own replications, if there are some.
 */
export function compareLogs(
  { logs, omitted }: PreparedLogs,
  request: CompareRequest,
  comparisonRequest: ComparisonRequest,
  values: readonly (readonly (readonly number[])[])[],
  ofLogs: readonly JudgedComparison[] | undefined,
): ComparedLogs {
  const names = shortUniqueNames(logs.map(({ workload }) => workload.name));
  const measured = logs.map(({ workload, grid }, i) => ({
    name: names[i]!,
    jobs: workload.count,
    processors: grid.capacities.reduce((sum, each) => sum + each, 0),
    values: values[i]!,
  }));
  const comparison = judgeOverLogs(measured, comparisonRequest);
  return { request, logs, omitted, metrics: comparisonRequest.metrics, values: measured, comparison, ofLogs };
}

/** The names of logs without their folders, where these tell them apart. */
export function shortUniqueNames(names: readonly string[]): string[] {
  const short = names.map(shortName);
  return new Set(short).size === names.length ? short : names.map(printableSourceName);
}

/** @throws InputError for logs with the same jobs: copies of one log count as one. */
function refuseDuplicateLogs(all: readonly Experiment[]): void {
  const jobs = all.map(({ loaded }) => loaded.columns);
  const haveSameValues = (a: Float64Array, b: Float64Array) =>
    a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
  for (const [i, own] of jobs.entries()) {
    const first = jobs.findIndex((other) =>
      (['submit', 'runtime', 'processors'] as const).every((name) => haveSameValues(own[name], other[name])),
    );
    if (first < i) {
      const [a, b] = [first, i].map((place) => printableSourceName(all[place]!.workload.name));
      throw new InputError(`${a} and ${b} have the same jobs; a log counts once, give one of the two`);
    }
  }
}

/** Keeps only the methods that fit all logs. */
async function keepCommonMethods(all: readonly Experiment[], context: Context): Promise<Experiment[]> {
  const texts = all.map(({ methods }) => methods.map((method) => JSON.stringify(method)));
  const isCommonMethod = (text: string) => texts.every((each) => each.includes(text));
  const left = texts.flat().filter((text) => !isCommonMethod(text));
  if (left.length > 0) {
    const names = [...new Set(left)].map((text) => methodText(JSON.parse(text)));
    await context.printMessage(`${names.join(', ')}: skipped, since not all logs support it`);
  }
  const kept = texts.map((each) => each.flatMap((text, i) => (isCommonMethod(text) ? [i] : [])));
  if (firstElement(kept).length === 0) {
    throw new InputError('no method suits all of the logs; name some with --policy or --discipline');
  }
  return all.map((experiment, log) => selectMethods(experiment, kept[log]!));
}

/**
 * The document of a comparison over logs: the verdicts over logs by the first metric, and a list of those by every metric; of each
 * log its values and, with replications, the document of the comparison on it.
 */
export function logComparisonDocument({
  logs,
  omitted,
  metrics,
  values,
  comparison,
  ofLogs,
}: ComparedLogs): object {
  const documents = comparison.metrics.map((each) => {
    const document = verdictsDocument(each, comparison, firstElement(logs));
    const { replications, perturb: _, ...others } = document as Record<string, unknown>;
    return { logs: replications, ...others };
  });
  return {
    ...firstElement(documents),
    logs: logs.map((log, i) => ({
      ...(ofLogs === undefined ? comparisonHead(log) : replicatedDocument(log, ofLogs[i]!)),
      jobs: values[i]!.jobs,
      values: Object.fromEntries(metrics.map(({ name }, place) => [name, values[i]!.values[place]])),
    })),
    omitted,
    metrics: documents,
  };
}

/** Lines on what was simulated: the logs and the common settings. */
export function logComparisonSetting({
  request: { replications, options },
  logs,
  omitted,
}: ComparedLogs): string[] {
  const each =
    replications === undefined ? 'once, unchanged' : `in ${countText(replications, 'replication')}`;
  const areOnSameSites = options.sites !== undefined || options.preset !== undefined;
  const machines = machineNames(firstElement(logs).configurations);
  const location = areOnSameSites
    ? 'the same sites'
    : machines.length > 0
      ? 'the sites of each method'
      : 'their own machines';
  const set = commonSettings(firstElement(logs));
  const omittedText =
    omitted.length === 0
      ? ''
      : `, without ${enumerationText(omitted)}, whose jobs request no times, by which some of the methods decide`;
  return [
    `${countText(logs.length, 'log')} on ${location}, each ${each}${omittedText}`,
    ...(set === '' ? [] : [set]),
  ];
}

/** Verdicts on each log; undefined without replications. */
export function verdictsByLog({ values, ofLogs }: ComparedLogs): JudgedLogs | undefined {
  return ofLogs === undefined ? undefined : { logs: values.map(({ name }) => name), ofLogs };
}

/** Sentence on how to get verdicts, for results without them. */
function nextStepAdvice({ comparison, ofLogs }: ComparedLogs): string[] {
  const isJudged = comparison.metrics.some(({ judgement }) => judgement.isJudged);
  const isOpen = ofLogs?.some(({ metrics }) =>
    metrics.some(({ judgement }) => judgement.isJudged && !judgement.isDecided),
  );
  if (isOpen) return ['More --replications may decide what is undecided on a log.'];
  return isJudged || ofLogs !== undefined
    ? []
    : ['--replications 30 judges the methods on each log by itself; more logs give a verdict over all.'];
}

/** A table without the bounds of its values, which would take several lines of a terminal for each log; the report has them. */
const tableWithoutBounds = (table: Table): Table => ({
  ...table,
  rows: table.rows.map((row) =>
    row.map((cell) => {
      const { low: _, high: __, ...others } = detailedCell(cell);
      return others;
    }),
  ),
});

/** Formats the comparison over logs as text. */
export function logComparisonText(compared: ComparedLogs, { colors }: Context): string {
  const { logs, metrics, values, comparison, ofLogs } = compared;
  const names = namesForReports(firstElement(logs).configurations);
  const tables = logTables(values, metrics, names, ofLogs);
  const each = verdictsByLog(compared);
  const verdicts = (metric: number) =>
    each === undefined ? [] : [logVerdictTexts(each, metric, names).map(wrapLines).join('\n')];
  const parts = comparison.metrics.flatMap((judged, i) => [
    verdictsText(judged, comparison, firstElement(logs), colors),
    parquetTableAsCsv(tableWithoutBounds(tables[i]!), colors, MAX_TERMINAL_LINE),
    ...verdicts(i),
  ]);
  const last = [...(each === undefined ? [] : logCaveats(each)), ...nextStepAdvice(compared)];
  const legend = [verdictLegend(comparison), ...last.map(wrapLines)].filter((text) => text !== '').join('\n');
  const setting = [...logComparisonSetting(compared), ...definitionLines(firstElement(logs).configurations)];
  return [setting.map(wrapLines).join('\n'), ...parts, legend].join('\n\n');
}
