/** Questions that many runs answer, here or in a folder: methods over replications, over logs, or on unperturbed jobs. */
import { firstOf } from '../lists.js';
import { classMetricsOf, classResults, shownClassMetrics } from '../runs/classResults.js';
import {
  type AskedComparison,
  askedComparison,
  askReplications,
  comparisonQuestion,
  estimatesQuestion,
  type JudgedComparison,
  type Question,
  type RunToEnd,
  type Samples,
  valuesOn,
} from '../runs/comparison.js';
import { classText, sampleClassTables } from '../show/classTables.js';
import {
  ALIKE_ON_ONE_SITE,
  comparisonDocument,
  comparisonLegend,
  comparisonText,
  rankRuns,
} from '../show/comparisonText.js';
import type { OwnReport } from '../show/report.js';
import { settingText } from '../show/simulationText.js';
import type { Experiment } from '../simulate/experiment.js';
import { methodNames } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { collectSimulation } from '../simulate/simulate.js';
import { checkHad, type Summary, summarizeJobs, summaryByMetrics } from '../simulate/summary.js';
import type { Plan } from '../study/plan.js';
import { comparedMetric, runMetric, USUAL_METRIC } from '../study/runValues.js';
import { type Asked, askedMethods, isReplicated, prepareExperiment, readSettings } from './asked.js';
import type { Execution } from './commandOptions.js';
import {
  estimatesDocument,
  estimatesText,
  prepareComparison,
  replicatedDocument,
  replicatedText,
} from './compared.js';
import { judgedLogs, logsDocument, logsText, type PreparedLogs, prepareLogs } from './comparedLogs.js';
import { type Context, replicationsDone } from './context.js';
import { type PreparedRuns, runToEnd, writeResults } from './simulated.js';

/** The result of a question. */
export interface Answer {
  /** For a program. */
  readonly document: object;
  /** For a person. */
  readonly text: string;
  /** What the words of the text mean, where it does not say so itself. */
  readonly legend?: readonly string[];
  /** For a folder that holds the runs. */
  readonly report: (plan: Plan) => Promise<OwnReport>;
}

/** A question, and the methods it is about; results by method come log by log. */
export interface PreparedQuestion extends Question<Answer> {
  readonly asked: Asked;
  /** The methods on each log. */
  readonly logs: readonly Experiment[];
  /** How unperturbed jobs run to their end; by default once, in slices. */
  readonly runToEnd?: RunToEnd;
}

/**
 * Reads everything that a question names and checks it, before anything runs.
 * @throws InputError for what cannot be simulated or compared.
 */
export async function prepareQuestion(asked: Asked, context: Context): Promise<PreparedQuestion> {
  const { command, sources, texts } = asked;
  if (command === 'simulate') {
    const settings = readSettings(firstOf(sources), texts);
    const experiment = await prepareExperiment(settings, context, askedMethods(texts));
    return { ...aboutOne(experiment, asked, context), asked, logs: [experiment] };
  }
  const isOne = sources.length < 2;
  const found = isOne ? alone(await prepareComparison(asked, context)) : await prepareLogs(asked, context);
  const { logs } = found;
  const experiment = firstOf(logs);
  const wanted = askedComparison(experiment.settings, asked);
  const question = !isOne
    ? aboutLogs(found, asked, wanted, context)
    : isReplicated(asked)
      ? aboutMethods(experiment, wanted, context)
      : asTheyAre(
          experiment,
          { ...asked, metrics: [...new Set(asked.metrics)].map(comparedMetric) },
          context,
        );
  return { ...question, asked, logs };
}

const alone = (log: Experiment): PreparedLogs => ({ logs: [log], omitted: [] });

/** What writes the files of folders, loaded where there is one. */
const folders = () => import('./study/comparedFolder.js');

/** Simulates what is not a replication: spans of a log, and unperturbed logs. */
const inContext =
  (context: Context): RunToEnd =>
  (simulator, configuration) =>
    runToEnd(simulator, configuration, context);

/** The same question, with its result turned into an answer. */
function answered<Result>(
  { metrics, looks, look }: Question<Result>,
  answerOf: (result: Result, samples: Samples) => Answer | Promise<Answer>,
): Question<Answer> {
  return {
    metrics,
    looks,
    look: (samples, count) => {
      const { isEnough, answer } = look(samples, count);
      return { isEnough, answer: async () => answerOf(await answer(), samples) };
    },
  };
}

/** Asks for the values themselves. */
const valuesOf = (metrics: readonly NamedMetric[], looks: readonly number[]): Question<Samples> => ({
  metrics,
  looks,
  look: (samples) => ({ isEnough: true, answer: () => samples }),
});

/** One method over replications. */
function aboutOne(experiment: Experiment, asked: Asked, { colors }: Context): Question<Answer> {
  const { replications = 0, classes, metrics } = asked;
  const question = estimatesQuestion(experiment, replications, classes, metrics.map(runMetric));
  return answered(question, (estimated, samples) => ({
    document: estimatesDocument(experiment, estimated),
    text: estimatesText(experiment, estimated, colors),
    report: async (plan) => (await folders()).estimatedFolder(experiment, estimated, samples, plan),
  }));
}

/** Methods over replications of one log or model. */
function aboutMethods(experiment: Experiment, wanted: AskedComparison, context: Context): Question<Answer> {
  const question = comparisonQuestion(experiment, wanted, inContext(context));
  return answered(question, (comparison, samples) => ({
    document: replicatedDocument(experiment, comparison),
    text: replicatedText(experiment, comparison, context),
    report: async (plan) => (await folders()).judgedFolder(experiment, comparison, samples, plan),
  }));
}

/** Methods over several logs, on each once or over replications. */
function aboutLogs(
  found: PreparedLogs,
  asked: Asked,
  wanted: AskedComparison,
  context: Context,
): Question<Answer> {
  const { metrics, looks } = wanted;
  const { logs } = found;
  for (const { configurations } of logs) checkHad(metrics, configurations);
  const { length } = firstOf(logs).methods;
  const ofLog =
    (samples: Samples, log: number): Samples =>
    (metric, method) =>
      samples(metric, log * length + method);
  return answered(valuesOf(metrics, isReplicated(asked) ? looks : []), async (samples) => {
    const each = logs.map((_, log) => ofLog(samples, log));
    const ofLogs = isReplicated(asked) ? await judgedByLog(logs, each, asked, context) : undefined;
    const values = each.map((own, log) =>
      metrics.map((metric, i) =>
        ofLogs === undefined
          ? Array.from({ length }, (_, method) => firstOf(own(metric, method)))
          : ofLogs[log]!.metrics[i]!.estimates.map(({ mean }) => mean),
      ),
    );
    const compared = judgedLogs(found, asked, wanted, values, ofLogs);
    return {
      document: logsDocument(compared),
      text: logsText(compared, context),
      report: async (plan) => (await folders()).logsFolder(compared, plan),
    };
  });
}

/** Methods judged on each log by its own replications, as a comparison on that log alone judges them. */
async function judgedByLog(
  logs: readonly Experiment[],
  samples: readonly Samples[],
  asked: Asked,
  context: Context,
): Promise<JudgedComparison[]> {
  const judged: JudgedComparison[] = [];
  for (const [i, log] of logs.entries()) {
    const { looks, look } = comparisonQuestion(log, askedComparison(log.settings, asked), inContext(context));
    judged.push(await look(samples[i]!, firstOf(looks)).answer());
  }
  return judged;
}

/** How often each timed method runs; the fastest run counts. */
const REPETITIONS = 3;

/** Runs simulations so that the time of each is known: nanoseconds by method, one after the other. */
function timing(nanoseconds: number[], context: Context): RunToEnd {
  return async (simulator, configuration) => {
    const once = () => runToEnd(simulator, configuration, context);
    // The first runs of a fresh core are slow: its code is still being optimized.
    if (nanoseconds.length === 0) await once();
    let least = await once();
    for (let repetition = 1; repetition < REPETITIONS; repetition++) least = Math.min(least, await once());
    nanoseconds.push(least);
  };
}

/** What is asked of methods on the unperturbed jobs. */
interface AskedAsTheyAre extends Partial<Pick<Asked, 'classes' | 'showsRatios' | 'isTimed'>> {
  readonly metrics: readonly NamedMetric[];
}

/**
 * Methods on the unperturbed jobs.
 * @param summaries of the runs, if the caller makes them; otherwise they follow from the metrics.
 */
function asTheyAre(
  experiment: Experiment,
  { metrics, classes, showsRatios: ratios = false, isTimed }: AskedAsTheyAre,
  context: Context,
  summaries: readonly Summary[] = [],
): Question<Answer> & Pick<PreparedQuestion, 'runToEnd'> {
  const { workloads, configurations, knowledge } = experiment;
  const ofClasses = shownClassMetrics(metrics.map(({ name }) => name));
  const nanoseconds: number[] = [];
  const wanted = [
    ...(metrics.length === 0 ? [comparedMetric(USUAL_METRIC)] : metrics),
    ...(classes === undefined ? [] : classMetricsOf(workloads, classes, ofClasses)),
  ];
  const question = answered(valuesOf(wanted, []), (samples) => {
    const runs = rankRuns(
      configurations.map((configuration, i) => ({
        ...{ configuration, knowledge: knowledge[i]! },
        summary:
          summaries[i] ??
          summaryByMetrics(workloads[i]!, configuration, (name) => firstOf(samples({ name }, i))),
        values: metrics.map((metric) => firstOf(samples(metric, i))),
        ...(isTimed ? { nanosecondsPerJob: nanoseconds[i]! / workloads[i]!.count } : {}),
      })),
    );
    const results = classes && classResults(workloads, classes, ofClasses, samples);
    const tables = sampleClassTables(results ?? [], methodNames(configurations));
    return {
      document: comparisonDocument(experiment, runs, metrics, results),
      text: [
        settingText(experiment),
        comparisonText(runs, context.colors, { ratios, metrics }),
        ...classText(tables, context.colors),
      ].join('\n\n'),
      legend: comparisonLegend(runs, knowledge, { ratios, metrics }),
      report: async (plan) => (await folders()).plainFolder(experiment, metrics, samples, tables, plan),
    };
  });
  return isTimed ? { ...question, runToEnd: timing(nanoseconds, context) } : question;
}

/** Simulates several methods on the jobs as they are, each with its results in a folder of its own where there are some, and prints them side by side. */
export async function runSeveral(
  { experiment, folders, output }: PreparedRuns,
  context: Context,
): Promise<void> {
  const { workloads, configurations, grid } = experiment;
  if (grid.capacities.length === 1) await context.say(ALIKE_ON_ONE_SITE);
  const { metrics = [], classes } = output;
  const summaries: Summary[] = [];
  const question = asTheyAre(experiment, { metrics, classes }, context, summaries);
  const samples = await valuesOn(
    workloads,
    configurations,
    question.metrics,
    async (simulator, configuration) => {
      await runToEnd(simulator, configuration, context);
      const summary = summarizeJobs(simulator, classes?.classings);
      const folder = folders[summaries.length];
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
export async function answerHere(
  question: PreparedQuestion,
  execution: Execution,
  context: Context,
  textOf: (answer: Answer) => string = ({ text }) => text,
): Promise<number> {
  const answer = await answerOf(question, execution, context);
  return context.answer(answer.document, () => textOf(answer));
}

async function answerOf(question: PreparedQuestion, execution: Execution, context: Context): Promise<Answer> {
  const { logs, looks, look } = question;
  if (logs.length === 1 && looks.length > 0) return replicated(firstOf(logs), question, execution, context);
  const each: Samples[] = [];
  for (const log of logs) each.push(await samplesOf(log, question, execution, context));
  const methods = firstOf(logs).methods.length;
  return look((metric, i) => each[Math.floor(i / methods)]!(metric, i % methods), 1).answer();
}

/** The values of the methods on one log. */
function samplesOf(
  experiment: Experiment,
  { metrics, looks, runToEnd: run }: PreparedQuestion,
  execution: Execution,
  context: Context,
): Promise<Samples> {
  if (looks.length > 0) return replicated(experiment, valuesOf(metrics, looks), execution, context);
  return valuesOn(experiment.workloads, experiment.configurations, metrics, run ?? inContext(context));
}

/** Asks replications in threads of this process, with progress. */
async function replicated<Result>(
  experiment: Experiment,
  question: Question<Result>,
  { threads, sharing }: Pick<Execution, 'threads' | 'sharing'>,
  context: Context,
): Promise<Result> {
  const progress = context.progress(replicationsDone(experiment.methods.length), true);
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
