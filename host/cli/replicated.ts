/** The same setting on many replications of its jobs: what compare and simulate share. */
import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { nearest } from '../notation.js';
import { codeOf } from '../options/document.js';
import { printPerturb } from '../options/perturb.js';
import { Replicator } from '../runner/replicate.js';
import { JOB_METRICS } from '../simulate/jobMetrics.js';
import type { Metric } from '../simulate/metric.js';
import { SCALAR_METRICS } from '../simulate/metricValues.js';
import { perturbationOf } from '../simulate/prepare.js';
import { estimateMean, LEFT_OUT } from '../statistics/interval.js';
import { type Look, looksUpTo } from '../statistics/looks.js';
import { judgeMethods } from '../statistics/methods.js';
import { metricCount } from '../study/runValues.js';
import type { EstimatedMetric, JudgedMetric, Replicated } from '../text/replications.js';
import type { Arguments } from './arguments.js';
import { type Context, replicationsDone } from './context.js';
import type { CommandExperiment } from './experiment.js';
import { replicationsOf } from './options.js';
import { sharingOf, threadsOf } from './threads.js';
import { commonTexts } from './workload.js';

/** A metric, and where it stands among the values of a replication: those of every job by themselves, behind the others. */
export interface PlacedMetric extends Metric {
  readonly name: string;
  readonly position: number;
  readonly isOfJobs?: boolean;
}

/** Every metric of a whole run. */
const PLACED_METRICS: readonly PlacedMetric[] = SCALAR_METRICS.map((metric, position) => ({
  ...metric,
  position,
}));

/**
 * The metrics by which methods are compared: those of --metric, which has commas or is repeated.
 * @throws InputError for one that there is not, or that is not better when it is less or more.
 */
function comparedMetrics(args: Arguments, usual: string): PlacedMetric[] {
  const given = args.texts('metric').flatMap((text) => text.split(/[\s,]+/));
  const names = [...new Set(given.filter((name) => name !== ''))];
  const ofJobs = JOB_METRICS.map((metric, position) => ({ ...metric, position, isOfJobs: true }));
  const known = [...PLACED_METRICS, ...ofJobs].filter(({ better }) => better !== undefined);
  return (names.length === 0 ? [usual] : names).map((name) => {
    const metric = known.find((each) => each.name === name);
    if (metric !== undefined) return metric;
    const list = known.map((each) => each.name);
    const close = nearest(name, list);
    throw new InputError(
      `--metric ${name} is nothing by which one method is better than another` +
        `${close === undefined ? '.' : `; did you mean '${close}'?`} Known: ${list.join(', ')}`,
    );
  });
}

/** What changes from one replication to the next: as written in options, and as a question for a person. */
export interface Question {
  readonly perturb: string;
  readonly sentence: string;
}

/** What replications of an experiment ask. */
function questionOf({ settings }: Pick<CommandExperiment, 'settings'>): Question {
  const jobs = perturbationOf({ ...settings, replication: 1 });
  const speeds = settings.perturb?.speeds ?? false;
  const also = speeds ? ', and the speeds of the sites are drawn anew' : '';
  if (jobs === undefined) {
    return {
      perturb: ['seeds', ...(speeds ? ['speeds'] : [])].join(';'),
      sentence: `Each replication has other jobs of the same model${also}: what holds for jobs like these, not for one sample of them.`,
    };
  }
  const perturb = printPerturb({ jobs, speeds });
  if (jobs.kind === 'shake') {
    const runtimes = jobs.runtime > 0 ? ` and runs up to ${100 * jobs.runtime} % longer or shorter` : '';
    return {
      perturb,
      sentence: `Each replication is this log, shaken: each job is submitted up to ${countOf(jobs.submit, 'second')} earlier or later${runtimes}${also}. This asks what holds for this log apart from the chance of its details, not for other logs.`,
    };
  }
  return {
    perturb,
    sentence: `Each replication recombines the blocks of ${jobs.block} s of each ${jobs.by}${also}. This asks what holds for other weeks of the same ${jobs.by}s, who do not hold back when the machine is full, so that waits are longer than in the log.`,
  };
}

/** The values of each metric by method, then by replication. */
export type Samples = (metric: PlacedMetric, method: number) => number[];

/**
 * Runs replications of an experiment by threads, with progress, in one or more goes.
 * @param metrics what is wanted of them.
 * @param goes how many replications there are after each.
 * @param isEnough is asked after each whether these will do.
 * @returns how many there are, and their values.
 */
async function runReplications(
  experiment: CommandExperiment,
  args: Arguments,
  context: Context,
  metrics: readonly PlacedMetric[],
  goes: readonly number[],
  isEnough: (samples: Samples, go: number) => boolean,
): Promise<{ readonly count: number; readonly samples: Samples }> {
  const { grid, settings, loaded, configurations } = experiment;
  const total = goes[goes.length - 1];
  const jobMetrics = metrics.filter(({ isOfJobs }) => isOfJobs).map(({ name }) => name);
  const others = metricCount(grid.capacities.length);
  const placeOf = ({ name, position, isOfJobs }: PlacedMetric) =>
    isOfJobs ? others + jobMetrics.indexOf(name) : position;
  const progress = context.progress(replicationsDone(configurations.length), true);
  let done = 0;
  const replicator = new Replicator(
    {
      trace: loaded,
      options: { workload: settings.workload, ...commonTexts(args) },
      capacities: grid.capacities,
      methods: experiment.methods,
      jobMetrics,
      sharing: sharingOf(args),
      code: [...new Set(configurations.flatMap(codeOf))],
    },
    {
      threads: Math.min(threadsOf(args), total),
      timeout: context.timeout,
      signal: context.io.signal,
      pause: () => context.pause(),
      onDone: () => progress.update(++done, total),
    },
  );
  try {
    for (const [go, count] of goes.entries()) {
      const values = await replicator.upTo(count);
      const samples: Samples = (metric, method) => values.map((each) => each[method][placeOf(metric)]);
      if (isEnough(samples, go) || go === goes.length - 1) return { count, samples };
    }
    throw new Error('there is no go');
  } finally {
    progress.end();
    await replicator.close();
  }
}

/** How many replications there are at most with --until-decided, where nothing is said. */
const MOST_LOOKED_AT = 640;

/** What comparing methods over replications comes to. */
export interface Comparison extends Replicated {
  readonly metrics: readonly JudgedMetric[];
  /** The looks at which the comparison was judged, with the chance of error that each took. */
  readonly looks: readonly Look[];
  readonly question: Question;
}

/** Whether replications are asked for. */
export function isReplicated(args: Arguments): boolean {
  return args.has('replications') || args.has('until-decided');
}

/** What a comparison over replications asks. */
export interface AskedComparison {
  readonly metrics: readonly PlacedMetric[];
  /** After how many replications it is judged, and how: once, or until all is told apart. */
  readonly looks: readonly Look[];
}

/**
 * What the options of a comparison over replications ask.
 * @throws InputError for options that do not fit.
 */
export function askedComparison(args: Arguments): AskedComparison {
  const asked = replicationsOf(args) ?? MOST_LOOKED_AT;
  const metrics = comparedMetrics(args, 'averageResponseTime');
  const looks = args.has('until-decided') ? looksUpTo(asked) : [{ replications: asked, level: LEFT_OUT }];
  return { metrics, looks };
}

/** Judges the methods of an experiment at one of the looks. */
export function judgeComparison(
  experiment: CommandExperiment,
  { metrics, looks }: AskedComparison,
  count: number,
  samples: Samples,
): Comparison {
  const upToNow = looks.filter(({ replications }) => replications <= count);
  const { level } = upToNow[upToNow.length - 1];
  const question = questionOf(experiment);
  return {
    replications: count,
    perturb: question.perturb,
    question,
    metrics: metrics.map((metric) => ({
      name: metric.name,
      metric,
      methods: judgeMethods(
        experiment.methods.map((_, method) => samples(metric, method)),
        { better: metric.better ?? 'less', level },
      ),
    })),
    looks: upToNow,
  };
}

/** Whether every method is told apart from the best, by every metric. */
export function isToldApart({ metrics }: Comparison): boolean {
  return metrics.every(({ methods }) => methods.every((each) => each.isDistinguishable !== false));
}

/**
 * Compares the methods of an experiment over replications; with --until-decided no longer than until every method is
 * told apart from the best, by every metric.
 * @throws InputError for options that do not fit, before anything runs.
 */
export async function compareReplications(
  experiment: CommandExperiment,
  args: Arguments,
  context: Context,
): Promise<Comparison> {
  const asked = askedComparison(args);
  const goes = asked.looks.map(({ replications }) => replications);
  let comparison: Comparison | undefined;
  await runReplications(experiment, args, context, asked.metrics, goes, (samples, go) => {
    comparison = judgeComparison(experiment, asked, goes[go], samples);
    return isToldApart(comparison);
  });
  if (comparison === undefined) throw new Error('nothing was compared');
  return comparison;
}

/** Every metric of the one method of an experiment, over replications. */
export async function estimateReplications(
  experiment: CommandExperiment,
  args: Arguments,
  context: Context,
): Promise<Replicated & { readonly metrics: readonly EstimatedMetric[]; readonly question: Question }> {
  const asked = replicationsOf(args);
  if (asked === undefined) throw new Error('no replications are asked for');
  const { count, samples } = await runReplications(
    experiment,
    args,
    context,
    PLACED_METRICS,
    [asked],
    () => true,
  );
  const question = questionOf(experiment);
  const metrics = PLACED_METRICS.map((metric) => ({
    name: metric.name,
    metric,
    estimate: estimateMean(samples(metric, 0)),
  }));
  return { replications: count, perturb: question.perturb, question, metrics };
}
