/** Comparisons, replications and sweeps as functions of the library, equivalent to the commands. */

import { availableParallelism } from 'node:os';
import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { setAnswerTimeout } from '../code/codeCalls.js';
import { readCodeFilesOfOptions } from '../code/codeFile.js';
import { runSimulationWithUserCode } from '../code/codeThread.js';
import { DEFAULT_ANSWER_TIMEOUT_SECONDS } from '../code/watch.js';
import { InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import { checkFiniteNumberInRange, makeUnknownNameError, parseWholeNumber } from '../notation.js';
import { MAX_REPLICATION_COUNT } from '../options/jobOptions.js';
import {
  addParsedOptionTexts,
  findOptionByName,
  type Naming,
  nameOptionInLibrary,
  OPTIONS,
  type OptionStrings,
  optionNameOfKey,
  type PlainSettings,
  type Settings,
} from '../options/options.js';
import {
  checkMethodsCombine,
  type Experiment,
  type Method,
  makeExperimentOnRequestedSites,
} from '../simulate/experiment.js';
import {
  METHOD_OPTION_NAMES,
  methodNames,
  parseMethod,
  parseNamedMethodOptions,
} from '../simulate/methodNames.js';
import { defaultEquivalenceMargin, LOGS_POPULATION } from '../statistics/population.js';
import { type Evaluated, Evaluation } from '../study/evaluate.js';
import type { Plan } from '../study/plan.js';
import type { Results } from '../study/results.js';
import { DEFAULT_METRIC_NAME, findComparisonMetric } from '../study/runValues.js';
import type { Study } from '../study/study.js';
import { makeSweepStudy } from '../study/sweep.js';
import { pickReadingOptions } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { isModelNotation, makeModelTrace } from '../workload/models.js';
import {
  completeComparisonRequest,
  type EstimatedResult,
  type JudgedComparison,
  judgeOverLogs,
  type LogValues,
  makeComparisonEvaluation,
  makeEstimationEvaluation,
  type ReplicationExecution,
  runUntilAnswered,
  type SimulationRunner,
} from './comparison.js';
import { checkMethodsFitSetting, makeComparisonExperiment } from './methodSelection.js';
import { type RunningOptions, runStudy } from './runPlan.js';
import { NAME_OF_TRACE_JOBS } from './workloads.js';

/** Simulation options without the replication number. */
export type CommonSettings = Omit<PlainSettings, 'replication'>;

/** Execution options of replications and sweeps. */
export interface ThreadOptions extends Partial<Omit<RunningOptions, 'onProgress'>> {
  /** Progress callback with the number of finished replications or simulations, and their maximum. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Options of `replications`. */
export interface ReplicationOptions extends CommonSettings, ThreadOptions {
  /** Number of replications, 2 or more. */
  readonly replications: number;
}

/** Options of one method in a comparison, with its name in results. */
export interface MethodSettings extends CommonSettings {
  readonly name?: string | undefined;
}

/** Options of `compare`. */
export interface ComparisonOptions extends CommonSettings, ThreadOptions {
  /**
   * Methods, each as text (`easy, order=wfp3`, or named: `more: easy, sites=768`) or as options; default:
   * disciplines on one site, policies of Shih et al. 2010 on several.
   */
  readonly methods?: readonly (string | MethodSettings)[] | undefined;
  /** Number of replications, at least 2; with `untilDecided` the maximum, by default 1280. */
  readonly replications?: number | undefined;
  /** True to stop as soon as no method is undecided; default: false. */
  readonly untilDecided?: boolean | undefined;
  /** Metric names; default: average response time. */
  readonly metrics?: readonly string[] | undefined;
  /**
   * Equivalence margin as a share of the best mean; default 0.01, for waits and slowdowns of resampled logs
   * 0.05.
   */
  readonly within?: number | undefined;
}

/** Options of `sweep`. */
export interface SweepOptions extends CommonSettings, ThreadOptions {
  /**
   * Values to vary by option name, or by placeholder in other options: a list, or a text such as `1..10`.
   * Names joined by + vary together.
   */
  readonly vary: Readonly<Record<string, string | readonly (string | number)[]>>;
  /** Metric names; default: average response time. */
  readonly metrics?: readonly string[] | undefined;
  /** Number of replications per simulation, at least 2; absent: none. */
  readonly replications?: number | undefined;
  /** Folder for results; repeating the call resumes from it. Absent: none. */
  readonly out?: string | undefined;
}

const SETTING_KEY_ENTRIES = Object.values(OPTIONS).flatMap(({ key: optionKey }) =>
  optionKey === 'workload' || optionKey === 'replication' ? [] : [[optionKey, true]],
);
const COMMON_SETTING_KEYS: Record<keyof CommonSettings, true> = Object.fromEntries(SETTING_KEY_ENTRIES);
const THREAD_OPTION_KEYS = { threads: true, sharing: true, timeout: true, signal: true, onProgress: true };
const COMPARISON_OPTION_KEYS = { methods: true, untilDecided: true, metrics: true, within: true };
const REPLICATIONS_CALL_OPTIONS = registerLibraryOptions<ReplicationOptions>('replications', {
  ...COMMON_SETTING_KEYS,
  ...THREAD_OPTION_KEYS,
  replications: true,
});
const COMPARE_CALL_OPTIONS = registerLibraryOptions<ComparisonOptions>('compare', {
  ...{ ...COMMON_SETTING_KEYS, ...THREAD_OPTION_KEYS, ...COMPARISON_OPTION_KEYS },
  replications: true,
});
const SWEEP_CALL_OPTIONS = registerLibraryOptions<SweepOptions>('sweep', {
  ...{ ...COMMON_SETTING_KEYS, ...THREAD_OPTION_KEYS },
  ...{ vary: true, metrics: true, replications: true, out: true },
});

/**
 * Names options in error messages as the library does. Errors name `withEstimates` as the remedy if the naming is
 * `nameOptionInLibrary` itself, and the option `estimates` with this function.
 */
const nameOptionAsLibrary: Naming = (optionKey, ...optionTexts) =>
  nameOptionInLibrary(optionKey, ...optionTexts);

/** Converts an option value to text. */
function optionValueToText(optionValue: unknown, errorContext: string): string {
  const isPlainValue = (optionValue: unknown) => ['string', 'number', 'boolean'].includes(typeof optionValue);
  if (isPlainValue(optionValue)) return String(optionValue);
  if (Array.isArray(optionValue) && optionValue.length > 0 && optionValue.every(isPlainValue))
    return optionValue.join(',');
  const foundValue =
    typeof optionValue === 'function'
      ? 'a function, which threads cannot be given; name its file'
      : optionValue;
  throw new InputError(
    `${errorContext}: expected a text, a number, true, false or a list, found ${foundValue}`,
  );
}

/** Explicit simulation options as texts by name. */
function convertInputToOptionTexts(optionInput: CommonSettings): OptionStrings {
  const optionEntries = Object.entries(optionInput).filter(
    ([key, value]) => key in COMMON_SETTING_KEYS && value !== undefined,
  );
  return Object.fromEntries(
    optionEntries.map(([key, value]) => [optionNameOfKey(key), optionValueToText(value, key)]),
  );
}

/** Method from its text or from its options. */
async function parseMethodInput(methodInput: string | MethodSettings): Promise<Method> {
  const argumentNameInErrors = 'compare, methods';
  if (typeof methodInput === 'string') {
    await readCodeFilesOfOptions(parseNamedMethodOptions(methodInput, argumentNameInErrors));
    return parseMethod(methodInput, argumentNameInErrors);
  }
  checkArgument(methodInput, 'object', argumentNameInErrors);
  const { name, ...options } = methodInput;
  const unknownOptionKey = Object.keys(options).find(
    (optionKey) => !METHOD_OPTION_NAMES.includes(optionNameOfKey(optionKey)),
  );
  if (unknownOptionKey !== undefined)
    throw makeUnknownNameError(
      'option of a method',
      unknownOptionKey,
      METHOD_OPTION_NAMES.map((methodOptionName) => findOptionByName(methodOptionName).key),
    );
  const optionTexts = convertInputToOptionTexts(options);
  await readCodeFilesOfOptions(optionTexts);
  return addParsedOptionTexts(
    name === undefined ? {} : { name: optionValueToText(name, `${argumentNameInErrors}, name`) },
    optionTexts,
    nameOptionAsLibrary,
  );
}

const nameWorkloadOfInput = (jobs: string | Trace) => (typeof jobs === 'string' ? jobs : NAME_OF_TRACE_JOBS);

/** Loads the jobs from a log, model or trace. */
async function loadJobsOfInput(jobs: string | Trace, settings: Settings): Promise<Trace> {
  if (typeof jobs !== 'string') return jobs;
  if (isModelNotation(jobs)) return makeModelTrace(jobs);
  return readTrace(jobs, pickReadingOptions(settings));
}

function parseReplications(replications: unknown, functionName: string): number {
  return parseWholeNumber(String(replications), `${functionName}, replications`, {
    atLeast: 2,
    atMost: MAX_REPLICATION_COUNT,
  });
}

function completeThreadOptions(
  { threads, sharing = true, timeout = DEFAULT_ANSWER_TIMEOUT_SECONDS, signal }: ThreadOptions,
  functionName: string,
) {
  const threadCount = threads === undefined ? availableParallelism() : threads;
  setAnswerTimeout(timeout);
  return {
    threads: parseWholeNumber(String(threadCount), `${functionName}, threads`, { atLeast: 1 }),
    ...{ sharing, timeout, signal },
  };
}

function checkExecutionOptions(
  options: ThreadOptions,
  functionName: string,
): ReplicationExecution & { readonly runSimulationToEnd: SimulationRunner } {
  const { onProgress = () => {} } = options;
  const execution = completeThreadOptions(options, functionName);
  return {
    ...execution,
    pause: async () => execution.signal?.throwIfAborted(),
    onProgress,
    runSimulationToEnd: async (simulator, configuration) => {
      if ((await runSimulationWithUserCode(simulator, configuration, execution)) !== undefined) return;
      simulator.begin(configuration);
      simulator.run();
    },
  };
}

/** Settings that replicated results report. */
type SimulatedSettings = Pick<
  Experiment,
  'workload' | 'workloads' | 'grid' | 'configurations' | 'knowledge' | 'remarks'
>;

/** Result of `compare`; lists by method follow the order of `names`. */
export interface Comparison extends JudgedComparison, SimulatedSettings {
  /** Distinct method names. */
  readonly names: readonly string[];
}

/** Result of `replications`: all metrics of one simulation. */
export interface Replicates extends EstimatedResult, SimulatedSettings {}

function pickSimulatedSettings({
  workload,
  workloads,
  grid,
  configurations,
  knowledge,
  remarks,
}: Experiment): SimulatedSettings {
  return { workload, workloads, grid, configurations, knowledge, remarks };
}

/**
 * Simulates replications of one simulation: values, mean and 95 % interval of every metric, as `gridalloc
 * simulate --replications`.
 * @param jobs path of a log, a workload model such as `lublin99[jobs=1000]`, or a trace, which is perturbed
 * like a log.
 * @throws InputError for a simulation that is impossible; the reason of the abort signal.
 * @example
 * const { metrics } = await replications('lublin99[jobs=200]', { sites: [128], replications: 5, threads: 1 });
 * const [{ name, estimate }] = metrics.filter((metric) => metric.name === 'meanWait');
 * console.log(name, estimate.mean.toFixed(0), estimate.low.toFixed(0), estimate.high.toFixed(0)); // meanWait 47390 11619 83161
 */
export async function replications(jobs: string | Trace, options: ReplicationOptions): Promise<Replicates> {
  checkArgument(jobs, 'jobs', 'replications, jobs');
  checkOptionNames(REPLICATIONS_CALL_OPTIONS, options);
  const replicationCount = parseReplications(options.replications, 'replications');
  const optionTexts = convertInputToOptionTexts(options);
  await readCodeFilesOfOptions(optionTexts);
  const settings = addParsedOptionTexts(
    { workload: nameWorkloadOfInput(jobs) },
    optionTexts,
    nameOptionAsLibrary,
  );
  checkMethodsCombine(settings, [{}], nameOptionAsLibrary);
  const loadedLog = await loadJobsOfInput(jobs, settings);
  const experiment = makeExperimentOnRequestedSites(settings, loadedLog, [{}], {
    naming: nameOptionAsLibrary,
  });
  const { runSimulationToEnd: _, ...execution } = checkExecutionOptions(options, 'replications');
  return {
    ...(await runUntilAnswered(
      experiment,
      makeEstimationEvaluation(experiment, replicationCount),
      execution,
    )),
    ...pickSimulatedSettings(experiment),
  };
}

/**
 * Compares methods over replications, as `gridalloc compare --replications`. For each metric, methods are
 * classified as best (within a margin), worse, or undecided, with 95 % simultaneous confidence.
 * @param jobs path of a log, a workload model such as `lublin99[jobs=1000]`, or a trace, which is perturbed
 * like a log.
 * @throws InputError for a simulation that is impossible, equal methods, and metrics without a better
 * direction; the reason of the abort signal.
 * @example
 * const options = { sites: [128], replications: 20, metrics: ['meanWait'], threads: 1 };
 * const { names, metrics } = await compare('lublin99[jobs=200]', { ...options, methods: ['fcfs', 'first-available'] });
 * metrics[0].judgement.methods.forEach(({ verdict }, i) => {
 *   console.log(names[i], verdict); // fcfs worse, then first-available best
 * });
 */
export async function compare(jobs: string | Trace, options: ComparisonOptions): Promise<Comparison> {
  checkArgument(jobs, 'jobs', 'compare, jobs');
  checkOptionNames(COMPARE_CALL_OPTIONS, options);
  const { replications: maxReplications, untilDecided = false, metrics = [], within } = options;
  if (maxReplications === undefined && !untilDecided)
    throw new InputError('compare: give replications, such as 20, or untilDecided: true');
  checkArgument(metrics, 'list', 'compare, metrics');
  const optionTextsOfAllMethods = convertInputToOptionTexts(options);
  const { policy, discipline, ...common } = optionTextsOfAllMethods;
  await readCodeFilesOfOptions(optionTextsOfAllMethods);
  const methodOfCommonOptions = addParsedOptionTexts(
    {},
    { ...(discipline && { discipline }), ...(policy && { policy }) },
    nameOptionAsLibrary,
  );
  const methods: Method[] = [];
  if (options.methods !== undefined) checkArgument(options.methods, 'some', 'compare, methods');
  for (const each of options.methods ?? [{}])
    methods.push({ ...methodOfCommonOptions, ...(await parseMethodInput(each)) });
  const areMethodsNamed = options.methods !== undefined;
  const request = { methods, areNamed: areMethodsNamed, areAll: areMethodsNamed || policy !== undefined };
  const settings = addParsedOptionTexts({ workload: nameWorkloadOfInput(jobs) }, common, nameOptionAsLibrary);
  const comparisonRequest = completeComparisonRequest(settings, {
    ...{ metrics, untilDecided },
    within: within && checkFiniteNumberInRange(within, 'compare, within', { atLeast: 0, atMost: 1 }),
    replications: maxReplications === undefined ? undefined : parseReplications(maxReplications, 'compare'),
  });
  checkMethodsFitSetting(settings, request, nameOptionAsLibrary);
  const experiment = makeComparisonExperiment(
    settings,
    await loadJobsOfInput(jobs, settings),
    request,
    nameOptionAsLibrary,
  );
  const { runSimulationToEnd: runToEnd, ...execution } = checkExecutionOptions(options, 'compare');
  const evaluation = makeComparisonEvaluation(experiment, comparisonRequest, runToEnd);
  const comparison = await runUntilAnswered(experiment, evaluation, execution);
  return {
    ...comparison,
    ...pickSimulatedSettings(experiment),
    names: methodNames(experiment.configurations),
  };
}

/** Options of `judgeLogs`. */
export interface LogJudgingOptions {
  /** Metric names, in the order of the values; default: average response time. */
  readonly metrics?: readonly string[] | undefined;
  /** Equivalence margin as a share of the best mean; default 0.01. */
  readonly within?: number | undefined;
}

const JUDGE_LOGS_CALL_OPTIONS = registerLibraryOptions<LogJudgingOptions>('judgeLogs', {
  metrics: true,
  within: true,
});

/**
 * Compares methods over several logs, as `gridalloc compare A B C`. Each log contributes one value per
 * method, relative to the best method on that log. Verdicts (best, worse, undecided) need at least ten logs.
 * @param logs values of the methods by log, metric and method, in the metric's unit; from one simulation, or
 * means over replications.
 * @throws InputError for fewer than two logs, missing values, and a metric whose best value on a log is 0 or
 * unknown.
 * @example
 * const values = [[100, 112], [50, 54], [80, 91], [61, 66], [70, 79], [90, 99], [30, 34], [45, 49], [66, 73], [58, 65]];
 * const { metrics } = judgeLogs(values.map((each, i) => ({ name: `log ${i + 1}`, values: [each] })), { metrics: ['meanWait'] });
 * console.log(metrics[0].judgement.methods.map(({ verdict }) => verdict).join()); // best,worse
 */
export function judgeLogs(logs: readonly LogValues[], options: LogJudgingOptions = {}): JudgedComparison {
  checkArgument(logs, 'some', 'judgeLogs, logs');
  checkOptionNames(JUDGE_LOGS_CALL_OPTIONS, options);
  const { metrics: names = [DEFAULT_METRIC_NAME], within } = options;
  checkArgument(names, 'some', 'judgeLogs, metrics');
  const metrics = names.map(findComparisonMetric);
  if (logs.length < 2) throw new InputError('judgeLogs, logs: expected two logs or more');
  const methodCount = logs[0]?.values?.[0]?.length ?? 0;
  for (const [i, logValues] of logs.entries()) {
    const argumentNameInErrors = `judgeLogs, logs[${i}]`;
    checkArgument(logValues, 'object', argumentNameInErrors);
    checkArgument(logValues.values, 'some', `${argumentNameInErrors}, values`);
    const isComplete =
      logValues.values.length === metrics.length &&
      logValues.values.every((valuesOfMetric) => valuesOfMetric?.length === methodCount);
    if (!isComplete || methodCount === 0)
      throw new InputError(
        `${argumentNameInErrors}, values: expected ${metrics.length} by metric, each with one by method, as many as in the first log`,
      );
  }
  const margin = within && checkFiniteNumberInRange(within, 'judgeLogs, within', { atLeast: 0, atMost: 1 });
  return judgeOverLogs(logs, {
    metrics,
    within: metrics.map((metric) => margin ?? defaultEquivalenceMargin(metric, LOGS_POPULATION)),
  });
}

/** Result of `sweep`: values, study, plan and run results. */
export interface Sweep {
  /** Values by metric: one per combination, with 95 % intervals if there are replications. */
  readonly values: Readonly<Record<string, Evaluated>>;
  readonly study: Study;
  readonly plan: Plan;
  readonly results: Results;
}

/** Converts library option names of an axis, such as `sites+speeds`, to those of study files. */
const convertToStudyAxisName = (input: string) =>
  input
    .split('+')
    .map((optionKey) => (optionKey in COMMON_SETTING_KEYS ? optionNameOfKey(optionKey) : optionKey))
    .join('+');

/**
 * Simulates every combination of the varied values, as `gridalloc sweep`.
 * @param jobs path of a log, a workload model such as `lublin99[jobs=1000]`, or a trace, which is perturbed
 * like a log.
 * @throws InputError for a simulation that is impossible; OutputError if writing fails; the reason of the
 * abort signal.
 * @example
 * const vary = { load: [1, 1.5], policy: ['best-fit', 'fastest-first'] };
 * const { values } = await sweep('lublin99[jobs=200]', { sites: [128, 128], speeds: '1,2', vary, threads: 1 });
 * for (const { labels, value } of values.averageResponseTime.cells) console.log(labels.join(' '), value.value.toFixed(0)); // 1 best-fit 3573, then 1 fastest-first 2404, then 1.5 best-fit 5608, then 1.5 fastest-first 4065
 */
export async function sweep(jobs: string | Trace, options: SweepOptions): Promise<Sweep> {
  checkArgument(jobs, 'jobs', 'sweep, jobs');
  checkOptionNames(SWEEP_CALL_OPTIONS, options);
  const { vary, metrics = [], replications: count, out, onProgress } = options;
  checkArgument(vary, 'object', 'sweep, vary');
  if (Object.keys(vary).length === 0)
    throw new InputError(
      'sweep, vary: nothing is varied; give an option and its values, such as { load: [1, 2] }',
    );
  checkArgument(metrics, 'list', 'sweep, metrics');
  const study = await makeSweepStudy({
    workload: typeof jobs === 'string' ? jobs : '$TRACE',
    texts: convertInputToOptionTexts(options),
    varied: Object.entries(vary).map(([name, values]) => ({ name: convertToStudyAxisName(name), values })),
    metrics: [...new Set(metrics)],
    replications: count === undefined ? undefined : parseReplications(count, 'sweep'),
    locate: ([part, name]) =>
      ['sweep', part === 'axes' ? 'vary' : part, name].filter((word) => word !== undefined).join(', '),
  });
  const planOptions = {
    ...(typeof jobs === 'string' ? {} : { trace: jobs }),
    allowCode: true,
    allowMany: true,
  };
  const runOptions = { ...completeThreadOptions(options, 'sweep'), onProgress, out };
  const { plan, results } = await runStudy(study, planOptions, runOptions);
  const evaluation = new Evaluation(study, plan, results as Results);
  const measureValueEntries = study.measures.map(({ name: measureName, metric }) => [
    metric,
    evaluation.measure(measureName),
  ]);
  return { values: Object.fromEntries(measureValueEntries), study, plan, results: results as Results };
}
