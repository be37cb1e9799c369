/** Comparisons, replications and sweeps as functions of the library: what the commands compute, requested in plain data. */

import { availableParallelism } from 'node:os';
import { checkArgument, checkOptions, registerLibraryOptions } from '../arguments.js';
import { setAnswerTimeout } from '../code/codeCalls.js';
import { readCodeOfOptions } from '../code/codeFile.js';
import { runCode } from '../code/codeThread.js';
import { TIMEOUT } from '../code/watch.js';
import { InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import { checkNumberInRange, parseWholeNumber, unknownNameError } from '../notation.js';
import { MAX_REPLICATIONS } from '../options/jobOptions.js';
import {
  addParsedTexts,
  type Naming,
  nameInLibrary,
  OPTIONS,
  type OptionStrings,
  optionName,
  optionNamed,
  type PlainSettings,
  type Settings,
} from '../options/options.js';
import { checkMethods, type Experiment, type Method, makeExperimentOn } from '../simulate/experiment.js';
import {
  METHOD_OPTION_NAMES,
  methodNames,
  optionsNamedInMethod,
  readMethod,
} from '../simulate/methodNames.js';
import { defaultMargin, POPULATION_OF_LOGS } from '../statistics/population.js';
import { type Evaluated, Evaluation } from '../study/evaluate.js';
import type { Plan } from '../study/plan.js';
import type { Results } from '../study/results.js';
import { comparedMetric, DEFAULT_METRIC } from '../study/runValues.js';
import type { Study } from '../study/study.js';
import { sweepStudy } from '../study/sweep.js';
import { readingOptionsOf } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { isModelText, makeModelTrace } from '../workload/models.js';
import {
  askReplications,
  comparisonQuestion,
  type EstimatedResult,
  type Execution,
  estimatesQuestion,
  type JudgedComparison,
  judgeOverLogs,
  type LogValues,
  makeComparisonRequest,
  type RunToEnd,
} from './comparison.js';
import { checkMethodRequest, comparedExperiment } from './methodSelection.js';
import { type RunningOptions, runStudy } from './runPlan.js';

/** Simulation options without the replication number. */
export type CommonSettings = Omit<PlainSettings, 'replication'>;

/** Execution options of replications and sweeps. */
export interface ThreadOptions extends Partial<Omit<RunningOptions, 'onProgress'>> {
  /** Called with the number of finished replications or simulations, and their largest total. */
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

const SETTING_OPTION_KEYS = Object.values(OPTIONS).flatMap(({ key }) =>
  key === 'workload' || key === 'replication' ? [] : [[key, true]],
);
const COMMON_OPTIONS: Record<keyof CommonSettings, true> = Object.fromEntries(SETTING_OPTION_KEYS);
const THREAD_OPTION_KEYS = { threads: true, sharing: true, timeout: true, signal: true, onProgress: true };
const COMPARISON_OPTION_KEYS = { methods: true, untilDecided: true, metrics: true, within: true };
const REPLICATION_OPTIONS = registerLibraryOptions<ReplicationOptions>('replications', {
  ...COMMON_OPTIONS,
  ...THREAD_OPTION_KEYS,
  replications: true,
});
const COMPARE_OPTIONS = registerLibraryOptions<ComparisonOptions>('compare', {
  ...{ ...COMMON_OPTIONS, ...THREAD_OPTION_KEYS, ...COMPARISON_OPTION_KEYS },
  replications: true,
});
const SWEEP_OPTIONS = registerLibraryOptions<SweepOptions>('sweep', {
  ...{ ...COMMON_OPTIONS, ...THREAD_OPTION_KEYS },
  ...{ vary: true, metrics: true, replications: true, out: true },
});

/** Names options in error messages as the library does. */
const libraryNaming: Naming = (key, ...texts) => nameInLibrary(key, ...texts);

/** Converts an option value to text. */
function plainValueText(value: unknown, what: string): string {
  const isUnreplicated = (each: unknown) => ['string', 'number', 'boolean'].includes(typeof each);
  if (isUnreplicated(value)) return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every(isUnreplicated)) return value.join(',');
  const found =
    typeof value === 'function' ? 'a function, which threads cannot be given; name its file' : value;
  throw new InputError(`${what}: expected a text, a number, true, false or a list, found ${found}`);
}

/** Given simulation options as texts by name. */
function textsIn(input: CommonSettings): OptionStrings {
  const entries = Object.entries(input).filter(
    ([key, value]) => key in COMMON_OPTIONS && value !== undefined,
  );
  return Object.fromEntries(entries.map(([key, value]) => [optionName(key), plainValueText(value, key)]));
}

/** Method from its text or from its options. */
async function methodFromInput(input: string | MethodSettings): Promise<Method> {
  const what = 'compare, methods';
  if (typeof input === 'string') {
    await readCodeOfOptions(optionsNamedInMethod(input, what));
    return readMethod(input, what);
  }
  checkArgument(input, 'object', what);
  const { name, ...options } = input;
  const strange = Object.keys(options).find((key) => !METHOD_OPTION_NAMES.includes(optionName(key)));
  if (strange !== undefined)
    throw unknownNameError(
      'option of a method',
      strange,
      METHOD_OPTION_NAMES.map((each) => optionNamed(each).key),
    );
  const texts = textsIn(options);
  await readCodeOfOptions(texts);
  return addParsedTexts(
    name === undefined ? {} : { name: plainValueText(name, `${what}, name`) },
    texts,
    libraryNaming,
  );
}

/** Name of jobs passed as a trace, distinct from any model notation. */
const NAME_OF_GIVEN_JOBS = 'the jobs given';

const quotedWorkloadName = (jobs: string | Trace) => (typeof jobs === 'string' ? jobs : NAME_OF_GIVEN_JOBS);

/** Loads the jobs from a log, model or trace. */
async function loadJobs(jobs: string | Trace, settings: Settings): Promise<Trace> {
  if (typeof jobs !== 'string') return jobs;
  if (isModelText(jobs)) return makeModelTrace(jobs);
  return readTrace(jobs, readingOptionsOf(settings));
}

function countFromInput(input: unknown, name: string): number {
  return parseWholeNumber(String(input), `${name}, replications`, { atLeast: 2, atMost: MAX_REPLICATIONS });
}

function threadOptions({ threads, sharing = true, timeout = TIMEOUT, signal }: ThreadOptions, name: string) {
  const count = threads === undefined ? availableParallelism() : threads;
  setAnswerTimeout(timeout);
  return {
    threads: parseWholeNumber(String(count), `${name}, threads`, { atLeast: 1 }),
    ...{ sharing, timeout, signal },
  };
}

function executionOptions(
  options: ThreadOptions,
  name: string,
): Execution & { readonly runSimulationToEnd: RunToEnd } {
  const { onProgress = () => {} } = options;
  const how = threadOptions(options, name);
  return {
    ...how,
    pause: async () => how.signal?.throwIfAborted(),
    onProgress,
    runSimulationToEnd: async (simulator, configuration) => {
      if ((await runCode(simulator, configuration, how)) !== undefined) return;
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

function simulatedSettings({
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
 * Simulates replications of one simulation: every metric with its values, mean and 95 % interval, as
 * `gridalloc simulate --replications`.
 * @param jobs the path of a log, a model such as `lublin99[jobs=1000]`, or a trace, which is changed as a log is.
 * @throws InputError for what cannot be simulated; the reason of the signal.
 * @example
 * const { metrics } = await replications('lublin99[jobs=200]', { sites: [128], replications: 5, threads: 1 });
 * const [{ name, estimate }] = metrics.filter((metric) => metric.name === 'meanWait');
 * console.log(name, estimate.mean.toFixed(0), estimate.low.toFixed(0), estimate.high.toFixed(0)); // meanWait 47390 11619 83161
 */
export async function replications(jobs: string | Trace, options: ReplicationOptions): Promise<Replicates> {
  checkArgument(jobs, 'jobs', 'replications, jobs');
  checkOptions(REPLICATION_OPTIONS, options);
  const count = countFromInput(options.replications, 'replications');
  const texts = textsIn(options);
  await readCodeOfOptions(texts);
  const settings = addParsedTexts({ workload: quotedWorkloadName(jobs) }, texts, libraryNaming);
  checkMethods(settings, [{}], libraryNaming);
  const loaded = await loadJobs(jobs, settings);
  const experiment = makeExperimentOn(settings, loaded, [{}], { naming: libraryNaming });
  const { runSimulationToEnd: _, ...how } = executionOptions(options, 'replications');
  return {
    ...(await askReplications(experiment, estimatesQuestion(experiment, count), how)),
    ...simulatedSettings(experiment),
  };
}

/**
 * Compares methods over replications: for each metric which of them is the best or within a tolerance of it, which are worse,
 * and which are undecided, with 95 % for all of that together, as `gridalloc compare --replications`.
 * @param jobs the path of a log, a model such as `lublin99[jobs=1000]`, or a trace, which is changed as a log is.
 * @throws InputError for what cannot be simulated, methods that are the same, and metrics that are not better when they are
 * less or more; the reason of the signal.
 * @example
 * const options = { sites: [128], replications: 20, metrics: ['meanWait'], threads: 1 };
 * const { names, metrics } = await compare('lublin99[jobs=200]', { ...options, methods: ['fcfs', 'first-available'] });
 * metrics[0].judgement.methods.forEach(({ verdict }, i) => {
 *   console.log(names[i], verdict); // fcfs worse, then first-available best
 * });
 */
export async function compare(jobs: string | Trace, options: ComparisonOptions): Promise<Comparison> {
  checkArgument(jobs, 'jobs', 'compare, jobs');
  checkOptions(COMPARE_OPTIONS, options);
  const { replications: most, untilDecided = false, metrics = [], within } = options;
  if (most === undefined && !untilDecided)
    throw new InputError('compare: give replications, such as 20, or untilDecided: true');
  checkArgument(metrics, 'list', 'compare, metrics');
  const input = textsIn(options);
  const { policy, discipline, ...common } = input;
  await readCodeOfOptions(input);
  const base = addParsedTexts(
    {},
    { ...(discipline && { discipline }), ...(policy && { policy }) },
    libraryNaming,
  );
  const methods: Method[] = [];
  if (options.methods !== undefined) checkArgument(options.methods, 'some', 'compare, methods');
  for (const each of options.methods ?? [{}]) methods.push({ ...base, ...(await methodFromInput(each)) });
  const areMethodsNamed = options.methods !== undefined;
  const request = { methods, areNamed: areMethodsNamed, areAll: areMethodsNamed || policy !== undefined };
  const settings = addParsedTexts({ workload: quotedWorkloadName(jobs) }, common, libraryNaming);
  const requested = makeComparisonRequest(settings, {
    ...{ metrics, untilDecided },
    within: within && checkNumberInRange(within, 'compare, within', { atLeast: 0, atMost: 1 }),
    replications: most === undefined ? undefined : countFromInput(most, 'compare'),
  });
  checkMethodRequest(settings, request, libraryNaming);
  const experiment = comparedExperiment(settings, await loadJobs(jobs, settings), request, libraryNaming);
  const { runSimulationToEnd: runToEnd, ...how } = executionOptions(options, 'compare');
  const question = comparisonQuestion(experiment, requested, runToEnd);
  const compared = await askReplications(experiment, question, how);
  return { ...compared, ...simulatedSettings(experiment), names: methodNames(experiment.configurations) };
}

/** Options of `judgeLogs`. */
export interface LogJudgingOptions {
  /** Metric names, in the order of the values; default: average response time. */
  readonly metrics?: readonly string[] | undefined;
  /** Equivalence margin as a share of the best mean; default 0.01. */
  readonly within?: number | undefined;
}

const LOG_JUDGING_OPTIONS = registerLibraryOptions<LogJudgingOptions>('judgeLogs', {
  metrics: true,
  within: true,
});

/**
 * Judges methods over several logs, as `gridalloc compare A B C`: each log is one value of each method, relative to the best
 * method on it. From ten logs on it says which methods are the best, worse or undecided.
 * @param logs each with the values of the methods on it, by metric, then by method, in the unit of the metric: of one
 * simulation, or means over replications.
 * @throws InputError for fewer than two logs, values that are missing, and a metric whose best value on a log is 0 or not known.
 * @example
 * const values = [[100, 112], [50, 54], [80, 91], [61, 66], [70, 79], [90, 99], [30, 34], [45, 49], [66, 73], [58, 65]];
 * const { metrics } = judgeLogs(values.map((each, i) => ({ name: `log ${i + 1}`, values: [each] })), { metrics: ['meanWait'] });
 * console.log(metrics[0].judgement.methods.map(({ verdict }) => verdict).join()); // best,worse
 */
export function judgeLogs(logs: readonly LogValues[], options: LogJudgingOptions = {}): JudgedComparison {
  checkArgument(logs, 'some', 'judgeLogs, logs');
  checkOptions(LOG_JUDGING_OPTIONS, options);
  const { metrics: names = [DEFAULT_METRIC], within } = options;
  checkArgument(names, 'some', 'judgeLogs, metrics');
  const metrics = names.map(comparedMetric);
  if (logs.length < 2) throw new InputError('judgeLogs, logs: expected two logs or more');
  const methods = logs[0]?.values?.[0]?.length ?? 0;
  for (const [i, log] of logs.entries()) {
    const what = `judgeLogs, logs[${i}]`;
    checkArgument(log, 'object', what);
    checkArgument(log.values, 'some', `${what}, values`);
    const isComplete =
      log.values.length === metrics.length && log.values.every((each) => each?.length === methods);
    if (!isComplete || methods === 0)
      throw new InputError(
        `${what}, values: expected ${metrics.length} by metric, each with one by method, as many as in the first log`,
      );
  }
  const share = within && checkNumberInRange(within, 'judgeLogs, within', { atLeast: 0, atMost: 1 });
  return judgeOverLogs(logs, {
    metrics,
    within: metrics.map((metric) => share ?? defaultMargin(metric, POPULATION_OF_LOGS)),
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
const axisNameOfOptions = (input: string) =>
  input
    .split('+')
    .map((name) => (name in COMMON_OPTIONS ? optionName(name) : name))
    .join('+');

/**
 * Simulates every combination of some values, as `gridalloc sweep`.
 * @param jobs the path of a log, a model such as `lublin99[jobs=1000]`, or a trace, which is changed as a log is.
 * @throws InputError for what cannot be simulated; OutputError when writing fails; the reason of the signal.
 * @example
 * const vary = { load: [1, 1.5], policy: ['best-fit', 'fastest-first'] };
 * const { values } = await sweep('lublin99[jobs=200]', { sites: [128, 128], speeds: '1,2', vary, threads: 1 });
 * for (const { labels, value } of values.averageResponseTime.cells) console.log(labels.join(' '), value.value.toFixed(0)); // 1 best-fit 3573, then 1 fastest-first 2404, then 1.5 best-fit 5608, then 1.5 fastest-first 4065
 */
export async function sweep(jobs: string | Trace, options: SweepOptions): Promise<Sweep> {
  checkArgument(jobs, 'jobs', 'sweep, jobs');
  checkOptions(SWEEP_OPTIONS, options);
  const { vary, metrics = [], replications: count, out, onProgress } = options;
  checkArgument(vary, 'object', 'sweep, vary');
  if (Object.keys(vary).length === 0)
    throw new InputError(
      'sweep, vary: nothing is varied; give an option and its values, such as { load: [1, 2] }',
    );
  checkArgument(metrics, 'list', 'sweep, metrics');
  const study = await sweepStudy({
    workload: typeof jobs === 'string' ? jobs : '$TRACE',
    texts: textsIn(options),
    varied: Object.entries(vary).map(([name, values]) => ({ name: axisNameOfOptions(name), values })),
    metrics: [...new Set(metrics)],
    replications: count === undefined ? undefined : countFromInput(count, 'sweep'),
    locate: ([part, name]) =>
      ['sweep', part === 'axes' ? 'vary' : part, name].filter((word) => word !== undefined).join(', '),
  });
  const input = { ...(typeof jobs === 'string' ? {} : { trace: jobs }), allowCode: true, allowMany: true };
  const how = { ...threadOptions(options, 'sweep'), onProgress, out };
  const { plan, results } = await runStudy(study, input, how);
  const evaluation = new Evaluation(study, plan, results as Results);
  const values = study.measures.map(({ name, metric }) => [metric, evaluation.measure(name)]);
  return { values: Object.fromEntries(values), study, plan, results: results as Results };
}
