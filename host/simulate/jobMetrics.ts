/**
 * Metrics that need every job of a run and are computed only where they are asked for: percentiles, fairness over users,
 * what the log itself says.
 */
import { InputError } from '../errors.js';
import { capitalized } from '../format/numbers.js';
import { inWorkspace, isWorthCompiling, type Workspace } from '../loops/workspace.js';
import { exactSumOf } from '../math/exactSum.js';
import { CLASSINGS, type Classing, type JobClass, jobClasses } from './jobClasses.js';
import { type JobOutcomes, PERCENTILES, percentile, QUANTITIES, type Quantity } from './jobOutcomes.js';
import { count, factor, type Metric, seconds, TWO } from './metric.js';
import { METRICS } from './metrics.js';

/** A metric of every job. */
export interface JobMetric extends Metric {
  /** As studies and summaries call it. */
  readonly name: string;
  /** Throws InputError where the log does not say what it takes. */
  readonly ofJobs: (jobs: JobOutcomes) => number;
}

const LABELS: Readonly<Record<Quantity, string>> = {
  wait: 'wait',
  response: 'response time',
  boundedSlowdown: 'bounded slowdown',
};
const FORMULAS: Readonly<Record<Quantity, string>> = { ...LABELS, response: 'response' };

const kindOf = (quantity: Quantity) => (quantity === 'boundedSlowdown' ? factor : seconds);
function percentilesOf(quantity: Quantity): JobMetric[] {
  const known = PERCENTILES.map((p) => ({
    ...kindOf(quantity)({
      label: `${p}th percentile of ${LABELS[quantity]}`,
      formula: `the ${FORMULAS[quantity]} of rank ceil(${p} n / 100) in ascending order`,
    }),
    name: `p${p}${capitalized(quantity)}`,
    ofJobs: (jobs: JobOutcomes) => jobs.percentile(quantity, p),
  }));
  // The longest wait is a metric of the core.
  if (quantity === 'wait') return known;
  const largest = {
    ...kindOf(quantity)({
      label: `maximum ${LABELS[quantity]}`,
      formula: `the largest ${FORMULAS[quantity]}`,
    }),
    name: `max${capitalized(quantity)}`,
    ofJobs: (jobs: JobOutcomes) => jobs.percentile(quantity, 100),
  };
  return [...known, largest];
}

/** The mean of a quantity over the jobs of each user that the log names, ascending. */
function userMeans(jobs: JobOutcomes, quantity: Quantity): Float64Array {
  const means = jobs.userMeans(quantity);
  if (means.length > 0) return means;
  throw new InputError('the log names no users, so that nothing can be said of fairness among them');
}

/** (sum x)^2 / (u sum x^2) over u values: 1 where all are the same, 1 / u where all but one are 0 (Jain, Chiu, Hawe 1984). */
export function jainIndex(values: Float64Array): number {
  const sum = exactSumOf(values);
  const squares = exactSumOf(values.map((value) => value * value));
  return squares > 0 ? (sum * sum) / (values.length * squares) : 1;
}

function fairnessOf(quantity: Quantity): JobMetric[] {
  const of = (
    name: string,
    label: string,
    formula: string,
    value: (means: Float64Array) => number,
    make: (told: Parameters<typeof seconds>[0]) => Metric = kindOf(quantity),
  ): JobMetric => ({
    ...make({ label, formula, edges: 'jobs of unknown user are left out' }),
    name: `user${capitalized(quantity)}${name}`,
    ofJobs: (jobs) => value(userMeans(jobs, quantity)),
  });
  const mean = `per-user mean ${LABELS[quantity]}`;
  const over = `x, the mean ${FORMULAS[quantity]} of each user's jobs`;
  return [
    of('Least', `minimum ${mean}`, `the smallest ${over}`, (means) => means[0]!),
    of('Median', `median ${mean}`, `the 50th percentile of ${over}`, (means) => percentile(means, 50)),
    of('Greatest', `maximum ${mean}`, `the largest ${over}`, (means) => percentile(means, 100)),
    of(
      'Jain',
      `Jain's index of ${mean}`,
      `(sum of x)<sup>2</sup> / (u × sum of x<sup>2</sup>) over u users (Jain, Chiu and Hawe 1984), of ${over}`,
      jainIndex,
      (told) => ({ ...told, format: { style: 'measure' }, better: 'more' }),
    ),
  ];
}

/** Mean of what the log says the jobs waited. */
const RECORDED: JobMetric = {
  label: 'mean wait in the log',
  unit: 's',
  format: TWO,
  formula: 'sum of `recorded_wait` over the jobs that have one, over their number',
  name: 'recordedMeanWait',
  ofJobs: (jobs) => {
    const known = knownValues(jobs.logged('wait') ?? new Float64Array(0));
    if (known.length === 0) throw new InputError('the log does not say how long its jobs waited (field 3)');
    return exactSumOf(known) / known.length;
  },
};

/** The values from 0 on. */
function knownValues(values: Float64Array): Float64Array {
  const { length } = values;
  const layout = { values: ['doubles', length] } as const;
  const find = ({ arrays, loops, keep }: Workspace<typeof layout>) => {
    arrays.values.set(values);
    return keep(arrays.values.subarray(0, loops.keepKnown(arrays.values, length)));
  };
  return inWorkspace(layout, find, isWorthCompiling(length));
}

/** All of them, in the order of the docs. */
export const JOB_METRICS: readonly JobMetric[] = [
  ...QUANTITIES.flatMap(percentilesOf),
  ...QUANTITIES.flatMap(fairnessOf),
  RECORDED,
];

const BY_NAME = new Map(JOB_METRICS.map((metric) => [metric.name, metric]));

/** What metrics of a class are called, and of which metric of all jobs each is. */
const OF_CLASS: Readonly<Record<string, readonly [field: keyof JobClass & string, Metric]>> = {
  jobs: ['jobs', count({ label: 'jobs', formula: 'number of jobs' })],
  ...Object.fromEntries(
    (['meanWait', 'maxWait', 'averageResponseTime', 'meanBoundedSlowdown'] as const).map((name) => [
      name,
      [name, METRICS.run[name]] as const,
    ]),
  ),
  ...Object.fromEntries(
    (['p50Wait', 'p95Wait'] as const).map((name) => [name, [name, BY_NAME.get(name) as Metric] as const]),
  ),
};

/** Metrics that classes of jobs have. */
export const CLASS_METRICS: readonly string[] = Object.keys(OF_CLASS);

/** A metric of the jobs of one class as text: `meanWait[user=ann]`. */
export function printClassMetric(metric: string, by: Classing, name: string): string {
  return `${metric}[${by}=${name}]`;
}

/**
 * A metric as a name of letters, digits and dashes, for tables, figures and files: that of a class without its brackets, with
 * the codes of letters that are none of these.
 * @example
 * metricId('p95Wait[class=short narrow]'); // 'p95Wait-class-short-narrow'
 */
export function metricId(name: string): string {
  const plain = name.replace(/\]$/, '').replace(/\[(\w+)=/, ' $1 ');
  return plain
    .replaceAll(/[^A-Za-z0-9 ]/g, (letter) => `-x${letter.codePointAt(0)?.toString(16)}`)
    .replaceAll(' ', '-');
}

/** The metric of a class that a text names; NaN in runs without a job of the class. */
function classMetric(text: string): JobMetric | undefined {
  const [, metric = '', by, value] = /^(\w+)\[(\w+)=(.+)\]$/s.exec(text) ?? [];
  const found = Object.hasOwn(OF_CLASS, metric) ? OF_CLASS[metric] : undefined;
  const classing = CLASSINGS.find((each) => each === by);
  if (found === undefined || classing === undefined) return undefined;
  const [field, { label, unit, format, better, formula }] = found;
  return {
    ...{ name: text, label: `${label}, ${by === 'class' ? value : `${by} ${value}`}`, format, formula },
    ...(unit === undefined ? {} : { unit }),
    ...(better === undefined ? {} : { better }),
    ofJobs: (jobs) => Number(jobClasses(jobs, classing).find(({ name }) => name === value)?.[field]),
  };
}

/** The metric of every job with a name; undefined where there is none. */
export function jobMetric(name: string): JobMetric | undefined {
  return BY_NAME.get(name) ?? classMetric(name);
}

/** Metrics of every job by name; those of which the log does not say enough are left out. */
export type Distribution = Readonly<Record<string, number>>;

/** The distribution of the jobs of a run. */
export function distributionOf(jobs: JobOutcomes): Distribution {
  const values = JOB_METRICS.flatMap(({ name, ofJobs }) => {
    try {
      return [[name, ofJobs(jobs)] as const];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  });
  return Object.fromEntries(values);
}
