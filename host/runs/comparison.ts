/** Methods over replications of their jobs: run in one or more goes, judged, and estimated by themselves. */
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { firstOf } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import type { Settings } from '../options/options.js';
import { type Experiment, jobSource, jobVariants } from '../simulate/experiment.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { Simulator } from '../simulate/simulator.js';
import { checkMetricsExist, SCALAR_METRICS } from '../simulate/summary.js';
import { ERROR_PROBABILITY, estimateMean, type MeanEstimate } from '../statistics/interval.js';
import { type Judgement, judgeMethods, looksUpTo } from '../statistics/judging.js';
import { defaultMargin, LOGS, type Population, populationOf } from '../statistics/population.js';
import {
  classMetricsIn,
  comparedMetric,
  DEFAULT_METRIC,
  jobMetricsIn,
  runValues,
  valuePlaces,
} from '../study/runValues.js';
import { isModelText } from '../workload/models.js';
import { spansOf, type Workload } from '../workload/workload.js';
import {
  type ClassResults,
  classMetricsOf,
  classResults,
  type RequestedClasses,
  shownClassMetrics,
} from './classResults.js';
import { type ReplicateOptions, Replicator } from './replicator.js';

/** The values of each metric by method, then by replication. */
export type Samples = (metric: Pick<NamedMetric, 'name'>, method: number) => number[];

/** Options of running replications. */
export interface Execution extends Omit<ReplicateOptions, 'metrics' | 'done' | 'onDone'> {
  /** Told how many replications are done, of how many at most. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Runs one simulation to its end. */
export type RunToEnd = (simulator: Simulator, configuration: Configuration) => Promise<unknown>;

/** The values of this many replications, looked at. */
interface Look<Answer> {
  /** True if they will do. */
  readonly isEnough: boolean;
  readonly answer: () => Answer | Promise<Answer>;
}

/** Question that replications answer, independent of where they run. */
export interface Question<Answer> {
  /** The metrics requested of runs, in addition to those that every run has. */
  readonly metrics: readonly NamedMetric[];
  /** The numbers of replications at which they are judged; none for unperturbed jobs. */
  readonly looks: readonly number[];
  /** Looks at the values of this many, after all looks before. */
  readonly look: (samples: Samples, count: number) => Look<Answer>;
}

/** Runs replications of an experiment by threads, look after look, until they answer a question. */
export async function askReplications<Answer>(
  experiment: Experiment,
  { metrics, looks, look }: Question<Answer>,
  { onProgress, ...options }: Execution,
): Promise<Answer> {
  const total = looks[looks.length - 1] ?? 0;
  let done = 0;
  const replicator = new Replicator(experiment, {
    ...options,
    metrics: metrics.map(({ name }) => name),
    threads: Math.min(options.threads, total),
    onDone: () => onProgress(++done, total),
  });
  let last: Look<Answer> | undefined;
  try {
    for (const count of looks) {
      const values = await replicator.upTo(count);
      last = look((metric, method) => values(metric.name, method), count);
      if (last.isEnough) break;
    }
  } finally {
    await replicator.close();
  }
  if (last === undefined) throw new Error('there is no look');
  return last.answer();
}

/** Default limit of replications in a comparison that runs until it is decided. */
const MAX_LOOKED_AT = 1280;

/** Options of a comparison of methods. */
export interface ComparisonSettings {
  /** Names of the metrics; by default the average response time. */
  readonly metrics: readonly string[];
  /** Equivalence margin, as a share of the mean of the best; default: that of `defaultMargin`. */
  readonly within: number | undefined;
  /** Number of replications; at most this many where it runs until it is decided. */
  readonly replications: number | undefined;
  readonly untilDecided: boolean;
  /** Classes of jobs for which results are wanted, too. */
  readonly classes?: RequestedClasses | undefined;
}

/** Request for a comparison over replications, checked and complete. */
export interface ComparisonRequest {
  readonly metrics: readonly NamedMetric[];
  /** Equivalence margin by metric, as a share of the mean of the best. */
  readonly within: readonly number[];
  /** Equivalence margin of any metric, such as one of a class of jobs. */
  readonly withinOf: (metric: Pick<Metric, 'noise'>) => number;
  /** After how many replications it is judged. */
  readonly looks: readonly number[];
  readonly limits: 'fixed' | 'anytime';
  readonly population: Population;
  readonly classes?: RequestedClasses | undefined;
}

/**
 * The metrics that the runs of a comparison are requested: those that judge, and those of classes of jobs.
 * @throws InputError for a metric that a method does not have.
 */
function metricsOfRuns(
  { workloads, configurations }: Experiment,
  { metrics, classes }: ComparisonRequest,
): NamedMetric[] {
  checkMetricsExist(metrics, configurations);
  if (classes === undefined) return [...metrics];
  return [...metrics, ...classMetricsOf(workloads, classes, classMetricsAmong(metrics))];
}

const classMetricsAmong = (metrics: readonly NamedMetric[]) =>
  shownClassMetrics(metrics.map(({ name }) => name));

/**
 * What a comparison of a setting asks.
 * @throws InputError for an unknown metric, or one that is not better when it is less or more.
 */
export function makeComparisonRequest(
  settings: Settings,
  comparisonSettings: ComparisonSettings,
): ComparisonRequest {
  const { within, replications = MAX_LOOKED_AT, untilDecided } = comparisonSettings;
  const names =
    comparisonSettings.metrics.length === 0 ? [DEFAULT_METRIC] : [...new Set(comparisonSettings.metrics)];
  const metrics = names.map(comparedMetric);
  const population = populationOf(settings);
  const withinOf = (metric: Pick<Metric, 'noise'>) => within ?? defaultMargin(metric, population);
  return {
    metrics,
    within: metrics.map(withinOf),
    withinOf,
    looks: untilDecided ? looksUpTo(replications, population.firstLook) : [replications],
    limits: untilDecided ? 'anytime' : 'fixed',
    population,
    classes: comparisonSettings.classes,
  };
}

/**
 * Judges the methods of an experiment, by each metric, at the looks up to a number of replications and no further than the
 * look at which none is undecided; several metrics share the chance of an error.
 * @param before what the looks before came to, if they have been judged.
 */
function judgeAtLooks(
  { metrics, within, looks, limits, population: { fewest } }: ComparisonRequest,
  methods: number,
  count: number,
  samples: Samples,
  before?: readonly Judgement[],
): readonly Judgement[] {
  const level = ERROR_PROBABILITY / metrics.length;
  const values = metrics.map((metric) => Array.from({ length: methods }, (_, i) => samples(metric, i)));
  for (const [i, metric] of metrics.entries()) checkKnown(metric, values[i]!);
  let judgements = before;
  for (const look of looks) {
    if (look > count || (judgements !== undefined && isDecided(judgements))) break;
    if (judgements !== undefined && look <= firstOf(judgements).replications) continue;
    const earlier = judgements;
    judgements = metrics.map(({ better = 'less' }, i) => {
      const soFar = values[i]!.map((each) => each.slice(0, look));
      return judgeMethods(soFar, { better, within: within[i]!, level, fewest, limits, before: earlier?.[i] });
    });
  }
  if (judgements === undefined) throw new Error('there is no look');
  return judgements;
}

/** @throws InputError for a metric that a replication does not have: no mean could be compared. */
function checkKnown({ name }: NamedMetric, values: readonly (readonly number[])[]): void {
  const unknown = firstOf(values).findIndex((_, replication) =>
    values.some((of) => Number.isNaN(of[replication])),
  );
  if (unknown < 0) return;
  throw new InputError(
    `metric '${name}': no job counts for it in replication ${unknown + 1}, so it cannot compare methods; ` +
      'name a class that has jobs in every replication',
  );
}

/** True if nothing is undecided, by any metric; copies that are all the same decide nothing, however many there are. */
function isDecided(judgements: readonly Judgement[]): boolean {
  return judgements.every(({ isDecided, isOneSample }) => isDecided || isOneSample);
}

/** Values by metric, then by method, then by span. */
interface SpanValues {
  /** Length of each span in seconds. */
  readonly seconds: number;
  readonly values: readonly (readonly (readonly number[])[])[];
}

/** The metrics of every job that are requested of runs on a grid, and where each of their values is. */
function valuesFor(metrics: readonly NamedMetric[], { capacities }: Grid) {
  const jobMetrics = jobMetricsIn(metrics.map(({ name }) => name));
  return { jobMetrics, places: valuePlaces('simulations', capacities.length, classMetricsIn(jobMetrics)) };
}

/** Reads the values of metrics off a simulator on a grid that has run to its end. */
export function metricReader(
  metrics: readonly NamedMetric[],
  grid: Grid,
): (simulator: Simulator) => number[] {
  const { jobMetrics, places } = valuesFor(metrics, grid);
  return (simulator) => {
    const values = runValues(simulator, jobMetrics);
    return metrics.map(({ name }) => values[places.get(name) as number]!);
  };
}

/**
 * Methods on unperturbed jobs: the metrics that every run has, and those requested.
 * @param workloads the jobs of each method.
 */
export async function valuesOn(
  workloads: readonly Workload[],
  configurations: readonly Configuration[],
  metrics: readonly NamedMetric[],
  runToEnd: RunToEnd,
): Promise<Samples> {
  const ofMethods = configurations.map(({ grid }) => valuesFor(metrics, grid));
  const values: number[][] = [];
  let simulator: Simulator | undefined;
  for (const [i, configuration] of configurations.entries()) {
    if (simulator === undefined || simulator.workload !== workloads[i])
      simulator = new Simulator(workloads[i]!);
    await runToEnd(simulator, configuration);
    values.push(runValues(simulator, ofMethods[i]!.jobMetrics));
  }
  return ({ name }, method) => [values[method]![ofMethods[method]!.places.get(name) as number]!];
}

/** The jobs of each method of an experiment before anything is perturbed. */
export function unperturbedJobs({ settings, loaded, methods, configurations }: Experiment): Workload[] {
  const { perturb: _, ...unchanged } = settings;
  const variants = jobVariants(unchanged, methods);
  const made = variants.settings.map((each, variant) => {
    const { grid } = configurations[variants.places.indexOf(variant)]!;
    return jobSource(each, loaded).jobs(grid).workload;
  });
  return variants.places.map((place) => made[place]!);
}

/**
 * The methods on each of the spans of a log, whole and unchanged, one after the other; undefined for models, logs too
 * short for that, and methods whose jobs arrive in spans of different length.
 */
async function compareSpans(
  experiment: Experiment,
  metrics: readonly NamedMetric[],
  runToEnd: RunToEnd,
): Promise<SpanValues | undefined> {
  const { settings, configurations } = experiment;
  if (isModelText(settings.workload)) return undefined;
  const jobs = unperturbedJobs(experiment);
  const known = new Map([...new Set(jobs)].map((each) => [each, spansOf(each)]));
  const spans = known.get(firstOf(jobs));
  const areAlike = [...known.values()].every(
    (each) => each?.seconds === spans?.seconds && each?.workloads.length === spans?.workloads.length,
  );
  if (spans === undefined || !areAlike) return undefined;
  const values: number[][][] = metrics.map(() => configurations.map(() => []));
  for (const span of spans.workloads.keys()) {
    const ofMethods = jobs.map((each) => known.get(each)!.workloads[span]!);
    const ofSpan = await valuesOn(ofMethods, configurations, metrics, runToEnd);
    for (const [i, metric] of metrics.entries())
      for (const method of configurations.keys()) values[i]![method]!.push(...ofSpan(metric, method));
  }
  return { seconds: spans.seconds, values };
}

/** Facts reported of any replicated result. */
export interface Replicated {
  /** Number of replications. */
  readonly replications: number;
  /** Population that the replications sample. */
  readonly population: Population;
}

/** The methods of a comparison judged by one metric; lists by method are in the order of the methods. */
export interface JudgedMetric {
  /** The name of the metric. */
  readonly name: string;
  readonly metric: Metric;
  /** Values by method, then by replication. */
  readonly values: readonly (readonly number[])[];
  /** Mean and 95 % interval of each method. */
  readonly estimates: readonly MeanEstimate[];
  /** Equivalence margin, as a share of the mean of the best. */
  readonly within: number;
  /** Verdicts on the methods (best, worse or undecided), and their distances from the best. */
  readonly judgement: Judgement;
  /** The methods on each of some spans of the log, unchanged: how long a span is, and values by method, then by span. */
  readonly spans?: { readonly seconds: number; readonly values: readonly (readonly number[])[] };
}

/** Methods judged over replications, by one or more metrics. */
export interface JudgedComparison extends Replicated {
  /** The judgement by each metric. */
  readonly metrics: readonly JudgedMetric[];
  /** After how many replications they were judged: once, or until nothing was undecided. */
  readonly looks: readonly number[];
  /** The results per class, where requested. */
  readonly classes?: readonly ClassResults[];
  /** Reason why a log is not cut into pieces, however long it is. */
  readonly withoutPieces?: string;
}

/** True if methods were judged at several looks, by limits that hold at all of them. */
export function isSequential({ metrics }: Pick<JudgedComparison, 'metrics'>): boolean {
  return firstOf(metrics).judgement.limits === 'anytime';
}

/** True if no method is undecided by any metric. */
export function isAllDecided({ metrics }: Pick<JudgedComparison, 'metrics'>): boolean {
  return metrics.every(({ judgement }) => judgement.isDecided);
}

const DEPENDENT =
  'The log is not cut into pieces, since its jobs depend on each other (--dependencies) across the cuts.';

/** The whole result of a comparison that has been judged; runs its methods on the spans of its log, too. */
async function endOfComparison(
  experiment: Experiment,
  request: ComparisonRequest,
  judgements: readonly Judgement[],
  samples: Samples,
  runToEnd: RunToEnd,
): Promise<JudgedComparison> {
  const { metrics, within, looks, population, classes } = request;
  const { replications } = firstOf(judgements);
  const methods = experiment.methods.length;
  const spans = await compareSpans(experiment, metrics, runToEnd);
  return {
    replications,
    population,
    ...(experiment.workload.dependencies === undefined || isModelText(experiment.settings.workload)
      ? {}
      : { withoutPieces: DEPENDENT }),
    metrics: metrics.map((metric, i) => {
      const values = Array.from({ length: methods }, (_, i) => samples(metric, i).slice(0, replications));
      const estimates = values.map(estimateMean);
      const judged = {
        name: metric.name,
        metric,
        values,
        estimates,
        within: within[i]!,
        judgement: judgements[i]!,
      };
      return spans === undefined
        ? judged
        : { ...judged, spans: { seconds: spans.seconds, values: spans.values[i]! } };
    }),
    looks: looks.filter((look) => look <= replications),
    ...(classes === undefined
      ? {}
      : {
          classes: classResults(
            ...([experiment.workloads, classes, classMetricsAmong(metrics)] as const),
            (metric, method) => samples(metric, method).slice(0, replications),
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
 * Compares the methods of an experiment over replications; where it runs until it is decided, no longer than until none is
 * undecided, by every metric.
 */
export function comparisonQuestion(
  experiment: Experiment,
  request: ComparisonRequest,
  runToEnd: RunToEnd,
): Question<JudgedComparison> {
  let before: readonly Judgement[] | undefined;
  return {
    metrics: metricsOfRuns(experiment, request),
    looks: request.looks,
    look: (samples, count) => {
      const judgements = judgeAtLooks(request, experiment.methods.length, count, samples, before);
      before = judgements;
      return {
        isEnough: isDecided(judgements),
        answer: () => endOfComparison(experiment, request, judgements, samples, runToEnd),
      };
    },
  };
}

/** A metric of one method over replications. */
export interface EstimatedMetric {
  /** The name of the metric. */
  readonly name: string;
  readonly metric: Metric;
  /** Values by replication. */
  readonly values: readonly number[];
  /** Mean and 95 % interval. */
  readonly estimate: MeanEstimate;
}

/** The result of replications of one simulation. */
export interface Estimated extends Replicated {
  /** Every metric of a whole simulation. */
  readonly metrics: readonly EstimatedMetric[];
  /** The results per class, where requested. */
  readonly classes?: readonly ClassResults[];
}

/** Estimates every metric of the one method of an experiment, or those requested, from this many replications. */
export function estimatesQuestion(
  { settings, workloads }: Experiment,
  replications: number,
  classes?: RequestedClasses,
  requested: readonly NamedMetric[] = [],
): Question<Estimated> {
  const ofClasses = shownClassMetrics([]);
  return {
    metrics: [
      ...(requested.length === 0 ? [comparedMetric(DEFAULT_METRIC)] : requested),
      ...(classes === undefined ? [] : classMetricsOf(workloads, classes, ofClasses)),
    ],
    looks: [replications],
    look: (samples) => ({
      isEnough: true,
      answer: () => ({
        replications,
        population: populationOf(settings),
        metrics: (requested.length === 0 ? SCALAR_METRICS : requested).map((metric): EstimatedMetric => {
          const values = samples(metric, 0);
          return { name: metric.name, metric, values, estimate: estimateMean(values) };
        }),
        ...(classes && { classes: classResults(workloads, classes, ofClasses, samples) }),
      }),
    }),
  };
}

// Methods over several logs: each log is one value of each method, its ratio to the best method on that log.

/** A log and what the methods came to on it. */
export interface LogValues {
  /** Name in sentences. */
  readonly name: string;
  /** Values by metric, then by method, in the unit of the metric. */
  readonly values: readonly (readonly number[])[];
}

/** Values on a log, with the size of the log. */
export interface MeasuredLog extends LogValues {
  readonly jobs: number;
  readonly processors: number;
}

/** The best of some values. */
export const bestOf = ({ better }: Pick<NamedMetric, 'better'>, values: readonly number[]) =>
  better === 'more' ? Math.max(...values) : Math.min(...values);

/** Ratios by method, then by log: the value relative to that of the best method on the log. */
function ratiosOf(logs: readonly LogValues[], metric: NamedMetric, place: number): number[][] {
  const byLog = logs.map(({ name, values }) => {
    const own = values[place]!;
    const best = bestOf(metric, own);
    if (best !== 0 && own.every(Number.isFinite)) return own.map((value) => value / best);
    throw new InputError(
      `${metric.name} on ${name} is ${best === 0 ? '0 under the best method' : 'unknown'}, so no ratio can be computed; choose another --metric or omit the log`,
    );
  });
  return firstOf(byLog).map((_, method) => byLog.map((ratios) => ratios[method]!));
}

/**
 * The methods judged over logs, by each metric.
 * @throws InputError for a metric whose best value on a log is 0 or not known.
 */
export function judgeOverLogs(
  logs: readonly LogValues[],
  { metrics, within }: Pick<ComparisonRequest, 'metrics' | 'within'>,
): JudgedComparison {
  const level = ERROR_PROBABILITY / metrics.length;
  const { fewest } = LOGS;
  return {
    replications: logs.length,
    population: LOGS,
    looks: [logs.length],
    metrics: metrics.map((metric, i) => {
      const values = ratiosOf(logs, metric, i);
      const { noise, label, formula, better = 'less' } = metric;
      return {
        name: metric.name,
        metric: {
          ...{ noise, label: `${label}, relative to the best method on each log`, formula, better },
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
