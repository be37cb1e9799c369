/** The jobs of a run class by class. */
import { exactSumOf } from '../math/exactSum.js';
import { fieldCalled, nameOf, type SwfField } from '../trace/trace.js';
import type { ClassLimits, Workload } from '../workload/workload.js';
import { type JobOutcomes, percentile, type Quantity } from './jobOutcomes.js';

/** By what jobs are put into classes: a field of the log (accounts are the groups of Slurm), home site, or width and runtime. */
export const CLASSINGS = ['class', 'user', 'group', 'account', 'queue', 'partition', 'home'] as const;
export type Classing = (typeof CLASSINGS)[number];

/** Of which kinds all classes are shown, or which by name; of others those that wait longest. */
export type ShownClasses = Readonly<Partial<Record<Classing, 'all' | readonly string[]>>>;

const WIDTHS_AND_RUNTIMES = ['short narrow', 'short wide', 'long narrow', 'long wide'];

/** The jobs of one class. Times are seconds. */
export interface JobClass {
  /** `short narrow`, or the name of the user, group, queue or partition, of the home site the number; `unknown` where the log does not say. */
  readonly name: string;
  readonly jobs: number;
  readonly meanWait: number;
  readonly p50Wait: number;
  readonly p95Wait: number;
  readonly maxWait: number;
  readonly averageResponseTime: number;
  readonly meanBoundedSlowdown: number;
}

/** What jobs are put into classes by. */
export interface ClassedJobs {
  readonly count: number;
  readonly jobs: {
    readonly home: ArrayLike<number>;
    readonly processors: ArrayLike<number>;
    readonly runtime: ArrayLike<number>;
  };
  readonly names: Workload['names'];
  /** Which of them are short and which are narrow. */
  readonly limits: ClassLimits;
  /** A field of the log of each job; undefined where the jobs are of no log. */
  readonly logged: (field: SwfField) => Float64Array | undefined;
}

/** The number of each job's class, and what a number is called. */
function classesOf(
  jobs: ClassedJobs,
  by: Classing,
): { number: (job: number) => number; name: (number: number) => string } {
  const { home, processors, runtime } = jobs.jobs;
  if (by === 'class') {
    const { shortRuntime, narrowWidth } = jobs.limits;
    return {
      number: (i) => 2 * Number(runtime[i]! > shortRuntime) + Number(processors[i]! > narrowWidth),
      name: (number) => WIDTHS_AND_RUNTIMES[number]!,
    };
  }
  if (by === 'home') return { number: (i) => home[i]! + 1, name: String };
  const field = fieldCalled(by);
  const column = jobs.logged(field);
  return {
    number: (i) => Math.max(-1, column?.[i] ?? -1),
    name: (number) => (number < 0 ? 'unknown' : nameOf(jobs.names, field, number)),
  };
}

/** The names of the classes that jobs are in, as `jobClasses` has them. */
export function classNames(jobs: ClassedJobs, by: Classing): string[] {
  return classMembers(jobs, by).map(({ name }) => name);
}

/**
 * The classes that jobs are in, in ascending order of their numbers, short and narrow ones first.
 * @returns of each its name and the places of its jobs.
 */
export function classMembers(
  jobs: ClassedJobs,
  by: Classing,
): { readonly name: string; readonly members: readonly number[] }[] {
  const { number, name } = classesOf(jobs, by);
  const members = new Map<number, number[]>();
  for (let i = 0; i < jobs.count; i++) {
    const own = members.get(number(i));
    if (own === undefined) members.set(number(i), [i]);
    else own.push(i);
  }
  return [...members].sort(([a], [b]) => a - b).map(([key, own]) => ({ name: name(key), members: own }));
}

const KNOWN = new WeakMap<JobOutcomes, Map<Classing, readonly JobClass[]>>();

/** The classes that jobs are in, in ascending order of their numbers, short and narrow ones first. */
export function jobClasses(jobs: JobOutcomes, by: Classing): readonly JobClass[] {
  const known = KNOWN.get(jobs) ?? new Map<Classing, readonly JobClass[]>();
  KNOWN.set(jobs, known);
  const classes = known.get(by) ?? findClasses(jobs, by);
  known.set(by, classes);
  return classes;
}

function findClasses(jobs: JobOutcomes, by: Classing): JobClass[] {
  return classMembers(jobs, by).map(({ name, members }) => {
    const sorted = (quantity: Quantity) => {
      const values = jobs.values(quantity);
      return Float64Array.from(members, (i) => values[i]!).sort();
    };
    const waits = sorted('wait');
    const [responses, slowdowns] = [sorted('response'), sorted('boundedSlowdown')];
    const mean = (values: Float64Array) => exactSumOf(values) / values.length;
    return {
      name,
      jobs: members.length,
      meanWait: mean(waits),
      p50Wait: percentile(waits, 50),
      p95Wait: percentile(waits, 95),
      maxWait: percentile(waits, 100),
      averageResponseTime: mean(responses),
      meanBoundedSlowdown: mean(slowdowns),
    };
  });
}
