/** The same setting on many replications of its jobs: what compare and simulate share. */

import { InputError } from '../errors.js';
import type { Settings } from '../options/options.js';
import { Replicator } from '../runs/replicate.js';
import type { JudgedComparison } from '../show/replicationsText.js';
import { JOB_METRICS } from '../simulate/jobMetrics.js';
import type { Metric } from '../simulate/metric.js';
import { SCALAR_METRICS, unknownMetric } from '../simulate/metricValues.js';
import { jobSource } from '../simulate/prepare.js';
import { Simulator } from '../simulate/simulator.js';
import { estimateMean, LEFT_OUT } from '../statistics/interval.js';
import { type Judgement, judgeMethods, looksUpTo } from '../statistics/judging.js';
import { type Population, populationOf, usualWithin } from '../statistics/population.js';
import { classMetricsIn, jobMetricsIn, runValues, valuePlaces } from '../study/runValues.js';
import { isModelText } from '../workload/models.js';
import { spansOf } from '../workload/spans.js';
import type { CommandExperiment } from './asked.js';
import type { Arguments } from './command.js';
import { replicationsOf, sharingOf, threadsOf } from './commandOptions.js';
import { type Context, replicationsDone } from './context.js';
import { runToEnd } from './simulated.js';

/** A metric with its name. */
export interface NamedMetric extends Metric {
  readonly name: string;
}

/**
 * The metrics by which methods are compared: those of --metric, which has commas or is repeated.
 * @throws InputError for one that there is not, or that is not better when it is less or more.
 */
function comparedMetrics(args: Arguments, usual: string): NamedMetric[] {
  const given = args.texts('metric').flatMap((text) => text.split(/[\s,]+/));
  const names = [...new Set(given.filter((name) => name !== ''))];
  const all: NamedMetric[] = [...SCALAR_METRICS, ...JOB_METRICS];
  return (names.length === 0 ? [usual] : names).map((name) => {
    const metric = all.find((each) => each.name === name);
    if (metric === undefined)
      throw unknownMetric(
        name,
        all.map((each) => each.name),
      );
    if (metric.better !== undefined) return metric;
    throw new InputError(
      `metric '${name}' is nothing by which one method is better than another; see gridalloc metrics`,
    );
  });
}

/** The values of each metric by method, then by replication. */
export type Samples = (metric: NamedMetric, method: number) => number[];

/** How replications are run: in how many threads, and whether runs share what they have in common. */
export interface Execution {
  readonly threads: number;
  readonly sharing: boolean;
}

/** How many replications are run, and how. */
export interface Replications extends Execution {
  readonly replications: number;
}

/**
 * Runs replications of an experiment by threads, with progress, in one or more goes.
 * @param metrics what is wanted of them.
 * @param goes how many replications there are after each.
 * @param isEnough is asked after each whether these will do.
 * @returns how many there are, and their values.
 */
export async function runReplications(
  experiment: CommandExperiment,
  { threads, sharing }: Execution,
  context: Context,
  metrics: readonly NamedMetric[],
  goes: readonly number[],
  isEnough: (samples: Samples, go: number) => boolean,
): Promise<{ readonly count: number; readonly samples: Samples }> {
  const total = goes[goes.length - 1];
  const progress = context.progress(replicationsDone(experiment.methods.length), true);
  let done = 0;
  const replicator = new Replicator(experiment, {
    metrics: metrics.map(({ name }) => name),
    sharing,
    threads: Math.min(threads, total),
    timeout: context.timeout,
    signal: context.io.signal,
    pause: () => context.pause(),
    onDone: () => progress.update(++done, total),
  });
  try {
    for (const [go, count] of goes.entries()) {
      const values = await replicator.upTo(count);
      const samples: Samples = (metric, method) => values(metric.name, method);
      if (isEnough(samples, go) || go === goes.length - 1) return { count, samples };
    }
    throw new Error('there is no go');
  } finally {
    progress.end();
    await replicator.close();
  }
}

/** How many replications there are at most with --until-decided, where nothing is said. */
const MOST_LOOKED_AT = 1280;

/** Whether replications are asked for. */
export function isReplicated(args: Arguments): boolean {
  return args.has('replications') || args.has('until-decided') || args.has('select-best');
}

/** What a comparison over replications asks. */
export interface AskedComparison {
  readonly metrics: readonly NamedMetric[];
  /** How far behind the best still counts as best, by metric: a share of its mean. */
  readonly within: readonly number[];
  /** After how many replications it is judged. */
  readonly looks: readonly number[];
  readonly limits: 'fixed' | 'anytime';
  readonly population: Population;
}

/** Reads a share of 1: `2%`, `2 %` or `0.02`. */
function parseShare(text: string, what: string): number {
  const [, digits, sign] = /^(\d*\.?\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (sign === '%' ? 100 : 1);
  if (share >= 0 && share < 1) return share;
  throw new InputError(`${what} ${text} is not a share below 1; give a percentage such as 2%, or 0.02`);
}

/**
 * What the options of a comparison over replications ask.
 * @throws InputError for options that do not fit.
 */
export function askedComparison(args: Arguments, settings: Settings): AskedComparison {
  const asked = replicationsOf(args) ?? MOST_LOOKED_AT;
  const metrics = comparedMetrics(args, 'averageResponseTime');
  const population = populationOf(settings);
  const within = args.read('within', parseShare);
  const isUntilDecided = args.has('until-decided');
  return {
    metrics,
    within: metrics.map(({ name }) => within ?? usualWithin(name, population)),
    looks: isUntilDecided ? looksUpTo(asked, population.firstLook) : [asked],
    limits: isUntilDecided ? 'anytime' : 'fixed',
    population,
  };
}

/**
 * Judges the methods of an experiment, by each metric, at the looks up to a number of replications and no further than the
 * look at which none is undecided; several metrics share the chance of an error.
 * @param before what the looks before came to, if they have been judged.
 */
export function judgeAtLooks(
  { metrics, within, looks, limits, population: { fewest } }: AskedComparison,
  methods: number,
  count: number,
  samples: Samples,
  before?: readonly Judgement[],
): readonly Judgement[] {
  const level = LEFT_OUT / metrics.length;
  const values = metrics.map((metric) => Array.from({ length: methods }, (_, i) => samples(metric, i)));
  let judgements = before;
  for (const look of looks) {
    if (look > count || (judgements !== undefined && isDecided(judgements))) break;
    if (judgements !== undefined && look <= judgements[0].replications) continue;
    const earlier = judgements;
    judgements = metrics.map(({ better = 'less' }, i) => {
      const soFar = values[i].map((each) => each.slice(0, look));
      return judgeMethods(soFar, { better, within: within[i], level, fewest, limits, before: earlier?.[i] });
    });
  }
  if (judgements === undefined) throw new Error('there is no look');
  return judgements;
}

/**
 * The methods on each of the spans of a log, whole and unchanged, one after the other; undefined for models, and logs too
 * short for that.
 */
async function compareSpans(
  { settings, loaded, grid, configurations }: CommandExperiment,
  metrics: readonly NamedMetric[],
  context: Context,
): Promise<SpanValues | undefined> {
  if (isModelText(settings.workload)) return undefined;
  const { perturb: _, ...unchanged } = settings;
  const { workload } = jobSource(unchanged, loaded).jobs(grid);
  const spans = spansOf(workload);
  if (spans.length === 0) return undefined;
  const jobMetrics = jobMetricsIn(metrics.map(({ name }) => name));
  const places = valuePlaces('simulations', grid.capacities.length, classMetricsIn(jobMetrics));
  const values: number[][][] = metrics.map(() => configurations.map(() => []));
  for (const span of spans) {
    const simulator = new Simulator(span);
    for (const [method, configuration] of configurations.entries()) {
      await runToEnd(simulator, configuration, context);
      const ofRun = runValues(simulator, jobMetrics);
      metrics.forEach(({ name }, i) => {
        values[i][method].push(ofRun[places.get(name) as number]);
      });
    }
  }
  const { submit, count } = workload;
  return { seconds: (submit[count - 1] - submit[0]) / spans.length, values };
}

/** By metric, then by method, then by span. */
interface SpanValues {
  /** How long each is. */
  readonly seconds: number;
  readonly values: readonly (readonly (readonly number[])[])[];
}

/** Whether nothing is undecided, by any metric. */
export function isDecided(judgements: readonly Judgement[]): boolean {
  return judgements.every((judgement) => judgement.isDecided);
}

/** All that a comparison comes to that has been judged; runs its methods on the spans of its log, too. */
export async function endOfComparison(
  experiment: CommandExperiment,
  { metrics, within, looks, population }: AskedComparison,
  judgements: readonly Judgement[],
  samples: Samples,
  context: Context,
): Promise<JudgedComparison> {
  const [{ replications }] = judgements;
  const methods = experiment.methods.length;
  const spans = await compareSpans(experiment, metrics, context);
  return {
    replications,
    population,
    metrics: metrics.map((metric, i) => {
      const values = Array.from({ length: methods }, (_, i) => samples(metric, i).slice(0, replications));
      const estimates = values.map(estimateMean);
      const judged = {
        name: metric.name,
        metric,
        values,
        estimates,
        within: within[i],
        judgement: judgements[i],
      };
      return spans === undefined
        ? judged
        : { ...judged, spans: { seconds: spans.seconds, values: spans.values[i] } };
    }),
    looks: looks.filter((look) => look <= replications),
  };
}

/**
 * Compares the methods of an experiment over replications; with --until-decided no longer than until none is undecided, by
 * every metric.
 * @throws InputError for options that do not fit, before anything runs.
 */
export async function compareReplications(
  experiment: CommandExperiment,
  args: Arguments,
  context: Context,
): Promise<JudgedComparison> {
  const asked = askedComparison(args, experiment.settings);
  const methods = experiment.methods.length;
  let judgements: readonly Judgement[] | undefined;
  const { samples } = await runReplications(
    experiment,
    { threads: threadsOf(args), sharing: sharingOf(args) },
    context,
    asked.metrics,
    asked.looks,
    (samplesSoFar, go) => {
      judgements = judgeAtLooks(asked, methods, asked.looks[go], samplesSoFar, judgements);
      return isDecided(judgements);
    },
  );
  if (judgements === undefined) throw new Error('nothing was compared');
  return endOfComparison(experiment, asked, judgements, samples, context);
}
