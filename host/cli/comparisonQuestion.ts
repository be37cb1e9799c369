/** Questions that many runs answer, here or in a folder: methods over replications, over logs, or on unperturbed jobs. */
import { firstElement } from '../lists.js';
import {
  estimatesDocument,
  plainDocument,
  rankRunsByResponse,
  replicatedDocument,
} from '../reports/comparisonDocument.js';
import { ALIKE_ON_ONE_SITE, comparisonLegend, comparisonText } from '../reports/comparisonText.js';
import { classTables, classTablesText } from '../reports/jobClasses.js';
import { experimentSettingText } from '../reports/simulationReport.js';
import {
  type CompareRequest,
  type Execution,
  isReplicated,
  type RunsRequest,
  type SimulateRequest,
} from '../request/request.js';
import { classMetricsOf, classResults, shownClassMetrics } from '../runs/classResults.js';
import {
  askReplications,
  type ComparisonRequest,
  comparisonQuestion,
  estimatesQuestion,
  type JudgedComparison,
  type MetricSamples,
  makeComparisonRequest,
  metricValuesOn,
  type ReplicatedQuestion,
  type RunToEnd,
} from '../runs/comparison.js';
import type { Experiment } from '../simulate/experiment.js';
import { namesForReports } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { collectSimulation } from '../simulate/simulate.js';
import { checkMetricsExist, type Summary, summarizeRun, summaryByMetrics } from '../simulate/summary.js';
import type { Plan } from '../study/plan.js';
import { comparedMetric, DEFAULT_METRIC, runMetric } from '../study/runValues.js';
import type { ReportWithTexts } from '../view/report.js';
import { type Context, replicationProgressText } from './context.js';
import { prepareExperiment } from './loading.js';
import {
  compareLogs,
  logComparisonDocument,
  logComparisonText,
  type PreparedLogs,
  prepareLogs,
} from './logComparison.js';
import { estimatesText, prepareComparison, replicatedText } from './methodComparison.js';
import { type PreparedRuns, runToEnd, writeResults } from './simulateMethods.js';

/** The result of a question. */
export interface QuestionAnswer {
  /** Answer as a JSON document. */
  readonly document: object;
  /** Answer as text for the terminal. */
  readonly text: string;
  /** Explanations of the words of the text, for texts that do not explain them. */
  readonly legend?: readonly string[];
  /** Report for a folder that holds the runs. */
  readonly report: (plan: Plan) => Promise<ReportWithTexts>;
}

/** A question, and the methods it is about; results by method come log by log. */
export interface PreparedQuestion extends ReplicatedQuestion<QuestionAnswer> {
  readonly request: RunsRequest;
  /** The methods on each log. */
  readonly logs: readonly Experiment[];
  /** Runs unperturbed jobs to their end; default: once, in slices. */
  readonly runSimulationToEnd?: RunToEnd;
}

/**
 * Reads everything that a question names and checks it, before anything runs.
 * @throws InputError for what cannot be simulated or compared.
 */
export async function prepareQuestion(request: RunsRequest, context: Context): Promise<PreparedQuestion> {
  if (request.command === 'simulate') {
    const experiment = await prepareExperiment(request, context);
    return { ...singleMethodQuestion(experiment, request, context), request, logs: [experiment] };
  }
  const isSingle = request.workloads.length < 2;
  const found = isSingle
    ? singlePreparedLog(await prepareComparison(request, context))
    : await prepareLogs(request, context);
  const { logs } = found;
  const experiment = firstElement(logs);
  const comparison = makeComparisonRequest(experiment.settings, request);
  const question = !isSingle
    ? logsQuestion(found, request, comparison, context)
    : isReplicated(request)
      ? methodsQuestion(experiment, comparison, context)
      : unperturbedQuestion(
          experiment,
          { ...request, metrics: [...new Set(request.metrics)].map(comparedMetric) },
          context,
        );
  return { ...question, request, logs };
}

const singlePreparedLog = (log: Experiment): PreparedLogs => ({ logs: [log], omitted: [] });

/** Loads the module that writes folders of comparisons; only commands with --out need it. */
const loadFolderWriters = () => import('./study/comparisonFolder.js');

/** Simulates what is not a replication: spans of a log, and unperturbed logs. */
const runInContext =
  (context: Context): RunToEnd =>
  (simulator, configuration) =>
    runToEnd(simulator, configuration, context);

/** Returns the same question with its result mapped to an answer. */
function mapReplicatedAnswer<Result>(
  { metrics, looks, look }: ReplicatedQuestion<Result>,
  answerFromSamples: (result: Result, samples: MetricSamples) => QuestionAnswer | Promise<QuestionAnswer>,
): ReplicatedQuestion<QuestionAnswer> {
  return {
    metrics,
    looks,
    look: (samples, count) => {
      const { isEnough, answer } = look(samples, count);
      return { isEnough, answer: async () => answerFromSamples(await answer(), samples) };
    },
  };
}

/** Asks for the values themselves. */
const valuesOf = (
  metrics: readonly NamedMetric[],
  looks: readonly number[],
): ReplicatedQuestion<MetricSamples> => ({
  metrics,
  looks,
  look: (samples) => ({ isEnough: true, answer: () => samples }),
});

/** One method over replications. */
function singleMethodQuestion(
  experiment: Experiment,
  commandRequest: SimulateRequest,
  { colors }: Context,
): ReplicatedQuestion<QuestionAnswer> {
  const { replications = 0, classes, metrics } = commandRequest;
  const question = estimatesQuestion(experiment, replications, classes, metrics.map(runMetric));
  return mapReplicatedAnswer(question, (estimated, samples) => ({
    document: estimatesDocument(experiment, estimated),
    text: estimatesText(experiment, estimated, colors),
    report: async (plan) => (await loadFolderWriters()).estimatedFolder(experiment, estimated, samples, plan),
  }));
}

/** Methods over replications of one log or model. */
function methodsQuestion(
  experiment: Experiment,
  request: ComparisonRequest,
  context: Context,
): ReplicatedQuestion<QuestionAnswer> {
  const question = comparisonQuestion(experiment, request, runInContext(context));
  return mapReplicatedAnswer(question, (comparison, samples) => ({
    document: replicatedDocument(experiment, comparison),
    text: replicatedText(experiment, comparison, context),
    report: async (plan) =>
      (await loadFolderWriters()).replicatedFolder(experiment, comparison, samples, plan),
  }));
}

/** Methods over several logs, on each once or over replications. */
function logsQuestion(
  found: PreparedLogs,
  commandRequest: CompareRequest,
  request: ComparisonRequest,
  context: Context,
): ReplicatedQuestion<QuestionAnswer> {
  const { metrics, looks } = request;
  const { logs } = found;
  for (const { configurations } of logs) checkMetricsExist(metrics, configurations);
  const { length } = firstElement(logs).methods;
  const samplesOfLog =
    (samples: MetricSamples, log: number): MetricSamples =>
    (metric, method) =>
      samples(metric, log * length + method);
  return mapReplicatedAnswer(
    valuesOf(metrics, isReplicated(commandRequest) ? looks : []),
    async (samples) => {
      const each = logs.map((_, log) => samplesOfLog(samples, log));
      const judgedLogs = isReplicated(commandRequest)
        ? await judgeEachLog(logs, each, commandRequest, context)
        : undefined;
      const values = each.map((own, log) =>
        metrics.map((metric, i) =>
          judgedLogs === undefined
            ? Array.from({ length }, (_, method) => firstElement(own(metric, method)))
            : judgedLogs[log]!.metrics[i]!.estimates.map(({ mean }) => mean),
        ),
      );
      const compared = compareLogs(found, commandRequest, request, values, judgedLogs);
      return {
        document: logComparisonDocument(compared),
        text: logComparisonText(compared, context),
        report: async (plan) => (await loadFolderWriters()).logsFolder(compared, plan),
      };
    },
  );
}

/** Methods judged on each log by its own replications, as a comparison on that log alone judges them. */
async function judgeEachLog(
  logs: readonly Experiment[],
  samples: readonly MetricSamples[],
  commandRequest: CompareRequest,
  context: Context,
): Promise<JudgedComparison[]> {
  const judged: JudgedComparison[] = [];
  for (const [i, log] of logs.entries()) {
    const { looks, look } = comparisonQuestion(
      log,
      makeComparisonRequest(log.settings, commandRequest),
      runInContext(context),
    );
    judged.push(await look(samples[i]!, firstElement(looks)).answer());
  }
  return judged;
}

/** Number of times that each timed method runs; the fastest run counts. */
const TIMED_RUN_REPETITIONS = 3;

/** Runs simulations so that the time of each is known: nanoseconds by method, one after the other. */
function timeRunToEnd(nanoseconds: number[], context: Context): RunToEnd {
  return async (simulator, configuration) => {
    const once = () => runToEnd(simulator, configuration, context);
    // The first runs of a fresh core are slow: its code is still being optimized.
    if (nanoseconds.length === 0) await once();
    let least = await once();
    for (let runRepetition = 1; runRepetition < TIMED_RUN_REPETITIONS; runRepetition++)
      least = Math.min(least, await once());
    nanoseconds.push(least);
  };
}

/** Request to compare methods on the unperturbed jobs. */
interface UnperturbedRequest extends Partial<Pick<CompareRequest, 'classes' | 'showsRatios' | 'isTimed'>> {
  readonly metrics: readonly NamedMetric[];
}

/**
 * Methods on the unperturbed jobs.
 * @param summaries of the runs, if the caller makes them; otherwise they follow from the metrics.
 */
function unperturbedQuestion(
  experiment: Experiment,
  { metrics, classes, showsRatios: ratios = false, isTimed }: UnperturbedRequest,
  context: Context,
  summaries: readonly Summary[] = [],
): ReplicatedQuestion<QuestionAnswer> & Pick<PreparedQuestion, 'runSimulationToEnd'> {
  const { workloads, configurations, knowledge } = experiment;
  const ofClasses = shownClassMetrics(metrics.map(({ name }) => name));
  const nanoseconds: number[] = [];
  const request = [
    ...(metrics.length === 0 ? [comparedMetric(DEFAULT_METRIC)] : metrics),
    ...(classes === undefined ? [] : classMetricsOf(workloads, classes, ofClasses)),
  ];
  const question = mapReplicatedAnswer(valuesOf(request, []), (samples) => {
    const runs = rankRunsByResponse(
      configurations.map((configuration, i) => ({
        ...{ configuration, knowledge: knowledge[i]! },
        summary:
          summaries[i] ??
          summaryByMetrics(workloads[i]!, configuration, (name) => firstElement(samples({ name }, i))),
        values: metrics.map((metric) => firstElement(samples(metric, i))),
        ...(isTimed ? { nanosecondsPerJob: nanoseconds[i]! / workloads[i]!.count } : {}),
      })),
    );
    const results = classes && classResults(workloads, classes, ofClasses, samples);
    const tables = classTables(results, namesForReports(configurations));
    return {
      document: plainDocument(experiment, runs, metrics, results),
      text: [
        experimentSettingText(experiment),
        comparisonText(runs, context.colors, { ratios, metrics }),
        ...classTablesText(tables, context.colors),
      ].join('\n\n'),
      legend: comparisonLegend(runs, knowledge, { ratios, metrics }),
      report: async (plan) =>
        (await loadFolderWriters()).plainFolder(experiment, metrics, samples, tables, plan),
    };
  });
  return isTimed ? { ...question, runSimulationToEnd: timeRunToEnd(nanoseconds, context) } : question;
}

/** Simulates several methods on the jobs as they are, each with its results in a folder of its own where there are some, and prints them side by side. */
export async function runMethods(
  { experiment, folders: loadFolderWriters, output }: PreparedRuns,
  context: Context,
): Promise<void> {
  const { workloads, configurations, grid } = experiment;
  if (grid.capacities.length === 1) await context.printMessage(ALIKE_ON_ONE_SITE);
  const { metrics = [], classes } = output;
  const summaries: Summary[] = [];
  const question = unperturbedQuestion(experiment, { metrics, classes }, context, summaries);
  const samples = await metricValuesOn(
    workloads,
    configurations,
    question.metrics,
    async (simulator, configuration) => {
      await runToEnd(simulator, configuration, context);
      const summary = summarizeRun(simulator, classes?.classings);
      const folder = loadFolderWriters[summaries.length];
      if (folder !== undefined)
        await writeResults({ ...collectSimulation(simulator), summary }, experiment, folder, output, context);
      summaries.push(summary);
    },
  );
  const { document, text } = await question.look(samples, 1).answer();
  if (context.isJson) await context.printJson(document);
  else await context.print(text);
}

/**
 * Runs what a question asks for in this process, and prints the answer; returns the exit code.
 * @param textOf what is printed for a person.
 */
export async function runQuestion(
  question: PreparedQuestion,
  execution: Execution,
  context: Context,
  textOf: (answer: QuestionAnswer) => string = ({ text }) => text,
): Promise<number> {
  const answer = await answerFromSamples(question, execution, context);
  return context.printResult(answer.document, () => textOf(answer));
}

async function answerFromSamples(
  question: PreparedQuestion,
  execution: Execution,
  context: Context,
): Promise<QuestionAnswer> {
  const { logs, looks, look } = question;
  if (logs.length === 1 && looks.length > 0)
    return answerReplicatedQuestion(firstElement(logs), question, execution, context);
  const each: MetricSamples[] = [];
  for (const log of logs) each.push(await samplesOf(log, question, execution, context));
  const methods = firstElement(logs).methods.length;
  return look((metric, i) => each[Math.floor(i / methods)]!(metric, i % methods), 1).answer();
}

/** The values of the methods on one log. */
function samplesOf(
  experiment: Experiment,
  { metrics, looks, runSimulationToEnd: run }: PreparedQuestion,
  execution: Execution,
  context: Context,
): Promise<MetricSamples> {
  if (looks.length > 0)
    return answerReplicatedQuestion(experiment, valuesOf(metrics, looks), execution, context);
  return metricValuesOn(
    experiment.workloads,
    experiment.configurations,
    metrics,
    run ?? runInContext(context),
  );
}

/** Asks replications in threads of this process, with progress. */
async function answerReplicatedQuestion<Result>(
  experiment: Experiment,
  question: ReplicatedQuestion<Result>,
  { threads, sharing }: Pick<Execution, 'threads' | 'sharing'>,
  context: Context,
): Promise<Result> {
  const progress = context.progress(replicationProgressText(experiment.methods.length), true);
  try {
    return await askReplications(experiment, question, {
      ...{ threads, sharing, timeout: context.timeout, signal: context.io.signal },
      pause: () => context.pause(),
      onProgress: (done, total) => progress.update(done, total),
    });
  } finally {
    progress.end();
  }
}
