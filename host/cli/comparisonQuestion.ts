/**
 * Evaluations based on many runs, in this process or in a folder: methods over replications, over logs, or on
 * unperturbed jobs.
 */
import { firstElement } from '../lists.js';
import {
  makeReplicatedComparisonDocument,
  makeReplicatedSimulationDocument,
  makeUnperturbedComparison,
  rankRunsByResponse,
} from '../reports/comparisonDocument.js';
import {
  EQUAL_ON_ONE_SITE_MESSAGE,
  explainComparisonTerms,
  formatComparison,
} from '../reports/comparisonText.js';
import { formatClassTables, makeClassTables } from '../reports/jobClasses.js';
import { formatExperimentSettings } from '../reports/simulationReport.js';
import {
  areReplicationsRequested,
  type CompareRequest,
  type ExecutionSettings,
  type SimulateOrCompareRequest,
  type SimulateRequest,
} from '../request/request.js';
import { computeClassResults, makeClassMetrics, selectClassMetrics } from '../runs/classResults.js';
import {
  type CompleteComparisonRequest,
  completeComparisonRequest,
  type JudgedComparison,
  type MetricSamples,
  makeComparisonEvaluation,
  makeEstimationEvaluation,
  type ReplicatedEvaluation,
  runUntilAnswered,
  type SimulationRunner,
  simulateMethodsUnperturbed,
} from '../runs/comparison.js';
import type { Experiment } from '../simulate/experiment.js';
import { makeMethodNamesForReports } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { describeOutagesOutsideJobs, makeSubmissionClock } from '../simulate/outageRemarks.js';
import { collectSimulation } from '../simulate/simulate.js';
import {
  checkMetricsExist,
  makeSummaryByMetrics,
  type Summary,
  summarizeRunWithClasses,
} from '../simulate/summary.js';
import type { Plan } from '../study/plan.js';
import { DEFAULT_METRIC_NAME, findComparisonMetric, findRunMetric } from '../study/runValues.js';
import type { ReportWithTextFiles } from '../view/report.js';
import { type CommandContext, makeReplicationProgressText } from './context.js';
import { loadRequestedExperiment } from './loading.js';
import {
  compareMethodsOverLogs,
  formatLogComparison,
  type LogsToCompare,
  loadLogsToCompare,
  makeLogComparisonDocument,
} from './logComparison.js';
import {
  formatReplicatedComparison,
  formatReplicatedSimulation,
  loadComparisonExperiment,
} from './methodComparison.js';
import {
  type PreparedSimulations,
  runSimulationInSlices,
  writeSimulationResults,
} from './simulateMethods.js';

/** Output of an evaluation. */
export interface EvaluationOutput {
  /** Result as a JSON document. */
  readonly document: object;
  /** Result as terminal text. */
  readonly text: string;
  /** Explanations of the terms that `text` uses; absent if `text` includes them. */
  readonly legend?: readonly string[];
  /** Creates the report for the folder of the runs. */
  readonly report: (plan: Plan) => Promise<ReportWithTextFiles>;
}

/** An evaluation with its methods; results are ordered by log, then by method. */
export interface PreparedEvaluation extends ReplicatedEvaluation<EvaluationOutput> {
  readonly request: SimulateOrCompareRequest;
  /** Methods on each log. */
  readonly logs: readonly Experiment[];
  /** Runs unperturbed jobs to the end; default: one run per method, in slices. */
  readonly runSimulationToEnd?: SimulationRunner;
}

/**
 * Loads and checks everything that a request names, before anything runs.
 * @throws InputError for a simulation or comparison that is impossible.
 */
export async function prepareEvaluation(
  request: SimulateOrCompareRequest,
  context: CommandContext,
): Promise<PreparedEvaluation> {
  if (request.command === 'simulate') {
    const experiment = await loadRequestedExperiment(request, context);
    return { ...makeSingleMethodEvaluation(experiment, request, context), request, logs: [experiment] };
  }
  const hasSingleLog = request.workloads.length < 2;
  const logsToCompare = hasSingleLog
    ? { logs: [await loadComparisonExperiment(request, context)], omitted: [] }
    : await loadLogsToCompare(request, context);
  const { logs } = logsToCompare;
  const experiment = firstElement(logs);
  const comparisonRequest = completeComparisonRequest(experiment.settings, request);
  const evaluation = !hasSingleLog
    ? makeLogComparisonEvaluation(logsToCompare, request, comparisonRequest, context)
    : areReplicationsRequested(request)
      ? makeMethodComparisonEvaluation(experiment, comparisonRequest, context)
      : makeUnperturbedEvaluation(
          experiment,
          { ...request, metrics: [...new Set(request.metrics)].map(findComparisonMetric) },
          context,
        );
  return { ...evaluation, request, logs };
}

/** Loads the module that writes comparison folders; only --out needs it. */
const loadComparisonFolderWriters = () => import('./study/comparisonFolder.js');

/** Creates a runner for simulations that are not replications: spans of a log, and unperturbed logs. */
const makeSimulationRunner =
  (context: CommandContext): SimulationRunner =>
  (simulator, configuration) =>
    runSimulationInSlices(simulator, configuration, context);

/** Returns the same question with its result mapped to an answer. */
function mapEvaluationResult<Result>(
  { metrics, looks: interimLooks, look }: ReplicatedEvaluation<Result>,
  answerFromSamples: (
    result: Result,
    samplesOf: MetricSamples,
  ) => EvaluationOutput | Promise<EvaluationOutput>,
): ReplicatedEvaluation<EvaluationOutput> {
  return {
    metrics,
    looks: interimLooks,
    look: (samplesOf, replicationCount) => {
      const { isEnough, computeAnswer } = look(samplesOf, replicationCount);
      return { isEnough, computeAnswer: async () => answerFromSamples(await computeAnswer(), samplesOf) };
    },
  };
}

/** Evaluation that returns the values of metrics. */
const collectMetricValues = (
  metrics: readonly NamedMetric[],
  interimLookCounts: readonly number[],
): ReplicatedEvaluation<MetricSamples> => ({
  metrics,
  looks: interimLookCounts,
  look: (samplesOf) => ({ isEnough: true, computeAnswer: () => samplesOf }),
});

/** Evaluation of one method over replications. */
function makeSingleMethodEvaluation(
  experiment: Experiment,
  commandRequest: SimulateRequest,
  { colors }: CommandContext,
): ReplicatedEvaluation<EvaluationOutput> {
  const { replications: replicationCount = 0, classes, metrics } = commandRequest;
  const question = makeEstimationEvaluation(
    experiment,
    replicationCount,
    classes,
    metrics.map(findRunMetric),
  );
  return mapEvaluationResult(question, (estimatedResult, samplesOf) => ({
    document: makeReplicatedSimulationDocument(experiment, estimatedResult),
    text: formatReplicatedSimulation(experiment, estimatedResult, colors),
    report: async (plan) =>
      (await loadComparisonFolderWriters()).makeReplicatedSimulationReport(
        experiment,
        estimatedResult,
        samplesOf,
        plan,
      ),
  }));
}

/** Evaluation of methods over replications of one log or model. */
function makeMethodComparisonEvaluation(
  experiment: Experiment,
  request: CompleteComparisonRequest,
  context: CommandContext,
): ReplicatedEvaluation<EvaluationOutput> {
  const question = makeComparisonEvaluation(experiment, request, makeSimulationRunner(context));
  return mapEvaluationResult(question, (comparison, samplesOf) => ({
    document: makeReplicatedComparisonDocument(experiment, comparison),
    text: formatReplicatedComparison(experiment, comparison, context),
    report: async (plan) =>
      (await loadComparisonFolderWriters()).makeReplicatedComparisonReport(
        experiment,
        comparison,
        samplesOf,
        plan,
      ),
  }));
}

/** Evaluation of methods over several logs, each simulated once or over replications. */
function makeLogComparisonEvaluation(
  logsToCompare: LogsToCompare,
  commandRequest: CompareRequest,
  request: CompleteComparisonRequest,
  context: CommandContext,
): ReplicatedEvaluation<EvaluationOutput> {
  const { metrics, looks: interimLooks } = request;
  const { logs } = logsToCompare;
  for (const { configurations } of logs) checkMetricsExist(metrics, configurations);
  const { length: methodCount } = firstElement(logs).methods;
  const selectSamplesOfLog =
    (samplesOf: MetricSamples, logIndex: number): MetricSamples =>
    (metric, method) =>
      samplesOf(metric, logIndex * methodCount + method);
  return mapEvaluationResult(
    collectMetricValues(metrics, areReplicationsRequested(commandRequest) ? interimLooks : []),
    async (samplesOf) => {
      const samplesByLog = logs.map((_, log) => selectSamplesOfLog(samplesOf, log));
      const judgedComparisonsByLog = areReplicationsRequested(commandRequest)
        ? await compareMethodsOnEachLog(logs, samplesByLog, commandRequest, context)
        : undefined;
      const valuesByMethodAndLog = samplesByLog.map((samplesOnLogOf, log) =>
        metrics.map((metric, i) =>
          judgedComparisonsByLog === undefined
            ? Array.from({ length: methodCount }, (_, method) => firstElement(samplesOnLogOf(metric, method)))
            : judgedComparisonsByLog[log]!.metrics[i]!.estimates.map(({ mean }) => mean),
        ),
      );
      const logComparison = compareMethodsOverLogs(
        logsToCompare,
        commandRequest,
        request,
        valuesByMethodAndLog,
        judgedComparisonsByLog,
      );
      return {
        document: makeLogComparisonDocument(logComparison),
        text: formatLogComparison(logComparison, context),
        report: async (plan) =>
          (await loadComparisonFolderWriters()).makeLogComparisonReport(logComparison, plan),
      };
    },
  );
}

/** Compares methods on each log by its own replications, as a comparison on that log alone. */
async function compareMethodsOnEachLog(
  logExperiments: readonly Experiment[],
  samples: readonly MetricSamples[],
  commandRequest: CompareRequest,
  context: CommandContext,
): Promise<JudgedComparison[]> {
  const comparisons: JudgedComparison[] = [];
  for (const [i, logExperiment] of logExperiments.entries()) {
    const { looks: interimLooks, look } = makeComparisonEvaluation(
      logExperiment,
      completeComparisonRequest(logExperiment.settings, commandRequest),
      makeSimulationRunner(context),
    );
    comparisons.push(await look(samples[i]!, firstElement(interimLooks)).computeAnswer());
  }
  return comparisons;
}

/** Number of times that each timed method runs; the fastest run counts. */
const TIMED_RUN_COUNT = 3;

/** Creates a runner that measures the time of each simulation in nanoseconds, one method after another. */
function makeTimedSimulationRunner(nanosecondsByMethod: number[], context: CommandContext): SimulationRunner {
  return async (simulator, configuration) => {
    const runOnce = () => runSimulationInSlices(simulator, configuration, context);
    // The first runs of a fresh core are slow: its code is still being optimized.
    if (nanosecondsByMethod.length === 0) await runOnce();
    let fastestRunTime = await runOnce();
    for (let runRepetition = 1; runRepetition < TIMED_RUN_COUNT; runRepetition++)
      fastestRunTime = Math.min(fastestRunTime, await runOnce());
    nanosecondsByMethod.push(fastestRunTime);
  };
}

/** Request to compare methods on the unperturbed jobs. */
interface UnperturbedComparisonRequest
  extends Partial<Pick<CompareRequest, 'classes' | 'showsRatios' | 'isTimed'>> {
  readonly metrics: readonly NamedMetric[];
}

/**
 * Evaluation of methods on the unperturbed jobs.
 * @param summaries summaries of the runs, if already available; otherwise they are made from the metrics.
 */
function makeUnperturbedEvaluation(
  experiment: Experiment,
  { metrics, classes, showsRatios: ratios = false, isTimed }: UnperturbedComparisonRequest,
  context: CommandContext,
  summaries: readonly Summary[] = [],
): ReplicatedEvaluation<EvaluationOutput> & Pick<PreparedEvaluation, 'runSimulationToEnd'> {
  const { workloads, configurations, knowledge } = experiment;
  const classMetricNames = selectClassMetrics(metrics.map(({ name: metricName }) => metricName));
  const nanosecondsByMethod: number[] = [];
  const computedMetrics = [
    ...(metrics.length === 0 ? [findComparisonMetric(DEFAULT_METRIC_NAME)] : metrics),
    ...(classes === undefined ? [] : makeClassMetrics(workloads, classes, classMetricNames)),
  ];
  const question = mapEvaluationResult(collectMetricValues(computedMetrics, []), (samplesOf) => {
    const rankedRuns = rankRunsByResponse(
      configurations.map((configuration, i) => ({
        ...{ configuration, knowledge: knowledge[i]! },
        summary:
          summaries[i] ??
          makeSummaryByMetrics(workloads[i]!, configuration, (metricName) =>
            firstElement(samplesOf({ name: metricName }, i)),
          ),
        values: metrics.map((metric) => firstElement(samplesOf(metric, i))),
        ...(isTimed ? { nanosecondsPerJob: nanosecondsByMethod[i]! / workloads[i]!.count } : {}),
      })),
    );
    const classResults = classes && computeClassResults(workloads, classes, classMetricNames, samplesOf);
    const tables = makeClassTables(classResults, makeMethodNamesForReports(configurations));
    return {
      document: makeUnperturbedComparison(experiment, rankedRuns, metrics, classResults),
      text: [
        formatExperimentSettings(experiment),
        formatComparison(rankedRuns, context.colors, { ratios, metrics }),
        ...formatClassTables(tables, context.colors),
      ].join('\n\n'),
      legend: explainComparisonTerms(rankedRuns, knowledge, { ratios, metrics }),
      report: async (plan) =>
        (await loadComparisonFolderWriters()).makeUnperturbedComparisonReport(
          experiment,
          metrics,
          samplesOf,
          tables,
          plan,
        ),
    };
  });
  return isTimed
    ? { ...question, runSimulationToEnd: makeTimedSimulationRunner(nanosecondsByMethod, context) }
    : question;
}

/**
 * Simulates several methods on the unperturbed jobs, writes results to one folder per method if requested,
 * and prints a comparison.
 */
export async function runMethodsUnperturbed(
  { experiment, folders, output }: PreparedSimulations,
  context: CommandContext,
): Promise<void> {
  const { workloads, configurations, grid } = experiment;
  if (grid.capacities.length === 1) await context.printMessage(EQUAL_ON_ONE_SITE_MESSAGE);
  const { metrics = [], classes } = output;
  const summaries: Summary[] = [];
  const question = makeUnperturbedEvaluation(experiment, { metrics, classes }, context, summaries);
  const samplesOf = await simulateMethodsUnperturbed(
    workloads,
    configurations,
    question.metrics,
    async (simulator, configuration) => {
      await runSimulationInSlices(simulator, configuration, context);
      const summary = summarizeRunWithClasses(simulator, classes?.classings);
      const folder = folders[summaries.length];
      if (folder !== undefined)
        await writeSimulationResults(
          { ...collectSimulation(simulator), summary },
          experiment,
          folder,
          output,
          context,
        );
      summaries.push(summary);
    },
  );
  const { document, text: outputText } = await question.look(samplesOf, 1).computeAnswer();
  if (context.isJson) await context.printJson(document);
  else await context.print(outputText);
}

/**
 * Runs an evaluation in this process and prints the result; returns the exit code.
 * @param formatAnswer creates the text for the terminal.
 */
export async function runEvaluation(
  question: PreparedEvaluation,
  execution: ExecutionSettings,
  context: CommandContext,
  formatAnswer: (answer: EvaluationOutput) => string = ({ text: outputText }) => outputText,
): Promise<number> {
  const answer = await evaluateMetricSamples(question, execution, context);
  return context.printResult(answer.document, () => formatAnswer(answer));
}

async function evaluateMetricSamples(
  question: PreparedEvaluation,
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<EvaluationOutput> {
  const { logs, looks: interimLooks, look } = question;
  if (logs.length === 1 && interimLooks.length > 0)
    return runReplicatedEvaluation(firstElement(logs), question, execution, context);
  const samplesByLog: MetricSamples[] = [];
  for (const logExperiment of logs)
    samplesByLog.push(await collectMethodSamples(logExperiment, question, execution, context));
  const methodCount = firstElement(logs).methods.length;
  return look(
    (metric, i) => samplesByLog[Math.floor(i / methodCount)]!(metric, i % methodCount),
    1,
  ).computeAnswer();
}

/** Collects the values of the methods on one log. */
function collectMethodSamples(
  experiment: Experiment,
  { metrics, looks: interimLooks, runSimulationToEnd: runToEnd }: PreparedEvaluation,
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<MetricSamples> {
  if (interimLooks.length > 0)
    return runReplicatedEvaluation(
      experiment,
      collectMetricValues(metrics, interimLooks),
      execution,
      context,
    );
  return simulateMethodsUnperturbed(
    experiment.workloads,
    experiment.configurations,
    metrics,
    runToEnd ?? makeSimulationRunner(context),
  );
}

/** Evaluates replications in threads of this process, with progress. */
async function runReplicatedEvaluation<Result>(
  experiment: Experiment,
  question: ReplicatedEvaluation<Result>,
  { threads: threadCount, sharing }: Pick<ExecutionSettings, 'threads' | 'sharing'>,
  context: CommandContext,
): Promise<Result> {
  for (const [i, configuration] of experiment.configurations.entries()) {
    const clock = makeSubmissionClock(experiment.workloads[i]!);
    for (const remark of describeOutagesOutsideJobs(configuration, clock))
      await context.printMessageOnce(remark);
  }
  const progressLine = context.startProgressLine(
    makeReplicationProgressText(experiment.methods.length),
    true,
  );
  try {
    return await runUntilAnswered(experiment, question, {
      ...{ threads: threadCount, sharing, timeout: context.timeout, signal: context.io.signal },
      pause: () => context.pause(),
      onProgress: (doneCount, totalCount) => progressLine.update(doneCount, totalCount),
    });
  } finally {
    progressLine.end();
  }
}
