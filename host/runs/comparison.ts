/**
 * Comparison of methods over replications, and estimates of one method: what to run, when to stop, and how
 * to judge.
 */
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { firstElement } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import type { Settings } from '../options/options.js';
import { distinctJobSettings, type Experiment, makeJobMaker } from '../simulate/experiment.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { Simulator } from '../simulate/simulator.js';
import { checkMetricsExist, SCALAR_METRICS } from '../simulate/summary.js';
import { estimateMean, INTERVAL_ERROR_PROBABILITY, type MeanEstimate } from '../statistics/interval.js';
import { type Judgement, judgeMethods } from '../statistics/judging.js';
import { looksUpTo } from '../statistics/looks.js';
import {
  defaultEquivalenceMargin,
  LOGS_POPULATION,
  type Population,
  populationOfSettings,
} from '../statistics/population.js';
import {
  DEFAULT_METRIC_NAME,
  findComparisonMetric,
  selectClassMetricsByName,
  selectJobMetrics,
  valuePositionsByMetric,
  valuesOfFinishedRun,
} from '../study/runValues.js';
import { isModelNotation } from '../workload/models.js';
import { splitLogIntoSpans, type Workload } from '../workload/workload.js';
import {
  type ClassResults,
  computeClassResults,
  makeClassMetrics,
  type RequestedJobClasses,
  selectClassMetrics,
} from './classResults.js';
import { ReplicationRunner, type ReplicatorOptions } from './replicator.js';

/** Returns the values of a metric under a method, by replication. */
export type MetricSamples = (metric: Pick<NamedMetric, 'name'>, method: number) => number[];

/** How replications are run: number of threads, abort signal and the like, and a progress callback. */
export interface ReplicationExecution extends Omit<ReplicatorOptions, 'metrics' | 'done' | 'onDone'> {
  /** Progress callback with the number of finished replications and their maximum. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Runs a simulation to its end. */
export type SimulationRunner = (simulator: Simulator, configuration: Configuration) => Promise<unknown>;

/** Evaluation of the first replications, at one of the planned looks. */
interface InterimEvaluation<Answer> {
  /** True if no further replications are needed. */
  readonly isEnough: boolean;
  /** Computes the answer from the replications evaluated so far. */
  readonly computeAnswer: () => Answer | Promise<Answer>;
}

/** Question to be answered by replications, independent of how they are run. */
export interface ReplicatedEvaluation<Answer> {
  /** Metrics that runs must compute besides the standard ones. */
  readonly metrics: readonly NamedMetric[];
  /** Numbers of replications at which results are evaluated; empty for unperturbed jobs. */
  readonly looks: readonly number[];
  /** Evaluates the first `count` replications; called for each look in order. */
  readonly look: (samplesOf: MetricSamples, count: number) => InterimEvaluation<Answer>;
}

/** Runs replications in threads, evaluating at each look, until the question is answered. */
export async function runUntilAnswered<Answer>(
  experiment: Experiment,
  { metrics, looks, look }: ReplicatedEvaluation<Answer>,
  { onProgress, ...options }: ReplicationExecution,
): Promise<Answer> {
  const maxReplicationCount = looks[looks.length - 1] ?? 0;
  let doneCount = 0;
  const replicator = new ReplicationRunner(experiment, {
    ...options,
    metrics: metrics.map(({ name: metricName }) => metricName),
    threads: Math.min(options.threads, maxReplicationCount),
    onDone: () => onProgress(++doneCount, maxReplicationCount),
  });
  let lastEvaluation: InterimEvaluation<Answer> | undefined;
  try {
    for (const replicationCount of looks) {
      const metricValuesOf = await replicator.upTo(replicationCount);
      lastEvaluation = look((metric, method) => metricValuesOf(metric.name, method), replicationCount);
      if (lastEvaluation.isEnough) break;
    }
  } finally {
    await replicator.close();
  }
  if (lastEvaluation === undefined) throw new Error('there is no look');
  return lastEvaluation.computeAnswer();
}

/** Default maximum of replications for a comparison that stops when decided. */
const MAX_SEQUENTIAL_REPLICATIONS = 1280;

/** Options of a comparison of methods. */
export interface MethodComparisonSettings {
  /** Metric names; empty: average response time. */
  readonly metrics: readonly string[];
  /** Equivalence margin as a share of the best mean; undefined: `defaultEquivalenceMargin`. */
  readonly within: number | undefined;
  /** Number of replications; the maximum if the comparison stops when decided. */
  readonly replications: number | undefined;
  readonly untilDecided: boolean;
  /** Job classes to report, if any. */
  readonly classes?: RequestedJobClasses | undefined;
}

/** Checked and complete request for a comparison over replications. */
export interface CompleteComparisonRequest {
  readonly metrics: readonly NamedMetric[];
  /** Equivalence margin by metric, as a share of the best mean. */
  readonly within: readonly number[];
  /** Returns the equivalence margin of any metric, such as one of a job class. */
  readonly withinOf: (metric: Pick<Metric, 'noise'>) => number;
  /** Numbers of replications after which methods are judged. */
  readonly looks: readonly number[];
  readonly limits: 'fixed' | 'anytime';
  readonly population: Population;
  readonly classes?: RequestedJobClasses | undefined;
}

/**
 * Metrics that the runs of a comparison compute: those judged, and those of job classes.
 * @throws InputError for a metric that a method lacks.
 */
function metricsToCompute(
  { workloads, configurations }: Experiment,
  { metrics, classes }: CompleteComparisonRequest,
): NamedMetric[] {
  checkMetricsExist(metrics, configurations);
  if (classes === undefined) return [...metrics];
  return [...metrics, ...makeClassMetrics(workloads, classes, selectClassMetricNames(metrics))];
}

const selectClassMetricNames = (metrics: readonly NamedMetric[]) =>
  selectClassMetrics(metrics.map(({ name: metricName }) => metricName));

/**
 * Completes the settings of a comparison.
 * @throws InputError for an unknown metric, or one without a better direction.
 */
export function completeComparisonRequest(
  settings: Settings,
  comparisonSettings: MethodComparisonSettings,
): CompleteComparisonRequest {
  const {
    within,
    replications: replicationCount = MAX_SEQUENTIAL_REPLICATIONS,
    untilDecided,
  } = comparisonSettings;
  const metricNames =
    comparisonSettings.metrics.length === 0
      ? [DEFAULT_METRIC_NAME]
      : [...new Set(comparisonSettings.metrics)];
  const metrics = metricNames.map(findComparisonMetric);
  const population = populationOfSettings(settings);
  const withinOf = (metric: Pick<Metric, 'noise'>) => within ?? defaultEquivalenceMargin(metric, population);
  return {
    metrics,
    within: metrics.map(withinOf),
    withinOf,
    looks: untilDecided ? looksUpTo(replicationCount, population.firstLook) : [replicationCount],
    limits: untilDecided ? 'anytime' : 'fixed',
    population,
    classes: comparisonSettings.classes,
  };
}

/**
 * Judges the methods by each metric at all looks up to a number of replications, or until none is
 * undecided; metrics share the error probability.
 * @param earlierJudgements judgements of earlier looks, if available.
 */
function judgeAtPlannedLooks(
  { metrics, within: equivalenceMargins, looks, limits, population: { fewest } }: CompleteComparisonRequest,
  methodCount: number,
  replicationCount: number,
  samplesOf: MetricSamples,
  earlierJudgements?: readonly Judgement[],
): readonly Judgement[] {
  const level = INTERVAL_ERROR_PROBABILITY / metrics.length;
  const metricValues = metrics.map((metric) =>
    Array.from({ length: methodCount }, (_, i) => samplesOf(metric, i)),
  );
  for (const [i, metric] of metrics.entries()) checkMetricInAllReplications(metric, metricValues[i]!);
  let judgements = earlierJudgements;
  for (const look of looks) {
    if (look > replicationCount || (judgements !== undefined && isEveryMethodDecided(judgements))) break;
    if (judgements !== undefined && look <= firstElement(judgements).replications) continue;
    const earlier = judgements;
    judgements = metrics.map(({ better: betterDirection = 'less' }, i) => {
      const samplesSoFar = metricValues[i]!.map((each) => each.slice(0, look));
      return judgeMethods(samplesSoFar, {
        better: betterDirection,
        within: equivalenceMargins[i]!,
        level,
        fewest,
        limits,
        before: earlier?.[i],
      });
    });
  }
  if (judgements === undefined) throw new Error('there is no look');
  return judgements;
}

/**
 * Checks that all replications have a metric.
 * @throws InputError if one lacks it, since means could not be compared.
 */
function checkMetricInAllReplications(
  { name: metricName }: NamedMetric,
  values: readonly (readonly number[])[],
): void {
  const missingReplication = firstElement(values).findIndex((_, replication) =>
    values.some((methodValues) => Number.isNaN(methodValues[replication])),
  );
  if (missingReplication < 0) return;
  throw new InputError(
    `metric '${metricName}': no job counts for it in replication ${missingReplication + 1}, so it cannot compare methods; ` +
      'name a class that has jobs in every replication',
  );
}

/** True if more replications are useless: no metric leaves a method undecided, or all replications are identical. */
function isEveryMethodDecided(judgements: readonly Judgement[]): boolean {
  return judgements.every(({ isDecided, isOneSample }) => isDecided || isOneSample);
}

/** Values by metric, method and time span of a log. */
interface MetricValuesByLogSpan {
  /** Length of a span in seconds. */
  readonly seconds: number;
  readonly values: readonly (readonly (readonly number[])[])[];
}

/** Metrics to compute per job on a grid, and the position of each requested value. */
function metricsPerJobOnGrid(metrics: readonly NamedMetric[], { capacities }: Grid) {
  const jobMetrics = selectJobMetrics(metrics.map(({ name: metricName }) => metricName));
  return {
    jobMetrics,
    positions: valuePositionsByMetric('simulations', capacities.length, selectClassMetricsByName(jobMetrics)),
  };
}

/** Function that reads metrics from a finished simulator. */
export function makeMetricValueReader(
  metrics: readonly NamedMetric[],
  grid: Grid,
): (simulator: Simulator) => number[] {
  const { jobMetrics, positions } = metricsPerJobOnGrid(metrics, grid);
  return (simulator) => {
    const metricValues = valuesOfFinishedRun(simulator, jobMetrics);
    return metrics.map(({ name: metricName }) => metricValues[positions.get(metricName) as number]!);
  };
}

/**
 * Simulates methods on unperturbed jobs and returns standard and requested metrics.
 * @param workloads jobs of each method.
 */
export async function simulateMethodsUnperturbed(
  workloads: readonly Workload[],
  configurations: readonly Configuration[],
  metrics: readonly NamedMetric[],
  runToEnd: SimulationRunner,
): Promise<MetricSamples> {
  const metricsByMethod = configurations.map(({ grid }) => metricsPerJobOnGrid(metrics, grid));
  const metricValues: number[][] = [];
  let simulator: Simulator | undefined;
  for (const [i, configuration] of configurations.entries()) {
    if (simulator === undefined || simulator.workload !== workloads[i])
      simulator = new Simulator(workloads[i]!);
    await runToEnd(simulator, configuration);
    metricValues.push(valuesOfFinishedRun(simulator, metricsByMethod[i]!.jobMetrics));
  }
  return ({ name: metricName }, method) => [
    metricValues[method]![metricsByMethod[method]!.positions.get(metricName) as number]!,
  ];
}

/** Unperturbed jobs of each method of an experiment. */
export function unperturbedJobsByMethod({
  settings,
  loaded: loadedLog,
  methods,
  configurations,
}: Experiment): Workload[] {
  const { perturb: _, ...unchanged } = settings;
  const jobSettings = distinctJobSettings(unchanged, methods);
  const workloadsOfVariants = jobSettings.settings.map((setting, variant) => {
    const { grid } = configurations[jobSettings.settingsIndexes.indexOf(variant)]!;
    return makeJobMaker(setting, loadedLog).makeJobs(grid).workload;
  });
  return jobSettings.settingsIndexes.map((variantIndex) => workloadsOfVariants[variantIndex]!);
}

/**
 * Simulates methods on each time span of a log; undefined for models, short logs, and methods with spans of
 * different lengths.
 */
async function simulateMethodsOnLogSpans(
  experiment: Experiment,
  metrics: readonly NamedMetric[],
  runToEnd: SimulationRunner,
): Promise<MetricValuesByLogSpan | undefined> {
  const { settings, configurations } = experiment;
  if (isModelNotation(settings.workload)) return undefined;
  const workloads = unperturbedJobsByMethod(experiment);
  const spansByWorkload = new Map(
    [...new Set(workloads)].map((workload) => [workload, splitLogIntoSpans(workload)]),
  );
  const timeSpans = spansByWorkload.get(firstElement(workloads));
  const areSpansAlike = [...spansByWorkload.values()].every(
    (each) => each?.seconds === timeSpans?.seconds && each?.workloads.length === timeSpans?.workloads.length,
  );
  if (timeSpans === undefined || !areSpansAlike) return undefined;
  const metricValues: number[][][] = metrics.map(() => configurations.map(() => []));
  for (const span of timeSpans.workloads.keys()) {
    const jobsOfSpan = workloads.map((workload) => spansByWorkload.get(workload)!.workloads[span]!);
    const valuesOfSpan = await simulateMethodsUnperturbed(jobsOfSpan, configurations, metrics, runToEnd);
    for (const [i, metric] of metrics.entries())
      for (const method of configurations.keys())
        metricValues[i]![method]!.push(...valuesOfSpan(metric, method));
  }
  return { seconds: timeSpans.seconds, values: metricValues };
}

/** Facts common to all results over replications. */
export interface ReplicatedFacts {
  /** Number of replications. */
  readonly replications: number;
  /** Population that the replications sample. */
  readonly population: Population;
}

/** Comparison of methods by one metric; lists by method follow the order of the methods. */
export interface JudgedMetric {
  /** The name of the metric. */
  readonly name: string;
  readonly metric: Metric;
  /** Values by method, then by replication. */
  readonly values: readonly (readonly number[])[];
  /** Mean with 95 % interval, by method. */
  readonly estimates: readonly MeanEstimate[];
  /** Equivalence margin as a share of the best mean. */
  readonly within: number;
  /** Verdict of each method (best, worse or undecided) and its distance from the best. */
  readonly judgement: Judgement;
  /** Results on unperturbed time spans of the log: span length, and values by method, then by span. */
  readonly spans?: { readonly seconds: number; readonly values: readonly (readonly number[])[] };
}

/** Comparison of methods over replications by one or more metrics. */
export interface JudgedComparison extends ReplicatedFacts {
  /** Judgement by each metric. */
  readonly metrics: readonly JudgedMetric[];
  /** Numbers of replications at which methods were judged; several if the comparison stops when decided. */
  readonly looks: readonly number[];
  /** Results by job class, if requested. */
  readonly classes?: readonly ClassResults[];
  /** Reason why the log is not cut into time spans. */
  readonly withoutPieces?: string;
}

/** True if methods were judged at several looks, by limits valid at all of them. */
export function isSequentialComparison({ metrics }: Pick<JudgedComparison, 'metrics'>): boolean {
  return firstElement(metrics).judgement.limits === 'anytime';
}

/** True if no method is undecided by any metric. */
export function isComparisonDecided({ metrics }: Pick<JudgedComparison, 'metrics'>): boolean {
  return metrics.every(({ judgement }) => judgement.isDecided);
}

const DEPENDENT_JOBS_NOT_CUT_REMARK =
  'The log is not cut into pieces, since its jobs depend on each other (--dependencies) across the cuts.';

/** Completes a judged comparison, including simulations on time spans of the log. */
async function completeJudgedComparison(
  experiment: Experiment,
  request: CompleteComparisonRequest,
  judgements: readonly Judgement[],
  samplesOf: MetricSamples,
  runToEnd: SimulationRunner,
): Promise<JudgedComparison> {
  const { metrics, within: equivalenceMargins, looks, population, classes } = request;
  const { replications: replicationCount } = firstElement(judgements);
  const methodCount = experiment.methods.length;
  const spans = await simulateMethodsOnLogSpans(experiment, metrics, runToEnd);
  return {
    replications: replicationCount,
    population,
    ...(experiment.workload.dependencies === undefined || isModelNotation(experiment.settings.workload)
      ? {}
      : { withoutPieces: DEPENDENT_JOBS_NOT_CUT_REMARK }),
    metrics: metrics.map((metric, i) => {
      const valuesByMethod = Array.from({ length: methodCount }, (_, i) =>
        samplesOf(metric, i).slice(0, replicationCount),
      );
      const estimates = valuesByMethod.map(estimateMean);
      const judgedMetric = {
        name: metric.name,
        metric,
        values: valuesByMethod,
        estimates,
        within: equivalenceMargins[i]!,
        judgement: judgements[i]!,
      };
      return spans === undefined
        ? judgedMetric
        : { ...judgedMetric, spans: { seconds: spans.seconds, values: spans.values[i]! } };
    }),
    looks: looks.filter((look) => look <= replicationCount),
    ...(classes === undefined
      ? {}
      : {
          classes: computeClassResults(
            ...([experiment.workloads, classes, selectClassMetricNames(metrics)] as const),
            (metric, method) => samplesOf(metric, method).slice(0, replicationCount),
            (metric) => ({
              within: request.withinOf(metric),
              fewest: population.fewest,
              limits: request.limits,
            }),
          ),
        }),
  };
}

/**
 * Question that compares the methods of an experiment over replications, or until no metric leaves a method
 * undecided.
 */
export function makeComparisonEvaluation(
  experiment: Experiment,
  request: CompleteComparisonRequest,
  runToEnd: SimulationRunner,
): ReplicatedEvaluation<JudgedComparison> {
  let lastJudgements: readonly Judgement[] | undefined;
  return {
    metrics: metricsToCompute(experiment, request),
    looks: request.looks,
    look: (samplesOf, replicationCount) => {
      const judgements = judgeAtPlannedLooks(
        request,
        experiment.methods.length,
        replicationCount,
        samplesOf,
        lastJudgements,
      );
      lastJudgements = judgements;
      return {
        isEnough: isEveryMethodDecided(judgements),
        computeAnswer: () => completeJudgedComparison(experiment, request, judgements, samplesOf, runToEnd),
      };
    },
  };
}

/** Metric of one method over replications. */
export interface EstimatedMetric {
  /** The name of the metric. */
  readonly name: string;
  readonly metric: Metric;
  /** Values by replication. */
  readonly values: readonly number[];
  /** Mean with 95 % interval. */
  readonly estimate: MeanEstimate;
}

/** Result of one method over replications. */
export interface EstimatedResult extends ReplicatedFacts {
  /** All metrics of the simulation. */
  readonly metrics: readonly EstimatedMetric[];
  /** Results by job class, if requested. */
  readonly classes?: readonly ClassResults[];
}

/**
 * Question that estimates all or the requested metrics of an experiment's only method from a number of
 * replications.
 */
export function makeEstimationEvaluation(
  { settings, workloads }: Experiment,
  replicationCount: number,
  requestedClasses?: RequestedJobClasses,
  requestedMetrics: readonly NamedMetric[] = [],
): ReplicatedEvaluation<EstimatedResult> {
  const classMetricNames = selectClassMetrics([]);
  return {
    metrics: [
      ...(requestedMetrics.length === 0 ? [findComparisonMetric(DEFAULT_METRIC_NAME)] : requestedMetrics),
      ...(requestedClasses === undefined
        ? []
        : makeClassMetrics(workloads, requestedClasses, classMetricNames)),
    ],
    looks: [replicationCount],
    look: (samplesOf) => ({
      isEnough: true,
      computeAnswer: () => ({
        replications: replicationCount,
        population: populationOfSettings(settings),
        metrics: (requestedMetrics.length === 0 ? SCALAR_METRICS : requestedMetrics).map(
          (metric): EstimatedMetric => {
            const metricValues = samplesOf(metric, 0);
            return { name: metric.name, metric, values: metricValues, estimate: estimateMean(metricValues) };
          },
        ),
        ...(requestedClasses && {
          classes: computeClassResults(workloads, requestedClasses, classMetricNames, samplesOf),
        }),
      }),
    }),
  };
}

// Comparison over several logs: each log contributes one ratio per method, to the best method on that log

/** Results of the methods on one log. */
export interface LogValues {
  /** Name of the log for sentences. */
  readonly name: string;
  /** Values by metric, then by method, in the metric's unit. */
  readonly values: readonly (readonly number[])[];
}

/** Results on a log with its number of jobs and processors. */
export interface LogResultsWithSize extends LogValues {
  readonly jobs: number;
  readonly processors: number;
}

/** Best of some values, by the metric's better direction. */
export const chooseBestMetricValue = (
  { better: betterDirection }: Pick<NamedMetric, 'better'>,
  values: readonly number[],
) => (betterDirection === 'more' ? Math.max(...values) : Math.min(...values));

/** Ratios to the best method on each log, by method, then by log. */
function ratiosToBestMethod(
  logs: readonly LogValues[],
  metric: NamedMetric,
  metricIndex: number,
): number[][] {
  const ratiosByLog = logs.map(({ name: logName, values: logValues }) => {
    const valuesOfMethods = logValues[metricIndex]!;
    const bestValue = chooseBestMetricValue(metric, valuesOfMethods);
    if (bestValue !== 0 && valuesOfMethods.every(Number.isFinite))
      return valuesOfMethods.map((value) => value / bestValue);
    throw new InputError(
      `${metric.name} on ${logName} is ${bestValue === 0 ? '0 under the best method' : 'unknown'}, so no ratio can be computed; choose another --metric or omit the log`,
    );
  });
  return firstElement(ratiosByLog).map((_, method) => ratiosByLog.map((ratios) => ratios[method]!));
}

/**
 * Judges methods over logs by each metric.
 * @throws InputError if the best value on a log is 0 or unknown.
 */
export function judgeOverLogs(
  logs: readonly LogValues[],
  { metrics, within }: Pick<CompleteComparisonRequest, 'metrics' | 'within'>,
): JudgedComparison {
  const level = INTERVAL_ERROR_PROBABILITY / metrics.length;
  const { fewest } = LOGS_POPULATION;
  return {
    replications: logs.length,
    population: LOGS_POPULATION,
    looks: [logs.length],
    metrics: metrics.map((metric, i) => {
      const values = ratiosToBestMethod(logs, metric, i);
      const { noise, label: metricLabel, formula, better = 'less' } = metric;
      return {
        name: metric.name,
        metric: {
          ...{ noise, label: `${metricLabel}, relative to the best method on each log`, formula, better },
          format: { style: 'fixed', decimals: 3 },
        },
        values,
        estimates: values.map(estimateMean),
        within: within[i]!,
        judgement: judgeMethods(values, { better, within: within[i]!, level, fewest }),
      };
    }),
  };
}
